//! What pictures, pages and exports cost that anybody may ask for without an account: the time of an answer that is made anew on the
//! quiet server, and that time for each byte of it.

use std::net::Ipv4Addr;
use std::time::Instant;

use uuid::Uuid;

use super::attack_data::AttackData;
use crate::client::{Connection, get};
use crate::report::median;
use crate::server::Process;

/// How often each request is sent, about another game each time.
const TIMES: usize = 15;
const TIMES_WHEN_QUICK: usize = 3;

/// From where they are sent: a network whose limits no attack has used up.
const FROM: Ipv4Addr = Ipv4Addr::new(127, 250, 200, 1);

/// Positions early in a game, of which each picture is another.
const EARLY: usize = 6;

/// What a request costs the server.
#[derive(Clone, Copy, Debug)]
pub struct Cost {
    pub request: &'static str,
    pub milliseconds: f64,
    pub microseconds_a_byte: f64,
}

/// A request about a game, by its name; the number makes each another.
type Asked = (&'static str, fn(Uuid, usize) -> String);

const ASKED: [Asked; 12] = [
    ("`film.png`", |game, _| format!("/games/{game}/film.png")),
    ("`board.png`", |game, number| {
        format!("/api/v1/games/{game}/board.png?width=2048&seq={}", number % EARLY)
    }),
    ("`board.svg`", |game, number| {
        format!("/api/v1/games/{game}/board.svg?width=2047&seq={}", number % EARLY)
    }),
    ("`/games/ID/check`", |game, _| format!("/games/{game}/check")),
    ("`/games/ID`", |game, _| format!("/games/{game}")),
    ("`/games/ID/replay`", |game, _| format!("/games/{game}/replay")),
    ("`/games/ID/analysis`", |game, _| format!("/games/{game}/analysis")),
    ("`/players/NAME`", |_, number| format!("/players/player-{number}")),
    ("`/api/v1/games/ID/record`", |game, _| format!("/api/v1/games/{game}/record")),
    ("`/api/v1/games/ID`", |game, _| format!("/api/v1/games/{game}")),
    ("`/api/v1/games/ID/replay`", |game, _| format!("/api/v1/games/{game}/replay?limit=200")),
    ("`/api/v1/games`", |_, number| format!("/api/v1/games?list=finished&limit={}", 50 + number)),
];

/// Measures all of them, the most costly first.
///
/// # Errors
/// The server refused one.
pub async fn measure(server: &Process, data: &AttackData, quick: bool) -> anyhow::Result<Vec<Cost>> {
    let times = if quick { TIMES_WHEN_QUICK } else { TIMES };
    let mut connection = Connection::open_from(FROM, server.address).await?;
    let mut costs = Vec::new();
    for (request, path) in ASKED {
        let mut measured = Vec::new();
        for (number, game) in data.unseen.iter().take(times).enumerate() {
            let asked = get(&path(*game, number), None);
            if connection.closes {
                connection = Connection::open_from(FROM, server.address).await?;
            }
            let began = Instant::now();
            let answer = connection.expect(&asked).await?;
            measured.push((began.elapsed().as_secs_f64() * 1000.0, answer.body_bytes));
        }
        costs.push(cost(request, &measured));
    }
    costs.sort_by(|one, other| other.milliseconds.total_cmp(&one.milliseconds));
    Ok(costs)
}

/// The median of times, and of each for a byte of its answer.
#[allow(clippy::cast_precision_loss)]
fn cost(request: &'static str, measured: &[(f64, usize)]) -> Cost {
    let milliseconds = median(measured.iter().map(|(time, _)| *time));
    let of_bytes = measured.iter().map(|(time, bytes)| time * 1000.0 / (*bytes).max(1) as f64);
    Cost { request, milliseconds, microseconds_a_byte: median(of_bytes) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_cost_is_the_median_of_times_and_of_times_for_a_byte() {
        let cost = cost("x", &[(1.0, 1000), (2.0, 4000), (9.0, 3000)]);
        assert!((cost.milliseconds - 2.0).abs() < 1e-9 && (cost.microseconds_a_byte - 1.0).abs() < 1e-9);
    }
}
