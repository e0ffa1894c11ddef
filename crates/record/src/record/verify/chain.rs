//! Check 2: the header's hash, sequence, times, the hash chain, and every revealed seed against its `next`.

use super::form::Form;
use super::line::EventLine;
use super::{Check, Failure, Location};
use crate::record::chance::Seed;
use crate::record::timestamp::Timestamp;

/// The seeds that the record reveals, by event.
#[derive(Debug)]
pub struct Seeds(Vec<Option<Seed>>);

impl Seeds {
    /// The seed of event `seq`, if it is revealed.
    #[must_use]
    pub fn of(&self, seq: u64) -> Option<&Seed> {
        self.0.get(usize::try_from(seq).ok()?)?.as_ref()
    }

    /// Stores a seed. Seeds of events that do not exist are ignored here; check 3 finds that they are not due.
    fn note(&mut self, seq: u64, seed: Seed) {
        let place = usize::try_from(seq).ok().and_then(|index| self.0.get_mut(index));
        if let Some(place) = place {
            *place = Some(seed);
        }
    }
}

/// Checks event by event; returns the seeds.
pub fn check(form: &Form<'_>) -> Result<Seeds, Failure> {
    let mut seeds = Seeds(vec![None; form.events.len()]);
    let mut prev = form.salt;
    let mut earliest: Option<Timestamp> = None;
    let mut buffer = Vec::new();
    for (index, event) in form.events.iter().enumerate() {
        let fail = |why: &str| Err(Failure::new(Check::Chain, Location::Event(index as u64), why));
        if event.seq != index as u64 {
            return fail("`seq` does not count from 0 without gaps");
        }
        if earliest.is_some_and(|earliest| event.at < earliest) {
            return fail("the time is earlier than the event before");
        }
        if event.prev != prev {
            return fail(if index == 0 {
                "`prev` is not the hash of the header: the header was changed"
            } else {
                "`prev` is not the hash of the event before"
            });
        }
        if event.hash != event.computed_hash(&mut buffer) {
            return fail("`hash` is not the hash of the event: the event was changed");
        }
        if let Err(why) = check_seeds(&form.events, event) {
            return fail(why);
        }
        for revealed in &event.seeds {
            seeds.note(revealed.seq, revealed.seed);
        }
        prev = event.hash;
        earliest = Some(event.at);
    }
    Ok(seeds)
}

fn check_seeds(events: &[EventLine<'_>], event: &EventLine<'_>) -> Result<(), &'static str> {
    for revealed in &event.seeds {
        // No `next` precedes seed 0: the master proves it.
        let Some(before) = revealed.seq.checked_sub(1) else { continue };
        let promised = usize::try_from(before).ok().and_then(|before| events.get(before));
        if promised.is_some_and(|promised| promised.next != revealed.seed.hash()) {
            return Err("a revealed seed does not fit the `next` that promised it");
        }
    }
    Ok(())
}
