//! kill -9 of the server while requests are in flight.

use super::blocking;
use super::players::Players;
use support::process::Server;

#[tokio::test(flavor = "multi_thread")]
async fn of_a_server_that_is_killed_amid_moves_every_answered_one_is_there_and_at_most_the_last_besides() {
    let mut server = blocking(Server::start).await;
    let mut players = Players::begin(&server, 3).await;
    for _ in 0..3 {
        players.goes_on(20).await;
        // The players continue meanwhile and notice that the server is gone.
        server = blocking(|| server.kill_and_start_again()).await;
        players.goes_on(1).await;
        players = Players::of(players.end().await);
    }
    for mut played in players.end().await {
        assert!(played.look().await.is_some());
        played.check_record().await;
    }
    let audit = server.command(&["audit"]).output().expect("an exit");
    assert!(audit.status.success(), "{}", String::from_utf8_lossy(&audit.stdout));
    blocking(move || server.stop()).await;
}
