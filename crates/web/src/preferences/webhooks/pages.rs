//! The page with all webhooks, and the page of one.

use actix_web::http::StatusCode;
use actix_web::{HttpResponse, get, web};
use minijinja::{Value, context};
use serde::Deserialize;
use url::Url;
use uuid::Uuid;

use super::Owner;
use super::forms::WebhookForm;
use super::log::{Names, entries};
use crate::page::page;
use crate::visitor::Visitor;
use pippost_http::Problem;
use pippost_language::words;
use pippost_store::{WebhookFormat, WebhookKind};
use pippost_webhooks::{MAX_WEBHOOKS, Webhook};

/// What the pages say that was done, by its word in the address. Anything else is not said.
const DONE: [&str; 9] =
    ["deleted", "changed", "sent", "active", "on", "off", "delivered", "gone-back", "verified"];

/// The same of what was tried in vain.
const FAILED: [&str; 2] = ["not-sent", "not-delivered"];

/// The kinds in the order of the pages: what most want first.
const KINDS: [WebhookKind; 6] = [
    WebhookKind::Turn,
    WebhookKind::GameStarted,
    WebhookKind::GameOver,
    WebhookKind::Message,
    WebhookKind::Tournament,
    WebhookKind::Event,
];

/// An address is shown up to this length where there is little room.
const MAX_NAME_CHARS: usize = 48;

#[derive(Debug, Default, Deserialize)]
pub struct DoneQuery {
    #[serde(default)]
    done: String,
}

impl DoneQuery {
    fn told(&self) -> Value {
        let key = |words: &[&str]| {
            words.iter().find(|word| **word == self.done).map(|word| format!("webhooks-done-{word}"))
        };
        context! { done => key(&DONE), failed => key(&FAILED) }
    }
}

#[get("/preferences/webhooks")]
pub async fn list(owner: Owner, query: web::Query<DoneQuery>) -> Result<HttpResponse, Problem> {
    show_all(StatusCode::OK, owner, None, query.told()).await
}

#[get("/preferences/webhooks/{id}")]
pub async fn show(
    owner: Owner,
    id: web::Path<Uuid>,
    query: web::Query<DoneQuery>,
) -> Result<HttpResponse, Problem> {
    show_one(StatusCode::OK, owner, *id, None, query.told()).await
}

/// All webhooks and the form for a new one, which holds what was `given`.
pub async fn show_all(
    status: StatusCode,
    owner: Owner,
    given: Option<&WebhookForm>,
    more: Value,
) -> Result<HttpResponse, Problem> {
    let webhooks = owner.webhooks.list(&owner.manager).await?;
    let (names, visitor) = (Names::of(&owner).await?, owner.visitor());
    let is_full = i64::try_from(webhooks.len()).is_ok_and(|count| count >= MAX_WEBHOOKS);
    let shown: Vec<_> = webhooks.iter().map(|webhook| described(webhook, &names, visitor)).collect();
    let fresh = WebhookForm::fresh();
    let form = form(given.unwrap_or(&fresh), &names, visitor);
    let values = context! { ..more, ..form, ..context! { webhooks => shown, is_full, most => MAX_WEBHOOKS } };
    page(status, "webhooks.html", owner.signed_in.visitor, values)
}

/// One webhook with its log; its form holds what was `given`.
pub async fn show_one(
    status: StatusCode,
    owner: Owner,
    id: Uuid,
    given: Option<&WebhookForm>,
    more: Value,
) -> Result<HttpResponse, Problem> {
    let webhook = owner.webhooks.show(&owner.manager, id).await?;
    let rows = owner.webhooks.deliveries(&owner.manager, id).await?;
    let names = Names::of(&owner).await?.with_tournaments(&owner, &rows).await?;
    let visitor = owner.visitor();
    let form = match given {
        Some(given) => form(given, &names, visitor),
        None => current(&webhook, &names, visitor),
    };
    let told = described(&webhook, &names, visitor);
    let log = entries(&rows, &names, visitor);
    let values = context! { ..more, ..form, ..context! { webhook => told, log } };
    page(status, "webhook.html", owner.signed_in.visitor, values)
}

fn choices() -> Value {
    let formats: Vec<_> = WebhookFormat::ALL.iter().map(|format| format.as_str()).collect();
    context! { formats, kinds => KINDS.map(WebhookKind::as_str).to_vec() }
}

fn form(given: &WebhookForm, names: &Names, visitor: &Visitor) -> Value {
    let ticked: Vec<_> = given.kinds().into_iter().map(WebhookKind::as_str).collect();
    let games = names.choices(given.game.parse().ok(), visitor.language);
    context! { url => &given.url, format => &given.format, ticked, games, ..choices() }
}

/// What a webhook is, as its form holds it.
fn current(webhook: &Webhook, names: &Names, visitor: &Visitor) -> Value {
    context! {
        url => &webhook.target,
        format => webhook.format.as_str(),
        ticked => webhook.kinds.iter().map(|kind| kind.as_str()).collect::<Vec<_>>(),
        games => names.choices(webhook.game_id, visitor.language),
        ..choices()
    }
}

fn described(webhook: &Webhook, names: &Names, visitor: &Visitor) -> Value {
    let language = visitor.language;
    let time = |at| words::date_time(at, &visitor.zone, language);
    let kinds = KINDS.iter().filter(|kind| webhook.kinds.contains(kind));
    context! {
        id => webhook.id.to_string(),
        name => name(webhook),
        address => &webhook.target,
        format => webhook.format.as_str(),
        kinds => kinds.map(|kind| kind.as_str()).collect::<Vec<_>>(),
        game => webhook.game_id.map(|id| names.name(id, language)),
        state => webhook.state.as_str(),
        is_switched_off => webhook.is_switched_off(),
        since => time(webhook.created_at),
        told_to => webhook.cursor.map(|event| names.event(event, language)),
        failing => webhook.failing_since.map(time),
        retry => webhook.retry_at.map(time),
        previous_until => webhook.previous_until.map(time),
        is_program => webhook.format == WebhookFormat::Standard,
    }
}

/// What a webhook is called: its host and path, of a chat the host alone, because the path is a secret.
fn name(webhook: &Webhook) -> Option<String> {
    let url = Url::parse(webhook.target.as_deref()?).ok()?;
    let host = url.host_str()?;
    let port = url.port().map(|port| format!(":{port}")).unwrap_or_default();
    let path = if webhook.format == WebhookFormat::Standard { url.path().trim_end_matches('/') } else { "" };
    let whole = format!("{host}{port}{path}");
    if whole.chars().count() <= MAX_NAME_CHARS {
        return Some(whole);
    }
    Some(whole.chars().take(MAX_NAME_CHARS - 1).chain(['…']).collect())
}
