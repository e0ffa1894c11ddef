//! Clients that follow games from outside: whoever shows, records or plays games elsewhere asks for the events after the last that it
//! has (`GET /games/{id}/events?first=…`), mostly in vain; a player's own client asks for its news.

use anyhow::Context;
use uuid::Uuid;

use super::client::{self, Connection};
use super::measure::Measure;
use super::rounds::Lab;

/// Games that are followed.
const GAMES: usize = 500;

/// Games that are followed in a smoke test.
const GAMES_WHEN_QUICK: usize = 10;

/// A game that somebody follows.
pub struct Followed {
    path: String,
    /// The number of its newest event.
    newest: u64,
    /// Of one of its players.
    token: String,
}

impl Followed {
    /// What is sent again and again.
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

/// Games in play that the server has in memory.
///
/// # Errors
/// The games could not be written, or are not shown.
pub async fn follow(lab: &mut Lab) -> anyhow::Result<Vec<Followed>> {
    let games = lab.games_with_players(if lab.args.quick { GAMES_WHEN_QUICK } else { GAMES }).await?;
    let mut connection = Connection::open(lab.server.address).await?;
    let mut followed = Vec::with_capacity(games.len());
    for (id, players) in games {
        let player = lab.players.iter().find(|player| players.contains(&player.id)).context("a player")?;
        let (path, token) = (format!("/api/v1/games/{id}"), player.token.clone());
        let newest = newest(&mut connection, id, &token).await?;
        followed.push(Followed { path, newest, token });
    }
    Ok(followed)
}

/// The number of a game's newest event, as its feed says it.
async fn newest(connection: &mut Connection, id: Uuid, token: &str) -> anyhow::Result<u64> {
    let request = client::get(&format!("/api/v1/games/{id}/events?limit=1"), Some(token));
    connection.expect(&request).await?;
    let page: serde_json::Value = serde_json::from_str(&connection.text())?;
    page["newest"].as_u64().context("a feed says how far the game has come")
}
