//! Claims webhooks that may have something to deliver, and keeps how far each has come. A claim is a lease: whoever has it delivers
//! alone, and what it writes counts only while it has it.

use diesel::prelude::*;
use diesel::sql_types::{Array, BigInt, Timestamptz, Uuid as SqlUuid};
use diesel_async::{AsyncConnection, AsyncPgConnection, RunQueryDsl};
use time::OffsetDateTime;
use uuid::Uuid;

use super::changes::Changes;
use super::database::{Connection, Database};
use super::due_mark::DueMark;
use super::error::StoreError;
use super::notices::{self, NewNotice};
use super::numbers::FeedPosition;
use super::schema::{player_preferences, webhooks};
use super::webhook_deliveries::{self, DeliveryRow};
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

/// Claims webhooks that are due from `$7` on, so many of each player that no more than `$6` of them are claimed at once.
pub const CLAIM: &str = "
with due as (
    select d.id, d.player_id, d.look_at from webhooks d
    where d.state = 'active' and d.look_at <= $1 and d.look_at >= $7 and (d.leased_until is null or d.leased_until <= $1)
    and (select count(*) from webhooks o where o.player_id = d.player_id and o.lease is not null and o.leased_until > $1) < $6
    order by d.look_at limit $5 for update skip locked
), ranked as (
    select due.id, row_number() over (partition by due.player_id order by due.look_at, due.id)
    + (select count(*) from webhooks o where o.player_id = due.player_id and o.lease is not null and o.leased_until > $1) as place
    from due
)
update webhooks w set lease = $2, leased_until = $3, look_at = $4 from ranked where w.id = ranked.id and ranked.place <= $6
returning w.id";

/// When the first of all active webhooks is looked at, from `$1` on.
const LOOK: &str = "
select look_at as oldest from webhooks where state = 'active' and look_at >= $1 order by look_at limit 1";

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
#[derive(Clone, Debug, Queryable)]
pub struct ClaimedWebhook {
    pub webhook: WebhookRow,
    pub failures: i16,
    /// The language of its player.
    pub language: Option<String>,
}

/// Where a webhook stands after an attempt, or after a look.
#[derive(Clone, Debug)]
pub struct WebhookStep {
    pub id: Uuid,
    pub lease: Uuid,
    pub cursor: FeedPosition,
    pub delivery: Option<DeliveryRow>,
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
    let from = mark.begin(connection, LOOK, wanted.now).await?;
    let claim = diesel::sql_query(CLAIM)
        .bind::<Timestamptz, _>(wanted.now)
        .bind::<SqlUuid, _>(wanted.lease)
        .bind::<Timestamptz, _>(wanted.lease_until)
        .bind::<Timestamptz, _>(wanted.next_look)
        .bind::<BigInt, _>(wanted.limit)
        .bind::<BigInt, _>(MAX_OF_PLAYER)
        .bind::<Timestamptz, _>(from);
    let claimed: Vec<Claimed> = claim.load(&mut **connection).await?;
    if claimed.is_empty() {
        return Ok(Vec::new());
    }
    let ids: Vec<Uuid> = claimed.into_iter().map(|claimed| claimed.id).collect();
    let rows = webhooks::table
        .left_join(player_preferences::table.on(player_preferences::player_id.eq(webhooks::player_id)))
        .filter(webhooks::id.eq_any(ids).and(webhooks::lease.eq(wanted.lease)))
        .select((WebhookRow::as_select(), webhooks::failures, player_preferences::language.nullable()));
    Ok(rows.load(&mut **connection).await?)
}

/// Keeps the progress of a claimed webhook; false, and nothing is written, if the claim is over or the player has changed the webhook.
///
/// # Errors
/// The database failed.
pub async fn settle(database: &Database, progress: &WebhookStep) -> Result<bool, StoreError> {
    let mut connection = database.get().await?;
    let settled = connection.transaction::<bool, StoreError, _>(async |connection| {
        if !move_on(connection, progress).await? {
            return Ok(false);
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
        NextLook::Release { look_at: None } => update.set((cursor, free)).execute(connection).await?,
        NextLook::Release { look_at: Some(at) } => {
            update.set((cursor, free, webhooks::look_at.eq(*at))).execute(connection).await?
        }
        NextLook::Retry { failures, failing_since, look_at } => {
            let set = (
                cursor,
                free,
                webhooks::failures.eq(*failures),
                webhooks::failing_since.eq(Some(*failing_since)),
                webhooks::look_at.eq(*look_at),
            );
            update.set(set).execute(connection).await?
        }
        NextLook::Disable { failing_since, notice } => {
            let set = (
                cursor,
                free,
                webhooks::state.eq(WebhookState::Disabled),
                webhooks::failing_since.eq(Some(*failing_since)),
                webhooks::notice_id.eq(Some(notice.id)),
            );
            update.set(set).execute(connection).await?
        }
    };
    Ok(changed > 0)
}
