//! Whether a stranger can tell by time that a private game exists: the same requests about one in memory, one that is not, and none,
//! in turn. How often one kind takes longer than another is told as the area under the curve (Mann and Whitney): 0.5 tells nothing.

use std::cmp::Ordering;
use std::net::{Ipv4Addr, SocketAddr};
use std::time::{Duration, Instant};

use anyhow::Context;
use uuid::Uuid;

use crate::client::{Connection, get, post};
use crate::script::{Author, Contestant};
use crate::seeding::{SeedGame, Seeder};

/// How often each request is sent about each game.
const TIMES: usize = 400;
const TIMES_WHEN_QUICK: usize = 20;

/// The requests before the first that is timed.
const WARM_UP: usize = 10;

/// The first two bytes of the stranger's addresses, one for each operation, so that no quota is used up.
const NETWORK: [u8; 2] = [127, 250];

/// Private games, and who asks about them.
#[derive(Clone)]
pub struct Hidden {
    /// In memory once its player has looked at it.
    pub warm: Uuid,
    pub cold: Uuid,
    /// A token of a player of the first.
    pub player: String,
    /// Tokens of people who are in neither.
    pub strangers: Vec<String>,
}

impl Hidden {
    /// Two private games of one player.
    ///
    /// # Errors
    /// The database refused.
    pub async fn make(seeder: &Seeder, author: &mut Author, people: &[Contestant]) -> anyhow::Result<Self> {
        let games = [author.played(4)?, author.played(4)?];
        seeder.games(&games).await?;
        let [warm, cold] = games.each_ref().map(|game| game.row.id);
        seeder.run(&format!("update games set private = true where id in ('{warm}', '{cold}');\n")).await?;
        let is_of = |person: &&Contestant, game: &SeedGame| game.players.contains(&person.id);
        let player = people.iter().find(|person| is_of(person, &games[0])).context("nobody plays")?;
        let strangers = people.iter().filter(|person| !games.iter().any(|game| is_of(person, game)));
        let strangers = strangers.map(|person| person.token.clone()).collect();
        Ok(Self { warm, cold, player: player.token.clone(), strangers })
    }
}

/// How well an operation tells a hidden game from none, for games in memory and others.
#[derive(Clone, Copy, Debug)]
pub struct Told {
    pub operation: &'static str,
    pub warm: f64,
    pub cold: f64,
}

/// What is asked: a name, and the request about a game.
type Question = (&'static str, fn(Uuid, &str) -> Vec<u8>);

const QUESTIONS: [Question; 7] = [
    ("GET game", |id, token| get(&format!("/api/v1/games/{id}"), Some(token))),
    ("GET actions", |id, token| get(&format!("/api/v1/games/{id}/actions"), Some(token))),
    ("GET standing-orders", |id, token| get(&format!("/api/v1/games/{id}/standing-orders"), Some(token))),
    ("GET record", |id, token| get(&format!("/api/v1/games/{id}/record"), Some(token))),
    ("GET page", |id, _| get(&format!("/games/{id}"), None)),
    ("POST moves", |id, token| {
        post(&format!("/api/v1/games/{id}/moves"), token, "k", r#"{"notation":"store"}"#)
    }),
    ("POST leave", |id, token| post(&format!("/api/v1/games/{id}/leave"), token, "k", "{}")),
];

/// Asks everything about each game in turn.
///
/// # Errors
/// The server gave another answer than 404.
pub async fn ask(server: SocketAddr, hidden: &Hidden, quick: bool) -> anyhow::Result<Vec<Told>> {
    let mut player = Connection::open(server).await?;
    player.expect(&get(&format!("/api/v1/games/{}", hidden.warm), Some(&hidden.player))).await?;
    let rounds = if quick { TIMES_WHEN_QUICK } else { TIMES };
    let mut told = Vec::new();
    for ((number, question), token) in (1..).zip(QUESTIONS).zip(&hidden.strangers) {
        let from = Ipv4Addr::new(NETWORK[0], NETWORK[1], number, 1);
        let [warm, cold, none] = times(server, from, question, token, hidden, rounds).await?;
        told.push(Told { operation: question.0, warm: area(&warm, &none), cold: area(&cold, &none) });
    }
    Ok(told)
}

async fn times(
    server: SocketAddr,
    from: Ipv4Addr,
    (name, request): Question,
    token: &str,
    hidden: &Hidden,
    rounds: usize,
) -> anyhow::Result<[Vec<Duration>; 3]> {
    let mut connection = Connection::open_from(from, server).await?;
    let mut taken: [Vec<Duration>; 3] = Default::default();
    for round in 0..rounds + WARM_UP {
        for place in 0..3 {
            // Each kind comes first as often as the others.
            let kind = (place + round) % 3;
            let game = [hidden.warm, hidden.cold, Uuid::now_v7()][kind];
            let request = request(game, token);
            if connection.closes {
                connection = Connection::open_from(from, server).await?;
            }
            let began = Instant::now();
            let answer = connection.send(&request).await?;
            let time = began.elapsed();
            anyhow::ensure!(answer.status == 404, "{name}: {} {}", answer.status, connection.text());
            if round >= WARM_UP {
                taken[kind].push(time);
            }
        }
    }
    Ok(taken)
}

/// The probability that one of `these` is longer than one of `those`, ties counted half.
#[allow(clippy::cast_precision_loss)]
fn area(these: &[Duration], those: &[Duration]) -> f64 {
    let halves = |this: &Duration| -> usize {
        those
            .iter()
            .map(|that| match this.cmp(that) {
                Ordering::Greater => 2,
                Ordering::Equal => 1,
                Ordering::Less => 0,
            })
            .sum()
    };
    these.iter().map(halves).sum::<usize>() as f64 / (2 * these.len() * those.len()) as f64
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_area_says_how_often_one_kind_is_longer() {
        let [one, two, three] = [1, 2, 3].map(Duration::from_millis);
        for (these, those, expected) in
            [([three, two], [one, one], 1.0), ([one, two], [one, two], 0.5), ([one, one], [two, two], 0.0)]
        {
            assert!((area(&these, &those) - expected).abs() < 1e-9, "{these:?} {those:?}");
        }
    }
}
