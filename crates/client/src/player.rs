//! What a player does most. Everything else goes by [`Client::get`], [`Client::post`] and [`Client::send`].

use serde::de::DeserializeOwned;
use serde_json::{Value, json};
use uuid::Uuid;

use super::types::{Game, Legal, Moved, NewGame};
use super::{ApiError, Client, Feed, Known};

/// The most games of a list that are read at once.
const PAGE: usize = 100;

fn read<T: DeserializeOwned>(answer: Value) -> Result<T, ApiError> {
    serde_json::from_value(answer).map_err(|error| ApiError::Unexpected(error.to_string()))
}

impl Client {
    /// Creates a game.
    ///
    /// # Errors
    /// [`ApiError`].
    pub async fn create_game(&self, game: &NewGame) -> Result<Game, ApiError> {
        let body = serde_json::to_value(game).map_err(|error| ApiError::Unexpected(error.to_string()))?;
        read(self.post("/games", &body, Uuid::now_v7()).await?)
    }

    /// Joins a game; of one that was joined before it gives the view.
    ///
    /// # Errors
    /// [`ApiError`].
    pub async fn join(&self, game: Uuid, invitation: Option<&str>) -> Result<Game, ApiError> {
        let body = json!({"invitation": invitation});
        match self.post(&format!("/games/{game}/join"), &body, Uuid::now_v7()).await {
            // Joining takes no key: the answer to an earlier try may have been lost.
            Err(error) if error.code() == Some("already_joined") => self.game(game).await,
            answered => read(answered?),
        }
    }

    /// The game as this player sees it.
    ///
    /// # Errors
    /// [`ApiError`].
    pub async fn game(&self, game: Uuid) -> Result<Game, ApiError> {
        read(self.get(&format!("/games/{game}")).await?)
    }

    /// What the player to act may do.
    ///
    /// # Errors
    /// [`ApiError`].
    pub async fn actions(&self, game: Uuid) -> Result<Legal, ApiError> {
        read(self.get(&format!("/games/{game}/actions")).await?)
    }

    /// Moves, if the game's newest event is still `expected_seq`.
    ///
    /// # Errors
    /// [`ApiError`].
    pub async fn act(&self, game: Uuid, actions: &[Value], expected_seq: u64) -> Result<Moved, ApiError> {
        let body = json!({"actions": actions, "expected_seq": expected_seq});
        read(self.post(&format!("/games/{game}/moves"), &body, Uuid::now_v7()).await?)
    }

    /// Resigns.
    ///
    /// # Errors
    /// [`ApiError`].
    pub async fn resign(&self, game: Uuid) -> Result<Moved, ApiError> {
        read(self.post(&format!("/games/{game}/resign"), &json!({}), Uuid::now_v7()).await?)
    }

    /// The record as it is to be verified and kept, byte for byte.
    ///
    /// # Errors
    /// [`ApiError`].
    pub async fn record(&self, game: Uuid) -> Result<Vec<u8>, ApiError> {
        self.get_bytes(&format!("/games/{game}/record")).await
    }

    /// A page of games; `query` is such as `list=open`.
    ///
    /// # Errors
    /// [`ApiError`].
    pub async fn games(&self, query: &str) -> Result<Vec<Game>, ApiError> {
        let mut page = self.get(&format!("/games?{query}")).await?;
        read(page["games"].take())
    }

    /// The games in which it is this player's turn, unless they are as they were: that costs nothing of a quota.
    ///
    /// # Errors
    /// [`ApiError`].
    pub async fn my_turns(&self, known: &mut Known) -> Result<Option<Vec<Game>>, ApiError> {
        let page = self.get_if_new(&format!("/games?list=my_turn&limit={PAGE}"), known).await?;
        page.map(|mut page| read(page["games"].take())).transpose()
    }

    /// The events of a game after `after`, until it is over.
    #[must_use]
    pub fn follow(&self, game: Uuid, after: Option<String>) -> Feed<'_> {
        Feed::new(self, format!("/games/{game}/feed"), after)
    }

    /// The events of all games of the account; it does not end by itself.
    #[must_use]
    pub fn follow_all(&self, after: Option<String>) -> Feed<'_> {
        Feed::new(self, "/me/feed".to_owned(), after)
    }
}

fn are_neighbours(one: &str, other: &str) -> bool {
    let place = |cell: &str| {
        let column = cell.bytes().next().map_or(0, i64::from);
        (column, cell.get(1..).and_then(|row| row.parse::<i64>().ok()).unwrap_or_default())
    };
    let ((column, row), (other_column, other_row)) = (place(one), place(other));
    (column - other_column).abs() + (row - other_row).abs() == 1
}

/// One of the legal actions at random, of any rules; `None` if there is none.
#[must_use]
pub fn any_action(legal: &Legal) -> Option<Value> {
    let offer = shuffled(legal.actions.iter()).next()?;
    let choose = &offer["choose"];
    if choose.is_null() {
        return Some(offer.clone());
    }
    let least = choose["least"].as_u64().and_then(|least| usize::try_from(least).ok()).unwrap_or(1).max(1);
    let mut picked: Vec<&str> = Vec::new();
    for entry in shuffled(choose["from"].as_array()?.iter().filter_map(Value::as_str)) {
        if picked.len() == least {
            break;
        }
        if choose["apart"] != true || !picked.iter().any(|other| are_neighbours(entry, other)) {
            picked.push(entry);
        }
    }
    Some(json!({"type": offer["type"], choose["member"].as_str()?: picked}))
}

/// In an order that nobody knows.
fn shuffled<T>(entries: impl Iterator<Item = T>) -> impl Iterator<Item = T> {
    let mut entries: Vec<(Uuid, T)> = entries.map(|entry| (Uuid::new_v4(), entry)).collect();
    entries.sort_unstable_by_key(|(place, _)| *place);
    entries.into_iter().map(|(_, entry)| entry)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_choice_is_made_as_the_offer_says() {
        let choose =
            json!({"member": "cells", "least": 2, "most": 3, "from": ["a1", "a2", "c3"], "apart": true});
        let actions = vec![json!({"type": "place", "choose": choose})];
        let legal = Legal { my_turn: true, seq: 7, actions };
        for _ in 0..50 {
            let action = any_action(&legal).expect("an action");
            let cells: Vec<&str> =
                action["cells"].as_array().expect("a list").iter().filter_map(Value::as_str).collect();
            assert!(cells.len() == 2 && cells.contains(&"c3") && action["type"] == "place", "{action}");
        }
        assert_eq!(any_action(&Legal { actions: Vec::new(), ..legal }), None);
    }
}
