//! Reads captured mails and captured deliveries to webhooks.

use mail_parser::{Message, MessageParser};
use time::OffsetDateTime;
use url::Url;
use uuid::Uuid;

use super::{Sandbox, SandboxError};
use pippost_store::captured_deliveries::{self, CapturedDelivery};
use pippost_store::captured_mails;

/// The most mails, or deliveries, on a page.
pub const MAX_PAGE: u16 = 100;

/// The most links that are found in a mail.
const MAX_LINKS: usize = 50;

/// A mail that a sandbox has kept.
#[derive(Clone, Debug)]
pub struct CapturedMail {
    pub id: Uuid,
    /// The name of its templates, such as `turn`.
    pub kind: String,
    pub to: String,
    pub subject: String,
    /// The plain text.
    pub text: String,
    pub links: Vec<CapturedLink>,
    /// Where an answer goes; `None` if it cannot be answered.
    pub reply_to: Option<String>,
    pub message_id: String,
    pub sent_at: OffsetDateTime,
    /// The whole message.
    pub raw: Vec<u8>,
}

/// A link in the text of a mail.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CapturedLink {
    pub url: String,
    /// The token in it, which the API takes as well.
    pub token: Option<String>,
}

impl Sandbox {
    /// A player's newest mails, those that are due now included; those before the mail `before` if it is given.
    ///
    /// # Errors
    /// The database failed, or the sandbox is at work for others for too long.
    pub async fn mails(
        &self,
        player_id: Uuid,
        before: Option<Uuid>,
        limit: u16,
    ) -> Result<Vec<CapturedMail>, SandboxError> {
        self.catch_up().await?;
        let rows = captured_mails::newest(&self.0.parts.database, player_id, before, limit.into()).await?;
        Ok(rows.into_iter().filter_map(read).collect())
    }

    /// A player's newest deliveries to webhooks, those that are due now included; those before the delivery `before` if it is given.
    ///
    /// # Errors
    /// The database failed, or the sandbox is at work for others for too long.
    pub async fn deliveries(
        &self,
        player_id: Uuid,
        before: Option<Uuid>,
        limit: u16,
    ) -> Result<Vec<CapturedDelivery>, SandboxError> {
        self.catch_up().await?;
        let database = &self.0.parts.database;
        Ok(captured_deliveries::newest(database, player_id, before, limit.into()).await?)
    }

    /// One mail of a player.
    ///
    /// # Errors
    /// The player has no such mail, or the database failed.
    pub async fn mail(&self, player_id: Uuid, id: Uuid) -> Result<CapturedMail, SandboxError> {
        let row = captured_mails::find(&self.0.parts.database, player_id, id).await?;
        row.and_then(read).ok_or(SandboxError::NotFound)
    }
}

/// `None` never comes: lettre has written the mail.
fn read(row: captured_mails::CapturedMail) -> Option<CapturedMail> {
    let message = MessageParser::default().parse(&row.raw)?;
    let text = message.body_text(0).unwrap_or_default().replace("\r\n", "\n");
    let subject = message.subject().unwrap_or_default().to_owned();
    let to = first_address(message.to()).unwrap_or_default();
    let (reply_to, message_id) = (first_address(message.reply_to()), message_id(&message));
    let (links, sent_at) = (links(&text), row.sent_at);
    Some(CapturedMail {
        id: row.id,
        kind: row.kind,
        to,
        subject,
        text,
        links,
        reply_to,
        message_id,
        sent_at,
        raw: row.raw,
    })
}

fn first_address(field: Option<&mail_parser::Address<'_>>) -> Option<String> {
    field.and_then(|field| field.first()).and_then(|one| one.address()).map(str::to_owned)
}

fn message_id(message: &Message<'_>) -> String {
    message.message_id().map(|id| format!("<{id}>")).unwrap_or_default()
}

/// The links in a plain text. Each stands between spaces.
fn links(text: &str) -> Vec<CapturedLink> {
    let words = text.split_whitespace().map(|word| word.trim_matches(['<', '>', '(', ')']));
    let urls = words.filter(|word| word.starts_with("http://") || word.starts_with("https://"));
    let parsed = urls.filter_map(|word| Url::parse(word).ok().map(|url| (word, url)));
    let link = |(word, url): (&str, Url)| CapturedLink {
        url: word.to_owned(),
        token: url.query_pairs().find(|(name, _)| name == "token").map(|(_, token)| token.into_owned()),
    };
    parsed.map(link).take(MAX_LINKS).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn links_are_found_with_their_tokens() {
        let text = "Open it:\n  https://play.example.org/confirm-email?token=a-b_c\n\n\
                    or look: <http://[::1]:8080/games/1>\nhttp:// is none, nor is ftp://example.org\n";
        let link = |url: &str, token: Option<&str>| CapturedLink {
            url: url.to_owned(),
            token: token.map(str::to_owned),
        };
        let confirm = link("https://play.example.org/confirm-email?token=a-b_c", Some("a-b_c"));
        assert_eq!(links(text), [confirm, link("http://[::1]:8080/games/1", None)]);
    }
}
