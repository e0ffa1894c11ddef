//! Studies by the API: programs keep lines of finished games, read them, change and delete their own, and see what the pages show.

use pippost::games::studies::MAX_STUDIES;
use pippost::store::moderation::{self, ActKind, Decision};
use reqwest::Method;
use serde_json::{Value, json};
use support::TestApp;
use support::browsing::Browsing;
use support::client::{Answer, Client};
use support::games::{missed_win, pip_pip};
use uuid::Uuid;

const STUDIES: &str = "/api/v1/studies";

/// A line of two actions from the position before bob's mistake.
fn line(more: Value) -> Value {
    let mut body = json!({"seq": 9, "line": [{"notation": "b1"}, {"notation": "c3"}], "title": "The <win>"});
    body.as_object_mut().expect("an object").extend(more.as_object().expect("an object").clone());
    body
}

/// Keeps the line with these members besides; returns the path of the study.
async fn keep(author: &Client, game: &str, more: Value) -> String {
    let kept = author.post(&format!("{game}/studies"), &line(more)).await;
    let id = kept.expect_status(201).json()["id"].as_str().expect("an id").to_owned();
    let path = format!("{STUDIES}/{id}");
    assert_eq!(kept.headers["location"], path.as_str());
    path
}

async fn ids(reader: &Client, list: &str) -> Vec<String> {
    let page = reader.get(list).await.ok();
    let studies = page["studies"].as_array().expect("a list").iter();
    studies.map(|one| format!("{STUDIES}/{}", one["id"].as_str().expect("an id"))).collect()
}

fn why(answer: &Answer) -> String {
    answer.problem(409, "study_refused")["detail"].as_str().expect("a sentence").to_owned()
}

#[tokio::test(flavor = "multi_thread")]
async fn programs_keep_read_change_and_delete_a_study() {
    let app = TestApp::start().await;
    let (ann, bob, eve) = (app.player("ann").await, app.player("bob").await, app.player("eve").await);
    let stranger = app.stranger();
    let game = missed_win([&ann, &bob], &json!({})).await;
    let study = keep(&eve, &game, json!({"comment": "This\r\nwins.", "listed": true})).await;
    let seen = stranger.get(&study).await.ok();
    let head = &seen["study"];
    assert_eq!((&head["author"], &head["title"]), (&json!("eve"), &json!("The <win>")));
    assert_eq!((&head["rules"], &head["listed"]), (&json!("pippinzip"), &json!(true)));
    assert!(game.ends_with(head["game"].as_str().expect("an id")));
    assert_eq!((&seen["seq"], &seen["comments"]), (&json!(9), &json!(["", "", "This\nwins."])));
    let played = seen["line"].as_array().expect("a list").iter();
    assert_eq!(played.map(|one| &one["notation"]).collect::<Vec<_>>(), ["b1", "c3"]);
    for list in [STUDIES.to_owned(), format!("{game}/studies"), "/api/v1/me/studies".to_owned()] {
        assert_eq!(ids(&eve, &list).await, std::slice::from_ref(&study), "{list}");
    }
    assert!(ids(&ann, "/api/v1/me/studies").await.is_empty());
    // What was kept is what an analysis takes.
    let line: Vec<Value> =
        seen["line"].as_array().expect("a list").iter().map(|one| json!({"action": one["action"]})).collect();
    let analysed =
        stranger.post(&format!("{game}/analysis"), &json!({"seq": seen["seq"], "line": line})).await.ok();
    assert_eq!((&analysed["line"], &analysed["result"]), (&seen["line"], &seen["result"]));
    let page = Browsing::of(&app).get(&format!("{}?at=2", study.replace("/api/v1", ""))).await.expect(200);
    for told in ["The &lt;win&gt;", "This\nwins.", "<code>c3</code>"] {
        assert!(page.html.contains(told), "{told}: {}", page.html);
    }

    eve.patch(&study, &json!({"comment": "Here.", "at": 1.0})).await.expect_status(204);
    assert_eq!(stranger.get(&study).await.ok()["comments"], json!(["", "Here.", "This\nwins."]));
    eve.patch(&study, &json!({"title": "A win", "listed": false})).await.expect_status(204);
    eve.patch(&study, &json!({})).await.expect_status(204);
    let seen = stranger.get(&study).await.ok();
    assert_eq!((&seen["study"]["title"], &seen["study"]["listed"]), (&json!("A win"), &json!(false)));
    assert_eq!(seen["comments"], json!(["", "Here.", "This\nwins."]));
    assert!(ids(&eve, STUDIES).await.is_empty() && ids(&eve, &format!("{game}/studies")).await.is_empty());
    eve.delete(&study).await.expect_status(204);
    eve.delete(&study).await.problem(404, "not_found");
    stranger.get(&study).await.problem(404, "not_found");
}

#[tokio::test(flavor = "multi_thread")]
async fn what_cannot_be_kept_is_refused_with_the_reason() {
    let app = TestApp::start().await;
    let (running, [ann, bob]) = pip_pip(&app).await;
    let keep_in = |game: &str| format!("{game}/studies");
    let one = json!({"seq": 0, "line": [{"notation": "store", "chance": ["4"]}], "title": "A four"});
    assert_eq!(why(&ann.post(&keep_in(&running), &one).await), "the game is not over");
    assert!(ids(&app.stranger(), &keep_in(&running)).await.is_empty());
    ann.post(&format!("{running}/resign"), &json!({})).await.ok();
    ann.post(&keep_in(&running), &one).await.expect_status(201);
    let nine = json!({"seq": 0, "line": [{"notation": "store", "chance": ["9"]}], "title": "A nine"});
    ann.post(&keep_in(&running), &nine).await.problem(409, "chance_not_possible");

    let game = missed_win([&ann, &bob], &json!({})).await;
    let refused = async |more: Value| ann.post(&keep_in(&game), &line(more)).await;
    refused(json!({"line": [{"notation": "a1"}]})).await.problem(409, "illegal_action");
    refused(json!({"line": [{"notation": "xyzzy"}]})).await.problem(422, "unreadable_action");
    refused(json!({"seq": 99})).await.problem(404, "not_found");
    assert!(why(&refused(json!({"title": " "})).await).contains("has a title"));
    app.stranger().post(&keep_in(&game), &line(json!({}))).await.problem(401, "unauthenticated");

    let study = keep(&ann, &game, json!({})).await;
    assert_eq!(
        why(&ann.patch(&study, &json!({"comment": "", "at": 3})).await),
        "the study has no such position"
    );
    assert!(why(&ann.patch(&study, &json!({"title": "\u{7}"})).await).contains("has a title"));
    bob.patch(&study, &json!({"title": "Mine"})).await.problem(404, "not_found");
    bob.delete(&study).await.problem(404, "not_found");
    for other in [&study, &format!("{STUDIES}/{}", Uuid::nil())] {
        app.stranger().patch(other, &json!({})).await.problem(401, "unauthenticated");
    }
    app.stranger().get("/api/v1/me/studies").await.problem(401, "unauthenticated");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_wrong_request_is_told_of_all_that_is_wrong() {
    let app = TestApp::start().await;
    let (ann, bob) = (app.player("ann").await, app.player("bob").await);
    let game = missed_win([&ann, &bob], &json!({})).await;
    let study = keep(&ann, &game, json!({})).await;
    let (long, longer) = ("x".repeat(81), "x".repeat(1001));
    let many = vec![json!({"notation": "b1"}); 101];
    let checked = |answer: Answer, places: &[&str]| {
        let problem = answer.problem(422, "invalid_value");
        let errors = problem["errors"].as_array().expect("a list").iter();
        let mut found: Vec<_> = errors.map(|fault| fault["pointer"].as_str().expect("text")).collect();
        found.sort_unstable();
        assert_eq!(found, places);
    };
    for (body, places) in [
        (json!({}), &["/title"][..]),
        (
            json!({"title": "", "comment": longer, "listed": 1, "seq": -1}),
            &["/comment", "/listed", "/seq", "/title"],
        ),
        (json!({"title": long, "line": many}), &["/line", "/title"]),
        (json!({"title": "A", "line": [{"notation": ""}], "at": 1}), &["/at", "/line/0/notation"]),
    ] {
        checked(ann.post(&format!("{game}/studies"), &body).await, places);
    }
    for (body, places) in [
        (json!({"title": "", "comment": longer, "at": 101}), &["/at", "/comment", "/title"][..]),
        (json!({"title": long, "listed": "no", "seq": 1}), &["/listed", "/seq", "/title"]),
        (json!({"at": 1.5}), &["/at"]),
    ] {
        checked(ann.patch(&study, &body).await, places);
    }
    for query in ["cursor=1", "before=1", "limit=1"] {
        let refused = ann.get(&format!("{STUDIES}?{query}")).await;
        refused.problem(422, "invalid_value");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_study_of_a_private_game_exists_for_its_players_alone() {
    let app = TestApp::start().await;
    let (ann, bob, eve) = (app.player("ann").await, app.player("bob").await, app.player("eve").await);
    let game = missed_win([&ann, &bob], &json!({"private": true})).await;
    eve.post(&format!("{game}/studies"), &line(json!({}))).await.problem(404, "not_found");
    let study = keep(&ann, &game, json!({"listed": true})).await;
    ann.patch(&study, &json!({"listed": true})).await.expect_status(204);
    assert_eq!(bob.get(&study).await.ok()["study"]["listed"], false);
    for outsider in [&eve, &app.stranger()] {
        outsider.get(&study).await.problem(404, "not_found");
        outsider.get(&format!("{game}/studies")).await.problem(404, "not_found");
        assert!(ids(outsider, STUDIES).await.is_empty());
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn what_an_operator_hides_is_read_by_nobody_and_its_author_may_delete_it() {
    let app = TestApp::start().await;
    let (ann, bob) = (app.player("ann").await, app.player("bob").await);
    let game = missed_win([&ann, &bob], &json!({})).await;
    let study = keep(&ann, &game, json!({"title": "Fools", "listed": true})).await;
    let id = study.rsplit('/').next().expect("an id").to_owned();
    let bobs = Browsing::log_in(&app, "bob").await;
    let decide = async |kind: ActKind| {
        bobs.get(&format!("/report?study={id}")).await.expect(200);
        bobs.post("/report", &[("study", id.as_str()), ("reason", "insult")]).await.expect(200);
        let (database, now) = (&app.app.database, app.app.clock.now());
        let open = moderation::open_reports(database, 1).await.expect("reports").pop().expect("one");
        let decision = Decision { kind, words: "Be kind.", ends_at: None };
        moderation::decide(database, open.id, &decision, now).await.expect("a decision").expect("an act");
    };
    decide(ActKind::Removal).await;
    for reader in [&ann, &bob] {
        reader.get(&study).await.problem(404, "not_found");
        assert!(ids(reader, STUDIES).await.is_empty());
    }
    ann.patch(&study, &json!({"title": "Friends"})).await.problem(404, "not_found");
    let own = ann.get("/api/v1/me/studies").await.ok();
    assert_eq!(own["studies"][0]["title"], Value::Null);
    ann.delete(&study).await.expect_status(204);
    assert!(ids(&ann, "/api/v1/me/studies").await.is_empty());
}

#[tokio::test(flavor = "multi_thread")]
async fn studies_are_kept_once_for_each_key_up_to_the_limit_and_listed_page_by_page() {
    let app = TestApp::start().await;
    let (ann, bob) = (app.player("ann").await, app.player("bob").await);
    let game = missed_win([&ann, &bob], &json!({})).await;
    let path = format!("{game}/studies");
    let keyed = async |title: &str, key: &str| {
        let body = line(json!({"title": title, "listed": true})).to_string();
        ann.send(Method::POST, &path, Some(body), &[("Idempotency-Key", key)]).await
    };
    let kept = futures_util::future::join_all((0..4).map(|_| keyed("One", "a"))).await;
    assert!(kept.iter().all(|answer| answer.expect_status(201).body == kept[0].body));
    keyed("Another", "a").await.problem(409, "idempotency_key_reused");
    for number in 1..MAX_STUDIES {
        keyed(&format!("Study {number}"), &number.to_string()).await.expect_status(201);
    }
    let full = keyed("One more", "b").await.problem(409, "quota_reached");
    assert_eq!((&full["limit"], &full["most"]), (&json!("studies"), &json!(100)));
    assert_eq!(keyed("One", "a").await.body, kept[0].body, "as before, although no other may be kept");
    assert_eq!(ids(&bob, &path).await.len(), 10);
    let (mut seen, mut cursor) = (Vec::new(), String::new());
    loop {
        let page = bob.get(&format!("{STUDIES}{cursor}")).await.ok();
        seen.push(page["studies"].as_array().expect("a list").len());
        let Some(next) = page["next_cursor"].as_str() else { break };
        cursor = format!("?cursor={next}");
    }
    assert_eq!(seen, [30, 30, 30, 10]);
    assert_eq!(ids(&ann, "/api/v1/me/studies").await.len(), 100);
}
