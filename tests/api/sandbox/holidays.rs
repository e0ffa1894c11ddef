//! What a holiday does to a clock, tried in seconds.

use serde_json::json;

use super::{DAY, HOUR, advance, game, mails, registered};
use support::TestApp;

#[tokio::test(flavor = "multi_thread")]
async fn a_holiday_keeps_the_flag_up_for_its_days_and_then_the_flag_falls() {
    let app = TestApp::sandbox().await;
    let ((ann, _), (bob, _)) = (registered(&app, "ann").await, registered(&app, "bob").await);
    let control = json!({"limit_hours": 24, "holidays": true});
    let wanted = json!({"rules": "pip-pip", "seating": "joined", "time_control": control});
    let game = game(&ann, &bob, &wanted).await;
    assert_eq!(ann.get(&game).await.ok()["deadline_at"], "2026-11-22T12:00:00.000000Z");
    // Half of her day has passed when the holiday begins; it has three days.
    let holiday = json!({"first_day": "2026-11-22", "last_day": "2026-11-24"});
    ann.post("/api/v1/me/holidays", &holiday).await.expect_status(201);
    assert_eq!(advance(&app, DAY).await["now"], "2026-11-22T12:00:00.000000Z");
    let ann = app.log_in("ann").await;
    let view = ann.get(&game).await.ok();
    assert_eq!(view["status"], "running", "her flag would have fallen now");
    assert_eq!(view["deadline_at"], "2026-11-25T12:00:00.000000Z");
    assert_eq!(ann.get(&format!("{game}/clock")).await.ok()["left"]["limit_seconds"], 12 * HOUR);
    advance(&app, 3 * DAY - 1).await;
    assert_eq!(app.log_in("ann").await.get(&game).await.ok()["status"], "running");
    advance(&app, 1).await;
    let ann = app.log_in("ann").await;
    let view = ann.get(&game).await.ok();
    assert_eq!(view["result"]["reason"], "timeout", "{view}");
    assert_eq!(view["finished_at"], "2026-11-25T12:00:00.000000Z");
    let over = mails(&ann).await.remove(0);
    assert_eq!((&over["kind"], &over["sent_at"]), (&json!("game_over"), &view["finished_at"]));
}
