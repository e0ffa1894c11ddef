//! Requests about accounts of others: passwords that are guessed, new accounts, and links by mail.

use serde_json::json;

use super::attack_data::{AttackData, PLAYERS};
use super::random::Random;
use super::request::Request;

/// The mailboxes of people without an account whom attackers write to, by any of their addresses.
pub const STRANGERS: [&str; 2] = ["victim", "stranger"];

/// The number of players who are sent links: few, so that each is asked for often.
const VICTIMS: usize = 5;

/// An address of somebody without an account, as another is not counted.
pub fn address_of_stranger(random: &mut Random) -> String {
    format!("{}+{}@example.net", random.one_of(&STRANGERS), random.word(6))
}

pub fn guess(_: &AttackData, random: &mut Random) -> Request {
    let name = format!("player-{}", random.below(2 * PLAYERS));
    let body = json!({"login": name, "password": random.word(12)});
    Request::new("POST", "/api/v1/sessions").json(body.to_string())
}

/// A new account, one in four of them with the address of somebody else.
pub fn registration(_: &AttackData, random: &mut Random) -> Request {
    let handle = random.word(20);
    let email = match random.below(4) {
        0 => address_of_stranger(random),
        _ => format!("{handle}@example.org"),
    };
    let body = json!({"handle": handle, "email": email, "password": random.word(16)});
    Request::new("POST", "/api/v1/accounts").json(body.to_string())
}

/// A link that sets a password or confirms an address, for its owner to get or from a mail that never was.
pub fn link(_: &AttackData, random: &mut Random) -> Request {
    let (target, body) = match random.below(4) {
        0 | 1 => {
            let email = format!("player-{}@example.org", random.below(VICTIMS));
            ("/api/v1/password-resets", json!({"email": email}))
        }
        2 => (
            "/api/v1/password-resets/confirm",
            json!({"token": random.word(43), "password": random.word(16)}),
        ),
        _ => ("/api/v1/email/confirm", json!({"token": random.word(43)})),
    };
    Request::new("POST", target).json(body.to_string())
}
