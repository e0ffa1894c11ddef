//! Both ways of working on a queue in memory.

use std::collections::VecDeque;
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};

use super::*;

const PLACES: usize = 4;

/// It is worked on until somebody says so.
const SLOW: u32 = 1000;

/// The program stumbles over it.
const BAD: u32 = 2000;

/// It goes before others.
const FIRST: u32 = 3000;

#[derive(Clone, Debug, PartialEq, Eq)]
enum Outcome {
    Done,
    Late,
    Stumbled,
}

#[derive(Clone)]
struct Numbers(Arc<Inner>);

struct Inner {
    waiting: Mutex<VecDeque<u32>>,
    begun: Mutex<Vec<u32>>,
    settled: Mutex<Vec<(u32, Outcome)>>,
    settlements: AtomicUsize,
    at_work: AtomicUsize,
    most_at_work: AtomicUsize,
    /// Claims and settlements fail once nothing is left of these.
    claims_left: AtomicUsize,
    begin_within: Duration,
    go_on: Arc<Notify>,
    wake: Arc<Notify>,
}

impl Numbers {
    fn new(waiting: impl IntoIterator<Item = u32>, claims: usize, begin_within: Duration) -> Self {
        Self(Arc::new(Inner {
            waiting: Mutex::new(waiting.into_iter().collect()),
            begun: Mutex::default(),
            settled: Mutex::default(),
            settlements: AtomicUsize::new(0),
            at_work: AtomicUsize::new(0),
            most_at_work: AtomicUsize::new(0),
            claims_left: AtomicUsize::new(claims),
            begin_within,
            go_on: Arc::default(),
            wake: Arc::default(),
        }))
    }

    fn settled(&self) -> Vec<(u32, Outcome)> {
        let mut settled = self.0.settled.lock().expect("a lock").clone();
        settled.sort_by_key(|(number, _)| *number);
        settled
    }
}

impl Queue for Numbers {
    type Entry = u32;
    type Outcome = Outcome;

    const NAME: &'static str = "numbers";

    fn places(&self) -> usize {
        PLACES
    }

    async fn claim(&self, most: usize) -> Result<Vec<u32>, StoreError> {
        let left = |left: usize| left.checked_sub(1);
        let may = self.0.claims_left.fetch_update(Ordering::SeqCst, Ordering::SeqCst, left);
        may.map_err(|_| StoreError::Corrupt("no claims are left".to_owned()))?;
        let mut waiting = self.0.waiting.lock().expect("a lock");
        let most = most.min(waiting.len());
        Ok(waiting.drain(..most).collect())
    }

    async fn work(&self, number: &u32, _claimed_at: Instant) -> Outcome {
        let at_work = self.0.at_work.fetch_add(1, Ordering::SeqCst) + 1;
        self.0.most_at_work.fetch_max(at_work, Ordering::SeqCst);
        self.0.begun.lock().expect("a lock").push(*number);
        if *number == SLOW {
            self.0.go_on.notified().await;
        }
        tokio::task::yield_now().await;
        self.0.at_work.fetch_sub(1, Ordering::SeqCst);
        assert_ne!(*number, BAD, "a planted panic");
        Outcome::Done
    }

    async fn settle(&self, done: Vec<(u32, Outcome)>) -> Result<usize, StoreError> {
        let count = done.len();
        self.0.settlements.fetch_add(1, Ordering::SeqCst);
        self.0.settled.lock().expect("a lock").extend(done);
        Ok(count)
    }
}

impl Woken for Numbers {
    fn wake(&self) -> &Arc<Notify> {
        &self.0.wake
    }
}

impl Batched for Numbers {
    const BATCH: usize = 8;

    fn begin_within(&self) -> Duration {
        self.0.begin_within
    }

    fn is_first(number: &u32) -> bool {
        *number == FIRST
    }

    fn late() -> Outcome {
        Outcome::Late
    }

    fn stumbled() -> Outcome {
        Outcome::Stumbled
    }
}

const IN_TIME: Duration = Duration::from_hours(1);

#[tokio::test]
async fn a_round_does_all_that_is_due_few_at_once_and_records_many_together() {
    let numbers = Numbers::new((0..100).chain([FIRST]), usize::MAX, IN_TIME);
    assert_eq!(Round::new(numbers.clone()).run().await.expect("a round"), 101);
    let expected = (0..100).chain([FIRST]).map(|number| (number, Outcome::Done));
    assert_eq!(numbers.settled(), expected.collect::<Vec<_>>());
    assert_eq!(numbers.0.most_at_work.load(Ordering::SeqCst), PLACES);
    let settlements = numbers.0.settlements.load(Ordering::SeqCst);
    assert!(settlements <= 101 / 2, "{settlements} settlements");
    let begun = numbers.0.begun.lock().expect("a lock");
    let before = begun.iter().position(|number| *number == FIRST).expect("it was begun");
    assert!(before < 100, "it has overtaken others");
}

#[tokio::test]
async fn what_makes_a_round_stumble_or_comes_too_late_is_settled_so_and_others_go_on() {
    let numbers = Numbers::new([1, BAD, 2], usize::MAX, IN_TIME);
    assert_eq!(Round::new(numbers.clone()).run().await.expect("a round"), 3);
    let expected = [(1, Outcome::Done), (2, Outcome::Done), (BAD, Outcome::Stumbled)];
    assert_eq!(numbers.settled(), expected);
    let late = Numbers::new([1, 2], usize::MAX, Duration::ZERO);
    assert_eq!(Round::new(late.clone()).run().await.expect("a round"), 2);
    assert_eq!(late.settled(), [(1, Outcome::Late), (2, Outcome::Late)]);
}

#[tokio::test]
async fn a_round_whose_claim_fails_settles_what_it_has() {
    let numbers = Numbers::new(0..20, 1, IN_TIME);
    Round::new(numbers.clone()).run().await.expect_err("the second claim fails");
    assert_eq!(numbers.settled().len(), Numbers::BATCH);
}

#[tokio::test]
async fn in_a_flow_a_slow_entry_holds_up_no_other_and_ends_with_the_rest() {
    let numbers = Numbers::new([SLOW, BAD, 1, 2, 3, 4], usize::MAX, IN_TIME);
    let mut flow = Flow::new(numbers.clone());
    assert_eq!(flow.fill().await.expect("begun"), PLACES, "as many as there are places");
    while numbers.settled().len() < 4 {
        numbers.0.wake.notified().await;
        flow.fill().await.expect("begun");
    }
    assert_eq!(numbers.settled(), [1, 2, 3, 4].map(|number| (number, Outcome::Done)));
    numbers.0.go_on.notify_one();
    flow.finish().await;
    assert_eq!(flow.take_done(), 5);
    assert_eq!((flow.take_done(), numbers.settled().len()), (0, 5), "all but the one over which it stumbled");
}

#[tokio::test]
async fn a_step_waits_for_all_and_tells_of_a_failure() {
    let numbers = Numbers::new([1, 2, 3, 4, 5], usize::MAX, IN_TIME);
    assert_eq!(Flow::step(&numbers).await.expect("a step"), PLACES);
    assert_eq!(Flow::step(&numbers).await.expect("a step"), 1);
    assert_eq!(Flow::step(&numbers).await.expect("a step"), 0);
    Flow::step(&Numbers::new([1], 0, IN_TIME)).await.expect_err("no claim");
}
