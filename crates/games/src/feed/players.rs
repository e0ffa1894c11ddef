//! The players whose feeds are read in this process, and which games wake them.

use std::collections::HashMap;

use tokio::sync::watch;
use uuid::Uuid;

use pippost_store::{Changes, Seq};

/// Counts the wake-ups of a player's readers.
pub type Wakes = u64;

/// A player with readers.
#[derive(Default)]
struct Topic {
    wakes: watch::Sender<Wakes>,
    /// The games that wake them.
    games: Vec<Uuid>,
}

/// A game that wakes players.
#[derive(Default)]
struct Watched {
    /// Its newest known event.
    newest: Option<Seq>,
    players: Vec<Uuid>,
}

/// Players with readers, and their games. Has an entry for each of these, and none else.
#[derive(Default)]
pub struct Players {
    topics: HashMap<Uuid, Topic>,
    games: HashMap<Uuid, Watched>,
}

impl Players {
    /// Wakes the result whenever the player may have news.
    pub fn subscribe(&mut self, player_id: Uuid) -> watch::Receiver<Wakes> {
        self.topics.entry(player_id).or_default().wakes.subscribe()
    }

    /// Drops a subscription; the last one of a player forgets the player's games.
    pub fn unsubscribe(&mut self, player_id: Uuid, wakes: watch::Receiver<Wakes>) {
        drop(wakes);
        if self.topics.get(&player_id).is_some_and(|topic| topic.wakes.receiver_count() == 0) {
            self.watch(player_id, Vec::new());
            self.topics.remove(&player_id);
        }
    }

    /// Replaces the games that wake a player, each with its newest known event.
    pub fn watch(&mut self, player_id: Uuid, games: Vec<(Uuid, Seq)>) {
        let Some(topic) = self.topics.get_mut(&player_id) else { return };
        for game_id in std::mem::replace(&mut topic.games, games.iter().map(|(id, _)| *id).collect()) {
            if let Some(watched) = self.games.get_mut(&game_id) {
                watched.players.retain(|known| *known != player_id);
                if watched.players.is_empty() {
                    self.games.remove(&game_id);
                }
            }
        }
        for (game_id, seq) in games {
            let watched = self.games.entry(game_id).or_default();
            watched.players.push(player_id);
            // Another player may know less; more wake-ups do no harm.
            watched.newest = Some(watched.newest.map_or(seq, |newest| newest.min(seq)));
        }
    }

    /// Wakes the players who are named, and those of the games that are named.
    pub fn wake(&self, changes: &Changes) {
        match changes {
            Changes::All => self.topics.values().for_each(Topic::wake),
            Changes::Some(ids) => ids.iter().for_each(|id| self.wake_by(*id)),
        }
    }

    fn wake_by(&self, id: Uuid) {
        let players = self.games.get(&id).into_iter().flat_map(|watched| &watched.players);
        players.chain([&id]).filter_map(|player_id| self.topics.get(player_id)).for_each(Topic::wake);
    }

    /// The watched games with their newest known events.
    pub fn watched(&self) -> impl Iterator<Item = (Uuid, Option<Seq>)> {
        self.games.iter().map(|(id, watched)| (*id, watched.newest))
    }

    /// Wakes the players of a game if that event is new.
    pub fn hear(&mut self, game_id: Uuid, newest: Seq) {
        let Some(watched) = self.games.get_mut(&game_id) else { return };
        if watched.newest < Some(newest) {
            watched.newest = Some(newest);
            self.wake_by(game_id);
        }
    }

    /// The number of players with readers, and of their games.
    pub fn len(&self) -> (usize, usize) {
        (self.topics.len(), self.games.len())
    }
}

impl Topic {
    fn wake(&self) {
        self.wakes.send_modify(|wakes| *wakes += 1);
    }
}
