//! Without scripts every pick is a link and every move a form.

use serde_json::json;

use support::TestApp;
use support::browsing::{Browsing, Shown};
use support::game_page::{in_browser, start};
use support::games::open_game;
use support::sample::Sampler;
use support::window::{Window, browser};

/// The values of an attribute, as browsers read them.
pub(super) fn values(html: &str, attribute: &str) -> Vec<String> {
    let opening = format!("{attribute}=\"");
    let parts = html.split(&opening).skip(1);
    let value = |part: &str| {
        let value = part.split('"').next().expect("an end");
        value.replace("&quot;", "\"").replace("&#x2f;", "/").replace("&#x27;", "'").replace("&amp;", "&")
    };
    parts.map(value).collect()
}

fn field(html: &str, name: &str) -> String {
    let (_, rest) =
        html.split_once(&format!("name=\"{name}\" value=\"")).unwrap_or_else(|| panic!("{name}: {html}"));
    values(&format!("value=\"{rest}"), "value").swap_remove(0)
}

/// The links that pick a target.
pub(super) fn picks(html: &str) -> Vec<String> {
    let links = html.split("<a ").skip(1).filter_map(|rest| rest.split_once('>'));
    let links = links.map(|(tag, _)| tag).filter(|tag| tag.contains("data-target="));
    links.map(|tag| values(tag, "href").swap_remove(0)).collect()
}

/// Follows links until a move stands there, and sends its form.
async fn make_a_move(browser: &Browsing, page: &str, sampler: &mut Sampler) -> Shown {
    let mut shown = browser.get(page).await.expect(200);
    while !shown.html.contains("id=\"send\"") {
        let links = picks(&shown.html);
        assert!(!links.is_empty(), "{}", shown.html);
        shown = browser.get(&links[sampler.below(links.len())]).await.expect(200);
    }
    let fields = ["action", "seq", "key"].map(|name| (name, field(&shown.html, name)));
    let fields: Vec<(&str, &str)> = fields.iter().map(|(name, value)| (*name, value.as_str())).collect();
    let sent = browser.post(&format!("{page}/moves"), &fields).await;
    assert_eq!(sent.location(), page);
    browser.get(page).await.expect(200)
}

#[tokio::test(flavor = "multi_thread")]
async fn a_whole_game_is_played_by_links_and_forms() {
    let app = TestApp::start().await;
    let (game, page, _) = start(&app, "pip-pip", json!({})).await;
    let browsers = [Browsing::log_in(&app, "ann").await, Browsing::log_in(&app, "bob").await];
    let mut sampler = Sampler::new(2);
    loop {
        let now = app.stranger().unchecked().get(&game).await.ok();
        let Some(seat) = now["to_act"].as_u64() else { break };
        make_a_move(&browsers[usize::try_from(seat).expect("small")], &page, &mut sampler).await;
    }
    assert_eq!(app.stranger().unchecked().get(&game).await.ok()["result"]["reason"], "play");
    let replay = browsers[0].get(&format!("{page}/replay?seq=1")).await.expect(200).html;
    assert!(replay.contains("Step 1 of") && replay.contains("ann placed"), "{replay}");
    let steps: Vec<_> =
        values(&replay, "href").into_iter().filter(|href| href.contains("/replay?")).collect();
    assert!(
        steps.iter().any(|href| href.ends_with("seq=2")) && steps.iter().any(|href| href.ends_with("turn=2")),
        "{steps:?}"
    );
    let missing = browsers[0].get(&format!("{page}/replay?seq=999")).await.expect(404).html;
    assert!(missing.contains("no such moment"), "{missing}");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_move_is_written_looked_at_and_sent() {
    let app = TestApp::start().await;
    let (game, page, _) = start(&app, "pippinzip", json!({"size": 5})).await;
    let ann = Browsing::log_in(&app, "ann").await;
    let wrong = ann.get(&format!("{page}?say=c9")).await.expect(200).html;
    assert!(wrong.contains("That is no move") && !wrong.contains("id=\"send\""), "{wrong}");
    let right = ann.get(&format!("{page}?say=c3+d5")).await.expect(200).html;
    assert!(
        right.contains("id=\"send\"") && right.contains("You will place black stones on c3 and d5."),
        "{right}"
    );
    assert!(right.contains("Once it is sent, a move cannot be taken back."), "said before the first move");
    let fields = ["action", "seq", "key"].map(|name| (name, field(&right, name)));
    let fields: Vec<(&str, &str)> = fields.iter().map(|(name, value)| (*name, value.as_str())).collect();
    for _ in 0..2 {
        // Sent twice, done once.
        assert_eq!(ann.post(&format!("{page}/moves"), &fields).await.location(), page);
    }
    assert_eq!(app.stranger().unchecked().get(&game).await.ok()["seq"], json!(1));
    let german = Browsing::of(&app).reading("de");
    let shown = german.get(&page).await.expect(200).html;
    assert!(
        shown.contains("Was zuletzt geschah") && shown.contains("schwarze Steine auf c3 und d5"),
        "{shown}"
    );
    assert!(picks(&shown).is_empty() && !shown.contains("id=\"move\""), "a stranger moves nothing");
}

#[tokio::test(flavor = "multi_thread")]
async fn resigning_asks_first_and_ends_the_game() {
    let app = TestApp::start().await;
    let (game, page, _) = start(&app, "pip-pip", json!({})).await;
    let bob = Browsing::log_in(&app, "bob").await;
    let shown = bob.get(&page).await.expect(200).html;
    let form = shown.split("/resign\"").nth(1).expect("a form").to_owned();
    assert!(
        shown.contains("<summary>Resign or end the game</summary>")
            && form.contains("you leave this game for good")
    );
    let (seq, key) = (field(&form, "seq"), field(&form, "key"));
    bob.post(&format!("{page}/resign"), &[("seq", &seq), ("key", &key)]).await.expect(303);
    let end = app.stranger().unchecked().get(&game).await.ok();
    assert_eq!((&end["status"], &end["result"]["reason"]), (&json!("finished"), &json!("resignation")));
    let over = bob.get(&page).await.expect(200).html;
    assert!(over.contains("ann won by resignation.") && !over.contains("/resign\""), "{over}");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_browser_without_scripts_is_told_to_load_again_what_would_change_by_itself() {
    let app = TestApp::start().await;
    let (_, page, [ann, _]) = start(&app, "pip-pip", json!({})).await;
    let open = open_game(&ann).await.trim_start_matches("/api/v1").to_owned();
    let url = app.url.clone();
    in_browser(move || {
        let browser = browser();
        let (ann, bob) = (Window::logged_in(&browser, &url, "ann"), Window::logged_in(&browser, &url, "bob"));
        let stranger = Window::of(&browser, &url);
        let replay = format!("{page}/replay");
        let live =
            [(&bob, &page), (&stranger, &page), (&ann, &open), (&stranger, &open), (&stranger, &replay)];
        for (window, path) in live {
            let said = "document.querySelector('main noscript .notice')?.getClientRects().length > 0";
            window.go(path);
            assert_eq!(window.evaluate(said), json!(false), "{path}: scripts run");
            window.scripts(false);
            window.go(path);
            assert_eq!(window.evaluate(said), json!(true), "{path}: {}", window.text("main"));
            let notice = window.text("main noscript .notice");
            assert!(notice.starts_with("Without scripts this page does not change"), "{notice}");
            let link = window.evaluate("document.querySelector('main noscript a').getAttribute('href')");
            assert_eq!(link, json!(path), "{path}");
            assert!(window.fits(), "{path}");
            window.scripts(true);
        }
    })
    .await;
}
