//! The drill.

use std::fs;
use std::path::PathBuf;
use std::time::{Duration, SystemTime};

use super::players::Players;
use super::{BACKUPS, KEYS, blocking, games, run, said, until, well};
use support::process::Server;

#[tokio::test(flavor = "multi_thread")]
async fn the_drill_restores_and_audits_and_fails_if_anything_is_wrong() {
    let server = blocking(Server::start).await;
    let players = Players::begin(&server, 1).await;
    players.goes_on(5).await;
    // As a killed one leaves it, long ago and just now.
    let (old, new) =
        (server.folder.path().join("backups/old.part"), server.folder.path().join("backups/new.part"));
    fs::create_dir_all(&old).and_then(|()| fs::create_dir(&new)).expect("makes");
    let long_ago = SystemTime::now() - Duration::from_hours(48);
    fs::File::open(&old).and_then(|folder| folder.set_modified(long_ago)).expect("ours");
    let made = well(&run(&server, &["backup", BACKUPS, "--keys", KEYS]).await);
    assert!(!old.exists() && new.exists(), "what may be under way stays");
    fs::remove_dir(&new).expect("ours");
    let left = ["pippost-drill-1", "pippost-drill-2"].map(|name| server.folder.path().join(name));
    for folder in &left {
        fs::create_dir(folder).expect("makes");
    }
    fs::File::open(&left[0]).and_then(|folder| folder.set_modified(long_ago)).expect("ours");
    let drilled = well(&run(&server, &["drill", BACKUPS, "--in", ".", "--keys", KEYS]).await);
    assert!(!left[0].exists() && left[1].exists(), "what may be under way stays");
    fs::remove_dir(&left[1]).expect("ours");
    assert!(drilled.contains(" 0 findings"), "{drilled}");
    games(&drilled, games(&made, 1));
    assert!(drilled.contains("the newest move is 0 minutes old"), "{drilled}");
    players.end().await;

    // Backups of one second would have one name; the older one of two is removed.
    until("another second", async || {
        let made = run(&server, &["backup", BACKUPS, "--keep", "1"]).await;
        made.status.success()
    })
    .await;
    let folder = server.folder.path();
    let backups: Vec<PathBuf> = fs::read_dir(folder.join(BACKUPS))
        .expect("a folder")
        .map(|entry| entry.expect("an entry").path())
        .filter(|path| path.is_dir())
        .collect();
    assert_eq!(backups.len(), 1, "{backups:?}");

    let table = backups[0].join("pg/global/pg_control");
    let whole = fs::read(&table).expect("a file");
    fs::write(&table, [&whole[..100], b"x", &whole[101..]].concat()).expect("writes");
    let damaged = run(&server, &["drill", BACKUPS, "--in", "."]).await;
    assert_eq!(damaged.status.code(), Some(2), "{}", said(&damaged));
    assert!(said(&damaged).contains("is damaged"), "{}", said(&damaged));
    fs::write(&table, &whole).expect("writes");

    // Damage that was in the database already when it was backed up.
    let url = format!("host={} user=postgres dbname=pippost", server.data_dir().join("sock").display());
    let (client, connection) = tokio_postgres::connect(&url, tokio_postgres::NoTls).await.expect("connects");
    tokio::spawn(connection);
    client.batch_execute("update game_states set at = at + interval '1 hour'").await.expect("damage");
    until("another second", async || run(&server, &["backup", BACKUPS]).await.status.success()).await;
    let wrong = run(&server, &["drill", BACKUPS, "--in", "."]).await;
    assert_eq!(wrong.status.code(), Some(1), "{}", said(&wrong));
    let left = fs::read_dir(folder).expect("a folder").flatten();
    let left: Vec<_> = left.filter(|entry| entry.file_name().to_string_lossy().contains("drill")).collect();
    assert!(left.is_empty(), "{left:?}");
}
