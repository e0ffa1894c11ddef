//! Names and titles on pages: as they were typed.

use serde_json::json;

use support::TestApp;
use support::browsing::Browsing;

/// The values of an attribute of links in a page.
fn count(html: &str, text: &str) -> usize {
    html.matches(text).count()
}

#[tokio::test(flavor = "multi_thread")]
async fn a_name_keeps_its_capitals_on_pages_and_only_they_can_change() {
    let app = TestApp::start().await;
    let (_, bob) = (app.player("anna-lena").await, app.player("bob").await);
    let anna = Browsing::log_in(&app, "Anna-Lena").await;
    let shown = anna.get("/preferences/account").await.expect(200).html;
    assert!(shown.contains("value=\"anna-lena\""), "{shown}");
    for other in ["", "anna", "anna_lena", "bob", "anna-lena2", "ａnna-lena", "guest-2345678"] {
        let refused = anna.post("/preferences/name", &[("handle", other)]).await.expect(422).html;
        assert!(refused.contains("Only the capitals of your name can change."), "{other}: {refused}");
    }
    let changed = anna.post("/preferences/name", &[("handle", " Anna-Lena ")]).await;
    assert_eq!(changed.location(), "/preferences/account?done=name#account");
    let shown = anna.get("/preferences/account?done=name").await.expect(200).html.replace("anna-lena@", "");
    assert!(count(&shown, "Anna-Lena") >= 2 && count(&shown, "anna-lena") == 0, "{shown}");
    for address in ["/players/anna-lena", "/players/ANNA-LENA", "/players/Anna-Lena"] {
        let page = Browsing::of(&app).get(address).await.expect(200).html.replace("&#x2f;", "/");
        assert!(page.contains("<h1>Anna-Lena</h1>"), "{page}");
        assert!(page.contains("<link rel=\"canonical\" href=\"/players/anna-lena\">"), "{page}");
    }
    // Who looks as a member before the start is one, whatever the capitals.
    let created = bob.post("/api/v1/games", &json!({"rules": "pip-pip"})).await.expect_status(201).json();
    let page = format!("/games/{}", created["id"].as_str().expect("an id"));
    anna.get(&page).await.expect(200);
    anna.post(&format!("{page}/join"), &[]).await.expect(303);
    assert!(anna.get(&page).await.expect(200).html.contains("Anna-Lena"));
    let mine = anna.get("/my-games").await.expect(200).html;
    assert!(mine.contains("Anna-Lena") && !mine.contains("anna-lena"), "{mine}");
    let found = Browsing::of(&app).get("/search?q=anna").await.expect(200).html;
    assert!(found.contains(">Anna-Lena<"), "{found}");
    // Nobody else gets the name, and it can be given back its form.
    let taken = [("handle", "ANNA-lena"), ("email", "eve@example.org"), ("password", support::PASSWORD)];
    let eve = Browsing::of(&app);
    eve.get("/sign-up").await.expect(200);
    eve.post("/sign-up", &taken).await.expect(422);
    anna.post("/preferences/name", &[("handle", "anna-lena")]).await.expect(303);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_title_stands_on_the_pages_of_who_may_see_the_game_and_is_found_by_its_beginning() {
    let app = TestApp::start().await;
    app.player("ann").await;
    let bob = app.player("bob").await;
    let ann = Browsing::log_in(&app, "ann").await;
    let create = async |title: &str, visibility: &str| {
        let fields =
            [("rules", "pip-pip"), ("game_title", title), ("visibility", visibility), ("pace", "168")];
        ann.get("/games/new?rules=pip-pip").await.expect(200);
        ann.post("/games/new", &fields).await
    };
    let evil = "<b>Sunday & \"cup\"</b>";
    let public = create(&format!(" {evil} "), "public").await.location();
    let private = create("Sunday secret", "private").await.location();
    let none = create("  ", "public").await.location();
    let html = ann.get(&public).await.expect(200).html;
    assert!(html.contains("&lt;b&gt;Sunday &amp;") && !html.contains("<b>Sunday"), "{html}");
    assert!(!ann.get(&none).await.expect(200).html.contains("<bdi>"));
    let stranger = Browsing::of(&app);
    for page in ["/games", &public] {
        assert!(stranger.get(page).await.expect(200).html.contains("&lt;b&gt;Sunday"), "{page}");
    }
    let found = async |browser: &Browsing, wanted: &str| {
        let html = browser.get(&format!("/search?q={wanted}")).await.expect(200).html;
        html.matches("<li class=\"game").count()
    };
    assert_eq!(found(&stranger, "%3CB%3Esun").await, 1, "whatever the capitals");
    assert_eq!((found(&stranger, "sunday").await, found(&ann, "sunday").await), (0, 1), "its own, private");
    let bobs = Browsing::log_in(&app, "bob").await;
    assert_eq!(found(&bobs, "sunday").await, 0, "a private game does not exist for others");
    for nothing in ["", "%25", "_", "%F4%8F%BF%BF", "zzz"] {
        assert_eq!(found(&ann, nothing).await, 0, "{nothing}");
    }
    let long = "x".repeat(61);
    for bad in [long.as_str(), "two\nlines", "\u{202e}turned"] {
        let refused = create(bad, "public").await.expect(422).html;
        assert!(refused.contains("A title has at most 60 characters"), "{bad:?}: {refused}");
    }
    // It stays when the game has begun, in all that is shown of it.
    bob.post(&format!("/api/v1{public}/join"), &json!({})).await.ok();
    for page in
        [public.clone(), format!("{public}/replay"), format!("{public}/moves"), format!("{public}/embed")]
    {
        assert!(stranger.get(&page).await.expect(200).html.contains("&lt;b&gt;Sunday"), "{page}");
    }
    bobs.get(&private).await.expect(404);
}
