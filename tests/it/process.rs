//! The program as a process: killed, stopped, started twice.

use pippost::record::verify;
use serde_json::json;

use crate::support::process::Server;
use crate::support::{Client, PASSWORD};

async fn register(server: &Server, handle: &str) -> Client {
    let guest = Client::new(&server.url(), None);
    let body = json!({"handle": handle, "email": format!("{handle}@example.org"), "password": PASSWORD});
    let answer = guest.post("/api/v1/accounts", &body).await;
    let token = answer.expect_status(201).json()["access_token"].as_str().expect("a token").to_owned();
    Client::new(&server.url(), Some(token))
}

/// Makes up to `moves` moves; returns the `seq` that was last answered.
async fn play(game: &str, players: &[Client; 2], moves: u64) -> u64 {
    for _ in 0..moves {
        let view = players[0].get(game).await.ok();
        let Some(seat) = view["to_act"].as_u64() else { break };
        let player = &players[usize::try_from(seat).expect("a seat")];
        let legal = player.get(&format!("{game}/actions")).await.ok();
        let action = legal["actions"].as_array().expect("a list").last().expect("asked means able").clone();
        player.post(&format!("{game}/moves"), &json!({"actions": [action]})).await.expect_status(200);
    }
    players[0].get(game).await.ok()["seq"].as_u64().expect("a number")
}

#[tokio::test(flavor = "multi_thread")]
async fn a_server_that_is_killed_loses_nothing_that_was_answered() {
    let mut server = tokio::task::spawn_blocking(Server::start).await.expect("a server");
    let players = [register(&server, "ann").await, register(&server, "bob").await];
    let created = players[0].post("/api/v1/games", &json!({"rules": "pip-pip"})).await.json();
    let game = format!("/api/v1/games/{}", created["id"].as_str().expect("an id"));
    let view = players[1].post(&format!("{game}/join"), &json!({})).await.ok();
    // Seats are drawn: put the clients in their order.
    let players = match view["my_seat"].as_u64() {
        Some(0) => [players[1].clone(), players[0].clone()],
        _ => players,
    };
    for round in 0..3 {
        let answered = play(&game, &players, 4).await;
        server = tokio::task::spawn_blocking(move || server.kill_and_start_again()).await.expect("a server");
        let players = players.clone().map(|player| player.at(&server.url()));
        let view = players[0].get(&game).await.ok();
        assert_eq!(view["seq"].as_u64(), Some(answered), "after kill {round}");
        assert_eq!(play(&game, &players, 1).await, answered + 1);
    }
    let players = players.map(|player| player.at(&server.url()));
    play(&game, &players, 40).await;
    let record = players[0].get(&format!("{game}/record")).await;
    assert!(verify(&record.body).expect("a good record").proved);
    tokio::task::spawn_blocking(move || server.stop()).await.expect("a clean stop");
}

#[test]
fn a_second_server_on_the_same_folder_is_refused_and_a_worker_may_share_it() {
    let mut server = Server::start();
    let refused = server.command(&["serve", "--listen", "127.0.0.1:0"]).output().expect("an exit");
    assert!(!refused.status.success());
    let said = String::from_utf8_lossy(&refused.stderr);
    assert!(said.contains("another server already runs"), "{said}");
    let migrated = server.command(&["migrate"]).output().expect("an exit");
    assert_eq!(String::from_utf8_lossy(&migrated.stdout), "migrations run: 0\n");
    let mut worker = server.command(&["work"]).spawn().expect("a worker");
    nix::sys::signal::kill(
        nix::unistd::Pid::from_raw(i32::try_from(worker.id()).expect("a pid")),
        nix::sys::signal::Signal::SIGTERM,
    )
    .expect("a signal");
    // Stopped before it works or while it does: it ends by itself either way.
    worker.wait().expect("an exit");
    server.stop();
}

#[test]
fn every_setting_is_listed_by_help_with_its_variable() {
    let help = std::process::Command::new(env!("CARGO_BIN_EXE_pippost")).args(["serve", "--help"]).output();
    let help = String::from_utf8(help.expect("an exit").stdout).expect("text");
    for variable in [
        "PIPPOST_LISTEN",
        "PIPPOST_PUBLIC_URL",
        "PIPPOST_DATA_DIR",
        "DATABASE_URL",
        "DATABASE_CA",
        "PG_BINDIR",
        "PIPPOST_KEYS_DIR",
        "PIPPOST_SECRET_KEY",
        "PIPPOST_SIGNING_KEYS",
        "PIPPOST_SMTP_URL",
        "PIPPOST_MAIL_FROM",
        "PIPPOST_LOG",
        "PIPPOST_LOG_FORMAT",
        "PIPPOST_THREADS",
        "PIPPOST_DATABASE_CONNECTIONS",
    ] {
        assert!(help.contains(variable), "{variable}\n{help}");
    }
}

#[test]
fn verify_says_ok_or_names_the_first_failing_event() {
    let folder = tempfile::tempdir().expect("a folder");
    let good = include_str!("../vectors/pip-pip-1.ndjson");
    let (kept, forged) = (folder.path().join("kept.ndjson"), folder.path().join("forged.ndjson"));
    std::fs::write(&kept, good).expect("a file");
    std::fs::write(&forged, good.replacen("\"die\":4", "\"die\":5", 1)).expect("a file");
    let run = |files: &[&std::path::Path]| {
        let run =
            std::process::Command::new(env!("CARGO_BIN_EXE_pippost")).arg("verify").args(files).output();
        let run = run.expect("an exit");
        (run.status.code(), String::from_utf8(run.stdout).expect("text"))
    };
    let (code, said) = run(&[&kept]);
    assert_eq!(code, Some(0));
    assert!(said.contains("OK, pip-pip by"), "{said}");
    let (code, said) = run(&[&kept, &forged, &folder.path().join("missing")]);
    assert_eq!(code, Some(1));
    assert!(said.contains("FAILED, event ") && said.contains("missing: FAILED, cannot be read"), "{said}");
}
