//! One connection, and how a mail goes over it: in two exchanges where the server takes commands in a row (RFC 2920), else in four.

use std::fmt;

use lettre::address::Envelope;
use lettre::transport::smtp::Error;
use lettre::transport::smtp::client::AsyncSmtpConnection;
use lettre::transport::smtp::commands::{Data, Ehlo, Mail, Rcpt};
use lettre::transport::smtp::extension::ClientId;

use super::conversation;
use super::refusal::Failure;

/// The word by which a server says that it takes commands in a row.
const PIPELINING: &str = "PIPELINING";

/// A connection that is ready to take mail.
pub struct Session {
    connection: AsyncSmtpConnection,
    in_a_row: bool,
}

impl Session {
    /// Asks once more what the server can do, for lettre keeps only what it knows itself.
    ///
    /// # Errors
    /// The server does not answer as it should.
    pub async fn greet(mut connection: AsyncSmtpConnection, hello: &ClientId) -> Result<Self, Error> {
        let answer = connection.command(Ehlo::new(hello.clone())).await?;
        let in_a_row = answer.message().any(|line| line.trim().eq_ignore_ascii_case(PIPELINING));
        Ok(Self { connection, in_a_row })
    }

    /// The connection, to log in on.
    pub fn connection(&mut self) -> &mut AsyncSmtpConnection {
        &mut self.connection
    }

    /// Sends one message. After an error the session is of no more use: answers may be on their way.
    ///
    /// # Errors
    /// The server puts it off or refuses it, or the connection broke.
    pub async fn send(&mut self, envelope: &Envelope, raw: &[u8]) -> Result<(), Failure> {
        let opening = Opening(envelope).to_string();
        // What is not ASCII needs options.
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
        // The answer that asks for the message.
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

/// A message with its end, and with a second dot before each that begins a line (RFC 5321, 4.5.2).
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
