//! A push service and browsers that take its messages. What arrives is decrypted and checked here by the standards (RFC 8188, 8291, 8292),
//! with none of the server's code.

use std::net::TcpListener;
use std::sync::{Arc, Mutex};

use actix_web::dev::ServerHandle;
use actix_web::http::StatusCode;
use actix_web::{App, HttpRequest, HttpResponse, HttpServer, web};
use aws_lc_rs::aead::{AES_128_GCM, Aad, LessSafeKey, Nonce, UnboundKey};
use aws_lc_rs::agreement::{ECDH_P256, PrivateKey, UnparsedPublicKey, agree};
use aws_lc_rs::hkdf::{HKDF_SHA256, KeyType, Prk, Salt};
use aws_lc_rs::signature::{self, ECDSA_P256_SHA256_FIXED};
use base64::Engine;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use bytes::Bytes;
use serde_json::{Value, json};

use super::Client;

const SUBSCRIPTIONS: &str = "/api/v1/me/push-subscriptions";

/// What a push service was given.
#[derive(Clone, Debug)]
pub struct Pushed {
    /// The path that it came to.
    pub path: String,
    pub authorization: String,
    pub ttl: u64,
    pub topic: String,
    pub urgency: String,
    pub encoding: String,
    pub body: Vec<u8>,
    /// How it was answered.
    pub status: u16,
}

#[derive(Default)]
struct State {
    got: Mutex<Vec<Pushed>>,
    /// The status of the next answers, and how many seconds they ask to wait.
    answer: Mutex<Option<(u16, Option<u32>)>>,
}

pub struct PushService {
    pub url: String,
    pub port: u16,
    state: Arc<State>,
    handle: ServerHandle,
}

impl PushService {
    pub fn start() -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").expect("a free port");
        let address = listener.local_addr().expect("an address");
        let state = Arc::<State>::default();
        let shared = web::Data::from(Arc::clone(&state));
        let app = move || App::new().app_data(shared.clone()).default_service(web::to(receive));
        let server =
            HttpServer::new(app).workers(1).disable_signals().listen(listener).expect("a server").run();
        let handle = server.handle();
        tokio::spawn(server);
        Self { url: format!("http://{address}"), port: address.port(), state, handle }
    }

    /// From now on messages are answered so.
    pub fn answer(&self, status: u16, wait_seconds: Option<u32>) {
        *self.state.answer.lock().expect("no panics") = Some((status, wait_seconds));
    }

    /// What has come since the last call.
    pub fn got(&self) -> Vec<Pushed> {
        std::mem::take(&mut self.state.got.lock().expect("no panics"))
    }

    /// A browser that takes messages here.
    pub fn browser(&self, name: &str) -> Browser {
        Browser::at(&format!("{}/send/{name}", self.url))
    }
}

impl Drop for PushService {
    fn drop(&mut self) {
        drop(self.handle.stop(false));
    }
}

async fn receive(request: HttpRequest, body: Bytes, state: web::Data<State>) -> HttpResponse {
    let header =
        |name: &str| request.headers().get(name).expect("a header").to_str().expect("ASCII").to_owned();
    let (status, wait) = state.answer.lock().expect("no panics").unwrap_or((201, None));
    let pushed = Pushed {
        path: request.path().to_owned(),
        authorization: header("authorization"),
        ttl: header("ttl").parse().expect("a number"),
        topic: header("topic"),
        urgency: header("urgency"),
        encoding: header("content-encoding"),
        body: body.to_vec(),
        status,
    };
    state.got.lock().expect("no panics").push(pushed);
    let mut answer = HttpResponse::build(StatusCode::from_u16(status).expect("a status"));
    if let Some(wait) = wait {
        answer.insert_header(("retry-after", wait.to_string()));
    }
    answer.finish()
}

/// A browser's end of a subscription.
pub struct Browser {
    pub endpoint: String,
    key: PrivateKey,
    public: Vec<u8>,
    auth: [u8; 16],
}

impl Browser {
    pub fn at(endpoint: &str) -> Self {
        let key = PrivateKey::generate(&ECDH_P256).expect("a key");
        let public = key.compute_public_key().expect("a public key").as_ref().to_vec();
        let auth = pippost::keys::random_bytes().expect("random bytes");
        Self { endpoint: endpoint.to_owned(), key, public, auth }
    }

    /// What `PushSubscription.toJSON()` gives.
    pub fn subscription(&self) -> Value {
        let keys = json!({"p256dh": URL_SAFE_NO_PAD.encode(&self.public), "auth": URL_SAFE_NO_PAD.encode(self.auth)});
        json!({"endpoint": self.endpoint, "expirationTime": null, "keys": keys})
    }

    /// Subscribes for a player; returns the subscription's path.
    pub async fn subscribe(&self, owner: &Client) -> String {
        let made = owner.post(SUBSCRIPTIONS, &self.subscription()).await.ok();
        format!("{SUBSCRIPTIONS}/{}", made["id"].as_str().expect("an id"))
    }

    /// The message in `pushed`, as a browser reads it (RFC 8291); panics if it is not for this browser.
    pub fn read(&self, pushed: &Pushed) -> Value {
        assert_eq!(pushed.encoding, "aes128gcm");
        let (salt, rest) = pushed.body.split_at(16);
        let (size, rest) = rest.split_at(4);
        let size = u32::from_be_bytes(size.try_into().expect("four bytes"));
        let (server, sealed) = rest[1..].split_at(usize::from(rest[0]));
        assert_eq!(server.len(), 65, "an uncompressed point");
        assert!(sealed.len() <= usize::try_from(size).expect("a small number"), "one record");
        let peer = UnparsedPublicKey::new(&ECDH_P256, server);
        let secret = agree(&self.key, peer, "no agreement", |secret| Ok(secret.to_vec())).expect("a secret");
        let info = [b"WebPush: info\0".as_slice(), &self.public, server].concat();
        let material = expand(&Salt::new(HKDF_SHA256, &self.auth).extract(&secret), &info, 32);
        let root = Salt::new(HKDF_SHA256, salt).extract(&material);
        let key = expand(&root, b"Content-Encoding: aes128gcm\0", 16);
        let nonce = expand(&root, b"Content-Encoding: nonce\0", 12);
        let key = LessSafeKey::new(UnboundKey::new(&AES_128_GCM, &key).expect("a key"));
        let nonce = Nonce::try_assume_unique_for_key(&nonce).expect("a nonce");
        let mut opened = sealed.to_vec();
        let plain = key.open_in_place(nonce, Aad::empty(), &mut opened).expect("a message for this browser");
        let end = plain.iter().rposition(|byte| *byte != 0).expect("a delimiter");
        assert_eq!(plain[end], 2, "the last record");
        serde_json::from_slice(&plain[..end]).expect("JSON")
    }
}

fn expand(root: &Prk, info: &[u8], length: usize) -> Vec<u8> {
    struct Length(usize);

    impl KeyType for Length {
        fn len(&self) -> usize {
            self.0
        }
    }

    let mut out = vec![0; length];
    let info = [info];
    root.expand(&info, Length(length)).expect("a short key").fill(&mut out).expect("a short key");
    out
}

impl Pushed {
    /// The claims that the sender has signed, if the signature is that of `public_key` (RFC 8292).
    pub fn claims(&self, public_key: &str) -> Value {
        let parts = self.authorization.strip_prefix("vapid t=").expect("VAPID");
        let (token, key) = parts.split_once(", k=").expect("a key");
        assert_eq!(key, public_key);
        let (signed, signature) = token.rsplit_once('.').expect("a signature");
        let (header, claims) = signed.split_once('.').expect("a header");
        let decode = |text: &str| URL_SAFE_NO_PAD.decode(text).expect("base64");
        let header: Value = serde_json::from_slice(&decode(header)).expect("JSON");
        assert_eq!(header, json!({"typ": "JWT", "alg": "ES256"}));
        let key = signature::UnparsedPublicKey::new(&ECDSA_P256_SHA256_FIXED, decode(key));
        key.verify(signed.as_bytes(), &decode(signature)).expect("a good signature");
        serde_json::from_slice(&decode(claims)).expect("JSON")
    }
}
