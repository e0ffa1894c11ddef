//! Ladders: joined, climbed and left on pages, carried on by the worker, and recomputed from what has happened.

use futures_util::future::{join, join_all};
use pippost::games::ladders::{self, ANSWER_TIME, Happening, Ladder, LadderRefused, MAX_IDLE, Refused};
use pippost::notices::Digests;
use pippost::record::Timestamp;
use pippost::store::ladders::{self as stored, HappeningKind, HappeningRow, LadderChange};
use serde_json::json;
use support::browsing::{Browsing, Shown};
use support::post::{Got, Post};
use support::{Client, PASSWORD, TestApp};
use time::Duration;
use uuid::Uuid;

const RULES: &str = "pip-pip";
const LADDER: &str = "/ladders/pip-pip";

/// Players with their ids who have joined in this order.
async fn joined<const N: usize>(app: &TestApp, handles: [&str; N]) -> Vec<(Client, Uuid)> {
    let mut players = Vec::new();
    for handle in handles {
        let client = app.player(handle).await;
        let id = app.app.accounts.player_named(handle).await.expect("a player").id;
        ladders::join(&app.app.games, RULES, id).await.expect("joined");
        players.push((client, id));
    }
    players
}

/// Carries the ladders on; how much has happened. All that has happened makes the ladder as it stands.
async fn step(app: &TestApp) -> usize {
    let done = ladders::step(&app.app.games).await.expect("a step");
    assert!(ladders::is_recomputed(&app.app.games, RULES).await.expect("a ladder"));
    done
}

async fn shown(browser: &Browsing, page: &str) -> String {
    browser.get(page).await.expect(200).html.replace("&#x2f;", "/").replace("&amp;", "&")
}

/// Who stands there, from the first place on.
async fn places(app: &TestApp) -> Vec<String> {
    let ladder = ladders::show(&app.app.games, RULES, None).await.expect("a ladder");
    ladder.players.into_iter().map(|player| player.handle).collect()
}

/// What has happened last.
async fn last(app: &TestApp) -> String {
    let ladder = ladders::show(&app.app.games, RULES, None).await.expect("a ladder");
    let told = ladder.told.first().expect("something");
    format!("{} {}", told.kind, told.how.as_deref().unwrap_or_default())
}

async fn send(browser: &Browsing, form: &str, fields: &[(&str, &str)]) -> Shown {
    browser.get(LADDER).await.expect(200);
    browser.post(&format!("{LADDER}/{form}"), fields).await
}

/// One challenges another; the number of the challenge.
async fn challenge(app: &TestApp, challenger: Uuid, challenged: Uuid) -> u32 {
    ladders::challenge(&app.app.games, RULES, challenger, challenged).await.expect("within reach");
    let ladder = ladders::show(&app.app.games, RULES, None).await.expect("a ladder");
    ladder.challenges.last().expect("a challenge").number
}

/// Plays a challenge that this player, whose client it is, loses by resigning; who won.
async fn lose(app: &TestApp, number: u32, challenged: Uuid, loser: &Client) {
    let game = ladders::accept(&app.app.games, RULES, number, challenged).await.expect("accepted");
    loser.post(&format!("/api/v1/games/{game}/resign"), &json!({})).await.ok();
    assert_eq!(step(app).await, 1);
}

/// The mails of a player about challenges so far, oldest first.
async fn told(post: &Post, handle: &str) -> Vec<Got> {
    post.all(handle).await.into_iter().filter(|mail| mail.kind == "challenge").collect()
}

fn refused(done: Result<(), LadderRefused>) -> Refused {
    match done {
        Err(LadderRefused::Refused(refused)) => refused,
        other => panic!("{other:?}"),
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_ladder_is_climbed_on_its_page() {
    let app = TestApp::start().await;
    let stranger = Browsing::of(&app);
    assert!(shown(&stranger, LADDER).await.contains("Nobody stands here yet."));
    stranger.get("/ladders/chess").await.expect(404);
    let mut browsers = Vec::new();
    for handle in ["ann", "bob", "cat"] {
        app.player(handle).await;
        let browser = Browsing::log_in(&app, handle).await;
        assert_eq!(send(&browser, "join", &[]).await.location(), LADDER);
        browsers.push(browser);
    }
    let [anns, bobs, cats] = &browsers[..] else { panic!("three") };
    assert!(send(anns, "join", &[]).await.expect(409).html.contains("You are on this ladder already."));
    assert_eq!(places(&app).await, ["ann", "bob", "cat"]);
    let html = shown(cats, LADDER).await;
    assert_eq!(html.matches(&format!("action=\"{LADDER}/challenges\"")).count(), 2, "{html}");
    assert!(!shown(anns, LADDER).await.contains("/challenges\""), "nobody stands above her");
    assert_eq!(send(cats, "challenges", &[("player", "ann")]).await.location(), LADDER);
    let low = send(anns, "challenges", &[("player", "cat")]).await.expect(409).html;
    assert!(low.contains("This player does not stand just above you."), "{low}");
    assert!(shown(anns, "/my-games").await.contains("Somebody challenges you on a ladder: Pip•Pip"));
    assert!(!shown(bobs, "/my-games").await.contains("Somebody challenges you"));
    let html = shown(anns, LADDER).await;
    assert!(html.contains("cat challenges you. If you do not accept by Saturday 28 November 2026"), "{html}");
    assert!(shown(bobs, LADDER).await.contains("waits for an answer"));
    send(bobs, "accept", &[("challenge", "4")]).await.expect(409);
    let game = send(anns, "accept", &[("challenge", "4")]).await.location();
    assert!(game.starts_with("/games/"), "{game}");
    send(anns, "accept", &[("challenge", "4")]).await.expect(409);
    assert!(!shown(anns, "/my-games").await.contains("Somebody challenges you"));
    let api = format!("/api/v1{game}");
    let view = app.stranger().get(&api).await.ok();
    assert_eq!((&view["status"], &view["seating"]), (&json!("running"), &json!("random")));
    assert_eq!((&view["limit_hours"], &view["private"]), (&json!(72), &json!(false)));
    assert_eq!(step(&app).await, 0, "it is played");
    app.log_in("ann").await.post(&format!("{api}/resign"), &json!({})).await.ok();
    let other = app.second().await;
    let (one, two) = join(Box::pin(step(&app)), Box::pin(step(&other))).await;
    assert_eq!((one + two, step(&app).await), (1, 0), "once");
    assert_eq!(places(&app).await, ["cat", "ann", "bob"]);
    let html = shown(&stranger, LADDER).await;
    for told in ["cat has beaten ann.", "ann plays against cat.", "cat challenges ann.", "bob has joined."] {
        assert!(html.contains(told), "{told}: {html}");
    }
    assert!(html.contains(&format!("href=\"{game}\"")), "{html}");
    let german = shown(&Browsing::of(&app).reading("de"), LADDER).await;
    assert!(german.contains("cat hat gegen ann gewonnen."), "{german}");
    let list = shown(bobs, "/ladders").await;
    assert!(list.contains("3 players · <strong>your place: 3</strong>"), "{list}");
    assert_eq!(send(bobs, "leave", &[]).await.location(), LADDER);
    assert_eq!((places(&app).await, step(&app).await), (vec!["cat".to_owned(), "ann".to_owned()], 0));
    assert!(send(bobs, "leave", &[]).await.expect(409).html.contains("You are not on this ladder."));
}

#[tokio::test(flavor = "multi_thread")]
async fn limits_hold_however_many_wish_at_once() {
    let app = TestApp::start().await;
    let players = joined(&app, ["ann", "bob", "cat", "dan", "eve"]).await;
    let ids: Vec<Uuid> = players.iter().map(|(_, id)| *id).collect();
    let games = &app.app.games;
    assert_eq!(refused(ladders::challenge(games, RULES, ids[4], ids[0]).await), Refused::OutOfReach);
    // Everybody who reaches him challenges bob at once, from two servers.
    let other = app.second().await;
    let wishes = (0..9).map(|wish| {
        let games = if wish % 2 == 0 { games } else { &other.app.games };
        ladders::challenge(games, RULES, ids[2 + wish % 3], ids[1])
    });
    let done = join_all(wishes).await.into_iter().flatten().count();
    assert_eq!(done, 2);
    assert_eq!(step(&app).await, 0);
    app.unconfirmed_player("fay").await;
    let fay = app.app.accounts.player_named("fay").await.expect("a player").id;
    let unconfirmed = ladders::join(games, RULES, fay).await;
    assert!(matches!(unconfirmed, Err(LadderRefused::Game(_))), "{unconfirmed:?}");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_draw_and_a_defended_place_change_nothing_and_an_abort_is_lost() {
    let app = TestApp::start().await;
    let players = joined(&app, ["ann", "bob"]).await;
    let [(ann, anns), (bob, bobs)] = &players[..] else { panic!("two") };
    let number = challenge(&app, *bobs, *anns).await;
    lose(&app, number, *anns, bob).await;
    assert_eq!(
        (places(&app).await, last(&app).await),
        (vec!["ann".into(), "bob".into()], "ended challenged".into())
    );
    let number = challenge(&app, *bobs, *anns).await;
    let game = ladders::accept(&app.app.games, RULES, number, *anns).await.expect("accepted");
    ann.post(&format!("/api/v1/games/{game}/abort"), &json!({})).await.ok();
    assert_eq!((step(&app).await, places(&app).await), (1, vec!["bob".into(), "ann".into()]));
}

#[tokio::test(flavor = "multi_thread")]
async fn who_does_not_answer_loses_the_place_and_twice_in_a_row_the_ladder() {
    let app = TestApp::start().await;
    let players = joined(&app, ["ann", "bob", "cat"]).await;
    let ids: Vec<Uuid> = players.iter().map(|(_, id)| *id).collect();
    challenge(&app, ids[1], ids[0]).await;
    let booked = json!({"first_day": "2026-11-23", "last_day": "2026-11-24"});
    players[0].0.post("/api/v1/me/holidays", &booked).await.expect_status(201);
    app.app.clock.advance(ANSWER_TIME);
    assert_eq!((step(&app).await, last(&app).await), (0, "challenged ".to_owned()), "she was on holiday");
    app.app.clock.advance(Duration::days(2));
    assert_eq!((step(&app).await, last(&app).await), (1, "expired ".to_owned()));
    assert_eq!(places(&app).await, ["bob", "ann", "cat"]);
    challenge(&app, ids[2], ids[0]).await;
    app.app.clock.advance(ANSWER_TIME);
    assert_eq!((step(&app).await, last(&app).await), (2, "left unanswered".to_owned()));
    assert_eq!(places(&app).await, ["bob", "cat"]);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_mail_tells_of_a_challenge_until_it_is_answered() {
    let app = TestApp::start().await;
    let players = joined(&app, ["ann", "bob", "cat"]).await;
    let ids: Vec<Uuid> = players.iter().map(|(_, id)| *id).collect();
    let post = Post::of(&app);
    challenge(&app, ids[1], ids[0]).await;
    let mail = post.last("ann").await;
    assert_eq!(
        (mail.kind, mail.subject.as_str()),
        ("challenge", "bob challenges you on the ladder of Pip•Pip")
    );
    let text = mail.text.split_whitespace().collect::<Vec<_>>().join(" ");
    for told in ["Accept by Saturday 28 November 2026", "Otherwise bob takes your place", LADDER] {
        assert!(text.contains(told), "{told}: {text}");
    }
    assert!(!text.contains("You have not answered the last challenge"), "{text}");
    assert!(mail.raw.contains("List-Unsubscribe"), "{}", mail.raw);
    assert!(told(&post, "bob").await.is_empty(), "nothing to whoever challenges");
    app.app.clock.advance(ANSWER_TIME);
    assert_eq!(step(&app).await, 1);
    challenge(&app, ids[2], ids[0]).await;
    assert!(post.last("ann").await.text.contains("You have not answered the last challenge"));

    let number = challenge(&app, ids[2], ids[1]).await;
    ladders::accept(&app.app.games, RULES, number, ids[1]).await.expect("accepted");
    assert!(told(&post, "bob").await.is_empty(), "answered before the mail left");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_challenge_is_told_as_the_player_wants_invitations() {
    let app = TestApp::start().await;
    let players = joined(&app, ["ann", "bob", "cat"]).await;
    let [(ann, anns), (_, bobs), (_, cats)] = &players[..] else { panic!("three") };
    let post = Post::of(&app);
    let preferences = "/api/v1/me/notification-preferences";
    ann.patch(preferences, &json!({"invitations": false})).await.ok();
    challenge(&app, *bobs, *anns).await;
    assert!(told(&post, "ann").await.is_empty());
    let digest = json!({"invitations": true, "digest": {"invitations": true}});
    ann.patch(preferences, &digest).await.ok();
    challenge(&app, *cats, *anns).await;
    assert!(told(&post, "ann").await.is_empty(), "it waits for the digest");
    app.app.clock.advance(Duration::days(1));
    let digests = Digests::new(app.app.database.clone());
    assert_eq!(digests.queue(app.app.clock.now()).await.expect("queued"), 1);
    let mail = post.last("ann").await;
    assert!(mail.kind == "digest" && mail.text.contains("cat challenges you on the ladder"), "{}", mail.text);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_mail_tells_of_a_challenge_of_somebody_blocked_too_because_the_place_is_at_stake() {
    let app = TestApp::start().await;
    let players = joined(&app, ["ann", "bob"]).await;
    let [(_, anns), (_, bobs)] = &players[..] else { panic!("two") };
    let post = Post::of(&app);
    challenge(&app, *bobs, *anns).await;
    let mail = post.last("ann").await;
    let token = mail.text.split("/unsubscribe?token=").nth(1).and_then(|rest| rest.split_whitespace().next());
    let (browser, token) = (Browsing::of(&app), token.expect("a link"));
    browser.get(&format!("/unsubscribe?token={token}")).await.expect(200);
    browser.post(&format!("/unsubscribe/inviter?token={token}"), &[]).await.expect(200);
    ladders::leave(&app.app.games, RULES, *bobs).await.expect("left");
    ladders::join(&app.app.games, RULES, *bobs).await.expect("joined");
    challenge(&app, *bobs, *anns).await;
    assert_eq!(told(&post, "ann").await.len(), 2);
}

#[tokio::test(flavor = "multi_thread")]
async fn who_does_not_play_or_has_no_account_any_more_is_off_the_ladder() {
    let app = TestApp::start().await;
    let players = joined(&app, ["ann", "bob", "cat"]).await;
    let (ann, anns) = &players[0];
    challenge(&app, players[2].1, players[1].1).await;
    ann.post("/api/v1/me/deletion", &json!({"password": PASSWORD})).await.expect_status(204);
    assert_eq!((step(&app).await, last(&app).await), (1, "left account".to_owned()));
    assert_eq!(places(&app).await, ["bob", "cat"]);
    let gone = ladders::join(&app.app.games, RULES, *anns).await;
    assert!(gone.is_err(), "{gone:?}");
    app.app.clock.advance(MAX_IDLE);
    assert_eq!(
        (step(&app).await, places(&app).await),
        (1, vec!["cat".into(), "bob".into()]),
        "it has expired"
    );
    assert_eq!((step(&app).await, last(&app).await), (2, "left idle".to_owned()));
    assert_eq!(places(&app).await, [""; 0]);
}

#[tokio::test(flavor = "multi_thread")]
async fn the_worker_begins_a_game_that_a_killed_server_has_not() {
    let app = TestApp::start().await;
    let players = joined(&app, ["ann", "bob"]).await;
    let (anns, bobs) = (players[0].1, players[1].1);
    let number = challenge(&app, bobs, anns).await;
    let (database, game) = (&app.app.database, Uuid::now_v7());
    let at = Timestamp::new(app.app.clock.now());
    let accepted = stored::change(database, RULES, |state| {
        let mut ladder: Ladder = serde_json::from_str(state).expect("a ladder");
        ladder.apply(at, Happening::Accepted { challenge: number, by: anns, game }).expect("possible");
        let row = HappeningRow {
            rules: RULES.to_owned(),
            number: i32::try_from(ladder.happened()).expect("few"),
            at: at.get(),
            kind: HappeningKind::Accepted,
            player_id: bobs,
            other_id: Some(anns),
            challenge: i32::try_from(number).ok(),
            game_id: Some(game),
            how: None,
            notice_id: None,
        };
        let state = serde_json::to_string(&ladder).expect("plain data");
        Ok((Some(LadderChange { state, happenings: vec![row] }), ()))
    });
    accepted.await.expect("written");
    app.stranger().get(&format!("/api/v1/games/{game}")).await.problem(404, "not_found");
    let other = app.second().await;
    join(Box::pin(step(&app)), Box::pin(step(&other))).await;
    assert_eq!(app.stranger().get(&format!("/api/v1/games/{game}")).await.ok()["status"], "running");
    assert_eq!(app.db_count("select count(*) as number from games").await, 1);
}
