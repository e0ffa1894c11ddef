//! Every mail is delivered once, after an error later.

use std::collections::HashSet;
use std::sync::Arc;
use std::time::Duration as StdDuration;

use pippost::mail::Mailer;
use pippost::notices::bounces::HARD_BOUNCES_UNTIL_STOPPED;
use pippost::notices::outbox::{BATCH, LEASE};
use pippost::notices::schedule::DELAYS;
use pippost::notices::{NoticeClass, Outbox};
use time::Duration;

use super::{AnyGame, NoGames, db_fate, db_fates, db_queue, read, send_all, smtp, worker_with};
use support::smtp_sink::{SmtpSink, Treatment};
use support::{START, TestApp};

/// An app whose outbox has one notice, for alice.
async fn app_with_a_turn() -> TestApp {
    let app = TestApp::start().await;
    app.player("alice").await;
    send_all(&worker_with(&app, &Arc::new(Mailer::memory()), Arc::new(AnyGame))).await;
    db_queue(&app, "alice", 1).await;
    app
}

#[tokio::test(flavor = "multi_thread")]
async fn several_workers_at_once_send_every_mail_once() {
    let app = TestApp::start().await;
    let second = app.second().await;
    app.player("alice").await;
    let mailer = Arc::new(Mailer::memory());
    send_all(&worker_with(&app, &mailer, Arc::new(AnyGame))).await;
    let before = mailer.sent().len();

    let queued: HashSet<_> = db_queue(&app, "alice", 5 * BATCH + 7).await.into_iter().collect();
    let workers: Vec<_> =
        [&app, &second, &app, &second].map(|app| worker_with(app, &mailer, Arc::new(AnyGame))).into();
    let done = futures_util::future::join_all(workers.iter().map(send_all)).await;
    assert_eq!(done.iter().sum::<usize>(), queued.len());

    let sent = mailer.sent();
    let sent: Vec<_> = sent[before..].iter().map(|sent| sent.mail.notice_id).collect();
    assert_eq!(sent.len(), queued.len());
    assert_eq!(sent.into_iter().collect::<HashSet<_>>(), queued);
    for fate in db_fates(&app, "alice").await {
        assert_eq!((fate.state.as_str(), fate.attempts), ("sent", 1));
        assert_eq!(fate.finished_at, Some(START));
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_mail_that_is_put_off_goes_out_when_its_time_has_come() {
    let app = app_with_a_turn().await;
    let put_off = Treatment::RefuseRecipient("451 4.3.0 <alice@example.org>: later");
    let sink = SmtpSink::start(move |number| if number < 2 { put_off } else { Treatment::Accept }).await;
    let worker = worker_with(&app, &smtp(sink.url()), Arc::new(AnyGame));

    assert_eq!(send_all(&worker).await, 1);
    let fate = db_fate(&app, "alice").await;
    assert_eq!((fate.state.as_str(), fate.attempts, fate.finished_at), ("waiting", 1, None));
    assert_eq!(fate.next_attempt_at, START + Duration::minutes(1));
    assert_eq!(fate.reason.as_deref(), Some("the mail server put it off: 451 4.3.0"));

    app.app.clock.advance(Duration::minutes(1) - Duration::microseconds(1));
    assert_eq!(send_all(&worker).await, 0, "not yet");
    app.app.clock.advance(Duration::microseconds(1));
    assert_eq!(send_all(&worker).await, 1);
    assert_eq!(db_fate(&app, "alice").await.next_attempt_at, START + Duration::minutes(6));

    app.app.clock.advance(Duration::minutes(5));
    assert_eq!(send_all(&worker).await, 1);
    let fate = db_fate(&app, "alice").await;
    assert_eq!((fate.state.as_str(), fate.attempts, fate.reason), ("sent", 3, None));
    assert_eq!(fate.finished_at, Some(START + Duration::minutes(6)));
    assert_eq!(sink.received().len(), 1);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_mail_that_is_put_off_for_two_days_is_given_up() {
    let app = app_with_a_turn().await;
    let sink = SmtpSink::start(|_| Treatment::RefuseMessage("452 4.3.1 full")).await;
    let worker = worker_with(&app, &smtp(sink.url()), Arc::new(AnyGame));
    for delay in DELAYS {
        assert_eq!(send_all(&worker).await, 1);
        assert_eq!(db_fate(&app, "alice").await.state, "waiting");
        app.app.clock.advance(delay);
    }
    assert_eq!(send_all(&worker).await, 1);
    let fate = db_fate(&app, "alice").await;
    assert_eq!((fate.state.as_str(), fate.attempts), ("failed", 8));
    let reason = "given up after 8 attempts: the mail server put it off: 452 4.3.1";
    assert_eq!(fate.reason.as_deref(), Some(reason));
    app.app.clock.advance(Duration::days(365));
    assert_eq!(send_all(&worker).await, 0);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_mail_that_is_refused_fails_at_once_with_the_code_and_without_the_address() {
    let app = app_with_a_turn().await;
    let refused = Treatment::RefuseRecipient("550 5.1.1 <alice@example.org>: no such user");
    let sink = SmtpSink::start(move |_| refused).await;
    send_all(&worker_with(&app, &smtp(sink.url()), Arc::new(AnyGame))).await;
    let fate = db_fate(&app, "alice").await;
    assert_eq!((fate.state.as_str(), fate.attempts), ("failed", 1));
    assert_eq!(fate.reason.as_deref(), Some("the mail server refused it: 550 5.1.1"));
    assert_eq!(fate.finished_at, Some(START));
}

#[tokio::test(flavor = "multi_thread")]
async fn an_address_that_the_mail_server_does_not_know_gets_no_more_mails_as_if_they_had_come_back() {
    let bound = usize::try_from(HARD_BOUNCES_UNTIL_STOPPED).expect("a small number");
    for (answer, stops) in [
        ("550 5.1.1 no such user", true),
        ("551 5.1.6 gone elsewhere", true),
        ("550 without a reason", false),
        ("550 5.4.1 no way there", false),
        ("552 5.2.2 full", false),
        ("550 5.7.1 we do not like you", false),
        ("553 5.1.8 we do not know who you are", false),
    ] {
        let app = TestApp::start().await;
        let alice = app.player("alice").await;
        send_all(&worker_with(&app, &Arc::new(Mailer::memory()), Arc::new(AnyGame))).await;
        let sink = SmtpSink::start(move |_| Treatment::RefuseRecipient(answer)).await;
        let worker = worker_with(&app, &smtp(sink.url()), Arc::new(AnyGame));
        for number in 0..bound {
            let me = alice.get("/api/v1/me").await.ok();
            assert!(
                me["email_bounced_at"].is_null() && me["email_confirmed_at"].is_string(),
                "{number} {me}"
            );
            db_queue(&app, "alice", 1).await;
            assert_eq!(send_all(&worker).await, 1, "{answer}");
        }
        let me = alice.get("/api/v1/me").await.ok();
        assert_eq!(
            (me["email_bounced_at"].is_string(), me["email_confirmed_at"].is_null()),
            (stops, stops),
            "{answer}"
        );
        let mails = alice.get("/api/v1/me/mails").await.ok();
        assert_eq!(mails["mails"][0]["fate"], if stops { "bounced" } else { "failed" }, "{answer}");
        db_queue(&app, "alice", 1).await;
        send_all(&worker).await;
        let last = db_fates(&app, "alice").await.pop().expect("a notice");
        assert_eq!(last.state, if stops { "skipped" } else { "failed" }, "{answer}");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_worker_that_dies_between_sending_and_writing_it_down_repeats_the_same_message_id() {
    let app = app_with_a_turn().await;
    let sink = SmtpSink::start(|number| if number == 0 { Treatment::Hold } else { Treatment::Accept }).await;
    let mailer = smtp(sink.url());
    let dying = worker_with(&app, &mailer, Arc::new(AnyGame));
    tokio::select! {
        done = dying.step() => panic!("the sink has not answered: {done:?}"),
        () = sink.holding() => {}
    }
    sink.let_go().await;

    let worker = worker_with(&app, &mailer, Arc::new(AnyGame));
    assert_eq!(send_all(&worker).await, 0, "the other may still be at it");
    app.app.clock.advance(LEASE);
    assert_eq!(send_all(&worker).await, 1);
    let fate = db_fate(&app, "alice").await;
    assert_eq!((fate.state.as_str(), fate.attempts), ("sent", 2));

    let received = sink.received();
    let ids: Vec<_> =
        received.iter().map(|mail| read(mail.data.as_bytes()).message_id().map(str::to_owned)).collect();
    assert_eq!(ids.len(), 2);
    assert!(ids[0].as_ref().is_some_and(|id| id.ends_with("@play.example.org")), "{ids:?}");
    assert_eq!(ids[0], ids[1]);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_worker_that_was_taken_for_dead_does_not_overrule_its_successor() {
    let app = app_with_a_turn().await;
    let outbox = Outbox::new(app.app.database.clone());
    let late = outbox.claim(&NoticeClass::ALL, app.app.clock.now()).await.expect("notices");
    app.app.clock.advance(LEASE);
    let taken_over = outbox.claim(&NoticeClass::ALL, app.app.clock.now()).await.expect("notices");
    assert_eq!((late.len(), taken_over.len(), taken_over[0].attempts), (1, 1, 2));

    let failed = pippost::notices::Outcome::Failed("too late to say".to_owned());
    let verdict = late.into_iter().map(|notice| (notice, failed.clone())).collect();
    outbox.settle(verdict, app.app.clock.now()).await.expect("no error");
    assert_eq!(db_fate(&app, "alice").await.state, "waiting");
    let verdict = taken_over.into_iter().map(|notice| (notice, pippost::notices::Outcome::Sent)).collect();
    outbox.settle(verdict, app.app.clock.now()).await.expect("no error");
    assert_eq!(db_fate(&app, "alice").await.state, "sent");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_notice_over_which_every_worker_dies_is_set_aside() {
    let app = app_with_a_turn().await;
    let outbox = Outbox::new(app.app.database.clone());
    for _ in 0..=DELAYS.len() {
        assert_eq!(outbox.claim(&NoticeClass::ALL, app.app.clock.now()).await.expect("notices").len(), 1);
        app.app.clock.advance(LEASE);
    }
    let mailer = Arc::new(Mailer::memory());
    send_all(&worker_with(&app, &mailer, Arc::new(AnyGame))).await;
    let fate = db_fate(&app, "alice").await;
    assert_eq!(fate.state, "failed");
    assert_eq!(fate.reason.as_deref(), Some("the server stopped over it each time"));
    assert!(mailer.sent().is_empty());
}

#[tokio::test(flavor = "multi_thread")]
async fn what_a_slow_batch_has_not_begun_goes_back_untouched() {
    let app = app_with_a_turn().await;
    let mailer = Arc::new(Mailer::memory());
    let slow = worker_with(&app, &mailer, Arc::new(AnyGame)).with_batch_time(StdDuration::ZERO);
    assert_eq!(slow.step().await.expect("a step"), 1);
    let fate = db_fate(&app, "alice").await;
    assert_eq!((fate.state.as_str(), fate.attempts, fate.next_attempt_at), ("waiting", 0, START));
    assert!(mailer.sent().is_empty());
}

#[tokio::test(flavor = "multi_thread")]
async fn a_game_that_cannot_be_read_now_is_told_of_later() {
    let app = app_with_a_turn().await;
    let mailer = Arc::new(Mailer::memory());
    send_all(&worker_with(&app, &mailer, Arc::new(NoGames))).await;
    let fate = db_fate(&app, "alice").await;
    assert_eq!((fate.state.as_str(), fate.attempts), ("waiting", 1));
    assert_eq!(fate.reason.as_deref(), Some("the game could not be read"));
    app.app.clock.advance(Duration::minutes(1));
    send_all(&worker_with(&app, &mailer, Arc::new(AnyGame))).await;
    assert_eq!((db_fate(&app, "alice").await.state.as_str(), mailer.sent().len()), ("sent", 1));
}
