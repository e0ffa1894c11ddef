//! The end of a game: what decided it, how the players stand, and the card that a shared link shows elsewhere.

use serde_json::json;

use support::TestApp;
use support::browsing::Browsing;
use support::game_page::start_of;
use support::games::{pip_pip, pip_pip_again, play_to_the_end};

fn page(game: &str) -> String {
    game.trim_start_matches("/api/v1").to_owned()
}

#[tokio::test(flavor = "multi_thread")]
async fn the_page_of_a_game_that_is_over_says_what_decided_and_how_the_two_stand() {
    let app = TestApp::start().await;
    let (game, [ann, bob]) = pip_pip(&app).await;
    let players = [ann, bob];
    let end = play_to_the_end(&game, &players).await;
    let scores = end["result"]["scores"].as_array().expect("points").clone();
    let other = pip_pip_again(&players[0], &players[1]).await;
    players[1].post(&format!("{other}/resign"), &json!({})).await.ok();
    let anns = Browsing::log_in(&app, "ann").await;
    let html = anns.get(&page(&game)).await.expect(200).html;
    let ended =
        html.split("id=\"ended\"").nth(1).expect("the end").split("</div>").next().expect("all of it");
    assert!(ended.contains("How it ended") && ended.contains("board.png?seq="), "{ended}");
    for (name, points) in ["ann", "bob"].iter().zip(&scores) {
        assert!(ended.contains(&format!("{name} <strong>{points}</strong>")), "{ended}");
        assert!(ended.contains(&format!("{name} has ")), "what decided: {ended}");
    }
    // The seats of the one game are those of the other, and one of them was resigned.
    let won = usize::from(scores[0].as_i64() > scores[1].as_i64()) + 1;
    let drawn = usize::from(scores[0] == scores[1]);
    let so_far = format!("Your games with bob so far: {won} won, {drawn} drawn, {} lost.", 2 - won - drawn);
    assert!(ended.contains(&so_far), "{so_far}: {ended}");
    // Nobody else is told how the two stand, and of a resignation there is nothing to explain.
    let seen = Browsing::of(&app).get(&page(&game)).await.expect(200).html;
    assert!(seen.contains("How it ended") && !seen.contains("so far:"), "{seen}");
    let resigned = anns.get(&page(&other)).await.expect(200).html;
    assert!(
        resigned.contains("id=\"ended\"") && !resigned.contains("light dice on light squares"),
        "{resigned}"
    );
    let german = Browsing::log_in(&app, "bob").await.reading("de").get(&page(&game)).await.expect(200).html;
    assert!(german.contains("Wie es ausging") && german.contains("Deine Spiele mit ann bisher"), "{german}");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_shared_link_to_a_public_game_has_a_card_with_its_board_and_one_to_a_private_game_has_none() {
    let app = TestApp::start().await;
    let (game, [ann, bob]) = pip_pip(&app).await;
    let stranger = Browsing::of(&app);
    for path in [page(&game), format!("{}/replay?seq=0", page(&game))] {
        let html = stranger.get(&path).await.expect(200).html.replace("&#x2f;", "/");
        let picture = html
            .split("property=\"og:image\" content=\"")
            .nth(1)
            .and_then(|rest| rest.split('"').next())
            .unwrap_or_else(|| panic!("{path}: {html}"))
            .replace("&amp;", "&");
        assert!(html.contains("og:title\" content=\"Pip•Pip: ann – bob\""), "{html}");
        let address = picture.split_once("/api/v1/").map(|(_, rest)| format!("/api/v1/{rest}"));
        let drawn = app.stranger().get(&address.expect("an address of this server")).await;
        assert_eq!(drawn.headers["content-type"], "image/png", "{picture}");
    }
    let (_, private) = start_of(&[&ann.unchecked(), &bob.unchecked()], "pip-pip", json!({}), true).await;
    let html = Browsing::log_in(&app, "ann").await.get(&private).await.expect(200).html;
    assert!(!html.contains("og:"), "{html}");
}
