//! Notices are sent immediately, even those written by another process.

use std::sync::Arc;
use std::time::Duration;

use diesel::sql_types::Bool;
use diesel_async::RunQueryDsl;
use futures_util::FutureExt;
use pippost::mail::Mailer;
use pippost::worker::{Stop, listen, run_loop};
use serde_json::json;
use tokio::sync::mpsc;

use super::{AnyGame, worker_with};
use support::TestApp;
use support::games::{open_game, pip_pip_again};

/// Longer than any test: no notice in these tests is found by polling.
const NEVER: Duration = Duration::from_hours(24);

/// How long to wait for an expected event.
const TIMEOUT: Duration = Duration::from_mins(1);

/// A worker with its loops, as in a process of its own.
struct Process {
    stop: Stop,
    mailer: Arc<Mailer>,
    /// The number of notices that each step processed.
    steps: mpsc::UnboundedReceiver<usize>,
}

impl Process {
    /// Starts the loops and waits until the worker listens to other processes and has nothing to do.
    async fn start(app: &TestApp) -> Self {
        let (stop, mailer) = (Stop::new(), Arc::new(Mailer::memory()));
        let (done, steps) = mpsc::unbounded_channel();
        let worker = Arc::new(worker_with(app, &mailer, Arc::new(AnyGame)));
        let outbox_signal = app.app.outbox_signal.clone();
        let wake = worker.woken_by(&outbox_signal);
        tokio::spawn(listen(Arc::new(app.address()), outbox_signal.clone(), stop.signal()));
        let step = move || {
            let (worker, done) = (worker.clone(), done.clone());
            async move {
                let sent = worker.step().await?;
                done.send(sent).expect("the test goes on");
                Ok::<_, pippost::store::StoreError>(sent)
            }
        };
        tokio::spawn(run_loop("outbox", NEVER, wake, stop.signal(), step));
        let mut process = Self { stop, mailer, steps };
        // The first poll, and one more once it listens.
        for _ in 0..2 {
            assert_eq!(process.step().await, 0);
        }
        process
    }

    /// The next step of the worker.
    async fn step(&mut self) -> usize {
        let step = tokio::time::timeout(TIMEOUT, self.steps.recv()).await;
        step.expect("a step in time").expect("the worker runs")
    }
}

impl Drop for Process {
    fn drop(&mut self) {
        self.stop.stop();
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn what_one_process_writes_another_sends_at_once() {
    let app = TestApp::start().await;
    let second = app.second().await;
    let mut worker = Process::start(&second).await;
    app.unconfirmed_player("ann").await;
    assert_eq!((worker.step().await, worker.step().await), (1, 0));
    assert_eq!(worker.mailer.sent().len(), 1);
    // Signals close together become one notification or several: every notice is sent.
    for name in ["bob", "cat", "dan"] {
        app.unconfirmed_player(name).await;
    }
    while worker.mailer.sent().len() < 4 {
        worker.step().await;
    }
}

#[tokio::test]
async fn every_kind_of_worker_is_woken_by_each_notification() {
    let app = TestApp::start().await;
    let worker = worker_with(&app, &Arc::new(Mailer::memory()), Arc::new(AnyGame));
    let signal = &app.app.outbox_signal;
    let (all, accounts) = (worker.woken_by(signal), worker.for_accounts().woken_by(signal));
    // The worker for accounts waits first, so a single wake-up would go to it.
    let mut waiting = std::pin::pin!(accounts.notified());
    assert!((&mut waiting).now_or_never().is_none());
    signal.notify();
    assert!(waiting.now_or_never().is_some(), "the worker for accounts");
    assert!(all.notified().now_or_never().is_some(), "the worker for every notice");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_worker_that_was_cut_off_polls_at_once_when_it_listens_again() {
    #[derive(diesel::QueryableByName)]
    struct Ended {
        #[diesel(sql_type = Bool)]
        ended: bool,
    }
    let app = TestApp::start().await;
    let second = app.second().await;
    let mut worker = Process::start(&second).await;
    let mut superuser = app.db_superuser().await;
    let cut = diesel::sql_query(
        "select pg_terminate_backend(pid) as ended from pg_stat_activity \
         where datname = current_database() and query like 'listen %'",
    );
    let cut: Vec<Ended> = cut.load(&mut superuser).await.expect("an answer");
    assert!(cut.len() == 1 && cut[0].ended);
    assert_eq!(worker.step().await, 0, "missed notifications are made up for");
    app.unconfirmed_player("ann").await;
    assert_eq!(worker.step().await, 1);
}

#[tokio::test(flavor = "multi_thread")]
async fn whatever_writes_a_notice_notifies() {
    let app = TestApp::start().await;
    let notified = || app.app.outbox_signal.local().notified().now_or_never().is_some();
    let unconfirmed = app.unconfirmed_player("cat").await;
    assert!(notified(), "the mail that confirms an address");
    unconfirmed.post("/api/v1/email/resend", &json!({})).await.expect_status(202);
    assert!(notified(), "another one");
    app.stranger()
        .post("/api/v1/password-resets", &json!({"email": "cat@example.org"}))
        .await
        .expect_status(202);
    assert!(notified(), "the mail that sets a password");
    let (ann, bob) = (app.player("ann").await, app.player("bob").await);
    let open = open_game(&ann).await;
    assert!(notified() && !notified());
    ann.post(&format!("{open}/invitations"), &json!({"handle": "bob"})).await.expect_status(202);
    assert!(notified(), "an invitation");
    let game = pip_pip_again(&ann, &bob).await;
    assert!(notified(), "a start");
    ann.post(&format!("{game}/moves"), &json!({"notation": "store"})).await.ok();
    assert!(notified(), "a move");
}
