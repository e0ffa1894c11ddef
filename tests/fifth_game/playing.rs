//! The added game in a real server: listed, played by the API and by mail, shown in mails, pictures and pages.

use std::time::Duration;

use mail_parser::{MessageParser, MimeHeaders};
use pippost::bot::client::{Client as BotClient, Identity};
use pippost::bot::lobby::Matchmaking;
use pippost::bot::matches::{self, Match};
use pippost::bot::player::{Bot, BotSettings};
use pippost::bot::{Effort, Strategy};
use reqwest::Method;
use serde_json::{Value, json};

use crate::add_the_game;
use support::analysing::Finished;
use support::contract::{document, errors};
use support::plain_schema::plain;
use support::post::{Post, Sent, deliver};
use support::{Client, PASSWORD, TestApp};

/// The first bytes of a PNG.
const PNG_SIGNATURE: &[u8] = b"\x89PNG\r\n\x1a\n";

/// A running game of ann, who has the first turn, and bob.
pub struct Game {
    pub path: String,
    players: [Client; 2],
}

/// Starts a game.
pub async fn start(app: &TestApp, options: Value) -> Game {
    let (ann, bob) = (app.player("ann").await, app.player("bob").await);
    let wanted = json!({"rules": "race", "options": options, "seating": "joined"});
    let created = ann.post("/api/v1/games", &wanted).await.expect_status(201).json();
    let path = format!("/api/v1/games/{}", created["id"].as_str().expect("an id"));
    bob.post(&format!("{path}/join"), &json!({})).await.expect_status(200);
    Game { path, players: [ann, bob] }
}

impl Game {
    /// The player to act rolls; returns the new view.
    async fn roll(&self) -> Value {
        let seat = self.players[0].get(&self.path).await.ok()["to_act"].as_u64().expect("a running game");
        let player = &self.players[usize::try_from(seat).expect("a seat")];
        let listed = player.get(&format!("{}/actions", self.path)).await.ok();
        assert_eq!(listed["actions"], json!([{"type": "roll"}, {"type": "pass"}]));
        player.post(&format!("{}/moves", self.path), &json!({"actions": [{"type": "roll"}]})).await.ok()
    }
}

/// Plays a game to its end.
pub async fn finish(app: &TestApp, options: Value) -> Game {
    let game = start(app, options).await;
    while game.players[0].get(&game.path).await.ok()["status"] == "running" {
        game.roll().await;
    }
    game
}

#[tokio::test(flavor = "multi_thread")]
async fn the_api_lists_the_game_and_plays_it_to_its_end() {
    add_the_game();
    let app = TestApp::start().await;
    let listed = app.stranger().get("/api/v1/rules").await.ok();
    let summary = listed["rules"].as_array().expect("a list").last().expect("the last").clone();
    assert_eq!(
        (&summary["name"], &summary["title"], &summary["version"]),
        (&json!("race"), &json!("Race"), &json!(1))
    );
    let details = app.stranger().get("/api/v1/rules/race").await.ok();
    assert_eq!(details["default_options"], json!({"target": 12}));
    assert!(details["text"].as_str().expect("a text").starts_with("# Race\n"), "{details}");
    let refused = json!({"rules": "race", "options": {"target": 0}});
    app.player("carol").await.post("/api/v1/games", &refused).await.problem(422, "invalid_options");

    let game = finish(&app, json!({"target": 30})).await;
    let end = app.stranger().get(&game.path).await.ok();
    assert_eq!(
        (&end["rules"], &end["status"], &end["options"]),
        (&json!("race"), &json!("finished"), &json!({"target": 30}))
    );
    let totals = end["view"]["totals"].as_array().expect("the view of the game").clone();
    let reached = |total: &Value| total.as_u64().is_some_and(|total| total >= 30);
    assert_eq!(totals.iter().filter(|total| reached(total)).count(), 1, "{end}");
    assert_eq!(end["result"]["scores"], json!(totals));
    let again = Finished::read(&game.path, &game.players, &app.stranger()).await;
    assert!(again.play_again(&app.stranger(), &game.path, true).await > 0, "dice are thrown");
    let record = app.stranger().get(&format!("{}/record", game.path)).await.expect_status(200).text();
    let lines = [("Content-Type", "application/x-ndjson")];
    let judged = app.stranger().send(Method::POST, "/api/v1/verify", Some(record), &lines).await.ok();
    assert_eq!((&judged["verdict"], &judged["proved"]), (&json!("accepted"), &json!(true)), "{judged}");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_mail_shows_the_game_in_the_readers_language_and_an_answer_moves() {
    add_the_game();
    let app = TestApp::start().await;
    let post = Post::of(&app);
    let game = start(&app, json!({"target": 100})).await;
    let german = json!({"language": "de", "zone": "Europe/Berlin"});
    game.players[0].patch("/api/v1/me/notification-preferences", &german).await.ok();
    let got = post.last("ann").await;
    assert!(got.subject.starts_with("Race gegen bob"), "{}", got.subject);
    for words in ["Würfle, oder passe.", "ann: 0 von 100\n", "bob: 0 von 100\n"] {
        assert!(got.text.contains(words), "{words}: {}", got.text);
    }
    let mail = MessageParser::default().parse(got.raw.as_bytes()).expect("a mail");
    let html = mail.body_html(0).expect("an HTML part").into_owned();
    assert!(html.contains("alt=\"Wettlauf bis 100. ann: 0 von 100"), "{html}");
    let picture = mail.attachments().next().expect("a picture");
    assert_eq!(picture.content_id(), Some("board"));
    assert!(picture.contents().starts_with(PNG_SIGNATURE));

    assert_eq!(deliver(&app, &Sent::answer("ann", &got, "würfle")).await, "taken");
    let after = game.players[0].get(&game.path).await.ok();
    assert_eq!((&after["to_act"], &after["seq"]), (&json!(1), &json!(1)), "{after}");
    let bobs = post.last("bob").await;
    let rolled = format!("ann rolled a {0} and stands at {0}.", after["view"]["totals"][0]);
    assert!(bobs.text.contains(&rolled), "{rolled}: {}", bobs.text);
    assert!(bobs.text.contains("Roll the die, or pass."), "{}", bobs.text);

    deliver(&app, &Sent::answer("bob", &bobs, "jump")).await;
    let refused = post.last("bob").await;
    assert!(refused.text.contains("\"roll\" rolls the die"), "{}", refused.text);
    // Nearly an order: it is asked about, and nothing of the die is shown before *yes*.
    deliver(&app, &Sent::answer("bob", &bobs, "roll twice")).await;
    let asked = post.last("bob").await;
    assert!(asked.text.contains("Did you mean \"roll\"?"), "{}", asked.text);
    assert!(!asked.text.contains("bob rolled"), "{}", asked.text);
    assert_eq!(game.players[0].get(&game.path).await.ok()["seq"], json!(1));
    assert_eq!(deliver(&app, &Sent::answer("bob", &asked, "yes")).await, "taken");
    assert_eq!(game.players[0].get(&game.path).await.ok()["seq"], json!(2));
}

#[tokio::test(flavor = "multi_thread")]
async fn pictures_and_pages_show_the_game() {
    add_the_game();
    let app = TestApp::start().await;
    let game = start(&app, json!({})).await;
    let board = async |file: &str| app.stranger().get(&format!("{}/{file}", game.path)).await;
    let svg = board("board.svg?language=de").await.expect_status(200).text();
    assert!(svg.contains("Wettlauf bis 12") && svg.contains("ann: 0 von 12"), "{svg}");
    let text = board("board.txt").await.expect_status(200).text();
    assert_eq!(text, "ann: 0 of 12\nbob: 0 of 12\n");
    assert!(board("board.png").await.expect_status(200).body.starts_with(PNG_SIGNATURE));
    let id = game.path.rsplit('/').next().expect("an id");
    let page = app.stranger().unchecked().get(&format!("/games/{id}")).await.expect_status(200).text();
    assert!(page.contains("Race") && page.contains("ann: 0 of 12"), "{page}");
}

#[tokio::test(flavor = "multi_thread")]
async fn the_api_document_describes_the_game_as_it_does_every_other() {
    add_the_game();
    let app = TestApp::start().await;
    let document = app.stranger().get("/openapi.json").await.ok();
    let schemas = &document["components"]["schemas"];
    for name in
        ["RaceView", "RaceAction", "RaceRollAction", "RacePassAction", "RaceEffect", "RaceRolledEffect"]
    {
        assert!(schemas[name].is_object(), "{name}");
    }
    let reference = |name: &str| json!(format!("#/components/schemas/{name}"));
    for (joined, part) in [
        ("GameView", "RaceGameView"),
        ("LegalActions", "RaceLegalActions"),
        ("Choices", "RaceChoices"),
        ("NewGameBody", "RaceNewGameBody"),
        ("NewTournamentBody", "RaceNewTournamentBody"),
    ] {
        assert_eq!(schemas[joined]["discriminator"]["mapping"]["race"], reference(part));
        assert_eq!(schemas[part]["properties"]["rules"]["enum"], json!(["race"]));
    }
    let lines = schemas["RecordLine"]["oneOf"].as_array().expect("kinds of lines");
    assert!(lines.contains(&json!({"$ref": reference("RaceRecordHeader")})), "{lines:?}");
    for (joined, part) in
        [("RuleSetOffer", "RaceOffer"), ("RuleSetEffect", "RaceEffect"), ("RuleSetView", "RaceView")]
    {
        let parts = schemas[joined]["anyOf"].as_array().expect("parts");
        assert!(parts.contains(&json!({"$ref": reference(part)})), "{parts:?}");
    }
    let offers = &schemas["RaceLegalActions"]["properties"]["actions"]["items"];
    assert_eq!(offers["$ref"], reference("RaceOffer"));
    let options = &schemas["RaceNewGameBody"]["properties"]["options"]["$ref"];
    assert_eq!(options, &reference("GivenRaceOptions"));
    let target = &schemas["GivenRaceOptions"]["properties"]["target"];
    assert_eq!((&target["maximum"], &target["default"]), (&json!(200), &json!(12)), "{target}");
}

#[test]
fn the_schemas_of_the_game_by_hand_say_the_same_as_those_of_its_types() {
    add_the_game();
    let race = pippost::rules::find("race", None).expect("the game");
    let named = |name: &str| plain(&document()["components"]["schemas"][name]);
    assert_eq!(plain(&race.options_schema()), named("GivenRaceOptions"));
    assert_eq!(plain(&race.action_schema()), named("RaceAction"));
}

#[tokio::test(flavor = "multi_thread")]
async fn what_the_game_shows_is_as_its_schemas_say() {
    add_the_game();
    let app = TestApp::start().await;
    let game = finish(&app, json!({"target": 20})).await;
    let fits = |name: &str, value: &Value| {
        let errors = errors(&format!("/components/schemas/{name}"), value);
        assert!(errors.is_empty(), "{name}: {errors:?}\n{value}");
    };
    let shown = app.stranger().get(&game.path).await.ok();
    fits("RaceGameView", &shown);
    fits("RaceView", &shown["view"]);
    fits("RaceOptions", &shown["options"]);
    let events = app.stranger().get(&format!("{}/events", game.path)).await.ok()["events"].clone();
    let rolls: Vec<&Value> =
        events.as_array().expect("events").iter().filter(|event| event["action"]["type"] == "roll").collect();
    assert!(rolls.len() > 3, "{events}");
    for event in rolls {
        fits("Event", event);
        fits("RaceRollAction", &event["action"]);
        fits("RaceRolledEffect", &event["effects"][0]);
    }
    let other = errors("/components/schemas/DominionGameView", &shown);
    assert!(!other.is_empty(), "a race is no game of another kind");
}

#[tokio::test(flavor = "multi_thread")]
async fn the_bot_plays_the_game_with_what_its_folder_says() {
    add_the_game();
    let rules = pippost::rules::find("race", None).expect("the game");
    let options = rules.complete_options(&json!({"target": 30})).expect("possible");
    let searching = Strategy::MonteCarlo(Effort { playouts: 60, time_limit: None });
    let of = Match { rules, options, games: 20, seed: 1, strategies: [searching, Strategy::Random] };
    let score = matches::play(&of).expect("games");
    // A random player passes every other turn.
    assert!(score.won >= 16, "{score:?}");

    let app = TestApp::start().await;
    let game = start(&app, json!({"target": 20})).await;
    let identity = |handle: &str| Identity::Bot { handle: handle.to_owned(), password: PASSWORD.to_owned() };
    let mut bots = ["ann", "bob"].map(|handle| {
        let client = BotClient::new(&app.url, identity(handle)).expect("a client");
        let settings = BotSettings {
            strategy: searching,
            poll: Duration::from_secs(1),
            pauses: false,
            matchmaking: Matchmaking::default(),
        };
        Bot::new(client, settings, 1)
    });
    for _ in 0..100 {
        for bot in &mut bots {
            bot.round().await.expect("the server answers");
        }
    }
    let end = app.stranger().get(&game.path).await.ok();
    assert_eq!((&end["status"], &end["result"]["reason"]), (&json!("finished"), &json!("play")), "{end}");
}
