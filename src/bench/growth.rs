//! Does anything get slower as games and their number grow?

use super::client;
use super::load::{self, Repeated};
use super::measure::{Measure, Round};
use super::report::{line, median};
use super::rounds::{Lab, shuffled};

/// Events of a game before its moves are measured.
const LENGTHS: [u64; 4] = [10, 100, 1_000, 10_000];

/// Games of each length a round.
const GAMES_A_ROUND: usize = 40;

/// A round takes a quarter of a second, as long games take long to write: so many times as many rounds.
const ROUNDS_FOR_ONE: u16 = 2;

/// Games in the database.
const COUNTS: [i64; 3] = [1_000, 100_000, 1_000_000];

/// Copies written by one statement.
const COPIED_AT_ONCE: i64 = 50_000;

/// Measures moves at growing lengths and numbers, and lists, memory and start at the largest number.
///
/// # Errors
/// Something did not do what was asked.
pub async fn run(lab: &mut Lab) -> anyhow::Result<()> {
    lengths(lab).await?;
    counts(lab).await
}

async fn lengths(lab: &mut Lab) -> anyhow::Result<()> {
    println!("\nMoves over 4 connections in games of growing length\n");
    println!("{:>9} {:>9} {:>8} {:>8} {:>8}", "events", "a second", "p50 ms", "server", "pg");
    let lengths = if lab.args.quick { &LENGTHS[..2] } else { &LENGTHS[..] };
    let games = if lab.args.quick { 4 } else { GAMES_A_ROUND };
    let mut found: Vec<Vec<Round>> = vec![Vec::new(); lengths.len()];
    let order: Vec<usize> = (0..lengths.len()).collect();
    for _ in 0..lab.args.rounds * ROUNDS_FOR_ONE {
        for index in shuffled(&order)? {
            found[index].push(lab.play_at(lengths[index], games, 4).await?);
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
            of(first, Round::rate) / of(last, Round::rate),
            "at most 1.10",
        );
    }
    Ok(())
}

/// How often the server is started anew.
const STARTS: usize = 5;

async fn counts(lab: &mut Lab) -> anyhow::Result<()> {
    println!(
        "\nMoves over 64 connections, and the first page of lists over one, with a growing number of games\n"
    );
    println!(
        "{:>9} {:>9} {:>8} {:>9} {:>7}  {:>9} {:>9} {:>9} {:>9}",
        "games", "a second", "p50 ms", "pgbench", "ratio", "my turn", "mine", "open", "running"
    );
    let players: Vec<_> = lab.players.iter().map(|player| player.id).collect();
    let like = lab.typical.game_id;
    let (mut there, mut rates) = (0, Vec::new());
    let most = lab.args.games;
    for wanted in COUNTS.map(|count| count.min(most)) {
        if wanted <= there {
            continue;
        }
        while there < wanted {
            let now = COPIED_AT_ONCE.min(wanted - there);
            lab.seeder.copies(like, now, &players).await?;
            there += now;
        }
        lab.seeder.settle().await?;
        let (ours, pg) = (Measure::Moves { connections: 64 }, Measure::PgMoves { connections: 64 });
        let rounds = usize::from(lab.args.rounds).min(3);
        let found = lab.measure(&[ours, pg], rounds).await?;
        let of = |measure, value: fn(&Round) -> f64| median(found[&measure].iter().map(value));
        let (rate, base) = (of(ours, Round::rate), of(pg, Round::rate));
        rates.push(rate);
        print!(
            "{there:>9} {rate:>9.0} {:>8.2} {base:>9.0} {:>7.2} ",
            of(ours, |round| round.quantile_ms(0.5)),
            rate / base
        );
        for list in ["my_turn", "mine", "open", "running"] {
            print!(" {:>6.2} ms", list_ms(lab, list).await?);
        }
        println!();
    }
    if let [first, .., last] = rates.as_slice() {
        println!();
        line("moves a second with few games / with most", first / last, "at most 1.15");
    }
    line("ms from the start of the server until it is ready", start_ms(lab).await?, "at most 150");
    Ok(())
}

/// The median time of a start on the database as it stands.
async fn start_ms(lab: &mut Lab) -> anyhow::Result<f64> {
    let mut starts = Vec::new();
    for _ in 0..STARTS {
        lab.restart().await?;
        starts.push(lab.server.ready_after.as_secs_f64() * 1000.0);
    }
    Ok(median(starts.into_iter()))
}

/// The median time of a list's first page.
async fn list_ms(lab: &Lab, list: &str) -> anyhow::Result<f64> {
    let token = Some(lab.players[0].token.as_str());
    let request = client::get(&format!("/api/v1/games?list={list}"), token);
    let seconds = lab.args.seconds.min(0.5);
    let source = std::rc::Rc::new(Repeated::new(vec![request]));
    let taken = load::send(lab.server.address, 1, seconds, source).await?;
    #[allow(clippy::cast_precision_loss)]
    Ok(taken.latencies.value_at_quantile(0.5) as f64 / 1000.0)
}
