//! `pippost stats`: how reliable players are, recomputed from records with their clock logs.

use std::collections::{BTreeMap, HashSet};
use std::path::PathBuf;
use std::process::ExitCode;

use clap::Args;
use serde_json::{Value, json};

use super::names::Names;
use super::replay::plain;
use super::verify::{REFUSED, SANDBOX, UNREADABLE, read};
use crate::clock::log::reliability::{
    CountedGame, GameFigures, MAX_GAMES, NotCounted, Outcome, Reliability, SeatFigures, figures, keep_newest,
};
use crate::clock::log::{OtherOffsets, split};
use crate::rules::Seat;

/// A player's games are cut to those that count when there are so many.
const CUT_AT: usize = 2 * MAX_GAMES;

#[derive(Args)]
pub struct StatsArgs {
    /// Records with their clock logs (`…/record?with=clock`), of one server; `-`, or no file, reads standard input.
    files: Vec<PathBuf>,
    /// Print one JSON object per record and then one per player.
    #[arg(long)]
    json: bool,
}

/// Counts each file, and prints what it says of its players and then the figures of every player.
pub fn run(args: &StatsArgs) -> ExitCode {
    let standard_input = [PathBuf::from("-")];
    let files = if args.files.is_empty() { &standard_input[..] } else { &args.files };
    let mut counting = Counting {
        args,
        games: HashSet::new(),
        names: Names::default(),
        players: BTreeMap::new(),
        refused: false,
        unreadable: false,
        sandbox: false,
    };
    for file in files {
        let name = file.display().to_string();
        match read(file) {
            Ok(text) => counting.take(&name, &text),
            Err(error) => {
                counting.unreadable = true;
                counting.not_counted(&name, &format!("it cannot be read: {error}"));
            }
        }
    }
    counting.print_players();
    match (counting.refused, counting.unreadable, counting.sandbox) {
        (true, _, _) => ExitCode::from(REFUSED),
        (false, true, _) => ExitCode::from(UNREADABLE),
        (false, false, true) => ExitCode::from(SANDBOX),
        (false, false, false) => ExitCode::SUCCESS,
    }
}

struct Counting<'a> {
    args: &'a StatsArgs,
    /// Each game counts once.
    games: HashSet<uuid::Uuid>,
    names: Names,
    /// By name, in lower case.
    players: BTreeMap<String, Vec<CountedGame>>,
    refused: bool,
    unreadable: bool,
    sandbox: bool,
}

/// What a game says of a player in one of its seats.
struct InSeat {
    seat: Seat,
    name: String,
    is_substitute: bool,
    /// None: the game was aborted.
    outcome: Option<Outcome>,
    figures: Reliability,
}

impl Counting<'_> {
    fn take(&mut self, name: &str, text: &[u8]) {
        let (record, log) = split(text);
        match figures(record, log) {
            Err(why) => {
                self.refused |= matches!(why, NotCounted::Record(_) | NotCounted::Clock(_));
                self.not_counted(name, &why.to_string());
            }
            Ok(figures) if figures.sandbox => {
                self.sandbox = true;
                self.not_counted(name, "it is a sandbox's, which proves nothing");
            }
            Ok(figures) if !self.games.insert(figures.game) => {
                self.not_counted(name, "its game is counted already");
            }
            Ok(figures) => self.count(name, figures),
        }
    }

    fn not_counted(&self, name: &str, why: &str) {
        if self.args.json {
            println!("{}", json!({"file": name, "not_counted": why}));
        } else {
            println!("{name}: not counted: {}", plain(why));
        }
    }

    fn count(&mut self, name: &str, figures: GameFigures) {
        let GameFigures { game, ended_at, seats, warning, .. } = figures;
        let mut told = Vec::new();
        for seat in seats {
            let SeatFigures { seat, name, is_substitute, outcome, answers_seconds } = seat;
            let mut in_seat = InSeat { seat, name, is_substitute, outcome, figures: Reliability::default() };
            let Some(outcome) = outcome else {
                told.push(in_seat);
                continue;
            };
            let counted = CountedGame { game, ended_at, outcome, answers_seconds };
            in_seat.figures = Reliability::of(&mut vec![counted.clone()]);
            let player = self.names.learn(&in_seat.name, ended_at);
            let games = self.players.entry(player).or_default();
            told.push(in_seat);
            games.push(counted);
            if games.len() >= CUT_AT {
                keep_newest(games);
            }
        }
        self.print_game(name, &ended_at.to_string(), &told, warning.as_ref());
    }

    fn print_game(&self, name: &str, ended_at: &str, seats: &[InSeat], warning: Option<&OtherOffsets>) {
        if self.args.json {
            let seat = |one: &InSeat| {
                let mut told = json!({
                    "name": one.name,
                    "outcome": one.outcome.map(said),
                    "answers": one.figures.answers,
                    "median_seconds": one.figures.median_seconds,
                    "percentile_90_seconds": one.figures.percentile_90_seconds,
                });
                if one.is_substitute {
                    told["substitute_in_seat"] = one.seat.0.into();
                }
                told
            };
            let seats: Vec<Value> = seats.iter().map(seat).collect();
            let mut game = json!({"file": name, "ended_at": ended_at, "seats": seats});
            if let Some(warning) = warning {
                game["warning"] = warning.to_string().into();
            }
            println!("{game}");
            return;
        }
        println!("{name}: ended at {ended_at}");
        if let Some(warning) = warning {
            println!("  warning: {warning}");
        }
        for one in seats {
            let outcome = one.outcome.map_or("not counted", said);
            let since = if one.is_substitute { " (substitute)" } else { "" };
            let (seat, player, times) = (one.seat.0, plain(&one.name), times(&one.figures));
            println!("  seat {seat}, {player}{since}: {outcome}; {times}");
        }
    }

    fn print_players(&mut self) {
        for (key, games) in &mut self.players {
            let name = self.names.written(key);
            let figures = Reliability::of(games);
            if self.args.json {
                println!("{}", json!({"player": name, "reliability": figures}));
                continue;
            }
            let Reliability { games_finished, games_left, games_timed_out, games_aborted, .. } = figures;
            let times = times(&figures);
            let name = plain(name);
            println!(
                "{name}: {games_finished} finished, {games_left} left, {games_timed_out} timed out, {games_aborted} aborted; {times}"
            );
        }
    }
}

fn said(outcome: Outcome) -> &'static str {
    match outcome {
        Outcome::Finished => "finished",
        Outcome::Left => "left",
        Outcome::TimedOut => "timed_out",
        Outcome::Aborted => "aborted",
    }
}

fn times(figures: &Reliability) -> String {
    let seconds = |seconds: Option<i32>| {
        seconds.map(|seconds| format!("{}:{:02}:{:02}", seconds / 3600, seconds / 60 % 60, seconds % 60))
    };
    let quantiles = seconds(figures.median_seconds).zip(seconds(figures.percentile_90_seconds));
    match quantiles {
        Some((median, most)) => {
            format!("{} answers, median {median}, 9 of 10 within {most}", figures.answers)
        }
        None => "no answers".to_owned(),
    }
}
