//! Sends mails on one connection: in two exchanges if the server supports pipelining (RFC 2920), otherwise in four.

use std::fmt;

use lettre::address::Envelope;
use lettre::transport::smtp::Error;
use lettre::transport::smtp::client::AsyncSmtpConnection;
use lettre::transport::smtp::commands::{Data, Ehlo, Mail, Rcpt};
use lettre::transport::smtp::extension::ClientId;

use super::conversation;
use super::refusal::Failure;

/// The keyword of servers that support pipelining.
const PIPELINING: &str = "PIPELINING";

/// The keyword of servers that take addresses in other scripts than ASCII (RFC 6531).
const OTHER_SCRIPTS: &str = "SMTPUTF8";

/// A connection that is ready for mail.
pub struct Session {
    connection: AsyncSmtpConnection,
    in_a_row: bool,
    takes_other_scripts: bool,
}

impl Session {
    /// Asks for the server's extensions again, because lettre keeps only those that it knows.
    ///
    /// # Errors
    /// The server's answer is invalid.
    pub async fn greet(mut connection: AsyncSmtpConnection, hello: &ClientId) -> Result<Self, Error> {
        let answer = connection.command(Ehlo::new(hello.clone())).await?;
        let offers = |keyword: &str| answer.message().any(|line| line.trim().eq_ignore_ascii_case(keyword));
        let (in_a_row, takes_other_scripts) = (offers(PIPELINING), offers(OTHER_SCRIPTS));
        Ok(Self { connection, in_a_row, takes_other_scripts })
    }

    /// Whether the server takes addresses in other scripts than ASCII.
    pub fn takes_other_scripts(&self) -> bool {
        self.takes_other_scripts
    }

    /// The connection, for logging in.
    pub fn connection(&mut self) -> &mut AsyncSmtpConnection {
        &mut self.connection
    }

    /// Sends one message. After an error the session must not be used again, because answers may still arrive.
    ///
    /// # Errors
    /// The server delays or refuses the message, or the connection broke.
    pub async fn send(&mut self, envelope: &Envelope, raw: &[u8]) -> Result<(), Failure> {
        let opening = Opening(envelope).to_string();
        // Non-ASCII content needs options that these commands do not send.
        let in_a_row = self.in_a_row && opening.is_ascii() && raw.is_ascii();
        let Some(text) = std::str::from_utf8(raw).ok().filter(|_| in_a_row) else {
            return conversation::deliver(&mut self.connection, envelope, raw).await;
        };
        let sent = self.send_in_a_row(&opening, envelope.to().len(), text).await;
        if sent.is_err() {
            self.connection.abort().await;
        }
        sent
    }

    async fn send_in_a_row(&mut self, opening: &str, recipients: usize, text: &str) -> Result<(), Failure> {
        let of_mail = |error| Failure::of_mail(&error);
        self.connection.command(opening).await.map_err(of_mail)?;
        for _ in 0..recipients {
            self.connection.read_response().await.map_err(|error| Failure::of_recipient(&error))?;
        }
        // The answer to DATA.
        self.connection.read_response().await.map_err(of_mail)?;
        self.connection.command(whole(text)).await.map(drop).map_err(of_mail)
    }
}

/// All commands before the message.
struct Opening<'a>(&'a Envelope);

impl fmt::Display for Opening<'_> {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        Mail::new(self.0.from().cloned(), Vec::new()).fmt(out)?;
        for recipient in self.0.to() {
            Rcpt::new(recipient.clone(), Vec::new()).fmt(out)?;
        }
        Data.fmt(out)
    }
}

/// Appends the end of the message and doubles each dot at the beginning of a line (RFC 5321, 4.5.2).
fn whole(text: &str) -> String {
    let mut whole = String::with_capacity(text.len() + 64);
    if text.starts_with('.') {
        whole.push('.');
    }
    for (number, part) in text.split("\n.").enumerate() {
        if number > 0 {
            whole.push_str("\n..");
        }
        whole.push_str(part);
    }
    whole.push_str(if text.ends_with("\r\n") { ".\r\n" } else { "\r\n.\r\n" });
    whole
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_dot_that_begins_a_line_is_doubled_and_the_end_stands_alone() {
        assert_eq!(whole("a\r\n.b\r\n..\r\nc.d\r\n"), "a\r\n..b\r\n...\r\nc.d\r\n.\r\n");
        assert_eq!(whole("."), "..\r\n.\r\n");
        assert_eq!(whole("a\n.\r\nb"), "a\n..\r\nb\r\n.\r\n");
    }

    #[test]
    fn the_commands_before_a_message_are_one_piece() {
        let address = |text: &str| text.parse().expect("an address");
        let to = vec![address("alice@example.org"), address("bob@example.org")];
        let envelope = Envelope::new(Some(address("play@example.org")), to).expect("an envelope");
        let expected = "MAIL FROM:<play@example.org>\r\nRCPT TO:<alice@example.org>\r\nRCPT TO:<bob@example.org>\r\nDATA\r\n";
        assert_eq!(Opening(&envelope).to_string(), expected);
    }
}
