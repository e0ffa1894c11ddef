//! Claims due notices: each once, fairly among accounts and classes, with everything needed to address them.

mod statement;

use diesel::prelude::*;
use diesel::sql_types::{Array, BigInt, Bool, Int2, Integer, Nullable, Text, Timestamptz, Uuid as SqlUuid};
use diesel_async::RunQueryDsl;
use time::OffsetDateTime;
use uuid::Uuid;

use super::low_water::LowWaterMarks;
use super::{NoticeClass, NoticeKind};
use crate::named::statement;
use crate::numbers::Seq;
use crate::preferences::TurnMails;
use crate::push_subscriptions::MAX_SUBSCRIPTIONS;
use crate::{Connection, StoreError, Topology, citus};

pub use statement::{CLAIM, WAKE};
pub(crate) use statement::{claimed, claimed_notices, waiting_accounts};

/// A claimed notice with everything needed to address it. The fields are in the order of [`CLAIM`].
#[derive(Clone, Debug, Queryable)]
#[allow(clippy::struct_excessive_bools, reason = "the columns of a row")]
pub struct ClaimedNotice {
    pub id: Uuid,
    pub kind: NoticeKind,
    /// Including this one.
    pub attempts: i16,
    pub player_id: Option<Uuid>,
    /// Of an invitation to somebody without an account.
    pub address: Option<String>,
    pub game_id: Option<Uuid>,
    pub seq: Option<Seq>,
    pub from_player_id: Option<Uuid>,
    /// Whether it does not wait for the end of quiet hours.
    pub urgent: bool,
    pub created_at: OffsetDateTime,
    /// The player's; `None` when there is no such player (any more).
    pub handle: Option<String>,
    pub email: Option<String>,
    pub email_confirmed: bool,
    pub mail_enabled: bool,
    pub preferences: RecipientPreferences,
    /// The notice whose mail begins the thread about the game.
    pub thread_root: Option<Uuid>,
    /// Whether the address has declined invitations.
    pub declined: bool,
    /// The link's; `None` when there is no such link (any more).
    pub link_id: Option<Uuid>,
    pub link_email: Option<String>,
    pub link_expires_at: Option<OffsetDateTime>,
    pub link_used: bool,
    /// The account that has confirmed the link's address, if it is another one.
    pub holder: Option<AddressHolder>,
    /// The oldest slot that had something to claim.
    pub oldest_slot: i64,
}

impl ClaimedNotice {
    /// Whose share of the outbox it is part of; the table computes the same.
    #[must_use]
    pub fn account(&self) -> Uuid {
        self.from_player_id.or(self.player_id).unwrap_or(self.id)
    }
}

/// Somebody who has confirmed an address.
#[derive(Clone, Debug, PartialEq, Eq, Queryable)]
pub struct AddressHolder {
    pub player_id: Uuid,
    pub handle: String,
    pub email: String,
    pub email_key: String,
    pub language: String,
    pub zone: String,
}

/// How the player wants to be told, in the notice's game.
#[derive(Clone, Debug, Queryable)]
#[allow(clippy::struct_excessive_bools, reason = "the columns of a row")]
pub struct RecipientPreferences {
    pub language: String,
    pub zone: String,
    pub turns: TurnMails,
    pub reminders: bool,
    pub games: bool,
    pub invitations: bool,
    pub messages: bool,
    pub digest_games: bool,
    pub digest_invitations: bool,
    pub quiet_from: Option<i16>,
    pub quiet_until: Option<i16>,
}

/// The least number of notices of each class in a claim, if so many wait: no class starves.
const OF_EACH_CLASS: i64 = 8;

/// How many delayed notices become ready at once.
const WOKEN_AT_ONCE: i64 = 512;

/// How many slots a claim looks at, beginning with the oldest. A backlog of this many slots is shared fairly.
const OLDEST_SLOTS: i32 = 8;

/// How many further slots a claim looks at, beginning with the newest: what has just come does not wait for a longer backlog.
const NEWEST_SLOTS: i32 = 2;

/// Parameters of a claim.
pub struct ClaimRequest<'a> {
    pub now: OffsetDateTime,
    /// The end of the lease.
    pub lease_until: OffsetDateTime,
    pub limit: i64,
    /// The classes, each with the account after which it begins.
    pub starts: &'a [(NoticeClass, Uuid)],
    /// The kinds of notices that come by web push; none if this server sends nothing so.
    pub pushed: &'a [NoticeKind],
}

/// Claims due notices, in the order in which to send them.
///
/// # Errors
/// A statement fails.
pub async fn claim(
    connection: &mut Connection,
    topology: Topology,
    wanted: &ClaimRequest<'_>,
    marks: &LowWaterMarks,
) -> Result<Vec<ClaimedNotice>, StoreError> {
    let (first_slot, due_from) = marks.begin(connection, wanted.now).await?;
    Wake { now: wanted.now, due_from, limit: WOKEN_AT_ONCE }.execute(connection).await?;
    let (classes, after) = wanted.starts.iter().map(|(class, after)| (*class as i16, *after)).unzip();
    let pushed = wanted.pushed.iter().map(|kind| kind.as_str()).collect();
    let claim = Claim {
        classes,
        after,
        limit: wanted.limit,
        of_each_class: OF_EACH_CLASS,
        lease_until: wanted.lease_until,
        now: wanted.now,
        pushed,
        first_slot,
        oldest_slots: OLDEST_SLOTS,
        newest_slots: NEWEST_SLOTS,
        most_subscriptions: MAX_SUBSCRIPTIONS,
    };
    let claimed: Vec<ClaimedNotice> = match topology {
        Topology::Plain => claim.load(connection).await?,
        Topology::Citus => citus::claiming::claim(connection, claim).await?,
    };
    if let [first, ..] = claimed.as_slice() {
        marks.found(first.oldest_slot);
    }
    marks.look(connection, wanted.now).await?;
    Ok(claimed)
}

statement! {
    /// [`WAKE`] with its values.
    struct Wake(WAKE) {
        now: OffsetDateTime = Timestamptz,
        due_from: OffsetDateTime = Timestamptz,
        limit: i64 = BigInt,
    }
}

statement! {
    /// [`CLAIM`] with its values.
    pub(crate) struct Claim(CLAIM) -> ClaimedColumns {
        classes: Vec<i16> = Array<Int2>,
        after: Vec<Uuid> = Array<SqlUuid>,
        limit: i64 = BigInt,
        of_each_class: i64 = BigInt,
        lease_until: OffsetDateTime = Timestamptz,
        now: OffsetDateTime = Timestamptz,
        pushed: Vec<&'static str> = Array<Text>,
        first_slot: i64 = BigInt,
        oldest_slots: i32 = Integer,
        newest_slots: i32 = Integer,
        most_subscriptions: i64 = BigInt,
    }
}

type NullableId = Nullable<SqlUuid>;
type NullableText = Nullable<Text>;
type PreferenceColumns =
    (Text, Text, Text, Bool, Bool, Bool, Bool, Bool, Bool, Nullable<Int2>, Nullable<Int2>);
pub(crate) type ClaimedColumns = (
    SqlUuid,
    Text,
    Int2,
    NullableId,
    NullableText,
    NullableId,
    Nullable<BigInt>,
    NullableId,
    Bool,
    Timestamptz,
    NullableText,
    NullableText,
    Bool,
    Bool,
    PreferenceColumns,
    NullableId,
    Bool,
    NullableId,
    NullableText,
    Nullable<Timestamptz>,
    Bool,
    Nullable<HolderColumns>,
    BigInt,
);
type HolderColumns = (SqlUuid, Text, Text, Text, Text, Text);
