//! How the name is written, the password and the address.

use actix_web::http::StatusCode;
use actix_web::{HttpResponse, post};
use minijinja::{Value, context};
use serde::Deserialize;

use super::{PreferencesPage, Section, back, show};
use crate::form::Posted;
use crate::session::too_many;
use crate::visitor::SignedIn;
use pippost_accounts::{AccountError, EmailAddress, Password, ProfileChange};
use pippost_http::Problem;
use pippost_http::admission::{Admitted, Hashing};
use pippost_http::peer::Peer;
use pippost_language::Language;

#[derive(Deserialize)]
pub struct NameForm {
    #[serde(default)]
    handle: String,
}

/// Gives the name other capitals.
#[post("/preferences/name")]
pub async fn change_name(
    signed_in: SignedIn,
    accounts: PreferencesPage,
    form: Posted<NameForm>,
) -> Result<HttpResponse, Problem> {
    let handle = form.into_inner().handle;
    match accounts.change_capitals(&signed_in.account, handle.trim()).await {
        Ok(()) => Ok(back("name", Section::Account, "account")),
        Err(AccountError::Invalid { .. }) => {
            let language = signed_in.visitor.language;
            let more =
                context! { name_problem => language.say("preferences-name-other"), new_name => handle };
            show(StatusCode::UNPROCESSABLE_ENTITY, Section::Account, signed_in, &accounts, more).await
        }
        Err(error) => Err(error.into()),
    }
}

#[derive(Deserialize)]
pub struct PasswordForm {
    #[serde(default)]
    current_password: String,
    #[serde(default)]
    new_password: String,
    /// Given if tokens, apps and webhooks shall end, too.
    end_tokens: Option<String>,
}

#[post("/preferences/password")]
pub async fn change_password(
    _place: Admitted<Hashing>,
    signed_in: SignedIn,
    peer: Peer,
    accounts: PreferencesPage,
    form: Posted<PasswordForm>,
) -> Result<HttpResponse, Problem> {
    let PasswordForm { current_password, new_password, end_tokens } = form.into_inner();
    let language = signed_in.visitor.language;
    let current = Password::try_from(current_password);
    let new = Password::try_from(new_password);
    let more = match (current, new) {
        (Ok(current), Ok(new)) => {
            match accounts
                .change_password(&signed_in.account, &current, &new, end_tokens.is_some(), peer.0)
                .await
            {
                Ok(()) => return Ok(back("password", Section::Account, "account")),
                Err(error) => refusal(error, language)?,
            }
        }
        (Err(_), _) => context! { password_problem => language.say("preferences-password-wrong") },
        (_, Err(_)) => context! { new_password_problem => language.say("reset-page-bad") },
    };
    show(StatusCode::UNPROCESSABLE_ENTITY, Section::Account, signed_in, &accounts, more).await
}

fn refusal(error: AccountError, language: Language) -> Result<Value, Problem> {
    Ok(match error {
        AccountError::WrongCredentials => {
            context! { password_problem => language.say("preferences-password-wrong") }
        }
        AccountError::PasswordTooCommon { .. } => {
            context! { new_password_problem => language.say("reset-page-common") }
        }
        AccountError::TooManyTries(reached) => {
            context! { password_problem => too_many(language, reached.retry_after_seconds) }
        }
        other => return Err(other.into()),
    })
}

#[derive(Deserialize)]
pub struct EmailForm {
    #[serde(default)]
    email: String,
    #[serde(default)]
    password: String,
}

#[post("/preferences/email")]
pub async fn change_email(
    _place: Admitted<Hashing>,
    signed_in: SignedIn,
    peer: Peer,
    accounts: PreferencesPage,
    form: Posted<EmailForm>,
) -> Result<HttpResponse, Problem> {
    let EmailForm { email, password } = form.into_inner();
    let language = signed_in.visitor.language;
    let more = match (EmailAddress::parse(email.trim()), Password::try_from(password)) {
        (Ok(address), Ok(password)) => {
            let change = ProfileChange { mail_enabled: None, email: Some((address, password)) };
            match accounts.change_profile(&signed_in.account, &change, peer.0).await {
                Ok(_) => return Ok(back("email", Section::Account, "account")),
                Err(AccountError::EmailRefused) => {
                    context! { email_problem => language.say("sign-up-email-refused"), new_email => email }
                }
                Err(AccountError::EmailNotCarried) => {
                    context! { email_problem => language.say("sign-up-email-not-carried"), new_email => email }
                }
                Err(AccountError::WrongCredentials) => {
                    context! { email_password_problem => language.say("preferences-password-wrong") }
                }
                Err(AccountError::TooManyTries(reached)) => {
                    context! { email_password_problem => too_many(language, reached.retry_after_seconds) }
                }
                Err(error) => return Err(error.into()),
            }
        }
        (Err(_), _) => context! { email_problem => language.say("sign-up-email-bad"), new_email => email },
        (_, Err(_)) => context! { email_password_problem => language.say("preferences-password-wrong") },
    };
    show(StatusCode::UNPROCESSABLE_ENTITY, Section::Account, signed_in, &accounts, more).await
}

#[derive(Deserialize)]
pub struct Nothing {}

/// Sends the mail that asks to confirm the address once more.
#[post("/preferences/resend")]
pub async fn resend(
    signed_in: SignedIn,
    peer: Peer,
    accounts: PreferencesPage,
    _form: Posted<Nothing>,
) -> Result<HttpResponse, Problem> {
    match accounts.resend_confirmation(signed_in.account.player_id, peer.0).await {
        Ok(()) => Ok(back("resent", Section::Account, "account")),
        Err(AccountError::TooManyTries(reached)) => {
            let language = signed_in.visitor.language;
            let more = context! { resend_problem => too_many(language, reached.retry_after_seconds) };
            show(StatusCode::TOO_MANY_REQUESTS, Section::Account, signed_in, &accounts, more).await
        }
        Err(error) => Err(error.into()),
    }
}
