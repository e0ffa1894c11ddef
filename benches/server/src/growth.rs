//! Measures whether anything gets slower as games or their number grow.

use super::client;
use super::load::{self, Repeated};
use super::measure::{Measure, Round, shuffled};
use super::report::{line, median, ratio};
use super::rounds::Setup;

/// The numbers of events in a game before its moves are measured.
const LENGTHS: [u64; 4] = [10, 100, 1_000, 10_000];

/// The number of games of each length per round.
const GAMES_A_ROUND: usize = 40;

/// Long games take long to write, so a round takes a quarter of a second and there are this many times as many rounds.
const ROUNDS_FOR_ONE: u16 = 2;

/// The number of games in the small database, which is measured beside the large one.
const FEW: i64 = 1_000;

/// The numbers of games in the large database.
const COUNTS: [i64; 2] = [100_000, 1_000_000];

/// The measure of both databases.
const MOVES: Measure = Measure::Moves { connections: 64 };

/// The number of copies that one statement writes.
const COPIED_AT_ONCE: i64 = 50_000;

/// Measures moves at growing lengths and numbers, and lists, memory and start at the largest number.
///
/// # Errors
/// A program failed.
pub async fn run(setup: &mut Setup) -> anyhow::Result<()> {
    lengths(setup).await?;
    counts(setup).await
}

async fn lengths(setup: &mut Setup) -> anyhow::Result<()> {
    println!("\nMoves over 4 connections in games of growing length\n");
    println!("{:>9} {:>9} {:>8} {:>8} {:>8}", "events", "a second", "p50 ms", "server", "pg");
    let lengths = if setup.args.quick { &LENGTHS[..2] } else { &LENGTHS[..] };
    let games = if setup.args.quick { 4 } else { GAMES_A_ROUND };
    let mut found: Vec<Vec<Round>> = vec![Vec::new(); lengths.len()];
    let order: Vec<usize> = (0..lengths.len()).collect();
    for _ in 0..setup.args.rounds * ROUNDS_FOR_ONE {
        for index in shuffled(&order)? {
            found[index].push(setup.play_at(lengths[index], games, 4).await?);
        }
    }
    let of = |rounds: &[Round], value: fn(&Round) -> f64| median(rounds.iter().map(value));
    for (rounds, length) in found.iter().zip(lengths) {
        println!(
            "{length:>9} {:>9.0} {:>8.2} {:>8.1} {:>8.1}",
            of(rounds, Round::rate),
            of(rounds, |round| round.quantile_ms(0.5)),
            of(rounds, Round::server_us),
            of(rounds, Round::postgres_us)
        );
    }
    if let [first, .., last] = found.as_slice() {
        println!();
        line(
            "a move in the longest games / in the shortest",
            ratio(first, last, Round::rate),
            "at most 1.10",
        );
    }
    Ok(())
}

/// The number of measured starts of the server.
const STARTS: usize = 5;

/// Measures a large and a small database, each with a server of its own, in turn. Rounds minutes apart, as long as many games
/// take to write, would show changes of the machine rather than of the number.
async fn counts(setup: &mut Setup) -> anyhow::Result<()> {
    println!("\nMoves over 64 connections in a database with many games and in one with {FEW}, in turn;");
    println!("and the first page of the lists of many games over one connection\n");
    println!("{:>9} {:>27} {:>27}", "", "many", FEW);
    let side = format!("{:>10} {:>8} {:>7}", "a second", "p50 ms", "pg");
    println!("{:>9} {side} {side} {:>10} {:>9} {:>9} {:>9}", "games", "my turn", "mine", "open", "running");
    let mut small = Setup::open(&setup.args).await?;
    copy(&small, FEW).await?;
    // Play some of them: PostgreSQL plans by its latest statistics, and an empty table of stored responses gives it none.
    small.measure(&[MOVES], 1).await?;
    small.seeder.settle().await?;
    let (mut there, mut ratios) = (0, Vec::new());
    let most = setup.args.games;
    for wanted in COUNTS.map(|count| count.min(most)) {
        if wanted <= there {
            continue;
        }
        copy(setup, wanted - there).await?;
        there = wanted;
        let [many, few] = in_turn(setup, &mut small).await?;
        print!("{there:>9} {} {} ", side_of_row(&many), side_of_row(&few));
        for list in ["my_turn", "mine", "open", "running"] {
            print!(" {:>6.2} ms", list_ms(setup, list).await?);
        }
        println!();
        ratios.push((there, ratio(&few, &many, Round::rate)));
    }
    setup.repeated += small.repeated;
    small.close()?;
    println!();
    for (there, ratio) in ratios {
        line(&format!("moves a second with {FEW} games / with {there}"), ratio, "at most 1.15");
    }
    line("ms from the start of the server until it is ready", start_ms(setup).await?, "at most 150");
    Ok(())
}

/// Copies the typical game `count` times.
///
/// # Errors
/// The database refused.
pub async fn copy(setup: &Setup, count: i64) -> anyhow::Result<()> {
    let players: Vec<_> = setup.players.iter().map(|player| player.id).collect();
    let mut left = count;
    while left > 0 {
        let now = COPIED_AT_ONCE.min(left);
        setup.seeder.copies(setup.typical.game_id, now, &players).await?;
        left -= now;
    }
    Ok(setup.seeder.settle().await?)
}

/// Rounds of both, side by side, in a new random order for each pair.
async fn in_turn(many: &mut Setup, few: &mut Setup) -> anyhow::Result<[Vec<Round>; 2]> {
    let mut found = [Vec::new(), Vec::new()];
    for _ in 0..many.args.rounds {
        for index in shuffled(&[0, 1])? {
            let setup = if index == 0 { &mut *many } else { &mut *few };
            let rounds = setup.measure(&[MOVES], 1).await?;
            found[index].extend(rounds.into_values().flatten());
        }
    }
    Ok(found)
}

fn side_of_row(rounds: &[Round]) -> String {
    let of = |value: &dyn Fn(&Round) -> f64| median(rounds.iter().map(value));
    let p50 = of(&|round| round.quantile_ms(0.5));
    format!("{:>10.0} {p50:>8.2} {:>7.1}", of(&Round::rate), of(&Round::postgres_us))
}

/// The median time to start on the current database.
async fn start_ms(setup: &mut Setup) -> anyhow::Result<f64> {
    let mut starts = Vec::new();
    for _ in 0..STARTS {
        setup.restart().await?;
        starts.push(setup.server.ready_after.as_secs_f64() * 1000.0);
    }
    Ok(median(starts.into_iter()))
}

/// The median time of a list's first page.
async fn list_ms(setup: &Setup, list: &str) -> anyhow::Result<f64> {
    let token = Some(setup.players[0].token.as_str());
    let request = client::get(&format!("/api/v1/games?list={list}"), token);
    let seconds = setup.args.seconds.min(0.5);
    let source = std::rc::Rc::new(Repeated::new(vec![request]));
    let taken = load::send(setup.server.address, 1, seconds, source).await?;
    #[allow(clippy::cast_precision_loss)]
    Ok(taken.latencies.value_at_quantile(0.5) as f64 / 1000.0)
}
