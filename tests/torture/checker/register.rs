//! Whether the history of a game is linearizable: its newest event is a register that several servers share, which moves advance by
//! one and views read.

use stateright::semantics::{ConsistencyTester, LinearizabilityTester, SequentialSpec};

use crate::notes::{Learned, Operation};

/// The number of a game's newest event.
#[derive(Clone, Debug)]
struct Newest(u64);

impl SequentialSpec for Newest {
    type Op = ();
    type Ret = Learned;

    fn invoke(&mut self, (): &()) -> Learned {
        Learned::Saw(self.0)
    }

    fn is_valid_step(&mut self, (): &(), learned: &Learned) -> bool {
        match *learned {
            Learned::Saw(seq) => seq == self.0,
            Learned::Stale(seq) => seq != self.0,
            Learned::Made(seq) if seq == self.0 + 1 => {
                self.0 = seq;
                true
            }
            Learned::Made(_) => false,
        }
    }
}

/// The first stretch of a history that no order of its operations explains. A stretch ends when nobody waits for an answer: only
/// operations within one can have happened in either order.
pub fn contradiction(operations: &[Operation]) -> Option<Vec<Operation>> {
    let mut sorted = operations.to_vec();
    sorted.sort_by_key(|operation| operation.begun);
    let (mut newest, mut stretch, mut last) = (Newest(0), Vec::<Operation>::new(), 0);
    for operation in sorted {
        if operation.begun > last && !stretch.is_empty() {
            if !is_linearizable(&newest, &stretch) {
                return Some(stretch);
            }
            newest = after(&newest, &stretch);
            stretch.clear();
        }
        last = last.max(operation.ended);
        stretch.push(operation);
    }
    (!is_linearizable(&newest, &stretch)).then_some(stretch)
}

fn after(before: &Newest, stretch: &[Operation]) -> Newest {
    let made = stretch.iter().filter(|operation| matches!(operation.learned, Learned::Made(_))).count();
    Newest(before.0 + u64::try_from(made).expect("a small number"))
}

fn is_linearizable(newest: &Newest, stretch: &[Operation]) -> bool {
    let mut tester = LinearizabilityTester::new(newest.clone());
    let begins = stretch.iter().map(|operation| (operation.begun, operation, true));
    let ends = stretch.iter().map(|operation| (operation.ended, operation, false));
    let mut ticks: Vec<_> = begins.chain(ends).collect();
    ticks.sort_by_key(|(tick, ..)| *tick);
    for (_, operation, begins) in ticks {
        let done = if begins {
            tester.on_invoke(operation.client, ()).map(drop)
        } else {
            tester.on_return(operation.client, operation.learned.clone()).map(drop)
        };
        if done.is_err() {
            return false;
        }
    }
    tester.is_consistent()
}
