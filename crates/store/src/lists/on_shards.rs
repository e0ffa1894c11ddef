//! Lists on a distributed database. What a statement over all shards costs is planning it, on the coordinator and on each shard: by its
//! tables and by the values in it. So a list is one such statement with as few tables as tell it, and the names of its players, of whom
//! the coordinator has a copy.

use std::collections::HashMap;

use diesel::prelude::*;
use diesel::sql_types::{Array, BigInt, Int2, Nullable, Text, Timestamptz, Uuid as SqlUuid};
use diesel_async::{AsyncPgConnection, RunQueryDsl};
use time::OffsetDateTime;
use uuid::Uuid;

use super::{COLUMNS, Filter, ListedColumns, ListedPage, ListedRow, ListedState, Whose, cut};
use crate::games::GameStatus;
use crate::schema::players;
use crate::{Database, Seq, StoreError};

const STATE: &str = "s.seq, s.to_act_seat, s.to_act_player, s.deadline_at,
    array(select m.player_id from game_players m where m.game_id = g.id order by m.joined) as members";

const MEMBER: &str = "
from game_players l join games g on g.id = l.game_id left join game_states s on s.game_id = l.game_id where l.player_id = $1";

const TO_ACT: &str = "
from game_states s join games g on g.id = s.game_id where s.to_act_player = $1";

const PUBLIC: &str = "
from games g left join game_states s on s.game_id = g.id where not g.private";

/// The statement of a list: `$1` the player, `$2` the id that games are before, `$3` how many, `$4` the status, `$5` the rule set, `$6` the
/// only game. Each shard has an index of its first table in the order of the list.
#[must_use]
pub fn statement(filter: &Filter) -> String {
    let (from, id, of_list) = match &filter.whose {
        Whose::Mine { status: None, .. } => (MEMBER, "l.game_id", ""),
        Whose::Mine { status: Some(_), .. } => (MEMBER, "l.game_id", " and g.status = $4"),
        Whose::PublicOf { .. } => (MEMBER, "l.game_id", " and not g.private"),
        Whose::MyTurn { .. } => (TO_ACT, "s.game_id", ""),
        Whose::Public { .. } => (PUBLIC, "g.id", " and g.status = $4"),
        Whose::SeatsOffered => (PUBLIC, "g.id", " and g.status = $4 and g.seats_offered"),
    };
    let of_rules = filter.rules.as_ref().map_or("", |_| " and g.rules = $5");
    let only = filter.only.map_or(String::new(), |_| format!(" and {id} = $6"));
    format!(
        "select {COLUMNS}{STATE}{from}{of_list}{of_rules}{only} and {id} < $2 order by {id} desc limit $3"
    )
}

#[derive(QueryableByName)]
struct Row {
    #[diesel(embed)]
    game: ListedColumns,
    #[diesel(sql_type = Nullable<BigInt>)]
    seq: Option<Seq>,
    #[diesel(sql_type = Nullable<Int2>)]
    to_act_seat: Option<i16>,
    #[diesel(sql_type = Nullable<SqlUuid>)]
    to_act_player: Option<Uuid>,
    #[diesel(sql_type = Nullable<Timestamptz>)]
    deadline_at: Option<OffsetDateTime>,
    /// In joining order.
    #[diesel(sql_type = Array<SqlUuid>)]
    members: Vec<Uuid>,
}

/// As [`super::games`].
///
/// # Errors
/// The database failed.
pub async fn games(database: &Database, filter: &Filter, limit: i64) -> Result<ListedPage, StoreError> {
    let mut connection = database.get_for_all_nodes().await?;
    let mut rows = rows(&mut connection, filter, limit + 1).await?;
    let next_cursor = cut(&mut rows, limit, |row| row.game.id);
    let mut members: Vec<Uuid> = rows.iter().flat_map(|row| row.members.iter().copied()).collect();
    members.sort_unstable();
    members.dedup();
    let known = names(&mut connection, &members).await?;
    Ok(ListedPage { rows: rows.into_iter().map(|row| listed(row, &known)).collect(), next_cursor })
}

async fn rows(
    connection: &mut AsyncPgConnection,
    filter: &Filter,
    limit: i64,
) -> diesel::QueryResult<Vec<Row>> {
    let (player, status) = match &filter.whose {
        Whose::Mine { player_id, status } => (Some(*player_id), *status),
        Whose::MyTurn { player_id } | Whose::PublicOf { player_id } => (Some(*player_id), None),
        Whose::Public { status } => (None, Some(*status)),
        Whose::SeatsOffered => (None, Some(GameStatus::Running)),
    };
    diesel::sql_query(statement(filter))
        .bind::<Nullable<SqlUuid>, _>(player)
        .bind::<SqlUuid, _>(filter.cursor.unwrap_or(Uuid::max()))
        .bind::<BigInt, _>(limit)
        .bind::<Nullable<Text>, _>(status)
        .bind::<Nullable<Text>, _>(filter.rules.as_deref())
        .bind::<Nullable<SqlUuid>, _>(filter.only)
        .load(connection)
        .await
}

/// Handles of players, and which of them are programs.
type Names = HashMap<Uuid, (String, bool)>;

async fn names(connection: &mut AsyncPgConnection, ids: &[Uuid]) -> diesel::QueryResult<Names> {
    if ids.is_empty() {
        return Ok(Names::new());
    }
    let named = players::table.filter(players::id.eq_any(ids));
    let named: Vec<(Uuid, String, bool)> =
        named.select((players::id, players::handle, players::bot)).load(connection).await?;
    Ok(named.into_iter().map(|(id, handle, bot)| (id, (handle, bot))).collect())
}

fn listed(row: Row, known: &Names) -> ListedRow {
    let Row { game, seq, to_act_seat, to_act_player, deadline_at, members } = row;
    let members = || members.iter().filter_map(|id| known.get(id));
    ListedRow {
        game,
        state: seq.map(|seq| ListedState { seq, to_act_seat, to_act_player, deadline_at }),
        players: members().map(|(handle, _)| handle.clone()).collect(),
        bots: members().filter(|(_, bot)| *bot).map(|(handle, _)| handle.clone()).collect(),
    }
}
