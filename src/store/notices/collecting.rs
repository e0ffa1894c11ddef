//! Takes notices that moves have written on a distributed database, where their games live, into the table from which they are sent.

use diesel::sql_types::{BigInt, Uuid as SqlUuid};
use diesel_async::{AsyncPgConnection, RunQueryDsl};
use uuid::Uuid;

use crate::store::{Database, StoreError};

/// What is taken becomes notices that are due; the text before it says what is taken.
const BECOME_NOTICES: &str = "
insert into notices (id, kind, player_id, game_id, seq, created_at, state, next_attempt_at, urgent)
select id, kind, player_id, game_id, seq, created_at, 'waiting', created_at, urgent from taken
on conflict (id) do nothing";

/// Takes all, up to the id `$1` in the order of ids; ids begin with a time.
const TAKE: &str = "with taken as (delete from move_notices where id <= $1 returning *)";

/// Takes those of the game `$1`.
const TAKE_OF_GAME: &str = "with taken as (delete from move_notices where game_id = $1 returning *)";

/// The last of the oldest `$1`.
const LAST: &str =
    "select id from (select id from move_notices order by id limit $1) oldest order by id desc limit 1";

/// How many notices one statement takes.
const AT_ONCE: i64 = 1000;

#[derive(diesel::QueryableByName)]
struct Last {
    #[diesel(sql_type = SqlUuid)]
    id: Uuid,
}

/// Takes what waits where games live. Nothing waits there on a plain database, which is not asked.
///
/// # Errors
/// The database failed; what was not taken is taken the next time.
pub async fn collect(database: &Database) -> Result<usize, StoreError> {
    if !database.topology().is_citus() {
        return Ok(0);
    }
    let mut connection = database.get().await?;
    let last: Vec<Last> = diesel::sql_query(LAST).bind::<BigInt, _>(AT_ONCE).load(&mut connection).await?;
    let Some(Last { id: last }) = last.into_iter().next() else { return Ok(0) };
    let take = diesel::sql_query(format!("{TAKE}{BECOME_NOTICES}")).bind::<SqlUuid, _>(last);
    Ok(take.execute(&mut connection).await?)
}

/// Takes those of one game, inside a transaction that is about to change what they say.
pub async fn collect_of_game(
    connection: &mut AsyncPgConnection,
    game_id: Uuid,
) -> diesel::QueryResult<usize> {
    let take = diesel::sql_query(format!("{TAKE_OF_GAME}{BECOME_NOTICES}")).bind::<SqlUuid, _>(game_id);
    take.execute(connection).await
}
