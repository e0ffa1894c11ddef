//! A real browser without network that has opened the verifier's page from a saved file.

use std::path::Path;
use std::time::Duration;

use chromium::{Browser, Tab};
use serde_json::{Value, json};
use tempfile::TempDir;

use crate::javascript::Verdict;
use crate::tab;

/// The longest time for one answer of the browser: a batch of records takes seconds, or more on a busy machine.
const TIMEOUT: Duration = Duration::from_mins(10);

/// The size of a batch of records for the page, in bytes.
const SHARE_BYTES: usize = 4_000_000;

/// A name that resolves to this machine, but that no browser treats as local.
pub const PLAIN_HOST: &str = "plain.test";

/// The page in its browser, which is closed on drop.
pub struct OpenPage {
    pub tab: Tab,
    pub folder: TempDir,
    browser: Browser,
}

impl OpenPage {
    /// Saves the page to a folder, opens it from there, and disables the network.
    pub fn saved() -> Self {
        let page = Self::blank();
        let file = page.folder.path().join("pippost-verifier.html");
        std::fs::write(&file, pippost::web::verifier::document()).expect("a saved page");
        tab::offline(&page.tab, true);
        page.go_to(&format!("file://{}", file.display()));
        page
    }

    /// A browser with an empty page.
    pub fn blank() -> Self {
        let browser = tab::browser(&[format!("--host-resolver-rules=MAP {PLAIN_HOST} 127.0.0.1")], TIMEOUT);
        let tab = browser.new_tab().expect("a tab");
        Self { tab, folder: tempfile::tempdir().expect("a folder"), browser }
    }

    pub fn go_to(&self, url: &str) {
        self.tab.go(url).expect("the page is open");
    }

    /// The version of the browser, for messages.
    pub fn version(&self) -> String {
        self.browser.version().expect("a version")
    }

    /// The value of an expression, awaited.
    pub fn evaluate(&self, expression: &str) -> Value {
        tab::evaluate(&self.tab, expression)
    }

    /// The text of the element with this id.
    pub fn text(&self, id: &str) -> String {
        let text = self.evaluate(&format!("document.getElementById('{id}').innerText"));
        text.as_str().expect("text").to_owned()
    }

    /// The page's verdict on each record.
    pub fn judge(&self, records: &[Vec<u8>]) -> Vec<Verdict> {
        let mut verdicts = Vec::new();
        let mut rest = records;
        while !rest.is_empty() {
            let mut bytes = 0;
            let share = rest.iter().take_while(|record| {
                bytes += record.len();
                bytes <= SHARE_BYTES
            });
            let (now, later) = rest.split_at(share.count().max(1));
            verdicts.extend(self.judge_share(now));
            rest = later;
        }
        verdicts
    }

    fn judge_share(&self, records: &[Vec<u8>]) -> Vec<Verdict> {
        // One character per byte, so that records that are not UTF-8 arrive unchanged.
        let texts: Vec<String> =
            records.iter().map(|record| record.iter().map(|byte| char::from(*byte)).collect()).collect();
        let texts = serde_json::to_string(&texts).expect("texts");
        let answers = self.evaluate(&format!(
            "(async (texts) => {{
                const verdicts = [];
                for (const text of texts) {{
                    const bytes = Uint8Array.from(text, (character) => character.charCodeAt(0));
                    const {{ failure: first, clock, proved }} = await pippost.verify(bytes);
                    const failure = first ?? clock?.failure ?? null;
                    verdicts.push(failure === null ? {{ proved }} : {{ check: failure.check, place: failure.place.name }});
                }}
                return verdicts;
            }})({texts})"
        ));
        let answers = answers.as_array().expect("a list");
        assert_eq!(answers.len(), records.len());
        answers.iter().map(verdict_of).collect()
    }

    /// Sets the window's width and the light or dark theme.
    pub fn look(&self, width: u32, dark: bool) {
        tab::look(&self.tab, width, 900, dark);
    }

    /// Saves a picture of the whole page for people to look at.
    pub fn keep_picture(&self, file: &Path) {
        tab::keep_picture(&self.tab, file);
    }
}

fn verdict_of(answer: &Value) -> Verdict {
    match answer["place"].as_str() {
        Some(place) => {
            Verdict::Refused { check: answer["check"].as_u64().expect("a number"), place: place.to_owned() }
        }
        None => Verdict::Accepted { proved: answer["proved"].as_bool().expect("a flag") },
    }
}

impl OpenPage {
    /// Chooses a file with this text and waits for the verdict.
    pub fn choose(&self, name: &str, text: &str) {
        let file = self.folder.path().join(name);
        std::fs::write(&file, text).expect("a file");
        self.tab.choose_files("#file", &[file.to_str().expect("a plain path")]).expect("an answer");
        self.wait_for_report(name);
    }

    /// Waits for the verdict on what has that name.
    pub fn wait_for_report(&self, source: &str) {
        let source = serde_json::to_string(source).expect("a text");
        self.evaluate(&format!(
            "new Promise((done) => {{
                const look = () => !document.getElementById('report').hidden
                    && document.getElementById('reason').textContent.startsWith({source}) ? done(true) : setTimeout(look, 10);
                look();
            }})"
        ));
    }

    /// Whether everything fits the width of the window.
    pub fn has_no_sideways_scroll(&self) -> bool {
        self.evaluate("document.documentElement.scrollWidth <= innerWidth") == json!(true)
    }
}
