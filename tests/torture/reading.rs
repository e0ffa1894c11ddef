//! Readers: of a game's feed, and of its view while others move.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use serde_json::Value;
use tokio::sync::watch;

use super::caller::{Caller, Request, Said};
use super::chance::Dice;
use super::world::SERVERS;

/// A feed says every 16 seconds that it is there.
const MAX_QUIET: Duration = Duration::from_secs(20);

/// Follows a game to its end, whatever happens to the connection, and writes down what came.
pub async fn follow(caller: Caller, game: String, mut dice: Dice) {
    let mut events: Vec<Value> = Vec::new();
    loop {
        let after = events.last().and_then(|line| line["id"].as_str()).map(|id| format!("?after={id}"));
        let path = format!("/api/v1/games/{game}/feed{}", after.unwrap_or_default());
        let opening = tokio::time::timeout(MAX_QUIET, caller.follow(dice.below(SERVERS), &path));
        if let Ok(Ok(response)) = opening.await
            && (response.status() == 204 || take(response, &mut events).await)
        {
            return caller.notes.of_game(&game, |notes| notes.feeds.push(events));
        }
        tokio::time::sleep(dice.milliseconds(50, 400)).await;
    }
}

/// Takes the events of a stream; true if the game is over.
async fn take(mut response: reqwest::Response, events: &mut Vec<Value>) -> bool {
    let mut begun: Vec<u8> = Vec::new();
    while let Ok(Ok(Some(bytes))) = tokio::time::timeout(MAX_QUIET, response.chunk()).await {
        begun.extend_from_slice(&bytes);
        while let Some(end) = begun.iter().position(|byte| *byte == b'\n') {
            let line: Vec<u8> = begun.drain(..=end).collect();
            let line: Value = serde_json::from_slice(&line).unwrap_or(Value::Null);
            match line["type"].as_str() {
                Some("event") => events.push(line),
                Some("end") => return line["reason"] == "game_over",
                _ => {}
            }
        }
    }
    false
}

/// Follows all games of a player by pages, until all games are over and nothing more comes.
pub async fn follow_all(caller: Caller, mut dice: Dice, over: Arc<AtomicBool>) {
    let (mut told, mut cursor) = (Vec::new(), None);
    loop {
        let is_over = over.load(Ordering::Relaxed);
        let after = cursor.as_ref().map(|cursor| format!("&after={cursor}")).unwrap_or_default();
        let path = format!("/api/v1/me/feed?wait=1{after}");
        if let Said::Answer(200, page) = caller.ask(dice.below(SERVERS), &Request::get(path)).await {
            let entries = page["entries"].as_array().cloned().unwrap_or_default();
            if is_over && entries.is_empty() {
                let mut feeds = caller.notes.feeds_of_players.lock().expect("no panic");
                return feeds.push((caller.handle.clone(), told));
            }
            told.extend(entries);
            cursor = page["cursor"].as_str().map(str::to_owned).or(cursor);
        }
        tokio::time::sleep(dice.milliseconds(20, 200)).await;
    }
}

/// Looks at a game again and again until it is over.
pub async fn watch(
    callers: Vec<Caller>,
    game: String,
    client: u32,
    mut dice: Dice,
    over: watch::Receiver<bool>,
) {
    while !*over.borrow() {
        let caller = dice.pick(&callers);
        let begun = caller.notes.tick();
        let request = Request::get(format!("/api/v1/games/{game}"));
        if let Said::Answer(200, view) = caller.ask(dice.below(SERVERS), &request).await {
            caller.notes.saw(&game, client, begun, &view);
        }
        tokio::time::sleep(dice.milliseconds(60, 300)).await;
    }
}
