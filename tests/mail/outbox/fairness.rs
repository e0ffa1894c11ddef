//! The order of a long outbox: links for accounts first, then some of every class, with all accounts in turn. Notices over a
//! limit are not even written.

use std::collections::{HashMap, HashSet};
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use diesel::prelude::*;
use diesel_async::{RunQueryDsl, SimpleAsyncConnection};
use futures_util::future::BoxFuture;
use pippost::language::Language;
use pippost::mail::{MailLimits, Mailer};
use pippost::notices::outbox::BATCH;
use pippost::notices::{
    AskedGame, ContentError, DigestContent, GameContent, InvitationContent, MailContents, NoticeClass,
    NoticeKind, Outbox,
};
use pippost::settings::MailSettings;
use pippost::store::schema::players;
use serde_json::json;
use uuid::Uuid;

use super::{AnyGame, db_fates, db_queue, send_all, worker_with};
use support::TestApp;

async fn db_id(app: &TestApp, handle: &str) -> Uuid {
    let mut connection = app.app.database.get().await.expect("a connection");
    let id = players::table.filter(players::handle.eq(handle)).select(players::id);
    id.first(&mut connection).await.expect("a player")
}

/// That many waiting invitations from `handle`.
async fn db_invitations(app: &TestApp, handle: &str, count: usize) {
    let from = db_id(app, handle).await;
    let statement = format!(
        "insert into notices (id, kind, address, game_id, from_player_id, created_at, state, next_attempt_at) \
         select gen_random_uuid(), 'invitation', 'stranger-' || number || '@example.org', gen_random_uuid(), '{from}', \
         '2026-11-21 11:00Z', 'waiting', '2026-11-21 11:00Z' from generate_series(1, {count}) number; analyze notices"
    );
    let mut superuser = app.db_superuser().await;
    superuser.batch_execute(&statement).await.expect("invitations");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_link_for_an_account_comes_first_beside_fifty_thousand_invitations_and_their_accounts_take_turns() {
    let app = TestApp::start().await;
    let ids = {
        app.player("ann").await;
        app.player("bob").await;
        let outbox = Outbox::new(app.app.database.clone());
        while !outbox.claim(&NoticeClass::ALL, app.app.clock.now()).await.expect("notices").is_empty() {}
        [db_id(&app, "ann").await, db_id(&app, "bob").await]
    };
    db_invitations(&app, "ann", 50_000).await;
    db_invitations(&app, "bob", 200).await;
    let outbox = Outbox::new(app.app.database.clone());
    let mut claimed: HashMap<Uuid, usize> = HashMap::new();
    for _ in 0..3 {
        // It is written last.
        app.stranger()
            .post("/api/v1/password-resets", &json!({"email": "ann@example.org"}))
            .await
            .expect_status(202);
        let batch = outbox.claim(&NoticeClass::ALL, app.app.clock.now()).await.expect("notices");
        assert_eq!((batch.len(), batch[0].kind), (BATCH, NoticeKind::ResetPassword));
        for invitation in &batch[1..] {
            assert_eq!(invitation.kind, NoticeKind::Invitation);
            *claimed.entry(invitation.from_player_id.expect("somebody")).or_default() += 1;
        }
    }
    // Of 381 invitations each account has about half.
    assert!(ids.iter().all(|id| (186..=195).contains(&claimed[id])), "{claimed:?}");
    // When bob's are gone, ann's fill the batches.
    loop {
        let batch = outbox.claim(&NoticeClass::ALL, app.app.clock.now()).await.expect("notices");
        assert!(batch.len() > BATCH / 2, "bob's share may be smaller than his turn");
        if batch.iter().all(|notice| notice.from_player_id == Some(ids[0])) {
            assert_eq!(batch.len(), BATCH);
            break;
        }
    }
}

/// More accounts than a claim serves.
const ACCOUNTS: usize = 150;

#[tokio::test(flavor = "multi_thread")]
async fn nobody_is_served_again_before_everybody_is_served() {
    let app = TestApp::start().await;
    let statement = format!(
        "insert into notices (id, kind, player_id, game_id, created_at, state, next_attempt_at) \
         select gen_random_uuid(), 'turn', ('01a1fe2a-89df-7515-9c5d-' || lpad((number % {ACCOUNTS})::text, 12, '0'))::uuid, \
         gen_random_uuid(), '2026-11-21 11:00Z', 'waiting', '2026-11-21 11:00Z' from generate_series(1, {ACCOUNTS} * 8) number; \
         analyze notices"
    );
    app.db_superuser().await.batch_execute(&statement).await.expect("notices in three slots");
    let outbox = Outbox::new(app.app.database.clone());
    let mut served: Vec<Uuid> = Vec::new();
    while served.len() < 4 * ACCOUNTS {
        let batch = outbox.claim(&NoticeClass::ALL, app.app.clock.now()).await.expect("notices");
        assert_eq!(batch.len(), BATCH);
        served.extend(batch.iter().map(|notice| notice.player_id.expect("a player")));
    }
    for round in served.chunks_exact(ACCOUNTS) {
        let accounts: HashSet<_> = round.iter().collect();
        assert_eq!(accounts.len(), ACCOUNTS);
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn no_class_waits_for_ever_behind_another() {
    let app = TestApp::start().await;
    for handle in ["ann", "bob"] {
        app.player(handle).await;
    }
    let outbox = Outbox::new(app.app.database.clone());
    while !outbox.claim(&NoticeClass::ALL, app.app.clock.now()).await.expect("notices").is_empty() {}
    db_queue(&app, "ann", 300).await;
    db_invitations(&app, "bob", 300).await;
    let batch = outbox.claim(&NoticeClass::ALL, app.app.clock.now()).await.expect("notices");
    let kinds: Vec<_> = batch.iter().map(|notice| notice.kind).collect();
    assert_eq!(kinds, [vec![NoticeKind::Turn; BATCH - 8], vec![NoticeKind::Invitation; 8]].concat());
}

#[tokio::test(flavor = "multi_thread")]
async fn every_kind_has_the_class_that_the_table_gives_it() {
    let app = TestApp::start().await;
    let mut superuser = app.db_superuser().await;
    for kind in NoticeKind::ALL {
        let statement = format!(
            "insert into notices (id, kind, player_id, created_at, state, next_attempt_at) \
             values (gen_random_uuid(), '{}', gen_random_uuid(), now(), 'waiting', '2026-11-21 11:00Z')",
            kind.as_str()
        );
        superuser.batch_execute(&statement).await.expect("a notice");
        let outbox = Outbox::new(app.app.database.clone());
        let now = app.app.clock.now();
        for class in NoticeClass::ALL {
            let batch = outbox.claim(&[class], now).await.expect("notices");
            assert_eq!(batch.len(), usize::from(class == kind.class()), "{kind:?} {class:?}");
        }
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_worker_for_accounts_sends_their_mails_and_leaves_all_others() {
    let app = TestApp::start().await;
    app.player("ann").await;
    let mailer = Arc::new(Mailer::memory());
    let worker = worker_with(&app, &mailer, Arc::new(AnyGame));
    send_all(&worker).await;
    let before = mailer.sent().len();
    db_queue(&app, "ann", 3).await;
    app.stranger()
        .post("/api/v1/password-resets", &json!({"email": "ann@example.org"}))
        .await
        .expect_status(202);
    assert_eq!(send_all(&worker.for_accounts()).await, 1);
    let sent = mailer.sent();
    assert_eq!((sent.len() - before, sent[before].mail.kind), (1, "reset_password"));
    assert_eq!(send_all(&worker).await, 3);
}

/// Content for games that do not exist; counts how often it is requested.
#[derive(Default)]
struct Counted(AtomicUsize);

impl MailContents for Counted {
    fn game(&self, asked: AskedGame) -> BoxFuture<'_, Result<Option<GameContent>, ContentError>> {
        self.0.fetch_add(1, Ordering::SeqCst);
        AnyGame.game(asked)
    }

    fn digest(
        &self,
        player_id: Uuid,
        digest_id: Option<Uuid>,
        language: Language,
    ) -> BoxFuture<'_, Result<Option<DigestContent>, ContentError>> {
        AnyGame.digest(player_id, digest_id, language)
    }

    fn invitation(
        &self,
        game_id: Uuid,
        from_player_id: Uuid,
    ) -> BoxFuture<'_, Result<Option<InvitationContent>, ContentError>> {
        AnyGame.invitation(game_id, from_player_id)
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn what_is_over_a_limit_is_not_written_and_comes_back_spread_over_time() {
    let app = TestApp::start().await;
    app.player("ann").await;
    let mailer = Arc::new(Mailer::memory());
    let contents = Arc::new(Counted::default());
    let settings = MailSettings {
        mails_per_minute_to_domain: Some(6),
        mails_per_hour_to_address: None,
        ..MailSettings::default()
    };
    let worker =
        worker_with(&app, &mailer, contents.clone()).with_limits(MailLimits::new(&settings, &app.app.clock));
    send_all(&worker).await;
    db_queue(&app, "ann", 100).await;
    send_all(&worker).await;
    let asked = || AtomicUsize::load(&contents.0, Ordering::SeqCst);
    assert_eq!(asked(), 6);
    let mut waits: Vec<_> = db_fates(&app, "ann")
        .await
        .into_iter()
        .filter(|fate| fate.state == "waiting")
        .map(|fate| (fate.next_attempt_at - app.app.clock.now()).whole_seconds())
        .collect();
    waits.sort_unstable();
    assert_eq!(waits, (1..=94).map(|number| number * 10).collect::<Vec<_>>());
    for sent in 7..=10 {
        app.app.clock.advance(time::Duration::seconds(10));
        assert_eq!(send_all(&worker).await, 1);
        assert_eq!(asked(), sent);
    }
}
