//! Receivers that would lead into this server's own networks, or that answer as an attacker would.

use std::net::{IpAddr, TcpListener};
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use serde_json::{Value, json};

use super::{EVERYTHING, WEBHOOKS, deliver, events, ids, move_once, registered, verified, worker};
use support::TestApp;
use support::games::pip_pip;
use support::receiver::{Behavior, Receiver, sender, sender_to};

/// How many ports are tried.
const MAX_PORTS: usize = 100;

const ALLOWED: IpAddr = IpAddr::V4(std::net::Ipv4Addr::new(127, 0, 0, 2));
const INSIDE: IpAddr = IpAddr::V4(std::net::Ipv4Addr::LOCALHOST);

#[tokio::test(flavor = "multi_thread")]
async fn a_server_with_the_usual_settings_sends_to_no_private_address_and_by_no_plain_http() {
    let app = TestApp::start().await;
    let (ann, inside) = (app.player("ann").await, Receiver::start());
    for url in [
        inside.url.as_str(),
        "https://127.0.0.1:8443/",
        "https://[::ffff:10.0.0.1]/",
        "https://169.254.169.254/latest/meta-data",
        "https://ann:secret@hooks.example.org/",
        "https://hooks.example.org:25/",
        "https://hooks.example.org/#x",
        "http://hooks.example.org/",
    ] {
        let wanted = json!({"url": url, "kinds": ["turn"]});
        let problem = ann.post(WEBHOOKS, &wanted).await.problem(409, "webhook_url_refused");
        assert_eq!(problem["field"], "url", "{url}");
        assert!(!problem.to_string().contains("secret"));
    }
    // This name leads to this machine.
    let wanted = json!({"url": format!("https://localhost:{}/", inside.port), "kinds": ["turn"]});
    let hook = registered(&ann, &wanted).await;
    let challenged = hook.challenge(&ann).await;
    assert_eq!(challenged["delivery"]["outcome"], "unreachable");
    assert_eq!(challenged["webhook"]["state"], "unverified");
    assert!(inside.got().is_empty());
}

/// A receiver at each address, at the same port: one that is free at the first may be another program's at the second.
fn receivers_at_one_port() -> (u16, Receiver, Receiver) {
    for _ in 0..MAX_PORTS {
        let outside = TcpListener::bind((ALLOWED, 0)).expect("a port of an address for tests");
        let port = outside.local_addr().expect("an address").port();
        if let Ok(inside) = TcpListener::bind((INSIDE, port)) {
            return (port, Receiver::on(outside), Receiver::on(inside));
        }
    }
    panic!("no port is free at both addresses");
}

#[tokio::test(flavor = "multi_thread")]
async fn the_address_that_was_checked_is_the_one_that_is_connected_to() {
    let (port, outside, inside) = receivers_at_one_port();
    let asked = Arc::new(AtomicUsize::new(0));
    let count = Arc::clone(&asked);
    // An allowed address first, and another whenever it is asked again.
    let sender = sender_to(
        |address| address == ALLOWED,
        move |_| vec![if count.fetch_add(1, Ordering::SeqCst) == 0 { ALLOWED } else { INSIDE }],
    );
    let app = TestApp::with_sender(sender).await;
    let worker = worker(&app);
    let (game, players) = pip_pip(&app).await;
    let wanted = json!({"url": format!("http://rebinding.example:{port}/"), "kinds": EVERYTHING});
    let hook = registered(&players[0], &wanted).await;
    assert_eq!(hook.challenge(&players[0]).await["webhook"]["state"], "active");
    assert_eq!((asked.load(Ordering::SeqCst), outside.got().len()), (1, 1), "asked once for a connection");
    drop(outside);
    move_once(&game, &players).await;
    deliver(&worker).await;
    assert!(inside.got().is_empty());
    let log = hook.deliveries(&players[0]).await;
    assert_eq!(log[0]["outcome"], "unreachable", "{}", log[0]);
    app.app.clock.advance(time::Duration::seconds(5));
    deliver(&worker).await;
    assert_eq!(hook.deliveries(&players[0]).await[0]["outcome"], "unreachable");
    assert!(inside.got().is_empty());
}

#[tokio::test(flavor = "multi_thread")]
async fn a_host_with_one_address_that_is_not_allowed_is_refused_whole() {
    let inside = Receiver::start();
    let app = TestApp::with_sender(sender_to(|address| address == ALLOWED, |_| vec![ALLOWED, INSIDE])).await;
    let ann = app.player("ann").await;
    // As a port at which nobody listens: nothing tells which names there are inside.
    let mut told = Vec::new();
    for host in ["both.example", "127.0.0.1", &ALLOWED.to_string()] {
        let wanted = json!({"url": format!("http://{host}:{}/", inside.port), "kinds": ["turn"]});
        let hook = registered(&ann, &wanted).await;
        let mut delivery = hook.challenge(&ann).await["delivery"].clone();
        for own in ["id", "at"] {
            delivery.as_object_mut().expect("an object").remove(own);
        }
        told.push(delivery);
    }
    assert_eq!(told[0]["outcome"], "unreachable");
    assert!(told.iter().all(|delivery| *delivery == told[0]), "{told:?}");
    assert!(inside.got().is_empty());
}

#[tokio::test(flavor = "multi_thread")]
async fn redirects_are_not_followed_and_long_and_slow_answers_are_cut_off() {
    let app = TestApp::with_sender(sender()).await;
    let (receiver, elsewhere, worker) = (Receiver::start(), Receiver::start(), worker(&app));
    let (game, players) = pip_pip(&app).await;
    let hook = verified(&players[0], &receiver, &EVERYTHING).await;
    let outcome = async |behavior: Behavior| -> (Value, Value) {
        receiver.behave(behavior);
        let again = json!({"event": events(&game, 0, 0)[0]});
        let answer = players[0].post(&format!("{}/redeliver", hook.path), &again).await.ok();
        (answer["outcome"].clone(), answer["status"].clone())
    };
    let redirected = outcome(Behavior::Redirecting(elsewhere.url.clone())).await;
    assert_eq!(redirected, (json!("refused"), json!(302)));
    assert!(elsewhere.got().is_empty());
    assert_eq!(outcome(Behavior::Endless).await, (json!("delivered"), json!(200)));
    assert_eq!(outcome(Behavior::Silent).await, (json!("too_slow"), json!(null)));
    receiver.got();
    receiver.behave(Behavior::Endless);
    assert_eq!(hook.challenge(&players[0]).await["webhook"]["state"], "active", "it was before");
    receiver.behave(Behavior::Silent);
    move_once(&game, &players).await;
    deliver(&worker).await;
    receiver.behave(Behavior::Accepting);
    app.app.clock.advance(time::Duration::seconds(5));
    receiver.got();
    deliver(&worker).await;
    assert_eq!(ids(&receiver.got()), events(&game, 1, 1));
    drop(receiver);
    move_once(&game, &players).await;
    deliver(&worker).await;
    assert_eq!(hook.deliveries(&players[0]).await[0]["outcome"], "unreachable");
}
