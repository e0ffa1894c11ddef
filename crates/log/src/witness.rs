//! What a log sends to a witness, and what the witness decides (c2sp.org/tlog-witness, `add-checkpoint`).

use crate::checkpoint::Checkpoint;
use crate::note::{MAX_NOTE_BYTES, Note, NoteError, VerifierKey};
use crate::tree::{self, Hash, MAX_PROOF_HASHES};
use crate::{base64, hash_of_base64, number};

/// The largest request, in bytes.
pub const MAX_REQUEST_BYTES: usize = MAX_NOTE_BYTES + 8 * 1024;

/// A checkpoint that a log wants cosigned, and the proof that it continues the one of size `old`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Request {
    pub old: u64,
    pub proof: Vec<Hash>,
    pub checkpoint: Note,
}

/// Why a witness does not sign.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Refusal {
    /// 400.
    #[error("this is no request to a witness")]
    Unreadable,
    /// 404.
    #[error("this log is not known here")]
    UnknownLog,
    /// 403.
    #[error("the log has not signed this checkpoint: {0}")]
    Unsigned(NoteError),
    /// 409: the witness has signed a checkpoint of another size last.
    #[error("the newest checkpoint signed here has the size {0}")]
    OtherSize(u64),
    /// 422.
    #[error("the proof does not show that this checkpoint continues the one signed last")]
    Unproved,
}

impl Request {
    /// Its text.
    #[must_use]
    pub fn text(&self) -> String {
        let proof: String = self.proof.iter().map(|hash| base64(hash) + "\n").collect();
        format!("old {}\n{proof}\n{}", self.old, self.checkpoint)
    }

    /// Reads a request.
    ///
    /// # Errors
    /// [`Refusal::Unreadable`].
    pub fn read(text: &str) -> Result<Self, Refusal> {
        let read = || {
            let fits = text.len() <= MAX_REQUEST_BYTES;
            let (head, note) = text.split_once("\n\n").filter(|_| fits)?;
            let mut lines = head.split('\n');
            let old = number(lines.next()?.strip_prefix("old ")?)?;
            let proof: Vec<Hash> = lines.map(hash_of_base64).collect::<Option<_>>()?;
            let checkpoint = Note::read(note).ok()?;
            (proof.len() <= MAX_PROOF_HASHES).then_some(Self { old, proof, checkpoint })
        };
        read().ok_or(Refusal::Unreadable)
    }

    /// The origin of the log that asks.
    ///
    /// # Errors
    /// [`Refusal::Unreadable`].
    pub fn origin(&self) -> Result<String, Refusal> {
        Checkpoint::of_text(&self.checkpoint.text).map(|found| found.origin).map_err(|_| Refusal::Unreadable)
    }

    /// Decides whether a witness that signed `last` before (`None`: nothing) may sign this one. Whoever signs has to keep the
    /// checkpoint first, so that the next decision knows it.
    ///
    /// # Errors
    /// Why it must not.
    pub fn decide(&self, key: &VerifierKey, last: Option<&Checkpoint>) -> Result<Checkpoint, Refusal> {
        let new = Checkpoint::open(&self.checkpoint, key).map_err(Refusal::Unsigned)?;
        if self.old > new.size {
            return Err(Refusal::Unreadable);
        }
        let last_size = last.map_or(0, |last| last.size);
        if self.old != last_size {
            return Err(Refusal::OtherSize(last_size));
        }
        let last_root = last.map_or_else(tree::empty_root, |last| last.root);
        let proved = tree::verify_consistency(last_size, last_root, new.size, new.root, &self.proof);
        if proved { Ok(new) } else { Err(Refusal::Unproved) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::note::{KeyKind, SignerKey};
    use crate::tree::{Leaves, leaf_hash, prove_consistency, root};

    fn key() -> SignerKey {
        SignerKey::from_seed("example.org/log", KeyKind::Log, &[1; 32]).expect("a key")
    }

    fn leaves(factor: u64) -> Leaves {
        Leaves((0..20).map(|number: u64| leaf_hash(&(number * factor).to_be_bytes())).collect())
    }

    fn request(all: &Leaves, old: u64, new: u64) -> Request {
        let root = root(all, new).expect("a root");
        let checkpoint = Checkpoint { origin: "example.org/log".into(), size: new, root };
        let proof = prove_consistency(all, old.min(new), new).expect("a proof");
        Request { old, proof, checkpoint: checkpoint.sign(&key()) }
    }

    fn decide(request: &Request, last: Option<&Checkpoint>) -> Result<Checkpoint, Refusal> {
        Request::read(&request.text())?.decide(key().verifier(), last)
    }

    #[test]
    fn a_witness_signs_what_continues_its_last_checkpoint_and_nothing_else() {
        let (all, forked) = (leaves(1), leaves(3));
        let first = decide(&request(&all, 0, 5), None).expect("the first is believed");
        assert_eq!(decide(&request(&all, 3, 9), None), Err(Refusal::OtherSize(0)));
        let last = Some(&first);
        assert_eq!(decide(&request(&all, 5, 5), last), Ok(first.clone()), "the same again");
        assert_eq!(decide(&request(&all, 5, 9), last).map(|next| next.size), Ok(9));
        assert_eq!(decide(&request(&all, 0, 9), last), Err(Refusal::OtherSize(5)));
        assert_eq!(decide(&request(&all, 9, 5), last), Err(Refusal::Unreadable), "larger before");
        assert_eq!(decide(&request(&all, 4, 4), last), Err(Refusal::OtherSize(5)), "an older one");
        assert_eq!(decide(&request(&forked, 5, 9), last), Err(Refusal::Unproved));
        assert_eq!(decide(&request(&forked, 5, 5), last), Err(Refusal::Unproved));
        let longer = Request { proof: vec![[0; 32]], ..request(&all, 0, 5) };
        assert_eq!(decide(&longer, None), Err(Refusal::Unproved));
        let empty = decide(&request(&all, 0, 0), None).expect("an empty log");
        assert_eq!(decide(&request(&all, 0, 4), Some(&empty)).map(|next| next.size), Ok(4));
    }

    #[test]
    fn a_request_without_the_logs_own_signature_is_refused() {
        let other = SignerKey::from_seed("example.org/log", KeyKind::Log, &[2; 32]).expect("a key");
        let request = request(&leaves(1), 0, 5);
        let refused = request.decide(other.verifier(), None);
        assert_eq!(refused, Err(Refusal::Unsigned(NoteError::Unsigned("example.org/log".into()))));
    }

    #[test]
    fn what_is_no_request_is_refused() {
        let text = request(&leaves(1), 5, 9).text();
        assert!(Request::read(&text).is_ok());
        let hash = text.lines().nth(1).expect("a hash").to_owned() + "\n";
        for wrong in [
            text.replace("old 5", "old 05"),
            text.replace("old 5", "new 5"),
            text.replace("old 5", "old -5"),
            text.replace(&hash, &hash.repeat(MAX_PROOF_HASHES + 1)),
            text.replacen('=', "", 1),
            String::new(),
            text.replace("\n\n", "\n"),
            format!("{text}{}", " ".repeat(MAX_REQUEST_BYTES)),
        ] {
            assert_eq!(Request::read(&wrong), Err(Refusal::Unreadable), "{wrong}");
        }
    }
}
