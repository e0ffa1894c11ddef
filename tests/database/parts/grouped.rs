//! Questions that share a statement.

use futures_util::FutureExt;
use pippost::store::StoreError;
use pippost::store::grouped::{Grouped, MAX_SMALL};

use std::sync::{Arc, Mutex};

use tokio::sync::Semaphore;

/// Doubles numbers, once it is let go on; remembers what was asked together.
fn doubling(go_on: Arc<Semaphore>, asked: Arc<Mutex<Vec<usize>>>) -> Grouped<u32, u32> {
    Grouped::start(MAX_SMALL, move |questions: Vec<u32>| {
        let (go_on, asked) = (Arc::clone(&go_on), Arc::clone(&asked));
        async move {
            asked.lock().expect("not poisoned").push(questions.len());
            go_on.acquire().await.expect("open").forget();
            if questions.contains(&0) {
                return Err(StoreError::Corrupt("a nought".into()));
            }
            assert!(!questions.contains(&1), "a panic fails the questions that were asked together");
            Ok(questions.into_iter().map(|number| number * 2).collect())
        }
        .boxed()
    })
}

#[tokio::test]
async fn who_asks_while_a_statement_runs_shares_the_next_one() {
    let (go_on, asked) = (Arc::new(Semaphore::new(0)), Arc::<Mutex<Vec<usize>>>::default());
    let doubling = doubling(Arc::clone(&go_on), Arc::clone(&asked));
    let answers = (2..9).map(|number| doubling.ask(number));
    let let_go = async {
        while asked.lock().expect("not poisoned").is_empty() {
            tokio::task::yield_now().await;
        }
        go_on.add_permits(100);
    };
    let (answers, ()) = tokio::join!(futures_util::future::join_all(answers), let_go);
    let answers: Vec<u32> = answers.into_iter().map(|answer| answer.expect("a number")).collect();
    assert_eq!(answers, [4, 6, 8, 10, 12, 14, 16]);
    let asked = asked.lock().expect("not poisoned");
    assert_eq!((asked.iter().sum::<usize>(), asked.len() <= 2), (7, true), "{asked:?}");
}

#[tokio::test]
async fn a_failure_and_a_panic_are_told_to_all_who_asked_and_the_next_ones_are_answered() {
    let doubling = doubling(Arc::new(Semaphore::new(100)), Arc::default());
    for unlucky in [0, 1] {
        assert!(doubling.ask(unlucky).await.is_err());
        assert_eq!(doubling.ask(21).await.expect("a number"), 42);
    }
}
