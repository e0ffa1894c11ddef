//! A letter: one mail, ready to be built and sent. Headers are built by lettre, never pasted together.

use lettre::message::header::{Header, HeaderName, HeaderValue};
use lettre::message::{Mailbox, Message, MultiPart};
use time::OffsetDateTime;
use uuid::Uuid;

use super::content::Content;
use super::render;
use crate::notices::Links;
use crate::notices::errand::Addressee;

/// A mail with everything in it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Letter {
    /// The notice that it delivers.
    pub notice_id: Uuid,
    /// The name of its templates.
    pub kind: &'static str,
    pub from: Mailbox,
    pub to: Mailbox,
    pub subject: String,
    /// Lines of at most 78 columns, but for links.
    pub text: String,
    pub html: String,
    /// The same for every attempt at the same notice.
    pub message_id: String,
    /// The id that all mails about a game refer to.
    pub thread_id: Option<String>,
    pub date: OffsetDateTime,
}

/// Why a letter cannot be written.
#[derive(Debug, thiserror::Error)]
pub enum LetterRefused {
    #[error("the address cannot be written in a mail")]
    Address,
    #[error("the mail cannot be built: {0}")]
    Build(#[from] lettre::error::Error),
}

/// Writes letters for one server.
#[derive(Clone, Debug)]
pub struct Writer {
    from: Mailbox,
    links: Links,
}

impl Writer {
    #[must_use]
    pub fn new(from: Mailbox, links: Links) -> Self {
        Self { from, links }
    }

    /// The letter that delivers the notice `notice_id`.
    ///
    /// # Errors
    /// The address cannot be used.
    pub fn write(
        &self,
        notice_id: Uuid,
        to: Addressee,
        content: Content,
        date: OffsetDateTime,
    ) -> Result<Letter, LetterRefused> {
        let address = to.address.parse().map_err(|_| LetterRefused::Address)?;
        let (kind, game_id) = (content.template(), content.game_id());
        let rendered = render::render(content, to.handle.clone(), &self.links);
        Ok(Letter {
            notice_id,
            kind,
            from: self.from.clone(),
            to: Mailbox::new(to.handle.map(one_line), address),
            subject: one_line(rendered.subject),
            text: rendered.text,
            html: rendered.html,
            message_id: self.id(notice_id),
            thread_id: game_id.map(|game_id| self.id(game_id)),
            date,
        })
    }

    fn id(&self, id: Uuid) -> String {
        format!("<{id}@{}>", self.links.host())
    }
}

impl Letter {
    /// The message as it goes over the wire.
    ///
    /// # Errors
    /// lettre refuses it.
    pub fn message(&self) -> Result<Message, LetterRefused> {
        let mut builder = Message::builder()
            .from(self.from.clone())
            .to(self.to.clone())
            .subject(self.subject.clone())
            .date(self.date.into())
            .message_id(Some(self.message_id.clone()))
            .header(AutoSubmitted);
        if let Some(thread_id) = &self.thread_id {
            builder = builder.in_reply_to(thread_id.clone()).references(thread_id.clone());
        }
        let parts = MultiPart::alternative_plain_html(self.text.clone(), self.html.clone());
        Ok(builder.multipart(parts)?)
    }
}

/// Headers have one line, whatever players have called themselves.
fn one_line(text: String) -> String {
    if text.contains(char::is_control) {
        text.split(char::is_control).filter(|part| !part.is_empty()).collect::<Vec<_>>().join(" ")
    } else {
        text
    }
}

/// RFC 3834: no machine should answer this.
#[derive(Clone)]
struct AutoSubmitted;

impl Header for AutoSubmitted {
    fn name() -> HeaderName {
        HeaderName::new_from_ascii_str("Auto-Submitted")
    }

    fn parse(_: &str) -> Result<Self, Box<dyn std::error::Error + Send + Sync>> {
        Ok(Self)
    }

    fn display(&self) -> HeaderValue {
        HeaderValue::new(Self::name(), "auto-generated".to_owned())
    }
}
