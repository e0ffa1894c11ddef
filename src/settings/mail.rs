//! The settings of outgoing mail.

use std::path::PathBuf;

use clap::Args;
use lettre::message::Mailbox;

use super::{MailSettings, NameSettings};

/// The flags of [`MailSettings`].
#[derive(Args, Clone, Debug)]
pub struct MailFlags {
    /// SMTP server, as in `smtps://user:password@mail.example.org` or `smtp://mail.example.org:587?tls=required`.
    /// Without one, mails are written as files into `outbox` in the data folder.
    #[arg(long, env = "PIPPOST_SMTP_URL", hide_env_values = true)]
    pub smtp_url: Option<String>,
    /// Sender of all mails, as in `Club of Nine <play@example.org>`; without a name, that of PIPPOST_SITE_NAME.
    /// [default: pippost <pippost@localhost>]
    #[arg(long, env = "PIPPOST_MAIL_FROM")]
    pub mail_from: Option<String>,
    /// Connections to the SMTP server.
    #[arg(long, env = "PIPPOST_SMTP_CONNECTIONS", default_value_t = 4, value_parser = clap::value_parser!(u16).range(1..=64))]
    pub smtp_connections: u16,
    /// PEM file with the certificate authority of the SMTP server, if it is not a public one.
    #[arg(long, env = "SMTP_CA")]
    pub smtp_ca: Option<PathBuf>,
    /// The most mails a minute to all addresses of one domain; the others wait. [default: no limit]
    #[arg(long, env = "PIPPOST_MAILS_PER_MINUTE_TO_DOMAIN")]
    pub mails_per_minute_to_domain: Option<u32>,
    /// The most mails an hour to one address, not counting those about its account; the others wait. 0 for no limit.
    #[arg(long, env = "PIPPOST_MAILS_PER_HOUR_TO_ADDRESS", default_value = "120")]
    pub mails_per_hour_to_address: Option<u32>,
}

impl MailFlags {
    /// What they say on a server of this name.
    #[must_use]
    pub fn settings(&self, name: &NameSettings) -> MailSettings {
        MailSettings {
            smtp_url: self.smtp_url.clone(),
            mail_from: self.sender(name.site_name.as_deref()),
            smtp_connections: self.smtp_connections,
            smtp_ca: self.smtp_ca.clone(),
            mails_per_minute_to_domain: self.mails_per_minute_to_domain,
            mails_per_hour_to_address: self.mails_per_hour_to_address,
        }
    }

    /// The sender, under the name of the server if it is given no other. What cannot be read is refused where it is used.
    fn sender(&self, site_name: Option<&str>) -> String {
        let usual = MailSettings::default().mail_from;
        let given = self.mail_from.as_ref().unwrap_or(&usual);
        match (site_name, given.parse::<Mailbox>()) {
            (Some(name), Ok(sender)) if sender.name.is_none() || self.mail_from.is_none() => {
                Mailbox::new(Some(name.to_owned()), sender.email).to_string()
            }
            _ => given.clone(),
        }
    }
}

#[cfg(test)]
mod tests {
    use clap::{Command, FromArgMatches};

    use super::*;

    fn sender(arguments: &[&str], site_name: Option<&str>) -> String {
        let command = MailFlags::augment_args(Command::new("mail"));
        let matches = command.get_matches_from([&["mail"], arguments].concat());
        let flags = MailFlags::from_arg_matches(&matches).expect("flags");
        flags.settings(&NameSettings { site_name: site_name.map(str::to_owned) }).mail_from
    }

    #[test]
    fn mails_have_the_name_of_the_server_unless_their_sender_has_one() {
        let (bare, named) =
            (["--mail-from", "play@example.org"], ["--mail-from", "Chess <play@example.org>"]);
        assert_eq!(sender(&[], None), "pippost <pippost@localhost>");
        assert_eq!(sender(&bare, None), "play@example.org");
        assert_eq!(sender(&named, Some("Club")), "Chess <play@example.org>");
        assert_eq!(sender(&bare, Some("Club of Nine")), "Club of Nine <play@example.org>");
        assert_eq!(sender(&[], Some("Club")), "Club <pippost@localhost>");
        assert_eq!(sender(&["--mail-from", "nobody"], Some("Club")), "nobody", "refused where it is used");
        let odd = sender(&bare, Some("Nine, <of> \"us\""));
        assert_eq!(odd.parse::<Mailbox>().expect("a sender").name.as_deref(), Some("Nine, <of> \"us\""));
    }
}
