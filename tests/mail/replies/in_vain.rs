//! Mails that ask in vain, late, or again and again, and what is said of them.

use pippost::replies::{MAX_ANSWERS_AN_HOUR, REPLY_LIFETIME};
use serde_json::{Value, json};
use time::Duration;

use super::refusing::Table;
use super::{Post, Sent, deliver};
use support::games::pip_pip_again;

#[tokio::test(flavor = "multi_thread")]
async fn a_loop_ends_after_three_whatever_it_quotes_counts_or_says_to_the_table() {
    for (text, said) in [
        ("I am on holiday.\n\n> {Q}", 0),
        ("I am on holiday.\n\nOn Sat, 21 Nov 2026 at 13:0{N}, pippost <play+{N}@example.org> wrote:\n{Q}", 0),
        ("Your ticket #471{N} was opened on 2026-11-2{N} at 12:0{N}.", 0),
        ("We got your mail no. {N}.\n---\nThe help desk has opened a ticket for you.", 3),
        ("---\nAnn Example\nACME Ltd\n{Q}", 0),
        // People say the same again and again, too: it is told, and from the fourth time on without an answer.
        ("---\nWell done!\n{Q}", 6),
        ("stroe\n\n{Q}", 0),
        ("roll", 0),
    ] {
        let table = Table::set().await;
        let post = Post::of(&table.app);
        let before = post.all("ann").await.len();
        for number in 0..6 {
            let newest = post.last("ann").await;
            let quoted = newest.text.replace('\n', "\n> ");
            let text = text.replace("{N}", &number.to_string()).replace("{Q}", &quoted);
            let expected = if number < 3 { "taken" } else { "ignored" };
            assert_eq!(
                deliver(&table.app, &Sent::answer("ann", &newest, &text)).await,
                expected,
                "{number} {text}"
            );
        }
        assert_eq!(post.all("ann").await.len(), before + 3, "{text}");
        let told = table.bob.get(&format!("{}/messages", table.game)).await.ok();
        assert_eq!(told["messages"].as_array().map(Vec::len), Some(said), "{text}: {told}");
        assert_eq!(
            deliver(&table.app, &Sent::answer("ann", &post.last("ann").await, "store")).await,
            "taken"
        );
        assert_eq!(table.seq().await, 1, "{text}");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn equal_words_in_several_games_or_with_an_effect_are_all_answered() {
    let table = Table::set().await;
    let post = Post::of(&table.app);
    for _ in 0..4 {
        let game = pip_pip_again(&table.ann, &table.bob).await;
        let started = post.last("bob").await;
        assert!(!game.is_empty());
        let before = post.all("bob").await.len();
        assert_eq!(deliver(&table.app, &Sent::answer("bob", &started, "store")).await, "taken");
        assert_eq!(post.all("bob").await.len(), before + 1);
    }
    let turn = post.last("ann").await;
    for _ in 0..5 {
        table.refused(&post, &Sent::answer("ann", &turn, "status")).await;
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn an_old_token_sets_no_preferences_and_tells_the_table_nothing() {
    let table = Table::set().await;
    let post = Post::of(&table.app);
    let turn = post.last("ann").await;
    table.app.app.clock.advance(REPLY_LIFETIME);
    let sent = Sent::answer("ann", &turn, "turns off\nSprache de\n---\nHi");
    assert_eq!(deliver(&table.app, &sent).await, "taken");
    let answer = post.last("ann").await;
    assert!(answer.text.contains("too old to be answered"), "{}", answer.text);
    assert!(!answer.text.contains("preferences are set"), "{}", answer.text);
    let ann = table.app.log_in("ann").await;
    let set = ann.get("/api/v1/me/notification-preferences").await.ok();
    assert_eq!((&set["turns"], &set["language"]), (&json!("each"), &json!("en")));
    let told = ann.get(&format!("{}/messages", table.game)).await.ok();
    assert_eq!(told["messages"].as_array().map(Vec::len), Some(0));
}

#[tokio::test(flavor = "multi_thread")]
async fn a_late_answer_counts_the_mails_that_it_does_not_list() {
    let table = Table::set().await;
    let post = Post::of(&table.app);
    let turn = post.last("ann").await;
    for _ in 0..MAX_ANSWERS_AN_HOUR + 23 {
        assert_eq!(deliver(&table.app, &Sent::answer("ann", &turn, "help")).await, "taken");
    }
    table.app.app.clock.advance(Duration::HOUR);
    let text = post.last("ann").await.text.replace('\n', " ");
    assert!(text.contains("2 more mails of yours were dealt with as well"), "{text}");
}

#[tokio::test(flavor = "multi_thread")]
async fn what_is_expected_is_what_is_legal_now() {
    let table = Table::set().await;
    let post = Post::of(&table.app);
    let turn = post.last("ann").await;
    let legal = table.ann.get(&format!("{}/actions", table.game)).await.ok();
    let legal: Vec<&str> =
        legal["notation"].as_array().expect("a list").iter().filter_map(Value::as_str).collect();
    for text in ["c9 n1", "stroe", "pull"] {
        let answer = table.refused(&post, &Sent::answer("ann", &turn, text)).await.text.replace('\n', " ");
        if let Some((_, rest)) = answer.split_once("expected an order such as `") {
            let examples: Vec<&str> = rest.split('`').step_by(2).take(2).collect();
            assert!(examples.iter().all(|example| legal.contains(example)), "{text}: {examples:?}");
        } else {
            assert_eq!(text, "pull", "{answer}");
        }
        assert!(!answer.contains("roll, store, pull"), "{text}: {answer}");
    }
}
