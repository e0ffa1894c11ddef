//! Checkpoints (c2sp.org/tlog-checkpoint), cosignatures of witnesses (c2sp.org/tlog-cosignature), and what two checkpoints say of
//! each other.

use crate::note::{KeyKind, Note, NoteError, Signature, SignerKey, VerifierKey, is_name};
use crate::tree::{self, Hash};
use crate::{base64, hash_of_base64, number};

/// The size of a cosignature's time, in bytes.
const TIME_BYTES: usize = 8;

/// The largest size of a tree, and the latest time: they fit 63 bits.
const MAX_NUMBER: u64 = i64::MAX as u64;

/// How many entries a log has, and the root over them.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Checkpoint {
    pub origin: String,
    pub size: u64,
    pub root: Hash,
}

impl Checkpoint {
    /// The text that is signed.
    #[must_use]
    pub fn text(&self) -> String {
        format!("{}\n{}\n{}\n", self.origin, self.size, self.root_text())
    }

    /// The root as texts write it.
    #[must_use]
    pub fn root_text(&self) -> String {
        base64(&self.root)
    }

    /// Reads the text of a note; further lines belong to the text and say nothing here.
    ///
    /// # Errors
    /// [`NoteError::Unreadable`].
    pub fn of_text(text: &str) -> Result<Self, NoteError> {
        let read = || {
            let mut lines = text.strip_suffix('\n')?.split('\n');
            let origin = lines.next().filter(|origin| is_name(origin))?.to_owned();
            let size = number(lines.next()?).filter(|size| *size <= MAX_NUMBER)?;
            let root = hash_of_base64(lines.next()?)?;
            let is_right = lines.all(|line| !line.is_empty()) && (size > 0 || root == tree::empty_root());
            is_right.then_some(Self { origin, size, root })
        };
        read().ok_or(NoteError::Unreadable)
    }

    /// The signed note.
    #[must_use]
    pub fn sign(&self, key: &SignerKey) -> Note {
        let text = self.text();
        Note { signatures: vec![key.sign(&text)], text }
    }

    /// Reads a note and checks that the log of that key signed it for its own origin.
    ///
    /// # Errors
    /// It is no checkpoint, or not signed by the key.
    pub fn open(note: &Note, key: &VerifierKey) -> Result<Self, NoteError> {
        let checkpoint = Self::of_text(&note.text)?;
        if checkpoint.origin != key.name {
            return Err(NoteError::Unsigned(key.name.clone()));
        }
        note.verify(key)?;
        Ok(checkpoint)
    }
}

fn cosigned(text: &str, time: u64) -> String {
    format!("cosignature/v1\ntime {time}\n{text}")
}

/// The cosignature of a checkpoint's text by a witness at `time`, in seconds since 1970.
#[must_use]
pub fn cosign(key: &SignerKey, text: &str, time: u64) -> Signature {
    key.sign_message(cosigned(text, time).as_bytes(), &time.to_be_bytes())
}

/// The times at which witnesses with these keys cosigned a note, by key; those that did not are left out.
///
/// # Errors
/// A cosignature in the name of one of the keys is wrong.
pub fn cosignatures<'k>(
    note: &Note,
    keys: &'k [VerifierKey],
) -> Result<Vec<(&'k VerifierKey, u64)>, NoteError> {
    let mut found = Vec::new();
    for key in keys.iter().filter(|key| key.kind == KeyKind::Witness) {
        let times = note.signatures.iter().filter(|signature| key.is_of(signature)).map(|signature| {
            let (time, signed) = signature.bytes.split_first_chunk::<TIME_BYTES>()?;
            let time = Some(u64::from_be_bytes(*time)).filter(|time| (1..=MAX_NUMBER).contains(time))?;
            key.verifies(cosigned(&note.text, time).as_bytes(), signed).then_some(time)
        });
        let times = times.collect::<Option<Vec<u64>>>();
        let times = times.ok_or_else(|| NoteError::Forged(key.name.clone()))?;
        found.extend(times.into_iter().min().map(|time| (key, time)));
    }
    Ok(found)
}

/// What two checkpoints say of each other.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Comparison {
    /// They are of different logs.
    OtherLog,
    /// The same tree.
    Same,
    /// One tree is larger, and the proof shows that it continues the other.
    Continues,
    /// One tree is larger, and whether it continues the other is not known without a proof.
    Unknown,
    /// No history has both.
    Contradict,
}

/// Compares two checkpoints; `proof` is asked for the proof between two sizes if one is needed. The signatures are the caller's to check.
pub fn compare(
    one: &Checkpoint,
    other: &Checkpoint,
    proof: impl FnOnce(u64, u64) -> Option<Vec<Hash>>,
) -> Comparison {
    if one.origin != other.origin {
        return Comparison::OtherLog;
    }
    let (old, new) = if one.size <= other.size { (one, other) } else { (other, one) };
    if old.size == new.size {
        return if old.root == new.root { Comparison::Same } else { Comparison::Contradict };
    }
    let verify = |proof: Vec<Hash>| tree::verify_consistency(old.size, old.root, new.size, new.root, &proof);
    if old.size == 0 {
        return if verify(Vec::new()) { Comparison::Continues } else { Comparison::Contradict };
    }
    match proof(old.size, new.size) {
        None => Comparison::Unknown,
        Some(proof) if verify(proof.clone()) => Comparison::Continues,
        Some(_) => Comparison::Contradict,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tree::{Leaves, leaf_hash, prove_consistency, root};

    fn signer(name: &str, kind: KeyKind, seed: u8) -> SignerKey {
        SignerKey::from_seed(name, kind, &[seed; 32]).expect("a key")
    }

    fn log() -> SignerKey {
        signer("example.org/log", KeyKind::Log, 1)
    }

    fn leaves(count: u64, first: u64) -> Leaves {
        Leaves((0..count).map(|number| leaf_hash(&(number * first).to_be_bytes())).collect())
    }

    fn checkpoint(all: &Leaves, size: u64) -> Checkpoint {
        Checkpoint { origin: "example.org/log".into(), size, root: root(all, size).expect("all leaves") }
    }

    #[test]
    fn a_checkpoint_is_read_back_from_its_note_under_its_own_key_alone() {
        let one = checkpoint(&leaves(5, 1), 5);
        let note = Note::read(&one.sign(&log()).to_string()).expect("a note");
        assert_eq!(Checkpoint::open(&note, log().verifier()), Ok(one));
        let same_key = signer("example.org/other", KeyKind::Log, 1);
        assert!(Checkpoint::open(&note, same_key.verifier()).is_err(), "another origin");
        let other_key = signer("example.org/log", KeyKind::Log, 2);
        assert!(Checkpoint::open(&note, other_key.verifier()).is_err());
        let witness = signer("example.org/log", KeyKind::Witness, 1);
        assert!(Checkpoint::open(&note, witness.verifier()).is_err(), "a key of another kind");
    }

    #[test]
    fn what_is_no_checkpoint_is_refused() {
        let text = checkpoint(&leaves(5, 1), 5).text();
        assert!(Checkpoint::of_text(&format!("{text}an extension\n")).is_ok());
        for wrong in [
            text.replace("\n5\n", "\n05\n"),
            text.replace("\n5\n", "\n-5\n"),
            text.replace("\n5\n", "\n+5\n"),
            text.replace("\n5\n", "\n9223372036854775808\n"),
            text.replace("\n5\n", "\n0\n"),
            text.replace('=', ""),
            text.replace("example.org/log", ""),
            text.replace("example.org/log", "a b"),
            format!("{text}\n"),
            text.trim_end().to_owned(),
            String::new(),
            "a\n1\n".to_owned(),
        ] {
            assert_eq!(Checkpoint::of_text(&wrong), Err(NoteError::Unreadable), "{wrong:?}");
        }
        let empty = Checkpoint { size: 0, root: tree::empty_root(), origin: "a".into() };
        assert_eq!(Checkpoint::of_text(&empty.text()), Ok(empty));
    }

    #[test]
    fn a_cosignature_tells_its_time_and_covers_time_and_checkpoint() {
        let mut note = checkpoint(&leaves(5, 1), 5).sign(&log());
        let witness = signer("witness.example/w1", KeyKind::Witness, 3);
        let keys =
            [witness.verifier().clone(), signer("other.example", KeyKind::Witness, 4).verifier().clone()];
        note.signatures.push(cosign(&witness, &note.text, 1_700_000_000));
        let read = Note::read(&note.to_string()).expect("a note");
        assert_eq!(cosignatures(&read, &keys), Ok(vec![(&keys[0], 1_700_000_000)]));
        assert_eq!(Checkpoint::open(&read, log().verifier()).map(|found| found.size), Ok(5));
        for at in [0, 7, 8, 70] {
            let mut changed = read.clone();
            changed.signatures[1].bytes[at] ^= 1;
            assert!(cosignatures(&changed, &keys).is_err(), "byte {at}");
        }
        let other = Note { text: checkpoint(&leaves(6, 1), 6).text(), ..read };
        assert!(cosignatures(&other, &keys).is_err());
    }

    #[test]
    fn two_checkpoints_are_the_same_or_continue_each_other_or_contradict() {
        let (one, forked) = (leaves(9, 1), leaves(9, 3));
        let compare = |a: &Checkpoint, b: &Checkpoint, of: &Leaves| {
            compare(a, b, |old, new| prove_consistency(of, old, new))
        };
        let (five, nine) = (checkpoint(&one, 5), checkpoint(&one, 9));
        assert_eq!(compare(&five, &five, &one), Comparison::Same);
        assert_eq!(compare(&five, &nine, &one), Comparison::Continues);
        assert_eq!(compare(&nine, &five, &one), Comparison::Continues);
        assert_eq!(compare(&five, &checkpoint(&forked, 5), &one), Comparison::Contradict);
        assert_eq!(compare(&five, &checkpoint(&forked, 9), &forked), Comparison::Contradict);
        assert_eq!(compare(&checkpoint(&one, 0), &nine, &one), Comparison::Continues);
        assert_eq!(super::compare(&five, &nine, |_, _| None), Comparison::Unknown);
        let other = Checkpoint { origin: "other".into(), ..nine };
        assert_eq!(compare(&five, &other, &one), Comparison::OtherLog);
    }
}
