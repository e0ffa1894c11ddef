//! The players whom the reader has blocked as inviters, and those whose messages the reader does not want to see.

use actix_web::{HttpResponse, post};
use minijinja::{Value, context};
use time::OffsetDateTime;
use uuid::Uuid;

use super::access::IdForm;
use super::{PreferencesPage, Section, back};
use crate::form::Posted;
use crate::visitor::{SignedIn, Visitor};
use pippost_accounts::Account;
use pippost_http::Problem;
use pippost_language::words;

/// The parts of the page.
const BLOCKS: &str = "blocks";
const MUTES: &str = "mutes";

#[post("/preferences/unblock")]
pub async fn unblock_inviter(
    signed_in: SignedIn,
    accounts: PreferencesPage,
    form: Posted<IdForm>,
) -> Result<HttpResponse, Problem> {
    accounts.unblock_inviter(signed_in.account.player_id, form.into_inner().id).await?;
    Ok(back("ended", Section::Notices, BLOCKS))
}

#[post("/preferences/unmute")]
pub async fn unmute_player(
    signed_in: SignedIn,
    accounts: PreferencesPage,
    form: Posted<IdForm>,
) -> Result<HttpResponse, Problem> {
    accounts.unmute_player(signed_in.account.player_id, form.into_inner().id).await?;
    Ok(back("ended", Section::Notices, MUTES))
}

/// The blocked and the muted players.
pub(super) async fn blocks(
    accounts: &PreferencesPage,
    account: &Account,
    visitor: &Visitor,
) -> Result<Value, Problem> {
    let blocked = accounts.blocked_inviters(account.player_id).await?;
    let listed = |id: Uuid, handle: String, since: OffsetDateTime| {
        let since = words::date_time(since, &visitor.zone, visitor.language);
        context! { id => id.to_string(), handle, since }
    };
    let blocks: Vec<_> =
        blocked.into_iter().map(|inviter| listed(inviter.id, inviter.handle, inviter.blocked_at)).collect();
    let muted = accounts.muted_players(account.player_id).await?;
    let mutes: Vec<_> =
        muted.into_iter().map(|player| listed(player.id, player.handle, player.since)).collect();
    Ok(context! { blocks, mutes })
}
