//! Reports of players, what an operator does about them, and who may know of it.

use pippost::games::departing;
use pippost::store::commit;
use pippost::store::moderation::{self, ActKind, Decision, Verdict};
use pippost::store::muted_players::MUTED;
use pippost::store::players;
use serde_json::{Value, json};
use time::{Duration, OffsetDateTime};
use uuid::Uuid;

use support::browsing::Browsing;
use support::games::pip_pip;
use support::post::{Post, Sent, deliver};
use support::{Client, PASSWORD, TestApp};

const REPORTS: &str = "/api/v1/me/reports";

/// Says something at the table of a game; the message's id.
async fn said(client: &Client, game: &str, text: &str) -> Value {
    let said = client.post(&format!("{game}/messages"), &json!({"text": text})).await;
    said.expect_status(201).json()["id"].clone()
}

fn id_of(game: &str) -> &str {
    game.rsplit('/').next().expect("an id")
}

async fn player_id(app: &TestApp, handle: &str) -> Uuid {
    let found = players::player_by_handle(&app.app.database, handle).await.expect("an answer");
    found.expect("a player").id
}

/// An operator decides the oldest report; the act's id.
async fn decide(app: &TestApp, kind: ActKind, ends_at: Option<OffsetDateTime>) -> Uuid {
    let database = &app.app.database;
    let open = moderation::open_reports(database, 1).await.expect("reports").pop().expect("one");
    let decision = Decision { kind, words: "Be kind.", ends_at };
    let act =
        moderation::decide(database, open.id, &decision, app.app.clock.now()).await.expect("a decision");
    act.expect("it was open")
}

#[tokio::test(flavor = "multi_thread")]
async fn a_message_is_kept_as_it_was_reported_and_a_player_has_one_open_report_of_another() {
    let app = TestApp::start().await;
    let (game, [ann, bob]) = pip_pip(&app).await;
    let message = said(&bob, &game, "you are slow").await;
    let own = said(&ann, &game, "sorry").await;
    let report =
        json!({"game": id_of(&game), "message": message, "reason": "insult", "text": " Again.\u{202e} "});
    ann.post(REPORTS, &report).await.expect_status(204);
    let open = moderation::open_reports(&app.app.database, 9).await.expect("reports");
    assert_eq!(open.len(), 1);
    assert_eq!(open[0].subject_id, player_id(&app, "bob").await);
    assert_eq!((open[0].evidence.as_deref(), open[0].text.as_str()), (Some("you are slow"), "Again."));
    assert_eq!(open[0].rules.as_deref(), Some("pip-pip"));

    ann.post(REPORTS, &report).await.problem(409, "report_refused");
    let of_profile = |handle: &str| json!({"handle": handle, "reason": "name"});
    ann.post(REPORTS, &of_profile("bob")).await.problem(409, "report_refused");
    ann.post(REPORTS, &of_profile("ANN")).await.problem(409, "report_refused");
    let mine = json!({"game": id_of(&game), "message": own, "reason": "spam"});
    ann.post(REPORTS, &mine).await.problem(409, "report_refused");
    ann.post(REPORTS, &of_profile("nobody")).await.problem(404, "not_found");
    ann.post(REPORTS, &json!({"reason": "other"})).await.problem(404, "not_found");
    for wrong in [
        json!({"handle": "bob"}),
        json!({"handle": "bob", "reason": "dislike"}),
        json!({"handle": "b b", "reason": "name"}),
        json!({"handle": "bob", "reason": "name", "text": "x".repeat(501)}),
        json!({"handle": "bob", "reason": "name", "seq": -1}),
    ] {
        ann.post(REPORTS, &wrong).await.problem(422, "invalid_value");
    }
    app.stranger().post(REPORTS, &of_profile("bob")).await.problem(401, "unauthenticated");

    decide(&app, ActKind::Dismissal, None).await;
    bob.post(&format!("{game}/messages"), &json!({"text": "still here"})).await.expect_status(201);
    ann.post(REPORTS, &of_profile("bob")).await.expect_status(204);
}

#[tokio::test(flavor = "multi_thread")]
async fn nobody_learns_by_a_report_of_a_game_or_a_message_that_is_not_theirs() {
    let app = TestApp::start().await;
    let (public, [ann, bob]) = pip_pip(&app).await;
    let eve = app.player("eve").await;
    let wanted = json!({"rules": "pip-pip", "seating": "joined", "private": true});
    let created = ann.post("/api/v1/games", &wanted).await.expect_status(201).json();
    let private = format!("/api/v1/games/{}", created["id"].as_str().expect("an id"));
    let invitation = json!({"invitation": created["invitation"]});
    bob.post(&format!("{private}/join"), &invitation).await.ok();
    let secret = said(&bob, &private, "between us").await;
    let open = said(&bob, &public, "at the table").await;
    let of_message =
        |game: &str, message: &Value| json!({"game": id_of(game), "message": message, "reason": "insult"});
    let of_event = |game: &str, seq: u64, handle: &str| json!({"game": id_of(game), "seq": seq, "handle": handle, "reason": "cheating"});
    let unknown = Uuid::now_v7().to_string();
    let none = eve.post(REPORTS, &of_event(&unknown, 0, "bob")).await.problem(404, "not_found");
    for of_private in [of_event(&private, 0, "bob"), of_message(&private, &secret)] {
        let refused = eve.post(REPORTS, &of_private).await.problem(404, "not_found");
        assert_eq!(refused, none, "as of a game that does not exist");
    }
    eve.post(REPORTS, &of_message(&public, &open)).await.problem(403, "not_in_game");
    ann.post(REPORTS, &of_message(&public, &secret)).await.problem(404, "not_found");
    eve.post(REPORTS, &of_event(&public, 0, "eve")).await.problem(404, "not_found");
    eve.post(REPORTS, &of_event(&public, 99, "bob")).await.problem(404, "not_found");
    assert_eq!(app.db_count("select count(*) as number from reports").await, 0);
    eve.post(REPORTS, &of_event(&public, 0, "Bob")).await.expect_status(204);
    ann.post(REPORTS, &of_message(&private, &secret)).await.expect_status(204);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_player_reports_ten_in_a_day_and_no_more() {
    let app = TestApp::start().await;
    let vandal = app.player("vandal").await;
    let of = |number: u32| json!({"handle": format!("player{number}"), "reason": "other"});
    for number in 0..12 {
        app.player(&format!("player{number}")).await;
    }
    for number in 0..10 {
        vandal.post(REPORTS, &of(number)).await.expect_status(204);
    }
    let refused = vandal.post(REPORTS, &of(10)).await.problem(429, "too_many_requests");
    assert_eq!((&refused["limit"], &refused["retry_after_seconds"]), (&json!("reports"), &json!(86_401)));
    app.app.clock.advance(Duration::hours(24));
    let vandal = app.log_in("vandal").await;
    vandal.post(REPORTS, &of(10)).await.expect_status(204);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_muted_player_says_nothing_until_the_mute_ends_or_is_lifted_and_plays_on() {
    let app = TestApp::start().await;
    let (game, [ann, bob]) = pip_pip(&app).await;
    let path = format!("{game}/messages");
    let report = json!({"handle": "bob", "reason": "spam"});
    ann.post(REPORTS, &report).await.expect_status(204);
    let ends_at = app.app.clock.now() + Duration::hours(2);
    decide(&app, ActKind::Mute, Some(ends_at)).await;
    let refused = bob.post(&path, &json!({"text": "hello"})).await.problem(403, "muted");
    let detail = refused["detail"].as_str().expect("a detail");
    assert!(detail.starts_with("the operator has muted you until 2026-11-21T14:00:00"), "{detail}");
    said(&ann, &game, "the others go on").await;
    assert_eq!(bob.get(&path).await.ok()["messages"].as_array().map(Vec::len), Some(1), "he reads");
    bob.post(&format!("{game}/resign"), &json!({})).await.ok();
    app.app.clock.advance(Duration::hours(2));
    let (ann, bob) = (app.log_in("ann").await, app.log_in("bob").await);
    said(&bob, &game, "over").await;

    ann.post(REPORTS, &report).await.expect_status(204);
    let act = decide(&app, ActKind::Mute, None).await;
    app.app.clock.advance(Duration::days(400));
    let bob = app.log_in("bob").await;
    let refused = bob.post(&path, &json!({"text": "hello"})).await.problem(403, "muted");
    assert_eq!(refused["detail"], "the operator has muted you");
    let judge = async || {
        let now = app.app.clock.now();
        commit::judge(&app.app.database, act, Verdict::Lifted, now).await.expect("a verdict")
    };
    assert!(judge().await && !judge().await, "once");
    said(&bob, &game, "thanks").await;
}

#[tokio::test(flavor = "multi_thread")]
async fn messages_of_a_muted_player_are_listed_for_all_but_the_one_who_mutes() {
    let app = TestApp::start().await;
    let (game, [ann, bob]) = pip_pip(&app).await;
    let path = format!("{game}/messages");
    said(&bob, &game, "one").await;
    said(&ann, &game, "two").await;
    app.app.accounts.mute_player(player_id(&app, "ann").await, "Bob").await.expect("muted");
    let texts = async |client: &Client| {
        let listed = client.get(&path).await.ok();
        let texts = listed["messages"].as_array().expect("a list").iter().map(|said| said["text"].clone());
        texts.collect::<Vec<_>>()
    };
    for number in 0..59 {
        said(&bob, &game, &format!("noise {number}")).await;
        if number == 0 {
            assert_eq!(texts(&ann).await, ["two"]);
        }
    }
    let page = ann.get(&format!("{path}?limit=1")).await.ok();
    assert_eq!(page["messages"][0]["text"], "two", "noise pushes nothing off the page");
    assert_eq!(texts(&bob).await.len(), 50, "nobody tells him");
    let mine = player_id(&app, "ann").await;
    let muted = MUTED.ids(&app.app.database, mine).await.expect("ids");
    app.app.accounts.unmute_player(mine, muted[0]).await.expect("unmuted");
    assert_eq!(texts(&ann).await.len(), 50);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_closed_account_is_kept_out_leaves_its_games_by_the_rules_and_comes_back_when_it_is_lifted() {
    let app = TestApp::start().await;
    let (game, [ann, bob]) = pip_pip(&app).await;
    let open = bob.post("/api/v1/games", &json!({"rules": "pip-pip"})).await.expect_status(201).json();
    let open = format!("/api/v1/games/{}", open["id"].as_str().expect("an id"));
    let token = json!({"name": "bot", "scopes": ["read", "play"]});
    let token = bob.post("/api/v1/me/tokens", &token).await.expect_status(201).json();
    let program = Client::new(&app.url, token["token"].as_str().map(str::to_owned));
    ann.post(REPORTS, &json!({"handle": "bob", "reason": "cheating"})).await.expect_status(204);
    let act = decide(&app, ActKind::Close, None).await;
    // This process has not asked again about tokens that it knows.
    app.app.clock.advance(Duration::seconds(11));
    bob.get("/api/v1/me").await.problem(401, "session_revoked");
    program.get("/api/v1/me").await.problem(401, "unauthenticated");
    let log_in = async |password: &str| {
        let body = json!({"login": "bob", "password": password});
        app.stranger().post("/api/v1/sessions", &body).await
    };
    log_in("not his password").await.problem(403, "wrong_credentials");
    let refused = log_in(PASSWORD).await.problem(403, "account_closed");
    assert!(refused["detail"].as_str().is_some_and(|detail| detail.contains("appeal")), "{refused}");

    assert_eq!(departing::finish(&app.app.games).await.expect("a step"), 0, "tokens are trusted for a while");
    app.app.clock.advance(Duration::minutes(2));
    assert_eq!(departing::finish(&app.app.games).await.expect("a step"), 1);
    let ann = app.log_in("ann").await;
    let over = ann.get(&game).await.ok();
    assert_eq!((&over["status"], &over["result"]["places"]), (&json!("finished"), &json!([1, 2])));
    assert_eq!(over["result"]["reason"], "resignation");
    let left = "select count(*) as number from games where status = 'cancelled'";
    assert_eq!(app.db_count(left).await, 1, "nobody was left in {open}");
    let kept =
        "select count(*) as number from players where handle = 'bob' and email <> '' and deleted_at is null";
    assert_eq!(app.db_count(kept).await, 1, "nothing of his is erased");

    let now = app.app.clock.now();
    assert!(commit::judge(&app.app.database, act, Verdict::Lifted, now).await.expect("a verdict"));
    let bob = app.log_in("bob").await;
    assert_eq!(bob.get(&game).await.ok()["status"], "finished", "what was left stays left");
    ann.put("/api/v1/me/following/bob", &json!({})).await.expect_status(204);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_closed_account_that_is_lifted_at_once_keeps_its_games_and_its_mails_do_nothing_meanwhile() {
    let app = TestApp::start().await;
    let post = Post::of(&app);
    let (game, [ann, _]) = pip_pip(&app).await;
    let got = post.last("bob").await;
    ann.post(REPORTS, &json!({"handle": "bob", "reason": "cheating"})).await.expect_status(204);
    let act = decide(&app, ActKind::Close, None).await;
    let answered = deliver(&app, &Sent::answer("bob", &got, "resign")).await;
    assert_eq!(answered, "ignored", "mails of a closed account are not read");
    let now = app.app.clock.now();
    assert!(commit::judge(&app.app.database, act, Verdict::Lifted, now).await.expect("a verdict"));
    app.app.clock.advance(Duration::minutes(2));
    assert_eq!(departing::finish(&app.app.games).await.expect("a step"), 0);
    let bob = app.log_in("bob").await;
    assert_eq!(bob.get(&game).await.ok()["status"], "running");
}

#[tokio::test(flavor = "multi_thread")]
async fn whoever_is_warned_muted_or_closed_out_is_told_by_mail_and_appeals_by_its_link() {
    let app = TestApp::start().await;
    let post = Post::of(&app);
    let (_, [ann, bob]) = pip_pip(&app).await;
    bob.patch("/api/v1/me", &json!({"mail_enabled": false})).await.ok();
    let until = app.app.clock.now() + Duration::days(2);
    for (kind, ends_at, says) in [
        (ActKind::Dismissal, None, ""),
        (ActKind::Warning, None, "the operator of this server warns you"),
        (ActKind::Mute, Some(until), "has muted you until"),
        (ActKind::Mute, None, "has muted you for good"),
        (ActKind::Close, None, "has closed your account"),
    ] {
        ann.post(REPORTS, &json!({"handle": "bob", "reason": "insult"})).await.expect_status(204);
        let before = post.all("bob").await.len();
        decide(&app, kind, ends_at).await;
        let mails = post.all("bob").await;
        if kind == ActKind::Dismissal {
            assert_eq!(mails.len(), before, "nobody is told");
            continue;
        }
        assert_eq!(mails.len(), before + 1, "{kind}: whatever he wants to be told");
        let mail = post.last("bob").await;
        let text = mail.text.split_whitespace().collect::<Vec<_>>().join(" ");
        assert!(mail.kind == "moderation" && text.contains(says), "{says}: {text}");
        assert!(text.contains("Be kind.") && text.contains("Insult or threat"), "{text}");
    }
    let mail = post.last("bob").await.text;
    let link = mail.lines().find(|line| line.contains("/moderation/act?token=")).expect("a link");
    let token = link.trim().split("token=").nth(1).expect("a token").to_owned();
    let page = format!("/moderation/act?token={token}");
    let browser = Browsing::of(&app);
    let shown = browser.get(&page).await.expect(200).html;
    assert!(shown.contains("An account was closed") && shown.contains("Be kind."), "{shown}");
    browser.get("/moderation/act?token=guess").await.expect(404);
    browser.post("/moderation/act", &[("token", "guess"), ("text", "No.")]).await.expect(404);
    browser.get(&page).await.expect(200);
    let appeal = [("token", token.as_str()), ("text", "That was my brother.")];
    assert_eq!(browser.post("/moderation/act", &appeal).await.location(), page);
    assert!(browser.get(&page).await.expect(200).html.contains("That was my brother."));
    browser.post("/moderation/act", &appeal).await.expect(404);
    let open = moderation::open_appeals(&app.app.database, 9).await.expect("appeals");
    assert_eq!((open.len(), open[0].kind), (1, ActKind::Close));
    takes_and_erases(&app, &browser, &token).await;
}

/// Whoever cannot log in takes what is stored, and erases the account; other links than that of the act that closed it do neither.
async fn takes_and_erases(app: &TestApp, browser: &Browsing, token: &str) {
    let file = |token: &str| format!("/moderation/act/data.zip?token={token}");
    let delete = "/moderation/act/delete";
    let shown = format!("/moderation/act?token={token}");
    let answer = reqwest::get(format!("{}{}", app.url, file(token))).await.expect("an answer");
    assert_eq!(
        (answer.status().as_u16(), &answer.headers()["content-type"]),
        (200, &"application/zip".parse().expect("a type"))
    );
    browser.get(&file("guess")).await.expect(404);
    let sure = [("token", token), ("sure", "on")];
    browser.post(delete, &[("token", "guess"), ("sure", "on")]).await.expect(404);
    assert_eq!(browser.post(delete, &sure[..1]).await.location(), shown, "she has not said that she is sure");
    assert!(browser.get(&shown).await.expect(200).html.contains(delete));
    assert!(browser.post(delete, &sure).await.expect(200).html.contains("Your account is deleted"));
    browser.get(&file(token)).await.expect(404);
    browser.post(delete, &sure).await.expect(404);
}
