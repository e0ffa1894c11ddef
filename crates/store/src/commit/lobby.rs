//! Changes of a game before its start, and the start itself, each in one transaction.

use diesel::prelude::*;
use diesel_async::{AsyncConnection, AsyncPgConnection, RunQueryDsl};
use time::OffsetDateTime;
use uuid::Uuid;

use super::append::EventNotice;
use super::guard::StateWrite;
use super::states;
use crate::calendars;
use crate::clock_lines::ClockLineRow;
use crate::games::{GameRow, MemberRow, NewState, WholeGame, insert_member, members_query};
use crate::schema::{clock_lines, events, game_players, games, notices};
use crate::usage::{self, BotLimits, UsageLimits};
use crate::{BeaconRound, Database, GameStatus, Seq, StoreError, Topology};

/// A game ready to start.
#[derive(Debug)]
pub struct Start {
    pub header: String,
    pub line: String,
    pub state: NewState,
    /// What bears on the clock and does not change with moves, as JSON.
    pub clock_conditions: String,
    /// The newest outage: those before it concern no clock of the game.
    pub outage: i64,
    /// The first lines of the clock log.
    pub clock_lines: Vec<ClockLineRow>,
    /// The players in order of their seats.
    pub seated: Vec<Uuid>,
    pub notices: Vec<EventNotice>,
    pub started_at: OffsetDateTime,
    /// Present if the start itself ended the game.
    pub finished_at: Option<OffsetDateTime>,
    /// How it ended then, as JSON.
    pub result: Option<String>,
}

/// The lobby's decision about a game while its row is locked.
#[derive(Debug)]
pub enum LobbyChange {
    /// Write nothing.
    Nothing,
    /// Add a player.
    Join { player_id: Uuid, entropy: String, then: AfterJoin },
    /// Set the entropy of a player of the game.
    Entropy { player_id: Uuid, entropy: String },
    /// Start a full game, as its round is available.
    Start(Box<Start>),
    /// Remove a player before the start.
    Leave { player_id: Uuid },
    /// Remove the last player before the start.
    Cancel { player_id: Uuid, at: OffsetDateTime },
}

/// The outcome of a join.
#[derive(Debug)]
pub enum AfterJoin {
    /// The game waits for more players.
    Wait,
    /// The game is full, and waits for a round of the public beacon.
    AwaitRound { round: BeaconRound, until: OffsetDateTime },
    /// The game is full and starts.
    Start(Box<Start>),
}

/// Who joins a game.
#[derive(Clone, Copy, Debug)]
pub struct Joining {
    /// What the player's games may take.
    pub limits: UsageLimits,
    /// The limits of a bot that plays in the game.
    pub of_bot: Option<BotLimits>,
}

/// How often the locks are taken anew because somebody has joined meanwhile; then the last ones are taken out of order.
const MAX_TRIES: usize = 16;

/// Locks the game, calls `decide`, and writes its decision. The game is loaded with what its players bring along, and `joining`. If several players join for the last seat at once, one gets it.
///
/// # Errors
/// [`StoreError::UsedUp`] or [`StoreError::TooMany`] beyond the limits, or the database failed.
pub async fn change_lobby<T: Send>(
    database: &Database,
    game_id: Uuid,
    joining: Option<Joining>,
    now: OffsetDateTime,
    decide: impl FnOnce(Option<WholeGame>) -> Result<(LobbyChange, T), StoreError> + Send,
) -> Result<T, StoreError> {
    let topology = database.topology();
    let mut connection = if joining.is_some() {
        database.get_for_writing_to_all_nodes().await?
    } else {
        database.get_for_writing().await?
    };
    let right = StateWrite::of([game_id]);
    let mut decide = Some(decide);
    for tries_left in (0..MAX_TRIES).rev() {
        let (writing, decide) = (&right, &mut decide);
        let changed = connection.transaction::<Option<T>, StoreError, _>(async move |connection| {
            if let Some(joining) = joining {
                joining.limits.lock(connection).await?;
                joining.limits.check(connection).await?;
            }
            if let Some(limits) = joining.and_then(|joining| joining.of_bot) {
                // Alone and first: whoever shares the lock already could not be alone with it any more.
                calendars::lock_player(connection, topology, limits.bot).await?;
                limits.check_beside(Some(game_id), connection).await?;
            }
            let Some(locked) = lock(connection, topology, game_id, joining, tries_left > 0).await? else {
                return Ok(None);
            };
            let Locked { game, members, players } = locked;
            let brought = calendars::of_players(connection, &players, now).await?;
            let whole = game.map(|game| WholeGame { game, state: None, members: members.clone(), brought });
            let decide = decide.take().expect("it is called once");
            let (change, answer) = decide(whole)?;
            write_change(connection, writing, &members, game_id, change).await?;
            Ok(Some(answer))
        });
        if let Some(answer) = changed.await? {
            return Ok(answer);
        }
    }
    unreachable!("the last try takes all locks")
}

/// Writes a new game that is full at once, with these players in joining order, and what `decide` says then; false if it exists already.
/// Nobody's limits are asked: whoever pairs players has asked before.
///
/// # Errors
/// The database failed; nothing was written.
pub async fn begin_full<T: Send>(
    database: &Database,
    game: GameRow,
    players: &[Uuid],
    now: OffsetDateTime,
    decide: impl FnOnce(WholeGame) -> Result<(AfterJoin, T), StoreError> + Send,
) -> Result<Option<T>, StoreError> {
    let topology = database.topology();
    let mut connection = database.get_for_writing_to_all_nodes().await?;
    let right = StateWrite::of([game.id]);
    let mut ordered = players.to_vec();
    ordered.sort_unstable();
    let begun = connection.transaction::<Option<T>, StoreError, _>(async |connection| {
        for player_id in &ordered {
            usage::lock_entries(connection, *player_id).await?;
        }
        calendars::lock(connection, topology, &ordered).await?;
        let game_id = game.id;
        let new = diesel::insert_into(games::table).values(&game).on_conflict_do_nothing();
        if new.execute(connection).await? == 0 {
            return Ok(None);
        }
        for (joined, player_id) in (0..).zip(players) {
            insert_member(connection, game_id, *player_id, joined, "").await?;
        }
        let members: Vec<MemberRow> =
            members_query().filter(game_players::game_id.eq(game_id)).load(connection).await?;
        let brought = calendars::of_players(connection, &ordered, now).await?;
        let (then, answer) = decide(WholeGame { game, state: None, members, brought })?;
        write_after_join(connection, &right, game_id, then).await?;
        Ok(Some(answer))
    });
    begun.await
}

/// A game whose row is locked, as are those of its players.
struct Locked {
    game: Option<GameRow>,
    members: Vec<MemberRow>,
    players: Vec<Uuid>,
}

/// Locks the rows of the players and then that of the game: in this order, as everywhere. `None` if somebody has joined between both
/// and `may_retry`.
async fn lock(
    connection: &mut AsyncPgConnection,
    topology: Topology,
    game_id: Uuid,
    joining: Option<Joining>,
    may_retry: bool,
) -> QueryResult<Option<Locked>> {
    let ids = game_players::table.filter(game_players::game_id.eq(game_id)).select(game_players::player_id);
    let mut players: Vec<Uuid> = ids.load(connection).await?;
    players.extend(joining.map(|joining| joining.limits.player_id));
    calendars::lock(connection, topology, &players).await?;
    let game = games::table.find(game_id).for_no_key_update().select(GameRow::as_select());
    let game = game.first(connection).await.optional()?;
    let members: Vec<MemberRow> =
        members_query().filter(game_players::game_id.eq(game_id)).load(connection).await?;
    let late = members.iter().map(|member| member.player_id).filter(|id| !players.contains(id));
    let late: Vec<Uuid> = late.collect();
    if !late.is_empty() {
        if may_retry {
            return Ok(None);
        }
        calendars::lock(connection, topology, &late).await?;
        players.extend(late);
    }
    Ok(Some(Locked { game, members, players }))
}

async fn write_change(
    connection: &mut AsyncPgConnection,
    right: &StateWrite,
    members: &[MemberRow],
    game_id: Uuid,
    change: LobbyChange,
) -> QueryResult<()> {
    match change {
        LobbyChange::Nothing => {}
        LobbyChange::Join { player_id, entropy, then } => {
            let next_joined = members.last().map_or(0, |member| member.joined + 1);
            insert_member(connection, game_id, player_id, next_joined, &entropy).await?;
            write_after_join(connection, right, game_id, then).await?;
        }
        LobbyChange::Entropy { player_id, entropy } => {
            diesel::update(game_players::table.find((game_id, player_id)))
                .set(game_players::entropy.eq(entropy))
                .execute(connection)
                .await?;
        }
        LobbyChange::Start(start) => write_start(connection, right, game_id, *start).await?,
        LobbyChange::Leave { player_id } => remove_member(connection, members, game_id, player_id).await?,
        LobbyChange::Cancel { player_id, at } => {
            diesel::delete(game_players::table.find((game_id, player_id))).execute(connection).await?;
            diesel::update(games::table.find(game_id))
                .set((games::status.eq(GameStatus::Cancelled), games::finished_at.eq(at)))
                .execute(connection)
                .await?;
        }
    }
    Ok(())
}

async fn write_after_join(
    connection: &mut AsyncPgConnection,
    right: &StateWrite,
    game_id: Uuid,
    then: AfterJoin,
) -> QueryResult<()> {
    match then {
        AfterJoin::Wait => Ok(()),
        AfterJoin::AwaitRound { round, until } => await_round(connection, game_id, round, until).await,
        AfterJoin::Start(start) => write_start(connection, right, game_id, *start).await,
    }
}

/// Removes a player from a game and closes the gap in the joining order.
async fn remove_member(
    connection: &mut AsyncPgConnection,
    members: &[MemberRow],
    game_id: Uuid,
    player_id: Uuid,
) -> QueryResult<()> {
    diesel::delete(game_players::table.find((game_id, player_id))).execute(connection).await?;
    let staying = members.iter().filter(|member| member.player_id != player_id);
    // One statement after the other, because no two players may ever have the same place.
    for (joined, member) in (0i16..).zip(staying).filter(|(joined, member)| member.joined != *joined) {
        diesel::update(game_players::table.find((game_id, member.player_id)))
            .set(game_players::joined.eq(joined))
            .execute(connection)
            .await?;
    }
    Ok(())
}

async fn await_round(
    connection: &mut AsyncPgConnection,
    game_id: Uuid,
    round: BeaconRound,
    until: OffsetDateTime,
) -> QueryResult<()> {
    let awaited = (
        games::status.eq(GameStatus::Starting),
        games::beacon_round.eq(round),
        games::awaits_until.eq(until),
    );
    diesel::update(games::table.find(game_id)).set(awaited).execute(connection).await?;
    Ok(())
}

async fn write_start(
    connection: &mut AsyncPgConnection,
    right: &StateWrite,
    game_id: Uuid,
    start: Start,
) -> QueryResult<()> {
    let status = if start.finished_at.is_some() { GameStatus::Finished } else { GameStatus::Running };
    diesel::update(games::table.find(game_id))
        .set((
            games::status.eq(status),
            games::started_at.eq(start.started_at),
            games::finished_at.eq(start.finished_at),
            games::result.eq(start.result),
            games::header.eq(start.header),
            games::clock.eq(start.clock_conditions),
            games::outage.eq(start.outage),
        ))
        .execute(connection)
        .await?;
    for (seat, player_id) in (0i16..).zip(&start.seated) {
        diesel::update(game_players::table.find((game_id, *player_id)))
            .set(game_players::seat.eq(seat))
            .execute(connection)
            .await?;
    }
    let event = (events::game_id.eq(game_id), events::seq.eq(Seq::START), events::line.eq(start.line));
    diesel::insert_into(events::table).values(event).execute(connection).await?;
    diesel::insert_into(clock_lines::table).values(start.clock_lines).execute(connection).await?;
    states::insert(connection, right, game_id, start.state).await?;
    let row = |notice: &EventNotice| notice.row(game_id, Seq::START, start.started_at);
    let rows: Vec<_> = start.notices.iter().map(row).collect();
    diesel::insert_into(notices::table).values(rows).execute(connection).await?;
    Ok(())
}
