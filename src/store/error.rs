//! What can go wrong with the database.

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
        "a pooler that lends connections by the transaction hears no notifications: PIPPOST_LISTEN_URL must lead past it \
         (docs/SCALING.md)"
    )]
    Deaf,
    #[error(
        "this database belongs to a server that has started it for itself, and whoever else writes games must lock its file {0}: {1}"
    )]
    LockFile(String, String),
    #[error("the server that this database belongs to holds {0}, and does not let others write games")]
    Occupied(String),
    #[error("no database connection: {0}")]
    Pool(String),
    #[error("a migration failed: {0}")]
    Migration(String),
    #[error("the database refused a statement: {0}")]
    Query(#[from] diesel::result::Error),
    /// The failure of a statement that asked for several at once.
    #[error("{0}")]
    Shared(String),
    #[error("the database holds something unreadable: {0}")]
    Corrupt(String),
}

impl StoreError {
    /// Whether the statement that failed so may be carried out all the same, now or later. What the database itself refuses is over.
    #[must_use]
    pub fn leaves_doubt(&self) -> bool {
        use diesel::result::{DatabaseErrorKind, Error};
        match self {
            Self::Query(Error::DatabaseError(kind, _)) => {
                matches!(kind, DatabaseErrorKind::ClosedConnection | DatabaseErrorKind::UnableToSendCommand)
            }
            _ => true,
        }
    }

    /// Whether the statement failed because a row with that key exists, by the constraint's name.
    #[must_use]
    pub fn violated_unique(&self) -> Option<&str> {
        use diesel::result::{DatabaseErrorKind, Error};
        match self {
            Self::Query(Error::DatabaseError(DatabaseErrorKind::UniqueViolation, info)) => {
                info.constraint_name()
            }
            _ => None,
        }
    }
}
