//! Takes notices that moves have written on a distributed database, where their games live, into the table from which they are sent.

use diesel::sql_types::{Array, BigInt, Bool, Text, Timestamptz, Uuid as SqlUuid};
use diesel_async::{AsyncPgConnection, RunQueryDsl};
use time::OffsetDateTime;
use uuid::Uuid;

use crate::{Database, StoreError};

/// What is taken becomes notices that are due; the text before it says what is taken.
const BECOME_NOTICES: &str = "
insert into notices (id, kind, player_id, game_id, seq, created_at, state, next_attempt_at, urgent)
select id, kind, player_id, game_id, seq, created_at, 'waiting', created_at, urgent from taken
on conflict (id) do nothing";

/// Takes all, up to the id `$1` in the order of ids; ids begin with a time.
const TAKE: &str = "with taken as (delete from move_notices where id <= $1 returning *)";

/// Takes those of the game `$1`. Apart from what they become: the node of the game would do both, and does not know `notices`.
const TAKE_OF_GAME: &str = "
delete from move_notices where game_id = $1 returning id, kind, player_id, game_id, seq, created_at, urgent";

/// What [`BECOME_NOTICES`] takes, from `$1` to `$7`.
const TAKEN: &str = "
with taken as (
    select * from unnest($1, $2, $3, $4, $5, $6, $7) as t (id, kind, player_id, game_id, seq, created_at, urgent)
)";

#[derive(diesel::QueryableByName)]
struct Taken {
    #[diesel(sql_type = SqlUuid)]
    id: Uuid,
    #[diesel(sql_type = Text)]
    kind: String,
    #[diesel(sql_type = SqlUuid)]
    player_id: Uuid,
    #[diesel(sql_type = SqlUuid)]
    game_id: Uuid,
    #[diesel(sql_type = BigInt)]
    seq: i64,
    #[diesel(sql_type = Timestamptz)]
    created_at: OffsetDateTime,
    #[diesel(sql_type = Bool)]
    urgent: bool,
}

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

/// Takes what waits where games live.
///
/// # Errors
/// The database failed; what was not taken is taken the next time.
pub(crate) async fn collect(database: &Database) -> Result<usize, StoreError> {
    let mut connection = database.get_for_all_nodes().await?;
    let last: Vec<Last> = diesel::sql_query(LAST).bind::<BigInt, _>(AT_ONCE).load(&mut connection).await?;
    let Some(Last { id: last }) = last.into_iter().next() else { return Ok(0) };
    let take = diesel::sql_query(format!("{TAKE}{BECOME_NOTICES}")).bind::<SqlUuid, _>(last);
    Ok(take.execute(&mut connection).await?)
}

/// Takes those of one game, inside a transaction that is about to change what they say.
pub(crate) async fn collect_of_game(
    connection: &mut AsyncPgConnection,
    game_id: Uuid,
) -> diesel::QueryResult<usize> {
    let taken: Vec<Taken> =
        diesel::sql_query(TAKE_OF_GAME).bind::<SqlUuid, _>(game_id).load(connection).await?;
    if taken.is_empty() {
        return Ok(0);
    }
    let rows = || taken.iter();
    diesel::sql_query(format!("{TAKEN}{BECOME_NOTICES}"))
        .bind::<Array<SqlUuid>, _>(rows().map(|row| row.id).collect::<Vec<_>>())
        .bind::<Array<Text>, _>(rows().map(|row| row.kind.as_str()).collect::<Vec<_>>())
        .bind::<Array<SqlUuid>, _>(rows().map(|row| row.player_id).collect::<Vec<_>>())
        .bind::<Array<SqlUuid>, _>(rows().map(|row| row.game_id).collect::<Vec<_>>())
        .bind::<Array<BigInt>, _>(rows().map(|row| row.seq).collect::<Vec<_>>())
        .bind::<Array<Timestamptz>, _>(rows().map(|row| row.created_at).collect::<Vec<_>>())
        .bind::<Array<Bool>, _>(rows().map(|row| row.urgent).collect::<Vec<_>>())
        .execute(connection)
        .await
}
