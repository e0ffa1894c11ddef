//! Reports, what an operator did about them, appeals, and muted players, on pages.

use pippost::store::commit;
use pippost::store::moderation::{self, ActKind, Decision, Verdict};
use reqwest::Method;
use serde_json::json;
use time::Duration;

use support::browsing::Browsing;
use support::games::pip_pip;
use support::post::Post;
use support::{Client, TestApp};

async fn say(client: &Client, game: &str, text: &str) {
    client.post(&format!("{game}/messages"), &json!({"text": text})).await.expect_status(201);
}

/// The values of a hidden field of a page.
fn hidden<'a>(html: &'a str, name: &str) -> Vec<&'a str> {
    let marked = format!("name=\"{name}\" value=\"");
    html.split(marked.as_str()).skip(1).filter_map(|rest| rest.split('"').next()).collect()
}

/// The links of a page that lead to the form of reports.
fn report_links(html: &str) -> Vec<String> {
    let plain = html.replace("&#x2f;", "/").replace("&amp;", "&");
    let links = plain.split("href=\"/report?").skip(1).filter_map(|rest| rest.split('"').next());
    links.map(|query| format!("/report?{query}")).collect()
}

/// An operator decides the oldest report.
async fn decide(app: &TestApp, kind: ActKind, words: &str, ends_in: Option<Duration>) {
    let (database, now) = (&app.app.database, app.app.clock.now());
    let open = moderation::open_reports(database, 1).await.expect("reports").pop().expect("one");
    let decision = Decision { kind, words, ends_at: ends_in.map(|span| now + span) };
    assert!(moderation::decide(database, open.id, &decision, now).await.expect("a decision").is_some());
}

#[tokio::test(flavor = "multi_thread")]
async fn a_message_is_reported_from_the_table_and_everybody_sees_what_was_done_but_not_to_whom() {
    let app = TestApp::start().await;
    let (game, [ann, bob]) = pip_pip(&app).await;
    let page = game.trim_start_matches("/api/v1").to_owned();
    say(&bob, &game, "you are <slow>").await;
    say(&ann, &game, "sorry").await;
    let (anns, bobs) = (Browsing::log_in(&app, "ann").await, Browsing::log_in(&app, "bob").await);
    let links = report_links(&anns.get(&page).await.expect(200).html);
    assert_eq!(links.len(), 1, "of his message, not of her own: {links:?}");
    let form = anns.get(&links[0]).await.expect(200).html;
    assert!(form.contains("you are &lt;slow&gt;") && !form.contains("<slow>"), "{form}");
    let (of_game, message) = (hidden(&form, "game")[0].to_owned(), hidden(&form, "message")[0].to_owned());
    let fields = [("game", of_game.as_str()), ("message", message.as_str()), ("text", "Every day.")];
    let send = async |more: &[(&str, &str)]| anns.post("/report", &[&fields[..], more].concat()).await;
    let refused = send(&[]).await.expect(422).html;
    assert!(refused.contains("Choose what is wrong.") && refused.contains("Every day."), "{refused}");
    send(&[("reason", "taste")]).await.expect(422);
    assert!(send(&[("reason", "insult")]).await.expect(200).html.contains("<h1>Reported</h1>"));
    anns.get(&links[0]).await.expect(200);
    let again = send(&[("reason", "insult")]).await.expect(409).html;
    assert!(again.contains("You have reported this player already"), "{again}");
    let mine = anns.get("/moderation/mine").await.expect(200).html;
    assert!(mine.contains("not decided yet") && mine.contains("Every day."), "{mine}");
    let his = bobs.get("/moderation/mine").await.expect(200).html;
    assert!(his.contains("Nothing concerns you.") && !his.contains("Every day."), "{his}");

    decide(&app, ActKind::Warning, "Be <kind>.", None).await;
    let log = Browsing::of(&app).get("/moderation").await.expect(200).html;
    for told in ["A player was warned", "21 November 2026", "Pip•Pip", "Insult or threat"] {
        assert!(log.contains(told), "{told}: {log}");
    }
    for secret in ["ann", "bob", "slow", "kind", &of_game] {
        assert!(!log.split("<main").nth(1).expect("a page").contains(secret), "{secret}: {log}");
    }
    let notice = "The operator has done something that concerns you.";
    assert!(!anns.get("/my-games").await.expect(200).html.contains(notice));
    assert!(bobs.get("/my-games").await.expect(200).html.contains(notice));
    let his = bobs.get("/moderation/mine").await.expect(200).html;
    for told in ["A player was warned", "Be &lt;kind&gt;.", "you are &lt;slow&gt;", "Insult or threat"] {
        assert!(his.contains(told), "{told}: {his}");
    }
    assert!(!his.contains("Every day.") && !his.split("<main").nth(1).expect("a page").contains("ann"));
    assert!(!bobs.get("/my-games").await.expect(200).html.contains(notice), "he has read it");
    assert!(anns.get("/moderation/mine").await.expect(200).html.contains("decided"));
}

#[tokio::test(flavor = "multi_thread")]
async fn whom_an_act_concerns_appeals_once_and_the_verdict_stands_in_the_log() {
    let app = TestApp::start().await;
    let (game, _) = pip_pip(&app).await;
    let page = game.trim_start_matches("/api/v1").to_owned();
    let (anns, bobs) = (Browsing::log_in(&app, "ann").await, Browsing::log_in(&app, "bob").await);
    let profile = anns.get("/players/bob").await.expect(200).html;
    let links = report_links(&profile);
    assert_eq!(links, ["/report?player=bob"]);
    anns.get(&links[0]).await.expect(200);
    anns.post("/report", &[("player", "bob"), ("reason", "spam")]).await.expect(200);
    decide(&app, ActKind::Mute, "No advertising.", Some(Duration::hours(48))).await;
    bobs.get(&page).await.expect(200);
    let refused = bobs.post(&format!("{page}/messages"), &[("text", "Buy!")]).await.expect(403).html;
    assert!(refused.contains("The operator has muted you"), "{refused}");

    let his = bobs.get("/moderation/mine").await.expect(200).html;
    assert!(his.contains("until Monday 23 November 2026"), "{his}");
    let act = hidden(&his, "act")[0].to_owned();
    let appeal = [("act", act.as_str()), ("text", "That was not me.")];
    anns.get("/moderation/mine").await.expect(200);
    anns.post("/moderation/appeal", &appeal).await.expect(404);
    bobs.post("/moderation/appeal", &[("act", act.as_str()), ("text", " \n")]).await.expect(404);
    bobs.get("/moderation/mine").await.expect(200);
    bobs.post("/moderation/appeal", &[("act", act.as_str()), ("text", &"x".repeat(1001))]).await.expect(422);
    bobs.get("/moderation/mine").await.expect(200);
    assert_eq!(bobs.post("/moderation/appeal", &appeal).await.location(), "/moderation/mine");
    let his = bobs.get("/moderation/mine").await.expect(200).html;
    assert!(his.contains("That was not me.") && hidden(&his, "act").is_empty(), "{his}");
    bobs.get("/report?player=ann").await.expect(200);
    bobs.post("/moderation/appeal", &appeal).await.expect(404);
    let stranger = Browsing::of(&app);
    let log = stranger.get("/moderation").await.expect(200).html;
    assert!(log.contains("appealed against, not decided yet") && !log.contains("That was not me."), "{log}");

    let (database, now) = (&app.app.database, app.app.clock.now());
    let open = moderation::open_appeals(database, 9).await.expect("appeals");
    assert_eq!(open[0].appeal.as_deref(), Some("That was not me."));
    assert!(commit::judge(database, open[0].id, Verdict::Lifted, now).await.expect("a verdict"));
    assert!(stranger.get("/moderation").await.expect(200).html.contains("looked at again: lifted"));
    assert!(bobs.get("/my-games").await.expect(200).html.contains("that concerns you"));
    bobs.get(&page).await.expect(200);
    bobs.post(&format!("{page}/messages"), &[("text", "Thanks")]).await.expect(303);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_muted_player_is_neither_shown_nor_mailed_until_it_is_undone() {
    let app = TestApp::start().await;
    let (game, [ann, bob]) = pip_pip(&app).await;
    let page = game.trim_start_matches("/api/v1").to_owned();
    say(&bob, &game, "one of his").await;
    let anns = Browsing::log_in(&app, "ann").await;
    assert!(anns.get("/my-games").await.expect(200).html.contains("1 new message"));
    anns.get("/report?player=bob").await.expect(200);
    let muted = anns.post("/mute", &[("player", "bob")]).await.location();
    assert_eq!(muted, "/preferences/notices?done=muted#mutes");
    anns.get("/report?player=bob").await.expect(200);
    anns.post("/mute", &[("player", "Ann")]).await.expect(404);
    anns.get("/report?player=bob").await.expect(200);
    anns.post("/mute", &[("player", "nobody")]).await.expect(404);
    let list = anns.get(&muted).await.expect(200).html;
    assert!(list.contains("Muted players") && list.contains("you see no more messages"), "{list}");

    assert!(!anns.get("/my-games").await.expect(200).html.contains("new message"));
    assert!(!anns.get(&page).await.expect(200).html.contains("one of his"));
    let post = Post::of(&app);
    let legal = ann.get(&format!("{game}/actions")).await.ok();
    ann.post(&format!("{game}/moves"), &json!({"actions": [legal["actions"][0]]})).await.ok();
    say(&bob, &game, "two of his").await;
    bob.post(&format!("{game}/resign"), &json!({})).await.ok();
    let mails = post.all("ann").await;
    assert!(!mails.is_empty() && mails.iter().all(|mail| !mail.text.contains("of his")), "{mails:?}");

    let list = anns.get("/preferences/notices").await.expect(200).html;
    let id = hidden(&list, "id").last().copied().expect("a form").to_owned();
    anns.post("/preferences/unmute", &[("id", &id)]).await.expect(303);
    let shown = anns.get(&page).await.expect(200).html;
    assert!(shown.contains("one of his") && shown.contains("two of his"), "{shown}");
    assert!(!anns.get("/preferences/notices").await.expect(200).html.contains("Muted players"));
}

#[tokio::test(flavor = "multi_thread")]
async fn strangers_and_who_does_not_sit_at_a_table_report_nothing_said_there() {
    let app = TestApp::start().await;
    let (game, [_, bob]) = pip_pip(&app).await;
    let id = game.rsplit('/').next().expect("an id").to_owned();
    say(&bob, &game, "hello").await;
    app.player("eve").await;
    let message = bob.get(&format!("{game}/messages")).await.ok()["messages"][0]["id"].clone();
    let of_message = format!("/report?game={id}&message={}", message.as_str().expect("an id"));
    let (stranger, eve) = (Browsing::of(&app), Browsing::log_in(&app, "eve").await);
    for page in [of_message.as_str(), "/report?player=bob", "/moderation/mine"] {
        assert!(stranger.get(page).await.location().starts_with("/log-in?next="), "{page}");
    }
    assert!(report_links(&stranger.get("/players/bob").await.expect(200).html).is_empty());
    eve.get(&of_message).await.expect(403);
    eve.get(&format!("/report?game={id}&seq=7&player=bob")).await.expect(404);
    eve.get(&format!("/report?game={id}")).await.expect(404);
    eve.get("/report?player=nobody").await.expect(404);
    assert!(eve.get("/report?player=Eve").await.expect(409).html.contains("This is you"));
    let of_event = format!("/report?game={id}&seq=0&player=bob");
    assert!(report_links(&eve.get(&format!("/games/{id}/moves")).await.expect(200).html).contains(&of_event));
    let form = eve.get(&of_event).await.expect(200).html;
    assert_eq!((hidden(&form, "seq"), hidden(&form, "player")[0]), (vec!["0"], "bob"));
    let fields = [("game", id.as_str()), ("seq", "0"), ("player", "bob"), ("reason", "cheating")];
    eve.post("/report", &fields).await.expect(200);
    assert_eq!(app.db_count("select count(*) as number from reports where seq = 0").await, 1);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_line_stands_at_the_table_for_a_removed_message_also_on_pages_that_are_open() {
    let app = TestApp::start().await;
    let (game, [_, bob]) = pip_pip(&app).await;
    let page = game.trim_start_matches("/api/v1").to_owned();
    say(&bob, &game, "you are slow").await;
    say(&bob, &game, "and proud of it").await;
    let (anns, bobs) = (Browsing::log_in(&app, "ann").await, Browsing::log_in(&app, "bob").await);
    let links = report_links(&anns.get(&page).await.expect(200).html);
    anns.get(&links[0]).await.expect(200);
    let of_message = links[0].split(['=', '&']).collect::<Vec<_>>();
    let fields = [("game", of_message[1]), ("message", of_message[3]), ("reason", "insult")];
    anns.post("/report", &fields).await.expect(200);
    let table = format!("{page}/table");
    let tag = anns.get(&table).await.expect(200).headers["etag"].to_str().expect("ASCII").to_owned();
    let open = async |status: u16| {
        anns.send(Method::GET, &table, None, &[("if-none-match", &tag)]).await.expect(status).html
    };
    open(304).await;
    decide(&app, ActKind::Removal, "Be kind.", None).await;
    assert!(open(200).await.contains("Removed by the operator"), "the open page is shown anew");
    for browser in [&anns, &bobs] {
        let html = browser.get(&page).await.expect(200).html;
        assert!(html.contains("Removed by the operator") && html.contains("and proud of it"), "{html}");
        assert!(!html.contains("you are slow"), "{html}");
    }
    assert_eq!(report_links(&anns.get(&page).await.expect(200).html).len(), 1, "of what is shown");
    anns.get(&links[0]).await.expect(404);

    let log = Browsing::of(&app).get("/moderation").await.expect(200).html;
    assert!(log.contains("A text was removed") && log.contains("Insult or threat"), "{log}");
    assert!(!log.contains("slow"), "{log}");
    let his = bobs.get("/moderation/mine").await.expect(200).html;
    assert!(his.contains("A text was removed") && his.contains("you are slow"), "{his}");
    let act = hidden(&his, "act")[0].to_owned();
    let appeal = [("act", act.as_str()), ("text", "That was a joke.")];
    assert_eq!(bobs.post("/moderation/appeal", &appeal).await.location(), "/moderation/mine");
    let (database, now) = (&app.app.database, app.app.clock.now());
    let open = moderation::open_appeals(database, 9).await.expect("appeals");
    assert!(commit::judge(database, open[0].id, Verdict::Lifted, now).await.expect("a verdict"));
    assert!(anns.get(&page).await.expect(200).html.contains("you are slow"));
    assert!(Browsing::of(&app).get("/moderation").await.expect(200).html.contains("looked at again: lifted"));
}
