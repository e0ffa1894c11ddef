//! Changes clocks without events: calendars, holidays, pauses, gifts, down time and substitutes, each with its line of the clock log.

use diesel::prelude::*;
use diesel_async::{AsyncConnection, AsyncPgConnection, RunQueryDsl};
use time::OffsetDateTime;
use uuid::Uuid;

use super::guard::StateWrite;
use super::states;
use crate::calendars;
use crate::clock_lines::ClockLineRow;
use crate::games::next_number;
use crate::notices::{self, NewNotice};
use crate::schema::{game_players, games};
use crate::usage::UsageLimits;
use crate::{Database, Edition, Seq, StoreError, Topology, citus};

/// A change of one game's clock.
#[derive(Clone, Debug)]
pub struct ClockWrite {
    pub game_id: Uuid,
    /// The `seq` and edition of the state that the change was decided on.
    pub expected_seq: Seq,
    pub expected_edition: Edition,
    /// The running clock as JSON; `None` if it follows from the turn and the limit.
    pub clock: Option<String>,
    pub deadline_at: Option<OffsetDateTime>,
    pub remind_at: Option<OffsetDateTime>,
    /// Reminders that were sent do not count any more: there is more time again.
    pub remind_anew: bool,
    /// What bears on the clock and does not change with moves, as JSON.
    pub clock_conditions: String,
    /// The newest outage that is given back.
    pub outage: i64,
    /// In order.
    pub lines: Vec<ClockLineRow>,
}

/// Writes each of `changes`, of different games, completely or not at all; returns the games that were written. Every game gets a new
/// edition, so a move decided before is decided again.
///
/// # Errors
/// The statement failed; nothing was written.
pub async fn change_clocks(database: &Database, changes: &[ClockWrite]) -> Result<Vec<Uuid>, StoreError> {
    if changes.is_empty() {
        return Ok(Vec::new());
    }
    let right = StateWrite::of(changes.iter().map(|change| change.game_id));
    Ok(states::change_clocks(&mut *database.get().await?, database.topology(), &right, changes).await?)
}

/// A change of a game's clock by which its seats change, too.
#[derive(Clone, Debug)]
pub struct SeatWrite {
    pub clock: ClockWrite,
    pub asked: SeatToAct,
    /// Whether a seat is offered to a substitute now.
    pub seats_offered: bool,
    pub taken: Option<SeatTaken>,
    pub notices: Vec<NewNotice>,
}

/// Who is to act after a change of seats.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct SeatToAct {
    /// Nobody while the seat to act waits for a substitute.
    pub player_id: Option<Uuid>,
    /// When the clock of the seat to act began to run.
    pub since: Option<OffsetDateTime>,
}

/// A seat that a substitute takes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SeatTaken {
    pub from: Uuid,
    /// Whose games may take no more.
    pub to: UsageLimits,
    pub now: OffsetDateTime,
}

/// Writes a change of a game's clock and seats, completely or not at all; false if its guard failed.
///
/// # Errors
/// [`StoreError::UsedUp`] beyond the limits of who takes a seat, or the database failed; nothing was written.
pub async fn change_seats(database: &Database, change: &SeatWrite) -> Result<bool, StoreError> {
    let right = &StateWrite::of([change.clock.game_id]);
    let topology = database.topology();
    let mut connection = if change.taken.is_some() {
        database.get_for_writing_to_all_nodes().await?
    } else {
        database.get_for_writing().await?
    };
    let changed = connection.transaction::<bool, StoreError, _>(async |connection| {
        if let Some(taken) = &change.taken {
            taken.to.lock(connection).await?;
            taken.to.check(connection).await?;
        }
        let clocks = std::slice::from_ref(&change.clock);
        if states::change_clocks(connection, topology, right, clocks).await?.is_empty() {
            return Ok(false);
        }
        let game_id = change.clock.game_id;
        diesel::update(games::table.find(game_id))
            .set(games::seats_offered.eq(change.seats_offered))
            .execute(connection)
            .await?;
        states::ask(connection, right, game_id, change.asked).await?;
        if let Some(taken) = &change.taken {
            replace_player(connection, topology, game_id, taken).await?;
        }
        notices::insert(connection, &change.notices).await?;
        Ok(true)
    });
    changed.await
}

/// Gives the place of a player to another, who brings a calendar and holidays. Waiting notices of the player before are told no more.
async fn replace_player(
    connection: &mut AsyncPgConnection,
    topology: Topology,
    game_id: Uuid,
    taken: &SeatTaken,
) -> QueryResult<()> {
    let player_id = taken.to.player_id;
    let number = next_number(connection, player_id).await?;
    let to = (
        game_players::player_id.eq(player_id),
        game_players::substitute_for.eq(taken.from),
        game_players::number.eq(number),
    );
    diesel::update(game_players::table.find((game_id, taken.from))).set(to).execute(connection).await?;
    if topology == Topology::Citus {
        citus::collecting::collect_of_game(connection, game_id).await?;
    }
    notices::skip_of_game(connection, game_id, taken.from, taken.now).await?;
    calendars::queue_all(connection, topology, game_id, player_id, taken.now).await
}
