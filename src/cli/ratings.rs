//! `pippost ratings`: everybody's ratings, recomputed from records alone.

use std::collections::{BTreeSet, HashSet};
use std::io;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use clap::Args;

use super::names::Names;
use super::replay::plain;
use super::verify::{REFUSED, SANDBOX, UNREADABLE, read};
use crate::clock::log::reliability::{NotCounted, figures};
use crate::clock::log::split;
use crate::ratings::{Class, NotRated, Pool, RatedGame, Rating, Standings, rate, rated};

/// What the names of records in a folder end with.
const RECORD: &str = "ndjson";

#[derive(Args)]
pub struct RatingsArgs {
    /// Records with their clock logs (`…/record?with=clock`) of one server, or folders with such files, `*.ndjson`; `-` reads standard
    /// input.
    #[arg(required = true)]
    records: Vec<PathBuf>,
    /// The name of a program, as `/players/NAME` says (`bot`): records do not. May be given several times.
    #[arg(long, value_name = "NAME")]
    bot: Vec<String>,
    /// Print the ratings after each day with games, not only the newest.
    #[arg(long)]
    history: bool,
    /// Print one JSON object for each rating, as `/api/v1/players/NAME/ratings` has it.
    #[arg(long)]
    json: bool,
}

/// Prints the ratings, and on standard error which records do not count.
pub fn run(args: &RatingsArgs) -> ExitCode {
    let mut reading = Reading {
        bots: args.bot.iter().map(|name| name.to_ascii_lowercase()).collect(),
        ..Reading::default()
    };
    for path in &args.records {
        match files(path) {
            Ok(files) => files.iter().for_each(|file| reading.take(file)),
            Err(error) => reading.unreadable(path, &error),
        }
    }
    let names = reading.names;
    let last = rate(reading.games, |after| {
        if args.history {
            print(after, &names, args.json);
        }
    });
    if !args.history {
        print(&last, &names, args.json);
    }
    match (reading.refused, reading.unreadable, reading.sandbox) {
        (true, _, _) => ExitCode::from(REFUSED),
        (false, true, _) => ExitCode::from(UNREADABLE),
        (false, false, true) => ExitCode::from(SANDBOX),
        (false, false, false) => ExitCode::SUCCESS,
    }
}

/// The files of a folder that are records, or the file itself.
fn files(path: &Path) -> io::Result<Vec<PathBuf>> {
    if !path.is_dir() {
        return Ok(vec![path.to_owned()]);
    }
    let entries = std::fs::read_dir(path)?.map(|entry| Ok(entry?.path())).collect::<io::Result<Vec<_>>>()?;
    let mut files: Vec<PathBuf> =
        entries.into_iter().filter(|file| file.extension().is_some_and(|of| of == RECORD)).collect();
    files.sort_unstable();
    Ok(files)
}

#[derive(Default)]
struct Reading {
    /// In lower case.
    bots: BTreeSet<String>,
    names: Names,
    /// Each game counts once.
    known: HashSet<uuid::Uuid>,
    games: Vec<RatedGame<String>>,
    refused: bool,
    unreadable: bool,
    sandbox: bool,
}

impl Reading {
    fn take(&mut self, file: &Path) {
        let text = match read(file) {
            Ok(text) => text,
            Err(error) => return self.unreadable(file, &error),
        };
        let (record, log) = split(&text);
        let figures = match figures(record, log) {
            Ok(figures) => figures,
            Err(why) => {
                self.refused |= matches!(why, NotCounted::Record(_) | NotCounted::Clock(_));
                return not_counted(file, &why.to_string());
            }
        };
        let rated = match rated(&figures) {
            Ok(rated) => rated,
            Err(why) => {
                self.sandbox |= why == NotRated::Sandbox;
                return not_counted(file, &why.to_string());
            }
        };
        if !self.known.insert(figures.game) {
            return not_counted(file, "its game is counted already");
        }
        let learn = |name: &String| self.names.learn(name, figures.ended_at);
        let players: Vec<String> = rated.names.iter().map(learn).collect();
        let with_bot = players.iter().any(|name| self.bots.contains(name));
        let pool = if with_bot { Pool::Bots } else { Pool::People };
        self.games.push(RatedGame {
            game: figures.game,
            ended_at: figures.ended_at,
            class: Class { pool, rules: rated.rules, pace: rated.pace },
            players,
            places: rated.places,
        });
    }

    fn unreadable(&mut self, path: &Path, error: &io::Error) {
        self.unreadable = true;
        not_counted(path, &format!("it cannot be read: {error}"));
    }
}

fn not_counted(path: &Path, why: &str) {
    eprintln!("{}: not counted: {}", path.display(), plain(why));
}

/// By pool, rule set and pace; of each the best first.
fn print(standings: &Standings<String>, names: &Names, json: bool) {
    let mut all: Vec<_> = standings.iter().collect();
    all.sort_by_key(|((class, _), standing)| (class, -standing.strength.rating));
    for ((class, key), standing) in all {
        let name = names.written(key);
        let rating = Rating::of(name.to_owned(), class.clone(), standing);
        if json {
            println!("{}", serde_json::to_string(&rating).expect("plain data"));
            continue;
        }
        let Rating { rating, deviation, volatility, games, day, provisional, .. } = rating;
        let (pool, rules, pace) = (class.pool.as_str(), &class.rules, class.pace.as_str());
        let mark = if provisional { ", provisional" } else { "" };
        println!(
            "{pool} {rules} {pace}: {}: {rating:.3} ± {deviation:.3}, volatility {volatility:.9}, {games} games until {day}{mark}",
            plain(name)
        );
    }
}
