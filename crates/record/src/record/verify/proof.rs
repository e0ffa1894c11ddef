//! Check 4, with a footer: commitment, key, every seed and `next`, the head and the result.

use super::footer::FooterLine;
use super::form::Form;
use super::{Check, Failure, Location};
use crate::record::chance::Disclosed;
use crate::record::event::{GameResult, RevealedSeed};

/// Checks the record against its master.
pub fn check(form: &Form<'_>, footer: &FooterLine, result: Option<&GameResult>) -> Result<(), Failure> {
    let fail = |place, why: &str| Err(Failure::new(Check::Proof, place, why));
    let header = &form.header;
    // The commitment comes first: with a wrong master every event would seem wrong although none is.
    if footer.master.commitment(header.id) != header.commitment {
        return fail(
            Location::Footer,
            "`master` is not what the server committed to when the game was created",
        );
    }
    let chance = Disclosed::new(header, &footer.master);
    // A seed determines its own event's draws and the `next` of the event before.
    let mut seed = chance.seed(0);
    for event in &form.events {
        let follows = |revealed: &RevealedSeed| {
            revealed.seed == if revealed.seq == event.seq { seed } else { chance.seed(revealed.seq) }
        };
        if !event.seeds.iter().all(follows) {
            return fail(Location::Event(event.seq), "a seed does not follow from `master`");
        }
        seed = chance.seed(event.seq + 1);
        if event.next != seed.hash() {
            return fail(Location::Event(event.seq), "`next` does not follow from `master`");
        }
    }
    let Some(result) = result else {
        return fail(Location::Footer, "the game is not over, so it has no footer");
    };
    let last = form.events.last().expect("the form has events");
    if footer.head != last.hash {
        return fail(Location::Footer, "`head` is not the hash of the last event");
    }
    if !footer.result.says(result) {
        return fail(Location::Footer, "`result` is not how the game ended");
    }
    Ok(())
}
