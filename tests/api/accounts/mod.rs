//! Accounts over HTTP: registering, sessions, passwords, personal tokens, players.

mod addresses;
mod deletion;
mod limits;
mod names;
mod networks;
mod passwords;
mod registration;
mod secrecy;
mod server_invitations;
mod sessions;
mod tokens;

use std::sync::Arc;

use pippost::mail::Mailer;
use pippost::notices::{Links, Outbox};
use pippost::worker::OutboxWorker;
use serde_json::{Value, json};

use support::client::Answer;
use support::{Client, PASSWORD, TestApp};

const ACCOUNTS: &str = "/api/v1/accounts";
const SESSIONS: &str = "/api/v1/sessions";
const REFRESH: &str = "/api/v1/sessions/refresh";
const CURRENT_SESSION: &str = "/api/v1/sessions/current";
const ME: &str = "/api/v1/me";
const MY_PASSWORD: &str = "/api/v1/me/password";
const MY_TOKENS: &str = "/api/v1/me/tokens";
const CONFIRM: &str = "/api/v1/email/confirm";
const RESEND: &str = "/api/v1/email/resend";
const RESETS: &str = "/api/v1/password-resets";
const RESET: &str = "/api/v1/password-resets/confirm";

fn text(value: &Value) -> &str {
    value.as_str().unwrap_or_else(|| panic!("{value} is no text"))
}

fn email(handle: &str) -> String {
    format!("{handle}@example.org")
}

fn registration(handle: &str) -> Value {
    json!({"handle": handle, "email": email(handle), "password": PASSWORD})
}

/// A session with both its tokens.
struct Session {
    client: Client,
    refresh_token: String,
}

impl Session {
    /// The session that an answer starts or continues.
    #[track_caller]
    fn of(app: &TestApp, answer: &Answer) -> Self {
        let body = answer.json();
        assert_eq!((&body["token_type"], &body["expires_in"]), (&json!("Bearer"), &json!(600)));
        let client = Client::new(&app.url, Some(text(&body["access_token"]).to_owned()));
        Self { client, refresh_token: text(&body["refresh_token"]).to_owned() }
    }

    async fn register(app: &TestApp, handle: &str) -> Self {
        let answer = app.stranger().post(ACCOUNTS, &registration(handle)).await;
        Self::of(app, answer.expect_status(201))
    }

    async fn log_in(app: &TestApp, login: &str, password: &str) -> Self {
        let answer = log_in(app, login, password).await;
        Self::of(app, answer.expect_status(201))
    }

    /// Tries to exchange the refresh token.
    async fn refresh(&self, app: &TestApp) -> Answer {
        app.stranger().post(REFRESH, &json!({"refresh_token": self.refresh_token})).await
    }
}

async fn log_in(app: &TestApp, login: &str, password: &str) -> Answer {
    app.stranger().post(SESSIONS, &json!({"login": login, "password": password})).await
}

/// The player's client with a personal token.
async fn personal_token(owner: &Client, scopes: &[&str]) -> Client {
    let answer = owner.post(MY_TOKENS, &json!({"name": "bot", "scopes": scopes})).await;
    let mut bot = owner.clone();
    bot.token = Some(text(&answer.expect_status(201).json()["token"]).to_owned());
    bot
}

/// The mails of one server.
struct Mailbox {
    mailer: Arc<Mailer>,
    worker: OutboxWorker,
}

impl Mailbox {
    fn of(app: &TestApp) -> Self {
        let mailer = Arc::new(Mailer::memory());
        let worker = OutboxWorker::new(
            Outbox::new(app.app.database.clone()),
            mailer.clone(),
            Arc::new(app.app.games.clone()),
            app.app.secret.clone(),
            Links::new(&app.url).expect("a URL"),
            app.app.clock.clone(),
            1,
        );
        Self { mailer, worker }
    }

    /// Sends waiting mails, and returns the tokens of all links to `page` that were ever sent to `address`, oldest first.
    async fn tokens(&self, page: &str, address: &str) -> Vec<String> {
        while self.worker.step().await.expect("the outbox") > 0 {}
        let mut sent = self.mailer.sent();
        // Ordered by notice, because the outbox decides which mail leaves first.
        sent.sort_by_key(|sent| sent.mail.notice_id);
        sent.iter().filter_map(|sent| token(&sent.raw, page, address)).collect()
    }

    /// The tokens of the links that confirm `address`.
    async fn confirmations(&self, address: &str) -> Vec<String> {
        self.tokens("confirm-email", address).await
    }

    /// The tokens of the links sent to `address` that set a new password.
    async fn resets(&self, address: &str) -> Vec<String> {
        self.tokens("reset-password", address).await
    }
}

/// The token of the link to `page` in a mail to `address`.
fn token(raw: &[u8], page: &str, address: &str) -> Option<String> {
    let mail = mail_parser::MessageParser::default().parse(raw).expect("a mail");
    let to = mail.to().and_then(|to| to.first()).and_then(|to| to.address()).expect("somebody");
    let body = mail.body_text(0).expect("a text");
    let (_, rest) = body.split_once(&format!("/{page}?token="))?;
    let token = rest.split_whitespace().next().expect("a token");
    (to == address).then(|| token.to_owned())
}
