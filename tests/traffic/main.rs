//! What strangers can take of a server (memory, connections, places at costly work), and what honest clients still get
//! meanwhile.

mod bodies;
mod connections;
mod cuts;
mod feeds;
mod known_networks;
mod memory;
mod metrics;
mod overload;
mod places;

use std::net::SocketAddr;
use std::time::{Duration, Instant};

use actix_web::dev::ServerHandle;
use pippost::api::peer::TrustedProxies;
use pippost::app::App;
use pippost::settings::ProxyHeader;
use pippost::traffic::{Limits, Share, Traffic};
use tokio::io::{AsyncRead, AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpStream;

use support::{Client, TestApp};

/// How long a test waits for an expected event.
const TIMEOUT: Duration = Duration::from_secs(30);

/// Longer than any test.
const LONG: Duration = Duration::from_mins(10);

/// Limits that a test reaches only where it tests one.
fn unlimited() -> Limits {
    Limits {
        head: LONG,
        idle: LONG,
        body_pause: LONG,
        body: LONG,
        read_period: LONG,
        connections: Share { in_all: 1000, of_peer: 1000 },
    }
}

/// A server with its own limits, on a test's application.
struct LimitedServer {
    test: TestApp,
    address: SocketAddr,
    traffic: Traffic,
    handle: ServerHandle,
}

impl LimitedServer {
    async fn start(limits: Limits) -> Self {
        Self::behind(limits, TrustedProxies::default()).await
    }

    /// A server that trusts every client on this machine as a proxy, so that a test can represent many peers.
    async fn behind_proxy(limits: Limits) -> Self {
        let loopback = vec!["127.0.0.0/8".parse().expect("a network")];
        Self::behind(limits, TrustedProxies::new(loopback, ProxyHeader::XForwardedFor)).await
    }

    async fn behind(limits: Limits, trusted_proxies: TrustedProxies) -> Self {
        Self::on(TestApp::start().await, limits, trusted_proxies)
    }

    fn on(test: TestApp, limits: Limits, trusted_proxies: TrustedProxies) -> Self {
        let traffic = Traffic::new(limits, test.app.accounts.known_networks());
        let listener = std::net::TcpListener::bind("127.0.0.1:0").expect("a free port");
        let address = listener.local_addr().expect("an address");
        let app = App { traffic: traffic.clone(), trusted_proxies, ..test.app.clone() };
        let server = pippost::http::serve(&app, vec![listener.into()], 1).expect("a server");
        let handle = server.handle();
        tokio::spawn(server);
        Self { test, address, traffic, handle }
    }

    fn url(&self) -> String {
        format!("http://{}", self.address)
    }

    fn stranger(&self) -> Client {
        Client::new(&self.url(), None)
    }

    /// A raw connection that has sent `text`.
    async fn send(&self, text: &str) -> TcpStream {
        let mut stream = TcpStream::connect(self.address).await.expect("a connection");
        stream.write_all(text.as_bytes()).await.expect("a sent text");
        stream
    }
}

impl Drop for LimitedServer {
    fn drop(&mut self) {
        drop(self.handle.stop(false));
    }
}

/// Everything that the server sends until it closes the connection.
async fn until_closed(stream: &mut (impl AsyncRead + Unpin)) -> String {
    let mut said = Vec::new();
    let read = tokio::time::timeout(TIMEOUT, stream.read_to_end(&mut said)).await;
    // A connection that is cut off with bytes in flight may end with a reset.
    let _ended = read.expect("the server closes the connection");
    String::from_utf8_lossy(&said).into_owned()
}

/// Waits until `holds` returns true.
async fn until(what: &str, holds: impl FnMut() -> bool) {
    until_within(TIMEOUT, what, holds).await;
}

/// Waits until `holds` returns true, which it does within `time`.
async fn until_within(time: Duration, what: &str, mut holds: impl FnMut() -> bool) {
    let started = Instant::now();
    while !holds() {
        assert!(started.elapsed() < time, "{what}");
        tokio::time::sleep(Duration::from_millis(5)).await;
    }
}
