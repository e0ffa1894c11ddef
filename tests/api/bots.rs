//! Bots as their owners and their opponents see them: whole games by the public API, and the mark of their accounts.

use std::pin::Pin;
use std::time::Duration;

use pippost::bot::client::{Client as BotClient, Identity};
use pippost::bot::lobby::Matchmaking;
use pippost::bot::player::{Bot, BotSettings, Strengths};
use pippost::bot::{Effort, Strategy, Strength};
use pippost::rules;
use serde_json::{Value, json};
use uuid::Uuid;

use support::post::Post;
use support::{PASSWORD, TestApp};

/// The most rounds of two bots until their games are over.
const MAX_ROUNDS: usize = 4000;

/// A bot with an account of that name.
fn bot(app: &TestApp, handle: &str, strategy: Strategy, matchmaking: Matchmaking) -> Bot {
    let identity = Identity::Bot { handle: handle.to_owned(), password: PASSWORD.to_owned() };
    let client = BotClient::new(&app.url, identity).expect("a client");
    let settings = BotSettings { strategy, poll: Duration::from_secs(1), pauses: false, matchmaking };
    Bot::new(client, settings, 1)
}

fn searching(playouts: u32) -> Strategy {
    Strategy::MonteCarlo(Effort { playouts, time_limit: None })
}

/// Two bots that look for no games.
fn pair(app: &TestApp) -> [Bot; 2] {
    let idle = Matchmaking { max_games: 10, max_games_with_one: 10, ..Matchmaking::default() };
    [("searching", searching(16)), ("random", Strategy::Random)]
        .map(|(handle, strategy)| bot(app, handle, strategy, idle.clone()))
}

/// Registers a bot's account and returns a client for what its owner does by hand.
async fn owner(app: &TestApp, handle: &str) -> support::Client {
    let email = format!("{handle}@example.org");
    let body = json!({"handle": handle, "email": email, "password": PASSWORD, "bot": true});
    let session = app.stranger().post("/api/v1/accounts", &body).await.expect_status(201).json();
    support::Client::new(&app.url, session["access_token"].as_str().map(str::to_owned))
}

/// Options with which games of a rule set end soon.
fn short(name: &str) -> Value {
    let rules = rules::find(name, None).expect("a rule set");
    let properties = rules.options_schema()["properties"].clone();
    let mut options = json!({});
    if let Some(least) = properties["size"]["minimum"].as_u64().or(properties["size"]["enum"][0].as_u64()) {
        options["size"] = json!(least);
    }
    if properties["round_limit"].is_object() {
        options["round_limit"] = json!(3);
    }
    options
}

#[tokio::test(flavor = "multi_thread")]
async fn two_bots_play_whole_games_of_every_rule_set_by_the_public_api_alone() {
    let app = TestApp::start().await;
    let owners = [owner(&app, "searching").await, owner(&app, "random").await];
    let mut games = Vec::new();
    for rules in rules::all() {
        let wanted = json!({"rules": rules.name(), "options": short(rules.name()), "seats": 2});
        let created = owners[0].post("/api/v1/games", &wanted).await.expect_status(201).json();
        let path = format!("/api/v1/games/{}", created["id"].as_str().expect("an id"));
        owners[1].post(&format!("{path}/join"), &json!({})).await.ok();
        games.push(path);
    }
    let mut bots = pair(&app);
    for round in 0.. {
        assert!(round < MAX_ROUNDS, "the games go on");
        for bot in &mut bots {
            bot.round().await.expect("the server answers");
        }
        if app.stranger().get("/api/v1/games?list=running").await.ok()["games"] == json!([]) {
            break;
        }
    }
    for path in games {
        let game = app.stranger().get(&path).await.ok();
        let reason = game["result"]["reason"].as_str().expect("a result").to_owned();
        assert!(["play", "round_limit"].contains(&reason.as_str()), "{game}");
        let record = app.stranger().get(&format!("{path}/record")).await.expect_status(200).body.clone();
        assert!(pippost::record::verify(&record).expect("a good record").proved);
    }
}

/// Says for one game how strongly to play.
struct OneGame(Uuid, Strength);

impl Strengths for OneGame {
    fn of(&self, game_id: Uuid) -> Pin<Box<dyn Future<Output = Option<Strength>> + Send + '_>> {
        Box::pin(async move { (game_id == self.0).then_some(self.1) })
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_bot_plays_a_game_as_strongly_as_it_was_chosen() {
    let app = TestApp::start().await;
    let (ann, robot) = (app.player("ann").await, owner(&app, "robot").await);
    let wanted =
        json!({"rules": "pippinzip", "options": {"variant": "pipline", "size": 5}, "seating": "joined"});
    let created = ann.post("/api/v1/games", &wanted).await.expect_status(201).json();
    let id = created["id"].as_str().expect("an id");
    let game = format!("/api/v1/games/{id}");
    robot.post(&format!("{game}/join"), &json!({})).await.ok();
    for (player, notation) in [
        (&ann, "a3 b3 d3"),
        (&robot, "take"),
        (&ann, "a1"),
        (&robot, "e3"),
        (&ann, "b2"),
        (&robot, "b4"),
        (&ann, "d4"),
        (&robot, "c5"),
        (&ann, "e5"),
    ] {
        player.post(&format!("{game}/moves"), &json!({"notation": notation})).await.ok();
    }
    // Of 15 free cells one wins at once: a random choice seldom finds it.
    let chosen = OneGame(id.parse().expect("an id"), Strength::Medium);
    let idle = Matchmaking::default();
    let mut bot = bot(&app, "robot", Strategy::Random, idle).with_strengths(Box::new(chosen));
    bot.round().await.expect("the server answers");
    let ended = ann.get(&game).await.ok();
    assert_eq!((&ended["result"]["places"], &ended["seq"]), (&json!([2, 1]), &json!(10)), "{ended}");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_bot_offers_one_game_of_each_rule_set_and_a_newcomer_gets_an_answer() {
    let app = TestApp::start().await;
    let offers: Vec<String> = rules::all().map(|rules| rules.name().to_owned()).collect();
    let matchmaking = Matchmaking {
        offers: offers.clone(),
        max_games: 20,
        max_games_with_one: 1,
        ..Matchmaking::default()
    };
    let mut house = bot(&app, "house", searching(8), matchmaking.clone());
    house.round().await.expect("the server answers");
    let open = app.stranger().get("/api/v1/games?list=open").await.ok();
    let mut offered: Vec<String> = open["games"]
        .as_array()
        .expect("games")
        .iter()
        .map(|game| {
            let player = &game["players"][0];
            assert_eq!((&player["handle"], &player["bot"]), (&json!("house"), &json!(true)));
            game["rules"].as_str().expect("a name").to_owned()
        })
        .collect();
    offered.sort();
    let mut wanted = offers;
    wanted.sort();
    assert_eq!(offered, wanted);

    let ann = app.player("ann").await;
    let id = open["games"][0]["id"].as_str().expect("an id").to_owned();
    let joined = ann.post(&format!("/api/v1/games/{id}/join"), &json!({})).await.ok();
    assert_eq!(joined["players"][0]["bot"], json!(true), "{joined}");
    assert_eq!(joined["players"][1]["bot"], json!(false), "{joined}");
    // A bot that is started again takes up its games, and its account.
    let mut again = bot(&app, "house", searching(8), matchmaking.clone());
    for _ in 0..2 {
        again.round().await.expect("the server answers");
    }
    let game = ann.get(&format!("/api/v1/games/{id}")).await.ok();
    assert_eq!(game["my_turn"], json!(true), "{game}");
    // The offer that was taken is made anew, and no other one twice.
    let open = app.stranger().get("/api/v1/games?list=open").await.ok();
    assert_eq!(open["games"].as_array().expect("games").len(), wanted.len());

    // Ann takes another one: more than this bot plays with one player, so it is aborted before anybody lost time on it.
    let other = open["games"][0]["id"].as_str().expect("an id");
    ann.post(&format!("/api/v1/games/{other}/join"), &json!({})).await.ok();
    bot(&app, "house", searching(8), matchmaking).round().await.expect("the server answers");
    let ended = ann.get(&format!("/api/v1/games/{other}")).await.ok();
    assert_eq!(ended["result"]["reason"], json!("abort"), "{ended}");
    assert_eq!(ann.get(&format!("/api/v1/games/{id}")).await.ok()["status"], json!("running"));
}

#[tokio::test(flavor = "multi_thread")]
async fn a_bot_that_is_told_so_joins_games_of_people_and_not_of_bots_and_accepts_an_invitation() {
    let app = TestApp::start().await;
    let (ann, other) = (app.player("ann").await, owner(&app, "other").await);
    let name = rules::sample_name();
    let create = async |client: &support::Client, private: bool| {
        let created = client.post("/api/v1/games", &json!({"rules": name, "private": private})).await;
        created.expect_status(201).json()
    };
    let (anns, others, private) =
        (create(&ann, false).await, create(&other, false).await, create(&ann, true).await);
    let id = |game: &Value| game["id"].as_str().expect("an id").to_owned();
    let invited_to =
        vec![(id(&private).parse().expect("an id"), private["invitation"].as_str().map(str::to_owned))];
    let matchmaking = Matchmaking {
        joins: true,
        invited_to,
        max_games: 9,
        max_games_with_one: 9,
        ..Matchmaking::default()
    };
    bot(&app, "joining", Strategy::Random, matchmaking).round().await.expect("the server answers");
    let status = async |game: &Value| {
        ann.get(&format!("/api/v1/games/{}", id(game))).await.ok()["status"].as_str().expect("one").to_owned()
    };
    assert_eq!(status(&anns).await, "running");
    assert_eq!(status(&private).await, "running");
    assert_eq!(status(&others).await, "open", "two bots need no server");
}

#[tokio::test(flavor = "multi_thread")]
async fn an_account_of_a_bot_is_marked_for_good_and_gets_no_mails_and_its_opponents_read_what_it_is() {
    let app = TestApp::start().await;
    let post = Post::of(&app);
    let robot = owner(&app, "robot").await;
    app.db_confirm("robot").await;
    let ann = app.player("ann").await;
    for (handle, is_bot) in [("robot", true), ("ann", false)] {
        let shown = app.stranger().get(&format!("/api/v1/players/{handle}")).await.ok();
        assert_eq!(shown["bot"], json!(is_bot), "{shown}");
    }
    assert_eq!(robot.get("/api/v1/me").await.ok()["bot"], json!(true));
    robot.patch("/api/v1/me", &json!({"bot": false})).await.problem(422, "invalid_value");
    let switched = robot.patch("/api/v1/me", &json!({"mail_enabled": true})).await.ok();
    assert_eq!(switched["mail_enabled"], json!(false), "mails stay off: {switched}");

    let wanted = json!({"rules": rules::sample_name(), "seating": "joined"});
    let created = ann.post("/api/v1/games", &wanted).await.expect_status(201).json();
    let id = created["id"].as_str().expect("an id");
    robot.post(&format!("/api/v1/games/{id}/join"), &json!({})).await.ok();
    let mail = post.last("ann").await;
    assert!(mail.subject.contains("against robot (bot)"), "{}", mail.subject);
    let page = app.stranger().unchecked().get(&format!("/games/{id}")).await.expect_status(200).text();
    assert!(page.contains("robot (bot)"), "{page}");
    ann.post(&format!("/api/v1/games/{id}/resign"), &json!({})).await.ok();
    assert!(post.last("ann").await.subject.contains("robot (bot)"));
    assert_eq!(post.all("robot").await.len(), 0, "a bot reads the API");
}
