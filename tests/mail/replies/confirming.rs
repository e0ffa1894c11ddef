//! Confirming an address by an answer to the mail that asks for it.

use serde_json::{Value, json};

use super::{Post, Sent, deliver};
use support::{Client, PASSWORD, TestApp};

const ME: &str = "/api/v1/me";

async fn is_confirmed(player: &Client) -> bool {
    player.get(ME).await.ok()["email_confirmed_at"] != Value::Null
}

#[tokio::test(flavor = "multi_thread")]
async fn a_yes_confirms_the_address_and_its_answer_says_what_to_do_next() {
    let app = TestApp::start().await;
    let (ann, post) = (app.unconfirmed_player("ann").await, Post::of(&app));
    let asked = post.last("ann").await;
    assert_eq!(asked.kind, "confirm_email");
    assert!(asked.text.contains("Or answer this mail with one word: \"yes\""), "{}", asked.text);
    let yes = Sent::answer("ann", &asked, "Yes please\n\nKind regards\nAnn");
    assert_eq!(deliver(&app, &yes).await, "taken");
    assert!(is_confirmed(&ann).await);
    let told = post.last("ann").await;
    assert_eq!((told.kind, told.subject.as_str()), ("answer", "Your e-mail address is confirmed"));
    assert!(
        told.text.contains("Your address is confirmed") && told.text.contains("\"new\""),
        "{}",
        told.text
    );
    let mails = post.all("ann").await.len();
    assert_eq!(deliver(&app, &yes).await, "repeated");
    assert_eq!(post.all("ann").await.len(), mails, "answered once");
    assert_eq!(deliver(&app, &Sent::answer("ann", &told, "new pip-pip")).await, "taken");
    assert_eq!(
        ann.get("/api/v1/games?list=mine&status=open").await.ok()["games"].as_array().map(Vec::len),
        Some(1)
    );
    assert_eq!(deliver(&app, &Sent::answer("ann", &asked, "yes")).await, "taken", "a second yes");
    assert!(post.last("ann").await.text.contains("Your address is confirmed"));

    let (bob, asked) = (app.unconfirmed_player("bob").await, post.last("bob").await);
    assert_eq!(deliver(&app, &Sent::answer("bob", &asked, "Ja")).await, "taken");
    assert!(is_confirmed(&bob).await, "in any language");
}

#[tokio::test(flavor = "multi_thread")]
async fn whatever_is_no_plain_yes_changes_nothing_and_gets_a_short_help_three_times_a_day() {
    let app = TestApp::start().await;
    let (ann, post) = (app.unconfirmed_player("ann").await, Post::of(&app));
    let asked = post.last("ann").await;
    let helped = async || post.all("ann").await.iter().filter(|mail| mail.kind == "confirm_help").count();
    for (number, text) in
        ["no", "Who are you?", "yes\nbut who are you?", "I do not know what this is. Yes?", "new pip-pip"]
            .iter()
            .enumerate()
    {
        assert_eq!(deliver(&app, &Sent::answer("ann", &asked, text)).await, "taken", "{text}");
        assert!(!is_confirmed(&ann).await, "{text}");
        assert_eq!(helped().await, (number + 1).min(3), "{text}");
    }
    let mut machine = Sent::answer("ann", &asked, "yes");
    machine.headers = "Auto-Submitted: auto-replied\r\n".to_owned();
    assert_eq!(deliver(&app, &machine).await, "ignored");
    assert!(!is_confirmed(&ann).await);
    let help = post.last("ann").await;
    assert!(help.text.contains("no plain yes in your answer"), "{}", help.text);
    assert_eq!(deliver(&app, &Sent::answer("ann", &help, "yes")).await, "taken", "the help is answered, too");
    assert!(is_confirmed(&ann).await);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_stranger_confirms_nothing_whichever_token_or_sender_it_is() {
    let app = TestApp::start().await;
    let (ann, eve, post) =
        (app.unconfirmed_player("ann").await, app.unconfirmed_player("eve").await, Post::of(&app));
    let (asked, of_eve) = (post.last("ann").await, post.last("eve").await);
    let mails = post.all("ann").await.len();
    let from_eve = Sent::answer("eve", &asked, "yes");
    assert_eq!(deliver(&app, &from_eve).await, "ignored");
    let with_her_token = Sent::answer("ann", &of_eve, "yes");
    assert_eq!(deliver(&app, &with_her_token).await, "ignored");
    assert!(!is_confirmed(&ann).await && !is_confirmed(&eve).await);
    assert_eq!(post.all("ann").await.len(), mails, "nobody is told");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_new_address_is_confirmed_from_there_and_not_from_the_one_before() {
    let app = TestApp::start().await;
    let (ann, post) = (app.player("ann").await, Post::of(&app));
    ann.patch(ME, &json!({"email": "newann@example.org", "password": PASSWORD})).await.ok();
    let asked = post.last("newann").await;
    assert_eq!(deliver(&app, &Sent::answer("ann", &asked, "yes")).await, "ignored");
    assert_eq!(ann.get(ME).await.ok()["email"], "ann@example.org");
    assert_eq!(deliver(&app, &Sent::answer("newann", &asked, "yes")).await, "taken");
    assert_eq!(ann.get(ME).await.ok()["email"], "newann@example.org");
    assert_eq!(post.last("newann").await.kind, "answer");
    assert_eq!(post.last("ann").await.kind, "address_changed", "and that one hears of it");
}
