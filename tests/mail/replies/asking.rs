//! Answers that do not surely mean an order: the player is asked, and plays it by one word.

use serde_json::{Value, json};
use time::Duration;

use super::refusing::Table;
use super::{Post, Sent, deliver, deliver_raw};
use support::TestApp;

#[tokio::test(flavor = "multi_thread")]
async fn a_doubtful_order_is_asked_about_and_yes_plays_it_once() {
    let table = Table::set().await;
    let post = Post::of(&table.app);
    let turn = post.last("ann").await;
    let asked = table.refused(&post, &Sent::answer("ann", &turn, "Do not\nstore")).await;
    assert!(
        asked.text.contains("Did you mean \"store\"?") && asked.text.contains("\n  yes\n"),
        "{}",
        asked.text
    );
    assert!(asked.text.replace('\n', " ").contains("\"Do not\""), "{}", asked.text);
    assert_eq!(asked.subject, "Pip•Pip against bob: did you mean store? (#1)");
    assert_ne!(board(&asked.text), board(&turn.text), "the game as it would be");
    let stranger = Sent { from: "eve@example.org".to_owned(), ..Sent::answer("ann", &asked, "yes") };
    table.refused(&post, &stranger).await;
    let but = table.refused(&post, &Sent::answer("ann", &asked, "yes\n\nbut wait, not now")).await;
    assert!(but.text.contains("no order in your mail"), "{}", but.text);
    assert_eq!(deliver(&table.app, &Sent::answer("ann", &asked, "Yes!")).await, "taken");
    assert_eq!(table.seq().await, 1);
    let again = table.refused(&post, &Sent::answer("ann", &asked, "yes")).await;
    assert!(again.text.contains("had done its work already"), "{}", again.text);
}

fn board(text: &str) -> String {
    text.lines().filter(|line| line.starts_with("( ) light") || line.starts_with("   ")).collect()
}

#[tokio::test(flavor = "multi_thread")]
async fn what_was_asked_is_stale_after_any_event_and_no_ends_it() {
    let table = Table::set().await;
    let post = Post::of(&table.app);
    let turn = post.last("ann").await;
    let nothing = table.refused(&post, &Sent::answer("ann", &turn, "yes")).await;
    assert!(nothing.text.replace('\n', " ").contains("asks nothing"), "{}", nothing.text);
    let asked = table.refused(&post, &Sent::answer("ann", &turn, "My move: store")).await;
    let declined = table.refused(&post, &Sent::answer("ann", &asked, "no thanks")).await;
    assert!(declined.text.contains("Nothing was played."), "{}", declined.text);
    let legal = table.ann.get(&format!("{}/actions", table.game)).await.ok();
    let body = json!({"actions": [legal["actions"][1]]});
    table.ann.post(&format!("{}/moves", table.game), &body).await.expect_status(200);
    let late = table.refused(&post, &Sent::answer("ann", &asked, "yes")).await;
    assert!(late.text.contains("has moved on"), "{}", late.text);
}

#[tokio::test(flavor = "multi_thread")]
async fn near_misses_are_asked_about() {
    let table = Table::set().await;
    let post = Post::of(&table.app);
    let turn = post.last("ann").await;
    for text in [
        "Store it",
        "My move: store",
        "Hi there,\n\nI'd like to store the die please, thanks.\n\nBest,\nAnn",
        "store please",
        "> store",
        "store?",
    ] {
        let asked = table.refused(&post, &Sent::answer("ann", &turn, text)).await;
        assert!(asked.text.contains("Did you mean \"store\"?"), "{text}: {}", asked.text);
    }
    let raw = Sent::answer("ann", &turn, "").raw().replace("Subject: Re: your turn", "Subject: Re: store");
    assert_eq!(deliver_raw(&table.app, "", raw).await.ok()["outcome"], "taken");
    let asked = post.last("ann").await;
    assert!(asked.text.contains("Did you mean \"store\"?"), "{}", asked.text);
    let asked = table.refused(&post, &Sent::answer("ann", &asked, "I resign")).await;
    assert!(asked.text.contains("You want to resign"), "{}", asked.text);
    assert_eq!(deliver(&table.app, &Sent::answer("ann", &asked, "yes")).await, "taken");
    assert_eq!(table.bob.get(&table.game).await.ok()["result"]["reason"], "resignation");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_proposed_pause_is_declined_by_no_and_agreed_with_by_yes_while_it_waits() {
    let table = Table::set().await;
    let post = Post::of(&table.app);
    let path = format!("{}/pause", table.game);
    let until = json!({"until": "2026-11-25T12:00:00Z"});
    table.bob.post(&path, &until).await.ok();
    let proposed = post.last("ann").await;
    assert_eq!(proposed.kind, "pause_proposed");
    let declined = table.refused(&post, &Sent::answer("ann", &proposed, "no, thanks")).await;
    assert!(declined.text.contains("You have declined"), "{}", declined.text);
    table.app.app.clock.advance(Duration::minutes(1));
    table.bob.post(&path, &until).await.ok();
    let newer = post.last("ann").await;
    let gone = table.refused(&post, &Sent::answer("ann", &proposed, "yes")).await;
    assert!(gone.text.replace('\n', " ").contains("does not wait for you any more"), "{}", gone.text);
    let agreed = table.refused(&post, &Sent::answer("ann", &newer, "Yes")).await;
    assert!(agreed.text.contains("You have agreed"), "{}", agreed.text);
    let clock = table.ann.get(&format!("{}/clock", table.game)).await.ok();
    assert_eq!(clock["stands_still"]["why"], "pause", "{clock}");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_player_unsubscribes_by_one_word_and_learns_how_to_take_it_back() {
    let table = Table::set().await;
    let post = Post::of(&table.app);
    let turn = post.last("ann").await;
    let answer = table.refused(&post, &Sent::answer("ann", &turn, "STOP")).await;
    assert!(answer.text.contains("\"turns on\""), "{}", answer.text);
    let set = table.ann.get("/api/v1/me/notification-preferences").await.ok();
    assert_eq!((&set["turns"], &set["reminders"]), (&json!("none"), &json!(false)));
    let back = table.refused(&post, &Sent::answer("ann", &answer, "turns on\nreminders on")).await;
    assert!(back.text.contains("Your preferences are set."), "{}", back.text);
    assert_eq!(table.ann.get("/api/v1/me/notification-preferences").await.ok()["turns"], "each");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_resignation_in_doubt_is_asked_about_again_even_with_the_right_word() {
    let table = Table::set().await;
    let post = Post::of(&table.app);
    let asked = table.refused(&post, &Sent::answer("ann", &post.last("ann").await, "resign")).await;
    let line = asked.text.lines().find(|line| line.starts_with("  resign ")).expect("a line to copy").trim();
    for text in [
        format!("I do not want to\n{line}"),
        format!("{line}\n\nNo wait, not yet."),
        format!("{line}\nis what I shall say at the end"),
    ] {
        let again = table.refused(&post, &Sent::answer("ann", &asked, &text)).await;
        assert!(again.text.contains("You want to resign"), "{text}: {}", again.text);
    }
    let sure = format!("Hi Bob,\n\n{line}\n\nThanks,\nAnn");
    assert_eq!(deliver(&table.app, &Sent::answer("ann", &asked, &sure)).await, "taken");
    assert_eq!(table.bob.get(&table.game).await.ok()["result"]["reason"], "resignation");
}

#[tokio::test(flavor = "multi_thread")]
async fn settings_in_doubt_stay_and_a_plain_sentence_beside_them_is_no_doubt() {
    let table = Table::set().await;
    let post = Post::of(&table.app);
    let turn = post.last("ann").await;
    let path = "/api/v1/me/notification-preferences";
    let set = async || {
        let set = table.ann.get(path).await.ok();
        (set["turns"].clone(), set["reminders"].clone())
    };
    for text in [
        "Do not\nunsubscribe",
        "unsubscribe\n\nNo wait, I take that back.",
        "I was wondering whether to say\nturns off",
        "turns off\nwhen this game is over",
    ] {
        let told = table.refused(&post, &Sent::answer("ann", &turn, text)).await;
        let unsure = "What else you asked for was not done";
        assert!(told.text.replace('\n', " ").contains(unsure), "{text}: {}", told.text);
        assert_eq!(set().await, (json!("each"), json!(true)), "{text}");
    }
    for text in [
        "STOP",
        "I am too busy this year.\n\nunsubscribe\n\nThanks,\nAnn",
        "Unsubscribe\nthank you for all the games",
        "mails off",
        "Mails aus",
        "abbestellen",
        "Abmelden",
    ] {
        let told = table.refused(&post, &Sent::answer("ann", &turn, text)).await;
        assert!(told.text.contains("You get no more mails about your turns"), "{text}: {}", told.text);
        assert_eq!(set().await, (json!("none"), json!(false)), "{text}");
        table.ann.patch(path, &json!({"turns": "each", "reminders": true})).await.ok();
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_deployment_without_its_verb_is_asked_about_and_yes_plays_it() {
    let app = TestApp::start().await;
    let (ann, bob) = (app.player("ann").await, app.player("bob").await);
    let created = ann.post("/api/v1/games", &json!({"rules": "dominion", "seating": "joined"})).await;
    let game = format!("/api/v1/games/{}", created.expect_status(201).json()["id"].as_str().expect("an id"));
    bob.post(&format!("{game}/join"), &json!({})).await.ok();
    let post = Post::of(&app);
    let turn = post.last("ann").await;
    let legal = ann.get(&format!("{game}/actions")).await.ok();
    let legal: Vec<&str> =
        legal["notation"].as_array().expect("a list").iter().filter_map(Value::as_str).collect();
    // Which cells are ann's is drawn by lot.
    let bare = legal.iter().find_map(|action| action.strip_prefix("deploy ")).expect("a deployment");
    let before = ann.get(&game).await.ok()["seq"].clone();
    assert_eq!(deliver(&app, &Sent::answer("ann", &turn, bare)).await, "taken");
    let asked = post.last("ann").await;
    let question = format!("Did you mean \"deploy {bare}\"? Then answer this mail with one word:");
    assert!(asked.text.replace('\n', " ").contains(&question), "{}", asked.text);
    assert_eq!(ann.get(&game).await.ok()["seq"], before);
    assert_eq!(deliver(&app, &Sent::answer("ann", &asked, "yes")).await, "taken");
    let done = post.last("ann").await;
    assert!(done.text.contains(&format!("Done: deploy {bare}.")), "{}", done.text);
    assert_ne!(ann.get(&game).await.ok()["seq"], before);
}
