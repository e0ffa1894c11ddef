//! Builds mails: rendered parts with headers. lettre writes the message.

use std::fmt::Write as _;
use std::sync::Arc;

use lettre::address::Envelope;
use lettre::message::header::{ContentTransferEncoding, ContentType, Header, HeaderName, HeaderValue};
use lettre::message::{Attachment, Body, Mailbox, Message, MultiPart, SinglePart};
use time::OffsetDateTime;
use uuid::Uuid;

use super::checkpoint::{CHECKPOINT_HEADER, MailCheckpoint};
use super::content::Content;
use super::render::{self, PICTURE_ID, Reading};
use pippost_accounts::ascii_domain;
use pippost_notices::delivery::Addressee;
use pippost_notices::{BoardPicture, Links, ReplyAddresses};
use pippost_store::EventId;
use pippost_store::notices::MailKind;

/// A rendered mail.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct OutgoingMail {
    /// The notice that the mail delivers.
    pub notice_id: Uuid,
    /// To whom; `None` for somebody without an account.
    pub player_id: Option<Uuid>,
    /// The name of the templates.
    pub kind: &'static str,
    pub from: Mailbox,
    pub to: Mailbox,
    pub subject: String,
    /// Lines of at most 78 columns, except for links.
    pub text: String,
    pub html: String,
    /// What the HTML shows as `cid:board`.
    pub picture: Option<BoardPicture>,
    /// The same for every attempt to send the notice.
    pub message_id: String,
    /// The id of the first mail of the thread, if this is not it.
    pub thread_id: Option<String>,
    /// The unsubscribe link, which needs no login.
    pub unsubscribe: Option<String>,
    /// The kind of mails that the link switches off, for `List-Id`.
    pub list: Option<MailKind>,
    /// The newest event that the mail shows.
    pub shown_event: Option<EventId>,
    pub date: OffsetDateTime,
    /// Where answers go, if the mail can be answered.
    pub reply_to: Option<Mailbox>,
    /// Where bounces go; the sender, if the server does not receive mail.
    pub bounce_to: Option<lettre::Address>,
    /// The newest checkpoint of the server's log; `None` where there is no log.
    pub checkpoint: Option<Arc<MailCheckpoint>>,
}

/// A mail with its built message, ready to send.
#[derive(Clone, Debug)]
pub struct BuiltMail {
    pub mail: OutgoingMail,
    pub envelope: Envelope,
    /// The whole message.
    pub raw: Vec<u8>,
}

/// Why a mail cannot be built.
#[derive(Debug, thiserror::Error)]
pub enum MailRefused {
    #[error("the address cannot be written in a mail")]
    Address,
    #[error("the mail cannot be built: {0}")]
    Build(#[from] lettre::error::Error),
    #[error("the picture cannot be named: {0}")]
    MediaType(#[from] lettre::message::header::ContentTypeErr),
}

/// What the headers of a mail are made from, besides its recipient and subject.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct MailHeaders {
    /// The notice that the mail delivers; the Message-ID is made from it.
    pub notice_id: Uuid,
    /// To whom; `None` for somebody without an account.
    pub player_id: Option<Uuid>,
    /// The notice whose mail begins the thread.
    pub thread_root: Option<Uuid>,
    /// The unsubscribe link, which needs no login.
    pub unsubscribe: Option<String>,
    /// The kind of mails that the link switches off.
    pub list: Option<MailKind>,
    /// The newest checkpoint of the server's log; `None` where there is no log.
    pub checkpoint: Option<Arc<MailCheckpoint>>,
}

/// Builds mails for one server.
#[derive(Clone, Debug)]
pub struct Writer {
    from: Mailbox,
    links: Links,
    replies: Option<ReplyAddresses>,
}

impl Writer {
    #[must_use]
    pub fn new(from: Mailbox, links: Links) -> Self {
        Self { from, links, replies: None }
    }

    /// Sets the addresses for answers; `None`: mails cannot be answered.
    #[must_use]
    pub fn with_replies(self, replies: Option<ReplyAddresses>) -> Self {
        Self { replies, ..self }
    }

    /// Writes the mail that delivers the notice of `headers`.
    ///
    /// # Errors
    /// The address cannot be used.
    pub fn write(
        &self,
        headers: MailHeaders,
        to: Addressee,
        content: Content,
        date: OffsetDateTime,
    ) -> Result<OutgoingMail, MailRefused> {
        let address = ascii_domain(&to.address).parse().map_err(|_| MailRefused::Address)?;
        let MailHeaders { notice_id, player_id, thread_root, unsubscribe, list, checkpoint } = headers;
        let kind = content.template();
        let picture = content.picture().cloned();
        let shown_event = content.shown_event();
        let replies = self.replies.as_ref();
        let reply_to = content.answerable_seq().and_then(|seq| replies?.reply_to(notice_id, seq));
        let bounce_to = replies.map(|replies| replies.bounce_to(notice_id));
        let reading = Reading {
            reader: &to.reader,
            reply_to: reply_to.as_deref(),
            unsubscribe: unsubscribe.as_deref(),
            checkpoint: checkpoint.as_deref(),
        };
        let rendered = render::render(content, to.handle.clone(), &reading, &self.links);
        Ok(OutgoingMail {
            notice_id,
            player_id,
            kind,
            from: self.from.clone(),
            to: Mailbox::new(to.handle.map(one_line), address),
            subject: one_line(rendered.subject),
            text: rendered.text,
            html: rendered.html,
            picture,
            message_id: self.id(notice_id),
            thread_id: thread_root.filter(|root| *root != notice_id).map(|root| self.id(root)),
            unsubscribe,
            list,
            shown_event,
            date,
            reply_to: reply_to.and_then(|address| address.parse().ok()),
            bounce_to: bounce_to.and_then(|address| address.parse().ok()),
            checkpoint,
        })
    }

    fn id(&self, id: Uuid) -> String {
        format!("<{id}@{}>", self.links.host())
    }
}

impl OutgoingMail {
    /// Builds the message of the mail.
    ///
    /// # Errors
    /// As [`OutgoingMail::message`].
    pub fn seal(self) -> Result<BuiltMail, MailRefused> {
        let message = self.message()?;
        Ok(BuiltMail { envelope: message.envelope().clone(), raw: message.formatted(), mail: self })
    }

    /// The message as sent.
    ///
    /// # Errors
    /// lettre refuses the mail.
    pub fn message(&self) -> Result<Message, MailRefused> {
        let mut builder = Message::builder()
            .from(self.from.clone())
            .to(self.to.clone())
            .subject(self.subject.clone())
            .date(self.date.into())
            .message_id(Some(self.message_id.clone()))
            .header(AutoSubmitted(
                if matches!(self.kind, "answer" | "confirm_help" | "invitation_answered") {
                    "auto-replied"
                } else {
                    "auto-generated"
                },
            ))
            .header(NoAutomaticAnswers);
        if let Some(id) = self.shown_event {
            builder = builder.header(ShownEvent(id));
        }
        if let Some(reply_to) = &self.reply_to {
            builder = builder.reply_to(reply_to.clone());
        }
        if let Some(bounce_to) = &self.bounce_to {
            builder = builder.envelope(Envelope::new(Some(bounce_to.clone()), vec![self.to.email.clone()])?);
        }
        if let Some(thread_id) = &self.thread_id {
            builder = builder.in_reply_to(thread_id.clone()).references(thread_id.clone());
        }
        if let Some(url) = &self.unsubscribe {
            builder = builder.header(ListUnsubscribe(format!("<{url}>"))).header(OneClick);
        }
        if let Some(list) = self.list {
            // RFC 2919: the name of a list has the form of a domain, and the server's own makes it unique.
            let host = self.message_id.trim_end_matches('>').rsplit_once('@').map_or("", |(_, host)| host);
            builder = builder.header(ListId(format!("<{list}.{host}>")));
        }
        let list = self.list.map_or("account", MailKind::as_str);
        builder = builder.header(FeedbackId(format!("{}:{list}:pippost", self.kind)));
        if let Some(checkpoint) = &self.checkpoint {
            builder = builder.header(SignedCheckpoint(checkpoint.header().to_owned()));
        }
        let Some(picture) = &self.picture else {
            let parts = MultiPart::alternative_plain_html(lines(&self.text), page(&self.html));
            return Ok(builder.multipart(parts)?);
        };
        let picture = Attachment::new_inline(PICTURE_ID.to_owned())
            .body(picture.png.to_vec(), ContentType::parse("image/png")?);
        let page = MultiPart::related().singlepart(SinglePart::html(page(&self.html))).singlepart(picture);
        let parts = MultiPart::alternative().singlepart(SinglePart::plain(lines(&self.text))).multipart(page);
        Ok(builder.multipart(parts)?)
    }
}

/// The longest line of a mail, in bytes without its end (RFC 5322, 2.1.1).
const MAX_LINE_BYTES: usize = 998;

/// Converts line ends for mail in one pass; lettre would insert them one by one.
fn lines(text: &str) -> String {
    let mut lines = String::with_capacity(text.len() + text.len() / 16);
    for line in text.split_inclusive('\n') {
        match line.strip_suffix('\n') {
            Some(line) => lines.extend([line.strip_suffix('\r').unwrap_or(line), "\r\n"]),
            None => lines.push_str(line),
        }
    }
    lines
}

/// The HTML body. HTML can express every character in ASCII and then needs no transfer encoding; otherwise lettre chooses one.
fn page(html: &str) -> Body {
    let ascii = lines(&ascii(html));
    let plain =
        ascii.split_inclusive('\n').map(|line| line.strip_suffix("\r\n").unwrap_or(line)).all(is_plain);
    if plain {
        Body::dangerous_pre_encoded(ascii.into_bytes(), ContentTransferEncoding::SevenBit)
    } else {
        Body::new(ascii)
    }
}

/// Whether a line can be sent without a transfer encoding.
fn is_plain(line: &str) -> bool {
    // All are counted, because that takes one instruction for many bytes.
    let refused = line.bytes().filter(|byte| matches!(byte, b'\r' | b'\0')).count();
    line.len() <= MAX_LINE_BYTES && refused == 0
}

/// Replaces characters outside ASCII by references.
fn ascii(html: &str) -> String {
    let mut ascii = String::with_capacity(html.len() + html.len() / 16);
    for part in html.split_inclusive(|letter: char| !letter.is_ascii()) {
        let last = part.char_indices().next_back().filter(|(_, letter)| !letter.is_ascii());
        ascii.push_str(last.map_or(part, |(at, _)| &part[..at]));
        if let Some((_, letter)) = last {
            // Writing to memory cannot fail.
            let _ = write!(ascii, "&#{};", u32::from(letter));
        }
    }
    ascii
}

/// Makes a text safe for a header: one line, whatever handles contain.
fn one_line(text: String) -> String {
    if text.contains(char::is_control) {
        text.split(char::is_control).filter(|part| !part.is_empty()).collect::<Vec<_>>().join(" ")
    } else {
        text
    }
}

/// Defines a header with a fixed name. Its value is the first field, or the given text.
macro_rules! header {
    ($(#[$doc:meta])* $type:ident $(($field:ty))?, $name:expr, $value:expr) => {
        $(#[$doc])*
        #[derive(Clone)]
        struct $type $(($field))?;

        impl Header for $type {
            fn name() -> HeaderName {
                HeaderName::new_from_ascii_str($name)
            }

            fn parse(_: &str) -> Result<Self, Box<dyn std::error::Error + Send + Sync>> {
                Err("headers are only written".into())
            }

            fn display(&self) -> HeaderValue {
                let value: fn(&Self) -> String = $value;
                HeaderValue::new(Self::name(), value(self))
            }
        }
    };
}

header!(
    /// RFC 3834: programs should not answer this mail.
    AutoSubmitted(&'static str), "Auto-Submitted", |header| header.0.to_owned()
);

header!(
    /// The same for programs that know only this header.
    NoAutomaticAnswers, "X-Auto-Response-Suppress", |_| "All".to_owned()
);

header!(
    /// RFC 2369: the link that switches off mails of this kind.
    ListUnsubscribe(String), "List-Unsubscribe", |header| header.0.clone()
);

header!(
    /// RFC 2919: mails of one kind from one server are a list, by which people sort them.
    ListId(String), "List-Id", |header| header.0.clone()
);

header!(
    /// By what large providers count complaints: the kind of the mail, what switches it off, and who sends.
    FeedbackId(String), "Feedback-ID", |header| header.0.clone()
);

header!(
    /// For programs that read mails: the newest event that this one shows, by its id in feeds.
    ShownEvent(EventId), "Pippost-Event", |header| header.0.to_string()
);

header!(
    /// The newest checkpoint of the server's log with its signatures.
    SignedCheckpoint(String), CHECKPOINT_HEADER, |header| header.0.clone()
);

header!(
    /// RFC 8058: mail programs may switch them off with one request, without showing the page.
    OneClick, "List-Unsubscribe-Post", |_| "List-Unsubscribe=One-Click".to_owned()
);

#[cfg(test)]
mod tests {
    use insta::assert_snapshot;
    use mail_parser::{MessageParser, MimeHeaders};
    use time::macros::datetime;
    use uuid::uuid;

    use super::*;
    use crate::samples;
    use pippost_notices::GameContent;
    use pippost_notices::delivery::Reader;

    const NOTICE: Uuid = uuid!("019a9f00-0000-7000-8000-00000000000b");
    const ROOT: Uuid = uuid!("019a9f00-0000-7000-8000-00000000000d");

    fn headers() -> MailHeaders {
        MailHeaders {
            notice_id: NOTICE,
            player_id: None,
            thread_root: None,
            unsubscribe: None,
            list: None,
            checkpoint: None,
        }
    }

    fn write(handle: &str, content: Content) -> OutgoingMail {
        let links = Links::new("https://play.example.org:8443/pippost").expect("a URL");
        let writer = Writer::new("pippost <pippost@example.org>".parse().expect("a mailbox"), links);
        let reader = Reader::default();
        let to =
            Addressee { address: "alice@example.org".to_owned(), handle: Some(handle.to_owned()), reader };
        let list = Some(MailKind::Turns);
        let headers = MailHeaders { thread_root: Some(ROOT), list, ..headers() };
        writer.write(headers, to, content, datetime!(2026-11-21 09:06 UTC)).expect("a mail")
    }

    fn raw(mail: &OutgoingMail) -> String {
        String::from_utf8(mail.message().expect("a message").formatted()).expect("plain ASCII")
    }

    #[test]
    fn the_headers_name_the_thread_and_say_that_a_machine_wrote() {
        let message = raw(&write("alice", Content::Game(samples::turn())));
        let (headers, _) = message.split_once("Content-Type:").expect("a body");
        assert_snapshot!(headers.replace('\r', ""), @r"
        From: pippost <pippost@example.org>
        To: alice <alice@example.org>
        Subject: =?utf-8?b?U2l44oCiU2l4?= against bob: your turn (#12)
        Date: Sat, 21 Nov 2026 09:06:00 +0000
        Message-ID: <019a9f00-0000-7000-8000-00000000000b@play.example.org>
        Auto-Submitted: auto-generated
        X-Auto-Response-Suppress: All
        Pippost-Event: 019a9f00-0000-7000-8000-00000000000a:7
        In-Reply-To: <019a9f00-0000-7000-8000-00000000000d@play.example.org>
        References: <019a9f00-0000-7000-8000-00000000000d@play.example.org>
        List-Id: <turns.play.example.org>
        Feedback-ID: turn:turns:pippost
        MIME-Version: 1.0
        ");
    }

    #[test]
    fn the_newest_checkpoint_of_the_log_is_a_header_that_folds() {
        let mail = OutgoingMail {
            checkpoint: Some(Arc::new(samples::checkpoint())),
            ..write("alice", Content::Game(samples::turn()))
        };
        let message = raw(&mail);
        let (headers, _) = message.split_once("\r\n\r\n").expect("a body");
        assert!(headers.lines().all(|line| line.len() <= 78), "RFC 5322, 2.1.1: {headers}");
        let read = MessageParser::default().parse(message.as_bytes()).expect("a mail");
        let words = read.header_raw(CHECKPOINT_HEADER).expect("a header");
        let note = pippost_log::note::Note::of_words(words).expect("a note");
        assert_eq!(MailCheckpoint::of_note(&note.to_string()), Some(samples::checkpoint()));
    }

    #[test]
    fn a_domain_in_another_script_is_written_as_every_server_takes_it() {
        let links = Links::new("https://play.example.org").expect("a URL");
        let writer = Writer::new("pippost <pippost@example.org>".parse().expect("a mailbox"), links);
        let to = |address: &str| Addressee {
            address: address.to_owned(),
            handle: None,
            reader: Reader::default(),
        };
        let date = datetime!(2026-11-21 09:06 UTC);
        let written = |address: &str| {
            writer.write(headers(), to(address), Content::Game(samples::turn()), date).expect("a mail").to
        };
        assert_eq!(written("ann@bücher.example").email.to_string(), "ann@xn--bcher-kva.example");
        assert_eq!(written("jörg@bücher.example").email.to_string(), "jörg@bücher.example");
    }

    #[test]
    fn a_mail_about_an_account_belongs_to_no_thread() {
        let account = samples::account(pippost_store::NoticeKind::ConfirmEmail);
        let mail = write("alice", Content::Account(account));
        let message = raw(&OutgoingMail { thread_id: None, ..mail });
        assert!(!message.contains("References:") && !message.contains("In-Reply-To:"), "{message}");
    }

    #[test]
    fn the_first_mail_of_a_thread_refers_to_none() {
        let links = Links::new("https://play.example.org").expect("a URL");
        let writer = Writer::new("pippost@example.org".parse().expect("a mailbox"), links);
        let to = Addressee { address: "a@example.org".to_owned(), handle: None, reader: Reader::default() };
        let headers = MailHeaders { thread_root: Some(NOTICE), ..headers() };
        let now = datetime!(2026-11-21 09:06 UTC);
        let first = writer.write(headers, to, Content::Game(samples::turn()), now).expect("a mail");
        assert_eq!(first.thread_id, None);
    }

    #[test]
    fn a_kind_of_mail_that_can_be_switched_off_says_how_in_two_headers() {
        let url = format!("https://play.example.org/unsubscribe?token={}", "x".repeat(64));
        let mail =
            OutgoingMail { unsubscribe: Some(url.clone()), ..write("alice", Content::Game(samples::turn())) };
        let message = raw(&mail);
        let read = MessageParser::default().parse(message.as_bytes()).expect("a mail");
        let header = |name: &'static str| read.header_raw(name).map(str::trim);
        assert_eq!(header("List-Unsubscribe"), Some(format!("<{url}>").as_str()), "{message}");
        assert_eq!(header("List-Unsubscribe-Post"), Some("List-Unsubscribe=One-Click"));
    }

    #[test]
    fn another_program_reads_both_parts_as_they_were_written() {
        for content in samples::all() {
            let mail = write("alice", content);
            let message = raw(&mail);
            let read = MessageParser::default().parse(message.as_bytes()).expect("a mail");
            assert_eq!(read.subject(), Some(mail.subject.as_str()));
            let same = |read: Option<std::borrow::Cow<'_, str>>, written: &str| {
                assert_eq!(read.expect("a part").replace("\r\n", "\n"), written);
            };
            same(read.body_text(0), &mail.text);
            same(read.body_html(0), &ascii(&mail.html));
            let kinds: Vec<_> = read.parts.iter().filter_map(|part| part.content_type()?.subtype()).collect();
            assert_eq!(kinds, ["alternative", "plain", "html"]);
            assert!(message.lines().all(|line| line.len() <= 998), "RFC 5322, 2.1.1");
        }
    }

    #[test]
    fn a_page_is_sent_as_it_is_in_ascii_unless_a_line_is_too_long() {
        let sent = |html: &str| {
            let body = page(html);
            (body.encoding().to_string(), String::from_utf8(body.into_vec()).expect("text"))
        };
        let as_it_is = |text: &str| ("7bit".to_owned(), text.to_owned());
        assert_eq!(sent("<p>Six•Six 😀</p>\n"), as_it_is("<p>Six&#8226;Six &#128512;</p>\r\n"));
        assert_eq!(sent("a\nb\r\nc"), as_it_is("a\r\nb\r\nc"));
        assert_eq!(sent(&"a".repeat(MAX_LINE_BYTES)), as_it_is(&"a".repeat(MAX_LINE_BYTES)));
        for hard in ["a".repeat(MAX_LINE_BYTES + 1), "a\rb\u{e4}".repeat(30), "a\0".repeat(50)] {
            assert_ne!(sent(&hard).0, "7bit", "{hard}");
        }
    }

    #[test]
    fn names_cannot_bring_headers_of_their_own() {
        let evil = "eve\r\nBcc: everybody@example.org\r\n\r\nbody";
        let mail = GameContent {
            rules_title: evil.to_owned(),
            opponents: vec![evil.to_owned(), "\u{2028}Bcc: x@example.org\u{85}\0\u{7f}".to_owned()],
            ..samples::turn()
        };
        let mail = write(evil, Content::Game(mail));
        assert!(!mail.subject.contains(char::is_control), "{:?}", mail.subject);
        let message = raw(&mail);
        let read = MessageParser::default().parse(message.as_bytes()).expect("a mail");
        let names: Vec<_> = read.headers().iter().map(mail_parser::Header::name).collect();
        assert_eq!(
            names,
            [
                "From",
                "To",
                "Subject",
                "Date",
                "Message-ID",
                "Auto-Submitted",
                "X-Auto-Response-Suppress",
                "Pippost-Event",
                "In-Reply-To",
                "References",
                "List-ID",
                "Feedback-ID",
                "MIME-Version",
                "Content-Type",
            ]
        );
        let to = read.to().and_then(|to| to.as_list()).expect("recipients");
        assert_eq!(to.len(), 1);
        assert_eq!(to[0].address.as_deref(), Some("alice@example.org"));
        let message = mail.message().expect("a message");
        assert_eq!(message.envelope().to().len(), 1);
    }

    #[test]
    fn an_address_that_no_mail_can_be_sent_to_is_refused() {
        let writer = Writer::new(
            "pippost@example.org".parse().expect("a mailbox"),
            Links::new("http://localhost").expect("a URL"),
        );
        let content = || Content::Game(samples::turn());
        for bad in ["", "alice", "a@b\r\nRCPT TO:<eve@example.org>", "alice@example.org, eve@example.org"] {
            let to = Addressee { address: bad.to_owned(), handle: None, reader: Reader::default() };
            let refused = writer.write(headers(), to, content(), datetime!(2026-11-21 09:06 UTC));
            let error = refused.expect_err(bad).to_string();
            assert!(bad.is_empty() || !error.contains(bad), "{error}");
        }
    }
}
