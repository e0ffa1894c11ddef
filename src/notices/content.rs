//! What a mail says, before it is put into words: filled by those who know, rendered by `mail`.

use bytes::Bytes;
use futures_util::FutureExt;
use futures_util::future::BoxFuture;
use time::{Duration, OffsetDateTime};
use uuid::Uuid;

use super::answer::AnswerContent;
use crate::language::Language;

/// What a mail about a running game is for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum GameMailKind {
    /// It is the player's turn.
    Turn,
    /// A quarter of the time is left.
    Reminder,
    Started,
    Over,
}

/// A mail to one player about one game. Every text is plain, and shows only what that player may see.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct GameContent {
    pub kind: GameMailKind,
    pub game_id: Uuid,
    /// The game's last event, which the mail shows: what an answer to it is bound to.
    pub seq: u64,
    /// The rule set as people write it, as in `Pip•Pip`.
    pub rules_title: String,
    /// The handles of all the others, in the order of their seats.
    pub opponents: Vec<String>,
    /// What happened since the player's last move, in sentences, oldest first. Empty when nothing has.
    pub happened: Vec<String>,
    /// Whether that begins after a move of the player's, and not with the game.
    pub has_moved: bool,
    /// The player's view of the board: plain ASCII lines of at most 78 columns.
    pub board: String,
    /// The same as a picture; `None` where none could be drawn.
    pub picture: Option<BoardPicture>,
    /// What is asked of the player, in one sentence, as in `You rolled a 4: place it or store it.`; `None` when nothing is.
    pub to_do: Option<String>,
    /// Some of the legal actions in notation, as examples of how to answer.
    pub legal_notation: Vec<String>,
    /// When the player's flag falls; `None` without a limit, or when nothing is asked.
    pub deadline: Option<OffsetDateTime>,
    /// From now to the deadline.
    pub time_left: Option<Duration>,
    /// How the game ended, in one sentence, as in `You won by 23 points to 17.`; `None` while it runs.
    pub result: Option<String>,
    /// Where to look at the game and to answer.
    pub link: String,
}

/// A picture of the board, drawn for the player who gets the mail.
#[derive(Clone, PartialEq, Eq)]
pub struct BoardPicture {
    pub png: Bytes,
    /// Width to show it at, in pixels; the picture itself may have more.
    pub width_px: u32,
    /// What it shows, for those who do not see it.
    pub alt: String,
}

impl std::fmt::Debug for BoardPicture {
    fn fmt(&self, out: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let hash = crate::keys::secret::sha256(&self.png);
        write!(out, "BoardPicture({}, {} px, {})", hex::encode(hash), self.width_px, self.alt)
    }
}

/// A mail that asks somebody to join a game.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct InvitationContent {
    pub game_id: Uuid,
    pub rules_title: String,
    /// The handle of the player who invites.
    pub from: String,
    /// The handles of those who have joined, the one who invites among them if so.
    pub joined: Vec<String>,
    /// How many take part.
    pub seats: u8,
    /// Hours for each move; `None` without a limit.
    pub limit_hours: Option<i32>,
    /// Where to join.
    pub link: String,
}

/// A mail about all games of a player at once.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct DigestContent {
    /// Where it is the player's turn, the most urgent first; never empty in a mail that is sent.
    pub mine: Vec<DigestGame>,
    /// Where others are to move.
    pub others: Vec<DigestGame>,
}

/// One game in a [`DigestContent`].
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DigestGame {
    pub rules_title: String,
    /// The handles of all the others, in the order of their seats.
    pub opponents: Vec<String>,
    /// What is asked of the player, in one sentence; `None` when somebody else is to move.
    pub to_do: Option<String>,
    /// The handle of the player to move, if it is somebody else.
    pub waits_for: Option<String>,
    /// When the player's flag falls; `None` without a limit, or when nothing is asked.
    pub deadline: Option<OffsetDateTime>,
    /// From now to the deadline.
    pub time_left: Option<Duration>,
    /// Where to look at the game and to answer.
    pub link: String,
}

/// What a mail about an account is for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum AccountMailKind {
    ConfirmEmail,
    ResetPassword,
    /// Somebody gave the reader's address for another account; carries a link that sets a new password.
    AddressInUse,
    /// The account has another address from now on; carries no link but to the server.
    AddressChanged,
}

/// A mail that carries a link for an account.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct AccountContent {
    pub kind: AccountMailKind,
    pub link: String,
    /// When the link stops working.
    pub expires_at: OffsetDateTime,
}

/// Why a mail could not be filled. For the log.
pub type ContentError = Box<dyn std::error::Error + Send + Sync>;

/// Those who know the games and fill mails about them. `Ok(None)`: the notice is overtaken by events.
pub trait MailContents: Send + Sync {
    /// The mail that tells `player_id` of the event `seq`, in `language`. Overtaken when the player has moved since, or, of an event that
    /// asked for a move, when the game is over.
    fn game(
        &self,
        game_id: Uuid,
        player_id: Uuid,
        seq: i64,
        kind: GameMailKind,
        language: Language,
    ) -> BoxFuture<'_, Result<Option<GameContent>, ContentError>>;

    /// The mail that tells `player_id` of all running games, in `language`. Overtaken when none of them waits for the player.
    fn digest(
        &self,
        player_id: Uuid,
        language: Language,
    ) -> BoxFuture<'_, Result<Option<DigestContent>, ContentError>>;

    /// The mail in which `from_player_id` invites to a game. Overtaken when nobody can join it any more.
    fn invitation(
        &self,
        game_id: Uuid,
        from_player_id: Uuid,
    ) -> BoxFuture<'_, Result<Option<InvitationContent>, ContentError>>;

    /// The mail that answers the mail `reply_id`. `Ok(None)`: there is no such mail.
    fn answer(
        &self,
        _reply_id: Uuid,
        _language: Language,
    ) -> BoxFuture<'_, Result<Option<AnswerContent>, ContentError>> {
        async { Ok(None) }.boxed()
    }
}
