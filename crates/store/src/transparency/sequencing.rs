//! Puts events into the log: one step is one transaction with its entries, its tiles and the checkpoint over them. One process at a time
//! takes a step; a crash leaves the log as it was.

use std::collections::{BTreeMap, BTreeSet};

use diesel::prelude::*;
use diesel::sql_types::{Array, BigInt, Binary, Bool, Text, Timestamptz, Uuid as SqlUuid};
use diesel_async::{AsyncConnection, AsyncPgConnection, RunQueryDsl};
use pippost_log::Hash;
use serde::Deserialize;
use serde::de::IgnoredAny;
use time::{Duration, OffsetDateTime};
use uuid::Uuid;

use super::growing::{NewEntry, grow};
use crate::database::Database;
use crate::error::StoreError;

/// How many events' positions one step looks at, and how many entries it adds at most.
pub const POSITIONS_OF_A_STEP: i64 = 10_000;
pub const ENTRIES_OF_A_STEP: i64 = 10_000;

/// How many games with events from before the log one step looks at.
const OLD_GAMES_OF_A_STEP: i64 = 200;

/// With more news than this, a step leaves older events alone.
const MAX_NEWS_BESIDE_OLD: usize = 1000;

/// How long a gap between positions is kept at least. After that, and once every transaction that was running when it was seen is over,
/// no event will come.
pub const GAP_KEPT: Duration = Duration::minutes(10);

/// Gaps that are longer are kept as a whole.
pub const MAX_SINGLE_POSITIONS: i64 = 1000;

/// Signs checkpoints, and knows what the log holds of a finished game beside its events.
pub trait CheckpointSigner: Sync {
    /// The public half of the key that signs.
    fn public_key(&self, origin: &str) -> Hash;

    /// The signed note of a checkpoint.
    fn sign(&self, origin: &str, size: u64, root: Hash) -> String;

    /// The hash of the footer of a game whose last event is `line`; `None` if it cannot be made.
    fn footer(&self, game_id: Uuid, sealed_master: &[u8], line: &str) -> Option<Hash>;
}

#[derive(QueryableByName)]
pub(super) struct State {
    #[diesel(sql_type = Text)]
    pub origin: String,
    #[diesel(sql_type = BigInt)]
    pub size: i64,
    #[diesel(sql_type = BigInt)]
    pub position: i64,
    #[diesel(sql_type = SqlUuid)]
    pub filled_to: Uuid,
    #[diesel(sql_type = Bool)]
    pub is_filled: bool,
}

/// The row is the lease: whoever has it locked takes the step, and nobody waits for it.
const TAKE: &str =
    "select origin, size, position, filled_to, is_filled from transparency_log for update skip locked";

/// The next events by position, in one row: thousands of rows would cost more than what is in them.
pub const NEWS: &str = "
select coalesce(array_agg(position), '{}') as positions, coalesce(array_agg(game_id), '{}') as games,
    coalesce(array_agg(seq), '{}') as seqs, coalesce(array_agg(line), '{}') as lines
from (select position, game_id, seq, line from events where position > $1 order by position limit $2) e";

/// The number that comes next in the log, of some games.
pub const NEXT: &str = "
select n.game_id,
    coalesce((select t.seq + octet_length(t.hash) / 32 from transparency_entries t where t.game_id = n.game_id order by t.seq desc limit 1), 0) as next
from unnest($1::uuid[]) as n(game_id)";

/// Whether there is anything to do, asked without a lock.
const HAS_NEWS: &str = "
select not l.is_filled or exists (select from transparency_gaps)
    or exists (select from events where position > l.position) as found
from transparency_log l";

/// Events that have come to light in gaps.
const LATE: &str = "
select g.first_position, e.game_id from transparency_gaps g
join lateral (select game_id from events where position between g.first_position and g.last_position) e on true";

/// Forgets single positions whose events were found, and gaps in which none will come.
const FORGET_GAPS: &str = "
delete from transparency_gaps where (first_position = any($1) and first_position = last_position)
    or (seen_at < $2 and before_transaction <= pg_snapshot_xmin(pg_current_snapshot()))";

const KEEP_GAPS: &str = "
insert into transparency_gaps (first_position, last_position, seen_at, before_transaction)
select f, l, $3, pg_snapshot_xmax(pg_current_snapshot()) from unnest($1::bigint[], $2::bigint[]) as gaps(f, l)";

/// The events of some games that are not in the log, in order, with the number that comes next in the log.
pub const UNLOGGED: &str = "
select n.game_id, e.seq, e.line, l.next
from unnest($1::uuid[]) as n(game_id)
cross join lateral (
    select coalesce((select t.seq + octet_length(t.hash) / 32 from transparency_entries t where t.game_id = n.game_id order by t.seq desc limit 1), 0) as next
) l
join lateral (
    select seq, line from events where events.game_id = n.game_id and events.seq >= l.next order by seq limit $2
) e on true
limit $2";

/// Started games after one, in the order of their ids.
const OLD_GAMES: &str =
    "select id as game_id from games where id > $1 and header is not null order by id limit $2";

#[derive(QueryableByName)]
struct News {
    #[diesel(sql_type = Array<BigInt>)]
    positions: Vec<i64>,
    #[diesel(sql_type = Array<SqlUuid>)]
    games: Vec<Uuid>,
    #[diesel(sql_type = Array<BigInt>)]
    seqs: Vec<i64>,
    #[diesel(sql_type = Array<Text>)]
    lines: Vec<String>,
}

#[derive(QueryableByName)]
struct NextOfGame {
    #[diesel(sql_type = SqlUuid)]
    game_id: Uuid,
    #[diesel(sql_type = BigInt)]
    next: i64,
}

#[derive(QueryableByName)]
struct Late {
    #[diesel(sql_type = BigInt)]
    first_position: i64,
    #[diesel(sql_type = SqlUuid)]
    game_id: Uuid,
}

#[derive(QueryableByName)]
struct OfGame {
    #[diesel(sql_type = SqlUuid)]
    game_id: Uuid,
}

#[derive(QueryableByName)]
struct Found {
    #[diesel(sql_type = Bool)]
    found: bool,
}

#[derive(QueryableByName)]
struct EventRow {
    #[diesel(sql_type = SqlUuid)]
    game_id: Uuid,
    #[diesel(sql_type = BigInt)]
    seq: i64,
    #[diesel(sql_type = Text)]
    line: String,
    #[diesel(sql_type = BigInt)]
    next: i64,
}

#[derive(QueryableByName)]
struct SealedMaster {
    #[diesel(sql_type = SqlUuid)]
    id: Uuid,
    #[diesel(sql_type = Binary)]
    master_sealed: Vec<u8>,
}

/// What the log needs of an event.
#[derive(Deserialize)]
struct LoggedMembers {
    hash: pippost_record::record::Hash,
    /// Null once the game is over.
    to_act: Option<IgnoredAny>,
}

/// Puts the next events into the log and signs a checkpoint over them; returns how many entries were added. None, too, if another
/// process is at it, or the database has no log.
///
/// # Errors
/// The database failed; the log is as it was.
pub async fn step(
    database: &Database,
    signer: &dyn CheckpointSigner,
    now: OffsetDateTime,
) -> Result<usize, StoreError> {
    if database.topology().is_citus() {
        return Ok(0);
    }
    let mut connection = database.get_for_writing().await?;
    let news: Option<Found> = diesel::sql_query(HAS_NEWS).get_result(&mut connection).await.optional()?;
    if !news.is_some_and(|news| news.found) {
        return Ok(0);
    }
    connection
        .transaction::<usize, StoreError, _>(async |connection| {
            let Some(state) = diesel::sql_query(TAKE).get_result(connection).await.optional()? else {
                return Ok(0);
            };
            advance(connection, state, signer, now).await
        })
        .await
}

async fn advance(
    connection: &mut AsyncPgConnection,
    mut state: State,
    signer: &dyn CheckpointSigner,
    now: OffsetDateTime,
) -> Result<usize, StoreError> {
    let mut news: News = diesel::sql_query(NEWS)
        .bind::<BigInt, _>(state.position)
        .bind::<BigInt, _>(POSITIONS_OF_A_STEP)
        .get_result(connection)
        .await?;
    let positions = std::mem::take(&mut news.positions);
    let late: Vec<Late> = diesel::sql_query(LATE).load(connection).await?;
    let asks_old = !state.is_filled && positions.len() < MAX_NEWS_BESIDE_OLD;
    let old = if asks_old { old_games(connection, &state).await? } else { Vec::new() };
    let (mut events, mut games) = continuing(connection, news).await?;
    games.extend(late.iter().map(|event| event.game_id).chain(old.iter().copied()));
    events.retain(|event| !games.contains(&event.game_id));
    let sought = unlogged(connection, games).await?;
    // Where a step cannot take all, the next one looks at the same events again.
    let takes_all = i64::try_from(sought.len()).is_ok_and(|events| events < ENTRIES_OF_A_STEP);
    events.extend(sought);
    let entries = entries_of(connection, events, takes_all, signer).await?;
    if takes_all {
        keep_gaps(connection, state.position, &positions, now).await?;
        forget_gaps(connection, &late, now).await?;
        state.position = positions.last().copied().unwrap_or(state.position);
        state.is_filled |= asks_old && old.is_empty();
        state.filled_to = old.last().copied().unwrap_or(state.filled_to);
    }
    let added = entries.len();
    grow(connection, &state, entries, signer, now).await?;
    // Also if all these events were in the log already, there may be more to look at.
    let moved_on = !positions.is_empty() || !old.is_empty();
    Ok(added.max(usize::from(moved_on)))
}

/// Those of `news` that continue, without a gap, what the log has of their games; and the games of which others must be looked for.
async fn continuing(
    connection: &mut AsyncPgConnection,
    news: News,
) -> Result<(Vec<EventRow>, BTreeSet<Uuid>), StoreError> {
    let games: BTreeSet<Uuid> = news.games.iter().copied().collect();
    let asked = diesel::sql_query(NEXT).bind::<Array<SqlUuid>, _>(games.into_iter().collect::<Vec<_>>());
    let next: Vec<NextOfGame> = asked.load(connection).await?;
    let next: BTreeMap<Uuid, i64> = next.into_iter().map(|game| (game.game_id, game.next)).collect();
    let mut of_games: BTreeMap<Uuid, Vec<EventRow>> = BTreeMap::new();
    for ((game_id, seq), line) in news.games.into_iter().zip(news.seqs).zip(news.lines) {
        let next = next.get(&game_id).copied().unwrap_or_default();
        if seq >= next {
            of_games.entry(game_id).or_default().push(EventRow { game_id, seq, line, next });
        }
    }
    let (mut events, mut others) = (Vec::new(), BTreeSet::new());
    for (game_id, mut of_game) in of_games {
        of_game.sort_unstable_by_key(|event| event.seq);
        if of_game.iter().zip(of_game[0].next..).all(|(event, seq)| event.seq == seq) {
            events.append(&mut of_game);
        } else {
            others.insert(game_id);
        }
    }
    Ok((events, others))
}

async fn old_games(connection: &mut AsyncPgConnection, state: &State) -> Result<Vec<Uuid>, StoreError> {
    let found: Vec<OfGame> = diesel::sql_query(OLD_GAMES)
        .bind::<SqlUuid, _>(state.filled_to)
        .bind::<BigInt, _>(OLD_GAMES_OF_A_STEP)
        .load(connection)
        .await?;
    Ok(found.into_iter().map(|game| game.game_id).collect())
}

async fn unlogged(
    connection: &mut AsyncPgConnection,
    games: BTreeSet<Uuid>,
) -> Result<Vec<EventRow>, StoreError> {
    if games.is_empty() {
        return Ok(Vec::new());
    }
    let events = diesel::sql_query(UNLOGGED)
        .bind::<Array<SqlUuid>, _>(games.into_iter().collect::<Vec<_>>())
        .bind::<BigInt, _>(ENTRIES_OF_A_STEP);
    Ok(events.load(connection).await?)
}

/// The entries of these events, those of each game without a gap, and of finished games the footer's.
async fn entries_of(
    connection: &mut AsyncPgConnection,
    mut events: Vec<EventRow>,
    are_all: bool,
    signer: &dyn CheckpointSigner,
) -> Result<Vec<NewEntry>, StoreError> {
    events.sort_unstable_by_key(|event| (event.game_id, event.seq));
    let (mut entries, mut over) = (Vec::with_capacity(events.len()), BTreeMap::new());
    for of_game in events.chunk_by(|one, other| one.game_id == other.game_id) {
        let follow = |(event, seq): &(&EventRow, i64)| event.seq == *seq;
        let in_order = of_game.iter().zip(of_game[0].next..).take_while(follow);
        let logged = in_order.map_while(|(event, seq)| {
            let members: LoggedMembers = serde_json::from_str(&event.line).ok()?;
            if members.to_act.is_none() {
                over.insert(event.game_id, (seq + 1, event.line.as_str()));
            }
            Some(NewEntry { game_id: event.game_id, seq, hash: *members.hash.as_bytes() })
        });
        let before = entries.len();
        entries.extend(logged);
        if are_all && entries.len() - before < of_game.len() {
            tracing::error!(game = %of_game[0].game_id, "the events of a game are damaged: the log does not go on with it");
        }
    }
    let games: Vec<Uuid> = over.keys().copied().collect();
    for SealedMaster { id, master_sealed } in masters(connection, games).await? {
        let Some((seq, line)) = over.get(&id) else { continue };
        if let Some(hash) = signer.footer(id, &master_sealed, line) {
            entries.push(NewEntry { game_id: id, seq: *seq, hash });
        } else {
            tracing::error!(game = %id, "the footer of a game cannot be made: the log lacks it");
        }
    }
    Ok(entries)
}

async fn masters(
    connection: &mut AsyncPgConnection,
    games: Vec<Uuid>,
) -> Result<Vec<SealedMaster>, StoreError> {
    if games.is_empty() {
        return Ok(Vec::new());
    }
    let sealed = diesel::sql_query("select id, master_sealed from games where id = any($1)");
    Ok(sealed.bind::<Array<SqlUuid>, _>(games).load(connection).await?)
}

/// The positions that are not among these, from one to another.
#[must_use]
pub fn gaps(after: i64, positions: &[i64]) -> Vec<(i64, i64)> {
    let (mut gaps, mut next) = (Vec::new(), after + 1);
    for position in positions {
        let last = position - 1;
        if last - next >= MAX_SINGLE_POSITIONS {
            gaps.push((next, last));
        } else {
            gaps.extend((next..=last).map(|position| (position, position)));
        }
        next = position + 1;
    }
    gaps
}

async fn keep_gaps(
    connection: &mut AsyncPgConnection,
    after: i64,
    positions: &[i64],
    now: OffsetDateTime,
) -> Result<(), StoreError> {
    let (first, last): (Vec<i64>, Vec<i64>) = gaps(after, positions).into_iter().unzip();
    if !first.is_empty() {
        let kept =
            diesel::sql_query(KEEP_GAPS).bind::<Array<BigInt>, _>(first).bind::<Array<BigInt>, _>(last);
        kept.bind::<Timestamptz, _>(now).execute(connection).await?;
    }
    Ok(())
}

async fn forget_gaps(
    connection: &mut AsyncPgConnection,
    late: &[Late],
    now: OffsetDateTime,
) -> Result<(), StoreError> {
    let found: Vec<i64> = late.iter().map(|event| event.first_position).collect();
    let forgotten = diesel::sql_query(FORGET_GAPS).bind::<Array<BigInt>, _>(found);
    forgotten.bind::<Timestamptz, _>(now - GAP_KEPT).execute(connection).await?;
    Ok(())
}
