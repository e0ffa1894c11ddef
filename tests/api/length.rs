//! The greatest length of a game: then no more moves are accepted, through any channel, but everybody can still leave.

use diesel_async::SimpleAsyncConnection;
use reqwest::Method;
use serde_json::{Value, json};
use time::Duration;
use uuid::Uuid;

use pippost::games::{MAX_EVENTS, playing};
use support::post::{Post, Sent, deliver};
use support::sample::Sampler;
use support::{Client, TestApp};

/// The newest `seq` of a game of two with room for `left` actions.
fn newest_with_room_for(left: u64) -> u64 {
    MAX_EVENTS - 2 - 1 - left
}

/// A game in which the player to act may pass twice.
struct AtTheEnd {
    app: TestApp,
    id: Uuid,
    path: String,
    players: [Client; 2],
    handles: [&'static str; 2],
    to_act: usize,
}

impl AtTheEnd {
    /// A game of two whose state says that its newest event is `newest`.
    async fn at(newest: u64) -> Self {
        let begun = TestApp::start().await;
        let handles = ["ann", "bob"];
        let players = [begun.player("ann").await, begun.player("bob").await];
        let wanted = json!({"rules": "dominion", "seats": 2, "seating": "joined"});
        let created = players[0].post("/api/v1/games", &wanted).await;
        let id: Uuid =
            created.expect_status(201).json()["id"].as_str().expect("an id").parse().expect("an id");
        let path = format!("/api/v1/games/{id}");
        let mut view = players[1].post(&format!("{path}/join"), &json!({})).await.ok();
        let mut sampler = Sampler::new(5);
        let to_act = loop {
            let seat = usize::try_from(view["to_act"].as_u64().expect("a running game")).expect("a seat");
            let preview = json!({"notation": "pass; pass"});
            let tried = players[seat].unchecked().post(&format!("{path}/preview"), &preview).await;
            if tried.status == 200 {
                break seat;
            }
            let legal = players[seat].get(&format!("{path}/actions")).await.ok();
            let action = sampler.action(legal["actions"].as_array().expect("a list"));
            view = players[seat].post(&format!("{path}/moves"), &json!({"actions": [action]})).await.ok()["game"].take();
        };
        let mut connection = begun.app.database.get().await.expect("a connection");
        let plant = format!(
            "insert into events (game_id, seq, line) select game_id, {newest}, replace(line, '\"seq\":' || seq || ',', '\"seq\":{newest},') \
             from events where game_id = '{id}' and seq = (select seq from game_states where game_id = '{id}'); \
             update game_states set seq = {newest} where game_id = '{id}'; \
             update notices set seq = {newest} where game_id = '{id}' and kind = 'turn'"
        );
        connection.batch_execute(&plant).await.expect("a long game");
        drop(connection);
        // A server that does not have the game in memory.
        let app = begun.second().await;
        let players = players.map(|player| player.at(&app.url));
        Self { app, id, path, players, handles, to_act }
    }

    async fn send(&self, verb: &str, body: &Value) -> support::client::Answer {
        self.players[self.to_act].post(&format!("{}/{verb}", self.path), body).await
    }

    async fn newest(&self) -> u64 {
        let view = self.players[0].get(&self.path).await.ok();
        view["seq"].as_u64().expect("a number")
    }
}

#[test]
fn one_event_is_kept_for_each_seat() {
    assert_eq!(newest_with_room_for(0) + 1 + 2, MAX_EVENTS);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_list_that_does_not_fit_is_refused_as_a_whole_and_each_ends_where_the_room_does() {
    let game = AtTheEnd::at(newest_with_room_for(1)).await;
    let both = json!({"notation": "pass; pass"});
    for verb in ["moves", "preview"] {
        let problem = game.send(verb, &both).await.problem(409, "game_too_long");
        assert_eq!(problem["actions_left"], 1, "{verb}");
    }
    assert_eq!(game.newest().await, newest_with_room_for(1));
    let each = json!({"notation": "pass; pass", "each": true});
    game.send("preview", &each).await.problem(409, "game_too_long");
    let keyed = [("Idempotency-Key", "k")];
    let (player, path) = (&game.players[game.to_act], format!("{}/moves", game.path));
    let moved = player.send(Method::POST, &path, Some(each.to_string()), &keyed).await;
    let answer = moved.ok();
    assert_eq!(answer["events"].as_array().map(Vec::len), Some(1));
    let stopped = &answer["stopped"];
    assert_eq!((&stopped["index"], &stopped["not_tried"]), (&json!(1), &json!(0)));
    assert_eq!(stopped["problem"]["code"], "game_too_long");
    assert_eq!(stopped["problem"]["actions_left"], 0);
    let again = player.send(Method::POST, &path, Some(each.to_string()), &keyed).await;
    assert_eq!(again.expect_status(200).text(), moved.text(), "a repeated request gets the same answer");
    assert_eq!(game.newest().await, newest_with_room_for(0));
    for body in [json!({"notation": "pass"}), json!({"notation": "pass", "each": true})] {
        for verb in ["moves", "preview"] {
            game.send(verb, &body).await.problem(409, "game_too_long");
        }
    }
    // A player who is not to act is told so.
    game.players[1 - game.to_act]
        .post(&format!("{}/moves", game.path), &json!({"notation": "pass"}))
        .await
        .problem(409, "not_your_turn");
}

#[tokio::test(flavor = "multi_thread")]
async fn everybody_can_leave_a_game_that_is_as_long_as_a_game_may_be() {
    let game = AtTheEnd::at(newest_with_room_for(0)).await;
    game.send("moves", &json!({"notation": "pass"})).await.problem(409, "game_too_long");
    let resigned = game.send("resign", &json!({})).await.ok();
    assert_eq!(resigned["game"]["status"], "finished");
    game.send("moves", &json!({"notation": "pass"})).await.problem(409, "game_over");

    let game = AtTheEnd::at(newest_with_room_for(0)).await;
    game.app.app.clock.advance(Duration::days(30));
    assert_eq!(playing::let_flags_fall(&game.app.app.games).await.expect("a step"), 1);
    let mut connection = game.app.app.database.get().await.expect("a connection");
    let ended = format!(
        "do $$ begin assert (select seq from game_states where game_id = '{}') < {MAX_EVENTS}; \
         assert (select status from games where id = '{}') = 'finished'; end $$",
        game.id, game.id
    );
    connection.batch_execute(&ended).await.expect("the game is over");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_mail_is_told_that_the_game_is_too_long() {
    for (left, said) in
        [(0, "as many moves as a game may have"), (1, "the last move that the game has room for")]
    {
        let game = AtTheEnd::at(newest_with_room_for(left)).await;
        let post = Post::of(&game.app);
        let handle = game.handles[game.to_act];
        let turn = post.last(handle).await;
        assert_eq!(deliver(&game.app, &Sent::answer(handle, &turn, "pass\npass")).await, "taken");
        let answer = post.last(handle).await;
        assert_eq!(answer.kind, "answer");
        assert!(answer.text.replace('\n', " ").contains(said), "{}", answer.text);
        assert_eq!(game.newest().await, newest_with_room_for(0));
    }
}
