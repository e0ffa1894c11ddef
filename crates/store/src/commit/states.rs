//! Rows of `game_states`, written one by one: at the start of a game, by a reminder, by a change
//! of a clock, and by a repair. Moves write them by
//! [`super::statement`]. No other file writes the table.

use diesel::prelude::*;
use diesel::sql_types::{Array, BigInt, Bool, Integer, Nullable, Text, Timestamptz, Uuid as SqlUuid};
use diesel_async::{AsyncPgConnection, RunQueryDsl};
use time::OffsetDateTime;
use uuid::Uuid;

use super::clocks::{ClockWrite, SeatToAct};
use super::delegated;
use super::guard::StateWrite;
use super::reminders::PlannedReminder;
use crate::games::NewState;
use crate::schema::{game_states, games};
use crate::{Edition, Seq, Topology};

/// Writes the state of a game that starts.
pub(super) async fn insert(
    connection: &mut AsyncPgConnection,
    right: &StateWrite,
    game_id: Uuid,
    state: NewState,
) -> QueryResult<()> {
    right.expect([game_id])?;
    let row = (game_states::game_id.eq(game_id), state);
    diesel::insert_into(game_states::table).values(row).execute(connection).await?;
    Ok(())
}

/// The `seq` and `edition` of a game's state, whose row stays locked until the transaction ends.
pub(super) async fn lock(
    connection: &mut AsyncPgConnection,
    game_id: Uuid,
) -> QueryResult<Option<(Seq, Edition)>> {
    let row = game_states::table.find(game_id).for_update();
    row.select((game_states::seq, game_states::edition)).first(connection).await.optional()
}

/// Rewrites the state of a game with `edition`.
pub(super) async fn rewrite(
    connection: &mut AsyncPgConnection,
    right: &StateWrite,
    game_id: Uuid,
    state: NewState,
    edition: Edition,
) -> QueryResult<()> {
    right.expect([game_id])?;
    let values = (state, game_states::edition.eq(edition));
    diesel::insert_into(game_states::table)
        .values((game_states::game_id.eq(game_id), values.clone()))
        .on_conflict(game_states::game_id)
        .do_update()
        .set(values)
        .execute(connection)
        .await?;
    Ok(())
}

/// Raises the edition if the state still has this `seq` and `edition`; true if so.
pub(super) async fn raise_edition(
    connection: &mut AsyncPgConnection,
    right: &StateWrite,
    game_id: Uuid,
    seq: Seq,
    edition: Edition,
) -> QueryResult<bool> {
    right.expect([game_id])?;
    let expected = game_states::game_id.eq(game_id);
    let expected = expected.and(game_states::seq.eq(seq)).and(game_states::edition.eq(edition));
    let raised = diesel::update(game_states::table.filter(expected))
        .set(game_states::edition.eq(edition.next()))
        .execute(connection)
        .await?;
    Ok(raised > 0)
}

/// Deletes the state of a missing game; false if the game exists, or has no state.
pub(super) async fn remove_orphan(
    connection: &mut AsyncPgConnection,
    right: &StateWrite,
    game_id: Uuid,
) -> QueryResult<bool> {
    right.expect([game_id])?;
    let game = games::table.filter(games::id.eq(game_states::game_id));
    let orphan = game_states::table
        .filter(game_states::game_id.eq(game_id))
        .filter(diesel::dsl::not(diesel::dsl::exists(game)));
    Ok(diesel::delete(orphan).execute(connection).await? == 1)
}

/// Writes what was planned about reminders: `$1` to `$7` are columns of the games, `$8` is now. A game whose guard fails, or that somebody
/// else writes, is left out. The edition rises, so a move decided before is decided again and cannot restore the due time.
const REMIND: &str = "
with locked as (
    select g.* from unnest($1, $2, $3, $4, $5, $6, $7)
        as g (game_id, expected_seq, expected_edition, remind_at, notice_id, urgent, sent_left)
    join game_states s on s.game_id = g.game_id and s.seq = g.expected_seq and s.edition = g.expected_edition
    for no key update of s skip locked
), reminded as (
    update game_states s set remind_at = l.remind_at, edition = s.edition + 1
    from locked l where s.game_id = l.game_id
    returning s.game_id, s.seq, s.to_act_player, s.turn_since, l.notice_id, l.urgent, l.sent_left
), kept as (
    insert into turn_reminders as r (game_id, turn_since, sent_left)
    select game_id, turn_since, sent_left from reminded where sent_left is not null
    on conflict (game_id) do update set turn_since = excluded.turn_since, sent_left = excluded.sent_left
), told as (
    insert into notices (id, kind, player_id, game_id, seq, created_at, state, next_attempt_at, urgent)
    select notice_id, 'reminder', to_act_player, game_id, seq, $8, 'waiting', $8, urgent
    from reminded where sent_left is not null and to_act_player is not null
)
select game_id from reminded";

/// Writes what was planned about the reminders of these games; returns how many were written.
pub(super) async fn remind(
    connection: &mut AsyncPgConnection,
    topology: Topology,
    right: &StateWrite,
    planned: &[PlannedReminder],
    now: OffsetDateTime,
) -> QueryResult<usize> {
    right.expect(planned.iter().map(|planned| planned.game_id))?;
    if topology == Topology::Citus {
        return delegated::remind(connection, right, planned, now).await;
    }
    let remind = diesel::sql_query(REMIND)
        .bind::<Array<SqlUuid>, _>(planned.iter().map(|planned| planned.game_id).collect::<Vec<_>>())
        .bind::<Array<BigInt>, _>(planned.iter().map(|planned| planned.expected_seq).collect::<Vec<_>>())
        .bind::<Array<Integer>, _>(planned.iter().map(|planned| planned.expected_edition).collect::<Vec<_>>())
        .bind::<Array<Nullable<Timestamptz>>, _>(
            planned.iter().map(|planned| planned.next_at).collect::<Vec<_>>(),
        )
        .bind::<Array<SqlUuid>, _>(planned.iter().map(|_| Uuid::now_v7()).collect::<Vec<_>>())
        .bind::<Array<Bool>, _>(planned.iter().map(|planned| planned.urgent).collect::<Vec<_>>())
        .bind::<Array<Nullable<BigInt>>, _>(
            planned.iter().map(|planned| planned.sent_left).collect::<Vec<_>>(),
        )
        .bind::<Timestamptz, _>(now);
    let written: Vec<Changed> = remind.load(connection).await?;
    Ok(written.len())
}

/// Changes clocks without events: `$1` to `$9` are columns of the games, `$10` to `$13` of the lines of their clock logs. A game whose
/// guard fails is left out, and no line of it is written.
const CHANGE_CLOCKS: &str = "
with locked as (
    select g.* from unnest($1, $2, $3, $4, $5, $6, $7, $8, $9)
        as g (game_id, expected_seq, expected_edition, clock, deadline_at, remind_at, clock_conditions, outage, remind_anew)
    join game_states s on s.game_id = g.game_id and s.seq = g.expected_seq and s.edition = g.expected_edition
    for no key update of s
), changed as (
    update game_states s set clock = l.clock, deadline_at = l.deadline_at, remind_at = l.remind_at, edition = s.edition + 1
    from locked l where s.game_id = l.game_id returning s.game_id
), framed as (
    update games set clock = l.clock_conditions, outage = l.outage from locked l join changed using (game_id) where games.id = l.game_id
), anew as (
    delete from turn_reminders r using locked l join changed using (game_id) where r.game_id = l.game_id and l.remind_anew
), written as (
    insert into clock_lines (game_id, number, line, openings)
    select n.game_id, n.number, n.line, n.openings
    from unnest($10, $11, $12, $13) as n (game_id, number, line, openings) join changed using (game_id)
)
select game_id from changed";

#[derive(QueryableByName)]
struct Changed {
    #[diesel(sql_type = SqlUuid)]
    game_id: Uuid,
}

/// Changes the clocks of these games with one statement; returns those that were changed.
pub(super) async fn change_clocks(
    connection: &mut AsyncPgConnection,
    topology: Topology,
    right: &StateWrite,
    changes: &[ClockWrite],
) -> QueryResult<Vec<Uuid>> {
    right.expect(changes.iter().map(|change| change.game_id))?;
    if topology == Topology::Citus {
        return delegated::change_clocks(connection, right, changes).await;
    }
    let lines = || changes.iter().flat_map(|change| &change.lines);
    let statement = diesel::sql_query(CHANGE_CLOCKS)
        .bind::<Array<SqlUuid>, _>(changes.iter().map(|change| change.game_id).collect::<Vec<_>>())
        .bind::<Array<BigInt>, _>(changes.iter().map(|change| change.expected_seq).collect::<Vec<_>>())
        .bind::<Array<Integer>, _>(changes.iter().map(|change| change.expected_edition).collect::<Vec<_>>())
        .bind::<Array<Nullable<Text>>, _>(
            changes.iter().map(|change| change.clock.clone()).collect::<Vec<_>>(),
        )
        .bind::<Array<Nullable<Timestamptz>>, _>(
            changes.iter().map(|change| change.deadline_at).collect::<Vec<_>>(),
        )
        .bind::<Array<Nullable<Timestamptz>>, _>(
            changes.iter().map(|change| change.remind_at).collect::<Vec<_>>(),
        )
        .bind::<Array<Text>, _>(
            changes.iter().map(|change| change.clock_conditions.as_str()).collect::<Vec<_>>(),
        )
        .bind::<Array<BigInt>, _>(changes.iter().map(|change| change.outage).collect::<Vec<_>>())
        .bind::<Array<Bool>, _>(changes.iter().map(|change| change.remind_anew).collect::<Vec<_>>())
        .bind::<Array<SqlUuid>, _>(lines().map(|line| line.game_id).collect::<Vec<_>>())
        .bind::<Array<Integer>, _>(lines().map(|line| line.number).collect::<Vec<_>>())
        .bind::<Array<Text>, _>(lines().map(|line| line.line.as_str()).collect::<Vec<_>>())
        .bind::<Array<Nullable<Text>>, _>(lines().map(|line| line.openings.as_deref()).collect::<Vec<_>>());
    let changed: Vec<Changed> = statement.load(connection).await?;
    Ok(changed.into_iter().map(|row| row.game_id).collect())
}

/// Writes who is asked after a change of seats, in the transaction that has changed the clock of the game.
pub(super) async fn ask(
    connection: &mut AsyncPgConnection,
    right: &StateWrite,
    game_id: Uuid,
    asked: SeatToAct,
) -> QueryResult<()> {
    right.expect([game_id])?;
    diesel::update(game_states::table.find(game_id))
        .set((game_states::to_act_player.eq(asked.player_id), game_states::turn_since.eq(asked.since)))
        .execute(connection)
        .await?;
    Ok(())
}
