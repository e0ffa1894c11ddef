//! Webhooks: programs that are told of their owner's games by signed requests.

mod changing;
mod chats;
mod failing;
mod guarded;
mod managing;
mod messages;
mod sharing;
mod telling;
mod tokens;

use support::hooks::{EVERYTHING, Hook, WEBHOOKS, deliver, id_of, move_once, registered, verified, worker};
use support::receiver::Got;

fn ids(got: &[Got]) -> Vec<String> {
    got.iter().map(|got| got.id.clone()).collect()
}

/// The ids of the events `from` to `to` of a game.
fn events(game: &str, from: u64, to: u64) -> Vec<String> {
    (from..=to).map(|seq| format!("{}:{seq}", id_of(game))).collect()
}
