//! What the pages of a game show and do, and to whom: hidden cards, private games and notes, forged forms, and work without bound.

use reqwest::Method;
use serde_json::json;

use pippost::rules::cards::Card;
use support::TestApp;
use support::browsing::Browsing;
use support::game_page::{start, start_of};

/// A page without the panel of the rules, whose examples name a card.
fn without_rules(html: &str) -> String {
    let Some((before, panel)) = html.split_once("<section id=\"rules\"") else { return html.to_owned() };
    let (_, after) = panel.split_once("</section>").expect("the end of the panel");
    before.to_owned() + after
}

#[tokio::test(flavor = "multi_thread")]
async fn nobody_but_their_owner_sees_hidden_cards_on_any_page() {
    let app = TestApp::start().await;
    let (game, page, [ann, _]) = start(&app, "serpent", json!({})).await;
    let own = ann.get(&game).await.ok();
    let hand: Vec<Card> =
        serde_json::from_value(own["view"]["hands"][0]["hidden"].clone()).expect("her cards");
    assert_eq!(hand.len(), 9);
    let (anns, bobs) = (Browsing::log_in(&app, "ann").await, Browsing::log_in(&app, "bob").await);
    for path in [
        page.clone(),
        format!("{page}/table"),
        format!("{page}/replay"),
        format!("{page}/replay/moment?seq=0"),
        format!("{page}/board.svg"),
    ] {
        let hers = without_rules(&anns.get(&path).await.expect(200).html);
        assert!(hand.iter().all(|card| hers.contains(&card.name())), "{path}: {hers}");
        for others in [&bobs, &Browsing::of(&app)] {
            let seen = without_rules(&others.get(&path).await.expect(200).html);
            assert!(!hand.iter().any(|card| seen.contains(&card.name())), "{path}: {seen}");
        }
    }
    // Picks in an address do nothing for others.
    let seen = bobs.get(&format!("{page}?pick={}", hand[0])).await.expect(200).html;
    assert!(!seen.contains("class=\"picked\"") && !seen.contains("data-target"), "{seen}");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_private_game_has_no_page_for_outsiders() {
    let app = TestApp::start().await;
    let (ann, bob) = (app.player("ann").await.unchecked(), app.player("bob").await.unchecked());
    app.player("carol").await;
    let (_, page) = start_of(&[&ann, &bob], "pip-pip", json!({}), true).await;
    let (bobs, carols, stranger) =
        (Browsing::log_in(&app, "bob").await, Browsing::log_in(&app, "carol").await, Browsing::of(&app));
    for path in [
        "",
        "/table",
        "/news",
        "/replay",
        "/replay/moment?seq=0",
        "/analysis",
        "/analysis/board?seq=0",
        "/board.svg",
        "/board.png",
        "/film.png",
        "/record.ndjson",
        "/check",
    ] {
        let path = format!("{page}{path}");
        bobs.get(&path).await.expect(200);
        for other in [&carols, &stranger] {
            other.get(&path).await.expect(404);
        }
    }
    for path in ["/moves", "/resign", "/abort", "/messages", "/note"] {
        let fields = [("seq", "0"), ("key", "k"), ("action", "{}"), ("text", "x")];
        carols.get("/preferences").await.expect(200);
        let refused = carols.post(&format!("{page}{path}"), &fields).await;
        assert_eq!(refused.status, 404, "{path}: {}", refused.html);
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn forms_need_the_token_of_the_browser_and_a_session() {
    let app = TestApp::start().await;
    let (game, page, _) = start(&app, "pip-pip", json!({})).await;
    let (ann, bob) = (Browsing::log_in(&app, "ann").await, Browsing::log_in(&app, "bob").await);
    ann.get(&page).await.expect(200);
    bob.get(&page).await.expect(200);
    let action = json!({"type": "store"}).to_string();
    let of_bob = bob.token();
    let fields = [("action", action.as_str()), ("seq", "0"), ("key", "k"), ("csrf", of_bob.as_str())];
    let moves = format!("{page}/moves");
    ann.send(Method::POST, &moves, Some(&fields), &[("sec-fetch-site", "same-origin")]).await.expect(403);
    let of_ann = ann.token();
    let fields = [("action", action.as_str()), ("seq", "0"), ("key", "k"), ("csrf", of_ann.as_str())];
    ann.send(Method::POST, &moves, Some(&fields), &[("sec-fetch-site", "cross-site")]).await.expect(403);
    assert_eq!(app.stranger().unchecked().get(&game).await.ok()["seq"], json!(0));
    let refused = bob.post(&moves, &[("action", &action), ("seq", "0"), ("key", "k")]).await;
    assert_eq!(refused.status, 422, "it is not his turn: {}", refused.html);
    ann.get(&page).await.expect(200);
    ann.post(&moves, &[("action", &action), ("seq", "0"), ("key", "k")]).await.expect(303);
    assert_eq!(app.stranger().unchecked().get(&game).await.ok()["seq"], json!(1));
}

#[tokio::test(flavor = "multi_thread")]
async fn notes_are_their_writers_alone_and_texts_are_never_markup() {
    let app = TestApp::start().await;
    let (_, page, _) = start(&app, "pip-pip", json!({})).await;
    let (ann, bob) = (Browsing::log_in(&app, "ann").await, Browsing::log_in(&app, "bob").await);
    ann.get(&page).await.expect(200);
    let text = "</textarea><script>alert(1)</script> my plan";
    ann.post(&format!("{page}/note"), &[("text", text)]).await.expect(303);
    ann.post(&format!("{page}/messages"), &[("text", "<img src=x onerror=alert(1)>")]).await.expect(303);
    let hers = ann.get(&page).await.expect(200).html;
    assert!(
        hers.contains("my plan") && !hers.contains("<script>alert") && !hers.contains("<img src=x"),
        "{hers}"
    );
    let his = bob.get(&page).await.expect(200).html;
    assert!(!his.contains("my plan") && his.contains("&lt;img src=x"), "{his}");
    let stranger = Browsing::of(&app).get(&page).await.expect(200).html;
    assert!(!stranger.contains("my plan") && !stranger.contains("onerror"), "{stranger}");
    ann.post(&format!("{page}/note"), &[("text", " ")]).await.expect(303);
    assert!(!ann.get(&page).await.expect(200).html.contains("my plan"));
    let long = "x".repeat(4001);
    ann.post(&format!("{page}/note"), &[("text", &long)]).await.expect(422);
    for path in ["", "/replay"] {
        let shown = ann.get(&format!("{page}{path}")).await.expect(200);
        let policy = shown.headers["content-security-policy"].to_str().expect("text");
        assert!(policy.contains("script-src 'self'") && !policy.contains("unsafe"), "{policy}");
        assert!(
            !shown.html.contains(" style=")
                && !shown.html.contains("<style")
                && !shown.html.contains(" onclick"),
            "{}",
            shown.html
        );
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_film_has_the_whole_game_and_is_made_by_few_at_once() {
    let app = TestApp::start().await;
    let (game, page, players) = start(&app, "pip-pip", json!({})).await;
    players[0].post(&format!("{game}/moves"), &json!({"notation": "store"})).await.ok();
    let path = format!("{}{page}/film.png", app.url);
    let film = reqwest::get(&path).await.expect("an answer");
    let tag = film.headers()["etag"].clone();
    let bytes = film.bytes().await.expect("bytes");
    assert!(bytes.starts_with(b"\x89PNG\r\n\x1a\n") && bytes.windows(4).any(|part| part == b"acTL"));
    let again =
        reqwest::Client::new().get(&path).header("if-none-match", tag).send().await.expect("an answer");
    assert_eq!(again.status(), 304);
    let peer = std::net::IpAddr::from([127, 0, 0, 1]);
    let held = app.app.traffic.films.enter(Some(peer), 1).expect("a place");
    assert_eq!(reqwest::get(&path).await.expect("an answer").status(), 200, "it is made once");
    let seat = players[0].get(&game).await.ok()["to_act"].as_u64().expect("a seat");
    let mover = &players[usize::try_from(seat).expect("a seat")];
    let legal = mover.get(&format!("{game}/actions")).await.ok();
    mover.post(&format!("{game}/moves"), &json!({"actions": [legal["actions"][0]]})).await.ok();
    let refused = reqwest::get(&path).await.expect("an answer");
    assert!([429, 503].contains(&refused.status().as_u16()), "{refused:?}");
    drop(held);
    assert_eq!(reqwest::get(&path).await.expect("an answer").status(), 200);
}
