//! Failures of the database.

/// A failure of the store. Its text is for the log, never for a client.
#[derive(Debug, thiserror::Error)]
pub enum StoreError {
    #[error("the database address cannot be read: {0}")]
    Address(String),
    #[error("the certificate file {0} cannot be used: {1}")]
    Certificate(String, String),
    #[error("the database cannot be reached: {0}")]
    Unreachable(String),
    #[error(
        "a pooler before the database mixes up prepared statements: PgBouncer has to be 1.21 or newer, with max_prepared_statements \
         above 0, or to pool by session (docs/SCALING.md)"
    )]
    Pooler,
    #[error(
        "a pooler that lends connections by the transaction does not support LISTEN: PIPPOST_LISTEN_URL must lead past it \
         (docs/SCALING.md)"
    )]
    ListenUnsupported,
    #[error("no database connection: {0}")]
    Pool(String),
    #[error("{0}")]
    NewerSchema(String),
    #[error("a migration failed: {0}")]
    Migration(String),
    #[error("the database refused a statement: {0}")]
    Query(#[source] diesel::result::Error),
    /// The connection was lost before the database answered: the statement may or may not have been executed.
    #[error("no answer of the database: {0}")]
    InDoubt(String),
    /// A row with that key exists; the constraint's name.
    #[error("a row with that key exists: {0}")]
    Taken(&'static str),
    /// The failure of a statement that served several requests.
    #[error("{said}")]
    Shared { said: String, outage: bool },
    #[error("the database holds something unreadable: {0}")]
    Corrupt(String),
}

/// A value of a row that is none of those that this program writes.
#[derive(Debug, thiserror::Error)]
#[error("{what}: {stored}")]
pub(super) struct Unreadable {
    what: &'static str,
    stored: String,
}

impl Unreadable {
    pub(super) fn new(what: &'static str, stored: impl ToString) -> Self {
        Self { what, stored: stored.to_string() }
    }

    /// Diesel wraps it in the name of the column.
    fn of<'a>(error: &'a (dyn std::error::Error + 'static)) -> Option<&'a Self> {
        let first: Option<&'a (dyn std::error::Error + 'static)> = Some(error);
        std::iter::successors(first, |error| error.source()).find_map(<dyn std::error::Error>::downcast_ref)
    }
}

impl From<diesel::result::Error> for StoreError {
    fn from(error: diesel::result::Error) -> Self {
        match Unreadable::of(&error) {
            Some(unreadable) => Self::Corrupt(unreadable.to_string()),
            None => Self::Query(error),
        }
    }
}

/// The beginnings of PostgreSQL's messages to a connection that it ends, or refuses for now.
const ENDED: [&str; 2] = ["terminating connection", "the database system is"];

/// What PostgreSQL reports if the disk is full.
const DISK_FULL: &str = "No space left on device";

fn is_lost(kind: diesel::result::DatabaseErrorKind) -> bool {
    use diesel::result::DatabaseErrorKind::{ClosedConnection, UnableToSendCommand};
    matches!(kind, ClosedConnection | UnableToSendCommand)
}

impl StoreError {
    /// A copy of the failure for one of the requests.
    #[must_use]
    pub fn shared(&self) -> Self {
        Self::Shared { said: self.to_string(), outage: self.is_outage() }
    }

    /// Whether the failed statement may have been executed, or may be later. It was not if the database refused it, or if there
    /// was no connection.
    #[must_use]
    pub fn leaves_doubt(&self) -> bool {
        use diesel::result::Error;
        match self {
            Self::Query(Error::DatabaseError(kind, _)) => is_lost(*kind),
            Self::Pool(_) | Self::Unreachable(_) | Self::Taken(_) => false,
            _ => true,
        }
    }

    /// Whether the database could not be reached, so that any statement would fail.
    #[must_use]
    pub fn is_of_the_connection(&self) -> bool {
        match self {
            Self::Query(_) => self.leaves_doubt() && !self.is_of_a_row(),
            Self::Corrupt(_) | Self::Taken(_) => false,
            _ => true,
        }
    }

    /// Whether the statement failed because of the rows that it read or wrote.
    #[must_use]
    pub fn is_of_a_row(&self) -> bool {
        use diesel::result::{DatabaseErrorKind as Kind, Error};
        match self {
            Self::Query(Error::DatabaseError(kind, _)) => matches!(
                kind,
                Kind::UniqueViolation
                    | Kind::ForeignKeyViolation
                    | Kind::NotNullViolation
                    | Kind::CheckViolation
                    | Kind::RestrictViolation
                    | Kind::ExclusionViolation
            ),
            Self::Query(error) => {
                matches!(
                    error,
                    Error::DeserializationError(_) | Error::SerializationError(_) | Error::NotFound
                )
            }
            Self::Corrupt(_) | Self::Taken(_) => true,
            _ => false,
        }
    }

    /// Whether the connection failed or the disk is full: a retry may succeed.
    #[must_use]
    pub fn is_outage(&self) -> bool {
        use diesel::result::Error;
        match self {
            Self::Query(Error::DatabaseError(kind, said)) => {
                let said = said.message();
                is_lost(*kind)
                    || ENDED.iter().any(|words| said.starts_with(words))
                    || said.contains(DISK_FULL)
            }
            Self::Pool(_) | Self::Unreachable(_) | Self::InDoubt(_) | Self::Shared { outage: true, .. } => {
                true
            }
            _ => false,
        }
    }

    /// The violated constraint, if the statement failed because a row with that key exists.
    #[must_use]
    pub fn violated_unique(&self) -> Option<&str> {
        use diesel::result::{DatabaseErrorKind, Error};
        match self {
            Self::Taken(name) => Some(name),
            Self::Query(Error::DatabaseError(DatabaseErrorKind::UniqueViolation, info)) => {
                info.constraint_name()
            }
            _ => None,
        }
    }
}

#[cfg(test)]
mod tests {
    use diesel::result::{DatabaseErrorKind, Error};

    use super::*;

    fn refused(kind: DatabaseErrorKind, said: &str) -> StoreError {
        StoreError::Query(Error::DatabaseError(kind, Box::new(said.to_owned())))
    }

    #[test]
    fn a_full_disk_is_an_outage_that_leaves_no_doubt() {
        for said in [
            "could not extend file \"base/16384/16402\": No space left on device",
            "could not write to file \"pg_wal/xlogtemp.42\": No space left on device",
        ] {
            let error = refused(DatabaseErrorKind::Unknown, said);
            assert!(error.is_outage() && !error.leaves_doubt() && !error.is_of_a_row(), "{said}");
        }
    }

    #[test]
    fn what_the_database_refuses_for_its_own_reasons_is_no_outage() {
        let taken = refused(DatabaseErrorKind::UniqueViolation, "duplicate key value");
        assert!(!taken.is_outage() && taken.is_of_a_row());
        let broken = refused(DatabaseErrorKind::Unknown, "invalid page in block 3");
        assert!(!broken.is_outage());
        let lost = refused(DatabaseErrorKind::ClosedConnection, "");
        assert!(lost.is_outage() && lost.leaves_doubt());
    }
}
