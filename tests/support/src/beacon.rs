//! A drand endpoint for tests: a chain with its own key, which signs every requested round, or misbehaves.

use std::net::TcpListener;
use std::sync::{Arc, Mutex};

use actix_web::dev::ServerHandle;
use actix_web::{App, HttpResponse, HttpServer, web};
use aws_lc_rs::digest::{SHA256, digest};
use blst::min_sig::SecretKey;
use pippost::beacon::Chain;
use serde_json::json;
use time::OffsetDateTime;

const DOMAIN: &[u8] = b"BLS_SIG_BLS12381G1_XMD:SHA-256_SSWU_RO_NUL_";
const GENESIS: i64 = 1_700_000_000;
const PERIOD_SECONDS: u32 = 3;

/// The endpoint's behaviour.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Behavior {
    Honest,
    /// Honest, and no round is given before its time.
    Punctual,
    /// The previous round, honestly signed.
    Older,
    /// The previous round, under the requested number.
    OlderRenamed,
    /// A value that is not the hash of the signature.
    OtherValue,
    /// Only errors.
    Down,
    /// Old rounds are not kept.
    Recent,
    /// More data than a client should read.
    Endless,
}

/// The running endpoint.
pub struct Endpoint {
    pub url: String,
    pub port: u16,
    state: Arc<State>,
    handle: ServerHandle,
}

struct State {
    key: SecretKey,
    behavior: Mutex<Behavior>,
    asked: Mutex<Vec<u64>>,
}

impl Endpoint {
    pub fn start() -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").expect("a free port");
        let address = listener.local_addr().expect("an address");
        let state =
            Arc::new(State { key: key(), behavior: Mutex::new(Behavior::Honest), asked: Mutex::default() });
        let shared = web::Data::from(state.clone());
        let app = move || {
            App::new().app_data(shared.clone()).route("/{chain}/public/{round}", web::get().to(answer))
        };
        let server =
            HttpServer::new(app).workers(1).disable_signals().listen(listener).expect("a server").run();
        let handle = server.handle();
        tokio::spawn(server);
        Self { url: format!("http://{address}"), port: address.port(), state, handle }
    }

    pub fn behave(&self, behavior: Behavior) {
        *self.state.behavior.lock().expect("no panics") = behavior;
    }

    /// The rounds requested since the last call.
    pub fn asked(&self) -> Vec<u64> {
        std::mem::take(&mut self.state.asked.lock().expect("no panics"))
    }
}

impl Drop for Endpoint {
    fn drop(&mut self) {
        drop(self.handle.stop(false));
    }
}

fn key() -> SecretKey {
    SecretKey::key_gen(&[7; 32], &[]).expect("enough bytes")
}

/// The chain of every endpoint here.
pub fn chain() -> Chain {
    Chain::parse(&info()).expect("a chain")
}

/// The same as `/info` would describe it.
pub fn info() -> String {
    let public_key = key().sk_to_pk().compress();
    let group_hash = [9; 32];
    let mut hashed = PERIOD_SECONDS.to_be_bytes().to_vec();
    hashed.extend(GENESIS.to_be_bytes());
    hashed.extend(public_key);
    hashed.extend(group_hash);
    hashed.extend(b"test");
    let described = json!({
        "public_key": hex::encode(public_key),
        "period": PERIOD_SECONDS,
        "genesis_time": GENESIS,
        "hash": hex::encode(digest(&SHA256, &hashed)),
        "groupHash": hex::encode(group_hash),
        "schemeID": pippost::beacon::chain::SCHEME,
        "metadata": {"beaconID": "test"},
    });
    described.to_string()
}

async fn answer(path: web::Path<(String, u64)>, state: web::Data<State>) -> HttpResponse {
    let (chain_hash, round) = path.into_inner();
    assert_eq!(chain_hash, chain().hash());
    state.asked.lock().expect("no panics").push(round);
    let behavior = *state.behavior.lock().expect("no panics");
    let (named, signed) = match behavior {
        Behavior::Recent if round < 1000 => return HttpResponse::NotFound().finish(),
        Behavior::Punctual if round > chain().round_at(OffsetDateTime::now_utc()) => {
            return HttpResponse::NotFound().finish();
        }
        Behavior::Honest | Behavior::Punctual | Behavior::OtherValue | Behavior::Recent => (round, round),
        Behavior::Older => (round - 1, round - 1),
        Behavior::OlderRenamed => (round, round - 1),
        Behavior::Down => return HttpResponse::BadGateway().finish(),
        Behavior::Endless => return HttpResponse::Ok().body("[".repeat(1_000_000)),
    };
    let signature = state.key.sign(digest(&SHA256, &signed.to_be_bytes()).as_ref(), DOMAIN, &[]).compress();
    let value = match behavior {
        Behavior::OtherValue => digest(&SHA256, b"better luck"),
        _ => digest(&SHA256, &signature),
    };
    HttpResponse::Ok().json(json!({
        "round": named,
        "randomness": hex::encode(value),
        "signature": hex::encode(signature),
    }))
}
