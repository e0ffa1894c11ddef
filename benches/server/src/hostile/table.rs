//! What players may do to others, too often: invite, write, begin games, follow them.

use serde_json::json;

use super::accounts::address_of_stranger;
use super::attack_data::{AttackData, PLAYERS};
use super::random::Random;
use super::request::Request;

/// Somebody who never asked is invited, or a game is created for that.
pub fn invitation(data: &AttackData, random: &mut Random) -> Request {
    let (game, token) = random.one_of(&data.open);
    let (target, body) = match random.below(4) {
        0 => ("/api/v1/games".to_owned(), json!({"rules": random.one_of(&data.rules), "private": true})),
        1 => (
            format!("/api/v1/games/{game}/invitations"),
            json!({"handle": format!("player-{}", random.below(PLAYERS))}),
        ),
        _ => (format!("/api/v1/games/{game}/invitations"), json!({"email": address_of_stranger(random)})),
    };
    let request = Request::new("POST", target).token(token).header("Idempotency-Key", random.word(20));
    request.json(body.to_string())
}

/// A message that its table may read.
pub fn message(data: &AttackData, random: &mut Random) -> Request {
    let (game, token) = random.one_of(&data.running);
    let words: Vec<_> = (0..=random.below(60)).map(|_| random.word(8)).collect();
    let body = json!({"text": words.join(" ")});
    Request::new("POST", format!("/api/v1/games/{game}/messages")).token(token).json(body.to_string())
}

/// Another game of somebody who has nearly as many as may be: created, or joined.
pub fn game_too_many(data: &AttackData, random: &mut Random) -> Request {
    let token = random.one_of::<String>(&data.hoarders);
    let request = match random.below(2) {
        0 => Request::new("POST", "/api/v1/games").json(json!({"rules": data.rules[0]}).to_string()),
        _ => Request::new("POST", format!("/api/v1/games/{}/join", random.one_of(&data.public))).json("{}"),
    };
    request.token(token).header("Idempotency-Key", random.word(20))
}

/// A feed of events, of a game or of all games of a player.
pub fn feed(data: &AttackData, random: &mut Random) -> Request {
    let (game, token) = random.one_of(&data.running);
    let target = match random.below(2) {
        0 => "/api/v1/me/feed".to_owned(),
        _ => format!("/api/v1/games/{game}/feed"),
    };
    Request::get(target).token(token).header("Accept", "text/event-stream")
}
