//! What an operator gives the pages: a name, texts and colours.

use std::fs;
use std::sync::Arc;

use pippost::app::App;
use pippost::web::Branding;

use support::TestApp;
use support::browsing::Browsing;
use support::games::pip_pip;

use super::every_day::feeds;

/// A server with these files of texts, a name and colours.
async fn branded(files: &[(&str, &str)]) -> TestApp {
    let folder = tempfile::tempdir().expect("a folder");
    for (name, text) in files {
        fs::write(folder.path().join(name), text).expect("a text");
    }
    let branding = Branding::read(Some("Club <of> Nine"), Some(folder.path()), Some("#8a1c5c,#f2a6d0"));
    let app = TestApp::start().await;
    let serving = App { branding: Arc::new(branding.expect("all of it")), ..app.app.clone() };
    app.serving(serving)
}

#[tokio::test(flavor = "multi_thread")]
async fn the_texts_of_the_operator_stand_on_their_pages_in_the_readers_language() {
    let terms = "# House rules\n\n## Be kind\nSee [the rules](/rules), not [this](javascript:alert(1)).\n\n<script>alert(1)</script>\n";
    let files = [
        ("terms.md", terms),
        ("terms.de.md", "# Hausordnung\n\nSeid nett.\n"),
        ("imprint.md", "Run by *nobody*.\n"),
        ("welcome.md", "A server for **nine** friends.\n"),
        ("notes.txt", "not a text"),
    ];
    let app = branded(&files).await;
    let (english, german) = (Browsing::of(&app), Browsing::of(&app).reading("de"));
    let html = english.get("/terms").await.expect(200).html;
    assert!(html.contains("<h1>House rules</h1>") && html.contains("<h2>Be kind</h2>"), "{html}");
    assert!(html.contains("<a href=\"/rules\">the rules</a>, not this."), "{html}");
    assert!(
        html.contains("&lt;script&gt;alert(1)&lt;/script&gt;") && !html.contains("javascript:"),
        "{html}"
    );
    let html = german.get("/terms").await.expect(200).html;
    assert!(html.contains("<h1>Hausordnung</h1>") && html.contains("Seid nett."), "{html}");
    let html = german.get("/imprint").await.expect(200).html;
    assert!(
        html.contains("<h1>Impressum</h1>") && html.contains("<em>nobody</em>"),
        "in no other language: {html}"
    );
    let html = english.get("/").await.expect(200).html;
    assert!(html.contains("A server for <strong>nine</strong> friends."), "{html}");

    // Every page leads there, and so does the form to sign up.
    let (game, _) = pip_pip(&app).await;
    for page in ["/games", "/log-in", "/look", &game.replace("/api/v1", "")] {
        let html = english.get(page).await.expect(200).html.replace("&#x2f;", "/");
        assert!(html.contains("href=\"/terms\">House rules</a>"), "{page}: {html}");
        assert!(html.contains("href=\"/imprint\">Who runs this server</a>"), "{page}: {html}");
    }
    let html = english.get("/sign-up").await.expect(200).html.replace("&#x2f;", "/");
    assert!(
        html.contains("agrees to what this page says: <a class=\"link\" href=\"/terms\">House rules</a>"),
        "{html}"
    );

    let plain = TestApp::start().await;
    let stranger = Browsing::of(&plain);
    for page in ["/terms", "/imprint"] {
        stranger.get(page).await.expect(404);
    }
    let html = stranger.get("/sign-up").await.expect(200).html;
    assert!(!html.contains("terms") && !html.contains("imprint") && !html.contains("colours.css"), "{html}");
}

#[tokio::test(flavor = "multi_thread")]
async fn the_name_and_the_colours_of_the_operator_are_on_every_page() {
    let app = branded(&[]).await;
    let stranger = Browsing::of(&app);
    let (game, _) = pip_pip(&app).await;
    let page = game.replace("/api/v1", "");
    let embed = format!("{page}/embed");
    for page in ["/", "/games", "/rules/pip-pip", "/nothing/here", &page, &embed] {
        let html = stranger.get(page).await.html;
        let title =
            html.split("<title>").nth(1).and_then(|rest| rest.split("</title>").next()).expect("a title");
        assert!(title.contains("Club &lt;of&gt; Nine") && !title.contains("pippost"), "{page}: {title}");
        assert!(html.contains("colours.css"), "{page}: {html}");
    }
    let manifest = stranger.get("/manifest.webmanifest").await.expect(200).html;
    assert!(manifest.contains("\"name\":\"Club <of> Nine\"") && manifest.contains("#8a1c5c"), "{manifest}");
    let html = stranger.get("/").await.expect(200).html.replace("&#x2f;", "/");
    assert!(html.contains("<span>Club &lt;of&gt; Nine</span>"), "{html}");
    assert!(html.contains("name=\"theme-color\" content=\"#8a1c5c\""), "{html}");
    let sheets: Vec<&str> = html
        .split("rel=\"stylesheet\" href=\"")
        .skip(1)
        .map(|rest| rest.split('"').next().expect("its end"))
        .collect();
    assert!(sheets.len() == 2 && sheets[0].ends_with("/site.css"), "the colours come last: {sheets:?}");
    let sheet = stranger.get(sheets[1]).await.expect(200);
    assert!(
        sheet.html.contains("--accent: #8a1c5c;") && sheet.html.contains("--accent: #f2a6d0;"),
        "{}",
        sheet.html
    );
    assert_eq!(sheet.headers["content-type"], "text/css; charset=utf-8");
    assert!(sheet.headers["cache-control"].to_str().expect("text").contains("immutable"));
    let old = stranger.get("/static/0123456789abcdef/colours.css").await.expect(200);
    assert_eq!(old.headers["cache-control"], "no-store");
    Browsing::of(&TestApp::start().await).get("/static/0123456789abcdef/colours.css").await.expect(404);
}

#[tokio::test(flavor = "multi_thread")]
async fn feeds_calendars_and_messages_have_the_name_of_the_operator() {
    let app = branded(&[]).await;
    let plain = TestApp::start().await;
    for (app, name) in [(&app, "Club <of> Nine"), (&plain, "pippost")] {
        let escaped = name.replace('<', "&lt;").replace('>', "&gt;");
        app.player("ann").await;
        let ann = Browsing::log_in(app, "ann").await;
        let [rss, ics] = feeds(&ann).await;
        let rss = ann.get(&rss).await.expect(200).html;
        assert!(rss.contains(&format!("<title>{escaped}: games that wait for you</title>")), "{rss}");
        let ics = ann.get(&ics).await.expect(200).html;
        assert!(ics.contains(&format!("X-WR-CALNAME:{name}: deadlines\r\n")), "{ics}");
        let worker = ann.get("/service-worker.js").await.expect(200).html;
        assert!(worker.starts_with(&format!("const SITE = \"{name}\";\n")), "{worker}");
        let stranger = Browsing::of(app);
        for (page, told) in [("/", "is a server for games played over days"), ("/about", "keeps slow games")]
        {
            let html = stranger.get(page).await.expect(200).html;
            assert!(html.contains(&format!("{escaped} {told}")), "{page}: {html}");
        }
    }
}

#[test]
fn what_cannot_be_used_is_refused_at_the_start_with_the_reason() {
    let folder = tempfile::tempdir().expect("a folder");
    let why = |name: &str, text: &[u8]| {
        let path = folder.path().join(name);
        fs::write(&path, text).expect("a file");
        let refused = Branding::read(None, Some(folder.path()), None).expect_err("a refusal").to_string();
        fs::remove_file(&path).expect("gone");
        refused
    };
    assert_eq!(why("term.md", b"x"), "term.md: there are texts for terms, imprint, welcome");
    assert_eq!(why("terms.xx.md", b"x"), "terms.xx.md: this server has no language xx");
    assert!(why("terms.md", "x".repeat(65_537).as_bytes()).contains("has more than 65536 bytes"));
    assert!(why("terms.md", &[0xff]).contains("UTF-8"));
    assert!(Branding::read(None, Some(&folder.path().join("none")), None).is_err());
    let pale = Branding::read(None, None, Some("#cccccc,#ffffff")).expect_err("a refusal").to_string();
    assert!(pale.starts_with("#cccccc has a contrast of 1."), "{pale}");
    assert!(Branding::read(Some("a name that is much too long"), None, None).is_err());
}
