//! `pippost doctor` finds each thing that a runbook is about.

use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::process::Output;

use super::blocking;
use support::games::pip_pip_again;
use support::process::Server;

async fn doctor(server: &Server, further: &[&str]) -> Output {
    let mut command = server.command(&[&["doctor", "--log", "error"], further].concat());
    blocking(move || command.output().expect("the program")).await
}

fn said(output: &Output) -> String {
    String::from_utf8_lossy(&[output.stdout.as_slice(), &output.stderr].concat()).into_owned()
}

#[tokio::test(flavor = "multi_thread")]
async fn nothing_is_wrong_with_a_server_that_works() {
    let server = blocking(Server::start).await;
    let looked = doctor(&server, &[]).await;
    assert_eq!((looked.status.code(), said(&looked).as_str()), (Some(0), "nothing is wrong\n"));
}

#[tokio::test(flavor = "multi_thread")]
async fn what_each_runbook_is_about_is_found() {
    let server = blocking(|| Server::start_with(&["--no-worker"])).await;
    let players = [server.register("ann").await, server.register("bob").await];
    let game = pip_pip_again(&players[0], &players[1]).await;
    let id = game.rsplit('/').next().expect("an id");
    let url = format!("host={} user=postgres dbname=pippost", server.data_dir().join("sock").display());
    let (client, connection) = tokio_postgres::connect(&url, tokio_postgres::NoTls).await.expect("connects");
    tokio::spawn(connection);
    let damage = format!(
        "update game_states set deadline_at = now() - interval '1 hour'; \
         update notices set created_at = now() - interval '1 hour' where state = 'waiting'; \
         update players set email_bounced_at = now() where handle = 'ann'; \
         insert into set_aside_games (task, game_id, failures, reason, first_failed_at, retry_at) \
             values ('flag', '{id}', 3, 'it is broken', now(), now()); \
         select pg_create_physical_replication_slot('pippost_backup', true)"
    );
    client.batch_execute(&damage).await.expect("damage");
    let mut hold = server.command(&["mail", "hold", "--domain", "example.org"]);
    assert!(blocking(move || hold.status().expect("the program")).await.success());
    let key = server.data_dir().join("keys/secret.key");
    fs::set_permissions(&key, fs::Permissions::from_mode(0o644)).expect("ours");
    fs::create_dir(server.folder.path().join("backups")).expect("makes");

    let looked = doctor(&server, &["--backups", "backups"]).await;
    assert_eq!(looked.status.code(), Some(1), "{}", said(&looked));
    for found in [
        "mail stops: an operator holds example.org",
        "mails wait to domains that have waited over 30 minutes",
        "a key leaks: others may read",
        "a game is stuck: no worker works",
        "a game is stuck: 1 turns are over and not ended",
        &format!("a game is stuck: flag fails for game {id}: it is broken"),
        "a player needs help: 1 players get no mail",
        "a restore: there is no backup",
        "a restore: nobody receives the write-ahead log",
    ] {
        assert!(said(&looked).contains(found), "{found}: {}", said(&looked));
    }
}
