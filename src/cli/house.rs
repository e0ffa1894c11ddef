//! The house bot of `pippost serve`: a bot like any other, with an account of its own, that talks to the server by HTTP.

use std::net::SocketAddr;
use std::time::Duration;

use tokio::sync::oneshot;
use tokio::task::JoinHandle;

use super::bot::seed;
use crate::accounts::Handle;
use crate::bot::client::{Client, Identity};
use crate::bot::lobby::Matchmaking;
use crate::bot::player::{Bot, BotSettings};
use crate::bot::{Effort, Strategy};
use crate::games::lobby::at_once::{self, LIMIT_HOURS, MAX_GAMES, MAX_GAMES_WITH_ONE};
use crate::keys::{Purpose, SecretKey};
use crate::rules;

/// How often it looks whether somebody waits for it.
const POLL: Duration = Duration::from_secs(2);

/// What one choice costs at most; then the bot pauses for as long.
const EFFORT: Effort = Effort { playouts: 4_000, time_limit: Some(Duration::from_millis(200)) };

/// A running house bot. It stops when this is dropped.
pub struct HouseBot {
    _stop: oneshot::Sender<()>,
    _task: JoinHandle<()>,
}

impl HouseBot {
    /// Starts the bot with this handle against the server at `address`. Its password follows from the server's secret key, so that it
    /// needs no place to be kept in.
    pub fn start(handle: &Handle, address: SocketAddr, secret: &SecretKey) -> anyhow::Result<Self> {
        let password = hex::encode(secret.fingerprint_of(Purpose::HouseBot, handle.key().as_bytes()));
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
        let settings =
            BotSettings { strategy: Strategy::MonteCarlo(EFFORT), poll: POLL, pauses: true, matchmaking };
        let bot = Bot::new(client, settings, seed(None)?);
        let (stop, stopped) = oneshot::channel::<()>();
        let task = tokio::spawn(bot.run(async move {
            // The sender is dropped.
            let _stopped = stopped.await;
        }));
        Ok(Self { _stop: stop, _task: task })
    }
}

/// The rule sets that two can play without choosing options.
fn for_two() -> Vec<String> {
    rules::all().filter(|rules| at_once::is_for_two(*rules)).map(|rules| rules.name().to_owned()).collect()
}
