//! What the log of a server holds.

use sha2::{Digest, Sha256};
use uuid::Uuid;

use crate::tree::{Hash, leaf_hash};

/// The bytes of an entry: a digest of the game's id, the number of the event, a hash.
pub const ENTRY_BYTES: usize = 68;

/// What stands before a game's id where it is hashed.
const GAME_LABEL: &[u8] = b"pippost/log/1";

/// One event of a game, or its footer, which has the number after the last event.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Entry {
    pub game: Hash,
    pub seq: u32,
    pub hash: Hash,
}

/// The digest of a game's id: nobody finds an entry of a game whose id they do not know.
#[must_use]
pub fn game_digest(id: Uuid) -> Hash {
    Sha256::new().chain_update(GAME_LABEL).chain_update(id.as_bytes()).finalize().into()
}

/// The hash of a footer: of its line without the line feed.
#[must_use]
pub fn footer_hash(line: &[u8]) -> Hash {
    Sha256::digest(line).into()
}

impl Entry {
    #[must_use]
    pub fn of(game_id: Uuid, seq: u32, hash: Hash) -> Self {
        Self { game: game_digest(game_id), seq, hash }
    }

    #[must_use]
    pub fn to_bytes(&self) -> [u8; ENTRY_BYTES] {
        let mut bytes = [0; ENTRY_BYTES];
        bytes[..32].copy_from_slice(&self.game);
        bytes[32..36].copy_from_slice(&self.seq.to_be_bytes());
        bytes[36..].copy_from_slice(&self.hash);
        bytes
    }

    /// Reads an entry; `None` if it has another length.
    #[must_use]
    pub fn read(bytes: &[u8]) -> Option<Self> {
        let bytes: &[u8; ENTRY_BYTES] = bytes.try_into().ok()?;
        let (game, rest) = bytes.split_first_chunk::<32>()?;
        let (seq, hash) = rest.split_first_chunk::<4>()?;
        Some(Self { game: *game, seq: u32::from_be_bytes(*seq), hash: hash.try_into().ok()? })
    }

    /// The hash of its leaf.
    #[must_use]
    pub fn leaf(&self) -> Hash {
        leaf_hash(&self.to_bytes())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_entry_is_68_bytes_and_is_read_back() {
        let entry = Entry::of(Uuid::from_u128(7), 0x0102_0304, [9; 32]);
        let bytes = entry.to_bytes();
        assert_eq!(Entry::read(&bytes), Some(entry));
        assert_eq!(bytes[32..36], [1, 2, 3, 4]);
        assert_eq!(Entry::read(&bytes[1..]), None);
        let id = [b"pippost/log/1".as_slice(), Uuid::from_u128(7).as_bytes()].concat();
        assert_eq!(bytes[..32], footer_hash(&id), "the digest of label and id");
    }
}
