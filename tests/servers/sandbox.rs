//! `pippost serve --sandbox` as a process: the session of docs/API.md as it stands there, a restart, and the folders of others.

use std::process::{Command, Output};

use serde_json::json;

use support::process::Server;
use support::{Client, PASSWORD};

const PAGE: &str = include_str!("../../docs/API.md");

/// The script of the page, and what the page says that it prints.
fn session() -> (&'static str, Vec<&'static str>) {
    let (_, section) = PAGE.split_once("\n## Sandbox\n").expect("a section");
    let (_, rest) = section.split_once("```bash\n").expect("a script");
    let (script, rest) = rest.split_once("```").expect("its end");
    let (_, printed) = rest.split_once("It prints ").expect("what it prints");
    let printed = printed.split_once("\n\n").map_or(printed, |(printed, _)| printed);
    (script, printed.split('`').skip(1).step_by(2).collect())
}

fn said(output: &Output) -> String {
    String::from_utf8_lossy(&output.stderr).into_owned()
}

#[tokio::test(flavor = "multi_thread")]
async fn the_session_of_the_page_works_a_restart_keeps_the_clock_and_other_servers_refuse_the_folder() {
    let mut server =
        tokio::task::spawn_blocking(|| Server::start_with(&["--sandbox"])).await.expect("a server");
    let (script, expected) = session();
    let url = server.url();
    let run = move || Command::new("bash").args(["-c", script]).env("URL", url).output().expect("bash");
    let done = tokio::task::spawn_blocking(run).await.expect("it ends");
    assert_eq!(said(&done), "", "nothing complains");
    let printed = String::from_utf8(done.stdout).expect("text");
    assert_eq!(printed.lines().collect::<Vec<_>>(), expected);

    let stranger = Client::new(&server.url(), None);
    let ahead = |clock: serde_json::Value| clock["ahead_seconds"].as_i64().expect("a number");
    let before = ahead(stranger.get("/api/v1/sandbox/clock").await.ok());
    assert_eq!(before, 676_800);
    server = tokio::task::spawn_blocking(move || server.stop_and_start_with(&["--sandbox"]))
        .await
        .expect("a server");
    assert_eq!(ahead(stranger.get("/api/v1/sandbox/clock").await.ok()), before);
    let login = json!({"login": "ann", "password": "a long password of ann"});
    stranger.post("/api/v1/sessions", &login).await.expect_status(201);

    let refusals = move || {
        server.stop();
        let other = |arguments: &[&str]| server.command(arguments).output().expect("an exit");
        for arguments in [&["serve", "--listen", "127.0.0.1:0"][..], &["work"], &["audit"]] {
            let refused = other(arguments);
            assert!(!refused.status.success(), "{arguments:?}");
            assert!(
                said(&refused).contains("this database is a sandbox's"),
                "{arguments:?}: {}",
                said(&refused)
            );
        }
        for setting in [
            ["--smtp-url", "smtp://mail.example.org"],
            ["--beacon-url", "https://api.drand.sh"],
            ["--lmtp-listen", "127.0.0.1:2424"],
        ] {
            let refused = other(&["serve", "--sandbox", setting[0], setting[1]]);
            assert!(
                !refused.status.success() && said(&refused).contains("--sandbox does not go with"),
                "{setting:?}"
            );
        }
    };
    tokio::task::spawn_blocking(refusals).await.expect("refusals");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_sandbox_refuses_the_folder_of_another_server_and_its_players_are_still_there() {
    let server = tokio::task::spawn_blocking(Server::start).await.expect("a server");
    server.register("ann").await;
    let refused = move || {
        let mut server = server;
        server.stop();
        let refused =
            server.command(&["serve", "--sandbox", "--listen", "127.0.0.1:0"]).output().expect("an exit");
        assert!(!refused.status.success());
        assert!(said(&refused).contains("this database is no sandbox's"), "{}", said(&refused));
        server.stop_and_start_with(&[])
    };
    let server = tokio::task::spawn_blocking(refused).await.expect("a server");
    let stranger = Client::new(&server.url(), None);
    let login = json!({"login": "ann", "password": PASSWORD});
    stranger.post("/api/v1/sessions", &login).await.expect_status(201);
    stranger.get("/api/v1/sandbox/clock").await.problem(404, "not_a_sandbox");
}

/// More accounts of one address than another server allows in an hour, and more games of one player.
const ACCOUNTS: usize = 25;
const GAMES: usize = 35;

#[tokio::test(flavor = "multi_thread")]
async fn one_script_may_make_many_accounts_and_games_which_are_archived_by_the_sandboxs_clock() {
    let mut server =
        tokio::task::spawn_blocking(|| Server::start_with(&["--sandbox"])).await.expect("a server");
    let mut ann = server.register("ann").await;
    for number in 1..ACCOUNTS {
        ann = server.register(&format!("ann-{number}")).await;
    }
    let body = json!({"rules": "pip-pip", "seats": 2});
    let mut game = String::new();
    for _ in 0..GAMES {
        let made = ann.post("/api/v1/games", &body).await.expect_status(201).json();
        game = format!("/api/v1/games/{}", made["id"].as_str().expect("an id"));
    }
    let bob = server.register("bob").await;
    bob.post(&format!("{game}/join"), &json!({})).await.expect_status(200);
    ann.post(&format!("{game}/resign"), &json!({})).await.expect_status(200);
    ann.post("/api/v1/sandbox/clock", &json!({"advance_seconds": 2 * 86_400})).await.expect_status(200);
    let archived = move || {
        let archive = tempfile::tempdir().expect("a folder");
        let place = format!("file:{}", archive.path().display());
        server.stop();
        let arguments = ["archive", "--sandbox", "--archive", &place, "--archive-after-days", "1"];
        let done = server.command(&arguments).output().expect("an exit");
        assert!(done.status.success(), "{}", said(&done));
        assert_eq!(String::from_utf8_lossy(&done.stdout), "games moved: 1\n");
    };
    tokio::task::spawn_blocking(archived).await.expect("it ends");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_sandbox_that_strangers_reach_can_keep_its_limits() {
    let start = || Server::start_with(&["--sandbox", "--sandbox-limits"]);
    let server = tokio::task::spawn_blocking(start).await.expect("a server");
    let guest = Client::new(&server.url(), None);
    let mut refused = None;
    for number in 0..ACCOUNTS {
        let body = json!({"handle": format!("ann-{number}"), "email": format!("ann-{number}@example.org"), "password": PASSWORD});
        refused = Some(guest.post("/api/v1/accounts", &body).await);
    }
    refused.expect("an answer").problem(429, "too_many_requests");
}
