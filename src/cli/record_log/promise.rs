//! Whether a log has what a receipt promises.

use std::time::{SystemTime, UNIX_EPOCH};

use super::reading::Log;
use crate::games::playing::move_response::ReceiptClaims;
use crate::log::note::{Note, VerifierKey};
use crate::log::proof::{MAX_PROOF_BYTES, Proof};
use crate::log::tiles::{Growing, Tiles};
use crate::log::{Checkpoint, Entry};

/// The most entries that are searched for one.
const MAX_SEARCHED: u64 = 50_000_000;

/// What became of a promise.
pub enum Promise {
    /// The log has the entry.
    Kept(String),
    /// The log does not have it, and need not yet, or nobody can say.
    Open(String),
    /// The log does not have it, or has another one in its place.
    Broken(String),
}

fn now() -> u64 {
    SystemTime::now().duration_since(UNIX_EPOCH).map_or(0, |since| since.as_secs())
}

/// Asks a log for the event of a receipt, and verifies all that it answers.
pub async fn check(url: &str, key: Option<&VerifierKey>, claims: &ReceiptClaims) -> anyhow::Result<Promise> {
    let log = Log::at(url)?;
    let key = match key {
        Some(key) => key.clone(),
        None => log.own_key().await?,
    };
    if claims.log.as_ref().is_some_and(|log| *log != key.name) {
        return Ok(Promise::Open(format!("the receipt is about another log than {}", key.name)));
    }
    let Ok(seq) = u32::try_from(claims.seq) else {
        return Ok(Promise::Open("no event has that number".to_owned()));
    };
    let wanted = Entry::of(claims.game, seq, *claims.hash.as_bytes());
    let asked_at = now();
    let path = format!("proof/{}?seq={seq}&hash={}", claims.game, claims.hash);
    if let Some(text) = log.get(&path, MAX_PROOF_BYTES).await? {
        let proof = Proof::read(&String::from_utf8(text)?)?;
        let checkpoint = proof.verify(wanted.leaf(), &key)?;
        return Ok(Promise::Kept(format!("it is entry {} of {}", proof.index, checkpoint.size)));
    }
    let Some(by) = claims.by else {
        return Ok(Promise::Open("it is not there, and this receipt promises no place in a log".to_owned()));
    };
    if asked_at < by {
        return Ok(Promise::Open(format!(
            "it is not there yet; the server has {} seconds left",
            by - asked_at
        )));
    }
    search(&log, &key, &wanted).await
}

/// Reads the whole log for the entry, because a server that gives no proof may only be unwilling.
async fn search(log: &Log, key: &VerifierKey, wanted: &Entry) -> anyhow::Result<Promise> {
    let (checkpoint, note) = log.checkpoint(key).await?;
    if checkpoint.size > MAX_SEARCHED {
        return Ok(Promise::Open(
            "the server gives no proof, and the log is too long to be searched here".into(),
        ));
    }
    let (mut tree, mut in_its_place) = (Growing::default(), None);
    while tree.size() < checkpoint.size {
        let entries = log.bundle(tree.size(), checkpoint.size).await?;
        let _changed: Tiles = tree.add(entries.iter().map(Entry::leaf));
        let place = |entry: &Entry| (entry.game, entry.seq) == (wanted.game, wanted.seq);
        in_its_place = entries.into_iter().find(place).or(in_its_place);
    }
    anyhow::ensure!(
        tree.root() == checkpoint.root,
        "the entries that the log shows are not those that it has signed: keep its checkpoint:\n\n{note}"
    );
    Ok(match in_its_place {
        Some(found) if found == *wanted => {
            Promise::Kept("the log has it, though it gives no proof".to_owned())
        }
        Some(_) => broken(&checkpoint, &note, "it has another event in its place"),
        None => broken(&checkpoint, &note, "it does not have it"),
    })
}

fn broken(checkpoint: &Checkpoint, note: &Note, what: &str) -> Promise {
    Promise::Broken(format!(
        "THE SERVER BROKE ITS WORD: it signed that this event would be in its log by now, and {what} among its {} entries.\n\
         Keep your receipt and this checkpoint, which it has signed; together they show it to everybody. Tell the other players of the \
         game, and ask them for theirs.\n\n{note}",
        checkpoint.size
    ))
}
