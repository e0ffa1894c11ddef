//! The problem of the day in digests: for those who want it, once a day, and without its answer.

use diesel_async::SimpleAsyncConnection;
use mail_parser::MimeHeaders;
use pippost::games::learning::{self, GAMES_A_DAY, Problem};
use pippost::mail::mailer::SentMail;
use serde_json::{Value, json};
use time::Duration;
use time::macros::datetime;

use super::preferences::{Post, move_on, prefer};
use super::unsubscribe::{one_click, post_one_click};
use super::{db_fates, read};
use support::Client;
use support::browsing::Browsing;
use support::games::{missed_win, pip_pip_again};

/// A server on which ann and bob have played games, in each of which a problem was found today.
async fn with_problems(count: usize) -> (Post, [Client; 2]) {
    let post = Post::start().await;
    let players = [post.app.player("ann").await, post.app.player("bob").await];
    for _ in 0..count {
        missed_win([&players[0], &players[1]], &json!({})).await;
    }
    let games = &post.app.app.games;
    while learning::search_next(games, GAMES_A_DAY).await.expect("a step") > 0 {}
    (post, players)
}

/// Nothing by mail but the problem.
fn problem_alone() -> Value {
    json!({"turns": "none", "reminders": false, "games": false, "digest": {"problem": true}})
}

async fn of_day(post: &Post) -> Problem {
    learning::problem_of_day(&post.app.app.games).await.expect("an answer").expect("a problem")
}

async fn digests_to(post: &Post, handle: &str) -> Vec<SentMail> {
    post.mails(handle).await.into_iter().filter(|sent| sent.mail.kind == "digest").collect()
}

/// Whether a text has a word, and not only as a part of an id or a token.
fn has_word(text: &str, word: &str) -> bool {
    text.split(|sign: char| !sign.is_ascii_alphanumeric()).any(|part| part.eq_ignore_ascii_case(word))
}

#[tokio::test(flavor = "multi_thread")]
async fn the_problem_of_the_day_comes_once_a_day_at_the_players_hour_and_to_nobody_else() {
    let (post, [ann, bob]) = with_problems(1).await;
    prefer(&ann, &json!({"turns": "digest", "games": false})).await;
    let zone = json!({"zone": "Europe/Berlin", "digest_time": "07:30"});
    prefer(&bob, &zone).await;
    assert_eq!(prefer(&bob, &problem_alone()).await["digest"]["problem"], true);
    let clock = &post.app.app.clock;
    clock.set(datetime!(2026-11-22 06:29 UTC));
    assert_eq!(post.digests().await, 0, "not yet");
    clock.set(datetime!(2026-11-22 06:30 UTC));
    assert_eq!((post.digests().await, post.digests().await), (1, 0), "once");
    let mails = digests_to(&post, "bob").await;
    let [sent] = mails.as_slice() else { panic!("{mails:?}") };
    let problem = of_day(&post).await;
    let mover = ["ann", "bob"][problem.seat.index()];
    let question = format!("It is the turn of {mover}. What is best?");
    let link = format!("\n{}/problems/{}\n", post.app.app.public_url, problem.id);
    assert_eq!(sent.mail.subject, "The problem of the day: Pippinzip");
    for told in ["one move is clearly the best", &question, &link] {
        assert!(sent.mail.text.contains(told), "{told}: {}", sent.mail.text);
    }
    let best = &problem.answers[0].notation;
    let mail = read(&sent.raw);
    for part in [mail.body_text(0), mail.body_html(0)] {
        let part = part.expect("a part");
        assert!(!has_word(&part, best) && !part.contains("answer="), "{best} is the answer: {part}");
    }
    let pictures: Vec<_> = mail.attachments().collect();
    let ids: Vec<_> = pictures.iter().filter_map(|picture| picture.content_id()).collect();
    assert_eq!(ids, ["board"]);
    assert!(pictures[0].contents().starts_with(b"\x89PNG"));

    prefer(&post.app.log_in("bob").await, &json!({"digest_time": "09:00"})).await;
    clock.set(datetime!(2026-11-22 08:00 UTC));
    assert_eq!(post.digests().await, 1, "of ann's");
    assert!(digests_to(&post, "ann").await.is_empty(), "she wants to hear of games that wait");
    assert_eq!(digests_to(&post, "bob").await.len(), 1, "once a day, also at another hour");
    clock.set(datetime!(2026-11-23 07:59 UTC));
    assert_eq!(post.digests().await, 0, "once a day");
    clock.set(datetime!(2026-11-23 08:00 UTC));
    assert_eq!(post.digests().await, 2);
    assert_eq!(digests_to(&post, "bob").await.len(), 2);
}

#[tokio::test(flavor = "multi_thread")]
async fn yesterdays_answer_is_a_link_unless_the_same_problem_comes_again() {
    let (post, [_, bob]) = with_problems(2).await;
    // Which is drawn depends on the ids: so each is on some days.
    let mut superuser = post.app.db_superuser().await;
    let ids = "update problems set id = case when id = (select min(id::text)::uuid from problems) \
               then '00000000-0000-4000-8000-000000000000'::uuid else '7fffffff-ffff-4fff-8fff-ffffffffffff' end";
    superuser.batch_execute(ids).await.expect("ids");
    prefer(&bob, &problem_alone()).await;
    let clock = &post.app.app.clock;
    clock.set(datetime!(2026-11-22 08:00 UTC));
    let (mut before, mut changes, mut same) = (None::<Problem>, 0, 0);
    for day in 1..=14 {
        assert_eq!(post.digests().await, 1, "day {day}");
        let mails = digests_to(&post, "bob").await;
        assert_eq!(mails.len(), day, "one a day");
        let text = &mails[day - 1].mail.text;
        let today = of_day(&post).await;
        assert!(text.contains(&format!("/problems/{}\n", today.id)), "{text}");
        let other = before.filter(|before| before.id != today.id);
        let told: Vec<_> = text.lines().filter(|line| line.contains("?answer=")).collect();
        let expected = other.map(|other| format!("/problems/{}?answer=c3", other.id));
        match &expected {
            Some(page) => assert_eq!(told, [format!("{}{page}", post.app.app.public_url)]),
            None => assert!(told.is_empty(), "the answer of today: {text}"),
        }
        if let Some(page) = expected.filter(|_| changes == 0) {
            let html = Browsing::of(&post.app).get(&page).await.expect(200).html;
            assert!(html.contains("Right: with this move the chance of winning is"), "{html}");
            changes += 1;
        } else {
            same += usize::from(told.is_empty());
        }
        before = Some(today);
        post.advance(Duration::DAY);
    }
    assert!(changes > 0 && same > 1, "both kinds of days");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_problem_stands_below_the_games_that_wait_and_a_day_without_one_has_no_mail() {
    let (post, [ann, bob]) = with_problems(1).await;
    let eve = post.app.player("eve").await;
    prefer(&eve, &problem_alone()).await;
    prefer(&eve, &json!({"digest_time": "12:05"})).await;
    post.advance(Duration::minutes(5));
    assert_eq!(post.digests().await, 1);
    assert!(digests_to(&post, "eve").await.is_empty(), "found today, and so not the problem of today");
    let fate = db_fates(&post.app, "eve").await.pop().expect("a notice");
    assert_eq!((fate.kind.as_str(), fate.reason.as_deref()), ("digest", Some("overtaken by events")));

    prefer(&bob, &json!({"turns": "digest", "games": false, "digest": {"problem": true}})).await;
    let game = pip_pip_again(&ann, &bob).await;
    move_on(&game, &ann).await;
    post.app.app.clock.set(datetime!(2026-11-22 08:00 UTC));
    assert_eq!(post.digests().await, 1);
    let mails = digests_to(&post, "bob").await;
    let [sent] = mails.as_slice() else { panic!("{mails:?}") };
    assert_eq!(sent.mail.subject, "One game waits for you");
    let (game, problem) = (sent.mail.text.find("Pip•Pip against ann"), sent.mail.text.find("/problems/"));
    assert!(game.zip(problem).is_some_and(|(game, problem)| game < problem), "{}", sent.mail.text);
}

#[tokio::test(flavor = "multi_thread")]
async fn the_problem_is_switched_on_and_off_on_the_page_and_off_by_the_link_of_the_mail() {
    let (post, [_, bob]) = with_problems(1).await;
    let page = Browsing::log_in(&post.app, "bob").await;
    let wants = async |client: &Client| prefer(client, &json!({})).await["digest"]["problem"].clone();
    assert_eq!(wants(&bob).await, false, "off at first");
    let html = page.get("/preferences/notices").await.expect(200).html;
    let field = html.split("name=\"digest_problem\"").nth(1).and_then(|rest| rest.split('>').next());
    assert_eq!(field.map(|field| field.contains("checked")), Some(false), "{html}");
    let rest = [("turns", "none"), ("digest_time", "08:00"), ("mail_enabled", "on")];
    page.post("/preferences/mails", &rest).await.expect(303);
    assert_eq!(wants(&bob).await, false);
    page.get("/preferences/notices").await.expect(200);
    page.post("/preferences/mails", &[&rest[..], &[("digest_problem", "on")]].concat()).await.expect(303);
    assert_eq!(wants(&bob).await, true);

    post.app.app.clock.set(datetime!(2026-11-22 08:00 UTC));
    assert_eq!(post.digests().await, 1);
    let mails = digests_to(&post, "bob").await;
    let answer = post_one_click(&one_click(&post.app, mails.last().expect("a digest"))).await;
    assert!(answer.status().is_success(), "{}", answer.status());
    assert_eq!(wants(&post.app.log_in("bob").await).await, false);
    post.advance(Duration::DAY);
    assert_eq!(post.digests().await, 0, "no digest is planned");
}
