//! Time controls to offer, and the clock of a game.

use actix_web::{get, web};
use uuid::Uuid;

use super::bodies::RecordQuery;
use crate::access::MaybeReader;
use crate::games::refusals::LookProblems;
use pippost_clock::TimeControl;
use pippost_games::Games;
use pippost_games::viewing::clock_now::{self, ClockNow};
use pippost_games::viewing::look;
use pippost_games::viewing::view::Requester;
use pippost_http::Problem;
use pippost_http::clocks::Presets;

/// Lists common time controls, to be offered to who creates a game.
#[utoipa::path(tag = "games", responses(
    (status = 200, description = "The time controls, each to be sent as `time_control` of a new game.", body = Presets),
))]
#[get("/time-controls")]
pub async fn list_time_controls() -> web::Json<Presets> {
    web::Json(Presets { time_controls: TimeControl::PRESETS.to_vec() })
}

/// Shows a game's clock: what is left, what is used, why it stands still.
///
/// Only that player is told the counted time, which shows nights, rest days and holidays; others see the deadline, and when a pause
/// ends.
#[utoipa::path(tag = "games", security((), ("token" = [MaybeReader::SCOPE])), params(("id" = Uuid, Path), RecordQuery), responses(
    (status = 200, description = "The clock.", body = ClockNow),
    LookProblems,
))]
#[get("/games/{id}/clock")]
pub async fn show_clock(
    account: MaybeReader,
    games: web::Data<Games>,
    id: web::Path<Uuid>,
    query: web::Query<RecordQuery>,
) -> Result<web::Json<ClockNow>, Problem> {
    let token = query.into_inner().token.map(Into::into);
    let requester = Requester { player_id: account.player_id(), token };
    let look = look(&games, *id, &requester).await?;
    Ok(web::Json(clock_now::clock_now(&games, &look).await?))
}
