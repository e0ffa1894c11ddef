//! Messages between the players of a game. They are not part of the record.

use std::collections::HashMap;

use time::{Duration, OffsetDateTime};
use uuid::Uuid;

use crate::Games;
use crate::error::GameError;
use crate::lobby::idempotency;
use crate::memory::live::LiveGame;
use crate::memory::version_check;
use crate::moderation;
use crate::viewing::view::SeatClaim;
use pippost_language::{Arguments, Language};
use pippost_record::rules::Seat;
use pippost_store::muted_players::MUTED;
use pippost_store::stored_responses::{Once, RequestKey};
use pippost_store::table_messages::{self, MessageRow, NewMessage};
use pippost_store::{Seq, removed_texts};

/// The longest message, in characters.
pub const MAX_MESSAGE_CHARS: usize = 1000;

/// The most messages of a player in one game in an hour.
pub const MAX_MESSAGES_AN_HOUR: i64 = 60;

/// The most messages on a page.
pub const MAX_MESSAGES: u16 = 100;

/// The most messages that a mail repeats.
const MAX_TOLD: i64 = 10;

/// The most messages of a mail that is about them.
const MAX_TOLD_AT_ONCE: usize = 30;

/// How many times programs that check links may have escaped one.
const MAX_ESCAPED: usize = 3;

/// Why a text is refused as a message.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum MessageRefused {
    #[error("a message to the table has at most {MAX_MESSAGE_CHARS} characters")]
    TooLong,
    /// Whoever sees them may see or do what only the player may.
    #[error("a message to the table holds no links or addresses of this server")]
    Address,
}

/// A message as it is stored: trimmed, without control characters and characters that change the direction of text; `None` if
/// nothing is left.
fn cleaned(text: &str) -> Result<Option<String>, MessageRefused> {
    let kept: String = text.chars().filter(|character| *character == '\n' || !steers(*character)).collect();
    let kept = kept.trim();
    if kept.chars().count() > MAX_MESSAGE_CHARS {
        return Err(MessageRefused::TooLong);
    }
    Ok((!kept.is_empty()).then(|| kept.to_owned()))
}

/// Control characters, and characters that change the direction of text.
#[must_use]
pub fn steers(character: char) -> bool {
    character.is_control()
        || matches!(character, '\u{200e}' | '\u{200f}' | '\u{2028}'..='\u{202e}' | '\u{2066}'..='\u{2069}')
}

/// A message as it is stored, `None` if nothing is left. All messages pass through here.
///
/// # Errors
/// [`MessageRefused`]
pub fn clean_message(games: &Games, text: &str) -> Result<Option<String>, MessageRefused> {
    let kept = cleaned(text)?;
    let shows = |text: &String| {
        let seen: String = text.chars().filter(|sign| !is_unseen(*sign)).collect();
        games.inner.secret.is_token_in(&seen) || is_link_in(games, text)
    };
    if kept.as_ref().is_some_and(shows) { Err(MessageRefused::Address) } else { Ok(kept) }
}

/// Whether a text contains a link to this server, even if it is broken up or disguised, as mail programs that check links do.
fn is_link_in(games: &Games, text: &str) -> bool {
    let host = games.public_host().to_ascii_lowercase();
    let mut whole: String = text.chars().filter(|sign| !sign.is_whitespace() && !is_unseen(*sign)).collect();
    for _ in 0..MAX_ESCAPED {
        whole = percent_encoding::percent_decode_str(&whole).decode_utf8_lossy().to_ascii_lowercase();
    }
    // The name of the server alone is no secret, nor is it at the end of a sentence.
    let goes_on = |(at, _): (usize, &str)| {
        whole[..at].ends_with("://") || whole[at + host.len()..].starts_with(['/', ':', '#', '_', '\\'])
    };
    !host.is_empty() && whole.match_indices(&host).any(goes_on)
}

/// Whether a character shows nothing and takes no room.
fn is_unseen(character: char) -> bool {
    matches!(character, '\u{ad}' | '\u{200b}'..='\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2060}'..='\u{206f}' | '\u{feff}')
}

/// Stores a message of a player; returns it.
///
/// # Errors
/// [`GameError::MessageRefused`] for an empty or too long message, [`GameError::Muted`], [`GameError::TooManyMessages`], or a failure.
pub async fn say(
    games: &Games,
    claim: &SeatClaim,
    text: &str,
    key: Option<&RequestKey>,
) -> Result<MessageRow, GameError> {
    if let Some(id) = idempotency::done_before(games, key, claim.player_id).await? {
        return find_said(games, claim, id).await;
    }
    let text =
        clean_message(games, text).map_err(|refused| GameError::MessageRefused(refused.to_string()))?;
    let text = text.ok_or_else(|| GameError::MessageRefused("a message says something".to_owned()))?;
    let database = &games.database;
    let now = games.inner.clock.now();
    let since = now - Duration::HOUR;
    let (said, first) = table_messages::since(database, claim.game_id, claim.player_id, since).await?;
    moderation::expect_not_muted(games, claim.player_id, now).await?;
    if said >= MAX_MESSAGES_AN_HOUR {
        let wait = first.map_or(Duration::HOUR, |first| first - since);
        let retry_after_seconds = u64::try_from(wait.whole_seconds()).unwrap_or_default() + 1;
        return Err(GameError::TooManyMessages { retry_after_seconds });
    }
    let live = version_check::current(games, claim.game_id).await?;
    live.as_deref().map_or(Ok(()), |live| claim.check(live))?;
    let seq = live.map_or(Seq::START, |live| live.seq());
    let id = Uuid::now_v7();
    let message =
        NewMessage { id, game_id: claim.game_id, player_id: claim.player_id, seq, text, created_at: now };
    let stored = idempotency::to_store(key, claim.player_id, id);
    match table_messages::add(database, &message, stored.as_ref()).await? {
        Once::Now(()) => {
            games.inner.outbox_signal.notify_of(&[claim.game_id]);
            find_said(games, claim, id).await
        }
        Once::Before(before) => find_said(games, claim, idempotency::stored_id(before, key)?).await,
    }
}

/// A message that was stored.
async fn find_said(games: &Games, claim: &SeatClaim, id: Uuid) -> Result<MessageRow, GameError> {
    let found = table_messages::find(&games.database, claim.game_id, id).await?;
    found.ok_or_else(|| GameError::Corrupt(claim.game_id, "message".into()))
}

/// The newest messages of a game, at most `limit`, before the message `before` if given, without those of players whom the reader mutes;
/// oldest first.
///
/// # Errors
/// `limit` is not 1 to [`MAX_MESSAGES`], or the database failed.
pub async fn messages(
    games: &Games,
    claim: &SeatClaim,
    before: Option<Uuid>,
    limit: u16,
) -> Result<Vec<MessageRow>, GameError> {
    if !(1..=MAX_MESSAGES).contains(&limit) {
        return Err(GameError::InvalidValue { field: "limit", why: format!("1 to {MAX_MESSAGES}") });
    }
    let muted = MUTED.ids(&games.database, claim.player_id).await?;
    Ok(table_messages::newest(&games.database, claim.game_id, &muted, before, limit.into()).await?)
}

/// How many messages of a game an operator has removed.
///
/// # Errors
/// The database failed.
pub async fn removed(games: &Games, claim: &SeatClaim) -> Result<i64, GameError> {
    Ok(removed_texts::messages(&games.database, claim.game_id).await?)
}

/// Remembers that the player has been shown a message and all before it.
///
/// # Errors
/// The database failed.
pub async fn mark_read(games: &Games, claim: &SeatClaim, message_id: Uuid) -> Result<(), GameError> {
    let (game_id, player_id) = (claim.game_id, claim.player_id);
    Ok(table_messages::mark_read(&games.database, game_id, player_id, message_id).await?)
}

/// How many messages of others the player has not been shown, by game.
///
/// # Errors
/// The database failed.
pub async fn unread(
    games: &Games,
    player_id: Uuid,
    game_ids: Vec<Uuid>,
) -> Result<HashMap<Uuid, i64>, GameError> {
    let muted = MUTED.ids(&games.database, player_id).await?;
    Ok(table_messages::unread(&games.database, player_id, game_ids, muted).await?)
}

/// The other players' messages since event `seq`, as sentences, oldest first.
pub(super) async fn said_since(
    games: &Games,
    live: &LiveGame,
    seat: Seat,
    seq: Seq,
    language: Language,
) -> Result<Vec<String>, GameError> {
    let reader = live.fixed.players.get(seat.index()).copied();
    let newest = games.letter_reads.messages(live.fixed.id, reader, MAX_TOLD).await?;
    let told = newest
        .into_iter()
        .filter(|message| message.seq >= seq && live.fixed.seat_of(message.player_id) != Some(seat));
    Ok(told.filter_map(|message| sentence(message, language)).collect())
}

/// What the others have written from `since` on, as sentences, oldest first: nothing that was there when the player wrote last.
pub(super) async fn said_lately(
    games: &Games,
    live: &LiveGame,
    seat: Seat,
    since: OffsetDateTime,
    language: Language,
) -> Result<Vec<String>, GameError> {
    let limit = i64::try_from(MAX_TOLD_AT_ONCE).unwrap_or(i64::MAX);
    let reader = live.fixed.players.get(seat.index()).copied();
    let newest = games.letter_reads.messages(live.fixed.id, reader, limit + 1).await?;
    let is_own = |message: &MessageRow| live.fixed.seat_of(message.player_id) == Some(seat);
    let seen = newest.iter().rposition(is_own).map_or(0, |own| own + 1);
    let lately = newest.into_iter().skip(seen).filter(|message| message.created_at >= since);
    let mut told: Vec<String> = lately.filter_map(|message| sentence(message, language)).collect();
    if told.len() > MAX_TOLD_AT_ONCE {
        told[0] = language.say("told-said-before");
    }
    Ok(told)
}

/// Who says what; `None` of what an operator has removed.
fn sentence(message: MessageRow, language: Language) -> Option<String> {
    let text = message.text?.replace('\n', " ");
    let arguments = Arguments::default().text("player", message.handle);
    Some(language.say_with("told-said", &arguments.text("text", text)))
}
