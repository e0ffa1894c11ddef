//! Sends mail by SMTP with lettre, on connections that this module manages.
//!
//! lettre's pool is not used for three reasons. A cancelled send returns its connection to the pool, and the late answer is then
//! taken for the answer to the next mail. Its connections wait for answers without a time limit. They leave Nagle's algorithm on,
//! which costs 40 ms a mail with servers that delay their acknowledgements.

mod connect;
mod conversation;
mod refusal;
mod server;
mod server_words;
mod session;
mod trust;

use std::path::Path;
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

use lettre::address::Envelope;
use tokio::sync::Semaphore;
use tokio::time::timeout;

use self::refusal::Failure;
use self::server::Server;
use self::session::Session;
use self::trust::Trust;
use super::mailer::{MailerError, SendError};

/// The time limit for opening a connection: name lookup, TCP, TLS, greeting and log-in together.
const CONNECT_TIMEOUT: Duration = Duration::from_secs(30);

/// The time limit for one mail, from its first command to the server's last answer.
const SEND_TIMEOUT: Duration = Duration::from_mins(1);

/// Connections unused for this long are closed; servers close them after minutes.
const IDLE_TIMEOUT: Duration = Duration::from_secs(30);

/// The time limit for the answer to QUIT.
const QUIT_TIMEOUT: Duration = Duration::from_secs(5);

/// How long what the server has said of itself counts, and how long somebody waits for it to say it.
const KNOWN_FOR: Duration = Duration::from_mins(10);
const ASK_TIMEOUT: Duration = Duration::from_secs(5);

/// Sends over a limited number of concurrent connections, which are reused for later mails.
pub struct Smtp {
    server: Server,
    trust: Trust,
    permits: Semaphore,
    idle: Mutex<Vec<Idle>>,
    /// Whether the server takes addresses in other scripts than ASCII, and when it said so.
    takes_other_scripts: Mutex<Option<(bool, Instant)>>,
}

struct Idle {
    session: Session,
    since: Instant,
}

impl Smtp {
    /// Creates a sender to the server of `url`. Its certificate must be signed by the authority in the PEM file or, without a
    /// file, by a public authority. Connects when the first mail is sent.
    ///
    /// # Errors
    /// The URL or the file cannot be used. The error never shows the URL, because it may contain a password.
    pub fn new(url: &str, authority: Option<&Path>, connections: u16) -> Result<Self, MailerError> {
        let server = Server::parse(url)?;
        let trust = authority.map_or_else(|| Ok(Trust::public()), Trust::of_authority)?;
        let (permits, takes_other_scripts) = (Semaphore::new(connections.into()), Mutex::default());
        Ok(Self { server, trust, permits, idle: Mutex::default(), takes_other_scripts })
    }

    /// Sends one message.
    ///
    /// # Errors
    /// The server cannot be reached, or delays or refuses the message.
    pub async fn send(&self, envelope: &Envelope, raw: &[u8]) -> Result<(), SendError> {
        self.try_to_send(envelope, raw).await.map_err(|failure| {
            let said = failure.error.said.map(|said| server_words::without_addresses(&said, envelope));
            SendError { said, ..failure.error }
        })
    }

    async fn try_to_send(&self, envelope: &Envelope, raw: &[u8]) -> Result<(), Failure> {
        let _permit = self.permits.acquire().await.expect("never closed");
        if let Some(session) = self.take_idle() {
            match self.send_on(session, envelope, raw).await {
                // The server has closed the connection, or accepts no more mails on it.
                Err(failure) if failure.is_of_connection => {}
                done => return done,
            }
        }
        self.send_on(self.connect().await?, envelope, raw).await
    }

    async fn connect(&self) -> Result<Session, Failure> {
        let connecting = timeout(CONNECT_TIMEOUT, connect::connect(&self.server, &self.trust)).await;
        let session = connecting.unwrap_or_else(|_late| Err(Failure::not_answered()))?;
        *self.said() = Some((session.takes_other_scripts(), Instant::now()));
        Ok(session)
    }

    /// Whether the server takes addresses in other scripts than ASCII: as it said lately, or as it says now; `None` if it cannot be asked.
    pub async fn takes_other_scripts(&self) -> Option<bool> {
        let known = || self.said().filter(|(_, at)| at.elapsed() < KNOWN_FOR).map(|(takes, _)| takes);
        if let Some(takes) = known() {
            return Some(takes);
        }
        let _reached_or_late = timeout(ASK_TIMEOUT, self.reach()).await;
        known()
    }

    fn said(&self) -> std::sync::MutexGuard<'_, Option<(bool, Instant)>> {
        self.takes_other_scripts.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Opens a connection, as for a mail, and keeps it for the next one.
    ///
    /// # Errors
    /// The server cannot be reached.
    pub async fn reach(&self) -> Result<(), SendError> {
        let _permit = self.permits.acquire().await.expect("never closed");
        let session = self.connect().await.map_err(|failure| failure.error)?;
        self.idle().push(Idle { session, since: Instant::now() });
        Ok(())
    }

    /// Sends on `session`, which is reused only after success, because its state after an error is unknown.
    async fn send_on(&self, mut session: Session, envelope: &Envelope, raw: &[u8]) -> Result<(), Failure> {
        let sending = timeout(SEND_TIMEOUT, session.send(envelope, raw)).await;
        sending.map_err(|_| Failure::late())??;
        self.idle().push(Idle { session, since: Instant::now() });
        Ok(())
    }

    /// Closes the connections that have been idle for [`IDLE_TIMEOUT`].
    pub async fn close_idle(&self) {
        let old: Vec<_> = self.idle().extract_if(.., |idle| idle.since.elapsed() >= IDLE_TIMEOUT).collect();
        for mut idle in old {
            // Nothing depends on the answer.
            let _answer = timeout(QUIT_TIMEOUT, idle.session.connection().quit()).await;
        }
    }

    fn take_idle(&self) -> Option<Session> {
        let newest = self.idle().pop()?;
        (newest.since.elapsed() < IDLE_TIMEOUT).then_some(newest.session)
    }

    fn idle(&self) -> std::sync::MutexGuard<'_, Vec<Idle>> {
        self.idle.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
