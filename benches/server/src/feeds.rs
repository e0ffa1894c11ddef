//! Clients that follow games: programs that show, record or play games elsewhere ask for the events after their last one (`GET
//! /games/{id}/events?first=…`), usually without result; a player's own client asks for notices.

use anyhow::Context;
use uuid::Uuid;

use super::client::{self, Connection};
use super::measure::Measure;
use super::rounds::Setup;

/// The number of followed games.
const GAMES: usize = 500;

/// The number of followed games in a smoke test.
const GAMES_WHEN_QUICK: usize = 10;

/// A followed game.
pub struct Followed {
    path: String,
    /// The `seq` of its newest event.
    newest: u64,
    /// One of its players' tokens.
    token: String,
}

impl Followed {
    /// The repeated request.
    #[must_use]
    pub fn request(&self, measure: Measure) -> Vec<u8> {
        let Self { path, newest, token } = self;
        let path = match measure {
            Measure::News { .. } => format!("{path}/news"),
            Measure::Latest { .. } => format!("{path}/events?first={newest}"),
            _ => format!("{path}/events?first={}", newest + 1),
        };
        client::get(&path, Some(token))
    }
}

/// Games in play that are in the server's memory.
///
/// # Errors
/// The games could not be written, or are not shown.
pub async fn follow(setup: &mut Setup) -> anyhow::Result<Vec<Followed>> {
    let games = setup.games_with_players(if setup.args.quick { GAMES_WHEN_QUICK } else { GAMES }).await?;
    let mut connection = Connection::open(setup.server.address).await?;
    let mut followed = Vec::with_capacity(games.len());
    for (id, players) in games {
        let player = setup.players.iter().find(|player| players.contains(&player.id)).context("a player")?;
        let (path, token) = (format!("/api/v1/games/{id}"), player.token.clone());
        let newest = newest(&mut connection, id, &token).await?;
        followed.push(Followed { path, newest, token });
    }
    Ok(followed)
}

/// The `seq` of a game's newest event, from its feed.
async fn newest(connection: &mut Connection, id: Uuid, token: &str) -> anyhow::Result<u64> {
    let request = client::get(&format!("/api/v1/games/{id}/events?limit=1"), Some(token));
    connection.expect(&request).await?;
    let page: serde_json::Value = serde_json::from_str(&connection.text())?;
    page["newest"].as_u64().context("a feed says how far the game has come")
}
