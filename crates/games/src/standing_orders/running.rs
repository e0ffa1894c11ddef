//! Carries out the orders of players who are asked.

use std::panic::AssertUnwindSafe;

use futures_util::FutureExt;
use time::Duration;

use super::progress::{OrderProgress, SeenEvent, Source, StopReason};
use super::{standing, text};
use crate::Games;
use crate::error::GameError;
use crate::memory::live::LiveGame;
use crate::memory::version_check;
use crate::playing;
use crate::playing::request::{ActRequest, Command, ListMode};
use crate::viewing::view::SeatClaim;
use pippost_record::record::Event;
use pippost_record::rules::Seat;
use pippost_store::standing_orders::{self, OrdersRow};
use pippost_store::{Changes, Seq, events};

/// The most players whose orders one step looks at.
const MAX_PLAYERS_A_STEP: usize = 200;

/// The most actions that the orders of one player play before others have their turn.
const MAX_ACTIONS_A_LOOK: usize = 20;

/// The most events that are read since orders looked last. Trees with more behind them end.
const MAX_EVENTS_READ: u64 = 200;

/// How long orders wait after a failure.
const FAILURE_PAUSE: Duration = Duration::minutes(1);

/// Carries out the orders of players who are asked in the games of `changes`; returns for how many players something was looked at.
///
/// # Errors
/// The database failed.
pub async fn carry_out(games: &Games, changes: &Changes) -> Result<usize, GameError> {
    let mut looked = 0;
    while looked < MAX_PLAYERS_A_STEP {
        let (all, now) = (games.clone(), games.inner.clock.now());
        let work = move |row| async move { look(&all, row).await }.boxed();
        if !standing_orders::carry_out_next(&games.database, changes, now, work).await? {
            break;
        }
        looked += 1;
    }
    Ok(looked)
}

/// The row after what could be played. A failure or panic leaves it as it was, for later.
async fn look(games: &Games, row: OrdersRow) -> OrdersRow {
    let played = AssertUnwindSafe(play(games, &row)).catch_unwind().await;
    let failed = match played {
        Ok(Ok(after)) => return after,
        Ok(Err(error)) => error.to_string(),
        Err(_panic) => "the program stumbled over them".to_owned(),
    };
    tracing::error!(game = %row.game_id, error = failed, "standing orders could not be carried out");
    OrdersRow { look_at: games.inner.clock.now() + FAILURE_PAUSE, ..row }
}

async fn play(games: &Games, row: &OrdersRow) -> Result<OrdersRow, GameError> {
    let mut progress = standing(row)?.progress;
    let mut seq = row.seq;
    for _ in 0..MAX_ACTIONS_A_LOOK {
        let live = version_check::current(games, row.game_id).await?.ok_or(GameError::NotFound)?;
        let Some(seat) = live.fixed.seat_of(row.player_id) else {
            // Somebody else plays the seat now.
            return Ok(OrdersRow { is_active: false, ..row.clone() });
        };
        catch_up(games, &live, seat, seq, &mut progress).await?;
        seq = live.seq();
        if live.to_act_player() != Some(row.player_id) {
            break;
        }
        let Some((command, source)) = progress.choose(seat, live.chronicle.table().position()) else { break };
        let claim = SeatClaim { game_id: row.game_id, seat, player_id: row.player_id };
        match playing::act(games, &claim, &request(command, seq)).await {
            // Its event is read with the next look, where the tree expects it.
            Ok(_) if source == Source::Tree => {}
            Ok(_) => seq = seq.next(),
            // Somebody was faster.
            Err(GameError::Stale(_)) => {}
            Err(error) if is_refusal(&error) => progress.refused(source),
            Err(error) => return Err(error),
        }
    }
    let is_active = progress.is_active();
    let look_at = games.inner.clock.now();
    Ok(OrdersRow { orders: text(&progress), seq, is_active, look_at, ..row.clone() })
}

/// Takes the events after `seq` into account.
pub(super) async fn catch_up(
    games: &Games,
    live: &LiveGame,
    seat: Seat,
    seq: Seq,
    progress: &mut OrderProgress,
) -> Result<(), GameError> {
    if live.seq() - seq > MAX_EVENTS_READ {
        progress.stop(StopReason::NotForeseen);
        return Ok(());
    }
    if live.seq() <= seq {
        return Ok(());
    }
    let position = live.chronicle.table().position();
    for line in events::lines(&games.database, live.fixed.id, seq.next(), live.seq()).await? {
        let event: Event =
            serde_json::from_str(&line).map_err(|_| GameError::Corrupt(live.fixed.id, "event".into()))?;
        let written = position.write(&event.action);
        let written = written.as_deref();
        progress.see(seat, SeenEvent { seat: event.seat, written });
    }
    Ok(())
}

/// One action, as a move of its own, unless the game has gone on.
fn request(command: Command, seq: Seq) -> ActRequest {
    let mode = ListMode::AllOrNothing;
    ActRequest { command, mode, expected_seq: Some(seq), if_match: None, key: None }
}

fn is_refusal(error: &GameError) -> bool {
    matches!(
        error,
        GameError::Unreadable { .. }
            | GameError::Incomplete { .. }
            | GameError::Refused { .. }
            | GameError::InvalidValue { .. }
            | GameError::TooLong { .. }
    )
}
