//! Limits by network: one line at home or one site is not many strangers, and a person with many addresses not many persons.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};

use pippost::accounts::AccountLimits;
use reqwest::Method;
use serde_json::{Value, json};

use super::limits::{Proxied, wait};
use super::{ACCOUNTS, Session, registration};
use support::client::Answer;
use support::samples::samples;
use support::{PASSWORD, TestApp};

const ME: &str = "/api/v1/me";

/// The connections of an attacker.
const CONNECTIONS: usize = 160;

/// The default limits, with hashes that cost little.
fn limits() -> AccountLimits {
    AccountLimits { hash_memory_kib: 1024, ..AccountLimits::default() }
}

fn home(number: usize) -> String {
    format!("2001:db8:{number:x}::7")
}

async fn register(proxied: &Proxied, handle: &str, email: &str, from: &str) -> Answer {
    let body = json!({"handle": handle, "email": email, "password": PASSWORD}).to_string();
    proxied.stranger.send(Method::POST, ACCOUNTS, Some(body), &[("X-Forwarded-For", from)]).await
}

/// Sends wrong passwords from everywhere in `2001:db8:f00::/48`, or in one /56 of it, until told to stop.
async fn guess(
    proxied: Arc<Proxied>,
    number: usize,
    networks: usize,
    over: Arc<AtomicBool>,
    tried: Arc<AtomicUsize>,
) {
    for attempt in 0.. {
        if over.load(Ordering::Relaxed) {
            return;
        }
        let network = (number + attempt * CONNECTIONS) % networks;
        let from = format!("2001:db8:f00:{network:x}::{attempt:x}");
        proxied.log_in(&format!("nobody{network}"), "a wrong password", &from).await;
        tried.fetch_add(1, Ordering::Relaxed);
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn neither_a_line_at_home_nor_a_site_keeps_others_from_logging_in() {
    // The players who log in meanwhile.
    let honest = samples(5, 14);
    for &networks in samples(&[256][..], &[256, 65_536]) {
        let app = TestApp::with_limits(limits()).await;
        let proxied = Arc::new(Proxied::start(&app, vec!["127.0.0.0/8".parse().expect("a proxy")]));
        for number in 0..honest {
            let handle = format!("ann{number}");
            let registered =
                register(&proxied, &handle, &format!("{handle}@example.org"), &home(number)).await;
            registered.expect_status(201);
        }
        let (over, tried) = (Arc::new(AtomicBool::new(false)), Arc::new(AtomicUsize::new(0)));
        let attackers: Vec<_> = (0..CONNECTIONS)
            .map(|number| {
                let (proxied, over, tried) = (Arc::clone(&proxied), Arc::clone(&over), Arc::clone(&tried));
                tokio::spawn(guess(proxied, number, networks, over, tried))
            })
            .collect();
        while tried.load(Ordering::Relaxed) < CONNECTIONS {
            tokio::task::yield_now().await;
        }
        let mut statuses = Vec::new();
        for number in 0..honest {
            statuses
                .push(proxied.log_in(&format!("ann{number}"), PASSWORD, &home(number)).await.status.as_u16());
        }
        over.store(true, Ordering::Relaxed);
        for attacker in attackers {
            attacker.await.expect("no panic");
        }
        assert_eq!(statuses, vec![201; honest], "{networks} networks");
        Arc::into_inner(proxied).expect("nobody else holds it").stop().await;
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_player_who_was_there_before_logs_in_from_a_network_that_is_used_up() {
    let app = TestApp::with_limits(limits()).await;
    let proxied = Proxied::start(&app, vec!["127.0.0.0/8".parse().expect("a proxy")]);
    let at_home = "203.0.113.77";
    register(&proxied, "ann", "ann@example.org", at_home).await.expect_status(201);
    proxied.log_in("ann", PASSWORD, at_home).await.expect_status(201);
    // 203.0.113.0/24 may do four times what one address may.
    let mut tried = 0;
    'used_up: for last in 1..=9 {
        for number in 0..30 {
            let answer = proxied
                .log_in(&format!("nobody{last}-{}", number % 10), PASSWORD, &format!("203.0.113.{last}"))
                .await;
            if answer.status == 429 {
                break 'used_up;
            }
            tried += 1;
        }
    }
    assert_eq!(tried, 119);
    wait(&proxied.log_in("bob", PASSWORD, "203.0.113.200").await);
    proxied.log_in("ann", PASSWORD, at_home).await.expect_status(201);
    proxied.log_in("bob", PASSWORD, "198.51.100.1").await.problem(403, "wrong_credentials");
    proxied.stop().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn addresses_of_one_mailbox_register_as_one_person() {
    for addresses in [
        [
            "ann@example.org",
            "ann+1@example.org",
            "Ann+2@example.org",
            "ann+3@example.org",
            "ann+4@example.org",
            "ann+5@example.org",
        ],
        [
            "bob@gmail.com",
            "b.ob@gmail.com",
            "b.o.b@googlemail.com",
            "bo.b+x@gmail.com",
            "BOB@gmail.com",
            "bob+y@gmail.com",
        ],
    ] {
        let app = TestApp::with_limits(limits()).await;
        let ask = async |number: usize| {
            let body = json!({"handle": format!("player{number}"), "email": addresses[number], "password": PASSWORD});
            app.stranger().post(ACCOUNTS, &body).await
        };
        for number in 0..5 {
            ask(number).await.expect_status(201);
        }
        assert_eq!(wait(&ask(5).await), 600);
        app.stranger().post(ACCOUNTS, &registration("carl")).await.expect_status(201);
    }
}

fn refused(answer: &Answer) {
    let problem: Value = answer.problem(409, "email_refused");
    assert_eq!(problem["field"], "email");
}

#[tokio::test(flavor = "multi_thread")]
async fn nobody_has_an_address_of_the_server_or_of_a_machine() {
    let app = TestApp::start().await;
    app.app.accounts.own_address("pippost@example.org");
    let ann = Session::register(&app, "ann").await.client;
    let dora = app.player("dora").await;
    let game = dora.post("/api/v1/games", &json!({"rules": "pip-pip"})).await.expect_status(201).json();
    let invitations = format!("/api/v1/games/{}/invitations", game["id"].as_str().expect("an id"));
    for address in [
        support::REPLY_ADDRESS,
        &support::REPLY_ADDRESS.replace('@', "+abc@").to_uppercase(),
        "Pippost@example.org",
        "x@[192.0.2.1]",
    ] {
        let body = json!({"handle": "bob", "email": address, "password": PASSWORD});
        refused(&app.stranger().post(ACCOUNTS, &body).await);
        refused(&ann.patch(ME, &json!({"email": address, "password": PASSWORD})).await);
        refused(&dora.post(&invitations, &json!({"email": address})).await);
    }
    app.stranger().post(ACCOUNTS, &registration("bob")).await.expect_status(201);
}
