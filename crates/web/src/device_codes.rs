//! The page where a player types the code that an app shows on another device, sees what the app asks for, and allows or refuses it
//! (RFC 8628, section 3.3).

use actix_web::http::StatusCode;
use actix_web::http::header::RETRY_AFTER;
use actix_web::{HttpRequest, HttpResponse, get, post, web};
use minijinja::context;
use serde::Deserialize;

use super::form::Posted;
use super::page::bare_page as page;
use super::session::too_many;
use super::visitor::SignedIn;
use pippost_accounts::apps::{DeviceAnswer, DeviceConsent, UserCode};
use pippost_accounts::{AccountError, Accounts, Password};
use pippost_http::Problem;
use pippost_http::admission::{Admitted, Hashing};
use pippost_http::peer::Peer;

/// The longest text that the page shows again, in characters.
const MAX_SHOWN_CHARS: usize = 16;

/// A code that an app has put into the address.
#[derive(Deserialize)]
pub struct CodeQuery {
    #[serde(default)]
    user_code: String,
}

/// The form: a code, and once its app is shown the answer.
#[derive(Deserialize)]
pub struct CodeForm {
    #[serde(default)]
    user_code: String,
    #[serde(default)]
    answer: String,
    #[serde(default)]
    password: String,
}

/// Shows the form for a code.
#[get("/device")]
pub async fn ask(signed_in: SignedIn, query: web::Query<CodeQuery>) -> Result<HttpResponse, Problem> {
    let typed: String = query.into_inner().user_code.chars().take(MAX_SHOWN_CHARS).collect();
    page(StatusCode::OK, "device.html", signed_in.visitor, context! { typed })
}

/// Shows the app of a code, or takes the answer.
#[post("/device")]
pub async fn decide(
    request: HttpRequest,
    signed_in: SignedIn,
    accounts: web::Data<Accounts>,
    peer: Peer,
    form: Posted<CodeForm>,
) -> Result<HttpResponse, Problem> {
    let CodeForm { user_code, answer, password } = form.into_inner();
    let (code, account) = (UserCode::read(&user_code), &signed_in.account);
    let consent = match accounts.device_consent(code.as_ref(), account.player_id, peer.0).await {
        Ok(consent) => consent,
        Err(error) => return again(signed_in, &user_code, error),
    };
    let code = code.map(|code| code.to_string());
    let decided = match (answer.as_str(), Password::try_from(password)) {
        ("", _) => return show(signed_in, &consent, code, None),
        ("allow", Ok(password)) => {
            let _place = Admitted::<Hashing>::of(&request)?;
            accounts.decide_device(&consent, account, DeviceAnswer::Allow(&password), peer.0).await
        }
        ("allow", Err(_)) => Err(AccountError::WrongCredentials),
        _ => accounts.decide_device(&consent, account, DeviceAnswer::Refuse, peer.0).await,
    };
    match decided {
        Ok(()) => {
            let values = context! { app => consent.app.name, allowed => answer == "allow" };
            page(StatusCode::OK, "device_decided.html", signed_in.visitor, values)
        }
        Err(AccountError::WrongCredentials) => {
            let problem = signed_in.visitor.language.say("preferences-password-wrong");
            show(signed_in, &consent, code, Some(problem))
        }
        Err(error) => again(signed_in, &user_code, error),
    }
}

/// What the app asks for, with what was wrong with the answer.
fn show(
    signed_in: SignedIn,
    consent: &DeviceConsent,
    code: Option<String>,
    problem: Option<String>,
) -> Result<HttpResponse, Problem> {
    let DeviceConsent { app, registered_by, scopes, .. } = consent;
    let status = if problem.is_some() { StatusCode::UNPROCESSABLE_ENTITY } else { StatusCode::OK };
    let values = context! {
        code,
        problem,
        app => &app.name,
        homepage => &app.homepage,
        registered_by,
        scopes => scopes.scopes.names(),
        game => scopes.game_id.map(|id| id.to_string()),
    };
    page(status, "device.html", signed_in.visitor, values)
}

/// The form with what was wrong.
fn again(signed_in: SignedIn, typed: &str, error: AccountError) -> Result<HttpResponse, Problem> {
    let language = signed_in.visitor.language;
    let (status, problem, seconds) = match error {
        AccountError::NotFound => (StatusCode::UNPROCESSABLE_ENTITY, language.say("device-wrong"), None),
        AccountError::NoSuchGame => {
            (StatusCode::UNPROCESSABLE_ENTITY, language.say("authorize-no-game"), None)
        }
        AccountError::TooManyTries(reached) => {
            let seconds = reached.retry_after_seconds;
            (StatusCode::TOO_MANY_REQUESTS, too_many(language, seconds), Some(seconds))
        }
        other => return Err(other.into()),
    };
    let typed: String = typed.chars().take(MAX_SHOWN_CHARS).collect();
    let mut shown = page(status, "device.html", signed_in.visitor, context! { typed, problem })?;
    if let Some(seconds) = seconds {
        shown.headers_mut().insert(RETRY_AFTER, seconds.into());
    }
    Ok(shown)
}
