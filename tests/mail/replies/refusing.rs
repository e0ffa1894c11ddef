//! Mails that must not move, and the answers to them.

use std::collections::BTreeSet;

use pippost::replies::{
    MAX_ANSWERS_AN_HOUR, MAX_FOREIGN_MAILS_A_DAY, MAX_MAIL_BYTES, MAX_MAILS_A_DAY, MAX_VAIN_ALIKE,
    REPLY_LIFETIME,
};
use reqwest::Method;
use serde_json::{Value, json};
use time::Duration;

use super::{Got, Post, Sent, deliver, deliver_raw};
use support::db::db_count;
use support::games::pip_pip;
use support::{Client, INBOUND_SECRET, TestApp};

/// A game that waits for ann, and her turn mail.
pub struct Table {
    pub app: TestApp,
    pub game: String,
    pub ann: Client,
    pub bob: Client,
}

impl Table {
    pub async fn set() -> Self {
        let app = TestApp::start().await;
        let (game, [ann, bob]) = pip_pip(&app).await;
        Self { app, game, ann, bob }
    }

    pub async fn seq(&self) -> Value {
        self.app.stranger().get(&self.game).await.ok()["seq"].clone()
    }

    /// Delivers an answer of ann's that must change nothing; returns the mail that she gets.
    pub async fn refused(&self, post: &Post, sent: &Sent) -> Got {
        let (seq, mails) = (self.seq().await, post.all("ann").await.len());
        assert_eq!(deliver(&self.app, sent).await, "taken");
        assert_eq!(self.seq().await, seq);
        let all = post.all("ann").await;
        assert_eq!(all.len(), mails + 1, "one answer");
        let answer = all.last().expect("an answer").clone();
        assert_eq!(answer.kind, "answer");
        answer
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_mail_that_asks_for_nothing_that_can_be_done_is_told_so_and_may_be_tried_again() {
    let table = Table::set().await;
    let post = Post::of(&table.app);
    let turn = post.last("ann").await;
    let quoted = "> store\n> roll\n";
    for (text, said) in [
        ("", "nothing to read"),
        (quoted, "nothing to read"),
        ("-- \nann", "nothing to read"),
        ("blargh", "no order in your mail"),
        ("blargh", "left them out: \"blargh\""),
        ("hlep", "not understand \"hlep\""),
        ("roll", "\"roll\" is not possible"),
        ("d4", "\"d4\" is not complete: it can be any of these: d4 n"),
        ("store\nresign", "it must stand alone"),
    ] {
        let answer = table.refused(&post, &Sent::answer("ann", &turn, text)).await;
        assert!(answer.text.replace('\n', " ").contains(said), "{text}: {}", answer.text);
        assert!(answer.text.contains("\n  store, "), "what is legal: {}", answer.text);
    }
    assert_eq!(deliver(&table.app, &Sent::answer("ann", &turn, "store")).await, "taken");
    assert_eq!(table.seq().await, 1);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_token_moves_once_and_for_its_position_only() {
    let table = Table::set().await;
    let post = Post::of(&table.app);
    let turn = post.last("ann").await;
    assert_eq!(deliver(&table.app, &Sent::answer("ann", &turn, "store")).await, "taken");
    let used = table.refused(&post, &Sent::answer("ann", &turn, "c3 n1")).await;
    assert!(used.text.contains("had done its work already"), "{}", used.text);

    // She can answer the answer; a move made elsewhere makes it late.
    let legal = table.ann.get(&format!("{}/actions", table.game)).await.ok();
    let body = json!({"actions": [legal["actions"][1]]});
    table.ann.post(&format!("{}/moves", table.game), &body).await.expect_status(200);
    let late = table.refused(&post, &Sent::answer("ann", &used, "store")).await;
    assert!(late.text.contains("has moved on"), "{}", late.text);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_token_expires() {
    let table = Table::set().await;
    let post = Post::of(&table.app);
    let turn = post.last("ann").await;
    table.app.app.clock.advance(REPLY_LIFETIME);
    let (to, sent) = (turn.reply_to.clone(), Sent::answer("ann", &turn, "store"));
    assert_eq!(deliver(&table.app, &sent).await, "taken");
    let answer = post.last("ann").await;
    assert!(answer.text.contains("too old to be answered"), "{}", answer.text);
    assert_ne!(answer.reply_to, to);
}

#[tokio::test(flavor = "multi_thread")]
async fn who_is_not_asked_is_told_so() {
    let table = Table::set().await;
    let post = Post::of(&table.app);
    let started = post.last("bob").await;
    assert_eq!(deliver(&table.app, &Sent::answer("bob", &started, "store")).await, "taken");
    let answer = post.last("bob").await;
    assert!(answer.text.contains("It is not your turn"), "{}", answer.text);
    assert_eq!(table.seq().await, 0);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_forged_token_is_no_address_and_nobody_hears_of_it() {
    let table = Table::set().await;
    let post = Post::of(&table.app);
    let turn = post.last("ann").await;
    let before = post.all("ann").await.len();
    let mut sent = Sent::answer("ann", &turn, "store");
    let letter = sent.to.chars().nth(10).expect("a token");
    let other = if letter == 'a' { "b" } else { "a" };
    sent.to.replace_range(10..11, other);
    deliver_raw(&table.app, "", sent.raw()).await.problem(404, "not_found");
    (sent.to, sent.from) = ("play@example.org".to_owned(), "stranger@example.net".to_owned());
    deliver_raw(&table.app, "", sent.raw()).await.problem(404, "not_found");
    assert_eq!(table.seq().await, 0);
    assert_eq!(post.all("ann").await.len(), before);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_token_does_nothing_from_another_address_and_only_its_owner_hears_of_it() {
    let table = Table::set().await;
    let post = Post::of(&table.app);
    let turn = post.last("ann").await;
    let mut sent = Sent::answer("ann", &turn, "store");
    for from in ["eve@example.org", "bob@example.org"] {
        sent = Sent { from: from.to_owned(), id: format!("1.{from}"), ..sent };
        let answer = table.refused(&post, &sent).await;
        assert!(answer.text.contains("from an address that is not"), "{}", answer.text);
        assert!(!answer.raw.contains("eve@"), "{}", answer.raw);
    }
    assert!(post.all("eve").await.is_empty());
    // Case does not matter in either address.
    let sent =
        Sent { from: "Ann@Example.ORG".to_owned(), to: sent.to.to_uppercase(), id: "2".to_owned(), ..sent };
    assert_eq!(deliver(&table.app, &sent).await, "taken");
    assert_eq!(table.seq().await, 1);
}

/// Headers of programs that some people's mails have, too.
const SUSPECT: [&str; 7] = [
    "Precedence: bulk\r\n",
    "Precedence: list\r\n",
    "Precedence: Junk\r\n",
    "List-Id: <friends.example.org>\r\n",
    "List-Unsubscribe: <mailto:x@example.org>\r\n",
    "X-Autoreply: yes\r\n",
    "X-Auto-Response-Suppress: All\r\n",
];

#[tokio::test(flavor = "multi_thread")]
async fn a_domain_is_the_same_in_each_of_its_forms() {
    use diesel::{ExpressionMethods, QueryDsl};
    use diesel_async::RunQueryDsl;
    use pippost::store::schema::players;
    for (known, from) in [
        ("ann@bücher.example", "Ann@xn--bcher-kva.example"),
        ("ann@xn--bcher-kva.example", "ann@bücher.example"),
    ] {
        let table = Table::set().await;
        let turn = Post::of(&table.app).last("ann").await;
        let address = (players::email.eq(known), players::email_key.eq(known));
        let ann = players::table.filter(players::handle.eq("ann"));
        let changed = diesel::update(ann).set(address).execute(&mut table.app.db_superuser().await).await;
        assert_eq!(changed.expect("an update"), 1);
        let sent = Sent { from: from.to_owned(), ..Sent::answer("ann", &turn, "store") };
        assert_eq!(deliver(&table.app, &sent).await, "taken");
        assert_eq!(table.seq().await, 1, "{from}");
        let common = Sent { to: "play@example.org".to_owned(), id: "2@x".to_owned(), ..sent };
        assert_eq!(deliver(&table.app, &common).await, "taken", "{from}");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn what_a_person_orders_is_done_whatever_programs_on_the_way_have_added() {
    for headers in SUSPECT.into_iter().chain(["X-Autoreply: no\r\n"]) {
        let table = Table::set().await;
        let post = Post::of(&table.app);
        let turn = post.last("ann").await;
        let sent = Sent { headers: headers.to_owned(), ..Sent::answer("ann", &turn, "store") };
        assert_eq!(deliver(&table.app, &sent).await, "taken", "{headers}");
        assert_eq!(table.seq().await, 1, "{headers}");
    }
}

/// Of how many mails this server has read more than the headers.
async fn mails_read(app: &TestApp) -> i64 {
    let metrics = app.metrics().await;
    let line = metrics.lines().find_map(|line| line.strip_prefix("pippost_mails_read_total "));
    line.and_then(|count| count.parse().ok()).expect("a count")
}

#[tokio::test(flavor = "multi_thread")]
async fn beyond_so_many_mails_in_a_day_none_is_read_and_the_first_is_answered() {
    let table = Table::set().await;
    let post = Post::of(&table.app);
    let turn = post.last("ann").await;
    for number in 0..MAX_MAILS_A_DAY {
        assert_eq!(deliver(&table.app, &Sent::answer("ann", &turn, "status")).await, "taken", "{number}");
    }
    for expected in ["taken", "ignored", "ignored"] {
        assert_eq!(deliver(&table.app, &Sent::answer("ann", &turn, "store")).await, expected);
    }
    assert_eq!(table.seq().await, 0);
    // Those that were ignored were counted before their text was read.
    assert_eq!(mails_read(&table.app).await, MAX_MAILS_A_DAY + 1);
    // Bob's mails are his own.
    let started = post.last("bob").await;
    assert_eq!(deliver(&table.app, &Sent::answer("bob", &started, "status")).await, "taken");
    table.app.app.clock.advance(Duration::DAY);
    let told = post.last("ann").await.text.replace('\n', " ");
    assert!(told.contains("300 mails of yours within a day"), "{told}");
    assert_eq!(deliver(&table.app, &Sent::answer("ann", &post.last("ann").await, "store")).await, "taken");
    assert_eq!(table.seq().await, 1);
}

#[tokio::test(flavor = "multi_thread")]
async fn mails_of_others_with_a_token_that_was_found_use_up_none_of_the_player_s_mails() {
    let table = Table::set().await;
    let turn = Post::of(&table.app).last("ann").await;
    for number in 0..MAX_FOREIGN_MAILS_A_DAY + 9 {
        let found = Sent { from: "eve@example.net".to_owned(), ..Sent::answer("ann", &turn, "store") };
        let expected = if number < MAX_VAIN_ALIKE { "taken" } else { "ignored" };
        assert_eq!(deliver(&table.app, &found).await, expected, "{number}");
    }
    let kept = db_count(&mut table.app.db_superuser().await, "select count(*) from replies").await;
    assert_eq!(kept, MAX_FOREIGN_MAILS_A_DAY);
    assert_eq!(mails_read(&table.app).await, MAX_FOREIGN_MAILS_A_DAY);
    for number in 1..MAX_MAILS_A_DAY {
        assert_eq!(deliver(&table.app, &Sent::answer("ann", &turn, "status")).await, "taken", "{number}");
    }
    assert_eq!(deliver(&table.app, &Sent::answer("ann", &turn, "store")).await, "taken");
    assert_eq!(table.seq().await, 1);
}

#[tokio::test(flavor = "multi_thread")]
async fn what_machines_send_neither_moves_nor_gets_an_answer() {
    let table = Table::set().await;
    let post = Post::of(&table.app);
    let turn = post.last("ann").await;
    let before = post.all("ann").await.len();
    for headers in [
        "Auto-Submitted: auto-replied\r\n",
        "Auto-Submitted: auto-generated (vacation)\r\n",
        "Return-Path: <>\r\n",
    ] {
        let sent = Sent { headers: headers.to_owned(), ..Sent::answer("ann", &turn, "store") };
        assert_eq!(deliver(&table.app, &sent).await, "ignored", "{headers}");
    }
    for headers in SUSPECT {
        let sent = Sent { headers: headers.to_owned(), ..Sent::answer("ann", &turn, "I am away until May.") };
        assert_eq!(deliver(&table.app, &sent).await, "ignored", "{headers}");
    }
    let null = deliver_raw(&table.app, "?sender=", Sent::answer("ann", &turn, "store").raw()).await.ok();
    assert_eq!(null["outcome"], "ignored");
    let sent = Sent { from: "MAILER-DAEMON@example.org".to_owned(), ..Sent::answer("ann", &turn, "store") };
    assert_eq!(deliver(&table.app, &sent).await, "ignored");
    // Our own mail, sent back to us.
    let own = deliver_raw(
        &table.app,
        &format!("?recipient={}", turn.reply_to.as_ref().expect("one").replace('+', "%2B")),
        turn.raw.clone(),
    )
    .await;
    assert_eq!(own.ok()["outcome"], "ignored");
    assert_eq!(table.seq().await, 0);
    assert_eq!(post.all("ann").await.len(), before);
    // A person's mail may state that it was not sent automatically.
    let sent = Sent { headers: "Auto-Submitted: no\r\n".to_owned(), ..Sent::answer("ann", &turn, "store") };
    assert_eq!(deliver(&table.app, &sent).await, "taken");
    assert_eq!(table.seq().await, 1);
}

#[tokio::test(flavor = "multi_thread")]
async fn nobody_delivers_over_http_without_the_secret_and_nothing_beyond_the_bounds() {
    let table = Table::set().await;
    let path = "/api/v1/inbound/mail";
    let send = async |headers: &[(&str, &str)], body: String| {
        table.app.stranger().send(Method::POST, path, Some(body), headers).await
    };
    let kind = ("Content-Type", "message/rfc822");
    send(&[kind], "x".to_owned()).await.problem(401, "unauthenticated");
    for wrong in ["", "wrong", &INBOUND_SECRET[1..]] {
        send(&[kind, ("X-Inbound-Secret", wrong)], "x".to_owned()).await.problem(401, "unauthenticated");
    }
    let right = ("X-Inbound-Secret", INBOUND_SECRET);
    send(&[right], "{}".to_owned()).await.problem(415, "unsupported_media_type");
    send(&[kind, right], String::new()).await.problem(409, "unreadable_mail");
    let large = format!("From: ann@example.org\r\n\r\n{}", "x".repeat(MAX_MAIL_BYTES));
    send(&[kind, right], large).await.problem(413, "body_too_large");
}

#[tokio::test(flavor = "multi_thread")]
async fn words_are_answered_and_resigning_needs_its_word() {
    let table = Table::set().await;
    let post = Post::of(&table.app);
    let turn = post.last("ann").await;
    for (text, said) in [
        ("status", "stands."),
        ("Board", "The board:"),
        ("history", "The game has started."),
        ("help", "How to write:"),
    ] {
        let answer = table.refused(&post, &Sent::answer("ann", &turn, text)).await;
        assert!(answer.text.contains(said), "{text}: {}", answer.text);
    }
    let asked = table.refused(&post, &Sent::answer("ann", &turn, "resign")).await;
    let line = asked.text.lines().find(|line| line.starts_with("  resign ")).expect("a line to copy").trim();
    let wrong = table.refused(&post, &Sent::answer("ann", &asked, "resign abcdef")).await;
    assert!(wrong.text.contains("You want to resign"), "{}", wrong.text);
    assert_eq!(deliver(&table.app, &Sent::answer("ann", &wrong, line)).await, "taken");
    let end = table.bob.get(&table.game).await.ok();
    assert_eq!(end["result"]["reason"], "resignation");
    let kinds: Vec<_> = post.all("ann").await.iter().rev().take(2).map(|got| got.kind).collect();
    assert!(kinds.contains(&"answer") && kinds.contains(&"game_over"), "{kinds:?}");
}

#[tokio::test(flavor = "multi_thread")]
async fn beyond_so_many_answers_in_an_hour_mails_are_done_and_answered_in_one_later() {
    let table = Table::set().await;
    let post = Post::of(&table.app);
    let turn = post.last("ann").await;
    let before = post.all("ann").await.len();
    let bound = usize::try_from(MAX_ANSWERS_AN_HOUR).expect("a small number");
    for number in 0..bound {
        assert_eq!(deliver(&table.app, &Sent::answer("ann", &turn, "help")).await, "taken", "{number}");
    }
    assert_eq!(post.all("ann").await.len(), before + bound);
    // A move is still made, and its message is sent to the table; the answer is delayed.
    let mail = Sent::answer("ann", &turn, "store\n---\nGood luck!");
    assert_eq!(deliver(&table.app, &mail).await, "taken");
    assert_eq!(table.seq().await, 1);
    assert_eq!(deliver(&table.app, &Sent::answer("ann", &turn, "history")).await, "taken");
    let said = table.bob.get(&format!("{}/messages", table.game)).await.ok();
    assert_eq!(said["messages"][0]["text"], "Good luck!");
    assert_eq!(post.all("ann").await.len(), before + bound);
    table.app.app.clock.advance(Duration::HOUR);
    let all = post.all("ann").await;
    assert_eq!(all.len(), before + bound + 1, "one for both");
    let text = all.last().expect("an answer").text.replace('\n', " ");
    assert!(text.contains("Done: store.") && text.contains("answered here together"), "{text}");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_program_that_answers_without_saying_so_is_answered_three_times() {
    let table = Table::set().await;
    let post = Post::of(&table.app);
    let before = post.all("ann").await.len();
    for number in 0..6 {
        let newest = post.last("ann").await;
        let loops = Sent::answer("ann", &newest, "I am on holiday until Monday and will answer then.");
        let expected = if number < 3 { "taken" } else { "ignored" };
        assert_eq!(deliver(&table.app, &loops).await, expected, "{number}");
    }
    assert_eq!(post.all("ann").await.len(), before + 3);
    // The same player can still move.
    assert_eq!(deliver(&table.app, &Sent::answer("ann", &post.last("ann").await, "store")).await, "taken");
    assert_eq!(table.seq().await, 1);
}

#[tokio::test(flavor = "multi_thread")]
async fn an_answer_says_that_a_machine_wrote_it_and_wants_none_from_machines() {
    let table = Table::set().await;
    let post = Post::of(&table.app);
    let turn = post.last("ann").await;
    assert!(turn.raw.contains("Auto-Submitted: auto-generated\r\n"), "{}", turn.raw);
    let answer = table.refused(&post, &Sent::answer("ann", &turn, "status")).await;
    for header in ["Auto-Submitted: auto-replied\r\n", "X-Auto-Response-Suppress: All\r\n"] {
        assert!(answer.raw.contains(header), "{}", answer.raw);
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn mails_of_another_server_of_this_kind_do_nothing_and_get_no_answer() {
    let (here, there) = (Table::set().await, Table::set().await);
    let [ours, theirs] = [&here, &there].map(|table| Post::of(&table.app));
    let to = ours.last("ann").await.reply_to.expect("an address");
    there.refused(&theirs, &Sent::answer("ann", &theirs.last("ann").await, "status")).await;
    let before = ours.all("ann").await.len();
    let mails = [theirs.all("ann").await, theirs.all("bob").await].concat();
    let kinds: BTreeSet<_> = mails.iter().map(|mail| mail.kind).collect();
    assert!(kinds.contains("turn") && kinds.contains("answer"), "{kinds:?}");
    for mail in &mails {
        // As if the address of a player were that of another server, for answers or for everybody.
        for to in [to.as_str(), "play@example.org"] {
            let query = format!("?recipient={}&sender=play@example.org", to.replace('+', "%2B"));
            let answer: Value = deliver_raw(&here.app, &query, mail.raw.clone()).await.ok();
            assert_eq!(answer["outcome"], "ignored", "{} to {to}", mail.kind);
        }
    }
    assert_eq!(ours.all("ann").await.len(), before);
    assert_eq!(here.seq().await, 0);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_mail_without_one_sender_does_nothing_and_the_player_is_told() {
    let table = Table::set().await;
    let post = Post::of(&table.app);
    let turn = post.last("ann").await;
    for headers in ["From: eve@example.org\r\n", "From: Ann <ann@example.org>\r\n"] {
        let sent = Sent { headers: headers.to_owned(), ..Sent::answer("ann", &turn, "store") };
        let answer = table.refused(&post, &sent).await;
        assert!(says_that_the_sender_is_unclear(&answer), "{}", answer.text);
    }
    let senders = ["", "From:\r\n", "From: Ann\r\n", "From: ann@example.org, eve@example.org\r\n"];
    for (number, from) in senders.into_iter().enumerate() {
        // Each mail is worded differently, because equal ones are answered only three times.
        let raw = Sent::answer("ann", &turn, &format!("store\n\nThe mail {number}")).raw();
        let raw = raw.replace("From: Somebody <ann@example.org>\r\n", from);
        assert!(!raw.contains("Somebody"));
        let before = post.all("ann").await.len();
        assert_eq!(deliver_raw(&table.app, "", raw).await.ok()["outcome"], "taken", "{from:?}");
        assert_eq!(table.seq().await, 0);
        let answer = post.all("ann").await.split_off(before).pop().expect("an answer");
        assert!(says_that_the_sender_is_unclear(&answer), "{from:?}: {}", answer.text);
    }
}

fn says_that_the_sender_is_unclear(answer: &Got) -> bool {
    answer.text.replace('\n', " ").contains("names no sender, or more than one")
}

#[tokio::test(flavor = "multi_thread")]
async fn several_orders_are_done_in_order_and_the_answer_says_where_they_ended() {
    for (text, seq, said) in [
        ("store\nc9 n9\nroll", 1, "Then I did not understand \"c9 n9\""),
        ("store\nroll", 1, "Then \"roll\" was not possible"),
        ("c3 n1\nc4 n1", 1, "ended your turn, so this was not done: c4 n1"),
        ("store\nveel plezier", 1, "left them out: \"veel plezier\""),
    ] {
        let table = Table::set().await;
        let post = Post::of(&table.app);
        let turn = post.last("ann").await;
        // The die on the table is random: the placement is the first possible place for it.
        let legal = table.ann.get(&format!("{}/actions", table.game)).await.ok();
        let places: Vec<&str> =
            legal["notation"].as_array().expect("a list").iter().filter_map(Value::as_str).collect();
        let place =
            |cell: &str| places.iter().find(|place| place.starts_with(cell)).map_or("", |place| *place);
        let text = text.replace("c3 n1", place("c3")).replace("c4 n1", place("c4"));
        let said = said.replace("c4 n1", place("c4"));
        assert_eq!(deliver(&table.app, &Sent::answer("ann", &turn, &text)).await, "taken");
        assert_eq!(table.seq().await, seq, "{text}");
        let answer =
            post.all("ann").await.into_iter().rfind(|mail| mail.kind == "answer").expect("an answer");
        assert!(answer.text.replace('\n', " ").contains(&said), "{text}: {}", answer.text);
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_mail_to_the_common_address_is_answered_with_how_to_move_and_strangers_are_refused() {
    let table = Table::set().await;
    let post = Post::of(&table.app);
    let turn = post.last("ann").await;
    let common = Sent { to: "play@example.org".to_owned(), ..Sent::answer("ann", &turn, "store") };
    for number in 0..5 {
        let sent = Sent { id: format!("{number}@x"), ..common.clone() };
        let expected = if number < 3 { "taken" } else { "ignored" };
        assert_eq!(deliver(&table.app, &sent).await, expected, "{number}");
    }
    assert_eq!(table.seq().await, 0);
    let hint = post.last("ann").await;
    assert_eq!((hint.kind, hint.subject.as_str()), ("how_to_move", "How to move by mail"));
    assert!(hint.text.contains("Pip•Pip against bob"), "{}", hint.text);
    let stranger = Sent { from: "stranger@example.net".to_owned(), ..common.clone() };
    deliver_raw(&table.app, "", stranger.raw()).await.problem(404, "not_found");
    let machine = Sent { headers: "Auto-Submitted: auto-replied\r\n".to_owned(), ..common };
    assert_eq!(deliver(&table.app, &machine).await, "ignored");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_line_sets_how_the_player_is_told() {
    let table = Table::set().await;
    let post = Post::of(&table.app);
    let turn = post.last("ann").await;
    let answer =
        table.refused(&post, &Sent::answer("ann", &turn, "digest 8:30\nquiet 22-7\nSprache de")).await;
    assert!(answer.text.contains("Deine Einstellungen sind geändert."), "{}", answer.text);
    let set = table.ann.get("/api/v1/me/notification-preferences").await.ok();
    assert_eq!(
        (&set["turns"], &set["language"], &set["digest_time"]),
        (&json!("digest"), &json!("de"), &json!("08:30"))
    );
    assert_eq!(set["quiet_hours"], json!({"from": "22:00", "until": "07:00"}));
    // A mail from another sender's address changes nothing.
    let sent = Sent { from: "eve@example.org".to_owned(), ..Sent::answer("ann", &turn, "turns off") };
    assert_eq!(deliver(&table.app, &sent).await, "taken");
    assert_eq!(table.ann.get("/api/v1/me/notification-preferences").await.ok()["turns"], "digest");
}

#[tokio::test(flavor = "multi_thread")]
async fn nobody_is_asked_to_confirm_a_resignation_of_a_game_that_has_ended_meanwhile() {
    let table = Table::set().await;
    let post = Post::of(&table.app);
    let turn = post.last("ann").await;
    // The mail is parsed before the game ends, and answered after.
    assert_eq!(deliver(&table.app, &Sent::answer("ann", &turn, "resign")).await, "taken");
    table.bob.post(&format!("{}/resign", table.game), &json!({})).await.ok();
    let answer = post.all("ann").await.into_iter().rfind(|mail| mail.kind == "answer").expect("an answer");
    assert!(!answer.text.contains("You want to resign"), "{}", answer.text);
    assert!(answer.text.contains("The game is over"), "{}", answer.text);
}
