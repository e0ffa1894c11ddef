//! The server to be swept, and players with good tokens.

use std::net::Ipv4Addr;
use std::sync::atomic::{AtomicU32, Ordering};

use serde_json::{Value, json};

use support::client::Answer;
use support::process::Server;
use support::raw::{RawClient, request};
use support::{INBOUND_SECRET, PASSWORD, REPLY_ADDRESS};

/// Numbers the peers: every request comes from another one, so that no limit per peer hides what is tested.
static PEERS: AtomicU32 = AtomicU32::new(0);
static PLAYERS: AtomicU32 = AtomicU32::new(0);

/// The program with every optional input enabled.
pub fn server() -> Server {
    Server::start_logging(&[
        "--trusted-proxies",
        "127.0.0.1",
        "--reply-address",
        REPLY_ADDRESS,
        "--inbound-secret",
        INBOUND_SECRET,
    ])
}

/// The address of the next request's peer, as a proxy reports it.
pub fn next_peer() -> String {
    let [_, b, c, d] = PEERS.fetch_add(1, Ordering::Relaxed).to_be_bytes();
    // In a network of its own: neighbours are limited together, too.
    Ipv4Addr::new(20 + b, c, d, 1).to_string()
}

/// A player in a running game.
pub struct Actor {
    pub handle: String,
    pub token: String,
    pub game_id: String,
    opponent: String,
}

impl Actor {
    pub fn new(client: &mut RawClient) -> Self {
        let (handle, token) = register(client);
        let (_, opponent) = register(client);
        let mut actor = Self { handle, token, game_id: String::new(), opponent };
        assert!(actor.begin_game(client), "a new player may play");
        actor
    }

    /// Starts another game; false if that fails.
    pub fn begin_game(&mut self, client: &mut RawClient) -> bool {
        let created = post(client, "/api/v1/games", &self.token, &json!({"rules": "pip-pip"}));
        if created.status != 201 {
            return false;
        }
        self.game_id = text(&created.json(), "id");
        let joined =
            post(client, &format!("/api/v1/games/{}/join", self.game_id), &self.opponent, &json!({}));
        joined.status == 200
    }

    /// The values of a valid request, by the document's names.
    pub fn known(&self, name: &str) -> Option<Value> {
        Some(match name {
            "id" => json!(self.game_id),
            "handle" | "login" => json!(self.handle),
            "rules" | "name" => json!("pip-pip"),
            "password" | "current_password" => json!(PASSWORD),
            "new_password" => json!(format!("{PASSWORD}, once more")),
            "email" => json!(format!("{}@example.org", self.handle)),
            _ => return None,
        })
    }
}

fn register(client: &mut RawClient) -> (String, String) {
    let handle = format!("player{}", PLAYERS.fetch_add(1, Ordering::Relaxed));
    let body = json!({"handle": handle, "email": format!("{handle}@example.org"), "password": PASSWORD});
    let answer = post(client, "/api/v1/accounts", "", &body);
    assert_eq!(answer.status, 201, "{}", answer.text());
    (handle, text(&answer.json(), "access_token"))
}

fn text(value: &Value, member: &str) -> String {
    value[member].as_str().unwrap_or_else(|| panic!("{member} in {value}")).to_owned()
}

fn post(client: &mut RawClient, path: &str, token: &str, body: &Value) -> Answer {
    let (peer, bearer) = (next_peer(), format!("Bearer {token}"));
    let mut headers =
        vec![("X-Forwarded-For", peer.as_bytes()), ("Content-Type", b"application/json".as_slice())];
    if !token.is_empty() {
        headers.push(("Authorization", bearer.as_bytes()));
    }
    let request = request("POST", path.as_bytes(), &headers, Some(body.to_string().as_bytes()));
    client.send(&request).expect("an answer")
}
