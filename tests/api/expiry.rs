//! Games that do not fill or start in time: when they expire, who is told, and what is left of them.

use std::collections::BTreeSet;
use std::sync::atomic::{AtomicBool, Ordering};

use diesel_async::SimpleAsyncConnection;
use futures_util::StreamExt;
use futures_util::future::{join, join_all};
use futures_util::stream;
use pippost::beacon::Drand;
use pippost::commit;
use pippost::games::{GameError, audit, lobby};
use reqwest::Method;
use serde_json::{Value, json};
use time::Duration;

use support::beacon::{Behavior, Endpoint, chain};
use support::browsing::Browsing;
use support::db::plan;
use support::feed::{FeedReader, NDJSON};
use support::games::open_game;
use support::post::Post;
use support::{Client, TestApp, cluster};

/// When a game that is created at the start of a test expires.
const EXPIRES: &str = "2026-12-21T12:00:00.000000Z";

async fn expire(app: &TestApp) -> usize {
    lobby::expire(&app.app.games).await.expect("a step")
}

/// An open game for three that ann has created and bob has joined; its path.
async fn game_for_three(ann: &Client, bob: &Client) -> String {
    let wanted = json!({"rules": "dominion", "seats": 3});
    let created = ann.post("/api/v1/games", &wanted).await.expect_status(201).json();
    let game = format!("/api/v1/games/{}", created["id"].as_str().expect("an id"));
    bob.post(&format!("{game}/join"), &json!({})).await.ok();
    game
}

async fn expect_sound(app: &TestApp) {
    let mut found = Vec::new();
    let mut report = |finding: &audit::Finding| found.push(finding.to_string());
    audit::audit_all(&app.app.games, false, &mut report).await.expect("an audit");
    assert_eq!(found, [""; 0]);
}

/// The kinds of the mails about games that a player got.
async fn kinds(post: &Post, handle: &str) -> Vec<&'static str> {
    let mails = post.all(handle).await;
    mails.iter().map(|mail| mail.kind).filter(|kind| *kind != "confirm_email").collect()
}

#[tokio::test(flavor = "multi_thread")]
async fn a_game_that_did_not_fill_is_cancelled_at_its_time_and_each_who_waited_is_told_once() {
    let app = TestApp::start().await;
    let (ann, bob, _) = (app.player("ann").await, app.player("bob").await, app.player("eve").await);
    let game = game_for_three(&ann, &bob).await;
    assert_eq!(app.stranger().get(&game).await.ok()["expires_at"], EXPIRES);
    let open = app.stranger().get("/api/v1/games?list=open").await.ok();
    assert_eq!(open["games"][0]["expires_at"], EXPIRES);

    app.app.clock.advance(Duration::days(30) - Duration::microseconds(1));
    assert_eq!(expire(&app).await, 0);
    app.app.clock.advance(Duration::microseconds(1));
    // Two processes with four workers each, and two that send mails.
    let other = app.second().await;
    let workers = (0..8).map(|worker| expire(if worker % 2 == 0 { &app } else { &other }));
    assert_eq!(join_all(workers).await.into_iter().sum::<usize>(), 1);
    let posts = [Post::of(&app), Post::of(&other)];
    join(posts[0].send(), posts[1].send()).await;
    for handle in ["ann", "bob"] {
        let told = [kinds(&posts[0], handle).await, kinds(&posts[1], handle).await].concat();
        assert_eq!(told, ["game_expired"], "{handle}");
    }
    assert_eq!([kinds(&posts[0], "eve").await, kinds(&posts[1], "eve").await].concat(), [""; 0]);

    let (ann, eve) = (app.log_in("ann").await, app.log_in("eve").await);
    let view = app.stranger().get(&game).await.ok();
    assert_eq!(
        (&view["status"], &view["finished_at"], &view["expires_at"], &view["started_at"]),
        (&json!("cancelled"), &json!(EXPIRES), &json!(EXPIRES), &Value::Null)
    );
    assert_eq!(view["players"].as_array().map(Vec::len), Some(2), "they are still in it");
    let open = app.stranger().get("/api/v1/games?list=open").await.ok();
    assert_eq!(open["games"], json!([]));
    let mine = ann.get("/api/v1/games?list=mine&status=cancelled").await.ok();
    assert_eq!((&mine["games"][0]["id"], &mine["games"][0]["expires_at"]), (&view["id"], &json!(EXPIRES)));
    let refused = ["join", "leave", "entropy", "invitations", "moves"];
    for (place, code) in refused.iter().zip([
        "already_joined",
        "game_cancelled",
        "game_cancelled",
        "game_cancelled",
        "game_not_started",
    ]) {
        let (method, body) = match *place {
            "entropy" => (Method::PUT, json!({"entropy": "late"})),
            "invitations" => (Method::POST, json!({"handle": "eve"})),
            "moves" => (Method::POST, json!({"notation": "end"})),
            _ => (Method::POST, json!({})),
        };
        let answer = ann.send(method, &format!("{game}/{place}"), Some(body.to_string()), &[]).await;
        answer.problem(409, code);
    }
    eve.post(&format!("{game}/join"), &json!({})).await.problem(409, "game_cancelled");
    ann.get(&format!("{game}/record")).await.problem(409, "game_not_started");
    let feed = ann.get(&format!("{game}/feed")).await.ok();
    assert_eq!((&feed["entries"], &feed["is_over"]), (&json!([]), &json!(true)));
    expect_sound(&app).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn the_mail_says_what_was_missing_in_the_reader_s_language_and_zone_and_can_be_switched_off() {
    let app = TestApp::start().await;
    let (ann, bob) = (app.player("ann").await, app.player("bob").await);
    let preferences = "/api/v1/me/notification-preferences";
    ann.patch(preferences, &json!({"language": "de", "zone": "Europe/Berlin"})).await.ok();
    bob.patch(preferences, &json!({"games": false})).await.ok();
    game_for_three(&ann, &bob).await;
    app.app.clock.advance(Duration::days(30));
    assert_eq!(expire(&app).await, 1);
    let post = Post::of(&app);
    let mail = post.last("ann").await;
    assert_eq!(mail.subject, "Dominion gegen bob: das Spiel ist verfallen (#1)");
    let text = mail.text.split_whitespace().collect::<Vec<_>>().join(" ");
    assert!(text.contains("angelegt am Samstag, 21. November 2026, 13:00 Uhr (CET)"), "{text}");
    assert!(text.contains("Eine Person hat gefehlt."), "{text}");
    assert!(text.contains(&format!("{}/games/new?rules=dominion", app.url)), "{text}");
    assert!(mail.raw.contains("List-Unsubscribe-Post"), "{}", mail.raw);
    assert_eq!(mail.reply_to, None, "there is nothing to answer");
    assert_eq!(kinds(&post, "bob").await, [""; 0]);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_mail_waits_for_the_end_of_quiet_hours() {
    let app = TestApp::start().await;
    let ann = app.player("ann").await;
    let quiet = json!({"quiet_hours": {"from": "11:00", "until": "14:00"}});
    ann.patch("/api/v1/me/notification-preferences", &quiet).await.ok();
    open_game(&ann).await;
    app.app.clock.advance(Duration::days(30));
    assert_eq!(expire(&app).await, 1);
    let post = Post::of(&app);
    assert_eq!(kinds(&post, "ann").await, [""; 0]);
    app.app.clock.advance(Duration::hours(2));
    assert_eq!(kinds(&post, "ann").await, ["game_expired"]);
    assert_eq!(post.last("ann").await.subject, "Pip•Pip: the game has expired (#1)");
}

#[tokio::test(flavor = "multi_thread")]
async fn joins_and_expiry_that_race_end_in_one_of_both_and_tell_those_who_were_there() {
    const GAMES: usize = 40;
    const AT_ONCE: usize = 8;
    let app = TestApp::start().await;
    let ann = app.player("ann").await;
    for handle in ["bob", "eve"] {
        app.player(handle).await;
    }
    let mut games = Vec::new();
    for number in 0..GAMES {
        // Half of them would begin, the others would go on waiting.
        let (rules, seats) = if number % 2 == 0 { ("pip-pip", 2) } else { ("dominion", 3) };
        let created = ann.post("/api/v1/games", &json!({"rules": rules, "seats": seats})).await;
        games.push(format!("/api/v1/games/{}", created.json()["id"].as_str().expect("an id")));
    }
    app.app.clock.advance(Duration::days(30));
    let (bob, eve) = (app.log_in("bob").await, app.log_in("eve").await);
    let joins = games.iter().flat_map(|game| {
        [&bob, &eve]
            .map(|player| async move { player.post(&format!("{game}/join"), &json!({})).await.status })
    });
    let all_answered = AtomicBool::new(false);
    let joining = async {
        // As many as there are connections: on a cluster the last of eighty would wait too long for theirs.
        let joined: Vec<_> = stream::iter(joins).buffered(AT_ONCE).collect().await;
        all_answered.store(true, Ordering::Relaxed);
        joined
    };
    // One game at a time, so that joins come in between.
    let expiring = async {
        while !all_answered.load(Ordering::Relaxed) {
            commit::expire(&app.app.database, app.app.clock.now(), 1).await.expect("a step");
        }
    };
    let (joined, ()) = Box::pin(join(joining, expiring)).await;
    assert!(joined.iter().all(|status| [200, 409].contains(&status.as_u16())), "{joined:?}");
    while expire(&app).await > 0 {}
    let post = Post::of(&app);
    let mut told = BTreeSet::new();
    for handle in ["ann", "bob", "eve"] {
        let mails = post.all(handle).await;
        let expired = mails.iter().filter(|mail| mail.kind == "game_expired");
        told.insert((handle.to_owned(), expired.count()));
    }
    let mut expected: Vec<(String, usize)> = ["ann", "bob", "eve"].map(|one| (one.to_owned(), 0)).to_vec();
    for game in &games {
        let view = app.stranger().get(game).await.ok();
        let players: Vec<&str> = view["players"]
            .as_array()
            .expect("players")
            .iter()
            .filter_map(|one| one["handle"].as_str())
            .collect();
        match view["status"].as_str() {
            Some("running") => assert_eq!(
                players.len(),
                usize::try_from(view["seats"].as_u64().expect("a number")).expect("few")
            ),
            Some("cancelled") => {
                for (_, count) in expected.iter_mut().filter(|(handle, _)| players.contains(&handle.as_str()))
                {
                    *count += 1;
                }
            }
            other => panic!("{other:?}: {view}"),
        }
    }
    assert_eq!(told, expected.into_iter().collect());
    expect_sound(&app).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_full_game_whose_round_never_comes_expires_later_and_the_first_answer_stays_as_it_was() {
    let endpoint = Endpoint::start();
    endpoint.behave(Behavior::Down);
    let app =
        TestApp::with_beacon(Drand::new(chain(), std::slice::from_ref(&endpoint.url)).expect("a beacon"))
            .await;
    let ann = app.player("ann").await;
    let key = [("Idempotency-Key", "a-key")];
    let create =
        || ann.send(Method::POST, "/api/v1/games", Some(json!({"rules": "pip-pip"}).to_string()), &key);
    let created = create().await.expect_status(201).json();
    app.player("bob").await;
    app.app.clock.advance(Duration::days(29));
    let bob = app.log_in("bob").await;
    let game = format!("/api/v1/games/{}", created["id"].as_str().expect("an id"));
    let full = bob.post(&format!("{game}/join"), &json!({})).await.ok();
    assert_eq!(
        (&full["status"], &full["expires_at"]),
        (&json!("starting"), &json!("2027-01-19T12:00:00.000000Z"))
    );
    let ann = app.log_in("ann").await;
    let again =
        ann.send(Method::POST, "/api/v1/games", Some(json!({"rules": "pip-pip"}).to_string()), &key).await;
    assert_eq!((&again.json()["expires_at"], &created["expires_at"]), (&json!(EXPIRES), &json!(EXPIRES)));

    app.app.clock.advance(Duration::days(29));
    assert_eq!(expire(&app).await, 0, "it has as long again");
    let refused = lobby::start_awaited(&app.app.games).await;
    assert!(matches!(refused, Err(GameError::Beacon(_))), "{refused:?}");
    app.app.clock.advance(Duration::days(1));
    assert_eq!(expire(&app).await, 1);
    endpoint.behave(Behavior::Honest);
    assert_eq!(lobby::start_awaited(&app.app.games).await.expect("nothing to do"), 0);
    assert_eq!(app.stranger().get(&game).await.ok()["status"], "cancelled");
    let post = Post::of(&app);
    for handle in ["ann", "bob"] {
        let text = post.last(handle).await.text;
        assert!(text.contains("the public random value"), "{text}");
    }
    expect_sound(&app).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_stream_of_a_game_that_waits_ends_when_it_is_cancelled() {
    let app = TestApp::start().await;
    let ann = app.player("ann").await;
    let games = [open_game(&ann).await, open_game(&ann).await];
    let mut streams = Vec::new();
    for game in &games {
        streams.push(FeedReader::open(&app.stranger(), &format!("{game}/feed"), NDJSON, None).await);
    }
    ann.post(&format!("{}/leave", games[0]), &json!({})).await.expect_status(204);
    app.app.clock.advance(Duration::days(30));
    assert_eq!(expire(&app).await, 1);
    // With the next heartbeat, which comes by the machine's clock.
    for stream in &mut streams {
        assert_eq!(stream.rest().await, [json!({"type": "end", "reason": "game_over"})]);
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_started_game_does_not_expire_and_a_cancelled_one_does_not_once_more() {
    let app = TestApp::start().await;
    let (ann, bob) = (app.player("ann").await, app.player("bob").await);
    let running = open_game(&ann).await;
    let view = bob.post(&format!("{running}/join"), &json!({})).await.ok();
    assert_eq!((&view["status"], &view["expires_at"]), (&json!("running"), &Value::Null));
    let left = open_game(&ann).await;
    ann.post(&format!("{left}/leave"), &json!({})).await.expect_status(204);
    app.app.clock.advance(Duration::days(60));
    assert_eq!(expire(&app).await, 0);
    let post = Post::of(&app);
    assert!(!kinds(&post, "ann").await.contains(&"game_expired"));
    assert_eq!(app.stranger().get(&running).await.ok()["status"], "running");
}

#[tokio::test(flavor = "multi_thread")]
async fn the_page_says_until_when_a_game_waits_and_that_it_has_expired() {
    let app = TestApp::start().await;
    let ann = app.player("ann").await;
    let page = open_game(&ann).await.replace("/api/v1", "");
    let browser = Browsing::of(&app);
    let html = browser.get(&page).await.expect(200).html;
    assert!(html.contains("Waits until") && html.contains("Monday 21 December 2026, 12:00 UTC"), "{html}");
    let html = Browsing::of(&app).reading("de").get(&page).await.expect(200).html;
    assert!(html.contains("Montag, 21. Dezember 2026, 12:00 Uhr (UTC)"), "{html}");
    app.app.clock.advance(Duration::days(30));
    assert_eq!(expire(&app).await, 1);
    let html = browser.get(&page).await.expect(200).html;
    assert!(html.contains("Expired: it did not start in time") && !html.contains("Waits until"), "{html}");
    // Whoever still had the page open is led back to it.
    app.player("eve").await;
    let eve = Browsing::log_in(&app, "eve").await;
    let other = open_game(&app.log_in("ann").await).await.replace("/api/v1", "");
    eve.get(&other).await.expect(200);
    app.app.clock.advance(Duration::days(30));
    assert_eq!(expire(&app).await, 1);
    assert_eq!(eve.post(&format!("{other}/join"), &[]).await.location(), other);
}

#[tokio::test(flavor = "multi_thread")]
async fn what_expires_is_found_by_its_index_whether_much_is_due_or_little() {
    if cluster::plain_only("asks for the plan of a statement on a plain database") {
        return;
    }
    let app = TestApp::start().await;
    let mut connection = app.app.database.get().await.expect("a connection");
    app.player("ann").await;
    for due in [10, 19_990] {
        let rows = format!(
            "delete from games; insert into games (id, rules, rules_version, options, seating, seats, private, commitment, master_sealed, \
             creator_id, status, created_at, expires_at) select gen_random_uuid(), 'any', 1, '{{}}', 'joined', 2, false, '', '', p.id, \
             case when i % 2 = 0 then 'open' else 'finished' end, now(), now() + (i - {due}) * interval '1 minute' \
             from generate_series(1, 20000) i, players p; analyze games"
        );
        connection.batch_execute(&rows).await.expect("games");
        let prepare = format!("deallocate all; prepare due(timestamptz, bigint) as {}", commit::EXPIRED);
        connection.batch_execute(&prepare).await.expect("a statement");
        for mode in ["force_generic_plan", "force_custom_plan"] {
            connection.batch_execute(&format!("set plan_cache_mode = {mode}")).await.expect("a setting");
            let plan = plan(&mut connection, "execute due('now', 100)").await;
            assert!(plan.contains("Index Scan using games_expiring"), "{due}, {mode}: {plan}");
            assert!(!plan.contains("Sort") && !plan.contains("Seq Scan"), "{due}, {mode}: {plan}");
        }
    }
}
