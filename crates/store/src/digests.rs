//! Daily digests: when they are due, and the news that they tell instead of mails of their own.

use diesel::prelude::*;
use diesel::sql_types::{Array, BigInt, Bool, Nullable, SmallInt, Text, Timestamptz, Uuid as SqlUuid};
use diesel_async::{AsyncConnection, AsyncPgConnection, RunQueryDsl};
use time::OffsetDateTime;
use uuid::Uuid;

use super::database::Database;
use super::error::StoreError;
use super::notices::{self, NewNotice, NoticeKind};
use super::numbers::Seq;

/// A digest that is due.
#[derive(Clone, Debug, PartialEq, Eq, QueryableByName)]
pub struct DueDigest {
    #[diesel(sql_type = SqlUuid)]
    pub player_id: Uuid,
    #[diesel(sql_type = Text)]
    pub zone: String,
    #[diesel(sql_type = SmallInt)]
    pub digest_minute: i16,
    /// Whether there is to be another one: after a change of preferences the last one still tells what waits for it.
    #[diesel(sql_type = Bool)]
    pub goes_on: bool,
}

/// The digests that are due: `$1` now, `$2` how many. An `exists` might be answered by reading the preferences of all games.
pub const DUE_DIGESTS: &str = "
select player_id, zone, digest_minute,
    turns = 'digest' or digest_problem or (games and digest_games) or (invitations and digest_invitations)
    or coalesce((select true from game_preferences g where g.player_id = w.player_id and g.turns = 'digest' limit 1), false) as goes_on
from player_preferences w
where digest_at <= $1 order by digest_at limit $2 for update skip locked";

/// Skips the players' waiting digests: `$1` the players, `$2` now.
pub const OVERTAKE_DIGESTS: &str = "
update notices set state = 'skipped', reason = 'overtaken by events', finished_at = $2
where player_id = any($1) and kind = 'digest' and state = 'waiting' returning id";

/// News of digests that were sent, or given up, go: `$1` the players, `$2` their digests that were overtaken.
pub const FORGET_TOLD_NEWS: &str = "
delete from digest_news where player_id = any($1) and digest_id is not null and digest_id <> all($2)";

/// What waits goes into the new digests, and what overtaken ones did not tell: `$1` the players, `$2` their new digests.
pub const GIVE_NEWS: &str = "
update digest_news n set digest_id = d.id
from unnest($1, $2) as d (player_id, id) where n.player_id = d.player_id";

/// Plans the next digests: `$1` players, `$2` times.
pub const PLAN_DIGESTS: &str = "
update player_preferences w set digest_at = n.digest_at
from unnest($1, $2) as n (player_id, digest_at) where w.player_id = n.player_id";

/// Queues the digests that are due at `now`, at most `limit`, and plans each player's next one with `next`. A new digest replaces
/// a waiting one. Returns how many were queued.
pub async fn queue(
    database: &Database,
    now: OffsetDateTime,
    limit: i64,
    next: impl Fn(&DueDigest) -> OffsetDateTime + Send + Sync,
) -> Result<usize, StoreError> {
    let mut connection = database.get_for_writing().await?;
    let queued = connection.transaction::<usize, StoreError, _>(async |connection| {
        let due = diesel::sql_query(DUE_DIGESTS).bind::<Timestamptz, _>(now).bind::<BigInt, _>(limit);
        let due: Vec<DueDigest> = due.load(connection).await?;
        if due.is_empty() {
            return Ok(0);
        }
        let players: Vec<Uuid> = due.iter().map(|due| due.player_id).collect();
        let digest = |player: &Uuid| NewNotice::to_player(NoticeKind::Digest, *player, now);
        let digests: Vec<NewNotice> = players.iter().map(digest).collect();
        pass_news_on(connection, &players, &digests, now).await?;
        notices::insert(connection, &digests).await?;
        let planned: Vec<Option<OffsetDateTime>> =
            due.iter().map(|due| due.goes_on.then(|| next(due))).collect();
        let plan = diesel::sql_query(PLAN_DIGESTS).bind::<Array<SqlUuid>, _>(&players);
        plan.bind::<Array<Nullable<Timestamptz>>, _>(planned).execute(connection).await?;
        Ok(due.len())
    });
    queued.await
}

/// Gives the new digests all that has not been told.
async fn pass_news_on(
    connection: &mut AsyncPgConnection,
    players: &[Uuid],
    digests: &[NewNotice],
    now: OffsetDateTime,
) -> Result<(), StoreError> {
    #[derive(QueryableByName)]
    struct Overtaken {
        #[diesel(sql_type = SqlUuid)]
        id: Uuid,
    }
    let overtake = diesel::sql_query(OVERTAKE_DIGESTS).bind::<Array<SqlUuid>, _>(players);
    let overtaken: Vec<Overtaken> = overtake.bind::<Timestamptz, _>(now).load(connection).await?;
    let overtaken: Vec<Uuid> = overtaken.into_iter().map(|digest| digest.id).collect();
    let forget = diesel::sql_query(FORGET_TOLD_NEWS).bind::<Array<SqlUuid>, _>(players);
    forget.bind::<Array<SqlUuid>, _>(overtaken).execute(connection).await?;
    let digests: Vec<Uuid> = digests.iter().map(|digest| digest.id).collect();
    let give = diesel::sql_query(GIVE_NEWS).bind::<Array<SqlUuid>, _>(players);
    give.bind::<Array<SqlUuid>, _>(digests).execute(connection).await?;
    Ok(())
}

/// Lets a notice wait for a digest that is planned: `$1` the notice, `$2` the player.
const KEEP: &str = "
with planned as (
    select player_id from player_preferences where player_id = $2 and digest_at is not null for share
), kept as (
    insert into digest_news (notice_id, player_id) select $1, player_id from planned on conflict do nothing
)
select exists (select from planned) as is_so";

#[derive(QueryableByName)]
struct Answer {
    #[diesel(sql_type = Bool)]
    is_so: bool,
}

/// Lets a notice wait for its player's next digest; once, however often it is said. False if no digest is planned: the player's
/// preferences have changed meanwhile.
///
/// # Errors
/// The database failed.
pub async fn keep(database: &Database, notice_id: Uuid, player_id: Uuid) -> Result<bool, StoreError> {
    let mut connection = database.get().await?;
    let keep = diesel::sql_query(KEEP).bind::<SqlUuid, _>(notice_id).bind::<SqlUuid, _>(player_id);
    Ok(keep.get_result::<Answer>(&mut connection).await?.is_so)
}

/// What a player's preferences do not tell of the player's digests.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, QueryableByName)]
pub struct Digested {
    /// Whether there is to be one whatever the preferences for all games are: for a game, or for what waits for it.
    #[diesel(sql_type = Bool)]
    pub is_needed: bool,
    /// When the newest was sent, or made if it waits.
    #[diesel(sql_type = Nullable<Timestamptz>)]
    pub last_at: Option<OffsetDateTime>,
}

/// [`Digested`] of the player `$1`.
pub const DIGESTED: &str = "
select exists (select from game_preferences where player_id = $1 and turns = 'digest')
        or exists (select from digest_news where player_id = $1 and digest_id is null) as is_needed,
    greatest(
        (select max(finished_at) from notices where player_id = $1 and kind = 'digest' and state = 'sent'),
        (select max(created_at) from notices where player_id = $1 and kind = 'digest' and state = 'waiting')
    ) as last_at";

/// What has to be known of a player's digests to plan the next.
pub(super) async fn digested(connection: &mut AsyncPgConnection, player_id: Uuid) -> QueryResult<Digested> {
    diesel::sql_query(DIGESTED).bind::<SqlUuid, _>(player_id).get_result(connection).await
}

/// Forgets what waits for a player's digests.
pub(super) async fn forget(connection: &mut AsyncPgConnection, player_id: Uuid) -> QueryResult<usize> {
    let forget = diesel::sql_query("delete from digest_news where player_id = $1");
    forget.bind::<SqlUuid, _>(player_id).execute(connection).await
}

/// A notice that a digest tells.
#[derive(Clone, Debug, PartialEq, Eq, QueryableByName)]
pub struct NewsRow {
    #[diesel(sql_type = SqlUuid)]
    pub id: Uuid,
    #[diesel(sql_type = Text)]
    pub kind: NoticeKind,
    #[diesel(sql_type = Nullable<SqlUuid>)]
    pub game_id: Option<Uuid>,
    #[diesel(sql_type = Nullable<BigInt>)]
    pub seq: Option<Seq>,
    #[diesel(sql_type = Nullable<SqlUuid>)]
    pub from_player_id: Option<Uuid>,
}

/// What a digest tells, oldest first: `$1` the player, `$2` the digest, `$3` how many.
pub const NEWS_OF_DIGEST: &str = "
select n.id, n.kind, n.game_id, n.seq, n.from_player_id
from digest_news d join notices n on n.id = d.notice_id
where d.player_id = $1 and d.digest_id = $2 order by n.id limit $3";

/// What a player's digest has beside news.
#[derive(Clone, Copy, Debug, PartialEq, Eq, QueryableByName)]
pub struct DigestParts {
    /// The games that wait for the player.
    #[diesel(sql_type = Bool)]
    pub turns: bool,
    /// The problem of the day.
    #[diesel(sql_type = Bool)]
    pub problem: bool,
}

/// What the digest of the player `$1` has; the problem, unless a digest was sent since `$2`, when the day began.
pub const PARTS_OF_DIGEST: &str = "
select exists (select from player_preferences where player_id = $1 and turns = 'digest')
        or exists (select from game_preferences where player_id = $1 and turns = 'digest') as turns,
    exists (select from player_preferences where player_id = $1 and digest_problem)
        and not exists (select from notices where player_id = $1 and kind = 'digest' and state = 'sent' and finished_at >= $2) as problem";

/// The news that a digest of the player tells on the day that began at `day`, oldest first, and what it has beside them.
///
/// # Errors
/// The database failed.
pub async fn contents(
    database: &Database,
    player_id: Uuid,
    digest_id: Uuid,
    day: OffsetDateTime,
    limit: i64,
) -> Result<(Vec<NewsRow>, DigestParts), StoreError> {
    let mut connection = database.get().await?;
    let news = diesel::sql_query(NEWS_OF_DIGEST).bind::<SqlUuid, _>(player_id);
    let news = news.bind::<SqlUuid, _>(digest_id).bind::<BigInt, _>(limit).load(&mut connection).await?;
    let parts = diesel::sql_query(PARTS_OF_DIGEST).bind::<SqlUuid, _>(player_id).bind::<Timestamptz, _>(day);
    Ok((news, parts.get_result(&mut connection).await?))
}
