//! The command, a worker, and an S3-compatible server.

use std::process::Output;
use std::time::Instant;

use pippost::archive::{Access, Listed};
use pippost::games::archiving;
use pippost::games::audit::Subject;
use serde_json::{Value, json};
use time::Duration;
use uuid::Uuid;

use super::serving::{expect_same, served};
use super::{AFTER_DAYS, Site, TIME_LIMIT, path_of, place};
use crate::audit::{audit, play};
use support::process::{command_in, ended_within};
use support::{TestApp, cluster};

/// `pippost` on the site's database, with its keys and its archive.
fn run(site: &Site, arguments: &[&str]) -> Output {
    command(site, arguments).output().expect("the program runs")
}

fn command(site: &Site, arguments: &[&str]) -> std::process::Command {
    let mut command = command_in(&site.folder_beside, arguments);
    command
        .env("DATABASE_URL", cluster::url(site.app.database_name()))
        .env("PIPPOST_KEYS_DIR", site.app.keys.path())
        .env("PIPPOST_ARCHIVE", place(site.folder.path()))
        .env("PIPPOST_ARCHIVE_AFTER_DAYS", AFTER_DAYS.to_string());
    command
}

#[tokio::test(flavor = "multi_thread")]
async fn the_command_moves_what_is_due_and_brings_it_back_and_a_worker_moves_it_by_itself() {
    let site = Site::start().await;
    let (first, second) = (site.finished(1).await, site.finished(2).await);
    let text = |output: Output| {
        assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
        String::from_utf8(output.stdout).expect("text")
    };
    let without = command(&site, &["archive"]).env_remove("PIPPOST_ARCHIVE").output().expect("it runs");
    assert!(
        !without.status.success() && String::from_utf8_lossy(&without.stderr).contains("PIPPOST_ARCHIVE")
    );
    assert!(text(run(&site, &["archive", "--dry-run"])).starts_with("games that would be moved: 2, "));
    assert_eq!(site.db_rows(first).await[2], 0);
    assert_eq!(text(run(&site, &["archive"])), "games moved: 2\n");
    let back = text(run(&site, &["archive", "--restore", &first.to_string(), &Uuid::nil().to_string()]));
    assert_eq!(back, format!("game {first}: brought back\ngame {}: not archived\n", Uuid::nil()));
    let listed = text(run(&site, &["archive", "--unreferenced"]));
    assert!(listed.contains("1 of 2 objects belong to no game"), "{listed}");
    assert_eq!(text(run(&site, &["archive", "--restore-all"])), "games brought back: 1\n");
    assert_eq!((site.db_rows(first).await[2], site.db_rows(second).await[2]), (0, 0));
    let third = site.finished(3).await;
    let mut worker = command(&site, &["work"]).spawn().expect("it runs");
    let begun = Instant::now();
    while site.db_rows(third).await != [0, 0, 1] {
        assert!(begun.elapsed() < TIME_LIMIT, "the worker moves nothing");
    }
    let id = i32::try_from(worker.id()).expect("an id");
    nix::sys::signal::kill(nix::unistd::Pid::from_raw(id), nix::sys::signal::Signal::SIGTERM)
        .expect("a signal");
    assert!(ended_within(&mut worker, TIME_LIMIT).success());
    assert_eq!(site.db_rows(first).await[2], 0, "what was brought back stays");
    let audited = run(&site, &["audit"]);
    assert!(audited.status.success(), "{}", String::from_utf8_lossy(&audited.stdout));
}

/// By a real S3-compatible server, which checks every signature: `./test` runs it where it can be had (docs/TESTING.md).
#[tokio::test(flavor = "multi_thread")]
#[ignore = "needs the S3 server that .ci/install-s3 installs; PIPPOST_S3_SERVER names the program"]
async fn s3_a_bucket_serves_as_a_folder_does() {
    let server = support::s3::S3Server::start();
    let plain = TestApp::start().await;
    let players = [plain.player("ann").await, plain.player("bob").await];
    let place = format!("s3://{}/games/of", support::s3::BUCKET);
    let app = plain.archiving(&place, server.access()).await;
    let game = play(&players, "pip-pip", &json!({}), 1000, 1).await;
    let left = play(&players, "serpent", &json!({}), 1000, 2).await;
    app.app.clock.advance(Duration::days(AFTER_DAYS.into()));
    let viewers = [plain.log_in("ann").await, plain.stranger()];
    let before = served(&plain, &viewers, game).await;

    // A wrong key moves nothing, and is named without the key.
    let (id, _) = server.access().key.expect("a key");
    let wrong = Access { key: Some((id, "a wrong key".to_owned())), ..server.access() };
    let refused = plain.archiving(&place, wrong).await;
    let refusal = archiving::archive_due(&refused.app.games, AFTER_DAYS).await.expect_err("a wrong key");
    assert!(refusal.to_string().contains("403") && !refusal.to_string().contains("key"), "{refusal}");

    // Cut off after the object was written.
    let packed = archiving::pack(&app.app.games, left).await.expect("packed").expect("a finished game");
    archiving::write(&app.app.games, &packed).await.expect("written");
    let mut found = Vec::new();
    let listed =
        archiving::unreferenced(&app.app.games, &mut |listed: &Listed| found.push(listed.clone())).await;
    assert_eq!((listed.expect("a list").objects, found.len()), (1, 1));
    assert_eq!((found[0].name, found[0].bytes), (Some(packed.name), packed.bytes.len() as u64));

    assert_eq!(archiving::archive_due(&app.app.games, AFTER_DAYS).await.expect("a step"), 2);
    let rows = "select count(*) as number from events";
    assert_eq!(app.db_count(rows).await, 0);
    let other = plain.archiving(&place, server.access()).await;
    for server in [&app, &other] {
        expect_same(&before, &served(server, &viewers, game).await);
    }
    assert_eq!(audit(&app, None, false).await.1, []);
    let listed = archiving::unreferenced(&app.app.games, &mut |listed: &Listed| panic!("{listed:?}")).await;
    assert_eq!(listed.expect("a list").objects, 2);

    server.change("games/of", &packed.name.to_string());
    let found = audit(&app, None, false).await.1;
    assert!(
        matches!(found.as_slice(), [one] if one.part == Subject::Archive && one.game == Some(left)),
        "{found:?}"
    );
    server.remove("games/of", &packed.name.to_string());
    let fresh = plain.archiving(&place, server.access()).await;
    fresh.stranger().get(&format!("{}/record", path_of(left))).await.problem(503, "unavailable");
    assert!(archiving::restore(&app.app.games, game).await.expect("an answer"));
    drop(server);
    let record = fresh.stranger().get(&format!("{}/record", path_of(left))).await;
    record.problem(503, "unavailable");
    let back: Value = fresh.stranger().get(&path_of(left)).await.ok();
    assert_eq!(back["status"], "finished");
    let record = format!("{}/record", path_of(game));
    assert_eq!(before[&(1, record.clone())].1, fresh.stranger().get(&record).await.body);
}
