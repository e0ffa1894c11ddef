//! What a browser is told: a small JSON object, encrypted for that browser alone.

use base64::Engine;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use serde::Serialize;
use time::Duration;
use uuid::Uuid;

use pippost_language::Language;
use pippost_notices::{
    ChallengeContent, ClubContent, ExpiredContent, GameContent, Headline, InvitationContent, Links,
};
use pippost_store::notices::NoticeKind;

/// The most characters of a title and of a body: push services take 4,096 bytes in all, and browsers show less.
pub const MAX_TITLE_CHARS: usize = 120;
pub const MAX_BODY_CHARS: usize = 400;

/// How long a notice is worth telling, from its writing on.
const TURN_LIFETIME: Duration = Duration::days(3);
const NEWS_LIFETIME: Duration = Duration::days(7);

/// A message as the service worker reads it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct PushMessage {
    pub kind: &'static str,
    pub title: String,
    pub body: String,
    /// The page that a click opens. It shows the game as it is then.
    pub link: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub game: Option<Uuid>,
    /// The newest event that the message shows.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub seq: Option<u64>,
    pub language: &'static str,
    /// A newer message with the same tag replaces this one, at the push service and on the screen.
    pub tag: String,
}

/// How long a notice of a kind is worth telling.
pub(super) fn lifetime(kind: NoticeKind) -> Duration {
    match kind {
        NoticeKind::Turn | NoticeKind::Reminder => TURN_LIFETIME,
        _ => NEWS_LIFETIME,
    }
}

/// How soon a device that saves power is to be woken (RFC 8030).
pub(super) fn urgency(kind: NoticeKind) -> &'static str {
    match kind {
        NoticeKind::Reminder => "high",
        NoticeKind::Turn | NoticeKind::Invitation | NoticeKind::Challenge | NoticeKind::Message => "normal",
        _ => "low",
    }
}

/// The tag of a game's messages of a kind: of all that ask to act one, so that the newest replaces the others. A notice about no game has
/// one of its own. It is a topic of RFC 8030.
fn tag(kind: NoticeKind, id: Uuid) -> String {
    let letter = match kind {
        NoticeKind::Turn | NoticeKind::Reminder => 't',
        NoticeKind::Invitation => 'i',
        NoticeKind::Message => 'm',
        NoticeKind::Challenge | NoticeKind::Club => 'n',
        _ => 'g',
    };
    format!("{letter}{}", URL_SAFE_NO_PAD.encode(id.as_bytes()))
}

impl PushMessage {
    /// About a game, or else about what the notice with this id tells.
    fn new(kind: NoticeKind, id: Uuid, language: Language, headline: &Headline) -> Self {
        let is_of_game = !matches!(kind, NoticeKind::Challenge | NoticeKind::Club);
        Self {
            kind: kind.as_str(),
            title: shortened(&headline.title, MAX_TITLE_CHARS),
            body: shortened(&headline.body, MAX_BODY_CHARS),
            link: String::new(),
            game: is_of_game.then_some(id),
            seq: None,
            language: language.tag(),
            tag: tag(kind, id),
        }
    }

    /// About a game.
    #[must_use]
    pub(super) fn of_game(kind: NoticeKind, content: &GameContent, reader: &Reader<'_>) -> Self {
        let headline = Headline::of_game(content, reader.language, &reader.zone);
        let link = reader.links.to(&format!("/games/{}", content.game_id));
        let message = Self::new(kind, content.game_id, reader.language, &headline);
        Self { link, seq: Some(content.seq.get()), ..message }
    }

    /// An invitation. Its link lets the player into a private game.
    #[must_use]
    pub(super) fn of_invitation(content: &InvitationContent, reader: &Reader<'_>) -> Self {
        let headline = Headline::of_invitation(content, reader.language);
        let message = Self::new(NoticeKind::Invitation, content.game_id, reader.language, &headline);
        Self { link: content.link.clone(), ..message }
    }

    /// A challenge.
    #[must_use]
    pub(super) fn of_challenge(notice_id: Uuid, content: &ChallengeContent, reader: &Reader<'_>) -> Self {
        let headline = Headline::of_challenge(content, reader.language, &reader.zone);
        let message = Self::new(NoticeKind::Challenge, notice_id, reader.language, &headline);
        Self { link: content.link.clone(), ..message }
    }

    /// What happened about a club.
    #[must_use]
    pub(super) fn of_club(notice_id: Uuid, content: &ClubContent, reader: &Reader<'_>) -> Self {
        let headline = Headline::of_club(content, reader.language);
        let message = Self::new(NoticeKind::Club, notice_id, reader.language, &headline);
        Self { link: content.link.clone(), ..message }
    }

    /// A game that has expired.
    #[must_use]
    pub(super) fn of_expired(content: &ExpiredContent, reader: &Reader<'_>) -> Self {
        let headline = Headline::of_expired(content, reader.language);
        let message = Self::new(NoticeKind::GameExpired, content.game_id, reader.language, &headline);
        Self { link: content.link.clone(), ..message }
    }
}

/// For whom a message is put into words.
pub(super) struct Reader<'a> {
    pub language: Language,
    pub zone: pippost_clock::Zone,
    pub links: &'a Links,
}

fn shortened(text: &str, most: usize) -> String {
    if text.chars().count() <= most {
        return text.to_owned();
    }
    let mut short: String = text.chars().take(most - 1).collect();
    short.push('…');
    short
}
