//! Which games a daily dump has: public ones that ended on its day, but for those of players who do not want to be in dumps.

use std::collections::HashSet;

use diesel::prelude::*;
use diesel::sql_types::{Array, BigInt, Text, Timestamptz, Uuid as SqlUuid};
use diesel_async::RunQueryDsl;
use time::OffsetDateTime;
use uuid::Uuid;

use super::GameStatus;
use super::database::Database;
use super::error::StoreError;
use super::schema::games;

/// Public games that are over, in the order of their ends: after `$1` and `$2`, the end and id of the game before; ended before `$3`; at
/// most `$4`. Whose seat a substitute took is a player, too.
pub const ENDED: &str = "
select g.id, g.rules, g.finished_at, array_agg(p.player_id) || array_agg(coalesce(p.substitute_for, p.player_id)) as players
from (select id, rules, finished_at from games
    where status = 'finished' and not private and (finished_at, id) > ($1, $2) and finished_at < $3
    order by finished_at, id limit $4) g
join game_players p on p.game_id = g.id
group by g.id, g.rules, g.finished_at
order by g.finished_at, g.id";

#[derive(QueryableByName)]
struct EndedGame {
    #[diesel(sql_type = SqlUuid)]
    id: Uuid,
    #[diesel(sql_type = Text)]
    rules: String,
    #[diesel(sql_type = Timestamptz)]
    finished_at: OffsetDateTime,
    #[diesel(sql_type = Array<SqlUuid>)]
    players: Vec<Uuid>,
}

/// Those of `$1` who do not want to be in dumps, or whose accounts are deleted.
const UNWILLING: &str = "
select p.id from players p left join player_preferences w on w.player_id = p.id
where p.id = any($1) and (p.deleted_at is not null or not w.in_dumps)";

#[derive(QueryableByName)]
struct Unwilling {
    #[diesel(sql_type = SqlUuid)]
    id: Uuid,
}

/// A public game that is over.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DumpedGame {
    pub id: Uuid,
    pub rules: String,
    pub finished_at: OffsetDateTime,
    /// Whether one of its players does not want to be in dumps.
    pub left_out: bool,
}

/// At most `limit` public games that ended between two points in time, the second excluded, in the order of their ends; after `after` in
/// that order, if there is one.
///
/// # Errors
/// The database failed.
pub async fn page(
    database: &Database,
    (from, until): (OffsetDateTime, OffsetDateTime),
    after: Option<&DumpedGame>,
    limit: i64,
) -> Result<Vec<DumpedGame>, StoreError> {
    let (at, id) = after.map_or((from, Uuid::nil()), |game| (game.finished_at, game.id));
    let mut connection = database.get_for_all_nodes().await?;
    let page = diesel::sql_query(ENDED)
        .bind::<Timestamptz, _>(at)
        .bind::<SqlUuid, _>(id)
        .bind::<Timestamptz, _>(until)
        .bind::<BigInt, _>(limit);
    let page: Vec<EndedGame> = page.load(&mut connection).await?;
    let players: HashSet<Uuid> = page.iter().flat_map(|game| game.players.iter().copied()).collect();
    let players: Vec<Uuid> = players.into_iter().collect();
    let unwilling = diesel::sql_query(UNWILLING).bind::<Array<SqlUuid>, _>(players);
    let unwilling: Vec<Uuid> =
        unwilling.load::<Unwilling>(&mut connection).await?.into_iter().map(|row| row.id).collect();
    let dumped = |game: EndedGame| DumpedGame {
        left_out: game.players.iter().any(|player| unwilling.contains(player)),
        id: game.id,
        rules: game.rules,
        finished_at: game.finished_at,
    };
    Ok(page.into_iter().map(dumped).collect())
}

/// When the first public game ended; `None` if none has.
///
/// # Errors
/// The database failed.
pub async fn first_end(database: &Database) -> Result<Option<OffsetDateTime>, StoreError> {
    let ended = games::table.filter(games::status.eq(GameStatus::Finished)).filter(games::private.eq(false));
    let first = ended.select(diesel::dsl::min(games::finished_at));
    Ok(first.first(&mut database.get_for_all_nodes().await?).await?)
}
