//! Mails while the mail server is down, and mails whose content causes an error.

use std::collections::{BTreeMap, HashSet};
use std::sync::Arc;

use futures_util::FutureExt;
use futures_util::future::BoxFuture;
use pippost::language::Language;
use pippost::mail::Mailer;
use pippost::notices::{
    AskedGame, ContentError, DigestContent, GameContent, InvitationContent, MailContents, schedule,
};
use pippost::worker::OutboxWorker;
use serde_json::json;
use time::Duration;
use uuid::Uuid;

use super::{AnyGame, db_fates, db_queue, read, send_all, smtp, worker, worker_with};
use support::games::{pip_pip, pip_pip_again};
use support::smtp_sink::{SmtpSink, Treatment};
use support::{Client, TestApp};

/// The number of moves made while the mail server is down.
const MOVES: usize = 100;

/// Makes one move of the player to act; false when the game is over.
async fn move_once(game: &str, players: &[Client; 2]) -> bool {
    for player in players {
        let legal = player.get(&format!("{game}/actions")).await.ok();
        if let Some(action) = legal["actions"].as_array().and_then(|actions| actions.last()) {
            player.post(&format!("{game}/moves"), &json!({"actions": [action]})).await.ok();
            return true;
        }
    }
    false
}

#[tokio::test(flavor = "multi_thread")]
async fn an_outage_as_long_as_100_moves_loses_no_mail_and_doubles_none() {
    let app = TestApp::start().await;
    let sink = SmtpSink::start(|_| Treatment::Accept).await;
    let mailer = smtp(sink.url());
    let workers = [worker(&app, &mailer), worker(&app, &mailer)];
    let (first, players) = pip_pip(&app).await;
    let mut games = vec![first];
    for _ in 0..3 {
        games.push(pip_pip_again(&players[0], &players[1]).await);
    }
    let address = sink.address();
    drop(sink);

    let mut moves = 0;
    while moves < MOVES {
        for game in &mut games {
            if move_once(game, &players).await {
                moves += 1;
            } else {
                *game = pip_pip_again(&players[0], &players[1]).await;
            }
        }
        app.app.clock.advance(Duration::seconds(5));
        futures_util::future::join_all(workers.iter().map(send_all)).await;
    }
    let waiting = |fates: &[super::Fate]| fates.iter().filter(|fate| fate.state == "waiting").count();
    let of_both = || async { [db_fates(&app, "ann").await, db_fates(&app, "bob").await].concat() };
    assert!(waiting(&of_both().await) > 0);

    let sink = SmtpSink::start_again(address).await;
    for _ in 0..3 {
        app.app.clock.advance(Duration::hours(1));
        futures_util::future::join_all(workers.iter().map(send_all)).await;
    }
    let fates = of_both().await;
    let mut states: BTreeMap<(&str, Option<&str>), usize> = BTreeMap::new();
    for fate in &fates {
        *states.entry((fate.state.as_str(), fate.reason.as_deref())).or_default() += 1;
    }
    let sent = states.remove(&("sent", None)).unwrap_or_default();
    let overtaken = states.remove(&("skipped", Some("overtaken by events"))).unwrap_or_default();
    assert!(states.is_empty() && sent > 0 && overtaken > 0, "{states:?}");

    let game_mails: Vec<_> =
        sink.received().into_iter().filter(|mail| !mail.data.contains("/confirm-email")).collect();
    let ids: HashSet<_> =
        game_mails.iter().map(|mail| read(mail.data.as_bytes()).message_id().map(str::to_owned)).collect();
    assert_eq!((game_mails.len(), ids.len()), (sent, sent), "every mail once");
    for game in &games {
        let view = players[0].get(game).await;
        let asked = app.stranger().get(game).await.ok()["to_act"]
            .as_u64()
            .map(|seat| ["ann", "bob"][usize::try_from(seat).expect("a seat")]);
        assert!(view.status == 200 || view.status == 401);
        let Some(asked) = asked else { continue };
        let page = game.replace("/api/v1", "");
        let told = game_mails.iter().any(|mail| {
            let read = read(mail.data.as_bytes());
            let to_asked = mail.to == [format!("{asked}@example.org")];
            to_asked
                && read
                    .body_text(0)
                    .is_some_and(|text| text.contains(&page) && text.contains("It is your turn"))
        });
        assert!(told, "{asked} is asked in {game}");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn when_the_mail_server_is_back_all_that_waits_for_it_leaves_at_once_and_once() {
    let app = TestApp::start().await;
    app.player("alice").await;
    let others = Treatment::RefuseRecipient("450 4.2.1 mailbox busy");
    let sink = SmtpSink::start(move |_| others).await;
    let (address, mailer) = (sink.address(), smtp(sink.url()));
    // Workers of two processes.
    let workers = [(); 2].map(|()| worker_with(&app, &mailer, Arc::new(AnyGame)));
    app.app.clock.advance(Duration::MINUTE);
    send_all(&workers[0]).await;
    let put_off = |fates: &[super::Fate], reason: &str| {
        fates.iter().filter(|fate| fate.reason.as_deref() == Some(reason)).count()
    };
    db_queue(&app, "alice", 3).await;
    send_all(&workers[0]).await;
    assert_eq!(put_off(&db_fates(&app, "alice").await, "the mail server put it off: 450 4.2.1"), 3);
    drop(sink);

    let waiting = db_queue(&app, "alice", 40).await.len();
    for worker in &workers {
        send_all(worker).await;
    }
    let unreached = "the mail server cannot be reached";
    assert_eq!(put_off(&db_fates(&app, "alice").await, unreached), waiting);
    assert_eq!(workers[0].end_outage().await.expect("a look"), 0, "while nobody is there");
    let down = app.stranger().get("/readyz").await.expect_status(200).json();
    assert_eq!((&down["status"], &down["mail"]["status"]), (&json!("ok"), &json!("down")), "{down}");
    assert_eq!(down["mail"]["detail"], unreached);
    let metrics = app.metrics().await;
    assert!(metrics.contains("\npippost_mail_server_up 0\n"), "{metrics}");
    assert!(
        metrics.contains(&format!("pippost_mails_waiting{{class=\"turn\"}} {}", waiting + 3)),
        "{metrics}"
    );

    // No time passes: neither the next attempt after a failure is due, nor that after a refusal.
    let sink = SmtpSink::start_again(address).await;
    let released = futures_util::future::join_all(workers.iter().map(OutboxWorker::end_outage)).await;
    assert_eq!(released.into_iter().map(|count| count.expect("a look")).sum::<usize>(), waiting);
    futures_util::future::join_all(workers.iter().map(send_all)).await;
    let received = sink.received();
    let ids: HashSet<_> =
        received.iter().map(|mail| read(mail.data.as_bytes()).message_id().map(str::to_owned)).collect();
    assert_eq!((received.len(), ids.len()), (waiting, waiting), "each once");
    let fates = db_fates(&app, "alice").await;
    assert_eq!(fates.iter().filter(|fate| fate.state == "waiting").count(), 3, "those that were refused");
    assert!(fates.iter().filter(|fate| fate.state == "sent").all(|fate| fate.attempts <= 1), "{fates:?}");
    assert_eq!(app.stranger().get("/readyz").await.json()["mail"]["status"], "ok");
    app.app.clock.advance(Duration::MINUTE);
    let metrics = app.metrics().await;
    assert!(metrics.contains("\npippost_mail_server_up 1\n"), "{metrics}");
    assert!(metrics.contains("pippost_mails_oldest_seconds{class=\"turn\"} 60\n"), "{metrics}");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_long_outage_gives_no_mail_up_and_a_long_backlog_leaves_in_parts() {
    let app = TestApp::start().await;
    app.player("alice").await;
    send_all(&worker(&app, &Arc::new(Mailer::memory()))).await;
    let sink = SmtpSink::start(|_| Treatment::Accept).await;
    let (address, mailer) = (sink.address(), smtp(sink.url()));
    // Before any connection is open, because that would outlive the sink.
    drop(sink);
    let worker = worker_with(&app, &mailer, Arc::new(AnyGame));
    let most = usize::try_from(pippost::notices::outbox::MAX_RELEASED).expect("a small number");
    let waiting = db_queue(&app, "alice", most + 5).await.len();
    for _ in 0..12 {
        send_all(&worker).await;
        app.app.clock.advance(schedule::UNREACHED_DELAY);
    }
    send_all(&worker).await;
    let sink = SmtpSink::start_again(address).await;
    let sent = || sink.received().len();
    for (seconds, expected) in [(14, 0), (1, most), (0, most), (1, waiting)] {
        app.app.clock.advance(Duration::seconds(seconds));
        send_all(&worker).await;
        assert_eq!(sent(), expected, "{seconds} s later");
    }
    assert_eq!(worker.end_outage().await.expect("a look"), 0);
}

#[tokio::test(flavor = "multi_thread")]
async fn mails_are_counted_by_what_came_of_them_and_by_domain() {
    let app = TestApp::start().await;
    app.player("alice").await;
    let treatments = [
        Treatment::Accept,
        Treatment::RefuseRecipient("450 4.2.1 busy"),
        Treatment::RefuseRecipient("550 5.7.1 no"),
        Treatment::RefuseRecipient("550 5.1.1 nobody"),
    ];
    let memory = Arc::new(Mailer::memory());
    send_all(&worker_with(&app, &memory, Arc::new(AnyGame))).await;
    let sink = SmtpSink::start(move |number| treatments[number]).await;
    let worker = worker_with(&app, &smtp(sink.url()), Arc::new(AnyGame));
    let worker = worker.with_figures(app.app.mail_figures.clone());
    for _ in treatments {
        db_queue(&app, "alice", 1).await;
        send_all(&worker).await;
    }
    let metrics = app.metrics().await;
    for result in ["sent", "deferred", "refused", "bounced"] {
        let line = format!("pippost_mail_attempts_total{{domain=\"example.org\",result=\"{result}\"}} 1\n");
        assert!(metrics.contains(&line), "{line}{metrics}");
    }
}

/// Fails for one game, and has content for all others.
struct OneBadGame(Uuid);

impl MailContents for OneBadGame {
    fn game(&self, asked: AskedGame) -> BoxFuture<'_, Result<Option<GameContent>, ContentError>> {
        async move {
            assert!(asked.game_id != self.0, "the bad game");
            AnyGame.game(asked).await
        }
        .boxed()
    }

    fn digest(
        &self,
        player_id: Uuid,
        digest_id: Option<Uuid>,
        language: Language,
    ) -> BoxFuture<'_, Result<Option<DigestContent>, ContentError>> {
        async move { AnyGame.digest(player_id, digest_id, language).await }.boxed()
    }

    fn invitation(
        &self,
        game_id: Uuid,
        from_player_id: Uuid,
    ) -> BoxFuture<'_, Result<Option<InvitationContent>, ContentError>> {
        async move { AnyGame.invitation(game_id, from_player_id).await }.boxed()
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_notice_over_which_the_program_stumbles_is_set_aside_and_the_others_go_out() {
    let app = TestApp::start().await;
    app.player("alice").await;
    let mailer = Arc::new(Mailer::memory());
    send_all(&worker_with(&app, &mailer, Arc::new(AnyGame))).await;
    let before = mailer.sent().len();
    let games = db_queue(&app, "alice", 5).await;
    let bad = super::db_game_of(&app, games[0]).await;
    let worker = worker_with(&app, &mailer, Arc::new(OneBadGame(bad)));
    send_all(&worker).await;
    assert_eq!(mailer.sent().len() - before, 4);
    for delay in pippost::notices::schedule::DELAYS {
        app.app.clock.advance(delay);
        send_all(&worker).await;
    }
    let failed: Vec<_> =
        db_fates(&app, "alice").await.into_iter().filter(|fate| fate.state != "sent").collect();
    assert_eq!(failed.len(), 1);
    assert_eq!((failed[0].state.as_str(), failed[0].attempts), ("failed", 8));
    let reason = "given up after 8 attempts: the mail could not be made";
    assert_eq!(failed[0].reason.as_deref(), Some(reason));
}
