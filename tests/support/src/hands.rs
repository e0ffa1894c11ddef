//! Playing in a window by a finger alone, or by keys alone: no mouse, and no script picks anything.

use serde_json::json;

use crate::tab;
use crate::window::Window;

/// The least side of what a finger is to find, in pixels.
pub const FINGER: f64 = 44.0;

/// How often Tab and arrows may be pressed until something has the focus.
const MAX_TABS: usize = 80;
const MAX_ARROWS: usize = 400;

/// The first arrows that are pressed up or down, and how far apart in height, in pixels, one row is.
const MAX_STRAIGHT: usize = 8;
const SAME_ROW: f64 = 4.0;

/// The focused part of the board, and how far a target lies from it to the right and down.
const WAY: &str = "(() => {
    const middle = (element) => { const box = element.getBoundingClientRect(); return [box.x + box.width / 2, box.y + box.height / 2]; };
    const [from, to] = [document.activeElement, document.querySelector('#board [data-target=\"TARGET\"]')].map(middle);
    return { at: document.activeElement.dataset.target, right: to[0] - from[0], down: to[1] - from[1] };
})()";

/// A finger.
impl Window {
    /// Makes the window the touch screen of a phone.
    pub fn become_phone(&self, width: u32, height: u32) {
        tab::resize(&self.tab, width, height, true);
        tab::ask(
            &self.tab,
            "Emulation.setTouchEmulationEnabled",
            json!({"enabled": true, "maxTouchPoints": 1}),
        );
    }

    /// Touches the middle of the first such element, which must be what lies there. The page is not scrolled, only the row of choices.
    #[track_caller]
    pub fn tap(&self, selector: &str) {
        let quoted = serde_json::to_string(selector).expect("a text");
        let place = self.evaluate(&format!(
            "(() => {{
                const element = document.querySelector({quoted});
                element?.closest('.choices')?.scrollTo({{ left: element.offsetLeft - element.parentElement.offsetLeft, behavior: 'instant' }});
                const box = element?.getBoundingClientRect();
                const [x, y] = [box?.x + box?.width / 2, box?.y + box?.height / 2];
                const there = box && document.elementFromPoint(x, y);
                return {{ x, y, free: Boolean(there && element.contains(there)), there: there?.outerHTML.slice(0, 200) }};
            }})()"
        ));
        assert!(place["free"] == json!(true), "{selector} can be touched: {place}");
        let [x, y] = ["x", "y"].map(|member| place[member].as_f64().expect("a number"));
        for (kind, points) in [("touchStart", json!([{"x": x, "y": y}])), ("touchEnd", json!([]))] {
            tab::ask(&self.tab, "Input.dispatchTouchEvent", json!({"type": kind, "touchPoints": points}));
        }
    }

    /// The smaller side of the first such element, in pixels.
    fn side(&self, selector: &str) -> f64 {
        let selector = serde_json::to_string(selector).expect("a text");
        let side = format!(
            "(() => {{ const box = document.querySelector({selector}).getBoundingClientRect(); return Math.min(box.width, box.height); }})()"
        );
        self.evaluate(&side).as_f64().expect("a number")
    }

    /// Picks a target by a finger: one that is smaller than that is enlarged first.
    #[track_caller]
    pub fn tap_target(&self, target: &str) {
        let selector = format!("#table [data-target=\"{target}\"]");
        let side = self.side(&selector);
        if side < FINGER {
            let picks = self.state("picks");
            self.tap(&selector);
            self.wait("document.getElementById('board').dataset.whole !== undefined");
            let enlarged = self.side(&selector);
            assert!(enlarged >= FINGER, "{target} grows from {side} to {enlarged}");
            assert_eq!(self.state("picks"), picks, "the first touch only enlarges {target}");
        }
        self.and_wait(|| self.tap(&selector));
    }
}

/// Keys.
impl Window {
    /// Whether such an element has the focus.
    pub fn has_focus(&self, selector: &str) -> bool {
        let selector = serde_json::to_string(selector).expect("a text");
        self.evaluate(&format!("document.activeElement.matches({selector})")) == json!(true)
    }

    /// Presses Tab until such an element has the focus.
    #[track_caller]
    pub fn tab_to(&self, selector: &str) {
        for _ in 0..MAX_TABS {
            self.press("Tab");
            if self.has_focus(selector) {
                return;
            }
        }
        panic!("Tab does not reach {selector}: {}", self.text("#move"));
    }

    /// Moves the focus to a target: by Tab to the board or a button, and by arrows on the board.
    #[track_caller]
    pub fn reach(&self, target: &str) {
        let is_on_board = format!("document.querySelector('#board [data-target=\"{target}\"]') !== null");
        if self.evaluate(&is_on_board) == json!(false) {
            let button = format!("#move [data-target=\"{target}\"]");
            if !self.has_focus(&button) {
                self.tab_to(&button);
            }
            return;
        }
        if !self.has_focus("#board .spot") {
            self.tab_to("#board .spot");
        }
        self.reach_by_arrows(target);
    }

    /// Presses arrows towards a target; what lies askew is reached in the order of reading.
    #[track_caller]
    fn reach_by_arrows(&self, target: &str) {
        let way = WAY.replace("TARGET", target);
        for pressed in 0..MAX_ARROWS {
            let now = self.evaluate(&way);
            if now["at"] == json!(target) {
                return;
            }
            let [right, down] = ["right", "down"].map(|member| now[member].as_f64().expect("a number"));
            let is_after = if down.abs() > SAME_ROW { down > 0.0 } else { right > 0.0 };
            let is_straight = pressed < MAX_STRAIGHT && down.abs() > right.abs();
            self.press(match (is_straight, is_after) {
                (true, true) => "ArrowDown",
                (true, false) => "ArrowUp",
                (false, true) => "ArrowRight",
                (false, false) => "ArrowLeft",
            });
        }
        panic!("arrows do not reach {target}");
    }
}
