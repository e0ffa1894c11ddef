//! Playing by keys alone, and on a narrow screen.

use serde_json::json;

use support::TestApp;
use support::game_page::{in_browser, start, start_of};
use support::window::{Window, browser};

#[tokio::test(flavor = "multi_thread")]
async fn a_move_is_made_by_keys_alone() {
    let app = TestApp::start().await;
    let (_, page, _) = start(&app, "pip-pip", json!({})).await;
    let url = app.url.clone();
    in_browser(move || {
        let browser = browser();
        let ann = Window::logged_in(&browser, &url, "ann");
        ann.go(&page);
        ann.wait("document.documentElement.dataset.scripted === 'yes'");
        ann.tab_to("#board .spot");
        assert_eq!(
            ann.evaluate("document.querySelectorAll('#board .spot[tabindex=\"0\"]').length"),
            json!(1)
        );
        let focused = || ann.evaluate("document.activeElement.dataset.target");
        assert_eq!(focused(), json!("c3"));
        for (key, target) in [
            ("ArrowUp", "c4"),
            ("ArrowRight", "d4"),
            ("ArrowDown", "d3"),
            ("ArrowLeft", "c3"),
            ("ArrowLeft", "f4"),
            ("ArrowRight", "c3"),
            ("ArrowDown", "c3"),
        ] {
            ann.press(key);
            assert_eq!(focused(), json!(target), "{key}");
        }
        ann.and_wait(|| ann.press("Enter"));
        assert_eq!(ann.state("picks"), "1");
        assert!(
            ann.evaluate("document.activeElement.matches('.choice-button')") == json!(true),
            "the next choice has the focus"
        );
        ann.and_wait(|| ann.press("Escape"));
        assert_eq!(ann.state("picks"), "0");
        ann.evaluate("document.querySelector('#board .spot').focus()");
        ann.press("ArrowUp");
        ann.and_wait(|| ann.press(" "));
        assert_eq!(ann.state("picks"), "1");
        ann.and_wait(|| ann.press("Enter"));
        assert_eq!(ann.evaluate("document.activeElement.id"), json!("send"));
        assert!(ann.text("#move").contains("on c4 with"), "{}", ann.text("#move"));
        assert!(ann.text("#move .chance").contains("cannot be taken back"));
        ann.and_wait(|| ann.press("Enter"));
        assert_eq!((ann.state("seq"), ann.state("myTurn")), ("1".to_owned(), "no".to_owned()));
        assert!(ann.text("#announcer").contains("It is the turn of bob"), "{}", ann.text("#announcer"));
    })
    .await;
}

/// Targets that are smaller than a finger are enlarged by a first touch, and picked by the second.
fn touch_small_targets_twice(window: &Window) {
    window.wait("document.documentElement.dataset.scripted === 'yes'");
    let spot = "document.querySelector('#board .spot:nth-of-type(3)')";
    let width = || window.evaluate(&format!("{spot}?.getBoundingClientRect().width ?? 99")).as_f64();
    let before = width().expect("a width");
    if before >= 30.0 {
        return;
    }
    let touch = |element: &str| {
        window.evaluate(&format!(
            "['pointerdown', 'click'].forEach((type) => {element}.dispatchEvent(new PointerEvent(type, {{ pointerType: 'touch', bubbles: true, cancelable: true }})))"
        ));
    };
    touch(spot);
    assert!(width() > Some(2.0 * before) && window.state("picks") == "0", "{before} {:?}", width());
    touch("document.getElementById('board')");
    assert_eq!(width(), Some(before), "beside the targets the whole board comes back");
    touch(spot);
    window.and_wait(|| touch(spot));
    assert_eq!((window.state("picks").as_str(), width() < Some(30.0)), ("1", true));
    window.and_wait(|| window.click("#move .undo"));
}

#[tokio::test(flavor = "multi_thread")]
async fn every_board_is_played_on_a_narrow_phone() {
    let app = TestApp::start().await;
    let (ann, bob) = (app.player("ann").await.unchecked(), app.player("bob").await.unchecked());
    let mut pages = Vec::new();
    for (rules, options) in [
        ("pip-pip", json!({})),
        ("serpent", json!({})),
        ("pippinzip", json!({"size": 19})),
        ("dominion", json!({"size": 5})),
    ] {
        // A field of five by five is for three players at least.
        let more = if rules == "dominion" { Some(app.player("carol").await.unchecked()) } else { None };
        let players: Vec<_> = [&ann, &bob].into_iter().chain(more.as_ref()).collect();
        pages.push(start_of(&players, rules, options, false).await.1);
    }
    let url = app.url.clone();
    in_browser(move || {
        let browser = browser();
        let window = Window::logged_in(&browser, &url, "ann");
        window.look(320, 640, false);
        for page in pages {
            window.go(&page);
            assert!(window.fits(), "{page}");
            let mut sampler = support::sample::Sampler::new(3);
            let before = window.state("seq");
            assert_eq!(window.state("myTurn"), "yes");
            touch_small_targets_twice(&window);
            window.move_at_random(&mut sampler, &["turn", "done"]);
            assert_ne!(window.state("seq"), before);
            assert!(window.fits(), "{page}");
            window.go(&format!("{page}/replay"));
            assert!(window.fits(), "{page}");
        }
    })
    .await;
}
