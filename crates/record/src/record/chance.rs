//! Chance, as in PROTOCOL.md's section of that name: master, commitment, key, seeds and their words.

use std::fmt;

use hkdf::Hkdf;
use hmac::{Hmac, KeyInit, Mac};
use rand_chacha::ChaCha20Rng;
use rand_core::{Rng, SeedableRng};
use serde::{Deserialize, Deserializer, Serialize, Serializer};
use sha2::Sha256;
use uuid::Uuid;

use super::draft::Accepted;
use super::hash::{self, HEX_PATTERN, Hash};
use super::header::Header;
use crate::rules::Words;
use crate::rules::schema::{self, named_schema};

/// The 32 random bytes from which all chance of a game follows. Secret until the game is over, so `Debug` hides it.
#[derive(Clone, PartialEq, Eq)]
pub struct Master([u8; 32]);

named_schema!(
    Master,
    "Master",
    schema::text(HEX_PATTERN, "What all chance of a game follows from: 64 lower-case hexadecimal digits.")
);

impl Master {
    #[must_use]
    pub fn from_bytes(bytes: [u8; 32]) -> Self {
        Self(bytes)
    }

    /// For encryption at rest and for the footer.
    #[must_use]
    pub fn expose(&self) -> &[u8; 32] {
        &self.0
    }

    /// Published when the game is created, before anybody adds entropy.
    #[must_use]
    pub fn commitment(&self, id: Uuid) -> Hash {
        Hash::of(&[b"pippost/commit/1", id.as_bytes(), &self.0])
    }

    /// The game's key, once its header is complete. Of a sandbox's game with a chosen master it depends on the master alone, so the
    /// same master gives the same chance in every game.
    pub(super) fn key(&self, header: &Header) -> Key {
        if header.is_sandbox() {
            return self.derive(&[], &[b"pippost/sandbox/1"]);
        }
        self.derive(header.salt().as_bytes(), &[b"pippost/key/1", header.id.as_bytes()])
    }

    /// HKDF-SHA256. 32 bytes can always be had.
    fn derive(&self, salt: &[u8], info: &[&[u8]]) -> Key {
        let mut key = [0; 32];
        let expanded = Hkdf::<Sha256>::new(Some(salt), &self.0).expand_multi_info(info, &mut key);
        expanded.expect("32 bytes can be had");
        Key { hmac: Hmac::new_from_slice(&key).expect("keys of any length"), bytes: key }
    }
}

/// Hides the value from logs.
impl fmt::Debug for Master {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str("Master(secret)")
    }
}

impl Serialize for Master {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        hash::serialize_hex(&self.0, serializer)
    }
}

impl<'de> Deserialize<'de> for Master {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        hash::deserialize_hex(deserializer).map(Self)
    }
}

/// The key from which the seeds of a game's events are derived, as secret as the master. It gives out a seed only for a
/// [`Permit`].
#[derive(Clone)]
pub(super) struct Key {
    hmac: Hmac<Sha256>,
    bytes: [u8; 32],
}

impl Key {
    fn derive(&self, seq: u64) -> Seed {
        let tagged = self.hmac.clone().chain_update(b"pippost/draw/1").chain_update(seq.to_be_bytes());
        Seed(tagged.finalize().into_bytes().into())
    }

    /// The seed of the event that `permit` names.
    pub(super) fn seed(&self, permit: &Permit) -> Seed {
        self.derive(permit.seq)
    }

    /// The words from which the event that `permit` names draws.
    pub(super) fn words(&self, permit: &Permit) -> SeedWords {
        self.seed(permit).words()
    }

    /// The `next` of event `seq`: the hash of the seed that the following event will use.
    pub(super) fn next(&self, seq: u64) -> Hash {
        self.derive(seq + 1).hash()
    }
}

/// The right to use the seed of event `seq` (PROTOCOL.md, Chance 6): either an act that becomes this event was accepted with
/// chance withheld, or the event exists. There is no other way to a permit, and no way to a secret seed without one.
pub(super) struct Permit {
    seq: u64,
}

impl Permit {
    /// For event 0, which follows from no act that could be refused.
    pub(super) fn start() -> Self {
        Self { seq: 0 }
    }

    /// For the event `seq` that the last accepted act becomes.
    pub(super) fn accepted(_proof: &Accepted<'_>, seq: u64) -> Self {
        Self { seq }
    }

    /// For event `seq` of a game whose newest event is `newest`; `None` if that event does not exist yet.
    pub(super) fn recorded(seq: u64, newest: u64) -> Option<Self> {
        (seq <= newest).then_some(Self { seq })
    }
}

/// The chance of a game whose master is public, for verifiers, who recompute all of it.
pub struct Disclosed(Key);

impl Disclosed {
    /// For the game with this header, whose footer names this master.
    #[must_use]
    pub fn new(header: &Header, master: &Master) -> Self {
        Self(master.key(header))
    }

    /// The key itself, for known-answer tests.
    #[must_use]
    pub fn key(&self) -> &[u8; 32] {
        &self.0.bytes
    }

    /// The seed from which event `seq` draws.
    #[must_use]
    pub fn seed(&self, seq: u64) -> Seed {
        self.0.derive(seq)
    }

    /// The words of that seed.
    #[must_use]
    pub fn words(&self, seq: u64) -> SeedWords {
        self.seed(seq).words()
    }

    /// The `next` of event `seq`.
    #[must_use]
    pub fn next(&self, seq: u64) -> Hash {
        self.0.next(seq)
    }
}

impl fmt::Debug for Key {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str("Key(secret)")
    }
}

/// The seed of one event; secret until it is revealed.
#[derive(Clone, Copy, PartialEq, Eq)]
pub struct Seed([u8; 32]);

named_schema!(
    Seed,
    "Seed",
    schema::text(HEX_PATTERN, "The chance of one event: 64 lower-case hexadecimal digits.")
);

impl Seed {
    #[must_use]
    pub fn from_bytes(bytes: [u8; 32]) -> Self {
        Self(bytes)
    }

    /// The hash that commits to the seed before its use.
    #[must_use]
    pub fn hash(&self) -> Hash {
        Hash::of(&[&self.0])
    }

    /// The stream of words from which the event draws. Only [`Key`] calls this for a secret seed, only the verifier for a
    /// published one.
    #[must_use]
    pub(super) fn words(&self) -> SeedWords {
        SeedWords(ChaCha20Rng::from_seed(self.0))
    }
}

impl fmt::Debug for Seed {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str("Seed(secret until revealed)")
    }
}

impl Serialize for Seed {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        hash::serialize_hex(&self.0, serializer)
    }
}

impl<'de> Deserialize<'de> for Seed {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        hash::deserialize_hex(deserializer).map(Self)
    }
}

/// The ChaCha20 keystream of a seed as little-endian 32-bit words.
pub struct SeedWords(ChaCha20Rng);

impl Words for SeedWords {
    fn next_word(&mut self) -> u32 {
        self.0.next_u32()
    }
}
