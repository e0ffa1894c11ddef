//! Apps: those that a player has registered, and those that may act for a player.

mod bodies;

use actix_web::{HttpResponse, delete, get, post, web};
use uuid::Uuid;

use self::bodies::{AppAnswer, AppsAnswer, GrantAnswer, GrantsAnswer, NewAppBody};
use super::access::Owner;
use super::declared::problems;
use super::declared_headers::KeyHeader;
use super::idempotency::CreationKey;
use super::routes::Routes;
use crate::created;
use pippost_accounts::Accounts;
use pippost_accounts::apps::App;
use pippost_http::json::Body;
use pippost_http::problem::Problem;

/// Registers the handlers; paths are relative to `/api/v1`.
pub fn configure(service: &mut Routes<'_>) {
    service
        .service(list_registered_apps)
        .service(register_app)
        .service(remove_app)
        .service(list_app_grants)
        .service(revoke_app_grant);
}

problems! {
    RegisterProblems: EmailNotConfirmed, TooManyApps;
}

/// Registers an app, which others may let act for them.
///
/// At most ten. Your handle is shown on the consent page. An app cannot be changed: register another one.
#[utoipa::path(tag = "apps", security(("token" = [Owner::SCOPE])), params(KeyHeader), request_body = NewAppBody, responses(
    (status = 201, description = "The app. Its `id` is the `client_id`.", body = AppAnswer),
    RegisterProblems,
))]
#[post("/me/apps")]
pub async fn register_app(
    accounts: web::Data<Accounts>,
    owner: Owner,
    key: CreationKey,
    body: Body<NewAppBody>,
) -> Result<HttpResponse, Problem> {
    let key = key.with_body(&*body);
    let respond = |app: App| serde_json::to_string(&AppAnswer::from(app)).expect("plain data");
    let answer = accounts.register_app(owner.player_id, body.into_inner().into(), key, respond).await?;
    Ok(created::below("/api/v1/me/apps", answer))
}

/// Lists the apps that you have registered.
#[utoipa::path(tag = "apps", security(("token" = [Owner::SCOPE])), responses(
    (status = 200, description = "Your apps, newest first.", body = AppsAnswer),
))]
#[get("/me/apps")]
pub async fn list_registered_apps(
    accounts: web::Data<Accounts>,
    owner: Owner,
) -> Result<web::Json<AppsAnswer>, Problem> {
    let apps = accounts.registered_apps(owner.player_id).await?;
    Ok(web::Json(AppsAnswer { apps: apps.into_iter().map(AppAnswer::from).collect() }))
}

/// Removes an app of yours. All that players have allowed it ends.
#[utoipa::path(tag = "apps", security(("token" = [Owner::SCOPE])), params(("id" = Uuid, Path)), responses(
    (status = 204, description = "Removed. Its tokens may be taken for ten seconds more."),
))]
#[delete("/me/apps/{id}")]
pub async fn remove_app(
    accounts: web::Data<Accounts>,
    owner: Owner,
    id: web::Path<Uuid>,
) -> Result<HttpResponse, Problem> {
    accounts.remove_app(owner.player_id, *id).await?;
    Ok(HttpResponse::NoContent().finish())
}

/// Lists the apps that may act for you.
#[utoipa::path(tag = "apps", security(("token" = [Owner::SCOPE])), responses(
    (status = 200, description = "What you allow apps, newest first.", body = GrantsAnswer),
))]
#[get("/me/grants")]
pub async fn list_app_grants(
    accounts: web::Data<Accounts>,
    owner: Owner,
) -> Result<web::Json<GrantsAnswer>, Problem> {
    let grants = accounts.grants(owner.player_id).await?;
    Ok(web::Json(GrantsAnswer { grants: grants.into_iter().map(GrantAnswer::from).collect() }))
}

/// Ends what you allow an app. Its tokens stop at once.
#[utoipa::path(tag = "apps", security(("token" = [Owner::SCOPE])), params(("id" = Uuid, Path)), responses(
    (status = 204, description = "Ended. Its tokens may be taken for ten seconds more."),
))]
#[delete("/me/grants/{id}")]
pub async fn revoke_app_grant(
    accounts: web::Data<Accounts>,
    owner: Owner,
    id: web::Path<Uuid>,
) -> Result<HttpResponse, Problem> {
    accounts.revoke_grant(owner.player_id, *id).await?;
    Ok(HttpResponse::NoContent().finish())
}
