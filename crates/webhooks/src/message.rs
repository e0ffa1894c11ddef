//! The bodies of deliveries. A body follows from committed rows alone, so each attempt sends the same.

use serde::{Deserialize, Serialize};
use serde_json::value::RawValue;
use time::OffsetDateTime;
use uuid::Uuid;

use super::chat;
use pippost_language::Language;
use pippost_record::record::Timestamp;
use pippost_record::rules;
use pippost_store::table_messages::MessageRow;
use pippost_store::webhooks::SeatedPlayer;
use pippost_store::{EventId, WebhookFormat, WebhookKind};

/// What is sent: its id, which stays the same with every attempt, and the body.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Message {
    pub id: String,
    pub body: String,
}

/// The members of an event that decide who is told.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
pub struct EventHead<'a> {
    pub at: &'a str,
    /// The acting seat; `None` for the server.
    pub seat: Option<i16>,
    pub seq: u64,
    /// The seat to act next; `None` when the game is over.
    pub to_act: Option<i16>,
}

impl<'a> EventHead<'a> {
    /// Reads an event's line of the record; `None` never comes with an event of this server.
    #[must_use]
    pub fn read(line: &'a str) -> Option<Self> {
        serde_json::from_str(line).ok()
    }

    /// The kinds of the event for the player in that seat, the most special first.
    #[must_use]
    pub fn kinds(&self, seat: i16) -> Vec<WebhookKind> {
        let holds = |kind: WebhookKind| match kind {
            WebhookKind::GameOver => self.to_act.is_none(),
            WebhookKind::GameStarted => self.seq == 0,
            WebhookKind::Turn => self.calls(seat),
            WebhookKind::Event => true,
            WebhookKind::Message | WebhookKind::Tournament => false,
        };
        WebhookKind::ALL.iter().copied().filter(|kind| holds(*kind)).collect()
    }

    /// Whether the player has to act and had not before.
    fn calls(&self, seat: i16) -> bool {
        self.to_act == Some(seat) && self.seat != Some(seat)
    }
}

/// A game with its seats, in order.
#[derive(Clone, Copy, Debug)]
pub struct Table<'a> {
    pub id: Uuid,
    pub seats: &'a [SeatedPlayer],
    /// The seat of the webhook's player.
    pub own_seat: i16,
    /// Where people look at the game.
    pub link: &'a str,
}

impl Table<'_> {
    /// The name of the rule set, and as people write it.
    fn rules(&self) -> (&str, &str) {
        let Some(first) = self.seats.first() else { return ("", "") };
        let version = u32::try_from(first.rules_version).ok();
        let found = version.and_then(|version| rules::find(&first.rules, Some(version)));
        (&first.rules, found.map_or(&first.rules, |rules| rules.title()))
    }

    fn data(&self) -> GameData<'_> {
        let players =
            self.seats.iter().map(|player| PlayerData { seat: player.seat, handle: &player.handle });
        GameData {
            id: self.id,
            rules: self.rules().0,
            players: players.collect(),
            my_seat: self.own_seat,
            page: self.link,
        }
    }

    pub(super) fn title(&self) -> &str {
        self.rules().1
    }

    pub(super) fn opponents(&self) -> Vec<String> {
        let others = self.seats.iter().filter(|player| player.seat != self.own_seat);
        others.map(|player| player.handle.clone()).collect()
    }

    pub(super) fn handle_of(&self, seat: i16) -> Option<&str> {
        self.seats.iter().find(|player| player.seat == seat).map(|player| player.handle.as_str())
    }
}

#[derive(Serialize)]
pub(super) struct Envelope<'a, D> {
    #[serde(rename = "type")]
    pub kind: &'a str,
    pub timestamp: &'a str,
    pub data: D,
}

#[derive(Serialize)]
struct EventData<'a> {
    id: String,
    my_turn: bool,
    game: GameData<'a>,
    event: &'a RawValue,
}

#[derive(Serialize)]
struct SaidData<'a> {
    id: Uuid,
    game: GameData<'a>,
    message: SaidMessage<'a>,
}

#[derive(Serialize)]
struct SaidMessage<'a> {
    id: Uuid,
    handle: &'a str,
    seq: u64,
    text: &'a str,
    at: &'a str,
}

#[derive(Serialize)]
struct GameData<'a> {
    id: Uuid,
    rules: &'a str,
    players: Vec<PlayerData<'a>>,
    my_seat: i16,
    page: &'a str,
}

#[derive(Serialize)]
struct PlayerData<'a> {
    seat: i16,
    handle: &'a str,
}

#[derive(Serialize)]
struct ChallengeData<'a> {
    challenge: &'a str,
}

/// The message about an event, in that format.
///
/// # Panics
/// Never: an event's line is JSON.
#[must_use]
pub fn event(
    format: WebhookFormat,
    kind: WebhookKind,
    table: &Table<'_>,
    head: &EventHead<'_>,
    line: &str,
    language: Language,
) -> Message {
    let id = EventId { game_id: table.id, seq: head.seq.into() }.to_string();
    if format != WebhookFormat::Standard {
        let text = chat::event_text(kind, table, head, language);
        return Message { id, body: chat::body(format, &text) };
    }
    let data = EventData {
        id: id.clone(),
        my_turn: head.to_act == Some(table.own_seat),
        game: table.data(),
        event: serde_json::from_str(line).expect("an event's line is JSON"),
    };
    let envelope = Envelope { kind: kind.as_str(), timestamp: head.at, data };
    Message { id, body: serde_json::to_string(&envelope).expect("plain data") }
}

/// The message about what another player has written at the table, in that format. Its id is that of what was written.
///
/// # Panics
/// Never.
#[must_use]
pub fn said(format: WebhookFormat, table: &Table<'_>, row: &MessageRow, language: Language) -> Message {
    let id = row.id.to_string();
    if format != WebhookFormat::Standard {
        return Message { id, body: chat::body(format, &chat::said_text(table, row, language)) };
    }
    let timestamp = Timestamp::new(row.created_at).to_string();
    let MessageRow { id: of_message, handle, seq, text, .. } = row;
    let text = text.as_deref().unwrap_or_default();
    let message = SaidMessage { id: *of_message, handle, seq: seq.get(), text, at: &timestamp };
    let data = SaidData { id: row.id, game: table.data(), message };
    let envelope = Envelope { kind: WebhookKind::Message.as_str(), timestamp: &timestamp, data };
    Message { id, body: serde_json::to_string(&envelope).expect("plain data") }
}

/// The message that asks whether its receiver wants to be told.
///
/// # Panics
/// Never.
#[must_use]
pub fn challenge(
    format: WebhookFormat,
    id: Uuid,
    challenge: &str,
    now: OffsetDateTime,
    language: Language,
) -> Message {
    let id = id.to_string();
    if format != WebhookFormat::Standard {
        return Message { id, body: chat::body(format, &chat::challenge_text(challenge, language)) };
    }
    let timestamp = Timestamp::new(now).to_string();
    let data = ChallengeData { challenge };
    let envelope = Envelope { kind: "challenge", timestamp: &timestamp, data };
    Message { id, body: serde_json::to_string(&envelope).expect("plain data") }
}

/// Whether an answer carries the challenge: as the member `challenge` of a JSON object, or as plain text.
#[must_use]
pub fn meets(answer: &[u8], challenge: &str) -> bool {
    #[derive(Deserialize)]
    struct Met<'a> {
        challenge: &'a str,
    }
    let Ok(text) = std::str::from_utf8(answer) else { return false };
    text.trim() == challenge
        || serde_json::from_str::<Met<'_>>(text).is_ok_and(|met| met.challenge == challenge)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn head(seat: Option<i16>, seq: u64, to_act: Option<i16>) -> EventHead<'static> {
        EventHead { at: "2026-11-21T12:00:00.000000Z", seat, seq, to_act }
    }

    #[test]
    fn an_event_is_of_all_kinds_that_it_is() {
        use WebhookKind::{Event, GameOver, GameStarted, Turn};
        assert_eq!(head(None, 0, Some(1)).kinds(1), [GameStarted, Turn, Event]);
        assert_eq!(head(None, 0, Some(1)).kinds(0), [GameStarted, Event]);
        assert_eq!(head(Some(0), 4, Some(1)).kinds(1), [Turn, Event]);
        assert_eq!(head(Some(1), 4, Some(1)).kinds(1), [Event], "the player knew");
        assert_eq!(head(Some(1), 4, None).kinds(1), [GameOver, Event]);
    }

    #[test]
    fn a_challenge_is_met_by_the_challenge_alone() {
        for answer in ["abc", " abc\n", r#"{"challenge":"abc"}"#, r#"{"challenge": "abc", "more": 1}"#] {
            assert!(meets(answer.as_bytes(), "abc"), "{answer}");
        }
        let echo = challenge(
            WebhookFormat::Standard,
            Uuid::nil(),
            "abc",
            OffsetDateTime::UNIX_EPOCH,
            Language::ENGLISH,
        );
        for answer in ["", "abcd", r#"{"data":{"challenge":"abc"}}"#, "you sent abc", &echo.body] {
            assert!(!meets(answer.as_bytes(), "abc"), "{answer}");
        }
        assert!(!meets(&[0xff], "abc"));
    }
}
