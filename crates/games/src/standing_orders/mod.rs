//! Standing orders: moves that a player gives in advance, played right after the move that they wait for, each as an event of its own.
//!
//! They are private: nothing that others see depends on them before a move is played. [`orders`] is what a player says, [`progress`] how
//! far it has come (pure), [`running`] carries it out.

mod lines;
pub mod orders;
pub mod progress;
mod running;

pub use lines::{OrderLine, joined};
pub use orders::{Branch, StandingOrders};
pub use progress::{OrderProgress, StopReason};
pub use running::carry_out;

use crate::Games;
use crate::error::GameError;
use crate::memory::live::LiveGame;
use crate::viewing::view::{self, SeatClaim};
use pippost_record::record::ActRefused;
use pippost_record::rules::Viewer;
use pippost_store::standing_orders::{self, OrdersRow};
use pippost_store::{Seq, StoreError};

/// The orders of a player as they stand.
#[derive(Clone, Debug)]
pub struct Standing {
    pub progress: OrderProgress,
    /// The newest event that they have taken into account.
    pub seq: Seq,
    pub is_active: bool,
    /// Whether they wait for the player, who is asked already: nothing is played by them before a move by hand.
    pub waits_for_player: bool,
}

/// The player's orders in the game; `None` without any.
///
/// # Errors
/// The database failed.
pub async fn show(games: &Games, claim: &SeatClaim) -> Result<Option<Standing>, GameError> {
    let row = standing_orders::find(&games.database, claim.game_id, claim.player_id).await?;
    let Some(mut standing) = row.as_ref().map(standing).transpose()? else { return Ok(None) };
    if standing.is_active {
        let live = view::load_live(games, claim.game_id).await?;
        standing.waits_for_player = waits(&live, claim, standing.seq);
    }
    Ok(Some(standing))
}

/// Whether orders that have seen everything up to `seq` can only go on after a move of their player.
fn waits(live: &LiveGame, claim: &SeatClaim, seq: Seq) -> bool {
    seq >= live.seq() && live.to_act_player() == Some(claim.player_id)
}

fn standing(row: &OrdersRow) -> Result<Standing, GameError> {
    let unreadable = |_| GameError::Corrupt(row.game_id, "standing orders".into());
    let progress = serde_json::from_str(&row.orders).map_err(unreadable)?;
    Ok(Standing { progress, seq: row.seq, is_active: row.is_active, waits_for_player: false })
}

/// Gives orders in place of those that were there. They hold from the next event on. With `if_match`, only if one of these events is the
/// newest.
///
/// # Errors
/// The game is over, or has gone on, or the orders are not possible.
pub async fn give(
    games: &Games,
    claim: &SeatClaim,
    orders: StandingOrders,
    if_match: Option<&[Seq]>,
) -> Result<Standing, GameError> {
    let live = view::load_live(games, claim.game_id).await?;
    if if_match.is_some_and(|seqs| !seqs.contains(&live.seq())) {
        let game = view::view_live(games, &live, Viewer::Seat(claim.seat));
        return Err(GameError::PreconditionFailed(Box::new(game)));
    }
    let position = live.chronicle.table().position();
    orders.check_notation(|text| position.read(text).map(|_| ()))?;
    write(games, claim, &live, orders).await
}

/// Why orders for a certain position were not taken.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum NotTaken {
    /// The game is over or has gone on: what others do means something else now.
    Late,
    /// What others do after the player's move cannot be answered before that move.
    YourTurn,
    /// More than the bounds of [`orders`] allow.
    TooMany,
}

/// Gives orders in place of those that were there, if the game still is at `seq`. What does not depend on a position holds anyway.
///
/// # Errors
/// The database failed.
pub async fn give_at(
    games: &Games,
    claim: &SeatClaim,
    orders: StandingOrders,
    seq: Seq,
) -> Result<Result<Standing, NotTaken>, GameError> {
    // If somebody moves from now on, the orders see it, because they begin at this position.
    let live = view::load_live(games, claim.game_id).await?;
    if !orders.branches.is_empty() {
        if live.seq() != seq {
            return Ok(Err(NotTaken::Late));
        }
        if live.to_act_player() == Some(claim.player_id) {
            return Ok(Err(NotTaken::YourTurn));
        }
    }
    match write(games, claim, &live, orders).await {
        Ok(standing) => Ok(Ok(standing)),
        Err(GameError::Refused { .. }) => Ok(Err(NotTaken::Late)),
        Err(GameError::OrdersNotPossible(_) | GameError::InvalidValue { .. }) => Ok(Err(NotTaken::TooMany)),
        Err(error) => Err(error),
    }
}

async fn write(
    games: &Games,
    claim: &SeatClaim,
    live: &LiveGame,
    orders: StandingOrders,
) -> Result<Standing, GameError> {
    if live.chronicle.table().to_act().is_none() {
        let game = Box::new(view::view_live(games, live, Viewer::Seat(claim.seat)));
        return Err(GameError::Refused { index: 0, refused: ActRefused::Over, legal: Vec::new(), game });
    }
    orders.check(live.fixed.rules)?;
    let seq = live.seq();
    let waits_for_player = waits(live, claim, seq);
    let standing = Standing { progress: OrderProgress::new(orders), seq, is_active: true, waits_for_player };
    let row = OrdersRow {
        game_id: claim.game_id,
        player_id: claim.player_id,
        orders: text(&standing.progress),
        seq: standing.seq,
        is_active: true,
        look_at: games.inner.clock.now(),
    };
    standing_orders::write(&games.database, &row).await?;
    Ok(standing)
}

/// Cancels the player's orders in the game, if there are any. When this has returned, nothing more is played by them.
///
/// # Errors
/// The database failed.
pub async fn cancel(games: &Games, claim: &SeatClaim) -> Result<(), StoreError> {
    standing_orders::remove(&games.database, claim.game_id, claim.player_id).await
}

fn text(progress: &OrderProgress) -> String {
    serde_json::to_string(progress).expect("plain data")
}
