//! Messages between the players of a game.

use std::collections::{HashMap, HashSet};

use diesel::dsl::{count_star, min};
use diesel::prelude::*;
use diesel::sql_types::{Array, BigInt, Bool, Integer, Timestamptz, Uuid as SqlUuid};
use diesel_async::{AsyncConnection, AsyncPgConnection, RunQueryDsl};
use time::OffsetDateTime;
use uuid::Uuid;

use super::database::Database;
use super::error::StoreError;
use super::named::statement;
use super::numbers::Seq;
use super::schema::{game_players, players, table_messages};
use super::stored_responses::{self, NewStoredResponse, Once};

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
    /// `None`: an operator has removed it.
    pub text: Option<String>,
    pub created_at: OffsetDateTime,
}

/// After a player was told of messages of a game, those of this time are told together.
const TOLD_TOGETHER_SECONDS: i32 = 120;

/// Messages with their writers, as [`MessageRow`] reads them, without the texts that an operator has removed.
macro_rules! rows {
    () => {
        table_messages::table.inner_join(players::table.on(players::id.eq(table_messages::player_id))).select(
            (
                table_messages::id,
                table_messages::player_id,
                players::handle,
                table_messages::seq,
                diesel::dsl::case_when(table_messages::removed_by.is_null(), table_messages::text),
                table_messages::created_at,
            ),
        )
    };
}
pub(super) use rows;

/// Who among `players` heeds what the writer says, and whether a notice tells them of it.
const HEARERS: &str = "
select o.player_id, coalesce(g.messages, w.messages, false)
    or (coalesce(g.push, w.push_messages, false) and exists (select from push_subscriptions s where s.player_id = o.player_id))
from unnest({players}) o (player_id)
left join player_preferences w on w.player_id = o.player_id
left join game_preferences g on g.player_id = o.player_id and g.game_id = {game}
where not exists (select from blocked_inviters b where b.recipient = o.player_id::text and b.inviter_id = {writer})
    and not exists (select from muted_players b where b.player_id = o.player_id and b.muted_id = {writer})";

statement! {
    /// [`HEARERS`] with its values.
    struct Hearers(HEARERS) -> (SqlUuid, Bool) {
        players: Vec<Uuid> = Array<SqlUuid>,
        game: Uuid = SqlUuid,
        writer: Uuid = SqlUuid,
    }
}

/// Writes the notices of a message. The newest notice of the same game, if nobody has claimed it yet, stands for this message, too; it
/// is locked, so that nobody claims it before the message can be read. Notices stay, so no more than that one is read.
pub const NOTIFY: &str = "
with wanting as (
    select o.player_id, o.id, l.id as last_id, l.told_at from unnest({players}, {ids}) o (player_id, id)
    left join lateral (
        select n.id, coalesce(n.finished_at, {now}) as told_at from notices n
        where n.player_id = o.player_id and n.game_id = {game} and n.kind = 'message'
        order by n.created_at desc, n.id desc limit 1
    ) l on true
), together as (
    update notices n set created_at = least(n.created_at, {now}), fanned_out = false from wanting w
    where n.id = w.last_id and n.state = 'waiting' and (n.ready or n.attempts = 0 or n.waits_for is not null)
    returning n.player_id
)
insert into notices (id, kind, player_id, game_id, seq, created_at, state, ready, next_attempt_at)
select w.id, 'message', w.player_id, {game}, {seq}, {now}, 'waiting', d.due_at <= {now}, d.due_at
from wanting w cross join lateral (
    select greatest({now}, w.told_at + {pause_seconds} * interval '1 second') as due_at
) d
where not exists (select from together t where t.player_id = w.player_id)";

statement! {
    /// [`NOTIFY`] with its values.
    struct Notify(NOTIFY) {
        players: Vec<Uuid> = Array<SqlUuid>,
        ids: Vec<Uuid> = Array<SqlUuid>,
        game: Uuid = SqlUuid,
        seq: Seq = BigInt,
        now: OffsetDateTime = Timestamptz,
        pause_seconds: i32 = Integer,
    }
}

/// Notes for the webhooks of `players` that they have to be told of a message.
const TELL_WEBHOOKS: &str = "
insert into webhook_messages (webhook_id, message_id, game_id)
select k.id, {id}, {game} from webhooks k
where k.player_id = any({players}) and k.state = 'active' and 'message' = any (k.kinds) and (k.game_id is null or k.game_id = {game})";

statement! {
    /// [`TELL_WEBHOOKS`] with its values.
    struct TellWebhooks(TELL_WEBHOOKS) {
        id: Uuid = SqlUuid,
        game: Uuid = SqlUuid,
        players: Vec<Uuid> = Array<SqlUuid>,
    }
}

/// Writes a message and what tells the others of it, inside a transaction. One statement each: on a cluster none may write two places.
pub(super) async fn insert(connection: &mut AsyncPgConnection, message: &NewMessage) -> QueryResult<()> {
    let said = diesel::insert_into(table_messages::table).values(message).on_conflict_do_nothing();
    if said.execute(connection).await? == 0 {
        return Ok(());
    }
    let NewMessage { id, game_id: game, player_id: writer, seq, created_at: now, .. } = *message;
    let others = game_players::table
        .filter(game_players::game_id.eq(game))
        .filter(game_players::player_id.ne(writer))
        .select(game_players::player_id);
    let players: Vec<Uuid> = others.load(connection).await?;
    let hearers: Vec<(Uuid, bool)> = Hearers { players, game, writer }.load(connection).await?;
    let players: Vec<Uuid> =
        hearers.iter().filter(|(_, is_notified)| *is_notified).map(|(player, _)| *player).collect();
    if !players.is_empty() {
        let ids = players.iter().map(|_| Uuid::now_v7()).collect();
        Notify { players, ids, game, seq, now, pause_seconds: TOLD_TOGETHER_SECONDS }
            .execute(connection)
            .await?;
    }
    let players = hearers.into_iter().map(|(player, _)| player).collect();
    TellWebhooks { id, game, players }.execute(connection).await?;
    Ok(())
}

/// Writes a message.
pub async fn add(
    database: &Database,
    message: &NewMessage,
    stored: Option<&NewStoredResponse>,
) -> Result<Once<()>, StoreError> {
    let mut connection = database.get_for_writing().await?;
    let added = connection.transaction::<Once<()>, StoreError, _>(async |connection| {
        if let Some(before) = stored_responses::take(connection, stored, message.created_at).await? {
            return Ok(Once::Before(before));
        }
        Ok(Once::Now(insert(connection, message).await?))
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

/// The newest messages of a game, at most `limit`, those before the message `before` if it is given, without those of the `muted`; oldest
/// first.
pub async fn newest(
    database: &Database,
    game_id: Uuid,
    muted: &[Uuid],
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
    if !muted.is_empty() {
        query = query.filter(table_messages::player_id.ne_all(muted));
    }
    let mut rows: Vec<MessageRow> = query.load(&mut connection).await?;
    rows.reverse();
    Ok(rows)
}

/// Remembers that a player has been shown a message and all before it.
pub async fn mark_read(
    database: &Database,
    game_id: Uuid,
    player_id: Uuid,
    message_id: Uuid,
) -> Result<(), StoreError> {
    let mut connection = database.get_for_game(game_id).await?;
    let unread = game_players::read_message.is_null().or(game_players::read_message.lt(message_id));
    let member = game_players::table.find((game_id, player_id)).filter(unread);
    diesel::update(member).set(game_players::read_message.eq(message_id)).execute(&mut connection).await?;
    Ok(())
}

/// How many messages of others a player has not been shown, in those of these games that have such.
pub const UNREAD: &str = "
select m.game_id, count(*) as count from game_players p join table_messages m on m.game_id = p.game_id
where p.game_id = any({games}) and p.player_id = {player} and m.game_id = any({games}) and m.player_id <> {player}
    and (p.read_message is null or m.id > p.read_message) and m.player_id <> all({muted})
group by m.game_id";

statement! {
    /// [`UNREAD`] with its values.
    struct Unread(UNREAD) -> (SqlUuid, BigInt) {
        games: Vec<Uuid> = Array<SqlUuid>,
        player: Uuid = SqlUuid,
        muted: Vec<Uuid> = Array<SqlUuid>,
    }
}

/// How many messages of others, without those of the `muted`, a player has not been shown, by game.
pub async fn unread(
    database: &Database,
    player_id: Uuid,
    game_ids: Vec<Uuid>,
    muted: Vec<Uuid>,
) -> Result<HashMap<Uuid, i64>, StoreError> {
    if game_ids.is_empty() {
        return Ok(HashMap::new());
    }
    let mut connection = database.get_for_all_nodes().await?;
    let counted: Vec<(Uuid, i64)> =
        Unread { games: game_ids, player: player_id, muted }.load(&mut connection).await?;
    Ok(counted.into_iter().collect())
}
