//! The content of an answer to a player's mail, before it is rendered.

use serde::{Deserialize, Serialize};

use super::content::{DigestContent, GameContent};

/// The result of a player's mail.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "verdict", rename_all = "snake_case")]
pub enum Verdict {
    /// At least one action was done.
    Moved {
        /// The actions done, in notation and in order.
        #[serde(default)]
        done: Vec<String>,
        /// Why the remaining actions were not done.
        #[serde(default)]
        stopped: Option<Stopped>,
    },
    Resigned,
    /// The mail changed nothing in the game: it asked a question or held a message to the table.
    Told,
    /// The mail has no text above the quote.
    Empty,
    /// `part` cannot be read, so nothing was done.
    Unreadable {
        part: String,
        /// The understood beginning of `part`; may be empty.
        #[serde(default)]
        understood: String,
        why: String,
    },
    /// `part` is only the beginning of one or several actions, so nothing was done; `why` lists them.
    Incomplete {
        part: String,
        why: String,
    },
    /// No line is an order, so nothing was done; [`Answer::left_out`] lists the lines.
    NoOrder,
    /// The mail holds something for a game and names none.
    NoGame,
    /// The game has not started.
    NotStarted,
    /// The orders are not sure to be meant: the player is asked, and plays them by the answer `yes`.
    Asked {
        /// The actions, in notation and in order.
        actions: Vec<String>,
        /// The player wanted to see them before.
        #[serde(default)]
        preview: bool,
    },
    /// The player answered `no` to what was asked.
    Declined,
    /// The player agreed with the pause, or its end, that the answered mail proposes.
    PauseAgreed,
    PauseDeclined,
    /// What the answered mail proposes does not wait for the player any more.
    PauseGone,
    /// The player answered `yes` or `no` to a mail that asks nothing.
    NothingAsked,
    /// The address to which the answered mail went is confirmed.
    Confirmed,
    /// The mail holds more than is read, so nothing was done.
    TooMuch,
    /// The mail is encrypted or packed with its signature, so nothing was read.
    Sealed,
    /// The player has sent as many mails as are read in a day.
    TooManyMails,
    /// `part` was read but is not legal, so nothing was done.
    Illegal {
        part: String,
        why: String,
    },
    /// It is somebody else's turn.
    NotYourTurn,
    /// The player has resigned or run out of time.
    Left,
    GameOver,
    /// The game has the maximum number of events; its players can still resign.
    TooLong,
    /// The game has moved on since the answered mail was sent.
    Late,
    /// The answered mail had already been answered.
    Used,
    /// The answered mail is too old.
    Expired,
    /// The sender's address is not the player's.
    OtherAddress,
    /// The mail has no sender, or several.
    NoSender,
    /// The receiving mail server reports a forged sender.
    Forged,
    /// To resign, the player must confirm it with this word.
    ConfirmResign {
        word: String,
    },
    /// Processing began, but its outcome was never recorded.
    Unknown,
}

/// Why the orders of a mail stopped before the last one.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Stopped {
    pub reason: StopReason,
    /// The order that was not done.
    pub part: String,
    /// The understood beginning of an order that cannot be read.
    #[serde(default)]
    pub understood: String,
    /// Set for [`StopReason::Unreadable`] and [`StopReason::Illegal`].
    #[serde(default)]
    pub why: String,
    /// The orders after it, which were not tried.
    #[serde(default)]
    pub rest: Vec<String>,
}

/// Why the orders stopped.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum StopReason {
    Unreadable,
    Illegal,
    /// The order before it ended the player's turn.
    TurnOver,
    /// The order before it ended the game.
    GameOver,
    /// The game has the maximum number of events.
    TooLong,
}

impl Verdict {
    /// Whether the mail changed the game.
    #[must_use]
    pub fn acted(&self) -> bool {
        matches!(self, Self::Moved { .. } | Self::Resigned)
    }

    /// Whether the mail answered what was asked, or acted.
    #[must_use]
    pub fn is_effective(&self) -> bool {
        let answers =
            matches!(self, Self::Declined | Self::PauseAgreed | Self::PauseDeclined | Self::Confirmed);
        self.acted() || answers
    }

    /// Whether the mail was refused.
    #[must_use]
    pub fn is_refusal(&self) -> bool {
        !self.is_effective() && !matches!(self, Self::Told | Self::ConfirmResign { .. } | Self::Unknown)
    }

    /// Whether somebody else may have written the mail. If so, nothing else in it is carried out.
    #[must_use]
    pub fn is_of_a_stranger(&self) -> bool {
        matches!(self, Self::OtherAddress | Self::NoSender | Self::Forged)
    }

    /// Whether a list of legal actions helps the player.
    #[must_use]
    pub fn wants_list(&self) -> bool {
        let stopped = matches!(
            self,
            Self::Moved {
                stopped: Some(Stopped { reason: StopReason::Unreadable | StopReason::Illegal, .. }),
                ..
            }
        );
        stopped
            || matches!(
                self,
                Self::Empty
                    | Self::NoOrder
                    | Self::Unreadable { .. }
                    | Self::Incomplete { .. }
                    | Self::Illegal { .. }
            )
    }
}

/// What happened to the message to the table.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum TableFate {
    /// The mail held no message.
    #[default]
    None,
    Told,
    /// A part was sent, which the answer repeats; what followed looks like a signature or a quote.
    Part,
    /// Nothing of the player's stands below the mark.
    Empty,
    /// The text looks like a signature or a quote.
    Signature,
    /// The message contains a personal link or address of this server.
    Address,
    TooLong,
    /// The player has sent too many messages in the last hour.
    TooMany,
    /// An operator has muted the player.
    Muted,
    /// The message was not sent because the mail was refused.
    NotTold,
}

/// What became of orders for later.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum OrdersFate {
    /// The mail was not about them.
    #[default]
    None,
    /// They hold, in place of those that were there.
    Given,
    /// The player asked for them.
    Shown,
    Cancelled,
    /// Nothing was taken because not all of the mail could be done.
    NotTaken,
    /// The mail did not say it clearly.
    Unsure,
    /// It is still the player's turn.
    YourTurn,
    /// The game has moved on.
    Late,
    TooMany,
}

/// Declares what can come of a request, each with the end of the key of its words.
macro_rules! request_results {
    ($($result:ident = $key:literal,)+) => {
        /// What came of something in a mail that is no move. The catalogue has its words: `answer-did-<key>`.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
        pub enum RequestResult { $(#[serde(rename = $key)] $result,)+ }

        impl RequestResult {
            pub const ALL: &[Self] = &[$(Self::$result),+];

            /// The key of its words.
            #[must_use]
            pub fn text_key(self) -> &'static str {
                match self { $(Self::$result => concat!("answer-did-", $key),)+ }
            }
        }
    };
}

request_results! {
    Declined = "declined",
    Full = "full",
    Gone = "gone",
    Holiday = "holiday",
    HolidayOver = "holiday-over",
    HolidayTwice = "holiday-twice",
    InAlready = "in-already",
    Invited = "invited",
    JoinUnsure = "join-unsure",
    JoinWhich = "join-which",
    Joined = "joined",
    ManyGames = "many-games",
    ManyInvitations = "many-invitations",
    NoDays = "no-days",
    NoHoliday = "no-holiday",
    NoNumber = "no-number",
    NoOptions = "no-options",
    NoPause = "no-pause",
    NoPlayer = "no-player",
    NoRules = "no-rules",
    NoSeats = "no-seats",
    NoneOpen = "none-open",
    NoneToInviteTo = "none-to-invite-to",
    NotConfirmed = "not-confirmed",
    NotIn = "not-in",
    NotOver = "not-over",
    Notation = "notation",
    Note = "note",
    NoteGone = "note-gone",
    NoteKept = "note-kept",
    NoteLong = "note-long",
    NoteNone = "note-none",
    Nothing = "nothing",
    Opened = "opened",
    PauseProposed = "pause-proposed",
    Rematch = "rematch",
    ResumeProposed = "resume-proposed",
    Started = "started",
    TooOften = "too-often",
    WhichGame = "which-game",
}

/// What came of a request, and what its words name.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct RequestOutcome {
    pub result: RequestResult,
    /// The player's own number of the game that it is about.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub number: Option<i32>,
    /// A rule set, people, days or a note.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub about: String,
    /// More of it, such as the last day.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub more: String,
}

impl RequestOutcome {
    /// An outcome whose words name something.
    #[must_use]
    pub fn new(result: RequestResult, about: impl Into<String>) -> Self {
        Self { result, number: None, about: about.into(), more: String::new() }
    }

    /// An outcome whose words name nothing.
    #[must_use]
    pub fn of(result: RequestResult) -> Self {
        Self::new(result, "")
    }
}

/// The answer to a mail.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[allow(clippy::struct_excessive_bools, reason = "each is said or not, whatever the others are")]
pub struct Answer {
    #[serde(flatten)]
    pub verdict: Verdict,
    /// Show the latest events, not only those since the player's last move.
    pub history: bool,
    /// Explain how to write orders.
    pub help: bool,
    #[serde(default)]
    pub table: TableFate,
    /// What was sent, for [`TableFate::Part`].
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub told: Option<String>,
    /// Lines that are not orders, shortened.
    #[serde(default)]
    pub left_out: Vec<String>,
    /// Preferences were changed.
    #[serde(default)]
    pub preferences: bool,
    /// Mails about turns and reminders are switched off.
    #[serde(default)]
    pub unsubscribed: bool,
    #[serde(default)]
    pub orders: OrdersFate,
    /// The orders for later that hold now, for [`OrdersFate::Given`] and [`OrdersFate::Shown`].
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub order_lines: Vec<String>,
    /// What came of what is no move.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub outcomes: Vec<RequestOutcome>,
    /// List the player's games.
    #[serde(default)]
    pub games: bool,
    /// Tell who plays.
    #[serde(default)]
    pub who: bool,
    /// The receiving mail server doubts the sender.
    #[serde(default)]
    pub doubted: bool,
}

impl Answer {
    /// An answer with only a verdict.
    #[must_use]
    pub fn new(verdict: Verdict) -> Self {
        Self {
            verdict,
            history: false,
            help: false,
            table: TableFate::None,
            told: None,
            left_out: Vec::new(),
            preferences: false,
            unsubscribed: false,
            orders: OrdersFate::None,
            order_lines: Vec::new(),
            outcomes: Vec::new(),
            games: false,
            who: false,
            doubted: false,
        }
    }
}

/// The content of a mail that answers a player's mail.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct AnswerContent {
    /// The game as it is now; with `history` of the answer, `happened` begins earlier. `None`: the mail is about no game that has started.
    pub game: Option<GameContent>,
    /// The player's games, if the mail asks for them.
    pub games: Option<DigestContent>,
    /// Who plays, a line each, if the mail asks for it.
    pub who: Vec<String>,
    pub answer: Answer,
    /// How to write the rule set's notation, in one or two sentences.
    pub notation_help: String,
    /// The legal actions in notation, if the answer lists them.
    pub legal: Vec<String>,
    /// The number of legal actions that are not listed.
    pub more_legal: usize,
    /// The answers to other mails, sent together with this one.
    pub also: Vec<Answer>,
    /// The number of other mails that are not listed.
    pub more_also: usize,
}
