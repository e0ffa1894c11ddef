//! What waits to be sent by web push: claimed by subscription, one message of each at a time, and settled one by one.

use std::sync::LazyLock;

use diesel::prelude::*;
use diesel::sql_types::{BigInt, Bool, Bytea, Int2, Nullable, Text, Timestamptz, Uuid as SqlUuid};
use diesel_async::{AsyncConnection, RunQueryDsl};
use time::OffsetDateTime;
use uuid::Uuid;

use super::database::{Connection, Database};
use super::error::StoreError;
use super::notices::NoticeKind;
use super::numbers::Seq;
use super::push_subscriptions::in_force;
use super::queue::{DueMark, LeasedTable};
use super::schema::{push_messages, push_subscriptions};

/// The oldest message of each subscription is claimed. The row of the subscription is locked with it and has the lease, so a message is
/// never claimed twice, and none of a subscription before the one before it is settled.
const QUEUE: LeasedTable = LeasedTable {
    name: "push_messages",
    join: "join push_subscriptions s on s.id = q.subscription_id",
    key: &["subscription_id", "notice_id"],
    due_at: "next_attempt_at",
    indexed: "true",
    free: "(s.leased_until is null or s.leased_until <= $1)",
    account: "subscription_id",
    claimed: "0",
    at_once: 1,
    lease: "next_attempt_at = $2",
};

/// What is told of claimed messages.
const TELL: &str = concat!(
    ", leased as (
    update push_subscriptions s set leased_until = $2 from claimed c where s.id = c.subscription_id
)
select c.subscription_id, c.notice_id, $2 as lease_until, s.player_id, s.sealed, s.failures, s.failing_since, s.rate_free_at,
    ",
    in_force!("s", "$1"),
    " as in_force,
    n.kind, n.game_id, n.seq, n.from_player_id, n.urgent, n.created_at,
    exists (
        select from push_messages o join notices on notices.id = o.notice_id
        where o.subscription_id = c.subscription_id and notices.game_id = n.game_id and notices.class = 2 and n.class = 2 and notices.id > n.id
    ) as overtaken,
    coalesce(w.language, 'en') as language, coalesce(w.zone, 'UTC') as zone, w.quiet_from, w.quiet_until,
    coalesce(g.push, w.push_turns, true) as push_turns, coalesce(g.push, w.push_reminders, true) as push_reminders,
    coalesce(g.push, w.push_games, true) as push_games, coalesce(w.push_invitations, true) as push_invitations,
    coalesce(g.push, w.push_messages, false) as push_messages
from claimed c
join push_subscriptions s on s.id = c.subscription_id
left join notices n on n.id = c.notice_id
left join player_preferences w on w.player_id = s.player_id
left join game_preferences g on g.player_id = s.player_id and g.game_id = n.game_id"
);

/// Claims messages that are due.
pub static CLAIM: LazyLock<String> = LazyLock::new(|| QUEUE.claim() + TELL);

/// A claimed message with all that decides about it.
#[derive(Clone, Debug, QueryableByName)]
#[allow(clippy::struct_excessive_bools, reason = "the columns of a row")]
pub struct ClaimedPush {
    #[diesel(sql_type = SqlUuid)]
    pub subscription_id: Uuid,
    #[diesel(sql_type = SqlUuid)]
    pub notice_id: Uuid,
    /// What tells this claim from others.
    #[diesel(sql_type = Timestamptz)]
    pub lease_until: OffsetDateTime,
    #[diesel(sql_type = SqlUuid)]
    pub player_id: Uuid,
    #[diesel(sql_type = Bytea)]
    pub sealed: Vec<u8>,
    #[diesel(sql_type = Int2)]
    pub failures: i16,
    #[diesel(sql_type = Nullable<Timestamptz>)]
    pub failing_since: Option<OffsetDateTime>,
    #[diesel(sql_type = Timestamptz)]
    pub rate_free_at: OffsetDateTime,
    /// Whether what the subscription was made with has not ended.
    #[diesel(sql_type = Bool)]
    pub in_force: bool,
    /// The notice's, as all that follows; `None` if there is no such notice any more.
    #[diesel(sql_type = Nullable<Text>)]
    pub kind: Option<NoticeKind>,
    #[diesel(sql_type = Nullable<SqlUuid>)]
    pub game_id: Option<Uuid>,
    #[diesel(sql_type = Nullable<BigInt>)]
    pub seq: Option<Seq>,
    #[diesel(sql_type = Nullable<SqlUuid>)]
    pub from_player_id: Option<Uuid>,
    #[diesel(sql_type = Nullable<Bool>)]
    pub urgent: Option<bool>,
    #[diesel(sql_type = Nullable<Timestamptz>)]
    pub created_at: Option<OffsetDateTime>,
    /// Whether a newer message about the same game asks the player to act.
    #[diesel(sql_type = Bool)]
    pub overtaken: bool,
    /// The player's.
    #[diesel(sql_type = Text)]
    pub language: String,
    #[diesel(sql_type = Text)]
    pub zone: String,
    #[diesel(sql_type = Nullable<Int2>)]
    pub quiet_from: Option<i16>,
    #[diesel(sql_type = Nullable<Int2>)]
    pub quiet_until: Option<i16>,
    #[diesel(sql_type = Bool)]
    pub push_turns: bool,
    #[diesel(sql_type = Bool)]
    pub push_reminders: bool,
    #[diesel(sql_type = Bool)]
    pub push_games: bool,
    #[diesel(sql_type = Bool)]
    pub push_invitations: bool,
    #[diesel(sql_type = Bool)]
    pub push_messages: bool,
}

/// What came of a claimed message.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SettledPush {
    /// The push service has it. `not_before`: nothing else is sent before, because much was sent.
    Sent { rate_free_at: OffsetDateTime, not_before: OffsetDateTime },
    /// It need not be told, or never can be.
    Dropped,
    /// It waits until then, by itself.
    Waits(OffsetDateTime),
    /// The subscription failed, so all its messages wait.
    Failed { failing_since: OffsetDateTime, not_before: OffsetDateTime },
    /// The subscription has ended.
    Ended,
}

/// Claims messages that are due; nobody else gets them, nor others of their subscriptions, until the lease is over. It begins at `mark`.
///
/// # Errors
/// The database failed.
pub async fn claim(
    connection: &mut Connection,
    now: OffsetDateTime,
    lease_until: OffsetDateTime,
    limit: i64,
    mark: &DueMark,
) -> Result<Vec<ClaimedPush>, StoreError> {
    let from = mark.begin(connection, &QUEUE.look(), now).await?;
    let claim = diesel::sql_query(CLAIM.as_str())
        .bind::<Timestamptz, _>(now)
        .bind::<Timestamptz, _>(lease_until)
        .bind::<BigInt, _>(limit)
        .bind::<Timestamptz, _>(from);
    Ok(claim.load(&mut **connection).await?)
}

/// Records what came of a claimed message, and ends the claim. If the lease is over, only what is final counts: another worker may have
/// the subscription.
///
/// # Errors
/// The database failed. The message is claimed again after the lease.
pub async fn settle(
    database: &Database,
    claimed: &ClaimedPush,
    settled: SettledPush,
    now: OffsetDateTime,
) -> Result<(), StoreError> {
    let mut connection = database.get_for_writing().await?;
    let done = connection.transaction::<(), StoreError, _>(async |connection| {
        let of_subscription = push_subscriptions::table.find(claimed.subscription_id);
        if settled == SettledPush::Ended {
            diesel::delete(of_subscription).execute(connection).await?;
            return Ok(());
        }
        let ours =
            diesel::update(of_subscription.filter(push_subscriptions::leased_until.eq(claimed.lease_until)));
        let free = push_subscriptions::leased_until.eq(None::<OffsetDateTime>);
        let changed = match settled {
            SettledPush::Sent { rate_free_at, not_before } => {
                let well = (
                    free,
                    push_subscriptions::failures.eq(0_i16),
                    push_subscriptions::failing_since.eq(None::<OffsetDateTime>),
                    push_subscriptions::last_sent_at.eq(Some(now)),
                    push_subscriptions::rate_free_at.eq(rate_free_at),
                    push_subscriptions::not_before.eq(not_before),
                );
                ours.set(well).execute(connection).await?
            }
            SettledPush::Failed { failing_since, not_before } => {
                let failed = (
                    free,
                    push_subscriptions::failures.eq(push_subscriptions::failures + 1_i16),
                    push_subscriptions::failing_since.eq(Some(failing_since)),
                    push_subscriptions::not_before.eq(not_before),
                );
                ours.set(failed).execute(connection).await?
            }
            _ => ours.set(free).execute(connection).await?,
        };
        let message = push_messages::table.find((claimed.subscription_id, claimed.notice_id));
        match settled {
            SettledPush::Waits(until) | SettledPush::Failed { not_before: until, .. } if changed > 0 => {
                let until = push_messages::next_attempt_at.eq(until);
                diesel::update(message).set(until).execute(connection).await?;
            }
            SettledPush::Sent { .. } | SettledPush::Dropped => {
                diesel::delete(message).execute(connection).await?;
            }
            _ => {}
        }
        if let SettledPush::Failed { not_before, .. } | SettledPush::Sent { not_before, .. } = settled
            && changed > 0
            && not_before > now
        {
            let earlier = push_messages::table
                .filter(push_messages::subscription_id.eq(claimed.subscription_id))
                .filter(push_messages::next_attempt_at.lt(not_before));
            let until = push_messages::next_attempt_at.eq(not_before);
            diesel::update(earlier).set(until).execute(connection).await?;
        }
        Ok(())
    });
    done.await
}
