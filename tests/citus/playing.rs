//! Games that two players play through the API while the cluster changes.

use std::time::{Duration, Instant};

use pippost::record::verify;
use reqwest::Method;
use serde_json::{Value, json};

use crate::cluster::Server;
use support::client::{Answer, Client};
use support::sample::Sampler;

/// The longest that a game may be refused.
const REFUSED_TIMEOUT: Duration = Duration::from_mins(1);

pub async fn register(server: &Server, handle: &str) -> Client {
    let stranger = Client::new(&server.url, None);
    let body = json!({"handle": handle, "email": format!("{handle}@example.org"), "password": "correct horse battery"});
    let answer = stranger.post("/api/v1/accounts", &body).await;
    let token = answer.expect_status(201).json()["access_token"].as_str().expect("a token").to_owned();
    Client::new(&server.url, Some(token))
}

/// One game of Pip•Pip, which is played move by move.
pub struct Game {
    pub id: String,
    players: [Client; 2],
    sampler: Sampler,
    view: Value,
    /// How many requests were refused because a node was gone.
    pub refused: usize,
}

impl Game {
    pub async fn start(players: [Client; 2], seed: u64) -> Self {
        let new = json!({"rules": "pip-pip", "seating": "joined"});
        let created = players[0].post("/api/v1/games", &new).await;
        let id = created.expect_status(201).json()["id"].as_str().expect("an id").to_owned();
        let view = players[1].post(&format!("/api/v1/games/{id}/join"), &json!({})).await.ok();
        Self { id, players, sampler: Sampler::new(seed), view, refused: 0 }
    }

    pub fn path(&self) -> String {
        format!("/api/v1/games/{}", self.id)
    }

    pub fn seq(&self) -> u64 {
        self.view["seq"].as_u64().expect("a number")
    }

    /// Goes on at another server, with the game as that knows it.
    pub async fn see_at(&mut self, server: &Server) {
        self.players = self.players.each_ref().map(|player| player.at(&server.url));
        self.view = self.players[0].get(&self.path()).await.ok();
    }

    pub fn has_ended(&self) -> bool {
        self.view["to_act"].is_null()
    }

    /// The seat whose turn it is.
    pub fn seat_to_act(&self) -> Option<usize> {
        self.view["to_act"].as_u64().map(|seat| seat.try_into().expect("a seat"))
    }

    /// The player whose turn it is.
    pub fn to_act(&self) -> &Client {
        &self.players[self.seat_to_act().expect("a running game")]
    }

    /// A move that is legal now, as a request's body and key.
    async fn choose(&mut self) -> Option<(String, String)> {
        let legal = self.to_act().get(&format!("{}/actions", self.path())).await;
        if is_refused(&legal) {
            return None;
        }
        let legal = legal.ok();
        assert_eq!(legal["seq"], self.view["seq"], "{}: each move that was answered is there, once", self.id);
        let action = self.sampler.action(legal["actions"].as_array().expect("a list"));
        let seq = &legal["seq"];
        Some((json!({"actions": [action], "expected_seq": seq}).to_string(), format!("{}:{seq}", self.id)))
    }

    /// Plays one move, asking again while the server cannot.
    pub async fn play_move(&mut self) {
        let until = Instant::now() + REFUSED_TIMEOUT;
        let (body, key) = loop {
            if let Some(chosen) = self.choose().await {
                break chosen;
            }
            self.count_refusal(until);
        };
        loop {
            // With the same key: a move whose answer was lost is not played twice.
            let (path, headers) = (format!("{}/moves", self.path()), [("Idempotency-Key", key.as_str())]);
            let moved = self.to_act().send(Method::POST, &path, Some(body.clone()), &headers).await;
            if !is_refused(&moved) {
                self.view = moved.ok()["game"].clone();
                return;
            }
            self.count_refusal(until);
        }
    }

    /// Counts an answer that asks to come again; the next request is sent at once, as no good client would.
    fn count_refusal(&mut self, until: Instant) {
        self.refused += 1;
        assert!(Instant::now() < until, "{} is refused for too long", self.id);
    }

    pub async fn play_to_the_end(mut self) -> Self {
        while !self.has_ended() {
            self.play_move().await;
        }
        self
    }

    /// Verifies its record.
    pub async fn verify(&self) {
        let record = self.players[0].unchecked().get(&format!("{}/record", self.path())).await;
        let verdict = verify(&record.expect_status(200).body);
        let verdict = verdict.unwrap_or_else(|failure| panic!("{}: {failure}", self.id));
        assert!(verdict.proved, "{}", self.id);
    }
}

/// Whether the server cannot do it right now, as it says by the declared code.
pub fn is_refused(answer: &Answer) -> bool {
    if answer.status.as_u16() != 503 {
        return false;
    }
    answer.problem(503, "unavailable");
    assert!(answer.headers.contains_key("retry-after"), "it says when to come back");
    true
}

/// Plays all games to their ends at once.
pub async fn play_all(games: Vec<Game>) -> Vec<Game> {
    let playing = games.into_iter().map(|game| tokio::spawn(game.play_to_the_end()));
    let played = futures_util::future::join_all(playing).await;
    played.into_iter().map(|game| game.expect("a game that ends")).collect()
}

pub async fn start_all(players: &[Client; 2], seeds: std::ops::Range<u64>) -> Vec<Game> {
    let mut games = Vec::new();
    for seed in seeds {
        games.push(Game::start(players.clone(), seed).await);
    }
    games
}
