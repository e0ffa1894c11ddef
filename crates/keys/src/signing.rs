//! The EdDSA keys that sign access tokens and receipts, published as JWKS. The newest key signs. Every key verifies what must
//! stay valid for ever; a short-lived token is verified by the newest key, and by an older one until its last tokens have
//! expired.

use std::path::{Path, PathBuf};
use std::sync::RwLock;

use aws_lc_rs::signature::{Ed25519KeyPair, KeyPair};
use base64::Engine;
use base64::engine::general_purpose::{STANDARD, URL_SAFE_NO_PAD};
use jsonwebtoken::{Algorithm, DecodingKey, Validation};
use serde::Serialize;
use serde::de::DeserializeOwned;
use time::{Duration, OffsetDateTime};
use uuid::Uuid;

use super::secret::sha256;
use super::{KeyError, write_new_private_file};

/// The usual capacity of a token's buffer, in bytes.
const USUAL_TOKEN_BYTES: usize = 512;

const ENDING: &str = "signing.pem";

/// The number of hex digits at the start of a key file's name: milliseconds since 1970.
const MOMENT_DIGITS: usize = 12;

/// Why a token is not accepted.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum TokenError {
    #[error("no token of this server")]
    Unreadable,
    #[error("signed by a key that this server does not have")]
    UnknownKey,
    #[error("signed by a key that has been replaced for longer than tokens live")]
    RetiredKey,
    #[error("the token has expired")]
    Expired,
}

struct SigningKey {
    id: String,
    public: Vec<u8>,
    pair: Ed25519KeyPair,
    decoding: DecodingKey,
    /// When a newer key replaced it; `None` while it signs.
    retired_at: Option<OffsetDateTime>,
}

impl SigningKey {
    fn from_pem(text: &str, retired_at: Option<OffsetDateTime>) -> Result<Self, KeyError> {
        let body: String = text.lines().filter(|line| !line.starts_with("-----")).collect();
        let der = STANDARD.decode(body.trim()).map_err(|_| KeyError::Signing)?;
        let pair = Ed25519KeyPair::from_pkcs8(&der).map_err(|_| KeyError::Signing)?;
        let public = pair.public_key().as_ref().to_vec();
        Ok(Self {
            id: URL_SAFE_NO_PAD.encode(&sha256(&public)[..12]),
            decoding: DecodingKey::from_ed_der(&public),
            public,
            pair,
            retired_at,
        })
    }
}

/// `jsonwebtoken::encode` would parse and check the key again for every token, which costs more than signing.
fn sign<T: Serialize>(key: &SigningKey, kind: &str, claims: &T) -> String {
    let mut token = String::with_capacity(USUAL_TOKEN_BYTES);
    let header = JwsHeader { typ: kind, alg: Algorithm::EdDSA, kid: &key.id };
    let header = serde_json::to_vec(&header).expect("a header is plain data");
    URL_SAFE_NO_PAD.encode_string(header, &mut token);
    token.push('.');
    let claims = serde_json::to_vec(claims).expect("claims are plain data");
    URL_SAFE_NO_PAD.encode_string(claims, &mut token);
    let signature = key.pair.sign(token.as_bytes());
    token.push('.');
    URL_SAFE_NO_PAD.encode_string(signature.as_ref(), &mut token);
    token
}

/// The JOSE header of a token.
#[derive(Serialize)]
struct JwsHeader<'a> {
    typ: &'a str,
    alg: Algorithm,
    kid: &'a str,
}

/// The public half of a signing key.
#[derive(Clone, Debug)]
pub struct PublicKey {
    /// The `kid` of tokens that the key signed.
    pub kid: String,
    /// The public key, base64url.
    pub x: String,
}

/// The signing keys, newest first. Never empty.
pub struct SigningKeys {
    /// The folder of the keys; `None` if the configuration gave them.
    folder: Option<PathBuf>,
    current: RwLock<Vec<SigningKey>>,
}

impl SigningKeys {
    /// Keys given as PEM texts, the signing one first. The others count as replaced at `now`, because the real time is unknown.
    ///
    /// # Errors
    /// [`KeyError::Signing`], also if none is given.
    pub fn from_pems(texts: &[String], now: OffsetDateTime) -> Result<Self, KeyError> {
        let read = |(index, text): (usize, &String)| SigningKey::from_pem(text, (index > 0).then_some(now));
        let keys: Vec<_> = texts.iter().enumerate().map(read).collect::<Result<_, _>>()?;
        if keys.is_empty() {
            return Err(KeyError::Signing);
        }
        Ok(Self { folder: None, current: RwLock::new(keys) })
    }

    /// The keys in `folder`; one is created there on the first start.
    ///
    /// # Errors
    /// A file cannot be read or written, or holds no key.
    pub fn in_folder(folder: &Path) -> Result<Self, KeyError> {
        let mut keys = read_folder(folder)?;
        if keys.is_empty() {
            write_key(&folder.join(format!("00000000-{ENDING}")))?;
            keys = read_folder(folder)?;
        }
        if keys.is_empty() {
            return Err(KeyError::Signing);
        }
        Ok(Self { folder: Some(folder.to_owned()), current: RwLock::new(keys) })
    }

    /// Adds a key to `folder` that signs from `now` on; servers pick it up at their next [`SigningKeys::reload`].
    ///
    /// # Errors
    /// The file cannot be written.
    pub fn rotate(folder: &Path, now: OffsetDateTime) -> Result<PathBuf, KeyError> {
        // Names sort by age.
        let millis = (now - OffsetDateTime::UNIX_EPOCH).whole_milliseconds().max(0);
        let path = folder.join(format!("{millis:0MOMENT_DIGITS$x}-{}-{ENDING}", Uuid::new_v4().simple()));
        write_key(&path)?;
        Ok(path)
    }

    /// Reads the folder again.
    ///
    /// # Errors
    /// A file cannot be read; the keys stay as they were.
    ///
    /// # Panics
    /// If another thread panicked while it changed the keys.
    pub fn reload(&self) -> Result<(), KeyError> {
        if let Some(folder) = &self.folder {
            let keys = read_folder(folder)?;
            if !keys.is_empty() {
                *self.current.write().expect("nobody panics with the keys") = keys;
            }
        }
        Ok(())
    }

    /// The `kid` of the key that signs now.
    ///
    /// # Panics
    /// If another thread panicked while it changed the keys.
    #[must_use]
    pub fn newest(&self) -> String {
        self.current.read().expect("nobody panics with the keys")[0].id.clone()
    }

    /// Signs claims as a JWS in compact form; `kind` is its `typ`.
    ///
    /// # Panics
    /// If the claims are no JSON object.
    #[must_use]
    pub fn sign<T: Serialize>(&self, kind: &str, claims: &T) -> String {
        sign(&self.current.read().expect("nobody panics with the keys")[0], kind, claims)
    }

    /// Signs with the named key, so that a repeated signature is identical; with the newest if that key is gone.
    ///
    /// # Panics
    /// If the claims are no JSON object.
    #[must_use]
    pub fn sign_by<T: Serialize>(&self, id: &str, kind: &str, claims: &T) -> String {
        let keys = self.current.read().expect("nobody panics with the keys");
        sign(keys.iter().find(|key| key.id == id).unwrap_or(&keys[0]), kind, claims)
    }

    /// The claims of a JWS of that `kind` that one of these keys signed. The caller, who has the clock, checks expiry.
    ///
    /// # Errors
    /// [`TokenError`].
    ///
    /// # Panics
    /// If another thread panicked while it changed the keys.
    pub fn verify<T: DeserializeOwned>(&self, kind: &str, token: &str) -> Result<T, TokenError> {
        self.verify_by(kind, token, |_| true)
    }

    /// As [`SigningKeys::verify`], for short-lived tokens: a replaced key is accepted for `grace` after its replacement.
    ///
    /// # Errors
    /// [`TokenError`].
    ///
    /// # Panics
    /// If another thread panicked while it changed the keys.
    pub fn verify_short_lived<T: DeserializeOwned>(
        &self,
        kind: &str,
        token: &str,
        now: OffsetDateTime,
        grace: Duration,
    ) -> Result<T, TokenError> {
        self.verify_by(kind, token, |key| key.retired_at.is_none_or(|at| now < at + grace))
    }

    fn verify_by<T: DeserializeOwned>(
        &self,
        kind: &str,
        token: &str,
        is_good: impl Fn(&SigningKey) -> bool,
    ) -> Result<T, TokenError> {
        let header = jsonwebtoken::decode_header(token).map_err(|_| TokenError::Unreadable)?;
        if header.typ.as_deref() != Some(kind) {
            return Err(TokenError::Unreadable);
        }
        let keys = self.current.read().expect("nobody panics with the keys");
        let key =
            keys.iter().find(|key| header.kid.as_deref() == Some(&key.id)).ok_or(TokenError::UnknownKey)?;
        if !is_good(key) {
            return Err(TokenError::RetiredKey);
        }
        let decoded =
            jsonwebtoken::decode(token, &key.decoding, &no_expiry()).map_err(|_| TokenError::Unreadable)?;
        Ok(decoded.claims)
    }

    /// All public keys.
    ///
    /// # Panics
    /// If another thread panicked while it changed the keys.
    #[must_use]
    pub fn public(&self) -> Vec<PublicKey> {
        let keys = self.current.read().expect("nobody panics with the keys");
        let public =
            |key: &SigningKey| PublicKey { kid: key.id.clone(), x: URL_SAFE_NO_PAD.encode(&key.public) };
        keys.iter().map(public).collect()
    }
}

/// Checks the signature only.
pub(super) fn no_expiry() -> Validation {
    let mut validation = Validation::new(Algorithm::EdDSA);
    validation.required_spec_claims.clear();
    validation.validate_exp = false;
    validation.validate_aud = false;
    validation
}

/// The keys of a folder, newest first.
fn read_folder(folder: &Path) -> Result<Vec<SigningKey>, KeyError> {
    let unusable = |path: &Path, why: String| KeyError::File { path: path.to_owned(), why };
    let entries = std::fs::read_dir(folder).map_err(|error| unusable(folder, error.to_string()))?;
    let mut paths: Vec<_> = entries.filter_map(|entry| Some(entry.ok()?.path())).collect();
    paths.retain(|path| path.file_name().is_some_and(|name| name.to_string_lossy().ends_with(ENDING)));
    paths.sort();
    let mut keys = Vec::with_capacity(paths.len());
    // Newest first; each key was replaced by the one read before it.
    let mut replaced_at = None;
    for path in paths.iter().rev() {
        let text = std::fs::read_to_string(path).map_err(|error| unusable(path, error.to_string()))?;
        let key = SigningKey::from_pem(&text, replaced_at);
        keys.push(key.map_err(|error| unusable(path, error.to_string()))?);
        replaced_at = Some(made_at(path).map_err(|error| unusable(path, error.to_string()))?);
    }
    Ok(keys)
}

/// When a key was created: from its file's name, or else from the file's modification time.
fn made_at(path: &Path) -> std::io::Result<OffsetDateTime> {
    let name = path.file_name().map(|name| name.to_string_lossy().into_owned()).unwrap_or_default();
    let named = name.split('-').next().filter(|digits| digits.len() == MOMENT_DIGITS);
    let millis = named.and_then(|digits| i64::from_str_radix(digits, 16).ok());
    match millis.and_then(|millis| OffsetDateTime::UNIX_EPOCH.checked_add(Duration::milliseconds(millis))) {
        Some(at) => Ok(at),
        None => Ok(std::fs::metadata(path)?.modified()?.into()),
    }
}

fn write_key(path: &Path) -> Result<(), KeyError> {
    let pair = Ed25519KeyPair::generate().map_err(|_| KeyError::Random)?;
    let der = pair.to_pkcs8().map_err(|_| KeyError::Random)?;
    let body = STANDARD.encode(der.as_ref());
    let pem = format!("-----BEGIN PRIVATE KEY-----\n{body}\n-----END PRIVATE KEY-----\n");
    write_new_private_file(path, pem.as_bytes())?;
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::{Value, json};
    use time::macros::datetime;

    #[test]
    fn after_a_rotation_the_new_key_signs_and_the_old_one_still_verifies() {
        let folder = tempfile::tempdir().expect("a folder");
        let keys = SigningKeys::in_folder(folder.path()).expect("a first key");
        let old = keys.sign("test", &json!({"n": 1}));
        let now = datetime!(2026-11-21 12:00 UTC);
        SigningKeys::rotate(folder.path(), now).expect("a second key");
        keys.reload().expect("two keys");
        let new = keys.sign("test", &json!({"n": 2}));
        assert_eq!(keys.verify::<Value>("test", &old), Ok(json!({"n": 1})));
        assert_eq!(keys.verify::<Value>("test", &new), Ok(json!({"n": 2})));
        let kids: Vec<_> = keys.public().into_iter().map(|key| key.kid).collect();
        let kid = |token: &str| jsonwebtoken::decode_header(token).expect("a JWS").kid.expect("a key id");
        assert_eq!(kids, [kid(&new), kid(&old)]);
        assert_eq!(keys.newest(), kid(&new));
        assert_eq!(keys.sign_by(&kid(&old), "test", &json!({"n": 1})), old, "to the letter");
        assert_eq!(keys.sign_by("a key that is gone", "test", &json!({"n": 2})), new);

        let grace = Duration::minutes(10);
        let short_lived = |token: &str, at| keys.verify_short_lived::<Value>("test", token, at, grace);
        assert_eq!(short_lived(&old, now + grace - Duration::MILLISECOND), Ok(json!({"n": 1})));
        assert_eq!(short_lived(&old, now + grace), Err(TokenError::RetiredKey));
        assert_eq!(short_lived(&new, now + 1000 * grace), Ok(json!({"n": 2})));
        assert_eq!(keys.verify::<Value>("test", &old), Ok(json!({"n": 1})), "what proves for ever");
    }

    #[test]
    fn of_keys_in_the_configuration_all_but_the_first_count_as_replaced_since_the_start() {
        let folder = tempfile::tempdir().expect("a folder");
        write_key(&folder.path().join("a-signing.pem")).expect("a key");
        write_key(&folder.path().join("b-signing.pem")).expect("a key");
        let pem = |name: &str| std::fs::read_to_string(folder.path().join(name)).expect("a file");
        let (old, new) = (pem("a-signing.pem"), pem("b-signing.pem"));
        let now = datetime!(2026-11-21 12:00 UTC);
        let token =
            SigningKeys::from_pems(std::slice::from_ref(&old), now).expect("a key").sign("test", &json!({}));
        let keys = SigningKeys::from_pems(&[new, old], now).expect("two keys");
        let at = |at| keys.verify_short_lived::<Value>("test", &token, at, Duration::MINUTE).err();
        assert_eq!(at(now), None);
        assert_eq!(at(now + Duration::MINUTE), Some(TokenError::RetiredKey));
    }

    #[test]
    fn tokens_of_another_kind_server_or_content_are_refused() {
        let (ours, theirs) = (tempfile::tempdir().expect("a folder"), tempfile::tempdir().expect("a folder"));
        let keys = SigningKeys::in_folder(ours.path()).expect("a key");
        let other = SigningKeys::in_folder(theirs.path()).expect("a key");
        let token = keys.sign("test", &json!({"n": 1}));
        assert_eq!(keys.verify::<Value>("receipt", &token), Err(TokenError::Unreadable));
        assert_eq!(other.verify::<Value>("test", &token), Err(TokenError::UnknownKey));
        let (head, signature) = token.rsplit_once('.').expect("three parts");
        let (header, _) = head.split_once('.').expect("three parts");
        let forged = format!("{header}.{}.{signature}", URL_SAFE_NO_PAD.encode(b"{\"n\":2}"));
        assert_eq!(keys.verify::<Value>("test", &forged), Err(TokenError::Unreadable));
        assert_eq!(keys.verify::<Value>("test", "nonsense"), Err(TokenError::Unreadable));
    }
}
