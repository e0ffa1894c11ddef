//! Lists tell what a dashboard shows, narrowed as asked; the next game; invitations.

use serde_json::{Value, json};
use time::Duration;

use support::games::{open_game, pip_pip, pip_pip_again, play_to_the_end, timed_game};
use support::{Client, TestApp};

async fn listed(requester: &Client, query: &str) -> Vec<Value> {
    requester.get(&format!("/api/v1{query}")).await.ok()["games"].as_array().expect("games").clone()
}

async fn ids(requester: &Client, query: &str) -> Vec<String> {
    let text = |game: &Value| format!("/api/v1/games/{}", game["id"].as_str().expect("an id"));
    listed(requester, query).await.iter().map(text).collect()
}

#[tokio::test(flavor = "multi_thread")]
async fn a_listed_game_tells_what_a_card_of_it_shows() {
    let app = TestApp::start().await;
    let (game, _) = pip_pip(&app).await;
    app.app.clock.advance(Duration::hours(3));
    let (ann, bob) = (app.log_in("ann").await, app.log_in("bob").await);
    let view = ann.get(&game).await.ok();
    let card = &listed(&ann, "/games?list=mine").await[0];
    for member in [
        "id",
        "rules",
        "title",
        "options",
        "status",
        "my_seat",
        "to_act",
        "my_turn",
        "created_at",
        "started_at",
        "finished_at",
        "turn_since",
        "deadline_at",
        "time_left_seconds",
        "seq",
        "result",
        "page",
        "limit_hours",
    ] {
        assert_eq!(card[member], view[member], "{member}");
    }
    let player =
        |handle: &str, seat: u8| json!({"handle": handle, "seat": seat, "bot": false, "reliability": null});
    assert_eq!(card["players"], json!([player("ann", 0), player("bob", 1)]));
    assert_eq!((&card["to_act_player"], &card["number"]), (&json!("ann"), &json!(1)));
    assert_eq!(card["last_event_at"], view["started_at"]);
    let board = card["board"].as_str().and_then(|url| Some(&url[url.find("/api/")?..]));
    let picture = app.stranger().get(board.expect("an address")).await;
    assert!(picture.expect_status(200).text().starts_with("<svg"));
    // A stranger sees the same without what is the player's own.
    let seen = &listed(&app.stranger(), "/games?list=running").await[0];
    assert_eq!(
        (&seen["my_seat"], &seen["number"], &seen["my_turn"]),
        (&json!(null), &json!(null), &json!(false))
    );

    let end = play_to_the_end(&game, &[ann.clone(), bob.clone()]).await;
    let card = &listed(&app.stranger(), "/games?list=finished").await[0];
    assert_eq!((&card["result"], &card["finished_at"]), (&end["result"], &end["finished_at"]));
    assert!(card["result"]["places"].is_array());
    assert_eq!((&card["to_act"], &card["to_act_player"]), (&json!(null), &json!(null)));
}

#[tokio::test(flavor = "multi_thread")]
async fn games_of_a_player_are_narrowed_by_all_that_cards_tell() {
    let app = TestApp::start().await;
    let (first, [ann, bob]) = pip_pip(&app).await;
    let eve = app.player("eve").await;
    let fast = timed_game([&ann, &eve], &json!({"limit_hours": 12})).await;
    let endless = timed_game([&eve, &ann], &json!({"limit_hours": null})).await;
    bob.post(&format!("{first}/resign"), &json!({})).await.ok();
    let aborted = pip_pip_again(&ann, &bob).await;
    bob.post(&format!("{aborted}/abort"), &json!({})).await.ok();
    app.app.clock.advance(Duration::days(2));
    let ann = app.log_in("ann").await;
    let open = open_game(&ann).await;
    let all = [&open, &aborted, &endless, &fast, &first].map(String::clone);

    let of_ann = "/players/ann/games?";
    for (requester, lists) in [(&ann, "/games?list=mine&"), (&app.stranger(), of_ann)] {
        let asked = async |narrowed: &str| ids(requester, &format!("{lists}{narrowed}")).await;
        assert_eq!(asked("").await, all);
        assert_eq!(asked("order=oldest").await, all.iter().rev().cloned().collect::<Vec<_>>());
        assert_eq!(asked("opponent=eve").await, [&endless, &fast].map(String::clone));
        assert_eq!(asked("opponent=BOB&status=finished").await, [&aborted, &first].map(String::clone));
        assert_eq!(asked("outcome=won").await, [&first].map(String::clone));
        assert_eq!(asked("outcome=lost").await, [""; 0].map(str::to_owned));
        assert_eq!(asked("outcome=drawn").await, [""; 0].map(str::to_owned));
        assert_eq!(asked("max_limit_hours=24").await, [&fast].map(String::clone));
        assert_eq!(asked("min_limit_hours=169").await, [&endless].map(String::clone));
        assert_eq!(asked("since=2026-11-22T00:00:00Z").await, [&open].map(String::clone));
        assert_eq!(asked("until=2026-11-22T00:00:00Z").await, all[1..].to_vec());
        assert_eq!(asked("rules=serpent").await, [""; 0].map(str::to_owned));
    }
    assert_eq!(ids(&app.stranger(), "/players/bob/games?outcome=lost").await, [&first].map(String::clone));
    app.stranger().get(&format!("/api/v1{of_ann}opponent=nobody")).await.problem(404, "not_found");
    for wrong in ["since=yesterday", "limit=0", "min_limit_hours=0", "max_limit_hours=1441"] {
        app.stranger().get(&format!("/api/v1{of_ann}{wrong}")).await.problem(422, "invalid_value");
    }
    for only_of_one in
        ["opponent=ann", "outcome=won", "status=open", "max_limit_hours=5", "until=2026-11-22T00:00:00Z"]
    {
        let asked = app.stranger().get(&format!("/api/v1/games?list=finished&{only_of_one}")).await;
        let problem = asked.problem(422, "invalid_value");
        assert_eq!(problem["field"], only_of_one.split('=').next().expect("a name"));
    }
    app.stranger().get("/api/v1/players/nobody/games").await.problem(404, "not_found");

    let figures = app.stranger().get("/api/v1/players/ann").await.ok();
    assert_eq!(figures["results"], json!([{"rules": "pip-pip", "won": 1, "drawn": 0, "lost": 0}]));
    let figures = app.stranger().get("/api/v1/players/bob").await.ok();
    assert_eq!(figures["results"], json!([{"rules": "pip-pip", "won": 0, "drawn": 0, "lost": 1}]));
}

#[tokio::test(flavor = "multi_thread")]
async fn private_games_are_in_no_list_of_others() {
    let app = TestApp::start().await;
    let (ann, bob) = (app.player("ann").await, app.player("bob").await);
    let created = ann.post("/api/v1/games", &json!({"rules": "pip-pip", "private": true})).await.json();
    let game = format!("/api/v1/games/{}", created["id"].as_str().expect("an id"));
    bob.post(&format!("{game}/join"), &json!({"invitation": created["invitation"]})).await.ok();
    bob.post(&format!("{game}/resign"), &json!({})).await.ok();
    assert_eq!(ids(&ann, "/games?list=mine&outcome=won").await, [game]);
    for requester in [&app.stranger(), &bob] {
        assert_eq!(ids(requester, "/players/ann/games").await.len(), 0);
    }
    assert_eq!(app.stranger().get("/api/v1/players/ann").await.ok()["results"], json!([]));
}

#[tokio::test(flavor = "multi_thread")]
async fn the_next_game_is_the_one_with_the_first_deadline() {
    let app = TestApp::start().await;
    let (ann, bob) = (app.player("ann").await, app.player("bob").await);
    let next = async |player: &Client| player.get("/api/v1/me/next").await.ok()["game"]["id"].clone();
    assert_eq!(next(&ann).await, json!(null));
    let id = |game: &str| json!(game.rsplit('/').next());
    let endless = timed_game([&ann, &bob], &json!({"limit_hours": null})).await;
    assert_eq!(next(&ann).await, id(&endless));
    let slow = timed_game([&ann, &bob], &json!({"limit_hours": 96})).await;
    let fast = timed_game([&ann, &bob], &json!({"limit_hours": 24})).await;
    assert_eq!(next(&ann).await, id(&fast));
    assert_eq!(next(&bob).await, json!(null), "none waits for bob");
    ann.post(&format!("{fast}/resign"), &json!({})).await.ok();
    assert_eq!(next(&ann).await, id(&slow));
    app.stranger().get("/api/v1/me/next").await.problem(401, "unauthenticated");
}

#[tokio::test(flavor = "multi_thread")]
async fn invitations_are_listed_until_they_are_answered() {
    let app = TestApp::start().await;
    let (ann, bob, eve) = (app.player("ann").await, app.player("bob").await, app.player("eve").await);
    let mut games = Vec::new();
    for private in [false, true, true] {
        let created =
            ann.post("/api/v1/games", &json!({"rules": "pip-pip", "private": private})).await.json();
        let game = format!("/api/v1/games/{}", created["id"].as_str().expect("an id"));
        ann.post(&format!("{game}/invitations"), &json!({"handle": "bob"})).await.expect_status(202);
        games.push(game);
    }
    let invited = async |player: &Client| {
        player.get("/api/v1/me/invitations").await.ok()["invitations"].as_array().expect("a list").clone()
    };
    let listed = invited(&bob).await;
    assert_eq!(listed.len(), 3);
    assert!(invited(&eve).await.is_empty() && invited(&ann).await.is_empty());
    let newest = &listed[0];
    assert_eq!((&newest["from"], &newest["game"]["private"]), (&json!("ann"), &json!(true)));
    assert_eq!(newest["invited_at"], "2026-11-21T12:00:00.000000Z");
    let id = |game: &str| game.rsplit('/').next().expect("an id").to_owned();
    let join = json!({"invitation": newest["invitation"]});
    assert_eq!(newest["game"]["id"], id(&games[2]).as_str());
    bob.post(&format!("{}/join", games[2]), &join).await.ok();
    assert_eq!(invited(&bob).await.len(), 2);
    let decline = |game: &str| format!("/api/v1/me/invitations/{}", id(game));
    eve.delete(&decline(&games[1])).await.problem(404, "not_found");
    bob.delete(&decline(&games[1])).await.expect_status(204);
    bob.delete(&decline(&games[1])).await.problem(404, "not_found");
    ann.post(&format!("{}/leave", games[0]), &json!({})).await.expect_status(204);
    assert!(invited(&bob).await.is_empty());
}
