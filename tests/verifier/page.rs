//! The page as people use it: they choose a file or paste a record, and read the verdict.

use std::path::Path;

use serde_json::json;

use crate::clocks::with_false_offsets;
use support::TestApp;
use support::open_page::{OpenPage, PLAIN_HOST};

const RECORD: &str = include_str!("../vectors/pip-pip-1.ndjson");
const SERPENT: &str = include_str!("../vectors/serpent-running.ndjson");
const BOUND: &str = include_str!("../clock_vectors/66.ndjson");
const OTHER_TZDATA: &str = include_str!("../clock_vectors/other-tzdata.ndjson");
const DOMINION: &str = include_str!("../vectors/dominion-4x4-3p-conquest.ndjson");

/// The narrowest window, in pixels, that must show everything without horizontal scrolling.
const NARROWEST: u32 = 320;

#[test]
fn a_file_and_a_paste_get_a_verdict_in_words_and_every_die_its_word() {
    let page = OpenPage::saved();
    assert_eq!(page.evaluate("isSecureContext"), json!(true), "browsers lend their cryptography to files");
    assert_eq!(
        page.evaluate("fetch('https://example.org').then(() => 'out', () => 'kept in')"),
        json!("kept in")
    );

    page.choose("good.ndjson", RECORD);
    assert_eq!(page.text("verdict"), "Accepted, and proved");
    assert_eq!(
        page.text("reason"),
        "good.ndjson: 21 events, 16 dice and 0 cards of Pip•Pip, all from the secret that the server committed to before \
         any player added to it."
    );
    assert_eq!(page.evaluate("document.activeElement.id"), json!("verdict"), "it is read out");
    let rows = "document.querySelectorAll('#events tr').length";
    assert_eq!(page.evaluate(rows), json!(21));
    let first_draws = page.evaluate(
        "[...document.querySelectorAll('#events tr:first-child .draws li')].map((draw) => draw.querySelector('.word').textContent)",
    );
    let first_words: Vec<&str> =
        first_draws.as_array().expect("a list").iter().filter_map(|word| word.as_str()).collect();
    assert_eq!(first_words.len(), 3, "two seats and a die: {first_words:?}");
    assert!(first_words[2].starts_with("2: "), "the die came from the third word: {first_words:?}");

    page.choose("forged.ndjson", &RECORD.replacen("\"die\":", "\"die\": ", 1));
    assert_eq!(page.text("verdict"), "Refused: event 0 is wrong");
    let forged = RECORD.replacen("Z\",\"effects\"", "Y\",\"effects\"", 3).replacen(
        "Y\",\"effects\"",
        "Z\",\"effects\"",
        2,
    );
    page.choose("later.ndjson", &forged);
    assert_eq!(page.text("verdict"), "Refused: event 2 is wrong");
    assert_eq!(page.text("reason"), "later.ndjson: at is not a time in UTC with six decimals.");

    let pasted = serde_json::to_string(SERPENT.trim_end()).expect("a text");
    page.evaluate(&format!(
        "(() => {{ document.getElementById('pasted').value = {pasted}; document.getElementById('input').requestSubmit(); return 1; }})()"
    ));
    page.wait_for_report("What you pasted");
    assert_eq!(page.text("verdict"), "Accepted so far");
    assert!(page.text("reason").contains("One deal is still hidden"), "{}", page.text("reason"));
}

#[test]
fn the_page_accepts_offsets_that_nothing_binds_or_that_the_browser_does_not_know_with_a_warning() {
    let page = OpenPage::saved();
    page.choose("bound.ndjson", BOUND);
    assert_eq!(page.text("verdict"), "Accepted, and proved");
    assert!(!page.text("reason").contains(" But "), "{}", page.text("reason"));
    page.choose("old.ndjson", OTHER_TZDATA);
    assert_eq!(page.text("verdict"), "Accepted, and proved");
    assert!(page.text("reason").contains(" But this clock log has an old form"), "{}", page.text("reason"));
    page.choose("false.ndjson", &with_false_offsets());
    assert_eq!(page.text("verdict"), "Accepted, and proved");
    assert!(page.text("reason").contains("that are not those of this browser"), "{}", page.text("reason"));
    if let Ok(folder) = std::env::var("PIPPOST_PICTURES") {
        page.look(NARROWEST, false);
        assert!(page.has_no_sideways_scroll());
        page.keep_picture(&Path::new(&folder).join("false-offsets.png"));
    }
}

#[test]
fn the_page_fits_a_narrow_window_and_pictures_of_it_can_be_kept() {
    let page = OpenPage::saved();
    let pictures = std::env::var("PIPPOST_PICTURES").ok();
    let forged = DOMINION.replacen("\"to_act\":1", "\"to_act\":2", 1);
    for (name, text) in
        [("serpent", SERPENT), ("dominion", DOMINION), ("pip-pip", RECORD), ("forged", &forged)]
    {
        for (width, dark) in [(NARROWEST, false), (NARROWEST, true), (1200, false), (1200, true)] {
            page.look(width, dark);
            page.choose(&format!("{name}-{width}-{dark}.ndjson"), text);
            assert!(page.has_no_sideways_scroll(), "{name} at {width}");
            if let Some(folder) = &pictures {
                let shade = if dark { "dark" } else { "light" };
                page.keep_picture(&Path::new(folder).join(format!("{name}-{width}-{shade}.png")));
            }
        }
    }
}

async fn get(url: &str) -> reqwest::Response {
    // Only the first call has an effect; every test installs the same provider.
    let _installed = rustls::crypto::aws_lc_rs::default_provider().install_default();
    reqwest::get(url).await.expect("an answer")
}

#[tokio::test(flavor = "multi_thread")]
async fn the_server_offers_the_same_page_to_use_and_to_keep_and_lets_nothing_out_of_it() {
    let app = TestApp::start().await;
    for (path, kept) in [("/verifier", false), ("/verifier/pippost-verifier.html", true)] {
        let answer = get(&format!("{}{path}", app.url)).await;
        assert_eq!(answer.status(), 200);
        let headers = answer.headers().clone();
        let policy = headers["content-security-policy"].to_str().expect("text");
        assert!(policy.starts_with("default-src 'none'; script-src 'sha256-"), "{policy}");
        assert!(policy.ends_with("frame-ancestors 'none'") && !policy.contains("unsafe"), "{policy}");
        assert_eq!(headers["content-type"], "text/html; charset=utf-8");
        assert_eq!(headers.get("content-disposition").is_some(), kept);
        assert_eq!(answer.text().await.expect("a page"), pippost::web::verifier::document());
    }
    // Templates escape slashes in attributes too.
    let home = get(&app.url).await.text().await.expect("a page").replace("&#x2f;", "/");
    assert!(home.contains("href=\"/verifier\""), "{home}");
}

#[tokio::test(flavor = "multi_thread")]
async fn over_plain_http_the_page_says_that_it_must_be_saved_first() {
    let app = TestApp::start().await;
    let (_, port) = app.url.rsplit_once(':').expect("a port");
    let plain = format!("http://{PLAIN_HOST}:{port}/verifier");
    let local = format!("{}/verifier", app.url);
    tokio::task::spawn_blocking(move || {
        let page = OpenPage::blank();
        let shown = "['no-cryptography', 'input'].map((id) => document.getElementById(id).checkVisibility())";
        page.go_to(&plain);
        assert_eq!(page.evaluate("isSecureContext"), json!(false));
        assert_eq!(page.evaluate(shown), json!([true, false]));
        page.go_to(&local);
        assert_eq!(page.evaluate(shown), json!([false, true]));
        page.choose("good.ndjson", RECORD);
        assert_eq!(page.text("verdict"), "Accepted, and proved");
    })
    .await
    .expect("the browser's thread");
}
