//! The API over a Unix socket, as a proxy on the same machine would use it.

use std::path::PathBuf;

use reqwest::Method;
use serde_json::json;
use tempfile::TempDir;

use support::process::Server;
use support::{Client, PASSWORD};

/// A folder and the path of a socket in it.
fn place() -> (TempDir, PathBuf, String) {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("http.sock");
    let endpoint = format!("unix:{}", path.display());
    (folder, path, endpoint)
}

#[tokio::test(flavor = "multi_thread")]
async fn a_game_begins_by_a_unix_socket_and_goes_on_by_tcp() {
    let (_folder, path, endpoint) = place();
    let mut server = Server::start_with(&["--listen", &endpoint]);
    let stranger = Client::by_socket(&path);
    stranger.get("/readyz").await.expect_status(200);
    let body = json!({"handle": "ann", "email": "ann@example.org", "password": PASSWORD});
    let token = stranger.post("/api/v1/accounts", &body).await.expect_status(201).json();
    let mut ann = stranger.clone();
    ann.token = token["access_token"].as_str().map(str::to_owned);
    let created = ann.post("/api/v1/games", &json!({"rules": "pip-pip"})).await.expect_status(201).json();
    let game = format!("/api/v1/games/{}", created["id"].as_str().expect("an id"));
    let bob = server.register("bob").await;
    let joined = bob.post(&format!("{game}/join"), &json!({})).await.ok();
    let seen = ann.get(&game).await.ok();
    assert_eq!((&seen["seq"], &seen["head"]), (&joined["seq"], &joined["head"]));
    assert_ne!(seen["my_seat"], joined["my_seat"]);
    // Over TCP ann gets the same view, links included, because they are made from the public URL only.
    assert_eq!(ann.at(&server.url()).get(&game).await.ok(), seen);
    server.stop();
    assert!(!path.exists(), "the socket goes with the server");
}

#[test]
fn a_socket_that_a_killed_server_left_is_taken_over_and_one_in_use_is_not() {
    let (_folder, path, endpoint) = place();
    let arguments = ["--listen", &endpoint];
    let server = Server::start_with(&arguments);
    let refused = server
        .command(&["serve", "--data-dir", "other", "--public-url", "http://localhost", "--listen", &endpoint])
        .output()
        .expect("an exit");
    let said = String::from_utf8_lossy(&refused.stderr).into_owned();
    assert!(!refused.status.success() && said.contains(&format!("cannot listen on {endpoint}")), "{said}");
    // Killed, not stopped.
    drop(server);
    assert!(path.exists());
    let mut server = Server::start_with(&arguments);
    server.stop();
    assert!(!path.exists());
}

#[test]
fn with_nothing_but_a_unix_socket_the_public_address_must_be_said() {
    let (folder, path, endpoint) = place();
    let mut command = std::process::Command::new(env!("CARGO_BIN_EXE_pippost"));
    let refused = command.current_dir(folder.path()).args(["serve", "--listen", &endpoint]).output();
    let refused = refused.expect("an exit");
    let said = String::from_utf8_lossy(&refused.stderr);
    assert!(!refused.status.success() && said.contains("PIPPOST_PUBLIC_URL"), "{said}");
    assert!(!path.exists());
}

#[tokio::test(flavor = "multi_thread")]
async fn a_proxy_behind_a_unix_socket_is_believed_about_its_clients_if_it_is_trusted() {
    for (trusted, another) in [(&["--trusted-proxies", "unix:"][..], 201), (&[], 429)] {
        let (_folder, path, endpoint) = place();
        let mut server = Server::start_with(&[&["--listen", &endpoint], trusted].concat());
        let stranger = Client::by_socket(&path);
        let register = async |number: usize, client: &str| {
            let handle = format!("player{number}");
            let body =
                json!({"handle": handle, "email": format!("{handle}@example.org"), "password": PASSWORD});
            let headers = [("X-Forwarded-For", client)];
            stranger.send(Method::POST, "/api/v1/accounts", Some(body.to_string()), &headers).await
        };
        for number in 0..20 {
            register(number, "203.0.113.7").await.expect_status(201);
        }
        register(20, "203.0.113.7").await.problem(429, "too_many_requests");
        register(21, "203.0.113.8").await.expect_status(another);
        server.stop();
    }
}
