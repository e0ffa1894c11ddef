//! A node is lost, and comes back.

use crate::interrupted::{Interrupted, go_on};
use crate::playing::is_refused;

#[tokio::test(flavor = "multi_thread")]
async fn a_killed_worker_stops_its_games_alone_and_they_go_on_when_it_is_back() {
    let mut games = Interrupted::begin().await;
    games.cluster.kill_node(games.node);

    let there = &games.there[0];
    let refused = there.to_act().get(&format!("{}/actions", there.path())).await;
    assert!(is_refused(&refused), "{}", refused.text());
    let crowd = games.crowd();
    go_on(&mut games.elsewhere).await;
    crowd.end();

    games.cluster.start_node(games.node);
    games.end().await;
}
