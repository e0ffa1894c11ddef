//! Opens connections: TCP without Nagle's algorithm, TLS, greeting and log-in.

use std::io;
use std::net::SocketAddr;
use std::pin::Pin;
use std::sync::Arc;
use std::task::{Context, Poll};

use lettre::transport::smtp::authentication::DEFAULT_MECHANISMS;
use lettre::transport::smtp::client::{AsyncSmtpConnection, AsyncTokioStream};
use rustls::pki_types::ServerName;
use tokio::io::{AsyncRead, AsyncWrite, ReadBuf};
use tokio::net::TcpStream;
use tokio_rustls::TlsConnector;
use tokio_rustls::client::TlsStream;

use super::refusal::Failure;
use super::server::{Server, Tls};
use super::session::Session;
use super::trust::Trust;

/// Opens a connection that is ready for mail.
pub async fn connect(server: &Server, trust: &Trust) -> Result<Session, Failure> {
    let refused = |error| Failure::of_connection(&error);
    let socket = open(server).await.map_err(|_| Failure::unreachable())?;
    let stream: Box<dyn AsyncTokioStream> = match server.tls {
        Tls::FromStart => {
            Box::new(encrypt(socket, server, trust).await.map_err(|error| Failure::of_tls(&error))?)
        }
        Tls::Never | Tls::IfOffered | Tls::Required => Box::new(socket),
    };
    let mut connection =
        AsyncSmtpConnection::connect_with_transport(stream, &server.hello).await.map_err(refused)?;
    if server.tls == Tls::Required || server.tls == Tls::IfOffered && connection.can_starttls() {
        let parameters = trust.parameters(&server.host).map_err(refused)?;
        connection.starttls(parameters, &server.hello).await.map_err(refused)?;
    }
    let mut session = Session::greet(connection, &server.hello).await.map_err(refused)?;
    if let Some(credentials) = &server.credentials {
        session.connection().auth(DEFAULT_MECHANISMS, credentials).await.map_err(refused)?;
    }
    Ok(session)
}

/// Disables Nagle's algorithm: a mail is written in small pieces, and the last piece would wait for the server's delayed
/// acknowledgement.
async fn open(server: &Server) -> io::Result<TcpStream> {
    let socket = TcpStream::connect((server.host.as_str(), server.port)).await?;
    socket.set_nodelay(true)?;
    Ok(socket)
}

async fn encrypt(socket: TcpStream, server: &Server, trust: &Trust) -> io::Result<TlsSocket> {
    let name = ServerName::try_from(server.host.clone()).map_err(io::Error::other)?;
    let config = Arc::new(trust.client_config()?);
    Ok(TlsSocket(TlsConnector::from(config).connect(name, socket).await?))
}

/// A TLS connection in the form that lettre expects.
#[derive(Debug)]
struct TlsSocket(TlsStream<TcpStream>);

impl AsyncTokioStream for TlsSocket {
    fn peer_addr(&self) -> io::Result<SocketAddr> {
        self.0.get_ref().0.peer_addr()
    }
}

impl AsyncRead for TlsSocket {
    fn poll_read(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        buffer: &mut ReadBuf<'_>,
    ) -> Poll<io::Result<()>> {
        Pin::new(&mut self.0).poll_read(context, buffer)
    }
}

impl AsyncWrite for TlsSocket {
    fn poll_write(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        bytes: &[u8],
    ) -> Poll<io::Result<usize>> {
        Pin::new(&mut self.0).poll_write(context, bytes)
    }

    fn poll_flush(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.0).poll_flush(context)
    }

    fn poll_shutdown(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.0).poll_shutdown(context)
    }
}

#[cfg(test)]
mod tests {
    use tokio::net::TcpListener;

    use super::*;

    #[tokio::test]
    async fn no_part_of_a_mail_waits_for_an_acknowledgement() {
        let listener = TcpListener::bind("127.0.0.1:0").await.expect("a free port");
        let port = listener.local_addr().expect("an address").port();
        let server = Server::parse(&format!("smtp://127.0.0.1:{port}")).expect("a URL");
        let socket = open(&server).await.expect("a connection");
        assert!(socket.nodelay().expect("an option"));
    }
}
