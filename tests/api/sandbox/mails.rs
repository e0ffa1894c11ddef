//! The mails that a sandbox keeps instead of sending them.

use mail_parser::MessageParser;
use pippost::store::captured_mails::{self, CapturedMail, MAX_OF_RECIPIENT};
use serde_json::{Value, json};
use uuid::Uuid;

use super::{MAILS, game, kinds, mails, registered};
use support::{PASSWORD, TestApp};

#[tokio::test(flavor = "multi_thread")]
async fn a_mail_is_shown_as_a_whole_and_nobody_else_reads_or_answers_it() {
    let app = TestApp::sandbox().await;
    let ((ann, _), (bob, _)) = (registered(&app, "ann").await, registered(&app, "bob").await);
    game(&ann, &bob, &json!({"rules": "pip-pip", "seating": "joined"})).await;
    let turn = mails(&ann).await.remove(0);
    assert_eq!(turn["kind"], "turn");
    assert!(turn["links"][0]["url"].as_str().is_some_and(|url| url.starts_with(&app.url)), "{turn}");
    let one = format!("{MAILS}/{}", turn["id"].as_str().expect("an id"));
    let message = ann.get(&format!("{one}/message")).await;
    assert_eq!(message.expect_status(200).headers["content-type"], "message/rfc822");
    let parsed = MessageParser::default().parse(&message.body).expect("a mail");
    assert_eq!(parsed.subject(), turn["subject"].as_str());
    assert_eq!(parsed.to().and_then(|to| to.first()?.address()), Some("ann@example.org"));
    assert_eq!(parsed.attachment_count(), 1, "the board");

    bob.get(&format!("{one}/message")).await.problem(404, "not_found");
    bob.post(&format!("{one}/answer"), &json!({"text": "store"})).await.problem(404, "not_found");
    app.stranger().get(MAILS).await.problem(401, "unauthenticated");
    app.stranger().post(&format!("{one}/answer"), &json!({"text": ""})).await.problem(401, "unauthenticated");
    assert!(mails(&bob).await.iter().all(|mail| mail["to"] == "bob@example.org"));
    // The links in mails manage the account, so a token for bots does not do.
    let wanted = json!({"name": "bot", "scopes": ["read", "play"]});
    let bot = ann.post("/api/v1/me/tokens", &wanted).await.expect_status(201).json();
    let bot = support::Client::new(&app.url, bot["token"].as_str().map(str::to_owned));
    bot.get(MAILS).await.problem(403, "missing_scope");
}

#[tokio::test(flavor = "multi_thread")]
async fn what_cannot_be_answered_says_so_and_what_cannot_be_read_is_told_by_mail() {
    let app = TestApp::sandbox().await;
    let ((ann, _), (bob, _)) = (registered(&app, "ann").await, registered(&app, "bob").await);
    app.stranger()
        .post("/api/v1/password-resets", &json!({"email": "ann@example.org"}))
        .await
        .expect_status(202);
    let reset = mails(&ann).await.remove(0);
    assert_eq!((&reset["kind"], &reset["reply_to"]), (&json!("reset_password"), &json!(null)));
    let answer = |mail: &Value| format!("{MAILS}/{}/answer", mail["id"].as_str().expect("an id"));
    ann.post(&answer(&reset), &json!({"text": "hello"})).await.problem(409, "mail_not_answerable");
    let game = game(&ann, &bob, &json!({"rules": "pip-pip", "seating": "joined"})).await;
    let turn = mails(&ann).await.remove(0);
    let long = json!({"text": "x".repeat(4001)});
    assert_eq!(ann.post(&answer(&turn), &long).await.problem(422, "invalid_value")["field"], "text");
    assert_eq!(ann.post(&answer(&turn), &json!({"text": "good morning"})).await.ok()["outcome"], "taken");
    let told = mails(&ann).await.remove(0);
    assert_eq!(told["kind"], "answer");
    assert!(told["text"].as_str().is_some_and(|text| text.contains("good morning")), "{told}");
    assert_eq!(ann.get(&game).await.ok()["seq"], 0, "nothing was done");
    // The answer has an address for answers, too.
    assert_eq!(ann.post(&answer(&told), &json!({"text": "store"})).await.ok()["outcome"], "taken");
    assert_eq!(ann.get(&game).await.ok()["seq"], 1);
}

#[tokio::test(flavor = "multi_thread")]
async fn whoever_enters_the_address_of_another_reads_nothing_of_it() {
    let app = TestApp::sandbox().await;
    let (ann, _) = registered(&app, "ann").await;
    let body = json!({"handle": "eve", "email": "Ann@example.org", "password": PASSWORD});
    let session = app.stranger().post("/api/v1/accounts", &body).await.expect_status(201).json();
    let eve = support::Client::new(&app.url, session["access_token"].as_str().map(str::to_owned));
    assert_eq!(mails(&eve).await, [json!(null); 0]);
    assert_eq!(kinds(&ann).await, ["confirm_email", "address_in_use"]);
    ann.post("/api/v1/password-resets", &json!({"email": "ann@example.org"})).await.expect_status(202);
    assert_eq!(kinds(&ann).await, ["confirm_email", "address_in_use", "reset_password"]);
    assert_eq!(mails(&eve).await, [json!(null); 0]);
}

#[tokio::test(flavor = "multi_thread")]
async fn an_invitation_to_an_address_is_read_by_whoever_confirms_it() {
    let app = TestApp::sandbox().await;
    let (ann, _) = registered(&app, "ann").await;
    let created = ann.post("/api/v1/games", &json!({"rules": "pip-pip", "private": true})).await;
    let game = format!("/api/v1/games/{}", created.expect_status(201).json()["id"].as_str().expect("an id"));
    let invited = ann.post(&format!("{game}/invitations"), &json!({"email": "dora@example.org"})).await;
    invited.expect_status(202);
    let unconfirmed = app.unconfirmed_player("eve").await;
    assert_eq!(kinds(&unconfirmed).await, ["confirm_email"]);
    let (dora, _) = registered(&app, "dora").await;
    let mail = mails(&dora).await.pop().expect("a mail");
    assert_eq!(mail["kind"], "invitation", "{mail}");
    let invitation = mail["links"].as_array().into_iter().flatten().find_map(|link| link["token"].as_str());
    dora.post(&format!("{game}/join"), &json!({"invitation": invitation})).await.ok();
}

#[tokio::test(flavor = "multi_thread")]
async fn the_newest_hundred_mails_are_kept_and_listed_page_by_page() {
    let app = TestApp::sandbox().await;
    let ((ann, _), (bob, _)) = (registered(&app, "ann").await, registered(&app, "bob").await);
    let own = ann.get("/api/v1/me").await.ok()["id"].as_str().expect("an id").parse::<Uuid>().expect("an id");
    let template = captured_mails::newest(&app.app.database, own, None, 1).await.expect("mails").remove(0);
    for _ in 0..MAX_OF_RECIPIENT + 5 {
        let mail = CapturedMail { id: Uuid::now_v7(), ..template.clone() };
        captured_mails::keep(&app.app.database, &mail).await.expect("room");
        captured_mails::keep(&app.app.database, &mail).await.expect("the same once more");
    }
    let (mut found, mut cursor) = (Vec::new(), String::new());
    loop {
        let page = ann.get(&format!("{MAILS}?limit=40{cursor}")).await.ok();
        found.extend(page["mails"].as_array().expect("a list").iter().map(|mail| mail["id"].to_string()));
        let Some(next) = page["next_cursor"].as_str() else { break };
        cursor = format!("&cursor={next}");
    }
    assert_eq!(found.len(), 100);
    assert!(found.is_sorted_by(|one, next| one > next), "newest first, each once");
    assert_eq!(kinds(&bob).await, ["confirm_email"], "others keep theirs");
    for limit in ["0", "101"] {
        let answer = ann.get(&format!("{MAILS}?limit={limit}")).await;
        assert_eq!(answer.problem(422, "invalid_value")["field"], "limit");
    }
}
