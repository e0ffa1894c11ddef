//! The rules of the code that the model follows; it can leave out each of them.

use super::properties::{ACKNOWLEDGED, COMMITTED, ONCE, ONE_MOVE_A_SEQ, STALE, UNDONE};

/// A rule about when memory may be trusted, when a write may be made, or how a lost answer is settled.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Rule {
    /// `Games::current`: no game is shown from the cache before the database was asked for its version stamp.
    AskBeforeShowing,
    /// `ask_all`: an answer is only for requests that waited when the question was sent, not for later ones.
    AnswerEarlierReadersOnly,
    /// `may_be_shown`: a cached game with a lower `seq` than the database's is not shown.
    CompareSeq,
    /// `may_be_shown`: a cached game with another `edition` than the database's is not shown.
    CompareEdition,
    /// `Games::act`: a refusal that was decided on a cached game is decided again on a loaded one.
    RefuseLoadedGamesOnly,
    /// `Games::act`: a new state goes into the cache only after it is written.
    CacheWrittenGamesOnly,
    /// `Games::write`: a move is answered only after it is written.
    AnswerWrittenMovesOnly,
    /// `statement`: a move is written only if the row has the `seq` on which it was decided.
    GuardSeq,
    /// `statement`: a move is written only if the row has the `edition` on which it was decided.
    GuardEdition,
    /// `write_state` of `commit/repair.rs`, and the reminder in `commit/states.rs`: a write without an event raises `edition`.
    RaiseEdition,
    /// `rebuild`: a repair is written only if the row is as it was audited.
    GuardRepair,
    /// `Games::write`, by `StoreError::leaves_doubt`: a move whose answer was lost is settled before it is decided again.
    SettleLostAnswers,
    /// `settle`: a statement that has not run yet can never succeed, because `edition` is raised.
    Fence,
    /// `settle`: if `edition` could not be raised, the events tell whether the move was written.
    ReadEvents,
    /// `settle`: the event with that `seq` must be this move's.
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

    /// The property that fails without it.
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

    /// The files that implement it, and the code that does; `memory_model` checks that the code exists.
    pub fn places(self) -> &'static [(&'static str, &'static str)] {
        match self {
            Self::AskBeforeShowing => {
                &[("crates/games/src/memory/version_check.rs", "games.version_check.newest(game_id).await?")]
            }
            Self::AnswerEarlierReadersOnly => {
                &[("crates/store/src/grouped.rs", "answer(&ask, std::mem::take(&mut waiting))")]
            }
            Self::CompareSeq => &[("crates/games/src/memory/version_check.rs", "live.seq() >= newest.seq")],
            Self::CompareEdition => {
                &[("crates/games/src/memory/version_check.rs", "live.edition == newest.edition")]
            }
            Self::RefuseLoadedGamesOnly => {
                &[("crates/games/src/playing/act.rs", "refusal.filter(|_| fresh)")]
            }
            Self::CacheWrittenGamesOnly => {
                &[("crates/games/src/playing/act.rs", "if let Some(response) = written.response {")]
            }
            Self::AnswerWrittenMovesOnly => {
                &[("crates/games/src/playing/act.rs", "written.then_some(response)")]
            }
            Self::GuardSeq => &[
                ("crates/store/src/commit/statement.rs", "s.seq = {seq}"),
                ("crates/store/src/commit/statement.rs", "nobody_moved(&expected_seq"),
            ],
            Self::GuardEdition => &[
                ("crates/store/src/commit/statement.rs", "s.edition = {edition}"),
                ("crates/store/src/commit/statement.rs", ", &expected_edition)"),
            ],
            Self::RaiseEdition => &[
                ("crates/store/src/commit/repair.rs", "edition.next()"),
                ("crates/store/src/commit/states.rs", "edition = s.edition + 1"),
            ],
            Self::GuardRepair => &[("crates/store/src/commit/repair.rs", "found != rebuild.found")],
            Self::SettleLostAnswers => &[
                ("crates/games/src/playing/act.rs", "if lost.leaves_doubt()"),
                ("crates/store/src/commit/writer.rs", "if error.leaves_doubt()"),
            ],
            Self::Fence => &[("crates/store/src/commit/settle.rs", "if fence(database, attempt).await?")],
            Self::ReadEvents => &[("crates/store/src/commit/settle.rs", "events::table")],
            Self::CompareLine => {
                &[("crates/store/src/commit/settle.rs", "line.as_deref() == Some(attempt.line)")]
            }
        }
    }
}
