//! A server by invitation as a process: its own bot plays, the operator invites, and wrong settings are refused at the start.

use serde_json::json;

use support::process::{Server, command_in};
use support::waiting::until;
use support::{Client, PASSWORD};

/// What `pippost admin invite` prints.
fn invite(server: &Server, further: &[&str]) -> (String, bool) {
    let output = server.command(&[&["admin", "invite"], further].concat()).output().expect("the program");
    (String::from_utf8(output.stdout).expect("text"), output.status.success())
}

#[tokio::test(flavor = "multi_thread")]
async fn the_operator_invites_by_a_link_and_the_house_bot_needs_none() {
    let arguments = ["--registration", "invited", "--house-bot", "house-bot"];
    let server = tokio::task::spawn_blocking(move || Server::start_with(&arguments)).await.expect("a server");
    let stranger = Client::new(&server.url(), None);
    let mut body = json!({"handle": "ann", "email": "ann@example.org", "password": PASSWORD});
    stranger.post("/api/v1/accounts", &body).await.problem(403, "invitation_needed");
    assert!(!invite(&server, &[]).1, "a link needs the address of the server");
    let (link, done) = invite(&server, &["--public-url", "https://play.example.org/"]);
    assert!(done);
    let token = link.trim().strip_prefix("https://play.example.org/sign-up?invitation=").expect("a link");
    body["invitation"] = json!(token);
    stranger.post("/api/v1/accounts", &body).await.expect_status(201);
    body["handle"] = json!("bob");
    stranger.post("/api/v1/accounts", &body).await.problem(403, "invitation_needed");
    until("the bot offers games", async || {
        let open = stranger.get("/api/v1/games").await.ok();
        let games = open["games"].as_array().expect("games");
        games.iter().any(|game| game["players"][0]["handle"] == "house-bot")
    })
    .await;
}

#[test]
fn what_cannot_be_used_for_the_pages_ends_the_start_with_the_reason() {
    let folder = tempfile::tempdir().expect("a folder");
    for (arguments, reason) in [
        (["--colours", "#cccccc,#ffffff"], "#cccccc has a contrast of 1."),
        (["--texts", "no-such-folder"], "no-such-folder"),
        (["--site-name", "a name that is much too long"], "1 to 24 characters"),
        (["--registration", "some"], "open, invited, closed"),
    ] {
        let output = command_in(&folder, &[&["serve"], arguments.as_slice()].concat()).output();
        let output = output.expect("the program");
        let said = String::from_utf8_lossy(&output.stderr);
        assert!(!output.status.success() && said.contains(reason), "{said}");
    }
}
