//! The consent page in a real browser, with an app that waits on this machine: what the policy of the page lets through.

use std::io::{Read, Write};
use std::net::TcpListener;
use std::path::Path;
use std::thread::JoinHandle;

use serde_json::json;

use support::apps::{self, AUTHORIZE};
use support::open_page::OpenPage;
use support::{PASSWORD, TestApp};

/// The narrowest window, in pixels, that must show everything without horizontal scrolling.
const NARROWEST: u32 = 320;

/// A program on this machine that waits for its code; the address of its redirect URI, and the path that it is asked for.
fn app_that_waits() -> (String, JoinHandle<String>) {
    let listener = TcpListener::bind("127.0.0.1:0").expect("a free port");
    let uri = format!("http://{}/done", listener.local_addr().expect("an address"));
    let waiting = std::thread::spawn(move || {
        loop {
            let (mut stream, _) = listener.accept().expect("a browser");
            let mut head = [0; 4096];
            let length = stream.read(&mut head).expect("a request");
            let head = String::from_utf8_lossy(&head[..length]).into_owned();
            let body = "<!doctype html><title>the app</title>";
            let answer = format!(
                "HTTP/1.1 200 OK\r\nContent-Type: text/html\r\nContent-Length: {}\r\nConnection: close\r\n\r\n{body}",
                body.len()
            );
            stream.write_all(answer.as_bytes()).expect("a browser that reads");
            let path = head.split(' ').nth(1).unwrap_or_default().to_owned();
            // Browsers connect for other reasons, too.
            if path.starts_with("/done") {
                assert!(!head.to_lowercase().contains("\r\nreferer:"), "{head}");
                return path;
            }
        }
    });
    (uri, waiting)
}

async fn registered(app: &TestApp) -> String {
    let ann = app.player("ann").await;
    let wanted = json!({"name": "Board at hand", "homepage": "https://app.example.org/",
        "redirect_uris": ["http://127.0.0.1/done", apps::REDIRECT]});
    let made = ann.post(apps::APPS, &wanted).await.expect_status(201).json();
    made["id"].as_str().expect("an id").to_owned()
}

#[tokio::test(flavor = "multi_thread")]
async fn a_browser_brings_the_answer_to_an_app_on_this_machine() {
    let app = TestApp::start().await;
    let id = registered(&app).await;
    for (button, result) in [("allow", "/done?code=ppc_"), ("deny", "/done?error=access_denied&")] {
        let (uri, waiting) = app_that_waits();
        let request = apps::encoded(&apps::request(&id, "read play", &[("redirect_uri", &uri)]));
        let url = format!("{}{AUTHORIZE}?{request}", app.url);
        let asked = tokio::task::spawn_blocking(move || {
            let page = OpenPage::blank();
            page.go_to(&url);
            page.evaluate(&format!(
                "(() => {{ document.getElementById('login').value = 'ann'; document.getElementById('password').value = '{PASSWORD}';
                    document.querySelector('button[value={button}]').click(); return 1; }})()"
            ));
            waiting.join().expect("a way back")
        });
        let asked = asked.await.expect("a browser");
        assert!(asked.starts_with(result), "{asked}");
        assert!(asked.contains("&state=a+state+%26+more&iss=http"), "{asked}");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn the_consent_page_fits_a_narrow_window_and_pictures_of_it_can_be_kept() {
    let app = TestApp::start().await;
    let id = registered(&app).await;
    let game = "01a1fe2a-89df-7515-9c5d-9fde96828ff2";
    let address = |scope: &str, but| {
        let request = apps::encoded(&apps::request(&id, scope, but));
        format!("{}{AUTHORIZE}?{request}", app.url)
    };
    let addresses = [
        ("all", address("read play manage mail", &[])),
        ("game", address(&format!("read play game:{game}"), &[("redirect_uri", "http://127.0.0.1/done")])),
        ("refused", address("nonsense", &[])),
    ];
    let looked = tokio::task::spawn_blocking(move || {
        let page = OpenPage::blank();
        let pictures = std::env::var("PIPPOST_PICTURES").ok();
        for (name, address) in &addresses {
            page.go_to(address);
            for (width, dark) in [(NARROWEST, false), (390, false), (390, true), (1200, false), (1200, true)]
            {
                page.look(width, dark);
                assert!(page.has_no_sideways_scroll(), "{name} at {width}");
                if let Some(folder) = &pictures {
                    let shade = if dark { "dark" } else { "light" };
                    page.keep_picture(&Path::new(folder).join(format!("consent-{name}-{width}-{shade}.png")));
                }
            }
        }
    });
    looked.await.expect("a browser");
}
