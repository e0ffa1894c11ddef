//! Makes and reads the addresses for answers and bounces. They contain the notice, so nothing needs to be stored.

use std::sync::Arc;

use uuid::Uuid;

use pippost_keys::SecretKey;
use pippost_keys::secret::Purpose;
use pippost_store::Seq;

/// The longest local part of an address, in bytes (RFC 5321, 4.5.3.1.1).
const MAX_LOCAL_BYTES: usize = 64;

/// The bytes of an answer's token with the `+` before it: 16 bytes of a notice, 4 of an event and 10 of a tag, in base32.
const TOKEN_BYTES: usize = 49;

/// The longest name before the `+`.
const MAX_NAME_BYTES: usize = MAX_LOCAL_BYTES - TOKEN_BYTES;

/// The fewest letters and digits after `play+` that count as a token or a part of one.
const MIN_TOKEN_CHARS: usize = 20;

/// The longest domain, in bytes.
const MAX_DOMAIN_BYTES: usize = 190;

/// The setting is not an address that mails can be answered to.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error(
    "an address for answers is like play@example.org, with at most 15 characters before the @ and no + among them"
)]
pub struct ReplyAddressError;

/// The common address of the server, such as `play@example.org`; tokens are inserted between a `+` and the `@`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ReplyAddress {
    name: String,
    domain: String,
}

impl std::str::FromStr for ReplyAddress {
    type Err = ReplyAddressError;

    fn from_str(text: &str) -> Result<Self, ReplyAddressError> {
        let (name, domain) = text.rsplit_once('@').ok_or(ReplyAddressError)?;
        let plain = |text: &str, others: &[u8]| {
            !text.is_empty()
                && text.bytes().all(|byte| byte.is_ascii_alphanumeric() || others.contains(&byte))
        };
        let fits = plain(name, b"-_.") && name.len() <= MAX_NAME_BYTES && domain.len() <= MAX_DOMAIN_BYTES;
        if !fits || !plain(domain, b"-.") || text.parse::<lettre::Address>().is_err() {
            return Err(ReplyAddressError);
        }
        Ok(Self { name: name.to_ascii_lowercase(), domain: domain.to_ascii_lowercase() })
    }
}

impl std::fmt::Display for ReplyAddress {
    fn fmt(&self, out: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(out, "{}@{}", self.name, self.domain)
    }
}

/// The purpose of an address with a token.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Token {
    /// Receives answers to the mail of a notice, which showed the game after event `seq`.
    Reply { notice_id: Uuid, seq: Seq },
    /// Receives bounces of the mail of a notice.
    Bounce { notice_id: Uuid },
}

/// Makes and reads the addresses of one server.
#[derive(Clone, Debug)]
pub struct ReplyAddresses {
    address: ReplyAddress,
    secret: Arc<SecretKey>,
}

impl ReplyAddresses {
    #[must_use]
    pub fn new(address: ReplyAddress, secret: Arc<SecretKey>) -> Self {
        Self { address, secret }
    }

    /// The address for answers to the mail of a notice; `None` if `seq` exceeds 32 bits.
    #[must_use]
    pub fn reply_to(&self, notice_id: Uuid, seq: Seq) -> Option<String> {
        let seq = u32::try_from(seq.get()).ok()?.to_be_bytes();
        Some(self.address_of(Purpose::Reply, &[notice_id.as_bytes().as_slice(), &seq].concat()))
    }

    /// The address for bounces of the mail of a notice.
    #[must_use]
    pub fn bounce_to(&self, notice_id: Uuid) -> String {
        self.address_of(Purpose::Bounce, notice_id.as_bytes())
    }

    /// Whether `address` is the common address, without a token.
    #[must_use]
    pub fn is_common(&self, address: &str) -> bool {
        self.address.to_string().eq_ignore_ascii_case(address.trim())
    }

    /// Whether `text` contains an address of this server, with or without a token and in upper or lower case.
    #[must_use]
    pub fn is_named_in(&self, text: &str) -> bool {
        let text = text.to_ascii_lowercase();
        let ReplyAddress { name, domain } = &self.address;
        let with_token = text
            .split(&format!("{name}+"))
            .skip(1)
            .any(|rest| rest.bytes().take_while(u8::is_ascii_alphanumeric).count() >= MIN_TOKEN_CHARS);
        with_token || text.contains(&format!("{name}@{domain}"))
    }

    fn address_of(&self, purpose: Purpose, content: &[u8]) -> String {
        let ReplyAddress { name, domain } = &self.address;
        format!("{name}+{}@{domain}", self.secret.address_token(purpose, content))
    }

    /// The token in an address; `None` if this server did not make it.
    #[must_use]
    pub fn read(&self, address: &str) -> Option<Token> {
        let (local, domain) = address.rsplit_once('@')?;
        let (name, token) = local.split_once('+')?;
        let ours = name.eq_ignore_ascii_case(&self.address.name)
            && domain.eq_ignore_ascii_case(&self.address.domain);
        if !ours || local.len() > MAX_LOCAL_BYTES {
            return None;
        }
        if let Some(content) = self.secret.read_address_token(Purpose::Reply, token) {
            let (id, seq) = content.split_first_chunk::<16>()?;
            let seq = u32::from_be_bytes(seq.try_into().ok()?);
            return Some(Token::Reply { notice_id: Uuid::from_bytes(*id), seq: u64::from(seq).into() });
        }
        let content = self.secret.read_address_token(Purpose::Bounce, token)?;
        Some(Token::Bounce { notice_id: Uuid::from_slice(&content).ok()? })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn addresses(name: &str) -> ReplyAddresses {
        let secret = SecretKey::from_hex(&"7".repeat(64)).expect("a key");
        ReplyAddresses::new(name.parse().expect("an address"), Arc::new(secret))
    }

    #[test]
    fn an_address_tells_what_it_is_for_in_any_case_and_fits_a_local_part() {
        let addresses = addresses("fifteen-letters@play.example.org");
        let notice_id = Uuid::now_v7();
        let reply = addresses.reply_to(notice_id, 4_000_000_000.into()).expect("an address");
        let (local, _) = reply.split_once('@').expect("an address");
        assert_eq!(local.len(), MAX_LOCAL_BYTES);
        let bounce = addresses.bounce_to(notice_id);
        for (address, token) in [
            (reply, Token::Reply { notice_id, seq: 4_000_000_000.into() }),
            (bounce, Token::Bounce { notice_id }),
        ] {
            assert_eq!(addresses.read(&address), Some(token));
            assert_eq!(addresses.read(&address.to_uppercase()), Some(token));
            assert!(address.parse::<lettre::Address>().is_ok(), "{address}");
        }
    }

    #[test]
    fn what_this_server_did_not_make_is_for_nothing() {
        let addresses = addresses("play@example.org");
        let good = addresses.reply_to(Uuid::now_v7(), 7.into()).expect("an address");
        for bad in [
            "",
            "play@example.org",
            "play+@example.org",
            &good.replace("play+", "pley+"),
            &good.replace("@example.org", "@example.net"),
            &good.replace('+', "-"),
            &good.replace("play+", "play+a"),
        ] {
            assert_eq!(addresses.read(bad), None, "{bad}");
        }
    }

    #[test]
    fn what_leaves_no_room_for_a_token_is_no_setting() {
        for bad in [
            "",
            "play",
            "@example.org",
            "play@",
            "pl+ay@example.org",
            "sixteen-letters-@example.org",
            "a b@x.org",
        ] {
            assert_eq!(bad.parse::<ReplyAddress>(), Err(ReplyAddressError), "{bad}");
        }
        assert_eq!("Play@Example.ORG".parse::<ReplyAddress>().expect("fine").to_string(), "play@example.org");
    }
}
