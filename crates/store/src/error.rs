//! Failures of the database.

use pippost_archive::ArchiveError;

use super::last_read_only;
use super::usage::UsedUp;

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
    #[error(
        "the database is on a worker of a Citus cluster: DATABASE_URL must name the coordinator, which alone has people, mails and \
         programs (docs/SCALING.md)"
    )]
    Worker,
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
    /// Nothing was asked: the node of a cluster on which the game lives failed just now.
    #[error("the node of the game failed just now, and is left alone for a moment")]
    LostNode,
    /// A row with that key exists; the constraint's name.
    #[error("a row with that key exists: {0}")]
    Taken(&'static str),
    /// As many as there may be are there; how many that is.
    #[error("there may be no more than {0}")]
    TooMany(i64),
    /// A player's games take as much as they may.
    #[error("the player's games take as much as they may: {0:?}")]
    UsedUp(UsedUp),
    /// The failure of a statement that served several requests.
    #[error("{said}")]
    Shared { said: String, outage: bool },
    #[error("the database holds something unreadable: {0}")]
    Corrupt(String),
    /// A finished game lies outside the database, and cannot be had from there.
    #[error("{0}")]
    Archive(#[from] ArchiveError),
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
        last_read_only::note(&error);
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

/// What PostgreSQL reports if the disk fails. A commit whose log could not be flushed may be there after the recovery.
const DISK_FAILS: &str = "Input/output error";

fn is_lost(kind: diesel::result::DatabaseErrorKind) -> bool {
    use diesel::result::DatabaseErrorKind::{ClosedConnection, UnableToSendCommand};
    matches!(kind, ClosedConnection | UnableToSendCommand)
}

/// How a coordinator reports that it lost one of its nodes, which may have done what it was told.
const LOST_NODE: [&str; 2] = ["connection to the remote node", "failure on connection marked as essential"];

fn is_of_a_lost_node(said: &str) -> bool {
    LOST_NODE.iter().any(|words| said.starts_with(words))
}

impl StoreError {
    /// The node of a cluster that is gone, as `host:port`, if the statement failed by that.
    #[must_use]
    pub fn lost_node(&self) -> Option<&str> {
        let Self::Query(diesel::result::Error::DatabaseError(_, said)) = self else { return None };
        let [unreachable, broken] = LOST_NODE;
        let said = said.message();
        if let Some(rest) = said.strip_prefix(unreachable) {
            // The user's name comes first, and may hold an `@`.
            return rest.trim_start().split(' ').next()?.rsplit('@').next();
        }
        said.strip_prefix(broken)?.strip_prefix(": ")?.split_whitespace().next()
    }

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
            Self::Query(Error::DatabaseError(kind, said)) => {
                let said = said.message();
                is_lost(*kind) || is_of_a_lost_node(said) || said.contains(DISK_FAILS)
            }
            // The first two were not sent.
            Self::Query(Error::QueryBuilderError(_) | Error::SerializationError(_))
            | Self::Pool(_)
            | Self::Unreachable(_)
            | Self::LostNode
            | Self::Taken(_)
            | Self::TooMany(_)
            | Self::UsedUp(_)
            | Self::Archive(_) => false,
            _ => true,
        }
    }

    /// Whether the database could not be reached, so that any statement would fail.
    #[must_use]
    pub fn is_of_the_connection(&self) -> bool {
        match self {
            Self::Query(_) => self.leaves_doubt() && !self.is_of_a_row(),
            Self::Corrupt(_) | Self::Taken(_) | Self::TooMany(_) | Self::UsedUp(_) => false,
            Self::Archive(error) => error.is_outage(),
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
            Self::Archive(error) => !error.is_outage(),
            _ => false,
        }
    }

    /// Whether the connection failed, or the disk fails or is full, or the database only reads for now, as a standby does: a retry may
    /// succeed.
    #[must_use]
    pub fn is_outage(&self) -> bool {
        use diesel::result::{DatabaseErrorKind, Error};
        match self {
            Self::Query(Error::DatabaseError(kind, said)) => {
                let said = said.message();
                is_lost(*kind)
                    || matches!(kind, DatabaseErrorKind::ReadOnlyTransaction)
                    || is_of_a_lost_node(said)
                    || ENDED.iter().any(|words| said.starts_with(words))
                    || said.contains(DISK_FULL)
                    || said.contains(DISK_FAILS)
            }
            Self::Pool(_)
            | Self::Unreachable(_)
            | Self::LostNode
            | Self::InDoubt(_)
            | Self::Shared { outage: true, .. } => true,
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
                constraint_of(info.as_ref())
            }
            _ => None,
        }
    }
}

/// The name of a violated constraint as the migrations write it. A shard appends its number, and a node of a cluster that passes on
/// another's refusal leaves it to the message.
fn constraint_of(info: &(dyn diesel::result::DatabaseErrorInformation + Send + Sync)) -> Option<&str> {
    let said = || info.message().split('"').nth(1);
    info.constraint_name().or_else(said).map(without_shard)
}

/// The name without `_` and the digits of a shard at its end.
fn without_shard(name: &str) -> &str {
    match name.rsplit_once('_') {
        Some((plain, shard))
            if shard.len() >= SHARD_DIGITS && shard.bytes().all(|byte| byte.is_ascii_digit()) =>
        {
            plain
        }
        _ => name,
    }
}

/// The least digits of a shard's number: Citus counts from 102,008.
const SHARD_DIGITS: usize = 6;
