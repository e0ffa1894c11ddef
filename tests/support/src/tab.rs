//! What every tab of a real browser can do for a test.

use std::path::Path;
use std::time::Duration;

use chromium::{Browser, Tab};
use serde_json::{Value, json};

/// Starts a browser that gives up after `timeout` without an answer.
pub fn browser(arguments: &[String], timeout: Duration) -> Browser {
    Browser::start(arguments, timeout)
        .expect("a browser: ./test installs Chromium; CHROME can name another program of its kind")
}

/// What the browser answers to a request that it does not refuse.
#[track_caller]
pub fn ask(tab: &Tab, method: &str, parameters: Value) -> Value {
    tab.ask(method, parameters).expect("an answer")
}

/// The value of an expression, awaited.
#[track_caller]
pub fn evaluate(tab: &Tab, expression: &str) -> Value {
    let wrapped = format!("(async () => JSON.stringify(await ({expression})) ?? 'null')()");
    let answer = tab.evaluate(&wrapped).expect("an answer");
    serde_json::from_str(answer.as_str().expect("a text")).expect("JSON")
}

/// Runs a script in every page from now on, before those of the page.
pub fn before_every_page(tab: &Tab, script: &str) {
    ask(tab, "Page.addScriptToEvaluateOnNewDocument", json!({"source": script}));
}

/// Sets the window's size, on a phone or not.
pub fn resize(tab: &Tab, width: u32, height: u32, is_phone: bool) {
    let metrics = json!({"width": width, "height": height, "deviceScaleFactor": 1, "mobile": is_phone});
    ask(tab, "Emulation.setDeviceMetricsOverride", metrics);
}

/// Sets the window's size and the light or dark theme.
pub fn look(tab: &Tab, width: u32, height: u32, dark: bool) {
    resize(tab, width, height, false);
    show_on(tab, "", dark);
}

/// Shows pages on a screen (an empty name) or on paper (`print`), for somebody with a dark theme or not.
pub fn show_on(tab: &Tab, media: &str, dark: bool) {
    let theme = json!({"name": "prefers-color-scheme", "value": if dark { "dark" } else { "light" }});
    ask(tab, "Emulation.setEmulatedMedia", json!({"media": media, "features": [theme]}));
}

/// Cuts the connection, or joins it again.
pub fn offline(tab: &Tab, offline: bool) {
    ask(tab, "Network.enable", json!({}));
    let conditions =
        json!({"offline": offline, "latency": 0, "downloadThroughput": -1, "uploadThroughput": -1});
    ask(tab, "Network.emulateNetworkConditions", conditions);
}

/// Saves a picture of the whole page for people to look at.
pub fn keep_picture(tab: &Tab, file: &Path) {
    let height = evaluate(tab, "document.documentElement.scrollHeight").as_f64().expect("a height");
    let width = evaluate(tab, "innerWidth").as_f64().expect("a width");
    let picture = tab.picture(width, height.min(2600.0)).expect("a picture");
    std::fs::write(file, picture).expect("a file");
}
