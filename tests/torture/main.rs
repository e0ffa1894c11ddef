//! Tortures the program: clients play by two servers, a worker and mails while faults strike that a seed chooses, and a checker judges
//! their notes. docs/TESTING.md says how to run it.
//!
//! Faults last for times that the seed chooses, clients pause as people do, and processes of others are asked until they answer or a
//! deadline ends the run: nothing here is judged by a time.

mod arguments;
mod browsers;
mod caller;
mod chance;
mod checker;
mod disk;
mod faults;
mod notes;
mod posting;
mod process;
mod reading;
mod report;
mod table;
mod wire;
mod world;

use std::process::ExitCode;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use serde_json::json;
use support::sample::Sampler;
use tokio::signal::unix::{SignalKind, signal};
use tokio::task::JoinSet;

use arguments::Arguments;
use browsers::Browsers;
use caller::{Caller, Request};
use chance::Dice;
use faults::Fault;
use notes::Notes;
use posting::Mailboxes;
use report::Report;
use table::Table;
use world::{SERVERS, World};

/// How long the service may need until it serves again after a fault, and until every game has come to its end.
const BACK_WITHIN: Duration = Duration::from_mins(1);
const END_WITHIN: Duration = Duration::from_mins(3);

/// How long it is waited until mails that are due have come.
const MAILS_WITHIN: Duration = Duration::from_secs(10);

/// After so many faults it is waited until the service serves again, and after so many all games end and are checked.
const FAULTS_IN_A_ROW: usize = 5;
const FAULTS_IN_A_ROUND: usize = 40;

/// The dice of parts of the run.
const FOR_FAULTS: u64 = 1;
const FOR_PLAYERS: u64 = 2;
const FOR_CHECKER: u64 = 3;
const FOR_READERS: u64 = 10;
const FOR_TABLES: u64 = 100;

fn main() -> ExitCode {
    let Some(arguments) = Arguments::read(std::env::args().skip(1)) else {
        eprintln!("{}", arguments::USAGE);
        return ExitCode::from(2);
    };
    println!("again: {}", arguments.command());
    let runtime = tokio::runtime::Runtime::new().expect("a runtime");
    let report = runtime.block_on(async {
        let (mut told, mut asked) = (signal(SignalKind::interrupt())?, signal(SignalKind::terminate())?);
        Ok::<_, std::io::Error>(tokio::select! {
            report = run(&arguments) => Some(report),
            // What was started ends with the run.
            _ = told.recv() => None,
            _ = asked.recv() => None,
        })
    });
    let Some(report) = report.expect("signals") else { return ExitCode::FAILURE };
    println!("{report}");
    if report.wrong.is_empty() { ExitCode::SUCCESS } else { ExitCode::FAILURE }
}

async fn run(arguments: &Arguments) -> Report {
    let begun = Instant::now();
    let mut world = World::begin(arguments).await;
    let mut report = Report::of(*arguments);
    let mut dice = Dice::of(arguments.seed, FOR_FAULTS);
    let end = begun + Duration::from_secs(60 * arguments.minutes);
    let in_a_round = if arguments.planted.is_some() { FAULTS_IN_A_ROW } else { FAULTS_IN_A_ROUND };
    while report.struck.count() < arguments.faults && Instant::now() < end && report.wrong.is_empty() {
        let faults = in_a_round.min(arguments.faults - report.struck.count());
        report.rounds += 1;
        round(&mut world, &mut report, &mut dice, faults).await;
    }
    report.starts = world.processes.iter().map(|process| (process.name, process.starts)).collect();
    report.took = begun.elapsed();
    world.processes.iter_mut().for_each(process::Process::stop);
    if !report.wrong.is_empty() {
        println!("logs are kept in {}", world.keep().display());
    }
    report
}

/// New players play while some faults strike; then every game comes to its end, and all is checked.
async fn round(world: &mut World, report: &mut Report, dice: &mut Dice, faults: usize) {
    let Report { arguments, rounds, .. } = *report;
    let notes = Arc::new(Notes::default());
    let known = world.mails.received_after(0).len();
    let (mailboxes, ending) = (Arc::new(Mailboxes::after(known)), Arc::new(AtomicBool::new(false)));
    let stranger = Caller::stranger(world.urls(), Arc::clone(&notes));
    let first = report.players;
    let mut browsers = Browsers::default();
    let players = players(&arguments, world, &notes, &mailboxes, first, &mut browsers).await;
    report.players += players.len();
    let over = Arc::new(AtomicBool::new(false));
    let mut readers = JoinSet::new();
    for (part, player) in (0..).zip(players.iter().step_by(2)) {
        let dice = Dice::of(arguments.seed, FOR_READERS + part);
        readers.spawn(reading::follow_all(player.clone(), dice, Arc::clone(&over)));
    }
    let mut tables = seat(&arguments, rounds, &players, &stranger, &mailboxes, &ending);
    torture(world, report, dice, faults, &mailboxes, &notes).await;
    ending.store(true, Ordering::Relaxed);
    let within = if arguments.planted.is_some() { BACK_WITHIN } else { END_WITHIN };
    finish(&mut tables, world, &mailboxes, &notes, within).await;
    over.store(true, Ordering::Relaxed);
    if tokio::time::timeout(END_WITHIN, readers.join_all()).await.is_err() {
        notes.wrong("a feed of all games of a player does not come to its end".to_owned());
    }
    let mut dice = Dice::of(arguments.seed, FOR_CHECKER);
    let mut verdict = checker::check(&stranger, &players, world, (&mailboxes, &browsers), &mut dice).await;
    let (audited, findings) = tokio::task::block_in_place(|| world.audit());
    if !audited {
        verdict.wrong.push(format!("pippost audit finds: {findings}"));
    }
    report.add(verdict, &notes, mailboxes.count() - known);
}

/// Registers players, two for each table, the first of which has a webhook and the second a browser.
async fn players(
    arguments: &Arguments,
    world: &World,
    notes: &Arc<Notes>,
    mailboxes: &Mailboxes,
    first: usize,
    browsers: &mut Browsers,
) -> Vec<Caller> {
    let mut dice = Dice::of(arguments.seed, FOR_PLAYERS);
    let mut players = Vec::new();
    for number in first..first + (0..arguments.tables).map(sits_at).sum::<usize>() {
        players.push(Caller::register(world.urls(), Arc::clone(notes), number, &mut dice).await);
    }
    let mut confirmed = 0;
    while confirmed < players.len() {
        mailboxes.take(&world.mails.received_after(mailboxes.count()));
        let letters = mailboxes.all();
        for token in letters.iter().skip(confirmed).filter_map(|letter| letter.token.as_ref()) {
            let request = Request::post("/api/v1/email/confirm", &json!({"token": token}));
            let (status, body) = players[0].insist(&mut dice, &request).await;
            assert_eq!(status, 204, "{body}");
        }
        confirmed = letters.len();
        tokio::time::sleep(Duration::from_millis(50)).await;
    }
    for player in players.iter().step_by(2) {
        let kinds = ["game_over", "game_started", "turn", "event"];
        let request = Request::post("/api/v1/me/webhooks", &json!({"url": world.hooks.url, "kinds": kinds}));
        let (status, hook) = player.insist(&mut dice, &request).await;
        assert_eq!(status, 201, "{hook}");
        let path = format!("/api/v1/me/webhooks/{}/challenge", hook["id"].as_str().expect("an id"));
        let (status, challenged) = player.insist(&mut dice, &Request::post(path, &json!({}))).await;
        assert_eq!((status, &challenged["webhook"]["state"]), (200, &json!("active")), "{challenged}");
    }
    for player in players.iter().skip(1).step_by(2) {
        browsers.subscribe(player, world, &mut dice).await;
    }
    players
}

/// How many players sit at a table, or wait there for a seat: every sixth is one of three with substitutes.
fn sits_at(table: usize) -> usize {
    if table % 6 == 5 { 3 + table::SPARE } else { 2 }
}

/// Sets the players to tables of all rule sets.
fn seat(
    arguments: &Arguments,
    round: usize,
    players: &[Caller],
    stranger: &Caller,
    mailboxes: &Arc<Mailboxes>,
    ending: &Arc<AtomicBool>,
) -> JoinSet<()> {
    let rules: Vec<&'static str> = pippost::rules::all().map(pippost::rules::RuleSet::name).collect();
    let mut tables = JoinSet::new();
    let mut rest = players;
    for number in 0..arguments.tables {
        let (own, others) = rest.split_at(sits_at(number));
        rest = others;
        let number = u32::try_from(number).expect("few tables");
        let has_substitutes = own.len() > 2;
        let part = FOR_TABLES * u64::try_from(round).expect("a small number") + u64::from(number);
        let table = Table {
            number,
            rules: if has_substitutes { "dominion" } else { rules[number as usize % rules.len()] },
            players: own.to_vec(),
            has_substitutes,
            stranger: stranger.clone(),
            dice: Dice::of(arguments.seed, part),
            sampler: Sampler::new(arguments.seed.wrapping_add(part)),
            mailboxes: Arc::clone(mailboxes),
            ending: Arc::clone(ending),
            notes: Arc::clone(&stranger.notes),
            answers: 0,
        };
        tables.spawn(table.play());
    }
    tables
}

/// Strikes one fault after another; sometimes the next one before the last has ended.
async fn torture(
    world: &mut World,
    report: &mut Report,
    dice: &mut Dice,
    faults: usize,
    mailboxes: &Mailboxes,
    notes: &Notes,
) {
    for number in 1..=faults {
        let fault = Fault::draw(dice, world);
        let (lasts, pause, overlaps) = (fault.lasts(dice), dice.milliseconds(50, 700), dice.one_in(4));
        println!("{:>5} {fault:?} for {lasts:?}", report.struck.count() + 1);
        fault.strike(dice, world);
        report.struck.add(fault);
        wait(world, mailboxes, lasts).await;
        if !overlaps {
            world.mend();
            wait(world, mailboxes, pause).await;
        }
        if number.is_multiple_of(FAULTS_IN_A_ROW) || number == faults {
            world.mend();
            is_back(world, notes).await;
        }
    }
}

/// Lets time pass while processes that have ended are started again and mails are read.
async fn wait(world: &mut World, mailboxes: &Mailboxes, time: Duration) {
    let until = Instant::now() + time;
    loop {
        world.keep_running();
        mailboxes.take(&world.mails.received_after(mailboxes.count()));
        let left = until.saturating_duration_since(Instant::now());
        if left.is_zero() {
            return;
        }
        tokio::time::sleep(left.min(Duration::from_millis(100))).await;
    }
}

/// Waits until both servers serve.
async fn is_back(world: &mut World, notes: &Notes) {
    let deadline = Instant::now() + BACK_WITHIN;
    for server in 0..SERVERS {
        while !world.is_ready(server).await {
            if Instant::now() > deadline {
                return notes.wrong(format!("server {} does not serve again", server + 1));
            }
            world.keep_running();
            tokio::time::sleep(Duration::from_millis(100)).await;
        }
    }
}

/// Waits until every game has come to its end, and until no further mail comes.
async fn finish(
    tables: &mut JoinSet<()>,
    world: &mut World,
    mailboxes: &Mailboxes,
    notes: &Notes,
    within: Duration,
) {
    let deadline = Instant::now() + within;
    while !tables.is_empty() {
        if Instant::now() > deadline {
            notes.wrong(format!("{} tables are stuck", tables.len()));
            return tables.abort_all();
        }
        while let Some(ended) = tables.try_join_next() {
            if let Err(failed) = ended {
                notes.wrong(format!("a client failed: {failed}"));
            }
        }
        wait(world, mailboxes, Duration::from_millis(200)).await;
    }
    let (mut known, deadline) = (usize::MAX, Instant::now() + MAILS_WITHIN);
    while mailboxes.count() != known && Instant::now() < deadline {
        known = mailboxes.count();
        wait(world, mailboxes, Duration::from_secs(1)).await;
    }
}
