//! The house bot of `pippost serve`: a bot like any other, with an account of its own, that talks to the server by HTTP.

use std::net::SocketAddr;
use std::pin::Pin;
use std::time::Duration;

use tokio::sync::oneshot;
use tokio::task::JoinHandle;
use uuid::Uuid;

use super::bot::seed;
use crate::accounts::Handle;
use crate::bot::Strength;
use crate::bot::client::{Client, Identity};
use crate::bot::lobby::Matchmaking;
use crate::bot::player::{Bot, BotSettings, Strengths};
use crate::games::Games;
use crate::games::lobby::at_once::{self, LIMIT_HOURS, MAX_GAMES, MAX_GAMES_WITH_ONE};
use crate::keys::{Purpose, SecretKey};
use crate::rules;

/// How often it looks whether somebody waits for it.
const POLL: Duration = Duration::from_secs(2);

/// How it plays where nobody has chosen; after each choice it pauses for as long as that took.
const USUAL: Strength = Strength::Strong;

/// A running house bot. It stops when this is dropped.
pub struct HouseBot {
    _stop: oneshot::Sender<()>,
    _task: JoinHandle<()>,
}

impl HouseBot {
    /// Starts the bot with this handle against the server at `address`. Its password follows from the server's secret key, so that it
    /// needs no place to be kept in.
    pub fn start(
        handle: &Handle,
        address: SocketAddr,
        secret: &SecretKey,
        games: &Games,
    ) -> anyhow::Result<Self> {
        let password = password(handle, secret);
        let identity = Identity::Bot { handle: handle.as_typed().to_owned(), password };
        let client = Client::new(&format!("http://{address}"), identity)?;
        let matchmaking = Matchmaking {
            offers: for_two(),
            limit_hours: Some(LIMIT_HOURS),
            joins: false,
            invited_to: Vec::new(),
            max_games: MAX_GAMES,
            max_games_with_one: MAX_GAMES_WITH_ONE,
        };
        let settings = BotSettings { strategy: USUAL.strategy(), poll: POLL, pauses: true, matchmaking };
        let chosen = Box::new(Chosen { games: games.clone() });
        let bot = Bot::new(client, settings, seed(None)?).with_strengths(chosen);
        let (stop, stopped) = oneshot::channel::<()>();
        let task = tokio::spawn(bot.run(async move {
            // The sender is dropped.
            let _stopped = stopped.await;
        }));
        Ok(Self { _stop: stop, _task: task })
    }
}

/// The password of the bot's account.
pub fn password(handle: &Handle, secret: &SecretKey) -> String {
    hex::encode(secret.fingerprint_of(Purpose::HouseBot, handle.key().as_bytes()))
}

/// The strengths that were chosen when games began with a click.
struct Chosen {
    games: Games,
}

impl Strengths for Chosen {
    fn of(&self, game_id: Uuid) -> Pin<Box<dyn Future<Output = Option<Strength>> + Send + '_>> {
        Box::pin(async move {
            let found = at_once::strength(&self.games, game_id).await;
            found.unwrap_or_else(|error| {
                tracing::warn!(game = %game_id, %error, "the house bot plays as usual");
                None
            })
        })
    }
}

/// The rule sets that two can play without choosing options.
fn for_two() -> Vec<String> {
    rules::all().filter(|rules| at_once::is_for_two(*rules)).map(|rules| rules.name().to_owned()).collect()
}
