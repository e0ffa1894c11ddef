//! How much a server is used, in numbers that everybody may know: private games do not count.

use diesel::prelude::*;
use diesel::sql_types::BigInt;
use diesel_async::RunQueryDsl;

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
