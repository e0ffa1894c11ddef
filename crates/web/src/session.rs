//! The pages to sign up, log in, log out, and ask for a new password.

use actix_web::http::StatusCode;
use actix_web::http::header::{RETRY_AFTER, USER_AGENT};
use actix_web::{HttpRequest, HttpResponse, get, post, web};
use minijinja::{Value, context};
use serde::Deserialize;

use super::device::device;
use super::form::{Posted, own_path, see_other};
use super::page::{encoded, message, page};
use super::site::CookieName;
use super::visitor::Visitor;
use pippost_accounts::{
    AccountError, Accounts, ChosenPassword, EmailAddress, Handle, LogIn, NewAccount, NotAdmitted, Password,
    SecretToken,
};
use pippost_clock::Zone;
use pippost_http::admission::{Admitted, Hashing};
use pippost_http::peer::Peer;
use pippost_http::{Code, Problem};
use pippost_language::{Arguments, Language};

/// Where a player is led after logging in, unless on the way to another page.
pub const MY_GAMES: &str = "/my-games";

/// The address of the page to sign up on the way to another page.
#[must_use]
pub fn sign_up_for(next: &str) -> String {
    leading_to("/sign-up", Some(next))
}

/// The address of the page to sign up by an invitation to this server.
#[must_use]
pub fn sign_up_with(invitation: &str) -> String {
    format!("/sign-up?invitation={}", encoded(invitation))
}

/// The address of the page to log in on the way to another page.
#[must_use]
pub fn log_in_for(next: &str) -> String {
    leading_to("/log-in", Some(next))
}

/// The address of a page from which the visitor goes on to `next`.
#[must_use]
pub fn leading_to(path: &str, next: Option<&str>) -> String {
    next.map_or_else(|| path.to_owned(), |next| format!("{path}?next={}", encoded(next)))
}

/// Where to go on to.
#[derive(Debug, Default, Deserialize)]
pub struct Onward {
    #[serde(default)]
    next: String,
}

impl Onward {
    /// The page to go on to that a query names.
    #[must_use]
    pub fn in_query(query: &str) -> Option<String> {
        let onward: Self = serde_urlencoded::from_str(query).ok()?;
        own_path(&onward.next).map(str::to_owned)
    }
}

#[derive(Deserialize)]
pub struct LogInForm {
    #[serde(default)]
    login: String,
    #[serde(default)]
    password: String,
    #[serde(default)]
    next: String,
}

#[derive(Deserialize)]
pub struct SignUpForm {
    #[serde(default)]
    handle: String,
    #[serde(default)]
    email: String,
    #[serde(default)]
    password: String,
    /// The browser's time zone, which a script fills in.
    #[serde(default)]
    zone: String,
    #[serde(default)]
    next: String,
    #[serde(default)]
    invitation: String,
}

impl SignUpForm {
    fn invitation(&self) -> Option<String> {
        invitation(&self.invitation, &self.next)
    }
}

/// An invitation that the visitor comes with, and where to go on to.
#[derive(Debug, Default, Deserialize)]
pub struct Invited {
    #[serde(default)]
    invitation: String,
    #[serde(default)]
    next: String,
}

/// The token of an invitation: of a link to this server, or else of the game that the visitor was invited to by mail and comes from.
fn invitation(typed: &str, next: &str) -> Option<String> {
    let typed = typed.trim();
    if typed.is_empty() { token_of(next) } else { Some(typed.to_owned()) }
}

/// The token in the address of a page of a game.
fn token_of(next: &str) -> Option<String> {
    #[derive(Deserialize)]
    struct WithToken {
        token: String,
    }
    let (_, query) = own_path(next)?.strip_prefix("/games/")?.split_once('?')?;
    serde_urlencoded::from_str::<WithToken>(query).ok().map(|query| query.token)
}

#[derive(Deserialize)]
pub struct ForgotForm {
    #[serde(default)]
    email: String,
}

#[get("/log-in")]
pub async fn log_in_form(visitor: Visitor, query: web::Query<Onward>) -> Result<HttpResponse, Problem> {
    let values = context! { next => own_path(&query.next) };
    page(StatusCode::OK, "log_in.html", visitor.with_form(), values)
}

#[post("/log-in")]
pub async fn log_in(
    _place: Admitted<Hashing>,
    request: HttpRequest,
    peer: Peer,
    visitor: Visitor,
    accounts: web::Data<Accounts>,
    form: Posted<LogInForm>,
) -> Result<HttpResponse, Problem> {
    let LogInForm { login, password, next } = form.into_inner();
    let again = context! { login => &login, next => own_path(&next) };
    // What nobody can be called is nobody's name, and nobody has such a password.
    let (Ok(by), Ok(password)) = (LogIn::try_from(login.clone()), Password::try_from(password)) else {
        return log_in_again(visitor, again, "authorize-wrong");
    };
    match accounts.log_in_browser(&by, &password, peer.0, &device_of(&request)).await {
        Ok(cookie) => enter(&visitor, &accounts, cookie, &next).await,
        Err(AccountError::WrongCredentials) => log_in_again(visitor, again, "authorize-wrong"),
        Err(AccountError::Closed) => log_in_again(visitor, again, "log-in-closed"),
        Err(AccountError::TooManyTries(reached)) => {
            let seconds = reached.retry_after_seconds;
            let problem = too_many(visitor.language, seconds);
            later("log_in.html", visitor, context! { problem, ..again }, seconds)
        }
        Err(error) => Err(error.into()),
    }
}

fn log_in_again(visitor: Visitor, values: Value, problem: &str) -> Result<HttpResponse, Problem> {
    let problem = visitor.language.say(problem);
    let values = context! { problem, ..values };
    page(StatusCode::UNPROCESSABLE_ENTITY, "log_in.html", visitor.with_form(), values)
}

/// The form once more, to be sent later.
fn later(template: &str, visitor: Visitor, values: Value, seconds: u64) -> Result<HttpResponse, Problem> {
    let mut shown = page(StatusCode::TOO_MANY_REQUESTS, template, visitor.with_form(), values)?;
    shown.headers_mut().insert(RETRY_AFTER, seconds.into());
    Ok(shown)
}

/// That there were too many tries, and when the next one is possible.
pub fn too_many(language: Language, seconds: u64) -> String {
    let seconds = i64::try_from(seconds).unwrap_or(i64::MAX);
    language.say_with("authorize-too-many", &Arguments::default().number("seconds", seconds))
}

/// The browser that a request comes from, by what it says of itself.
#[must_use]
pub fn device_of(request: &HttpRequest) -> String {
    let says = request.headers().get(USER_AGENT).and_then(|value| value.to_str().ok());
    device(says.unwrap_or_default())
}

/// Gives the browser its session, which takes the place of the one that it had.
async fn enter(
    visitor: &Visitor,
    accounts: &Accounts,
    cookie: SecretToken,
    next: &str,
) -> Result<HttpResponse, Problem> {
    if let Some(before) = &visitor.account {
        accounts.log_out_browser(before).await?;
    }
    with_session(see_other(own_path(next).unwrap_or(MY_GAMES)), visitor, cookie)
}

/// An answer that gives the browser a session.
pub fn with_session(
    mut answer: HttpResponse,
    visitor: &Visitor,
    cookie: SecretToken,
) -> Result<HttpResponse, Problem> {
    for cookie in
        [visitor.site.cookie(CookieName::Session, cookie.reveal()), visitor.site.no_cookie(CookieName::Form)]
    {
        answer.add_cookie(&cookie).map_err(|error| Problem::new(Code::Internal).cause(error))?;
    }
    Ok(answer)
}

#[post("/log-out")]
pub async fn log_out(
    visitor: Visitor,
    accounts: web::Data<Accounts>,
    _form: Posted<Onward>,
) -> Result<HttpResponse, Problem> {
    if let Some(account) = &visitor.account {
        accounts.log_out_browser(account).await?;
    }
    let mut answer = see_other("/");
    let gone = visitor.site.no_cookie(CookieName::Session);
    answer.add_cookie(&gone).map_err(|error| Problem::new(Code::Internal).cause(error))?;
    Ok(answer)
}

#[get("/sign-up")]
pub async fn sign_up_form(visitor: Visitor, query: web::Query<Invited>) -> Result<HttpResponse, Problem> {
    let values =
        context! { next => own_path(&query.next), invitation => invitation(&query.invitation, &query.next) };
    page(StatusCode::OK, "sign_up.html", visitor.with_form(), values)
}

#[post("/sign-up")]
pub async fn sign_up(
    _place: Admitted<Hashing>,
    request: HttpRequest,
    peer: Peer,
    visitor: Visitor,
    accounts: web::Data<Accounts>,
    form: Posted<SignUpForm>,
) -> Result<HttpResponse, Problem> {
    let form = form.into_inner();
    let SignUpForm { handle, email, next, .. } = &form;
    let filled =
        context! { handle_wanted => handle, email, next => own_path(next), invitation => form.invitation() };
    let again = |problems: Value, visitor: Visitor| {
        let values = context! { problems, ..filled.clone() };
        page(StatusCode::UNPROCESSABLE_ENTITY, "sign_up.html", visitor.with_form(), values)
    };
    let new = match new_account(&form, visitor.language) {
        Ok(new) => new,
        Err(problems) => return again(problems, visitor),
    };
    let device = device_of(&request);
    let guest = visitor.account.as_ref().filter(|account| account.guest).map(|guest| guest.player_id);
    match accounts.register_in_browser(&new, guest, peer.0, &device).await {
        Ok(cookie) => enter(&visitor, &accounts, cookie, &form.next).await,
        Err(AccountError::HandleTaken) => {
            let problems = context! { handle => visitor.language.say("sign-up-handle-taken") };
            again(problems, visitor)
        }
        Err(AccountError::NotAdmitted(why)) => not_admitted(why, visitor, filled.clone()),
        // The guest has registered by the same form sent before, or is gone.
        Err(AccountError::SessionEnded) => Ok(see_other(&leading_to("/log-in", own_path(&form.next)))),
        Err(AccountError::EmailRefused) => {
            let problems = context! { email => visitor.language.say("sign-up-email-refused") };
            again(problems, visitor)
        }
        Err(AccountError::EmailNotCarried) => {
            let problems = context! { email => visitor.language.say("sign-up-email-not-carried") };
            again(problems, visitor)
        }
        Err(AccountError::TooManyTries(reached)) => {
            let seconds = reached.retry_after_seconds;
            let problem = too_many(visitor.language, seconds);
            later("sign_up.html", visitor, context! { problem, ..filled.clone() }, seconds)
        }
        Err(error) => Err(error.into()),
    }
}

/// The form once more, or what there is instead of it, where the visitor may not register so.
fn not_admitted(why: NotAdmitted, visitor: Visitor, filled: Value) -> Result<HttpResponse, Problem> {
    let values = match why {
        NotAdmitted::Invitation => {
            context! { problem => visitor.language.say("sign-up-invitation-bad"), ..filled }
        }
        NotAdmitted::NoInvitation | NotAdmitted::Closed => filled,
    };
    page(StatusCode::FORBIDDEN, "sign_up.html", visitor.with_form(), values)
}

/// The account that a form asks for, or what is wrong with each field.
fn new_account(form: &SignUpForm, language: Language) -> Result<NewAccount, Value> {
    let handle = Handle::parse(form.handle.trim());
    let email = EmailAddress::parse(form.email.trim());
    let password = Password::try_from(form.password.clone());
    let problem = |is_wrong: bool, key: &str| is_wrong.then(|| language.say(key));
    let problems = context! {
        handle => problem(handle.is_err(), "sign-up-handle-bad"),
        email => problem(email.is_err(), "sign-up-email-bad"),
        password => problem(password.is_err(), "reset-page-bad"),
    };
    let (Ok(handle), Ok(email), Ok(password)) = (handle, email, password) else { return Err(problems) };
    let password = ChosenPassword::new(password, &handle, &email)
        .map_err(|_too_common| context! { password => language.say("reset-page-common") })?;
    let zone = Zone::named(&form.zone).unwrap_or_default();
    let invitation = form.invitation();
    Ok(NewAccount { handle, email, password, bot: false, language, zone, invitation })
}

#[get("/forgot-password")]
pub async fn forgot_form(visitor: Visitor) -> Result<HttpResponse, Problem> {
    page(StatusCode::OK, "forgot_password.html", visitor.with_form(), context! {})
}

/// The answer is the same whether the address has an account or not.
#[post("/forgot-password")]
pub async fn forgot(
    peer: Peer,
    visitor: Visitor,
    accounts: web::Data<Accounts>,
    form: Posted<ForgotForm>,
) -> Result<HttpResponse, Problem> {
    let ForgotForm { email } = form.into_inner();
    let Ok(address) = EmailAddress::parse(email.trim()) else {
        let problems = context! { email => visitor.language.say("sign-up-email-bad") };
        let values = context! { email, problems };
        return page(StatusCode::UNPROCESSABLE_ENTITY, "forgot_password.html", visitor.with_form(), values);
    };
    match accounts.request_password_reset(&address, peer.0).await {
        Ok(()) => message(StatusCode::OK, visitor, "forgot-sent-title", "forgot-sent-text"),
        Err(AccountError::TooManyTries(reached)) => {
            let seconds = reached.retry_after_seconds;
            let problem = too_many(visitor.language, seconds);
            later("forgot_password.html", visitor, context! { email, problem }, seconds)
        }
        Err(error) => Err(error.into()),
    }
}
