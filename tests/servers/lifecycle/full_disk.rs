//! A full disk: moves are answered with a request to retry, and continue once there is space again. Runs as root, on a small
//! file system of its own.

use std::fs;
use std::io::Write;
use std::path::Path;
use std::process::Command;

use super::players::{Match, Tried};
use super::{blocking, until};
use support::Client;
use support::process::Server;
use support::skipped::skipped;

/// The space for a new cluster and a little more.
const SIZE_MIB: u32 = 200;

/// A file system in memory, unmounted on drop.
struct SmallDisk(std::path::PathBuf);

impl SmallDisk {
    fn mount(at: &Path) -> Option<Self> {
        let options = format!("size={SIZE_MIB}m,mode=0711");
        let mounted =
            Command::new("mount").args(["-t", "tmpfs", "-o", &options, "pippost-test"]).arg(at).output();
        mounted.is_ok_and(|done| done.status.success()).then(|| Self(at.to_owned()))
    }
}

impl Drop for SmallDisk {
    fn drop(&mut self) {
        // Processes that still use it keep it until they end.
        let _ = Command::new("umount").arg("--lazy").arg(&self.0).status();
    }
}

/// Fills all free space.
fn fill(file: &Path) {
    let mut filler = fs::File::create(file).expect("a file");
    let block = vec![1; 1 << 16];
    while filler.write_all(&block).is_ok() {}
    while filler.write_all(&[1]).is_ok() {}
}

#[tokio::test(flavor = "multi_thread")]
async fn a_server_with_a_full_disk_goes_on_once_there_is_room_and_has_lost_nothing() {
    let folder = tempfile::Builder::new().prefix("pippost").tempdir_in("/var/tmp").expect("a folder");
    let Some(disk) = SmallDisk::mount(folder.path()) else {
        skipped("a full disk", "a small file system cannot be mounted here");
        return;
    };
    let data = folder.path().join("data");
    let mut server = blocking({
        let data = data.to_str().expect("text").to_owned();
        move || Server::start_with(&["--data-dir", &data])
    })
    .await;
    let stranger = Client::new(&server.url(), None);
    let mut playing = Match::begin(&server, "match").await;
    assert!(matches!(playing.try_move().await, Tried::Moved));

    let filler = folder.path().join("filler");
    let filled = filler.clone();
    blocking(move || fill(&filled)).await;
    // PostgreSQL continues until it needs a new segment of its write-ahead log.
    let mut behind = {
        use pippost::store::{Address, database, embedded::EmbeddedSettings};
        let url = EmbeddedSettings::in_folder(&data).url_of_running().expect("a database");
        database::open(&Address::parse(&url, None).expect("an address")).await.expect("a connection")
    };
    {
        use diesel_async::SimpleAsyncConnection;
        let fills = "create table if not exists filler (t text); \
            insert into filler select repeat(md5(random()::text), 200) from generate_series(1, 2000)";
        let mut room = true;
        while room {
            room = behind.batch_execute(fills).await.is_ok();
        }
    }
    drop(behind);
    let mut doctor =
        server.command(&["doctor", "--log", "error", "--data-dir", data.to_str().expect("text")]);
    let looked = blocking(move || doctor.output().expect("the program")).await;
    let said = String::from_utf8_lossy(&looked.stdout);
    assert!(said.starts_with("the disk fills: 0 of 100 parts of the disk of "), "{looked:?}");
    fs::remove_file(&filler).expect("room again");
    until("readiness", async || stranger.get("/readyz").await.status == 200).await;
    for _ in 0..10 {
        assert!(matches!(playing.try_move().await, Tried::Moved));
    }
    playing.check_record().await;
    blocking(move || server.stop()).await;
    drop(disk);
}
