//! What follows on a game once it is finished: another one of the same kind, until its creator ends that with a button.

use actix_web::{HttpResponse, post, web};
use serde::Deserialize;
use uuid::Uuid;

use super::form::{Posted, see_other};
use super::game::path;
use super::session::MY_GAMES;
use super::visitor::{SignedIn, Visitor};
use pippost_games::lobby::renewing;
use pippost_games::{GameError, Games};
use pippost_http::Problem;

/// Whether the visitor has created this game, and another one follows on it.
///
/// # Errors
/// The database failed.
pub async fn is_on(games: &Games, id: Uuid, visitor: &Visitor) -> Result<bool, GameError> {
    match visitor.registered() {
        Some(reader) => renewing::is_on(games, id, reader.player_id).await,
        None => Ok(false),
    }
}

/// Where the button was.
#[derive(Debug, Deserialize)]
pub struct EndForm {
    #[serde(default)]
    from_list: String,
}

/// Opens no other game after this one. A game of somebody else stays as it is.
#[post("/games/{id}/renewal/end")]
pub async fn end(
    signed_in: SignedIn,
    games: web::Data<Games>,
    id: web::Path<Uuid>,
    form: Posted<EndForm>,
) -> Result<HttpResponse, Problem> {
    renewing::end(&games, *id, signed_in.account.player_id).await?;
    let game = path(*id);
    Ok(see_other(if form.into_inner().from_list.is_empty() { &game } else { MY_GAMES }))
}
