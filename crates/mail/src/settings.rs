//! Settings of outgoing mail.

use std::path::PathBuf;

/// Settings of outgoing mail.
#[derive(Clone, Debug)]
pub struct MailSettings {
    /// SMTP server, as in `smtps://user:password@mail.example.org` or `smtp://mail.example.org:587?tls=required`.
    /// Without one, mails are written as files into `outbox` in the data folder.
    pub smtp_url: Option<String>,
    /// Sender of all mails.
    pub mail_from: String,
    /// Connections to the SMTP server.
    pub smtp_connections: u16,
    /// PEM file with the certificate authority of the SMTP server, if it is not a public one.
    pub smtp_ca: Option<PathBuf>,
    /// The most mails a minute to all addresses of one domain; the others wait. [default: no limit]
    pub mails_per_minute_to_domain: Option<u32>,
    /// The most mails an hour to one address, not counting those about its account; the others wait. 0 for no limit.
    pub mails_per_hour_to_address: Option<u32>,
}

impl Default for MailSettings {
    /// The settings without any flag or environment variable.
    fn default() -> Self {
        Self {
            smtp_url: None,
            mail_from: "pippost <pippost@localhost>".to_owned(),
            smtp_connections: 4,
            smtp_ca: None,
            mails_per_minute_to_domain: None,
            mails_per_hour_to_address: Some(120),
        }
    }
}
