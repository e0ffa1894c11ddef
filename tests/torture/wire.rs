//! A wire between two parties, which a fault cuts, slows or leaves half open.

use std::net::SocketAddr;
use std::path::PathBuf;
use std::time::Duration;

use tokio::io::{AsyncRead, AsyncReadExt, AsyncWrite, AsyncWriteExt};
use tokio::net::{TcpListener, TcpStream, UnixStream};
use tokio::sync::watch;
use tokio::task::JoinHandle;

/// What the wire does with what passes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Manner {
    Passing,
    /// Every connection is closed, and new ones too.
    Cut,
    /// Each piece is held back for so long.
    Slow(Duration),
    /// Nothing passes until it is mended, and nobody is told.
    Silent,
    /// Requests pass, and no answer does: such a connection is closed when the wire is mended.
    Unanswering,
}

/// Where it leads.
#[derive(Clone, Debug)]
pub enum End {
    Tcp(SocketAddr),
    Unix(PathBuf),
}

/// The wire, which ends on drop.
pub struct Wire {
    pub port: u16,
    manner: watch::Sender<Manner>,
    listening: JoinHandle<()>,
}

impl Wire {
    pub async fn to(end: End) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").await.expect("a free port");
        let port = listener.local_addr().expect("an address").port();
        let manner = watch::Sender::new(Manner::Passing);
        let listening = tokio::spawn(listen(listener, end, manner.subscribe()));
        Self { port, manner, listening }
    }

    pub fn behave(&self, manner: Manner) {
        self.manner.send_replace(manner);
    }
}

impl Drop for Wire {
    fn drop(&mut self) {
        self.listening.abort();
    }
}

async fn listen(listener: TcpListener, end: End, manner: watch::Receiver<Manner>) {
    while let Ok((client, _)) = listener.accept().await {
        if *manner.borrow() == Manner::Cut {
            continue;
        }
        let (end, manner) = (end.clone(), manner.clone());
        tokio::spawn(async move {
            // Either side may be gone.
            let _gone = connect(client, end, manner).await;
        });
    }
}

async fn connect(client: TcpStream, end: End, manner: watch::Receiver<Manner>) -> std::io::Result<()> {
    client.set_nodelay(true)?;
    match end {
        End::Tcp(address) => {
            let server = TcpStream::connect(address).await?;
            server.set_nodelay(true)?;
            carry(client, server, manner).await
        }
        End::Unix(path) => carry(client, UnixStream::connect(path).await?, manner).await,
    }
}

async fn carry(
    client: TcpStream,
    server: impl AsyncRead + AsyncWrite,
    manner: watch::Receiver<Manner>,
) -> std::io::Result<()> {
    let (from_client, to_client) = client.into_split();
    let (from_server, to_server) = tokio::io::split(server);
    // Whichever side hangs up first ends both.
    tokio::select! {
        ended = pump(from_client, to_server, manner.clone(), false) => ended,
        ended = pump(from_server, to_client, manner, true) => ended,
    }
}

async fn pump(
    mut from: impl AsyncRead + Unpin,
    mut to: impl AsyncWrite + Unpin,
    mut manner: watch::Receiver<Manner>,
    answers: bool,
) -> std::io::Result<()> {
    let (mut piece, mut lost) = (vec![0; 1 << 14], false);
    loop {
        let now = *manner.borrow_and_update();
        if now == Manner::Cut || (lost && now != Manner::Unanswering) {
            return Ok(());
        }
        tokio::select! {
            changed = manner.changed() => if changed.is_err() {
                return Ok(());
            },
            read = from.read(&mut piece), if now != Manner::Silent => {
                let read = read?;
                if read == 0 {
                    return Ok(());
                }
                match now {
                    Manner::Unanswering if answers => {
                        lost = true;
                        continue;
                    }
                    Manner::Slow(wait) => tokio::time::sleep(wait).await,
                    _ => {}
                }
                to.write_all(&piece[..read]).await?;
            }
        }
    }
}
