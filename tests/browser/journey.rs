//! The pages in a real browser: from signing up to a game with two players, by clicking and by keyboard.

use serde_json::json;

use support::browsing::Browsing;
use support::open_page::OpenPage;
use support::post::Post;
use support::{PASSWORD, TestApp};

/// Fills a field and leaves it, as a person does.
pub fn fill(page: &OpenPage, field: &str, text: &str) {
    let text = json!(text);
    page.evaluate(&format!("(() => {{ document.getElementById('{field}').value = {text}; return 1; }})()"));
}

/// Clicks what the selector finds.
pub fn tick(page: &OpenPage, selector: &str) {
    let selector = json!(selector);
    page.evaluate(&format!("(() => {{ document.querySelector({selector}).click(); return 1; }})()"));
}

/// Does what leads to another page, and waits for that: the old one bears a mark.
fn leaving(page: &OpenPage, action: impl FnOnce()) {
    page.evaluate("(() => { document.documentElement.dataset.left = 'yes'; return 1; })()");
    action();
    page.tab.wait("document.querySelector('html:not([data-left]) footer') !== null").expect("a page");
}

/// Clicks what leads to another page.
pub fn click(page: &OpenPage, selector: &str) {
    leaving(page, || tick(page, selector));
}

pub fn text(page: &OpenPage) -> String {
    page.evaluate("document.querySelector('main').innerText").as_str().expect("text").to_owned()
}

pub fn path(page: &OpenPage) -> String {
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
                page.tab.press("Tab").expect("a key");
                if focused().contains(wanted) {
                    return;
                }
            }
            panic!("no way by keyboard to {wanted}");
        };
        tab_to("login");
        page.tab.type_text("ann").expect("keys");
        tab_to("password");
        page.tab.type_text(PASSWORD).expect("keys");
        leaving(&page, || {
            page.tab.press("Enter").expect("a key");
        });
        page.go_to(&format!("{url}/games/new?rules=dominion"));
        tab_to("option.size");
        page.tab.press("ArrowDown").expect("a key");
        tab_to("Create the game");
        leaving(&page, || {
            page.tab.press("Enter").expect("a key");
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
        "/preferences/time?done=",
        "/search?q=",
        "/ratings?cursor=",
        "/tournaments?cursor=",
        "/my-games?opponent=",
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
    assert!(!browser.get("/preferences/access").await.expect(200).html.contains("ppt_"), "shown once");
}
