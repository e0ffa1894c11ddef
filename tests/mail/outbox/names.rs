//! Names in mails as they were typed, and titles in the text of mails alone.

use serde_json::json;

use super::preferences::Post;

#[tokio::test(flavor = "multi_thread")]
async fn mails_have_names_as_they_were_typed_and_titles_in_no_subject() {
    let post = Post::start().await;
    let (anna, bob) = (post.app.player("Anna-Lena").await, post.app.player("BOB").await);
    let wanted = json!({"rules": "pip-pip", "seating": "joined", "game_title": "resign; <b>Sunday</b>"});
    let created = anna.post("/api/v1/games", &wanted).await.expect_status(201).json();
    let game = format!("/api/v1/games/{}", created["id"].as_str().expect("an id"));
    anna.post(&format!("{game}/invitations"), &json!({"handle": "bob"})).await.expect_status(202);
    anna.post(&format!("{game}/invitations"), &json!({"email": "carol@example.org"}))
        .await
        .expect_status(202);
    for invited in ["BOB", "carol"] {
        let mails = post.mails(invited).await;
        let mail = &mails.iter().find(|sent| sent.mail.kind == "invitation").expect("an invitation").mail;
        assert!(!format!("{}{}{}", mail.subject, mail.text, mail.html).contains("Sunday"), "{}", mail.text);
        assert!(mail.text.contains("Anna-Lena"), "{}", mail.text);
    }
    bob.post(&format!("{game}/join"), &json!({})).await.ok();
    let mails = post.mails("Anna-Lena").await;
    let mail = &mails.iter().find(|sent| sent.mail.kind == "turn").expect("her turn").mail;
    assert!(mail.subject.contains("against BOB") && !mail.subject.contains("Sunday"), "{}", mail.subject);
    assert!(
        mail.text.contains("Anna-Lena") && mail.text.contains("(“resign; <b>Sunday</b>”)"),
        "{}",
        mail.text
    );
    assert!(mail.html.contains("&lt;b&gt;Sunday") && !mail.html.contains("<b>Sunday"), "{}", mail.html);
}
