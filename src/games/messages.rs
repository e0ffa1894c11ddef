//! What players say to each other at the table of a game. No part of the game: events know nothing of it.

use time::Duration;
use uuid::Uuid;

use super::Games;
use super::act::to_database;
use super::error::GameError;
use super::live::LiveGame;
use super::view::SeatClaim;
use crate::language::{Arguments, Language};
use crate::rules::Seat;
use crate::store::table_messages::{self, MessageRow, NewMessage};

/// The longest message, in characters.
pub const MAX_MESSAGE_CHARS: usize = 1000;

/// The most messages that a player says at one table in an hour.
pub const MAX_MESSAGES_AN_HOUR: i64 = 60;

/// The most messages on a page.
pub const MAX_MESSAGES: u16 = 100;

/// The most messages that a mail repeats.
const MAX_TOLD: i64 = 10;

/// It is longer than [`MAX_MESSAGE_CHARS`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("a message to the table has at most {MAX_MESSAGE_CHARS} characters")]
pub struct MessageTooLong;

/// A message as it is kept: without control characters and those that turn the direction of text, trimmed; `None` if nothing is
/// left.
///
/// # Errors
/// [`MessageTooLong`]
pub fn clean_message(text: &str) -> Result<Option<String>, MessageTooLong> {
    let kept: String = text.chars().filter(|character| *character == '\n' || !steers(*character)).collect();
    let kept = kept.trim();
    if kept.chars().count() > MAX_MESSAGE_CHARS {
        return Err(MessageTooLong);
    }
    Ok((!kept.is_empty()).then(|| kept.to_owned()))
}

/// Control characters, and those that turn the direction of text.
#[must_use]
pub fn steers(character: char) -> bool {
    character.is_control()
        || matches!(character, '\u{200e}' | '\u{200f}' | '\u{2028}'..='\u{202e}' | '\u{2066}'..='\u{2069}')
}

impl Games {
    /// Says something at the table; returns the message's id.
    ///
    /// # Errors
    /// [`GameError::InvalidValue`] for an empty or too long message, [`GameError::TooManyMessages`], or a failure.
    pub async fn say(&self, claim: &SeatClaim, text: &str) -> Result<Uuid, GameError> {
        let invalid = |why: String| GameError::InvalidValue { field: "text", why };
        let text = clean_message(text).map_err(|too_long| invalid(too_long.to_string()))?;
        let text = text.ok_or_else(|| invalid("a message says something".to_owned()))?;
        let database = &self.database;
        let now = self.inner.clock.now();
        let since = now - Duration::HOUR;
        let said = table_messages::count_since(database, claim.game_id, claim.player_id, since).await?;
        if said >= MAX_MESSAGES_AN_HOUR {
            return Err(GameError::TooManyMessages);
        }
        let seq = self.current(claim.game_id).await?.map_or(0, |live| to_database(live.seq()));
        let id = Uuid::now_v7();
        let message =
            NewMessage { id, game_id: claim.game_id, player_id: claim.player_id, seq, text, created_at: now };
        table_messages::add(database, &message).await?;
        Ok(id)
    }

    /// The newest messages at the table, at most `limit`, those before the message `before` if it is given; oldest first.
    ///
    /// # Errors
    /// `limit` is not 1 to [`MAX_MESSAGES`], or the database failed.
    pub async fn messages(
        &self,
        claim: &SeatClaim,
        before: Option<Uuid>,
        limit: u16,
    ) -> Result<Vec<MessageRow>, GameError> {
        if !(1..=MAX_MESSAGES).contains(&limit) {
            return Err(GameError::InvalidValue { field: "limit", why: format!("1 to {MAX_MESSAGES}") });
        }
        Ok(table_messages::newest(&self.database, claim.game_id, before, limit.into()).await?)
    }

    /// What the others have said since event `seq`, in sentences, oldest first.
    pub(super) async fn said_since(
        &self,
        live: &LiveGame,
        seat: Seat,
        seq: u64,
        language: Language,
    ) -> Result<Vec<String>, GameError> {
        let newest = table_messages::newest(&self.database, live.fixed.id, None, MAX_TOLD).await?;
        let told = newest.into_iter().filter(|message| {
            message.seq >= to_database(seq) && live.fixed.seat_of(message.player_id) != Some(seat)
        });
        let said = |message: MessageRow| {
            let arguments = Arguments::default().text("player", message.handle);
            language.say_with("told-said", &arguments.text("text", message.text.replace('\n', " ")))
        };
        Ok(told.map(said).collect())
    }
}
