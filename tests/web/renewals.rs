//! Games that are followed by another one of the same kind: on pages, by the API, once, and until something ends them.

use diesel_async::SimpleAsyncConnection;
use futures_util::future::join_all;
use pippost::accounts::{AccountLimits, GameQuotas};
use pippost::games::lobby::{self, renewing};
use pippost::games::playing;
use pippost::store::renewals::DUE;
use serde_json::{Value, json};
use support::browsing::Browsing;
use support::db::{MANY, db_games, plan};
use support::{Client, PASSWORD, TestApp};
use time::Duration;

const GAMES: &str = "/api/v1/games";

async fn renew(app: &TestApp) -> usize {
    lobby::renew(&app.app.games).await.expect("a step")
}

/// A game that is followed by others, as its creator sees it.
async fn offer(client: &Client, more: &Value) -> Value {
    let mut wanted = json!({"rules": "pip-pip", "seating": "joined", "limit_hours": 96, "renews": true});
    wanted.as_object_mut().expect("an object").extend(more.as_object().expect("an object").clone());
    client.post(GAMES, &wanted).await.expect_status(201).json()
}

fn path(game: &Value) -> String {
    format!("{GAMES}/{}", game["id"].as_str().expect("an id"))
}

/// Lets somebody join, and resign at once.
async fn play(other: &Client, game: &Value) {
    other.post(&format!("{}/join", path(game)), &json!({})).await.ok();
    other.post(&format!("{}/resign", path(game)), &json!({})).await.ok();
}

async fn listed(client: &Client, list: &str) -> Vec<Value> {
    client.get(&format!("{GAMES}?list={list}")).await.ok()["games"].as_array().expect("a list").clone()
}

/// How many games are marked to be followed by another one, those of which nothing will come, too.
async fn marked(app: &TestApp) -> i64 {
    app.db_count("select count(*) as number from games where renews_at is not null and status <> 'cancelled'")
        .await
}

#[tokio::test(flavor = "multi_thread")]
async fn a_finished_game_is_followed_once_by_one_of_the_same_kind_whichever_worker_is_first() {
    let app = TestApp::start().await;
    let (ann, bob) = (app.player("ann").await, app.player("bob").await);
    let first = offer(&ann, &json!({"game_title": "Every week"})).await;
    assert_eq!(listed(&ann, "mine").await[0]["renews"], true);
    assert_eq!(listed(&bob, "open").await[0]["renews"], false, "it is her own matter");
    bob.post(&format!("{}/join", path(&first)), &json!({})).await.ok();
    assert_eq!(renew(&app).await, 0, "it runs");
    bob.post(&format!("{}/resign", path(&first)), &json!({})).await.ok();
    let other = app.second().await;
    let workers = (0..8).map(|worker| renew(if worker % 2 == 0 { &app } else { &other }));
    assert_eq!(join_all(workers).await.into_iter().sum::<usize>(), 1);
    let open = listed(&ann, "open").await;
    assert_eq!(open.len(), 1, "{open:?}");
    let next = &open[0];
    for member in
        ["rules", "options", "seats", "private", "game_title", "time_control", "substitutes", "players"]
    {
        let then = if member == "players" { json!(["ann"]) } else { first[member].clone() };
        let now =
            if member == "players" { json!([next["players"][0]["handle"]]) } else { next[member].clone() };
        assert_eq!(now, then, "{member}");
    }
    assert_eq!((&next["renews"], &next["number"]), (&json!(true), &json!(2)));
    let shown = bob.get(&path(next)).await.ok();
    assert_eq!(shown["seating"], "joined");
    assert_ne!((&shown["id"], &shown["commitment"]), (&first["id"], &first["commitment"]));
    assert_eq!(listed(&ann, "mine").await[1]["renews"], false, "the mark has gone on");
    assert_eq!((renew(&app).await, marked(&app).await), (0, 1));
    play(&bob, next).await;
    assert_eq!((renew(&app).await, listed(&ann, "open").await.len()), (1, 1), "and so on");
}

#[tokio::test(flavor = "multi_thread")]
async fn nothing_follows_on_a_game_that_was_aborted_left_or_found_nobody() {
    let app = TestApp::start().await;
    let (ann, bob, cat) = (app.player("ann").await, app.player("bob").await, app.player("cat").await);
    let aborted = offer(&ann, &json!({})).await;
    bob.post(&format!("{}/join", path(&aborted)), &json!({})).await.ok();
    bob.post(&format!("{}/abort", path(&aborted)), &json!({})).await.ok();
    let left = offer(&ann, &json!({})).await;
    ann.post(&format!("{}/leave", path(&left)), &json!({})).await.expect_status(204);
    let running = offer(&ann, &json!({})).await;
    bob.post(&format!("{}/join", path(&running)), &json!({})).await.ok();
    // Others play at a table that its creator has left before the start.
    let third = offer(&ann, &json!({"rules": "dominion", "seats": 3})).await;
    bob.post(&format!("{}/join", path(&third)), &json!({})).await.ok();
    ann.post(&format!("{}/leave", path(&third)), &json!({})).await.expect_status(204);
    for client in [&cat, &app.player("dan").await] {
        client.post(&format!("{}/join", path(&third)), &json!({})).await.ok();
    }
    for client in [&bob, &cat] {
        client.post(&format!("{}/resign", path(&third)), &json!({})).await.ok();
    }
    assert_eq!(cat.get(&path(&third)).await.ok()["status"], "finished");
    assert_eq!((renew(&app).await, marked(&app).await), (0, 1), "the game that runs");
    app.app.clock.advance(Duration::days(5));
    assert_eq!(playing::let_flags_fall(&app.app.games).await.expect("a step"), 1, "hers");
    assert_eq!((renew(&app).await, marked(&app).await), (0, 0), "she may be gone");
    let cat = app.log_in("cat").await;
    let unwanted = offer(&cat, &json!({})).await;
    app.app.clock.advance(Duration::days(30));
    assert_eq!(lobby::expire(&app.app.games).await.expect("a step"), 1);
    assert_eq!(app.stranger().get(&path(&unwanted)).await.ok()["status"], "cancelled");
    assert_eq!(renew(&app).await, 0);
    assert_eq!(listed(&app.log_in("cat").await, "mine").await[0]["renews"], false);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_holiday_and_the_limit_of_games_at_once_put_it_off() {
    let quotas = GameQuotas { games_at_once: 2, ..GameQuotas::default() };
    let app = TestApp::with_limits(AccountLimits { quotas, ..AccountLimits::generous() }).await;
    let (ann, bob) = (app.player("ann").await, app.player("bob").await);
    let first = offer(&ann, &json!({})).await;
    play(&bob, &first).await;
    let booked = json!({"first_day": "2026-11-22", "last_day": "2026-11-24"});
    ann.post("/api/v1/me/holidays", &booked).await.expect_status(201);
    app.app.clock.advance(Duration::days(1));
    let ann = app.log_in("ann").await;
    assert_eq!((renew(&app).await, marked(&app).await), (0, 1));
    let others = [offer(&ann, &json!({"renews": false})).await, offer(&ann, &json!({"renews": false})).await];
    // At noon of the 24th, and at noon of the day after.
    app.app.clock.advance(Duration::days(2));
    assert_eq!((renew(&app).await, marked(&app).await), (0, 1), "she is on holiday still");
    app.app.clock.advance(Duration::days(1));
    assert_eq!((renew(&app).await, marked(&app).await), (0, 1), "she is in as many games as she may be");
    let ann = app.log_in("ann").await;
    ann.post(&format!("{}/leave", path(&others[0])), &json!({})).await.expect_status(204);
    assert_eq!(renew(&app).await, 0, "not before the next try");
    app.app.clock.advance(renewing::RETRY_DELAY);
    assert_eq!((renew(&app).await, marked(&app).await), (1, 1));
    assert_eq!(listed(&app.stranger(), "open").await.len(), 2);
}

#[tokio::test(flavor = "multi_thread")]
async fn nothing_follows_for_a_deleted_account() {
    let app = TestApp::start().await;
    let (ann, bob) = (app.player("ann").await, app.player("bob").await);
    play(&bob, &offer(&ann, &json!({})).await).await;
    let running = offer(&ann, &json!({})).await;
    bob.post(&format!("{}/join", path(&running)), &json!({})).await.ok();
    ann.post("/api/v1/me/deletion", &json!({"password": PASSWORD})).await.expect_status(204);
    assert_eq!(bob.get(&path(&running)).await.ok()["status"], "finished");
    assert_eq!((renew(&app).await, marked(&app).await), (0, 0));
    assert_eq!(listed(&bob, "open").await.len(), 0);
}

#[tokio::test(flavor = "multi_thread")]
async fn it_is_chosen_with_the_new_game_told_to_its_creator_alone_and_ended_by_a_button() {
    let app = TestApp::start().await;
    let (_, bob) = (app.player("ann").await, app.player("bob").await);
    let (anns, bobs) = (Browsing::log_in(&app, "ann").await, Browsing::log_in(&app, "bob").await);
    let form = anns.get("/games/new?rules=pip-pip").await.expect(200).html;
    assert!(form.contains("name=\"renews\"") && form.contains("Open another one when this game is finished"));
    let chosen = [("rules", "pip-pip"), ("seats", "2"), ("renews", "true")];
    let game = anns.post("/games/new", &chosen).await.location();
    let end = format!("action=\"{game}/renewal/end\"");
    let shown = async |browser: &Browsing, page: &str| {
        browser.get(page).await.expect(200).html.replace("&#x2f;", "/")
    };
    for page in [game.as_str(), "/my-games"] {
        assert!(shown(&anns, page).await.contains(&end), "{page}");
    }
    for page in [game.as_str(), "/games"] {
        assert!(!shown(&bobs, page).await.contains("/renewal/end"), "{page}");
    }
    bob.post(&format!("/api/v1{game}/join"), &json!({})).await.ok();
    let html = shown(&anns, &game).await;
    assert!(html.contains(&end) && html.contains("another one of the same kind is opened"), "{html}");
    assert!(!shown(&bobs, &game).await.contains("/renewal/end"));
    bobs.post(&format!("{game}/renewal/end"), &[]).await.expect(303);
    assert_eq!(marked(&app).await, 1, "nobody else ends it");
    assert!(shown(&anns, "/my-games").await.contains("another one follows"));
    let ended = anns.post(&format!("{game}/renewal/end"), &[("from_list", "yes")]).await;
    assert_eq!(ended.location(), "/my-games");
    assert!(!shown(&anns, "/my-games").await.contains("/renewal/end"));
    bob.post(&format!("/api/v1{game}/resign"), &json!({})).await.ok();
    assert_eq!((renew(&app).await, marked(&app).await), (0, 0));
    let german = Browsing::log_in(&app, "ann").await.reading("de");
    assert!(shown(&german, "/games/new?rules=pip-pip").await.contains("Ein neues anlegen, wenn"));
}

#[tokio::test(flavor = "multi_thread")]
async fn the_worker_finds_what_is_due_by_an_index() {
    let app = TestApp::start().await;
    let mut connection = app.db_superuser().await;
    db_games(&mut connection, 1, MANY).await;
    connection.batch_execute("analyze").await.expect("statistics");
    let due = DUE.replace("$1", "now()").replace("$2", "20");
    let plan = plan(&mut connection, &due).await;
    assert!(plan.contains("games_renewing") && !plan.contains("Seq Scan"), "{plan}");
}
