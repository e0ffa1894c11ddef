//! The rules of the code that the model follows, each of which it can leave out.

use super::properties::{ACKNOWLEDGED, COMMITTED, ONCE, ONE_MOVE_A_SEQ, STALE, UNDONE};

/// A rule by which memory may be trusted, a write may be made, or a lost answer is settled.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Rule {
    /// `Games::current`: no game is shown from the cache before the database was asked for its stamp.
    AskBeforeShowing,
    /// `ask_all`: an answer is for those who waited when the question was sent, and for nobody who came later.
    AnswerEarlierReadersOnly,
    /// `may_be_shown`: a cached game with a lower `seq` than the database's is not shown.
    CompareSeq,
    /// `may_be_shown`: a cached game with another `edition` than the database's is not shown.
    CompareEdition,
    /// `Games::act`: a refusal that was decided on a cached game is decided once more on a loaded one.
    RefuseLoadedGamesOnly,
    /// `Games::act`: what was decided goes into the cache once it is written.
    CacheWrittenGamesOnly,
    /// `Games::write`: a move is answered once it is written.
    AnswerWrittenMovesOnly,
    /// `statement`: a move is written if the row has the `seq` that it was decided on.
    GuardSeq,
    /// `statement`: a move is written if the row has the `edition` that it was decided on.
    GuardEdition,
    /// `write_state` of `commit/repair.rs`, and the reminder in `commit/states.rs`: a write without an event raises `edition`.
    RaiseEdition,
    /// `rebuild`: a repair is written if the row is as it was audited.
    GuardRepair,
    /// `Games::write`, by `StoreError::leaves_doubt`: a move whose answer was lost is not decided again before it is settled.
    SettleLostAnswers,
    /// `settle`: a statement that has not been carried out never will be, because `edition` is raised.
    Fence,
    /// `settle`: where `edition` could not be raised, the events say whether the move was written.
    ReadEvents,
    /// `settle`: the event of that number must be this very move's.
    CompareLine,
}

impl Rule {
    pub const ALL: [Self; 15] = [
        Self::AskBeforeShowing,
        Self::AnswerEarlierReadersOnly,
        Self::CompareSeq,
        Self::CompareEdition,
        Self::RefuseLoadedGamesOnly,
        Self::CacheWrittenGamesOnly,
        Self::AnswerWrittenMovesOnly,
        Self::GuardSeq,
        Self::GuardEdition,
        Self::RaiseEdition,
        Self::GuardRepair,
        Self::SettleLostAnswers,
        Self::Fence,
        Self::ReadEvents,
        Self::CompareLine,
    ];

    /// The property that does not hold without it.
    pub fn keeps(self) -> &'static str {
        match self {
            Self::AskBeforeShowing
            | Self::AnswerEarlierReadersOnly
            | Self::CompareSeq
            | Self::CompareEdition
            | Self::RefuseLoadedGamesOnly
            | Self::RaiseEdition => STALE,
            Self::CacheWrittenGamesOnly => COMMITTED,
            Self::AnswerWrittenMovesOnly | Self::GuardRepair | Self::CompareLine => ACKNOWLEDGED,
            Self::GuardSeq => ONE_MOVE_A_SEQ,
            Self::GuardEdition => UNDONE,
            Self::SettleLostAnswers | Self::Fence | Self::ReadEvents => ONCE,
        }
    }

    /// The files that follow it, and the code by which they do; `memory_model` checks that it is there.
    pub fn places(self) -> &'static [(&'static str, &'static str)] {
        match self {
            Self::AskBeforeShowing => {
                &[("games/memory/version_check.rs", "games.version_check.newest(game_id).await?")]
            }
            Self::AnswerEarlierReadersOnly => {
                &[("games/memory/version_check.rs", "answer(&database, std::mem::take(&mut waiting))")]
            }
            Self::CompareSeq => &[("games/memory/version_check.rs", "live.seq() >= newest.seq")],
            Self::CompareEdition => &[("games/memory/version_check.rs", "live.edition == newest.edition")],
            Self::RefuseLoadedGamesOnly => &[("games/playing/act.rs", "refusal.filter(|_| fresh)")],
            Self::CacheWrittenGamesOnly => {
                &[("games/playing/act.rs", "if let Some(response) = written.response {")]
            }
            Self::AnswerWrittenMovesOnly => &[("games/playing/act.rs", "written.then_some(response)")],
            Self::GuardSeq => &[
                ("commit/statement.rs", "s.seq = g.expected_seq"),
                ("commit/statement.rs", "s.seq = {expected_seq}"),
            ],
            Self::GuardEdition => &[
                ("commit/statement.rs", "s.edition = g.expected_edition"),
                ("commit/statement.rs", "s.edition = {expected_edition}"),
            ],
            Self::RaiseEdition => {
                &[("commit/repair.rs", "edition.next()"), ("commit/states.rs", "edition = s.edition + 1")]
            }
            Self::GuardRepair => &[("commit/repair.rs", "found != rebuild.found")],
            Self::SettleLostAnswers => &[
                ("games/playing/act.rs", "if lost.leaves_doubt()"),
                ("commit/writer.rs", "if error.leaves_doubt()"),
            ],
            Self::Fence => &[("commit/settle.rs", "if fence(database, attempt).await?")],
            Self::ReadEvents => &[("commit/settle.rs", "events::table")],
            Self::CompareLine => &[("commit/settle.rs", "line.as_deref() == Some(attempt.line)")],
        }
    }
}
