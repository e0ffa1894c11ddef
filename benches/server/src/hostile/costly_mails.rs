//! Mails of players that cost a server much: as long as is read, of every kind that a sender could wish for.

use std::net::SocketAddr;
use std::path::Path;
use std::sync::Arc;

use anyhow::Context;

use super::attack_data::AttackData;
use super::random::Random;
use super::request::Request;
use crate::script::Contestant;
use crate::seeding::{SeedGame, Seeder};
use crate::server::INBOUND_SECRET;
use pippost::keys::SecretKey;
use pippost::notices::ReplyAddresses;
use pippost::replies::MAX_READ_BYTES;

/// The server's address for answers.
const REPLY_ADDRESS: &str = "play@example.org";

/// What the mails repeat.
const UNITS: [&str; 9] = [
    "hello world this is prose of a kind\r\n",
    "a\r\n",
    "store\r\n",
    "d4;",
    "> hello world of prose\r\nand more\r\n",
    "if d4 then\r\n",
    "This e-mail is confidential, and for its recipient\r\n",
    "--b\r\nContent-Type: text/plain\r\n\r\nx\r\n",
    "--b\r\nContent-Type: text/html\r\n\r\n<p>store</p>\r\n",
];

/// What mails of one HTML part repeat.
const HTML_UNITS: [&str; 5] =
    ["<div>", "<table><tr><td>store", "<p>hello</p>\r\n", "<blockquote>x<br>", "&amp;&lt;&#8212;"];

/// A mail with its envelope.
#[derive(Clone, Debug)]
pub struct Letter {
    pub from: String,
    pub to: String,
    pub raw: String,
}

/// A player, and the address of the server for answers to a mail about a game.
#[derive(Clone, Debug)]
pub struct Mailer {
    from: String,
    to: String,
}

/// The server's settings for mails, which it takes by LMTP at that address.
#[must_use]
pub fn settings(lmtp: SocketAddr) -> Vec<String> {
    vec![format!("--reply-address={REPLY_ADDRESS}"), format!("--lmtp-listen={lmtp}")]
}

/// Those whose turn it is in these games, each told so by a mail.
///
/// # Errors
/// The database refused, or the server's key cannot be read.
pub async fn mailers(
    seeder: &Seeder,
    games: &[SeedGame],
    players: &[Contestant],
    keys: &Path,
) -> anyhow::Result<Vec<Mailer>> {
    let addresses = ReplyAddresses::new(REPLY_ADDRESS.parse()?, Arc::new(SecretKey::in_folder(keys)?));
    let ids: Vec<_> = games.iter().map(|game| game.row.id).collect();
    let mut mailers = Vec::new();
    for notice in seeder.told_turns(&ids).await? {
        let handle = players.iter().find(|player| player.id == notice.player_id).map(|player| &player.handle);
        let from = format!("{}@example.org", handle.context("a player of these")?);
        let to = addresses.reply_to(notice.id, notice.seq).context("a position with an address")?;
        mailers.push(Mailer { from, to });
    }
    Ok(mailers)
}

/// The mails after the headers that differ.
#[must_use]
pub fn mails() -> Vec<String> {
    let room = MAX_READ_BYTES - 2048;
    let mail = |kind: &str, start: &str, unit: &str| {
        format!("MIME-Version: 1.0\r\nContent-Type: {kind}\r\n\r\n{start}{}", unit.repeat(room / unit.len()))
    };
    let in_parts = UNITS.iter().map(|unit| mail("multipart/mixed; boundary=\"b\"", "--b\r\n\r\n", unit));
    let html = HTML_UNITS.iter().map(|unit| mail("text/html", "", unit));
    in_parts.chain(html).collect()
}

/// A mail of any player.
pub fn letter(data: &AttackData, random: &mut Random) -> Letter {
    let mailer = random.one_of(&data.mailers);
    written(mailer, data, random)
}

fn written(Mailer { from, to }: &Mailer, data: &AttackData, random: &mut Random) -> Letter {
    let raw = format!(
        "From: {from}\r\nTo: {to}\r\nMessage-ID: <{}@example.org>\r\n{}",
        random.word(20),
        random.one_of(&data.mails)
    );
    Letter { from: from.clone(), to: to.clone(), raw }
}

/// A mail of any player, as a provider posts it.
pub fn mail(data: &AttackData, random: &mut Random) -> Request {
    posted(letter(data, random))
}

/// The same of always the same player.
pub fn mail_of_one(data: &AttackData, random: &mut Random) -> Request {
    posted(written(&data.mailers[0], data, random))
}

fn posted(Letter { from, to, raw }: Letter) -> Request {
    let target = format!("/api/v1/inbound/mail?recipient={}&sender={from}", to.replace('+', "%2B"));
    Request::new("POST", target).header("X-Inbound-Secret", INBOUND_SECRET).body("message/rfc822", raw)
}
