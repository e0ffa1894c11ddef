//! What is served from the archive is what the database served.

use std::collections::BTreeMap;

use diesel_async::SimpleAsyncConnection;
use pippost::record::verify;
use serde_json::json;
use uuid::Uuid;

use super::{Site, act, path_of};
use crate::audit::{audit, play};
use support::samples::samples;
use support::{Client, TestApp, cluster};

/// Answers by viewer and address: status and body.
type Served = BTreeMap<(usize, String), (u16, Vec<u8>)>;

/// All that is served of a game's past, to its players, to another player and to a stranger.
pub(super) async fn served(server: &TestApp, viewers: &[Client], game: Uuid) -> Served {
    let api = path_of(game);
    let end = viewers[0].get(&api).await.ok()["seq"].as_u64().expect("a number");
    let mut addresses =
        ["", "/record", "/record?with=clock", "/events", "/events?first=2&limit=3", "/clock", "/news"]
            .map(|path| format!("{api}{path}"))
            .to_vec();
    for path in
        ["/feed?limit=500", "/choices", "/replay?first=0&limit=200", "/board.svg", "/board.png", "/board.txt"]
    {
        addresses.push(format!("{api}{path}"));
    }
    for seq in [0, 1, end / 2, end] {
        for path in ["?seq=", "/choices?seq=", "/board.svg?seq=", "/board.txt?seq="] {
            addresses.push(format!("{api}{path}{seq}"));
        }
        addresses.push(format!("/games/{game}/replay/moment?seq={seq}"));
    }
    addresses.push(format!("{api}?turn=1"));
    for path in ["", "/replay", "/check", "/record.ndjson"] {
        addresses.push(format!("/games/{game}{path}"));
    }
    addresses.push("/api/v1/me/feed?limit=500".to_owned());
    addresses.push("/api/v1/me/records.zip".to_owned());
    let mut served = Served::new();
    for (number, viewer) in viewers.iter().enumerate() {
        let line = json!({"seq": end / 2, "line": []});
        let answer = viewer.at(&server.url).post(&format!("{api}/analysis"), &line).await;
        served.insert((number, "an analysis".to_owned()), (answer.status.as_u16(), answer.body.clone()));
        for address in &addresses {
            // The contract knows the addresses of the API only.
            let client = viewer.at(&server.url);
            let client = if address.starts_with("/api/") { client } else { client.unchecked() };
            let answer = client.get(address).await;
            served.insert((number, address.clone()), (answer.status.as_u16(), answer.body.clone()));
        }
    }
    // One is enough: it takes longer than all the others.
    let film = viewers[0].at(&server.url).unchecked().get(&format!("/games/{game}/film.png")).await;
    served.insert((0, "the film".to_owned()), (film.status.as_u16(), film.body.clone()));
    for ((viewer, address), (status, _)) in &served {
        // Pages know who somebody is by a cookie, which these clients do not have.
        let is_shown = *viewer > 0 || !address.starts_with("/api/") || *status == 200;
        assert!(is_shown, "a player may see all of it: {address} {status}");
    }
    served
}

#[track_caller]
pub(super) fn expect_same(before: &Served, after: &Served) {
    for (asked, (status, body)) in before {
        let (status_after, body_after) = &after[asked];
        let differ = || (String::from_utf8_lossy(body), String::from_utf8_lossy(body_after));
        assert!(
            status == status_after && body == body_after,
            "{asked:?}: {status} {status_after} {:?}",
            differ()
        );
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn whole_games_of_every_rule_set_are_served_from_the_archive_as_before_and_their_rows_are_gone() {
    let site = Site::start().await;
    let calendar = json!({"zone": "Europe/Berlin", "night": {"from": "22:00", "until": "07:00"}});
    site.players[0].put("/api/v1/me/calendar", &calendar).await.ok();
    let mut games = Vec::new();
    let two = &site.players[..2];
    games.push(play(&site.players, "dominion", &json!({"size": 4, "round_limit": 3}), 1000, 4).await);
    if samples(false, true) {
        games.push(play(two, "pip-pip", &json!({}), 1000, 1).await);
        games.push(play(two, "serpent", &json!({}), 1000, 2).await);
        games.push(play(two, "pippinzip", &json!({"variant": "zipline", "size": 5}), 1000, 3).await);
    }
    let running = play(two, "pip-pip", &json!({}), 4, 5).await;
    let receipt = {
        let another = play(two, "serpent", &json!({}), 0, 6).await;
        let moved = act(&site.app, &site.app, another).await;
        two[1].post(&format!("{}/resign", path_of(another)), &json!({})).await.expect_status(200);
        games.push(another);
        json!({"receipt": moved["receipts"][0]})
    };
    site.wait();
    let mut viewers = Vec::new();
    for handle in ["ann", "bob", "cat"] {
        viewers.push(site.app.log_in(handle).await);
    }
    viewers.push(site.app.stranger());
    let checked = viewers[3].post("/api/v1/receipts", &receipt).await.ok();
    assert_eq!(checked["verdict"], "kept");
    let mut before = Vec::new();
    for game in games.iter().chain([&running]) {
        before.push(served(&site.app, &viewers, *game).await);
    }
    let size_of = if cluster::is_citus() { "citus_total_relation_size" } else { "pg_total_relation_size" };
    let bytes = format!("select {size_of}('events') + {size_of}('clock_lines') as number");
    let size = site.app.db_count(&bytes).await;

    let opened = format!(
        "select count(*) as number from clock_lines where openings is not null and game_id <> '{running}'"
    );
    assert!(site.app.db_count(&opened).await > 0, "clock logs with calendars are among them");
    assert_eq!(site.archive_due().await, games.len());
    assert_eq!(site.archive_due().await, 0);
    let opened = "select count(*) as number from clock_lines where openings is not null";
    assert!(
        site.app.db_count(opened).await > 0,
        "a game with a calendar in its clock log is among the running ones"
    );
    for game in &games {
        assert_eq!(site.db_rows(*game).await, [0, 0, 1]);
    }
    let [events, lines, entries] = site.db_rows(running).await;
    assert!(events > 4 && lines > 0 && entries == 0);
    site.app.db_superuser().await.batch_execute("vacuum full events, clock_lines").await.expect("a vacuum");
    assert!(site.app.db_count(&bytes).await < size);

    // By the process that moved them, whose cache has the games, and by one that has seen none of them.
    let other = site.again().await;
    for server in [&site.app, &other] {
        for (game, before) in games.iter().chain([&running]).zip(&before) {
            expect_same(before, &served(server, &viewers, *game).await);
        }
        assert_eq!(viewers[3].at(&server.url).post("/api/v1/receipts", &receipt).await.ok(), checked);
    }
    for game in &games {
        let record = viewers[3].get(&format!("{}/record", path_of(*game))).await;
        assert!(verify(&record.body).expect("a good record").proved);
    }
    let (summary, found) = audit(&site.app, None, false).await;
    assert_eq!((summary.games, found), (games.len() as u64 + 1, vec![]));
    assert_eq!(site.unreferenced().await, []);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_private_game_in_the_archive_does_not_exist_for_outsiders() {
    let site = Site::start().await;
    let wanted = json!({"rules": "serpent", "seating": "joined", "private": true});
    let created = site.players[0].post("/api/v1/games", &wanted).await.expect_status(201).json();
    let game: Uuid = created["id"].as_str().expect("an id").parse().expect("an id");
    let join = json!({"invitation": created["invitation"]});
    site.players[1].post(&format!("{}/join", path_of(game)), &join).await.ok();
    site.players[1].post(&format!("{}/resign", path_of(game)), &json!({})).await.expect_status(200);
    site.wait();
    let viewers = [site.app.log_in("ann").await, site.app.log_in("cat").await, site.app.stranger()];
    let before = served(&site.app, &viewers, game).await;
    assert_eq!(site.archive_due().await, 1);
    let other = site.again().await;
    // For an outsider the archive's absence changes nothing either.
    std::fs::rename(site.folder.path(), site.folder.path().with_extension("gone")).expect("a new name");
    for outsider in [1, 2] {
        for (asked, (status, body)) in before.iter().filter(|(asked, _)| asked.0 == outsider) {
            if asked.1.contains(&game.to_string()) {
                let client = viewers[outsider].at(&other.url).unchecked();
                let answer = client.get(&asked.1).await;
                assert_eq!((answer.status.as_u16(), &answer.body[..]), (*status, &body[..]), "{asked:?}");
                assert!([401, 403, 404].contains(status), "{asked:?}");
            }
        }
    }
    std::fs::rename(site.folder.path().with_extension("gone"), site.folder.path()).expect("the old name");
    expect_same(&before, &served(&other, &viewers, game).await);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_player_who_deletes_the_account_stays_in_archived_records_as_in_others() {
    let site = Site::start().await;
    let game = site.finished(1).await;
    site.wait();
    let record = format!("{}/record", path_of(game));
    let before = site.app.stranger().get(&record).await.text();
    assert_eq!(site.archive_due().await, 1);
    let ann = site.app.log_in("ann").await;
    let data = ann.get("/api/v1/me/records.zip").await;
    data.expect_status(200);
    ann.post("/api/v1/me/deletion", &json!({"password": support::PASSWORD})).await.expect_status(204);
    assert_eq!(site.again().await.stranger().get(&record).await.text(), before);
    assert_eq!(site.findings().await, []);
}
