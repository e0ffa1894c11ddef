//! The push service that a Firefox subscribes at. It speaks with the browser as its maker's does (WebSocket, JSON in text messages:
//! mozilla-push-service.readthedocs.io); what servers send is handed to it.

use std::net::{TcpListener, TcpStream};
use std::sync::mpsc::{Receiver, Sender, channel};
use std::sync::{Arc, Mutex};
use std::time::Duration;

use base64::Engine;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use serde_json::{Value, json};
use tungstenite::handshake::server::{Request, Response};
use tungstenite::{Error, Message, WebSocket};

use super::push_service::{PushService, Pushed};

const SUBPROTOCOL: &str = "push-notification";

/// How long to listen to the browser before what is to be sent is looked for.
const LISTEN_INTERVAL: Duration = Duration::from_millis(50);

/// One browser's connection to a push service.
pub struct Autopush {
    /// What the browser is told to connect to.
    pub url: String,
    outgoing: Sender<Value>,
    ended: Arc<Mutex<Vec<String>>>,
}

impl Autopush {
    /// Browsers that subscribe here get addresses at `service`.
    pub fn start(service: &PushService) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").expect("a free port");
        let url = format!("ws://{}/", listener.local_addr().expect("an address"));
        let (outgoing, messages) = channel();
        let ended = Arc::<Mutex<Vec<String>>>::default();
        let side =
            ServerSide { endpoints: format!("{}/send", service.url), messages, ended: Arc::clone(&ended) };
        std::thread::spawn(move || {
            // A browser may connect again after it was cut off.
            for stream in listener.incoming() {
                side.converse(stream.expect("a connection"));
            }
        });
        Self { url, outgoing, ended }
    }

    /// Passes a message of a server on to the browser, without knowing what it says.
    pub fn pass_on(&self, pushed: &Pushed) {
        let channel = pushed.path.strip_prefix("/send/").expect("an address of this service");
        let (data, headers) = (URL_SAFE_NO_PAD.encode(&pushed.body), json!({"encoding": pushed.encoding}));
        let message = json!({
            "messageType": "notification", "channelID": channel, "version": pushed.topic, "data": data, "headers": headers
        });
        self.outgoing.send(message).expect("a listening thread");
    }

    /// How many subscriptions the browser has ended.
    pub fn ended(&self) -> usize {
        self.ended.lock().expect("no panics").len()
    }
}

struct ServerSide {
    endpoints: String,
    messages: Receiver<Value>,
    ended: Arc<Mutex<Vec<String>>>,
}

impl ServerSide {
    /// Speaks with a browser until it goes.
    fn converse(&self, stream: TcpStream) {
        stream.set_read_timeout(Some(LISTEN_INTERVAL)).expect("a socket");
        #[allow(clippy::result_large_err, reason = "the library's own error")]
        let greet = |_: &Request, mut response: Response| {
            response.headers_mut().insert("Sec-WebSocket-Protocol", SUBPROTOCOL.parse().expect("a value"));
            Ok(response)
        };
        let mut socket = tungstenite::accept_hdr(stream, greet).expect("a WebSocket");
        loop {
            match socket.read() {
                Ok(Message::Text(text)) => {
                    let said = serde_json::from_str(&text).expect("JSON");
                    if let Some(answer) = self.answer(&said) {
                        send(&mut socket, &answer);
                    }
                }
                Ok(_) => {}
                Err(Error::Io(error)) if is_timeout(&error) => {}
                Err(_gone) => return,
            }
            for message in self.messages.try_iter() {
                send(&mut socket, &message);
            }
        }
    }

    fn answer(&self, said: &Value) -> Option<Value> {
        let channel = said["channelID"].as_str();
        match said["messageType"].as_str() {
            Some("hello") => Some(json!({
                "messageType": "hello", "uaid": "5".repeat(32), "status": 200, "use_webpush": true, "broadcasts": {}
            })),
            Some("register") => {
                assert!(said["key"].is_string(), "the subscription is for this server's key: {said}");
                let endpoint = format!("{}/{}", self.endpoints, channel.expect("a channel"));
                Some(
                    json!({"messageType": "register", "channelID": channel, "status": 200, "pushEndpoint": endpoint}),
                )
            }
            Some("unregister") => {
                self.ended.lock().expect("no panics").push(channel.expect("a channel").to_owned());
                Some(json!({"messageType": "unregister", "channelID": channel, "status": 200}))
            }
            Some("ack" | "nack" | "broadcast_subscribe") => None,
            // A ping.
            None => Some(json!({})),
            Some(other) => panic!("{other} is not known here: {said}"),
        }
    }
}

fn send(socket: &mut WebSocket<TcpStream>, message: &Value) {
    // A browser that has gone is found at the next reading.
    let _gone = socket.send(Message::text(message.to_string()));
}

fn is_timeout(error: &std::io::Error) -> bool {
    matches!(error.kind(), std::io::ErrorKind::WouldBlock | std::io::ErrorKind::TimedOut)
}
