//! Whom a player follows, favourites, and the games of the week.

use diesel_async::SimpleAsyncConnection;
use pippost::store::following::{FAVOURITES, FOLLOWED, MAX_FOLLOWED};
use pippost::store::muted_players::{MAX_MUTED, MUTED};
use serde_json::{Value, json};
use time::Duration;
use uuid::Uuid;

use support::db::db_ratings;
use support::games::{pip_pip, pip_pip_again};
use support::{Client, TestApp};

const FOLLOWING: &str = "/api/v1/me/following";

fn id_of(game: &str) -> &str {
    game.rsplit('/').next().expect("an id")
}

async fn follow(client: &Client, handle: &str) {
    client.put(&format!("{FOLLOWING}/{handle}"), &json!({})).await.expect_status(204);
}

fn favourite(game: &str) -> String {
    format!("/api/v1/me/favourites/{}", id_of(game))
}

/// The ids of a list of games.
async fn listed(client: &Client, list: &str) -> Vec<String> {
    let page = client.get(&format!("/api/v1/games?list={list}")).await.ok();
    let games = page["games"].as_array().expect("a list").clone();
    games.iter().map(|game| game["id"].as_str().expect("an id").to_owned()).collect()
}

/// A private game of two that runs, or is over.
async fn private_game(ann: &Client, bob: &Client) -> String {
    let wanted = json!({"rules": "pip-pip", "seating": "joined", "private": true});
    let created = ann.post("/api/v1/games", &wanted).await.expect_status(201).json();
    let game = format!("/api/v1/games/{}", created["id"].as_str().expect("an id"));
    let invitation = json!({"invitation": created["invitation"]});
    bob.post(&format!("{game}/join"), &invitation).await.ok();
    game
}

#[tokio::test(flavor = "multi_thread")]
async fn whoever_follows_sees_public_games_that_run_or_ended_this_week_and_no_private_one() {
    let app = TestApp::start().await;
    let (first, [ann, bob]) = pip_pip(&app).await;
    let (eve, cat) = (app.player("eve").await, app.player("cat").await);
    let private = private_game(&ann, &bob).await;
    let open = ann.post("/api/v1/games", &json!({"rules": "pip-pip"})).await.expect_status(201).json();
    assert_eq!(listed(&eve, "following").await, [""; 0]);
    for handle in ["Ann", "bob", "ann"] {
        follow(&eve, handle).await;
        app.app.clock.advance(Duration::SECOND);
    }
    assert_eq!(
        eve.get(FOLLOWING).await.ok()["players"],
        json!(["bob", "ann"]),
        "the newest first, each once"
    );
    let second = pip_pip_again(&ann, &cat).await;
    let both = [id_of(&second), id_of(&first)];
    assert_eq!(listed(&eve, "following").await, both, "once, though both of its players are followed");
    ann.post(&format!("{first}/resign"), &json!({})).await.ok();
    ann.post(&format!("{private}/resign"), &json!({})).await.ok();
    assert_eq!(listed(&eve, "following").await, both, "one of them is over now");
    let page = eve.get("/api/v1/games?list=following&limit=1").await.ok();
    let rest = page["next_cursor"].as_str().expect("a second page");
    let rest = eve.get(&format!("/api/v1/games?list=following&cursor={rest}")).await.ok();
    assert_eq!(rest["games"][0]["id"], id_of(&first));
    assert_eq!(listed(&cat, "following").await, [""; 0], "nobody else follows");
    assert!(!listed(&eve, "following").await.contains(&open["id"].as_str().expect("an id").to_owned()));

    app.app.clock.advance(Duration::days(8));
    let (eve, ann) = (app.log_in("eve").await, app.log_in("ann").await);
    assert_eq!(listed(&eve, "following").await, [id_of(&second)]);
    assert_eq!(listed(&ann, "following").await, [""; 0], "her own games are no reason");
    eve.delete(&format!("{FOLLOWING}/ann")).await.expect_status(204);
    eve.delete(&format!("{FOLLOWING}/ann")).await.expect_status(204);
    assert_eq!(listed(&eve, "following").await, [""; 0], "bob is not in it");
    follow(&eve, "cat").await;
    app.app.accounts.mute_player(player_id(&app, "eve").await, "cat").await.expect("muted");
    assert_eq!(listed(&eve, "following").await, [id_of(&second)], "a mute hides messages alone");
}

async fn player_id(app: &TestApp, handle: &str) -> uuid::Uuid {
    app.app.accounts.player_named(handle).await.expect("a player").id
}

#[tokio::test(flavor = "multi_thread")]
async fn a_player_marks_games_that_exist_for_the_player_and_sees_them_while_they_do() {
    let app = TestApp::start().await;
    let (public, [ann, bob]) = pip_pip(&app).await;
    let eve = app.player("eve").await;
    let private = private_game(&ann, &bob).await;
    let mark = async |client: &Client, game: &str| client.put(&favourite(game), &json!({})).await;
    mark(&eve, &public).await.expect_status(204);
    mark(&eve, &public).await.expect_status(204);
    let none = mark(&eve, "/0190a000-0000-7000-8000-000000000000").await.problem(404, "not_found");
    assert_eq!(mark(&eve, &private).await.problem(404, "not_found"), none);
    mark(&ann, &private).await.expect_status(204);
    assert_eq!(listed(&eve, "favourites").await, [id_of(&public)]);
    assert_eq!(listed(&ann, "favourites").await, [id_of(&private)]);
    assert_eq!(eve.get(FOLLOWING).await.ok(), json!({"players": [], "favourites": [id_of(&public)]}));
    assert_eq!(listed(&eve, "following").await, [""; 0]);

    // Whoever has left a private game that waited sees it no more, and can take the mark away.
    let three = json!({"rules": "dominion", "seats": 3, "private": true});
    let three = ann.post("/api/v1/games", &three).await.expect_status(201).json();
    let path = format!("/api/v1/games/{}", three["id"].as_str().expect("an id"));
    bob.post(&format!("{path}/join"), &json!({"invitation": three["invitation"]})).await.ok();
    mark(&bob, &path).await.expect_status(204);
    assert_eq!(listed(&bob, "favourites").await, [id_of(&path)]);
    bob.post(&format!("{path}/leave"), &json!({})).await.expect_status(204);
    assert_eq!(listed(&bob, "favourites").await, [""; 0]);
    assert_eq!(bob.get(FOLLOWING).await.ok()["favourites"], json!([id_of(&path)]));
    bob.delete(&favourite(&path)).await.expect_status(204);
    assert_eq!(bob.get(FOLLOWING).await.ok()["favourites"], json!([]));
}

#[tokio::test(flavor = "multi_thread")]
async fn lists_of_followed_players_and_favourites_have_an_end_and_a_member_is_no_news_there() {
    let app = TestApp::start().await;
    let (game, [ann, _]) = pip_pip(&app).await;
    follow(&ann, "bob").await;
    ann.put(&format!("{FOLLOWING}/ann"), &json!({})).await.problem(404, "not_found");
    ann.put(&format!("{FOLLOWING}/nobody"), &json!({})).await.problem(404, "not_found");
    ann.put(&favourite(&game), &json!({})).await.expect_status(204);
    app.player("cat").await;
    let other = pip_pip_again(&ann, &app.log_in("cat").await).await;
    let full = "insert into followed_players select id, gen_random_uuid(), now() from players, generate_series(1, 99) where handle = 'ann'; \
        insert into favourite_games select id, gen_random_uuid(), now() from players, generate_series(1, 99) where handle = 'ann'";
    app.db_superuser().await.batch_execute(full).await.expect("rows");
    let refused = ann.put(&format!("{FOLLOWING}/cat"), &json!({})).await.problem(409, "quota_reached");
    assert_eq!((&refused["limit"], &refused["most"]), (&json!("followed-players"), &json!(100)));
    let refused = ann.put(&favourite(&other), &json!({})).await.problem(409, "quota_reached");
    assert_eq!((&refused["limit"], &refused["most"]), (&json!("favourites"), &json!(100)));
    follow(&ann, "bob").await;
    ann.put(&favourite(&game), &json!({})).await.expect_status(204);
    for list in ["following", "favourites"] {
        app.stranger().get(&format!("/api/v1/games?list={list}")).await.problem(401, "unauthenticated");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_list_with_one_place_left_takes_one_of_twenty_that_come_at_once() {
    let app = TestApp::start().await;
    app.player("ann").await;
    let ann = player_id(&app, "ann").await;
    let (database, now) = (&app.app.database, app.app.clock.now());
    for (list, table) in
        [(FOLLOWED, "followed_players"), (FAVOURITES, "favourite_games"), (MUTED, "muted_players")]
    {
        let most = if table == "muted_players" { MAX_MUTED } else { MAX_FOLLOWED };
        for _ in 1..most {
            assert!(list.add(database, ann, Uuid::now_v7(), now).await.expect("a row"));
        }
        let new: Vec<_> = (0..20).map(|_| Uuid::now_v7()).collect();
        let at_once = new.iter().map(|id| list.add(database, ann, *id, now));
        let added = futures_util::future::try_join_all(at_once).await.expect("answers");
        assert_eq!(added.iter().filter(|added| **added).count(), 1, "{table}");
        let held = list.ids(database, ann).await.expect("ids");
        assert_eq!(i64::try_from(held.len()).expect("few"), most, "{table}");
        let (taken, _) = new.iter().zip(&added).find(|(_, added)| **added).expect("one");
        assert!(list.add(database, ann, *taken, now).await.expect("an answer"), "it is there already");
        list.remove(database, ann, *taken).await.expect("removed");
        assert!(!list.holds(database, ann, *taken).await.expect("an answer"), "{table}");
    }
}

/// Writes that a game counts for ratings.
async fn db_rated(app: &TestApp, game: &str) {
    let row = format!(
        "insert into rated_games select '{id}', '2026-11-21 12:00:00Z', 'people', 'pip-pip', 'slow', \
         array(select player_id from game_players where game_id = '{id}' order by seat), '{{2,1}}'",
        id = id_of(game)
    );
    app.db_superuser().await.batch_execute(&row).await.expect("a row");
}

#[tokio::test(flavor = "multi_thread")]
async fn the_games_of_the_week_are_those_whose_lower_rating_is_highest_and_shown() {
    let app = TestApp::start().await;
    let (low, [ann, bob]) = pip_pip(&app).await;
    let (long, longer) = (app.player("a-longer-name").await, app.player("another-name1").await);
    let high = pip_pip_again(&long, &longer).await;
    let mixed = pip_pip_again(&ann, &long).await;
    for (game, player) in [(&low, &ann), (&high, &long), (&mixed, &ann)] {
        player.post(&format!("{game}/resign"), &json!({})).await.ok();
        db_rated(&app, game).await;
    }
    db_ratings(&mut app.app.database.get().await.expect("a connection")).await;
    let set = "update player_ratings p set rating = case when length(q.handle) > 3 then 1900000 else 1600000 end \
        from players q where q.id = p.player_id; \
        update player_ratings p set rating = 1700000 from players q where q.id = p.player_id and q.handle = 'ann'";
    app.db_superuser().await.batch_execute(set).await.expect("ratings");
    let week = async || pippost::games::week::KnownWeek::default().ids(&app.app.games).await.expect("games");
    let ids: Vec<String> = week().await.iter().map(ToString::to_string).collect();
    assert_eq!(ids, [id_of(&high), id_of(&mixed), id_of(&low)], "1900, 1700, 1600");
    let mut newest = [id_of(&low), id_of(&high), id_of(&mixed)];
    newest.reverse();
    assert_eq!(listed(&app.stranger(), "week").await, newest, "a list is by age");

    let hidden = json!({"ratings": false});
    bob.patch("/api/v1/me/notification-preferences", &hidden).await.ok();
    let provisional = "update player_ratings p set deviation = 120000 from players q where q.id = p.player_id and q.handle = 'another-name1'";
    app.db_superuser().await.batch_execute(provisional).await.expect("a rating");
    let ids: Vec<String> = week().await.iter().map(ToString::to_string).collect();
    assert_eq!(ids, [id_of(&mixed)], "who hides a rating, or has none yet, is left out");
    app.app.clock.advance(Duration::days(7) + Duration::seconds(1));
    assert!(week().await.is_empty());
}

#[tokio::test(flavor = "multi_thread")]
async fn the_kept_games_of_the_week_are_looked_for_again_after_a_while() {
    let app = TestApp::start().await;
    let (game, [ann, _]) = pip_pip(&app).await;
    ann.post(&format!("{game}/resign"), &json!({})).await.ok();
    db_ratings(&mut app.app.database.get().await.expect("a connection")).await;
    let known = pippost::games::week::KnownWeek::default();
    let count = async || known.ids(&app.app.games).await.expect("games").len();
    assert_eq!(count().await, 0);
    db_rated(&app, &game).await;
    let before = app.app.database.statements();
    assert_eq!((count().await, app.app.database.statements()), (0, before), "the first answer is kept");
    app.app.clock.advance(Duration::minutes(10));
    assert_eq!(count().await, 1);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_deleted_account_follows_nobody_and_is_followed_by_nobody() {
    let app = TestApp::start().await;
    let (game, [ann, bob]) = pip_pip(&app).await;
    follow(&ann, "bob").await;
    follow(&bob, "ann").await;
    ann.put(&favourite(&game), &json!({})).await.expect_status(204);
    let password = json!({"password": support::PASSWORD});
    ann.post("/api/v1/me/deletion", &password).await.expect_status(204);
    let rows =
        "select (select count(*) from followed_players) + (select count(*) from favourite_games) as number";
    assert_eq!(app.db_count(rows).await, 0);
    let mine: Value = bob.get(FOLLOWING).await.ok();
    assert_eq!(mine, json!({"players": [], "favourites": []}));
}
