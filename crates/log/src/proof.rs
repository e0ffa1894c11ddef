//! The text of a proof that an entry is in a log, which is checked offline (c2sp.org/tlog-proof).

use std::fmt::Write;

use crate::checkpoint::Checkpoint;
use crate::note::{MAX_NOTE_BYTES, Note, NoteError, VerifierKey};
use crate::tree::{Hash, MAX_PROOF_HASHES, verify_inclusion};
use crate::{base64, hash_of_base64, number};

const FIRST_LINE: &str = "c2sp.org/tlog-proof@v1";

/// The longest extra data, in bytes of base64.
const MAX_EXTRA_BYTES: usize = 4 * 1024;

/// The largest proof that is read, in bytes.
pub const MAX_PROOF_BYTES: usize = 2 * MAX_NOTE_BYTES;

/// Why a proof proves nothing.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum ProofError {
    #[error("this is no proof of a log (c2sp.org/tlog-proof@v1)")]
    Unreadable,
    #[error("its checkpoint is not to be believed: {0}")]
    Checkpoint(#[from] NoteError),
    #[error("the log does not hold that entry at that place")]
    NotIncluded,
}

/// A proof: the place of an entry, the hashes from it to the root, and the signed checkpoint.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Proof {
    /// What the application adds. It is not signed.
    pub extra: Option<Vec<u8>>,
    pub index: u64,
    pub hashes: Vec<Hash>,
    pub checkpoint: Note,
}

impl Proof {
    /// Its text.
    #[must_use]
    pub fn text(&self) -> String {
        let mut text = format!("{FIRST_LINE}\n");
        if let Some(extra) = &self.extra {
            let _ = writeln!(text, "extra {}", base64(extra));
        }
        let _ = writeln!(text, "index {}", self.index);
        for hash in &self.hashes {
            let _ = writeln!(text, "{}", base64(hash));
        }
        let _ = write!(text, "\n{}", self.checkpoint);
        text
    }

    /// Reads a proof.
    ///
    /// # Errors
    /// [`ProofError::Unreadable`].
    pub fn read(text: &str) -> Result<Self, ProofError> {
        let read = || {
            let fits = text.len() <= MAX_PROOF_BYTES;
            let (head, note) = text.split_once("\n\n").filter(|_| fits)?;
            let mut lines = head.split('\n').peekable();
            lines.next().filter(|line| *line == FIRST_LINE)?;
            let extra = match lines.next_if(|line| line.starts_with("extra ")) {
                None => None,
                Some(line) => Some(extra(&line["extra ".len()..])?),
            };
            let index = number(lines.next()?.strip_prefix("index ")?)?;
            let hashes: Vec<Hash> = lines.map(hash_of_base64).collect::<Option<_>>()?;
            let checkpoint = Note::read(note).ok()?;
            (hashes.len() <= MAX_PROOF_HASHES).then_some(Self { extra, index, hashes, checkpoint })
        };
        read().ok_or(ProofError::Unreadable)
    }

    /// Checks that the log of that key holds the entry with this leaf, and returns the checkpoint. Cosignatures are the caller's to ask for.
    ///
    /// # Errors
    /// It proves something else, or nothing.
    pub fn verify(&self, leaf: Hash, key: &VerifierKey) -> Result<Checkpoint, ProofError> {
        let checkpoint = Checkpoint::open(&self.checkpoint, key)?;
        let included = verify_inclusion(leaf, self.index, checkpoint.size, checkpoint.root, &self.hashes);
        if included { Ok(checkpoint) } else { Err(ProofError::NotIncluded) }
    }
}

fn extra(encoded: &str) -> Option<Vec<u8>> {
    use base64::Engine;
    let fits = encoded.len() <= MAX_EXTRA_BYTES;
    fits.then(|| base64::engine::general_purpose::STANDARD.decode(encoded).ok()).flatten()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::note::{KeyKind, SignerKey};
    use crate::tree::{Leaves, leaf_hash, prove_inclusion, root};

    fn key() -> SignerKey {
        SignerKey::from_seed("example.org/log", KeyKind::Log, &[1; 32]).expect("a key")
    }

    fn proof(index: u64, extra: Option<Vec<u8>>) -> (Hash, Proof) {
        let all = Leaves((0..11_u64).map(|number| leaf_hash(&number.to_be_bytes())).collect());
        let checkpoint =
            Checkpoint { origin: "example.org/log".into(), size: 11, root: root(&all, 11).expect("a root") };
        let hashes = prove_inclusion(&all, index, 11).expect("a leaf");
        let leaf = all.0[usize::try_from(index).expect("small")];
        (leaf, Proof { extra, index, hashes, checkpoint: checkpoint.sign(&key()) })
    }

    #[test]
    fn a_proof_is_read_back_and_proves_its_entry_alone() {
        for extra in [None, Some(b"{}".to_vec())] {
            for index in 0..11 {
                let (leaf, proof) = proof(index, extra.clone());
                let read = Proof::read(&proof.text()).expect("a proof");
                assert_eq!(read, proof);
                assert_eq!(read.verify(leaf, key().verifier()).map(|found| found.size), Ok(11));
                assert_eq!(read.verify([0; 32], key().verifier()), Err(ProofError::NotIncluded));
                let moved = Proof { index: (index + 1) % 11, ..read };
                assert_eq!(moved.verify(leaf, key().verifier()), Err(ProofError::NotIncluded));
            }
        }
    }

    #[test]
    fn what_is_no_proof_is_refused() {
        let text = proof(3, None).1.text();
        let hash = text.lines().nth(2).expect("a hash").to_owned() + "\n";
        for wrong in [
            text.replace("@v1", "@v2"),
            text.replace("index 3", "index 03"),
            text.replace("index 3", "index"),
            text.replace("index 3\n", ""),
            text.replace("index 3", "extra !\nindex 3"),
            text.replacen('=', "", 1),
            text.replace(&hash, &hash.repeat(MAX_PROOF_HASHES + 1)),
            text.replace("\n\n", "\n"),
            String::new(),
            format!("{}{text}", " ".repeat(MAX_PROOF_BYTES)),
        ] {
            assert_eq!(Proof::read(&wrong), Err(ProofError::Unreadable), "{wrong}");
        }
    }
}
