//! Standing orders: moves that a player gives in advance, played right after the move that they wait for, each as an event of its own.
//!
//! They are private: nothing that others see depends on them before a move is played. [`orders`] is what a player says, [`progress`] how
//! far it has come (pure), [`running`] carries it out.

mod lines;
pub mod orders;
pub mod progress;
mod running;

pub use lines::{MAX_WORDS, OrderLine, joined};
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
    /// Whether anything is left of them. It may wait for a move of the player by hand.
    pub is_active: bool,
    /// Whether something may be played by them before the player moves by hand.
    pub may_play: bool,
}

/// The player's orders in the game, with all that has happened by now; `None` without any.
///
/// # Errors
/// The database failed.
pub async fn show(games: &Games, claim: &SeatClaim) -> Result<Option<Standing>, GameError> {
    let row = standing_orders::find(&games.database, claim.game_id, claim.player_id).await?;
    let Some(mut standing) = row.as_ref().map(standing).transpose()? else { return Ok(None) };
    if standing.is_active {
        let live = view::load_live(games, claim.game_id).await?;
        let looked_at = standing.seq;
        running::catch_up(games, &live, claim.seat, looked_at, &mut standing.progress).await?;
        standing.seq = live.seq().max(looked_at);
        standing.is_active = !is_over(&live) && standing.progress.is_active();
        standing.may_play = may_play(&live, claim, looked_at, &standing.progress);
    }
    Ok(Some(standing))
}

fn is_over(live: &LiveGame) -> bool {
    live.chronicle.table().to_act().is_none()
}

/// Whether orders whose turn was last looked at after event `looked_at` may play something before their player moves by hand.
fn may_play(live: &LiveGame, claim: &SeatClaim, looked_at: Seq, progress: &OrderProgress) -> bool {
    if is_over(live) {
        return false;
    }
    if live.to_act_player() != Some(claim.player_id) {
        return progress.may_play();
    }
    let is_due = looked_at < live.seq();
    is_due && progress.clone().choose(claim.seat, live.chronicle.table().position()).is_some()
}

fn standing(row: &OrdersRow) -> Result<Standing, GameError> {
    let unreadable = |_| GameError::Corrupt(row.game_id, "standing orders".into());
    let progress = serde_json::from_str(&row.orders).map_err(unreadable)?;
    Ok(Standing { progress, seq: row.seq, is_active: row.is_active, may_play: false })
}

/// Gives orders in place of those that were there. They hold from the next event on. With `if_match`, only if one of these events is the
/// newest; with `expected_seq`, only if that one is.
///
/// # Errors
/// The game is over, or has gone on, or the orders are not possible.
pub async fn give(
    games: &Games,
    claim: &SeatClaim,
    orders: StandingOrders,
    if_match: Option<&[Seq]>,
    expected_seq: Option<Seq>,
) -> Result<Standing, GameError> {
    let live = view::load_live(games, claim.game_id).await?;
    let shown = || Box::new(view::view_live(games, &live, Viewer::Seat(claim.seat)));
    if if_match.is_some_and(|seqs| !seqs.contains(&live.seq())) {
        return Err(GameError::PreconditionFailed(shown()));
    }
    if expected_seq.is_some_and(|seq| seq != live.seq()) {
        return Err(GameError::Stale(shown()));
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
    if is_over(live) {
        let game = Box::new(view::view_live(games, live, Viewer::Seat(claim.seat)));
        return Err(GameError::Refused { index: 0, refused: ActRefused::Over, legal: Vec::new(), game });
    }
    orders.check(live.fixed.rules)?;
    let seq = live.seq();
    let progress = OrderProgress::new(orders);
    let may_play = may_play(live, claim, seq, &progress);
    let standing = Standing { progress, seq, is_active: true, may_play };
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
