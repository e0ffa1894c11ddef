//! Secrets must not get into the log.

use std::io::Write;
use std::sync::{Arc, Mutex, OnceLock};

use serde_json::json;
use tracing_subscriber::filter::Targets;
use tracing_subscriber::prelude::*;

use super::{
    ACCOUNTS, CONFIRM, ME, MY_PASSWORD, Mailbox, RESET, RESETS, Session, email, log_in, personal_token,
};
use support::apps::{self, VERIFIER};
use support::{PASSWORD, TestApp};

/// Everything that this process logs, at every level.
#[derive(Clone, Default)]
struct Log(Arc<Mutex<Vec<u8>>>);

impl Write for Log {
    fn write(&mut self, bytes: &[u8]) -> std::io::Result<usize> {
        self.0.lock().expect("nobody panics with the log").extend_from_slice(bytes);
        Ok(bytes.len())
    }

    fn flush(&mut self) -> std::io::Result<()> {
        Ok(())
    }
}

fn log() -> &'static Log {
    static LOG: OnceLock<Log> = OnceLock::new();
    LOG.get_or_init(|| {
        let log = Log::default();
        let writer = log.clone();
        // The tests' client runs in this process too, but what it logs is not the server's.
        let filter: Targets =
            "trace,hyper=off,hyper_util=off,reqwest=off,tokio_postgres=info".parse().expect("levels");
        let lines = tracing_subscriber::fmt::layer().with_writer(move || writer.clone());
        let started = tracing_subscriber::registry().with(filter).with(lines).try_init();
        started.expect("the only log of these tests");
        log
    })
}

#[tokio::test(flavor = "multi_thread")]
async fn no_password_token_or_address_gets_into_the_log_however_loud_it_is() {
    let log = log();
    let app = TestApp::start().await;
    let mailbox = Mailbox::of(&app);
    // Names that no other test uses, because all tests of a process share the log.
    let handle = "secretive-player";
    let first = Session::register(&app, handle).await;
    let second = Session::of(&app, first.refresh(&app).await.expect_status(200));
    let bot = personal_token(&second.client, &["read"]).await;
    bot.get(ME).await.ok();
    let confirmation = mailbox.confirmations(&email(handle)).await.remove(0);
    app.stranger().post(CONFIRM, &json!({"token": confirmation})).await.expect_status(204);
    let client_id = apps::register(&second.client).await;
    let page = apps::open(&app, &apps::request(&client_id, "read", &[("state", "a-secretive-state")])).await;
    let sealed = apps::hidden(&page).remove(1).1;
    let code = apps::code(&app, &client_id, "read", handle).await;
    let tokens = apps::send_form(&app, apps::TOKEN, &apps::exchange(&client_id, &code)).await.ok();
    let refreshed = apps::refresh(&app, &client_id, &tokens["refresh_token"], &[]).await.ok();
    apps::client(&app, &refreshed).get(ME).await.ok();
    apps::refused(&apps::refresh(&app, &client_id, &tokens["refresh_token"], &[]).await, "invalid_grant");
    log_in(&app, &email(handle), "a wrong password of secretive").await.problem(403, "wrong_credentials");
    let same = json!({"handle": handle, "email": email(handle), "password": PASSWORD});
    app.stranger().post(ACCOUNTS, &same).await.expect_status(409);
    let misplaced =
        json!({"handle": handle, "email": email(handle), "password": PASSWORD, "bot": "a-misplaced-secret"});
    app.stranger().post(ACCOUNTS, &misplaced).await.problem(422, "invalid_value");
    app.stranger().get("/api/v1/games?list=a-misplaced-secret").await.problem(422, "invalid_value");
    let change = json!({"current_password": PASSWORD, "new_password": "secretive and new"});
    second.client.post(MY_PASSWORD, &change).await.expect_status(204);
    app.stranger().post(RESETS, &json!({"email": email(handle)})).await.expect_status(202);
    let reset = mailbox.resets(&email(handle)).await.remove(0);
    let body = json!({"token": reset, "new_password": "secretive and newest"});
    app.stranger().post(RESET, &body).await.expect_status(204);
    first.refresh(&app).await.problem(403, "refresh_refused");

    let of_apps = [&tokens, &refreshed].map(|tokens| [&tokens["access_token"], &tokens["refresh_token"]]);
    let of_apps = of_apps.as_flattened().iter().map(|token| token.as_str().expect("a token").to_owned());
    let secrets = [
        PASSWORD.to_owned(),
        "of secretive".into(),
        "secretive and new".into(),
        email(handle),
        confirmation,
        reset,
        first.refresh_token,
        second.refresh_token,
        first.client.token.expect("a token"),
        second.client.token.expect("a token"),
        bot.token.expect("a token"),
        sealed,
        code,
        VERIFIER.to_owned(),
        "a-secretive-state".to_owned(),
        "a-misplaced-secret".to_owned(),
    ];
    let logged = String::from_utf8_lossy(&log.0.lock().expect("nobody panics with the log")).into_owned();
    assert!(logged.contains("password reset"), "the log is read");
    for secret in secrets.into_iter().chain(of_apps) {
        let line = logged.lines().find(|line| line.contains(&secret));
        assert_eq!(line, None, "{secret}");
    }
}
