//! Web push in pages: the list of browsers, the table of channels, and the service worker that shows messages.
//!
//! Chromium's own `pushManager.subscribe` needs its maker's push service, so tests give pages a subscription of their own; `api/push/in_firefox.rs`
//! lets a Firefox subscribe.

use rquickjs::{CatchResultExt, Context, Promise, Runtime};
use serde_json::{Value, json};

use support::TestApp;
use support::browsing::Browsing;
use support::push_service::PushService;
use support::receiver::sender;
use support::tab;
use support::window::{Window, browser, whole_browser};

const SUBSCRIPTIONS: &str = "/api/v1/me/push-subscriptions";

#[tokio::test(flavor = "multi_thread")]
async fn without_scripts_the_channels_are_chosen_and_browsers_are_listed_and_ended() {
    let app = TestApp::with_sender(sender()).await;
    let (service, ann) = (PushService::start(), app.player("ann").await);
    let page = Browsing::log_in(&app, "ann").await;
    let none = page.get("/preferences/notices").await.expect(200).html;
    assert!(none.contains("No browser tells you yet.") && none.contains("switch scripts on"));
    let wanted = [
        ("push", "on"),
        ("push_turns", "on"),
        ("push_games", "on"),
        ("turns", "digest"),
        ("invitations", "digest"),
        ("reminders", "on"),
        ("zone", "UTC"),
        ("mail_enabled", "on"),
    ];
    page.post("/preferences/mails", &wanted).await.expect(303);
    let chosen = ann.get("/api/v1/me/notification-preferences").await.ok();
    assert_eq!(
        chosen["push"],
        json!({"turns": true, "reminders": false, "games": true, "invitations": false, "messages": false})
    );
    assert_eq!((chosen["turns"].as_str(), chosen["games"].as_bool()), (Some("digest"), Some(false)));
    assert_eq!((&chosen["invitations"], &chosen["digest"]["invitations"]), (&json!(true), &json!(true)));
    let again = page.get("/preferences/notices").await.expect(200).html;
    let select = again.split_once("name=\"invitations\"").and_then(|(_, rest)| rest.split_once("</select>"));
    assert!(select.is_some_and(|(select, _)| select.contains("value=\"digest\" selected")));

    page.get("/preferences/notices").await.expect(200);
    let subscription = service.browser("a").subscription();
    let text = |value: &Value| value.as_str().expect("text").to_owned();
    let (endpoint, keys) = (text(&subscription["endpoint"]), &subscription["keys"]);
    let (p256dh, auth) = (text(&keys["p256dh"]), text(&keys["auth"]));
    let fields = [("endpoint", endpoint.as_str()), ("p256dh", &p256dh), ("auth", &auth)];
    page.post("/preferences/tell-browser", &fields).await.expect(303);
    let shown = page.get("/preferences/notices?done=browser").await.expect(200).html;
    assert!(shown.contains("This browser will tell you from now on."));
    assert!(shown.contains("this browser</span>"), "it is marked in the list");
    let listed = ann.get(SUBSCRIPTIONS).await.ok();
    let id = text(&listed["push_subscriptions"][0]["id"]);
    page.post("/preferences/end-browser", &[("id", &id)]).await.expect(303);
    page.post("/preferences/end-browser", &[("id", &id)]).await.expect(303);
    assert_eq!(ann.get(SUBSCRIPTIONS).await.ok()["push_subscriptions"], json!([]));

    page.post("/preferences/tell-browser", &fields).await.expect(303);
    page.post("/preferences/forget-browser", &[("endpoint", &endpoint)]).await.expect(303);
    assert_eq!(ann.get(SUBSCRIPTIONS).await.ok()["push_subscriptions"], json!([]));
    // Other sites send nothing here.
    page.send(reqwest::Method::POST, "/preferences/tell-browser", Some(&fields), &[]).await.expect(403);
    page.get("/preferences/notices").await.expect(200);
    // Who logs out is not told any more.
    page.post("/preferences/tell-browser", &fields).await.expect(303);
    page.post("/log-out", &[]).await.expect(303);
    assert_eq!(ann.get(SUBSCRIPTIONS).await.ok()["push_subscriptions"], json!([]));
}

/// What a page finds instead of a push service.
fn fake_subscription(subscription: &Value) -> String {
    format!(
        "const kept = () => localStorage.getItem('told') ? {{ endpoint: {subscription}.endpoint, toJSON: () => ({subscription}), unsubscribe: async () => {{ localStorage.removeItem('told'); return true; }} }} : null;
        PushManager.prototype.getSubscription = async () => kept();
        PushManager.prototype.subscribe = async ({{ userVisibleOnly, applicationServerKey }}) => {{
            if (!userVisibleOnly || applicationServerKey.length !== 65 || applicationServerKey[0] !== 4) throw new Error('no key');
            localStorage.setItem('told', 'yes');
            return kept();
        }};
        Notification.requestPermission = async () => 'granted';"
    )
}

#[tokio::test(flavor = "multi_thread")]
async fn a_page_subscribes_its_browser_and_ends_it_and_its_table_fits_a_phone() {
    let app = TestApp::with_sender(sender()).await;
    let (service, ann) = (PushService::start(), app.player("ann").await);
    let german = json!({"language": "de"});
    app.player("ben").await.patch("/api/v1/me/notification-preferences", &german).await.ok();
    let (url, subscription) = (app.url.clone(), service.browser("a").subscription());
    let rows = |count: i64| format!("document.querySelectorAll('#browsers ~ .list > li').length === {count}");
    tokio::task::spawn_blocking(move || {
        let browser = browser();
        let window = Window::logged_in(&browser, &url, "ann");
        window.before_every_page(&fake_subscription(&subscription));
        window.look(390, 844, false);
        window.go("/preferences/notices");
        window.wait("document.querySelector('[data-push=on]').hidden === false");
        assert!(window.fits());
        // Each word of the table stands whole on one line.
        let whole = "[...document.querySelectorAll('.channels th')].every((cell) => { \
            const range = document.createRange(); const walk = document.createTreeWalker(cell, NodeFilter.SHOW_TEXT); \
            for (let text; (text = walk.nextNode());) for (const word of text.data.matchAll(/\\S+/g)) { \
            range.setStart(text, word.index); range.setEnd(text, word.index + word[0].length); \
            if (range.getClientRects().length !== 1) return false; } return true; })";
        assert_eq!(window.evaluate(whole), json!(true));
        let of_ben = Window::logged_in(&browser, &url, "ben");
        of_ben.look(390, 844, false);
        of_ben.go("/preferences/notices");
        assert!(of_ben.text(".channels").contains("Wenn ich am Zug bin") && of_ben.fits());
        let scrolls = "(({ scrollWidth, clientWidth }) => scrollWidth > clientWidth)(document.querySelector('.table-box'))";
        assert_eq!(of_ben.evaluate(scrolls), json!(false));
        of_ben.look(320, 844, false);
        assert!(of_ben.fits(), "there the table alone may be scrolled");
        of_ben.look(390, 844, false);
        assert_eq!(of_ben.evaluate(whole), json!(true));
        if let Some(folder) = std::env::var_os("PIPPOST_PICTURES") {
            of_ben.keep_picture(&std::path::Path::new(&folder).join("push-phone-de.png"));
        }
        window.click("[data-push=on]");
        window.wait(&rows(1));
        window.wait("document.querySelector('[data-push=off]').hidden === false");
        assert!(window.text("#browsers ~ .list").contains("Chrome"), "{}", window.text("main"));
        for (name, width, dark) in [("push-phone", 390, false), ("push-dark", 1100, true)] {
            if let Some(folder) = std::env::var_os("PIPPOST_PICTURES") {
                window.look(width, 900, dark);
                window.keep_picture(&std::path::Path::new(&folder).join(format!("{name}.png")));
            }
        }
        // The new page still goes to its fragment, so a point on the screen may be another one by now.
        window.evaluate("document.querySelector('[data-push=off]').click()");
        window.wait(&rows(0));
        window.wait("document.querySelector('[data-push=on]').hidden === false");
    })
    .await
    .expect("a browser");
    assert_eq!(ann.get(SUBSCRIPTIONS).await.ok()["push_subscriptions"], json!([]));
}

#[tokio::test(flavor = "multi_thread")]
async fn the_service_worker_of_a_real_browser_shows_what_it_is_sent() {
    let app = TestApp::start().await;
    app.player("ann").await;
    let url = app.url.clone();
    tokio::task::spawn_blocking(move || {
        let browser = whole_browser();
        let window = Window::logged_in(&browser, &url, "ann");
        let updates = window.tab.events("ServiceWorker.workerRegistrationUpdated");
        tab::ask(&window.tab, "ServiceWorker.enable", json!({}));
        let context = window.tab.context();
        let grant = json!({"permissions": ["notifications"], "origin": url, "browserContextId": context});
        tab::ask(&window.tab, "Browser.grantPermissions", grant);
        window.go_with_worker("/my-games");
        window.wait("Notification.permission === 'granted'");
        let newest = updates.try_iter().last().expect("a registration");
        let registration = &newest["registrations"].as_array().and_then(|all| all.last()).expect("one")["registrationId"];
        let deliver = |message: &Value| {
            let push = json!({"origin": url, "registrationId": registration, "data": message.to_string()});
            tab::ask(&window.tab, "ServiceWorker.deliverPushMessage", push);
        };
        let message = |seq: u64, tag: &str| {
            json!({"kind": "turn", "title": format!("Your turn after {seq}"), "body": "Place it.", "link": format!("{url}/games/1"),
                "seq": seq, "tag": tag, "language": "en"})
        };
        let shown = "(await (await navigator.serviceWorker.ready).getNotifications()).map((one) => `${one.tag} ${one.data.seq} ${one.title}`).sort().join()";
        for (sent, expected) in [
            (message(7, "t1"), "t1 7 Your turn after 7"),
            (message(9, "t1"), "t1 9 Your turn after 9"),
            // Late: it does not replace the newer one.
            (message(8, "t1"), "t1 9 Your turn after 9"),
            (message(2, "t2"), "t1 9 Your turn after 9,t2 2 Your turn after 2"),
        ] {
            deliver(&sent);
            window.wait(&format!("{shown} === '{expected}'"));
        }
    })
    .await
    .expect("a browser");
}

/// What the service worker finds around itself, and what it does with it.
const AROUND: &str = r#"
const SITE = "pippost";
const FILES = ["/static/0/site.css", "/static/0/icon-192.png"];
globalThis.URL = class {
  constructor(link, base) {
    const whole = link.startsWith("/") ? base + link : link;
    const [, origin, pathname, search] = /^(\w+:\/\/[^/]+)([^?]*)(.*)$/.exec(whole);
    Object.assign(this, { origin, pathname, search });
  }
};
const done = [], listeners = {};
const windows = [];
globalThis.self = {
  addEventListener(name, listener) { listeners[name] = listener; },
  location: { origin: "https://here.example.org" },
  registration: {
    shown: [],
    async getNotifications({ tag }) { return this.shown.filter((one) => one.tag === tag); },
    async showNotification(title, options) {
      this.shown = [...this.shown.filter((one) => !options.tag || one.tag !== options.tag), { title, ...options }];
      done.push(`show ${title}`);
    },
  },
  clients: {
    async matchAll() { return windows; },
    async openWindow(address) { done.push(`open ${address}`); },
  },
};
function aWindow(url) {
  windows.push({ url, async navigate(address) { done.push(`navigate ${address}`); return this; }, async focus() { done.push("focus"); } });
}
async function happen(name, event) {
  let rest;
  listeners[name]({ ...event, waitUntil(promise) { rest = promise; } });
  await rest;
}
const push = (text) => happen("push", { data: { json: () => JSON.parse(text) } });
const click = (data) => happen("notificationclick", { notification: { data, close() { done.push("close"); } } });
"#;

/// What a service worker does in a scene.
fn scene(script: &str) -> String {
    let worker = include_str!("../../templates/site/service-worker.js");
    let runtime = Runtime::new().expect("an engine");
    let context = Context::full(&runtime).expect("a context");
    context.with(|ctx| {
        let whole = format!("{AROUND}\n{worker}\n(async () => {{ {script}; return done.join(', '); }})()");
        let promise: Promise<'_> = ctx.eval(whole).catch(&ctx).expect("a script");
        promise.finish().catch(&ctx).expect("a text")
    })
}

#[test]
fn a_click_opens_the_page_of_the_game_anew_whatever_is_open_already() {
    let here = "await click({ link: 'https://other-name.example.net/games/7?token=x' })";
    assert_eq!(
        scene(here),
        "close, open /games/7?token=x",
        "under the name by which the server is known here"
    );
    let open = format!(
        "aWindow('https://here.example.org/games/8'); aWindow('https://here.example.org/games/7?pick=a1'); {here}"
    );
    assert_eq!(scene(&open), "close, navigate /games/7?token=x, focus");
    assert_eq!(scene("await click(undefined)"), "close, open /my-games");
}

#[test]
fn whatever_comes_something_is_shown_and_a_late_message_replaces_no_newer_one() {
    for (sent, expected) in [
        ("not JSON", "show pippost"),
        ("7", "show pippost"),
        ("{\"title\": 3}", "show pippost"),
        ("{\"title\": \"Turn\"}", "show Turn"),
    ] {
        assert_eq!(scene(&format!("await push({})", json!(sent))), expected, "{sent}");
    }
    let message =
        |seq: u64| json!(json!({"title": format!("after {seq}"), "tag": "t", "seq": seq}).to_string());
    let late = format!("await push({}); await push({}); await push({})", message(5), message(4), message(6));
    assert_eq!(scene(&late), "show after 5, show after 5, show after 6");
}
