//! The links by which a player lets others register on a server that is by invitation.

use actix_web::http::StatusCode;
use actix_web::{HttpResponse, post};
use minijinja::{Value, context};
use serde::Deserialize;

use super::access::IdForm;
use super::{PreferencesPage, Section, back, show};
use crate::form::Posted;
use crate::session::sign_up_with;
use crate::visitor::{SignedIn, Visitor};
use pippost_accounts::{
    Account, AccountError, MAX_OPEN_INVITATIONS, RegistrationPolicy, SERVER_INVITATION_LIFETIME,
};
use pippost_http::{Code, Problem};
use pippost_language::words;

/// Refuses the page where it is of no use.
pub(super) fn expect_by_invitation(visitor: &Visitor) -> Result<(), Problem> {
    let is_by_invitation = visitor.registration() == RegistrationPolicy::Invited;
    if is_by_invitation { Ok(()) } else { Err(Problem::new(Code::NotFound)) }
}

#[derive(Debug, Deserialize)]
pub struct Nothing {}

/// Makes a link, which the answer shows once.
#[post("/preferences/invite")]
pub async fn invite_to_server(
    signed_in: SignedIn,
    accounts: PreferencesPage,
    _form: Posted<Nothing>,
) -> Result<HttpResponse, Problem> {
    expect_by_invitation(&signed_in.visitor)?;
    let made = accounts.invite_to_server(Some(signed_in.account.player_id)).await;
    let problem = match made {
        Ok(token) => {
            let new_link = signed_in.visitor.site.address(&sign_up_with(&token.reveal()));
            return show(StatusCode::OK, Section::Invitations, signed_in, &accounts, context! { new_link })
                .await;
        }
        Err(AccountError::TooManyInvitations { .. }) => "server-invitations-many",
        Err(AccountError::AddressNotConfirmed) => "server-invitations-unconfirmed",
        Err(error) => return Err(error.into()),
    };
    let problem = signed_in.visitor.language.say(problem);
    show(StatusCode::CONFLICT, Section::Invitations, signed_in, &accounts, context! { problem }).await
}

/// Withdraws a link. What was used meanwhile is gone, too.
#[post("/preferences/withdraw-invitation")]
pub async fn withdraw_invitation(
    signed_in: SignedIn,
    accounts: PreferencesPage,
    form: Posted<IdForm>,
) -> Result<HttpResponse, Problem> {
    match accounts.withdraw_invitation(signed_in.account.player_id, form.into_inner().id).await {
        Ok(()) | Err(AccountError::NotFound) => Ok(back("ended", Section::Invitations, "main")),
        Err(error) => Err(error.into()),
    }
}

/// The open links of the player.
pub(super) async fn shown(
    accounts: &PreferencesPage,
    account: &Account,
    visitor: &Visitor,
) -> Result<Value, Problem> {
    expect_by_invitation(visitor)?;
    let open = accounts.invitations_to_server(account.player_id).await?;
    let time = |at| words::date_time(at, &visitor.zone, visitor.language);
    let invitations: Vec<_> = open
        .into_iter()
        .map(|one| context! { id => one.id.to_string(), since => time(one.created_at), until => time(one.expires_at) })
        .collect();
    let days = SERVER_INVITATION_LIFETIME.whole_days();
    Ok(context! { invitations, most => MAX_OPEN_INVITATIONS, days })
}
