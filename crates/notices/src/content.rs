//! The contents of mails, filled by `games` and rendered by `mail`.

use bytes::Bytes;
use futures_util::FutureExt;
use futures_util::future::BoxFuture;
use time::{Date, Duration, OffsetDateTime};
use uuid::Uuid;

use super::answer::AnswerContent;
use pippost_clock::TimeControl;
use pippost_language::Language;
use pippost_store::Seq;
use pippost_store::clubs::Told;
use pippost_store::moderation::{ActKind, ReportReason};
use pippost_store::notices::NoticeKind;

/// The content of a mail to one player about one game. Every text is plain and shows only what that player may see.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct GameContent {
    pub kind: NoticeKind,
    pub game_id: Uuid,
    /// The player's own number of the game.
    pub number: Option<i32>,
    /// The newest event that the mail shows; an answer is bound to it.
    pub seq: Seq,
    /// The rule set as people write it.
    pub rules_title: String,
    /// What its creator has called it; in no subject, since it is a player's text.
    pub game_title: Option<String>,
    /// The handles of all the others, in the order of their seats.
    pub opponents: Vec<String>,
    /// Sentences about events since the player's last move, oldest first; empty if there are none.
    pub happened: Vec<String>,
    /// Whether they begin after a move of the player, and not with the game.
    pub has_moved: bool,
    /// What others have written, in a mail about that: sentences, oldest first.
    pub said: Vec<String>,
    /// The player's view of the board: plain ASCII lines of at most 78 columns.
    pub board: String,
    /// The board as a picture; `None` if it could not be drawn.
    pub picture: Option<BoardPicture>,
    /// What the player has to do, in one sentence, as in `You rolled a 4: place it or store it.`; `None` if nothing.
    pub to_do: Option<String>,
    /// Some of the legal actions in notation, as examples of how to answer.
    pub legal_notation: Vec<String>,
    /// When the player's time runs out; `None` without a limit, or if the player is not to act.
    pub deadline: Option<OffsetDateTime>,
    /// From now to the deadline.
    pub time_left: Option<Duration>,
    /// What is proposed about a pause, in a mail about that.
    pub pause: Option<PauseAsked>,
    /// The holiday that lasts, in a reminder.
    pub holiday: Option<HolidayTold>,
    /// The seat that is or was offered, in a mail about that.
    pub seat: Option<SeatTold>,
    /// How the game ended, in one sentence, as in `You won by 23 points to 17.`; `None` while it runs.
    pub result: Option<String>,
    /// Where to look at the game and to answer.
    pub link: String,
}

/// A proposal to pause all clocks of a game.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PauseAsked {
    /// The handle of the player who proposes it.
    pub by: String,
    /// None: the pause that lasts shall end.
    pub until: Option<OffsetDateTime>,
}

/// A holiday of the player, which may have begun by itself when the time ran out.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct HolidayTold {
    pub last_day: Date,
    pub days: u16,
    /// What is left of the year's days.
    pub left: u16,
}

/// A seat that is offered to a substitute, or that one has taken.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SeatTold {
    /// The handle of the player who had it.
    pub before: String,
    /// The handle of the player who has taken it; none: it is offered.
    pub taken_by: Option<String>,
    /// Until when somebody can take it, if its flag fell.
    pub until: Option<OffsetDateTime>,
}

/// A picture of the board, drawn for the recipient as PNG.
#[derive(Clone, PartialEq, Eq)]
pub struct BoardPicture {
    pub png: Bytes,
    /// The display width in pixels; the picture itself may have more.
    pub width_px: u32,
    /// A description for readers who do not see it.
    pub alt: String,
}

impl std::fmt::Debug for BoardPicture {
    fn fmt(&self, out: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let hash = pippost_keys::secret::sha256(&self.png);
        write!(out, "BoardPicture({}, {} px, {})", hex::encode(hash), self.width_px, self.alt)
    }
}

/// The content of an invitation.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct InvitationContent {
    pub game_id: Uuid,
    pub rules_title: String,
    /// The handle of the player who invites.
    pub from: String,
    /// The handles of those who have joined, including the inviting player if so.
    pub joined: Vec<String>,
    /// The number of seats.
    pub seats: u8,
    pub time_control: TimeControl,
    /// Whether a seat that is given up may be taken by a substitute.
    pub substitutes: bool,
    /// Where to join.
    pub link: String,
}

/// The content of a mail about a challenge on a ladder.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ChallengeContent {
    pub rules_title: String,
    /// Who challenges.
    pub from: String,
    /// Until when it may be answered.
    pub until: OffsetDateTime,
    /// Whether the reader is off the ladder if this one is not answered either.
    pub is_last: bool,
    /// The page of the ladder.
    pub link: String,
}

/// The content of a mail about a club.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ClubContent {
    pub told: Told,
    /// The name of the club; in no subject, since it is a player's text.
    pub club: String,
    /// Who asks, or has asked, to be let in.
    pub player: String,
    /// The page of the club.
    pub link: String,
}

/// The content of a mail about a game that was cancelled because it had not started in time.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ExpiredContent {
    pub game_id: Uuid,
    /// The player's own number of the game.
    pub number: Option<i32>,
    pub rules_title: String,
    /// The others who had joined, in joining order.
    pub others: Vec<String>,
    /// How many players were missing; 0 if it was full and the public random value did not come.
    pub missing: u8,
    pub created_at: OffsetDateTime,
    /// Where to create such a game again.
    pub link: String,
}

/// The content of a daily digest.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct DigestContent {
    /// Games in which the player is to act, the most urgent first. A mail that is sent has one, or news, or a problem.
    pub mine: Vec<DigestGame>,
    /// Games in which others are to act.
    pub others: Vec<DigestGame>,
    /// Games that wait for players; told in answers only.
    pub open: Vec<DigestGame>,
    /// What happened, oldest first.
    pub news: Vec<DigestNews>,
    /// How much more happened than is told.
    pub more_news: usize,
    pub problem: Option<DigestProblem>,
}

/// The problem of the day, without its answer.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DigestProblem {
    pub rules_title: String,
    /// The handle of the player who was to act.
    pub mover: String,
    /// What that player had to do, in one sentence.
    pub to_do: String,
    /// The board as that player saw it: plain ASCII lines of at most 78 columns.
    pub board: String,
    /// The board as a picture; `None` if it could not be drawn.
    pub picture: Option<BoardPicture>,
    /// Where to answer it.
    pub link: String,
    /// Where the answer to the problem of the day before stands; `None` if it was none, or this one.
    pub answer_before: Option<String>,
}

/// A notice that a digest tells.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum DigestNews {
    Game(Box<GameContent>),
    Invitation(InvitationContent),
    Challenge(ChallengeContent),
    Club(ClubContent),
    Expired(ExpiredContent),
}

/// One game in a [`DigestContent`].
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DigestGame {
    /// The player's own number of the game.
    pub number: Option<i32>,
    pub rules_title: String,
    /// The handles of all the others, in the order of their seats.
    pub opponents: Vec<String>,
    /// What the player has to do, in one sentence; `None` if somebody else is to act.
    pub to_do: Option<String>,
    /// The handle of the player to move, if it is somebody else.
    pub waits_for: Option<String>,
    /// When the player's time runs out; `None` without a limit, or if the player is not to act.
    pub deadline: Option<OffsetDateTime>,
    /// From now to the deadline.
    pub time_left: Option<Duration>,
    /// Where to look at the game and to answer.
    pub link: String,
}

/// The content of a mail with a link for an account.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct AccountContent {
    pub kind: NoticeKind,
    pub link: String,
    /// When the link expires.
    pub expires_at: OffsetDateTime,
}

/// The content of a mail about what an operator did about a player.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ModerationContent {
    pub kind: ActKind,
    pub reason: ReportReason,
    /// What the operator says to the player.
    pub words: String,
    /// When a mute ends; `None`: never.
    pub ends_at: Option<OffsetDateTime>,
    /// Where the player can appeal.
    pub link: String,
}

/// The content of a mail about a webhook that was switched off.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct WebhookContent {
    /// Where it led; the rest of its address may be a secret.
    pub host: String,
    pub failing_since: OffsetDateTime,
}

/// Why a content could not be made. For the log.
pub type ContentError = Box<dyn std::error::Error + Send + Sync>;

/// What is asked for about a game.
#[derive(Clone, Copy, Debug)]
pub struct AskedGame {
    pub game_id: Uuid,
    /// Who is told.
    pub player_id: Uuid,
    /// The event that it is about.
    pub seq: Seq,
    pub kind: NoticeKind,
    /// When the notice was written: what others wrote before that has been told.
    pub told_since: OffsetDateTime,
    pub language: Language,
    pub detail: Detail,
}

/// How much of a game is told.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Detail {
    Whole,
    /// Neither what has happened nor a picture: for what has room for a sentence or two.
    Brief,
}

/// Makes the contents of mails about games. `Ok(None)`: the notice is outdated.
pub trait MailContents: Send + Sync {
    /// A mail about a game. Outdated once the player has moved or, for an event after which the player had to act, once the game is
    /// over.
    fn game(&self, asked: AskedGame) -> BoxFuture<'_, Result<Option<GameContent>, ContentError>>;

    /// The mail about all running games of `player_id`, in `language`, with the news of the digest `digest_id`, and the problem of the day
    /// if the player wants it. Outdated if the player is not to act in any of them, and there is neither news nor a problem.
    fn digest(
        &self,
        player_id: Uuid,
        digest_id: Option<Uuid>,
        language: Language,
    ) -> BoxFuture<'_, Result<Option<DigestContent>, ContentError>>;

    /// The mail in which `from_player_id` invites to a game. Outdated if nobody can join the game any more.
    fn invitation(
        &self,
        game_id: Uuid,
        from_player_id: Uuid,
    ) -> BoxFuture<'_, Result<Option<InvitationContent>, ContentError>>;

    /// The mail that tells `player_id` that a game has expired. Outdated if the player is not in it.
    fn expired(
        &self,
        _game_id: Uuid,
        _player_id: Uuid,
    ) -> BoxFuture<'_, Result<Option<ExpiredContent>, ContentError>> {
        async { Ok(None) }.boxed()
    }

    /// The mail that tells of a challenge, which the notice finds. Outdated if it was answered or has expired.
    fn challenge(&self, _notice_id: Uuid) -> BoxFuture<'_, Result<Option<ChallengeContent>, ContentError>> {
        async { Ok(None) }.boxed()
    }

    /// The mail that tells `player_id` of a club, which the notice finds. Outdated if it holds no more.
    fn club(
        &self,
        _notice_id: Uuid,
        _player_id: Uuid,
    ) -> BoxFuture<'_, Result<Option<ClubContent>, ContentError>> {
        async { Ok(None) }.boxed()
    }

    /// The mail that answers the mail `reply_id`. `Ok(None)`: there is no such mail.
    fn answer(
        &self,
        _reply_id: Uuid,
        _language: Language,
    ) -> BoxFuture<'_, Result<Option<AnswerContent>, ContentError>> {
        async { Ok(None) }.boxed()
    }
}
