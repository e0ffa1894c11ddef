//! Reads the events of a game, from the database or, if it is archived, from the archive.

use diesel::pg::Pg;
use diesel::prelude::*;
use diesel::query_builder::{AstPass, Query, QueryFragment, QueryId};
use diesel::sql_types::{Array, BigInt, Text, Uuid as SqlUuid};
use diesel_async::RunQueryDsl;
use uuid::Uuid;

use super::database::{Connection, Database};
use super::error::StoreError;
use super::event_id::EventId;
use super::named::fill;
use super::numbers::Seq;
use super::schema::events;
use super::{archived_games, citus};

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
select g.number, e.seq, e.line
from unnest({games}, {first_seqs}, {last_seqs}) with ordinality as g(game_id, first_seq, last_seq, number)
join lateral (
    select seq, line from events where events.game_id = g.game_id and seq between g.first_seq and g.last_seq
    order by seq limit 500
) e on true
order by g.number, e.seq";

/// One of the two with its values; prepared once for each connection.
#[derive(QueryId)]
struct LinesOf {
    statement: &'static str,
    games: Vec<Uuid>,
    first_seqs: Vec<Seq>,
    last_seqs: Vec<Seq>,
}

impl Query for LinesOf {
    type SqlType = (BigInt, BigInt, Text);
}

impl QueryFragment<Pg> for LinesOf {
    fn walk_ast<'b>(&'b self, mut out: AstPass<'_, 'b, Pg>) -> QueryResult<()> {
        fill(self.statement, &mut out, |name, out| match name {
            "games" => out.push_bind_param::<Array<SqlUuid>, _>(&self.games),
            "first_seqs" => out.push_bind_param::<Array<BigInt>, _>(&self.first_seqs),
            "last_seqs" => out.push_bind_param::<Array<BigInt>, _>(&self.last_seqs),
            _ => unreachable!("the statements name no other value"),
        })
    }
}

/// The lines of the events of `spans`, each with its id, in order.
///
/// # Errors
/// The database failed.
pub async fn lines_of(database: &Database, spans: &[Span]) -> Result<Vec<(EventId, String)>, StoreError> {
    let of_each = spans.iter().zip(lines_of_each(database, spans).await?);
    let with_ids = of_each.flat_map(|(span, lines)| {
        lines.into_iter().map(|(seq, line)| (EventId { game_id: span.game_id, seq }, line))
    });
    Ok(with_ids.collect())
}

/// The same for each span.
///
/// # Errors
/// The database failed.
pub async fn lines_of_each(
    database: &Database,
    spans: &[Span],
) -> Result<Vec<Vec<(Seq, String)>>, StoreError> {
    let mut of_each = rows_of_each(database, spans).await?;
    for (span, of_span) in spans.iter().zip(&mut of_each) {
        if of_span.is_empty() {
            // They may be in the archive.
            let lines = lines(database, span.game_id, span.first, span.last).await?;
            of_span.extend((span.first.get()..).map(Seq::from).zip(lines));
        }
    }
    Ok(of_each)
}

/// The same of the database alone: of spans in the archive there are none.
///
/// # Errors
/// The database failed.
pub async fn rows_of_each(
    database: &Database,
    spans: &[Span],
) -> Result<Vec<Vec<(Seq, String)>>, StoreError> {
    let query = LinesOf {
        statement: database.topology().pick(LINES_OF, citus::statements::LINES_OF),
        games: spans.iter().map(|span| span.game_id).collect(),
        first_seqs: spans.iter().map(|span| span.first).collect(),
        last_seqs: spans.iter().map(|span| span.last).collect(),
    };
    let found: Vec<(i64, Seq, String)> = query.load(&mut database.get().await?).await?;
    let mut found = found.into_iter().peekable();
    let mut of_each = Vec::with_capacity(spans.len());
    for number in (1..).take(spans.len()) {
        let mut of_span = Vec::new();
        while let Some((_, seq, line)) = found.next_if(|(of, ..)| *of == number) {
            of_span.push((seq, line));
        }
        of_each.push(of_span);
    }
    Ok(of_each)
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
