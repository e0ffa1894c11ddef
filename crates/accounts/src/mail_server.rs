//! What the mail server of this server can do: some addresses are of no use where it cannot carry their mails.

use std::pin::Pin;
use std::sync::{Arc, OnceLock};

use super::{AccountError, Accounts, EmailAddress};

/// What the mail server says, once it has said it.
pub type Said<'a> = Pin<Box<dyn Future<Output = Option<bool>> + Send + 'a>>;

/// Knows the mail server.
pub trait MailServer: Send + Sync {
    /// Whether it takes addresses whose name before the `@` is not ASCII (RFC 6531); `None`: it cannot be asked now.
    fn takes_other_scripts(&self) -> Said<'_>;
}

/// Whom to ask about the mail server, if mails leave by one.
#[derive(Default)]
pub(super) struct KnownMailServer(OnceLock<Arc<dyn MailServer>>);

impl Accounts {
    /// Asks `server` from now on whether mails can be sent to an address.
    pub fn ask_mail_server(&self, server: Arc<dyn MailServer>) {
        let _asked_before = self.0.mail_server.0.set(server);
    }

    /// Refuses an address to which the mail server can send nothing, so that nobody waits for a link.
    pub(super) async fn check_carried(&self, email: &EmailAddress) -> Result<(), AccountError> {
        let Some(server) = self.0.mail_server.0.get().filter(|_| !email.has_ascii_name()) else {
            return Ok(());
        };
        match server.takes_other_scripts().await {
            Some(false) => Err(AccountError::EmailNotCarried),
            Some(true) | None => Ok(()),
        }
    }
}
