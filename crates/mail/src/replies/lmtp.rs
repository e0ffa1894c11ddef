//! Receives mail from a mail server on this machine by LMTP (RFC 2033). smtp-proto parses the commands and removes dot-stuffing;
//! this module holds the sessions and enforces limits.

use std::net::SocketAddr;
use std::sync::Arc;
use std::time::Duration;

use smtp_proto::request::receiver::{DataReceiver, RequestReceiver};
use smtp_proto::{Error, Request};
use tokio::io::{AsyncRead, AsyncReadExt, AsyncWrite, AsyncWriteExt};
use tokio::net::{TcpListener, UnixListener};
use tokio::sync::Semaphore;
use tokio::task::JoinSet;
use tokio::time::timeout;

use super::{Incoming, MAX_MAIL_BYTES, MAX_READ_BYTES, ReceiveOutcome, Replies};
use pippost_traffic::endpoint::{Endpoint, Listener, SocketFile};

/// The most concurrent sessions; further connections wait.
const MAX_SESSIONS: usize = 32;

/// The longest wait for the client (RFC 5321, 4.5.3.2.7).
const IDLE_TIMEOUT: Duration = Duration::from_mins(5);

/// The pause after the socket has failed, for example because no file descriptor was free.
const ACCEPT_RETRY_INTERVAL: Duration = Duration::from_millis(100);

/// The most recipients of one mail.
const MAX_RECIPIENTS: usize = 20;

/// The most invalid commands in a session; then it is closed.
const MAX_MISTAKES: usize = 20;

/// The most bytes of a mail that are read and discarded so that the client gets the answer that it is too large.
const MAX_DISCARDED_BYTES: usize = 64 * 1024 * 1024;

const _: () = assert!(MAX_MAIL_BYTES == 10_485_760, "the greeting says the same");

/// The most bytes of one read.
const BUFFER_BYTES: usize = 8 * 1024;

/// The setting is no address to listen on.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("LMTP listens on `unix:` and a path, or on a loopback address and port as 127.0.0.1:2424")]
pub struct LmtpAddressError;

/// A Unix socket or a loopback address. Others must not reach it, because every client is trusted as the mail server.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LmtpAddress(Endpoint);

impl std::str::FromStr for LmtpAddress {
    type Err = LmtpAddressError;

    fn from_str(text: &str) -> Result<Self, LmtpAddressError> {
        match text.parse() {
            Ok(Endpoint::Tcp(address)) if !address.ip().is_loopback() => Err(LmtpAddressError),
            Ok(endpoint) => Ok(Self(endpoint)),
            Err(_) => Err(LmtpAddressError),
        }
    }
}

/// A socket that accepts mail.
pub struct LmtpListener {
    socket: Socket,
    /// Removes the socket's file when dropped.
    _file: Option<SocketFile>,
}

enum Socket {
    Unix(UnixListener),
    Tcp(TcpListener),
}

impl LmtpListener {
    /// Opens the socket, as [`Endpoint::bind`] does. Must be called in a runtime.
    ///
    /// # Errors
    /// The socket cannot be opened.
    pub fn bind(address: &LmtpAddress) -> std::io::Result<Self> {
        let (listener, file) = address.0.bind()?;
        let socket = match listener {
            Listener::Tcp(listener) => {
                listener.set_nonblocking(true)?;
                Socket::Tcp(TcpListener::from_std(listener)?)
            }
            Listener::Unix(listener) => {
                listener.set_nonblocking(true)?;
                Socket::Unix(UnixListener::from_std(listener)?)
            }
        };
        Ok(Self { socket, _file: file })
    }

    /// The address of a TCP socket.
    #[must_use]
    pub fn tcp_address(&self) -> Option<SocketAddr> {
        match &self.socket {
            Socket::Tcp(listener) => listener.local_addr().ok(),
            Socket::Unix(_) => None,
        }
    }

    /// Accepts mail until `stop` completes. Clients repeat mails whose session was cut off.
    pub async fn serve(self, replies: Replies, stop: impl Future<Output = ()>) {
        let places = Arc::new(Semaphore::new(MAX_SESSIONS));
        let mut sessions = JoinSet::new();
        tokio::pin!(stop);
        loop {
            let place = places.clone().acquire_owned().await.expect("never closed");
            tokio::select! {
                () = &mut stop => break,
                begun = self.accept(&replies, &mut sessions, place) => {
                    if let Err(error) = begun {
                        tracing::warn!(%error, "LMTP: no connection");
                        tokio::time::sleep(ACCEPT_RETRY_INTERVAL).await;
                    }
                }
            }
            while sessions.try_join_next().is_some() {}
        }
    }

    async fn accept(
        &self,
        replies: &Replies,
        sessions: &mut JoinSet<()>,
        place: tokio::sync::OwnedSemaphorePermit,
    ) -> std::io::Result<()> {
        let replies = replies.clone();
        match &self.socket {
            Socket::Tcp(listener) => {
                let (socket, _) = listener.accept().await?;
                socket.set_nodelay(true)?;
                sessions.spawn(async move { talk(socket, replies, place).await });
            }
            Socket::Unix(listener) => {
                let (socket, _) = listener.accept().await?;
                sessions.spawn(async move { talk(socket, replies, place).await });
            }
        }
        Ok(())
    }
}

async fn talk<S: AsyncRead + AsyncWrite + Unpin>(
    stream: S,
    replies: Replies,
    place: tokio::sync::OwnedSemaphorePermit,
) {
    let mut session =
        Session { stream, replies, greeted: false, sender: None, recipients: Vec::new(), mistakes: 0 };
    if let Err(error) = session.run().await {
        tracing::debug!(%error, "LMTP: a conversation broke");
    }
    drop(place);
}

/// One LMTP session.
struct Session<S> {
    stream: S,
    replies: Replies,
    greeted: bool,
    /// Empty for bounces.
    sender: Option<String>,
    recipients: Vec<String>,
    mistakes: usize,
}

/// What a client says, split into commands and mails wherever its bytes end.
#[derive(Default)]
pub struct Speech {
    requests: RequestReceiver,
    data: Option<Data>,
}

/// A part of what a client says.
#[derive(Debug)]
pub enum Said {
    Command(Request<String>),
    /// It is no command.
    Mistake(Error),
    /// A mail as far as it is read, and how many bytes it had.
    Mail {
        raw: Vec<u8>,
        bytes: usize,
    },
    /// A mail of which nobody waits for the end.
    Endless,
}

impl Speech {
    /// A mail follows, as after the answer to DATA.
    pub fn expect_mail(&mut self) {
        self.data = Some(Data::begin());
    }

    /// The next part; `None` if it has not come whole, and all `bytes` are read.
    pub fn hear(&mut self, bytes: &mut std::slice::Iter<'_, u8>) -> Option<Said> {
        if bytes.as_slice().is_empty() {
            return None;
        }
        if let Some(mut incoming) = self.data.take() {
            if incoming.take(bytes) {
                let bytes = incoming.received;
                return Some(Said::Mail { raw: incoming.finish(), bytes });
            }
            if incoming.received > MAX_DISCARDED_BYTES {
                return Some(Said::Endless);
            }
            self.data = Some(incoming);
            return None;
        }
        match self.requests.ingest(bytes) {
            Ok(request) => Some(Said::Command(request.into_owned())),
            Err(Error::NeedsMoreData { .. }) => None,
            Err(error) => Some(Said::Mistake(error)),
        }
    }
}

/// A mail being received.
struct Data {
    receiver: DataReceiver,
    mail: Vec<u8>,
    received: usize,
}

/// What to do after a command.
enum Next {
    Go(&'static str),
    Data,
    End(&'static str),
}

impl<S: AsyncRead + AsyncWrite + Unpin> Session<S> {
    async fn run(&mut self) -> std::io::Result<()> {
        let mut speech = Speech::default();
        let mut buffer = vec![0; BUFFER_BYTES];
        self.say("220 pippost LMTP").await?;
        loop {
            let Ok(read) = timeout(IDLE_TIMEOUT, self.stream.read(&mut buffer)).await else {
                return self.say("421 4.4.2 good-bye").await;
            };
            let read = read?;
            if read == 0 {
                return Ok(());
            }
            let mut bytes = buffer[..read].iter();
            while let Some(said) = speech.hear(&mut bytes) {
                let next = match said {
                    Said::Command(request) => self.understand(request),
                    Said::Mistake(error) => self.misunderstand(&error),
                    Said::Endless => return self.say("421 5.3.4 too large by far").await,
                    Said::Mail { raw, bytes } => {
                        self.deliver(&raw, bytes).await?;
                        continue;
                    }
                };
                match next {
                    Next::Go(answer) => self.say(answer).await?,
                    Next::End(answer) => return self.say(answer).await,
                    Next::Data => {
                        self.say("354 go on").await?;
                        speech.expect_mail();
                    }
                }
            }
        }
    }

    fn understand(&mut self, request: Request<String>) -> Next {
        Next::Go(match request {
            Request::Lhlo { .. } => {
                self.reset();
                self.greeted = true;
                "250-pippost\r\n250-8BITMIME\r\n250-PIPELINING\r\n250-ENHANCEDSTATUSCODES\r\n250 SIZE 10485760"
            }
            Request::Ehlo { .. } | Request::Helo { .. } => {
                return self.mistake("500 5.5.1 this is LMTP: say LHLO");
            }
            Request::Mail { .. } if !self.greeted || self.sender.is_some() => {
                return self.mistake("503 5.5.1 not now");
            }
            Request::Mail { from } if from.size > MAX_MAIL_BYTES => "552 5.3.4 too large",
            Request::Mail { from } => {
                self.sender = Some(from.address);
                "250 2.1.0 ok"
            }
            Request::Rcpt { .. } if self.sender.is_none() => return self.mistake("503 5.5.1 MAIL first"),
            Request::Rcpt { .. } if self.recipients.len() >= MAX_RECIPIENTS => {
                "452 4.5.3 too many recipients"
            }
            Request::Rcpt { to }
                if self.replies.token(&to.address).is_some() || self.replies.is_common(&to.address) =>
            {
                self.recipients.push(to.address);
                "250 2.1.5 ok"
            }
            Request::Rcpt { .. } => NO_ADDRESS,
            Request::Data if self.recipients.is_empty() => return self.mistake("503 5.5.1 no recipients"),
            Request::Data => return Next::Data,
            Request::Rset => {
                self.reset();
                "250 2.0.0 ok"
            }
            Request::Noop { .. } => "250 2.0.0 ok",
            Request::Vrfy { .. } => "252 2.1.5 send some mail",
            Request::Quit => return Next::End("221 2.0.0 good-bye"),
            _ => return self.mistake("502 5.5.1 not here"),
        })
    }

    fn misunderstand(&mut self, error: &Error) -> Next {
        match error {
            Error::ResponseTooLong => Next::End("500 5.5.6 line too long"),
            Error::UnknownCommand | Error::InvalidResponse { .. } => self.mistake("500 5.5.2 what?"),
            Error::InvalidSenderAddress => self.mistake("501 5.1.7 no address"),
            Error::InvalidRecipientAddress => self.mistake("501 5.1.3 no address"),
            _ => self.mistake("501 5.5.4 what exactly?"),
        }
    }

    fn mistake(&mut self, answer: &'static str) -> Next {
        self.mistakes += 1;
        if self.mistakes > MAX_MISTAKES { Next::End("421 4.7.0 too many mistakes") } else { Next::Go(answer) }
    }

    fn reset(&mut self) {
        self.sender = None;
        self.recipients.clear();
    }

    /// Receives a mail for each recipient and answers for each (RFC 2033, 4.2).
    async fn deliver(&mut self, raw: &[u8], bytes: usize) -> std::io::Result<()> {
        let (sender, recipients) = (self.sender.take(), std::mem::take(&mut self.recipients));
        for recipient in recipients {
            let (sender, recipient) = (sender.as_deref(), Some(recipient.as_str()));
            let incoming = Incoming { sender, recipient, raw, bytes };
            let answer = match self.replies.receive(incoming).await {
                Ok(receipt) => answer_of(receipt),
                Err(error) => {
                    tracing::error!(%error, "a mail could not be taken");
                    "451 4.3.0 later, please"
                }
            };
            self.say(answer).await?;
        }
        Ok(())
    }

    async fn say(&mut self, line: &str) -> std::io::Result<()> {
        let writing = async {
            self.stream.write_all(format!("{line}\r\n").as_bytes()).await?;
            self.stream.flush().await
        };
        timeout(IDLE_TIMEOUT, writing).await.unwrap_or(Err(std::io::ErrorKind::TimedOut.into()))
    }
}

/// The answer for an unknown recipient; mail servers show it to the sender.
const NO_ADDRESS: &str = "550 5.1.1 to move, answer the mail about your game: each has an address of its own";

fn answer_of(outcome: ReceiveOutcome) -> &'static str {
    match outcome {
        ReceiveOutcome::Taken | ReceiveOutcome::Repeated => "250 2.0.0 taken",
        ReceiveOutcome::Ignored(_) | ReceiveOutcome::UnknownAddress { vouched: false } => {
            "250 2.0.0 taken, and nothing done"
        }
        ReceiveOutcome::UnknownAddress { vouched: true } => NO_ADDRESS,
        ReceiveOutcome::TooLarge => "552 5.3.4 too large",
        ReceiveOutcome::Unreadable => "554 5.6.0 this is no mail",
    }
}

/// Fed to the receiver before a mail, because it detects dots only after a line end.
const LINE_END: &[u8] = b"\r\n";

impl Data {
    fn begin() -> Self {
        let (mut receiver, mut mail) = (DataReceiver::new(), Vec::new());
        receiver.ingest(&mut LINE_END.iter(), &mut mail);
        Self { receiver, mail, received: 0 }
    }

    /// Reads `bytes`; true when the mail is complete.
    fn take(&mut self, bytes: &mut std::slice::Iter<'_, u8>) -> bool {
        let before = bytes.as_slice().len();
        let whole = self.receiver.ingest(bytes, &mut self.mail);
        self.received += before - bytes.as_slice().len();
        self.mail.truncate(MAX_READ_BYTES + LINE_END.len());
        whole
    }

    /// The mail as far as it is read.
    fn finish(self) -> Vec<u8> {
        self.mail.get(LINE_END.len()..).unwrap_or_default().to_vec()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn whole(written: &[u8], chunk: usize) -> Vec<u8> {
        let mut data = Data::begin();
        let ended = written.chunks(chunk).map(|chunk| data.take(&mut chunk.iter())).last();
        assert_eq!(ended, Some(true));
        data.finish()
    }

    #[test]
    fn dots_are_taken_out_wherever_the_pieces_end() {
        let written = b"Subject: x\r\n\r\n..\r\n...b\r\na.\r\n.\r\n";
        for chunk in 1..written.len() {
            assert_eq!(whole(written, chunk), b"Subject: x\r\n\r\n.\r\n..b\r\na.\r\n", "{chunk}");
        }
        assert_eq!(whole(b".\r\n", 1), b"");
        assert_eq!(whole(b"..\r\n.\r\n", 2), b".\r\n");
    }

    #[test]
    fn what_is_large_is_taken_to_its_end_and_kept_as_far_as_it_is_read() {
        for (length, kept) in
            [(MAX_READ_BYTES + 100, MAX_READ_BYTES), (MAX_READ_BYTES - 4, MAX_READ_BYTES - 2)]
        {
            let written = [vec![b'x'; length], b"\r\n.\r\n".to_vec()].concat();
            assert_eq!(whole(&written, 4096).len(), kept);
        }
    }

    #[test]
    fn it_listens_where_only_this_machine_can_speak() {
        assert_eq!("unix:/run/x".parse(), Ok(LmtpAddress(Endpoint::Unix("/run/x".into()))));
        assert!("127.0.0.1:24".parse::<LmtpAddress>().is_ok() && "[::1]:24".parse::<LmtpAddress>().is_ok());
        for bad in ["", "unix:", "/run/x", "0.0.0.0:24", "192.0.2.1:24", "localhost:24"] {
            assert_eq!(bad.parse::<LmtpAddress>(), Err(LmtpAddressError), "{bad}");
        }
    }
}
