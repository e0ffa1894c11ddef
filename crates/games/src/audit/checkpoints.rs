//! Checks the checkpoints of a game against its events.

use serde_json::Value;

use super::finding::{Finding, Findings, Subject};
use super::history::Truth;
use crate::Games;
use crate::error::GameError;
use crate::history::checkpoints::make_checkpoints;
use crate::history::checkpoints::{CHECKPOINT_EVENTS, MAX_REPLAYED_EVENTS};
use crate::history::progress::TurnCount;
use pippost_record::record::Table;
use pippost_store::Seq;
use pippost_store::checkpoints::{self, Checkpoint};

/// The valid checkpoints of a game. Missing ones are no damage: they are made when they are needed.
#[derive(Debug, Default)]
pub struct Kept {
    /// The event of the last valid checkpoint.
    last_good: Seq,
    damaged: Vec<Seq>,
    /// Ranges between valid checkpoints, or to the newest event, that are too long.
    gaps: Vec<(Seq, Seq)>,
}

impl Kept {
    /// Compares a checkpoint with the game after its event.
    pub fn check(&mut self, checkpoint: &Checkpoint, table: &Table, progress: &TurnCount) {
        let json = |text: &str| serde_json::from_str::<Value>(text).ok();
        let stored = json(&checkpoint.snapshot);
        let is_good =
            checkpoint.mark == progress.mark() && stored.is_some() && stored == json(&table.snapshot());
        if is_good && checkpoint.seq > Seq::START {
            self.close(checkpoint.seq, MAX_REPLAYED_EVENTS);
            self.last_good = checkpoint.seq;
        } else {
            self.damaged.push(checkpoint.seq);
        }
    }

    /// Call it after all events up to `newest`; `late` are later events that have a checkpoint.
    pub fn end(&mut self, newest: Seq, late: Vec<Seq>, findings: &mut Findings) {
        self.close(newest, CHECKPOINT_EVENTS - 1);
        self.damaged.extend(late);
        if let Some(first) = self.damaged.first() {
            let many = self.damaged.len();
            let what = format!(
                "{many} of its checkpoints are not what its events lead to, the first at event {first}"
            );
            findings.expect(false, Subject::Checkpoints, what);
        }
    }

    /// Records a gap if there is no checkpoint for more events than `most`.
    fn close(&mut self, seq: Seq, most: u64) {
        if seq - self.last_good > most {
            self.gaps.push((self.last_good, seq));
        }
    }
}

/// Removes damaged checkpoints, and makes all that are missing.
pub(super) async fn mend_checkpoints(
    games: &Games,
    truth: &Truth,
    findings: &mut [Finding],
) -> Result<(), GameError> {
    let Truth { live, kept, .. } = truth;
    if !kept.damaged.is_empty() {
        checkpoints::remove(&games.database, live.fixed.id, &kept.damaged).await?;
    }
    for (start, end) in &kept.gaps {
        make_checkpoints(games, live, *start, *end).await?;
    }
    for finding in findings.iter_mut().filter(|finding| finding.part == Subject::Checkpoints) {
        finding.rebuilt = true;
    }
    Ok(())
}
