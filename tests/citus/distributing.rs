//! A plain database with games becomes a distributed one, and its games go on. Finished ones leave it before and after.

use std::sync::Arc;

use pippost::accounts::AccountLimits;
use pippost::app::{App, Parts};
use pippost::archive::{Access, Archive};
use pippost::clock::Clock;
use pippost::games::{Tuning, archiving};
use pippost::keys::{SecretKey, SigningKeys};
use pippost::store::Address;

use crate::cluster::{Cluster, Server};
use crate::playing::{self, Game};

/// Moves the history of a finished game to the archive, as a worker does with those that ended long ago.
async fn archive(cluster: &Cluster, game: &Game) {
    let (keys, place) = (cluster.folder().join("keys"), cluster.archive().parse().expect("a place"));
    let parts = Parts {
        address: Arc::new(Address::parse(&cluster.url(), None).expect("an address")),
        replica: None,
        archive: Some(Arc::new(Archive::open(&place, Access::default()).expect("an archive"))),
        connections: 4,
        tuning: Tuning { cache_bytes: 1 << 20, writers: 1 },
        clock: Clock::System,
        secret: Arc::new(SecretKey::in_folder(&keys).expect("the secret key")),
        signing: Arc::new(SigningKeys::in_folder(&keys).expect("a signing key")),
        public_url: "http://localhost".to_owned(),
        account_limits: AccountLimits::generous(),
        beacon: None,
    };
    let app = App::build(parts).await.expect("a server");
    let id = game.id.parse().expect("an id");
    assert!(archiving::archive_game(&app.games, id).await.expect("a move"), "{id} is moved");
    app.database.close();
    assert_eq!(rows(cluster, game).await, [0, 1]);
}

/// Events of a game in the database, and entries of it in the archive.
async fn rows(cluster: &Cluster, game: &Game) -> [i64; 2] {
    let mut counts = [0; 2];
    for (count, table) in counts.iter_mut().zip(["events", "archived_games"]) {
        let query = format!("select count(*) as number from {table} where game_id = '{}'", game.id);
        *count = cluster.number(&query).await;
    }
    counts
}

#[tokio::test(flavor = "multi_thread")]
async fn a_database_with_games_is_distributed_and_finished_games_leave_it_before_and_after() {
    let mut cluster = Cluster::plain(2, "").await;
    let server = Server::start(&cluster, "server");
    let players = [playing::register(&server, "ann").await, playing::register(&server, "bob").await];
    let mut ended = playing::play_all(playing::start_all(&players, 0..3).await).await;
    let mut running = playing::start_all(&players, 3..9).await;
    for game in &mut running {
        game.play_move().await;
    }
    drop(server);
    archive(&cluster, &ended[0]).await;
    cluster.audit();

    cluster.distribute();
    cluster.audit();
    for port in &cluster.ports {
        let settings = "select setconfig::text as line from pg_db_role_setting join pg_database d on d.oid = setdatabase \
                        where datname = current_database()";
        assert_eq!(cluster.line_on(*port, settings).await, "{jit=off}", "on {port}");
    }
    archive(&cluster, &ended[1]).await;
    let nodes = cluster.ports[1..].to_vec();
    let mut used = Vec::new();
    for game in running.iter().chain(&ended) {
        used.push(cluster.node_of(&game.id).await);
    }
    assert!(nodes.iter().all(|node| used.contains(node)), "games are on {used:?} of {nodes:?}");

    // Entries of the archive move to another node with what else is in their shards.
    let added = cluster.new_node().await;
    cluster.add_node(added).await;
    let drained = cluster.node_of(&ended[0].id).await;
    cluster.sql(&format!("select citus_drain_node('127.0.0.1', {drained})")).await;
    assert_eq!((cluster.shards_on(drained).await, rows(&cluster, &ended[0]).await), (0, [0, 1]));
    cluster.audit();

    let server = Server::start(&cluster, "server");
    for game in running.iter_mut().chain(&mut ended) {
        game.see_at(&server).await;
    }
    ended.extend(playing::play_all(running).await);
    for game in &ended {
        game.verify().await;
    }
    drop(server);
    cluster.audit();

    // What left the plain database comes back into the distributed one.
    let back = cluster.run(&["archive", "--restore-all"]);
    assert!(back.status.success(), "{back:?}");
    for game in &ended[..2] {
        let [events, entries] = rows(&cluster, game).await;
        assert!(events > 0 && entries == 0, "{events} events, {entries} entries");
    }
    cluster.audit();
    let server = Server::start(&cluster, "server");
    for game in &mut ended {
        game.see_at(&server).await;
        game.verify().await;
    }
}
