//! What a move writes.

use diesel::prelude::Insertable;
use time::OffsetDateTime;
use uuid::Uuid;

use crate::checkpoints::Mark;
use crate::games::NewState;
use crate::schema::notices;
use crate::stored_responses::NewStoredResponse;
use crate::{Edition, NoticeKind, NoticeState, Seq};

/// A notice written with an event.
#[derive(Clone, Debug)]
pub struct EventNotice {
    pub id: Uuid,
    pub kind: NoticeKind,
    pub player_id: Uuid,
}

/// The row of an [`EventNotice`]: due at once.
#[derive(Debug, Insertable)]
#[diesel(table_name = notices)]
pub(super) struct EventNoticeRow {
    id: Uuid,
    kind: NoticeKind,
    player_id: Uuid,
    game_id: Uuid,
    seq: Seq,
    created_at: OffsetDateTime,
    state: NoticeState,
    next_attempt_at: OffsetDateTime,
}

impl EventNotice {
    /// The row of this notice about the game's event `seq`.
    pub(super) fn row(&self, game_id: Uuid, seq: Seq, now: OffsetDateTime) -> EventNoticeRow {
        let &Self { id, kind, player_id } = self;
        let state = NoticeState::Waiting;
        EventNoticeRow { id, kind, player_id, game_id, seq, created_at: now, state, next_attempt_at: now }
    }
}

/// Everything that a move of one game writes.
#[derive(Clone, Debug)]
pub struct Append {
    pub game_id: Uuid,
    /// The `seq` that the game must still have.
    pub expected_seq: Seq,
    /// The edition of the state that the move was decided on.
    pub expected_edition: Edition,
    /// The lines of the new events, in order.
    pub lines: Vec<String>,
    pub state: NewState,
    pub finished_at: Option<OffsetDateTime>,
    pub notices: Vec<EventNotice>,
    pub stored_response: Option<NewStoredResponse>,
    /// Makes the new state a checkpoint.
    pub checkpoint: Option<Mark>,
    pub now: OffsetDateTime,
}
