//! What a player requests in a running game.

use serde::Serialize;
use serde_json::Value;
use uuid::Uuid;

use pippost_keys::secret::sha256;
use pippost_store::Seq;
use pippost_store::stored_responses::{Repeated, RequestKey};

/// The longest `Idempotency-Key`, in characters.
pub const MAX_KEY_LENGTH: usize = 128;

/// A key under which a repeated request gets the same response: 1 to 128 visible ASCII characters.
#[derive(Clone, Debug)]
pub struct IdempotencyKey {
    text: String,
    repeated: Repeated,
}

impl IdempotencyKey {
    /// `None` if it is empty, too long, or holds anything but visible ASCII.
    #[must_use]
    pub fn parse(text: &str) -> Option<Self> {
        let fits =
            (1..=MAX_KEY_LENGTH).contains(&text.len()) && text.bytes().all(|byte| byte.is_ascii_graphic());
        fits.then(|| Self { text: text.to_owned(), repeated: Repeated::default() })
    }

    #[must_use]
    pub fn as_str(&self) -> &str {
        &self.text
    }

    /// Learns whether a stored response is the answer.
    #[must_use]
    pub fn repeated(&self) -> &Repeated {
        &self.repeated
    }

    /// The key with a digest of what is asked for under it.
    #[must_use]
    pub fn with_fingerprint(&self, fingerprint: Vec<u8>) -> RequestKey {
        RequestKey { key: self.text.clone(), fingerprint, repeated: self.repeated.clone() }
    }
}

/// What the player wants to do.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Command {
    /// Actions of the rules, in order.
    Actions(Vec<Value>),
    /// The same in notation, separated by `;`.
    Notation(String),
    Resign,
    Abort,
}

/// How a list of actions is carried out.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum ListMode {
    /// The list is one move: all actions are done or none. Only the last may need chance.
    #[default]
    AllOrNothing,
    /// Each action is a move of its own, in order, up to the first that is not legal any more.
    Each,
}

/// A command with its conditions.
#[derive(Clone, Debug)]
pub struct ActRequest {
    pub command: Command,
    pub mode: ListMode,
    /// The `seq` that the player saw. If it is given, the command is refused once the game has newer events.
    pub expected_seq: Option<Seq>,
    /// The events that the player allows to be the newest, as given in `If-Match`.
    pub if_match: Option<Vec<Seq>>,
    pub key: Option<IdempotencyKey>,
}

impl ActRequest {
    /// The request's key, if it has one, with a digest that tells requests under one key apart.
    pub(crate) fn request_key(&self, game: Uuid) -> Option<RequestKey> {
        self.key.as_ref().map(|key| key.with_fingerprint(self.fingerprint(game)))
    }

    fn fingerprint(&self, game: Uuid) -> Vec<u8> {
        let mode = Some(self.mode).filter(|mode| *mode != ListMode::default());
        let if_match = self.if_match.as_ref().map(|seqs| seqs.iter().copied().map(Seq::get).collect());
        let expected_seq = self.expected_seq.map(Seq::get);
        let asked = Fingerprint { command: &self.command, expected_seq, game, mode, if_match };
        sha256(&serde_json::to_vec(&asked).expect("plain data")).to_vec()
    }
}

/// The input of a fingerprint, in the order of its JSON.
#[derive(Serialize)]
struct Fingerprint<'a> {
    /// Stored fingerprints were made under this name.
    #[serde(rename = "deed")]
    command: &'a Command,
    expected_seq: Option<u64>,
    game: Uuid,
    /// Left out if it is the default: some stored fingerprints are older than the mode.
    #[serde(skip_serializing_if = "Option::is_none")]
    mode: Option<ListMode>,
    /// Left out without the header, for the same reason.
    #[serde(skip_serializing_if = "Option::is_none")]
    if_match: Option<Vec<u64>>,
}
