//! The database's answer about a move is lost, or the writer panics, or a key is used twice: every move is made once, and its
//! player is told so.

use diesel_async::{AsyncPgConnection, SimpleAsyncConnection};
use pippost::commit::PANIC_AT;
use pippost::record::verify;
use reqwest::Method;
use serde_json::{Value, json};
use tokio::task::JoinHandle;

use support::client::{Answer, Client};
use support::proxy::{Loss, Proxy};
use support::waiting::until;
use support::{TestApp, cluster};

/// The beginning of every event that a player makes; nothing else that is sent to the database contains it.
const EVENT: &[u8] = br#"{"action":{""#;

/// A running game with two players of its own.
struct Play {
    id: String,
    path: String,
    players: [Client; 2],
}

impl Play {
    async fn begin(app: &TestApp, name: &str) -> Self {
        let players = [app.player(&format!("{name}a")).await, app.player(&format!("{name}b")).await];
        Self::between(players).await
    }

    async fn between(players: [Client; 2]) -> Self {
        let new = json!({"rules": "pip-pip", "seating": "joined"});
        let created = players[0].post("/api/v1/games", &new).await.expect_status(201).json();
        let id = created["id"].as_str().expect("an id").to_owned();
        let path = format!("/api/v1/games/{id}");
        players[1].post(&format!("{path}/join"), &json!({})).await.expect_status(200);
        Self { id, path, players }
    }

    async fn seq(&self) -> u64 {
        self.players[0].get(&self.path).await.ok()["seq"].as_u64().expect("a number")
    }

    async fn db_seq(&self, app: &TestApp) -> i64 {
        use diesel::prelude::*;
        use diesel_async::RunQueryDsl;
        use pippost::store::schema::events;
        let game_id: uuid::Uuid = self.id.parse().expect("an id");
        let newest = events::table.filter(events::game_id.eq(game_id)).select(diesel::dsl::max(events::seq));
        let newest: Option<i64> = newest.first(&mut app.db_superuser().await).await.expect("a row");
        newest.expect("an event")
    }

    /// Starts the next move: the last of the legal actions.
    async fn moving(&self, key: Option<&'static str>) -> JoinHandle<Answer> {
        let view = self.players[0].get(&self.path).await.ok();
        let seat = usize::try_from(view["to_act"].as_u64().expect("a seat")).expect("a seat");
        let player = self.players[seat].clone();
        let legal = player.get(&format!("{}/actions", self.path)).await.ok();
        let action = legal["actions"].as_array().expect("a list").last().expect("some").clone();
        let (path, body) = (format!("{}/moves", self.path), json!({"actions": [action]}).to_string());
        let headers: Vec<_> = key.into_iter().map(|key| ("idempotency-key", key)).collect();
        tokio::spawn(async move { player.send(Method::POST, &path, Some(body), &headers).await })
    }

    async fn check_record(&self) {
        let record = self.players[0].get(&format!("{}/record", self.path)).await;
        verify(&record.expect_status(200).body).expect("a good record");
    }

    /// Makes moves of this game wait in the database until the connection rolls back.
    async fn db_hold(&self, app: &TestApp) -> AsyncPgConnection {
        let mut connection = app.db_superuser().await;
        let hold = format!("begin; select from game_states where game_id = '{}' for update", self.id);
        connection.batch_execute(&hold).await.expect("a lock");
        connection
    }
}

/// The number of statements that wait for a lock.
async fn db_waiting(app: &TestApp) -> i64 {
    use diesel::prelude::*;
    use diesel::sql_types::BigInt;
    use diesel_async::RunQueryDsl;
    #[derive(QueryableByName)]
    struct Row {
        #[diesel(sql_type = BigInt)]
        waiting: i64,
    }
    let waiting = format!("select count(*) as waiting from {}", cluster::waiting_statements());
    let row: Row = diesel::sql_query(waiting).get_result(&mut app.db_superuser().await).await.expect("a row");
    row.waiting
}

/// A server whose connection to its database goes through a proxy that can lose data.
async fn by_a_bad_way() -> (TestApp, Proxy) {
    let database = cluster::new_database().await;
    let address = cluster::address(&database);
    let proxy = Proxy::to(&address).await;
    (TestApp::by(proxy.address(&address), database).await, proxy)
}

#[tokio::test(flavor = "multi_thread")]
async fn a_move_whose_answer_was_lost_is_answered_as_made_and_made_once() {
    let (app, proxy) = by_a_bad_way().await;
    let play = Play::begin(&app, "lost").await;
    for _ in 0..3 {
        let before = play.seq().await;
        proxy.lose(Loss::Answer, EVENT);
        let moving = play.moving(None).await;
        until("the loss", async || proxy.has_struck()).await;
        until("the commit", async || u64::try_from(play.db_seq(&app).await) == Ok(before + 1)).await;
        proxy.cut();
        let moved = moving.await.expect("an answer").ok();
        assert_eq!(moved["game"]["seq"], before + 1);
        let receipt = moved["receipts"][0].as_str().expect("a receipt");
        let kept = app.stranger().post("/api/v1/receipts", &json!({"receipt": receipt})).await.ok();
        assert_eq!(kept["verdict"], "kept", "{kept}");
        assert_eq!(play.seq().await, before + 1);
    }
    play.check_record().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_move_whose_statement_was_lost_on_its_way_is_decided_again_and_made_once() {
    let (app, proxy) = by_a_bad_way().await;
    let play = Play::begin(&app, "never").await;
    for _ in 0..3 {
        let before = play.seq().await;
        proxy.lose(Loss::Request, EVENT);
        let moved = play.moving(None).await.await.expect("an answer").ok();
        assert!(proxy.has_struck());
        assert_eq!(moved["game"]["seq"], before + 1);
        assert_eq!(play.seq().await, before + 1);
    }
    play.check_record().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn of_moves_that_are_written_together_none_is_made_twice_when_the_answer_is_lost() {
    let (app, proxy) = by_a_bad_way().await;
    let mut plays = Vec::new();
    for number in 0..5 {
        plays.push(Play::begin(&app, &format!("game{number}")).await);
    }
    let [alone, first, rest @ ..] = plays.as_slice() else { unreachable!() };
    // The first move stays in flight and the second keeps the writer busy, so the others are grouped.
    let mut in_flight = alone.db_hold(&app).await;
    let mut moving = vec![alone.moving(None).await];
    until("a move in flight", async || db_waiting(&app).await == 1).await;
    let mut busy = first.db_hold(&app).await;
    moving.push(first.moving(None).await);
    until("a busy writer", async || db_waiting(&app).await == 2).await;
    proxy.lose(Loss::Answer, EVENT);
    for play in rest {
        moving.push(play.moving(None).await);
    }
    until("the loss", async || proxy.has_struck()).await;
    in_flight.batch_execute("rollback").await.expect("the lock goes");
    busy.batch_execute("rollback").await.expect("the lock goes");
    for play in &plays[..2] {
        until("the commit", async || play.db_seq(&app).await == 1).await;
    }
    proxy.cut();
    for answer in moving {
        assert_eq!(answer.await.expect("an answer").ok()["game"]["seq"], 1);
    }
    for play in &plays {
        assert_eq!(play.seq().await, 1);
        play.check_record().await;
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_writer_that_panics_loses_no_move_and_goes_on() {
    let app = TestApp::start().await;
    let (held, struck) = (Play::begin(&app, "held").await, Play::begin(&app, "struck").await);
    *PANIC_AT.lock().expect("a fault") = Some(struck.id.parse().expect("an id"));
    for round in 1..=3 {
        // While one move is in flight, the next goes to the writer.
        let mut in_flight = held.db_hold(&app).await;
        let waiting = held.moving(None).await;
        until("a move in flight", async || db_waiting(&app).await == 1).await;
        let moved = struck.moving(None).await.await.expect("an answer").ok();
        assert_eq!(moved["game"]["seq"], round);
        assert_eq!(*PANIC_AT.lock().expect("a fault"), None, "it has panicked");
        in_flight.batch_execute("rollback").await.expect("the lock goes");
        waiting.await.expect("an answer").ok();
    }
    assert_eq!((held.seq().await, struck.seq().await), (3, 3));
    struck.check_record().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_key_that_another_process_is_just_using_is_refused_whether_the_move_is_alone_or_grouped() {
    let app = TestApp::start().await;
    let (play, neighbour) = (Play::begin(&app, "play").await, Play::begin(&app, "neighbour").await);
    let held = Play::begin(&app, "held").await;
    for grouped in [false, true] {
        let mut in_flight = held.db_hold(&app).await;
        let waiting = if grouped { Some(held.moving(None).await) } else { None };
        let others = i64::from(grouped);
        until("a move in flight", async || db_waiting(&app).await == others).await;
        let key = if grouped { "together" } else { "alone" };
        let mut elsewhere = app.db_superuser().await;
        let player = player_to_act(&play).await;
        let (keys, of_game) = if cluster::is_citus() {
            ("move_keys (game_id, ", format!("'{}', ", play.id))
        } else {
            ("idempotency_keys (", String::new())
        };
        let use_key = format!(
            "begin; insert into {keys}player_id, key, fingerprint, answer, created_at) \
             values ({of_game}'{player}', '{key}', 'another request', '{{}}', now())"
        );
        elsewhere.batch_execute(&use_key).await.expect("a key");
        let moving = play.moving(Some(key)).await;
        until("the move", async || db_waiting(&app).await == others + 1).await;
        let neighbours = neighbour.moving(None).await;
        elsewhere.batch_execute("commit").await.expect("a commit");
        moving.await.expect("an answer").problem(409, "idempotency_key_reused");
        neighbours.await.expect("an answer").ok();
        in_flight.batch_execute("rollback").await.expect("the lock goes");
        if let Some(waiting) = waiting {
            waiting.await.expect("an answer").ok();
        }
    }
    assert_eq!((play.seq().await, neighbour.seq().await), (0, 2));
}

#[tokio::test(flavor = "multi_thread")]
async fn a_key_that_is_used_for_two_games_at_once_makes_one_move_and_refuses_the_other() {
    if cluster::plain_only("a key of a move belongs to a player in one game") {
        return;
    }
    let app = TestApp::start().await;
    let players = [app.player("ann").await, app.player("bob").await];
    let held = Play::begin(&app, "held").await;
    for (round, key) in ["first", "second", "third", "fourth"].into_iter().enumerate() {
        // Each time new games, because the same player has the first turn in both; every other round beside an in-flight move,
        // so that both may share a statement.
        let plays = [Play::between(players.clone()).await, Play::between(players.clone()).await];
        let mut in_flight = held.db_hold(&app).await;
        let waiting = if round % 2 == 1 { Some(held.moving(None).await) } else { None };
        until("a move in flight", async || db_waiting(&app).await == i64::from(waiting.is_some())).await;
        let moving = [plays[0].moving(Some(key)).await, plays[1].moving(Some(key)).await];
        in_flight.batch_execute("rollback").await.expect("the lock goes");
        let mut made = 0;
        for moving in moving {
            let answer = moving.await.expect("an answer");
            if answer.status == 200 {
                made += 1;
            } else {
                answer.problem(409, "idempotency_key_reused");
            }
        }
        assert_eq!(made, 1, "round {round}");
        assert_eq!(plays[0].seq().await + plays[1].seq().await, 1);
        for play in &plays {
            play.check_record().await;
        }
        if let Some(waiting) = waiting {
            waiting.await.expect("an answer").ok();
        }
    }
}

async fn player_to_act(play: &Play) -> String {
    let view: Value = play.players[0].get(&play.path).await.ok();
    let seat = usize::try_from(view["to_act"].as_u64().expect("a seat")).expect("a seat");
    play.players[seat].get("/api/v1/me").await.ok()["id"].as_str().expect("an id").to_owned()
}
