//! Signed notes (c2sp.org/signed-note) and their keys.

use std::fmt;

use aws_lc_rs::signature::{ED25519, Ed25519KeyPair, KeyPair, UnparsedPublicKey};
use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use sha2::{Digest, Sha256};

use crate::base64;

/// The largest note that is read, in bytes, and the most signatures.
pub const MAX_NOTE_BYTES: usize = 64 * 1024;
pub const MAX_SIGNATURES: usize = 64;

/// The longest name of a key, in bytes.
pub const MAX_NAME_BYTES: usize = 255;

/// The longest word of a note in base64, in bytes: it fits a line of a mail behind the name of a header.
const WORD_BYTES: usize = 52;

/// What begins the line of a signature.
const MARK: &str = "\u{2014} ";

/// What a key signs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum KeyKind {
    /// Notes: the key of a log.
    Log,
    /// Checkpoints with a time: the key of a witness (c2sp.org/tlog-cosignature, Ed25519).
    Witness,
}

impl KeyKind {
    fn byte(self) -> u8 {
        match self {
            Self::Log => 1,
            Self::Witness => 4,
        }
    }
}

/// Why a note is not accepted.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum NoteError {
    #[error("this is no signed note")]
    Unreadable,
    #[error("a signature in the name of {0} is wrong")]
    Forged(String),
    #[error("the key of {0} has not signed it")]
    Unsigned(String),
}

/// Whether a key may have that name.
#[must_use]
pub fn is_name(name: &str) -> bool {
    let plain = |sign: char| !sign.is_whitespace() && !sign.is_control() && sign != '+';
    !name.is_empty() && name.len() <= MAX_NAME_BYTES && name.chars().all(plain)
}

fn key_id(name: &str, kind: KeyKind, public: &[u8]) -> [u8; 4] {
    let digest = Sha256::new().chain_update(name).chain_update([b'\n', kind.byte()]).chain_update(public);
    let digest: [u8; 32] = digest.finalize().into();
    [digest[0], digest[1], digest[2], digest[3]]
}

/// A public key with its name, as `name+id+key` in text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct VerifierKey {
    pub name: String,
    pub kind: KeyKind,
    id: [u8; 4],
    public: [u8; 32],
}

impl VerifierKey {
    /// The key of that name; `None` if no key may be called so.
    #[must_use]
    pub fn new(name: &str, kind: KeyKind, public: [u8; 32]) -> Option<Self> {
        is_name(name).then(|| Self { name: name.to_owned(), kind, id: key_id(name, kind, &public), public })
    }

    /// Reads a key; `None` if the text is none, or its id does not fit.
    #[must_use]
    pub fn read(text: &str) -> Option<Self> {
        let (name, rest) = text.split_once('+')?;
        let (id, encoded) = rest.split_once('+')?;
        let bytes = STANDARD.decode(encoded).ok()?;
        let (kind, public) = bytes.split_first()?;
        let kind = [KeyKind::Log, KeyKind::Witness].into_iter().find(|one| one.byte() == *kind)?;
        let key = Self::new(name, kind, public.try_into().ok()?)?;
        (hex::encode(key.id) == id.to_ascii_lowercase()).then_some(key)
    }

    /// The raw key.
    #[must_use]
    pub fn public(&self) -> &[u8; 32] {
        &self.public
    }

    pub(crate) fn verifies(&self, message: &[u8], signature: &[u8]) -> bool {
        UnparsedPublicKey::new(&ED25519, self.public).verify(message, signature).is_ok()
    }

    /// Whether a signature names this key.
    #[must_use]
    pub fn is_of(&self, signature: &Signature) -> bool {
        signature.name == self.name && signature.id == self.id
    }
}

impl fmt::Display for VerifierKey {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        let bytes = [&[self.kind.byte()], self.public.as_slice()].concat();
        write!(out, "{}+{}+{}", self.name, hex::encode(self.id), base64(&bytes))
    }
}

/// A secret key with its name.
pub struct SignerKey {
    pair: Ed25519KeyPair,
    verifier: VerifierKey,
}

impl SignerKey {
    /// The key of a PKCS#8 document under that name; `None` if the document or the name is wrong.
    #[must_use]
    pub fn from_pkcs8(name: &str, kind: KeyKind, document: &[u8]) -> Option<Self> {
        Self::new(name, kind, Ed25519KeyPair::from_pkcs8(document).ok()?)
    }

    /// The key of a seed of 32 bytes.
    #[must_use]
    pub fn from_seed(name: &str, kind: KeyKind, seed: &[u8; 32]) -> Option<Self> {
        Self::new(name, kind, Ed25519KeyPair::from_seed_unchecked(seed).ok()?)
    }

    fn new(name: &str, kind: KeyKind, pair: Ed25519KeyPair) -> Option<Self> {
        let public = pair.public_key().as_ref().try_into().ok()?;
        Some(Self { verifier: VerifierKey::new(name, kind, public)?, pair })
    }

    #[must_use]
    pub fn verifier(&self) -> &VerifierKey {
        &self.verifier
    }

    /// The signature of a note's text by the key of a log, as a line.
    #[must_use]
    pub fn sign(&self, text: &str) -> Signature {
        self.signature(self.pair.sign(text.as_bytes()).as_ref().to_vec())
    }

    /// The signature of a message that is not the note's text.
    pub(crate) fn sign_message(&self, message: &[u8], before: &[u8]) -> Signature {
        self.signature([before, self.pair.sign(message).as_ref()].concat())
    }

    fn signature(&self, bytes: Vec<u8>) -> Signature {
        Signature { name: self.verifier.name.clone(), id: self.verifier.id, bytes }
    }
}

impl fmt::Debug for SignerKey {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(out, "SignerKey({})", self.verifier.name)
    }
}

/// A line with a signature.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Signature {
    pub name: String,
    id: [u8; 4],
    /// What follows the id of the key.
    pub bytes: Vec<u8>,
}

impl Signature {
    /// Reads a line without its line feed.
    #[must_use]
    pub fn read(line: &str) -> Option<Self> {
        let (name, encoded) = line.strip_prefix(MARK)?.split_once(' ')?;
        let bytes = STANDARD.decode(encoded).ok()?;
        let (id, bytes) = bytes.split_first_chunk::<4>()?;
        (is_name(name) && !bytes.is_empty()).then(|| Self {
            name: name.to_owned(),
            id: *id,
            bytes: bytes.to_vec(),
        })
    }
}

impl fmt::Display for Signature {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        let bytes = [self.id.as_slice(), &self.bytes].concat();
        writeln!(out, "{MARK}{} {}", self.name, base64(&bytes))
    }
}

/// A text with signatures, which need not be right.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Note {
    /// With its last line feed.
    pub text: String,
    pub signatures: Vec<Signature>,
}

impl Note {
    /// Reads a note.
    ///
    /// # Errors
    /// [`NoteError::Unreadable`].
    pub fn read(note: &str) -> Result<Self, NoteError> {
        let wrong = note.len() > MAX_NOTE_BYTES || note.chars().any(|sign| sign < ' ' && sign != '\n');
        let split = note.rfind("\n\n").filter(|_| !wrong).ok_or(NoteError::Unreadable)?;
        let (text, lines) = (&note[..=split], &note[split + 2..]);
        let lines = lines.strip_suffix('\n').ok_or(NoteError::Unreadable)?;
        let signatures: Option<Vec<_>> = lines.split('\n').map(Signature::read).collect();
        let signatures = signatures.filter(|all| all.len() <= MAX_SIGNATURES).ok_or(NoteError::Unreadable)?;
        Ok(Self { text: text.to_owned(), signatures })
    }

    /// The whole note in base64, in words, so that it can be folded as a header of a mail.
    #[must_use]
    pub fn in_words(&self) -> String {
        let encoded = base64(self.to_string().as_bytes());
        let words = encoded.as_bytes().chunks(WORD_BYTES).map(String::from_utf8_lossy);
        words.collect::<Vec<_>>().join(" ")
    }

    /// Reads a note in base64, however its words are folded.
    ///
    /// # Errors
    /// [`NoteError::Unreadable`].
    pub fn of_words(words: &str) -> Result<Self, NoteError> {
        let encoded: String = words.split_ascii_whitespace().collect();
        let note = STANDARD.decode(encoded).ok().and_then(|note| String::from_utf8(note).ok());
        Self::read(&note.ok_or(NoteError::Unreadable)?)
    }

    /// Checks that the key of a log has signed the text.
    ///
    /// # Errors
    /// A signature by that key is wrong or missing.
    pub fn verify(&self, key: &VerifierKey) -> Result<(), NoteError> {
        let mut signed = false;
        for signature in self.signatures.iter().filter(|signature| key.is_of(signature)) {
            if key.kind != KeyKind::Log || !key.verifies(self.text.as_bytes(), &signature.bytes) {
                return Err(NoteError::Forged(key.name.clone()));
            }
            signed = true;
        }
        if signed { Ok(()) } else { Err(NoteError::Unsigned(key.name.clone())) }
    }
}

impl fmt::Display for Note {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(out, "{}", self.text)?;
        self.signatures.iter().try_for_each(|signature| write!(out, "{signature}"))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn key(name: &str) -> SignerKey {
        SignerKey::from_seed(name, KeyKind::Log, &[7; 32]).expect("a key")
    }

    fn signed(text: &str) -> Note {
        Note { text: text.to_owned(), signatures: vec![key("example.org/log").sign(text)] }
    }

    #[test]
    fn a_note_is_read_back_and_verifies_by_its_key_alone() {
        let note = signed("example.org/log\n\nwith an empty line\n");
        let read = Note::read(&note.to_string()).expect("a note");
        assert_eq!(read, note);
        assert_eq!(read.verify(key("example.org/log").verifier()), Ok(()));
        let other = key("example.org/other");
        let unsigned = Err(NoteError::Unsigned("example.org/other".to_owned()));
        assert_eq!(read.verify(other.verifier()), unsigned);
        let changed = Note { text: "another text\n".to_owned(), ..read };
        let forged = Err(NoteError::Forged("example.org/log".to_owned()));
        assert_eq!(changed.verify(key("example.org/log").verifier()), forged);
    }

    #[test]
    fn what_is_no_note_is_refused() {
        let note = signed("text\n").to_string();
        assert!(Note::read(&note).is_ok());
        let without_end = note.trim_end().to_owned();
        let many = note.clone() + note.lines().last().expect("a line");
        let long = format!("{}{note}", "x".repeat(MAX_NOTE_BYTES));
        for wrong in [
            without_end,
            many,
            long,
            String::new(),
            "\n\n".into(),
            "text\n\n".into(),
            note.replace('\u{2014}', "-"),
            note.replace("text", "te\txt"),
            note.replace("example.org/log ", ""),
            note.replace("example", "exa+mple"),
            note.clone() + "\n",
            note.replace("text\n", "text\r\n"),
            note.replace('=', ""),
        ] {
            assert_eq!(Note::read(&wrong), Err(NoteError::Unreadable), "{wrong:?}");
        }
        let line = signed("text\n").signatures[0].to_string();
        assert!(Note::read(&format!("text\n\n{}", line.repeat(MAX_SIGNATURES))).is_ok());
        assert!(Note::read(&format!("text\n\n{}", line.repeat(MAX_SIGNATURES + 1))).is_err());
    }

    #[test]
    fn a_key_is_read_back_from_its_text_and_a_changed_text_is_no_key() {
        let key = key("example.org/log").verifier().clone();
        let text = key.to_string();
        assert_eq!(VerifierKey::read(&text), Some(key));
        for wrong in
            [text.replace("org", "com"), text.replace('+', " "), String::new(), text[..30].to_owned()]
        {
            assert_eq!(VerifierKey::read(&wrong), None, "{wrong}");
        }
        assert!(!is_name("a b") && !is_name("") && !is_name("a+b") && !is_name("a\u{a0}b") && is_name("a/b"));
    }

    #[test]
    fn a_secret_key_is_not_shown() {
        assert_eq!(format!("{:?}", key("a")), "SignerKey(a)");
    }
}
