//! Limits on attempts.

use actix_web::dev::ServerHandle;
use pippost::accounts::{AccountLimits, Rate};
use pippost::api::peer::TrustedProxies;
use pippost::app::App;
use pippost::settings::{ProxyHeader, TrustedProxy};
use reqwest::Method;
use serde_json::json;
use time::Duration;
use tokio::task::JoinHandle;

use super::{
    ACCOUNTS, ME, MY_PASSWORD, Mailbox, RESEND, RESETS, SESSIONS, Session, email, log_in, registration,
};
use support::client::Answer;
use support::{Client, PASSWORD, TestApp};

const WRONG: &str = "a wrong password";

/// The seconds until the next attempt.
#[track_caller]
pub(super) fn wait(answer: &Answer) -> i64 {
    answer.problem(429, "too_many_requests");
    let seconds = answer.headers["retry-after"].to_str().expect("digits");
    seconds.parse().expect("seconds")
}

#[tokio::test(flavor = "multi_thread")]
async fn a_password_is_guessed_ten_times_and_then_once_a_minute() {
    let app = TestApp::with_limits(AccountLimits::default()).await;
    let ann = Session::register(&app, "ann").await.client;
    for _ in 0..10 {
        log_in(&app, "ann", WRONG).await.problem(403, "wrong_credentials");
    }
    let refused = log_in(&app, "ANN", PASSWORD).await;
    assert_eq!(wait(&refused), 60, "right or wrong");
    // A session gives no further attempts.
    let change = json!({"current_password": WRONG, "new_password": PASSWORD});
    wait(&ann.post(MY_PASSWORD, &change).await);
    wait(&ann.patch(ME, &json!({"email": "ann@example.net", "password": WRONG})).await);
    log_in(&app, "bob", PASSWORD).await.problem(403, "wrong_credentials");

    app.app.clock.advance(Duration::seconds(wait(&refused)));
    Session::log_in(&app, "ann", PASSWORD).await;
    wait(&log_in(&app, "ann", PASSWORD).await);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_peer_registers_twenty_accounts_and_then_one_in_a_while() {
    let app = TestApp::with_limits(AccountLimits::default()).await;
    for number in 0..20 {
        Session::register(&app, &format!("player{number}")).await;
    }
    let refused = app.stranger().post(ACCOUNTS, &registration("ann")).await;
    app.app.clock.advance(Duration::seconds(wait(&refused)));
    Session::register(&app, "ann").await;
}

#[tokio::test(flavor = "multi_thread")]
async fn an_address_gets_few_mails_whether_it_has_an_account_or_not() {
    let app = TestApp::with_limits(AccountLimits::default()).await;
    let mailbox = Mailbox::of(&app);
    let ann = Session::register(&app, "ann").await.client;
    let mut refused = Vec::new();
    for handle in ["ann", "nobody"] {
        let ask = json!({"email": email(handle)});
        for _ in 0..3 {
            app.stranger().post(RESETS, &ask).await.expect_status(202);
        }
        let answer = app.stranger().post(RESETS, &ask).await;
        wait(&answer);
        refused.push(answer.body);
    }
    assert_eq!(refused[0], refused[1]);
    assert_eq!(mailbox.resets(&email("ann")).await.len(), 3);
    for _ in 0..3 {
        ann.post(RESEND, &json!({})).await.expect_status(202);
    }
    wait(&ann.post(RESEND, &json!({})).await);
    assert_eq!(mailbox.confirmations(&email("ann")).await.len(), 4);
}

/// A second address of a server, at which it trusts proxies.
pub(super) struct Proxied {
    pub(super) stranger: Client,
    handle: ServerHandle,
    serving: JoinHandle<std::io::Result<()>>,
}

impl Proxied {
    pub(super) fn start(app: &TestApp, proxies: Vec<TrustedProxy>) -> Self {
        let listener = std::net::TcpListener::bind("127.0.0.1:0").expect("a free port");
        let stranger = app.stranger().at(&format!("http://{}", listener.local_addr().expect("an address")));
        let trusted_proxies = TrustedProxies::new(proxies, ProxyHeader::XForwardedFor);
        let server =
            pippost::http::serve(&App { trusted_proxies, ..app.app.clone() }, vec![listener.into()], 1);
        let server = server.expect("a server");
        let handle = server.handle();
        Self { stranger, handle, serving: tokio::spawn(server) }
    }

    /// Logs in from that address.
    pub(super) async fn log_in(&self, login: &str, password: &str, from: &str) -> Answer {
        let body = json!({"login": login, "password": password}).to_string();
        self.stranger.send(Method::POST, SESSIONS, Some(body), &[("X-Forwarded-For", from)]).await
    }

    pub(super) async fn stop(self) {
        self.handle.stop(false).await;
        self.serving.await.expect("it runs").expect("a clean stop");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn strangers_who_guess_do_not_lock_a_player_out() {
    // A quarter of what one name has, because each attempt is hashed.
    let mut limits = AccountLimits::default();
    limits.log_in.per_name = Rate::new(25, std::time::Duration::from_secs(10));
    let app = TestApp::with_limits(limits).await;
    let proxied = Proxied::start(&app, vec!["127.0.0.0/8".parse().expect("a proxy")]);
    let body = registration("ann").to_string();
    let from_home = [("X-Forwarded-For", "203.0.113.7")];
    proxied.stranger.send(Method::POST, ACCOUNTS, Some(body), &from_home).await.expect_status(201);
    // One stranger uses up his own attempts, but not hers.
    for _ in 0..10 {
        proxied.log_in("ann", WRONG, "198.51.100.1").await.problem(403, "wrong_credentials");
    }
    assert_eq!(wait(&proxied.log_in("ann", PASSWORD, "198.51.100.1").await), 60);
    proxied.log_in("ann", PASSWORD, "203.0.113.99").await.expect_status(201);
    // Many strangers: the limit for the name is reached, for clients from unknown networks.
    let mut guessed = 11;
    for number in 2..25 {
        let answer = proxied.log_in("ann", WRONG, &format!("198.51.100.{number}")).await;
        if answer.status == 429 {
            break;
        }
        answer.problem(403, "wrong_credentials");
        guessed += 1;
    }
    assert_eq!(guessed, 25);
    for _ in 0..3 {
        let nobody = proxied.log_in("ann", PASSWORD, "192.0.2.1").await;
        assert!((1..=10).contains(&wait(&nobody)), "right or wrong");
    }
    for home in ["203.0.113.7", "203.0.113.99"] {
        proxied.log_in("ann", PASSWORD, home).await.expect_status(201);
        proxied.log_in("ann", WRONG, home).await.problem(403, "wrong_credentials");
    }
    // A name that does not exist gets the same answers.
    for number in 1..=25 {
        proxied.log_in("nobody", WRONG, &format!("192.0.2.{number}")).await.problem(403, "wrong_credentials");
    }
    wait(&proxied.log_in("nobody", WRONG, "203.0.113.7").await);
    proxied.stop().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn one_player_has_few_links_sent_however_many_addresses_they_are_for() {
    let limits = AccountLimits {
        confirmation_per_player: AccountLimits::default().confirmation_per_player,
        ..AccountLimits::generous()
    };
    let app = TestApp::with_limits(limits).await;
    let (ann, bob) = (app.player("ann").await, app.player("bob").await);
    let ask = |number: usize| json!({"email": format!("ann{number}@example.net"), "password": PASSWORD});
    for number in 0..10 {
        ann.patch(ME, &ask(number)).await.ok();
    }
    assert_eq!(wait(&ann.patch(ME, &ask(10)).await), 600);
    bob.patch(ME, &ask(11)).await.ok();
}

#[tokio::test(flavor = "multi_thread")]
async fn only_a_trusted_proxy_is_believed_about_whom_it_speaks_for() {
    let trusting = ["127.0.0.0/8", "10.0.0.0/8"].map(|network| network.parse().expect("a proxy"));
    for (proxies, spoken_for) in [(trusting.to_vec(), true), (Vec::new(), false)] {
        let app = TestApp::with_limits(AccountLimits::default()).await;
        let proxied = Proxied::start(&app, proxies);
        let stranger = &proxied.stranger;
        let register = async |number: usize, client: &str| {
            let body = registration(&format!("player{number}")).to_string();
            // The client's own claim comes first, and differs each time.
            let heard = format!("198.51.100.{number}, {client}, 10.0.0.2");
            stranger.send(Method::POST, ACCOUNTS, Some(body), &[("X-Forwarded-For", &heard)]).await
        };
        for number in 0..20 {
            register(number, "203.0.113.7").await.expect_status(201);
        }
        wait(&register(20, "203.0.113.7").await);
        let another = register(21, "203.0.113.8").await;
        if spoken_for {
            another.expect_status(201)
        } else {
            another.expect_status(429)
        };
        proxied.stop().await;
    }
}
