//! Moving games, several workers, and whatever is cut off between the steps.

use diesel_async::SimpleAsyncConnection;
use pippost::games::audit::Subject;
use pippost::games::{GameError, archiving};
use pippost::record::Hash;
use serde_json::json;
use time::Duration;

use super::serving::{expect_same, served};
use super::{AFTER_DAYS, Site, act, path_of};
use crate::audit::play;

#[tokio::test(flavor = "multi_thread")]
async fn whatever_is_cut_off_between_the_steps_loses_nothing_and_leaves_at_most_an_object() {
    let site = Site::start().await;
    let game = site.finished(1).await;
    let games = &site.app.app.games;
    let record = format!("{}/record", path_of(game));
    let before = site.players[0].get(&record).await.text();
    let rows = site.db_rows(game).await;
    site.wait();
    let stands = async |objects: usize| {
        assert_eq!(site.db_rows(game).await, rows);
        assert_eq!(site.unreferenced().await.len(), objects);
        assert_eq!(site.again().await.stranger().get(&record).await.text(), before);
    };

    let packed = archiving::pack(games, game).await.expect("packed").expect("a finished game");
    stands(0).await;
    archiving::check(games, game, &packed).await.expect_err("nothing is written yet");
    archiving::write(games, &packed).await.expect("written");
    stands(1).await;
    let head = archiving::check(games, game, &packed).await.expect("checked");
    stands(1).await;
    // A transaction that does not end, and one of another process that sees the game as it was.
    let mut cut_off = site.app.db_superuser().await;
    let cut = format!("begin; update games set history = 'archive' where id = '{game}'");
    cut_off.batch_execute(&cut).await.expect("a transaction");
    drop(cut_off);
    stands(1).await;
    let other_head = Hash::of(&[b"another"]);
    assert!(!archiving::exchange(games, game, &packed, &other_head).await.expect("an answer"));
    stands(1).await;
    assert!(archiving::exchange(games, game, &packed, &head).await.expect("an answer"));
    assert_eq!(site.db_rows(game).await, [0, 0, 1]);
    assert_eq!(site.unreferenced().await, []);
    assert_eq!(site.again().await.stranger().get(&record).await.text(), before);
    // Whoever was slower finds it done.
    assert!(!archiving::exchange(games, game, &packed, &head).await.expect("an answer"));
    assert!(archiving::pack(games, game).await.expect("an answer").is_none());
    assert_eq!(site.findings().await, []);
    // What a killed process was writing.
    let part = site.folder.path().join("ab").join(".abc.part");
    std::fs::create_dir_all(part.parent().expect("a folder")).expect("a folder");
    std::fs::write(&part, "half").expect("a file");
    let left = site.unreferenced().await;
    assert!(matches!(left.as_slice(), [left] if left.path == "ab/.abc.part" && left.bytes == 4), "{left:?}");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_crashed_process_s_game_is_moved_by_another_after_its_time() {
    let site = Site::start().await;
    let game = site.finished(1).await;
    site.wait();
    let now = site.app.app.clock.now();
    let taken =
        pippost::store::archived_games::take(&site.app.app.database, game, now, now + Duration::minutes(10));
    assert!(taken.await.expect("an answer"));
    assert_eq!(site.archive_due().await, 0);
    assert!(!archiving::archive_game(&site.app.app.games, game).await.expect("an answer"));
    site.app.app.clock.advance(Duration::minutes(10));
    assert_eq!(site.archive_due().await, 1);
}

#[tokio::test(flavor = "multi_thread")]
async fn running_and_young_games_are_not_moved() {
    let site = Site::start().await;
    let (over, running) =
        (site.finished(1).await, play(&site.players[..2], "serpent", &json!({}), 3, 2).await);
    let games = &site.app.app.games;
    assert_eq!(site.archive_due().await, 0, "it ended just now");
    site.wait();
    assert_eq!(archiving::due(games, AFTER_DAYS).await.expect("an answer").games, 1);
    assert!(!archiving::archive_game(games, running).await.expect("an answer"));
    assert!(archiving::pack(games, running).await.expect("an answer").is_none());
    assert_eq!(site.archive_due().await, 1);
    assert_eq!((site.db_rows(over).await, site.db_rows(running).await[0]), ([0, 0, 1], 4));
}

#[tokio::test(flavor = "multi_thread")]
async fn workers_that_archive_at_once_move_each_game_once() {
    let site = Site::start().await;
    let mut games = Vec::new();
    for seed in 0..8 {
        games.push(site.finished(seed).await);
    }
    site.wait();
    let others = [site.again().await, site.again().await];
    let servers = [&site.app, &others[0], &others[1]];
    let steps = servers.map(|server| archiving::archive_due(&server.app.games, AFTER_DAYS));
    let mut moved = 0;
    for done in futures_util::future::join_all(steps).await {
        moved += done.expect("a step");
    }
    // What one had taken the others left alone, and nobody comes back for it.
    assert_eq!(moved + site.archive_due().await, games.len());
    // Also when each believes that the game is its own.
    let game = site.finished_later(99).await;
    let packed = archiving::pack(&site.app.app.games, game).await.expect("packed").expect("a finished game");
    archiving::write(&site.app.app.games, &packed).await.expect("written");
    let head = archiving::check(&site.app.app.games, game, &packed).await.expect("checked");
    let racing = servers.map(|server| archiving::exchange(&server.app.games, game, &packed, &head));
    let won = futures_util::future::join_all(racing).await;
    assert_eq!(won.into_iter().filter(|won| matches!(won, Ok(true))).count(), 1);
    for game in games.into_iter().chain([game]) {
        assert_eq!(site.db_rows(game).await, [0, 0, 1]);
    }
    assert_eq!((site.findings().await, site.unreferenced().await), (vec![], vec![]));
}

#[tokio::test(flavor = "multi_thread")]
async fn a_game_that_is_brought_back_is_as_before_and_stays() {
    let site = Site::start().await;
    let game = site.finished(1).await;
    site.wait();
    let viewers = [site.app.log_in("ann").await, site.app.stranger()];
    let (before, rows) = (served(&site.app, &viewers, game).await, site.db_rows(game).await);
    assert_eq!(site.archive_due().await, 1);
    assert!(archiving::restore(&site.app.app.games, game).await.expect("an answer"));
    assert!(!archiving::restore(&site.app.app.games, game).await.expect("an answer"), "once");
    assert_eq!(site.db_rows(game).await, rows);
    // A process without an archive serves it.
    for server in [&site.plain, &site.again().await] {
        expect_same(&before, &served(server, &viewers, game).await);
    }
    assert_eq!((site.findings().await, site.unreferenced().await.len()), (vec![], 1));
    assert_eq!(site.archive_due().await, 0, "it stays");
}

#[tokio::test(flavor = "multi_thread")]
async fn an_archive_that_is_gone_is_told_of_stops_nothing_else_and_is_used_again() {
    let site = Site::start().await;
    let (game, running) =
        (site.finished(1).await, play(&site.players[..2], "serpent", &json!({}), 2, 2).await);
    let young = site.finished(3).await;
    site.wait();
    assert_eq!(site.archive_due().await, 2);
    let ann = site.app.log_in("ann").await;
    let record = ann.get(&format!("{}/record", path_of(game))).await.text();
    let gone = site.folder.path().with_extension("gone");
    std::fs::rename(site.folder.path(), &gone).expect("a new name");
    // A process that was given no archive says the same.
    for server in [&site.again().await, &site.plain] {
        let ann = ann.at(&server.url);
        for path in ["/record", "/events", "/replay?first=0&limit=9", "?seq=1", "/choices?seq=1"] {
            let problem = ann.get(&format!("{}{path}", path_of(game))).await.problem(503, "unavailable");
            assert!(problem["detail"].as_str().is_some_and(|told| told.contains("archive")), "{problem}");
            assert!(!problem.to_string().contains(&*gone.to_string_lossy()), "{problem}");
        }
        // Not its state, nor any other game.
        assert_eq!(ann.get(&path_of(game)).await.ok()["status"], "finished");
        ann.get(&format!("{}/record", path_of(running))).await.expect_status(200);
        act(&site.app, server, running).await;
    }
    // Moving and bringing back fail, and leave all as it was.
    let later = site.finished_later(4).await;
    let refused = archiving::archive_due(&site.app.app.games, AFTER_DAYS).await.expect_err("it is gone");
    assert!(matches!(&refused, GameError::Store(error) if error.is_of_the_connection()), "{refused}");
    assert_eq!(site.db_rows(later).await[2], 0);
    archiving::restore(&site.app.app.games, young).await.expect_err("it is gone");
    assert_eq!(site.db_rows(young).await, [0, 0, 1]);
    let found = site.findings().await;
    assert!(found.len() == 2 && found.iter().all(|(part, _)| *part == Subject::Archive), "{found:?}");
    std::fs::rename(&gone, site.folder.path()).expect("the old name");
    assert_eq!(site.archive_due().await, 1, "nothing was set aside");
    let other = site.again().await;
    let again = site.app.log_in("ann").await.at(&other.url);
    assert_eq!(again.get(&format!("{}/record", path_of(game))).await.text(), record);
    assert_eq!(site.findings().await, []);
}
