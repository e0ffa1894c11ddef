//! Whole games of every rule set, variant and size class over HTTP, played by clients without knowledge of the rules, which
//! choose from the list of legal actions. Each player's view after every event is compared with the replay of the finished
//! game, and repeated moves must get their first answer. `PIPPOST_RANDOM_GAMES` sets how many of each are played (see
//! docs/TESTING.md).

use std::hash::{DefaultHasher, Hash, Hasher};

use futures_util::{StreamExt, TryStreamExt};
use pippost::record::verify;
use pippost::rules;
use reqwest::Method;
use serde::Deserialize;
use serde_json::value::RawValue;
use serde_json::{Value, json};

use support::client::Answer;
use support::sample::Sampler;
use support::{Client, TestApp};

/// The number of games at once.
const AT_ONCE: usize = 16;

/// The number of games of each class in which every answer is checked against the OpenAPI document and a stranger looks on. Other
/// games only read the answers, to save time.
const CHECKED_GAMES: u64 = 2;

/// The part of a game's view that a client needs; the rules' view stays text.
#[derive(Deserialize)]
struct Look {
    seq: u64,
    head: Option<String>,
    to_act: Option<u8>,
    view: Box<RawValue>,
}

/// The same of a move's answer.
#[derive(Deserialize)]
struct MoveAnswer {
    game: Look,
}

/// A page of the replay.
#[derive(Deserialize)]
struct ReplayAnswer {
    steps: Vec<ReplayStep>,
    next: Option<u64>,
}

#[derive(Deserialize)]
struct ReplayStep {
    event: EventHead,
    view: Box<RawValue>,
}

#[derive(Deserialize)]
struct EventHead {
    seq: u64,
    hash: String,
}

/// The most moves of a game that may not end.
const MOST_MOVES: u64 = 150;

/// What a viewer was shown after an event: a digest of the view and the event's hash.
type Shown = u64;

fn shown(view: &RawValue, head: &str) -> Shown {
    let mut hasher = DefaultHasher::new();
    (view.get(), head).hash(&mut hasher);
    hasher.finish()
}

/// Rule sets with options, and the number of players.
fn classes() -> Vec<(&'static str, Value, u8)> {
    let mut classes = vec![("pip-pip", json!({}), 2), ("serpent", json!({}), 2)];
    for variant in ["pipline", "zipline", "freestyle"] {
        for size in [5, 8, 11, 19] {
            classes.push(("pippinzip", json!({"variant": variant, "size": size}), 2));
        }
    }
    for (size, seats) in [(3, 2), (4, 2), (4, 4), (5, 3), (5, 8)] {
        classes.push(("dominion", json!({"size": size, "round_limit": 6}), seats));
    }
    classes
}

/// Every rule set with the default options and with random ones; and the number of players.
async fn default_and_random_classes(stranger: &Client, sampler: &mut Sampler) -> Vec<(String, Value, u8)> {
    let mut classes = Vec::new();
    for summary in stranger.get("/api/v1/rules").await.ok()["rules"].as_array().expect("a list") {
        let name = summary["name"].as_str().expect("a name");
        let details = stranger.get(&format!("/api/v1/rules/{name}")).await.ok();
        let rules = rules::find(name, None).expect("a rule set");
        let schema = &details["options_schema"];
        for options in [json!({}), sampler.options(schema), sampler.options(schema)] {
            let complete = rules.complete_options(&options).expect("options of the schema");
            let seats = rules.seats(&complete).expect("complete options");
            let more = sampler.below(seats.clone().count());
            classes.push((name.to_owned(), options, seats.start() + u8::try_from(more).expect("few")));
        }
    }
    assert!(classes.iter().any(|(name, options, _)| name == "dominion" && *options == json!({})));
    classes
}

/// Dominion has no round limit by default, so a game may go on for ever: it is played for a while, verified while it runs, and
/// ended by resignations.
#[tokio::test(flavor = "multi_thread")]
async fn games_of_default_and_random_options_verify_while_they_run_and_when_all_but_one_resign() {
    let app = TestApp::start().await;
    let mut players = Vec::new();
    for number in 0..8 {
        players.push(app.player(&format!("player{number}")).await.unchecked());
    }
    for round in 0..games_of_each() {
        let classes = default_and_random_classes(&app.stranger(), &mut Sampler::new(!round)).await;
        let played = classes.into_iter().map(|(rules, options, seats)| {
            let (app, viewers) = (&app, &players[..usize::from(seats)]);
            async move { play(app, viewers, seats.into(), &rules, &options, round, Some(MOST_MOVES)).await }
        });
        let moves: Vec<u64> = futures_util::stream::iter(played).buffer_unordered(AT_ONCE).collect().await;
        assert!(moves.iter().all(|moves| *moves > 0), "{moves:?}");
    }
}

/// Verifies the record of a running game; then all players but one resign.
async fn resign_all_but_one(app: &TestApp, players: &[Client], game: &str) {
    let record = app.stranger().unchecked().get(&format!("{game}/record")).await;
    let verified = verify(&record.body).unwrap_or_else(|failure| panic!("{game}: {failure}"));
    assert!(!verified.proved && verified.result.is_none());
    for player in &players[1..] {
        player.post(&format!("{game}/resign"), &json!({})).await.expect_status(200);
    }
}

fn games_of_each() -> u64 {
    std::env::var("PIPPOST_RANDOM_GAMES").map_or(1, |number| number.parse().expect("a number of games"))
}

#[tokio::test(flavor = "multi_thread")]
async fn games_played_by_listed_actions_alone_end_verify_and_replay_to_equal_views() {
    let app = TestApp::start().await;
    let mut players = Vec::new();
    for number in 0..8 {
        players.push(app.player(&format!("player{number}")).await);
    }
    let plans =
        classes().into_iter().flat_map(|class| (0..games_of_each()).map(move |seed| (class.clone(), seed)));
    let played = futures_util::stream::iter(plans.map(|((rules, options, seats), seed)| {
        let mut viewers = players[..usize::from(seats)].to_vec();
        if seed < CHECKED_GAMES {
            viewers.push(app.stranger());
        } else {
            viewers = viewers.iter().map(Client::unchecked).collect();
        }
        let app = &app;
        async move {
            let moves = play(app, &viewers, seats.into(), rules, &options, seed, None).await;
            assert!(moves > 0, "{rules} {options}");
            Ok::<_, std::convert::Infallible>(moves)
        }
    }));
    let moves: Vec<u64> = played.buffer_unordered(AT_ONCE).try_collect().await.expect("no game fails");
    assert_eq!(moves.len() as u64, classes().len() as u64 * games_of_each());
}

/// Plays one game in which the first `seats` of `viewers` have seats; they resign after `most` moves. Returns the number of
/// moves.
async fn play(
    app: &TestApp,
    viewers: &[Client],
    seats: usize,
    rules: &str,
    options: &Value,
    seed: u64,
    most: Option<u64>,
) -> u64 {
    let wanted = json!({"rules": rules, "options": options, "seats": seats, "seating": "joined"});
    let created = viewers[0].post("/api/v1/games", &wanted).await;
    let game = format!("/api/v1/games/{}", created.expect_status(201).json()["id"].as_str().expect("an id"));
    for player in &viewers[1..seats] {
        player.post(&format!("{game}/join"), &json!({})).await.expect_status(200);
    }
    let mut sampler = Sampler::new(seed);
    // By viewer and event.
    let mut seen: Vec<Vec<Shown>> = vec![Vec::new(); viewers.len()];
    let (mut look, mut mover) = (look_at(&viewers[0], &game).await, 0);
    let mut made = Vec::new();
    loop {
        let head = look.head.as_deref().expect("a started game");
        for (number, viewer) in viewers.iter().enumerate() {
            let other = if number == mover { None } else { Some(look_at(viewer, &game).await) };
            let view = other.as_ref().map_or(&look.view, |other| &other.view);
            assert!(other.as_ref().is_none_or(|other| other.seq == look.seq), "nobody else moves");
            seen[number].push(shown(view, head));
        }
        let Some(seat) = look.to_act else { break };
        if most.is_some_and(|most| look.seq >= most) {
            resign_all_but_one(app, &viewers[..seats], &game).await;
            break;
        }
        mover = seat.into();
        let legal = viewers[mover].get(&format!("{game}/actions")).await.ok();
        let listed = legal["actions"].as_array().expect("a list");
        assert!(!listed.is_empty(), "asked means able: {rules} at {}", look.seq);
        let body = json!({"actions": [sampler.action(listed)], "expected_seq": look.seq}).to_string();
        let request = Request { mover: &viewers[mover], path: format!("{game}/moves"), body, seq: look.seq };
        let moved = request.send().await;
        look = serde_json::from_slice::<MoveAnswer>(&moved.expect_status(200).body).expect("a move").game;
        made.push((request, moved.text()));
    }
    let checked = viewers.len() > seats;
    for (request, answer) in made.iter().rev().step_by(made.len().div_ceil(8)).filter(|_| checked) {
        assert_eq!(request.send().await.text(), *answer, "{rules} {options}: sent again, {}", request.body);
    }
    let record = app.stranger().unchecked().get(&format!("{game}/record")).await;
    assert!(verify(&record.body).unwrap_or_else(|failure| panic!("{rules} {options}: {failure}")).proved);
    for (viewer, seen) in viewers.iter().zip(&seen) {
        let replayed = replay(viewer, &game).await;
        let differs = seen.iter().zip(&replayed).position(|(seen, replayed)| seen != replayed);
        assert_eq!(differs, None, "{rules} {options}: the first event whose view is another now ({game})");
        // The view after the resignations was not requested.
        assert!(seen.len() == replayed.len() || (most.is_some() && seen.len() < replayed.len()));
        // Single positions are requested in checked games only.
        for (seq, seen) in seen.iter().enumerate().step_by(seen.len().div_ceil(8)).filter(|_| checked) {
            let then = look_at(viewer, &format!("{game}?seq={seq}")).await;
            assert_eq!(shown(&then.view, then.head.as_deref().expect("an event")), *seen, "{rules} at {seq}");
        }
    }
    look.seq
}

/// A move that can be repeated.
struct Request<'a> {
    mover: &'a Client,
    path: String,
    body: String,
    seq: u64,
}

impl Request<'_> {
    async fn send(&self) -> Answer {
        let key = format!("{}-{}", self.seq, &self.path[self.path.len() - 42..]);
        let keyed = [("Idempotency-Key", key.as_str())];
        self.mover.send(Method::POST, &self.path, Some(self.body.clone()), &keyed).await
    }
}

async fn look_at(viewer: &Client, game: &str) -> Look {
    let answer = viewer.get(game).await;
    serde_json::from_slice(&answer.expect_status(200).body).expect("a view")
}

/// What `viewer` is shown of the game's past, by event.
async fn replay(viewer: &Client, game: &str) -> Vec<Shown> {
    let mut shown_then = Vec::new();
    let mut first = Some(0);
    while let Some(from) = first {
        let answer = viewer.get(&format!("{game}/replay?first={from}&limit=200")).await;
        let page: ReplayAnswer = serde_json::from_slice(&answer.expect_status(200).body).expect("a page");
        for step in &page.steps {
            assert_eq!(step.event.seq, shown_then.len() as u64);
            shown_then.push(shown(&step.view, &step.event.hash));
        }
        first = page.next;
    }
    shown_then
}
