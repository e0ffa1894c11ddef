//! The quotas of tokens and addresses: what is left is always told, what the client has costs nothing, and a legal move is never
//! limited. The figures of docs/API.md are those of the code.

use std::fmt::Write;
use std::path::Path;
use std::time::Duration;

use pippost::accounts::{AccountLimits, PlayerLimit, PlayerLimits, Rate, RequestLimit};
use pippost::api::limits::{Limit, MESSAGES_IN_GAME, REPORTS};
use pippost::traffic;
use reqwest::Method;
use serde_json::json;

use support::client::Answer;
use support::games::pip_pip;
use support::{Client, PASSWORD, TestApp};

const RULES: &str = "/api/v1/rules";

/// A day: nothing comes back while a test runs.
const DAY: Duration = Duration::from_hours(24);

async fn limited(per_token: Rate, per_peer: Rate) -> TestApp {
    let requests = RequestLimit { per_token, per_peer };
    TestApp::with_limits(AccountLimits { requests, ..AccountLimits::generous() }).await
}

/// What the answer says is left of each quota: names and numbers.
fn left(answer: &Answer) -> Vec<(String, u64)> {
    let lines = answer.headers.get_all("ratelimit").iter().map(|line| line.to_str().expect("text"));
    let members = lines.flat_map(|line| line.split(", "));
    let read = |member: &str| {
        let (name, parameters) = member.split_once(";r=").expect("a member");
        let (tries, seconds) = parameters.split_once(";t=").expect("a member");
        assert!(seconds.parse::<u64>().is_ok(), "{member}");
        (name.trim_matches('"').to_owned(), tries.parse().expect("a number"))
    };
    members.map(read).collect()
}

fn left_of(answer: &Answer, name: &str) -> Option<u64> {
    left(answer).into_iter().find(|(known, _)| known == name).map(|(_, tries)| tries)
}

#[tokio::test(flavor = "multi_thread")]
async fn each_answer_tells_what_is_left_of_the_token_s_and_the_address_s_quota() {
    let app = limited(Rate::new(100, DAY), Rate::new(1000, DAY)).await;
    let ann = app.player("ann").await;
    let answer = app.stranger().get(RULES).await;
    let policy = format!("\"address\";q=1000;w={}", 1000 * 86_400);
    assert_eq!(answer.headers["ratelimit-policy"], policy.as_str());
    assert_eq!(left(&answer), [("address".to_owned(), 998)]);
    let first = ann.get("/api/v1/me").await;
    let both = format!("\"token\";q=100;w={}, {policy}", 100 * 86_400);
    assert_eq!(first.headers["ratelimit-policy"], both.as_str());
    assert_eq!(left(&first), [("token".to_owned(), 99), ("address".to_owned(), 997)]);
    // A refused request counts like any other, and another token of the same player has a quota of its own.
    let refused = ann.get("/api/v1/games?limit=0").await;
    assert_eq!((refused.status.as_u16(), left_of(&refused, "token")), (422, Some(98)));
    assert_eq!(left_of(&app.log_in("ann").await.get("/api/v1/me").await, "token"), Some(99));
    assert!(left(&app.stranger().get("/healthz").await).is_empty());
}

#[tokio::test(flavor = "multi_thread")]
async fn a_token_whose_quota_is_used_up_is_told_which_limit_and_for_how_long() {
    let app = limited(Rate::new(3, Duration::from_secs(20)), Rate::new(1000, DAY)).await;
    let (ann, bob) = (app.player("ann").await, app.player("bob").await);
    for tries in [2, 1, 0] {
        assert_eq!(left_of(&ann.get("/api/v1/me").await, "token"), Some(tries));
    }
    let answer = ann.get("/api/v1/me").await;
    let refused = answer.problem(429, "too_many_requests");
    assert_eq!((&refused["limit"], &refused["retry_after_seconds"]), (&json!("token"), &json!(20)));
    assert_eq!(answer.headers["retry-after"], "20");
    assert_eq!(answer.headers["ratelimit"], "\"token\";r=0;t=20");
    assert_eq!(answer.headers["ratelimit-policy"], "\"token\";q=3;w=60");
    bob.get("/api/v1/me").await.ok();
    app.app.clock.advance(time::Duration::seconds(20));
    ann.get("/api/v1/me").await.ok();
    ann.get("/api/v1/me").await.problem(429, "too_many_requests");
}

#[tokio::test(flavor = "multi_thread")]
async fn an_address_whose_quota_is_used_up_waits_with_and_without_a_token() {
    let app = limited(Rate::new(1000, DAY), Rate::new(4, Duration::from_secs(30))).await;
    let ann = app.player("ann").await;
    for _ in 0..3 {
        app.stranger().get(RULES).await.ok();
    }
    for client in [&app.stranger(), &ann] {
        let answer = client.get(RULES).await;
        let refused = answer.problem(429, "too_many_requests");
        assert_eq!((&refused["limit"], &refused["retry_after_seconds"]), (&json!("address"), &json!(30)));
    }
    app.stranger().get("/healthz").await.ok();
}

#[tokio::test(flavor = "multi_thread")]
async fn an_answer_that_the_client_has_costs_no_quota() {
    let app = limited(Rate::new(50, DAY), Rate::new(100, DAY)).await;
    let (game, [ann, _]) = pip_pip(&app).await;
    for path in
        [game.clone(), format!("{game}/events"), format!("{game}/board.txt"), "/api/v1/games".to_owned()]
    {
        let first = ann.get(&path).await;
        let (before, tag) = (left(&first), first.headers["etag"].to_str().expect("a tag").to_owned());
        let mut known = None;
        for _ in 0..120 {
            let headers = [("If-None-Match", tag.as_str())];
            known = Some(ann.send(Method::GET, &path, None, &headers).await);
        }
        let known = known.expect("an answer");
        assert_eq!(left(known.expect_status(304)), before, "{path}");
    }
    let next = ann.get("/api/v1/me").await;
    next.ok();
}

/// Sends equal requests until one is refused for a limit; its name.
async fn exhaust(client: &Client, path: &str, body: &serde_json::Value) -> String {
    for _ in 0..50 {
        let answer = client.unchecked().post(path, body).await;
        if answer.status == 429 {
            assert!(answer.headers.contains_key("retry-after") && answer.headers.contains_key("ratelimit"));
            return answer.json()["limit"].as_str().expect("a name").to_owned();
        }
    }
    panic!("no end of {path}");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_legal_move_is_made_after_every_limit_is_exhausted() {
    let one = Rate::new(1, DAY);
    let player = PlayerLimit { per_player: one, per_peer: Rate::new(4, DAY) };
    let limits = AccountLimits {
        requests: RequestLimit { per_token: Rate::new(20, DAY), per_peer: Rate::new(400, DAY) },
        players: PlayerLimits {
            create_game: player,
            invite: player,
            join: player,
            say: player,
            send_to_webhook: player,
            make_club: player,
        },
        verification: one,
        receipts: one,
        ..AccountLimits::default()
    };
    let app = TestApp::with_limits(limits).await;
    let (game, [ann, _]) = pip_pip(&app).await;
    let legal = ann.get(&format!("{game}/actions")).await.ok();
    let action = legal["actions"][0].clone();
    let mut reached = Vec::new();
    let created = ann.unchecked().post("/api/v1/games", &json!({"rules": "pip-pip"})).await;
    reached.push(created.json()["limit"].as_str().expect("used up by the first game").to_owned());
    reached.push(exhaust(&ann, &format!("{game}/messages"), &json!({"text": "hello"})).await);
    reached.push(exhaust(&ann, &format!("{game}/join"), &json!({})).await);
    reached.push(exhaust(&ann, &format!("{game}/invitations"), &json!({"handle": "bob"})).await);
    reached.push(exhaust(&app.stranger(), "/api/v1/receipts", &json!({"receipt": "x"})).await);
    let wrong = json!({"login": "ann", "password": "wrong horse battery staple"});
    reached.push(exhaust(&app.stranger(), "/api/v1/sessions", &wrong).await);
    reached.push(
        exhaust(&app.stranger(), "/api/v1/password-resets", &json!({"email": "ann@example.org"})).await,
    );
    let new = json!({"handle": "ann", "email": "ann@example.org", "password": PASSWORD});
    reached.push(exhaust(&app.stranger(), "/api/v1/accounts", &new).await);
    // Now everything with this token, and then everything from this address.
    let refused = loop {
        let answer = ann.unchecked().get("/api/v1/me").await;
        if answer.status == 429 {
            break answer.json();
        }
    };
    reached.push(refused["limit"].as_str().expect("a name").to_owned());
    let stranger = app.stranger().unchecked();
    let refused = loop {
        let answer = stranger.get(RULES).await;
        if answer.status == 429 {
            break answer.json();
        }
    };
    reached.push(refused["limit"].as_str().expect("a name").to_owned());
    let expected = [
        "create-game",
        "say",
        "join",
        "invite",
        "receipts-address",
        "log-in-name-and-address",
        "reset",
        "registration",
        "token",
        "address",
    ];
    assert_eq!(reached, expected);
    // Neither refused moves nor full gates stand in the way of a legal move.
    ann.post(&format!("{game}/moves"), &json!({"notation": "nonsense"}))
        .await
        .problem(422, "unreadable_action");
    let held: Vec<_> = hold_all_places(&app);
    let moved =
        ann.post(&format!("{game}/moves"), &json!({"actions": [action], "expected_seq": legal["seq"]})).await;
    moved.ok();
    drop(held);
    ann.get("/api/v1/me").await.problem(429, "too_many_requests");
}

/// All places of this peer at every gate but that of connections, which the test itself needs.
fn hold_all_places(app: &TestApp) -> Vec<traffic::TrafficPermit> {
    let gates = &app.app.traffic;
    let peer = Some(std::net::IpAddr::from([127, 0, 0, 1]));
    let shares = [
        (&gates.bodies, traffic::BODIES),
        (&gates.answers, traffic::ANSWER_BYTES),
        (&gates.verifications, traffic::VERIFICATIONS),
        (&gates.record_bytes, traffic::RECORD_BYTES),
        (&gates.archives, traffic::ARCHIVES),
        (&gates.drawings, traffic::DRAWINGS),
        (&gates.passwords, traffic::PASSWORDS),
        (&gates.replays, traffic::REPLAYS),
    ];
    shares.into_iter().map(|(gate, share)| gate.enter(peer, share.of_peer).expect("free places")).collect()
}

#[tokio::test(flavor = "multi_thread")]
async fn a_full_gate_names_itself_and_says_when_to_try_again() {
    let app = TestApp::start().await;
    let (game, [ann, _]) = pip_pip(&app).await;
    let _held = hold_all_places(&app);
    let answer = ann.get(&format!("{game}/replay")).await;
    let refused = answer.problem(429, "too_many_requests");
    assert_eq!((&refused["limit"], &refused["retry_after_seconds"]), (&json!("replays"), &json!(1)));
    let policy = answer.headers.get_all("ratelimit-policy").iter().next().expect("its own first");
    assert_eq!(policy, "\"replays\";q=64;qu=\"concurrent-requests\"");
}

/// The rows of the table of limits in docs/API.md, as the code has them.
fn rows() -> String {
    let mut rows = String::new();
    for (name, rate) in AccountLimits::default().by_name() {
        writeln!(rows, "| `{name}` | {} | {} |", rate.burst, told(rate.then_every)).expect("text");
    }
    assert_eq!(Limit::messages_in_game().policy(), format!("\"{MESSAGES_IN_GAME}\";q=60;w=3600"));
    writeln!(rows, "| `{MESSAGES_IN_GAME}` | 60 | hour: all |").expect("text");
    assert_eq!(Limit::reports().policy(), format!("\"{REPORTS}\";q=10;w=86400"));
    writeln!(rows, "| `{REPORTS}` | 10 | day: all |").expect("text");
    rows
}

/// A period in words.
fn told(period: Duration) -> String {
    match (period.as_secs(), period.subsec_millis()) {
        (0, millis) => format!("{millis} ms"),
        (seconds, 0) if seconds % 60 == 0 => format!("{} min", seconds / 60),
        (seconds, 0) => format!("{seconds} s"),
        (seconds, millis) => format!("{seconds}.{millis:03} s"),
    }
}

#[test]
fn the_figures_of_the_page_are_those_of_the_code() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("docs/API.md");
    let page = std::fs::read_to_string(path).expect("docs/API.md");
    for row in rows().lines() {
        assert!(page.contains(row), "docs/API.md lacks the line\n{row}\nAll lines:\n{}", rows());
    }
    for (name, share) in [
        ("connections", traffic::Limits::default().connections),
        ("unread-bodies", traffic::BODIES),
        ("unread-answers", traffic::ANSWER_BYTES),
        ("verifications", traffic::VERIFICATIONS),
        ("record-bytes", traffic::RECORD_BYTES),
        ("archives", traffic::ARCHIVES),
        ("drawings", traffic::DRAWINGS),
        ("passwords", traffic::PASSWORDS),
        ("replays", traffic::REPLAYS),
        ("feeds", traffic::feeds(traffic::Limits::default().connections)),
    ] {
        let row = format!("| `{name}` | {} | {} |", share.of_peer, share.in_all);
        assert!(page.contains(&row), "docs/API.md lacks the line\n{row}");
    }
    let key_days = pippost::games::playing::RESPONSE_LIFETIME.whole_days();
    let tags = pippost::api::conditional::MAX_TAGS;
    for figure in [format!("for {key_days} days"), format!("at most {tags} tags")] {
        assert!(page.contains(&figure), "docs/API.md does not say `{figure}`");
    }
}
