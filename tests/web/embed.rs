//! The board of a public game in a frame of another site, where nothing else of this one can be shown.

use reqwest::Method;
use serde_json::json;

use support::TestApp;
use support::browsing::{Browsing, Shown};
use support::game_page::{start, start_of};

/// The most bytes of the page, before it is compressed.
const MAX_BYTES: usize = 60_000;

fn policy(shown: &Shown) -> &str {
    shown.headers["content-security-policy"].to_str().expect("text")
}

/// Text as a browser reads it.
fn read(html: &str) -> String {
    html.replace("&#x2f;", "/").replace("&quot;", "\"").replace("&lt;", "<").replace("&gt;", ">")
}

#[tokio::test(flavor = "multi_thread")]
async fn any_site_may_frame_the_board_of_a_public_game_which_is_the_same_for_everybody() {
    let app = TestApp::start().await;
    let (game, page, [ann, _]) = start(&app, "serpent", json!({})).await;
    let embed = format!("{page}/embed");
    let shown = Browsing::of(&app).get(&embed).await.expect(200);
    for rule in ["default-src 'none'", "form-action 'none'", "base-uri 'none'", "frame-ancestors *"] {
        assert!(policy(&shown).contains(rule), "{rule}: {}", policy(&shown));
    }
    assert!(!policy(&shown).contains("script") && !policy(&shown).contains("unsafe"), "{}", policy(&shown));
    for absent in ["x-frame-options", "set-cookie"] {
        assert!(!shown.headers.contains_key(absent), "{absent}");
    }
    assert_eq!(shown.headers["referrer-policy"], "no-referrer");
    for absent in ["<script", "<form", "<input", "<button", "csrf", "data-target", "log-in"] {
        assert!(!shown.html.contains(absent), "{absent}: {}", shown.html);
    }
    assert!(shown.html.contains("Serpent: ann – bob") && shown.html.contains("<svg"), "{}", shown.html);
    assert!(shown.html.len() < MAX_BYTES, "{} bytes", shown.html.len());
    // A player's cookies change nothing, and no hidden card is shown to her either.
    let anns = Browsing::log_in(&app, "ann").await;
    anns.set_cookie("pippost_theme", "dark");
    let own = anns.get(&embed).await.expect(200);
    assert_eq!(own.html, shown.html);
    let hand = ann.get(&game).await.ok()["view"]["hands"][0]["hidden"].clone();
    assert_eq!(hand.as_array().map(Vec::len), Some(9));
    let named = pippost::rules::cards::Card::name;
    for card in hand.as_array().expect("cards") {
        let card: pippost::rules::cards::Card = card.as_str().expect("a card").parse().expect("a card");
        assert!(!own.html.contains(&named(card)), "{card}: {}", own.html);
    }
    // It is not sent again while nothing happens.
    let tag = shown.headers["etag"].to_str().expect("text");
    Browsing::of(&app).send(Method::GET, &embed, None, &[("if-none-match", tag)]).await.expect(304);
}

#[tokio::test(flavor = "multi_thread")]
async fn the_site_that_frames_it_chooses_language_and_theme() {
    let app = TestApp::start().await;
    let (_, page, _) = start(&app, "pip-pip", json!({})).await;
    let stranger = Browsing::of(&app);
    let shown = async |query: &str| stranger.get(&format!("{page}/embed{query}")).await.expect(200).html;
    assert!(
        shown("").await.contains("data-theme=\"auto\"") && shown("").await.contains("It is the turn of ann")
    );
    let german = shown("?language=de&theme=dark").await;
    assert!(german.contains("lang=\"de\"") && german.contains("data-theme=\"dark\""), "{german}");
    let odd = shown("?language=%3Cscript%3E&theme=%22%3E%3Cscript%3E&token=x&seq=9").await;
    assert!(odd.contains("lang=\"en\" dir=\"ltr\" data-theme=\"auto\"") && !odd.contains("<script"), "{odd}");
}

#[tokio::test(flavor = "multi_thread")]
async fn private_games_and_those_that_wait_are_in_no_frame_and_have_no_code() {
    let app = TestApp::start().await;
    let (ann, bob) = (app.player("ann").await.unchecked(), app.player("bob").await.unchecked());
    let (_, page) = start_of(&[&ann, &bob], "pip-pip", json!({}), true).await;
    let anns = Browsing::log_in(&app, "ann").await;
    for browser in [&anns, &Browsing::of(&app)] {
        let refused = browser.get(&format!("{page}/embed")).await.expect(404);
        assert!(policy(&refused).contains("frame-ancestors 'none'"), "{}", policy(&refused));
        browser.get("/games/00000000-0000-0000-0000-000000000000/embed").await.expect(404);
    }
    assert!(!anns.get(&page).await.expect(200).html.contains("iframe"));
    let open = ann.post("/api/v1/games", &json!({"rules": "pip-pip"})).await.json();
    let open = format!("/games/{}", open["id"].as_str().expect("an id"));
    let waiting = anns.get(&format!("{open}/embed")).await;
    assert!(waiting.status.is_client_error() && policy(&waiting).contains("frame-ancestors 'none'"));
}

#[tokio::test(flavor = "multi_thread")]
async fn the_page_of_a_public_game_has_the_code_and_no_other_page_can_be_framed() {
    let app = TestApp::start().await;
    let (_, page, _) = start(&app, "pip-pip", json!({})).await;
    let (anns, stranger) = (Browsing::log_in(&app, "ann").await, Browsing::of(&app));
    let html = read(&stranger.get(&page).await.expect(200).html);
    let code =
        html.split("<iframe ").nth(1).and_then(|rest| rest.split("></iframe>").next()).expect("a code");
    assert!(code.starts_with("src=\"http") && code.contains(&format!("{page}/embed\"")), "{code}");
    assert!(code.contains("title=\"Pip•Pip: ann – bob\"") && code.contains("loading=\"lazy\""), "{code}");
    let of_game = ["", "/replay", "/replay/moment", "/moves", "/analysis?seq=0", "/table", "/check"];
    let of_game = of_game.map(|end| format!("{page}{end}"));
    let others = [
        "/",
        "/games",
        "/games/new",
        "/my-games",
        "/log-in",
        "/sign-up",
        "/forgot-password",
        "/rules",
        "/rules/serpent",
        "/rules/serpent/first-turns",
        "/players/ann",
        "/ratings",
        "/tournaments",
        "/search?q=a",
        "/about",
        "/api",
        "/look",
        "/offline",
        "/device",
        "/preferences",
        "/preferences/account",
        "/preferences/access",
        "/preferences/data",
        "/preferences/webhooks",
        "/verifier",
        "/nothing/here",
    ];
    let others = others.map(str::to_owned);
    for path in of_game.iter().chain(&others) {
        for browser in [&anns, &stranger] {
            let shown = browser.get(path).await;
            if shown.status.is_redirection() {
                continue;
            }
            assert!(policy(&shown).contains("frame-ancestors 'none'"), "{path}: {}", policy(&shown));
        }
    }
}
