//! A model of the queues whose entries are leased, beside the statements that serve them: several workers claim, crash, are too late,
//! fail and settle in any order. Each entry is done once unless a lease has ended, none is lost, and those that always fail hold up no
//! others.

use std::collections::HashSet;

use diesel_async::{AsyncPgConnection, SimpleAsyncConnection};
use pippost::notices::{Outcome, schedule};
use pippost::store::notices::{
    self, AccountRotation, ClaimRequest, ClaimedNotice, LowWaterMarks, NewNotice, NoticeClass,
};
use pippost::store::push_messages::{self, ClaimedPush, SettledPush};
use pippost::store::webhook_claims::{self, ClaimedWebhook, NextLook, WantedWebhooks, WebhookStep};
use pippost::store::{Connection, Database, DueMark, NoticeKind, NoticeState};
use rand_chacha::ChaCha8Rng;
use rand_core::{Rng, SeedableRng};
use time::{Duration, OffsetDateTime};
use uuid::Uuid;

use support::TestApp;
use support::samples::samples;

/// Accounts, of which each has many entries.
const ACCOUNTS: usize = 4;

const WORKERS: usize = 3;

/// Every seventh entry always fails; of push messages all of one subscription, because its failure puts off all of them.
const POISON: u64 = 7;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Kind {
    Notices,
    Webhooks,
    Pushes,
}

impl Kind {
    const ALL: [Self; 3] = [Self::Notices, Self::Webhooks, Self::Pushes];

    fn lease(self) -> Duration {
        if self == Self::Notices { Duration::minutes(5) } else { Duration::minutes(1) }
    }

    /// How many entries of an account are claimed at once.
    fn at_once(self) -> usize {
        match self {
            Self::Notices => usize::MAX,
            Self::Webhooks => 2,
            Self::Pushes => 1,
        }
    }
}

/// Where the claims of a process begin.
#[derive(Default)]
struct Worker {
    marks: LowWaterMarks,
    rotation: AccountRotation,
    mark: DueMark,
}

enum Claimed {
    Notice(Box<ClaimedNotice>),
    Webhook(Box<ClaimedWebhook>),
    Push(Box<ClaimedPush>),
}

impl Claimed {
    fn id(&self) -> Uuid {
        match self {
            Self::Notice(notice) => notice.id,
            Self::Webhook(claimed) => claimed.webhook.id,
            Self::Push(claimed) => claimed.notice_id,
        }
    }
}

/// What comes of an attempt.
#[derive(Clone, Copy, Debug)]
enum Came {
    Done,
    Failed,
    Waits(Duration),
}

/// What a settlement leaves.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Then {
    Over,
    Due(OffsetDateTime),
}

struct Queue {
    kind: Kind,
    database: Database,
    connection: Connection,
    accounts: Vec<Uuid>,
}

impl Queue {
    async fn new(app: &TestApp, kind: Kind) -> Self {
        let database = app.app.database.clone();
        let mut connection = database.get().await.expect("a connection");
        let accounts: Vec<Uuid> = (0..ACCOUNTS).map(|_| Uuid::now_v7()).collect();
        for id in &accounts {
            db_account(&mut connection, *id).await;
        }
        Self { kind, database, connection, accounts }
    }

    async fn db_add(&mut self, account: usize, due: OffsetDateTime, now: OffsetDateTime) -> Uuid {
        let (id, player) = (Uuid::now_v7(), self.accounts[account]);
        let time = due.unix_timestamp_nanos() / 1000;
        let at = format!("'epoch'::timestamptz + {time} * interval '1 microsecond'");
        let row = match self.kind {
            Kind::Notices => {
                let kind = [NoticeKind::Turn, NoticeKind::Invitation, NoticeKind::GameOver][account % 3];
                let new = NewNotice {
                    id,
                    next_attempt_at: due,
                    ready: due <= now,
                    ..NewNotice::to_player(kind, player, now)
                };
                notices::insert(&mut self.connection, &[new]).await.expect("a notice");
                return id;
            }
            Kind::Webhooks => format!(
                "insert into webhooks (id, player_id, url_sealed, format, kinds, state, created_at, secret_sealed, cursor, look_at) \
                 values ('{id}', '{player}', '', 'standard', '{{turn}}', 'active', now(), '', 0, {at})"
            ),
            Kind::Pushes => format!(
                "insert into push_messages (subscription_id, notice_id, next_attempt_at) values ('{player}', '{id}', {at})"
            ),
        };
        self.connection.batch_execute(&row).await.expect("a row");
        id
    }

    async fn claim(&mut self, worker: &Worker, limit: i64, now: OffsetDateTime) -> Vec<Claimed> {
        let (connection, lease_until) = (&mut self.connection, now + self.kind.lease());
        match self.kind {
            Kind::Notices => {
                let starts = worker.rotation.starts(&NoticeClass::ALL);
                let wanted = ClaimRequest { now, lease_until, limit, starts: &starts, pushed: &[] };
                let topology = self.database.topology();
                let claimed =
                    notices::claim(connection, topology, &wanted, &worker.marks).await.expect("a claim");
                worker.rotation.advance(&starts, &claimed);
                claimed.into_iter().map(|notice| Claimed::Notice(Box::new(notice))).collect()
            }
            Kind::Webhooks => {
                let next_look = now + Duration::seconds(30);
                let wanted = WantedWebhooks { now, lease: Uuid::new_v4(), lease_until, next_look, limit };
                let claimed =
                    webhook_claims::claim(connection, &wanted, &worker.mark).await.expect("a claim");
                claimed.into_iter().map(|claimed| Claimed::Webhook(Box::new(claimed))).collect()
            }
            Kind::Pushes => {
                let claimed = push_messages::claim(connection, now, lease_until, limit, &worker.mark).await;
                claimed
                    .expect("a claim")
                    .into_iter()
                    .map(|claimed| Claimed::Push(Box::new(claimed)))
                    .collect()
            }
        }
    }

    /// Settles as a worker does; what that leaves if it counts.
    async fn settle(&mut self, claimed: &Claimed, came: Came, now: OffsetDateTime) -> Then {
        let retry_at = now + Duration::seconds(90);
        match claimed {
            Claimed::Notice(notice) => {
                let outcome = match came {
                    Came::Done => Outcome::Sent,
                    Came::Failed => Outcome::Retry("planted".to_owned()),
                    Came::Waits(time) if time.is_zero() => Outcome::Released,
                    Came::Waits(time) => Outcome::Waits(now + time),
                };
                let settled = schedule::settle(notice, outcome, now);
                let then = settled.next_attempt_at.filter(|_| settled.state == NoticeState::Waiting);
                notices::settle(&mut self.connection, &[settled], now).await.expect("settled");
                then.map_or(Then::Over, Then::Due)
            }
            Claimed::Webhook(claimed) => {
                let player = claimed.webhook.player_id;
                let (step, left) = match came {
                    Came::Done => {
                        let notice = Box::new(NewNotice::to_player(NoticeKind::WebhookDisabled, player, now));
                        (NextLook::Disable { failing_since: now, notice }, Then::Over)
                    }
                    Came::Failed => {
                        let failures = claimed.failures + 1;
                        let look = NextLook::Retry { failures, failing_since: now, look_at: retry_at };
                        (look, Then::Due(retry_at))
                    }
                    Came::Waits(time) => {
                        (NextLook::Release { look_at: Some(now + time) }, Then::Due(now + time))
                    }
                };
                let (id, lease, cursor) = (claimed.webhook.id, claimed.lease, claimed.webhook.cursor);
                let step = WebhookStep { id, lease, cursor, delivery: None, told: None, then: step };
                webhook_claims::settle(&self.database, &step).await.expect("settled");
                left
            }
            Claimed::Push(claimed) => {
                let (settled, left) = match came {
                    Came::Done => (SettledPush::Sent { rate_free_at: now, not_before: now }, Then::Over),
                    Came::Failed => (
                        SettledPush::Failed { failing_since: now, not_before: retry_at },
                        Then::Due(retry_at),
                    ),
                    Came::Waits(time) => (SettledPush::Waits(now + time), Then::Due(now + time)),
                };
                push_messages::settle(&self.database, claimed, settled, now).await.expect("settled");
                left
            }
        }
    }
}

/// A player with a subscription of the same id.
async fn db_account(connection: &mut AsyncPgConnection, id: Uuid) {
    let rows = format!(
        "insert into players (id, handle, email, email_key, password_hash, created_at) \
         values ('{id}', right('{}', 30), '{id}@example.org', '{id}@example.org', '', now()); \
         insert into sessions (id, player_id, created_at) values ('{id}', '{id}', now()); \
         insert into push_subscriptions (id, player_id, session_id, endpoint_hash, host, sealed, created_at, not_before, rate_free_at) \
         values ('{id}', '{id}', '{id}', sha256('{id}'), 'example.org', '', now(), now(), now())",
        id.simple()
    );
    connection.batch_execute(&rows).await.expect("an account");
}

/// The newest claim that was not settled, and its end.
type Lease = (usize, OffsetDateTime);

/// What the model knows of an entry.
#[derive(Debug)]
struct Entry {
    id: Uuid,
    account: usize,
    is_poison: bool,
    due: OffsetDateTime,
    held: Option<Lease>,
    /// Of a notice: its attempts tell one claim from another.
    attempts: i16,
    is_over: bool,
    /// How often it was done within a lease.
    done: usize,
}

fn lasts(lease: Option<Lease>, now: OffsetDateTime) -> bool {
    lease.is_some_and(|(_, until)| until > now)
}

/// A claim that a worker still has to settle.
struct Held {
    claim: usize,
    worker: usize,
    until: OffsetDateTime,
    claimed: Claimed,
}

struct Model {
    rng: ChaCha8Rng,
    queue: Queue,
    workers: [Worker; WORKERS],
    now: OffsetDateTime,
    entries: Vec<Entry>,
    /// Of each account: a subscription has the lease of its messages.
    leases: [Option<Lease>; ACCOUNTS],
    held: Vec<Held>,
    claims: usize,
}

impl Model {
    async fn new(app: &TestApp, kind: Kind, seed: u64) -> Self {
        let now = app.app.clock.now().replace_nanosecond(0).expect("a time");
        Self {
            rng: ChaCha8Rng::seed_from_u64(seed),
            queue: Queue::new(app, kind).await,
            workers: Default::default(),
            now,
            entries: Vec::new(),
            leases: [None; ACCOUNTS],
            held: Vec::new(),
            claims: 0,
        }
    }

    fn below(&mut self, limit: u64) -> u64 {
        self.rng.next_u64() % limit
    }

    fn index(&mut self, length: usize) -> usize {
        usize::try_from(self.below(length as u64)).expect("an index")
    }

    async fn step(&mut self) {
        match self.below(20) {
            0..5 => self.db_add().await,
            5..11 => {
                let (worker, limit) = (self.index(WORKERS), self.below(5) + 1);
                self.claim(worker, limit.cast_signed()).await;
            }
            11..17 if !self.held.is_empty() => {
                let index = self.index(self.held.len());
                let held = self.held.swap_remove(index);
                let came = match self.below(5) {
                    0..2 => Came::Done,
                    2 => Came::Failed,
                    3 => Came::Waits(Duration::ZERO),
                    _ => Came::Waits(Duration::seconds(self.below(600).cast_signed())),
                };
                self.settle(held, came).await;
            }
            17 => {
                // A crash: nobody settles what this worker has, and the next process knows no marks.
                let worker = self.index(WORKERS);
                self.held.retain(|held| held.worker != worker);
                self.workers[worker] = Worker::default();
            }
            _ => {
                let seconds = [1, 4, 31, 61, 301, 3600];
                let passed = seconds[self.index(seconds.len())];
                self.now += Duration::seconds(passed);
            }
        }
    }

    async fn db_add(&mut self) {
        let (account, chance) = (self.index(ACCOUNTS), self.below(POISON));
        let is_poison = if self.queue.kind == Kind::Pushes { account == 0 } else { chance == 0 };
        let later = if self.below(4) == 0 { self.below(300).cast_signed() } else { 0 };
        let due = self.now + Duration::seconds(later);
        let id = self.queue.db_add(account, due, self.now).await;
        self.entries.push(Entry {
            id,
            account,
            is_poison,
            due,
            held: None,
            attempts: 0,
            is_over: false,
            done: 0,
        });
    }

    /// How many entries of an account are claimed now.
    fn of_account(&self, account: usize) -> usize {
        if self.queue.kind == Kind::Pushes {
            return usize::from(lasts(self.leases[account], self.now));
        }
        self.entries.iter().filter(|entry| entry.account == account && lasts(entry.held, self.now)).count()
    }

    fn may_be_claimed(&self, entry: &Entry) -> bool {
        let is_due = !entry.is_over && entry.due <= self.now && !lasts(entry.held, self.now);
        is_due && self.of_account(entry.account) < self.queue.kind.at_once()
    }

    async fn claim(&mut self, worker: usize, limit: i64) -> usize {
        let free: HashSet<Uuid> =
            self.entries.iter().filter(|entry| self.may_be_claimed(entry)).map(|entry| entry.id).collect();
        let (kind, now) = (self.queue.kind, self.now);
        let claimed = self.queue.claim(&self.workers[worker], limit, now).await;
        assert!(claimed.len() <= usize::try_from(limit).expect("a limit"));
        assert_eq!(claimed.is_empty(), free.is_empty(), "{kind:?}: of {free:?} at {now}");
        let until = now + kind.lease();
        let count = claimed.len();
        for claimed in claimed {
            let id = claimed.id();
            assert!(free.contains(&id), "{kind:?}: {:?} was claimed at {now}", self.entry(id));
            self.claims += 1;
            let claim = self.claims;
            let entry = self.entry(id);
            assert!(!lasts(entry.held, now), "twice by one claim");
            entry.held = Some((claim, until));
            if let Claimed::Notice(notice) = &claimed {
                entry.attempts = notice.attempts;
            }
            entry.due = if kind == Kind::Webhooks { now + Duration::seconds(30) } else { until };
            let account = entry.account;
            assert!(
                kind != Kind::Pushes || self.of_account(account) == 0,
                "a subscription has one message at a time"
            );
            self.leases[account] = Some((claim, until));
            assert!(self.of_account(account) <= kind.at_once(), "{kind:?}");
            self.held.push(Held { claim, worker, until, claimed });
        }
        count
    }

    fn entry(&mut self, id: Uuid) -> &mut Entry {
        self.entries.iter_mut().find(|entry| entry.id == id).expect("an entry of ours")
    }

    async fn settle(&mut self, held: Held, came: Came) {
        let (kind, now, id) = (self.queue.kind, self.now, held.claimed.id());
        let came = if self.entry(id).is_poison { Came::Failed } else { came };
        let then = self.queue.settle(&held.claimed, came, now).await;
        let entry = self.entry(id);
        let (account, by_this) =
            (entry.account, |lease: Option<Lease>| lease.is_some_and(|(claim, _)| claim == held.claim));
        let is_newest = by_this(entry.held);
        assert!(
            is_newest || entry.is_over || held.until <= now,
            "{kind:?}: {entry:?} was taken away within its lease"
        );
        if matches!(came, Came::Done) && held.until > now {
            entry.done += 1;
            assert_eq!(entry.done, 1, "{kind:?}: {entry:?}");
        }
        let counts = match &held.claimed {
            Claimed::Notice(notice) => !entry.is_over && notice.attempts == entry.attempts,
            Claimed::Webhook(_) => is_newest,
            Claimed::Push(_) => by_this(self.leases[account]),
        };
        let entry = self.entry(id);
        assert!(!counts || is_newest || !lasts(entry.held, now), "{kind:?}: {entry:?} was overruled");
        // What was sent was sent, whoever has it now.
        if then == Then::Over && (counts || (matches!(came, Came::Done) && kind != Kind::Webhooks)) {
            (entry.is_over, entry.held) = (true, None);
        }
        if !counts {
            return;
        }
        entry.held = None;
        if let Then::Due(at) = then {
            entry.due = at;
            entry.attempts -= i16::from(matches!(came, Came::Waits(_)));
        }
        if kind == Kind::Pushes {
            self.leases[account] = None;
        }
        if let (Kind::Pushes, Came::Failed, Then::Due(at)) = (kind, came, then) {
            for entry in self.entries.iter_mut().filter(|entry| entry.account == account) {
                entry.due = entry.due.max(at);
            }
        }
    }

    /// In time everything is done but what always fails.
    async fn drain(&mut self) {
        self.held.clear();
        for _ in 0..200 {
            self.now += Duration::minutes(10);
            while self.claim(0, 16).await > 0 {
                while let Some(held) = self.held.pop() {
                    self.settle(held, Came::Done).await;
                }
            }
            if self.entries.iter().all(|entry| entry.is_over || entry.is_poison) {
                return;
            }
        }
        panic!(
            "these are lost: {:?}",
            self.entries.iter().filter(|entry| !entry.is_over).collect::<Vec<_>>()
        );
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn every_entry_is_done_once_unless_a_lease_has_ended_and_none_is_lost() {
    let (seeds, steps) = samples((3, 200), (40, 600));
    for kind in Kind::ALL {
        for seed in 0..seeds {
            let app = TestApp::start().await;
            let mut model = Model::new(&app, kind, seed).await;
            for _ in 0..steps {
                model.step().await;
            }
            model.drain().await;
            assert!(model.claims > steps / 10, "{kind:?}: hardly anything was claimed");
        }
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn what_several_workers_claim_at_the_same_time_each_has_alone() {
    for kind in Kind::ALL {
        let app = TestApp::start().await;
        let mut model = Model::new(&app, kind, 0).await;
        let entries = samples(60, 400);
        let mut all = HashSet::new();
        for _ in 0..entries {
            let (account, id) = (model.queue.accounts.len(), Uuid::now_v7());
            db_account(&mut model.queue.connection, id).await;
            model.queue.accounts.push(id);
            all.insert(model.queue.db_add(account, model.now, model.now).await);
        }
        let now = model.now;
        let app = &app;
        let claim = |times: usize| async move {
            let (database, worker) = (app.app.database.clone(), Worker::default());
            let connection = database.get().await.expect("a connection");
            let mut queue = Queue { kind, database, connection, accounts: Vec::new() };
            let mut ids = Vec::new();
            for _ in 0..times {
                ids.extend(queue.claim(&worker, 4, now).await.iter().map(Claimed::id));
            }
            ids
        };
        let at_once = (0..WORKERS).map(|_| claim(entries / 4));
        let mut claimed: Vec<Uuid> = futures_util::future::join_all(at_once).await.concat();
        // What others are about to claim is left out, so something may be left at the end.
        claimed.extend(claim(entries / 4).await);
        assert_eq!(claimed.len(), all.len(), "{kind:?}");
        assert_eq!(claimed.into_iter().collect::<HashSet<_>>(), all, "{kind:?}");
    }
}
