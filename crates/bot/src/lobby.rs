//! Finds games for a bot: offers its own, joins those of others, within bounds.

use std::collections::BTreeMap;
use std::time::{Duration, Instant};

use reqwest::StatusCode;
use serde_json::{Value, json};
use uuid::Uuid;

use pippost_client::{ApiError, Client, Known};

/// How often the bot looks after its games.
const INTERVAL: Duration = Duration::from_secs(3);

/// The most games of a list that are read.
const PAGE: usize = 100;

/// The most games at once in all, unless the settings say otherwise. [`PAGE`] is the most that can be counted.
pub const DEFAULT_MAX_GAMES: usize = 50;

/// The most games at once with one other player, unless the settings say otherwise.
pub const DEFAULT_MAX_GAMES_WITH_ONE: usize = 4;

/// Which games a bot looks for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Matchmaking {
    /// Rule sets of which it keeps one game open for others.
    pub offers: Vec<String>,
    /// Hours for each move in its own games.
    pub limit_hours: Option<u16>,
    /// Whether it joins public games that wait for players.
    pub joins: bool,
    /// Games that it joins at once, each with its invitation if it is private.
    pub invited_to: Vec<(Uuid, Option<String>)>,
    pub max_games: usize,
    pub max_games_with_one: usize,
}

impl Default for Matchmaking {
    /// Plays the games that it has, within the usual bounds, and looks for no others.
    fn default() -> Self {
        Self {
            offers: Vec::new(),
            limit_hours: None,
            joins: false,
            invited_to: Vec::new(),
            max_games: DEFAULT_MAX_GAMES,
            max_games_with_one: DEFAULT_MAX_GAMES_WITH_ONE,
        }
    }
}

/// The bot's part in the lobby.
pub struct Lobby {
    matchmaking: Matchmaking,
    looked: Option<Instant>,
    open: Known,
    running: Known,
    /// The rules of its open games, and how many games run with each other player, as last seen.
    offered: Vec<String>,
    with: BTreeMap<String, usize>,
    games: usize,
    handle: Option<String>,
}

impl Lobby {
    /// A lobby that was not looked at yet.
    #[must_use]
    pub fn new(matchmaking: Matchmaking) -> Self {
        let (open, running) = (Known::default(), Known::default());
        let (offered, with) = (Vec::new(), BTreeMap::new());
        Self { matchmaking, looked: None, open, running, offered, with, games: 0, handle: None }
    }

    /// Offers and joins games, if it is time to look.
    ///
    /// # Errors
    /// The server cannot be asked, or wants to be left alone. A game that cannot be had is left to others.
    pub async fn look_after(&mut self, client: &Client) -> Result<(), ApiError> {
        if self.looked.is_some_and(|looked| looked.elapsed() < INTERVAL) {
            return Ok(());
        }
        self.count(client).await?;
        self.accept(client).await?;
        self.offer(client).await?;
        if self.matchmaking.joins {
            self.join(client).await?;
        }
        self.looked = Some(Instant::now());
        Ok(())
    }

    /// Counts its games, and aborts those beyond what one player may have.
    async fn count(&mut self, client: &Client) -> Result<(), ApiError> {
        if self.handle.is_none() {
            self.handle = client.get("/me").await?["handle"].as_str().map(str::to_ascii_lowercase);
        }
        let mine = |status: &str| format!("/games?list=mine&status={status}&limit={PAGE}");
        if let Some(page) = client.get_if_new(&mine("open"), &mut self.open).await? {
            self.offered = games(&page).map(|game| text(game, "rules")).collect();
        }
        let Some(page) = client.get_if_new(&mine("running"), &mut self.running).await? else { return Ok(()) };
        self.with.clear();
        self.games = games(&page).count();
        // Newest first: the oldest games stay.
        let all: Vec<&Value> = games(&page).collect();
        for game in all.into_iter().rev() {
            let others = self.others(game);
            let too_many = others.iter().any(|other| {
                self.with.get(other).copied().unwrap_or(0) >= self.matchmaking.max_games_with_one
            });
            for other in others {
                *self.with.entry(other).or_default() += 1;
            }
            // Possible only while somebody has not acted, so a game under way is never taken from anybody.
            if too_many && game["seq"].as_u64().is_some_and(|seq| seq < EARLY) {
                let path = format!("/games/{}/abort", text(game, "id"));
                match client.post(&path, &json!({}), Uuid::now_v7()).await {
                    // It has aborted as many as it may for hours: it plays this one.
                    Err(ApiError::Refused { status, .. }) if status == StatusCode::TOO_MANY_REQUESTS => {}
                    answered => drop(tolerate(answered)?),
                }
            }
        }
        Ok(())
    }

    /// The handles of the others, in lower case: a player may change the capitals at any time.
    fn others(&self, game: &Value) -> Vec<String> {
        let handles = players(game).filter_map(|player| player["handle"].as_str());
        handles.map(str::to_ascii_lowercase).filter(|handle| Some(handle) != self.handle.as_ref()).collect()
    }

    /// Joins the games that it was told to join, once.
    async fn accept(&mut self, client: &Client) -> Result<(), ApiError> {
        while let Some((id, invitation)) = self.matchmaking.invited_to.last() {
            let body = json!({"entropy": entropy(), "invitation": invitation});
            tolerate(client.post(&format!("/games/{id}/join"), &body, Uuid::now_v7()).await)?;
            self.matchmaking.invited_to.pop();
        }
        Ok(())
    }

    /// Keeps one open game of each rule set that it offers.
    async fn offer(&mut self, client: &Client) -> Result<(), ApiError> {
        for rules in self.matchmaking.offers.clone() {
            if self.offered.contains(&rules) || self.games >= self.matchmaking.max_games {
                continue;
            }
            let body = json!({"rules": rules, "seats": 2, "limit_hours": self.matchmaking.limit_hours});
            if tolerate(client.post("/games", &body, Uuid::now_v7()).await)?.is_some() {
                self.offered.push(rules);
                self.open.forget();
            }
        }
        Ok(())
    }

    /// Joins public games of people.
    async fn join(&mut self, client: &Client) -> Result<(), ApiError> {
        let page = client.get(&format!("/games?list=open&limit={PAGE}")).await?;
        for game in games(&page) {
            let others = self.others(game);
            let is_ours = others.len() != players(game).count();
            let by_bots = players(game).any(|player| player["bot"] == true);
            let enough = |other: &String| {
                self.with.get(other).copied().unwrap_or(0) >= self.matchmaking.max_games_with_one
            };
            if is_ours || by_bots || self.games >= self.matchmaking.max_games || others.iter().any(enough) {
                continue;
            }
            let path = format!("/games/{}/join", text(game, "id"));
            if tolerate(client.post(&path, &json!({"entropy": entropy()}), Uuid::now_v7()).await)?.is_some() {
                self.games += 1;
                for other in others {
                    *self.with.entry(other).or_default() += 1;
                }
            }
        }
        Ok(())
    }
}

/// In a game with fewer events somebody may not have acted yet.
const EARLY: u64 = 16;

/// The bot's share of a game's chance.
fn entropy() -> String {
    Uuid::new_v4().simple().to_string()
}

fn games(page: &Value) -> impl Iterator<Item = &Value> {
    page["games"].as_array().into_iter().flatten()
}

fn players(game: &Value) -> impl Iterator<Item = &Value> {
    game["players"].as_array().into_iter().flatten()
}

fn text(value: &Value, member: &str) -> String {
    value[member].as_str().unwrap_or_default().to_owned()
}

/// The answer, or nothing if this request was refused for good: somebody else was faster, or a limit is reached.
fn tolerate(answered: Result<Value, ApiError>) -> Result<Option<Value>, ApiError> {
    match answered {
        Ok(answer) => Ok(Some(answer)),
        Err(error) if error.is_temporary() => Err(error),
        Err(error) => {
            tracing::debug!(%error, "a game is left alone");
            Ok(None)
        }
    }
}
