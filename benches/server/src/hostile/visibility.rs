//! Whether a stranger can tell by time that a private game exists: the same requests about one in memory, one that is not, and none,
//! in turn. How often one kind takes longer than another is told as the area under the curve (Mann and Whitney): 0.5 tells nothing.

use std::cmp::Ordering;
use std::net::{Ipv4Addr, SocketAddr};
use std::time::{Duration, Instant};

use anyhow::Context;
use uuid::Uuid;

use super::request::Request;
use crate::client::{Connection, get};
use crate::script::{Author, Contestant};
use crate::seeding::{SeedGame, Seeder};

/// How often each request is sent about each game.
const TIMES: usize = 400;
const TIMES_WHEN_QUICK: usize = 15;

/// The rounds of questions of one stranger, about each game one: as many as the least limit of a player allows. No multiple of the number
/// of kinds, so that each comes first as often as the others.
const ROUNDS_OF_A_STRANGER: usize = 10;

/// The first two bytes of the strangers' addresses, each in a network of its own, so that no quota is used up.
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
#[derive(Clone, Debug)]
pub struct Told {
    pub operation: String,
    pub warm: f64,
    pub cold: f64,
}

/// What is asked about a game.
#[derive(Clone, Debug)]
struct Question {
    name: String,
    method: String,
    /// With `{id}` in place of the game's id.
    path: String,
    /// As JSON, where one is taken.
    body: Option<&'static str>,
    with_token: bool,
}

/// The public document, which tests hold against the server.
const DOCUMENT: &str = include_str!("../../../../openapi/openapi.json");

/// Pages of games that need no form. Their other answers and work are compared by the tests of the API.
const PAGES: [&str; 11] = [
    "",
    "/analysis",
    "/board.png",
    "/board.svg",
    "/check",
    "/film.png",
    "/news",
    "/record.ndjson",
    "/replay",
    "/replay/moment",
    "/table",
];

/// Where a game is named outside its own addresses.
const DECLINE: &str = "/api/v1/me/invitations/{id}";

impl Question {
    /// Every operation of the document that has a game's id in its path, and every page of a game.
    fn all() -> Vec<Self> {
        let document: serde_json::Value = serde_json::from_str(DOCUMENT).unwrap_or_default();
        let mut all = Vec::new();
        for (path, item) in document["paths"].as_object().into_iter().flatten() {
            if !path.starts_with("/api/v1/games/{id}") && path != DECLINE {
                continue;
            }
            for (method, operation) in item.as_object().into_iter().flatten() {
                let takes_body = !operation["requestBody"].is_null();
                all.push(Self {
                    name: operation["operationId"].as_str().unwrap_or(path).to_owned(),
                    method: method.to_uppercase(),
                    path: path.clone(),
                    body: takes_body.then(|| body_of(path)),
                    with_token: true,
                });
            }
        }
        all.extend(PAGES.map(|page| Self {
            name: format!("page {page}"),
            method: "GET".to_owned(),
            path: format!("/games/{{id}}{page}"),
            body: None,
            with_token: false,
        }));
        all
    }

    fn about(&self, game: Uuid, token: &str) -> Vec<u8> {
        let request = Request::new(&self.method, self.path.replace("{id}", &game.to_string()));
        let request = if self.with_token { request.token(token) } else { request };
        match self.body {
            Some(body) => request.header("Idempotency-Key", "k").json(body).bytes(),
            None => request.bytes(),
        }
    }
}

/// A body that could be right. Who may see a game is decided before it is read, but where it may hold an invitation.
fn body_of(path: &str) -> &'static str {
    match path.rsplit('/').next() {
        Some("moves" | "preview") => r#"{"notation":"store"}"#,
        Some("messages") => r#"{"text":"hello"}"#,
        Some("substitute") => r#"{"seat":0}"#,
        _ => "{}",
    }
}

/// Asks everything about each game in turn.
///
/// # Errors
/// The server gave another answer than 404.
pub async fn ask(server: SocketAddr, hidden: &Hidden, quick: bool) -> anyhow::Result<Vec<Told>> {
    let mut player = Connection::open(server).await?;
    player.expect(&get(&format!("/api/v1/games/{}", hidden.warm), Some(&hidden.player))).await?;
    let rounds = if quick { TIMES_WHEN_QUICK } else { TIMES };
    let mut told = Vec::new();
    for question in Question::all() {
        let [warm, cold, none] = times(server, &question, hidden, rounds).await?;
        told.push(Told { operation: question.name, warm: area(&warm, &none), cold: area(&cold, &none) });
    }
    Ok(told)
}

async fn times(
    server: SocketAddr,
    question: &Question,
    hidden: &Hidden,
    rounds: usize,
) -> anyhow::Result<[Vec<Duration>; 3]> {
    let mut taken: [Vec<Duration>; 3] = Default::default();
    let mut asked = 0;
    for (number, token) in (1..).zip(&hidden.strangers) {
        let from = Ipv4Addr::new(NETWORK[0], NETWORK[1], number, 1);
        let mut connection = known(server, from, token).await?;
        for round in asked..rounds.min(asked + ROUNDS_OF_A_STRANGER) {
            for place in 0..3 {
                // Each kind comes first as often as the others.
                let kind = (place + round) % 3;
                let game = [hidden.warm, hidden.cold, Uuid::now_v7()][kind];
                let request = question.about(game, token);
                if connection.closes {
                    connection = known(server, from, token).await?;
                }
                let began = Instant::now();
                let answer = connection.send(&request).await?;
                taken[kind].push(began.elapsed());
                anyhow::ensure!(
                    answer.status == 404,
                    "{}: {} {}",
                    question.name,
                    answer.status,
                    connection.text()
                );
            }
        }
        asked += ROUNDS_OF_A_STRANGER;
    }
    anyhow::ensure!(asked >= rounds, "too few strangers");
    Ok(taken)
}

/// A connection of somebody whose token the server has just looked at.
async fn known(server: SocketAddr, from: Ipv4Addr, token: &str) -> anyhow::Result<Connection> {
    let mut connection = Connection::open_from(from, server).await?;
    connection.expect(&get("/api/v1/me", Some(token))).await?;
    Ok(connection)
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
    fn every_operation_with_the_id_of_a_game_is_asked() {
        let questions = Question::all();
        let is_asked = |name: &str| questions.iter().any(|question| question.name == name);
        for name in
            ["view_game", "make_move", "take_seat", "follow_game", "decline_invitation", "page /film.png"]
        {
            assert!(is_asked(name), "{name}");
        }
        let of_api = questions.iter().filter(|question| question.with_token).count();
        assert!(of_api > 34, "{of_api}");
    }

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
