//! Backups of a database whose finished games are in the archive.

use std::fs;
use std::path::PathBuf;
use std::sync::Arc;

use pippost::accounts::AccountLimits;
use pippost::app::{App, Parts};
use pippost::archive::{Access, Archive};
use pippost::clock::Clock;
use pippost::games::{Tuning, archiving};
use pippost::keys::{SecretKey, SigningKeys};
use pippost::store::Address;
use pippost::store::embedded::EmbeddedSettings;

use super::{BACKUPS, KEYS, begin, blocking, files, run, said, well};
use support::Client;
use support::games::play_to_the_end;
use support::process::Server;

/// Archives a finished game of a server, as its worker would do after days.
async fn archive(server: &Server, game: &str, place: &str) {
    let keys = server.data_dir().join("keys");
    let url = EmbeddedSettings::in_folder(server.data_dir()).url_of_running().expect("a database");
    let archive = Archive::open(&place.parse().expect("a place"), Access::default()).expect("an archive");
    let parts = Parts {
        address: Arc::new(Address::parse(&url, None).expect("an address")),
        replica: None,
        archive: Some(Arc::new(archive)),
        connections: 4,
        tuning: Tuning { cache_bytes: 1 << 20, writers: 1 },
        clock: Clock::System,
        secret: Arc::new(SecretKey::in_folder(&keys).expect("the secret key")),
        signing: Arc::new(SigningKeys::in_folder(&keys).expect("the signing keys")),
        public_url: server.url(),
        account_limits: AccountLimits::default(),
        beacon: None,
    };
    let app = App::build(parts).await.expect("a second process");
    let id = game.rsplit('/').next().and_then(|id| id.parse().ok()).expect("an id");
    assert!(archiving::archive_game(&app.games, id).await.expect("an archived game"));
    app.database.close();
}

/// Copies the one object of an archive to another one, if it is the one that the backup lists.
fn copy_listed(server: &Server, archive: &str, to: &str, game: &str) {
    let folder = server.folder.path();
    let (mut backup, mut objects) = (Vec::new(), Vec::new());
    files(&folder.join(BACKUPS), &mut backup);
    files(&folder.join(archive), &mut objects);
    let (_, listed) = backup.iter().find(|(path, _)| path.ends_with("objects.txt")).expect("a list");
    let listed = String::from_utf8(listed.clone()).expect("text");
    let fields: Vec<&str> = listed.split_whitespace().collect();
    let [(path, bytes)] = objects.as_slice() else { panic!("one object: {listed}") };
    assert!(path.display().to_string().contains(fields[0]), "{listed}: {}", path.display());
    assert_eq!((fields[1].parse(), Some(fields[2])), (Ok(bytes.len()), game.rsplit('/').next()));
    let copy: PathBuf =
        folder.join(to).join(path.strip_prefix(folder.join(archive)).expect("of the archive"));
    fs::create_dir_all(copy.parent().expect("a folder")).expect("makes");
    fs::write(&copy, bytes).expect("writes");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_backup_names_its_objects_of_the_archive_and_with_copies_of_them_the_restored_is_audited_and_served()
 {
    let server = blocking(Server::start).await;
    let (game, players) = begin(&server).await;
    play_to_the_end(&game, &players).await;
    let record = format!("{game}/record");
    let played = players[0].get(&record).await.expect_status(200).body.clone();
    let folder = server.folder.path().to_owned();
    for name in ["archive", "empty"] {
        fs::create_dir(folder.join(name)).expect("makes");
    }
    let place = |name: &str| format!("file:{}", folder.join(name).display());
    archive(&server, &game, &place("archive")).await;
    let backup = ["backup", BACKUPS, "--archive", &place("archive"), "--keys", KEYS];
    let made = well(&run(&server, &backup).await);
    assert!(made.contains(&format!("archive: 1 objects in {}", place("archive"))), "{made}");

    // On another machine, to which only the listed objects were copied; and on one without them.
    copy_listed(&server, "archive", "copies", &game);
    well(&run(&server, &["restore", BACKUPS, "--data-dir", "again", "--keys", KEYS]).await);
    for (name, status, findings) in [("copies", 200, 0), ("empty", 503, 1)] {
        let place = place(name);
        let audited = run(&server, &["audit", "--data-dir", "again", "--archive", &place]).await;
        let is_whole = audited.status.success();
        assert_eq!(is_whole, findings == 0, "{name}: {}", said(&audited));
        let told = String::from_utf8_lossy(&audited.stdout);
        let counted = format!(" {findings} findings, 0 of them rebuilt.\n");
        assert!(told.ends_with(&counted) && told.lines().count() == 1 + findings, "{name}: {told}");
        let (data_dir, url) = (folder.join("again").display().to_string(), server.url());
        let arguments = ["--archive", &place, "--data-dir", &data_dir, "--public-url", &url];
        let arguments = arguments.map(str::to_owned);
        let start = move || Server::start_bare(&arguments.each_ref().map(String::as_str));
        let mut again = blocking(start).await;
        let stranger = Client::new(&again.url(), None);
        let answer = stranger.get(&record).await;
        let is_same = answer.expect_status(status).status != 200 || answer.body == played;
        assert!(is_same, "{name}: another record");
        assert_eq!(stranger.get(&game).await.ok()["status"], "finished", "{name}");
        blocking(move || again.stop()).await;
    }
}
