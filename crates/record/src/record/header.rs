//! The header of a record: everything that is known when the game starts.

use serde::{Deserialize, Serialize};
use serde_json::Value;
use utoipa::ToSchema;
use uuid::Uuid;

use super::canonical;
use super::hash::{Hash, is_lower_hex};
use crate::rules::schema::RuleSetOptions;
use crate::rules::{self, RuleSet};

/// The format of record that this code writes and reads.
pub const FORM: &str = "pippost/1";

/// The format of a record whose chance a player chose, in a sandbox. It proves nothing, so its name is another one: a verifier that
/// does not know it refuses it.
pub const SANDBOX_FORM: &str = "pippost-sandbox/1";

/// The most characters of entropy that a player may add.
pub const MAX_ENTROPY_LENGTH: usize = 64;

/// The first line of a record: all that is known when the game starts.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
#[schema(as = RecordHeader)]
pub struct Header {
    /// `pippost/1`, or `pippost-sandbox/1`: a player chose the chance of this game, which proves nothing.
    pub record: String,
    pub id: Uuid,
    pub rules: String,
    pub rules_version: u32,
    #[schema(value_type = RuleSetOptions)]
    pub options: Value,
    pub seating: Seating,
    pub commitment: Hash,
    pub players: Vec<Player>,
    #[serde(deserialize_with = "present")]
    pub beacon: Option<Beacon>,
}

/// How seats are assigned.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum Seating {
    /// Drawn from the players in joining order.
    #[default]
    Random,
    /// Seat i is the i-th player who joined.
    Joined,
}

/// A player as named in the record, in joining order.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
#[schema(as = RecordPlayer)]
pub struct Player {
    pub name: String,
    pub entropy: String,
}

/// A public random value that was published after the last player joined.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
#[schema(as = RecordBeacon)]
pub struct Beacon {
    pub source: String,
    pub round: u64,
    pub randomness: String,
    pub signature: String,
}

/// Requires the member: `null` is a value, a missing member is an error.
pub(super) fn present<'de, D, T>(deserializer: D) -> Result<Option<T>, D::Error>
where
    D: serde::Deserializer<'de>,
    T: Deserialize<'de>,
{
    Option::deserialize(deserializer)
}

/// Why a header is invalid.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum HeaderRefused {
    #[error("`record` is neither `{FORM}` nor `{SANDBOX_FORM}`")]
    Form,
    #[error("`id` is no UUID of version 7")]
    Id,
    #[error("no rule set `{0}` in version {1} is known")]
    Rules(String, u32),
    #[error("{0}")]
    Options(#[from] rules::OptionsRefused),
    #[error("`options` are not complete: defaults are missing")]
    Incomplete,
    #[error("{0} players do not fit these options")]
    Players(usize),
    #[error("a player without a name")]
    Name,
    #[error("entropy is 0 to {MAX_ENTROPY_LENGTH} characters U+0020 to U+007E")]
    Entropy,
    #[error("a beacon has a source, and randomness and signature in hex")]
    Beacon,
}

/// Whether a text is valid entropy.
#[must_use]
pub fn is_entropy(text: &str) -> bool {
    text.len() <= MAX_ENTROPY_LENGTH && text.bytes().all(|byte| (0x20..=0x7e).contains(&byte))
}

impl Header {
    /// The header's hash: the salt of the key, and `prev` of event 0.
    #[must_use]
    pub fn salt(&self) -> Hash {
        Hash::of(&[&canonical::of(self)])
    }

    /// Whether a player chose the chance of the game.
    #[must_use]
    pub fn is_sandbox(&self) -> bool {
        self.record == SANDBOX_FORM
    }

    /// The number of seats.
    #[must_use]
    pub fn seats(&self) -> u8 {
        u8::try_from(self.players.len()).expect("a checked header has few players")
    }

    /// Checks everything that the types do not guarantee, and finds the rule set.
    ///
    /// # Errors
    /// [`HeaderRefused`] names the first wrong member.
    pub fn check(&self) -> Result<&'static dyn RuleSet, HeaderRefused> {
        if self.record != FORM && !self.is_sandbox() {
            return Err(HeaderRefused::Form);
        }
        if self.id.get_version() != Some(uuid::Version::SortRand)
            || self.id.get_variant() != uuid::Variant::RFC4122
        {
            return Err(HeaderRefused::Id);
        }
        let rules = rules::find(&self.rules, Some(self.rules_version))
            .ok_or_else(|| HeaderRefused::Rules(self.rules.clone(), self.rules_version))?;
        if rules.complete_options(&self.options)? != self.options {
            return Err(HeaderRefused::Incomplete);
        }
        let players = self.players.len();
        let fits = u8::try_from(players).is_ok_and(|count| match rules.seats(&self.options) {
            Ok(range) => range.contains(&count),
            Err(_) => false,
        });
        if !fits {
            return Err(HeaderRefused::Players(players));
        }
        for player in &self.players {
            if player.name.is_empty() {
                return Err(HeaderRefused::Name);
            }
            if !is_entropy(&player.entropy) {
                return Err(HeaderRefused::Entropy);
            }
        }
        if let Some(beacon) = &self.beacon {
            let bytes = |text: &str| !text.is_empty() && text.len().is_multiple_of(2) && is_lower_hex(text);
            if beacon.source.is_empty() || !bytes(&beacon.randomness) || !bytes(&beacon.signature) {
                return Err(HeaderRefused::Beacon);
            }
        }
        Ok(rules)
    }
}
