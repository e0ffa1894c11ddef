//! Reads the events of a game, from the database or, if it is archived, from the archive.

use diesel::prelude::*;
use diesel::sql_types::{Array, BigInt};
use diesel_async::RunQueryDsl;
use uuid::Uuid;

use super::archived_games;
use super::database::{Connection, Database};
use super::error::StoreError;
use super::event_id::EventId;
use super::numbers::Seq;
use super::schema::events;

/// The most events of one read.
pub const MAX_PAGE: u16 = 500;

/// Lines of the events from `first` to `last`, in order, at most [`MAX_PAGE`]. They come from the replica if it has them all,
/// because events never change. An empty range needs no query, nor does one that no row can hold.
pub async fn lines(
    database: &Database,
    game_id: Uuid,
    first: Seq,
    last: Seq,
) -> Result<Vec<String>, StoreError> {
    if last < first || first > Seq::MAX {
        return Ok(Vec::new());
    }
    let last = last.min(Seq::MAX);
    if let Some(replica) = database.replica() {
        let found = replica.read(async |connection| read(connection, game_id, first, last).await).await;
        let wanted = (last - first + 1).min(MAX_PAGE.into());
        if let Some(lines) = found.filter(|lines| u64::try_from(lines.len()) == Ok(wanted)) {
            return Ok(lines);
        }
    }
    let rows = read(&mut database.get().await?, game_id, first, last).await?;
    if !rows.is_empty() {
        return Ok(rows);
    }
    match archived_games::events(database, game_id, first, last).await? {
        Some(lines) => Ok(lines),
        // It may have been brought back meanwhile.
        None => read(&mut database.get().await?, game_id, first, last).await,
    }
}

/// Consecutive events of a game.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Span {
    pub game_id: Uuid,
    pub first: Seq,
    pub last: Seq,
}

/// The lines of the events of several spans, in their order, with one statement. Each span is read by index.
pub const LINES_OF: &str = "
select g.game_id, e.seq, e.line
from unnest($1::uuid[], $2::bigint[], $3::bigint[]) with ordinality as g(game_id, first_seq, last_seq, number)
join lateral (
    select seq, line from events where events.game_id = g.game_id and seq between g.first_seq and g.last_seq
    order by seq limit 500
) e on true
order by g.number, e.seq";

/// The same on a cluster, which knows no limit for each of several games. A span has no gaps, so it is cut as there.
const LINES_OF_ON_CITUS: &str = "
select g.game_id, e.seq, e.line
from unnest($1::uuid[], $2::bigint[], $3::bigint[]) with ordinality as g(game_id, first_seq, last_seq, number)
join events e on e.game_id = g.game_id and e.seq between g.first_seq and g.last_seq and e.seq < g.first_seq + 500
order by g.number, e.seq";

#[derive(QueryableByName)]
struct FoundEvent {
    #[diesel(sql_type = diesel::sql_types::Uuid)]
    game_id: Uuid,
    #[diesel(sql_type = BigInt)]
    seq: Seq,
    #[diesel(sql_type = diesel::sql_types::Text)]
    line: String,
}

/// The lines of the events of `spans`, each with its id, in order.
///
/// # Errors
/// The database failed.
pub async fn lines_of(database: &Database, spans: &[Span]) -> Result<Vec<(EventId, String)>, StoreError> {
    let games: Vec<Uuid> = spans.iter().map(|span| span.game_id).collect();
    let firsts: Vec<Seq> = spans.iter().map(|span| span.first).collect();
    let lasts: Vec<Seq> = spans.iter().map(|span| span.last).collect();
    let statement = if database.topology().is_citus() { LINES_OF_ON_CITUS } else { LINES_OF };
    let query = diesel::sql_query(statement)
        .bind::<Array<diesel::sql_types::Uuid>, _>(games)
        .bind::<Array<BigInt>, _>(firsts)
        .bind::<Array<BigInt>, _>(lasts);
    let found: Vec<FoundEvent> = query.load(&mut database.get().await?).await?;
    let mut found = found.into_iter().peekable();
    let mut events = Vec::new();
    for span in spans {
        let before = events.len();
        let is_here = |found: &FoundEvent| {
            found.game_id == span.game_id && (span.first..=span.last).contains(&found.seq)
        };
        while let Some(FoundEvent { game_id, seq, line }) = found.next_if(is_here) {
            events.push((EventId { game_id, seq }, line));
        }
        if events.len() == before {
            let lines = lines(database, span.game_id, span.first, span.last).await?;
            let numbers = (span.first.get()..).map(|seq| EventId { game_id: span.game_id, seq: seq.into() });
            events.extend(numbers.zip(lines));
        }
    }
    Ok(events)
}

async fn read(
    connection: &mut Connection,
    game_id: Uuid,
    first: Seq,
    last: Seq,
) -> Result<Vec<String>, StoreError> {
    let lines = events::table
        .filter(events::game_id.eq(game_id))
        .filter(events::seq.between(first, last))
        .order(events::seq)
        .limit(MAX_PAGE.into())
        .select(events::line)
        .load(connection)
        .await?;
    Ok(lines)
}
