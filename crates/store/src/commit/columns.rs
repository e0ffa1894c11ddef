//! The values of a move, by the names that the statements for one move give them.

use diesel::pg::Pg;
use diesel::query_builder::AstPass;
use diesel::result::QueryResult;
use diesel::sql_types::{BigInt, Binary, Integer, Nullable, SmallInt, Text, Timestamptz, Uuid as SqlUuid};
use uuid::Uuid;

use super::append::Append;

/// The values that one move has, however many lines and notices are written with it.
pub(super) struct MoveColumns<'a> {
    pub append: &'a Append,
    key_player: Option<Uuid>,
    key: Option<&'a str>,
    fingerprint: Option<&'a [u8]>,
    answer: Option<&'a str>,
}

impl<'a> MoveColumns<'a> {
    pub fn new(append: &'a Append) -> Self {
        let stored = append.stored_response.as_ref();
        Self {
            append,
            key_player: stored.map(|stored| stored.player_id),
            key: stored.map(|stored| stored.key.as_str()),
            fingerprint: stored.map(|stored| stored.fingerprint.as_slice()),
            answer: stored.map(|stored| stored.response.as_str()),
        }
    }

    /// Binds the value of that name.
    pub fn bind<'b>(&'b self, name: &str, out: &mut AstPass<'_, 'b, Pg>) -> QueryResult<()> {
        let (append, state) = (self.append, &self.append.state);
        match name {
            "game_id" => out.push_bind_param::<SqlUuid, _>(&append.game_id),
            "expected_seq" => out.push_bind_param::<BigInt, _>(&append.expected_seq),
            "expected_edition" => out.push_bind_param::<Integer, _>(&append.expected_edition),
            "seq" => out.push_bind_param::<BigInt, _>(&state.seq),
            "head" => out.push_bind_param::<Binary, _>(&state.head),
            "at" => out.push_bind_param::<Timestamptz, _>(&state.at),
            "snapshot" => out.push_bind_param::<Text, _>(&state.snapshot),
            "to_act_seat" => out.push_bind_param::<Nullable<SmallInt>, _>(&state.to_act_seat),
            "to_act_player" => out.push_bind_param::<Nullable<SqlUuid>, _>(&state.to_act_player),
            "turn_since" => out.push_bind_param::<Nullable<Timestamptz>, _>(&state.turn_since),
            "deadline_at" => out.push_bind_param::<Nullable<Timestamptz>, _>(&state.deadline_at),
            "remind_at" => out.push_bind_param::<Nullable<Timestamptz>, _>(&state.remind_at),
            "clock" => out.push_bind_param::<Nullable<Text>, _>(&state.clock),
            "now" => out.push_bind_param::<Timestamptz, _>(&append.now),
            "key_player" => out.push_bind_param::<Nullable<SqlUuid>, _>(&self.key_player),
            "key" => out.push_bind_param::<Nullable<Text>, _>(&self.key),
            "fingerprint" => out.push_bind_param::<Nullable<Binary>, _>(&self.fingerprint),
            "answer" => out.push_bind_param::<Nullable<Text>, _>(&self.answer),
            _ => unreachable!("the statements name no other value"),
        }
    }
}
