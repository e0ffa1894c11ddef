//! What every tab of a real browser can do for a test.

use std::ffi::OsStr;
use std::path::Path;
use std::time::Duration;

use headless_chrome::protocol::cdp::{Emulation, Network, Page};
use headless_chrome::{Browser, LaunchOptions, Tab};
use serde_json::Value;

/// Starts a browser that gives up after `timeout` without a question.
pub fn browser(arguments: &[&OsStr], timeout: Duration) -> Browser {
    let mut all = vec![OsStr::new("--no-proxy-server")];
    all.extend(arguments);
    // The sandbox protects from hostile pages; these are ours, and root and many containers cannot use the sandbox.
    let options = LaunchOptions::default_builder()
        .sandbox(false)
        .args(all)
        .idle_browser_timeout(timeout)
        .build()
        .expect("complete options");
    Browser::new(options)
        .expect("a browser: ./test installs Chromium; CHROME can name another program of its kind")
}

/// The value of an expression, awaited.
pub fn evaluate(tab: &Tab, expression: &str) -> Value {
    let wrapped = format!("(async () => JSON.stringify(await ({expression})) ?? 'null')()");
    let answer = tab.evaluate(&wrapped, true).expect("an answer");
    let Some(Value::String(json)) = answer.value else { panic!("{expression} failed: {answer:?}") };
    serde_json::from_str(&json).expect("JSON")
}

/// Runs a script in every page from now on, before those of the page.
pub fn before_every_page(tab: &Tab, script: &str) {
    let add = Page::AddScriptToEvaluateOnNewDocument {
        source: script.to_owned(),
        world_name: None,
        include_command_line_api: None,
        run_immediately: None,
    };
    tab.call_method(add).expect("an answer");
}

/// Sets the window's size, on a phone or not.
pub fn resize(tab: &Tab, width: u32, height: u32, is_phone: bool) {
    let metrics = Emulation::SetDeviceMetricsOverride {
        width,
        height,
        device_scale_factor: 1.0,
        mobile: is_phone,
        scale: None,
        screen_width: None,
        screen_height: None,
        position_x: None,
        position_y: None,
        dont_set_visible_size: None,
        screen_orientation: None,
        viewport: None,
        display_feature: None,
        device_posture: None,
    };
    tab.call_method(metrics).expect("an answer");
}

/// Sets the window's size and the light or dark theme.
pub fn look(tab: &Tab, width: u32, height: u32, dark: bool) {
    resize(tab, width, height, false);
    let value = if dark { "dark" } else { "light" }.to_owned();
    let feature = Emulation::MediaFeature { name: "prefers-color-scheme".to_owned(), value };
    let media = Emulation::SetEmulatedMedia { media: None, features: Some(vec![feature]) };
    tab.call_method(media).expect("an answer");
}

/// Cuts the connection, or joins it again.
pub fn offline(tab: &Tab, offline: bool) {
    let enable = Network::Enable {
        max_total_buffer_size: None,
        max_resource_buffer_size: None,
        max_post_data_size: None,
        report_direct_socket_traffic: None,
        enable_durable_messages: None,
    };
    tab.call_method(enable).expect("an answer");
    let conditions = Network::EmulateNetworkConditions {
        offline,
        latency: 0.0,
        download_throughput: -1.0,
        upload_throughput: -1.0,
        connection_Type: None,
        packet_loss: None,
        packet_queue_length: None,
        packet_reordering: None,
    };
    tab.call_method(conditions).expect("an answer");
}

/// Saves a picture of the whole page for people to look at.
pub fn keep_picture(tab: &Tab, file: &Path) {
    let height = evaluate(tab, "document.documentElement.scrollHeight").as_f64().expect("a height");
    let width = evaluate(tab, "innerWidth").as_f64().expect("a width");
    let clip = Page::Viewport { x: 0.0, y: 0.0, width, height: height.min(2600.0), scale: 1.0 };
    let method = Page::CaptureScreenshot {
        format: Some(Page::CaptureScreenshotFormatOption::Png),
        quality: None,
        clip: Some(clip),
        from_surface: Some(true),
        capture_beyond_viewport: Some(true),
        optimize_for_speed: None,
    };
    let picture = tab.call_method(method).expect("a picture").data;
    let bytes = base64::Engine::decode(&base64::engine::general_purpose::STANDARD, picture);
    std::fs::write(file, bytes.expect("base64")).expect("a file");
}
