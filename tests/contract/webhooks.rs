//! The receiver of docs/API.md, run with the published library of Standard Webhooks, gets the events of a whole game.

use std::io::{BufRead, BufReader};
use std::net::TcpStream;
use std::process::{Child, Command, Stdio};
use std::time::Duration;

use serde_json::{Value, json};

use super::tools::python_program;
use support::Client;
use support::port::free_port;
use support::process::Server;

/// How long an event may take to its receiver.
const EVENTS_TIMEOUT: Duration = Duration::from_mins(1);

/// The receiver of the page.
fn receiver() -> &'static str {
    let page = include_str!("../../docs/API.md");
    let block = page.split("```py\n").nth(1).expect("a receiver");
    block.split("```").next().expect("a beginning")
}

/// A running receiver, ended with the test.
struct Running(Child);

impl Drop for Running {
    fn drop(&mut self) {
        drop(self.0.kill());
        drop(self.0.wait());
    }
}

/// A player of a sandbox with a confirmed address.
async fn confirmed(server: &Server, handle: &str) -> Client {
    let player = server.register(handle).await;
    let mails = player.get("/api/v1/sandbox/mails").await.ok();
    let token =
        mails["mails"][0]["links"].as_array().expect("links").iter().find_map(|link| link["token"].as_str());
    let body = json!({"token": token.expect("a link")});
    let answer = Client::new(&server.url(), None).post("/api/v1/email/confirm", &body).await;
    assert!(answer.status.is_success(), "{}", answer.text());
    player
}

async fn play(game: &str, players: &[Client; 2]) -> u64 {
    loop {
        let view = players[0].get(game).await.ok();
        let Some(seat) = view["to_act"].as_u64() else { return view["seq"].as_u64().expect("a number") };
        let player = &players[usize::try_from(seat).expect("a seat")];
        let legal = player.get(&format!("{game}/actions")).await.ok();
        player.post(&format!("{game}/moves"), &json!({"actions": [legal["actions"][0]]})).await.ok();
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn the_receiver_of_the_page_gets_every_event_once_and_in_order() {
    let server = Server::start_with(&["--sandbox", "--webhooks-anywhere"]);
    let (ann, bob) = (confirmed(&server, "ann").await, confirmed(&server, "bob").await);
    let port = free_port();
    let wanted = json!({"url": format!("http://127.0.0.1:{port}/"), "kinds": ["event", "turn", "game_over"]});
    let made = ann.post("/api/v1/me/webhooks", &wanted).await.expect_status(201).json();
    let text = |value: &Value| value.as_str().expect("text").to_owned();
    let path = format!("/api/v1/me/webhooks/{}", text(&made["id"]));
    let mut program: Command = python_program("python");
    program.args(["-u", "-c", receiver()]).env("SECRET", text(&made["secret"])).env("PORT", port.to_string());
    let child = program.stdout(Stdio::piped()).spawn().expect("Python");
    let mut running = Running(child);
    let printed = BufReader::new(running.0.stdout.take().expect("a pipe"));
    while TcpStream::connect(("127.0.0.1", port)).is_err() {
        assert!(running.0.try_wait().expect("our child").is_none(), "the receiver has ended");
        tokio::task::yield_now().await;
    }
    let challenged = ann.post(&format!("{path}/challenge"), &json!({})).await.ok();
    assert_eq!(challenged["webhook"]["state"], "active", "{challenged}");
    // From now on two secrets sign, of which the receiver knows the older one.
    ann.post(&format!("{path}/secret"), &json!({})).await.expect_status(201);

    let wanted = json!({"rules": "pip-pip", "seating": "joined"});
    let made = ann.post("/api/v1/games", &wanted).await.expect_status(201).json();
    let id = text(&made["id"]);
    let game = format!("/api/v1/games/{id}");
    bob.post(&format!("{game}/join"), &json!({})).await.ok();
    let newest = play(&game, &[ann.clone(), bob]).await;
    let reading = tokio::task::spawn_blocking(move || -> Vec<(String, String)> {
        let lines = printed.lines().map(|line| line.expect("UTF-8"));
        let told = lines.map(|line| {
            let mut words = line.split(' ').map(str::to_owned);
            (words.next().expect("a type"), words.next().expect("an id"))
        });
        told.take(usize::try_from(newest).expect("small") + 1).collect()
    });
    let told =
        tokio::time::timeout(EVENTS_TIMEOUT, reading).await.expect("every event in time").expect("no panic");
    let ids: Vec<&String> = told.iter().map(|(_, id)| id).collect();
    let expected: Vec<String> = (0..=newest).map(|seq| format!("{id}:{seq}")).collect();
    assert_eq!(ids, expected.iter().collect::<Vec<_>>());
    let kinds =
        ["event", "turn", "game_over"].map(|kind| told.iter().filter(|(told, _)| told == kind).count());
    assert!(kinds[0] > 2 && kinds[1] > 2 && kinds[2] == 1, "{kinds:?}");
    // The sandbox shows the same, what was sent to a receiver too.
    let kept = ann.get("/api/v1/sandbox/deliveries?limit=10").await.ok();
    let kept = kept["deliveries"].as_array().expect("a list").iter().rev();
    let kept: Vec<String> = kept.map(|delivery| text(&delivery["headers"]["webhook-id"])).collect();
    assert_eq!(kept, expected[expected.len() - 10..]);
}
