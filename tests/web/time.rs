//! Time on pages: the zone, nights, rest days, holidays, reminders, and the time control of a new game.

use serde_json::json;

use support::TestApp;
use support::browsing::Browsing;

const PAGE: &str = "/preferences/time";

#[tokio::test(flavor = "multi_thread")]
async fn the_zone_nights_and_rest_days_are_set_on_one_page() {
    let app = TestApp::start().await;
    let ann = app.player("ann").await;
    let page = Browsing::log_in(&app, "ann").await;
    let html = page.get(PAGE).await.expect(200).html.replace("&#x2f;", "/");
    assert!(html.contains("<option value=\"Europe/Berlin\">") && html.contains("<option value=\"UTC\">"));
    assert!(
        !html.contains("<option value=\"GMT+1\">") && html.contains("value=\"UTC\" list=\"zones\""),
        "{html}"
    );
    let wanted = [
        ("zone", "Europe/Berlin"),
        ("night", "on"),
        ("night_from", "22:30"),
        ("night_until", "06:00"),
        ("rest-6", "on"),
        ("rest-7", "on"),
    ];
    assert_eq!(page.post("/preferences/time", &wanted).await.location(), "/preferences/time?done=time#main");
    let calendar = ann.get("/api/v1/me/calendar").await.ok();
    let night = json!({"from": "22:30", "until": "06:00"});
    assert_eq!(
        (&calendar["night"], &calendar["rest_days"], &calendar["zone"]),
        (&night, &json!([6, 7]), &json!("Europe/Berlin"))
    );
    let preferences = ann.get("/api/v1/me/notification-preferences").await.ok();
    assert_eq!(preferences["zone"], "Europe/Berlin", "mails and pages have the same zone");
    let again = page.get(PAGE).await.expect(200).html;
    assert!(
        again.contains("name=\"rest-7\" value=\"on\" checked") && again.contains("value=\"22:30\""),
        "{again}"
    );
    // Wrong entries are said at their fields, and nothing is lost of what was typed.
    for (fields, problem) in [
        (vec![("zone", "Nowhere/Land"), ("rest-3", "on")], "zone-problem"),
        (
            vec![("zone", "UTC"), ("night", "on"), ("night_from", "08:00"), ("night_until", "08:00")],
            "night-problem",
        ),
        (
            vec![("zone", "UTC"), ("night", "on"), ("night_from", "08:00"), ("night_until", "23:00")],
            "night-problem",
        ),
        (vec![("zone", "UTC"), ("night", "on")], "night-problem"),
        (vec![("zone", "UTC"), ("rest-1", "on"), ("rest-2", "on"), ("rest-3", "on")], "rest-problem"),
    ] {
        let html = page.post("/preferences/time", &fields).await.expect(422).html;
        assert!(html.contains(&format!("id=\"{problem}\"")), "{problem}: {html}");
        let kept = fields.iter().any(|(name, _)| *name == "rest-3");
        assert_eq!(html.contains("name=\"rest-3\" value=\"on\" checked"), kept, "{html}");
    }
    assert_eq!(ann.get("/api/v1/me/calendar").await.ok()["zone"], "Europe/Berlin");
    // The same calendar again is no change; others are few in a week.
    let mut refused = None;
    for minute in 0..9 {
        let until = format!("06:0{minute}");
        let other =
            [("zone", "UTC"), ("night", "on"), ("night_from", "22:00"), ("night_until", until.as_str())];
        let answer = page.post("/preferences/time", &other).await;
        if answer.status == 409 {
            refused = Some(answer.html);
            break;
        }
        page.get(PAGE).await.expect(200);
        page.post("/preferences/time", &other).await.expect(303);
        page.get(PAGE).await.expect(200);
    }
    let refused = refused.expect("a calendar cannot be changed again and again");
    assert!(refused.contains("You have changed your calendar often this week"), "{refused}");
}

#[tokio::test(flavor = "multi_thread")]
async fn holidays_are_booked_in_the_zone_of_the_page_and_refused_in_words() {
    let app = TestApp::start().await;
    let ann = app.player("ann").await;
    ann.patch("/api/v1/me/notification-preferences", &json!({"zone": "Asia/Tokyo"})).await.ok();
    let page = Browsing::log_in(&app, "ann").await;
    page.get(PAGE).await.expect(200);
    let book = async |first: &str, last: &str| {
        page.post("/preferences/holiday", &[("first_day", first), ("last_day", last)]).await
    };
    assert_eq!(book("2026-12-24", "2026-12-31").await.location(), "/preferences/time?done=time#holidays");
    let listed = ann.get("/api/v1/me/holidays").await.ok();
    assert_eq!(listed["holidays"][0]["from"], "2026-12-23T15:00:00.000000Z", "{listed}");
    let html = page.get(PAGE).await.expect(200).html;
    assert!(html.contains("Thursday 24 December 2026 to Thursday 31 December 2026"), "{html}");
    for (first, last, why) in [
        ("2026-12-31", "2027-01-02", "on some of these days already"),
        ("2026-01-01", "2026-01-02", "begins today or later"),
        ("2026-12-02", "2026-12-01", "its last day is not before its first"),
        ("2026-11-25", "2026-12-20", "20 are left"),
        ("", "2026-12-01", "Give the first and the last day"),
        ("<b>", "2026-13-01", "Give the first and the last day"),
        ("99999-01-01", "99999-01-02", "Give the first and the last day"),
    ] {
        let html = book(first, last).await.expect(422).html;
        assert!(html.contains(why) && !html.contains("<b>"), "{first} {last}: {html}");
    }
    page.post("/preferences/automatic-holiday", &[("days", "5")]).await.expect(303);
    assert_eq!(ann.get("/api/v1/me/automatic-holiday").await.ok()["days"], 5);
    for (days, set) in [("-1", 0), ("400", 28), ("", 0)] {
        page.post("/preferences/automatic-holiday", &[("days", days)]).await.expect(303);
        assert_eq!(ann.get("/api/v1/me/automatic-holiday").await.ok()["days"], set, "{days}");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn reminders_are_chosen_in_words() {
    let app = TestApp::start().await;
    let ann = app.player("ann").await;
    ann.patch("/api/v1/me/notification-preferences", &json!({"reminder_schedule": ["33%", "24h"]}))
        .await
        .ok();
    let page = Browsing::log_in(&app, "ann").await;
    let html = page.get("/preferences/notices").await.expect(200).html;
    for words in [
        "when 33 percent of the time are left",
        "1 day before the time is up",
        "when half of the time is left",
    ] {
        assert!(html.contains(words), "{words}: {html}");
    }
    assert!(html.contains("name=\"remind.33%\" value=\"on\" checked"), "{html}");
    let chosen =
        [("reminders_chosen", "on"), ("remind.50%", "on"), ("remind.6h", "on"), ("mail_enabled", "on")];
    page.post("/preferences/mails", &chosen).await.expect(303);
    let schedule = ann.get("/api/v1/me/notification-preferences").await.ok()["reminder_schedule"].clone();
    assert_eq!(schedule, json!(["50%", "6h"]));
    for wrong in [vec![], vec![("remind.x", "on")]] {
        let fields: Vec<_> = [("reminders_chosen", "on")].into_iter().chain(wrong).collect();
        let html = page.post("/preferences/mails", &fields).await.expect(422).html;
        assert!(html.contains("id=\"schedule-problem\""), "{html}");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_game_is_created_with_a_time_control_of_ones_own() {
    let app = TestApp::start().await;
    let ann = app.player("ann").await;
    let page = Browsing::log_in(&app, "ann").await;
    page.get("/games/new?rules=pip-pip").await.expect(200);
    let own = [
        ("rules", "pip-pip"),
        ("seats", "2"),
        ("pace", "own"),
        ("unit", "days"),
        ("limit", "2"),
        ("bank", "on"),
        ("bank_start", "5"),
        ("bank_gain", "1"),
        ("bank_cap", "9"),
        ("wait", "3"),
        ("rests_chosen", "on"),
        ("holidays", "on"),
    ];
    let created = page.post("/games/new", &own).await.expect(303).location();
    let shown = page.get(&created).await.expect(200).html;
    assert!(shown.contains("2 days for a turn") && shown.contains("Clocks stand still"), "{shown}");
    let control = ann.get(&format!("/api/v1{created}")).await.ok()["time_control"].clone();
    let bank = json!({"start_hours": 120, "gain_hours": 24, "cap_hours": 216});
    let expected = json!({"limit_hours": 48, "bank": bank, "wait_hours": 72, "nights": false, "rest_days": false, "holidays": true});
    assert_eq!(control, expected);
    // What is not possible is said, and what was typed stays.
    page.get("/games/new?rules=pip-pip").await.expect(200);
    for (name, value) in [("limit", "0"), ("limit", "x\"><b>"), ("bank_start", "10"), ("wait", "-1")] {
        let changed =
            |(known, was): &(&'static str, &'static str)| (*known, if *known == name { value } else { was });
        let fields: Vec<_> = own.iter().map(changed).collect();
        let html = page.post("/games/new", &fields).await.expect(422).html;
        assert!(html.contains("This time for a move is not possible.") && !html.contains("<b>"), "{html}");
        assert!(
            html.contains("<option value=\"own\" selected>") && html.contains("name=\"bank_gain\""),
            "{html}"
        );
    }
}
