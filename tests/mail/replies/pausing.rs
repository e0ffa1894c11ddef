//! What comes of a pause to which a player has agreed by mail.

use pippost::games::playing;
use serde_json::json;
use time::Duration;

use super::requests::{answer, said};
use super::{Got, Post, Sent, deliver};
use crate::outbox::preferences::{move_on, prefer};
use support::games::{pip_pip, pip_pip_again, timed_game};
use support::{Client, TestApp};

/// Bob proposes a pause until `until`; returns the mail that asks ann.
async fn proposed(post: &Post, bob: &Client, game: &str, until: &str) -> Got {
    bob.post(&format!("{game}/pause"), &json!({"until": until})).await.ok();
    let asked = post.all("ann").await.into_iter().rfind(|mail| mail.kind == "pause_proposed");
    asked.expect("a question")
}

async fn turns(post: &Post) -> usize {
    post.all("ann").await.iter().filter(|mail| mail.kind == "turn").count()
}

#[tokio::test(flavor = "multi_thread")]
async fn who_agrees_with_a_pause_or_looks_by_mail_is_there_again() {
    for text in ["Yes, gladly", "no", "status"] {
        let app = TestApp::start().await;
        let (game, [ann, bob]) = pip_pip(&app).await;
        let (second, third) = (pip_pip_again(&bob, &ann).await, pip_pip_again(&bob, &ann).await);
        prefer(&ann, &json!({"turns": "once"})).await;
        let pass = async || {
            app.app.accounts.presence().write().await.expect("written");
            app.app.clock.advance(Duration::minutes(1));
        };
        let post = Post::of(&app);
        pass().await;
        assert_eq!(turns(&post).await, 1);
        pass().await;
        move_on(&second, &bob).await;
        assert_eq!(turns(&post).await, 1, "told before");
        let asked = proposed(&post, &bob, &game, "2026-11-25T12:00:00Z").await;
        let told = answer(&app, &post, "ann", &asked, text).await;
        assert!(!said(&told).is_empty());
        pass().await;
        move_on(&third, &bob).await;
        assert_eq!(turns(&post).await, 2, "{text}");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn no_reminder_comes_while_an_agreed_pause_lasts_and_the_turn_is_asked_for_afterwards() {
    let app = TestApp::start().await;
    let (ann, bob) = (app.player("ann").await, app.player("bob").await);
    prefer(&ann, &json!({"reminder_schedule": ["12h"]})).await;
    let game = timed_game([&ann, &bob], &json!({"limit_hours": 24})).await;
    let post = Post::of(&app);
    let asked = proposed(&post, &bob, &game, "2026-11-23T12:00:00Z").await;
    answer(&app, &post, "ann", &asked, "yes").await;
    let reminders = async || {
        while playing::remind(&app.app.games).await.expect("reminders") > 0 {}
        assert_eq!(playing::let_flags_fall(&app.app.games).await.expect("a step"), 0);
        post.all("ann").await.iter().filter(|mail| mail.kind == "reminder").count()
    };
    for hours in [20, 27] {
        app.app.clock.advance(Duration::hours(hours));
        assert_eq!(reminders().await, 0, "the clocks stand still");
    }
    // Half of the 24 hours have passed since the pause has ended.
    app.app.clock.advance(Duration::hours(13));
    assert_eq!(reminders().await, 1);
    let reminder = post.last("ann").await;
    assert_eq!(deliver(&app, &Sent::answer("ann", &reminder, "store")).await, "taken");
    assert_eq!(app.stranger().get(&game).await.ok()["seq"], 1);
}
