//! What clients write down: what they sent, what they were answered, what they saw.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Mutex;
use std::sync::atomic::{AtomicU64, Ordering};

use serde_json::Value;

/// What a client learned of a game's newest event.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Learned {
    /// A view showed this one as the newest.
    Saw(u64),
    /// A move was made, which is this one.
    Made(u64),
    /// A move was refused because this one was not the newest.
    Stale(u64),
}

/// A question or a move, between two ticks of the run.
#[derive(Clone, Debug)]
pub struct Operation {
    /// Who asks one thing at a time.
    pub client: u32,
    pub begun: u64,
    pub ended: u64,
    pub learned: Learned,
}

/// A move that was sent, answered or not.
#[derive(Clone, Debug, PartialEq)]
pub struct Sent {
    pub seat: u64,
    /// The newest event that the client knew.
    pub after: u64,
    /// `None` for one in words, by mail.
    pub action: Option<Value>,
}

/// A view as a seat, or as somebody without one, was shown it.
#[derive(Clone, Debug)]
pub struct Shown {
    pub seat: Option<u64>,
    pub seq: u64,
    pub head: String,
    pub view: Value,
}

/// All about one game.
#[derive(Clone, Debug, Default)]
pub struct GameNotes {
    pub rules: String,
    /// The players' handles by seat.
    pub handles: Vec<String>,
    pub operations: Vec<Operation>,
    pub sent: Vec<Sent>,
    /// The events of acknowledged moves.
    pub acknowledged: Vec<Value>,
    pub receipts: Vec<String>,
    pub shown: Vec<Shown>,
    /// What each reader of its feed was told, in order.
    pub feeds: Vec<Vec<Value>>,
    /// Moves by mail that were acknowledged: the seat, and the event before.
    pub by_mail: Vec<(u64, u64)>,
    /// The rounds of the beacon that its players were shown: one, or none.
    pub beacon_rounds: BTreeSet<Option<u64>>,
    pub is_over: bool,
}

#[derive(Default)]
pub struct Notes {
    games: Mutex<BTreeMap<String, GameNotes>>,
    /// Answers that no client should get, and other things that are wrong whatever the checker finds.
    wrong: Mutex<Vec<String>>,
    ticks: AtomicU64,
    pub moves: AtomicU64,
    pub reads: AtomicU64,
    pub in_vain: AtomicU64,
    /// How many seats were handed over.
    pub handed_over: AtomicU64,
    /// What players were told by the feeds of all their games.
    pub feeds_of_players: Mutex<Vec<(String, Vec<Value>)>>,
}

impl Notes {
    /// A number that is greater than all that were given before.
    pub fn tick(&self) -> u64 {
        self.ticks.fetch_add(1, Ordering::SeqCst)
    }

    pub fn of_game(&self, game: &str, write: impl FnOnce(&mut GameNotes)) {
        let mut games = self.games.lock().expect("no panic");
        write(games.entry(game.to_owned()).or_default());
    }

    pub fn wrong(&self, what: String) {
        println!("wrong: {what}");
        self.wrong.lock().expect("no panic").push(what);
    }

    pub fn all(&self) -> BTreeMap<String, GameNotes> {
        self.games.lock().expect("no panic").clone()
    }

    pub fn all_wrong(&self) -> Vec<String> {
        self.wrong.lock().expect("no panic").clone()
    }

    /// Writes down a view.
    pub fn saw(&self, game: &str, client: u32, begun: u64, view: &Value) {
        let ended = self.tick();
        let Some(seq) = view["seq"].as_u64() else { return };
        self.reads.fetch_add(1, Ordering::Relaxed);
        self.of_game(game, |notes| {
            notes.operations.push(Operation { client, begun, ended, learned: Learned::Saw(seq) });
            notes.is_over |= view["status"] == "finished";
            notes.shown.push(Shown {
                seat: view["my_seat"].as_u64(),
                seq,
                head: view["head"].as_str().unwrap_or_default().to_owned(),
                view: view["view"].clone(),
            });
        });
    }

    /// Writes down an acknowledged move.
    pub fn made(&self, game: &str, client: u32, begun: u64, answer: &Value) {
        let ended = self.tick();
        self.moves.fetch_add(1, Ordering::Relaxed);
        let events = answer["events"].as_array().cloned().unwrap_or_default();
        let receipts = answer["receipts"].as_array().cloned().unwrap_or_default();
        let Some(seq) = events.last().and_then(|event| event["seq"].as_u64()) else {
            return self.wrong(format!("a move of {game} was answered without an event: {answer}"));
        };
        self.of_game(game, |notes| {
            notes.operations.push(Operation { client, begun, ended, learned: Learned::Made(seq) });
            notes.acknowledged.extend(events);
            let texts = receipts.iter().filter_map(|receipt| receipt.as_str().map(str::to_owned));
            notes.receipts.extend(texts);
            notes.is_over |= answer["game"]["status"] == "finished";
        });
    }
}
