//! Lists on a distributed database: first the ids of a page, which every shard finds by an index alone, then the games of these ids, with
//! their players, from the shards that have them. One statement for both would read a whole page on each shard.

use diesel::QueryableByName;
use diesel::sql_types::{Array, BigInt, Bool, Int2, Int4, Nullable, Text, Timestamptz, Uuid as SqlUuid};
use diesel_async::{AsyncPgConnection, RunQueryDsl};
use time::OffsetDateTime;
use uuid::Uuid;

use super::{Filter, ListedPage, ListedRow, Whose, cut};
use crate::store::games::{GameStatus, expiry_of};
use crate::store::{Database, Seq, StoreError};

/// The games `$1` as they are now, one line for each player.
pub const GAMES: &str = "
select g.id, g.rules, g.status, g.private, g.seats, g.limit_hours, g.time_control, g.substitutes, g.seats_offered, g.created_at,
    g.expires_at, g.awaits_until, s.seq, s.to_act_seat, s.to_act_player, s.deadline_at, m.player_id, p.handle, p.bot
from games g
left join game_states s on s.game_id = g.id
left join game_players m on m.game_id = g.id
left join players p on p.id = m.player_id
where g.id = any($1)
order by g.id desc, m.joined";

/// The statement for the ids of a list: `$1` the player, `$2` the id that they are before, `$3` how many, `$4` the status, `$5` the rule
/// set. `games` is asked only for what the player's table does not tell.
#[must_use]
pub fn ids(filter: &Filter) -> String {
    let (of_player, mut of_game) = match &filter.whose {
        Whose::Mine { status: None, .. } => (Some(MEMBER), vec![]),
        Whose::Mine { status: Some(_), .. } => (Some(MEMBER), vec!["g.status = $4"]),
        Whose::PublicOf { .. } => (Some(MEMBER), vec!["not g.private"]),
        Whose::MyTurn { .. } => (Some(TO_ACT), vec![]),
        Whose::Public { .. } => (None, vec!["not g.private", "g.status = $4"]),
        Whose::SeatsOffered => (None, vec!["not g.private", "g.status = $4", "g.seats_offered"]),
    };
    if filter.rules.is_some() {
        of_game.push("g.rules = $5");
    }
    let of_game = of_game.join(" and ");
    match of_player {
        None => format!("select g.id from games g where {of_game} and g.id < $2 order by g.id desc limit $3"),
        Some((table, is_mine)) if of_game.is_empty() => format!(
            "select l.game_id as id from {table} l where {is_mine} and l.game_id < $2 order by l.game_id desc limit $3"
        ),
        Some((table, is_mine)) => format!(
            "select l.game_id as id from {table} l join games g on g.id = l.game_id \
             where {is_mine} and {of_game} and l.game_id < $2 order by l.game_id desc limit $3"
        ),
    }
}

/// Tables with an index of a player's games in the order of lists, and their condition.
const MEMBER: (&str, &str) = ("game_players", "l.player_id = $1");
const TO_ACT: (&str, &str) = ("game_states", "l.to_act_player = $1");

#[derive(QueryableByName)]
struct Found {
    #[diesel(sql_type = SqlUuid)]
    id: Uuid,
}

/// A game with one of its players.
#[derive(QueryableByName)]
struct Line {
    #[diesel(sql_type = SqlUuid)]
    id: Uuid,
    #[diesel(sql_type = Text)]
    rules: String,
    #[diesel(sql_type = Text)]
    status: GameStatus,
    #[diesel(sql_type = Bool)]
    private: bool,
    #[diesel(sql_type = Int2)]
    seats: i16,
    #[diesel(sql_type = Nullable<Int4>)]
    limit_hours: Option<i32>,
    #[diesel(sql_type = Nullable<Text>)]
    time_control: Option<String>,
    #[diesel(sql_type = Bool)]
    substitutes: bool,
    #[diesel(sql_type = Bool)]
    seats_offered: bool,
    #[diesel(sql_type = Timestamptz)]
    created_at: OffsetDateTime,
    #[diesel(sql_type = Nullable<Timestamptz>)]
    expires_at: Option<OffsetDateTime>,
    #[diesel(sql_type = Nullable<Timestamptz>)]
    awaits_until: Option<OffsetDateTime>,
    #[diesel(sql_type = Nullable<BigInt>)]
    seq: Option<Seq>,
    #[diesel(sql_type = Nullable<Int2>)]
    to_act_seat: Option<i16>,
    #[diesel(sql_type = Nullable<SqlUuid>)]
    to_act_player: Option<Uuid>,
    #[diesel(sql_type = Nullable<Timestamptz>)]
    deadline_at: Option<OffsetDateTime>,
    #[diesel(sql_type = Nullable<SqlUuid>)]
    player_id: Option<Uuid>,
    #[diesel(sql_type = Nullable<Text>)]
    handle: Option<String>,
    #[diesel(sql_type = Nullable<Bool>)]
    bot: Option<bool>,
}

/// As [`super::games`].
///
/// # Errors
/// The database failed.
pub async fn games(database: &Database, filter: &Filter, limit: i64) -> Result<ListedPage, StoreError> {
    let mut connection = database.get().await?;
    let mut ids = match filter.only {
        Some(only) => vec![only],
        None => ids_of(&mut connection, filter, limit + 1).await?,
    };
    ids.retain(|id| filter.cursor.is_none_or(|cursor| *id < cursor));
    let next_cursor = cut(&mut ids, limit, |id| *id);
    if ids.is_empty() {
        return Ok(ListedPage { rows: Vec::new(), next_cursor });
    }
    let lines: Vec<Line> =
        diesel::sql_query(GAMES).bind::<Array<SqlUuid>, _>(&ids).load(&mut connection).await?;
    let games = lines.chunk_by(|one, next| one.id == next.id);
    // A game that has moved on since the first statement is in another list now.
    let rows = games.filter(|lines| belongs(lines, filter)).filter_map(listed);
    Ok(ListedPage { rows: rows.collect(), next_cursor })
}

async fn ids_of(
    connection: &mut AsyncPgConnection,
    filter: &Filter,
    limit: i64,
) -> diesel::QueryResult<Vec<Uuid>> {
    let (player, status) = match &filter.whose {
        Whose::Mine { player_id, status } => (Some(*player_id), *status),
        Whose::MyTurn { player_id } | Whose::PublicOf { player_id } => (Some(*player_id), None),
        Whose::Public { status } => (None, Some(*status)),
        Whose::SeatsOffered => (None, Some(GameStatus::Running)),
    };
    let found: Vec<Found> = diesel::sql_query(ids(filter))
        .bind::<Nullable<SqlUuid>, _>(player)
        .bind::<SqlUuid, _>(filter.cursor.unwrap_or(Uuid::max()))
        .bind::<BigInt, _>(limit)
        .bind::<Nullable<Text>, _>(status)
        .bind::<Nullable<Text>, _>(filter.rules.as_deref())
        .load(connection)
        .await?;
    Ok(found.into_iter().map(|found| found.id).collect())
}

/// Whether a game, given as its lines, matches the filter.
fn belongs(lines: &[Line], filter: &Filter) -> bool {
    let Some(game) = lines.first() else { return false };
    let has = |player_id: Uuid| lines.iter().any(|line| line.player_id == Some(player_id));
    let in_list = match &filter.whose {
        Whose::Mine { player_id, status } => {
            has(*player_id) && status.is_none_or(|status| status == game.status)
        }
        Whose::MyTurn { player_id } => game.to_act_player == Some(*player_id),
        Whose::PublicOf { player_id } => has(*player_id) && !game.private,
        Whose::Public { status } => game.status == *status && !game.private,
        Whose::SeatsOffered => game.seats_offered && game.status == GameStatus::Running && !game.private,
    };
    in_list && filter.rules.as_ref().is_none_or(|rules| *rules == game.rules)
}

fn listed(lines: &[Line]) -> Option<ListedRow> {
    let game = lines.first()?;
    let bots = lines.iter().filter(|line| line.bot == Some(true));
    Some(ListedRow {
        id: game.id,
        rules: game.rules.clone(),
        status: game.status,
        private: game.private,
        seats: game.seats,
        limit_hours: game.limit_hours,
        time_control: game.time_control.clone(),
        substitutes: game.substitutes,
        created_at: game.created_at,
        expires_at: expiry_of(game.status, game.expires_at, game.awaits_until),
        seq: game.seq,
        to_act_seat: game.to_act_seat,
        to_act_player: game.to_act_player,
        deadline_at: game.deadline_at,
        players: lines.iter().filter_map(|line| line.handle.clone()).collect(),
        bots: bots.filter_map(|line| line.handle.clone()).collect(),
    })
}
