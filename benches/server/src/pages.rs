//! The pages in a real browser on a throttled phone: bytes of a first and of a next visit, first paint, layout shift; and the server's time.

use std::time::Duration;

use anyhow::Context;
use chromium::{Browser, Tab};
use serde::Deserialize;
use serde_json::{Value, json};

use super::client::Connection;
use super::growth;
use super::load;
use super::report::{line, median};
use super::rounds::Setup;

/// Games in the database.
const GAMES: i64 = 100_000;

/// Requests of each page for the server's time, after some that warm it up.
const REQUESTS: usize = 200;
const WARM_UP: usize = 20;

/// The phone: as Lighthouse throttles a slow 4G and a mid-range device.
const LATENCY_MS: f64 = 150.0;
const DOWN_BYTES_A_SECOND: f64 = 1_600_000.0 / 8.0;
const UP_BYTES_A_SECOND: f64 = 750_000.0 / 8.0;
const SLOWER_PROCESSOR: f64 = 4.0;
const SCREEN: (u32, u32) = (412, 823);

/// Visits of each page with an empty cache; the median counts.
const VISITS: usize = 3;

/// How long a page is watched for shifts after it has loaded, in milliseconds.
const WATCHED_MS: u32 = 600;

const TIMEOUT: Duration = Duration::from_mins(2);

/// The password of the bench's reader.
const PASSWORD: &str = "pages are read in the bench";

/// Adds up layout shifts.
const WATCH: &str = "window.shifted = 0; new PerformanceObserver((list) => { for (const one of list.getEntries()) \
                     if (!one.hadRecentInput) window.shifted += one.value; }).observe({ type: 'layout-shift', buffered: true });";

/// A kind of page.
struct Kind {
    name: &'static str,
    path: String,
    /// Whether its reader has logged in.
    logged_in: bool,
}

/// What a visit showed.
#[derive(Clone, Copy, Debug, Deserialize)]
struct Visit {
    bytes: f64,
    paint_ms: f64,
    shift: f64,
}

/// Measures all pages.
///
/// # Errors
/// There is no browser, or a program failed.
pub async fn run(setup: &mut Setup) -> anyhow::Result<()> {
    // Before its opponent is in so many games that it may enter no other.
    let kinds = kinds(setup).await?;
    growth::copy(setup, GAMES.min(setup.args.games)).await?;
    open_boards(setup).await?;
    let url = format!("http://{}", setup.server.address);
    let of_phone = url.clone();
    let watched: Vec<(String, bool)> = kinds.iter().map(|kind| (kind.path.clone(), kind.logged_in)).collect();
    let (visits, cookie) =
        tokio::task::spawn_blocking(move || visits(&of_phone, &watched)).await.context("the browser")??;
    println!("\nPages with {} games in the database, on a throttled phone\n", GAMES.min(setup.args.games));
    println!(
        "{:<22} {:>9} {:>9} {:>9} {:>7} {:>10}",
        "", "first KB", "next KB", "paint ms", "shift", "server ms"
    );
    let mut most = [0.0_f64; 5];
    for (kind, [first, next]) in kinds.iter().zip(visits) {
        let cookie = kind.logged_in.then_some(cookie.as_str());
        let server_ms = server_ms(setup, &kind.path, cookie).await?;
        let found =
            [first.bytes / 1e3, next.bytes / 1e3, first.paint_ms, first.shift.max(next.shift), server_ms];
        let [bytes, again, paint, shift, server] = found;
        println!("{:<22} {bytes:>9.1} {again:>9.1} {paint:>9.0} {shift:>7.3} {server:>10.2}", kind.name);
        for (most, found) in most.iter_mut().zip(found) {
            *most = most.max(found);
        }
    }
    println!();
    let [first, next, paint, shift, server] = most;
    line("KB of a first visit, at most", first, "at most 100");
    line("KB of a next visit, at most", next, "at most 20");
    line("ms until the first paint, at most", paint, "at most 1000");
    line("layout shift, at most", shift, "0");
    line("ms of the server at the median, at most", server, "at most 10");
    Ok(())
}

/// Lets the server draw the boards of copied games, which lists show.
async fn open_boards(setup: &Setup) -> anyhow::Result<()> {
    let like = setup.typical.game_id;
    let (sealed, copies) = setup.seeder.copies_of(like).await?;
    let masters = setup.author.resealed(like, &sealed, &copies).context("the master of a game")?;
    Ok(setup.seeder.set_masters(&copies, &masters).await?)
}

/// Every kind of page; the reader has a game of its own.
async fn kinds(setup: &Setup) -> anyhow::Result<Vec<Kind>> {
    let own = own_game(setup).await?;
    let game = setup.typical.game_id;
    let (rules, player) = (setup.rules_name(), &setup.players[0].handle);
    let kind = |name, path: &str, logged_in| Kind { name, path: path.to_owned(), logged_in };
    Ok(vec![
        kind("front page", "/", false),
        kind("sign up", "/sign-up", false),
        kind("log in", "/log-in", false),
        kind("lobby", "/games", false),
        kind("running games", "/games?status=running", false),
        kind("rules", "/rules", false),
        kind("rules of a game", &format!("/rules/{rules}"), false),
        kind("game, spectator", &format!("/games/{game}"), false),
        kind("replay", &format!("/games/{game}/replay"), false),
        kind("analysis", &format!("/games/{game}/analysis"), false),
        kind("player", &format!("/players/{player}"), false),
        kind("verifier", "/verifier", false),
        kind("about", "/about", false),
        kind("my games", "/my-games", true),
        kind("new game", &format!("/games/new?rules={rules}"), true),
        kind("game, to move", &format!("/games/{own}"), true),
        kind("preferences", "/preferences", true),
    ])
}

/// Registers the reader, and starts a game of it against a player.
async fn own_game(setup: &Setup) -> anyhow::Result<String> {
    let mut connection = Connection::open(setup.server.address).await?;
    let account = json!({"handle": "reader", "email": "reader@example.org", "password": PASSWORD});
    let made = asked(&mut connection, "/api/v1/accounts", None, &account).await?;
    let token = made["access_token"].as_str().context("a token")?.to_owned();
    let wanted = json!({"rules": setup.rules_name(), "seating": "joined"});
    let game = asked(&mut connection, "/api/v1/games", Some(&token), &wanted).await?;
    let id = game["id"].as_str().context("an id")?.to_owned();
    let join = format!("/api/v1/games/{id}/join");
    asked(&mut connection, &join, Some(&setup.players[0].token), &json!({})).await?;
    Ok(id)
}

async fn asked(
    connection: &mut Connection,
    path: &str,
    token: Option<&str>,
    body: &Value,
) -> anyhow::Result<Value> {
    let body = body.to_string();
    let authorization = token.map(|token| format!("Authorization: Bearer {token}\r\n")).unwrap_or_default();
    let request = format!(
        "POST {path} HTTP/1.1\r\nHost: localhost\r\n{authorization}Content-Type: application/json\r\nContent-Length: {}\r\n\r\n{body}",
        body.len()
    );
    connection.expect(request.as_bytes()).await?;
    Ok(serde_json::from_str(&connection.text())?)
}

/// The median time of a page over one connection, in milliseconds.
async fn server_ms(setup: &Setup, path: &str, cookie: Option<&str>) -> anyhow::Result<f64> {
    let cookie = cookie.map(|cookie| format!("Cookie: {cookie}\r\n")).unwrap_or_default();
    let request = format!(
        "GET {path} HTTP/1.1\r\nHost: localhost\r\nAccept: text/html\r\nAccept-Encoding: gzip\r\n{cookie}\r\n"
    );
    let mut connection = Connection::open(setup.server.address).await?;
    let mut taken = load::histogram();
    for sent in 0..WARM_UP + REQUESTS {
        let started = std::time::Instant::now();
        connection.expect(request.as_bytes()).await?;
        if sent >= WARM_UP {
            taken.saturating_record(u64::try_from(started.elapsed().as_micros()).unwrap_or(u64::MAX));
        }
    }
    #[allow(clippy::cast_precision_loss)]
    Ok(taken.value_at_quantile(0.5) as f64 / 1000.0)
}

/// A first and a next visit of each page, and the cookie of the reader's session.
fn visits(url: &str, pages: &[(String, bool)]) -> anyhow::Result<(Vec<[Visit; 2]>, String)> {
    let browser = Browser::start(&[], TIMEOUT)?;
    let session = logged_in(&browser, url)?;
    let mut found = Vec::with_capacity(pages.len());
    for (path, logged_in) in pages {
        let address = format!("{url}{path}");
        let mut both = Vec::with_capacity(VISITS);
        for _ in 0..VISITS {
            let tab = phone(&browser)?;
            if *logged_in {
                let cookies: Vec<Value> =
                    session.iter().map(|(name, value)| cookie(url, name, value)).collect();
                tab.ask("Network.setCookies", json!({"cookies": cookies}))?;
            }
            both.push([visit(&tab, &address)?, visit(&tab, &address)?]);
            tab.close()?;
        }
        let of = |which: usize, value: fn(&Visit) -> f64| median(both.iter().map(|both| value(&both[which])));
        found.push([0, 1].map(|which| Visit {
            bytes: of(which, |visit| visit.bytes),
            paint_ms: of(which, |visit| visit.paint_ms),
            shift: both.iter().map(|both| both[which].shift).fold(0.0, f64::max),
        }));
    }
    let cookies: Vec<String> = session.iter().map(|(name, value)| format!("{name}={value}")).collect();
    Ok((found, cookies.join("; ")))
}

/// Logs the reader in by the page; returns the cookies.
fn logged_in(browser: &Browser, url: &str) -> anyhow::Result<Vec<(String, String)>> {
    let tab = browser.new_tab()?;
    tab.go(&format!("{url}/log-in"))?;
    let password = serde_json::to_string(PASSWORD)?;
    let fill = format!(
        "document.querySelector('[name=login]').value = 'reader'; document.querySelector('[name=password]').value = {password}; \
         document.querySelector('main form button').click()"
    );
    tab.evaluate(&fill)?;
    tab.wait("document.querySelector(\".site-header form[action='/log-out']\") !== null")
        .context("the reader is not logged in")?;
    let found = tab.ask("Network.getCookies", json!({}))?;
    let cookies = found["cookies"].as_array().context("a list of cookies")?;
    let text = |cookie: &Value, member: &str| cookie[member].as_str().map(str::to_owned).context("a text");
    cookies.iter().map(|cookie| Ok((text(cookie, "name")?, text(cookie, "value")?))).collect()
}

fn cookie(url: &str, name: &str, value: &str) -> Value {
    json!({"name": name, "value": value, "url": url, "httpOnly": true})
}

/// A tab with an empty cache on a throttled phone.
fn phone(browser: &Browser) -> anyhow::Result<Tab> {
    let tab = browser.new_tab()?;
    tab.ask("Page.addScriptToEvaluateOnNewDocument", json!({"source": WATCH}))?;
    let metrics = json!({"width": SCREEN.0, "height": SCREEN.1, "deviceScaleFactor": 1.75, "mobile": true});
    tab.ask("Emulation.setDeviceMetricsOverride", metrics)?;
    tab.ask("Emulation.setCPUThrottlingRate", json!({"rate": SLOWER_PROCESSOR}))?;
    tab.ask("Network.enable", json!({}))?;
    // Of a page that passes through a service worker, browsers tell the size before compression.
    tab.ask("Network.setBypassServiceWorker", json!({"bypass": true}))?;
    let conditions = json!({"offline": false, "latency": LATENCY_MS, "downloadThroughput": DOWN_BYTES_A_SECOND,
        "uploadThroughput": UP_BYTES_A_SECOND});
    tab.ask("Network.emulateNetworkConditions", conditions)?;
    Ok(tab)
}

/// Opens a page and watches it.
fn visit(tab: &Tab, address: &str) -> anyhow::Result<Visit> {
    tab.go(address)?;
    let look = format!(
        "new Promise((done) => setTimeout(() => {{
            const entries = ['navigation', 'resource'].flatMap((kind) => performance.getEntriesByType(kind));
            const paint = performance.getEntriesByName('first-contentful-paint')[0]?.startTime ?? Infinity;
            done({{
                bytes: entries.reduce((sum, one) => sum + one.transferSize, 0), paint_ms: paint, shift: window.shifted,
            }});
        }}, {WATCHED_MS}))"
    );
    let found = tab.evaluate(&look)?;
    serde_json::from_value(found).with_context(|| address.to_owned())
}
