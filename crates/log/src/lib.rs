//! The log over all records: a Merkle tree of RFC 6962 in the formats of C2SP, so that the tools of others check it. Pure: nothing
//! here reads a file, a clock or a network.
//!
//! | module | what |
//! |---|---|
//! | [`entry`] | what the log of a server holds: 68 bytes for each event and footer |
//! | [`tree`] | hashes, roots, and proofs of inclusion and consistency |
//! | [`tiles`] | the tree cut into tiles, their paths, bundles of entries, growing a tree |
//! | [`note`] | signed notes and their keys |
//! | [`checkpoint`] | checkpoints, cosignatures of witnesses, and what two checkpoints say of each other |
//! | [`proof`] | the text of a proof that can be checked offline |
//! | [`witness`] | requests to a witness, and its decision |
#![forbid(unsafe_code)]

pub mod checkpoint;
pub mod entry;
pub mod note;
pub mod proof;
pub mod tiles;
pub mod tree;
pub mod witness;

pub use checkpoint::Checkpoint;
pub use entry::Entry;
pub use tree::Hash;

use base64::Engine;
use base64::engine::general_purpose::STANDARD;

/// 32 bytes in standard base64, as all these texts write hashes.
pub(crate) fn hash_of_base64(text: &str) -> Option<Hash> {
    STANDARD.decode(text).ok()?.try_into().ok()
}

/// Bytes in standard base64, as all these texts write hashes.
#[must_use]
pub fn base64(bytes: &[u8]) -> String {
    STANDARD.encode(bytes)
}

/// A number without sign or leading zeroes.
#[must_use]
pub fn number(text: &str) -> Option<u64> {
    let plain = text == "0" || !text.starts_with('0') && text.bytes().all(|byte| byte.is_ascii_digit());
    plain.then(|| text.parse().ok()).flatten()
}
