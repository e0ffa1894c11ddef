//! SMTP servers that discard mails: Postfix's own, and one that records times.

use std::net::SocketAddr;
use std::path::PathBuf;
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use anyhow::{Context, bail};
use tokio::io::{AsyncBufReadExt, AsyncWriteExt, BufStream};
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::mpsc;

use super::server::free_address;

/// The folders of Debian for Postfix's programs, which may not be on the path.
const FOLDERS: [&str; 3] = ["/usr/sbin", "/usr/local/sbin", "/usr/libexec/postfix"];

/// How long `smtp-sink` may take until it listens.
const START_TIMEOUT: Duration = Duration::from_secs(10);

/// Postfix's test programs.
#[derive(Clone, Debug)]
pub struct Postfix {
    pub sink: PathBuf,
    pub source: PathBuf,
}

impl Postfix {
    /// Both programs, if they are installed.
    #[must_use]
    pub fn find() -> Option<Self> {
        let path = std::env::var_os("PATH").unwrap_or_default();
        let folders: Vec<PathBuf> =
            FOLDERS.iter().map(PathBuf::from).chain(std::env::split_paths(&path)).collect();
        let program = |name: &str| folders.iter().map(|folder| folder.join(name)).find(|path| path.is_file());
        Some(Self { sink: program("smtp-sink")?, source: program("smtp-source")? })
    }
}

/// A running `smtp-sink`.
pub struct Sink {
    pub address: SocketAddr,
    child: Child,
}

impl Sink {
    /// Starts the sink and waits until it listens.
    ///
    /// # Errors
    /// It does not listen in time.
    pub async fn start(postfix: &Postfix) -> anyhow::Result<Self> {
        let address = free_address()?;
        let mut command = Command::new(&postfix.sink);
        if nix::unistd::geteuid().is_root() {
            // smtp-sink refuses to run as root.
            command.args(["-u", "nobody"]);
        }
        command.arg(address.to_string()).arg("256").stdin(Stdio::null());
        let child = command.spawn().context("cannot start smtp-sink")?;
        let sink = Self { address, child };
        let started = Instant::now();
        while TcpStream::connect(address).await.is_err() {
            if started.elapsed() > START_TIMEOUT {
                bail!("smtp-sink does not listen");
            }
            tokio::time::sleep(Duration::from_millis(10)).await;
        }
        Ok(sink)
    }

    #[must_use]
    pub fn pid(&self) -> u32 {
        self.child.id()
    }
}

impl Drop for Sink {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// A mail that the clocked sink accepted.
pub struct Accepted {
    /// When its last line arrived, just before it was accepted.
    pub at: Instant,
    pub raw: Vec<u8>,
}

/// A server that accepts every mail and reports when.
pub struct Clocked {
    pub address: SocketAddr,
    accepted: mpsc::UnboundedReceiver<Accepted>,
}

impl Clocked {
    /// Listens on the current runtime until this is dropped and the last client has left.
    ///
    /// # Errors
    /// It cannot listen.
    pub async fn listen() -> anyhow::Result<Self> {
        let listener = TcpListener::bind("127.0.0.1:0").await?;
        let address = listener.local_addr()?;
        let (mails, accepted) = mpsc::unbounded_channel();
        tokio::spawn(async move {
            while let Ok((socket, _)) = listener.accept().await {
                let mails = mails.clone();
                tokio::spawn(async move {
                    // A client may hang up at any time.
                    let _hung_up = converse(socket, &mails).await;
                });
            }
        });
        Ok(Self { address, accepted })
    }

    /// The next mail.
    ///
    /// # Errors
    /// No mail came in time.
    pub async fn next(&mut self, time_limit: Duration) -> anyhow::Result<Accepted> {
        let next = tokio::time::timeout(time_limit, self.accepted.recv()).await;
        next.context("no mail came")?.context("the sink has ended")
    }
}

async fn converse(socket: TcpStream, mails: &mpsc::UnboundedSender<Accepted>) -> anyhow::Result<()> {
    socket.set_nodelay(true)?;
    let mut stream = BufStream::new(socket);
    stream.write_all(b"220 sink.example.org ESMTP\r\n").await?;
    let mut line = Vec::new();
    loop {
        stream.flush().await?;
        line.clear();
        if stream.read_until(b'\n', &mut line).await? == 0 {
            return Ok(());
        }
        let verb = line.get(..4).unwrap_or_default().to_ascii_uppercase();
        let answer: &[u8] = match verb.as_slice() {
            b"EHLO" => b"250-sink.example.org\r\n250-PIPELINING\r\n250 8BITMIME\r\n",
            b"DATA" => b"354 go on\r\n",
            b"QUIT" => b"221 bye\r\n",
            _ => b"250 ok\r\n",
        };
        stream.write_all(answer).await?;
        if verb == b"DATA" {
            stream.flush().await?;
            let raw = message(&mut stream).await?;
            // When the bench is over, nobody receives this.
            let _over = mails.send(Accepted { at: Instant::now(), raw });
            stream.write_all(b"250 taken\r\n").await?;
        }
    }
}

/// The lines before the lone dot, with doubled dots unescaped.
async fn message(stream: &mut BufStream<TcpStream>) -> anyhow::Result<Vec<u8>> {
    let (mut raw, mut line) = (Vec::new(), Vec::new());
    loop {
        line.clear();
        if stream.read_until(b'\n', &mut line).await? == 0 {
            bail!("the client hung up in a message");
        }
        if line == b".\r\n" {
            return Ok(raw);
        }
        raw.extend_from_slice(line.strip_prefix(b".").unwrap_or(&line));
    }
}
