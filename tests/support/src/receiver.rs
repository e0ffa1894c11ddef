//! A receiver of webhooks: keeps what it gets, and answers as a test says.

use std::net::{IpAddr, TcpListener};
use std::sync::{Arc, Mutex};
use std::time::Duration;

use actix_web::dev::ServerHandle;
use actix_web::http::StatusCode;
use actix_web::{App, HttpRequest, HttpResponse, HttpServer, web};
use aws_lc_rs::hmac;
use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use bytes::Bytes;
use futures_util::FutureExt;
use pippost::webhooks::sender::Lookup;
use pippost::webhooks::{Reach, Sender};
use serde_json::{Value, json};
use tokio::sync::Notify;

/// How long a test's sender waits for an answer.
pub const ANSWER_TIMEOUT: Duration = Duration::from_millis(500);

/// How the receiver answers.
#[derive(Clone, Debug)]
pub enum Behavior {
    /// Meets challenges, and takes everything else.
    Accepting,
    /// Takes everything, challenges too, without meeting them.
    IgnoringChallenges,
    Refusing(u16),
    /// Refuses with this status and header `Retry-After`.
    AskingToWait(u16, String),
    Redirecting(String),
    /// Never answers.
    Silent,
    /// Answers with more than anybody should read.
    Endless,
    /// Answers, and then never comes to the end of it.
    Trickling,
}

/// What has come.
#[derive(Clone, Debug)]
pub struct Got {
    pub id: String,
    pub timestamp: i64,
    pub signatures: String,
    pub text: String,
}

impl Got {
    pub fn json(&self) -> Value {
        serde_json::from_str(&self.text).expect("JSON")
    }

    /// Whether one of the signatures is that of `secret`, computed here from the standard.
    pub fn is_signed_by(&self, secret: &str) -> bool {
        let key = STANDARD.decode(secret.strip_prefix("whsec_").expect("a secret")).expect("base64");
        let signed = format!("{}.{}.{}", self.id, self.timestamp, self.text);
        let tag = hmac::sign(&hmac::Key::new(hmac::HMAC_SHA256, &key), signed.as_bytes());
        let expected = format!("v1,{}", STANDARD.encode(tag));
        self.signatures.split(' ').any(|signature| signature == expected)
    }
}

struct State {
    behavior: Mutex<Behavior>,
    /// Of the next deliveries, before the behavior.
    next: Mutex<Vec<Behavior>>,
    got: Mutex<Vec<Got>>,
    arrived: Notify,
}

pub struct Receiver {
    pub url: String,
    pub port: u16,
    state: Arc<State>,
    handle: ServerHandle,
}

impl Receiver {
    pub fn start() -> Self {
        Self::on(TcpListener::bind("127.0.0.1:0").expect("a free port"))
    }

    pub fn on(listener: TcpListener) -> Self {
        let address = listener.local_addr().expect("an address");
        let state = Arc::new(State {
            behavior: Mutex::new(Behavior::Accepting),
            next: Mutex::default(),
            got: Mutex::default(),
            arrived: Notify::new(),
        });
        let shared = web::Data::from(Arc::clone(&state));
        let app = move || App::new().app_data(shared.clone()).default_service(web::to(receive));
        let server =
            HttpServer::new(app).workers(1).disable_signals().listen(listener).expect("a server").run();
        let handle = server.handle();
        tokio::spawn(server);
        Self { url: format!("http://{address}/hook"), port: address.port(), state, handle }
    }

    pub fn behave(&self, behavior: Behavior) {
        *self.state.behavior.lock().expect("no panics") = behavior;
    }

    /// How the next deliveries are answered, the first first.
    pub fn behave_next(&self, behaviors: impl IntoIterator<Item = Behavior>) {
        let mut next = self.state.next.lock().expect("no panics");
        next.extend(behaviors);
    }

    /// What has come since the last call.
    pub fn got(&self) -> Vec<Got> {
        std::mem::take(&mut self.state.got.lock().expect("no panics"))
    }

    /// How many have come since the last call of [`Receiver::got`].
    pub fn count(&self) -> usize {
        self.state.got.lock().expect("no panics").len()
    }

    /// Waits until so many have come since the last call of [`Receiver::got`]. For one waiter at a time.
    pub async fn holds(&self, count: usize) {
        // What is notified while nobody waits is kept once, so the count is looked at again after each.
        while self.count() < count {
            self.state.arrived.notified().await;
        }
    }
}

impl Drop for Receiver {
    fn drop(&mut self) {
        drop(self.handle.stop(false));
    }
}

async fn receive(request: HttpRequest, body: Bytes, state: web::Data<State>) -> HttpResponse {
    let header =
        |name: &str| request.headers().get(name).expect("a header").to_str().expect("ASCII").to_owned();
    let got = Got {
        id: header("webhook-id"),
        timestamp: header("webhook-timestamp").parse().expect("a number"),
        signatures: header("webhook-signature"),
        text: String::from_utf8(body.to_vec()).expect("UTF-8"),
    };
    let challenge = serde_json::from_str::<Value>(&got.text).ok().filter(|body| body["type"] == "challenge");
    state.got.lock().expect("no panics").push(got);
    state.arrived.notify_one();
    let next = {
        let mut next = state.next.lock().expect("no panics");
        (!next.is_empty()).then(|| next.remove(0))
    };
    let behavior = next.unwrap_or_else(|| state.behavior.lock().expect("no panics").clone());
    match behavior {
        Behavior::Accepting => match challenge {
            Some(body) => HttpResponse::Ok().json(json!({"challenge": body["data"]["challenge"]})),
            None => HttpResponse::NoContent().finish(),
        },
        Behavior::IgnoringChallenges => HttpResponse::Ok().body("ok"),
        Behavior::Refusing(status) => {
            HttpResponse::build(StatusCode::from_u16(status).expect("a status")).finish()
        }
        Behavior::AskingToWait(status, wait) => {
            let mut answer = HttpResponse::build(StatusCode::from_u16(status).expect("a status"));
            answer.insert_header(("Retry-After", wait)).finish()
        }
        Behavior::Redirecting(to) => HttpResponse::Found().insert_header(("Location", to)).finish(),
        Behavior::Silent => std::future::pending().await,
        Behavior::Trickling => {
            HttpResponse::Ok().streaming(futures_util::stream::pending::<Result<Bytes, std::io::Error>>())
        }
        Behavior::Endless => {
            let piece = Bytes::from(vec![b'x'; 65_536]);
            let pieces = futures_util::stream::repeat_with(move || Ok::<_, std::io::Error>(piece.clone()));
            HttpResponse::Ok().streaming(pieces)
        }
    }
}

/// A sender that may reach receivers on this machine, and waits for answers for [`ANSWER_TIMEOUT`].
pub fn sender() -> Sender {
    sender_to(|_| true, |_| vec![IpAddr::from([127, 0, 0, 1])])
}

/// A sender that looks up hosts in that way and may send to those addresses.
pub fn sender_to(
    allowed: impl Fn(IpAddr) -> bool + Send + Sync + 'static,
    lookup: impl Fn(String) -> Vec<IpAddr> + Send + Sync + 'static,
) -> Sender {
    let lookup: Lookup = Arc::new(move |host| std::future::ready(Ok(lookup(host))).boxed());
    Sender::with(Reach::Anywhere, Arc::new(allowed), lookup, ANSWER_TIMEOUT).expect("a sender")
}
