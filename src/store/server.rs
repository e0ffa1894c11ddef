//! What the database belongs to.

use diesel::prelude::*;
use diesel_async::RunQueryDsl;

use super::database::Database;
use super::error::StoreError;
use super::schema::server;

/// The fingerprint of the secret key that this database was made with, `ours` if it is new.
pub async fn belongs_to(database: &Database, ours: &[u8]) -> Result<Vec<u8>, StoreError> {
    let mut connection = database.get().await?;
    diesel::insert_into(server::table)
        .values(server::secret_fingerprint.eq(ours))
        .on_conflict_do_nothing()
        .execute(&mut connection)
        .await?;
    Ok(server::table.select(server::secret_fingerprint).first(&mut connection).await?)
}
