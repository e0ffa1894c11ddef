//! Writes any number of moves of different games with one statement.

use diesel::pg::Pg;
use diesel::query_builder::{AstPass, Query, QueryFragment, QueryId};
use diesel::result::QueryResult;
use diesel::sql_types::{Array, BigInt, Binary, Bool, Integer, Nullable, SmallInt, Text, Timestamptz};
use diesel_async::RunQueryDsl;
use time::OffsetDateTime;
use uuid::Uuid;

use super::append::Append;
use super::guard::StateWrite;
use super::statement::{GROUPED, GROUPED_WITH_CHECKPOINTS, bind_all};
use crate::store::{Connection, Edition, NoticeKind, Seq, StoreError, TurnNumber};

/// Writes each of `appends` completely or not at all: a game whose guard fails, or whose key was used, is left out and does not
/// affect the others. Returns the games that were written.
///
/// If two games use one key at once, one of them gets it.
///
/// # Errors
/// The statement failed; nothing was written.
pub async fn write_grouped(
    connection: &Connection,
    right: &StateWrite,
    appends: &[&Append],
) -> Result<Vec<Uuid>, StoreError> {
    right.expect(appends.iter().map(|append| append.game_id))?;
    let statement = GroupedMoves::new(appends);
    if statement.mark_games.is_empty() {
        return Ok(statement.load::<Uuid>(&mut &**connection).await?);
    }
    // A separate statement, because few moves make a checkpoint and the others should not pay for it.
    Ok(WithCheckpoints(statement).load::<Uuid>(&mut &**connection).await?)
}

/// The columns of the statement's arrays.
#[derive(Debug, Default)]
struct GroupedMoves<'a> {
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
    clocks: Vec<Option<&'a str>>,
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
struct WithCheckpoints<'a>(GroupedMoves<'a>);

impl<'a> GroupedMoves<'a> {
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
        self.clocks.push(state.clock.as_deref());
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

impl QueryId for GroupedMoves<'_> {
    type QueryId = GroupedMoves<'static>;
    const HAS_STATIC_QUERY_ID: bool = true;
}

impl Query for GroupedMoves<'_> {
    type SqlType = diesel::sql_types::Uuid;
}

impl QueryId for WithCheckpoints<'_> {
    type QueryId = WithCheckpoints<'static>;
    const HAS_STATIC_QUERY_ID: bool = true;
}

impl Query for WithCheckpoints<'_> {
    type SqlType = diesel::sql_types::Uuid;
}

impl QueryFragment<Pg> for GroupedMoves<'_> {
    fn walk_ast<'b>(&'b self, out: AstPass<'_, 'b, Pg>) -> QueryResult<()> {
        bind_all(&GROUPED, out, |name, out| self.bind(name, out))
    }
}

impl QueryFragment<Pg> for WithCheckpoints<'_> {
    fn walk_ast<'b>(&'b self, out: AstPass<'_, 'b, Pg>) -> QueryResult<()> {
        bind_all(&GROUPED_WITH_CHECKPOINTS, out, |name, out| self.0.bind(name, out))
    }
}

impl GroupedMoves<'_> {
    fn bind<'b>(&'b self, name: &str, out: &mut AstPass<'_, 'b, Pg>) -> QueryResult<()> {
        use diesel::sql_types::Uuid as SqlUuid;
        match name {
            "game_id" => out.push_bind_param::<Array<SqlUuid>, _>(&self.game_ids),
            "expected_seq" => out.push_bind_param::<Array<BigInt>, _>(&self.expected_seqs),
            "expected_edition" => out.push_bind_param::<Array<Integer>, _>(&self.expected_editions),
            "seq" => out.push_bind_param::<Array<BigInt>, _>(&self.seqs),
            "head" => out.push_bind_param::<Array<Binary>, _>(&self.heads),
            "at" => out.push_bind_param::<Array<Timestamptz>, _>(&self.ats),
            "snapshot" => out.push_bind_param::<Array<Text>, _>(&self.snapshots),
            "to_act_seat" => out.push_bind_param::<Array<Nullable<SmallInt>>, _>(&self.to_act_seats),
            "to_act_player" => out.push_bind_param::<Array<Nullable<SqlUuid>>, _>(&self.to_act_players),
            "turn_since" => out.push_bind_param::<Array<Nullable<Timestamptz>>, _>(&self.turns_since),
            "deadline_at" => out.push_bind_param::<Array<Nullable<Timestamptz>>, _>(&self.deadlines_at),
            "remind_at" => out.push_bind_param::<Array<Nullable<Timestamptz>>, _>(&self.remind_ats),
            "clock" => out.push_bind_param::<Array<Nullable<Text>>, _>(&self.clocks),
            "finished_at" => out.push_bind_param::<Array<Nullable<Timestamptz>>, _>(&self.finished_ats),
            "key_player" => out.push_bind_param::<Array<Nullable<SqlUuid>>, _>(&self.key_players),
            "key" => out.push_bind_param::<Array<Nullable<Text>>, _>(&self.keys),
            "fingerprint" => out.push_bind_param::<Array<Nullable<Binary>>, _>(&self.fingerprints),
            "answer" => out.push_bind_param::<Array<Nullable<Text>>, _>(&self.answers),
            "now" => out.push_bind_param::<Array<Timestamptz>, _>(&self.nows),
            "event_games" => out.push_bind_param::<Array<SqlUuid>, _>(&self.event_games),
            "event_seqs" => out.push_bind_param::<Array<BigInt>, _>(&self.event_seqs),
            "event_lines" => out.push_bind_param::<Array<Text>, _>(&self.event_lines),
            "notice_games" => out.push_bind_param::<Array<SqlUuid>, _>(&self.notice_games),
            "notice_ids" => out.push_bind_param::<Array<SqlUuid>, _>(&self.notice_ids),
            "notice_kinds" => out.push_bind_param::<Array<Text>, _>(&self.notice_kinds),
            "notice_players" => out.push_bind_param::<Array<SqlUuid>, _>(&self.notice_players),
            "mark_games" => out.push_bind_param::<Array<SqlUuid>, _>(&self.mark_games),
            "mark_turns" => out.push_bind_param::<Array<BigInt>, _>(&self.mark_turns),
            "mark_ends" => out.push_bind_param::<Array<Bool>, _>(&self.mark_ends),
            "mark_last_events" => out.push_bind_param::<Array<Text>, _>(&self.mark_last_events),
            _ => unreachable!("the statement names no other value"),
        }
    }
}
