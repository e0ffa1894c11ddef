//! Players who keep moving whatever happens, and check that no acknowledged move is lost.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::time::Instant;

use pippost::record::verify;
use reqwest::Method;
use reqwest::header::RETRY_AFTER;
use serde_json::{Value, json};
use tokio::task::JoinHandle;

use super::{TIMEOUT, until};
use support::client::{Answer, Client};
use support::process::Server;

/// Two players and their current game.
pub struct Match {
    pub players: [Client; 2],
    pub game: String,
    /// The first one, which fast players end.
    pub first_game: String,
    /// Those of all acknowledged moves.
    pub receipts: Vec<String>,
    /// The last acknowledged `seq`.
    answered: u64,
    /// Whether the outcome of a sent move is unknown.
    in_doubt: bool,
}

/// The outcome of an attempt.
pub enum Tried {
    Moved,
    /// The server could not answer, and said when to retry.
    PutOff,
    /// The connection was cut.
    Cut,
}

impl Match {
    /// Two new players with a new game.
    pub async fn begin(server: &Server, name: &str) -> Self {
        let players =
            [server.register(&format!("{name}a")).await, server.register(&format!("{name}b")).await];
        let (game, first_game, receipts) = (String::new(), String::new(), Vec::new());
        let mut new = Self { players, game, first_game, receipts, answered: 0, in_doubt: false };
        new.next_game().await;
        new.first_game.clone_from(&new.game);
        new
    }

    async fn next_game(&mut self) {
        // The longest games, so that fast servers do not reach the limit of new ones.
        let new = json!({"rules": "serpent", "seating": "joined"});
        let created = self.insist(0, Method::POST, "/api/v1/games", Some(&new)).await;
        let created = created.expect_status(201).json();
        self.game = format!("/api/v1/games/{}", created["id"].as_str().expect("an id"));
        // The player has joined already if the answer to an earlier attempt was lost.
        self.insist(1, Method::POST, &format!("{}/join", self.game), Some(&json!({}))).await;
        let view = self.insist(0, Method::GET, &self.game, None).await.ok();
        self.answered = view["seq"].as_u64().expect("it has started");
        self.in_doubt = false;
    }

    /// Retries until the server answers.
    async fn insist(&self, seat: usize, method: Method, path: &str, body: Option<&Value>) -> Answer {
        let deadline = Instant::now() + TIMEOUT;
        loop {
            let body = body.map(|body| body.to_string().into_bytes());
            let answer = self.players[seat].try_send_bytes(method.clone(), path, body, &[]).await;
            if let Some(answer) = answer.ok().and_then(put_off) {
                return answer;
            }
            assert!(Instant::now() < deadline, "{method} {path} gets no answer");
            tokio::task::yield_now().await;
        }
    }

    /// Takes the game as it is, after moves that others have made for the players.
    pub async fn looked_again(&mut self) {
        let view = self.players[0].get(&self.game).await.ok();
        self.answered = view["seq"].as_u64().expect("a number");
        self.in_doubt = false;
    }

    /// Views the game: it must have every acknowledged move, and at most one whose answer was lost.
    pub async fn look(&mut self) -> Option<Value> {
        let view = put_off(self.send(0, Method::GET, "", None).await.ok()?)?.ok();
        let seq = view["seq"].as_u64().expect("a number");
        let most = self.answered + u64::from(self.in_doubt);
        assert!((self.answered..=most).contains(&seq), "{seq} of {}..={most}", self.answered);
        (self.answered, self.in_doubt) = (seq, false);
        Some(view)
    }

    /// Tries one move.
    pub async fn try_move(&mut self) -> Tried {
        let Some(view) = self.look().await else { return Tried::PutOff };
        let Some(seat) = view["to_act"].as_u64() else {
            self.check_record().await;
            self.next_game().await;
            return Tried::Moved;
        };
        let seat = usize::try_from(seat).expect("a seat");
        let legal = match self.send(seat, Method::GET, "/actions", None).await.map(put_off) {
            Ok(Some(legal)) => legal.ok(),
            Ok(None) => return Tried::PutOff,
            Err(_) => return Tried::Cut,
        };
        let action = legal["actions"].as_array().expect("a list").last().expect("asked means able").clone();
        self.in_doubt = true;
        match self.send(seat, Method::POST, "/moves", Some(json!({"actions": [action]}))).await.map(put_off) {
            Ok(Some(moved)) => {
                let moved = moved.ok();
                assert_eq!(moved["game"]["seq"].as_u64(), Some(self.answered + 1));
                self.receipts.push(moved["receipts"][0].as_str().expect("a receipt").to_owned());
                self.answered += 1;
                self.in_doubt = false;
                Tried::Moved
            }
            Ok(None) => Tried::PutOff,
            Err(_) => Tried::Cut,
        }
    }

    /// Checks that the record so far verifies.
    pub async fn check_record(&mut self) {
        let record = self.insist(0, Method::GET, &format!("{}/record", self.game), None).await;
        verify(&record.expect_status(200).body).expect("a good record");
    }

    async fn send(
        &self,
        seat: usize,
        method: Method,
        path: &str,
        body: Option<Value>,
    ) -> reqwest::Result<Answer> {
        let body = body.map(|body| body.to_string().into_bytes());
        self.players[seat].try_send_bytes(method, &format!("{}{path}", self.game), body, &[]).await
    }
}

/// `None` for an answer that asks the client to retry, which must say when.
fn put_off(answer: Answer) -> Option<Answer> {
    if answer.status == 503 {
        assert!(answer.headers.contains_key(RETRY_AFTER), "{}", answer.text());
        return None;
    }
    Some(answer)
}

/// Several matches at once, until they are told to stop.
pub struct Players {
    moves: Arc<AtomicU64>,
    stop: Arc<AtomicBool>,
    playing: Vec<JoinHandle<Match>>,
}

impl Players {
    /// Starts that many matches of new players.
    pub async fn begin(server: &Server, matches: usize) -> Self {
        let mut begun = Vec::new();
        for number in 0..matches {
            begun.push(Match::begin(server, &format!("match{number}")).await);
        }
        Self::of(begun)
    }

    pub fn of(matches: Vec<Match>) -> Self {
        let (moves, stop) = (Arc::<AtomicU64>::default(), Arc::<AtomicBool>::default());
        let play = |mut playing: Match| {
            let (moves, stop) = (moves.clone(), stop.clone());
            tokio::spawn(async move {
                while !stop.load(Ordering::Relaxed) {
                    match playing.try_move().await {
                        Tried::Moved => drop(moves.fetch_add(1, Ordering::Relaxed)),
                        Tried::PutOff | Tried::Cut => tokio::task::yield_now().await,
                    }
                }
                playing
            })
        };
        let playing = matches.into_iter().map(play).collect();
        Self { moves, stop, playing }
    }

    /// Waits until that many more moves have been answered.
    pub async fn goes_on(&self, moves: u64) {
        let wanted = self.moves.load(Ordering::Relaxed) + moves;
        let broken = || self.playing.iter().any(JoinHandle::is_finished);
        until("moves", async || broken() || self.moves.load(Ordering::Relaxed) >= wanted).await;
    }

    /// Ends all matches after their current moves.
    pub async fn end(self) -> Vec<Match> {
        self.stop.store(true, Ordering::Relaxed);
        let ended = futures_util::future::join_all(self.playing).await;
        ended.into_iter().map(|playing| playing.expect("nothing was lost")).collect()
    }
}
