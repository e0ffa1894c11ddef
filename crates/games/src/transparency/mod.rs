//! The log over all records: begins it, signs its checkpoints, and puts events into it, for which a worker calls [`sequence`].

mod proofs;

use serde::{Deserialize, Serialize};
use uuid::Uuid;

use crate::Games;
use crate::error::GameError;
use pippost_keys::SecretKey;
use pippost_log::entry::footer_hash;
use pippost_log::note::is_name;
use pippost_log::{Checkpoint, Hash};
use pippost_record::record::{Event, Footer, GameResult, Master, canonical};
use pippost_store::transparency::{self, CheckpointSigner};

pub use proofs::{WantedEntry, consistency, keep_cosigned, newest, proof, root_at};

/// What stands after host and path of the server in the name of its log.
const LOG_PATH: &str = "/log";

/// The name of a server's log, from its public address: host and path, without a scheme.
#[must_use]
pub fn origin(public_url: &str) -> String {
    let after_scheme = public_url.split_once("://").map_or(public_url, |(_, rest)| rest);
    format!("{}{LOG_PATH}", after_scheme.trim_end_matches('/'))
}

/// Signs with the key that the secret key gives.
struct Signing<'a>(&'a SecretKey);

impl CheckpointSigner for Signing<'_> {
    fn public_key(&self, origin: &str) -> Hash {
        self.0.log_key(origin).map_or([0; 32], |key| *key.verifier().public())
    }

    fn sign(&self, origin: &str, size: u64, root: Hash) -> String {
        let checkpoint = Checkpoint { origin: origin.to_owned(), size, root };
        self.0.log_key(origin).map_or_else(String::new, |key| checkpoint.sign(&key).to_string())
    }

    fn footer(&self, game_id: Uuid, sealed_master: &[u8], line: &str) -> Option<Hash> {
        let master = Master::from_bytes(self.0.open(game_id, sealed_master)?.try_into().ok()?);
        let event: Event = serde_json::from_str(line).ok()?;
        let result = result(&event)?;
        let footer = Footer { master, head: event.hash, result };
        Some(footer_hash(&canonical::of(&footer)))
    }
}

/// The members of the effect that ends a game, the last of its last event.
fn result(event: &Event) -> Option<GameResult> {
    #[derive(Deserialize)]
    struct Ending {
        #[serde(rename = "type")]
        kind: String,
        #[serde(flatten)]
        result: GameResult,
    }
    let ending: Ending = serde_json::from_value(serde_json::to_value(event.effects.last()?).ok()?).ok()?;
    (ending.kind == "finished").then_some(ending.result)
}

/// How long after an event the log has it, unless the settings say otherwise, in seconds.
pub const DEFAULT_LOG_WITHIN_SECONDS: u32 = 60;

/// What receipts of this server promise: the log's name, and how long after an event it has the entry, in seconds.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct LogPromise {
    pub origin: String,
    pub within_seconds: u32,
}

/// Which witnesses of the log count: the server shows a checkpoint as witnessed once so many have signed it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct WitnessPolicy {
    pub needed: usize,
    /// Their public keys.
    pub keys: Vec<String>,
}

impl WitnessPolicy {
    /// As receipts name it: by the names and the numbers of the keys, because there is a receipt for each event.
    #[must_use]
    pub fn brief(&self) -> Self {
        // A key is its name, its number and the key itself, with plus signs between.
        let name_and_number = |key: &String| key.split('+').take(2).collect::<Vec<_>>().join("+");
        Self { needed: self.needed, keys: self.keys.iter().map(name_and_number).collect() }
    }
}

/// Lets receipts and proofs of this process name the witnesses. The first call counts.
pub fn name_witnesses(games: &Games, policy: WitnessPolicy) {
    games.inner.witnesses.get_or_init(|| policy);
}

/// Begins the log, if the database has none yet and can have one. A log keeps the name that it begins with, and a sandbox has none,
/// because nothing in it counts. Receipts promise an entry within that time from now on.
///
/// # Errors
/// The database failed.
pub async fn begin(games: &Games, within_seconds: u32) -> Result<(), GameError> {
    let inner = &games.inner;
    let name = origin(&inner.public_url);
    if inner.clock.is_sandbox() || !is_name(&name) {
        return Ok(());
    }
    transparency::begin(&games.database, &name, &Signing(&inner.secret), inner.clock.now()).await?;
    promise(games, within_seconds).await
}

/// Lets the receipts of this process name the log, if there is one.
///
/// # Errors
/// The database failed.
pub async fn promise(games: &Games, within_seconds: u32) -> Result<(), GameError> {
    if let Some(log) = transparency::checkpoint(&games.database).await? {
        games.inner.log.get_or_init(|| LogPromise { origin: log.origin, within_seconds });
    }
    Ok(())
}

/// The key of the log as text, by which others verify its checkpoints; `None` if there is no log.
///
/// # Errors
/// The database failed.
pub async fn verifier_key(games: &Games) -> Result<Option<String>, GameError> {
    let newest = transparency::checkpoint(&games.database).await?;
    let key = newest.and_then(|newest| games.inner.secret.log_key(&newest.origin));
    Ok(key.map(|key| key.verifier().to_string()))
}

/// Puts the next events into the log; returns how many entries were added.
///
/// # Errors
/// The database failed; the log is as it was.
pub async fn sequence(games: &Games) -> Result<usize, GameError> {
    let inner = &games.inner;
    Ok(transparency::step(&games.database, &Signing(&inner.secret), inner.clock.now()).await?)
}
