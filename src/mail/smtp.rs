//! Mail over SMTP.

use std::time::Duration;

use lettre::address::Envelope;
use lettre::transport::smtp::{AsyncSmtpTransport, Error, PoolConfig};
use lettre::{AsyncTransport, Tokio1Executor};

use super::mailer::{MailerError, SendError};

/// How long to wait for a connection.
const CONNECT_TIMEOUT: Duration = Duration::from_secs(20);

/// Sends over a pool of connections to one server.
pub struct Smtp {
    transport: AsyncSmtpTransport<Tokio1Executor>,
}

impl Smtp {
    pub fn new(url: &str, connections: u16) -> Result<Self, MailerError> {
        let builder = AsyncSmtpTransport::<Tokio1Executor>::from_url(url)
            .map_err(|_| MailerError::SmtpUrl("it must be like smtps://user:password@mail.example.org"))?;
        let pool = PoolConfig::new().max_size(connections.into());
        Ok(Self { transport: builder.timeout(Some(CONNECT_TIMEOUT)).pool_config(pool).build() })
    }

    pub async fn send(&self, envelope: &Envelope, raw: &[u8]) -> Result<(), SendError> {
        self.transport.send_raw(envelope, raw).await.map(|_| ()).map_err(|error| refused(&error))
    }
}

/// The reply's code alone: the text of a reply often repeats the address.
fn refused(error: &Error) -> SendError {
    match error.status() {
        Some(code) if error.is_permanent() => {
            SendError::Permanent(format!("the mail server refused it: {code}"))
        }
        Some(code) => SendError::Temporary(format!("the mail server put it off: {code}")),
        None => SendError::Temporary("the mail server cannot be reached".to_owned()),
    }
}
