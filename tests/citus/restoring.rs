//! All nodes are lost, and restored at other addresses from base backups and archived WAL as of one point in time.

use std::fs;
use std::time::{Duration, Instant};

use support::port::free_port;

use crate::cluster::{Cluster, Server, succeed};
use crate::playing::{self, Game};

/// The name of the point in time.
const POINT: &str = "before_the_loss";

/// Each node archives its WAL in a folder beside its own.
const ARCHIVING: &str = "archive_mode = on\narchive_command = 'mkdir -p $PWD-wal && cp %p $PWD-wal/%f'\n";

/// How long a node may take to archive a file or to recover.
const NODE_TIMEOUT: Duration = Duration::from_secs(30);

/// Waits until something that a node tells nobody has happened.
async fn until<F: Future<Output = bool>>(what: &str, happened: impl Fn() -> F) {
    let begun = Instant::now();
    while !happened().await {
        assert!(begun.elapsed() < NODE_TIMEOUT, "{what}");
        tokio::task::yield_now().await;
    }
}

/// Makes a base backup of each node, one after the other.
fn back_up(cluster: &Cluster) {
    for port in &cluster.ports {
        let mut backup = cluster.program("pg_basebackup");
        backup.args(["-h", "127.0.0.1", "-U", "postgres", "-c", "fast", "-p", &port.to_string(), "-D"]);
        succeed(backup.arg(cluster.folder().join(format!("{port}-backup"))));
    }
}

/// Names the point on all nodes at once, and waits until the archives reach beyond it.
async fn name_the_point(cluster: &Cluster) {
    cluster.sql(&format!("select citus_create_restore_point('{POINT}')")).await;
    for port in &cluster.ports {
        let file = cluster.line_on(*port, "select pg_walfile_name(pg_switch_wal()) as line").await;
        let archived = cluster.folder().join(format!("{port}-wal")).join(file);
        until("the WAL is archived", || std::future::ready(archived.exists())).await;
    }
}

/// Puts the backups in the place of what was lost, on other ports, as if on other machines.
async fn restore(cluster: &mut Cluster) {
    let lost = cluster.ports.clone();
    for port in &lost {
        cluster.kill_node(*port);
        fs::remove_dir_all(cluster.data(*port)).expect("the lost data");
    }
    cluster.ports = lost.iter().map(|_| free_port()).collect();
    let cluster = &*cluster;
    for (port, lost) in cluster.ports.iter().zip(&lost) {
        put_back(cluster, *port, *lost);
    }
    for port in &cluster.ports {
        let recovered = || async move {
            cluster.line_on(*port, "select pg_is_in_recovery()::text as line").await == "false"
        };
        until("the node has recovered", recovered).await;
    }
    tell_where_nodes_are(cluster, &lost).await;
    cluster.sql("select recover_prepared_transactions()").await;
}

/// Starts a node from the backup of one that is lost, and from what that had archived.
fn put_back(cluster: &Cluster, port: u16, lost: u16) {
    let (data, folder) = (cluster.data(port), cluster.folder());
    fs::rename(folder.join(format!("{lost}-backup")), &data).expect("a backup");
    let archive = folder.join(format!("{lost}-wal"));
    let settings = format!(
        "port = {port}\nrestore_command = 'cp {}/%f %p'\nrecovery_target_name = '{POINT}'\n\
         recovery_target_action = 'promote'\n",
        archive.display()
    );
    cluster.configure(port, &settings);
    let mut signal = cluster.program("/usr/bin/touch");
    succeed(signal.arg(data.join("recovery.signal")));
    cluster.start_node(port);
}

/// Tells all nodes where the others are now, as docs/SCALING.md says.
async fn tell_where_nodes_are(cluster: &Cluster, lost: &[u16]) {
    for (port, lost) in cluster.ports.iter().zip(lost).skip(1) {
        let update = "select citus_update_node(nodeid, '127.0.0.1'";
        cluster.sql(&format!("{update}, {port}) from pg_dist_node where nodeport = {lost}")).await;
    }
    cluster.sql("select start_metadata_sync_to_all_nodes()").await;
    cluster.sql(&format!("select citus_set_coordinator_host('127.0.0.1', {})", cluster.ports[0])).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_cluster_is_restored_elsewhere_to_one_point_from_backups_made_while_games_were_played() {
    let mut cluster = Cluster::start(2, ARCHIVING).await;
    let server = Server::start(&cluster, "server");
    let players = [playing::register(&server, "ann").await, playing::register(&server, "bob").await];
    let mut quiet = playing::start_all(&players, 0..6).await;
    let running = playing::start_all(&players, 10..18).await;
    let running = tokio::spawn(playing::play_all(running));
    back_up(&cluster);
    for game in &mut quiet {
        game.play_move().await;
    }
    let restored: Vec<u64> = quiet.iter().map(Game::seq).collect();
    name_the_point(&cluster).await;
    // What comes after the point is lost.
    for game in &mut quiet {
        game.play_move().await;
    }
    let mut games = running.await.expect("games that end");
    drop(server);
    restore(&mut cluster).await;

    cluster.audit();
    let server = Server::start(&cluster, "server");
    for (game, restored) in quiet.iter_mut().zip(restored) {
        game.see_at(&server).await;
        assert_eq!(game.seq(), restored, "{} is as it was at the point", game.id);
    }
    for game in &mut games {
        game.see_at(&server).await;
    }
    games.extend(quiet);
    for game in playing::play_all(games).await {
        game.verify().await;
    }
    drop(server);
    cluster.audit();
}
