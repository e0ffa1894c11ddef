//! Webhooks: programs that are told of their owner's games by HTTP requests of this server.

pub mod messages;

use actix_web::{HttpResponse, delete, get, patch, post, web};
use uuid::Uuid;

use super::access::WebhookManager;
use super::declared::problems;
use super::declared_headers::KeyHeader;
use super::idempotency::CreationKey;
use crate::created;
use crate::routes::Routes;
use pippost_accounts::Accounts;
use pippost_http::json::Body;
use pippost_http::peer::Peer;
use pippost_http::problem::Problem;
use pippost_http::webhook_requests::bodies::{
    ChallengeBody, ChallengedAnswer, DeliveriesAnswer, DeliveryAnswer, NewWebhookAnswer, NewWebhookBody,
    RedeliverBody, SecretAnswer, WebhookAnswer, WebhookChangeBody, WebhooksAnswer,
};
use pippost_http::webhook_requests::by_hand::ByHand;
use pippost_webhooks::{Rotated, SigningSecret, Webhook, Webhooks};

/// Registers the handlers; paths are relative to `/api/v1`.
pub fn configure(service: &mut Routes<'_>) {
    service
        .service(register_webhook)
        .service(list_webhooks)
        .service(show_webhook)
        .service(change_webhook)
        .service(remove_webhook)
        .service(challenge_webhook)
        .service(verify_webhook)
        .service(rotate_webhook_secret)
        .service(list_webhook_deliveries)
        .service(redeliver_webhook_event);
}

problems! {
    RegisterProblems: EmailNotConfirmed, NotFound, WebhookUrlRefused, TooManyWebhooks;
    ChangeProblems: WebhookUrlRefused, WebhookNotVerified;
    ChallengeProblems: WebhookUrlRefused;
    VerifyProblems: WrongChallenge;
    RedeliverProblems: WebhookNotVerified;
}

/// Registers a webhook: an address that is told of events by signed `POST`s.
///
/// At most ten. Ask for a challenge next. The secret is shown only once, or again with the same `Idempotency-Key`.
///
/// It ends with the consent or the token by which it was registered.
#[utoipa::path(tag = "webhooks", security(("token" = [WebhookManager::SCOPE])), params(KeyHeader), request_body = NewWebhookBody, responses(
    (status = 201, description = "The webhook, and the secret that signs.", body = NewWebhookAnswer),
    RegisterProblems,
))]
#[post("/me/webhooks")]
pub async fn register_webhook(
    webhooks: web::Data<Webhooks>,
    account: WebhookManager,
    key: CreationKey,
    body: Body<NewWebhookBody>,
) -> Result<HttpResponse, Problem> {
    let key = key.with_body(&*body);
    let respond = |webhook: Webhook, secret: SigningSecret| {
        serde_json::to_string(&NewWebhookAnswer::new(webhook, &secret)).expect("plain data")
    };
    let manager = webhooks.manager(&account).await?;
    let answer = webhooks.register(&manager, body.into_inner().parse()?, key, respond).await?;
    Ok(created::below("/api/v1/me/webhooks", answer))
}

/// Lists your webhooks, without their secrets.
#[utoipa::path(tag = "webhooks", security(("token" = [WebhookManager::SCOPE])), responses(
    (status = 200, description = "Your webhooks, oldest first.", body = WebhooksAnswer),
))]
#[get("/me/webhooks")]
pub async fn list_webhooks(
    webhooks: web::Data<Webhooks>,
    account: WebhookManager,
) -> Result<web::Json<WebhooksAnswer>, Problem> {
    let found = webhooks.list(&webhooks.manager(&account).await?).await?;
    Ok(web::Json(WebhooksAnswer { webhooks: found.into_iter().map(WebhookAnswer::from).collect() }))
}

/// Shows a webhook.
#[utoipa::path(tag = "webhooks", security(("token" = [WebhookManager::SCOPE])), params(("id" = Uuid, Path)), responses(
    (status = 200, description = "The webhook.", body = WebhookAnswer),
))]
#[get("/me/webhooks/{id}")]
pub async fn show_webhook(
    webhooks: web::Data<Webhooks>,
    account: WebhookManager,
    id: web::Path<Uuid>,
) -> Result<web::Json<WebhookAnswer>, Problem> {
    Ok(web::Json(webhooks.show(&webhooks.manager(&account).await?, *id).await?.into()))
}

/// Changes a webhook, disables or enables it, or moves its cursor.
///
/// With another address or format than it has it must be verified anew, and is told then of everything after its cursor.
#[utoipa::path(tag = "webhooks", security(("token" = [WebhookManager::SCOPE])), params(("id" = Uuid, Path)), request_body = WebhookChangeBody, responses(
    (status = 200, description = "The webhook as it is now.", body = WebhookAnswer),
    ChangeProblems,
))]
#[patch("/me/webhooks/{id}")]
pub async fn change_webhook(
    webhooks: web::Data<Webhooks>,
    accounts: web::Data<Accounts>,
    account: WebhookManager,
    peer: Peer,
    id: web::Path<Uuid>,
    body: Body<WebhookChangeBody>,
) -> Result<web::Json<WebhookAnswer>, Problem> {
    let by_hand = ByHand { webhooks: &webhooks, accounts: &accounts, account: &account, peer };
    Ok(web::Json(by_hand.change(*id, body.into_inner()).await?.into()))
}

/// Removes a webhook. A request that is on its way may still arrive.
#[utoipa::path(tag = "webhooks", security(("token" = [WebhookManager::SCOPE])), params(("id" = Uuid, Path)), responses(
    (status = 204, description = "Removed."),
))]
#[delete("/me/webhooks/{id}")]
pub async fn remove_webhook(
    webhooks: web::Data<Webhooks>,
    account: WebhookManager,
    id: web::Path<Uuid>,
) -> Result<HttpResponse, Problem> {
    webhooks.remove(&webhooks.manager(&account).await?, *id).await?;
    Ok(HttpResponse::NoContent().finish())
}

/// Sends a challenge to a webhook, which makes it active once it is met.
///
/// A program meets it by its answer: status 200 and the body `{"challenge": "…"}`, or the challenge as plain text. Where no program
/// answers so, as in a chat, confirm it with `POST /me/webhooks/{id}/verify`, within 15 minutes.
#[utoipa::path(tag = "webhooks", security(("token" = [WebhookManager::SCOPE])), params(("id" = Uuid, Path)), responses(
    (status = 200, description = "What became of it.", body = ChallengedAnswer),
    ChallengeProblems,
))]
#[post("/me/webhooks/{id}/challenge")]
pub async fn challenge_webhook(
    webhooks: web::Data<Webhooks>,
    accounts: web::Data<Accounts>,
    account: WebhookManager,
    peer: Peer,
    id: web::Path<Uuid>,
) -> Result<web::Json<ChallengedAnswer>, Problem> {
    let by_hand = ByHand { webhooks: &webhooks, accounts: &accounts, account: &account, peer };
    let (webhook, delivery) = by_hand.challenge(*id).await?;
    Ok(web::Json(ChallengedAnswer { webhook: webhook.into(), delivery: delivery.into() }))
}

/// Confirms a challenge that you have read where the webhook leads.
#[utoipa::path(tag = "webhooks", security(("token" = [WebhookManager::SCOPE])), params(("id" = Uuid, Path)), request_body = ChallengeBody, responses(
    (status = 200, description = "The webhook, which is active.", body = WebhookAnswer),
    VerifyProblems,
))]
#[post("/me/webhooks/{id}/verify")]
pub async fn verify_webhook(
    webhooks: web::Data<Webhooks>,
    account: WebhookManager,
    id: web::Path<Uuid>,
    body: Body<ChallengeBody>,
) -> Result<web::Json<WebhookAnswer>, Problem> {
    let challenge = body.into_inner().parse()?;
    let manager = webhooks.manager(&account).await?;
    Ok(web::Json(webhooks.meet_challenge(&manager, *id, &challenge).await?.into()))
}

/// Gives a webhook another secret. For 24 hours both sign.
///
/// The secret is shown only once, or again with the same `Idempotency-Key`.
#[utoipa::path(tag = "webhooks", security(("token" = [WebhookManager::SCOPE])), params(("id" = Uuid, Path), KeyHeader), responses(
    (status = 201, description = "The secret.", body = SecretAnswer),
))]
#[post("/me/webhooks/{id}/secret")]
pub async fn rotate_webhook_secret(
    webhooks: web::Data<Webhooks>,
    account: WebhookManager,
    key: CreationKey,
    id: web::Path<Uuid>,
) -> Result<HttpResponse, Problem> {
    let respond = |rotated: Rotated| serde_json::to_string(&SecretAnswer::from(rotated)).expect("plain data");
    let manager = webhooks.manager(&account).await?;
    let answer = webhooks.rotate_secret(&manager, *id, key.with_body(&()), respond).await?;
    Ok(created::at(&format!("/api/v1/me/webhooks/{id}"), answer))
}

/// Lists the newest attempts to deliver.
#[utoipa::path(tag = "webhooks", security(("token" = [WebhookManager::SCOPE])), params(("id" = Uuid, Path)), responses(
    (status = 200, description = "The attempts.", body = DeliveriesAnswer),
))]
#[get("/me/webhooks/{id}/deliveries")]
pub async fn list_webhook_deliveries(
    webhooks: web::Data<Webhooks>,
    account: WebhookManager,
    id: web::Path<Uuid>,
) -> Result<web::Json<DeliveriesAnswer>, Problem> {
    let rows = webhooks.deliveries(&webhooks.manager(&account).await?, *id).await?;
    Ok(web::Json(DeliveriesAnswer { deliveries: rows.into_iter().map(DeliveryAnswer::from).collect() }))
}

/// Delivers one event once more, now, with the same id and body.
///
/// For everything from some event on, change `after`.
#[utoipa::path(tag = "webhooks", security(("token" = [WebhookManager::SCOPE])), params(("id" = Uuid, Path)), request_body = RedeliverBody, responses(
    (status = 200, description = "What became of it.", body = DeliveryAnswer),
    RedeliverProblems,
))]
#[post("/me/webhooks/{id}/redeliver")]
pub async fn redeliver_webhook_event(
    webhooks: web::Data<Webhooks>,
    accounts: web::Data<Accounts>,
    account: WebhookManager,
    peer: Peer,
    id: web::Path<Uuid>,
    body: Body<RedeliverBody>,
) -> Result<web::Json<DeliveryAnswer>, Problem> {
    let by_hand = ByHand { webhooks: &webhooks, accounts: &accounts, account: &account, peer };
    Ok(web::Json(by_hand.redeliver(*id, body.into_inner()).await?.into()))
}
