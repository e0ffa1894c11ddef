//! What has happened in a tournament: numbered lines, written in the transaction that does it. That holds the lock of the tournament's
//! row until it commits, so whoever sees an event sees all before it, and no cursor can pass one.
//!
//! They are no part of players' feeds: positions there are those of games' events (`player_feeds`), and clients of the released
//! document take every entry for one. A tournament is public, so its own feed serves everybody. Registrations have no event,
//! because somebody may enter and withdraw for ever; so a tournament has a bounded number: two for each round, one for each player.

use diesel::prelude::*;
use diesel::result::Error;
use diesel::sql_types::{BigInt, Uuid as SqlUuid};
use diesel_async::{AsyncPgConnection, RunQueryDsl};
use pippost_record::record::Timestamp;
use serde::Serialize;
use serde_json::value::RawValue;
use time::OffsetDateTime;
use uuid::Uuid;

use crate::database::Database;
use crate::error::StoreError;
use crate::event_id::EventId;
use crate::numbers::Seq;
use crate::schema::{
    players, tournament_events, tournament_players, tournaments, webhook_tournament_events, webhooks,
};
use crate::text_enum::text_enum;

text_enum! {
    "kind of a tournament's event",
    /// What has happened in a tournament.
    pub enum TournamentEventKind {
        /// Registration is over; the first round begins with it.
        Started = "started",
        /// Its games begin right after.
        RoundBegan = "round_began",
        RoundEnded = "round_ended",
        /// A player is paired no more, and has left.
        Withdrew = "withdrew",
        /// A player is paired no more, having lost on time.
        TimedOut = "timed_out",
        Finished = "finished",
        Cancelled = "cancelled",
    }
}

impl TournamentEventKind {
    /// Whether nothing happens after it.
    #[must_use]
    pub fn is_last(self) -> bool {
        matches!(self, Self::Finished | Self::Cancelled)
    }
}

/// An event to write.
#[derive(Debug)]
pub struct NewTournamentEvent {
    pub kind: TournamentEventKind,
    pub round: Option<i16>,
    /// The handle of whoever is paired no more.
    pub player: Option<String>,
    /// Of a round, as JSON.
    pub pairings: Option<Box<RawValue>>,
    /// The final ones, as JSON.
    pub standings: Option<Box<RawValue>>,
}

impl NewTournamentEvent {
    /// An event without more to tell.
    #[must_use]
    pub fn plain(kind: TournamentEventKind) -> Self {
        Self { kind, round: None, player: None, pairings: None, standings: None }
    }
}

/// An event as feeds and webhooks tell it.
#[derive(Serialize)]
struct Line<'a> {
    seq: Seq,
    at: String,
    #[serde(rename = "type")]
    kind: TournamentEventKind,
    round: Option<i16>,
    player: Option<&'a str>,
    pairings: Option<&'a RawValue>,
    standings: Option<&'a RawValue>,
}

/// Notes an event for the webhooks of those who are in a tournament, and of its organiser.
const TELL_WEBHOOKS: &str = "
insert into webhook_tournament_events (webhook_id, tournament_id, seq)
select k.id, $1, $2 from webhooks k
where k.state = 'active' and 'tournament' = any (k.kinds) and k.game_id is null and k.player_id in (
    select p.player_id from tournament_players p where p.tournament_id = $1
    union select t.organiser_id from tournaments t where t.id = $1
)";

/// Writes an event of a tournament whose row is locked.
pub(crate) async fn tell(
    connection: &mut AsyncPgConnection,
    id: Uuid,
    event: &NewTournamentEvent,
    now: OffsetDateTime,
) -> QueryResult<()> {
    let seq = newest(connection, id).await?.map_or(Seq::START, Seq::next);
    let NewTournamentEvent { kind, round, player, pairings, standings } = event;
    let line = Line {
        seq,
        at: Timestamp::new(now).to_string(),
        kind: *kind,
        round: *round,
        player: player.as_deref(),
        pairings: pairings.as_deref(),
        standings: standings.as_deref(),
    };
    let line = serde_json::to_string(&line).map_err(|error| Error::SerializationError(error.into()))?;
    let new = (
        tournament_events::tournament_id.eq(id),
        tournament_events::seq.eq(seq),
        tournament_events::at.eq(now),
        tournament_events::kind.eq(*kind),
        tournament_events::line.eq(line),
    );
    diesel::insert_into(tournament_events::table).values(new).execute(connection).await?;
    let told = diesel::sql_query(TELL_WEBHOOKS).bind::<SqlUuid, _>(id).bind::<BigInt, _>(seq);
    told.execute(connection).await?;
    Ok(())
}

async fn newest(connection: &mut AsyncPgConnection, id: Uuid) -> QueryResult<Option<Seq>> {
    let of_tournament = tournament_events::table.filter(tournament_events::tournament_id.eq(id));
    let newest = of_tournament.order(tournament_events::seq.desc()).select(tournament_events::seq);
    newest.first(connection).await.optional()
}

/// Writes that a player is paired no more in a tournament whose row is locked.
pub(crate) async fn tell_left(
    connection: &mut AsyncPgConnection,
    id: Uuid,
    (kind, round): (TournamentEventKind, i16),
    player_id: Uuid,
    now: OffsetDateTime,
) -> QueryResult<()> {
    let handle = players::table.find(player_id).select(players::handle);
    let player = Some(handle.first::<String>(connection).await?);
    let event = NewTournamentEvent { round: Some(round), player, ..NewTournamentEvent::plain(kind) };
    tell(connection, id, &event, now).await
}

/// An event of a tournament.
#[derive(Clone, Debug, Queryable, Selectable)]
#[diesel(table_name = tournament_events)]
pub struct TournamentEventRow {
    pub tournament_id: Uuid,
    pub seq: Seq,
    pub at: OffsetDateTime,
    pub kind: TournamentEventKind,
    /// As JSON.
    pub line: String,
}

impl TournamentEventRow {
    /// Its id: the tournament's id, a colon and its number.
    #[must_use]
    pub fn id(&self) -> EventId {
        EventId { game_id: self.tournament_id, seq: self.seq }
    }
}

/// The number of a tournament's newest event.
///
/// # Errors
/// The database failed.
pub async fn newest_event(database: &Database, id: Uuid) -> Result<Option<Seq>, StoreError> {
    Ok(newest(&mut *database.get().await?, id).await?)
}

/// The events after that one, or from the first on, in order and at most `limit`.
///
/// # Errors
/// The database failed.
pub async fn events_after(
    database: &Database,
    id: Uuid,
    after: Option<Seq>,
    limit: i64,
) -> Result<Vec<TournamentEventRow>, StoreError> {
    let first = after.map_or(Seq::START, Seq::next);
    let events = tournament_events::table
        .filter(tournament_events::tournament_id.eq(id))
        .filter(tournament_events::seq.ge(first))
        .order(tournament_events::seq)
        .limit(limit)
        .select(TournamentEventRow::as_select());
    Ok(events.load(&mut database.get().await?).await?)
}

/// An event that a webhook is told, with the tournament's title.
pub type ToldEvent = (TournamentEventRow, String);

/// The events that a webhook has to be told, those of a tournament in order, at most `limit`.
///
/// # Errors
/// The database failed.
pub async fn waiting(
    database: &Database,
    webhook_id: Uuid,
    limit: i64,
) -> Result<Vec<ToldEvent>, StoreError> {
    let waiting = webhook_tournament_events::table
        .inner_join(
            tournament_events::table.on(tournament_events::tournament_id
                .eq(webhook_tournament_events::tournament_id)
                .and(tournament_events::seq.eq(webhook_tournament_events::seq))),
        )
        .inner_join(tournaments::table.on(tournaments::id.eq(webhook_tournament_events::tournament_id)))
        .filter(webhook_tournament_events::webhook_id.eq(webhook_id))
        .order((webhook_tournament_events::tournament_id, webhook_tournament_events::seq))
        .limit(limit)
        .select((TournamentEventRow::as_select(), tournaments::title));
    Ok(waiting.load(&mut database.get().await?).await?)
}

/// One event of a tournament that a player is in, or organises.
///
/// # Errors
/// The database failed.
pub async fn event_for(
    database: &Database,
    player_id: Uuid,
    event: EventId,
) -> Result<Option<ToldEvent>, StoreError> {
    let is_in = tournament_players::table
        .filter(tournament_players::tournament_id.eq(event.game_id))
        .filter(tournament_players::player_id.eq(player_id));
    let found = tournament_events::table
        .inner_join(tournaments::table.on(tournaments::id.eq(tournament_events::tournament_id)))
        .filter(tournament_events::tournament_id.eq(event.game_id))
        .filter(tournament_events::seq.eq(event.seq))
        .filter(tournaments::organiser_id.eq(player_id).or(diesel::dsl::exists(is_in)))
        .select((TournamentEventRow::as_select(), tournaments::title));
    Ok(found.first(&mut database.get().await?).await.optional()?)
}

/// Forgets an event that a webhook need not be told, inside a transaction.
pub(crate) async fn remove(
    connection: &mut AsyncPgConnection,
    webhook_id: Uuid,
    event: EventId,
) -> QueryResult<()> {
    let told = webhook_tournament_events::table.find((webhook_id, event.game_id, event.seq));
    diesel::delete(told).execute(connection).await?;
    Ok(())
}

/// Forgets events that a webhook need not be told.
///
/// # Errors
/// The database failed.
pub async fn forget(database: &Database, webhook_id: Uuid, events: &[EventId]) -> Result<(), StoreError> {
    let mut connection = database.get().await?;
    for event in events {
        remove(&mut connection, webhook_id, *event).await?;
    }
    Ok(())
}

/// The players with webhooks that have to be told of a tournament.
///
/// # Errors
/// The database failed.
pub async fn awaited_by(database: &Database, id: Uuid) -> Result<Vec<Uuid>, StoreError> {
    let players = webhook_tournament_events::table
        .inner_join(webhooks::table.on(webhooks::id.eq(webhook_tournament_events::webhook_id)))
        .filter(webhook_tournament_events::tournament_id.eq(id))
        .select(webhooks::player_id)
        .distinct();
    Ok(players.load(&mut database.get().await?).await?)
}
