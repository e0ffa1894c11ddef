//! What comes out of a printer: the board and the moves, black on white, and nothing to click.

use serde_json::json;

use support::TestApp;
use support::game_page::{in_browser, start};
use support::sample::Sampler;
use support::window::{Window, browser};

/// The moves of the game that is printed.
const MOVES: usize = 8;

/// Whether the first such element has a place on the page.
fn is_shown(window: &Window, selector: &str) -> bool {
    let selector = json!(selector);
    window.evaluate(&format!("(document.querySelector({selector})?.getClientRects().length ?? 0) > 0"))
        == json!(true)
}

#[tokio::test(flavor = "multi_thread")]
async fn a_game_and_all_its_moves_are_printed_black_on_white_without_navigation() {
    let app = TestApp::start().await;
    let (game, page, players) = start(&app, "pip-pip", json!({})).await;
    let mut sampler = Sampler::new(5);
    for _ in 0..MOVES {
        let now = players[0].get(&game).await.ok();
        let Some(seat) = now["to_act"].as_u64() else { break };
        let player = &players[usize::try_from(seat).expect("small")];
        let listed = player.get(&format!("{game}/actions")).await.ok();
        let action = sampler.action(listed["actions"].as_array().expect("a list"));
        player.post(&format!("{game}/moves"), &json!({"actions": [action]})).await.ok();
    }
    let seq = players[0].get(&game).await.ok()["seq"].as_u64().expect("a number");
    let url = app.url.clone();
    in_browser(move || {
        let browser = browser();
        let window = Window::logged_in(&browser, &url, "ann");
        let folder = std::env::var("PIPPOST_PICTURES").ok();
        // On a dark screen, too, paper is white.
        window.look(1280, 900, true);
        for (name, path, list) in
            [("game", page.clone(), ".story li"), ("moves", format!("{page}/moves"), ".moves li")]
        {
            window.go(&path);
            assert!(is_shown(&window, ".site-header"), "{name}");
            window.on_paper(true);
            for hidden in [".site-header", ".site-footer", "form", "button", "#move", ".spot", ".off-paper"] {
                assert!(!is_shown(&window, hidden), "{name}: {hidden}");
            }
            for shown in ["h1", "#board", list] {
                assert!(is_shown(&window, shown), "{name}: {shown}");
            }
            let colours = window.evaluate(
                "['backgroundColor', 'color'].map((name) => getComputedStyle(document.body)[name])",
            );
            assert_eq!(colours, json!(["rgb(255, 255, 255)", "rgb(0, 0, 0)"]), "{name}");
            assert!(window.fits(), "{name}");
            window.on_paper(false);
            let pdf = window.tab.print().expect("a PDF");
            assert!(pdf.starts_with(b"%PDF-") && pdf.len() > 5_000, "{name}: {} bytes", pdf.len());
            if let Some(folder) = &folder {
                std::fs::write(format!("{folder}/{name}.pdf"), pdf).expect("a file");
            }
        }
        let moves =
            window.evaluate("document.querySelectorAll('.moves li').length").as_u64().expect("a number");
        assert_eq!(moves, seq + 1, "the start and every move");
    })
    .await;
}
