//! Mail over SMTP: lettre speaks it, on connections of our own.
//!
//! lettre's pool is not used because a send that is given up in the middle goes back into it, and its late answer is then taken for
//! the answer about the next mail; because its connections wait for no answer with a limit; and because Nagle's algorithm, which
//! they leave on, costs 40 ms a mail with servers that delay their acknowledgements.

mod connect;
mod conversation;
mod refusal;
mod server;
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

/// How long to wait for a connection that is ready to take mail: name, TCP, TLS, greeting and log-in together.
const CONNECT_TIMEOUT: Duration = Duration::from_secs(30);

/// How long one mail may take, from its first command to the server's last word.
const SEND_TIMEOUT: Duration = Duration::from_mins(1);

/// A connection that has not been used for so long is closed. Servers give up after minutes.
const IDLE_TIMEOUT: Duration = Duration::from_secs(30);

/// How long to wait for the answer to a good-bye.
const QUIT_TIMEOUT: Duration = Duration::from_secs(5);

/// Sends over at most so many connections at once, and keeps them for the mails that follow.
pub struct Smtp {
    server: Server,
    trust: Trust,
    permits: Semaphore,
    idle: Mutex<Vec<Idle>>,
}

struct Idle {
    session: Session,
    since: Instant,
}

impl Smtp {
    /// A sender to the server that `url` names, and whose certificate the authority in that PEM file has signed, or else a public one;
    /// connects when there is something to send.
    ///
    /// # Errors
    /// The URL or the file cannot be used. The error never shows the URL, for it may hold a password.
    pub fn new(url: &str, authority: Option<&Path>, connections: u16) -> Result<Self, MailerError> {
        let server = Server::parse(url)?;
        let trust = authority.map_or_else(|| Ok(Trust::public()), Trust::of_authority)?;
        Ok(Self { server, trust, permits: Semaphore::new(connections.into()), idle: Mutex::default() })
    }

    /// Sends one message.
    ///
    /// # Errors
    /// The server cannot be reached, puts it off or refuses it.
    pub async fn send(&self, envelope: &Envelope, raw: &[u8]) -> Result<(), SendError> {
        let _permit = self.permits.acquire().await.expect("never closed");
        if let Some(session) = self.take_idle() {
            match self.send_on(session, envelope, raw).await {
                // The server had closed it, or wants no more mails on it.
                Err(Failure::Connection(_)) => {}
                done => return done.map_err(SendError::from),
            }
        }
        let connecting = timeout(CONNECT_TIMEOUT, connect::connect(&self.server, &self.trust)).await;
        let session = connecting.unwrap_or(Err(Failure::Timeout))?;
        Ok(self.send_on(session, envelope, raw).await?)
    }

    /// Sends on `session`, which is kept only if all went well: nothing that was left in its middle is used again.
    async fn send_on(&self, mut session: Session, envelope: &Envelope, raw: &[u8]) -> Result<(), Failure> {
        let sending = timeout(SEND_TIMEOUT, session.send(envelope, raw)).await;
        sending.map_err(|_| Failure::Timeout)??;
        self.idle().push(Idle { session, since: Instant::now() });
        Ok(())
    }

    /// Closes the connections that nobody has needed for a while.
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
