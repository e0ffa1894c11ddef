//! `pippost serve --sandbox` as a process: the session of docs/API.md as it stands there, a restart, and the folders of others.

use std::process::{Command, Output};

use futures_util::StreamExt;
use serde_json::{Value, json};

use support::client::Answer;
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

/// More accounts of one address than another server allows in an hour.
const ACCOUNTS: usize = 200;

/// More games of one player than may wait for others elsewhere, or be played at once.
const GAMES: usize = 205;

/// How many requests a script sends at once.
const AT_ONCE: usize = 8;

/// The answers of the status to so many requests, of which some are sent at once.
async fn many<F: Future<Output = Answer>>(count: usize, status: u16, ask: impl Fn(usize) -> F) -> Vec<Value> {
    let answers = futures_util::stream::iter((0..count).map(ask)).buffered(AT_ONCE);
    answers.map(|answer| answer.expect_status(status).json()).collect().await
}

fn account(number: usize) -> Value {
    json!({"handle": format!("ann-{number}"), "email": format!("ann-{number}@example.org"), "password": PASSWORD})
}

#[tokio::test(flavor = "multi_thread")]
async fn one_script_may_make_many_accounts_and_games_which_are_archived_by_the_sandboxs_clock() {
    let mut server =
        tokio::task::spawn_blocking(|| Server::start_with(&["--sandbox"])).await.expect("a server");
    let guest = Client::new(&server.url(), None);
    let guest = &guest;
    let sessions =
        many(ACCOUNTS, 201, |number| async move { guest.post("/api/v1/accounts", &account(number)).await });
    let players: Vec<Client> = sessions
        .await
        .iter()
        .map(|session| Client::new(&server.url(), session["access_token"].as_str().map(str::to_owned)))
        .collect();
    let (ann, bob) = (&players[0], &players[1]);
    let body = &json!({"rules": "pip-pip", "seats": 2});
    many(ACCOUNTS, 201, |number| players[number].post("/api/v1/games", body)).await;
    let made = many(GAMES, 201, |_| ann.post("/api/v1/games", body)).await;
    let games: Vec<String> =
        made.iter().map(|game| format!("/api/v1/games/{}", game["id"].as_str().expect("an id"))).collect();
    let paths = &games;
    many(GAMES, 200, |number| async move { bob.post(&format!("{}/join", paths[number]), &json!({})).await })
        .await;
    ann.post(&format!("{}/resign", games[0]), &json!({})).await.expect_status(200);
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
        refused = Some(guest.post("/api/v1/accounts", &account(number)).await);
    }
    refused.expect("an answer").problem(429, "too_many_requests");
}
