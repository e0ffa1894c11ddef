//! A worker that is stopped at any of its statements, as by a crash: whoever goes on after it begins no game twice and leaves none out.

use std::collections::BTreeMap;
use std::task::Poll;

use serde_json::{Value, json};
use support::samples::samples;
use support::waiting::until;
use support::{Client, TestApp};

use super::{step, text, wish};

/// More often than any step of these tests waits for the database.
const MAX_WAITS: usize = 400;

/// Runs a future until it has waited so often, and drops it then, with all that it holds: what it has sent may still be done, but
/// nobody hears of it. Whether it was done before.
async fn cut(future: impl Future<Output = ()>, waits: usize) -> bool {
    let (mut future, mut left) = (Box::pin(future), waits);
    std::future::poll_fn(|context| match future.as_mut().poll(context) {
        Poll::Ready(()) => Poll::Ready(true),
        Poll::Pending if left == 0 => Poll::Ready(false),
        Poll::Pending => {
            left -= 1;
            Poll::Pending
        }
    })
    .await
}

/// A worker does all that is due, until it is stopped after so many waits; then another one does the rest. Whether it was stopped.
async fn step_cut(app: &TestApp, waits: usize) -> bool {
    let was_stopped = !cut(step(app), waits).await;
    // What the database still does for the first one is done, or taken back, before locks are free: the pool closes what was left in
    // a transaction when it is asked for a connection.
    let others = "select count(*) as number from pg_stat_activity \
                  where datname = current_database() and pid <> pg_backend_pid() and xact_start is not null";
    until("the end of all transactions", async || {
        app.app.database.ping().await.expect("an answer");
        app.db_count(others).await == 0
    })
    .await;
    step(app).await;
    was_stopped
}

struct Field {
    app: TestApp,
    players: BTreeMap<String, Client>,
}

impl Field {
    async fn new() -> Self {
        let app = TestApp::start().await;
        let mut players = BTreeMap::new();
        for handle in ["ann", "bob", "carol", "dora"] {
            players.insert(handle.to_owned(), app.player(handle).await.unchecked());
        }
        Self { app, players }
    }

    /// A tournament that all four have entered, as its path. Nothing is paired yet.
    async fn tournament(&self, wanted: &Value) -> String {
        let created = self.players["ann"].post("/api/v1/tournaments", wanted).await.expect_status(201).json();
        let path = format!("/api/v1/tournaments/{}", text(&created["id"]));
        for player in self.players.values() {
            player.post(&format!("{path}/enter"), &json!({})).await.expect_status(204);
        }
        path
    }

    async fn table(&self, path: &str) -> Value {
        self.app.stranger().unchecked().get(path).await.ok()
    }

    /// Ends all games of the newest round.
    async fn resign(&self, path: &str) {
        for pairing in self.table(path).await["pairings"].as_array().expect("a list") {
            let loser = &self.players[text(&pairing["second"])];
            let game = format!("/api/v1/games/{}/resign", text(&pairing["game"]));
            loser.post(&game, &json!({})).await.ok();
        }
    }

    /// Every pairing has its game, which runs, and there is no other game; both players of each were told once.
    async fn check(&self, path: &str, (round, games): (u64, usize)) {
        let table = self.table(path).await;
        let pairings = table["pairings"].as_array().expect("a list");
        assert_eq!((&table["tournament"]["round"], pairings.len()), (&json!(round), games), "{table}");
        for pairing in pairings {
            let game = self.table(&format!("/api/v1/games/{}", text(&pairing["game"]))).await;
            assert_eq!(game["status"], "running", "{pairing}");
        }
        let count =
            async |query: &str| self.app.db_count(&format!("select count(*) as number from {query}")).await;
        let paired = count("tournament_pairings where game_id is not null").await;
        assert_eq!(count("games").await, paired);
        assert_eq!(count("games g join tournament_pairings p on p.game_id = g.id").await, paired);
        assert_eq!(count("game_players").await, 2 * paired);
        let twice = "(select 1 from notices where game_id is not null group by game_id, player_id, kind, seq having count(*) > 1) n";
        assert_eq!(count(twice).await, 0);
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_round_is_paired_begun_and_settled_once_wherever_the_worker_is_stopped() {
    let field = Field::new().await;
    let wanted = wish("knock_out", 4);
    for waits in (0..MAX_WAITS).step_by(samples(3, 1)) {
        let path = field.tournament(&wanted).await;
        let mut was_stopped = step_cut(&field.app, waits).await;
        field.check(&path, (1, 2)).await;
        field.resign(&path).await;
        was_stopped |= step_cut(&field.app, waits + 1).await;
        field.check(&path, (2, 1)).await;
        field.resign(&path).await;
        was_stopped |= step_cut(&field.app, waits + 2).await;
        let table = field.table(&path).await;
        assert_eq!(table["tournament"]["status"], "finished");
        let rows = table["standings"].as_array().expect("a list");
        let points: Vec<&Value> = rows.iter().map(|row| &row["points"]).collect();
        assert_eq!(points, [2.0, 1.0, 0.0, 0.0], "every game counts once");
        let feed = field.table(&format!("{path}/feed")).await;
        let told =
            feed["entries"].as_array().expect("entries").iter().map(|entry| text(&entry["event"]["type"]));
        let once = ["started", "round_began", "round_ended", "round_began", "round_ended", "finished"];
        assert_eq!(told.collect::<Vec<_>>(), once, "each event is told once");
        if !was_stopped {
            assert!(waits > 20, "{waits} waits are few for so many statements");
            return;
        }
    }
    panic!("a step never ends");
}

#[tokio::test(flavor = "multi_thread")]
async fn one_season_follows_on_another_wherever_the_worker_is_stopped() {
    let field = Field::new().await;
    let mut wanted = wish("league", 4);
    wanted["league"] = json!({"division_size": 4, "promoted": 1});
    for waits in (0..MAX_WAITS).step_by(samples(2, 1)) {
        let path = field.tournament(&wanted).await;
        for _ in 0..2 {
            step(&field.app).await;
            field.resign(&path).await;
        }
        step(&field.app).await;
        field.resign(&path).await;
        let was_stopped = step_cut(&field.app, waits).await;
        let one = field.table(&path).await["tournament"].clone();
        assert_eq!(one["status"], "finished");
        let next = format!("/api/v1/tournaments/{}", text(&one["league"]["next"]));
        let table = field.table(&next).await;
        assert_eq!(
            (&table["tournament"]["status"], &table["tournament"]["players"]),
            (&json!("open"), &json!(4))
        );
        let follow =
            format!("select count(*) as number from tournaments where previous_id = '{}'", text(&one["id"]));
        assert_eq!(field.app.db_count(&follow).await, 1);
        field.players["ann"].post(&format!("{next}/cancel"), &json!({})).await.expect_status(204);
        if !was_stopped {
            assert!(waits > 10, "{waits} waits are few for so many statements");
            return;
        }
    }
    panic!("a step never ends");
}
