//! The secret key: seals masters in the database and makes the tokens of links in mails.

use std::fmt;
use std::path::Path;

use aws_lc_rs::aead::{AES_256_GCM, Aad, Nonce, RandomizedNonceKey};
use aws_lc_rs::{constant_time, digest, hkdf, hmac};
use base64::Engine;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use data_encoding::BASE32_NOPAD;
use uuid::Uuid;

use pippost_log::note::{KeyKind, SignerKey};

use super::{KeyError, VapidKey, random_bytes, write_new_private_file};

const FILE: &str = "secret.key";

/// The format of sealed bytes: a version byte, the nonce, the ciphertext with its tag.
const SEALED_VERSION: u8 = 1;
const NONCE_BYTES: usize = 12;

/// The bytes of its tag that a token in a mail address has: 80 bits, because a local part has no room for more.
const ADDRESS_TAG_BYTES: usize = 10;

/// The length of a link's token: an id of 16 bytes and a tag of 32 in base64.
const LINK_TOKEN_CHARS: usize = 64;

/// The length of an address's token: 20 or 16 bytes and a tag of 10 in base32.
const REPLY_TOKEN_CHARS: usize = 48;
const BOUNCE_TOKEN_CHARS: usize = 42;

/// The prefix of refresh tokens.
pub const REFRESH_PREFIX: &str = "ppr_";

/// The prefix of the cookies that hold browsers' sessions.
pub const COOKIE_PREFIX: &str = "pps_";

/// The prefix of personal access tokens.
pub const PERSONAL_PREFIX: &str = "ppt_";

/// The prefix of apps' access tokens.
pub const APP_ACCESS_PREFIX: &str = "ppa_";

/// The prefix of apps' refresh tokens.
pub const APP_REFRESH_PREFIX: &str = "ppg_";

/// The prefix of authorization codes.
pub const CODE_PREFIX: &str = "ppc_";

/// The prefix of device codes.
pub const DEVICE_PREFIX: &str = "ppd_";

/// The prefix of the tokens of invitations to register.
pub const INVITATION_PREFIX: &str = "ppi_";

/// The prefix of the tokens of feeds, which are derived and longer than random ones.
pub const FEED_PREFIX: &str = "ppf_";

/// The prefixes of all tokens that look random.
const RANDOM_PREFIXES: [&str; 9] = [
    REFRESH_PREFIX,
    COOKIE_PREFIX,
    PERSONAL_PREFIX,
    APP_ACCESS_PREFIX,
    APP_REFRESH_PREFIX,
    CODE_PREFIX,
    DEVICE_PREFIX,
    INVITATION_PREFIX,
    FEED_PREFIX,
];

/// How the tokens of sessions begin: the header of a JWS of this server, `{"typ":"at+jwt"`, in base64.
const SESSION_TOKEN_START: &str = "eyJ0eXAiOiJhdCtqd3Qi";

/// The prefix of the secrets of webhooks, and the fewest characters of one behind it by which it is known.
const WEBHOOK_PREFIX: &str = "whsec_";
const MIN_WEBHOOK_CHARS: usize = 16;

/// The length of such a token behind its prefix: 32 random bytes in base64.
const RANDOM_TOKEN_CHARS: usize = 43;

/// The bytes of a digest that an entity tag has: enough that nobody finds two answers with one tag.
const TAG_BYTES: usize = 18;

/// A weak entity tag of HTTP made from a digest of all `parts` in order.
#[must_use]
pub fn weak_tag(parts: &[&[u8]]) -> String {
    let mut context = digest::Context::new(&digest::SHA256);
    for part in parts {
        context.update(part);
    }
    format!("W/\"{}\"", URL_SAFE_NO_PAD.encode(&context.finish().as_ref()[..TAG_BYTES]))
}

/// The purpose of a token; a token for one purpose is invalid for another.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Purpose {
    ConfirmEmail,
    ResetPassword,
    /// Joining a private game.
    Invitation,
    /// Looking at a game from a seat, through a link in a mail.
    Look,
    /// Answering a mail about a game.
    Reply,
    /// The return address of a mail, to which it bounces.
    Bounce,
    /// Confirming a resignation.
    Resign,
    /// Switching off the kind of mail that a notice belongs to.
    Unsubscribe,
    /// Looking at what an operator did about a player, and appealing against it.
    Appeal,
    /// Recognising a network that a player has logged in from; not used for tokens.
    Peer,
    /// Recognising a repeated request, which may hold a password; not used for tokens.
    Request,
    /// The password of the server's own bot; not used for tokens.
    HouseBot,
    /// Recognising the forms of this server's own pages, by the cookie of the browser that they were made for.
    Form,
    /// Recognising the code that a player types for an app on another device, which is short; not used for tokens.
    UserCode,
    /// The feeds of a player, by an address that is as good as a password.
    Feed,
}

impl Purpose {
    /// The purposes of links' tokens.
    const OF_LINKS: [Self; 6] = [
        Self::ConfirmEmail,
        Self::ResetPassword,
        Self::Invitation,
        Self::Look,
        Self::Unsubscribe,
        Self::Appeal,
    ];

    fn label(self) -> &'static [u8] {
        match self {
            Self::ConfirmEmail => b"confirm_email",
            Self::ResetPassword => b"reset_password",
            Self::Invitation => b"invitation",
            Self::Look => b"look",
            Self::Reply => b"reply",
            Self::Bounce => b"bounce",
            Self::Resign => b"resign",
            Self::Unsubscribe => b"unsubscribe",
            Self::Appeal => b"appeal",
            Self::Peer => b"peer",
            Self::Request => b"request",
            Self::HouseBot => b"house_bot",
            Self::Form => b"form",
            Self::UserCode => b"user_code",
            Self::Feed => b"feed",
        }
    }
}

/// The secret key and the keys derived from it.
pub struct SecretKey {
    sealing: RandomizedNonceKey,
    linking: hmac::Key,
    fingerprint: [u8; 32],
    vapid: VapidKey,
    log_seed: [u8; 32],
}

impl SecretKey {
    /// Parses the key from 64 hex digits.
    ///
    /// # Errors
    /// [`KeyError::Secret`].
    pub fn from_hex(text: &str) -> Result<Self, KeyError> {
        let mut bytes = [0; 32];
        hex::decode_to_slice(text.trim(), &mut bytes).map_err(|_| KeyError::Secret)?;
        Ok(Self::from_bytes(&bytes))
    }

    /// The key in `folder`; created there on the first start.
    ///
    /// # Errors
    /// The file cannot be read or written, or holds no key.
    pub fn in_folder(folder: &Path) -> Result<Self, KeyError> {
        let path = folder.join(FILE);
        if !path.exists() {
            let made = format!("{}\n", hex::encode(random_bytes::<32>()?));
            write_new_private_file(&path, made.as_bytes())?;
        }
        let text = std::fs::read_to_string(&path)
            .map_err(|error| KeyError::File { path: path.clone(), why: error.to_string() })?;
        Self::from_hex(&text).map_err(|error| KeyError::File { path, why: error.to_string() })
    }

    fn from_bytes(bytes: &[u8; 32]) -> Self {
        let root = hkdf::Salt::new(hkdf::HKDF_SHA256, b"pippost/secret/1").extract(bytes);
        let derive = |info: &[u8]| {
            let mut key = [0; 32];
            let info = [info];
            let expanded = root.expand(&info, hkdf::HKDF_SHA256).expect("32 bytes can be had");
            expanded.fill(&mut key).expect("32 bytes can be had");
            key
        };
        Self {
            sealing: RandomizedNonceKey::new(&AES_256_GCM, &derive(b"seal")).expect("32 bytes fit AES-256"),
            linking: hmac::Key::new(hmac::HMAC_SHA256, &derive(b"link")),
            fingerprint: derive(b"fingerprint"),
            log_seed: derive(b"log"),
            // The first that is a key of P-256.
            vapid: (0..=u8::MAX)
                .find_map(|number| {
                    VapidKey::from_number(&derive(&[b"vapid/".as_slice(), &[number]].concat()))
                })
                .expect("nearly all numbers are keys"),
        }
    }

    /// The key by which push services know this server.
    #[must_use]
    pub fn vapid(&self) -> &VapidKey {
        &self.vapid
    }

    /// The key that signs checkpoints of the log with that origin, and nothing else. `None` if no log may be called so.
    #[must_use]
    pub fn log_key(&self, origin: &str) -> Option<SignerKey> {
        SignerKey::from_seed(origin, KeyKind::Log, &self.log_seed)
    }

    /// Identifies the key without revealing it.
    #[must_use]
    pub fn fingerprint(&self) -> [u8; 32] {
        self.fingerprint
    }

    /// Seals `plain` so that it opens only for the same `owner`.
    ///
    /// # Panics
    /// If the operating system gives no random bytes.
    #[must_use]
    pub fn seal(&self, owner: Uuid, plain: &[u8]) -> Vec<u8> {
        let mut sealed = plain.to_vec();
        let aad = Aad::from(owner.as_bytes());
        let nonce = self.sealing.seal_in_place_append_tag(aad, &mut sealed).expect("a nonce can be drawn");
        [&[SEALED_VERSION], nonce.as_ref().as_slice(), &sealed].concat()
    }

    /// Opens sealed bytes; `None` if they were changed, or sealed for another owner or with another key.
    #[must_use]
    pub fn open(&self, owner: Uuid, sealed: &[u8]) -> Option<Vec<u8>> {
        let sealed = sealed.strip_prefix(&[SEALED_VERSION])?;
        let (nonce, sealed) = sealed.split_at_checked(NONCE_BYTES)?;
        let mut opened = sealed.to_vec();
        let nonce = Nonce::try_assume_unique_for_key(nonce).ok()?;
        let plain = self.sealing.open_in_place(nonce, Aad::from(owner.as_bytes()), &mut opened).ok()?;
        Some(plain.to_vec())
    }

    /// The token of a link: the id and a tag that only this server can make. Nothing needs to be stored.
    #[must_use]
    pub fn link_token(&self, purpose: Purpose, id: Uuid) -> String {
        let mut bytes = id.as_bytes().to_vec();
        bytes.extend_from_slice(self.tag(purpose, id.as_bytes()).as_ref());
        URL_SAFE_NO_PAD.encode(bytes)
    }

    /// The id in a token that this server made for this purpose.
    #[must_use]
    pub fn read_link_token(&self, purpose: Purpose, token: &str) -> Option<Uuid> {
        let bytes = URL_SAFE_NO_PAD.decode(token).ok()?;
        let (id, tag) = bytes.split_first_chunk::<16>()?;
        let id = Uuid::from_bytes(*id);
        constant_time::verify_slices_are_equal(tag, self.tag(purpose, id.as_bytes()).as_ref()).ok()?;
        Some(id)
    }

    /// A token for the local part of a mail address: `content` and a tag that only this server can make, in letters and digits
    /// whose case does not matter, because mail systems may change it.
    #[must_use]
    pub fn address_token(&self, purpose: Purpose, content: &[u8]) -> String {
        let tag = self.tag(purpose, content);
        let bytes = [content, &tag.as_ref()[..ADDRESS_TAG_BYTES]].concat();
        BASE32_NOPAD.encode(&bytes).to_ascii_lowercase()
    }

    /// The content of a token that this server made for this purpose.
    #[must_use]
    pub fn read_address_token(&self, purpose: Purpose, token: &str) -> Option<Vec<u8>> {
        let bytes = BASE32_NOPAD.decode(token.to_ascii_uppercase().as_bytes()).ok()?;
        let (content, given) = bytes.split_at_checked(bytes.len().checked_sub(ADDRESS_TAG_BYTES)?)?;
        let tag = self.tag(purpose, content);
        constant_time::verify_slices_are_equal(given, &tag.as_ref()[..ADDRESS_TAG_BYTES]).ok()?;
        Some(content.to_vec())
    }

    /// Whether a text contains a token of this server, even broken by line ends or with `=` and `%` escapes.
    #[must_use]
    pub fn is_token_in(&self, text: &str) -> bool {
        let plain = percent_encoding::percent_decode_str(text).decode_utf8_lossy().replace("=3D", "=");
        let kept: String =
            plain.chars().filter(|sign| is_of_token(*sign) || !sign.is_ascii() || *sign == '+').collect();
        kept.split(|sign| !is_of_token(sign)).any(|run| self.is_token_in_run(run))
    }

    /// The same for a run of characters that tokens consist of; other characters may surround the token.
    fn is_token_in_run(&self, run: &str) -> bool {
        let windows = |length: usize| {
            run.as_bytes().windows(length).map(|window| std::str::from_utf8(window).unwrap_or(""))
        };
        let link = |text: &str| {
            Purpose::OF_LINKS.iter().any(|purpose| self.read_link_token(*purpose, text).is_some())
        };
        let address = |purpose: Purpose| move |text: &str| self.read_address_token(purpose, text).is_some();
        let random = |prefix: &str, length: usize| {
            // Random bytes have letters of both cases; prose that follows `ppt_` rarely has.
            run.split(prefix).skip(1).filter_map(|rest| rest.get(..length)).any(|token| {
                token.contains(|sign: char| sign.is_ascii_uppercase())
                    && token.contains(|sign: char| sign.is_ascii_lowercase())
            })
        };
        RANDOM_PREFIXES.into_iter().any(|prefix| random(prefix, RANDOM_TOKEN_CHARS))
            || random(WEBHOOK_PREFIX, MIN_WEBHOOK_CHARS)
            || run.contains(SESSION_TOKEN_START)
            || windows(LINK_TOKEN_CHARS).any(link)
            || windows(REPLY_TOKEN_CHARS).any(address(Purpose::Reply))
            || windows(BOUNCE_TOKEN_CHARS).any(address(Purpose::Bounce))
    }

    /// A digest of `content` that only this server can compute, to recognise the content without storing it.
    ///
    /// # Panics
    /// Never: a tag of SHA-256 has 32 bytes.
    #[must_use]
    pub fn fingerprint_of(&self, purpose: Purpose, content: &[u8]) -> [u8; 32] {
        self.tag(purpose, content).as_ref().try_into().expect("SHA-256 has 32 bytes")
    }

    /// Whether `given` is that digest; the time it takes does not depend on where they differ.
    #[must_use]
    pub fn is_fingerprint_of(&self, purpose: Purpose, content: &[u8], given: &[u8]) -> bool {
        constant_time::verify_slices_are_equal(self.tag(purpose, content).as_ref(), given).is_ok()
    }

    fn tag(&self, purpose: Purpose, content: &[u8]) -> hmac::Tag {
        let mut context = hmac::Context::with_key(&self.linking);
        context.update(purpose.label());
        context.update(b"\0");
        context.update(content);
        context.sign()
    }
}

fn is_of_token(sign: char) -> bool {
    sign.is_ascii_alphanumeric() || matches!(sign, '-' | '_')
}

/// Hides the key from logs.
impl fmt::Debug for SecretKey {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str("SecretKey(secret)")
    }
}

/// A secret that another program presents, stored as a hash.
#[derive(Clone)]
pub struct SharedSecret([u8; 32]);

impl SharedSecret {
    /// The least length, in bytes.
    pub const MIN_BYTES: usize = 16;

    /// `None` if the text is too short.
    #[must_use]
    pub fn new(text: &str) -> Option<Self> {
        (text.len() >= Self::MIN_BYTES).then(|| Self(sha256(text.as_bytes())))
    }

    /// Whether `given` is the secret, in constant time.
    #[must_use]
    pub fn is(&self, given: &[u8]) -> bool {
        constant_time::verify_slices_are_equal(&sha256(given), &self.0).is_ok()
    }
}

/// Hides the secret from logs.
impl fmt::Debug for SharedSecret {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str("SharedSecret(secret)")
    }
}

/// SHA-256, for tokens that are stored hashed.
#[must_use]
pub fn sha256(bytes: &[u8]) -> [u8; 32] {
    digest::digest(&digest::SHA256, bytes).as_ref().try_into().expect("SHA-256 has 32 bytes")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn key(digit: char) -> SecretKey {
        SecretKey::from_hex(&digit.to_string().repeat(64)).expect("64 digits")
    }

    #[test]
    fn sealed_bytes_open_for_their_owner_and_key_only() {
        let (owner, other) = (Uuid::now_v7(), Uuid::now_v7());
        let sealed = key('1').seal(owner, b"master");
        assert_eq!(key('1').open(owner, &sealed).as_deref(), Some(b"master".as_slice()));
        assert_eq!(key('1').open(other, &sealed), None);
        assert_eq!(key('2').open(owner, &sealed), None);
        for index in 0..sealed.len() {
            let mut changed = sealed.clone();
            changed[index] ^= 1;
            assert_eq!(key('1').open(owner, &changed), None, "byte {index}");
            assert_eq!(key('1').open(owner, &sealed[..index]), None, "cut at {index}");
        }
        assert_ne!(sealed, key('1').seal(owner, b"master"), "a nonce of its own each time");
    }

    #[test]
    fn a_link_token_serves_one_purpose_of_one_server() {
        let id = Uuid::now_v7();
        let token = key('1').link_token(Purpose::ConfirmEmail, id);
        assert_eq!(key('1').read_link_token(Purpose::ConfirmEmail, &token), Some(id));
        assert_eq!(key('1').read_link_token(Purpose::ResetPassword, &token), None);
        assert_eq!(key('2').read_link_token(Purpose::ConfirmEmail, &token), None);
        for bad in ["", "x", "ä", &token[1..], &format!("{token}A")] {
            assert_eq!(key('1').read_link_token(Purpose::ConfirmEmail, bad), None, "{bad}");
        }
    }

    #[test]
    fn a_token_in_an_address_survives_a_change_of_case_and_nothing_else() {
        let token = key('1').address_token(Purpose::Reply, b"content");
        assert!(token.bytes().all(|byte| byte.is_ascii_lowercase() || byte.is_ascii_digit()), "{token}");
        for written in [token.clone(), token.to_uppercase()] {
            assert_eq!(
                key('1').read_address_token(Purpose::Reply, &written).as_deref(),
                Some(&b"content"[..])
            );
        }
        assert_eq!(key('1').read_address_token(Purpose::Bounce, &token), None);
        assert_eq!(key('2').read_address_token(Purpose::Reply, &token), None);
        for index in 0..token.len() {
            let other = if token.as_bytes()[index] == b'a' { "b" } else { "a" };
            let changed = format!("{}{other}{}", &token[..index], &token[index + 1..]);
            assert_eq!(key('1').read_address_token(Purpose::Reply, &changed), None, "{changed}");
        }
        for bad in ["", "a", "ä", "0", &token[1..], &format!("{token}a"), &format!("{token}=")] {
            assert_eq!(key('1').read_address_token(Purpose::Reply, bad), None, "{bad}");
        }
    }

    #[test]
    fn the_key_is_made_once_and_for_its_owner_alone() {
        use std::os::unix::fs::PermissionsExt;
        let folder = tempfile::tempdir().expect("a folder");
        let first = SecretKey::in_folder(folder.path()).expect("a new key");
        let again = SecretKey::in_folder(folder.path()).expect("the same key");
        assert_eq!(first.fingerprint(), again.fingerprint());
        let mode = std::fs::metadata(folder.path().join(FILE)).expect("a file").permissions().mode();
        assert_eq!(mode & 0o777, 0o600);
        assert_eq!(std::fs::read_dir(folder.path()).expect("a folder").count(), 1, "no draft is left");
    }
}
