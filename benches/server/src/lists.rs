//! Measures the first pages of a player's lists among 100,000 games.

use std::rc::Rc;

use time::OffsetDateTime;
use uuid::Uuid;

use super::client;
use super::load::{self, Repeated};
use super::measure::{Measure, shuffled};
use super::report::median;
use super::rounds::Setup;
use super::script::Contestant;

/// The games, of 1,000 players.
const GAMES: &str = include_str!("../../../docs/scaling/lists.sql");

/// The lists, as queries.
const LISTS: [&str; 5] = ["my_turn", "mine", "mine&status=running", "running", "open"];

/// The numbers of connections at once.
const CONNECTIONS: [usize; 2] = [1, 8];

/// The first player of [`GAMES`], with a token.
fn reader() -> anyhow::Result<Contestant> {
    Ok(Contestant { id: Uuid::from_u128(1), handle: "p1x".into(), ..Contestant::new(1)? })
}

/// Times of a list in one round, in milliseconds; processor time in microseconds a list.
struct Times {
    p50: f64,
    p99: f64,
    server: f64,
    postgres: f64,
    /// The first node's part of it.
    coordinator: f64,
}

/// Measures them.
///
/// # Errors
/// A program failed.
pub async fn run(setup: &Setup) -> anyhow::Result<()> {
    setup.seeder.run(GAMES).await?;
    setup.seeder.settle().await?;
    let reader = reader()?;
    setup.seeder.tokens(&[reader.row()], OffsetDateTime::now_utc()).await?;
    println!("\nFirst pages of lists among 100,000 games. Times in ms, processor time in µs a list\n");
    println!(
        "{:<22} {:>5} {:>8} {:>8} {:>8} {:>8} {:>10}",
        "", "conns", "p50", "p99", "server", "pg", "first node"
    );
    let all: Vec<_> = LISTS.iter().flat_map(|list| CONNECTIONS.map(|count| (*list, count))).collect();
    let mut found: Vec<Vec<Times>> = all.iter().map(|_| Vec::new()).collect();
    let order: Vec<usize> = (0..all.len()).collect();
    for _ in 0..setup.args.rounds {
        for index in shuffled(&order)? {
            let (list, connections) = all[index];
            found[index].push(once(setup, &reader, list, connections).await?);
        }
    }
    for ((list, connections), rounds) in all.iter().zip(&found) {
        let of = |value: fn(&Times) -> f64| median(rounds.iter().map(value));
        println!(
            "{list:<22} {connections:>5} {:>8.2} {:>8.2} {:>8.0} {:>8.0} {:>10.0}",
            of(|times| times.p50),
            of(|times| times.p99),
            of(|times| times.server),
            of(|times| times.postgres),
            of(|times| times.coordinator)
        );
    }
    Ok(())
}

async fn once(setup: &Setup, reader: &Contestant, list: &str, connections: usize) -> anyhow::Result<Times> {
    let request = client::get(&format!("/api/v1/games?list={list}"), Some(&reader.token));
    let watched = setup.watched(Measure::Moves { connections })?;
    let usage = watched.usage();
    let source = Rc::new(Repeated::new(vec![request]));
    let taken = load::send(setup.server.address, connections, setup.args.seconds, source).await?;
    let split = watched.usage().since(&usage);
    #[allow(clippy::cast_precision_loss)]
    let (lists, ms) = ((taken.requests as f64).max(1.0), |quantile: f64| {
        taken.latencies.value_at_quantile(quantile) as f64 / 1000.0
    });
    let each = |seconds: f64| seconds * 1e6 / lists;
    Ok(Times {
        p50: ms(0.5),
        p99: ms(0.99),
        server: each(split.server),
        postgres: each(split.postgres),
        coordinator: each(split.coordinator),
    })
}
