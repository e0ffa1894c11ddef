//! A small SMTP server that accepts mails, or refuses them as configured.

use std::net::SocketAddr;
use std::ops::ControlFlow;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};

use tokio::io::{AsyncBufReadExt, AsyncRead, AsyncWrite, AsyncWriteExt, BufStream};
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::Notify;
use tokio::task::JoinHandle;
use tokio_rustls::TlsAcceptor;

/// What the sink does with one mail.
#[derive(Clone, Copy, Debug)]
pub enum Treatment {
    Accept,
    /// Accepts the mail, answers, and closes the connection.
    AcceptAndClose,
    /// Answers the recipient with this line.
    RefuseRecipient(&'static str),
    /// Answers the whole mail with this line.
    RefuseMessage(&'static str),
    /// Receives the whole mail, and answers only after [`SmtpSink::let_go`].
    Hold,
}

/// When the sink encrypts.
#[derive(Clone)]
pub enum Tls {
    Never,
    /// After STARTTLS.
    Offered(TlsAcceptor),
    FromStart(TlsAcceptor),
}

/// A mail as received.
#[derive(Clone, Debug)]
pub struct Received {
    pub from: String,
    pub to: Vec<String>,
    pub data: String,
}

/// The sink, stopped on drop.
pub struct SmtpSink {
    address: SocketAddr,
    shared: Arc<Shared>,
    listening: JoinHandle<()>,
}

struct Shared {
    treatment: Box<dyn Fn(usize) -> Treatment + Send + Sync>,
    /// Whether it offers pipelining.
    in_a_row: bool,
    /// Whether it offers SMTPUTF8.
    takes_other_scripts: AtomicBool,
    /// The answer to a log-in, which is offered only if this is set.
    log_in: Option<&'static str>,
    tls: Tls,
    /// The number of mails received over TLS.
    encrypted: AtomicUsize,
    connections: AtomicUsize,
    /// The number of mails begun.
    begun: AtomicUsize,
    received: Mutex<Vec<Received>>,
    holding: Notify,
    let_go: Notify,
    taken: Notify,
}

impl SmtpSink {
    /// A sink that treats mails, counted from 0 as they are begun, by `treatment`.
    pub async fn start(treatment: impl Fn(usize) -> Treatment + Send + Sync + 'static) -> Self {
        Self::start_with(treatment, None, Tls::Never).await
    }

    /// The same without pipelining: each command must wait for the answer to the one before.
    pub async fn start_old(treatment: impl Fn(usize) -> Treatment + Send + Sync + 'static) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").await.expect("a free port");
        Self::listen_on(listener, treatment, None, Tls::Never, false)
    }

    /// A sink at `address`, which another one used before.
    pub async fn start_again(address: SocketAddr) -> Self {
        let listener = TcpListener::bind(address).await.expect("the same port");
        Self::listen_on(listener, |_| Treatment::Accept, None, Tls::Never, true)
    }

    /// A sink with TLS.
    pub async fn with_tls(tls: Tls) -> Self {
        Self::start_with(|_| Treatment::Accept, None, tls).await
    }

    /// A sink that answers every log-in with this line.
    pub async fn with_log_in(answer: &'static str) -> Self {
        Self::start_with(|_| Treatment::Accept, Some(answer), Tls::Never).await
    }

    async fn start_with(
        treatment: impl Fn(usize) -> Treatment + Send + Sync + 'static,
        log_in: Option<&'static str>,
        tls: Tls,
    ) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").await.expect("a free port");
        Self::listen_on(listener, treatment, log_in, tls, true)
    }

    fn listen_on(
        listener: TcpListener,
        treatment: impl Fn(usize) -> Treatment + Send + Sync + 'static,
        log_in: Option<&'static str>,
        tls: Tls,
        in_a_row: bool,
    ) -> Self {
        let address = listener.local_addr().expect("an address");
        let shared = Arc::new(Shared {
            treatment: Box::new(treatment),
            in_a_row,
            takes_other_scripts: AtomicBool::new(false),
            log_in,
            tls,
            encrypted: AtomicUsize::new(0),
            connections: AtomicUsize::new(0),
            begun: AtomicUsize::new(0),
            received: Mutex::default(),
            holding: Notify::new(),
            let_go: Notify::new(),
            taken: Notify::new(),
        });
        let listening = tokio::spawn(listen(listener, shared.clone()));
        Self { address, shared, listening }
    }

    /// Offers SMTPUTF8 from now on.
    pub fn take_other_scripts(&self) {
        self.shared.takes_other_scripts.store(true, Ordering::SeqCst);
    }

    /// The address on which it listens.
    pub fn address(&self) -> SocketAddr {
        self.address
    }

    /// The number of mails received over TLS.
    pub fn encrypted(&self) -> usize {
        self.shared.encrypted.load(Ordering::SeqCst)
    }

    /// The sink's URL, as a setting.
    pub fn url(&self) -> String {
        format!("smtp://{}", self.address)
    }

    /// The sink's URL with this user and password.
    pub fn url_for(&self, user: &str, password: &str) -> String {
        format!("smtp://{user}:{password}@{}", self.address)
    }

    /// The accepted mails, oldest first.
    pub fn received(&self) -> Vec<Received> {
        self.shared.received.lock().expect("no panic").clone()
    }

    /// The accepted mails but for so many of the oldest.
    pub fn received_after(&self, known: usize) -> Vec<Received> {
        let received = self.shared.received.lock().expect("no panic");
        received.get(known..).unwrap_or_default().to_vec()
    }

    /// Waits until that many mails have been accepted.
    pub async fn wait_for(&self, count: usize) {
        while self.received().len() < count {
            self.shared.taken.notified().await;
        }
    }

    /// The number of connections so far.
    pub fn connections(&self) -> usize {
        self.shared.connections.load(Ordering::SeqCst)
    }

    /// Waits until a mail is held.
    pub async fn holding(&self) {
        self.shared.holding.notified().await;
    }

    /// Accepts the held mail; returns when that is done.
    pub async fn let_go(&self) {
        self.shared.let_go.notify_one();
        self.shared.taken.notified().await;
    }
}

impl Drop for SmtpSink {
    fn drop(&mut self) {
        self.listening.abort();
    }
}

async fn listen(listener: TcpListener, shared: Arc<Shared>) {
    while let Ok((socket, _)) = listener.accept().await {
        shared.connections.fetch_add(1, Ordering::SeqCst);
        let shared = shared.clone();
        tokio::spawn(async move {
            // A client may hang up at any time.
            let _hung_up = serve(socket, shared).await;
        });
    }
}

async fn serve(socket: TcpStream, shared: Arc<Shared>) -> std::io::Result<()> {
    let from_start = matches!(shared.tls, Tls::FromStart(_));
    let stream: Box<dyn Stream> = match &shared.tls {
        Tls::FromStart(acceptor) => Box::new(acceptor.accept(socket).await?),
        Tls::Never | Tls::Offered(_) => Box::new(socket),
    };
    let mut talk = Talk { stream: BufStream::new(stream), encrypted: from_start, shared: shared.clone() };
    talk.say("220 sink.example.org ESMTP").await?;
    if talk.run().await?.is_break() {
        return Ok(());
    }
    let Tls::Offered(acceptor) = &shared.tls else { return Ok(()) };
    let stream: Box<dyn Stream> = Box::new(acceptor.accept(talk.stream.into_inner()).await?);
    let mut talk = Talk { stream: BufStream::new(stream), encrypted: true, shared: shared.clone() };
    talk.run().await.map(|_over| ())
}

trait Stream: AsyncRead + AsyncWrite + Send + Unpin {}

impl<S: AsyncRead + AsyncWrite + Send + Unpin> Stream for S {}

/// One connection.
struct Talk {
    stream: BufStream<Box<dyn Stream>>,
    encrypted: bool,
    shared: Arc<Shared>,
}

impl Talk {
    /// Runs until the connection is over, or the client wants to encrypt it.
    async fn run(&mut self) -> std::io::Result<ControlFlow<()>> {
        let mut treatment = Treatment::Accept;
        let mut mail = Received { from: String::new(), to: Vec::new(), data: String::new() };
        while let Some(line) = self.line().await? {
            let (verb, rest) = line.split_at(line.find([' ', ':']).unwrap_or(line.len()));
            match verb.to_ascii_uppercase().as_str() {
                "EHLO" => self.greet().await?,
                "AUTH" => self.say(self.shared.log_in.unwrap_or("503 not offered")).await?,
                "MAIL" => {
                    treatment = (self.shared.treatment)(self.shared.begun.fetch_add(1, Ordering::SeqCst));
                    mail = Received { from: path(rest), to: Vec::new(), data: String::new() };
                    self.say("250 ok").await?;
                }
                "RCPT" => {
                    if let Treatment::RefuseRecipient(answer) = treatment {
                        self.say(answer).await?;
                    } else {
                        mail.to.push(path(rest));
                        self.say("250 ok").await?;
                    }
                }
                "DATA" if mail.to.is_empty() => self.say("554 5.5.1 nobody to send it to").await?,
                "DATA" => {
                    self.say("354 go on").await?;
                    let Some(data) = self.data().await? else { return Ok(ControlFlow::Break(())) };
                    mail.data = data;
                    if self.judge(treatment, mail.clone()).await? {
                        return Ok(ControlFlow::Break(()));
                    }
                }
                "STARTTLS" => {
                    self.say("220 go on").await?;
                    return Ok(ControlFlow::Continue(()));
                }
                "NOOP" | "RSET" => self.say("250 ok").await?,
                "QUIT" => {
                    self.say("221 bye").await?;
                    return Ok(ControlFlow::Break(()));
                }
                _ => self.say("500 what?").await?,
            }
        }
        Ok(ControlFlow::Break(()))
    }

    /// Answers a whole mail; true when the connection is over.
    async fn judge(&mut self, treatment: Treatment, mail: Received) -> std::io::Result<bool> {
        if let Treatment::RefuseMessage(answer) = treatment {
            self.say(answer).await?;
            return Ok(false);
        }
        if let Treatment::Hold = treatment {
            self.shared.holding.notify_one();
            self.shared.let_go.notified().await;
        }
        self.shared.encrypted.fetch_add(usize::from(self.encrypted), Ordering::SeqCst);
        self.shared.received.lock().expect("no panic").push(mail);
        self.shared.taken.notify_one();
        self.say("250 taken").await?;
        Ok(matches!(treatment, Treatment::AcceptAndClose))
    }

    async fn greet(&mut self) -> std::io::Result<()> {
        if matches!(self.shared.tls, Tls::Offered(_)) && !self.encrypted {
            self.say("250-sink.example.org\r\n250 STARTTLS").await
        } else if self.shared.log_in.is_some() {
            self.say("250-sink.example.org\r\n250 AUTH PLAIN").await
        } else {
            let in_a_row = if self.shared.in_a_row { "250-PIPELINING\r\n" } else { "" };
            let takes = self.shared.takes_other_scripts.load(Ordering::SeqCst);
            let other_scripts = if takes { "250-SMTPUTF8\r\n" } else { "" };
            self.say(&format!("250-sink.example.org\r\n{in_a_row}{other_scripts}250 8BITMIME")).await
        }
    }

    async fn say(&mut self, line: &str) -> std::io::Result<()> {
        self.stream.write_all(format!("{line}\r\n").as_bytes()).await?;
        self.stream.flush().await
    }

    async fn line(&mut self) -> std::io::Result<Option<String>> {
        let mut line = String::new();
        let read = self.stream.read_line(&mut line).await?;
        Ok((read > 0).then(|| line.trim_end_matches(['\r', '\n']).to_owned()))
    }

    /// The lines before the lone dot, if it comes, with doubled dots unescaped (RFC 5321, 4.5.2).
    async fn data(&mut self) -> std::io::Result<Option<String>> {
        let mut data = String::new();
        while let Some(line) = self.line().await? {
            if line == "." {
                return Ok(Some(data));
            }
            data.push_str(line.strip_prefix('.').unwrap_or(&line));
            data.push_str("\r\n");
        }
        Ok(None)
    }
}

/// The address in `FROM:<…> …`.
fn path(argument: &str) -> String {
    let inside = argument.split_once('<').and_then(|(_, rest)| rest.split_once('>'));
    inside.map(|(address, _)| address.to_owned()).unwrap_or_default()
}
