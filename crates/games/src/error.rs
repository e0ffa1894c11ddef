//! Refusals and failures of requests to games.

use std::ops::RangeInclusive;

use serde_json::Value;
use time::OffsetDateTime;
use uuid::Uuid;

use crate::playing::length::MAX_EVENTS;
use crate::viewing::view::GameView;
use pippost_accounts::Reached;
use pippost_language::Language;
use pippost_record::record::{ActRefused, Timestamp};
use pippost_record::rules::{Incomplete, OptionsRefused, Unreadable};
use pippost_store::StoreError;
use pippost_store::stored_responses::KeyReused;

/// A refusal, with what the player needs to continue.
#[derive(Debug, thiserror::Error)]
pub enum GameError {
    #[error("there is no such game")]
    NotFound,
    #[error("there is no rule set `{0}`")]
    UnknownRules(String),
    #[error(transparent)]
    Options(#[from] OptionsRefused),
    #[error("{field}: {why}")]
    InvalidValue { field: &'static str, why: String },
    #[error("these options are for {} to {} players", .0.start(), .0.end())]
    SeatsNotPossible(RangeInclusive<u8>),
    #[error("time_control: {0}")]
    ControlNotPossible(String),
    #[error("{0}")]
    SubstitutesNotPossible(String),
    #[error("{0}")]
    OrdersNotPossible(String),
    #[error("{field}: {why}")]
    NoSuchPosition { field: &'static str, why: String },
    #[error("{0}")]
    MessageRefused(String),
    #[error("the operator has muted you{}", until.map_or_else(String::new, |until| format!(" until {}", Timestamp::new(until))))]
    Muted { until: Option<OffsetDateTime> },
    #[error("this is no receipt, or no key of this server signed it")]
    ForeignReceipt,
    #[error("the game has no seat left")]
    Full,
    #[error("you are in this game already")]
    AlreadyJoined,
    #[error("you are not in this game")]
    NotJoined,
    #[error("the game has started")]
    Started,
    #[error("the game was cancelled before it started")]
    Cancelled,
    #[error("the game has not started")]
    NotStarted,
    #[error("confirm your own e-mail address first")]
    AddressNotConfirmed,
    #[error("no more invitations go out for this game")]
    TooManyInvitations,
    #[error("you have invited many to games that still wait; wait until they start, or a week")]
    TooManyInvitationsWait,
    #[error("many of your games wait for players; leave some of them first")]
    TooManyOpenGames,
    #[error("you begin no other game: the limit `{limit}` of {most} is reached")]
    QuotaReached { limit: &'static str, most: u64 },
    #[error("the limit `{limit}` of {most} is reached; take one away first")]
    TooManyMarked { limit: &'static str, most: u64 },
    #[error("this server is no sandbox: it chooses the chance of its games, and nobody else does")]
    SeedRefused,
    #[error("you have said much at this table; wait a while")]
    TooManyMessages { retry_after_seconds: u64 },
    #[error("you have ended many games without a result; the next in {} s", .0.retry_after_seconds)]
    TooManyAborts(Reached),
    #[error("there is no such tournament")]
    NoSuchTournament,
    #[error("{0}")]
    TournamentRefused(&'static str),
    #[error("there is no player called {0}")]
    UnknownPlayer(String),
    #[error("the game is at event {}, not where this move expected it", .0.seq.unwrap_or_default())]
    Stale(Box<GameView>),
    #[error("the game is at event {}; `If-Match` must name it as a strong tag, such as \"{}\"", .0.seq.unwrap_or_default(), .0.seq.unwrap_or_default())]
    PreconditionFailed(Box<GameView>),
    #[error("action {index}: cannot read this: {}", Language::default().tell(&unreadable.why, &[]))]
    Unreadable { index: usize, unreadable: Unreadable },
    #[error("`{text}`: cannot read this: {}", Language::default().tell(&unreadable.why, &[]))]
    UnreadableOrder { text: String, unreadable: Unreadable },
    #[error("action {index} is not complete: {}", Language::default().tell(&incomplete.why(), &[]))]
    Incomplete { index: usize, incomplete: Incomplete },
    #[error("{}", words_of(refused, Language::default()))]
    Refused {
        index: usize,
        refused: ActRefused,
        /// The legal actions, if it is the player's turn.
        legal: Vec<Value>,
        game: Box<GameView>,
    },
    #[error(
        "action {index} draws or reveals something, so in a list that is done all or none it can only be the last"
    )]
    DrawsBeforeLast {
        /// The action that draws, and the text that was sent for it.
        index: usize,
        action: Value,
        legal: Vec<Value>,
        game: Box<GameView>,
    },
    #[error("something is hidden at this position still, so nobody may play on from it")]
    AnalysisHidden,
    #[error("action {index}: chance cannot bring that in draw {draw}{}", listed(possible))]
    ChanceNotPossible {
        index: usize,
        draw: usize,
        /// The outcomes that this draw can have; none if there is no such draw.
        possible: Vec<String>,
    },
    #[error("action {index} waits for an outcome of chance{}, so no action can follow it", listed(possible))]
    ChanceOpen { index: usize, possible: Vec<String> },
    #[error(
        "a game has at most {MAX_EVENTS} events, and this one has room for {left} more actions; you can still resign"
    )]
    TooLong { left: u64 },
    #[error("the clock of this game has been changed as often as a clock may be")]
    ClockLogFull,
    #[error("{0}")]
    ClockRefused(&'static str),
    #[error("your time has run out, and your seat waits for a substitute")]
    SeatVacant,
    #[error("this Idempotency-Key was used for another request")]
    KeyReused,
    #[error("other moves kept getting in first")]
    Contended,
    #[error("no worker of this server has worked lately, so it is not known yet which time counts")]
    NoWorker,
    #[error("this game is long, and its past is being made ready")]
    NotReady,
    #[error("game {0} holds something unreadable: {1}")]
    Corrupt(Uuid, String),
    #[error("records could not be packed: {0}")]
    Packing(String),
    #[error(transparent)]
    Store(#[from] StoreError),
    #[error("the public beacon: {0}")]
    Beacon(#[from] pippost_keys::beacon::BeaconFailed),
    #[error(transparent)]
    Keys(#[from] pippost_keys::KeyError),
}

impl From<KeyReused> for GameError {
    fn from(_: KeyReused) -> Self {
        Self::KeyReused
    }
}

/// Why an act was refused, as text for the player.
#[must_use]
pub fn words_of(refused: &ActRefused, language: Language) -> String {
    refused.sentence().map_or_else(|| refused.to_string(), |sentence| language.tell(sentence, &[]))
}

/// The possible outcomes of a draw, in brackets; nothing if there are none.
fn listed(possible: &[String]) -> String {
    if possible.is_empty() { String::new() } else { format!(" (it can be {})", possible.join(", ")) }
}
