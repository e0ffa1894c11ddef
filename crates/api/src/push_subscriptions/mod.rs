//! Subscriptions to web push: browsers and programs that are told through push services.

mod bodies;

use actix_web::{HttpResponse, delete, get, post, web};
use uuid::Uuid;

use self::bodies::{PushSubscriptionAnswer, PushSubscriptionBody, PushSubscriptionsAnswer};
use super::access::WebhookManager;
use super::declared::problems;
use crate::routes::Routes;
use pippost_accounts::{Accounts, PlayerRequest};
use pippost_http::json::Body;
use pippost_http::peer::Peer;
use pippost_http::problem::Problem;
use pippost_webhooks::push::Pushes;

/// Registers the handlers; paths are relative to `/api/v1`.
pub fn configure(service: &mut Routes<'_>) {
    service.service(list_push_subscriptions).service(subscribe_to_push).service(unsubscribe_from_push);
}

problems! {
    SubscribeProblems: EmailNotConfirmed, PushOff, PushEndpointRefused, TooManyPushSubscriptions, InvalidValue;
}

/// Lists who is told by web push, and the public key that a new one needs.
///
/// An app or personal token sees its own.
#[utoipa::path(tag = "push", security(("token" = [WebhookManager::SCOPE])), responses(
    (status = 200, description = "The subscriptions, oldest first, without their addresses and keys.", body = PushSubscriptionsAnswer),
))]
#[get("/me/push-subscriptions")]
pub async fn list_push_subscriptions(
    pushes: web::Data<Pushes>,
    account: WebhookManager,
) -> Result<web::Json<PushSubscriptionsAnswer>, Problem> {
    let subscriptions = pushes.list(&pushes.manager(&account).await?).await?;
    Ok(web::Json(PushSubscriptionsAnswer::new(pushes.public_key(), subscriptions)))
}

/// Subscribes to notices by web push (RFC 8030), or renews a subscription.
///
/// At most ten. Messages are encrypted (RFC 8291) and signed (RFC 8292). The same endpoint again is taken from whoever had it.
#[utoipa::path(tag = "push", security(("token" = [WebhookManager::SCOPE])), request_body = PushSubscriptionBody, responses(
    (status = 200, description = "The subscription.", body = PushSubscriptionAnswer),
    SubscribeProblems,
))]
#[post("/me/push-subscriptions")]
pub async fn subscribe_to_push(
    pushes: web::Data<Pushes>,
    accounts: web::Data<Accounts>,
    account: WebhookManager,
    peer: Peer,
    body: Body<PushSubscriptionBody>,
) -> Result<web::Json<PushSubscriptionAnswer>, Problem> {
    // A new address begins with a whole rate.
    accounts.count_request(PlayerRequest::SendToWebhook, account.player_id, peer.0)?;
    let manager = pushes.manager(&account).await?;
    let subscribed = pushes.subscribe(&manager, body.into_inner().into()).await?;
    Ok(web::Json(subscribed.into()))
}

/// Ends a subscription. A message that is on its way may still arrive.
#[utoipa::path(tag = "push", security(("token" = [WebhookManager::SCOPE])), params(("id" = Uuid, Path)), responses(
    (status = 204, description = "Ended."),
))]
#[delete("/me/push-subscriptions/{id}")]
pub async fn unsubscribe_from_push(
    pushes: web::Data<Pushes>,
    account: WebhookManager,
    id: web::Path<Uuid>,
) -> Result<HttpResponse, Problem> {
    pushes.remove(&pushes.manager(&account).await?, *id).await?;
    Ok(HttpResponse::NoContent().finish())
}
