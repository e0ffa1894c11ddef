//! Reminders by a player's schedule. The games have a limit of 168 hours, from noon UTC on.

use pippost::games::playing;
use serde_json::json;
use time::Duration;

use super::preferences::{Post, move_on, prefer};
use support::games::{pip_pip, timed_game};

/// Lets `hours` pass in steps of half an hour with a worker at work; returns after which hours `ann` was reminded since the start,
/// which is `passed` hours ago.
async fn reminded(post: &Post, passed: f64, hours: u32) -> Vec<f64> {
    let mut told = Vec::new();
    let count = |kinds: Vec<&str>| kinds.iter().filter(|kind| **kind == "reminder").count();
    let mut before = count(post.kinds("ann").await);
    for step in 1..=hours * 2 {
        post.advance(Duration::minutes(30));
        while playing::remind(&post.app.app.games).await.expect("reminders") > 0 {}
        let now = count(post.kinds("ann").await);
        told.extend((before..now).map(|_| passed + f64::from(step) / 2.0));
        before = now;
    }
    told
}

#[tokio::test(flavor = "multi_thread")]
async fn each_reminder_of_the_schedule_comes_once_at_its_time() {
    let post = Post::start().await;
    let (game, [ann, _]) = pip_pip(&post.app).await;
    prefer(&ann, &json!({"reminder_schedule": ["50%", "24h", "2h", "160h"]})).await;
    // 160 hours are left before a quarter of the time is used.
    assert_eq!(reminded(&post, 0.0, 100).await, [84.0]);
    move_on(&game, &post.app.log_in("ann").await).await;
    move_on(&game, &post.app.log_in("bob").await).await;
    assert_eq!(reminded(&post, 0.0, 168).await, [84.0, 144.0, 166.0], "anew for each turn");
}

#[tokio::test(flavor = "multi_thread")]
async fn reminders_wait_for_the_end_of_quiet_hours_together_and_only_the_last_may_come_in_them() {
    let post = Post::start().await;
    let (_, [ann, _]) = pip_pip(&post.app).await;
    // From hour 9 to hour 22 of each day of the game: 21:00 to 10:00.
    let quiet = json!({"from": "21:00", "until": "10:00"});
    // Due after 133, 138 and 155 hours; quiet from 129 to 142 and from 153 to 166.
    let wanted = json!({"reminder_schedule": ["35h", "30h", "13h"], "quiet_hours": quiet});
    prefer(&ann, &wanted).await;
    assert_eq!(reminded(&post, 0.0, 167).await, [142.0, 166.0], "two that waited are one mail");

    let post = Post::start().await;
    let (_, [ann, _]) = pip_pip(&post.app).await;
    prefer(&ann, &wanted).await;
    prefer(&ann, &json!({"last_reminder_in_quiet_hours": true})).await;
    assert_eq!(reminded(&post, 0.0, 167).await, [142.0, 155.0]);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_reminder_that_would_be_slept_through_with_the_flag_comes_before_the_quiet_hours() {
    // The flag falls at noon of the last day, in quiet hours from 8:00 on.
    for (last, told) in [(false, vec![163.5]), (true, vec![165.0])] {
        let post = Post::start().await;
        let (_, [ann, _]) = pip_pip(&post.app).await;
        let quiet = json!({"from": "08:00", "until": "16:00"});
        let wanted =
            json!({"reminder_schedule": ["3h"], "quiet_hours": quiet, "last_reminder_in_quiet_hours": last});
        prefer(&ann, &wanted).await;
        assert_eq!(reminded(&post, 0.0, 168).await, told);
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn whoever_sleeps_through_a_whole_turn_is_reminded_once_all_the_same() {
    let post = Post::start().await;
    let [ann, bob] = [post.app.player("ann").await, post.app.player("bob").await];
    prefer(
        &ann,
        &json!({"reminder_schedule": ["3h", "2h"], "quiet_hours": {"from": "11:30", "until": "20:00"}}),
    )
    .await;
    timed_game([&ann, &bob], &json!({"limit_hours": 6})).await;
    assert_eq!(reminded(&post, 0.0, 6).await, [3.0]);
}

#[tokio::test(flavor = "multi_thread")]
async fn whose_flag_falls_before_dawn_is_reminded_once_before_the_quiet_hours() {
    let post = Post::start().await;
    let [ann, bob] = [post.app.player("ann").await, post.app.player("bob").await];
    prefer(&ann, &json!({"quiet_hours": {"from": "22:00", "until": "07:30"}})).await;
    // The flag falls at 5:00, and a quarter of the time is left at 0:45.
    timed_game([&ann, &bob], &json!({"limit_hours": 17})).await;
    assert_eq!(reminded(&post, 0.0, 17).await, [9.5]);
}
