//! Parses an incoming mail with mail-parser: its sender, its text, and whether a program sent it.

use mail_parser::{Message, MessageParser, MessagePart, MimeHeaders, PartType};

use super::authentication::{MAX_FIELDS, Trace};
use super::html;
use pippost_games::letters::steps;
use pippost_keys::secret::sha256;

/// The most addresses of a mail that are read.
const MAX_ADDRESSES: usize = 50;

/// The most parts of a mail that are read as text.
const MAX_PARTS: usize = 100;

/// The end of the name of a file that holds a sealed mail (RFC 8551, 3.2.1).
const SEALED_FILE: &str = ".p7m";

/// The line above an encrypted text (RFC 4880, 6.2).
const ARMOUR: &str = "-----BEGIN PGP MESSAGE-----";

/// Headers that programs write, and companies and lists into the mails of people.
const OF_PROGRAMS: [&str; 8] = [
    "List-Id",
    "List-Unsubscribe",
    "List-Post",
    "X-Autoreply",
    "X-Auto-Reply",
    "X-Autorespond",
    "X-Autoresponse",
    "X-Failed-Recipients",
];

/// The sender in a mail's `From`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Sender {
    One {
        address: String,
        /// The display name.
        name: Option<String>,
    },
    None,
    Several,
}

impl Sender {
    /// The sender's address, if there is exactly one.
    #[must_use]
    pub fn address(&self) -> Option<&str> {
        match self {
            Self::One { address, .. } => Some(address),
            Self::None | Self::Several => None,
        }
    }

    fn name(&self) -> Option<&str> {
        match self {
            Self::One { name, .. } => name.as_deref(),
            Self::None | Self::Several => None,
        }
    }
}

/// What the headers of a mail say. Reading them costs little, whatever is below them.
#[derive(Clone, Debug)]
pub struct Head {
    pub from: Sender,
    /// The addresses that the mail may have been sent to, the most reliable first.
    pub to: Vec<String>,
    /// Why the mail counts as automatic. Automatic mails are never answered.
    pub automatic: Option<&'static str>,
    /// What the mail servers on the way found out about the sender, in the mail's order.
    pub authentication: Vec<Trace>,
}

impl Head {
    fn of(message: &Message<'_>, sender: Option<&str>) -> Self {
        let from = sender_of(message);
        Self {
            to: recipients(message),
            automatic: machine(message, sender, &from),
            authentication: authentication(message),
            from,
        }
    }
}

/// Parses the headers of a mail alone; `None` if it is not a mail. `sender` is the envelope's, if known; it is empty for bounces.
#[must_use]
pub fn read_head(raw: &[u8], sender: Option<&str>) -> Option<Head> {
    let message = MessageParser::default().parse_headers(raw)?;
    (!message.headers().is_empty()).then(|| Head::of(&message, sender))
}

/// A parsed mail.
#[derive(Clone, Debug)]
pub struct Mail {
    /// Identifies the mail: two deliveries of the same mail have the same key.
    pub key: [u8; 32],
    pub from: Sender,
    /// The addresses that the mail may have been sent to, the most reliable first.
    pub to: Vec<String>,
    pub subject: Option<String>,
    /// The text; HTML is converted to plain text.
    pub text: String,
    /// More of the mail is text than is read.
    pub is_cut: bool,
    /// Only the player's program can open it: it is encrypted, or signed and packed (S/MIME).
    pub is_sealed: bool,
    /// Why the mail counts as automatic. Automatic mails are never answered.
    pub automatic: Option<&'static str>,
    /// Why a program may have sent it. What it orders is done; if it orders nothing, it is not answered.
    pub suspect: Option<&'static str>,
    /// What the mail servers on the way found out about the sender, in the mail's order.
    pub authentication: Vec<Trace>,
}

impl Mail {
    /// The sender's display name.
    #[must_use]
    pub fn writer_name(&self) -> Option<&str> {
        self.from.name()
    }
}

/// Parses a mail; `None` if it is not a mail. `sender` is the envelope's, if known; it is empty for bounces.
#[must_use]
pub fn read(raw: &[u8], sender: Option<&str>) -> Option<Mail> {
    let message = MessageParser::default().parse(raw)?;
    if message.headers().is_empty() {
        return None;
    }
    let Head { from, to, automatic, authentication } = Head::of(&message, sender);
    let (text, is_cut) = text_of(&message);
    Some(Mail {
        key: key_of(&message, &text),
        subject: message.subject().map(str::to_owned),
        automatic,
        suspect: of_program(&message),
        is_sealed: is_sealed(&message),
        is_cut,
        authentication,
        to,
        from,
        text,
    })
}

/// A mail has one `From` with one address (RFC 5322, 3.6.2). With two, programs may show one while servers check the other.
fn sender_of(message: &Message<'_>) -> Sender {
    let fields = message.headers().iter().filter(|header| header.name() == "From").count();
    let mailboxes: Vec<_> = message.from().into_iter().flat_map(|from| from.iter()).collect();
    match mailboxes.as_slice() {
        _ if fields > 1 => Sender::Several,
        [] => Sender::None,
        [one] => match one.address() {
            Some(address) => Sender::One { address: address.to_owned(), name: one.name().map(str::to_owned) },
            None => Sender::None,
        },
        _ => Sender::Several,
    }
}

fn authentication(message: &Message<'_>) -> Vec<Trace> {
    let trace = |(name, value): (&str, &str)| match name.to_ascii_lowercase().as_str() {
        "authentication-results" => Some(Trace::Results(value.to_owned())),
        "received" => Some(Trace::Received),
        _ => None,
    };
    message.headers_raw().filter_map(trace).take(MAX_FIELDS).collect()
}

fn key_of(message: &Message<'_>, text: &str) -> [u8; 32] {
    match message.message_id() {
        Some(id) => sha256(id.as_bytes()),
        // Programs that set no message ID at least set a date.
        None => sha256(format!("{}\n{text}", message.header_raw("Date").unwrap_or_default()).as_bytes()),
    }
}

fn recipients(message: &Message<'_>) -> Vec<String> {
    let delivered = ["X-Original-To", "Delivered-To", "Envelope-To"].into_iter();
    let delivered = delivered
        .filter_map(|name| message.header_raw(name))
        .map(|value| value.trim().trim_matches(['<', '>']).to_owned());
    let written = [message.to(), message.cc()].into_iter().flatten().flat_map(|list| list.iter());
    let written = written.filter_map(|address| address.address()).map(str::to_owned);
    delivered.chain(written).take(MAX_ADDRESSES).collect()
}

fn value_of(message: &Message<'_>, name: &'static str) -> Option<String> {
    message.header_raw(name).map(|value| value.trim().to_ascii_lowercase())
}

/// Why the mail counts as automatic, if it does: RFC 3834, section 2, and reports.
fn machine(message: &Message<'_>, sender: Option<&str>, from: &Sender) -> Option<&'static str> {
    let value = |name: &'static str| value_of(message, name);
    if sender.is_some_and(|sender| sender.trim().is_empty())
        || value("Return-Path").is_some_and(|path| path == "<>")
    {
        return Some("null sender");
    }
    if value("Auto-Submitted").is_some_and(|value| !value.starts_with("no") || value.starts_with("notif")) {
        return Some("Auto-Submitted");
    }
    let report = message.content_type().is_some_and(|kind| {
        let (kind, subtype) = (kind.ctype(), kind.subtype().unwrap_or_default());
        subtype.eq_ignore_ascii_case("report")
            || kind.eq_ignore_ascii_case("message") && !subtype.eq_ignore_ascii_case("rfc822")
    });
    if report {
        return Some("a report");
    }
    let local =
        from.address().and_then(|from| from.split('@').next()).unwrap_or_default().to_ascii_lowercase();
    match local.as_str() {
        "mailer-daemon" | "postmaster" => Some("a mail server"),
        _ => None,
    }
}

/// Why a program may have sent the mail, if its headers say so. Those of some people's mails do, too.
fn of_program(message: &Message<'_>) -> Option<&'static str> {
    let precedence = value_of(message, "Precedence").unwrap_or_default();
    if ["bulk", "list", "junk", "auto_reply"].iter().any(|word| precedence.starts_with(word)) {
        return Some("Precedence");
    }
    let suppress = value_of(message, "X-Auto-Response-Suppress").unwrap_or_default();
    if ["all", "oof", "autoreply"].iter().any(|word| suppress.contains(word)) {
        return Some("X-Auto-Response-Suppress");
    }
    let says_so = |name: &&'static str| value_of(message, name).is_some_and(|value| value != "no");
    OF_PROGRAMS.into_iter().find(says_so)
}

/// Whether the text is encrypted, or packed with its signature: by its kind, its file's name, or the line above it.
fn is_sealed(message: &Message<'_>) -> bool {
    message.parts.iter().take(MAX_PARTS).any(|part| {
        let is_kind = part.content_type().is_some_and(|kind| {
            let subtype = kind.subtype().unwrap_or_default().to_ascii_lowercase();
            matches!(subtype.as_str(), "pkcs7-mime" | "x-pkcs7-mime" | "pgp-encrypted" | "encrypted")
        });
        let is_named =
            part.attachment_name().is_some_and(|name| name.to_ascii_lowercase().ends_with(SEALED_FILE));
        let is_armoured = matches!(&part.body, PartType::Text(text) if text.trim_start().starts_with(ARMOUR));
        is_kind || is_named || is_armoured
    })
}

/// All parts of a mail that are read as text, one below the other: programs cut the text at pictures, gateways put a part of their
/// own above it. Of a text in two forms it is the plain one, unless that is empty. Whether there are more parts than are read.
fn text_of(message: &Message<'_>) -> (String, bool) {
    let read = |part: &MessagePart<'_>| {
        let text = match &part.body {
            PartType::Text(text) => {
                let kind = part.content_type();
                let is = |name, wanted: &str| {
                    kind.and_then(|kind| kind.attribute(name))
                        .is_some_and(|given| given.eq_ignore_ascii_case(wanted))
                };
                if is("format", "flowed") { unflowed(text, is("delsp", "yes")) } else { text.to_string() }
            }
            PartType::Html(html) => html::lines_of(html),
            _ => return None,
        };
        steps::count(text.len());
        Some(text).filter(|text| !text.trim().is_empty())
    };
    let is_cut = message.text_body.len().max(message.html_body.len()) > MAX_PARTS;
    let plain: Vec<String> = message.text_bodies().take(MAX_PARTS).filter_map(read).collect();
    let filled = if plain.is_empty() {
        message.html_bodies().take(MAX_PARTS).filter_map(read).collect()
    } else {
        plain
    };
    (filled.join("\n"), is_cut)
}

/// Joins the lines that were broken for transport (RFC 3676).
fn unflowed(text: &str, delete_space: bool) -> String {
    let mut lines: Vec<String> = Vec::new();
    let mut open: Option<usize> = None;
    for line in text.lines() {
        steps::count(line.len() + 1);
        let depth = line.bytes().take_while(|byte| *byte == b'>').count();
        let content = &line[depth..];
        let content = content.strip_prefix(' ').unwrap_or(content);
        let is_signature = content == "-- ";
        let flows = content.ends_with(' ') && !is_signature;
        let kept = if flows && delete_space { &content[..content.len() - 1] } else { content };
        match lines.last_mut() {
            Some(last) if open == Some(depth) && !is_signature => last.push_str(kept),
            _ if depth > 0 => lines.push(format!("{} {kept}", ">".repeat(depth))),
            _ => lines.push(kept.to_owned()),
        }
        open = flows.then_some(depth);
    }
    lines.join("\n")
}
