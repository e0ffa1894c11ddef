//! The verifier: checks a record, with or without footer, and needs nothing else.
//!
//! Each of the four checks covers the whole record before the next begins. The first check that fails names the first event
//! that fails it (PROTOCOL.md, "Verifying").

mod chain;
mod footer;
mod form;
mod line;
mod proof;
mod replay;

use std::fmt;

use serde::Serialize;

use super::event::GameResult;
use super::table::ActRefused;
use crate::rules::Sentence;

pub use replay::Played;

/// The largest record that is read, in bytes. The longest known games are far smaller.
pub const MAX_RECORD_BYTES: usize = 256 * 1024 * 1024;

/// The largest text that is parsed to a value, in bytes: the header, the footer, an action, and effects that are told in words.
/// A value takes up to forty times the bytes of its text, and no game needs a tenth of this.
pub const MAX_VALUE_BYTES: usize = 64 * 1024;

/// Where a record fails.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Location {
    Header,
    Event(u64),
    Footer,
}

impl fmt::Display for Location {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Header => out.write_str("header"),
            Self::Event(seq) => write!(out, "event {seq}"),
            Self::Footer => out.write_str("footer"),
        }
    }
}

/// The checks, by their numbers.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Check {
    Form = 1,
    Chain = 2,
    Replay = 3,
    Proof = 4,
}

impl Check {
    /// The number of checks.
    pub const COUNT: u8 = 4;

    /// Its number in the protocol, from 1.
    #[must_use]
    pub fn number(self) -> u8 {
        self as u8
    }

    /// What it checks, in a word.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Form => "form",
            Self::Chain => "chain",
            Self::Replay => "replay",
            Self::Proof => "proof",
        }
    }

    /// What its failure means for a player.
    #[must_use]
    pub fn meaning(self) -> &'static str {
        match self {
            Self::Form => "this is not written as records are: it was damaged or edited, or it is no record",
            Self::Chain => {
                "the lines do not belong together: something was changed, put in or taken out afterwards"
            }
            Self::Replay => "played again by the rules, the game goes another way than the record says",
            Self::Proof => "the secret that the server was bound to does not give what the record says",
        }
    }
}

/// Why a record is refused.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{place}: {why}")]
pub struct Failure {
    pub check: Check,
    pub place: Location,
    pub why: Why,
}

/// The error, for a player.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Why {
    /// In words.
    Words(String),
    /// A message of the game's rules.
    Rules(Sentence),
}

impl std::fmt::Display for Why {
    fn fmt(&self, out: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::Words(words) => out.write_str(words),
            Self::Rules(sentence) => sentence.fmt(out),
        }
    }
}

impl From<String> for Why {
    fn from(words: String) -> Self {
        Self::Words(words)
    }
}

impl From<&str> for Why {
    fn from(words: &str) -> Self {
        Self::Words(words.to_owned())
    }
}

impl From<ActRefused> for Why {
    fn from(refused: ActRefused) -> Self {
        let said = refused.sentence().cloned();
        said.map_or_else(|| Self::Words(refused.to_string()), Self::Rules)
    }
}

impl Failure {
    fn new(check: Check, place: Location, why: impl Into<Why>) -> Self {
        Self { check, place, why: why.into() }
    }
}

/// The content of a valid record.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Verified {
    pub game: uuid::Uuid,
    pub rules: String,
    pub players: Vec<String>,
    pub events: u64,
    /// The result, if the game is over.
    pub result: Option<GameResult>,
    /// True with a footer: the master proves the commitment and every seed.
    pub proved: bool,
    /// A player chose the master, so the record proves nothing; `proved` is false then.
    pub sandbox: bool,
}

/// Verifies a whole record.
///
/// # Errors
/// [`Failure`] names the first event that fails the first check that fails.
pub fn verify(record: &[u8]) -> Result<Verified, Failure> {
    walk(record, |_| {})
}

/// Verifies a whole record and calls `visit` with every event and the game after it. What `visit` gets is reliable only if this
/// returns a result, because the last check comes after.
///
/// # Errors
/// As [`verify`].
pub fn walk(record: &[u8], visit: impl FnMut(&Played<'_>)) -> Result<Verified, Failure> {
    if record.len() > MAX_RECORD_BYTES {
        let why = format!("a record has at most {MAX_RECORD_BYTES} bytes");
        return Err(Failure::new(Check::Form, Location::Header, why));
    }
    let form = form::check(record)?;
    let seeds = chain::check(&form)?;
    let result = replay::check(&form, &seeds, visit)?;
    if let Some(footer) = &form.footer {
        proof::check(&form, footer, result.as_ref())?;
    }
    Ok(Verified {
        game: form.header.id,
        rules: form.header.rules.clone(),
        players: form.header.players.iter().map(|player| player.name.clone()).collect(),
        events: form.events.len() as u64,
        result,
        proved: form.footer.is_some() && !form.header.is_sandbox(),
        sandbox: form.header.is_sandbox(),
    })
}
