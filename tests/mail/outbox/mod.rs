//! The outbox: notices from the time they are written until their mail has been sent.

mod outbox_signal;
mod content;
mod daily_problem;
mod delivery;
mod digests;
mod equal_times;
mod fairness;
mod old_snapshot;
mod outage;
mod plans;
mod processes;
mod inviting;
mod names;
mod unsubscribe;
pub mod preferences;
mod reminders;
mod table_messages;

use std::path::Path;
use std::sync::Arc;

use diesel::prelude::*;
use diesel_async::RunQueryDsl;
use futures_util::FutureExt;
use futures_util::future::BoxFuture;
use mail_parser::{Message, MessageParser};
use pippost::language::Language;
use pippost::mail::Mailer;
use pippost::notices::{
    AskedGame, ContentError, DigestContent, GameContent, InvitationContent, Links, MailContents, NewNotice,
    NoticeKind, Outbox,
};
use pippost::settings::MailSettings;
use pippost::store::schema::{notices, players};
use pippost::worker::OutboxWorker;
use time::OffsetDateTime;
use uuid::Uuid;

use support::TestApp;

/// The outcome of a notice.
#[derive(Clone, Debug, PartialEq, Eq, Queryable)]
struct Fate {
    kind: String,
    state: String,
    attempts: i16,
    next_attempt_at: OffsetDateTime,
    finished_at: Option<OffsetDateTime>,
    reason: Option<String>,
}

/// The outcomes of a player's notices, oldest first, without those about the account.
async fn db_fates(app: &TestApp, handle: &str) -> Vec<Fate> {
    let mut connection = app.app.database.get().await.expect("a connection");
    let found = notices::table
        .inner_join(players::table.on(players::id.nullable().eq(notices::player_id)))
        .filter(players::handle.eq(handle))
        .filter(notices::link_id.is_null())
        .order(notices::id)
        .select((
            notices::kind,
            notices::state,
            notices::attempts,
            notices::next_attempt_at,
            notices::finished_at,
            notices::reason,
        ));
    found.load(&mut connection).await.expect("notices")
}

/// The only notice of a player.
async fn db_fate(app: &TestApp, handle: &str) -> Fate {
    let mut fates = db_fates(app, handle).await;
    assert_eq!(fates.len(), 1, "{fates:?}");
    fates.remove(0)
}

/// Writes notices of a turn, due now; returns their ids.
async fn db_queue(app: &TestApp, handle: &str, count: usize) -> Vec<Uuid> {
    let mut connection = app.app.database.get().await.expect("a connection");
    let player = players::table.filter(players::handle.eq(handle)).select(players::id);
    let player: Uuid = player.first(&mut connection).await.expect("a player");
    let now = app.app.clock.now();
    let new: Vec<_> = (0..count)
        .map(|_| NewNotice::to_player(NoticeKind::Turn, player, now).with_event(Uuid::now_v7(), 7.into()))
        .collect();
    pippost::store::notices::insert(&mut connection, &new).await.expect("notices");
    new.into_iter().map(|notice| notice.id).collect()
}

/// The game that a notice is about.
async fn db_game_of(app: &TestApp, notice: Uuid) -> Uuid {
    let mut connection = app.app.database.get().await.expect("a connection");
    let game = notices::table.find(notice).select(notices::game_id.assume_not_null());
    game.first(&mut connection).await.expect("a notice")
}

/// A worker with content for real games.
fn worker(app: &TestApp, mailer: &Arc<Mailer>) -> OutboxWorker {
    worker_with(app, mailer, Arc::new(app.app.games.clone()))
}

fn worker_with(app: &TestApp, mailer: &Arc<Mailer>, contents: Arc<dyn MailContents>) -> OutboxWorker {
    OutboxWorker::new(
        Outbox::new(app.app.database.clone()),
        mailer.clone(),
        contents,
        app.app.secret.clone(),
        Links::new("https://play.example.org").expect("a URL"),
        app.app.clock.clone(),
        4,
    )
    .with_presence(app.app.accounts.presence().clone())
}

/// Sends what is due; returns the number of processed notices.
async fn send_all(worker: &OutboxWorker) -> usize {
    let mut done = 0;
    loop {
        match worker.step().await.expect("a step") {
            0 => return done,
            more => done += more,
        }
    }
}

fn smtp(url: String) -> Arc<Mailer> {
    let mail_from = "pippost <pippost@example.org>".to_owned();
    let settings = MailSettings { smtp_url: Some(url), mail_from, ..MailSettings::default() };
    Arc::new(Mailer::new(&settings, Path::new("not-used")).expect("a mailer"))
}

fn read(raw: &[u8]) -> Message<'_> {
    MessageParser::default().parse(raw).expect("a mail")
}

/// Content for games that do not exist.
struct AnyGame;

impl MailContents for AnyGame {
    fn game(&self, asked: AskedGame) -> BoxFuture<'_, Result<Option<GameContent>, ContentError>> {
        let AskedGame { kind, game_id, .. } = asked;
        let content = GameContent {
            number: None,
            kind,
            game_id,
            seq: 7.into(),
            rules_title: "Pip•Pip".to_owned(),
            game_title: None,
            opponents: vec!["bob".to_owned()],
            happened: vec!["bob rolled a 4.".to_owned()],
            has_moved: true,
            said: Vec::new(),
            board: "  a b\n1 x .\n".to_owned(),
            picture: None,
            to_do: Some("You rolled a 4: place it or store it.".to_owned()),
            legal_notation: vec!["store".to_owned()],
            deadline: None,
            time_left: None,
            pause: None,
            holiday: None,
            seat: None,
            result: None,
            link: format!("https://play.example.org/games/{game_id}"),
        };
        async move { Ok(Some(content)) }.boxed()
    }

    fn digest(
        &self,
        _player_id: Uuid,
        _digest_id: Option<Uuid>,
        _language: Language,
    ) -> BoxFuture<'_, Result<Option<DigestContent>, ContentError>> {
        async { Ok(None) }.boxed()
    }

    fn invitation(
        &self,
        _game_id: Uuid,
        _from_player_id: Uuid,
    ) -> BoxFuture<'_, Result<Option<InvitationContent>, ContentError>> {
        async { Ok(None) }.boxed()
    }
}

/// Fails for every game.
struct NoGames;

impl MailContents for NoGames {
    fn game(&self, _asked: AskedGame) -> BoxFuture<'_, Result<Option<GameContent>, ContentError>> {
        async { Err("the disk is on fire".into()) }.boxed()
    }

    fn digest(
        &self,
        _player_id: Uuid,
        _digest_id: Option<Uuid>,
        _language: Language,
    ) -> BoxFuture<'_, Result<Option<DigestContent>, ContentError>> {
        async { Err("the disk is on fire".into()) }.boxed()
    }

    fn invitation(
        &self,
        _game_id: Uuid,
        _from_player_id: Uuid,
    ) -> BoxFuture<'_, Result<Option<InvitationContent>, ContentError>> {
        async { Err("the disk is on fire".into()) }.boxed()
    }
}
