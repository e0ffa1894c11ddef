//! Notification preferences, for all games and for one.

mod bodies;
mod schemas;

use actix_web::{get, patch, put, web};
use serde_json::Value;
use uuid::Uuid;

use self::bodies::{NotificationPreferencesBody, answer};
use self::schemas::NotificationPreferencesAnswer;
use super::access::{Correspondent, Participant, Reader};
use super::accounts::refusals::{BadBody, Failed, InvalidValue, MissingScope, Unauthenticated};
use super::declared::problems;
use super::openapi::deprecated::WISHES;
use super::routes::Routes;
use super::seat::{Seated, UnreadBody};
use crate::games::refusals::SeatedProblems;
use pippost_accounts::{Accounts, GamePreferences};
use pippost_http::json::Body;
use pippost_http::problem::Problem;

problems! {
    ZoneProblems: UnknownZone, UnknownLanguage;
}

/// Registers the handlers; paths are relative to `/api/v1`.
pub fn configure(service: &mut Routes<'_>) {
    service
        .service(show_notification_preferences)
        .service(show_wishes)
        .service(change_notification_preferences)
        .service(show_game_notification_preferences)
        .service(set_game_notification_preferences);
}

/// Shows your notification preferences.
#[utoipa::path(tag = "accounts", security(("token" = [Reader::SCOPE])), responses(
    (status = 200, description = "Your preferences; defaults where you have set none.", body = NotificationPreferencesAnswer),
    Unauthenticated, MissingScope, Failed,
))]
#[get("/me/notification-preferences")]
pub async fn show_notification_preferences(
    accounts: web::Data<Accounts>,
    reader: Reader,
) -> Result<web::Json<Value>, Problem> {
    Ok(web::Json(answer(&accounts.preferences(reader.player_id).await?)))
}

/// Shows your notification preferences at their former address.
///
/// Use `/me/notification-preferences`: this address goes away.
#[utoipa::path(tag = "accounts", security(("token" = [Reader::SCOPE])), responses(
    (status = 200, description = "Your preferences; defaults where you have set none.", body = NotificationPreferencesAnswer),
    Unauthenticated, MissingScope, Failed,
))]
#[get("/me/wishes", wrap = "WISHES.headers()")]
pub async fn show_wishes(accounts: web::Data<Accounts>, reader: Reader) -> Result<web::Json<Value>, Problem> {
    Ok(web::Json(answer(&accounts.preferences(reader.player_id).await?)))
}

/// Changes your notification preferences.
#[utoipa::path(tag = "accounts", security(("token" = [Correspondent::SCOPE])), request_body = NotificationPreferencesBody, responses(
    (status = 200, description = "All your preferences as they are now.", body = NotificationPreferencesAnswer),
    Unauthenticated, BadBody, MissingScope, InvalidValue, ZoneProblems, Failed,
))]
#[patch("/me/notification-preferences")]
pub async fn change_notification_preferences(
    accounts: web::Data<Accounts>,
    correspondent: Correspondent,
    body: Body<NotificationPreferencesBody>,
) -> Result<web::Json<Value>, Problem> {
    let change = body.into_inner().parse()?;
    Ok(web::Json(answer(&accounts.change_preferences(correspondent.player_id, change).await?)))
}

/// Shows your notification preferences for one game.
#[utoipa::path(tag = "games", security(("token" = [Reader::SCOPE])), params(("id" = Uuid, Path)), responses(
    (status = 200, description = "Your preferences for this game; null: as everywhere.", body = GamePreferences),
    SeatedProblems,
))]
#[get("/games/{id}/notification-preferences")]
pub async fn show_game_notification_preferences(
    accounts: web::Data<Accounts>,
    seated: Seated<Reader>,
    id: web::Path<Uuid>,
) -> Result<web::Json<GamePreferences>, Problem> {
    Ok(web::Json(accounts.game_preferences(seated.account.player_id, *id).await?))
}

/// Sets your preferences for one started game; null or missing: as for all games.
#[utoipa::path(tag = "games", security(("token" = [Participant::SCOPE])), params(("id" = Uuid, Path)), request_body = GamePreferences, responses(
    (status = 200, description = "Your preferences for this game as they are now.", body = GamePreferences),
    SeatedProblems,
))]
#[put("/games/{id}/notification-preferences")]
pub async fn set_game_notification_preferences(
    accounts: web::Data<Accounts>,
    seated: Seated<Participant>,
    id: web::Path<Uuid>,
    body: UnreadBody<GamePreferences>,
) -> actix_web::Result<web::Json<GamePreferences>> {
    let wanted = body.read().await?;
    let set = accounts.set_game_preferences(seated.account.player_id, *id, &wanted);
    set.await.map_err(Problem::from)?;
    Ok(web::Json(wanted))
}
