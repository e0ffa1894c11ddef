//! What the database belongs to.

use diesel::dsl::sql;
use diesel::prelude::*;
use diesel::sql_types::{Nullable, Text};
use diesel_async::RunQueryDsl;

use super::database::Database;
use super::error::StoreError;
use super::guests::SETTING;
use super::schema::server;

/// The fingerprint of the secret key that this database was made with, `ours` if it is new; and [`SETTING`], if a server has started
/// this database for itself.
pub async fn belongs_to(database: &Database, ours: &[u8]) -> Result<(Vec<u8>, Option<String>), StoreError> {
    let mut connection = database.get().await?;
    diesel::insert_into(server::table)
        .values(server::secret_fingerprint.eq(ours))
        .on_conflict_do_nothing()
        .execute(&mut connection)
        .await?;
    let guests = sql::<Nullable<Text>>(&format!("nullif(current_setting('{SETTING}', true), '')"));
    Ok(server::table.select((server::secret_fingerprint, guests)).first(&mut connection).await?)
}
