//! The recipients and contents of mails.

use std::sync::Arc;

use mail_parser::MimeHeaders;
use pippost::games::playing;
use pippost::mail::Mailer;
use pippost::mail::mailer::SentMail;
use pippost::settings::MailSettings;
use serde_json::json;
use time::Duration;

use super::{db_fate, db_fates, read, send_all, worker};
use support::games::pip_pip;
use support::{Client, TestApp};

/// The mails to `address`, oldest first, without those about the account.
fn mails_to(mailer: &Mailer, address: &str) -> Vec<SentMail> {
    let wanted =
        |sent: &SentMail| sent.mail.to.email.to_string() == address && sent.mail.kind != "confirm_email";
    mailer.sent().into_iter().filter(wanted).collect()
}

/// Plays the last legal action of the player's list, which is a placement.
async fn move_once(game: &str, player: &Client) {
    let legal = player.get(&format!("{game}/actions")).await.ok();
    let action = legal["actions"].as_array().and_then(|actions| actions.last()).expect("an action").clone();
    player.post(&format!("{game}/moves"), &json!({"actions": [action]})).await.ok();
}

#[tokio::test(flavor = "multi_thread")]
async fn the_players_of_a_game_hear_of_its_start_each_turn_and_its_end_in_one_thread() {
    let app = TestApp::start().await;
    let mailer = Arc::new(Mailer::memory());
    let worker = worker(&app, &mailer);
    let (game, [ann, bob]) = pip_pip(&app).await;
    send_all(&worker).await;
    move_once(&game, &ann).await;
    send_all(&worker).await;
    bob.post(&format!("{game}/resign"), &json!({})).await.ok();
    send_all(&worker).await;

    let kinds = |mails: &[SentMail]| mails.iter().map(|sent| sent.mail.kind).collect::<Vec<_>>();
    let to_ann = mails_to(&mailer, "ann@example.org");
    let to_bob = mails_to(&mailer, "bob@example.org");
    assert_eq!(kinds(&to_ann), ["turn", "game_over"]);
    assert_eq!(kinds(&to_bob), ["game_started", "turn", "game_over"]);
    assert_eq!(to_bob[1].mail.subject, "Pip•Pip against ann: your turn (#1)");

    for mails in [&to_ann, &to_bob] {
        let (first, rest) = mails.split_first().expect("mails");
        assert_eq!(first.mail.thread_id, None, "the thread begins with a mail that was sent");
        let root = Some(first.mail.message_id.clone());
        assert!(rest.iter().all(|sent| sent.mail.thread_id == root));
    }

    assert!(to_ann[0].mail.text.contains("What has happened so far:\n- The game has started.\n"));
    assert!(to_ann[1].mail.text.contains("What happened at the end:\n- bob resigned.\n"));
    let text = &to_bob[1].mail.text;
    for part in
        ["ann placed a ", "You rolled a ", "You have 7 days, until Saturday 28 November 2026, 12:00 UTC."]
    {
        assert!(text.contains(part), "{part}\n{text}");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn the_link_in_a_turn_mail_shows_the_game_to_who_has_it() {
    let app = TestApp::start().await;
    let mailer = Arc::new(Mailer::memory());
    let (game, _) = pip_pip(&app).await;
    send_all(&worker(&app, &mailer)).await;
    let mails = mails_to(&mailer, "ann@example.org");
    let link = mails[0].mail.text.lines().find(|line| line.contains("?token=")).expect("a link");
    let token = link.rsplit('=').next().expect("a token");
    let view = app.stranger().get(&format!("{game}?token={token}")).await.ok();
    assert_eq!(
        (&view["status"], &view["my_seat"]),
        (&json!("running"), &json!(null)),
        "what anybody may see"
    );
}

#[tokio::test(flavor = "multi_thread")]
async fn a_turn_that_is_over_before_its_mail_is_sent_needs_no_mail() {
    let app = TestApp::start().await;
    let mailer = Arc::new(Mailer::memory());
    let (game, [ann, _]) = pip_pip(&app).await;
    move_once(&game, &ann).await;
    send_all(&worker(&app, &mailer)).await;
    let fate = db_fate(&app, "ann").await;
    assert_eq!((fate.kind.as_str(), fate.state.as_str()), ("turn", "skipped"));
    assert_eq!(fate.reason.as_deref(), Some("overtaken by events"));
    assert!(mails_to(&mailer, "ann@example.org").is_empty());
    assert_eq!(mails_to(&mailer, "bob@example.org").len(), 2);
}

#[tokio::test(flavor = "multi_thread")]
async fn game_mails_go_only_to_confirmed_addresses_of_players_who_want_them() {
    let app = TestApp::start().await;
    let mailer = Arc::new(Mailer::memory());
    let (ann, bob) = (app.player("ann").await, app.unconfirmed_player("bob").await);
    ann.patch("/api/v1/me", &json!({"mail_enabled": false})).await.ok();
    let wanted = json!({"rules": "pip-pip", "seating": "joined"});
    let created = ann.post("/api/v1/games", &wanted).await;
    let game = created.expect_status(201).json()["id"].as_str().expect("an id").to_owned();
    bob.post(&format!("/api/v1/games/{game}/join"), &json!({"entropy": ""})).await.ok();
    send_all(&worker(&app, &mailer)).await;

    let fate = db_fate(&app, "ann").await;
    assert_eq!((fate.state.as_str(), fate.reason.as_deref()), ("skipped", Some("mails are switched off")));
    let fate = db_fate(&app, "bob").await;
    assert_eq!(
        (fate.state.as_str(), fate.reason.as_deref()),
        ("skipped", Some("the address is not confirmed"))
    );
    assert!(
        mails_to(&mailer, "ann@example.org").is_empty() && mails_to(&mailer, "bob@example.org").is_empty()
    );
    let asked = mailer.sent().iter().filter(|sent| sent.mail.kind == "confirm_email").count();
    assert_eq!(asked, 2, "mails about the account are sent all the same");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_reminder_comes_once_with_the_time_that_is_left() {
    let app = TestApp::start().await;
    let mailer = Arc::new(Mailer::memory());
    let worker = worker(&app, &mailer);
    pip_pip(&app).await;
    send_all(&worker).await;
    app.app.clock.advance(Duration::hours(126));
    assert_eq!(playing::remind(&app.app.games).await.expect("reminders"), 1);
    assert_eq!(playing::remind(&app.app.games).await.expect("reminders"), 0);
    send_all(&worker).await;
    let mails = mails_to(&mailer, "ann@example.org");
    assert_eq!(mails.len(), 2);
    let reminder = &mails[1].mail;
    assert_eq!(reminder.subject, "Pip•Pip against bob: your time is running out (#1)");
    let left = "You have 1 day and 18 hours left, until Saturday 28 November 2026, 12:00 UTC.";
    assert!(reminder.text.contains(left), "{}", reminder.text);
}

#[tokio::test(flavor = "multi_thread")]
async fn an_invitation_reaches_an_address_without_an_account_until_the_game_starts() {
    let app = TestApp::start().await;
    let mailer = Arc::new(Mailer::memory());
    let worker = worker(&app, &mailer);
    let (ann, bob) = (app.player("ann").await, app.player("bob").await);
    let wanted = json!({"rules": "pip-pip", "private": true});
    let created = ann.post("/api/v1/games", &wanted).await;
    let game = format!("/api/v1/games/{}", created.expect_status(201).json()["id"].as_str().expect("an id"));
    let invite = |body| {
        let (ann, path) = (ann.clone(), format!("{game}/invitations"));
        async move { ann.post(&path, &body).await.expect_status(202).status }
    };
    invite(json!({"email": "carol@example.net"})).await;
    invite(json!({"handle": "bob"})).await;
    send_all(&worker).await;

    let to_carol = mails_to(&mailer, "carol@example.net");
    assert_eq!(to_carol.len(), 1);
    assert_eq!(to_carol[0].mail.subject, "An invitation to a game of Pip•Pip");
    assert!(to_carol[0].mail.text.starts_with("Hello,\n"), "{}", to_carol[0].mail.text);
    let text = mails_to(&mailer, "bob@example.org")[0].mail.text.clone();
    let link = text.lines().find(|line| line.contains("?token=")).expect("a link");
    let invitation = link.rsplit('=').next().expect("a token");

    invite(json!({"email": "dave@example.net"})).await;
    bob.post(&format!("{game}/join"), &json!({"entropy": "", "invitation": invitation})).await.ok();
    send_all(&worker).await;
    assert!(mails_to(&mailer, "dave@example.net").is_empty(), "nobody can join any more");
    assert!(db_fates(&app, "ann").await.iter().all(|fate| fate.state == "sent"));
}

#[tokio::test(flavor = "multi_thread")]
async fn without_an_smtp_server_mails_are_files_that_mail_programs_read() {
    let app = TestApp::start().await;
    let folder = tempfile::tempdir().expect("a folder");
    let settings = MailSettings { mail_from: "pippost@example.org".to_owned(), ..MailSettings::default() };
    let mailer = Arc::new(Mailer::new(&settings, folder.path()).expect("a mailer"));
    pip_pip(&app).await;
    send_all(&worker(&app, &mailer)).await;

    let mut names: Vec<_> = std::fs::read_dir(folder.path().join("outbox"))
        .expect("the outbox")
        .map(|entry| entry.expect("a file").file_name().into_string().expect("ASCII"))
        .collect();
    names.sort();
    assert_eq!(names.len(), 4, "{names:?}");
    for name in names {
        let raw = std::fs::read(folder.path().join("outbox").join(&name)).expect("a mail");
        let mail = read(&raw);
        let id = mail.message_id().and_then(|id| id.split_once('@')).expect("an id").0;
        assert!(name.starts_with("20261121T120000Z-") && name.ends_with(&format!("-{id}.eml")), "{name}");
        assert!(mail.body_text(0).expect("a text").starts_with("Hello "), "{name}");
        assert!(mail.body_html(0).expect("HTML").contains("<p style="), "{name}");
        let pictures: Vec<_> = mail.attachments().filter(|part| part.is_binary()).collect();
        if name.contains("confirm") {
            assert!(pictures.is_empty(), "{name}");
        } else {
            let html = mail.body_html(0).expect("HTML");
            let ids: Vec<_> = pictures.iter().filter_map(|picture| picture.content_id()).collect();
            assert_eq!(ids, ["board"], "{name}");
            assert!(html.contains("src=\"cid:board\""), "{name}");
            assert!(pictures.iter().all(|picture| picture.contents().starts_with(b"\x89PNG")), "{name}");
        }
        assert_eq!(mail.header_raw("Auto-Submitted").map(str::trim), Some("auto-generated"));
    }
}
