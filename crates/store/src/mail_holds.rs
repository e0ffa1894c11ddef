//! The domains to which an operator lets nothing be sent for now.

use diesel::QueryableByName;
use diesel::sql_types::{Nullable, Text, Timestamptz};
use diesel_async::RunQueryDsl;
use time::OffsetDateTime;

use super::database::Database;
use super::error::StoreError;

/// What stands for all domains.
const ALL: &str = "";

/// What is held.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct MailHolds {
    /// In lower case; an empty one stands for all.
    domains: Vec<String>,
}

impl MailHolds {
    /// Whether nothing is sent to this domain.
    #[must_use]
    pub fn holds(&self, domain: &str) -> bool {
        self.domains.iter().any(|held| held == ALL || held.eq_ignore_ascii_case(domain))
    }

    /// The domains; `None`: all of them.
    pub fn domains(&self) -> impl Iterator<Item = Option<&str>> {
        self.domains.iter().map(|domain| Some(domain.as_str()).filter(|domain| *domain != ALL))
    }
}

#[derive(QueryableByName)]
struct Held {
    #[diesel(sql_type = Text)]
    domain: String,
}

/// What is held now.
///
/// # Errors
/// The database failed.
pub async fn all(database: &Database) -> Result<MailHolds, StoreError> {
    let mut connection = database.get().await?;
    let held = diesel::sql_query("select domain from mail_holds order by domain");
    let held: Vec<Held> = held.load(&mut connection).await?;
    Ok(MailHolds { domains: held.into_iter().map(|held| held.domain).collect() })
}

/// Holds mails to a domain, or all.
///
/// # Errors
/// The database failed.
pub async fn add(database: &Database, domain: Option<&str>, now: OffsetDateTime) -> Result<(), StoreError> {
    let mut connection = database.get().await?;
    let hold =
        diesel::sql_query("insert into mail_holds (domain, held_at) values ($1, $2) on conflict do nothing");
    let domain = domain.unwrap_or(ALL).to_lowercase();
    hold.bind::<Text, _>(domain).bind::<Timestamptz, _>(now).execute(&mut connection).await?;
    Ok(())
}

/// Holds mails to a domain no more, or to none.
///
/// # Errors
/// The database failed.
pub async fn remove(database: &Database, domain: Option<&str>) -> Result<(), StoreError> {
    let mut connection = database.get().await?;
    let domain = domain.map(str::to_lowercase);
    let remove = diesel::sql_query("delete from mail_holds where domain = coalesce($1, domain)");
    remove.bind::<Nullable<Text>, _>(domain).execute(&mut connection).await?;
    Ok(())
}
