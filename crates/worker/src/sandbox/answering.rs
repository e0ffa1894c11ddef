//! Answers a captured mail, as its reader's mail program would.

use lettre::Message;
use lettre::message::Mailbox;
use lettre::message::header::ContentType;
use uuid::Uuid;

use super::{Sandbox, SandboxError};
use pippost_mail::replies::{Incoming, ReceiveOutcome};

impl Sandbox {
    /// Sends `text` as the answer to a mail of the player, the way that all mails come in, and does what is due then: the server's
    /// own answer can be read at once.
    ///
    /// # Errors
    /// The player has no such mail, it cannot be answered, or the database failed.
    pub async fn answer(
        &self,
        player_id: Uuid,
        id: Uuid,
        text: &str,
    ) -> Result<ReceiveOutcome, SandboxError> {
        let mail = self.mail(player_id, id).await?;
        let reply_to = mail.reply_to.as_deref().ok_or(SandboxError::NotAnswerable)?;
        let mailbox = |address: &str| {
            address.parse::<Mailbox>().map_err(|error| SandboxError::Answer(error.to_string()))
        };
        let message = Message::builder()
            .from(mailbox(&mail.to)?)
            .to(mailbox(reply_to)?)
            .subject(format!("Re: {}", mail.subject))
            .date(self.0.parts.clock.now().into())
            .message_id(Some(format!("<{}@{}>", Uuid::now_v7(), SENDERS_HOST)))
            .in_reply_to(mail.message_id.clone())
            .references(mail.message_id.clone())
            .header(ContentType::TEXT_PLAIN)
            .body(text.replace('\n', "\r\n"))
            .map_err(|error| SandboxError::Answer(error.to_string()))?;
        let raw = message.formatted();
        let incoming =
            Incoming { sender: Some(&mail.to), recipient: Some(reply_to), raw: &raw, bytes: raw.len() };
        let outcome = self.0.parts.replies.receive(incoming).await?;
        self.catch_up().await?;
        Ok(outcome)
    }
}

/// In the ids of answers. No host has this name.
const SENDERS_HOST: &str = "players.invalid";
