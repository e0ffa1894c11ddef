//! Measures how long the ratings of a million games take (15 seconds without optimisation):
//! `cargo run --release -p pippost-ratings --example million`.

use std::time::Instant;

use pippost_ratings::{Class, Pace, Pool, RatedGame, rate};
use pippost_record::record::Timestamp;
use time::{Duration, OffsetDateTime};
use uuid::Uuid;

const GAMES: u32 = 1_000_000;

const PLAYERS: u32 = 20_000;

/// A game in about five minutes, for ten years.
const MINUTES: i64 = 5;

fn main() {
    let begun = Instant::now();
    let class = |number: u32| Class {
        pool: Pool::People,
        rules: format!("rules-{}", number % 4),
        pace: Pace::ALL[(number / 4 % 3) as usize],
    };
    let game = |number: u32| RatedGame {
        game: Uuid::from_u128(number.into()),
        ended_at: Timestamp::new(OffsetDateTime::UNIX_EPOCH + Duration::minutes(MINUTES * i64::from(number))),
        class: class(number),
        players: (0..2 + number / 12 % 2)
            .map(|seat| number.wrapping_mul(2_654_435_761 + seat) % PLAYERS)
            .collect(),
        places: if number % 12 < 6 { vec![1, 2, 2] } else { vec![2, 1, 3] },
    };
    let games: Vec<_> = (0..GAMES).map(game).collect();
    println!("{GAMES} games made in {:.1?}", begun.elapsed());
    let (begun, mut rows) = (Instant::now(), 0);
    let standings = rate(games, |after| rows += after.len());
    println!("{rows} ratings of {} players and classes in {:.1?}", standings.len(), begun.elapsed());
}
