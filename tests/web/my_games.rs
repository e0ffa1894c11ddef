//! The games of who is logged in: what waits, what became of them, and who invites.

use serde_json::json;

use support::TestApp;
use support::browsing::Browsing;
use support::games::{pip_pip, pip_pip_again, timed_game};

#[tokio::test(flavor = "multi_thread")]
async fn cards_tell_who_is_to_move_and_how_games_ended() {
    let app = TestApp::start().await;
    let (game, [ann, bob]) = pip_pip(&app).await;
    let over = pip_pip_again(&ann, &bob).await;
    bob.post(&format!("{over}/resign"), &json!({})).await.ok();
    let (anns, bobs) = (Browsing::log_in(&app, "ann").await, Browsing::log_in(&app, "bob").await);
    let home = anns.get("/").await.expect(303);
    assert_eq!(home.location(), "/my-games");
    let html = anns.get("/my-games").await.expect(200).html;
    for told in [
        "It is your turn",
        "ann won by resignation",
        "#1</span>",
        "#2</span>",
        "last move Saturday 21 November 2026",
    ] {
        assert!(html.contains(told), "{told}: {html}");
    }
    let picture = format!("src=\"{}/board.svg", game.trim_start_matches("/api/v1"));
    assert!(html.replace("&#x2f;", "/").contains(&picture), "{picture}: {html}");
    let html = bobs.get("/my-games").await.expect(200).html;
    for told in ["It is the turn of ann", "ann won by resignation"] {
        assert!(html.contains(told), "{told}: {html}");
    }
    let german = Browsing::log_in(&app, "bob").await.reading("de");
    assert!(german.get("/my-games").await.expect(200).html.contains("ann hat durch Aufgabe gewonnen"));
    let profile = Browsing::of(&app).get("/players/ann").await.expect(200).html;
    assert!(profile.contains("Pip•Pip: 1 won, 0 drawn, 0 lost"), "{profile}");
    assert!(
        profile.contains("ann won by resignation"),
        "what others see is no result of their own: {profile}"
    );
}

#[tokio::test(flavor = "multi_thread")]
async fn the_next_game_is_one_click_away() {
    let app = TestApp::start().await;
    let (ann, bob) = (app.player("ann").await, app.player("bob").await);
    let anns = Browsing::log_in(&app, "ann").await;
    assert_eq!(anns.get("/next").await.expect(303).location(), "/my-games");
    timed_game([&ann, &bob], &json!({"limit_hours": 96})).await;
    let fast = timed_game([&ann, &bob], &json!({"limit_hours": 24})).await;
    assert_eq!(anns.get("/next").await.expect(303).location(), fast.trim_start_matches("/api/v1"));
    assert!(anns.get("/my-games").await.expect(200).html.replace("&#x2f;", "/").contains("href=\"/next\""));
}

#[tokio::test(flavor = "multi_thread")]
async fn invitations_can_be_accepted_and_declined() {
    let app = TestApp::start().await;
    let (ann, _) = (app.player("ann").await, app.player("bob").await);
    let mut games = Vec::new();
    for _ in 0..2 {
        let created = ann.post("/api/v1/games", &json!({"rules": "pip-pip", "private": true})).await.json();
        let game = format!("/games/{}", created["id"].as_str().expect("an id"));
        let invited = ann.post(&format!("/api/v1{game}/invitations"), &json!({"handle": "bob"})).await;
        invited.expect_status(202);
        games.push((game, created["invitation"].as_str().expect("a token").to_owned()));
    }
    let bobs = Browsing::log_in(&app, "bob").await;
    let html = bobs.get("/my-games").await.expect(200).html;
    assert!(html.contains("You are invited") && html.matches(">Accept<").count() == 2, "{html}");
    let (game, token) = &games[0];
    assert!(html.contains(token.as_str()));
    let joined = bobs.post(&format!("{game}/join"), &[("token", token.as_str())]).await.expect(303);
    assert_eq!(joined.location(), *game);
    let (game, _) = &games[1];
    let declined = bobs.post(&format!("{game}/decline"), &[]).await.expect(303);
    assert_eq!(declined.location(), "/my-games");
    let html = bobs.get("/my-games").await.expect(200).html;
    assert!(!html.contains("You are invited"), "{html}");
}
