//! The consent page of OAuth: shows what an app asks for, and sends the player back to the app with the answer. The form
//! asks for name and password, also where the browser has a session; what was asked for stands in it sealed.
//!
//! An answer is a page with a link and a refresh, not a redirect: browsers hold `form-action` against redirects after a form, too,
//! and so the policy of all pages can stay. Requests that are wrong are not sent on by themselves, since anybody may register an app,
//! and this server's address would lead anywhere (RFC 9700, section 4.11.2).

use actix_web::http::StatusCode;
use actix_web::http::header::RETRY_AFTER;
use actix_web::{HttpRequest, HttpResponse, get, post, web};
use minijinja::context;
use serde::Deserialize;

use super::form::FromHere;
use super::page::bare_page as page;
use super::session::too_many;
use super::visitor::Visitor;
use pippost_accounts::apps::{
    Authorization, BackToApp, Consent, Destination, OAuthCode, OAuthError, Parameters,
};
use pippost_accounts::{AccountError, Accounts, LogIn, Password};
use pippost_http::Problem;
use pippost_http::admission::{Admitted, Hashing};
use pippost_http::issuer::Issuer;
use pippost_http::peer::Peer;

/// The form, as it was sent.
#[derive(Deserialize)]
pub struct AnswerForm {
    client_id: String,
    /// The sealed request.
    request: String,
    #[serde(default)]
    login: String,
    #[serde(default)]
    password: String,
    #[serde(default)]
    answer: String,
}

/// Shows what an app asks for.
#[get("/oauth/authorize")]
pub async fn ask(
    accounts: web::Data<Accounts>,
    issuer: web::Data<Issuer>,
    visitor: Visitor,
    request: HttpRequest,
) -> Result<HttpResponse, Problem> {
    let parameters = match Parameters::read(request.query_string().as_bytes()) {
        Ok(parameters) => parameters,
        Err(error) => return refused(visitor, error, None),
    };
    match accounts.authorization(&parameters).await {
        Ok(Authorization::Ask(consent)) => Form::of(&accounts, &consent).show(visitor, StatusCode::OK),
        Ok(Authorization::Wrong(back, error)) => {
            let back = back
                .url(issuer.as_str(), &[("error", error.code.as_str()), ("error_description", error.why)]);
            refused(visitor, error, Some(back.as_str()))
        }
        Err(AccountError::OAuth(error)) => refused(visitor, error, None),
        Err(other) => Err(other.into()),
    }
}

/// Takes the player's answer.
#[post("/oauth/authorize")]
pub async fn decide(
    _place: Admitted<Hashing>,
    accounts: web::Data<Accounts>,
    issuer: web::Data<Issuer>,
    visitor: Visitor,
    peer: Peer,
    form: FromHere<AnswerForm>,
) -> Result<HttpResponse, Problem> {
    let AnswerForm { client_id, request, login, password, answer } = form.into_inner();
    let consent = match accounts.opened_consent(&client_id, &request).await {
        Ok(consent) => consent,
        Err(AccountError::OAuth(error)) => return ended(visitor, error),
        Err(other) => return Err(other.into()),
    };
    let back = consent.back().map_err(AccountError::from)?;
    if answer != "allow" {
        let denied = [("error", OAuthCode::AccessDenied.as_str())];
        return send_back(visitor, &consent, &back, issuer.as_str(), &denied);
    }
    let form = Form { login: login.clone(), ..Form::of(&accounts, &consent) };
    // What nobody can be called is nobody's name, and nobody has such a password.
    let (Ok(by), Ok(password)) = (LogIn::try_from(login), Password::try_from(password)) else {
        return form.again(visitor, "authorize-wrong");
    };
    match accounts.approve(&consent, &by, &password, peer.0).await {
        Ok(code) => send_back(visitor, &consent, &back, issuer.as_str(), &[("code", &code)]),
        Err(AccountError::WrongCredentials) => form.again(visitor, "authorize-wrong"),
        Err(AccountError::NoSuchGame) => form.again(visitor, "authorize-no-game"),
        Err(AccountError::TooManyTries(reached)) => form.later(visitor, reached.retry_after_seconds),
        Err(AccountError::OAuth(error)) => ended(visitor, error),
        Err(other) => Err(other.into()),
    }
}

/// The form of the page.
struct Form<'a> {
    consent: &'a Consent,
    sealed: String,
    /// What was entered before.
    login: String,
    problem: Option<String>,
}

impl<'a> Form<'a> {
    fn of(accounts: &Accounts, consent: &'a Consent) -> Self {
        Self { consent, sealed: accounts.sealed_consent(consent), login: String::new(), problem: None }
    }

    fn show(&self, visitor: Visitor, status: StatusCode) -> Result<HttpResponse, Problem> {
        let Consent { app, registered_by, scopes, destination, .. } = self.consent;
        let site = match destination {
            Destination::Site(host) => Some(host),
            Destination::Device => None,
        };
        let values = context! {
            app => &app.name,
            homepage => &app.homepage,
            registered_by,
            scopes => scopes.scopes.names(),
            game => scopes.game_id.map(|id| id.to_string()),
            site,
            client_id => app.id.to_string(),
            request => &self.sealed,
            login => &self.login,
            problem => &self.problem,
        };
        page(status, "authorize.html", visitor, values)
    }

    /// The form with what was wrong.
    fn again(self, visitor: Visitor, problem: &str) -> Result<HttpResponse, Problem> {
        let problem = Some(visitor.language.say(problem));
        Self { problem, ..self }.show(visitor, StatusCode::UNPROCESSABLE_ENTITY)
    }

    /// The form, to be sent later.
    fn later(self, visitor: Visitor, seconds: u64) -> Result<HttpResponse, Problem> {
        let problem = Some(too_many(visitor.language, seconds));
        let mut shown = Self { problem, ..self }.show(visitor, StatusCode::TOO_MANY_REQUESTS)?;
        shown.headers_mut().insert(RETRY_AFTER, seconds.into());
        Ok(shown)
    }
}

/// A page that leads back to the app with the result.
fn send_back(
    visitor: Visitor,
    consent: &Consent,
    back: &BackToApp,
    issuer: &str,
    result: &[(&str, &str)],
) -> Result<HttpResponse, Problem> {
    let back = back.url(issuer, result);
    page(
        StatusCode::OK,
        "authorized.html",
        visitor,
        context! { app => &consent.app.name, back => back.as_str() },
    )
}

/// The page for a request that cannot be answered; with `back` the player may tell the app so.
fn refused(visitor: Visitor, error: OAuthError, back: Option<&str>) -> Result<HttpResponse, Problem> {
    refused_with(visitor, "authorize-refused-text", error, back)
}

/// The page for a form that has ended.
fn ended(visitor: Visitor, error: OAuthError) -> Result<HttpResponse, Problem> {
    refused_with(visitor, "authorize-ended-text", error, None)
}

fn refused_with(
    visitor: Visitor,
    text: &str,
    error: OAuthError,
    back: Option<&str>,
) -> Result<HttpResponse, Problem> {
    let values = context! { text, code => error.code.as_str(), why => error.why, back };
    page(StatusCode::BAD_REQUEST, "authorize_refused.html", visitor, values)
}
