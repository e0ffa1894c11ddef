//! The refusals that each handler of games declares, besides those that follow from its parameters, its body and its token.

use crate::api::declared::problems;

problems! {
    CreateProblems: UnknownRules, InvalidOptions, EmailNotConfirmed, TooManyOpenGames;
    JoinProblems: GameFull, AlreadyJoined, GameStarted;
    LeaveProblems: NotInGame, GameStarted;
    InviteProblems: NotInGame, EmailNotConfirmed, AlreadyJoined, GameStarted, TooManyInvitations;
    /// Looking at a game, now or in the past.
    LookProblems: GameNotStarted, NotInGame;
    /// What only those in a game may see.
    SeatedProblems: NotInGame, GameNotStarted;
    MoveProblems: NotInGame, GameNotStarted, GameOver, SeatLeft, NotYourTurn, StaleSeq, UnreadableAction, IncompleteAction,
        IllegalAction, DrawsBeforeLast, GameTooLong;
    LeaveStartedProblems: NotInGame, GameNotStarted, GameOver, SeatLeft, NotYourTurn, StaleSeq, TooLateToAbort;
}
