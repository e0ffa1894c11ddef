//! The forms: registering, changing, verifying and removing webhooks, their secrets, and deliveries by hand.

use actix_web::http::StatusCode;
use actix_web::{HttpResponse, post, web};
use minijinja::{Value, context};
use uuid::Uuid;

use super::forms::{CodeForm, EventForm, Nothing, SwitchForm, WebhookForm};
use super::pages::{show_all, show_one};
use super::refusals::told;
use super::{ADDRESS, Owner, back};
use crate::form::{Posted, see_other};
use pippost_http::Problem;
use pippost_http::webhook_requests::bodies::{ChallengeBody, RedeliverBody, WebhookChangeBody};
use pippost_store::{DeliveryOutcome, WebhookFormat, WebhookState};
use pippost_webhooks::{SigningSecret, Webhook, WebhookError};

/// Leads back to a webhook's page, or shows it with the refusal.
async fn answered(owner: Owner, id: Uuid, result: Result<&str, Problem>) -> Result<HttpResponse, Problem> {
    match result {
        Ok(done) => Ok(back(id, done)),
        Err(problem) => {
            let (status, said) = told(problem, owner.visitor().language)?;
            show_one(status, owner, id, None, said).await
        }
    }
}

/// A webhook that was registered, and its secret. A chat checks no signature, so that of its webhook is not shown.
async fn registered(owner: &Owner, form: &WebhookForm) -> Result<(Uuid, Value), Problem> {
    let request = form.new_webhook()?.parse()?;
    let mut made = None;
    let respond = |webhook: Webhook, secret: SigningSecret| {
        let is_program = webhook.format == WebhookFormat::Standard;
        made = Some((webhook.id, context! { secret => is_program.then(|| secret.reveal()), is_new => true }));
        String::new()
    };
    owner.webhooks.register(&owner.manager, request, None, respond).await?;
    made.ok_or_else(|| WebhookError::NotFound.into())
}

/// Registers a webhook; the answer shows its secret once.
#[post("/preferences/webhooks")]
pub async fn register(owner: Owner, form: Posted<WebhookForm>) -> Result<HttpResponse, Problem> {
    let form = form.into_inner();
    match registered(&owner, &form).await {
        Ok((id, made)) => show_one(StatusCode::OK, owner, id, None, made).await,
        Err(problem) => {
            let (status, said) = told(problem, owner.visitor().language)?;
            show_all(status, owner, Some(&form), said).await
        }
    }
}

#[post("/preferences/webhooks/{id}/change")]
pub async fn change(
    owner: Owner,
    id: web::Path<Uuid>,
    form: Posted<WebhookForm>,
) -> Result<HttpResponse, Problem> {
    let form = form.into_inner();
    let changed = match form.change() {
        Ok(body) => owner.by_hand().change(*id, body).await,
        Err(problem) => Err(problem),
    };
    match changed {
        Ok(_) => Ok(back(*id, "changed")),
        Err(problem) => {
            let (status, said) = told(problem, owner.visitor().language)?;
            show_one(status, owner, *id, Some(&form), said).await
        }
    }
}

#[post("/preferences/webhooks/{id}/challenge")]
pub async fn challenge(
    owner: Owner,
    id: web::Path<Uuid>,
    _form: Posted<Nothing>,
) -> Result<HttpResponse, Problem> {
    let sent = owner.by_hand().challenge(*id).await;
    let done = sent.map(|(webhook, delivery)| match (delivery.outcome, webhook.state) {
        (DeliveryOutcome::Delivered, WebhookState::Active) => "active",
        (DeliveryOutcome::Delivered, _) => "sent",
        _ => "not-sent",
    });
    answered(owner, *id, done).await
}

/// Confirms a challenge that somebody has read.
#[post("/preferences/webhooks/{id}/verify")]
pub async fn verify(
    owner: Owner,
    id: web::Path<Uuid>,
    form: Posted<CodeForm>,
) -> Result<HttpResponse, Problem> {
    let body = ChallengeBody { challenge: form.into_inner().code.trim().to_owned() };
    let met = match body.parse() {
        Ok(code) => owner.webhooks.meet_challenge(&owner.manager, *id, &code).await.map_err(Problem::from),
        Err(problem) => Err(problem),
    };
    answered(owner, *id, met.map(|_| "verified")).await
}

/// Gives another secret, which the answer shows once.
#[post("/preferences/webhooks/{id}/secret")]
pub async fn rotate(
    owner: Owner,
    id: web::Path<Uuid>,
    _form: Posted<Nothing>,
) -> Result<HttpResponse, Problem> {
    let mut secret = None;
    let respond = |rotated: pippost_webhooks::Rotated| {
        secret = Some(rotated.secret.reveal());
        String::new()
    };
    owner.webhooks.rotate_secret(&owner.manager, *id, None, respond).await?;
    show_one(StatusCode::OK, owner, *id, None, context! { secret }).await
}

#[post("/preferences/webhooks/{id}/switch")]
pub async fn switch(
    owner: Owner,
    id: web::Path<Uuid>,
    form: Posted<SwitchForm>,
) -> Result<HttpResponse, Problem> {
    let is_on = form.into_inner().on.is_some();
    let body = WebhookChangeBody { enabled: Some(is_on), ..WebhookChangeBody::default() };
    let changed = owner.by_hand().change(*id, body).await;
    answered(owner, *id, changed.map(|_| if is_on { "on" } else { "off" })).await
}

#[post("/preferences/webhooks/{id}/redeliver")]
pub async fn redeliver(
    owner: Owner,
    id: web::Path<Uuid>,
    form: Posted<EventForm>,
) -> Result<HttpResponse, Problem> {
    let body = RedeliverBody { event: form.into_inner().event };
    let delivered = owner.by_hand().redeliver(*id, body).await;
    let done = delivered.map(|delivery| match delivery.outcome {
        DeliveryOutcome::Delivered => "delivered",
        _ => "not-delivered",
    });
    answered(owner, *id, done).await
}

/// Sends everything after an event once more.
#[post("/preferences/webhooks/{id}/go-back")]
pub async fn go_back(
    owner: Owner,
    id: web::Path<Uuid>,
    form: Posted<EventForm>,
) -> Result<HttpResponse, Problem> {
    let body = WebhookChangeBody { after: Some(form.into_inner().event), ..WebhookChangeBody::default() };
    let changed = owner.by_hand().change(*id, body).await;
    answered(owner, *id, changed.map(|_| "gone-back")).await
}

#[post("/preferences/webhooks/{id}/delete")]
pub async fn remove(
    owner: Owner,
    id: web::Path<Uuid>,
    _form: Posted<Nothing>,
) -> Result<HttpResponse, Problem> {
    match owner.webhooks.remove(&owner.manager, *id).await {
        Ok(()) => Ok(see_other(&format!("{ADDRESS}?done=deleted"))),
        Err(error) => Err(error.into()),
    }
}
