//! The players whom the reader has blocked as inviters.

use actix_web::{HttpResponse, post};
use minijinja::{Value, context};

use super::access::IdForm;
use super::{PreferencesPage, Section, back};
use crate::form::Posted;
use crate::visitor::{SignedIn, Visitor};
use pippost_accounts::Account;
use pippost_http::Problem;
use pippost_language::words;

/// The part of the page.
const PART: &str = "blocks";

#[post("/preferences/unblock")]
pub async fn unblock_inviter(
    signed_in: SignedIn,
    accounts: PreferencesPage,
    form: Posted<IdForm>,
) -> Result<HttpResponse, Problem> {
    accounts.unblock_inviter(signed_in.account.player_id, form.into_inner().id).await?;
    Ok(back("ended", Section::Notices, PART))
}

/// The blocked players.
pub(super) async fn blocks(
    accounts: &PreferencesPage,
    account: &Account,
    visitor: &Visitor,
) -> Result<Value, Problem> {
    let blocked = accounts.blocked_inviters(account.player_id).await?;
    let blocks: Vec<_> = blocked
        .into_iter()
        .map(|inviter| {
            let since = words::date_time(inviter.blocked_at, &visitor.zone, visitor.language);
            context! { id => inviter.id.to_string(), handle => inviter.handle, since }
        })
        .collect();
    Ok(context! { blocks })
}
