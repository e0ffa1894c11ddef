//! Who else acts for the player: sessions, personal tokens and apps.

use std::collections::BTreeMap;

use actix_web::http::StatusCode;
use actix_web::{HttpResponse, post};
use minijinja::context;
use serde::Deserialize;
use uuid::Uuid;

use super::{PreferencesPage, Section, back, show};
use crate::form::Posted;
use crate::visitor::SignedIn;
use pippost_accounts::{AccountError, Scope, TokenRequest};
use pippost_http::Problem;

/// How long a token from the page lives, in days.
const TOKEN_DAYS: u16 = 365;

#[derive(Deserialize)]
pub struct IdForm {
    pub(super) id: Uuid,
}

/// What was ended twice is ended.
fn ended(result: Result<(), AccountError>, part: &str) -> Result<HttpResponse, Problem> {
    match result {
        Ok(()) | Err(AccountError::NotFound) => Ok(back("ended", Section::Access, part)),
        Err(error) => Err(error.into()),
    }
}

#[post("/preferences/end-session")]
pub async fn end_session(
    signed_in: SignedIn,
    accounts: PreferencesPage,
    form: Posted<IdForm>,
) -> Result<HttpResponse, Problem> {
    let id = form.into_inner().id;
    ended(accounts.end_session(signed_in.account.player_id, id).await, "sessions")
}

#[post("/preferences/revoke-token")]
pub async fn revoke_token(
    signed_in: SignedIn,
    accounts: PreferencesPage,
    form: Posted<IdForm>,
) -> Result<HttpResponse, Problem> {
    let id = form.into_inner().id;
    ended(accounts.revoke_personal_token(signed_in.account.player_id, id).await, "tokens")
}

#[post("/preferences/revoke-app")]
pub async fn revoke_app(
    signed_in: SignedIn,
    accounts: PreferencesPage,
    form: Posted<IdForm>,
) -> Result<HttpResponse, Problem> {
    let id = form.into_inner().id;
    ended(accounts.revoke_grant(signed_in.account.player_id, id).await, "apps")
}

/// The form: a name, and the names of the scopes whose boxes are ticked.
#[derive(Debug, Deserialize)]
pub struct TokenForm {
    #[serde(default)]
    name: String,
    #[serde(flatten)]
    ticked: BTreeMap<String, String>,
}

/// Makes a token, which the answer shows once.
#[post("/preferences/create-token")]
pub async fn create_token(
    signed_in: SignedIn,
    accounts: PreferencesPage,
    form: Posted<TokenForm>,
) -> Result<HttpResponse, Problem> {
    let TokenForm { name, ticked } = form.into_inner();
    let scopes = Scope::of_tokens().filter(|scope| ticked.contains_key(scope.as_str())).collect();
    let request = TokenRequest { name, scopes, expires_in_days: Some(TOKEN_DAYS), game_id: None };
    let language = signed_in.visitor.language;
    let reveal = |_, token: pippost_accounts::SecretToken| token.reveal();
    let made = accounts.create_personal_token(signed_in.account.player_id, &request, None, reveal).await;
    let (status, more) = match made {
        Ok(token) => (StatusCode::OK, context! { new_token => token }),
        Err(error) => {
            let problem = match error {
                AccountError::Invalid { .. } => language.say("preferences-token-bad"),
                AccountError::TooManyTokens { .. } => language.say("preferences-token-many"),
                other => return Err(other.into()),
            };
            (StatusCode::UNPROCESSABLE_ENTITY, context! { token_problem => problem })
        }
    };
    show(status, Section::Access, signed_in, &accounts, more).await
}
