//! The statement that writes moves: events, state, turn, notices and stored responses of many games at once.

use diesel::AsChangeset;
use diesel::pg::Pg;
use diesel::prelude::Insertable;
use diesel::query_builder::{AstPass, Query, QueryFragment, QueryId};
use diesel::result::QueryResult;
use diesel::sql_types::{Array, BigInt, Binary, Integer, Nullable, SmallInt, Text, Timestamptz};
use diesel_async::RunQueryDsl;
use time::OffsetDateTime;
use uuid::Uuid;

use super::checkpoints::Mark;
use super::database::Connection;
use super::error::StoreError;
use super::notices::NoticeKind;
use super::numbers::{Edition, Seq, TurnNumber};
use super::schema::game_states;
use super::state_write::StateWrite;

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

/// Writes each of `appends` completely or not at all: a game whose guard fails, or whose key was used, is left out and does not
/// affect the others. Returns the games that were written.
///
/// The key is taken by `on conflict` before the state is written, while the state's row is locked: the unique index decides,
/// whatever the planner assumes about the table. If two games use one key at once, one of them gets it.
///
/// # Errors
/// The statement failed; nothing was written.
pub async fn append(
    connection: &Connection,
    right: &StateWrite,
    appends: &[&Append],
) -> Result<Vec<Uuid>, StoreError> {
    right.expect(appends.iter().map(|append| append.game_id));
    let statement = AppendStatement::new(appends);
    if statement.mark_games.is_empty() {
        return Ok(statement.load::<Uuid>(&mut &**connection).await?);
    }
    // A separate statement, because few moves make a checkpoint and the others should not pay for it.
    Ok(AppendWithCheckpoints(statement).load::<Uuid>(&mut &**connection).await?)
}

/// The columns of the statement's arrays.
#[derive(Debug, Default)]
struct AppendStatement<'a> {
    game_ids: Vec<Uuid>,
    expected_seqs: Vec<Seq>,
    expected_editions: Vec<Edition>,
    seqs: Vec<Seq>,
    heads: Vec<&'a [u8]>,
    ats: Vec<OffsetDateTime>,
    snapshots: Vec<&'a str>,
    to_act_seats: Vec<Option<i16>>,
    to_act_players: Vec<Option<Uuid>>,
    turns_since: Vec<Option<OffsetDateTime>>,
    deadlines_at: Vec<Option<OffsetDateTime>>,
    remind_ats: Vec<Option<OffsetDateTime>>,
    finished_ats: Vec<Option<OffsetDateTime>>,
    key_players: Vec<Option<Uuid>>,
    keys: Vec<Option<&'a str>>,
    fingerprints: Vec<Option<&'a [u8]>>,
    answers: Vec<Option<&'a str>>,
    nows: Vec<OffsetDateTime>,
    event_games: Vec<Uuid>,
    event_seqs: Vec<Seq>,
    event_lines: Vec<&'a str>,
    notice_games: Vec<Uuid>,
    notice_ids: Vec<Uuid>,
    notice_kinds: Vec<NoticeKind>,
    notice_players: Vec<Uuid>,
    mark_games: Vec<Uuid>,
    mark_turns: Vec<TurnNumber>,
    mark_ends: Vec<bool>,
    mark_last_events: Vec<&'a str>,
}

/// The same statement with checkpoints.
#[derive(Debug)]
struct AppendWithCheckpoints<'a>(AppendStatement<'a>);

impl<'a> AppendStatement<'a> {
    fn new(appends: &[&'a Append]) -> Self {
        let mut columns = Self::default();
        // Sorted, so that statements of several processes lock shared games in one order.
        let mut ordered = appends.to_vec();
        ordered.sort_unstable_by_key(|append| append.game_id);
        for append in ordered {
            columns.push(append);
        }
        columns
    }

    fn push(&mut self, append: &'a Append) {
        let state = &append.state;
        self.game_ids.push(append.game_id);
        self.expected_seqs.push(append.expected_seq);
        self.expected_editions.push(append.expected_edition);
        self.seqs.push(state.seq);
        self.heads.push(&state.head);
        self.ats.push(state.at);
        self.snapshots.push(&state.snapshot);
        self.to_act_seats.push(state.to_act_seat);
        self.to_act_players.push(state.to_act_player);
        self.turns_since.push(state.turn_since);
        self.deadlines_at.push(state.deadline_at);
        self.remind_ats.push(state.remind_at);
        self.finished_ats.push(append.finished_at);
        let stored = append.stored_response.as_ref();
        self.key_players.push(stored.map(|stored| stored.player_id));
        self.keys.push(stored.map(|stored| stored.key.as_str()));
        self.fingerprints.push(stored.map(|stored| stored.fingerprint.as_slice()));
        self.answers.push(stored.map(|stored| stored.response.as_str()));
        self.nows.push(append.now);
        for (after, line) in (0..).zip(&append.lines) {
            self.event_games.push(append.game_id);
            self.event_seqs.push(append.expected_seq.next() + after);
            self.event_lines.push(line);
        }
        for notice in &append.notices {
            self.notice_games.push(append.game_id);
            self.notice_ids.push(notice.id);
            self.notice_kinds.push(notice.kind);
            self.notice_players.push(notice.player_id);
        }
        if let Some(mark) = &append.checkpoint {
            self.mark_games.push(append.game_id);
            self.mark_turns.push(mark.turn);
            self.mark_ends.push(mark.ends_turn);
            self.mark_last_events.push(&mark.last_events);
        }
    }
}

impl QueryId for AppendStatement<'_> {
    type QueryId = AppendStatement<'static>;
    const HAS_STATIC_QUERY_ID: bool = true;
}

impl Query for AppendStatement<'_> {
    type SqlType = diesel::sql_types::Uuid;
}

impl QueryId for AppendWithCheckpoints<'_> {
    type QueryId = AppendWithCheckpoints<'static>;
    const HAS_STATIC_QUERY_ID: bool = true;
}

impl Query for AppendWithCheckpoints<'_> {
    type SqlType = diesel::sql_types::Uuid;
}

impl QueryFragment<Pg> for AppendStatement<'_> {
    fn walk_ast<'b>(&'b self, mut out: AstPass<'_, 'b, Pg>) -> QueryResult<()> {
        self.walk_moves(out.reborrow())?;
        out.push_sql(" select game_id from moved");
        Ok(())
    }
}

impl QueryFragment<Pg> for AppendWithCheckpoints<'_> {
    fn walk_ast<'b>(&'b self, mut out: AstPass<'_, 'b, Pg>) -> QueryResult<()> {
        use diesel::sql_types::{Bool, Uuid as SqlUuid};
        let columns = &self.0;
        columns.walk_moves(out.reborrow())?;
        out.push_sql(
            ", marked as (insert into checkpoints (game_id, seq, turn, ends_turn, last_events, snapshot) \
             select c.game_id, g.seq, c.turn, c.ends_turn, c.last_events, g.snapshot from unnest(",
        );
        out.push_bind_param::<Array<SqlUuid>, _>(&columns.mark_games)?;
        out.push_sql(", ");
        out.push_bind_param::<Array<BigInt>, _>(&columns.mark_turns)?;
        out.push_sql(", ");
        out.push_bind_param::<Array<Bool>, _>(&columns.mark_ends)?;
        out.push_sql(", ");
        out.push_bind_param::<Array<Text>, _>(&columns.mark_last_events)?;
        out.push_sql(
            ") as c(game_id, turn, ends_turn, last_events) join moved using (game_id) join locked g on g.game_id = moved.game_id \
             on conflict (game_id, seq) do update set turn = excluded.turn, ends_turn = excluded.ends_turn, \
             last_events = excluded.last_events, snapshot = excluded.snapshot) \
             select game_id from moved",
        );
        Ok(())
    }
}

impl AppendStatement<'_> {
    /// Everything except the selected columns.
    fn walk_moves<'b>(&'b self, mut out: AstPass<'_, 'b, Pg>) -> QueryResult<()> {
        use diesel::sql_types::Uuid as SqlUuid;
        out.push_sql("with locked as (select g.* from unnest(");
        out.push_bind_param::<Array<SqlUuid>, _>(&self.game_ids)?;
        out.push_sql(", ");
        out.push_bind_param::<Array<BigInt>, _>(&self.expected_seqs)?;
        out.push_sql(", ");
        out.push_bind_param::<Array<Integer>, _>(&self.expected_editions)?;
        out.push_sql(", ");
        out.push_bind_param::<Array<BigInt>, _>(&self.seqs)?;
        out.push_sql(", ");
        out.push_bind_param::<Array<Binary>, _>(&self.heads)?;
        out.push_sql(", ");
        out.push_bind_param::<Array<Timestamptz>, _>(&self.ats)?;
        out.push_sql(", ");
        out.push_bind_param::<Array<Text>, _>(&self.snapshots)?;
        out.push_sql(", ");
        out.push_bind_param::<Array<Nullable<SmallInt>>, _>(&self.to_act_seats)?;
        out.push_sql(", ");
        out.push_bind_param::<Array<Nullable<SqlUuid>>, _>(&self.to_act_players)?;
        out.push_sql(", ");
        out.push_bind_param::<Array<Nullable<Timestamptz>>, _>(&self.turns_since)?;
        out.push_sql(", ");
        out.push_bind_param::<Array<Nullable<Timestamptz>>, _>(&self.deadlines_at)?;
        out.push_sql(", ");
        out.push_bind_param::<Array<Nullable<Timestamptz>>, _>(&self.remind_ats)?;
        out.push_sql(", ");
        out.push_bind_param::<Array<Nullable<Timestamptz>>, _>(&self.finished_ats)?;
        out.push_sql(", ");
        out.push_bind_param::<Array<Nullable<SqlUuid>>, _>(&self.key_players)?;
        out.push_sql(", ");
        out.push_bind_param::<Array<Nullable<Text>>, _>(&self.keys)?;
        out.push_sql(", ");
        out.push_bind_param::<Array<Nullable<Binary>>, _>(&self.fingerprints)?;
        out.push_sql(", ");
        out.push_bind_param::<Array<Nullable<Text>>, _>(&self.answers)?;
        out.push_sql(", ");
        out.push_bind_param::<Array<Timestamptz>, _>(&self.nows)?;
        out.push_sql(
            ") as g(game_id, expected_seq, expected_edition, seq, head, at, snapshot, to_act_seat, to_act_player, turn_since, \
             deadline_at, remind_at, finished_at, key_player, key, fingerprint, answer, now) \
             join game_states s on s.game_id = g.game_id and s.seq = g.expected_seq and s.edition = g.expected_edition \
             for no key update of s), \
             stored as (insert into idempotency_keys (player_id, key, fingerprint, answer, created_at) \
             select key_player, key, fingerprint, answer, now from locked where key is not null \
             on conflict do nothing returning fingerprint), \
             moved as (update game_states s set seq = g.seq, head = g.head, at = g.at, snapshot = g.snapshot, \
             to_act_seat = g.to_act_seat, to_act_player = g.to_act_player, turn_since = g.turn_since, \
             deadline_at = g.deadline_at, remind_at = g.remind_at from locked g where s.game_id = g.game_id \
             and (g.key is null or g.fingerprint = any (array(select fingerprint from stored))) \
             returning s.game_id, g.seq, g.now, g.finished_at), \
             written as (insert into events (game_id, seq, line) select e.game_id, e.seq, e.line from unnest(",
        );
        out.push_bind_param::<Array<SqlUuid>, _>(&self.event_games)?;
        out.push_sql(", ");
        out.push_bind_param::<Array<BigInt>, _>(&self.event_seqs)?;
        out.push_sql(", ");
        out.push_bind_param::<Array<Text>, _>(&self.event_lines)?;
        out.push_sql(
            ") as e(game_id, seq, line) join moved using (game_id)), \
             told as (insert into notices (id, kind, player_id, game_id, seq, created_at, state, next_attempt_at) \
             select n.id, n.kind, n.player_id, n.game_id, moved.seq, moved.now, 'waiting', moved.now from unnest(",
        );
        out.push_bind_param::<Array<SqlUuid>, _>(&self.notice_games)?;
        out.push_sql(", ");
        out.push_bind_param::<Array<SqlUuid>, _>(&self.notice_ids)?;
        out.push_sql(", ");
        out.push_bind_param::<Array<Text>, _>(&self.notice_kinds)?;
        out.push_sql(", ");
        out.push_bind_param::<Array<SqlUuid>, _>(&self.notice_players)?;
        out.push_sql(
            ") as n(game_id, id, kind, player_id) join moved using (game_id)), \
             over as (update games set status = 'finished', finished_at = m.finished_at from moved m \
             where games.id = m.game_id and m.finished_at is not null)",
        );
        Ok(())
    }
}
