//! Asks one statement for all who ask at the same time. Questions that arrive while it runs go into the next one, so every answer is
//! newer than its question.

use std::panic::AssertUnwindSafe;

use futures_util::future::BoxFuture;
use futures_util::stream::FuturesUnordered;
use futures_util::{FutureExt, StreamExt};
use tokio::sync::{mpsc, oneshot};

use super::StoreError;

/// The most questions in one statement, if each answer is small.
pub const MAX_SMALL: usize = 256;

/// The same for questions whose answers may have some hundred kilobytes.
pub const MAX_LARGE: usize = 32;

/// The most statements under way at once.
const MAX_UNDER_WAY: usize = 2;

/// The fewest questions for which a second statement is sent.
const MIN_SECOND_BATCH: usize = 8;

/// The capacity of the queue; a further question waits until there is room.
const MAX_WAITING: usize = 4096;

/// Answers to questions, in their order.
pub type Answers<A> = BoxFuture<'static, Result<Vec<A>, StoreError>>;

struct Question<Q, A> {
    question: Q,
    answer: oneshot::Sender<Result<A, StoreError>>,
}

/// Groups questions of one kind.
pub struct Grouped<Q, A> {
    questions: mpsc::Sender<Question<Q, A>>,
}

impl<Q: Send + 'static, A: Send + 'static> Grouped<Q, A> {
    /// Starts the task that asks at most `most` questions at once, on the current runtime. It ends when this is dropped.
    #[must_use]
    pub fn start(most: usize, ask: impl Fn(Vec<Q>) -> Answers<A> + Send + Sync + 'static) -> Self {
        let (questions, queue) = mpsc::channel(MAX_WAITING);
        tokio::spawn(ask_all(most, ask, queue));
        Self { questions }
    }

    /// The answer that the database had at some time between this call and its return.
    ///
    /// # Errors
    /// The database failed.
    pub async fn ask(&self, question: Q) -> Result<A, StoreError> {
        let (answer, answered) = oneshot::channel();
        let gone = || StoreError::Pool("what asks the database has stopped".into());
        self.questions.send(Question { question, answer }).await.map_err(|_| gone())?;
        answered.await.map_err(|_| gone())?
    }
}

/// Sends the waiting questions: at once while no statement is under way, and in a second one when enough of them wait, so that
/// neither the server nor the database idles.
async fn ask_all<Q, A>(
    most: usize,
    ask: impl Fn(Vec<Q>) -> Answers<A>,
    mut queue: mpsc::Receiver<Question<Q, A>>,
) {
    let mut waiting = Vec::with_capacity(most);
    let mut under_way = FuturesUnordered::new();
    loop {
        let least = if under_way.is_empty() { 1 } else { MIN_SECOND_BATCH };
        if under_way.len() < MAX_UNDER_WAY && waiting.len() >= least {
            under_way.push(answer(&ask, std::mem::take(&mut waiting)));
        }
        let room = most - waiting.len();
        tokio::select! {
            biased;
            Some(()) = under_way.next() => {}
            received = queue.recv_many(&mut waiting, room), if room > 0 => {
                if received == 0 {
                    // Nobody asks any more; the last answers still go out.
                    return under_way.collect().await;
                }
            }
        }
    }
}

/// Asks one statement for all of `batch`, whose questions came before it.
async fn answer<Q, A>(ask: &impl Fn(Vec<Q>) -> Answers<A>, batch: Vec<Question<Q, A>>) {
    let (questions, askers): (Vec<Q>, Vec<_>) =
        batch.into_iter().map(|asked| (asked.question, asked.answer)).unzip();
    // Later questions still need an answer.
    let found = AssertUnwindSafe(async { ask(questions).await }).catch_unwind().await;
    let found = found.unwrap_or_else(|_panic| Err(StoreError::Corrupt("a question".into())));
    match found {
        Ok(answers) => {
            for (asker, answer) in askers.into_iter().zip(answers) {
                // Whoever asked may be gone.
                let _ = asker.send(Ok(answer));
            }
        }
        Err(error) => {
            for asker in askers {
                let _ = asker.send(Err(error.shared()));
            }
        }
    }
}
