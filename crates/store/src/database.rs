//! Opens connections: one way for the pool, the migrations and the tests.

use std::collections::BTreeSet;
use std::fmt::Display;
use std::ops::{Deref, DerefMut};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

use deadpool::managed::{Hook, QueueMode};
use diesel::connection::InstrumentationEvent;
use diesel::migration::{Migration, MigrationSource, MigrationVersion};
use diesel::pg::Pg;
use diesel::{ConnectionError, ConnectionResult};
use diesel_async::pooled_connection::deadpool::{Object, Pool};
use diesel_async::pooled_connection::{AsyncDieselConnectionManager, ManagerConfig, RecyclingMethod};
use diesel_async::{
    AsyncConnection, AsyncMigrationHarness, AsyncPgConnection, RunQueryDsl, SimpleAsyncConnection,
    TransactionManager,
};
use diesel_migrations::{EmbeddedMigrations, MigrationHarness, embed_migrations};
use futures_util::FutureExt;
use futures_util::future::BoxFuture;
use tokio::sync::{OwnedSemaphorePermit, Semaphore};

use super::address::Address;
use super::citus::OneByOne;
use super::replica::Replica;
use super::{StoreError, Topology, citus, last_read_only, pooler, topology};
use pippost_archive::{Archive, ArchiveError};
use pippost_embedded::EmbeddedStatus;

/// The migrations, oldest first.
pub const MIGRATIONS: EmbeddedMigrations = embed_migrations!("../../migrations");

/// The key of the advisory lock, used by this program only: "pippost" in ASCII.
pub(super) const MIGRATION_LOCK: i64 = 0x0070_6970_706f_7374;

/// How long a request waits for a free connection.
const CONNECTION_TIMEOUT: Duration = Duration::from_secs(10);

type Manager = <AsyncPgConnection as AsyncConnection>::TransactionManager;

/// A pooled connection, and the place of a transaction if it is for one.
pub struct Connection {
    /// Until it is dropped.
    object: Option<Object<AsyncPgConnection>>,
    _place: Option<OwnedSemaphorePermit>,
}

impl From<Object<AsyncPgConnection>> for Connection {
    fn from(object: Object<AsyncPgConnection>) -> Self {
        Self { object: Some(object), _place: None }
    }
}

impl Deref for Connection {
    type Target = AsyncPgConnection;

    fn deref(&self) -> &AsyncPgConnection {
        self.object.as_ref().expect("it is there until the drop")
    }
}

impl DerefMut for Connection {
    fn deref_mut(&mut self) -> &mut AsyncPgConnection {
        self.object.as_mut().expect("it is there until the drop")
    }
}

impl Drop for Connection {
    /// Closes a connection within a transaction, whose client has hung up: in the pool it would keep its locks until somebody needs it.
    fn drop(&mut self) {
        let Some(mut object) = self.object.take() else { return };
        let transaction = Manager::transaction_manager_status_mut(&mut *object).transaction_depth();
        if !matches!(transaction, Ok(None)) {
            drop(Object::take(object));
        }
    }
}

/// How many connections of a pool transactions may have at once. They wait for the disk and for one another, and a stranger can make
/// many; whoever only reads finds the other half.
const fn places_of_transactions(connections: usize) -> usize {
    if connections < 2 { 1 } else { connections / 2 }
}

/// A part of the connections is at most one of so many.
const MIN_SHARE: usize = 8;

/// The database: a pool of connections, and optionally a replica for reading history.
#[derive(Clone)]
pub struct Database {
    pool: Pool<AsyncPgConnection>,
    writing: Arc<Semaphore>,
    address: Arc<Address>,
    statements: Arc<AtomicU64>,
    replica: Option<Replica>,
    archive: Option<Arc<Archive>>,
    topology: Topology,
    lost_nodes: citus::LostNodes,
}

impl Database {
    /// Makes a pool for `address`; opens no connection yet.
    ///
    /// # Errors
    /// The pool cannot be built.
    pub fn new(address: Arc<Address>, connections: usize) -> Result<Self, StoreError> {
        let statements = Arc::default();
        let pool = pool(Arc::clone(&address), connections, &statements, None)?;
        let topology = Topology::Plain;
        let lost_nodes = citus::LostNodes::default();
        let writing = places(connections);
        Ok(Self { pool, writing, address, statements, replica: None, archive: None, topology, lost_nodes })
    }

    /// The same database with connections of its own, for a thread with its own runtime: shared connections would wake two
    /// threads for each answer.
    ///
    /// # Errors
    /// The pool cannot be built.
    pub fn with_own_connections(&self, connections: usize) -> Result<Self, StoreError> {
        let pool = pool(Arc::clone(&self.address), connections, &self.statements, self.watched())?;
        Ok(Self { pool, writing: places(connections), ..self.clone() })
    }

    /// Makes do with fewer connections from now on; those of [`Database::with_own_connections`] are not counted.
    pub fn shrink(&self, connections: usize) {
        let before = places_of_transactions(self.connections());
        self.pool.resize(connections);
        self.writing.forget_permits(before.saturating_sub(places_of_transactions(connections)));
    }

    /// The most connections; those of [`Database::with_own_connections`] are not counted.
    #[must_use]
    pub fn connections(&self) -> usize {
        self.pool.status().max_size
    }

    /// The same database with a part of its connections, which others cannot use up; with all of them if they are few, or on a cluster,
    /// where a question may wait for a silent node and would keep the part.
    ///
    /// # Errors
    /// The pool cannot be built.
    pub fn part(&self, connections: usize) -> Result<Self, StoreError> {
        if self.topology().is_citus() || self.connections() < MIN_SHARE * connections {
            return Ok(self.clone());
        }
        self.shrink(self.connections() - connections);
        self.with_own_connections(connections)
    }

    /// The same database, with a replica for reading history.
    ///
    /// # Errors
    /// The pool cannot be built.
    pub fn with_replica(self, address: Arc<Address>, connections: usize) -> Result<Self, StoreError> {
        Ok(Self { replica: Some(Replica::new(address, connections)?), ..self })
    }

    /// The same database, with the archive in which its finished games lie.
    #[must_use]
    pub fn with_archive(self, archive: Option<Arc<Archive>>) -> Self {
        Self { archive, ..self }
    }

    /// The archive of finished games.
    ///
    /// # Errors
    /// This process was given none.
    pub fn archive(&self) -> Result<&Arc<Archive>, ArchiveError> {
        self.archive.as_ref().ok_or(ArchiveError::None)
    }

    /// The same database with the topology that it has.
    ///
    /// # Errors
    /// The database fails.
    pub async fn with_its_topology(self) -> Result<Self, StoreError> {
        let topology = Topology::of(&mut *self.get().await?).await?;
        if topology == Topology::Plain {
            return Ok(Self { topology, ..self });
        }
        let lost_nodes = citus::LostNodes::of(Arc::clone(&self.address));
        let connections = self.pool.status().max_size;
        let pool = pool(Arc::clone(&self.address), connections, &self.statements, Some(lost_nodes.clone()))?;
        Ok(Self { pool, topology, lost_nodes, ..self })
    }

    /// What watches the connections: they may wait for a silent node.
    fn watched(&self) -> Option<citus::LostNodes> {
        self.topology.is_citus().then(|| self.lost_nodes.clone())
    }

    /// Where the tables lie.
    #[must_use]
    pub fn topology(&self) -> Topology {
        self.topology
    }

    /// The nodes that failed just now, if the database is distributed.
    #[must_use]
    pub fn lost_nodes(&self) -> &citus::LostNodes {
        &self.lost_nodes
    }

    /// The state of the PostgreSQL that this process runs; `None` for another.
    #[must_use]
    pub fn embedded(&self) -> Option<&EmbeddedStatus> {
        self.address.embedded()
    }

    /// The replica, if there is one.
    #[must_use]
    pub fn replica(&self) -> Option<&Replica> {
        self.replica.as_ref()
    }

    /// A connection from the pool.
    ///
    /// # Errors
    /// None was free in time, or the database cannot be reached.
    pub async fn get(&self) -> Result<Connection, StoreError> {
        Ok(in_time(self.pool.get()).await?.into())
    }

    /// A connection from the pool for a transaction of several statements. They have half of the connections, so that reads go on
    /// however many there are.
    ///
    /// # Errors
    /// As [`Database::get`].
    pub async fn get_for_writing(&self) -> Result<Connection, StoreError> {
        let opening = async {
            let place = Arc::clone(&self.writing).acquire_owned().await.map_err(|error| error.to_string())?;
            let object = self.pool.get().await.map_err(|error| error.to_string())?;
            Ok::<_, String>(Connection { object: Some(object), _place: Some(place) })
        };
        // Boxed, because the futures of transactions hold it.
        Box::pin(in_time(opening)).await
    }

    /// Checks that the database answers.
    ///
    /// # Errors
    /// It does not.
    pub async fn ping(&self) -> Result<(), StoreError> {
        let mut connection = self.get().await?;
        diesel::select(diesel::dsl::now).execute(&mut connection).await?;
        Ok(())
    }

    /// Notifies the listeners of `channel`. No request waits for it: it is not counted as a statement, and is not flushed to
    /// disk, so a crash may lose it. The payload must need no escaping.
    ///
    /// # Errors
    /// As [`Database::ping`].
    pub(super) async fn notify(&self, channel: &'static str, payload: &str) -> Result<(), StoreError> {
        let mut connection = self.get().await?;
        let statement = format!(
            "select set_config('synchronous_commit', 'off', true), pg_notify('{channel}', '{payload}')"
        );
        Ok(uncounted(async { connection.batch_execute(&statement).await }).await?)
    }

    /// The number of statements sent by this pool and those of [`Database::with_own_connections`].
    #[must_use]
    pub fn statements(&self) -> u64 {
        AtomicU64::load(&self.statements, Ordering::Relaxed)
    }

    /// Closes the pools; connections in use are closed when they are returned.
    pub fn close(&self) {
        self.pool.close();
        if let Some(replica) = &self.replica {
            replica.close();
        }
    }
}

fn places(connections: usize) -> Arc<Semaphore> {
    Arc::new(Semaphore::new(places_of_transactions(connections)))
}

/// Waits as long as a request may.
async fn in_time<T, E: Display>(wanted: impl Future<Output = Result<T, E>>) -> Result<T, StoreError> {
    let waited = tokio::time::timeout(CONNECTION_TIMEOUT, wanted).await;
    waited
        .map_err(|_| StoreError::Pool("all are in use".into()))?
        .map_err(|error| StoreError::Pool(error.to_string()))
}

tokio::task_local! {
    /// Set while a statement is sent that is not counted.
    static UNCOUNTED: ();
}

/// Does not count the statements that `work` sends.
pub(super) async fn uncounted<T>(work: impl Future<Output = T>) -> T {
    UNCOUNTED.scope((), work).await
}

/// Counts the statements of a connection.
fn count(connection: &mut AsyncPgConnection, counter: Arc<AtomicU64>) {
    connection.set_instrumentation(move |event: InstrumentationEvent<'_>| count_one(&event, &counter));
}

fn count_one(event: &InstrumentationEvent<'_>, counter: &AtomicU64) {
    let is_uncounted = || UNCOUNTED.try_with(|()| ()).is_ok();
    if matches!(event, InstrumentationEvent::StartQuery { .. }) && !is_uncounted() {
        counter.fetch_add(1, Ordering::Relaxed);
    }
}

/// A pool for `address` that counts statements; opens no connection yet. Its connections are watched if there are nodes to be lost.
pub(super) fn pool(
    address: Arc<Address>,
    connections: usize,
    statements: &Arc<AtomicU64>,
    nodes: Option<citus::LostNodes>,
) -> Result<Pool<AsyncPgConnection>, StoreError> {
    let mut config = ManagerConfig::default();
    config.recycling_method = RecyclingMethod::Fast;
    let counter = Arc::clone(statements);
    config.custom_setup = Box::new(move |_| {
        let (address, counter, nodes) = (Arc::clone(&address), Arc::clone(&counter), nodes.clone());
        async move {
            if let Some(nodes) = nodes {
                return open_watched(&address, nodes, counter).await;
            }
            let mut connection = open(&address).await?;
            count(&mut connection, counter);
            Ok(connection)
        }
        .boxed()
    });
    let manager = AsyncDieselConnectionManager::new_with_config(String::new(), config);
    // The last used connection is taken next: the data of its backend is still in the processor's cache.
    let pool = Pool::builder(manager).max_size(connections).queue_mode(QueueMode::Lifo);
    let pool = pool.pre_recycle(Hook::sync_fn(|_, metrics| last_read_only::check(metrics))).build();
    pool.map_err(|error| StoreError::Pool(error.to_string()))
}

/// Opens one connection, with TLS if the address requires it.
pub fn open(address: &Address) -> BoxFuture<'_, ConnectionResult<AsyncPgConnection>> {
    async move {
        let bad = |error: tokio_postgres::Error| ConnectionError::BadConnection(describe(&error));
        if let Some(tls) = address.tls() {
            let connector = tokio_postgres_rustls::MakeRustlsConnect::new(tls);
            let (client, connection) = address.config().connect(connector).await.map_err(bad)?;
            AsyncPgConnection::try_from_client_and_connection(client, connection).await
        } else {
            let (client, connection) = address.config().connect(tokio_postgres::NoTls).await.map_err(bad)?;
            AsyncPgConnection::try_from_client_and_connection(client, connection).await
        }
    }
    .boxed()
}

/// Opens one that is given up while a node is silent.
async fn open_watched(
    address: &Address,
    nodes: citus::LostNodes,
    counter: Arc<AtomicU64>,
) -> ConnectionResult<AsyncPgConnection> {
    let bad = |error: tokio_postgres::Error| ConnectionError::BadConnection(describe(&error));
    let counting = move |event: &InstrumentationEvent<'_>| count_one(event, &counter);
    if let Some(tls) = address.tls() {
        let connector = tokio_postgres_rustls::MakeRustlsConnect::new(tls);
        let (client, connection) = address.config().connect(connector).await.map_err(bad)?;
        citus::silence::watched(client, connection, nodes, counting).await
    } else {
        let (client, connection) = address.config().connect(tokio_postgres::NoTls).await.map_err(bad)?;
        citus::silence::watched(client, connection, nodes, counting).await
    }
}

/// The error with its causes; tokio-postgres reveals no secret of the address.
fn describe(error: &tokio_postgres::Error) -> String {
    match std::error::Error::source(error) {
        Some(cause) => format!("{error}: {cause}"),
        None => error.to_string(),
    }
}

/// Applies all missing migrations in one transaction. Any number of servers may start at once: one migrates, the others wait.
///
/// # Errors
/// The database cannot be reached, a pooler in front of it cannot be used, it has migrations that this program does not know, or
/// a migration fails.
pub async fn migrate(address: &Address) -> Result<usize, StoreError> {
    pooler::refuse_one_that_mixes_statements(address).await?;
    with_harness(address, |harness, topology| {
        refuse_newer(&harness.applied_migrations()?)?;
        let done = match topology {
            Topology::Plain => harness.run_pending_migrations(MIGRATIONS)?,
            Topology::Citus => harness.run_pending_migrations(OneByOne(MIGRATIONS))?,
        };
        Ok(done.len())
    })
    .await
}

/// Whether the database has exactly the migrations that this program knows.
///
/// # Errors
/// The database cannot be reached, or has newer ones.
pub(super) async fn is_current(address: &Address) -> Result<bool, StoreError> {
    with_harness(address, |harness, _| {
        refuse_newer(&harness.applied_migrations()?)?;
        Ok(!harness.has_pending_migration(MIGRATIONS)?)
    })
    .await
}

/// Refuses a database of a newer program: an older one would misread it and write what the newer one does not expect.
fn refuse_newer(applied: &[MigrationVersion<'_>]) -> Result<(), NewerSchema> {
    let known: Vec<Box<dyn Migration<Pg>>> = MIGRATIONS.migrations().unwrap_or_default();
    let known: BTreeSet<String> = known.iter().map(|known| known.name().version().to_string()).collect();
    let unknown = applied.iter().map(ToString::to_string).filter(|applied| !known.contains(applied)).max();
    match unknown {
        None => Ok(()),
        Some(found) => Err(NewerSchema { known: known.last().cloned().unwrap_or_default(), found }),
    }
}

/// The database was used with a newer program.
#[derive(Debug, thiserror::Error)]
#[error(
    "the database has tables of a newer pippost: its newest migration is {found}, and the newest that this program knows is {known}. \
     Run the version of pippost that the database was last used with, or a newer one"
)]
struct NewerSchema {
    known: String,
    found: String,
}

/// Reverts the newest migration.
///
/// # Errors
/// As [`migrate`].
pub async fn revert(address: &Address) -> Result<(), StoreError> {
    with_harness(address, |harness, topology| {
        match topology {
            Topology::Plain => harness.revert_last_migration(MIGRATIONS)?,
            Topology::Citus => harness.revert_last_migration(OneByOne(MIGRATIONS))?,
        };
        Ok(())
    })
    .await
}

async fn with_harness<T>(
    address: &Address,
    run: impl FnOnce(
        &mut AsyncMigrationHarness<AsyncPgConnection>,
        Topology,
    ) -> Result<T, Box<dyn std::error::Error + Send + Sync>>,
) -> Result<T, StoreError> {
    let mut connection = open(address).await.map_err(|error| StoreError::Unreachable(error.to_string()))?;
    topology::refuse_worker(&mut connection).await?;
    // One transaction around everything: a session lock would stay behind in a pooler's connection.
    Manager::begin_transaction(&mut connection).await?;
    connection.batch_execute(&format!("select pg_advisory_xact_lock({MIGRATION_LOCK})")).await?;
    let topology = Topology::of(&mut connection).await?;
    let mut harness = AsyncMigrationHarness::new(connection);
    let outcome = tokio::task::block_in_place(|| run(&mut harness, topology)).map_err(|error| {
        match error.downcast::<NewerSchema>() {
            Ok(newer) => StoreError::NewerSchema(newer.to_string()),
            Err(error) => StoreError::Migration(error.to_string()),
        }
    })?;
    let mut connection = harness.into_inner();
    citus::bring_functions_up_to_date(&mut connection).await?;
    Manager::commit_transaction(&mut connection).await?;
    Ok(outcome)
}
