//! Claims due notices: each once, fairly among accounts and classes, with everything needed to address them.

use std::sync::LazyLock;

use diesel::pg::Pg;
use diesel::prelude::*;
use diesel::query_builder::{AstPass, Query, QueryFragment, QueryId};
use diesel::sql_types::{Array, BigInt, Bool, Int2, Nullable, Text, Timestamptz, Uuid as SqlUuid};
use diesel_async::{AsyncConnection, RunQueryDsl};
use time::OffsetDateTime;
use uuid::Uuid;

use super::{NoticeClass, NoticeKind, fill};
use crate::store::numbers::Seq;
use crate::store::preferences::TurnMails;
use crate::store::push_subscriptions::MAX_SUBSCRIPTIONS;
use crate::store::{Connection, StoreError, Topology};

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
pub struct RecipientPreferences {
    pub language: String,
    pub zone: String,
    pub turns: TurnMails,
    pub reminders: bool,
    pub games: bool,
    pub invitations: bool,
    pub quiet_from: Option<i16>,
    pub quiet_until: Option<i16>,
}

/// Makes notices whose next attempt is due ready; its values by name.
pub const WAKE: &str = "
update notices n set ready = true
from (
    select id from notices where state = 'waiting' and not ready and next_attempt_at <= {now}
    order by next_attempt_at limit {limit} for update skip locked
) due
where n.id = due.id";

/// Claims ready notices; its values by name. `accounts` jumps by index from one waiting account to the next in each class, from
/// `after` on and then from the start; each contributes its oldest notices up to its share. The batch contains some of each
/// class, and is filled up with notices of the first ones. The first claim of a notice writes its messages for web push.
pub const CLAIM: &str = "
with recursive accounts (class, lap, account, place) as (
    select c.class, l.lap, f.account, 1
    from unnest({classes}) c (class)
    cross join (values (0), (1)) l (lap)
    cross join lateral (
        select n.account from notices n
        where n.state = 'waiting' and n.ready and n.class = c.class
            and n.account > case l.lap when 0 then {after} else '00000000-0000-0000-0000-000000000000'::uuid end
        order by n.account limit 1
    ) f
    where l.lap = 0 or f.account <= {after}
    union all
    select a.class, a.lap, f.account, a.place + 1
    from accounts a
    cross join lateral (
        select n.account from notices n
        where n.state = 'waiting' and n.ready and n.class = a.class and n.account > a.account
        order by n.account limit 1
    ) f
    where a.place < {limit} and (a.lap = 0 or f.account <= {after})
), shares as (
    select class, lap, account, place, 1 + ({limit} - 1) / count(*) over (partition by class) as share from accounts
), offered as (
    select s.class, s.lap, s.place, o.id, o.turn, o.fanned_out
    from shares s
    cross join lateral (
        select w.id, w.fanned_out, row_number() over (order by w.id) as turn
        from (
            select n.id, n.fanned_out from notices n
            where n.state = 'waiting' and n.ready and n.class = s.class and n.account = s.account
            order by n.id limit s.share for update skip locked
        ) w
    ) o
), ranked as (
    select id, fanned_out, class, row_number() over (partition by class order by turn, lap, place) as rank from offered
), due as (
    select id, fanned_out, row_number() over (order by rank > {of_each_class}, class, rank) as place from ranked
    order by place limit {limit}
), claimed as (
    update notices n set next_attempt_at = {lease_until}, attempts = n.attempts + 1, ready = false, fanned_out = true
    from due where n.id = due.id
    returning n.id, n.kind, n.attempts, n.player_id, n.address, n.game_id, n.seq, n.link_id, n.from_player_id, n.urgent, n.class, due.place,
        due.fanned_out
), pushed as (
    insert into push_messages (subscription_id, notice_id, next_attempt_at)
    select s.id, c.id, greatest({now}, s.not_before)
    from claimed c
    cross join lateral (
        select p.id, p.not_before from push_subscriptions p where p.player_id = c.player_id order by p.player_id, p.id limit {most_subscriptions}
        for key share skip locked
    ) s
    where not c.fanned_out and c.kind = any({pushed})
    on conflict do nothing
)
select c.id, c.kind, c.attempts, c.player_id, c.address, c.game_id, c.seq, c.from_player_id, c.urgent,
    p.handle, p.email, p.email_confirmed_at is not null as email_confirmed, coalesce(p.mail_enabled and not p.bot, false) as mail_enabled,
    coalesce(w.language, 'en') as language, coalesce(w.zone, 'UTC') as zone,
    coalesce(g.turns, w.turns, 'each') as turns, coalesce(g.reminders, w.reminders, true) as reminders,
    coalesce(w.games, true) as games, coalesce(w.invitations, true) as invitations, w.quiet_from, w.quiet_until,
    r.id as thread_root, d.email_key is not null as declined,
    l.id as link_id, l.email as link_email, l.expires_at as link_expires_at, l.used_at is not null as link_used,
    h.id as holder_id, h.handle as holder_handle, h.email as holder_email, h.email_key as holder_email_key,
    coalesce(hw.language, 'en') as holder_language, coalesce(hw.zone, 'UTC') as holder_zone
from claimed c
left join players p on p.id = c.player_id
left join player_wishes w on w.player_id = c.player_id
left join game_wishes g on g.player_id = c.player_id and g.game_id = c.game_id
left join notices r on r.game_id = c.game_id and r.player_id = c.player_id and r.seq = 0 and r.kind in ('turn', 'game_started')
left join declined_addresses d on d.email_key = lower(c.address)
left join mail_links l on l.id = c.link_id and l.player_id = c.player_id
left join players h on c.kind = 'confirm_email' and h.email_key = l.email_key and h.email_confirmed_at is not null and h.id <> c.player_id
left join player_wishes hw on hw.player_id = h.id
order by c.class, c.place";

/// The least number of notices of each class in a claim, if so many wait: no class starves.
const OF_EACH_CLASS: i64 = 8;

/// How many delayed notices become ready at once.
const WOKEN_AT_ONCE: i64 = 512;

/// Parameters of a claim.
pub struct Wanted<'a> {
    pub now: OffsetDateTime,
    /// The end of the lease.
    pub lease_until: OffsetDateTime,
    pub limit: i64,
    pub classes: &'a [NoticeClass],
    /// Accounts after this one come first; it differs each time, so that every account gets its turn.
    pub after: Uuid,
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
    wanted: &Wanted<'_>,
) -> Result<Vec<ClaimedNotice>, StoreError> {
    Wake { now: wanted.now }.execute(connection).await?;
    let classes = wanted.classes.iter().map(|class| *class as i16).collect();
    let Wanted { now, lease_until, limit, after, .. } = *wanted;
    let pushed = wanted.pushed.iter().map(|kind| kind.as_str()).collect();
    let claim = Claim { classes, limit, now, lease_until, after, pushed };
    match topology {
        Topology::Plain => Ok(claim.load(connection).await?),
        Topology::Citus => claim_in_parts(connection, claim).await,
    }
}

/// The parts of [`CLAIM`] for a cluster, which plans no recursion over tables that it knows: `notices` alone, what comes by push, and the
/// rest. They are run in one transaction.
static CLAIM_IN_PARTS: LazyLock<[String; 3]> = LazyLock::new(|| {
    let (claimed, rest) = CLAIM.split_once("), pushed as (").expect("what comes by push");
    let (_, answer) = rest.split_once("on conflict do nothing\n)\n").expect("the answer");
    [
        format!("{claimed}) select id, place, fanned_out from claimed order by place"),
        "insert into push_messages (subscription_id, notice_id, next_attempt_at) \
         select s.id, n.id, greatest({now}, s.not_before) \
         from notices n join push_subscriptions s on s.player_id = n.player_id \
         where n.id = any({ids}) and n.kind = any({pushed}) on conflict do nothing"
            .to_owned(),
        format!(
            "with claimed as (select n.*, o.place from notices n \
             join unnest({{ids}}, {{places}}) as o (id, place) on o.id = n.id) {answer}"
        ),
    ]
});

/// [`Claim`] by [`CLAIM_IN_PARTS`].
async fn claim_in_parts(connection: &mut Connection, claim: Claim) -> Result<Vec<ClaimedNotice>, StoreError> {
    let claimed = connection.transaction::<Vec<ClaimedNotice>, StoreError, _>(async |connection| {
        let taken: Vec<(Uuid, i64, bool)> = Taken(&claim).load(connection).await?;
        let new = taken.iter().filter(|(_, _, fanned_out)| !fanned_out);
        let pushed = Pushed { claim: &claim, ids: new.map(|(id, _, _)| *id).collect() };
        if !pushed.ids.is_empty() && !claim.pushed.is_empty() {
            pushed.execute(connection).await?;
        }
        let (ids, places) = taken.iter().map(|(id, place, _)| (*id, *place)).unzip();
        Ok(Answer { ids, places }.load(connection).await?)
    });
    claimed.await
}

struct Taken<'a>(&'a Claim);

struct Pushed<'a> {
    claim: &'a Claim,
    ids: Vec<Uuid>,
}

struct Answer {
    ids: Vec<Uuid>,
    places: Vec<i64>,
}

impl QueryId for Taken<'_> {
    type QueryId = Taken<'static>;
    const HAS_STATIC_QUERY_ID: bool = true;
}

impl Query for Taken<'_> {
    type SqlType = (SqlUuid, BigInt, Bool);
}

impl QueryFragment<Pg> for Taken<'_> {
    fn walk_ast<'b>(&'b self, mut out: AstPass<'_, 'b, Pg>) -> QueryResult<()> {
        fill(&CLAIM_IN_PARTS[0], &mut out, |name, out| self.0.bind(name, out))
    }
}

impl QueryId for Pushed<'_> {
    type QueryId = Pushed<'static>;
    const HAS_STATIC_QUERY_ID: bool = true;
}

impl QueryFragment<Pg> for Pushed<'_> {
    fn walk_ast<'b>(&'b self, mut out: AstPass<'_, 'b, Pg>) -> QueryResult<()> {
        fill(&CLAIM_IN_PARTS[1], &mut out, |name, out| match name {
            "ids" => out.push_bind_param::<Array<SqlUuid>, _>(&self.ids),
            name => self.claim.bind(name, out),
        })
    }
}

impl QueryId for Answer {
    type QueryId = Self;
    const HAS_STATIC_QUERY_ID: bool = true;
}

impl Query for Answer {
    type SqlType = ClaimedColumns;
}

impl QueryFragment<Pg> for Answer {
    fn walk_ast<'b>(&'b self, mut out: AstPass<'_, 'b, Pg>) -> QueryResult<()> {
        fill(&CLAIM_IN_PARTS[2], &mut out, |name, out| match name {
            "ids" => out.push_bind_param::<Array<SqlUuid>, _>(&self.ids),
            "places" => out.push_bind_param::<Array<BigInt>, _>(&self.places),
            _ => unreachable!("the statement names no other value"),
        })
    }
}

/// [`WAKE`] with its values; prepared once for each connection.
#[derive(QueryId)]
struct Wake {
    now: OffsetDateTime,
}

impl QueryFragment<Pg> for Wake {
    fn walk_ast<'b>(&'b self, mut out: AstPass<'_, 'b, Pg>) -> QueryResult<()> {
        fill(WAKE, &mut out, |name, out| match name {
            "now" => out.push_bind_param::<Timestamptz, _>(&self.now),
            "limit" => out.push_bind_param::<BigInt, _>(&WOKEN_AT_ONCE),
            _ => unreachable!("the statement names no other value"),
        })
    }
}

/// [`CLAIM`] with its values; prepared once for each connection.
#[derive(QueryId)]
struct Claim {
    classes: Vec<i16>,
    limit: i64,
    now: OffsetDateTime,
    lease_until: OffsetDateTime,
    after: Uuid,
    pushed: Vec<&'static str>,
}

impl Query for Claim {
    type SqlType = ClaimedColumns;
}

type NullableId = Nullable<SqlUuid>;
type NullableText = Nullable<Text>;
type PreferenceColumns = (Text, Text, Text, Bool, Bool, Bool, Nullable<Int2>, Nullable<Int2>);
type ClaimedColumns = (
    SqlUuid,
    Text,
    Int2,
    NullableId,
    NullableText,
    NullableId,
    Nullable<BigInt>,
    NullableId,
    Bool,
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
);
type HolderColumns = (SqlUuid, Text, Text, Text, Text, Text);

impl QueryFragment<Pg> for Claim {
    fn walk_ast<'b>(&'b self, mut out: AstPass<'_, 'b, Pg>) -> QueryResult<()> {
        fill(CLAIM, &mut out, |name, out| self.bind(name, out))
    }
}

impl Claim {
    fn bind<'b>(&'b self, name: &str, out: &mut AstPass<'_, 'b, Pg>) -> QueryResult<()> {
        match name {
            "classes" => out.push_bind_param::<Array<Int2>, _>(&self.classes),
            "after" => out.push_bind_param::<SqlUuid, _>(&self.after),
            "limit" => out.push_bind_param::<BigInt, _>(&self.limit),
            "of_each_class" => out.push_bind_param::<BigInt, _>(&OF_EACH_CLASS),
            "lease_until" => out.push_bind_param::<Timestamptz, _>(&self.lease_until),
            "now" => out.push_bind_param::<Timestamptz, _>(&self.now),
            "pushed" => out.push_bind_param::<Array<Text>, _>(&self.pushed),
            "most_subscriptions" => out.push_bind_param::<BigInt, _>(&MAX_SUBSCRIPTIONS),
            _ => unreachable!("the statement names no other value"),
        }
    }
}
