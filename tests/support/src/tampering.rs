//! Changes records at random, byte by byte and line by line. The integration tests and the fuzz target share this file: both
//! give it bytes, and it panics if the verifier accepts what it must not.

use pippost::record::canonical;
use pippost::record::{Event, Footer, Header, verify};
use serde_json::Value;

/// Records of every rule set, finished and running.
pub const RECORDS: &[(&str, &[u8])] = &[
    ("pip-pip-1", include_bytes!("../../vectors/pip-pip-1.ndjson")),
    ("pip-pip-abort", include_bytes!("../../vectors/pip-pip-abort.ndjson")),
    ("dominion-3x3-2p", include_bytes!("../../vectors/dominion-3x3-2p.ndjson")),
    ("dominion-4x4-3p", include_bytes!("../../vectors/dominion-4x4-3p.ndjson")),
    ("dominion-4x4-4p-occupy", include_bytes!("../../vectors/dominion-4x4-4p-occupy.ndjson")),
    ("pippinzip-pipline-5", include_bytes!("../../vectors/pippinzip-pipline-5.ndjson")),
    ("pippinzip-zipline-5", include_bytes!("../../vectors/pippinzip-zipline-5.ndjson")),
    ("pippinzip-freestyle-5", include_bytes!("../../vectors/pippinzip-freestyle-5.ndjson")),
    ("pippinzip-timeout", include_bytes!("../../vectors/pippinzip-timeout.ndjson")),
    ("serpent-abort", include_bytes!("../../vectors/serpent-abort.ndjson")),
    ("serpent-resign", include_bytes!("../../vectors/serpent-resign.ndjson")),
    ("serpent-running", include_bytes!("../../vectors/serpent-running.ndjson")),
];

/// Reasons for which a changed record may be accepted. PROTOCOL.md, "Verifying", cannot bind these.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Unbound {
    /// The changes have no effect, or undo each other.
    TheSameRecord,
    /// Whole lines are missing at the end: the beginning of a record is the record of a running game.
    CutToARunningGame,
    /// Times were changed, in order, or the seat that an `abort` came from, and the hash chain was rebuilt: only receipts prove
    /// these.
    OnlyReceiptsProveIt,
    /// The hash chain of a game without a footer was rebuilt: only the master in the footer binds the chain.
    RebuiltWhileRunning,
}

/// The most changes that one input makes.
const MAX_CHANGES: usize = 4;

/// The number of bytes of an input that make one change: its kind, its place, and a byte.
const CHANGE_BYTES: usize = 6;

/// The first byte of an input: change a record.
pub const CHANGE: u8 = 0;

/// The first byte of an input: change a record once and rebuild the hash chain, as a forger would.
pub const FORGE: u8 = 1;

/// Interprets an input: [`CHANGE`] or [`FORGE`], the number of a record, and changes; any other input is taken as a record.
/// Returns why something other than the record was accepted.
///
/// # Panics
/// If the verifier accepts what it must not.
pub fn run(input: &[u8]) -> Option<Unbound> {
    let [mode @ (CHANGE | FORGE), record, changes @ ..] = input else {
        take_for_a_record(input);
        return None;
    };
    let (name, record) = RECORDS[usize::from(*record) % RECORDS.len()];
    let mut changed = record.to_vec();
    let most = if *mode == FORGE { 1 } else { MAX_CHANGES };
    for change in changes.as_chunks::<CHANGE_BYTES>().0.iter().take(most) {
        changed = apply(&changed, *change);
    }
    if *mode == FORGE {
        changed = forged(&changed)?;
    }
    judge(name, record, &changed, *mode == FORGE)
}

/// Verifies arbitrary bytes: there is an answer, and what is accepted is canonical line by line.
fn take_for_a_record(bytes: &[u8]) {
    if verify(bytes).is_ok() {
        for line in bytes.split_inclusive(|byte| *byte == b'\n') {
            let value: Value = serde_json::from_slice(line).expect("an accepted line is JSON");
            let written = canonical::to_bytes(&value).expect("an accepted line has integers only");
            assert!(line.strip_suffix(b"\n") == Some(&written), "an accepted line is canonical");
        }
    }
}

/// Verifies a changed record; panics if it is accepted without a reason.
pub fn judge(name: &str, record: &[u8], changed: &[u8], rebuilt: bool) -> Option<Unbound> {
    let verified = verify(changed).ok()?;
    let cut = record.starts_with(changed) && changed.ends_with(b"\n");
    let unbound = if changed == record {
        Some(Unbound::TheSameRecord)
    } else if cut && !verified.proved {
        Some(Unbound::CutToARunningGame)
    } else if rebuilt && !verified.proved {
        Some(Unbound::RebuiltWhileRunning)
    } else if rebuilt && only_receipts_prove_record(record, changed) {
        Some(Unbound::OnlyReceiptsProveIt)
    } else {
        None
    };
    assert!(unbound.is_some(), "{name}: a changed record is accepted:\n{}", String::from_utf8_lossy(changed));
    unbound
}

/// One change: of a byte, of neighbouring bytes, or of whole lines.
pub fn apply(record: &[u8], [kind, place @ .., byte]: [u8; CHANGE_BYTES]) -> Vec<u8> {
    if record.is_empty() {
        return vec![byte];
    }
    let place = u32::from_le_bytes(place) as usize;
    let index = place % record.len();
    let mut changed = record.to_vec();
    let lines = || record.split_inclusive(|byte| *byte == b'\n').collect::<Vec<_>>();
    match kind % 10 {
        0 => changed[index] = byte,
        1 => changed[index] ^= 1 << (byte % 8),
        2 => drop(changed.remove(index)),
        3 => changed.insert(index, byte),
        4 => changed.swap(index, (index + 1) % record.len()),
        5 => changed.truncate(index),
        6 => drop(changed.drain(index..(index + usize::from(byte)).min(record.len()))),
        7 => {
            let remove = |lines: &mut Vec<&[u8]>, at| {
                lines.remove(at);
            };
            return with_lines(lines(), remove, place);
        }
        8 => return with_lines(lines(), |lines, at| lines.insert(at, lines[at]), place),
        _ => {
            let swap = |lines: &mut Vec<&[u8]>, at| {
                let other = usize::from(byte) % lines.len();
                lines.swap(at, other);
            };
            return with_lines(lines(), swap, place);
        }
    }
    changed
}

fn with_lines<'a>(
    mut lines: Vec<&'a [u8]>,
    change: impl FnOnce(&mut Vec<&'a [u8]>, usize),
    place: usize,
) -> Vec<u8> {
    let at = place % lines.len();
    change(&mut lines, at);
    lines.concat()
}

/// The record with its hash chain and the footer's head rebuilt; `None` if a line cannot be read.
fn forged(record: &[u8]) -> Option<Vec<u8>> {
    let mut lines = values(record)?;
    mend(&mut lines).then(|| {
        let line = |value| [canonical::to_bytes(value).unwrap_or_default(), b"\n".to_vec()].concat();
        lines.iter().flat_map(line).collect()
    })
}

fn values(record: &[u8]) -> Option<Vec<Value>> {
    let lines = record.split(|byte| *byte == b'\n').filter(|line| !line.is_empty());
    lines.map(|line| serde_json::from_slice(line).ok()).collect()
}

/// Rebuilds the hash chain and the footer's head after a change, as a forger would; false if a line cannot be read.
pub fn mend(lines: &mut [Value]) -> bool {
    let [header, lines @ ..] = lines else { return false };
    let Ok(header) = serde_json::from_value::<Header>(header.clone()) else { return false };
    if canonical::to_bytes(&header.options).is_err() {
        return false;
    }
    let mut head = header.salt();
    for line in lines {
        if let Ok(mut footer) = serde_json::from_value::<Footer>(line.clone()) {
            footer.head = head;
            *line = serde_json::to_value(footer).expect("plain data");
        } else {
            let Ok(mut event) = serde_json::from_value::<Event>(line.clone()) else { return false };
            if canonical::to_bytes(line).is_err() {
                return false;
            }
            event.prev = head;
            event.hash = event.computed_hash();
            head = event.hash;
            *line = serde_json::to_value(event).expect("plain data");
        }
    }
    true
}

/// Whether two records differ only in what a rebuilt chain cannot prove: times, in order, and which seat an `abort` came from.
pub fn only_receipts_prove_record(before: &[u8], after: &[u8]) -> bool {
    let (Some(before), Some(after)) = (values(before), values(after)) else { return false };
    let mut pairs = before.iter().zip(&after);
    before.len() == after.len() && pairs.all(|(before, after)| only_receipts_prove(before, after))
}

/// The same for one line.
pub fn only_receipts_prove(before: &Value, after: &Value) -> bool {
    let without = |value: &Value| {
        let mut value = value.clone();
        let members = value.as_object_mut().expect("a line is an object");
        let abort = members.get("action").is_some_and(|action| action["type"] == "abort");
        for name in ["at", "hash", "prev", "head"].into_iter().chain(abort.then_some("seat")) {
            members.remove(name);
        }
        value
    };
    after.is_object() && without(before) == without(after)
}
