//! What a move writes.

use diesel::AsChangeset;
use diesel::prelude::Insertable;
use time::OffsetDateTime;
use uuid::Uuid;

use crate::store::checkpoints::Mark;
use crate::store::schema::game_states;
use crate::store::{Edition, NoticeKind, Seq};

/// The state of a game after its last event.
#[derive(Clone, Debug, Insertable, AsChangeset)]
#[diesel(table_name = game_states, treat_none_as_null = true)]
pub struct NewState {
    pub seq: Seq,
    pub head: Vec<u8>,
    pub at: OffsetDateTime,
    pub snapshot: String,
    pub to_act_seat: Option<i16>,
    pub to_act_player: Option<Uuid>,
    pub turn_since: Option<OffsetDateTime>,
    pub deadline_at: Option<OffsetDateTime>,
    pub remind_at: Option<OffsetDateTime>,
}

/// A notice written with an event.
#[derive(Clone, Debug)]
pub struct EventNotice {
    pub id: Uuid,
    pub kind: NoticeKind,
    pub player_id: Uuid,
}

/// What is stored for a repeated request.
#[derive(Clone, Debug)]
pub struct NewStoredResponse {
    pub player_id: Uuid,
    pub key: String,
    pub fingerprint: Vec<u8>,
    pub response: String,
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
