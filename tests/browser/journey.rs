//! The pages in a real browser: from signing up to a game with two players, by clicking and by keyboard, on a phone, and what axe-core finds.

use std::path::Path;

use serde_json::json;

use support::browsing::Browsing;
use support::hooks as webhooks;
use support::open_page::OpenPage;
use support::post::Post;
use support::receiver::{Behavior, Receiver, sender};
use support::{PASSWORD, TestApp};

/// The narrowest window, in pixels, that must show everything without horizontal scrolling.
const NARROWEST: u32 = 320;

/// Fills a field and leaves it, as a person does.
fn fill(page: &OpenPage, field: &str, text: &str) {
    let text = json!(text);
    page.evaluate(&format!("(() => {{ document.getElementById('{field}').value = {text}; return 1; }})()"));
}

/// Clicks what the selector finds.
fn tick(page: &OpenPage, selector: &str) {
    let selector = json!(selector);
    page.evaluate(&format!("(() => {{ document.querySelector({selector}).click(); return 1; }})()"));
}

/// Does what leads to another page, and waits for that: the old one bears a mark.
fn leaving(page: &OpenPage, action: impl FnOnce()) {
    page.evaluate("(() => { document.documentElement.dataset.left = 'yes'; return 1; })()");
    action();
    page.tab.wait_for_element("html:not([data-left]) footer").expect("a page");
}

/// Clicks what leads to another page.
fn click(page: &OpenPage, selector: &str) {
    leaving(page, || tick(page, selector));
}

fn text(page: &OpenPage) -> String {
    page.evaluate("document.querySelector('main').innerText").as_str().expect("text").to_owned()
}

fn path(page: &OpenPage) -> String {
    page.evaluate("location.pathname").as_str().expect("a path").to_owned()
}

fn sign_up(page: &OpenPage, url: &str, handle: &str) {
    page.go_to(&format!("{url}/sign-up"));
    fill(page, "handle", handle);
    fill(page, "email", &format!("{handle}@example.org"));
    fill(page, "password", PASSWORD);
    click(page, "main form button");
    assert_eq!(path(page), "/my-games", "{}", text(page));
}

/// The path of the link in the newest mail to a player.
async fn link(post: &Post, handle: &str) -> String {
    let mail = post.all(handle).await.pop().expect("a mail");
    let is_link = |word: &&str| word.starts_with("http") && word.contains("token=");
    let link = mail.text.split_whitespace().find(is_link).unwrap_or_else(|| panic!("{}", mail.text));
    format!("/{}", link.splitn(4, '/').nth(3).expect("a path"))
}

#[tokio::test(flavor = "multi_thread")]
async fn two_people_sign_up_and_meet_at_a_table() {
    let app = TestApp::start().await;
    let post = Post::of(&app);
    let url = app.url.clone();
    let page = tokio::task::spawn_blocking(move || {
        let page = OpenPage::blank();
        sign_up(&page, &url, "ann");
        assert!(text(&page).contains("ann@example.org"), "{}", text(&page));
        page
    });
    let page = page.await.expect("a browser");
    let confirm = link(&post, "ann").await;
    let url = app.url.clone();
    let (page, game) = tokio::task::spawn_blocking(move || {
        page.go_to(&format!("{url}{confirm}"));
        click(&page, "main form button");
        assert!(text(&page).contains("Address confirmed"), "{}", text(&page));
        page.go_to(&format!("{url}/games/new?rules=pip-pip"));
        tick(&page, "input[value=private]");
        click(&page, "main form button");
        assert!(text(&page).contains("Waiting for one more player"), "{}", text(&page));
        let game = path(&page);
        assert!(page.evaluate("document.querySelector('.qr svg') !== null").as_bool().expect("a flag"));
        fill(&page, "invitee", "bob@example.org");
        click(&page, "section form button");
        assert!(text(&page).contains("An invitation to bob@example.org is on its way"), "{}", text(&page));
        (page, game)
    })
    .await
    .expect("a browser");
    let invitation = link(&post, "bob").await;
    assert!(invitation.starts_with(&game), "{invitation}");
    let url = app.url.clone();
    tokio::task::spawn_blocking(move || {
        let other = OpenPage::blank();
        other.go_to(&format!("{url}{invitation}"));
        // Bob has no account yet, and comes back to the table with one.
        click(&other, ".buttons a.button");
        fill(&other, "handle", "bob");
        fill(&other, "email", "bob@example.org");
        fill(&other, "password", PASSWORD);
        click(&other, "main form button");
        assert_eq!(path(&other), game);
        click(&other, "main form button");
        assert_eq!(path(&other), game, "{}", text(&other));
        page.go_to(&format!("{url}/my-games"));
        assert!(text(&page).contains("ann – bob"), "{}", text(&page));
    })
    .await
    .expect("a browser");
}

/// A table that waits, one that is played, a webhook that is told of it and fails, and players with long names.
async fn furnished(app: &TestApp) -> [String; 3] {
    let long = "a-name-as-long-as-a-name-may-be1";
    let (ann, bob, longest) = (app.player("ann").await, app.player("bob").await, app.player(long).await);
    let create = async |client: &support::Client, body: &serde_json::Value| {
        let game = client.post("/api/v1/games", body).await.expect_status(201).json();
        game["id"].as_str().expect("an id").to_owned()
    };
    let receiver = Receiver::start();
    let hook = webhooks::verified(&ann, &receiver, &["event"]).await.path;
    let running = create(&ann, &json!({"rules": "pip-pip", "seating": "joined"})).await;
    bob.post(&format!("/api/v1/games/{running}/join"), &json!({})).await.ok();
    let big = json!({"rules": "dominion", "options": {"size": 5}, "seats": 8});
    let waiting = create(&longest, &big).await;
    ann.post(&format!("/api/v1/games/{waiting}/join"), &json!({})).await.ok();
    for handle in ["carol", "dave", "eve", "frank", "grace"] {
        let player = app.player(handle).await;
        player.post(&format!("/api/v1/games/{waiting}/join"), &json!({})).await.ok();
    }
    receiver.behave(Behavior::Refusing(503));
    webhooks::deliver(&webhooks::worker(app)).await;
    [running, waiting, hook.replace("/api/v1/me", "/preferences")]
}

/// The pages by a name for their pictures; the second list is for those who are logged in.
fn pages([running, waiting, hook]: &[String; 3]) -> [Vec<(String, String)>; 2] {
    let named = |pages: &[(&str, &str)]| {
        pages.iter().map(|(name, path)| ((*name).to_owned(), (*path).to_owned())).collect::<Vec<_>>()
    };
    let for_all = named(&[
        ("home", "/"),
        ("sign-up", "/sign-up"),
        ("log-in", "/log-in"),
        ("forgot", "/forgot-password"),
        ("lobby", "/games"),
        ("lobby-empty", "/games?status=finished&rules=serpent"),
        ("rules", "/rules"),
        ("rules-pip-pip", "/rules/pip-pip?step=9"),
        ("rules-dominion", "/rules/dominion?step=14"),
        ("player", "/players/ann"),
        ("about", "/about"),
        ("api", "/api"),
        ("look", "/look"),
        ("offline", "/offline"),
        ("waiting-stranger", &format!("/games/{waiting}")),
        ("game-stranger", &format!("/games/{running}")),
        ("analysis", &format!("/games/{running}/analysis?seq=0&step=store&chance=4")),
        ("analysis-chance", &format!("/games/{running}/analysis?seq=0&step=store")),
        ("replay-stranger", &format!("/games/{running}/replay?seq=0")),
        ("not-found", "/nothing/here"),
    ]);
    let for_players = named(&[
        ("my-games", "/my-games"),
        ("device", "/device?user_code=BCDF-GHJK"),
        ("lobby-player", "/games"),
        ("new-game", "/games/new"),
        ("new-game-dominion", "/games/new?rules=dominion"),
        ("new-game-pippinzip", "/games/new?rules=pippinzip"),
        ("waiting", &format!("/games/{waiting}")),
        ("preferences", "/preferences"),
        ("webhooks", "/preferences/webhooks"),
        ("webhook", hook),
        ("game", &format!("/games/{running}")),
        ("game-picked", &format!("/games/{running}?pick=c3")),
        ("replay", &format!("/games/{running}/replay")),
    ]);
    [for_all, for_players]
}

/// Gives the browser the session of a player.
fn log_in(page: &OpenPage, url: &str, handle: &str) {
    page.go_to(&format!("{url}/log-in"));
    fill(page, "login", handle);
    fill(page, "password", PASSWORD);
    click(page, "main form button");
    assert_eq!(path(page), "/my-games", "{}", text(page));
}

/// axe-core as a script.
fn axe() -> String {
    let tools = std::env::var_os("PIPPOST_CONTRACT_TOOLS").expect("the folder of the contract's tools");
    let file = Path::new(&tools).join("node/node_modules/axe-core/axe.min.js");
    std::fs::read_to_string(file).expect("axe-core among the tools of the contract")
}

#[tokio::test(flavor = "multi_thread")]
async fn every_page_fits_a_narrow_window_loads_nothing_from_elsewhere_and_can_be_pictured() {
    inspect_all(None).await;
}

#[tokio::test(flavor = "multi_thread")]
#[ignore = "needs axe-core: ./test installs it with the tools of the contract"]
async fn axe_core_finds_nothing_on_any_page() {
    inspect_all(Some(axe())).await;
}

/// Looks at every page, in one browser as a stranger and in another as a player.
async fn inspect_all(axe: Option<String>) {
    let app = TestApp::with_sender(sender()).await;
    let [for_all, for_players] = pages(&furnished(&app).await);
    let as_stranger = inspect_each(&app.url, None, for_all, axe.clone());
    let as_player = inspect_each(&app.url, Some("ann"), for_players, axe);
    let (mut found, of_players) = tokio::join!(as_stranger, as_player);
    found.extend(of_players);
    assert!(found.is_empty(), "axe-core found:\n{}", found.join("\n"));
}

/// Looks at pages in a browser of their own, in which this player has logged in; returns what axe-core found.
async fn inspect_each(
    url: &str,
    player: Option<&'static str>,
    pages: Vec<(String, String)>,
    axe: Option<String>,
) -> Vec<String> {
    let url = url.to_owned();
    let inspected = tokio::task::spawn_blocking(move || {
        let page = OpenPage::blank();
        if let Ok(language) = std::env::var("PIPPOST_LANGUAGE") {
            page.go_to(&format!("{url}/look"));
            tick(&page, &format!("input[name=language][value={language}]"));
            click(&page, "main form button");
        }
        if let Some(player) = player {
            log_in(&page, &url, player);
        }
        let inspect =
            |(name, path): &(String, String)| inspect(&page, name, &format!("{url}{path}"), axe.as_deref());
        pages.iter().flat_map(inspect).collect()
    });
    inspected.await.expect("a browser")
}

/// Looks at one page; returns what axe-core found.
fn inspect(page: &OpenPage, name: &str, address: &str, axe: Option<&str>) -> Vec<String> {
    let mut violations = Vec::new();
    page.go_to(address);
    let pictures = std::env::var("PIPPOST_PICTURES").ok();
    for (width, dark) in
        [(NARROWEST, false), (390, false), (390, true), (1280, false), (1280, true), (3840, false)]
    {
        page.look(width, dark);
        assert!(page.has_no_sideways_scroll(), "{name} at {width}");
        if let Some(folder) = pictures.as_ref().filter(|_| width != 3840) {
            let shade = if dark { "dark" } else { "light" };
            page.keep_picture(&Path::new(folder).join(format!("page-{name}-{width}-{shade}.png")));
        }
        if let Some(axe) = axe.filter(|_| [390, 1280].contains(&width)) {
            page.tab.evaluate(axe, false).expect("a script");
            let found = page.evaluate(
                "axe.run(document, { runOnly: ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'] })
                    .then((result) => result.violations.map((one) => one.id + ': ' + one.nodes.map((node) => node.html + ' ' + node.failureSummary).join(' | ')))",
            );
            let found = found.as_array().expect("a list of violations");
            violations.extend(found.iter().map(|one| format!("{name} at {width}, dark: {dark}: {one}")));
        }
    }
    page.look(1280, false);
    let elsewhere = page.evaluate(
        "performance.getEntriesByType('resource').map((one) => one.name).filter((name) => !name.startsWith(location.origin))",
    );
    assert_eq!(elsewhere, json!([]), "{name}");
    // Chromium counts what came over the wire, headers included.
    let bytes = page.evaluate(
        "performance.getEntriesByType('resource').concat(performance.getEntriesByType('navigation')).reduce((sum, one) => sum + one.transferSize, 0)",
    );
    assert!(bytes.as_f64().expect("a number") < 100_000.0, "{name}: {bytes} bytes");
    violations
}

#[tokio::test(flavor = "multi_thread")]
async fn a_game_is_created_by_keyboard_alone() {
    let app = TestApp::start().await;
    app.player("ann").await;
    let url = app.url.clone();
    tokio::task::spawn_blocking(move || {
        let page = OpenPage::blank();
        let focused =
            || page.evaluate("document.activeElement.name || document.activeElement.innerText").to_string();
        page.go_to(&format!("{url}/log-in"));
        let tab_to = |wanted: &str| {
            for _ in 0..60 {
                page.tab.press_key("Tab").expect("a key");
                if focused().contains(wanted) {
                    return;
                }
            }
            panic!("no way by keyboard to {wanted}");
        };
        tab_to("login");
        page.tab.type_str("ann").expect("keys");
        tab_to("password");
        page.tab.type_str(PASSWORD).expect("keys");
        leaving(&page, || {
            page.tab.press_key("Enter").expect("a key");
        });
        page.go_to(&format!("{url}/games/new?rules=dominion"));
        tab_to("option.size");
        page.tab.press_key("ArrowDown").expect("a key");
        tab_to("Create the game");
        leaving(&page, || {
            page.tab.press_key("Enter").expect("a key");
        });
        assert!(path(&page).starts_with("/games/"), "{}", path(&page));
        assert!(text(&page).contains("5 by 5"), "{}", text(&page));
    })
    .await
    .expect("a browser");
}

#[tokio::test(flavor = "multi_thread")]
async fn what_strangers_write_stays_text() {
    let app = TestApp::start().await;
    app.player("ann").await;
    let browser = Browsing::log_in(&app, "ann").await;
    let evil = "<img src=x onerror=alert(1)>\"'><script>alert(2)</script>";
    browser.get("/games/new?rules=dominion").await.expect(200);
    let option =
        [("rules", "dominion"), ("option.round_limit", evil), ("seats", evil), ("option.size", evil)];
    let html = browser.post("/games/new", &option).await.expect(422).html;
    assert!(!html.contains("<img src=x") && !html.contains("<script>alert"), "{html}");
    let encoded = "%3Cimg%20src=x%20onerror=alert(1)%3E%22";
    for path in [
        "/games?rules=",
        "/games?status=",
        "/log-in?next=/",
        "/players/",
        "/rules/",
        "/preferences?done=",
        "/preferences/webhooks?done=",
        "/preferences/webhooks/",
        "/games/new?rules=",
    ] {
        let shown = browser.get(&format!("{path}{encoded}")).await;
        assert!(!shown.html.contains("<img src=x"), "{path}: {}", shown.html);
    }
    // A token's name is a text of the player's own.
    browser.get("/preferences").await.expect(200);
    let named = [("name", "<b>bold</b>"), ("read", "on")];
    let made = browser.post("/preferences/create-token", &named).await.expect(200).html;
    assert!(made.contains("ppt_") && made.contains("&lt;b&gt;bold") && !made.contains("<b>bold"), "{made}");
    assert!(!browser.get("/preferences").await.expect(200).html.contains("ppt_"), "shown once");
}
