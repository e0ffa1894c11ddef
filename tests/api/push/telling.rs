//! What is told, when, and what not.

use pippost::games::ladders;
use serde_json::json;
use time::Duration;

use super::{PREFERENCES, SUBSCRIPTIONS, Table, Workers, play_turn, to_act};
use support::games::{pip_pip, pip_pip_again};
use support::push_service::PushService;
use support::receiver::sender;
use support::{START, TestApp};

#[tokio::test(flavor = "multi_thread")]
async fn a_turn_is_told_to_the_browser_alone_signed_and_with_the_event_that_it_shows() {
    let app = TestApp::with_sender(sender()).await;
    let (service, workers) = (PushService::start(), Workers::of(&app));
    let (game, players) = pip_pip(&app).await;
    workers.send().await;
    let waiting = 1 - to_act(&game, &players).await;
    let browser = service.browser("a");
    browser.subscribe(&players[waiting]).await;
    workers.send().await;
    assert!(service.got().is_empty(), "what was told before is not told again");
    assert_eq!(play_turn(&game, &players).await, waiting);
    workers.send().await;
    workers.send().await;
    let got = service.got();
    assert_eq!(got.len(), 1, "told once");
    let key =
        players[waiting].get(SUBSCRIPTIONS).await.ok()["public_key"].as_str().expect("a key").to_owned();
    let claims = got[0].claims(&key);
    assert_eq!(claims["aud"], service.url.as_str());
    assert_eq!(claims["sub"], app.app.public_url.as_str());
    assert_eq!(claims["exp"], (START + Duration::hours(12)).unix_timestamp());
    let message = browser.read(&got[0]);
    let view = players[waiting].get(&game).await.ok();
    assert_eq!(message["kind"], "turn");
    assert_eq!(message["seq"], view["seq"], "the newest event");
    assert_eq!(message["game"], view["id"]);
    let link = message["link"].as_str().expect("a link");
    assert_eq!(link, format!("{}/games/{}", app.app.public_url, view["id"].as_str().expect("an id")));
    assert!(message["title"].as_str().expect("a title").contains("your turn"), "{message}");
    assert!(!message["body"].as_str().expect("a body").is_empty());
    assert_eq!(
        (got[0].topic.as_str(), got[0].urgency.as_str()),
        (message["tag"].as_str().expect("a tag"), "normal")
    );
    assert!(got[0].topic.len() <= 32);
    assert_eq!(got[0].ttl, 3 * 24 * 60 * 60);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_turn_that_was_answered_meanwhile_is_not_told() {
    let Table { app: _app, service, workers, game, players, next } = Table::start().await;
    service.browser("a").subscribe(&players[next]).await;
    play_turn(&game, &players).await;
    workers.post.send().await;
    play_turn(&game, &players).await;
    workers.send().await;
    assert!(service.got().is_empty(), "it is not this player's turn");
    // The same player is asked again before the first message is looked at: only the new turn is told.
    play_turn(&game, &players).await;
    workers.post.send().await;
    play_turn(&game, &players).await;
    play_turn(&game, &players).await;
    workers.send().await;
    assert_eq!(service.got().len(), 1);
}

#[tokio::test(flavor = "multi_thread")]
async fn quiet_hours_hold_and_one_message_stands_for_all_of_a_game_that_waited() {
    let Table { app, service, workers, game, players, next } = Table::start().await;
    let browser = service.browser("a");
    browser.subscribe(&players[next]).await;
    let quiet = json!({"zone": "UTC", "quiet_hours": {"from": "11:00", "until": "13:00"}, "language": "de"});
    players[next].patch(PREFERENCES, &quiet).await.ok();
    play_turn(&game, &players).await;
    workers.send().await;
    app.app.clock.advance(Duration::minutes(59));
    workers.send().await;
    assert!(service.got().is_empty());
    let owner = app.log_in(["ann", "bob"][next]).await;
    let (id, seq) = (owner.get(&game).await.ok()["id"].clone(), owner.get(&game).await.ok()["seq"].clone());
    let reminder = format!(
        "insert into notices (id, kind, player_id, game_id, seq, created_at, state, ready, next_attempt_at) \
         select 'ffffffff-ffff-7fff-8000-000000000001', 'reminder', id, '{}', {seq}, timestamptz '2026-11-21 12:59Z', 'waiting', true, \
         timestamptz '2026-11-21 12:59Z' from players where handle = '{}'",
        id.as_str().expect("an id"),
        ["ann", "bob"][next],
    );
    let mut superuser = app.db_superuser().await;
    diesel_async::SimpleAsyncConnection::batch_execute(&mut superuser, &reminder).await.expect("a reminder");
    app.app.clock.advance(Duration::MINUTE);
    workers.send().await;
    let got = service.got();
    let told: Vec<_> = got.iter().map(|pushed| browser.read(pushed)).collect();
    assert_eq!(told.len(), 1, "{told:?}");
    assert_eq!((told[0]["kind"].as_str(), told[0]["language"].as_str()), (Some("reminder"), Some("de")));
    assert_eq!(got[0].urgency, "high");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_challenge_is_told_and_leads_to_the_ladder() {
    let Table { app, service, workers, players, game: _, next: _ } = Table::start().await;
    let browser = service.browser("a");
    browser.subscribe(&players[0]).await;
    let mut ids = Vec::new();
    for handle in ["ann", "bob"] {
        let id = app.app.accounts.player_named(handle).await.expect("a player").id;
        ladders::join(&app.app.games, "pip-pip", id).await.expect("joined");
        ids.push(id);
    }
    ladders::challenge(&app.app.games, "pip-pip", ids[1], ids[0]).await.expect("within reach");
    workers.send().await;
    let got = service.got();
    let told: Vec<_> = got.iter().map(|pushed| browser.read(pushed)).collect();
    let [message] = &told[..] else { panic!("{told:?}") };
    assert_eq!((&message["kind"], &message["game"]), (&json!("challenge"), &json!(null)));
    assert_eq!(message["title"], "bob challenges you on the ladder of Pip•Pip");
    assert!(message["link"].as_str().expect("a link").ends_with("/ladders/pip-pip"), "{message}");
    assert_eq!(got[0].urgency, "normal");
}

#[tokio::test(flavor = "multi_thread")]
async fn each_kind_is_told_unless_it_is_switched_off() {
    let Table { app: _app, service, workers, game, players, next } = Table::start().await;
    let browser = service.browser("a");
    browser.subscribe(&players[next]).await;
    let off =
        players[next].patch(PREFERENCES, &json!({"push": {"turns": false, "invitations": false}})).await.ok();
    let expected =
        json!({"turns": false, "reminders": true, "games": true, "invitations": false, "messages": false});
    assert_eq!(off["push"], expected);
    assert_eq!(off["turns"], "each", "mails come as before");
    let invite = async |game: &str| {
        let id = game.rsplit('/').next().expect("an id").to_owned();
        let wanted = json!({"handle": (["ann", "bob"][next])});
        players[1 - next].post(&format!("/api/v1/games/{id}/invitations"), &wanted).await.expect_status(202);
    };
    let open = async || {
        let made = json!({"rules": "pip-pip", "seating": "joined", "seats": 2, "private": true});
        players[1 - next].post("/api/v1/games", &made).await.expect_status(201).json()["id"]
            .as_str()
            .expect("an id")
            .to_owned()
    };
    invite(&open().await).await;
    play_turn(&game, &players).await;
    workers.send().await;
    assert!(service.got().is_empty(), "switched off");

    players[next].patch(PREFERENCES, &json!({"push": {"invitations": true}})).await.ok();
    let invited = open().await;
    invite(&invited).await;
    workers.send().await;
    let got = service.got();
    assert_eq!(got.len(), 1);
    let message = browser.read(&got[0]);
    assert_eq!(
        (message["kind"].as_str(), message["game"].as_str()),
        (Some("invitation"), Some(invited.as_str()))
    );
    assert!(
        message["link"].as_str().expect("a link").contains("?token="),
        "it lets the player in: {message}"
    );

    players[1 - next].post(&format!("{game}/resign"), &json!({})).await.ok();
    workers.send().await;
    let got = service.got();
    assert_eq!(got.len(), 1);
    let message = browser.read(&got[0]);
    assert_eq!(message["kind"], "game_over");
    assert!(!message["body"].as_str().expect("a body").is_empty(), "how it ended");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_message_at_the_table_is_told_to_whoever_wants_it_by_push_though_not_by_mail() {
    let Table { app: _app, service, workers, game, players, next } = Table::start().await;
    let browser = service.browser("a");
    browser.subscribe(&players[next]).await;
    let say = async |text: &str| {
        let said = json!({"text": text});
        players[1 - next].post(&format!("{game}/messages"), &said).await.expect_status(201);
        workers.send().await;
        service.got()
    };
    assert!(say("hello?").await.is_empty(), "off by default");
    let wanted = players[next].patch(PREFERENCES, &json!({"push": {"messages": true}})).await.ok();
    assert_eq!((&wanted["push"]["messages"], &wanted["messages"]), (&json!(true), &json!(false)));
    let got = say("Good luck!").await;
    assert_eq!(got.len(), 1);
    let message = browser.read(&got[0]);
    assert_eq!(message["kind"], "message");
    assert!(message["title"].as_str().expect("a title").contains("a message at the table"), "{message}");
    assert!(message["body"].as_str().expect("a body").contains("says: “Good luck!”"), "{message}");
    let kinds: Vec<_> =
        workers.post.all(["ann", "bob"][next]).await.into_iter().map(|mail| mail.kind).collect();
    assert!(!kinds.contains(&"message"), "{kinds:?}");
}

#[tokio::test(flavor = "multi_thread")]
async fn one_game_is_told_of_otherwise_than_all_the_others() {
    let Table { app: _app, service, workers, game, players, next } = Table::start().await;
    let browser = service.browser("a");
    browser.subscribe(&players[next]).await;
    let second = pip_pip_again(&players[0], &players[1]).await;
    workers.send().await;
    service.got();
    let path = format!("{game}/notification-preferences");
    let wish = async |push: Option<bool>| {
        let body = json!({"turns": null, "reminders": null, "push": push, "messages": null});
        assert_eq!(players[next].put(&path, &body).await.ok(), body);
        assert_eq!(players[next].get(&path).await.ok(), body);
    };
    wish(Some(false)).await;
    play_turn(&game, &players).await;
    workers.send().await;
    assert!(service.got().is_empty(), "not of this game");

    // The others as before, this one alone, and all as everywhere.
    players[next].patch(PREFERENCES, &json!({"push": {"turns": false}})).await.ok();
    wish(Some(true)).await;
    for (told, push) in [(1, Some(true)), (0, None)] {
        wish(push).await;
        for game in [&game, &second] {
            while to_act(game, &players).await == next {
                play_turn(game, &players).await;
            }
            play_turn(game, &players).await;
        }
        workers.send().await;
        let got = service.got();
        assert_eq!(got.len(), told, "{push:?}");
        for message in &got {
            let about = browser.read(message);
            assert!(about["game"].as_str().is_some_and(|id| game.ends_with(id)), "{about}");
        }
    }
}
