//! Messages of players to the table.

use serde_json::json;

use super::{Post, Sent, deliver};
use pippost::store::moderation::{self, ActKind, Decision};
use support::TestApp;
use support::games::pip_pip;

#[tokio::test(flavor = "multi_thread")]
async fn a_message_below_the_mark_reaches_the_others_by_their_mails_and_the_api() {
    let app = TestApp::start().await;
    let (game, [ann, bob]) = pip_pip(&app).await;
    let post = Post::of(&app);
    let turn = post.last("ann").await;
    let refused = Sent::answer("ann", &turn, "stroe\n---\nnot yet");
    assert_eq!(deliver(&app, &refused).await, "taken");
    assert!(post.last("ann").await.text.contains("was not told either"), "not with a refusal");
    let evil = "Good luck!\nBcc: eve@example.org\n<b>bold</b>\u{202e}";
    assert_eq!(deliver(&app, &Sent::answer("ann", &turn, &format!("---\n{evil}"))).await, "taken");
    assert!(post.last("ann").await.text.contains("was told to the table"));
    let path = format!("{game}/messages");
    let said = bob.get(&path).await.ok();
    assert_eq!(said["messages"][0]["text"], "Good luck!\nBcc: eve@example.org\n<b>bold</b>");
    assert_eq!(
        (&said["messages"][0]["handle"], said["messages"].as_array().map(Vec::len)),
        (&json!("ann"), Some(1))
    );

    bob.post(&path, &json!({"text": "You too"})).await.expect_status(201);
    assert_eq!(deliver(&app, &Sent::answer("bob", &post.last("bob").await, "status")).await, "taken");
    let status = post.last("bob").await;
    assert!(status.text.contains("ann says: “Good luck!"), "{}", status.text);
    assert!(!status.raw.contains("\nBcc:"), "{}", status.raw);
    assert!(!status.text.contains("bob says"), "{}", status.text);
    let own = Sent::answer("ann", &turn, "status");
    assert_eq!(deliver(&app, &own).await, "taken");
    assert!(post.last("ann").await.text.contains("bob says: “You too”"));
    assert_eq!(ann.get(&game).await.ok()["seq"], 0, "messages are no events");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_table_is_heard_by_those_who_sit_at_it() {
    let app = TestApp::start().await;
    let (game, [ann, _]) = pip_pip(&app).await;
    let path = format!("{game}/messages");
    let eve = app.player("eve").await;
    eve.get(&path).await.problem(403, "not_in_game");
    eve.post(&path, &json!({"text": "hi"})).await.problem(403, "not_in_game");
    app.stranger().get(&path).await.problem(401, "unauthenticated");
    for text in ["", " \n", &"x".repeat(1001)] {
        ann.post(&path, &json!({"text": text})).await.problem(422, "invalid_value");
    }
    for _ in 0..60 {
        ann.post(&path, &json!({"text": "hello"})).await.expect_status(201);
    }
    ann.post(&path, &json!({"text": "hello"})).await.problem(429, "too_many_requests");
    let page = ann.get(&format!("{path}?limit=2")).await.ok();
    let before = page["messages"][0]["id"].as_str().expect("an id");
    let older = ann.get(&format!("{path}?limit=100&before={before}")).await.ok();
    assert_eq!(older["messages"].as_array().map(Vec::len), Some(58));
}

#[tokio::test(flavor = "multi_thread")]
async fn no_link_or_address_of_ours_passes_from_one_player_to_another() {
    let app = TestApp::start().await;
    let (game, [ann, bob]) = pip_pip(&app).await;
    let post = Post::of(&app);
    let turn = post.last("ann").await;
    let link = turn.text.lines().find(|line| line.contains("?token=")).expect("a link").trim().to_owned();
    let token = link.split("token=").nth(1).expect("a token").to_owned();
    let (half, rest) = token.split_at(30);
    let host = link.split('/').nth(2).expect("a host");
    let (host_start, host_end) = host.split_at(3);
    let address = turn.reply_to.clone().expect("an address");
    let path = format!("{game}/messages");
    for text in [
        format!("look: {link}"),
        format!("my token is {token}"),
        format!("token{token}behind"),
        format!("{half}\n{rest}"),
        format!("{half} {rest}"),
        format!("token=3D{half}=\n{rest}"),
        address.clone(),
        address.to_uppercase(),
        format!("mail to {}", address.split('@').next().expect("a name")),
        format!("ppt_{}", "Az09-_".repeat(8)),
        format!("whsec_{}", "MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw"),
        app.log_in("ann").await.token.expect("a token"),
        format!("ppr_{}", &"Az09-_z".repeat(7)[..43]),
        format!("ppt_{}\n{}", "Az09".repeat(5), "z-_A".repeat(6)),
        format!("{half}\u{200b}{rest}"),
        format!("{host_start}\u{200b}{host_end}/games/1"),
        format!("{host}:443/games/1"),
        format!("https://check.example.net/?url=https%253A%252F%252F{host}%252Fgames%252F1"),
        format!("https://check.example.net/v2/url?u=https-3A__{host}_games_1"),
    ] {
        ann.post(&path, &json!({"text": text})).await.problem(409, "message_refused");
        let sent = Sent::answer("ann", &turn, &format!("status\n---\nhave a look:\n{text}"));
        assert_eq!(deliver(&app, &sent).await, "taken", "{text}");
    }
    // A link's token is as long as entropy may be, and everybody sees the entropy.
    let open = support::games::open_game(&ann).await;
    for entropy in [token.clone(), format!("ppt_{}", "Az09-_".repeat(8))] {
        ann.put(&format!("{open}/entropy"), &json!({"entropy": entropy})).await.problem(422, "invalid_value");
        bob.post(&format!("{open}/join"), &json!({"entropy": entropy})).await.problem(422, "invalid_value");
    }
    let said = bob.get(&path).await.ok();
    assert!(
        !said.to_string().contains(half) && !said.to_string().to_lowercase().contains(&address),
        "{said}"
    );
    for text in [
        "see https://www.example.net/?token=1 for the rules".to_owned(),
        format!("We play at {host}. Where do you play?"),
    ] {
        ann.post(&path, &json!({"text": text})).await.expect_status(201);
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn of_a_message_that_is_told_in_part_the_player_learns_which() {
    let app = TestApp::start().await;
    let (game, [_, bob]) = pip_pip(&app).await;
    let post = Post::of(&app);
    let turn = post.last("ann").await;
    for (text, said) in [
        (
            "status\n---\nSee you on 21.11.2026!\n\nThe rules: https://www.example.net/rules and more.",
            "was told to the table",
        ),
        ("status\n---\nTime: 12:30 tomorrow?\nPlace: the usual", "was told to the table"),
        (
            "status\n---\nGood luck!\n\nACME Ltd\nTel. 030 1234567\n\nBy the way",
            "Only this was told to the table: \"Good luck!\"",
        ),
        ("status\n---\n", "Nothing of yours stood below the dashes"),
        ("status\n---\n> Well played!", "Nothing of yours stood below the dashes"),
        ("status\n---\nDate: 21.11.2026\nFrom: here", "looks like a signature or a quoted mail"),
    ] {
        assert_eq!(deliver(&app, &Sent::answer("ann", &turn, text)).await, "taken");
        let answer = post.last("ann").await.text.replace('\n', " ");
        assert!(answer.contains(said), "{text}: {answer}");
    }
    let told = bob.get(&format!("{game}/messages")).await.ok();
    let texts: Vec<&str> =
        told["messages"].as_array().expect("a list").iter().filter_map(|one| one["text"].as_str()).collect();
    assert_eq!(texts.len(), 3, "{texts:?}");
    assert!(
        texts[0].ends_with("and more.") && texts[1].ends_with("the usual") && texts[2] == "Good luck!",
        "{texts:?}"
    );
}

#[tokio::test(flavor = "multi_thread")]
async fn an_answer_of_ours_never_reaches_the_table_or_acts_however_it_is_quoted() {
    let app = TestApp::start().await;
    let (game, [ann, bob]) = pip_pip(&app).await;
    let post = Post::of(&app);
    bob.post(&format!("{game}/messages"), &json!({"text": "gg; store; gg"})).await.expect_status(201);
    bob.post(&format!("{game}/messages"), &json!({"text": "gg; turns off; gg"})).await.expect_status(201);
    let turn = post.last("ann").await;
    assert_eq!(deliver(&app, &Sent::answer("ann", &turn, "status")).await, "taken");
    for between in ["\n\n", "\n", "\n\nskrev 21 november 2026 13:00:\n\n"] {
        let quoted = post.last("ann").await;
        let text = format!("status\n---\nWell played!{between}{}", quoted.text);
        assert_eq!(deliver(&app, &Sent::answer("ann", &quoted, &text)).await, "taken");
        let thanks = format!("Thank you!{between}{}", quoted.text);
        assert_eq!(deliver(&app, &Sent::answer("ann", &quoted, &thanks)).await, "taken");
    }
    assert_eq!(ann.get(&game).await.ok()["seq"], 0);
    assert_eq!(ann.get("/api/v1/me/notification-preferences").await.ok()["turns"], "each");
    let told = bob.get(&format!("{game}/messages")).await.ok();
    for message in told["messages"].as_array().expect("a list").iter().filter(|one| one["handle"] == "ann") {
        assert_eq!(message["text"], "Well played!");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn what_our_mail_holds_never_reaches_the_table_however_it_is_quoted() {
    let app = TestApp::start().await;
    let (game, [_, bob]) = pip_pip(&app).await;
    let post = Post::of(&app);
    let turn = post.last("ann").await;
    for (number, between) in
        ["\n\n", "\n", "\n\nVan: pippost\nVerzonden: 21-11-2026\n\n", "\n\nskrev 21 november 2026 13:00:\n\n"]
            .into_iter()
            .enumerate()
    {
        let text = format!("status\n---\nWell played {number}!{between}{}", turn.text);
        assert_eq!(deliver(&app, &Sent::answer("ann", &turn, &text)).await, "taken");
    }
    let said = bob.get(&format!("{game}/messages")).await.ok();
    let texts: Vec<&str> =
        said["messages"].as_array().expect("a list").iter().filter_map(|one| one["text"].as_str()).collect();
    assert_eq!(texts, ["Well played 0!", "Well played 1!", "Well played 2!", "Well played 3!"]);
}

#[tokio::test(flavor = "multi_thread")]
async fn the_mail_about_a_message_is_answered_with_a_message_or_a_move() {
    let app = TestApp::start().await;
    let (game, [ann, bob]) = pip_pip(&app).await;
    let post = Post::of(&app);
    for player in [&ann, &bob] {
        player.patch("/api/v1/me/notification-preferences", &json!({"messages": true})).await.ok();
    }
    bob.post(&format!("{game}/messages"), &json!({"text": "Good luck!"})).await.expect_status(201);
    let told = post.last("ann").await;
    assert_eq!(told.kind, "message");
    assert!(told.text.contains("answer with a line \"---\" and your text below it"), "{}", told.text);
    assert_eq!(deliver(&app, &Sent::answer("ann", &told, "store\n---\nyou too")).await, "taken");
    assert_eq!(ann.get(&game).await.ok()["seq"], 1, "played");
    let told = post.all("bob").await.into_iter().rfind(|mail| mail.kind == "message").expect("a mail");
    assert!(told.text.contains("ann says: “you too”"), "{}", told.text);
    assert_eq!(deliver(&app, &Sent::answer("bob", &told, "messages off")).await, "taken");
    let preferences = bob.get("/api/v1/me/notification-preferences").await.ok();
    assert_eq!(preferences["messages"], false);
}

#[tokio::test(flavor = "multi_thread")]
async fn whom_the_operator_has_muted_says_nothing_by_mail_either_but_moves() {
    let app = TestApp::start().await;
    let (game, [ann, bob]) = pip_pip(&app).await;
    let post = Post::of(&app);
    let turn = post.last("ann").await;
    bob.post("/api/v1/me/reports", &json!({"handle": "ann", "reason": "spam"})).await.expect_status(204);
    let report = moderation::open_reports(&app.app.database, 1).await.expect("reports")[0].id;
    let decision = Decision { kind: ActKind::Mute, words: "No advertising.", ends_at: None };
    let now = app.app.clock.now();
    moderation::decide(&app.app.database, report, &decision, now).await.expect("a decision").expect("an act");
    let legal = ann.get(&format!("{game}/actions")).await.ok();
    let notation = legal["notation"][0].as_str().expect("notation").to_owned();
    let answer = Sent::answer("ann", &turn, &format!("{notation}\n---\nBuy this!"));
    assert_eq!(deliver(&app, &answer).await, "taken");
    let told = post.last("ann").await.text;
    assert!(told.contains("The operator has muted you"), "{told}");
    assert_eq!(ann.get(&game).await.ok()["seq"], 1, "the move was made");
    assert_eq!(bob.get(&format!("{game}/messages")).await.ok()["messages"], json!([]));
}
