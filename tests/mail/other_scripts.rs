//! Addresses whose name before the `@` is not ASCII, which only some mail servers take (RFC 6531).

use std::path::Path;
use std::sync::Arc;

use pippost::accounts::MailServer;
use pippost::mail::Mailer;
use pippost::settings::MailSettings;
use serde_json::json;

use support::browsing::Browsing;
use support::smtp_sink::{SmtpSink, Treatment};
use support::{PASSWORD, TestApp};

fn mailer(url: String) -> Arc<Mailer> {
    let mail_from = "pippost <pippost@example.org>".to_owned();
    let settings = MailSettings { smtp_url: Some(url), mail_from, ..MailSettings::default() };
    Arc::new(Mailer::new(&settings, Path::new("not-used")).expect("a mailer"))
}

#[tokio::test(flavor = "multi_thread")]
async fn a_sign_up_says_plainly_that_no_mail_can_be_sent_to_the_address() {
    let (app, sink) = (TestApp::start().await, SmtpSink::start(|_| Treatment::Accept).await);
    app.app.accounts.ask_mail_server(mailer(sink.url()));
    let register = async |handle: &str, email: &str| {
        let wanted = json!({"handle": handle, "email": email, "password": PASSWORD});
        app.stranger().post("/api/v1/accounts", &wanted).await
    };
    register("ann", "ann@müller.example").await.expect_status(201);
    assert_eq!(sink.connections(), 0, "the domain has a form in ASCII, so nobody asks");
    let refused = register("juergen", "jürgen@example.org").await.problem(409, "email_refused");
    assert_eq!(refused["field"], "email");
    assert!(
        refused["detail"].as_str().expect("a text").contains("letters such as ü before the @"),
        "{refused}"
    );
    register("juergen", "jürgen@example.net").await.problem(409, "email_refused");
    assert_eq!(sink.connections(), 1, "it is known by then");
    let change = json!({"email": "änn@example.org", "password": PASSWORD});
    app.log_in("ann").await.patch("/api/v1/me", &change).await.problem(409, "email_refused");

    let browser = Browsing::of(&app);
    browser.get("/sign-up").await.expect(200);
    let fields =
        [("handle", "juergen"), ("email", "jürgen@example.org"), ("password", PASSWORD), ("next", "")];
    let shown = browser.post("/sign-up", &fields).await.expect(422).html;
    assert!(shown.contains("cannot send to an address with letters such as ü before the @"), "{shown}");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_mail_server_that_takes_them_or_cannot_be_asked_stops_nobody() {
    let (app, sink) = (TestApp::start().await, SmtpSink::start(|_| Treatment::Accept).await);
    sink.take_other_scripts();
    app.app.accounts.ask_mail_server(mailer(sink.url()));
    let register = |app: &TestApp| {
        let wanted = json!({"handle": "juergen", "email": "jürgen@example.org", "password": PASSWORD});
        let stranger = app.stranger();
        async move { stranger.post("/api/v1/accounts", &wanted).await.expect_status(201).json() }
    };
    register(&app).await;
    let (app, gone) = (TestApp::start().await, SmtpSink::start(|_| Treatment::Accept).await);
    let url = gone.url();
    drop(gone);
    app.app.accounts.ask_mail_server(mailer(url));
    register(&app).await;
}

#[tokio::test]
async fn what_the_last_connection_said_is_known_without_another() {
    let sink = SmtpSink::start(|_| Treatment::Accept).await;
    let mailer = mailer(sink.url());
    mailer.send(&super::smtp::mail(1)).await.expect("sent");
    assert_eq!(mailer.takes_other_scripts().await, Some(false));
    assert_eq!(sink.connections(), 1);
    assert_eq!(Mailer::memory().takes_other_scripts().await, Some(true), "files and tests take all");
}
