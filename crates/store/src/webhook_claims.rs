//! Claims webhooks that may have something to deliver, and keeps how far each has come. A claim is a lease: whoever has it delivers
//! alone, and what it writes counts only while it has it.

use std::sync::LazyLock;

use diesel::prelude::*;
use diesel::sql_types::{Array, BigInt, Timestamptz, Uuid as SqlUuid};
use diesel_async::{AsyncConnection, AsyncPgConnection, RunQueryDsl};
use time::OffsetDateTime;
use uuid::Uuid;

use super::changes::Changes;
use super::database::{Connection, Database};
use super::error::StoreError;
use super::event_id::EventId;
use super::notices::{self, NewNotice};
use super::numbers::FeedPosition;
use super::queue::{DueMark, LeasedTable};
use super::schema::{player_preferences, webhooks};
use super::tournaments::events;
use super::webhook_deliveries::{self, DeliveryRow};
use super::webhook_messages;
use super::webhooks::{WebhookRow, WebhookState};

/// The most webhooks that one statement wakes.
const MAX_WOKEN: i64 = 5000;

/// Lets workers look at webhooks of players of the games `$1`, or of the players `$1`, now. Those that wait to be tried again wait on.
/// They are locked in one order, so that the workers of two processes do not wait for each other.
pub const WAKE: &str = "
with moved as (
    select w.id from webhooks w where w.player_id = any ($1) and w.state = 'active'
    union
    select w.id from game_players p join webhooks w on w.player_id = p.player_id
    where p.game_id = any ($1) and w.state = 'active' and (w.game_id is null or w.game_id = p.game_id)
), waiting as (
    select h.id from webhooks h
    where h.id = any (array(select id from moved)) and h.state = 'active' and h.failing_since is null and h.look_at > $2
    order by h.id for update
)
update webhooks w set look_at = $2 from waiting where w.id = waiting.id";

/// The same for all, when nobody knows which games have moved.
const WAKE_ALL: &str = "
update webhooks w set look_at = $1
from (
    select id from webhooks where state = 'active' and failing_since is null and look_at > $1
    order by look_at limit $2 for update skip locked
) waiting
where w.id = waiting.id";

/// Webhooks are claimed, so many of each player at once. `$5` is what tells a claim from others, `$6` when to look again if nobody wakes
/// them.
const QUEUE: LeasedTable = LeasedTable {
    name: "webhooks",
    join: "",
    key: &["id"],
    due_at: "look_at",
    indexed: "q.state = 'active'",
    free: "(q.leased_until is null or q.leased_until <= $1)",
    account: "player_id",
    claimed: "(select count(*) from webhooks o where o.player_id = {account} and o.lease is not null and o.leased_until > $1)",
    at_once: MAX_OF_PLAYER,
    lease: "lease = $5, leased_until = $2, look_at = $6",
};

/// Claims webhooks that are due.
pub static CLAIM: LazyLock<String> = LazyLock::new(|| format!("{} select id from claimed", QUEUE.claim()));

/// The most webhooks of a player that are delivered to at once: the others wait, and take no places from other players.
pub const MAX_OF_PLAYER: i64 = 2;

/// A claim of webhooks.
#[derive(Clone, Copy, Debug)]
pub struct WantedWebhooks {
    pub now: OffsetDateTime,
    /// What tells this claim from others.
    pub lease: Uuid,
    pub lease_until: OffsetDateTime,
    /// When to look again if nobody wakes them.
    pub next_look: OffsetDateTime,
    pub limit: i64,
}

/// A claimed webhook.
#[derive(Clone, Debug)]
pub struct ClaimedWebhook {
    pub webhook: WebhookRow,
    /// What tells this claim from others.
    pub lease: Uuid,
    pub failures: i16,
    /// The language of its player.
    pub language: Option<String>,
}

/// What is stored for a webhook until it is told.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Awaited {
    /// A message at the table.
    Message(Uuid),
    TournamentEvent(EventId),
}

/// Where a webhook stands after an attempt, or after a look.
#[derive(Clone, Debug)]
pub struct WebhookStep {
    pub id: Uuid,
    pub lease: Uuid,
    pub cursor: FeedPosition,
    pub delivery: Option<DeliveryRow>,
    /// What waited for this webhook alone and has been delivered.
    pub told: Option<Awaited>,
    pub then: NextLook,
}

/// What comes next for a webhook.
#[derive(Clone, Debug)]
pub enum NextLook {
    /// The attempt succeeded, and the claim lasts.
    GoOn,
    /// The claim ends; others look then, or as they would have.
    Release { look_at: Option<OffsetDateTime> },
    /// The attempt failed and is made again then.
    Retry { failures: i16, failing_since: OffsetDateTime, look_at: OffsetDateTime },
    /// Nothing is sent any more, and the player is told.
    Disable { failing_since: OffsetDateTime, notice: Box<NewNotice> },
}

/// Wakes the webhooks that changes concern.
///
/// # Errors
/// The database failed.
pub async fn wake(database: &Database, changes: &Changes, now: OffsetDateTime) -> Result<usize, StoreError> {
    let mut connection = database.get_for_all_nodes().await?;
    Ok(match changes {
        Changes::Some(ids) if ids.is_empty() => 0,
        Changes::Some(ids) => {
            let ids: Vec<Uuid> = ids.iter().copied().collect();
            let wake = diesel::sql_query(WAKE).bind::<Array<SqlUuid>, _>(ids).bind::<Timestamptz, _>(now);
            wake.execute(&mut connection).await?
        }
        Changes::All => {
            let wake = diesel::sql_query(WAKE_ALL).bind::<Timestamptz, _>(now).bind::<BigInt, _>(MAX_WOKEN);
            wake.execute(&mut connection).await?
        }
    })
}

#[derive(QueryableByName)]
struct Claimed {
    #[diesel(sql_type = SqlUuid)]
    id: Uuid,
}

/// Claims webhooks that are due; nobody else gets them until the lease is over. It begins at `mark`.
///
/// # Errors
/// The database failed.
pub async fn claim(
    connection: &mut Connection,
    wanted: &WantedWebhooks,
    mark: &DueMark,
) -> Result<Vec<ClaimedWebhook>, StoreError> {
    let from = mark.begin(connection, &QUEUE.look(), wanted.now).await?;
    let claim = diesel::sql_query(CLAIM.as_str())
        .bind::<Timestamptz, _>(wanted.now)
        .bind::<Timestamptz, _>(wanted.lease_until)
        .bind::<BigInt, _>(wanted.limit)
        .bind::<Timestamptz, _>(from)
        .bind::<SqlUuid, _>(wanted.lease)
        .bind::<Timestamptz, _>(wanted.next_look);
    let claimed: Vec<Claimed> = claim.load(&mut **connection).await?;
    if claimed.is_empty() {
        return Ok(Vec::new());
    }
    let ids: Vec<Uuid> = claimed.into_iter().map(|claimed| claimed.id).collect();
    let rows = webhooks::table
        .left_join(player_preferences::table.on(player_preferences::player_id.eq(webhooks::player_id)))
        .filter(webhooks::id.eq_any(ids).and(webhooks::lease.eq(wanted.lease)))
        .select((WebhookRow::as_select(), webhooks::failures, player_preferences::language.nullable()));
    let rows: Vec<(WebhookRow, i16, Option<String>)> = rows.load(&mut **connection).await?;
    let claimed =
        |(webhook, failures, language)| ClaimedWebhook { webhook, lease: wanted.lease, failures, language };
    Ok(rows.into_iter().map(claimed).collect())
}

/// Keeps the progress of a claimed webhook; false, and nothing is written, if the claim is over or the player has changed the webhook.
///
/// # Errors
/// The database failed.
pub async fn settle(database: &Database, progress: &WebhookStep) -> Result<bool, StoreError> {
    let mut connection = database.get_for_writing().await?;
    let settled = connection.transaction::<bool, StoreError, _>(async |connection| {
        if !move_on(connection, progress).await? {
            return Ok(false);
        }
        match progress.told {
            Some(Awaited::Message(id)) => webhook_messages::remove(connection, progress.id, &[id]).await?,
            Some(Awaited::TournamentEvent(id)) => events::remove(connection, progress.id, id).await?,
            None => {}
        }
        if let Some(delivery) = &progress.delivery {
            webhook_deliveries::keep_in(connection, delivery).await?;
        }
        if let NextLook::Disable { notice, .. } = &progress.then {
            notices::insert(connection, std::slice::from_ref(notice.as_ref())).await?;
        }
        Ok(true)
    });
    settled.await
}

async fn move_on(connection: &mut AsyncPgConnection, progress: &WebhookStep) -> QueryResult<bool> {
    let ours = webhooks::table.find(progress.id).filter(webhooks::lease.eq(progress.lease));
    let update = diesel::update(ours);
    let cursor = webhooks::cursor.eq(progress.cursor);
    let free = (webhooks::lease.eq(None::<Uuid>), webhooks::leased_until.eq(None::<OffsetDateTime>));
    let well = (webhooks::failures.eq(0_i16), webhooks::failing_since.eq(None::<OffsetDateTime>));
    let changed = match &progress.then {
        NextLook::GoOn => update.set((cursor, well)).execute(connection).await?,
        NextLook::Release { look_at } => {
            update.set((cursor, free, look_at.map(|at| webhooks::look_at.eq(at)))).execute(connection).await?
        }
        NextLook::Retry { failures, failing_since, look_at } => {
            let failures = webhooks::failures.eq(*failures);
            let since = webhooks::failing_since.eq(Some(*failing_since));
            update
                .set((cursor, free, failures, since, webhooks::look_at.eq(*look_at)))
                .execute(connection)
                .await?
        }
        NextLook::Disable { failing_since, notice } => {
            let state = webhooks::state.eq(WebhookState::Disabled);
            let since = webhooks::failing_since.eq(Some(*failing_since));
            update
                .set((cursor, free, state, since, webhooks::notice_id.eq(Some(notice.id))))
                .execute(connection)
                .await?
        }
    };
    Ok(changed > 0)
}
