//! The games of who is logged in: what waits, what became of them, and who invites.

use serde_json::json;

use pippost::games::letters::since::MAX_EVENTS_COUNTED;
use support::browsing::Browsing;
use support::game_page::start_of;
use support::games::{pip_pip, pip_pip_again, timed_game};
use support::sample::Sampler;
use support::{Client, TestApp};

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

/// More events than a round of these small games has, unless the seat is out.
const MAX_EVENTS: u64 = 200;

/// Plays at random until it is this seat's turn again; returns how many events that made, and which seat made the last. `None` if that
/// turn does not come, because the game or that seat's part in it is over.
async fn play_until(
    game: &str,
    players: &[Client],
    seat: u64,
    sampler: &mut Sampler,
) -> Option<(u64, usize)> {
    let mut last = 0;
    for events in 0..MAX_EVENTS {
        let now = players[0].get(game).await.ok();
        let acting = now["to_act"].as_u64()?;
        if events > 0 && acting == seat {
            return Some((events, last));
        }
        last = usize::try_from(acting).expect("small");
        let player = &players[last];
        let listed = player.get(&format!("{game}/actions")).await.ok();
        let action = sampler.action(listed["actions"].as_array().expect("a list"));
        player.post(&format!("{game}/moves"), &json!({"actions": [action]})).await.ok();
    }
    None
}

/// What a card of a player's games says of what the others have done.
async fn told(browser: &Browsing) -> Option<String> {
    let html = browser.get("/my-games").await.expect(200).html;
    let told = html.split("<p class=\"since small\">").nth(1)?;
    Some(told.split("</p>").next().expect("its end").to_owned())
}

#[tokio::test(flavor = "multi_thread")]
async fn cards_tell_what_the_others_have_done_since_the_own_last_move() {
    let app = TestApp::start().await;
    let mut players = Vec::new();
    for handle in ["ann", "bob", "cat", "dan"] {
        players.push(app.player(handle).await.unchecked());
    }
    let seated: Vec<&Client> = players.iter().collect();
    let mut sampler = Sampler::new(7);
    let (game, _) = start_of(&seated, "dominion", json!({"size": 4}), false).await;
    let (anns, bobs) = (Browsing::log_in(&app, "ann").await, Browsing::log_in(&app, "bob").await);
    assert_eq!((told(&anns).await, told(&bobs).await), (None, None), "the start is nobody's move");

    let (by_ann, _) = play_until(&game, &players, 1, &mut sampler).await.expect("bob's turn");
    assert_eq!(told(&anns).await, None, "her own moves are no news to her");
    let so_far = told(&bobs).await.expect("ann has moved");
    let expected = if by_ann == 1 {
        "One move so far: ann ".to_owned()
    } else {
        format!("{by_ann} moves so far, the newest: ann ")
    };
    assert!(so_far.starts_with(&expected), "{so_far}");

    let (by_others, last) = play_until(&game, &players, 0, &mut sampler).await.expect("ann's turn");
    let newest = ["ann", "bob", "cat", "dan"][last];
    let since = told(&anns).await.expect("three have moved");
    assert!(
        since.starts_with(&format!("{by_others} moves since your last, the newest: {newest} ")),
        "{since}"
    );
    let german = Browsing::log_in(&app, "ann").await.reading("de");
    let since = told(&german).await.expect("three have moved");
    assert!(
        since.starts_with(&format!("{by_others} Züge seit deinem letzten, der neueste: {newest} ")),
        "{since}"
    );
}

#[tokio::test(flavor = "multi_thread")]
async fn cards_count_no_more_events_than_they_read() {
    const HANDLES: [&str; 8] = ["ann", "bob", "cat", "dan", "eve", "fay", "gus", "hal"];
    let app = TestApp::start().await;
    let mut players = Vec::new();
    for handle in HANDLES {
        players.push(app.player(handle).await.unchecked());
    }
    let seated: Vec<&Client> = players.iter().collect();
    let mut sampler = Sampler::new(7);
    let mut newest = None;
    for _game in 0..10 {
        let (game, _) = start_of(&seated, "dominion", json!({"size": 5}), false).await;
        newest = newest_of_many(&game, &players, &mut sampler).await.map(|seat| HANDLES[seat]);
        if newest.is_some() {
            break;
        }
    }
    let newest = newest.expect("eight players do much in a round");
    let since = told(&Browsing::log_in(&app, "ann").await).await.expect("seven have moved");
    assert!(
        since.starts_with(&format!("At least 24 moves since your last, the newest: {newest} ")),
        "{since}"
    );
}

/// Plays until the others have done more between two turns of the first player than is read; returns who did the last of it.
/// `None` if the game or that player's part in it ends before.
async fn newest_of_many(game: &str, players: &[Client], sampler: &mut Sampler) -> Option<usize> {
    loop {
        play_until(game, players, 1, sampler).await?;
        let (events, last) = play_until(game, players, 0, sampler).await?;
        if events >= MAX_EVENTS_COUNTED {
            return Some(last);
        }
    }
}
