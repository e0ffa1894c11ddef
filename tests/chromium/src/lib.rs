//! A Chromium that tests and benches drive by its DevTools protocol, over a pipe: <https://chromedevtools.github.io/devtools-protocol/>.
//!
//! | module | what it does |
//! |---|---|
//! | `connection` | requests, their answers and events |
//! | `keys` | what a keyboard sends |

mod connection;
mod keys;

use std::io;
use std::path::PathBuf;
use std::process::{Child, Command, Stdio};
use std::sync::Arc;
use std::sync::mpsc::Receiver;
use std::time::{Duration, Instant};

use anyhow::{Context as _, bail};
use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use serde_json::{Value, json};
use tempfile::TempDir;

use connection::Connection;

/// One that can have no screen takes a third of the processor time, but shows no notifications.
const LIGHT: &str = "chromium-headless-shell";

/// Whole browsers that are looked for.
const WHOLE: [&str; 4] = ["chromium", "google-chrome-stable", "google-chrome", "chromium-browser"];

/// What keeps a browser from doing anything but what it is told. The sandbox protects from hostile pages; these are ours, and root and many
/// containers cannot use it.
const ARGUMENTS: [&str; 16] = [
    "--headless",
    "--remote-debugging-pipe",
    "--no-sandbox",
    "--no-first-run",
    "--no-proxy-server",
    "--disable-background-networking",
    "--disable-background-timer-throttling",
    "--disable-backgrounding-occluded-windows",
    "--disable-dev-shm-usage",
    "--disable-extensions",
    "--disable-gpu",
    "--disable-ipc-flooding-protection",
    "--disable-renderer-backgrounding",
    "--disable-sync",
    "--force-color-profile=srgb",
    "--password-store=basic",
];

/// What Chromium says of a navigation in whose place another one has begun.
const ABORTED: &str = "net::ERR_ABORTED";

/// How often a page that opens is looked at.
const LOOK: Duration = Duration::from_millis(5);

/// The program that is driven: `CHROME`, or the first of these.
fn program<'a>(names: impl IntoIterator<Item = &'a str>) -> Option<PathBuf> {
    if let Some(named) = std::env::var_os("CHROME").filter(|name| !name.is_empty()) {
        return Some(named.into());
    }
    let folders = std::env::var_os("PATH").unwrap_or_default();
    let in_folders =
        |name| std::env::split_paths(&folders).map(|folder| folder.join(name)).find(|file| file.is_file());
    names.into_iter().find_map(in_folders)
}

/// A browser with a profile of its own; both end when it is dropped.
pub struct Browser {
    connection: Arc<Connection>,
    process: Child,
    _profile: TempDir,
}

impl Browser {
    /// Starts the lightest browser, which fails if it does not answer a request within `timeout`.
    ///
    /// # Errors
    /// There is no such program, or it does not start.
    pub fn start(arguments: &[String], timeout: Duration) -> anyhow::Result<Self> {
        Self::start_program(program([LIGHT].into_iter().chain(WHOLE)), arguments, timeout)
    }

    /// The same with a whole browser, which can show notifications.
    ///
    /// # Errors
    /// As [`Browser::start`].
    pub fn start_whole(arguments: &[String], timeout: Duration) -> anyhow::Result<Self> {
        Self::start_program(program(WHOLE), arguments, timeout)
    }

    fn start_program(
        program: Option<PathBuf>,
        arguments: &[String],
        timeout: Duration,
    ) -> anyhow::Result<Self> {
        let program = program.context("no browser: install Chromium, or name one with CHROME")?;
        let profile = tempfile::tempdir()?;
        // The browser reads requests from its file 3 and writes answers to its file 4.
        let mut command = Command::new("sh");
        command.args(["-c", "exec \"$0\" \"$@\" 3<&0 4>&1 </dev/null >/dev/null"]).arg(&program);
        command.args(ARGUMENTS).arg(format!("--user-data-dir={}", profile.path().display())).args(arguments);
        command.arg("about:blank").stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::null());
        let mut process = command.spawn().with_context(|| program.display().to_string())?;
        let (input, output) = (process.stdin.take(), process.stdout.take());
        let ends = input.zip(output).context("both ends are pipes")?;
        let browser = Self { connection: Connection::open(ends, timeout), process, _profile: profile };
        browser.version().with_context(|| format!("{} does not answer", program.display()))?;
        Ok(browser)
    }

    /// Its name and version.
    ///
    /// # Errors
    /// It does not answer.
    pub fn version(&self) -> anyhow::Result<String> {
        let version = self.connection.ask(None, "Browser.getVersion", json!({}))?;
        Ok(text(&version, "product")?.to_owned())
    }

    /// A new tab with cookies and a cache of its own.
    ///
    /// # Errors
    /// The browser does not answer.
    pub fn new_tab(&self) -> anyhow::Result<Tab> {
        let context = self.connection.ask(None, "Target.createBrowserContext", json!({}))?;
        let context = text(&context, "browserContextId")?.to_owned();
        let wanted = json!({"url": "about:blank", "browserContextId": context});
        let target = self.connection.ask(None, "Target.createTarget", wanted)?;
        let target = text(&target, "targetId")?.to_owned();
        let attach = json!({"targetId": target, "flatten": true});
        let attached = self.connection.ask(None, "Target.attachToTarget", attach)?;
        let session = text(&attached, "sessionId")?.to_owned();
        let tab = Tab { connection: Arc::clone(&self.connection), session, target, context };
        tab.ask("Page.enable", json!({}))?;
        Ok(tab)
    }
}

impl Drop for Browser {
    fn drop(&mut self) {
        // One that has ended by itself needs neither.
        let _: io::Result<()> = self.process.kill();
        let _: io::Result<_> = self.process.wait();
    }
}

/// A tab of a browser.
pub struct Tab {
    connection: Arc<Connection>,
    session: String,
    target: String,
    context: String,
}

impl Tab {
    /// Sends a request of the protocol, such as `Page.navigate`, and waits for its answer.
    ///
    /// # Errors
    /// The browser refuses it, has ended, or does not answer in time.
    pub fn ask(&self, method: &str, parameters: Value) -> anyhow::Result<Value> {
        self.connection.ask(Some(&self.session), method, parameters)
    }

    /// The parameters of all events of that name from now on.
    pub fn events(&self, name: &str) -> Receiver<Value> {
        self.connection.events(&self.session, name)
    }

    /// The id of what this tab shares with no other: cookies, cache and permissions.
    pub fn context(&self) -> &str {
        &self.context
    }

    /// Opens a page and waits until it has loaded.
    ///
    /// # Errors
    /// There is no such page, or the browser does not answer.
    pub fn go(&self, address: &str) -> anyhow::Result<()> {
        let mut answer = self.ask("Page.navigate", json!({"url": address}))?;
        // What the page opens by itself at this moment can take the place of ours.
        if answer["errorText"] == json!(ABORTED) {
            answer = self.ask("Page.navigate", json!({"url": address}))?;
        }
        if let Some(error) = answer["errorText"].as_str() {
            bail!("{address}: {error}");
        }
        self.wait("document.readyState === 'complete'")
    }

    /// Waits until an expression is true, over new pages, too.
    ///
    /// # Errors
    /// It does not become true within the browser's time-out.
    pub fn wait(&self, expression: &str) -> anyhow::Result<()> {
        let begun = Instant::now();
        while begun.elapsed() < self.connection.timeout() {
            // A page that is just being replaced gives no answer.
            if self.evaluate(expression).is_ok_and(|value| value == json!(true)) {
                return Ok(());
            }
            // Until the next look only: without scripts, a page tells nobody when it has changed.
            std::thread::sleep(LOOK);
        }
        bail!("{expression} does not become true")
    }

    /// The value of an expression, awaited.
    ///
    /// # Errors
    /// It throws, or its page is gone.
    pub fn evaluate(&self, expression: &str) -> anyhow::Result<Value> {
        let wanted = json!({"expression": expression, "awaitPromise": true, "returnByValue": true});
        let answer = self.ask("Runtime.evaluate", wanted)?;
        if let Some(exception) = answer.get("exceptionDetails") {
            bail!("{expression}: {exception}");
        }
        Ok(answer["result"].get("value").cloned().unwrap_or_default())
    }

    /// Presses a key and lets it go: one of `Enter`, `Tab` and the like, or a character.
    ///
    /// # Errors
    /// There is no such key, or the browser does not answer.
    pub fn press(&self, key: &str) -> anyhow::Result<()> {
        let [down, up] = keys::events(key).with_context(|| format!("no key {key}"))?;
        self.ask("Input.dispatchKeyEvent", down)?;
        self.ask("Input.dispatchKeyEvent", up)?;
        Ok(())
    }

    /// Presses the key of each character.
    ///
    /// # Errors
    /// The browser does not answer.
    pub fn type_text(&self, text: &str) -> anyhow::Result<()> {
        text.chars().try_for_each(|character| self.press(character.encode_utf8(&mut [0; 4])))
    }

    /// Moves the mouse to a point of the window.
    ///
    /// # Errors
    /// The browser does not answer.
    pub fn point_at(&self, x: f64, y: f64) -> anyhow::Result<()> {
        self.ask("Input.dispatchMouseEvent", json!({"type": "mouseMoved", "x": x, "y": y}))?;
        Ok(())
    }

    /// Clicks on a point of the window.
    ///
    /// # Errors
    /// The browser does not answer.
    pub fn click(&self, x: f64, y: f64) -> anyhow::Result<()> {
        self.point_at(x, y)?;
        for kind in ["mousePressed", "mouseReleased"] {
            let event = json!({"type": kind, "x": x, "y": y, "button": "left", "clickCount": 1});
            self.ask("Input.dispatchMouseEvent", event)?;
        }
        Ok(())
    }

    /// Chooses files in an input.
    ///
    /// # Errors
    /// There is no such element, or it takes no files.
    pub fn choose_files(&self, selector: &str, files: &[&str]) -> anyhow::Result<()> {
        let expression = format!("document.querySelector({})", json!(selector));
        let found = self.ask("Runtime.evaluate", json!({"expression": expression}))?;
        let object = text(&found["result"], "objectId")?;
        self.ask("DOM.setFileInputFiles", json!({"files": files, "objectId": object}))?;
        Ok(())
    }

    /// The page on paper, as PDF.
    ///
    /// # Errors
    /// The browser does not answer.
    pub fn print(&self) -> anyhow::Result<Vec<u8>> {
        let printed = self.ask("Page.printToPDF", json!({"printBackground": true}))?;
        Ok(STANDARD.decode(text(&printed, "data")?)?)
    }

    /// A picture of that part of the page, as PNG.
    ///
    /// # Errors
    /// The browser does not answer.
    pub fn picture(&self, width: f64, height: f64) -> anyhow::Result<Vec<u8>> {
        let clip = json!({"x": 0, "y": 0, "width": width, "height": height, "scale": 1});
        let wanted = json!({"format": "png", "clip": clip, "captureBeyondViewport": true});
        let taken = self.ask("Page.captureScreenshot", wanted)?;
        Ok(STANDARD.decode(text(&taken, "data")?)?)
    }

    /// Closes the tab.
    ///
    /// # Errors
    /// The browser does not answer.
    pub fn close(self) -> anyhow::Result<()> {
        self.connection.ask(None, "Target.closeTarget", json!({"targetId": self.target}))?;
        Ok(())
    }
}

/// A text of an answer.
fn text<'a>(answer: &'a Value, member: &str) -> anyhow::Result<&'a str> {
    answer[member].as_str().with_context(|| format!("no {member} in {answer}"))
}
