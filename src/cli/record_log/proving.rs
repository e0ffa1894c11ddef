//! A proof of a log beside a record: that the log has the record's newest event, or an earlier one.

use clap::Args;
use serde::Deserialize;

use super::{named, read_key};
use crate::games::transparency::WitnessPolicy;
use crate::log::Entry;
use crate::log::checkpoint::cosignatures;
use crate::log::entry::footer_hash;
use crate::log::note::{KeyKind, VerifierKey};
use crate::log::proof::Proof;
use crate::record::{Event, Header};

/// Whom a proof has to convince.
#[derive(Args, Clone, Debug)]
pub struct Policy {
    /// The public key of the log, as `/log/key` of its server says; take it from somewhere else than the proof.
    #[arg(long, value_parser = read_key)]
    pub log_key: Option<VerifierKey>,
    /// Public keys of witnesses that you trust.
    #[arg(long, value_parser = read_key, value_delimiter = ',')]
    pub witness_key: Vec<VerifierKey>,
    /// How many of them have to have signed the checkpoint.
    #[arg(long, default_value_t = 0)]
    pub witnesses: usize,
}

/// What a proof of our servers adds: which entry it is about. It only says where to look in the record.
#[derive(Deserialize)]
struct Extra {
    seq: u64,
    /// Whom the server lets sign its checkpoints.
    witnesses: Option<WitnessPolicy>,
}

/// The lines of a record that stand in the log: events, and the footer after them.
struct Lines<'a> {
    header: Header,
    after: Vec<&'a str>,
}

impl<'a> Lines<'a> {
    fn of(record: &'a str) -> Option<Self> {
        let mut lines = record.lines();
        let header = serde_json::from_str(lines.next()?).ok()?;
        Some(Self { header, after: lines.collect() })
    }

    /// The entry of a line; the footer has the number after the last event.
    fn entry(&self, seq: u64) -> Option<Entry> {
        let line = self.after.get(usize::try_from(seq).ok()?)?;
        let hash = match serde_json::from_str::<Event>(line) {
            Ok(event) if event.seq == seq && event.computed_hash() == event.hash => *event.hash.as_bytes(),
            Ok(_) => return None,
            Err(_) => footer_hash(line.as_bytes()),
        };
        Some(Entry::of(self.header.id, u32::try_from(seq).ok()?, hash))
    }
}

/// Checks a proof against a record that has been verified; says what it shows, or why it shows nothing.
pub fn check(record: &[u8], proof: &str, policy: &Policy) -> Result<String, String> {
    let key = policy.log_key.as_ref().ok_or("the key of the log is needed: --log-key")?;
    let proof = Proof::read(proof).map_err(|why| why.to_string())?;
    let record = std::str::from_utf8(record).map_err(|_| "the record is no text")?;
    let lines = Lines::of(record).ok_or("the record has no header")?;
    let extra = proof.extra.as_deref().and_then(|extra| serde_json::from_slice::<Extra>(extra).ok());
    let newest = (lines.after.len() as u64).checked_sub(1).ok_or("the record has no events")?;
    let seq = extra.as_ref().map_or(newest, |extra| extra.seq);
    let entry =
        lines.entry(seq).ok_or_else(|| format!("the record has no sound line {seq} after its header"))?;
    let checkpoint = proof.verify(entry.leaf(), key).map_err(|why| why.to_string())?;
    let keys: Vec<VerifierKey> =
        policy.witness_key.iter().filter(|key| key.kind == KeyKind::Witness).cloned().collect();
    let signed = cosignatures(&proof.checkpoint, &keys).map_err(|why| why.to_string())?;
    if signed.len() < policy.witnesses {
        return Err(format!("{} of {} witnesses have signed its checkpoint", signed.len(), policy.witnesses));
    }
    let covered = if seq == newest { "all of it".to_owned() } else { format!("it up to event {seq}") };
    let times =
        signed.iter().map(|(key, time)| format!("; {} saw it at {time} seconds after 1970", key.name));
    let mut times = times.collect::<Vec<_>>().concat();
    if let Some(policy) = extra.and_then(|extra| extra.witnesses).filter(|_| policy.witness_key.is_empty()) {
        times = format!("; no witness was asked for, {}", named(&policy));
    }
    Ok(format!("the log {} has {covered}, as entry {} of {}{times}", key.name, proof.index, checkpoint.size))
}
