//! The pages of webhooks: a whole life by forms alone, what is refused and in which words, whose they are, and how they look.

use pippost::accounts::AccountLimits;
use reqwest::Method;
use serde_json::json;

use support::browsing::{Browsing, Shown};
use support::games::{open_game, pip_pip};
use support::hooks::{WEBHOOKS, deliver, id_of, move_once, registered, verified, worker};
use support::receiver::{Behavior, Receiver, sender};
use support::{Client, TestApp};

const PAGE: &str = "/preferences/webhooks";

/// The text between two others, the first time.
fn between<'a>(html: &'a str, before: &str, after: &str) -> &'a str {
    let rest = html.split_once(before).unwrap_or_else(|| panic!("no {before} in {html}")).1;
    rest.split_once(after).expect("its end").0
}

fn secret_in(html: &str) -> String {
    between(html, "id=\"new-secret\">", "<").replace("&#x2f;", "/")
}

/// A text as it stands in a page.
fn escaped(text: &str) -> String {
    text.replace('/', "&#x2f;")
}

/// The path of the page of the player's only webhook.
async fn only(owner: &Client) -> String {
    let listed = owner.get(WEBHOOKS).await.ok();
    assert_eq!(listed["webhooks"].as_array().map(Vec::len), Some(1));
    format!("{PAGE}/{}", listed["webhooks"][0]["id"].as_str().expect("an id"))
}

#[tokio::test(flavor = "multi_thread")]
async fn a_webhook_is_registered_verified_used_and_deleted_by_forms_alone() {
    let app = TestApp::with_sender(sender()).await;
    let (receiver, worker) = (Receiver::start(), worker(&app));
    let (game, players) = pip_pip(&app).await;
    let page = Browsing::log_in(&app, "ann").await;
    assert!(
        page.get("/preferences/notices").await.expect(200).html.contains("href=\"/preferences/webhooks\"")
    );
    let none = page.get(PAGE).await.expect(200).html;
    assert!(none.contains("You have none yet.") && none.contains("Pip•Pip against bob"), "{none}");
    let wanted = [("url", receiver.url.as_str()), ("event", "on"), ("game", id_of(&game))];
    let made = page.post(PAGE, &wanted).await.expect(200).html;
    assert!(made.contains("It is added.") && made.contains("Not verified yet"), "{made}");
    let secret = secret_in(&made);
    let hook = only(&players[0]).await;
    for shown in [page.get(PAGE).await, page.get(&hook).await] {
        assert!(!shown.expect(200).html.contains("whsec_"), "a secret is shown once");
    }
    let done = async |path: &str, fields: &[(&str, &str)]| {
        let location = page.post(&format!("{hook}{path}"), fields).await.location();
        let shown = page.get(&location).await.expect(200).html;
        let word = location.rsplit_once("done=").expect("what was done").1.to_owned();
        (word, shown)
    };

    let (word, shown) = done("/challenge", &[]).await;
    assert_eq!(word, "active");
    assert!(shown.contains("The challenge is met") && shown.contains(">Active</h2>"), "{shown}");
    assert!(shown.contains("delivered · 200"), "the log has the challenge: {shown}");
    assert!(receiver.got()[0].is_signed_by(&secret));

    move_once(&game, &players).await;
    deliver(&worker).await;
    let seq = players[0].get(&game).await.ok()["seq"].as_u64().expect("a number");
    let event = format!("{}:{seq}", id_of(&game));
    let got = receiver.got();
    assert_eq!(got.last().expect("a delivery").id, event);
    let shown = page.get(&hook).await.expect(200).html;
    assert!(shown.contains("delivered · 204"), "{shown}");
    assert!(shown.contains(&format!("Event {seq} of Pip•Pip against bob")), "{shown}");

    assert_eq!(done("/redeliver", &[("event", &event)]).await.0, "delivered");
    assert_eq!(receiver.got()[0].text, got.last().expect("a delivery").text);
    let (_, shown) = done("/go-back", &[("event", &format!("{}:0", id_of(&game)))]).await;
    assert!(shown.contains("attempt 2"), "{shown}");
    deliver(&worker).await;
    assert_eq!(u64::try_from(receiver.got().len()), Ok(seq));

    let rotated = page.post(&format!("{hook}/secret"), &[]).await.expect(200).html;
    let newer = secret_in(&rotated);
    assert!(newer != secret && rotated.contains("The old secret signs until"), "{rotated}");
    assert_eq!(done("/redeliver", &[("event", &event)]).await.0, "delivered");
    let got = receiver.got();
    assert!(got[0].is_signed_by(&secret) && got[0].is_signed_by(&newer));
    assert!(!page.get(&hook).await.expect(200).html.contains("whsec_"));

    // Switched off, nothing is sent; switched on, it goes on.
    let (word, shown) = done("/switch", &[]).await;
    assert!(word == "off" && shown.contains("Switched off"), "{shown}");
    move_once(&game, &players).await;
    deliver(&worker).await;
    assert!(receiver.got().is_empty());
    page.post(&format!("{hook}/redeliver"), &[("event", &event)]).await.expect(409);
    assert_eq!(done("/switch", &[("on", "yes")]).await.0, "on");
    deliver(&worker).await;
    assert_eq!(receiver.got().len(), 1);

    receiver.behave(Behavior::Refusing(500));
    move_once(&game, &players).await;
    deliver(&worker).await;
    let shown = page.get(&hook).await.expect(200).html;
    for words in ["Active, but it fails", "The next try is on", "refused · 500"] {
        assert!(shown.contains(words), "{words}: {shown}");
    }
    assert!(page.get(PAGE).await.expect(200).html.contains("The next try is on"));
    assert_eq!(done("/redeliver", &[("event", &event)]).await.0, "not-delivered");

    let elsewhere = Receiver::start();
    let (word, shown) = done("/change", &[("url", &elsewhere.url), ("turn", "on")]).await;
    assert!(word == "changed" && shown.contains("Not verified yet"), "{shown}");
    let shown = players[0].get(&hook.replace("/preferences", "/api/v1/me")).await.ok();
    assert_eq!(
        (&shown["kinds"], &shown["game"], &shown["url"]),
        (&json!(["turn"]), &json!(null), &json!(elsewhere.url))
    );

    let deleted = page.post(&format!("{hook}/delete"), &[]).await.location();
    assert!(page.get(&deleted).await.expect(200).html.contains("The webhook is deleted."));
    page.get(&hook).await.expect(404);
    assert_eq!(players[0].get(WEBHOOKS).await.ok()["webhooks"], json!([]));
}

#[tokio::test(flavor = "multi_thread")]
async fn a_channel_is_verified_by_the_code_that_somebody_reads_there() {
    let app = TestApp::with_sender(sender()).await;
    let (ann, receiver) = (app.player("ann").await, Receiver::start());
    receiver.behave(Behavior::IgnoringChallenges);
    let page = Browsing::log_in(&app, "ann").await;
    page.get(PAGE).await.expect(200);
    let wanted = [("url", receiver.url.as_str()), ("format", "discord"), ("turn", "on")];
    let made = page.post(PAGE, &wanted).await.expect(200).html;
    assert!(!made.contains("whsec_"), "a channel checks no signature");
    assert_eq!(
        made.matches(&escaped(&receiver.url)).count(),
        1,
        "the address, a secret, is in the form alone: {made}"
    );
    let hook = only(&ann).await;
    let sent = page.post(&format!("{hook}/challenge"), &[]).await.location();
    assert!(page.get(&sent).await.expect(200).html.contains("Enter the code that has arrived."));
    let said = receiver.got()[0].json()["content"].as_str().expect("a text").to_owned();
    let code = said.split(' ').next_back().expect("a code").to_owned();
    for wrong in ["WRONG", "not a code", ""] {
        let refused = page.post(&format!("{hook}/verify"), &[("code", wrong)]).await;
        assert!(refused.html.contains("This is not the code that was sent last"), "{}", refused.html);
    }
    let typed = format!(" {code} ");
    let verified = page.post(&format!("{hook}/verify"), &[("code", &typed)]).await.location();
    assert!(page.get(&verified).await.expect(200).html.contains("The code is right"));
    receiver.behave(Behavior::Refusing(404));
    let sent = page.post(&format!("{hook}/challenge"), &[]).await.location();
    assert!(page.get(&sent).await.expect(200).html.contains("The challenge did not arrive."));
}

#[tokio::test(flavor = "multi_thread")]
async fn refusals_are_those_of_the_api_and_said_in_words() {
    let app = TestApp::with_limits(AccountLimits::default()).await.sending_by(sender());
    let (ann, bob, receiver) = (app.player("ann").await, app.player("bob").await, Receiver::start());
    let (foreign, url) = (open_game(&bob).await, receiver.url.as_str());
    let page = Browsing::log_in(&app, "ann").await;
    page.get(PAGE).await.expect(200);
    for (fields, status, words) in [
        (vec![("url", url)], 422, "Tick at least one."),
        (vec![("url", "x"), ("turn", "on")], 422, "Nothing can be sent to this address."),
        (vec![("url", "https://u:p@h/"), ("turn", "on")], 409, "Nothing can be sent to this address."),
        (vec![("url", url), ("turn", "on"), ("game", id_of(&foreign))], 404, "You are in no such game."),
        (vec![("url", url), ("turn", "on"), ("game", "<b>")], 404, "You are in no such game."),
    ] {
        let Shown { html, .. } = page.post(PAGE, &fields).await.expect(status);
        assert!(html.contains(words) && !html.contains("<b>"), "{words}: {html}");
        assert!(html.contains(&format!("value=\"{}\"", escaped(fields[0].1))), "it is kept: {html}");
    }
    assert_eq!(ann.get(WEBHOOKS).await.ok()["webhooks"], json!([]));
    let hook = registered(&ann, &json!({"url": url, "kinds": ["turn"]})).await;
    let own = only(&ann).await;
    for (path, field) in [("/redeliver", ("event", "x")), ("/go-back", ("event", "x"))] {
        let refused = page.post(&format!("{own}{path}"), &[field]).await.expect(422).html;
        assert!(refused.contains("There is no such event in your games."), "{refused}");
    }
    let refused = page.post(&format!("{own}/switch"), &[("on", "yes")]).await.expect(409).html;
    assert!(refused.contains("It has to be active for that."), "{refused}");
    for _ in 0..9 {
        registered(&ann, &json!({"url": url, "kinds": ["turn"]})).await;
    }
    let full = page.get(PAGE).await.expect(200).html;
    assert!(full.contains("You have 10 webhooks") && !full.contains("name=\"url\""), "{full}");
    let refused = page.post(PAGE, &[("url", url), ("turn", "on")]).await.expect(409).html;
    assert!(refused.contains("You have 10 webhooks"), "{refused}");

    // One limit for the page and the API, and one thing at a time.
    receiver.behave(Behavior::Silent);
    let challenge = format!("{own}/challenge");
    let slow = page.post(&challenge, &[]);
    let meanwhile = async {
        receiver.holds(1).await;
        page.post(&challenge, &[]).await.expect(429).html
    };
    let (sent, refused) = futures_util::join!(slow, meanwhile);
    assert!(sent.location().ends_with("done=not-sent"));
    assert!(refused.contains("Something is being sent to a webhook of yours"), "{refused}");
    receiver.behave(Behavior::IgnoringChallenges);
    let mut sent = 0;
    let limited = loop {
        let answer = page.post(&challenge, &[]).await;
        if answer.status == 429 {
            break answer;
        }
        sent += 1;
        assert!(sent < 30, "{}", answer.html);
    };
    assert!(limited.html.contains("Too many tries."), "{}", limited.html);
    ann.post(&format!("{}/challenge", hook.path), &json!({})).await.problem(429, "too_many_requests");

    app.unconfirmed_player("carl").await;
    let carls = Browsing::log_in(&app, "carl").await;
    carls.get(PAGE).await.expect(200);
    let refused = carls.post(PAGE, &[("url", url), ("turn", "on")]).await.expect(403).html;
    assert!(refused.contains("Confirm your own address first"), "{refused}");
}

#[tokio::test(flavor = "multi_thread")]
async fn webhooks_are_their_players_alone_and_other_sites_send_no_forms() {
    let app = TestApp::with_sender(sender()).await;
    let (ann, receiver) = (app.player("ann").await, Receiver::start());
    app.player("bob").await;
    verified(&ann, &receiver, &["turn"]).await;
    let hook = only(&ann).await;
    let (anns, bobs) = (Browsing::log_in(&app, "ann").await, Browsing::log_in(&app, "bob").await);
    let strangers = Browsing::of(&app);
    for path in [PAGE, &hook] {
        assert!(strangers.get(path).await.location().starts_with("/log-in?next="));
    }
    bobs.get(&hook).await.expect(404);
    let fields = [
        ("url", receiver.url.as_str()),
        ("turn", "on"),
        ("code", "CODE"),
        ("event", "01a1fe2a-89df-7515-9c5d-9fde96828ff2:17"),
    ];
    for form in ["change", "challenge", "verify", "secret", "switch", "redeliver", "go-back", "delete"] {
        let path = format!("{hook}/{form}");
        bobs.get(PAGE).await.expect(200);
        bobs.post(&path, &fields).await.expect(404);
        anns.get(PAGE).await.expect(200);
        anns.send(Method::POST, &path, Some(&fields), &[("sec-fetch-site", "same-origin")]).await.expect(403);
        let token = anns.token();
        let with_token = [fields.as_slice(), &[("csrf", &token)]].concat();
        anns.send(Method::POST, &path, Some(&with_token), &[("sec-fetch-site", "cross-site")])
            .await
            .expect(403);
    }
    assert!(receiver.got().is_empty());
    assert_eq!(ann.get(WEBHOOKS).await.ok()["webhooks"][0]["state"], "active");
    // A session manages what a token has registered, and nobody's else.
    assert!(bobs.get(PAGE).await.expect(200).html.contains("You have none yet."));
}
