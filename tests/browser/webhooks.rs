//! The pages of webhooks on phones and wide screens, light and dark.

use std::path::Path;

use support::TestApp;
use support::games::pip_pip;
use support::hooks::{WEBHOOKS, deliver, move_once, verified, worker};
use support::receiver::{Behavior, Receiver, sender};
use support::window::{Window, browser};

const PAGE: &str = "/preferences/webhooks";

#[tokio::test(flavor = "multi_thread")]
async fn the_pages_fit_a_phone_and_a_webhook_is_added_by_clicking() {
    let app = TestApp::with_sender(sender()).await;
    let (receiver, worker) = (Receiver::start(), worker(&app));
    let (game, players) = pip_pip(&app).await;
    let hook = verified(&players[0], &receiver, &["event"]).await;
    let shown = hook.path.replace("/api/v1/me", "/preferences");
    for behavior in [Behavior::Accepting, Behavior::Refusing(503)] {
        receiver.behave(behavior);
        move_once(&game, &players).await;
        deliver(&worker).await;
    }
    let long = format!("{}/{}", receiver.url, "a-long-path-without-a-hyphen".replace('-', "").repeat(20));
    let (url, language) = (app.url.clone(), std::env::var("PIPPOST_LANGUAGE").ok());
    tokio::task::spawn_blocking(move || {
        let browser = browser();
        let window = Window::logged_in(&browser, &url, "ann");
        if let Some(language) = language {
            window.speak(&language);
        }
        let keep = |name: &str| {
            for (width, dark) in [(390, false), (390, true), (1280, false), (1280, true)] {
                window.look(width, 900, dark);
                assert!(window.fits(), "{name} at {width}");
                if let Some(folder) = std::env::var_os("PIPPOST_PICTURES") {
                    let shade = if dark { "dark" } else { "light" };
                    window.keep_picture(
                        &Path::new(&folder).join(format!("webhooks-{name}-{width}-{shade}.png")),
                    );
                }
            }
            window.look(390, 844, false);
        };
        window.go(&shown);
        keep("failing");
        window.evaluate("document.querySelectorAll('main details').forEach((one) => one.open = true)");
        keep("open");
        window.go(PAGE);
        window.fill("#url", &long);
        window.click("input[name=event]");
        window.click("main form.card button");
        window.wait("document.getElementById('new-secret') !== null");
        keep("added");
        window.go(PAGE);
        keep("list");
        window.go("/preferences/notices");
        keep("preferences");
    })
    .await
    .expect("a browser");
    let listed = players[0].get(WEBHOOKS).await.ok();
    assert_eq!(listed["webhooks"].as_array().map(Vec::len), Some(2));
}
