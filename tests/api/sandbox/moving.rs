//! The clock that players move.

use serde_json::{Value, json};

use super::{CLOCK, DAY, HOUR, MAILS, SEED, advance, game, kinds, mails, registered};
use support::{Client, TestApp};

#[tokio::test(flavor = "multi_thread")]
async fn a_week_of_play_by_mail_passes_at_once_and_in_its_order() {
    let app = TestApp::sandbox().await;
    let ((ann, _), (bob, _)) = (registered(&app, "ann").await, registered(&app, "bob").await);
    let wanted = json!({"rules": "pip-pip", "seating": "joined", "seed": SEED, "limit_hours": 96});
    let game = game(&ann, &bob, &wanted).await;
    assert_eq!(kinds(&ann).await, ["confirm_email", "turn"]);
    assert_eq!(kinds(&bob).await, ["confirm_email", "game_started"]);

    // Ann moves by mail, within her time.
    advance(&app, DAY).await;
    let ann = app.log_in("ann").await;
    let turn = mails(&ann).await.remove(0);
    let answer = format!("{MAILS}/{}/answer", turn["id"].as_str().expect("an id"));
    assert_eq!(ann.post(&answer, &json!({"text": "store"})).await.ok()["outcome"], "taken");
    assert_eq!(kinds(&ann).await, ["confirm_email", "turn", "answer"]);
    let view = ann.get(&game).await.ok();
    assert_eq!((&view["seq"], &view["to_act"]), (&json!(1), &json!(0)), "{view}");
    assert_eq!(view["deadline_at"], "2026-11-25T12:00:00.000000Z", "the steps of a turn share its time");

    // A quarter of her time is left after three days, and none after four.
    let moved = advance(&app, 2 * DAY - 1).await;
    assert_eq!(moved["stops"], 0, "{moved}");
    let moved = advance(&app, 1).await;
    assert_eq!(moved["stops"], 1, "{moved}");
    let ann = app.log_in("ann").await;
    let reminder = mails(&ann).await.remove(0);
    assert_eq!(about(&reminder), ("reminder", "2026-11-24T12:00:00.000000Z"));
    let moved = advance(&app, 7 * DAY).await;
    assert_eq!(moved["now"], "2026-12-01T12:00:00.000000Z");
    let (ann, bob) = (app.log_in("ann").await, app.log_in("bob").await);
    let view = ann.get(&game).await.ok();
    assert_eq!(view["result"]["reason"], "timeout");
    assert_eq!(view["finished_at"], "2026-11-25T12:00:00.000000Z", "{view}");
    for player in [&ann, &bob] {
        let over = mails(player).await.remove(0);
        assert_eq!(about(&over), ("game_over", "2026-11-25T12:00:00.000000Z"));
    }
}

/// The kind of a mail and when it was sent.
fn about(mail: &Value) -> (&str, &str) {
    (mail["kind"].as_str().expect("a kind"), mail["sent_at"].as_str().expect("a time"))
}

#[tokio::test(flavor = "multi_thread")]
async fn one_move_of_the_clock_stops_for_the_reminder_and_then_for_the_flag() {
    let app = TestApp::sandbox().await;
    let ((ann, _), (bob, _)) = (registered(&app, "ann").await, registered(&app, "bob").await);
    game(&ann, &bob, &json!({"rules": "pip-pip", "seating": "joined", "limit_hours": 4})).await;
    let moved = advance(&app, DAY).await;
    assert!(moved["stops"].as_u64() >= Some(2), "{moved}");
    let told = kinds(&app.log_in("ann").await).await;
    assert_eq!(told[told.len() - 2..], ["reminder", "game_over"], "{told:?}");
}

#[tokio::test(flavor = "multi_thread")]
async fn the_clock_stops_where_a_game_that_nobody_joins_expires() {
    let app = TestApp::sandbox().await;
    let (ann, _) = registered(&app, "ann").await;
    let created = ann.post("/api/v1/games", &json!({"rules": "pip-pip"})).await.expect_status(201).json();
    assert_eq!(created["expires_at"], "2026-12-21T12:00:00.000000Z");
    assert_eq!(advance(&app, 30 * DAY - 1).await["stops"], 0);
    assert_eq!(advance(&app, 30 * DAY).await["stops"], 1);
    let ann = app.log_in("ann").await;
    let view = ann.get(&format!("/api/v1/games/{}", created["id"].as_str().expect("an id"))).await.ok();
    assert_eq!((&view["status"], &view["finished_at"]), (&json!("cancelled"), &created["expires_at"]));
    assert_eq!(about(&mails(&ann).await[0]), ("game_expired", "2026-12-21T12:00:00.000000Z"));
}

#[tokio::test(flavor = "multi_thread")]
async fn a_digest_comes_every_day_at_its_hour() {
    let app = TestApp::sandbox().await;
    let ((ann, _), (bob, _)) = (registered(&app, "ann").await, registered(&app, "bob").await);
    let preferences = json!({"turns": "digest", "digest_time": "07:00", "zone": "Europe/Berlin"});
    ann.patch("/api/v1/me/notification-preferences", &preferences).await.ok();
    game(&ann, &bob, &json!({"rules": "pip-pip", "seating": "joined", "limit_hours": null})).await;
    advance(&app, 3 * DAY).await;
    let digests = mails(&app.log_in("ann").await).await;
    let digests: Vec<_> = digests.iter().filter(|mail| mail["kind"] == "digest").collect();
    let times: Vec<_> = digests.iter().map(|mail| mail["sent_at"].as_str().expect("a time")).collect();
    assert_eq!(
        times,
        ["2026-11-24T06:00:00.000000Z", "2026-11-23T06:00:00.000000Z", "2026-11-22T06:00:00.000000Z"]
    );
}

#[tokio::test(flavor = "multi_thread")]
async fn tokens_expire_by_that_clock_and_sessions_are_refreshed_as_elsewhere() {
    let app = TestApp::sandbox().await;
    let (ann, refresh) = registered(&app, "ann").await;
    ann.post(CLOCK, &json!({"advance_seconds": HOUR})).await.ok();
    ann.get("/api/v1/me").await.problem(401, "unauthenticated");
    let session =
        app.stranger().post("/api/v1/sessions/refresh", &json!({"refresh_token": refresh})).await.ok();
    let ann = Client::new(&app.url, session["access_token"].as_str().map(str::to_owned));
    ann.post(CLOCK, &json!({"advance_seconds": 61 * DAY})).await.ok();
    let refresh = json!({"refresh_token": session["refresh_token"]});
    app.stranger().post("/api/v1/sessions/refresh", &refresh).await.problem(403, "refresh_refused");
    assert_eq!(app.log_in("ann").await.get("/api/v1/me").await.ok()["handle"], "ann");
}

#[tokio::test(flavor = "multi_thread")]
async fn the_clock_goes_forward_only_and_no_more_than_ten_years_in_all() {
    let app = TestApp::sandbox().await;
    let (ann, _) = registered(&app, "ann").await;
    let shown = app.stranger().get(CLOCK).await.ok();
    let expected = json!({"now": "2026-11-21T12:00:00.000000Z", "ahead_seconds": 0, "left_seconds": 3653 * DAY, "due": 0});
    assert_eq!(shown, expected);
    let to = |to: &str| json!({"to": to});
    ann.post(CLOCK, &to("2026-11-21T11:59:59Z")).await.problem(409, "clock_not_possible");
    ann.post(CLOCK, &to("2036-11-22T12:00:01Z")).await.problem(409, "clock_not_possible");
    for (body, field) in [
        (json!({"advance_seconds": -1}), json!("advance_seconds")),
        (json!({"advance_seconds": 3653 * DAY + 1}), json!("advance_seconds")),
        (to("tomorrow"), json!("to")),
        (json!({"to": "2026-12-01T00:00:00Z", "advance_seconds": 1}), json!(null)),
        (json!({}), json!(null)),
    ] {
        assert_eq!(ann.post(CLOCK, &body).await.problem(422, "invalid_value")["field"], field, "{body}");
    }
    app.stranger().post(CLOCK, &json!({"advance_seconds": 1})).await.problem(401, "unauthenticated");
    assert_eq!(ann.post(CLOCK, &to("2026-11-21T13:00:00.5+01:00")).await.ok()["ahead_seconds"], 0);
    assert_eq!(app.stranger().get(CLOCK).await.ok()["now"], "2026-11-21T12:00:00.500000Z");
    let moved = ann.post(CLOCK, &to("2036-11-20T12:00:00Z")).await.ok();
    assert_eq!(moved["now"], "2036-11-20T12:00:00.000000Z");
    let ann = app.log_in("ann").await;
    let refused = ann.post(CLOCK, &json!({"advance_seconds": 2 * DAY})).await;
    assert_eq!(refused.problem(409, "clock_not_possible")["code"], "clock_not_possible");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_restarted_sandbox_and_another_process_show_the_moved_time() {
    let app = TestApp::sandbox().await;
    let (ann, _) = registered(&app, "ann").await;
    ann.post(CLOCK, &json!({"advance_seconds": 30 * DAY})).await.ok();
    let now = app.stranger().get(CLOCK).await.ok()["now"].clone();
    assert_eq!(now, "2026-12-21T12:00:00.000000Z");
    let other = app.beside().await;
    assert_eq!(other.stranger().get(CLOCK).await.ok()["now"], now, "as after a restart");
    let ann = app.log_in("ann").await;
    ann.post(CLOCK, &json!({"advance_seconds": DAY})).await.ok();
    other.app.sandbox.as_ref().expect("a sandbox").step().await.expect("a step");
    assert_eq!(other.stranger().get(CLOCK).await.ok()["now"], "2026-12-22T12:00:00.000000Z");
}

#[tokio::test(flavor = "multi_thread")]
async fn rate_limits_do_not_follow_the_moved_clock() {
    let limits = pippost::accounts::AccountLimits::default();
    let app = TestApp::sandbox_with(limits).await;
    let (ann, _) = registered(&app, "ann").await;
    let reset = || async {
        app.stranger().post("/api/v1/password-resets", &json!({"email": "ann@example.org"})).await
    };
    for _ in 0..3 {
        reset().await.expect_status(202);
    }
    assert_eq!(reset().await.problem(429, "too_many_requests")["limit"], "reset");
    ann.post(CLOCK, &json!({"advance_seconds": DAY})).await.ok();
    assert_eq!(reset().await.problem(429, "too_many_requests")["limit"], "reset");
}
