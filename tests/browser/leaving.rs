//! A player deletes the account on the page of preferences.

use serde_json::json;

use support::games::pip_pip;
use support::window::{Window, browser};
use support::{PASSWORD, TestApp};

#[tokio::test(flavor = "multi_thread")]
async fn an_account_is_deleted_on_the_page_and_nothing_of_it_stays_in_the_browser() {
    let app = TestApp::start().await;
    let (game, [_, bob]) = pip_pip(&app).await;
    let page = game.replace("/api/v1", "");
    let url = app.url.clone();
    let shown = tokio::task::spawn_blocking(move || {
        let browser = browser();
        let ann = Window::logged_in(&browser, &url, "ann");
        // The page of the game is kept for a time without a connection.
        ann.wait("navigator.serviceWorker.ready.then(() => true)");
        ann.go(&page);
        ann.wait("caches.open('pippost-pages').then((kept) => kept.keys()).then((kept) => kept.length > 0)");
        let form = "form[action='/preferences/delete']";
        let send = |password: &str, sure: bool| {
            ann.evaluate(&format!(
                "(() => {{ document.querySelector(\"{form}\").closest('details').open = true; return 1; }})()"
            ));
            ann.fill(&format!("{form} [name=password]"), password);
            if sure {
                ann.click(&format!("{form} [name=sure]"));
            }
            ann.evaluate("(() => { document.documentElement.dataset.old = 'yes'; return 1; })()");
            ann.click(&format!("{form} button"));
        };
        ann.go("/preferences/data");
        send(PASSWORD, false);
        // The browser itself asks for the tick.
        assert_eq!(
            ann.evaluate(&format!("document.querySelector(\"{form} [name=sure]\").matches(':invalid')")),
            json!(true)
        );
        ann.go("/preferences/data");
        send("not the password at all", true);
        ann.wait(
            "!document.documentElement.dataset.old && document.getElementById('delete-problem') !== null",
        );
        assert!(ann.text("#delete-problem").contains("password"), "{}", ann.text("#delete-problem"));
        assert!(!ann.text(&format!("{form} button")).is_empty(), "the form is still open");
        send(PASSWORD, true);
        ann.wait("!document.documentElement.dataset.old && document.querySelector('h1')?.innerText === 'Your account is deleted'");
        assert!(ann.text(".who").contains("Log in"), "{}", ann.text(".who"));
        assert_eq!(ann.evaluate("caches.has('pippost-pages')"), json!(false));
        assert_eq!(ann.evaluate("localStorage.length"), json!(0));
        ann.go("/my-games");
        ann.wait("location.pathname === '/log-in'");
        ann.fill("[name=login]", "ann");
        ann.fill("[name=password]", PASSWORD);
        ann.evaluate("(() => { document.documentElement.dataset.old = 'yes'; return 1; })()");
        ann.click("main form button[type=submit]");
        ann.wait("!document.documentElement.dataset.old && document.querySelector('.problem, .problem-box') !== null");
        ann.go(&page);
        ann.text("#headline")
    });
    let headline = shown.await.expect("the browser's thread");
    assert_eq!(headline, "bob won by resignation.");
    assert_eq!(bob.get(&game).await.ok()["result"]["reason"], "resignation");
}
