//! The monitor measures how late a log is, and tells other programs.

use std::process::Output;

use diesel_async::SimpleAsyncConnection;
use serde_json::json;

use support::games::pip_pip;
use support::program::executable;
use support::transparency::{sequence_all, with_log};

#[tokio::test(flavor = "multi_thread")]
async fn a_log_that_lacks_what_happened_long_ago_is_too_late() {
    let Some(app) = with_log().await else { return };
    let (game, [ann, _]) = pip_pip(&app).await;
    sequence_all(&app).await;
    let folder = tempfile::tempdir().expect("a folder");
    let (state, figures) = (folder.path().join("state"), folder.path().join("pippost.prom"));
    let look = async |within: &str| {
        let mut command = tokio::process::Command::new(executable());
        command.args(["monitor", &app.url, "--once", "--within", within]);
        command.arg("--state").arg(&state).arg("--metrics").arg(&figures);
        let Output { status, stdout, stderr } = command.output().await.expect("an exit");
        let said = String::from_utf8_lossy(&stdout).into_owned() + &String::from_utf8_lossy(&stderr);
        (status.code(), said, std::fs::read_to_string(&figures).unwrap_or_default())
    };
    let has = |figures: &str, name: &str, value: &str| {
        let line = figures.lines().find(|line| line.starts_with(&format!("pippost_monitor_{name}{{")));
        assert!(line.is_some_and(|line| line.ends_with(&format!("}} {value}"))), "{name} {value}: {figures}");
    };
    let (code, said, told) = look("60").await;
    assert!(code == Some(0) && said.contains("no delay was measured"), "{said}");
    has(&told, "entries", "1");
    has(&told, "late_events", "0");
    has(&told, "consistent", "1");
    // Nothing puts this move into the log. Its time is that of the tests' clock, which is long ago.
    ann.post(&format!("{game}/moves"), &json!({"notation": "store"})).await.ok();
    let (code, said, told) = look("60").await;
    let id = game.rsplit('/').next().expect("an id");
    assert!(
        code == Some(3) && said.contains(&format!("TOO LATE: the log does not have event 1 of game {id}")),
        "{said}"
    );
    has(&told, "late_events", "1");
    let (code, said, _) = look(&u32::MAX.to_string()).await;
    assert!(code == Some(0), "there is time yet: {said}");
    sequence_all(&app).await;
    let (code, said, told) = look("60").await;
    assert_eq!(code, Some(0), "{said}");
    has(&told, "late_events", "0");
    // The state is that of another log: nothing is said of this one, and the figures stay as they were.
    std::fs::write(&state, "other.example/log\n0\n").expect("a file");
    let (code, _, after) = look("60").await;
    assert_eq!((code, after), (Some(2), told));
}

#[tokio::test(flavor = "multi_thread")]
async fn private_games_are_not_looked_at() {
    let Some(app) = with_log().await else { return };
    let players = [app.player("ann").await, app.player("bob").await];
    let created =
        players[0].post("/api/v1/games", &json!({"rules": "pip-pip", "private": true})).await.json();
    let join = format!("/api/v1/games/{}/join", created["id"].as_str().expect("an id"));
    players[1].post(&join, &json!({"invitation": created["invitation"]})).await.ok();
    let folder = tempfile::tempdir().expect("a folder");
    let mut command = tokio::process::Command::new(executable());
    command.args(["monitor", &app.url, "--once", "--state"]).arg(folder.path().join("state"));
    let Output { status, stdout, .. } = command.output().await.expect("an exit");
    let said = String::from_utf8_lossy(&stdout).into_owned();
    assert!(status.code() == Some(0) && said.contains("with 0 entries"), "{said}");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_log_with_another_event_than_the_record_is_found() {
    let Some(app) = with_log().await else { return };
    let (game, [ann, _]) = pip_pip(&app).await;
    ann.post(&format!("{game}/moves"), &json!({"notation": "store"})).await.ok();
    let id = game.rsplit('/').next().expect("an id");
    let mut database = app.db_superuser().await;
    let mut put = async |hash: &str| {
        let change = format!(
            "alter table events disable trigger all; \
             update events set line = regexp_replace(line, '\"hash\":\"[0-9a-f]+\"', '\"hash\":\"{hash}\"') \
             where game_id = '{id}' and seq = 1; \
             alter table events enable always trigger events_are_final; \
             alter table events enable always trigger events_are_kept"
        );
        database.batch_execute(&change).await.expect("another event");
    };
    let view = ann.get(&game).await.ok();
    put(&"0".repeat(64)).await;
    sequence_all(&app).await;
    put(view["head"].as_str().expect("a hash")).await;
    let folder = tempfile::tempdir().expect("a folder");
    let mut command = tokio::process::Command::new(executable());
    command.args(["monitor", &app.url, "--once", "--state"]).arg(folder.path().join("state"));
    let Output { status, stdout, .. } = command.output().await.expect("an exit");
    let said = String::from_utf8_lossy(&stdout).into_owned();
    let expected = format!("THE LOG has no proof of event 1 of game {id}");
    assert!(status.code() == Some(1) && said.contains(&expected), "{said}");
}
