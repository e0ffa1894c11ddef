//! Sends mails by SMTP, to files, or to memory for tests, or keeps them in the database of a sandbox.

use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};

use lettre::message::Mailbox;

use super::files::Files;
use super::outgoing::{BuiltMail, MailRefused, OutgoingMail};
use super::smtp::Smtp;
use crate::settings::MailSettings;
use pippost_accounts::{MailServer, Said, email_key};
use pippost_store::Database;
use pippost_store::captured_mails::{self, CapturedMail};

/// Why the mailer cannot be set up. Never shows the SMTP server's password.
#[derive(Debug, thiserror::Error)]
pub enum MailerError {
    #[error("the sender of mails must be like `pippost <pippost@example.org>`")]
    From,
    #[error("the SMTP server's URL cannot be used: {0}")]
    SmtpUrl(&'static str),
    #[error("the certificate authority of the SMTP server, {}: {why}", path.display())]
    Authority { path: PathBuf, why: String },
    #[error("the folder of outgoing mails cannot be made: {0}")]
    Folder(std::io::Error),
}

/// Why a mail was not sent.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{reason}")]
pub struct SendError {
    pub kind: SendErrorKind,
    /// May be shown in the log and to the player: it contains no address and no secret.
    pub reason: String,
    /// What the mail server said, for the log alone, without addresses.
    pub said: Option<String>,
}

/// Whether a mail that was not sent may be sent later.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum SendErrorKind {
    /// A retry may succeed.
    Temporary,
    /// The server could not be reached, whatever the mail.
    Unreached,
    /// A retry cannot succeed.
    Permanent,
    /// The address does not exist: treated like a bounce with this enhanced code (RFC 3463).
    NoSuchAddress { code: String },
}

impl SendError {
    pub(crate) fn temporary(reason: String) -> Self {
        Self { kind: SendErrorKind::Temporary, reason, said: None }
    }
}

impl From<MailRefused> for SendError {
    fn from(refused: MailRefused) -> Self {
        Self { kind: SendErrorKind::Permanent, reason: refused.to_string(), said: None }
    }
}

/// A sent mail.
#[derive(Clone, Debug)]
pub struct SentMail {
    pub mail: OutgoingMail,
    /// The message as sent.
    pub raw: Vec<u8>,
}

/// Sends mails with one of the backends.
pub struct Mailer {
    from: Mailbox,
    backend: Backend,
}

enum Backend {
    Smtp(Smtp),
    Files(Files),
    Memory(Arc<Mutex<Vec<SentMail>>>),
    /// A sandbox's.
    Captured(Database),
}

impl Mailer {
    /// Creates the mailer of the settings: SMTP, or files in `outbox` in the data folder.
    ///
    /// # Errors
    /// A setting is invalid, or the folder cannot be created.
    pub fn new(settings: &MailSettings, data_dir: &Path) -> Result<Self, MailerError> {
        let from = settings.mail_from.parse().map_err(|_| MailerError::From)?;
        let backend = match &settings.smtp_url {
            Some(url) => {
                let authority = settings.smtp_ca.as_deref();
                Backend::Smtp(Smtp::new(url, authority, settings.smtp_connections)?)
            }
            None => Backend::Files(Files::new(data_dir).map_err(MailerError::Folder)?),
        };
        Ok(Self { from, backend })
    }

    /// Creates a mailer that keeps mails in memory, for tests; [`Mailer::sent`] returns them.
    ///
    /// # Panics
    /// Never: the sender is a valid address.
    #[must_use]
    pub fn memory() -> Self {
        let from = "pippost <pippost@example.org>".parse().expect("an address");
        Self { from, backend: Backend::Memory(Arc::default()) }
    }

    /// Creates a mailer that sends to nobody and keeps the mails in the database, where players of a sandbox read them.
    ///
    /// # Errors
    /// The sender is no address.
    pub fn captured(from: &str, database: Database) -> Result<Self, MailerError> {
        let from = from.parse().map_err(|_| MailerError::From)?;
        Ok(Self { from, backend: Backend::Captured(database) })
    }

    /// The sender of all mails.
    #[must_use]
    pub fn from(&self) -> &Mailbox {
        &self.from
    }

    /// Sends one mail.
    ///
    /// # Errors
    /// [`SendError`] says whether a retry may succeed.
    pub async fn send(&self, mail: &OutgoingMail) -> Result<(), SendError> {
        self.post(mail.clone().seal()?).await
    }

    /// Sends one built mail.
    ///
    /// # Errors
    /// The same as [`Mailer::send`].
    pub async fn post(&self, sealed: BuiltMail) -> Result<(), SendError> {
        let BuiltMail { mail, envelope, raw } = sealed;
        match &self.backend {
            Backend::Smtp(smtp) => smtp.send(&envelope, &raw).await,
            Backend::Files(files) => files.write(&mail, &raw).await,
            Backend::Memory(sent) => {
                sent.lock().unwrap_or_else(PoisonError::into_inner).push(SentMail { mail, raw });
                Ok(())
            }
            Backend::Captured(database) => keep(database, &mail, raw).await,
        }
    }

    /// Whether mails could be sent now: opens a connection to the mail server, if there is one.
    ///
    /// # Errors
    /// [`SendError`] says why not.
    pub async fn reach(&self) -> Result<(), SendError> {
        match &self.backend {
            Backend::Smtp(smtp) => smtp.reach().await,
            Backend::Files(_) | Backend::Memory(_) | Backend::Captured(_) => Ok(()),
        }
    }

    /// Closes connections that have been idle for a while.
    pub async fn rest(&self) {
        if let Backend::Smtp(smtp) = &self.backend {
            smtp.close_idle().await;
        }
    }

    /// The mails sent by a mailer in memory, oldest first; empty for other backends.
    #[must_use]
    pub fn sent(&self) -> Vec<SentMail> {
        match &self.backend {
            Backend::Memory(sent) => sent.lock().unwrap_or_else(PoisonError::into_inner).clone(),
            Backend::Smtp(_) | Backend::Files(_) | Backend::Captured(_) => Vec::new(),
        }
    }
}

impl MailServer for Mailer {
    fn takes_other_scripts(&self) -> Said<'_> {
        Box::pin(async {
            match &self.backend {
                Backend::Smtp(smtp) => smtp.takes_other_scripts().await,
                Backend::Files(_) | Backend::Memory(_) | Backend::Captured(_) => Some(true),
            }
        })
    }
}

async fn keep(database: &Database, mail: &OutgoingMail, raw: Vec<u8>) -> Result<(), SendError> {
    let captured = CapturedMail {
        id: mail.notice_id,
        player_id: mail.player_id,
        address_key: email_key(mail.to.email.as_ref()),
        kind: mail.kind.to_owned(),
        raw,
        sent_at: mail.date,
    };
    // The text is shown to players, so it says nothing about the database.
    captured_mails::keep(database, &captured).await.map_err(|error| {
        tracing::error!(%error, "a mail could not be kept");
        SendError::temporary("the mail could not be kept".to_owned())
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn made(settings: &MailSettings) -> Result<Mailer, MailerError> {
        let folder = tempfile::tempdir().expect("a folder");
        Mailer::new(settings, folder.path())
    }

    #[test]
    fn without_settings_mails_are_files_from_this_machine() {
        let mailer = made(&MailSettings::default()).expect("a mailer");
        assert!(matches!(mailer.backend, Backend::Files(_)));
        assert_eq!(mailer.from().to_string(), "pippost <pippost@localhost>");
    }

    #[test]
    fn settings_that_cannot_be_used_are_refused_at_the_start() {
        let from = |from: &str| MailSettings { mail_from: from.to_owned(), ..MailSettings::default() };
        let smtp = |url: &str| MailSettings { smtp_url: Some(url.to_owned()), ..MailSettings::default() };
        for (settings, expected) in [
            (from("pippost"), "the sender of mails"),
            (from("a@example.org, b@example.org"), "the sender of mails"),
            (smtp("https://u:secret@mail.example.org"), "the SMTP server's URL"),
        ] {
            let error = made(&settings).err().expect("refused").to_string();
            assert!(error.starts_with(expected) && !error.contains("secret"), "{error}");
        }
    }
}
