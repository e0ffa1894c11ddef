//! A backup that is made while people play.

use std::fs;
use std::os::unix::fs::PermissionsExt;

use super::players::Players;
use super::{BACKUPS, KEYS, blocking, files, games, holds, run, said, serve, well};
use support::process::Server;

/// Lines of the keys that are secret: hexadecimal digits, and the second line of a PEM file.
fn secrets(server: &Server) -> Vec<String> {
    let mut found = Vec::new();
    files(&server.data_dir().join("keys"), &mut found);
    let texts = found.into_iter().map(|(_, bytes)| String::from_utf8(bytes).expect("text"));
    let secrets: Vec<String> = texts
        .flat_map(|text| {
            text.lines().filter(|line| !line.starts_with('-')).map(str::to_owned).collect::<Vec<_>>()
        })
        .filter(|line| line.len() > 16)
        .collect();
    assert!(secrets.len() >= 2, "the secret key and a signing key");
    secrets
}

#[tokio::test(flavor = "multi_thread")]
async fn a_backup_made_amid_moves_is_restored_audited_and_served_and_holds_no_key() {
    let server = blocking(Server::start).await;
    let players = Players::begin(&server, 3).await;
    players.goes_on(20).await;
    let inside = run(&server, &["backup", BACKUPS, "--keys", "backups/keys.json"]).await;
    assert!(!inside.status.success() && said(&inside).contains("do not belong"), "{}", said(&inside));
    let made = well(&run(&server, &["backup", BACKUPS, "--keys", KEYS]).await);
    assert!(made.contains(" games, newest move at ") && made.contains("keep it elsewhere"), "{made}");
    let copied_games = games(&made, 3);
    players.goes_on(20).await;
    let played = players.end().await;

    let folder = server.folder.path();
    let mode = fs::metadata(folder.join(KEYS)).expect("a file").permissions().mode();
    assert_eq!(mode & 0o777, 0o600);
    let mut copied = Vec::new();
    files(&folder.join(BACKUPS), &mut copied);
    for secret in secrets(&server) {
        let with = copied.iter().find(|(_, bytes)| holds(bytes, secret.as_bytes()));
        assert!(with.is_none(), "a key is in {:?}", with.map(|(path, _)| path));
        if let Ok(raw) = hex::decode(&secret) {
            assert!(!copied.iter().any(|(_, bytes)| holds(bytes, &raw)), "the secret key as bytes");
        }
    }

    // The server runs on meanwhile.
    let restored = well(&run(&server, &["restore", BACKUPS, "--data-dir", "again", "--keys", KEYS]).await);
    assert!(restored.contains(" games, newest move at "), "{restored}");
    games(&restored, copied_games);
    let audited = well(&run(&server, &["audit", "--data-dir", "again"]).await);
    assert!(audited.contains(" 0 findings, 0 of them rebuilt.\n"), "{audited}");
    let keyless = run(&server, &["restore", BACKUPS, "--data-dir", "none", "--keys", "none.json"]).await;
    assert!(!keyless.status.success() && said(&keyless).contains("none.json"), "{}", said(&keyless));
    assert!(!folder.join("none/pg").exists(), "it is refused before anything is restored");
    let taken = run(&server, &["restore", BACKUPS, "--data-dir", "again"]).await;
    assert!(!taken.status.success() && said(&taken).contains("holds a database already"), "{}", said(&taken));

    // Without the keys nothing of it is of use.
    well(&run(&server, &["restore", BACKUPS, "--data-dir", "keyless"]).await);
    let keyless = run(&server, &["audit", "--data-dir", "keyless"]).await;
    assert_eq!(keyless.status.code(), Some(2), "{}", said(&keyless));

    let again = serve(&folder.join("again"), server.url()).await;
    for one in played {
        let view = one.players[0].at(&again.url()).get(&one.first_game).await.ok();
        assert!(view["status"] == "running" || view["status"] == "finished", "{view}");
        assert!(view["seq"].as_u64() > Some(0), "{view}");
    }
}
