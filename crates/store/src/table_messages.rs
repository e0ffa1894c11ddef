//! Messages between the players of a game.

use std::collections::HashSet;

use diesel::dsl::{count_star, min};
use diesel::prelude::*;
use diesel::sql_types::{Array, BigInt, Integer, Text, Timestamptz, Uuid as SqlUuid};
use diesel_async::{AsyncConnection, AsyncPgConnection, RunQueryDsl};
use time::OffsetDateTime;
use uuid::Uuid;

use super::database::Database;
use super::error::StoreError;
use super::named::statement;
use super::numbers::Seq;
use super::schema::{game_players, players, table_messages};
use super::stored_responses::{self, NewStoredResponse, Once};
use super::topology::Topology;
use pippost_record::rules::seat::MAX_SEATS;

/// A message to write.
#[derive(Clone, Debug, Insertable)]
#[diesel(table_name = table_messages)]
pub struct NewMessage {
    pub id: Uuid,
    pub game_id: Uuid,
    pub player_id: Uuid,
    /// The game's newest event at that time.
    pub seq: Seq,
    pub text: String,
    pub created_at: OffsetDateTime,
}

/// A stored message.
#[derive(Clone, Debug, Queryable)]
pub struct MessageRow {
    pub id: Uuid,
    pub player_id: Uuid,
    pub handle: String,
    pub seq: Seq,
    pub text: String,
    pub created_at: OffsetDateTime,
}

/// After a player was told of messages of a game, those of this time are told together.
const TOLD_TOGETHER_SECONDS: i32 = 120;

/// Messages with their writers, as [`MessageRow`] reads them.
macro_rules! rows {
    () => {
        table_messages::table.inner_join(players::table.on(players::id.eq(table_messages::player_id))).select(
            (
                table_messages::id,
                table_messages::player_id,
                players::handle,
                table_messages::seq,
                table_messages::text,
                table_messages::created_at,
            ),
        )
    };
}
pub(super) use rows;

/// Writes what tells `others` of a message. The newest notice of the same game, if nobody has claimed it yet, stands for this message,
/// too; it is locked, so that nobody claims it before the message can be read. Notices stay, so no more than that one is read.
macro_rules! tell {
    () => {
        "heeding as (
    select o.player_id, o.place from others o
    where not exists (select from blocked_inviters b where b.recipient = o.player_id::text and b.inviter_id = {writer})
), wanting as (
    select h.player_id, h.place, l.id as last_id, l.told_at from heeding h
    left join lateral (
        select n.id, coalesce(n.finished_at, {now}) as told_at from notices n where n.player_id = h.player_id and n.game_id = {game} and n.kind = 'message'
        order by n.created_at desc, n.id desc limit 1
    ) l on true
    left join player_preferences w on w.player_id = h.player_id
    left join game_preferences g on g.player_id = h.player_id and g.game_id = {game}
    where coalesce(g.messages, w.messages, false)
        or (coalesce(g.push, w.push_messages, false) and exists (select from push_subscriptions s where s.player_id = h.player_id))
), together as (
    update notices n set created_at = least(n.created_at, {now}), fanned_out = false from wanting w
    where n.id = w.last_id and n.state = 'waiting' and (n.ready or n.attempts = 0 or n.waits_for is not null)
    returning n.player_id
), told as (
    insert into notices (id, kind, player_id, game_id, seq, created_at, state, ready, next_attempt_at)
    select ({notices}::uuid[])[w.place], 'message', w.player_id, {game}, {seq}, {now}, 'waiting', d.due_at <= {now}, d.due_at
    from wanting w cross join lateral (
        select greatest({now}, w.told_at + {pause_seconds} * interval '1 second') as due_at
    ) d
    where not exists (select from together t where t.player_id = w.player_id)
)
insert into webhook_messages (webhook_id, message_id, game_id)
select k.id, {id}, {game} from heeding h join webhooks k on k.player_id = h.player_id
where k.state = 'active' and 'message' = any (k.kinds) and (k.game_id is null or k.game_id = {game})"
    };
}

/// Writes a message with what tells the others of it.
pub const SAY: &str = concat!(
    "
with said as (
    insert into table_messages (id, game_id, player_id, seq, text, created_at)
    values ({id}, {game}, {writer}, {seq}, {text}, {now}) on conflict do nothing returning game_id
), others (player_id, place) as (
    select p.player_id, row_number() over () from said s join game_players p on p.game_id = s.game_id where p.player_id <> {writer}
), ",
    tell!()
);

/// Writes what tells others of a message. On a cluster the message itself is written apart, where its game lives.
const TELL: &str = concat!(
    "
with others (player_id, place) as (select * from unnest({players}) with ordinality), ",
    tell!()
);

macro_rules! said {
    ($(#[$doc:meta])* $name:ident($text:ident)) => {
        statement! {
            $(#[$doc])*
            struct $name($text) {
                id: Uuid = SqlUuid,
                game: Uuid = SqlUuid,
                writer: Uuid = SqlUuid,
                seq: Seq = BigInt,
                text: String = Text,
                now: OffsetDateTime = Timestamptz,
                pause_seconds: i32 = Integer,
                players: Vec<Uuid> = Array<SqlUuid>,
                notices: Vec<Uuid> = Array<SqlUuid>,
            }
        }

        impl $name {
            fn of(message: &NewMessage, players: Vec<Uuid>) -> Self {
                Self {
                    id: message.id,
                    game: message.game_id,
                    writer: message.player_id,
                    seq: message.seq,
                    text: message.text.clone(),
                    now: message.created_at,
                    pause_seconds: TOLD_TOGETHER_SECONDS,
                    players,
                    notices: (0..MAX_SEATS).map(|_| Uuid::now_v7()).collect(),
                }
            }
        }
    };
}

said! {
    /// [`SAY`] with its values.
    Say(SAY)
}

said! {
    /// [`TELL`] with its values.
    Tell(TELL)
}

/// Writes a message and what tells the others of it, inside a transaction.
pub(super) async fn insert(
    connection: &mut AsyncPgConnection,
    topology: Topology,
    message: &NewMessage,
) -> QueryResult<()> {
    if topology == Topology::Plain {
        Say::of(message, Vec::new()).execute(connection).await?;
        return Ok(());
    }
    let said = diesel::insert_into(table_messages::table).values(message).on_conflict_do_nothing();
    if said.execute(connection).await? > 0 {
        let others = game_players::table
            .filter(game_players::game_id.eq(message.game_id))
            .filter(game_players::player_id.ne(message.player_id))
            .select(game_players::player_id);
        let others: Vec<Uuid> = others.load(connection).await?;
        Tell::of(message, others).execute(connection).await?;
    }
    Ok(())
}

/// Writes a message.
pub async fn add(
    database: &Database,
    message: &NewMessage,
    stored: Option<&NewStoredResponse>,
) -> Result<Once<()>, StoreError> {
    let mut connection = database.get().await?;
    let added = connection.transaction::<Once<()>, StoreError, _>(async |connection| {
        if let Some(before) = stored_responses::take(connection, stored, message.created_at).await? {
            return Ok(Once::Before(before));
        }
        Ok(Once::Now(insert(connection, database.topology(), message).await?))
    });
    added.await
}

/// How many messages a player has written in a game since `since`, and the time of the first.
pub async fn since(
    database: &Database,
    game_id: Uuid,
    player_id: Uuid,
    since: OffsetDateTime,
) -> Result<(i64, Option<OffsetDateTime>), StoreError> {
    let mut connection = database.get().await?;
    let recent = table_messages::table
        .filter(table_messages::game_id.eq(game_id))
        .filter(table_messages::player_id.eq(player_id))
        .filter(table_messages::created_at.gt(since))
        .select((count_star(), min(table_messages::created_at)));
    Ok(recent.get_result(&mut connection).await?)
}

/// Which of these games have messages: one entry of the index is read for each.
pub const WITH_MESSAGES: &str = "
select g.id from unnest({games}) g (id)
where exists (select from table_messages m where m.game_id = g.id)";

statement! {
    /// [`WITH_MESSAGES`] with its values.
    struct WithMessages(WITH_MESSAGES) -> SqlUuid {
        games: Vec<Uuid> = Array<SqlUuid>,
    }
}

/// Which of these games have messages. On a cluster all of them may.
pub async fn games_with_messages(database: &Database, ids: Vec<Uuid>) -> Result<HashSet<Uuid>, StoreError> {
    if database.topology().is_citus() {
        return Ok(ids.into_iter().collect());
    }
    let found: Vec<Uuid> = WithMessages { games: ids }.load(&mut database.get().await?).await?;
    Ok(found.into_iter().collect())
}

/// A message of a game.
pub async fn find(database: &Database, game_id: Uuid, id: Uuid) -> Result<Option<MessageRow>, StoreError> {
    let mut connection = database.get().await?;
    let found = rows!().filter(table_messages::game_id.eq(game_id)).filter(table_messages::id.eq(id));
    Ok(found.first(&mut connection).await.optional()?)
}

/// The newest messages of a game, at most `limit`, those before the message `before` if it is given; oldest first.
pub async fn newest(
    database: &Database,
    game_id: Uuid,
    before: Option<Uuid>,
    limit: i64,
) -> Result<Vec<MessageRow>, StoreError> {
    let mut connection = database.get().await?;
    let mut query = rows!()
        .filter(table_messages::game_id.eq(game_id))
        .order(table_messages::id.desc())
        .limit(limit)
        .into_boxed();
    if let Some(before) = before {
        query = query.filter(table_messages::id.lt(before));
    }
    let mut rows: Vec<MessageRow> = query.load(&mut connection).await?;
    rows.reverse();
    Ok(rows)
}
