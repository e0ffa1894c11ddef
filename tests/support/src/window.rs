//! Windows of a real browser, each with cookies of its own, in which people look at pages, click and press keys.

use std::path::Path;
use std::time::Duration;

use chromium::{Browser, Tab};
use serde_json::{Value, json};

use super::sample::Sampler;
use super::{PASSWORD, tab};

/// The longest time for one answer of the browser, on a busy machine.
const TIMEOUT: Duration = Duration::from_mins(5);

/// How long a page may take until it shows what is waited for, in milliseconds.
const WAIT_TIMEOUT_MS: u32 = 60_000;

/// The least part of a board that is seen on a phone while something is to be chosen.
const MIN_BOARD_IN_VIEW: f64 = 0.9;

/// Lets a page wait for nothing that takes longer than a second, so that it never asks by itself.
pub const NO_POLLING: &str = "(() => { const wait = window.setTimeout; window.setTimeout = (act, after, ...more) => after >= 1000 ? 0 : wait(act, after, ...more); })()";

/// Starts a browser.
pub fn browser() -> Browser {
    tab::browser(&[], TIMEOUT)
}

/// Starts a browser that shows notifications.
pub fn whole_browser() -> Browser {
    Browser::start_whole(&[], TIMEOUT).expect("a browser")
}

/// A window with cookies of its own.
pub struct Window {
    pub tab: Tab,
    url: String,
}

impl Window {
    /// A new window of the browser, for the server at `url`.
    pub fn of(browser: &Browser, url: &str) -> Self {
        let tab = browser.new_tab().expect("a tab");
        let window = Self { tab, url: url.to_owned() };
        window.look(1100, 900, false);
        window
    }

    /// A window in which a player has logged in by the page.
    pub fn logged_in(browser: &Browser, url: &str, handle: &str) -> Self {
        let window = Self::of(browser, url);
        window.go("/log-in");
        window.fill("[name=login]", handle);
        window.fill("[name=password]", PASSWORD);
        window.click("main form button[type=submit]");
        window.wait("!location.pathname.startsWith('/log-in')");
        window
    }

    /// Chooses the language of the pages, by the page for that.
    pub fn speak(&self, language: &str) {
        self.go("/look");
        self.evaluate(&format!(
            "document.querySelector('input[name=language][value={language}]').checked = true"
        ));
        self.click("main form button");
        self.wait(&format!("document.documentElement.lang === '{language}'"));
    }

    pub fn go(&self, path: &str) {
        self.tab.go(&format!("{}{path}", self.url)).expect("the page is open");
    }

    /// Opens a page twice, so that the second comes through the service worker that the first has started.
    #[track_caller]
    pub fn go_with_worker(&self, path: &str) {
        self.go(path);
        // A page that is still loading when a worker begins stays without it.
        self.wait("(await navigator.serviceWorker.getRegistration())?.active?.state === 'activated'");
        self.go(path);
        self.wait("navigator.serviceWorker.controller !== null");
    }

    /// Runs a script in every page from now on, before those of the page.
    pub fn before_every_page(&self, script: &str) {
        tab::before_every_page(&self.tab, script);
    }

    /// The value of an expression, awaited.
    pub fn evaluate(&self, expression: &str) -> Value {
        tab::evaluate(&self.tab, expression)
    }

    /// Waits until an expression is true, over new pages, too.
    #[track_caller]
    pub fn wait(&self, expression: &str) {
        let begun = std::time::Instant::now();
        // Each look waits a little in the page, which may be replaced meanwhile.
        let look = format!(
            "(async () => {{ for (let i = 0; i < 40; i++) {{ if ({expression}) return true; await new Promise((go) => setTimeout(go, 25)); }} return false; }})()"
        );
        while begun.elapsed() < Duration::from_millis(WAIT_TIMEOUT_MS.into()) {
            // A page that is just being replaced gives no answer.
            if self.tab.evaluate(&look).is_ok_and(|answer| answer == json!(true)) {
                return;
            }
        }
        let text = self.evaluate("document.body.innerText");
        panic!("{expression} does not become true: {text}");
    }

    /// Clicks into the middle of the first such element, which must be what lies there. The page is scrolled only if it has to be.
    #[track_caller]
    pub fn click(&self, selector: &str) {
        let selector = serde_json::to_string(selector).expect("a text");
        let place = self.evaluate(&format!(
            "(() => {{
                const element = document.querySelector({selector});
                if (!element) return null;
                const look = () => {{
                    const box = element.getBoundingClientRect();
                    const [x, y] = [box.x + box.width / 2, box.y + box.height / 2];
                    const there = document.elementFromPoint(x, y);
                    return {{ x, y, free: there !== null && (element.contains(there) || there.contains(element)), there: there?.outerHTML.slice(0, 200) }};
                }};
                const place = look();
                if (place.free) return place;
                element.scrollIntoView({{ block: 'center', behavior: 'instant' }});
                return look();
            }})()"
        ));
        assert!(place["free"] == json!(true), "{selector} can be clicked: {place}");
        let [x, y] = ["x", "y"].map(|member| place[member].as_f64().expect("a number"));
        self.tab.click(x, y).expect("a click");
    }

    pub fn fill(&self, selector: &str, text: &str) {
        let [selector, text] = [selector, text].map(|text| serde_json::to_string(text).expect("a text"));
        self.evaluate(&format!("document.querySelector({selector}).value = {text}"));
    }

    /// Focuses the first such element, so that keys go to it wherever the page moves it.
    #[track_caller]
    pub fn focus(&self, selector: &str) {
        let selector = serde_json::to_string(selector).expect("a text");
        let focused = format!(
            "(() => {{ const element = document.querySelector({selector}); element?.focus(); return element !== null && document.activeElement === element; }})()"
        );
        assert!(self.evaluate(&focused) == json!(true), "{selector} can be focused");
    }

    pub fn press(&self, key: &str) {
        self.tab.press(key).expect("a key");
    }

    pub fn text(&self, selector: &str) -> String {
        let selector = serde_json::to_string(selector).expect("a text");
        let text = self.evaluate(&format!("document.querySelector({selector})?.innerText ?? ''"));
        text.as_str().expect("text").to_owned()
    }

    /// Sets the window's size and the light or dark theme.
    pub fn look(&self, width: u32, height: u32, dark: bool) {
        tab::look(&self.tab, width, height, dark);
    }

    /// Shows the page as on paper, for somebody with a dark screen; or again as on that screen.
    pub fn on_paper(&self, on_paper: bool) {
        tab::show_on(&self.tab, if on_paper { "print" } else { "" }, true);
    }

    /// Switches the scripts of pages on or off. What tests evaluate runs in both cases.
    pub fn scripts(&self, on: bool) {
        tab::ask(&self.tab, "Emulation.setScriptExecutionDisabled", json!({"value": !on}));
    }

    /// Cuts the connection, or joins it again.
    pub fn offline(&self, offline: bool) {
        tab::offline(&self.tab, offline);
    }

    /// Whether nothing has to be scrolled sideways.
    pub fn fits(&self) -> bool {
        self.evaluate("document.documentElement.scrollWidth <= innerWidth") == json!(true)
    }

    /// Saves a picture of the whole page for people to look at.
    pub fn keep_picture(&self, file: &Path) {
        tab::keep_picture(&self.tab, file);
    }
}

/// Playing on the page of a game.
impl Window {
    /// A value that the page keeps about the game.
    pub fn state(&self, member: &str) -> String {
        let value = self.evaluate(&format!("document.getElementById('state').dataset.{member} ?? ''"));
        value.as_str().expect("text").to_owned()
    }

    /// The names of the targets that can be picked now.
    pub fn targets(&self) -> Vec<String> {
        let names = self.evaluate(
            "[...document.querySelectorAll('#table [data-target]')].map((link) => link.dataset.target)",
        );
        serde_json::from_value(names).expect("names")
    }

    /// Does something that the server answers with another state of the page, and waits for it.
    #[track_caller]
    pub fn and_wait(&self, act: impl FnOnce()) {
        self.evaluate("document.getElementById('state').dataset.old = 'yes'");
        act();
        self.wait("document.getElementById('state') && !document.getElementById('state').dataset.old && document.getElementById('table').getAttribute('aria-busy') !== 'true'");
    }

    #[track_caller]
    pub fn pick(&self, target: &str) {
        self.and_wait(|| self.click(&format!("#table [data-target=\"{target}\"]")));
    }

    /// Expects that at least nine tenths of the board can be seen, beside what is to be decided.
    #[track_caller]
    fn expect_board_in_view(&self) {
        let seen = self.evaluate(
            "(() => {
                const [board, move] = ['board', 'move'].map((id) => document.getElementById(id).getBoundingClientRect());
                const end = Math.min(innerHeight, move.top >= board.bottom || move.left >= board.right ? innerHeight : move.top);
                return Math.max(0, Math.min(board.bottom, end) - Math.max(board.top, 0)) / board.height;
            })()",
        );
        let seen = seen.as_f64().expect("a share");
        assert!(seen >= MIN_BOARD_IN_VIEW, "{seen} of the board is in view: {}", self.text("#move"));
    }

    /// Picks at random until a move stands there, and sends it. Targets that are in `preferred` are picked every other time.
    pub fn move_at_random(&self, sampler: &mut Sampler, preferred: &[&str]) {
        let is_phone = self.evaluate("innerWidth < 500 && innerHeight >= 600") == json!(true);
        let look = || {
            if is_phone {
                self.expect_board_in_view();
            }
        };
        while self.evaluate("document.getElementById('send') === null") == json!(true) {
            look();
            let targets = self.targets();
            assert!(!targets.is_empty(), "something can be picked: {}", self.text("main"));
            let liked = targets.iter().find(|target| preferred.contains(&target.as_str()));
            let liked = liked.filter(|_| sampler.below(2) == 0);
            let target = liked.unwrap_or(&targets[sampler.below(targets.len())]).clone();
            self.pick(&target);
        }
        look();
        self.and_wait(|| self.click("#send"));
        assert_eq!(self.text("#problem"), "");
    }

    /// Resigns by the page.
    pub fn resign(&self) {
        let form = "form[action$='/resign']";
        self.evaluate(&format!(
            "(() => {{ document.querySelector(\"{form}\").closest('details').open = true; return 1; }})()"
        ));
        self.and_wait(|| self.click(&format!("{form} button")));
    }

    /// Looks again, as the page does by itself from time to time.
    pub fn catch_up(&self, seq: &str) {
        if self.state("seq") != seq {
            self.evaluate("dispatchEvent(new Event('online'))");
            self.wait(&format!("document.getElementById('state').dataset.seq === '{seq}'"));
        }
    }
}

/// Two players play a game to its end by clicking.
pub fn play_to_the_end(windows: &[Window], seed: u64, preferred: &[&str]) {
    let mut sampler = Sampler::new(seed);
    while windows[0].state("status") != "finished" {
        let acting = windows.iter().find(|window| window.state("myTurn") == "yes").expect("somebody's turn");
        acting.move_at_random(&mut sampler, preferred);
        let seq = acting.state("seq");
        for window in windows {
            window.catch_up(&seq);
        }
    }
}
