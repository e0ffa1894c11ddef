//! How much a server is used, in numbers that everybody may know: private games do not count.

use diesel::prelude::*;
use diesel::sql_types::{BigInt, Timestamptz};
use diesel_async::RunQueryDsl;
use time::OffsetDateTime;

use super::database::Database;
use super::error::StoreError;

/// Public games and accounts.
#[derive(Clone, Copy, Debug, PartialEq, Eq, QueryableByName)]
pub struct Figures {
    #[diesel(sql_type = BigInt)]
    pub running: i64,
    #[diesel(sql_type = BigInt)]
    pub finished: i64,
    #[diesel(sql_type = BigInt)]
    pub players: i64,
}

const FIGURES: &str = "
select (select count(*) from games where not private and status = 'running') as running,
    (select count(*) from games where not private and status = 'finished') as finished,
    (select count(*) from players where deleted_at is null and not guest) as players";

/// Counts; the answer is to be kept for a while.
pub async fn figures(database: &Database) -> Result<Figures, StoreError> {
    Ok(diesel::sql_query(FIGURES).get_result(&mut database.get().await?).await?)
}

#[derive(QueryableByName)]
struct Count {
    #[diesel(sql_type = BigInt)]
    count: i64,
}

/// How many games have a turn whose deadline was before that moment, and that nobody has ended.
///
/// # Errors
/// The database failed.
pub async fn overdue(database: &Database, before: OffsetDateTime) -> Result<i64, StoreError> {
    let games = diesel::sql_query("select count(*) as count from game_states where deadline_at < $1");
    let counted: Count = games.bind::<Timestamptz, _>(before).get_result(&mut database.get().await?).await?;
    Ok(counted.count)
}

/// How many addresses get no mail any more, because mails to them came back.
///
/// # Errors
/// The database failed.
pub async fn bouncing_addresses(database: &Database) -> Result<i64, StoreError> {
    let addresses =
        diesel::sql_query("select count(*) as count from players where email_bounced_at is not null");
    Ok(addresses.get_result::<Count>(&mut database.get().await?).await?.count)
}
