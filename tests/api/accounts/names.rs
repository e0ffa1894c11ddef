//! Names keep the capitals that their owners have typed, and are the same names with others.

use reqwest::Method;
use serde_json::json;

use super::{ACCOUNTS, ME, registration};
use support::{Client, PASSWORD, TestApp};

/// Two players with capitals, and a started game of theirs: its path.
async fn started(app: &TestApp) -> (String, [Client; 2]) {
    let (anna, bob) = (app.player("Anna-Lena").await, app.player("BOB").await);
    let wanted = json!({"rules": "pip-pip", "seating": "joined"});
    let created = anna.post("/api/v1/games", &wanted).await.expect_status(201).json();
    assert_eq!(created["players"][0]["handle"], "Anna-Lena");
    let game = format!("/api/v1/games/{}", created["id"].as_str().expect("an id"));
    bob.post(&format!("{game}/join"), &json!({})).await.ok();
    (game, [anna, bob])
}

#[tokio::test(flavor = "multi_thread")]
async fn a_name_is_shown_as_it_was_typed_and_found_in_any_case() {
    let app = TestApp::start().await;
    let (game, [anna, bob]) = started(&app).await;
    assert_eq!(anna.get(ME).await.ok()["handle"], "Anna-Lena");
    for named in ["anna-lena", "ANNA-LENA", "Anna-Lena"] {
        let public = app.stranger().get(&format!("/api/v1/players/{named}")).await.ok();
        assert_eq!(public["handle"], "Anna-Lena", "{named}");
        let games = app.stranger().get(&format!("/api/v1/players/{named}/games")).await.ok();
        assert_eq!(games["games"][0]["players"][1]["handle"], "BOB", "{named}");
        let with = format!("/api/v1/games?list=mine&opponent={named}");
        assert_eq!(bob.get(&with).await.ok()["games"].as_array().map(Vec::len), Some(1), "{named}");
        app.log_in(named).await;
    }
    let view = bob.get(&game).await.ok();
    assert_eq!(
        (&view["players"][0]["handle"], &view["players"][1]["handle"]),
        (&json!("Anna-Lena"), &json!("BOB"))
    );
    let listed = bob.get("/api/v1/games?list=mine").await.ok();
    assert_eq!(listed["games"][0]["to_act_player"], "Anna-Lena");
    // The record has the names as they were typed, and is as valid as one in lower case.
    let record = app.stranger().get(&format!("{game}/record")).await.expect_status(200).text();
    assert!(
        record.contains(r#""players":[{"entropy":"","name":"Anna-Lena"},{"entropy":"","name":"BOB"}]"#),
        "{record}"
    );
    let kind = [("content-type", "application/x-ndjson")];
    let verdict = app.stranger().send_bytes(Method::POST, "/api/v1/verify", Some(record.into()), &kind).await;
    assert_eq!(verdict.ok()["verdict"], "accepted");
    let open = bob.post("/api/v1/games", &json!({"rules": "pip-pip"})).await.expect_status(201).json();
    let invitations = format!("/api/v1/games/{}/invitations", open["id"].as_str().expect("an id"));
    bob.post(&invitations, &json!({"handle": "aNNA-lENA"})).await.expect_status(202);
    assert_eq!(anna.get("/api/v1/me/invitations").await.ok()["invitations"][0]["from"], "BOB");
}

#[tokio::test(flavor = "multi_thread")]
async fn capitals_make_no_second_name_and_no_guest_s() {
    let app = TestApp::start().await;
    app.player("Anna-Lena").await;
    for other in ["anna-lena", "ANNA-LENA", "Anna-lena", "GUEST-2345678"] {
        let mut body = registration(other);
        body["email"] = json!("somebody@example.net");
        app.stranger().post(ACCOUNTS, &body).await.problem(409, "handle_taken");
    }
    // Tries to log in count for the one name.
    let wrong = |name: &str| json!({"login": name, "password": format!("{PASSWORD}!")});
    for name in ["anna-lena", "ANNA-LENA"] {
        app.stranger().post("/api/v1/sessions", &wrong(name)).await.problem(403, "wrong_credentials");
    }
}
