//! A drand chain: the times of its rounds, and the check of their signatures.

use aws_lc_rs::digest::{SHA256, digest};
use blst::BLST_ERROR;
use blst::min_sig::{PublicKey, Signature};
use serde::Deserialize;
use time::OffsetDateTime;

use pippost_record::record::Beacon;

/// The supported scheme: each round can be checked alone, by its number and signature.
pub const SCHEME: &str = "bls-unchained-g1-rfc9380";

/// The domain separation tag of the scheme's signatures (RFC 9380).
const DOMAIN: &[u8] = b"BLS_SIG_BLS12381G1_XMD:SHA-256_SSWU_RO_NUL_";

/// Rounds between the last join and the game's round. Two, because with a slow clock the next round may already be published.
const ROUNDS_AHEAD: u64 = 2;

/// The slowest beacon that a game may wait for.
const MAX_PERIOD_SECONDS: u32 = 600;

/// League of Entropy's `quicknet`, as its `/info` describes it.
const QUICKNET: &str = r#"{
    "public_key": "83cf0f2896adee7eb8b5f01fcad3912212c437e0073e911fb90022d3e760183c8c4b450b6a0a6c3ac6a5776a2d1064510d1fec758c921cc22b0e17e63aaf4bcb5ed66304de9cf809bd274ca73bab4af5a6e9c76a4bc09e76eae8991ef5ece45a",
    "period": 3,
    "genesis_time": 1692803367,
    "hash": "52db9ba70e0cc0f6eaf7803dd07447a1f5477735fd3f661792ba94600c84e971",
    "groupHash": "f477d5c89f21a17c863a7f937c6a6d15859414d2be09cd448d4279af331c5d3e",
    "schemeID": "bls-unchained-g1-rfc9380",
    "metadata": {"beaconID": "quicknet"}
}"#;

/// A chain whose description matches its hash.
#[derive(Clone, Debug)]
pub struct Chain {
    hash: String,
    public_key: PublicKey,
    genesis_at: OffsetDateTime,
    period_seconds: u32,
}

/// Why a chain's description is refused.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum ChainRefused {
    #[error("this is not the description that drand gives at `/info`: {0}")]
    Form(String),
    #[error("the scheme is {0}, not {SCHEME}")]
    Scheme(String),
    #[error("the period is not 1 to {MAX_PERIOD_SECONDS} seconds")]
    Period,
    #[error("the public key is none")]
    PublicKey,
    #[error("the hash does not belong to the rest of the description")]
    Hash,
}

/// Why a round is refused.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum RoundRefused {
    #[error("its signature is not the chain's")]
    Signature,
    #[error("its randomness is not the hash of its signature")]
    Randomness,
    #[error("it is another round than the one asked for")]
    OtherRound,
}

/// The response of `/info`.
#[derive(Deserialize)]
struct Info {
    public_key: String,
    period: u32,
    genesis_time: i64,
    hash: String,
    #[serde(rename = "groupHash")]
    group_hash: String,
    #[serde(rename = "schemeID")]
    scheme: String,
    metadata: Metadata,
}

#[derive(Deserialize)]
struct Metadata {
    #[serde(rename = "beaconID")]
    beacon_id: String,
}

impl Chain {
    /// League of Entropy's chain with a round every three seconds.
    ///
    /// # Panics
    /// Never: the description is compiled in and tested.
    #[must_use]
    pub fn quicknet() -> Self {
        Self::parse(QUICKNET).expect("the description of quicknet is sound")
    }

    /// Parses the JSON of a drand endpoint's `/info` and checks it against the chain's hash.
    ///
    /// # Errors
    /// It cannot be parsed, has a scheme whose rounds cannot be checked alone, or does not match its hash.
    pub fn parse(info: &str) -> Result<Self, ChainRefused> {
        let info: Info = serde_json::from_str(info).map_err(|error| ChainRefused::Form(error.to_string()))?;
        if info.scheme != SCHEME {
            return Err(ChainRefused::Scheme(info.scheme));
        }
        if !(1..=MAX_PERIOD_SECONDS).contains(&info.period) {
            return Err(ChainRefused::Period);
        }
        let key_bytes = hex::decode(&info.public_key).map_err(|_| ChainRefused::PublicKey)?;
        let public_key = PublicKey::key_validate(&key_bytes).map_err(|_| ChainRefused::PublicKey)?;
        if hash_of(&info, &key_bytes)? != info.hash {
            return Err(ChainRefused::Hash);
        }
        let genesis_at = OffsetDateTime::from_unix_timestamp(info.genesis_time)
            .map_err(|error| ChainRefused::Form(error.to_string()))?;
        Ok(Self { hash: info.hash, public_key, genesis_at, period_seconds: info.period })
    }

    /// The chain's hash, which identifies it in URLs.
    #[must_use]
    pub fn hash(&self) -> &str {
        &self.hash
    }

    /// The chain's name in the header of a record.
    #[must_use]
    pub fn source(&self) -> String {
        format!("drand:{}", self.hash)
    }

    /// The newest round that exists at `now`; 0 before the first.
    #[must_use]
    pub fn round_at(&self, now: OffsetDateTime) -> u64 {
        let seconds = (now - self.genesis_at).whole_seconds();
        u64::try_from(seconds).map_or(0, |seconds| seconds / u64::from(self.period_seconds) + 1)
    }

    /// The round of a game whose last player joins at `now`. It does not exist yet.
    #[must_use]
    pub fn round_for_join(&self, now: OffsetDateTime) -> u64 {
        self.round_at(now) + ROUNDS_AHEAD
    }

    /// Checks a round returned by an endpoint.
    ///
    /// # Errors
    /// [`RoundRefused`]: the round is not from this chain.
    pub fn check(&self, round: u64, randomness: &str, signature: &str) -> Result<Beacon, RoundRefused> {
        let bytes = hex::decode(signature).map_err(|_| RoundRefused::Signature)?;
        let signed = Signature::from_bytes(&bytes).map_err(|_| RoundRefused::Signature)?;
        let message = digest(&SHA256, &round.to_be_bytes());
        // The key has been validated; this call also checks that the signature is in its group.
        let verdict = signed.verify(true, message.as_ref(), DOMAIN, &[], &self.public_key, false);
        if verdict != BLST_ERROR::BLST_SUCCESS {
            return Err(RoundRefused::Signature);
        }
        let derived = hex::encode(digest(&SHA256, &bytes));
        if derived != randomness {
            return Err(RoundRefused::Randomness);
        }
        Ok(Beacon { source: self.source(), round, randomness: derived, signature: hex::encode(bytes) })
    }
}

/// The hash of a chain, computed from the rest of its description (drand's `chain.Info`).
fn hash_of(info: &Info, public_key: &[u8]) -> Result<String, ChainRefused> {
    let group_hash = hex::decode(&info.group_hash).map_err(|error| ChainRefused::Form(error.to_string()))?;
    let mut described = Vec::new();
    described.extend(info.period.to_be_bytes());
    described.extend(info.genesis_time.to_be_bytes());
    described.extend(public_key);
    described.extend(group_hash);
    if info.metadata.beacon_id != "default" {
        described.extend(info.metadata.beacon_id.as_bytes());
    }
    Ok(hex::encode(digest(&SHA256, &described)))
}

#[cfg(test)]
mod tests {
    use time::macros::datetime;

    use super::*;

    /// Published rounds of quicknet.
    const RECORDED: [(u64, &str); 3] = [
        (
            123,
            "b75c69d0b72a5d906e854e808ba7e2accb1542ac355ae486d591aa9d43765482e26cd02df835d3546d23c4b13e0dfc92",
        ),
        (
            1000,
            "b44679b9a59af2ec876b1a6b1ad52ea9b1615fc3982b19576350f93447cb1125e342b73a8dd2bacbe47e4b6b63ed5e39",
        ),
        (
            657_413,
            "b713718a38ae728dfd477991af2822e08d2f305e47718cef9f7848ce4050e7be41076862b98fad56e91a6b85b89cd97b",
        ),
    ];

    fn randomness(signature: &str) -> String {
        hex::encode(digest(&SHA256, &hex::decode(signature).expect("hex")))
    }

    #[test]
    fn recorded_rounds_of_quicknet_are_real() {
        let chain = Chain::quicknet();
        for (round, signature) in RECORDED {
            let beacon = chain.check(round, &randomness(signature), signature).expect("a real round");
            assert_eq!((beacon.round, beacon.signature.as_str()), (round, signature));
        }
        let (round, signature) = RECORDED[1];
        let known = "fe290beca10872ef2fb164d2aa4442de4566183ec51c56ff3cd603d930e54fdd";
        assert_eq!(chain.check(round, known, signature).expect("a real round").randomness, known);
    }

    #[test]
    fn a_round_under_another_number_or_with_another_value_is_refused() {
        let chain = Chain::quicknet();
        let (round, signature) = RECORDED[1];
        let value = randomness(signature);
        let check = |round, value: &str, signature: &str| chain.check(round, value, signature);
        assert_eq!(check(round + 1, &value, signature), Err(RoundRefused::Signature));
        assert_eq!(check(round, &randomness(RECORDED[0].1), signature), Err(RoundRefused::Randomness));
        assert_eq!(check(round, &value, RECORDED[0].1), Err(RoundRefused::Signature));
        for broken in ["", "zz", &signature[2..], &signature.replace("b4", "c0")] {
            assert_eq!(check(round, &value, broken), Err(RoundRefused::Signature), "{broken}");
        }
    }

    #[test]
    fn rounds_come_at_their_times() {
        let chain = Chain::quicknet();
        // Round 1 is published at genesis.
        assert_eq!(chain.round_at(datetime!(2023-08-23 15:09:26 UTC)), 0);
        assert_eq!(chain.round_at(datetime!(2023-08-23 15:09:27 UTC)), 1);
        assert_eq!(chain.round_at(datetime!(2023-08-23 15:09:29.999 UTC)), 1);
        assert_eq!(chain.round_at(datetime!(2023-08-23 15:09:30 UTC)), 2);
        let joined_at = datetime!(2026-11-21 12:00:00 UTC);
        assert!(chain.round_for_join(joined_at) > chain.round_at(joined_at));
    }

    #[test]
    fn a_description_that_has_been_changed_is_refused() {
        let refused = |from: &str, to: &str| Chain::parse(&QUICKNET.replace(from, to)).map(|_| ());
        assert_eq!(refused("\"period\": 3", "\"period\": 30"), Err(ChainRefused::Hash));
        assert_eq!(refused("1692803367", "1692803368"), Err(ChainRefused::Hash));
        assert_eq!(refused("\"period\": 3", "\"period\": 0"), Err(ChainRefused::Period));
        assert_eq!(refused("83cf0f28", "83cf0f29"), Err(ChainRefused::PublicKey));
        let chained = ChainRefused::Scheme("pedersen-bls-chained".into());
        assert_eq!(refused(SCHEME, "pedersen-bls-chained"), Err(chained));
        assert!(matches!(Chain::parse("{}"), Err(ChainRefused::Form(_))));
    }
}
