//! Browsers that are told by web push.

use actix_web::{HttpRequest, HttpResponse, post};
use minijinja::{Value, context};
use serde::Deserialize;

use super::access::IdForm;
use super::{PreferencesPage, Section, back};
use crate::form::Posted;
use crate::session::device_of;
use crate::visitor::{SignedIn, Visitor};
use pippost_accounts::{Account, PlayerRequest};
use pippost_http::Problem;
use pippost_http::peer::Peer;
use pippost_language::words;
use pippost_webhooks::push::{PushError, SubscriptionRequest};

/// The part of the page.
const PART: &str = "browsers";

/// What a script of the page sends of its browser.
#[derive(Deserialize)]
pub struct BrowserForm {
    endpoint: String,
    p256dh: String,
    auth: String,
}

#[post("/preferences/tell-browser")]
pub async fn tell_browser(
    signed_in: SignedIn,
    peer: Peer,
    holdings: PreferencesPage,
    request: HttpRequest,
    form: Posted<BrowserForm>,
) -> Result<HttpResponse, Problem> {
    let account = &signed_in.account;
    holdings.count_request(PlayerRequest::SendToWebhook, account.player_id, peer.0)?;
    let BrowserForm { endpoint, p256dh, auth } = form.into_inner();
    let label = Some(device_of(&request));
    let manager = holdings.pushes.manager(account).await?;
    holdings.pushes.subscribe(&manager, SubscriptionRequest { endpoint, p256dh, auth, label }).await?;
    Ok(back("browser", Section::Notices, PART))
}

#[derive(Deserialize)]
pub struct EndpointForm {
    endpoint: String,
}

/// What was ended before is ended.
#[post("/preferences/forget-browser")]
pub async fn forget_browser(
    signed_in: SignedIn,
    holdings: PreferencesPage,
    form: Posted<EndpointForm>,
) -> Result<HttpResponse, Problem> {
    let endpoint = form.into_inner().endpoint;
    holdings.pushes.remove_endpoint(signed_in.account.player_id, &endpoint).await?;
    Ok(back("ended", Section::Notices, PART))
}

#[post("/preferences/end-browser")]
pub async fn end_browser(
    signed_in: SignedIn,
    holdings: PreferencesPage,
    form: Posted<IdForm>,
) -> Result<HttpResponse, Problem> {
    let manager = holdings.pushes.manager(&signed_in.account).await?;
    match holdings.pushes.remove(&manager, form.into_inner().id).await {
        Ok(()) | Err(PushError::NotFound) => Ok(back("ended", Section::Notices, PART)),
        Err(error) => Err(error.into()),
    }
}

/// The browsers, and the key that a new one needs.
pub(super) async fn browsers(
    holdings: &PreferencesPage,
    account: &Account,
    visitor: &Visitor,
) -> Result<Value, Problem> {
    let time = |at| words::date_time(at, &visitor.zone, visitor.language);
    let found = holdings.pushes.list(&holdings.pushes.manager(account).await?).await?;
    let browsers: Vec<_> = found
        .into_iter()
        .map(|browser| {
            context! {
                id => browser.id.to_string(),
                name => browser.label.unwrap_or(browser.host),
                since => time(browser.created_at),
                failing => browser.failing_since.map(time),
                is_this => browser.session_id.is_some() && browser.session_id == account.session_id,
            }
        })
        .collect();
    Ok(context! { browsers, push_key => holdings.pushes.public_key() })
}
