//! Whole games from the first move to the end by the rules: on the touch screen of a phone by a finger alone, and by keys alone. At every
//! step on the phone the board is seen beside what is to be chosen, and nothing is too small for a finger.

use serde_json::{Value, json};

use support::TestApp;
use support::game_page::{in_browser, is_first_players_turn, play_on, start_of};
use support::hands::FINGER;
use support::sample::Sampler;
use support::window::{Window, browser};

/// The share of the board that is seen at least, in points of a hundred, wherever something lies over the page.
const MIN_POINTS_SEEN: u64 = 90;

/// The fewest moves by hand of a game that counts: the dice may end one before.
const MIN_MOVES: usize = 3;

/// What a phone shows: of a hundred points of the board those that can be touched, what is smaller than a finger and neither on the board,
/// which enlarges it, nor within a text; and how far the page is scrolled.
const SEEN: &str = "(() => {
    const board = document.getElementById('board'), box = board.getBoundingClientRect();
    const tenths = [...Array(10).keys()].map((tenth) => tenth / 10 + .05);
    const seen = tenths.flatMap((x) => tenths.map((y) => document.elementFromPoint(box.x + box.width * x, box.y + box.height * y)))
        .filter((there) => board.contains(there)).length;
    const small = [...document.querySelectorAll('#move :is(a, button), .game-head button')].filter((one) => {
        const { width, height } = one.getBoundingClientRect();
        return Math.min(width, height) < FINGER;
    }).map((one) => one.outerHTML.slice(0, 200));
    return { seen, small, scrolled: scrollY };
})()";

/// The lists of what happened and was said that are not scrolled to their end.
const UNSEEN: &str = "[...document.querySelectorAll('.story, .talk')].filter((list) => list.scrollHeight - list.scrollTop - list.clientHeight > 1).map((list) => list.className)";

/// How somebody plays.
#[derive(Clone, Copy, PartialEq)]
enum Hand {
    Finger,
    Keys,
}

impl Hand {
    fn look(self, window: &Window) {
        if self == Self::Finger {
            let seen = window.evaluate(&SEEN.replace("FINGER", &FINGER.to_string()));
            let all = seen["seen"].as_u64() >= Some(MIN_POINTS_SEEN);
            assert!(all && seen["small"] == json!([]), "{seen}: {}", window.text("#move"));
            assert!(seen["scrolled"] == json!(0) && window.fits(), "{seen}: the page stays where it is");
        }
    }

    fn pick(self, window: &Window, target: &str) {
        match self {
            Self::Finger => window.tap_target(target),
            Self::Keys => {
                window.reach(target);
                window.and_wait(|| window.press("Enter"));
            }
        }
    }

    fn send(self, window: &Window) {
        if self == Self::Finger {
            window.and_wait(|| window.tap("#send"));
        } else {
            assert!(window.has_focus("#send"), "a move that stands there has the focus on its button");
            window.and_wait(|| window.press("Enter"));
        }
        assert_eq!(window.text("#problem"), "");
    }

    /// Picks at random until a move stands there, and sends it.
    fn make_move(self, window: &Window, sampler: &mut Sampler, preferred: &[&str]) {
        while window.evaluate("document.getElementById('send') === null") == json!(true) {
            self.look(window);
            let targets = window.targets();
            assert!(!targets.is_empty(), "something can be picked: {}", window.text("main"));
            let liked = targets.iter().find(|target| preferred.contains(&target.as_str()));
            let target = liked.unwrap_or(&targets[sampler.below(targets.len())]).clone();
            self.pick(window, &target);
        }
        self.look(window);
        self.send(window);
    }
}

/// A game, and which targets make it short.
#[derive(Clone)]
struct Wanted {
    rules: &'static str,
    options: Value,
    seats: usize,
    preferred: &'static [&'static str],
    most_moves: usize,
}

impl Wanted {
    fn whole(rules: &'static str, options: Value, preferred: &'static [&'static str]) -> Self {
        Self { rules, options, seats: 2, preferred, most_moves: usize::MAX }
    }
}

/// Plays a game of ann, by hand, against others, who move by the API.
async fn play(hand: Hand, wanted: Wanted) {
    let app = TestApp::start().await;
    let handles =
        ["ann", "bob", "carol", "dave", "eve", "frank", "grace", "a-name-as-long-as-a-name-may-be1"];
    let mut players = Vec::new();
    for handle in &handles[..wanted.seats] {
        players.push(app.player(handle).await.unchecked());
    }
    let url = app.url.clone();
    let runtime = tokio::runtime::Handle::current();
    in_browser(move || {
        let browser = browser();
        let window = Window::logged_in(&browser, &url, "ann");
        if hand == Hand::Finger {
            window.become_phone(360, 640);
        }
        let mut sampler = Sampler::new(3);
        let mut moves = 0;
        // A game that the dice end after a move or two shows too little.
        while moves < MIN_MOVES {
            let seated: Vec<_> = players.iter().collect();
            let (game, page) =
                runtime.block_on(start_of(&seated, wanted.rules, wanted.options.clone(), false));
            window.go(&page);
            window.wait("document.documentElement.dataset.scripted === 'yes'");
            moves = 0;
            let mut end = Value::Null;
            while window.state("status") != "finished" && moves < wanted.most_moves {
                if window.state("myTurn") == "yes" {
                    hand.make_move(&window, &mut sampler, wanted.preferred);
                    moves += 1;
                }
                let is_mine = |now: &Value| is_first_players_turn(now, 0);
                end = runtime.block_on(play_on(&game, &players, &mut sampler, is_mine));
                window.catch_up(&end["seq"].to_string());
                assert_eq!(window.evaluate(UNSEEN), json!([]), "lists show their newest entry");
            }
            let is_over = ["play", "round_limit"].map(Value::from).contains(&end["result"]["reason"]);
            assert!(is_over || moves == wanted.most_moves, "{end}");
        }
        if wanted.most_moves == usize::MAX {
            assert!(window.text("#ended .told").ends_with('.'), "what decided: {}", window.text("#ended"));
        }
    })
    .await;
}

#[tokio::test(flavor = "multi_thread")]
async fn pip_pip_is_played_to_its_end_by_a_finger() {
    play(Hand::Finger, Wanted::whole("pip-pip", json!({}), &[])).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn serpent_is_played_to_its_end_by_a_finger() {
    play(Hand::Finger, Wanted::whole("serpent", json!({}), &[])).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn pippinzip_is_played_to_its_end_by_a_finger() {
    play(Hand::Finger, Wanted::whole("pippinzip", json!({"size": 7}), &["done"])).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn dominion_is_played_to_its_end_by_a_finger() {
    let options = json!({"size": 4, "round_limit": 5});
    play(Hand::Finger, Wanted::whole("dominion", options, &["turn"])).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn pip_pip_is_played_to_its_end_by_keys() {
    play(Hand::Keys, Wanted::whole("pip-pip", json!({}), &[])).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn serpent_is_played_to_its_end_by_keys() {
    play(Hand::Keys, Wanted::whole("serpent", json!({}), &[])).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn pippinzip_is_played_to_its_end_by_keys() {
    let options = json!({"variant": "zipline", "size": 5});
    play(Hand::Keys, Wanted::whole("pippinzip", options, &["done"])).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn dominion_is_played_to_its_end_by_keys() {
    let options = json!({"size": 3, "round_limit": 5});
    play(Hand::Keys, Wanted::whole("dominion", options, &["turn"])).await;
}

/// The moves on the largest boards, whose games are long.
const MOVES: usize = 8;

#[tokio::test(flavor = "multi_thread")]
async fn the_largest_board_of_pippinzip_is_played_by_a_finger() {
    let largest = Wanted::whole("pippinzip", json!({"size": 19}), &["done"]);
    play(Hand::Finger, Wanted { most_moves: MOVES, ..largest }).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn dominion_of_eight_is_played_by_a_finger() {
    let largest = Wanted::whole("dominion", json!({"size": 5}), &["turn"]);
    play(Hand::Finger, Wanted { seats: 8, most_moves: MOVES, ..largest }).await;
}
