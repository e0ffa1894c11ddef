//! The loop of a bot: it looks whether it is to act, acts, looks after its games, and waits.

use std::future::Future;
use std::pin::Pin;
use std::time::Duration;

use serde_json::{Value, json};
use uuid::Uuid;

use super::lobby::{Lobby, Matchmaking};
use pippost_client::{ApiError, Client, Known, Retries};
use pippost_record::rules::{self, Seat, Situation};
use pippost_search::{self as search, NoChoice, Question, Seeded, Strategy, Strength};
use pippost_traffic::yield_to_requests;

/// Games in which it is to act, on one page of the list.
const PAGE: usize = 100;

/// The most pages of the list that are read at once.
const MAX_PAGES: usize = 10;

/// The most actions in a row in one game, so that one long turn does not keep the other games waiting.
const MAX_ACTIONS_IN_A_ROW: usize = 64;

/// The first wait after a failure; it doubles …
const FIRST_RETRY: Duration = Duration::from_secs(1);

/// … up to this.
const LAST_RETRY: Duration = Duration::from_mins(1);

/// How a bot plays.
#[derive(Clone, Debug)]
pub struct BotSettings {
    pub strategy: Strategy,
    /// How long it waits before it looks again.
    pub poll: Duration,
    /// Whether it pauses after each search for as long as that took, so that it never uses more than half of a processor.
    pub pauses: bool,
    pub matchmaking: Matchmaking,
}

/// Says how strongly to play in single games.
pub trait Strengths: Send + Sync {
    /// The strength in a game; `None` as in all others.
    fn of(&self, game_id: Uuid) -> Pin<Box<dyn Future<Output = Option<Strength>> + Send + '_>>;
}

/// A bot.
pub struct Bot {
    client: Client,
    settings: BotSettings,
    strengths: Option<Box<dyn Strengths>>,
    lobby: Lobby,
    my_turns: Known,
    /// The seed of its next choice.
    seed: u64,
}

/// Why an action could not be taken in one game; the others go on.
#[derive(Debug, thiserror::Error)]
enum NotPlayed {
    #[error(transparent)]
    Api(#[from] ApiError),
    #[error("no action was chosen: {0}")]
    NoChoice(#[from] NoChoice),
    #[error("the server's answer has no {0}")]
    Missing(&'static str),
    #[error("the thought ended early")]
    NoThought,
}

impl Bot {
    /// A bot; `seed` decides its choices.
    #[must_use]
    pub fn new(client: Client, settings: BotSettings, seed: u64) -> Self {
        let lobby = Lobby::new(settings.matchmaking.clone());
        // It waits itself, so that it can be stopped meanwhile and its other games go on.
        let client = client.with_retries(Retries::NONE);
        Self { client, settings, strengths: None, lobby, my_turns: Known::default(), seed }
    }

    /// The same bot, which plays some games more or less strongly than its settings say.
    #[must_use]
    pub fn with_strengths(self, strengths: Box<dyn Strengths>) -> Self {
        Self { strengths: Some(strengths), ..self }
    }

    /// Plays until `stop`. Failures are logged and tried again later, ever more rarely.
    pub async fn run(mut self, stop: impl Future<Output = ()>) {
        tokio::pin!(stop);
        let mut retry = FIRST_RETRY;
        loop {
            let round = tokio::select! {
                () = &mut stop => return,
                round = self.round() => round,
            };
            let wait = match round {
                Ok(()) => {
                    retry = FIRST_RETRY;
                    self.settings.poll
                }
                Err(error) => {
                    let wait = error.retry_after().unwrap_or(retry).max(retry);
                    retry = (2 * retry).min(LAST_RETRY);
                    tracing::warn!(%error, ?wait, "the bot waits");
                    wait
                }
            };
            tokio::select! {
                () = &mut stop => return,
                () = tokio::time::sleep(wait) => {}
            }
        }
    }

    /// Acts wherever it is to act, once, and looks after its games.
    ///
    /// # Errors
    /// The server cannot be asked, or wants to be left alone.
    pub async fn round(&mut self) -> Result<(), ApiError> {
        self.lobby.look_after(&self.client).await?;
        let first = format!("/games?list=my_turn&limit={PAGE}");
        let Some(mut page) = self.client.get_if_new(&first, &mut self.my_turns).await? else { return Ok(()) };
        for _ in 0..MAX_PAGES {
            for id in ids(&page) {
                match self.act_in(&id).await {
                    Ok(()) => {}
                    Err(NotPlayed::Api(error)) if error.is_temporary() => {
                        self.my_turns.forget();
                        return Err(error);
                    }
                    Err(error) => {
                        // The list may look the same next time; this game is tried again then.
                        self.my_turns.forget();
                        tracing::warn!(game = id, %error, "the bot could not act");
                    }
                }
            }
            let Some(cursor) = page["next_cursor"].as_str() else { break };
            page = self.client.get(&format!("{first}&cursor={cursor}")).await?;
        }
        Ok(())
    }

    /// Acts in a game as long as it is to act, up to a bound.
    async fn act_in(&mut self, id: &str) -> Result<(), NotPlayed> {
        for _ in 0..MAX_ACTIONS_IN_A_ROW {
            let game = self.client.get(&format!("/games/{id}")).await?;
            if game["my_turn"] != true {
                return Ok(());
            }
            let listed = self.client.get(&format!("/games/{id}/actions")).await?;
            if listed["seq"] != game["seq"] {
                continue;
            }
            let strategy = self.strategy_in(id).await;
            let (chosen, took) = self.think(&game, &listed, strategy).await?;
            if self.settings.pauses {
                tokio::time::sleep(took).await;
            }
            self.send(id, &game["seq"], chosen).await?;
        }
        // The rest of a long turn comes in the next round.
        self.my_turns.forget();
        Ok(())
    }

    /// Sends a move once, however often it must be repeated. What is refused because the game went on is no failure.
    async fn send(&mut self, id: &str, seq: &Value, action: Value) -> Result<(), NotPlayed> {
        let (key, body) = (Uuid::now_v7(), json!({"actions": [action], "expected_seq": seq}));
        let path = format!("/games/{id}/moves");
        let sent = match self.client.post(&path, &body, key).await {
            // Perhaps it arrived: the key makes the repetition the same request.
            Err(ApiError::Unreachable(_)) => self.client.post(&path, &body, key).await,
            answered => answered,
        };
        match sent {
            Err(ApiError::Refused { code, .. }) if GONE_ON.contains(&code.as_str()) => Ok(()),
            answered => Ok(answered.map(drop)?),
        }
    }

    /// How it chooses in a game.
    async fn strategy_in(&self, id: &str) -> Strategy {
        let known = self.strengths.as_ref().zip(Uuid::parse_str(id).ok());
        let strength = match known {
            Some((strengths, id)) => strengths.of(id).await,
            None => None,
        };
        strength.map_or(self.settings.strategy, Strength::strategy)
    }

    /// Chooses on a thread of its own with a lower priority, and says how long that took.
    async fn think(
        &mut self,
        game: &Value,
        listed: &Value,
        strategy: Strategy,
    ) -> Result<(Value, Duration), NotPlayed> {
        let (asked, seed) = (TurnState::read(game, listed)?, self.seed);
        self.seed = self.seed.wrapping_add(1);
        let (told, answer) = tokio::sync::oneshot::channel();
        std::thread::spawn(move || {
            yield_to_requests();
            let began = std::time::Instant::now();
            let chosen = asked.choose(strategy, &mut Seeded::new(seed));
            // Nobody waits any more if the bot was stopped.
            let _gone = told.send((chosen, began.elapsed()));
        });
        let (chosen, took) = answer.await.map_err(|_| NotPlayed::NoThought)?;
        Ok((chosen?, took))
    }
}

/// The codes of refusals of a move that somebody else's event overtook.
const GONE_ON: [&str; 4] = ["stale_seq", "not_your_turn", "game_over", "precondition_failed"];

fn ids(page: &Value) -> Vec<String> {
    let games = page["games"].as_array().into_iter().flatten();
    games.filter_map(|game| game["id"].as_str().map(str::to_owned)).collect()
}

/// A game in which the bot is to act, as the API shows it.
struct TurnState {
    rules: Option<&'static dyn rules::RuleSet>,
    options: Value,
    situation: Situation,
    view: Value,
    offers: Vec<Value>,
}

impl TurnState {
    fn read(game: &Value, listed: &Value) -> Result<Self, NotPlayed> {
        let seat = |value: &Value| value.as_u64().and_then(|seat| u8::try_from(seat).ok()).map(Seat);
        let version = game["rules_version"].as_u64().and_then(|version| u32::try_from(version).ok());
        let players = game["players"].as_array().ok_or(NotPlayed::Missing("players"))?;
        let left = players.iter().filter(|player| player["left"] == true);
        let situation = Situation {
            seats: seat(&game["seats"]).ok_or(NotPlayed::Missing("seats"))?.0,
            to_act: seat(&game["to_act"]).ok_or(NotPlayed::Missing("to_act"))?,
            left: left.filter_map(|player| seat(&player["seat"])).collect(),
        };
        let name = game["rules"].as_str().ok_or(NotPlayed::Missing("rules"))?;
        Ok(Self {
            rules: rules::find(name, version),
            options: game["options"].clone(),
            situation,
            view: game["view"].clone(),
            offers: listed["actions"].as_array().cloned().ok_or(NotPlayed::Missing("actions"))?,
        })
    }

    /// The choice of a strategy; a random one if this program does not know the rules, or not these.
    fn choose(&self, strategy: Strategy, words: &mut Seeded) -> Result<Value, NoChoice> {
        let Self { options, situation, view, offers, .. } = self;
        let Some(rules) = self.rules else { return search::random(offers, words) };
        match strategy.choose(&Question { rules, options, situation, view, offers }, words) {
            Err(NoChoice::NoSuchPosition(error)) => {
                tracing::warn!(rules = rules.name(), %error, "a random action instead");
                search::random(offers, words)
            }
            chosen => chosen,
        }
    }
}
