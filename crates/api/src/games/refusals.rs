//! The problems that handlers of games declare, besides those implied by their parameters, body and token.

use crate::declared::problems;

problems! {
    CreateProblems: UnknownRules, InvalidOptions, SeatsNotPossible, ControlNotPossible, SubstitutesNotPossible, TooManyOpenGames, QuotaReached, SeedNotTaken;
    JoinProblems: QuotaReached, GameFull, AlreadyJoined, GameStarted, GameCancelled;
    ListProblems: NotFound;
    DeclineProblems: NotFound;
    LeaveProblems: NotInGame, GameStarted, GameCancelled;
    InviteProblems: NotInGame, EmailNotConfirmed, EmailRefused, AlreadyJoined, GameStarted, GameCancelled, TooManyInvitations;
    /// Problems of showing a game, now or in the past.
    LookProblems: GameNotStarted, NotInGame;
    /// Problems of reading a feed.
    FeedProblems: InvalidHeader, NotFound;
    /// Problems of requests that need a seat.
    SeatedProblems: NotInGame, GameNotStarted;
    SubstituteProblems: QuotaReached, AlreadyJoined, GameNotStarted, ClockRefused;
    ClockProblems: NotInGame, GameNotStarted, ClockRefused, SeatLeft;
    OrderProblems: NotInGame, GameNotStarted, GameOver, StaleSeq, UnreadableAction, OrdersNotPossible;
    SayProblems: NotInGame, GameNotStarted, MessageRefused, Muted;
    MoveProblems: NotInGame, GameNotStarted, GameOver, SeatLeft, NotYourTurn, StaleSeq, UnreadableAction, IncompleteAction,
        IllegalAction, DrawsBeforeLast, GameTooLong;
    LeaveStartedProblems: NotInGame, GameNotStarted, GameOver, SeatLeft, NotYourTurn, StaleSeq, TooLateToAbort;
}
