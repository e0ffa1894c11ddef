//! The server's keys: one secret key, which seals data in the database and makes the tokens of links in mails, and the EdDSA
//! keys, which sign access tokens and receipts. They come from one folder or from the configuration.
#![forbid(unsafe_code)]

pub mod beacon;
pub mod jwks;
pub mod secret;
pub mod signing;
pub mod vapid;

use std::path::PathBuf;

pub use jwks::PublicKeys;
pub use secret::{Purpose, SecretKey, SharedSecret};
pub use signing::{SigningKeys, TokenError};
pub use vapid::VapidKey;

/// Why the keys cannot be used. The message never contains a key.
#[derive(Debug, thiserror::Error)]
pub enum KeyError {
    #[error("the key file {path} cannot be used: {why}")]
    File { path: PathBuf, why: String },
    #[error("the secret key must be 64 hex digits (32 bytes)")]
    Secret,
    #[error("the signing key must be an Ed25519 key in PKCS#8, as PEM")]
    Signing,
    #[error("no key could be made: the operating system gave no random bytes")]
    Random,
}

/// Random bytes from the operating system.
///
/// # Errors
/// The operating system gave none.
pub fn random_bytes<const N: usize>() -> Result<[u8; N], KeyError> {
    let mut bytes = [0; N];
    aws_lc_rs::rand::fill(&mut bytes).map_err(|_| KeyError::Random)?;
    Ok(bytes)
}

/// Writes a new file that only its owner may read, atomically: other processes see all of it or nothing. False if the file
/// exists already.
pub(crate) fn write_new_private_file(path: &std::path::Path, content: &[u8]) -> Result<bool, KeyError> {
    use std::io::Write;
    use std::os::unix::fs::OpenOptionsExt;
    let unusable = |error: std::io::Error| KeyError::File { path: path.to_owned(), why: error.to_string() };
    let draft = path.with_extension(format!("{}.new", std::process::id()));
    let mut file = std::fs::OpenOptions::new()
        .write(true)
        .create(true)
        .truncate(true)
        .mode(0o600)
        .open(&draft)
        .map_err(unusable)?;
    file.write_all(content).and_then(|()| file.sync_all()).map_err(unusable)?;
    // A hard link fails if the name exists: if two servers start at once, only one creates the key.
    let linked = std::fs::hard_link(&draft, path);
    std::fs::remove_file(&draft).map_err(unusable)?;
    match linked {
        Ok(()) => Ok(true),
        Err(error) if error.kind() == std::io::ErrorKind::AlreadyExists => Ok(false),
        Err(error) => Err(unusable(error)),
    }
}
