//! Accepts connections: counts each against the limits or refuses it, and guards it from then on.

use std::fmt::Debug;
use std::future::ready;
use std::io::{self, Write};
use std::net::{IpAddr, SocketAddr};
use std::time::Duration;

use actix_http::body::MessageBody;
use actix_http::error::DispatchError;
use actix_http::{HttpService, Protocol, Request, Response};
use actix_server::{GracefulShutdownSignal, ServerBuilder};
use actix_service::{IntoServiceFactory, Service, ServiceFactory, ServiceFactoryExt, fn_service, map_config};
use actix_web::Error;
use actix_web::dev::AppConfig;
use nix::sys::resource::{Resource, getrlimit, setrlimit};
use nix::sys::socket::{setsockopt, sockopt};
use tokio::io::{AsyncRead, AsyncWrite};
use tokio::net::{TcpStream, UnixStream};

use super::CLOSE_SECONDS;
use crate::api::peer::TrustedProxies;
use crate::endpoint::Listener;
use crate::traffic::{Full, GuardedStream, Limits, Traffic, TrafficPermit};

/// The kernel's send buffer, in bytes; the kernel doubles it for itself.
const MAX_SENT_BYTES: usize = 64 * 1024;

/// How long the kernel keeps a connection whose client acknowledges nothing, in milliseconds.
const MAX_UNACKNOWLEDGED_MS: u32 = 60_000;

/// The response to a connection over a limit.
const NO_PLACE: &[u8] =
    b"HTTP/1.1 503 Service Unavailable\r\ncontent-length: 0\r\nretry-after: 5\r\nconnection: close\r\n\r\n";

/// Admits connections up to the limits.
#[derive(Clone)]
pub struct Acceptor {
    pub traffic: Traffic,
    pub trusted: TrustedProxies,
}

impl Acceptor {
    fn place(&self, address: Option<IpAddr>) -> Result<TrafficPermit, Full> {
        // A trusted proxy represents many clients, so only the total is limited; a Unix socket is local.
        let peer = address.filter(|_| !self.trusted.trusts(address));
        self.traffic.connections.enter(peer, 1)
    }

    fn admit_tcp(&self, stream: TcpStream) -> Result<Incoming<TcpStream>, DispatchError> {
        set_options(&stream);
        let address = stream.peer_addr().ok();
        match self.place(address.map(|address| address.ip())) {
            Ok(place) => {
                let guarded = GuardedStream::new(stream, self.traffic.limits, place);
                Ok((guarded, Protocol::Http1, address))
            }
            Err(full) => {
                // The response is not retried if it cannot be written at once.
                let _ = stream.into_std().and_then(|mut stream| stream.write(NO_PLACE));
                Err(turned_away(full))
            }
        }
    }

    fn admit_unix(&self, stream: UnixStream) -> Result<Incoming<UnixStream>, DispatchError> {
        let place = self.place(None).map_err(turned_away)?;
        Ok((GuardedStream::new(stream, self.traffic.limits, place), Protocol::Http1, None))
    }
}

/// A connection as `actix-http` expects it.
type Incoming<T> = (GuardedStream<T>, Protocol, Option<SocketAddr>);

/// If the system refuses these options, the deadlines still hold.
fn set_options(stream: &TcpStream) {
    // The end of a large answer must not wait until the client acknowledges its beginning, which takes up to 40 ms.
    let _ = stream.set_nodelay(true);
    let _ = setsockopt(stream, sockopt::SndBuf, &MAX_SENT_BYTES);
    let _ = setsockopt(stream, sockopt::TcpUserTimeout, &MAX_UNACKNOWLEDGED_MS);
}

fn turned_away(full: Full) -> DispatchError {
    DispatchError::Io(io::Error::other(full))
}

/// Adds a listener whose connections the application of `make` serves.
pub fn listen<F, I, S, B>(
    server: ServerBuilder,
    listener: Listener,
    acceptor: Acceptor,
    make: F,
) -> io::Result<ServerBuilder>
where
    F: Fn() -> I + Send + Clone + 'static,
    I: IntoServiceFactory<S, Request>,
    S: ServiceFactory<Request, Config = AppConfig> + 'static,
    S::Error: Into<Error>,
    S::InitError: Debug,
    S::Response: Into<Response<B>> + 'static,
    <S::Service as Service<Request>>::Future: 'static,
    S::Service: 'static,
    B: MessageBody + 'static,
{
    let (stopping, limits) = (server.graceful_shutdown_signal(), acceptor.traffic.limits);
    match listener {
        Listener::Tcp(listener) => server.listen("tcp", listener, move || {
            let acceptor = acceptor.clone();
            fn_service(move |stream: TcpStream| ready(acceptor.admit_tcp(stream))).and_then(machine(
                limits,
                stopping.clone(),
                make(),
            ))
        }),
        Listener::Unix(listener) => server.listen_uds("unix", listener, move || {
            let acceptor = acceptor.clone();
            fn_service(move |stream: UnixStream| ready(acceptor.admit_unix(stream))).and_then(machine(
                limits,
                stopping.clone(),
                make(),
            ))
        }),
    }
}

/// The HTTP service for connections of one kind. Its own deadlines end idle connections cleanly; those of [`GuardedStream`] are
/// for clients that prevent that.
fn machine<T, I, S, B>(
    limits: Limits,
    stopping: GracefulShutdownSignal,
    application: I,
) -> impl ServiceFactory<Incoming<T>, Config = (), Response = (), Error = DispatchError, InitError = ()>
+ use<T, I, S, B>
where
    T: AsyncRead + AsyncWrite + Unpin + 'static,
    I: IntoServiceFactory<S, Request>,
    S: ServiceFactory<Request, Config = AppConfig> + 'static,
    S::Error: Into<Error>,
    S::InitError: Debug,
    S::Response: Into<Response<B>> + 'static,
    <S::Service as Service<Request>>::Future: 'static,
    S::Service: 'static,
    B: MessageBody + 'static,
{
    let application = application.into_factory().map_err(|error| error.into().error_response());
    HttpService::build()
        .graceful_shutdown_signal(move || {
            let stopping = stopping.clone();
            async move { stopping.notified().await }
        })
        .keep_alive(limits.idle)
        .client_request_timeout(limits.head)
        .client_disconnect_timeout(Duration::from_secs(CLOSE_SECONDS))
        .on_connect_ext(|stream: &GuardedStream<T>, kept| {
            kept.insert(stream.connection());
        })
        .finish(map_config(application, |()| AppConfig::default()))
}

/// Raises the process's limit on open files to the maximum, because each connection is one.
pub fn make_room_for_connections() {
    let raised = getrlimit(Resource::RLIMIT_NOFILE)
        .and_then(|(_, most)| setrlimit(Resource::RLIMIT_NOFILE, most, most).map(|()| most));
    match raised {
        Ok(files) => tracing::debug!(files, "files that may be open"),
        Err(error) => tracing::warn!(%error, "cannot raise the limit on open files"),
    }
}

#[cfg(test)]
mod tests {
    use nix::sys::socket::getsockopt;
    use tokio::net::TcpListener;

    use super::*;

    #[tokio::test]
    async fn an_accepted_connection_sends_at_once_and_is_given_up_when_nothing_is_acknowledged() {
        let listener = TcpListener::bind("127.0.0.1:0").await.expect("a port");
        let _client =
            TcpStream::connect(listener.local_addr().expect("an address")).await.expect("a connection");
        let (stream, _) = listener.accept().await.expect("a connection");
        set_options(&stream);
        assert!(stream.nodelay().expect("an option"));
        assert_eq!(getsockopt(&stream, sockopt::TcpUserTimeout).expect("an option"), MAX_UNACKNOWLEDGED_MS);
    }
}
