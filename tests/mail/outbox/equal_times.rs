//! What is left of a clock at one instant is the same wherever it is told: in the API, on pages, in mails and in the clock log.

use std::sync::Arc;

use pippost::clock::{Zone, log};
use pippost::language::{Language, words};
use pippost::mail::Mailer;
use pippost::record::Timestamp;
use pippost::rules::Seat;
use serde_json::{Value, json};
use time::Duration;

use super::{send_all, worker};
use support::TestApp;
use support::browsing::Browsing;
use support::games::timed_game;

/// Microseconds of an hour.
const HOUR: i64 = 3_600_000_000;

/// What ann's clock must show some hours after her turn began at 13:00 in Berlin, with six hours for each turn and a bank of a
/// hundred; from ten in the evening until seven in the morning her time does not count.
struct Expected {
    after_hours: i64,
    limit_hours: i64,
    bank_hours: i64,
    in_words: [&'static str; 2],
}

const EXPECTED: [Expected; 4] = [
    Expected {
        after_hours: 0,
        limit_hours: 6,
        bank_hours: 100,
        in_words: ["for this turn 6 hours (used now)", "in the bank 4 days and 4 hours"],
    },
    Expected {
        after_hours: 4,
        limit_hours: 2,
        bank_hours: 100,
        in_words: ["for this turn 2 hours (used now)", "in the bank 4 days and 4 hours"],
    },
    Expected {
        after_hours: 8,
        limit_hours: 0,
        bank_hours: 98,
        in_words: ["for this turn less than a minute", "in the bank 4 days and 2 hours (used now)"],
    },
    Expected {
        after_hours: 12,
        limit_hours: 0,
        bank_hours: 97,
        in_words: ["in the bank 4 days and 1 hour (used now)", "The clock stands still until "],
    },
];

#[tokio::test(flavor = "multi_thread")]
async fn the_api_pages_mails_and_the_clock_log_tell_the_same_time_at_the_same_instant() {
    for expected in &EXPECTED {
        let app = TestApp::start().await;
        let game = ann_is_asked(&app).await;
        app.app.clock.advance(Duration::hours(expected.after_hours));
        let (left, until) = told_by_the_api(&app, &game, expected).await;
        let page =
            Browsing::log_in(&app, "ann").await.get(&game.replace("/api/v1", "")).await.expect(200).html;
        for words in expected.in_words.iter().copied().chain([left.as_str(), until.as_str()]) {
            assert!(page.contains(words), "{words}\n{page}");
        }
        let mailer = Arc::new(Mailer::memory());
        send_all(&worker(&app, &mailer)).await;
        let turn = mailer.sent().into_iter().find(|sent| sent.mail.kind == "turn").expect("a turn mail");
        let text = turn.mail.text.replace('\n', " ");
        assert!(text.contains(&format!("You have {left}, until {until}.")), "{text}");
        assert_eq!(told_by_the_log(&app, &game).await, [expected.limit_hours, expected.bank_hours]);
    }
}

/// A game in which it has just become ann's turn: its path.
async fn ann_is_asked(app: &TestApp) -> String {
    let (ann, bob) = (app.player("ann").await, app.player("bob").await);
    let calendar = json!({"zone": "Europe/Berlin", "night": {"from": "22:00", "until": "07:00"}});
    ann.put("/api/v1/me/calendar", &calendar).await.ok();
    let bank = json!({"start_hours": 100, "gain_hours": 1, "cap_hours": 110});
    timed_game([&ann, &bob], &json!({"limit_hours": 6, "bank": bank})).await
}

/// The time until the deadline and the deadline, in words, after the figures of all addresses have been compared.
async fn told_by_the_api(app: &TestApp, game: &str, expected: &Expected) -> (String, String) {
    let ann = app.log_in("ann").await;
    let clock = ann.get(&format!("{game}/clock")).await.ok();
    let seconds = |hours: i64| json!(hours * 3600);
    assert_eq!(clock["left"]["limit_seconds"], seconds(expected.limit_hours), "{clock}");
    assert_eq!(clock["left"]["bank_seconds"], seconds(expected.bank_hours), "{clock}");
    let view = ann.get(game).await.ok();
    let list = ann.get("/api/v1/games?list=my_turn").await.ok();
    for other in [&view, &list["games"][0]] {
        for member in ["deadline_at", "time_left_seconds"] {
            assert_eq!(other[member], clock[member], "{other}");
        }
    }
    let left = Duration::seconds(clock["time_left_seconds"].as_i64().expect("a limit"));
    let until = Timestamp::read(clock["deadline_at"].as_str().expect("a time")).expect("a time").get();
    (words::span(left, Language::ENGLISH), words::date_time(until, &Zone::UTC, Language::ENGLISH))
}

/// The hours of limit and bank that ann had left now, recomputed from the record and the clock log of the finished game.
async fn told_by_the_log(app: &TestApp, game: &str) -> [i64; 2] {
    let (ann, bob) = (app.log_in("ann").await, app.log_in("bob").await);
    let legal = ann.get(&format!("{game}/actions")).await.ok();
    let action: &Value = legal["actions"].as_array().and_then(|actions| actions.last()).expect("an action");
    ann.post(&format!("{game}/moves"), &json!({"actions": [action]})).await.ok();
    bob.post(&format!("{game}/resign"), &json!({})).await.ok();
    let whole = app.stranger().get(&format!("{game}/record?with=clock")).await;
    let (record, clock_log) = log::split(&whole.body);
    let (_, checked) = log::verify(record, clock_log.expect("a clock log")).expect("a good record");
    let times = checked.expect("a good log").times.expect("the game is over");
    assert_eq!(times[0].seat, Seat(0));
    let left = times[0].left;
    [left.limit, left.bank].map(|part| {
        let part = part.expect("limit and bank");
        assert_eq!(part % HOUR, 0);
        part / HOUR
    })
}
