//! The private addresses of a player's feeds.

use actix_web::{HttpResponse, post};
use minijinja::{Value, context};
use serde::Deserialize;

use super::{PreferencesPage, Section, back};
use crate::feeds::FeedKind;
use crate::form::Posted;
use crate::visitor::{SignedIn, Visitor};
use pippost_accounts::Account;
use pippost_http::Problem;

/// The addresses, which whoever has them can read.
pub(super) async fn shown(
    accounts: &PreferencesPage,
    account: &Account,
    visitor: &Visitor,
) -> Result<Value, Problem> {
    let Some(token) = accounts.feed_token(account.player_id).await? else { return Ok(context! {}) };
    let shown = |kind: FeedKind| {
        let address = visitor.site.address(&format!("{}?token={}", kind.path(), token.clone().reveal()));
        context! { kind => kind.name(), address }
    };
    Ok(context! { feeds => FeedKind::ALL.map(shown).to_vec() })
}

#[derive(Debug, Deserialize)]
pub struct Nothing {}

/// Makes new addresses. The old ones show nothing from now on.
#[post("/preferences/renew-feeds")]
pub async fn renew_feeds(
    signed_in: SignedIn,
    accounts: PreferencesPage,
    _form: Posted<Nothing>,
) -> Result<HttpResponse, Problem> {
    accounts.renew_feed_token(signed_in.account.player_id).await?;
    Ok(back("feeds", Section::Access, "feeds"))
}
