//! Games before and around their play: created, joined, started, loaded.

use diesel::prelude::*;
use diesel_async::{AsyncConnection, RunQueryDsl};
use time::OffsetDateTime;
use uuid::Uuid;

use super::append::{EventNotice, NewState};
use super::database::{Connection, Database};
use super::error::StoreError;
use super::schema::{events, game_players, game_states, games, notices, players};

/// A row of `games`.
#[derive(Clone, Debug, Queryable, Selectable, Insertable)]
#[diesel(table_name = games)]
pub struct GameRow {
    pub id: Uuid,
    pub rules: String,
    pub rules_version: i32,
    pub options: String,
    pub seating: String,
    pub seats: i16,
    pub private: bool,
    pub limit_hours: Option<i32>,
    pub commitment: Vec<u8>,
    pub master_sealed: Vec<u8>,
    pub creator_id: Uuid,
    pub status: String,
    pub created_at: OffsetDateTime,
    pub started_at: Option<OffsetDateTime>,
    pub finished_at: Option<OffsetDateTime>,
    pub header: Option<String>,
    /// The round of the public beacon that its chance mixes in, settled when the last player joined.
    pub beacon_round: Option<i64>,
}

/// A row of `game_states`.
#[derive(Clone, Debug, Queryable, Selectable)]
#[diesel(table_name = game_states)]
pub struct StateRow {
    pub game_id: Uuid,
    pub seq: i64,
    pub head: Vec<u8>,
    pub at: OffsetDateTime,
    pub snapshot: String,
    pub to_act_seat: Option<i16>,
    pub to_act_player: Option<Uuid>,
    pub turn_since: Option<OffsetDateTime>,
    pub deadline_at: Option<OffsetDateTime>,
    pub remind_at: Option<OffsetDateTime>,
    /// Rises when the row is rebuilt without a move.
    pub edition: i32,
}

/// A player of a game, with the handle of today.
#[derive(Clone, Debug, Queryable)]
pub struct MemberRow {
    pub game_id: Uuid,
    pub player_id: Uuid,
    pub handle: String,
    pub joined: i16,
    pub entropy: String,
    pub seat: Option<i16>,
}

/// A game with all its rows but the events.
#[derive(Clone, Debug)]
pub struct WholeGame {
    pub game: GameRow,
    /// Once it has started.
    pub state: Option<StateRow>,
    /// In joining order.
    pub members: Vec<MemberRow>,
}

/// A game ready to start.
#[derive(Debug)]
pub struct Start {
    pub header: String,
    pub line: String,
    pub state: NewState,
    /// The players in order of their seats.
    pub seated: Vec<Uuid>,
    pub notices: Vec<EventNotice>,
    pub started_at: OffsetDateTime,
    /// When the start itself ended the game.
    pub finished_at: Option<OffsetDateTime>,
}

/// Loads a game with its state and members in one round trip, two statements sent together.
pub async fn load(database: &Database, game_id: Uuid) -> Result<Option<WholeGame>, StoreError> {
    let connection = database.get().await?;
    let (mut first, mut second) = (&*connection, &*connection);
    let row = games::table
        .left_join(game_states::table.on(game_states::game_id.eq(games::id)))
        .filter(games::id.eq(game_id))
        .select((GameRow::as_select(), Option::<StateRow>::as_select()))
        .first::<(GameRow, Option<StateRow>)>(&mut first);
    let members = members_query().filter(game_players::game_id.eq(game_id)).load::<MemberRow>(&mut second);
    let (row, members) = futures_util::future::join(row, members).await;
    let Some((game, state)) = row.optional()? else { return Ok(None) };
    Ok(Some(WholeGame { game, state, members: members? }))
}

/// The members of several games, in joining order.
pub async fn members_of(connection: &mut Connection, ids: &[Uuid]) -> Result<Vec<MemberRow>, StoreError> {
    Ok(members_query().filter(game_players::game_id.eq_any(ids)).load(connection).await?)
}

#[diesel::dsl::auto_type]
fn members_query() -> _ {
    game_players::table
        .inner_join(players::table.on(players::id.eq(game_players::player_id)))
        .order((game_players::game_id, game_players::joined))
        .select((
            game_players::game_id,
            game_players::player_id,
            players::handle,
            game_players::joined,
            game_players::entropy,
            game_players::seat,
        ))
}

/// The `seq` and the edition of the state of each of these games that has started.
pub async fn current_versions(
    connection: &mut Connection,
    ids: &[Uuid],
) -> Result<Vec<(Uuid, (i64, i32))>, StoreError> {
    let states = game_states::table.filter(game_states::game_id.eq_any(ids));
    let version = (game_states::game_id, (game_states::seq, game_states::edition));
    Ok(states.select(version).load(connection).await?)
}

/// Writes a new game with its creator as the first player.
pub async fn create(database: &Database, game: &GameRow, entropy: &str) -> Result<(), StoreError> {
    let mut connection = database.get().await?;
    let inserted = connection.transaction::<(), StoreError, _>(async |connection| {
        diesel::insert_into(games::table).values(game).execute(connection).await?;
        Ok(insert_member(connection, game.id, game.creator_id, 0, entropy).await?)
    });
    inserted.await
}

async fn insert_member(
    connection: &mut diesel_async::AsyncPgConnection,
    game_id: Uuid,
    player_id: Uuid,
    joined: i16,
    entropy: &str,
) -> QueryResult<()> {
    let member = (
        game_players::game_id.eq(game_id),
        game_players::player_id.eq(player_id),
        game_players::joined.eq(joined),
        game_players::entropy.eq(entropy),
    );
    diesel::insert_into(game_players::table).values(member).execute(connection).await?;
    Ok(())
}

/// What the lobby decides about a game while its row is locked.
#[derive(Debug)]
pub enum LobbyChange {
    /// Nothing is written.
    Nothing,
    /// A player joins.
    Join { player_id: Uuid, entropy: String, then: AfterJoin },
    /// The round that a full game waited for has come.
    Start(Box<Start>),
    /// A player leaves before the start.
    Leave { player_id: Uuid },
    /// The last player leaves before the start.
    Cancel { player_id: Uuid, at: OffsetDateTime },
}

/// What a join leads to.
#[derive(Debug)]
pub enum AfterJoin {
    /// The game waits for more players.
    Wait,
    /// The game is full, and waits for a round of the public beacon.
    AwaitRound(i64),
    /// The game is full and starts.
    Start(Box<Start>),
}

/// Locks the game, lets `decide` look at it, and writes what it decides. Of any number of players who reach for the last
/// seat at once, one gets it.
pub async fn change_lobby<T: Send>(
    database: &Database,
    game_id: Uuid,
    decide: impl FnOnce(Option<WholeGame>) -> Result<(LobbyChange, T), StoreError> + Send,
) -> Result<T, StoreError> {
    let mut connection = database.get().await?;
    let changed = connection.transaction::<T, StoreError, _>(async move |connection| {
        let locked = games::table.find(game_id).for_update().select(GameRow::as_select());
        let game = locked.first(connection).await.optional()?;
        let members: Vec<MemberRow> =
            members_query().filter(game_players::game_id.eq(game_id)).load(connection).await?;
        let next_joined = members.last().map_or(0, |member| member.joined + 1);
        let (change, answer) = decide(game.map(|game| WholeGame { game, state: None, members }))?;
        write_change(connection, game_id, next_joined, change).await?;
        Ok(answer)
    });
    changed.await
}

async fn write_change(
    connection: &mut diesel_async::AsyncPgConnection,
    game_id: Uuid,
    next_joined: i16,
    change: LobbyChange,
) -> QueryResult<()> {
    match change {
        LobbyChange::Nothing => {}
        LobbyChange::Join { player_id, entropy, then } => {
            insert_member(connection, game_id, player_id, next_joined, &entropy).await?;
            match then {
                AfterJoin::Wait => {}
                AfterJoin::AwaitRound(round) => await_round(connection, game_id, round).await?,
                AfterJoin::Start(start) => write_start(connection, game_id, *start).await?,
            }
        }
        LobbyChange::Start(start) => write_start(connection, game_id, *start).await?,
        LobbyChange::Leave { player_id } => {
            diesel::delete(game_players::table.find((game_id, player_id))).execute(connection).await?;
        }
        LobbyChange::Cancel { player_id, at } => {
            diesel::delete(game_players::table.find((game_id, player_id))).execute(connection).await?;
            diesel::update(games::table.find(game_id))
                .set((games::status.eq("cancelled"), games::finished_at.eq(at)))
                .execute(connection)
                .await?;
        }
    }
    Ok(())
}

async fn await_round(
    connection: &mut diesel_async::AsyncPgConnection,
    game_id: Uuid,
    round: i64,
) -> QueryResult<()> {
    let awaited = (games::status.eq("starting"), games::beacon_round.eq(round));
    diesel::update(games::table.find(game_id)).set(awaited).execute(connection).await?;
    Ok(())
}

/// Full games that wait for a round of the public beacon not after `newest`, the earliest first.
pub async fn awaiting_round(
    database: &Database,
    newest: i64,
    limit: i64,
) -> Result<Vec<(Uuid, i64)>, StoreError> {
    let mut connection = database.get().await?;
    let waiting = games::table
        .filter(games::status.eq("starting").and(games::beacon_round.le(newest)))
        .order(games::beacon_round)
        .limit(limit)
        .select((games::id, games::beacon_round.assume_not_null()))
        .load(&mut connection)
        .await?;
    Ok(waiting)
}

async fn write_start(
    connection: &mut diesel_async::AsyncPgConnection,
    game_id: Uuid,
    start: Start,
) -> QueryResult<()> {
    let status = if start.finished_at.is_some() { "finished" } else { "running" };
    diesel::update(games::table.find(game_id))
        .set((
            games::status.eq(status),
            games::started_at.eq(start.started_at),
            games::finished_at.eq(start.finished_at),
            games::header.eq(start.header),
        ))
        .execute(connection)
        .await?;
    for (seat, player_id) in (0i16..).zip(&start.seated) {
        diesel::update(game_players::table.find((game_id, *player_id)))
            .set(game_players::seat.eq(seat))
            .execute(connection)
            .await?;
    }
    let event = (events::game_id.eq(game_id), events::seq.eq(0), events::line.eq(start.line));
    diesel::insert_into(events::table).values(event).execute(connection).await?;
    let row = (game_states::game_id.eq(game_id), start.state);
    diesel::insert_into(game_states::table).values(row).execute(connection).await?;
    let rows: Vec<_> =
        start.notices.iter().map(|notice| notice_row(game_id, notice, start.started_at)).collect();
    diesel::insert_into(notices::table).values(rows).execute(connection).await?;
    Ok(())
}

type NoticeValues = (
    diesel::dsl::Eq<notices::id, Uuid>,
    diesel::dsl::Eq<notices::kind, &'static str>,
    diesel::dsl::Eq<notices::player_id, Uuid>,
    diesel::dsl::Eq<notices::game_id, Uuid>,
    diesel::dsl::Eq<notices::seq, i64>,
    diesel::dsl::Eq<notices::created_at, OffsetDateTime>,
    diesel::dsl::Eq<notices::state, &'static str>,
    diesel::dsl::Eq<notices::next_attempt_at, OffsetDateTime>,
);

fn notice_row(game_id: Uuid, notice: &EventNotice, now: OffsetDateTime) -> NoticeValues {
    (
        notices::id.eq(notice.id),
        notices::kind.eq(notice.kind),
        notices::player_id.eq(notice.player_id),
        notices::game_id.eq(game_id),
        notices::seq.eq(0),
        notices::created_at.eq(now),
        notices::state.eq("waiting"),
        notices::next_attempt_at.eq(now),
    )
}
