//! Clubs by the API: programs make, find, join and run them, and see what the pages show.

use pippost::accounts::{AccountLimits, PlayerLimits};
use pippost::games::clubs::MAX_OWNED;
use pippost::store::moderation::{self, ActKind, Decision};
use reqwest::Method;
use serde_json::{Value, json};
use support::browsing::Browsing;
use support::client::{Answer, Client};
use support::db::db_ratings;
use support::games::{open_game, pip_pip};
use support::{TestApp, contract};
use uuid::Uuid;

const CLUBS: &str = "/api/v1/clubs";

/// Makes a club; returns its path.
async fn make(owner: &Client, name: &str, open: bool) -> String {
    let made = owner.post(CLUBS, &json!({"name": name, "open": open})).await;
    let id = made.expect_status(201).json()["id"].as_str().expect("an id").to_owned();
    let path = format!("{CLUBS}/{id}");
    assert_eq!(made.headers["location"], path.as_str());
    path
}

async fn post(player: &Client, path: &str, status: u16) {
    player.post(path, &json!({})).await.expect_status(status);
}

async fn act(owner: &Client, club: &str, act: &str, handle: &str) -> Answer {
    owner.post(&format!("{club}/members/{handle}"), &json!({"act": act})).await
}

async fn acts(owner: &Client, club: &str, what: &str, handle: &str) {
    act(owner, club, what, handle).await.expect_status(204);
}

/// Why something about a club is refused.
fn why(answer: &Answer) -> String {
    answer.problem(409, "club_refused")["detail"].as_str().expect("a sentence").to_owned()
}

fn handles(players: &Value) -> Vec<&str> {
    let players = players.as_array().expect("a list").iter();
    players.map(|one| one["handle"].as_str().expect("text")).collect()
}

fn names(page: &Value) -> Vec<&str> {
    let clubs = page["clubs"].as_array().expect("a list").iter();
    clubs.map(|one| one["name"].as_str().expect("text")).collect()
}

#[tokio::test(flavor = "multi_thread")]
async fn programs_make_find_join_and_run_a_club() {
    let app = TestApp::start().await;
    let (ann, bob, cat) = (app.player("ann").await, app.player("bob").await, app.player("cat").await);
    let stranger = app.stranger();
    let wanted = json!({"name": "  The  <Dice> ", "about": "For all\r\nwho roll.", "open": false});
    let made = ann.post(CLUBS, &wanted).await.expect_status(201).json();
    let club = format!("{CLUBS}/{}", made["id"].as_str().expect("an id"));
    let seen = stranger.get(&club).await.ok();
    let told = json!({"id": made["id"], "name": "The <Dice>", "about": "For all\nwho roll.", "open": false, "member_count": 1});
    assert_eq!((&seen["club"], &seen["role"], &seen["hidden"]), (&told, &Value::Null, &json!(false)));
    assert_eq!((handles(&seen["members"]), &seen["asking"]), (vec!["ann"], &json!([])));
    let found = stranger.get(&format!("{CLUBS}?name=the%20%3CDICE%3E")).await.ok();
    assert_eq!(found, json!({"clubs": [told], "next_cursor": null}));
    assert_eq!(names(&stranger.get(&format!("{CLUBS}?name=nobodys")).await.ok()), [""; 0]);

    post(&bob, &format!("{club}/join"), 204).await;
    post(&cat, &format!("{club}/join"), 204).await;
    assert_eq!(bob.get(&club).await.ok()["role"], "asking");
    assert_eq!(bob.get(&club).await.ok()["asking"], json!([]), "who asks is shown to owners");
    assert_eq!(handles(&ann.get(&club).await.ok()["asking"]), ["bob", "cat"]);
    let own = |role: &str, asking: Value| json!([{"club": told, "role": role, "asking_count": asking}]);
    assert_eq!(ann.get("/api/v1/me/clubs").await.ok()["clubs"], own("owner", json!(2)));
    assert_eq!(bob.get("/api/v1/me/clubs").await.ok()["clubs"], own("asking", Value::Null));

    acts(&ann, &club, "admit", "bob").await;
    acts(&ann, &club, "remove", "cat").await;
    acts(&ann, &club, "admit", "cat").await;
    assert_eq!(handles(&stranger.get(&club).await.ok()["members"]), ["ann", "bob"], "she asks no more");
    let left = ann.post(&format!("{club}/leave"), &json!({})).await;
    assert_eq!(why(&left), "nobody else owns the club");
    acts(&ann, &club, "name_owner", "bob").await;
    post(&ann, &format!("{club}/leave"), 204).await;
    let wider = json!({"name": "The <DICE>", "open": true});
    bob.put(&club, &wider).await.expect_status(204);
    post(&cat, &format!("{club}/join"), 204).await;
    let seen = cat.get(&club).await.ok();
    assert_eq!((&seen["club"]["about"], &seen["role"]), (&json!(""), &json!("member")));
    acts(&bob, &club, "hand_on", "cat").await;
    bob.put(&club, &wider).await.problem(404, "not_found");
    acts(&cat, &club, "remove", "bob").await;
    cat.delete(&club).await.expect_status(204);
    stranger.get(&club).await.problem(404, "not_found");
    assert_eq!(cat.get("/api/v1/me/clubs").await.ok()["clubs"], json!([]));
}

#[tokio::test(flavor = "multi_thread")]
async fn nobody_but_an_owner_changes_a_club_and_every_refusal_says_why() {
    let app = TestApp::start().await;
    let (ann, bob) = (app.player("ann").await, app.player("bob").await);
    let stranger = app.stranger();
    let club = make(&ann, "Serpents", true).await;
    let fields = json!({"name": "Mine", "open": true});
    for (other, status, code) in [(&bob, 404, "not_found"), (&stranger, 401, "unauthenticated")] {
        other.put(&club, &fields).await.problem(status, code);
        other.delete(&club).await.problem(status, code);
        act(other, &club, "remove", "ann").await.problem(status, code);
    }
    for path in [CLUBS.to_owned(), format!("{club}/join"), format!("{club}/leave")] {
        stranger.post(&path, &fields).await.problem(401, "unauthenticated");
    }
    stranger.get("/api/v1/me/clubs").await.problem(401, "unauthenticated");
    act(&ann, &club, "admit", "nobody").await.problem(404, "not_found");
    let none = format!("{CLUBS}/{}", Uuid::nil());
    post(&bob, &format!("{none}/join"), 404).await;
    post(&bob, &format!("{none}/leave"), 404).await;
    for path in [none.clone(), format!("{none}/games"), format!("{CLUBS}/serpents")] {
        bob.get(&path).await.problem(404, "not_found");
    }
    let taken = bob.post(CLUBS, &json!({"name": "SERPENTS", "open": true})).await;
    assert_eq!(taken.json()["field"], "name");
    assert_eq!(why(&taken), "another club has this name");
    assert!(why(&bob.post(CLUBS, &json!({"name": " ", "open": true})).await).contains("has a name"));
    for number in 1..MAX_OWNED {
        app.app.clock.advance(time::Duration::DAY);
        make(&app.log_in("ann").await, &format!("Club {number}"), false).await;
    }
    let ann = app.log_in("ann").await;
    let more = ann.post(CLUBS, &json!({"name": "One more", "open": true})).await;
    assert_eq!(why(&more), "a player owns at most 5 clubs");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_wrong_request_is_told_of_all_that_is_wrong() {
    let app = TestApp::start().await;
    let ann = app.player("ann").await;
    let club = make(&ann, "Serpents", true).await;
    let (long, longer) = ("x".repeat(61), "x".repeat(501));
    for (body, places) in [
        (json!({}), vec!["/name", "/open"]),
        (json!({"name": long, "about": longer, "open": "yes"}), vec!["/about", "/name", "/open"]),
        (json!({"name": "Two\nlines", "open": true, "owner": "ann"}), vec!["/name", "/owner"]),
        (json!({"name": "A", "about": null, "open": null}), vec!["/about", "/open"]),
    ] {
        let answers = [ann.post(CLUBS, &body).await, ann.put(&club, &body).await];
        for answer in answers {
            let problem = answer.problem(422, "invalid_value");
            let errors = problem["errors"].as_array().expect("a list").iter();
            let mut found: Vec<_> = errors.map(|fault| fault["pointer"].as_str().expect("text")).collect();
            found.sort_unstable();
            assert_eq!(found, places, "{body}");
        }
    }
    act(&ann, &club, "eat", "ann").await.problem(422, "invalid_value");
    let id = Uuid::nil();
    for query in [
        "order=oldest".to_owned(),
        "after=1".to_owned(),
        format!("name={long}"),
        "name=a%0Ab".to_owned(),
        format!("cursor={id}"),
        format!("cursor=01.{id}"),
        format!("cursor=-1.{id}"),
        format!("cursor=1000000000.{id}"),
        format!("cursor=1.{}", "A".repeat(36)),
    ] {
        ann.get(&format!("{CLUBS}?{query}")).await.problem(422, "invalid_value");
    }
    ann.get(&format!("{CLUBS}?cursor=999999999.{id}")).await.ok();
}

#[tokio::test(flavor = "multi_thread")]
async fn all_clubs_are_listed_page_by_page_as_on_the_page() {
    let app = TestApp::start().await;
    let owner = app.player("ann").await;
    let club = make(&owner, "Last", true).await;
    post(&app.player("bob").await, &format!("{club}/join"), 204).await;
    let rows = "insert into clubs select gen_random_uuid(), 'Club ' || n, 'club ' || n, '', true, p.id, 1, now() \
                from generate_series(1, 64) n, players p where p.handle = 'ann'";
    let mut superuser = app.db_superuser().await;
    diesel_async::SimpleAsyncConnection::batch_execute(&mut superuser, rows).await.expect("clubs");
    let visitor = Browsing::of(&app);
    for order in ["newest", "largest"] {
        let (mut seen, mut sizes, mut cursor) = (Vec::new(), Vec::new(), String::new());
        loop {
            let page = app.stranger().get(&format!("{CLUBS}?order={order}{cursor}")).await.ok();
            let html =
                visitor.get(&format!("/clubs?order={order}{}", cursor.replace("cursor", "after"))).await;
            let clubs = page["clubs"].as_array().expect("a list");
            for one in clubs {
                let id = one["id"].as_str().expect("an id");
                assert!(html.html.contains(id), "{id} is on the page, too");
                seen.push(id.to_owned());
            }
            sizes.push(clubs.len());
            let Some(next) = page["next_cursor"].as_str() else { break };
            cursor = format!("&cursor={next}");
        }
        assert_eq!(sizes, [30, 30, 5], "{order}");
        if order == "largest" {
            assert!(club.ends_with(&seen[0]), "it has two members");
        }
        seen.sort_unstable();
        seen.dedup();
        assert_eq!(seen.len(), 65, "{order}");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_club_shows_ratings_and_public_games_of_members_alone() {
    let app = TestApp::start().await;
    let (running, [ann, bob]) = pip_pip(&app).await;
    let eve = app.player("eve").await;
    let club = make(&eve, "Watchers", true).await;
    let open = open_game(&ann).await;
    let hidden = json!({"rules": "pip-pip", "private": true});
    let hidden = ann.post("/api/v1/games", &hidden).await.expect_status(201).json()["id"].clone();
    let games = async |reader: &Client| -> Vec<String> {
        let list = reader.get(&format!("{club}/games")).await.ok();
        let list = list["games"].as_array().expect("a list").clone();
        list.iter().map(|game| format!("/api/v1/games/{}", game["id"].as_str().expect("an id"))).collect()
    };
    assert!(games(&bob).await.is_empty(), "no member plays");
    post(&ann, &format!("{club}/join"), 204).await;
    assert_eq!(games(&app.stranger()).await, [open, running]);
    assert!(games(&ann).await.iter().all(|game| !game.ends_with(hidden.as_str().expect("an id"))));
    db_ratings(&mut app.app.database.get().await.expect("a connection")).await;
    let members = bob.get(&club).await.ok()["members"].clone();
    assert_eq!((handles(&members), &members[1]["rating"]["rules"]), (vec!["eve", "ann"], &json!("pip-pip")));
    ann.patch("/api/v1/me/notification-preferences", &json!({"ratings": false})).await.ok();
    assert_eq!(bob.get(&club).await.ok()["members"][1]["rating"], Value::Null, "she hides hers");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_club_whose_writer_is_muted_exists_for_its_members_alone() {
    let app = TestApp::start().await;
    let (ann, bob, cat) = (app.player("ann").await, app.player("bob").await, app.player("cat").await);
    let wanted = json!({"name": "Fools", "about": "bob is a fool", "open": true});
    let made = ann.post(CLUBS, &wanted).await.expect_status(201).json();
    let club = format!("{CLUBS}/{}", made["id"].as_str().expect("an id"));
    post(&cat, &format!("{club}/join"), 204).await;
    bob.post("/api/v1/me/reports", &json!({"handle": "ann", "reason": "insult"})).await.expect_status(204);
    let (database, now) = (&app.app.database, app.app.clock.now());
    let open = moderation::open_reports(database, 1).await.expect("reports").pop().expect("one");
    let mute = Decision { kind: ActKind::Mute, words: "Be kind.", ends_at: None };
    moderation::decide(database, open.id, &mute, now).await.expect("a decision").expect("an act");
    for outsider in [&bob, &app.stranger()] {
        outsider.get(&club).await.problem(404, "not_found");
        outsider.get(&format!("{club}/games")).await.problem(404, "not_found");
        for list in [CLUBS.to_owned(), format!("{CLUBS}?name=fools")] {
            assert_eq!(outsider.get(&list).await.ok()["clubs"], json!([]));
        }
    }
    bob.post(&format!("{club}/join"), &json!({})).await.problem(404, "not_found");
    let seen = cat.get(&club).await.ok();
    assert_eq!((&seen["club"]["about"], &seen["hidden"]), (&json!(""), &json!(false)));
    let seen = ann.get(&club).await.ok();
    assert_eq!((&seen["club"]["about"], &seen["hidden"]), (&json!("bob is a fool"), &json!(true)));
    ann.put(&club, &json!({"name": "Friends", "open": true})).await.problem(403, "muted");
    ann.post(CLUBS, &json!({"name": "Friends", "open": true})).await.problem(403, "muted");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_club_is_made_once_for_each_key() {
    let app = TestApp::start().await;
    let ann = app.player("ann").await;
    let keyed = async |name: &str, key: &str| {
        let body = json!({"name": name, "open": true}).to_string();
        ann.send(Method::POST, CLUBS, Some(body), &[("Idempotency-Key", key)]).await
    };
    let made = futures_util::future::join_all((0..4).map(|_| keyed("Dice", "a"))).await;
    assert!(made.iter().all(|answer| answer.expect_status(201).body == made[0].body));
    keyed("Cards", "a").await.problem(409, "idempotency_key_reused");
    assert_eq!(why(&keyed("dice", "b").await), "another club has this name");
    keyed("Cards", "b").await.expect_status(201);
    let page = Browsing::log_in(&app, "ann").await.get("/clubs").await.expect(200).html;
    assert!(page.contains("<bdi>Dice</bdi>") && page.contains("<bdi>Cards</bdi>"), "{page}");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_player_makes_three_clubs_a_day_and_refused_and_repeated_requests_count_for_none() {
    let limits = AccountLimits { players: PlayerLimits::default(), ..AccountLimits::generous() };
    let app = TestApp::with_limits(limits).await;
    let ann = app.player("ann").await;
    let body = |number: usize| json!({"name": format!("Club {number}"), "open": true});
    for number in 0..3 {
        let key = [("Idempotency-Key", ["a", "b", "c"][number])];
        for _ in 0..2 {
            ann.send(Method::POST, CLUBS, Some(body(number).to_string()), &key).await.expect_status(201);
        }
        ann.post(CLUBS, &body(0)).await.problem(409, "club_refused");
    }
    let refused = ann.post(CLUBS, &body(3)).await;
    assert_eq!(refused.problem(429, "too_many_requests")["limit"], "make-club");
}

#[test]
fn clubs_and_studies_stand_in_a_part_of_the_document_of_their_own() {
    use pippost::api::openapi::Part;
    let paths = |part: Part| {
        let text = pippost::http::committed_document(part);
        let document: Value = serde_json::from_str(&text).expect("JSON");
        document["paths"].as_object().expect("paths").keys().cloned().collect::<Vec<_>>()
    };
    let is_of_them = |path: &String| path.contains("/clubs") || path.contains("/studies");
    assert!(paths(Part::Community).iter().all(is_of_them) && paths(Part::Community).len() == 11);
    assert!(!paths(Part::Players).iter().any(is_of_them));
    assert!(contract::document()["paths"].get("/api/v1/clubs").is_some());
}
