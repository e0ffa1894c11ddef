//! The buttons that follow a player and mark a game, and the page of both.

use diesel_async::SimpleAsyncConnection;
use serde_json::json;
use time::Duration;

use support::TestApp;
use support::browsing::Browsing;
use support::db::db_ratings;
use support::games::{pip_pip, pip_pip_again};

#[tokio::test(flavor = "multi_thread")]
async fn a_player_is_followed_from_the_profile_and_let_go_from_the_list() {
    let app = TestApp::start().await;
    let (game, _) = pip_pip(&app).await;
    let page = game.replace("/api/v1", "");
    app.player("eve").await;
    let eves = Browsing::log_in(&app, "eve").await;
    let empty = eves.get("/following").await.expect(200).html;
    assert!(
        empty.contains("You follow nobody yet.") && empty.contains("You have marked no game yet."),
        "{empty}"
    );
    assert!(eves.get("/my-games").await.expect(200).html.contains("href=\"/following\""));
    let profile = eves.get("/players/bob").await.expect(200).html;
    assert!(profile.contains(">Follow</button>"), "{profile}");
    assert_eq!(eves.post("/players/Bob/follow", &[("on", "yes")]).await.location(), "/players/bob");
    let profile = eves.get("/players/bob").await.expect(200).html;
    assert!(profile.contains(">Follow no more</button>"), "{profile}");
    let list = eves.get("/following").await.expect(200).html;
    assert!(list.contains(&format!("href=\"{page}\"")) && list.contains("ann – bob"), "{list}");
    assert!(list.contains("href=\"/players/bob\""), "{list}");
    let ended = eves.post("/players/bob/follow", &[("on", "no"), ("from_list", "yes")]).await;
    assert_eq!(ended.location(), "/following");
    assert!(eves.get("/following").await.expect(200).html.contains("You follow nobody yet."));

    let own = eves.get("/players/eve").await.expect(200).html;
    assert!(!own.contains("/follow\""), "nobody follows themselves: {own}");
    eves.post("/players/eve/follow", &[("on", "yes")]).await.expect(404);
    let stranger = Browsing::of(&app);
    assert!(!stranger.get("/players/bob").await.expect(200).html.contains("/follow\""));
    assert!(stranger.get("/following").await.location().starts_with("/log-in?next="));
}

#[tokio::test(flavor = "multi_thread")]
async fn a_game_is_marked_on_its_page_by_who_has_registered() {
    let app = TestApp::start().await;
    let (game, [ann, _]) = pip_pip(&app).await;
    let other = pip_pip_again(&ann, &app.player("cat").await).await.replace("/api/v1", "");
    let page = game.replace("/api/v1", "");
    let anns = Browsing::log_in(&app, "ann").await;
    let shown = anns.get(&page).await.expect(200).html;
    assert!(shown.contains(">Mark as a favourite</button>"), "{shown}");
    let form = format!("{page}/favourite");
    assert_eq!(anns.post(&form, &[("on", "yes")]).await.location(), page);
    let shown = anns.get(&page).await.expect(200).html;
    assert!(shown.contains(">No favourite any more</button>"), "{shown}");
    let list = anns.get("/following").await.expect(200).html;
    assert!(list.contains(&page) && !list.contains(&other), "{list}");
    assert!(
        !anns.get(&format!("{page}/table")).await.expect(200).html.contains("/favourite"),
        "the part that changes"
    );
    anns.get(&page).await.expect(200);
    anns.post(&form, &[("on", "no")]).await.expect(303);
    assert!(!anns.get("/following").await.expect(200).html.contains(&page));
    assert!(!Browsing::of(&app).get(&page).await.expect(200).html.contains("/favourite"));
}

#[tokio::test(flavor = "multi_thread")]
async fn the_games_of_the_week_stand_on_the_front_page_with_the_rule_that_chose_them() {
    let app = TestApp::start().await;
    let (game, [ann, _]) = pip_pip(&app).await;
    let page = game.replace("/api/v1", "");
    ann.post(&format!("{game}/resign"), &json!({})).await.ok();
    let stranger = Browsing::of(&app);
    let places = ["/", "/games?status=finished"];
    for place in places {
        let html = stranger.get(place).await.expect(200).html;
        assert!(!html.contains("Games of the week"), "nothing is rated yet: {html}");
    }
    db_ratings(&mut app.app.database.get().await.expect("a connection")).await;
    let row = format!(
        "insert into rated_games select id, '2026-11-21 12:00:00Z', 'people', 'pip-pip', 'slow', \
         array(select player_id from game_players where game_id = g.id order by seat), '{{2,1}}' from games g where id = '{}'",
        game.rsplit('/').next().expect("an id")
    );
    app.db_superuser().await.batch_execute(&row).await.expect("a row");
    app.app.clock.advance(Duration::minutes(11));
    for place in places {
        let html = stranger.get(place).await.expect(200).html;
        let told = html.split("Games of the week").nth(1).unwrap_or_else(|| panic!("{place}: {html}"));
        assert!(told.contains(&format!("href=\"{page}\"")), "{place}: {told}");
        assert!(
            told.contains("the 5 whose lowest rating is highest") && told.contains("ratings#how"),
            "{told}"
        );
    }
    let others = stranger.get("/games?status=running").await.expect(200).html;
    assert!(!others.contains("Games of the week"), "{others}");
}
