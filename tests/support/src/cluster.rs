//! One PostgreSQL for each test program; every test gets a database cloned from a migrated template.

use std::collections::{BTreeSet, VecDeque};
use std::fs::File;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU32, Ordering};
use std::sync::{Mutex, OnceLock};

use diesel_async::SimpleAsyncConnection;
use futures_util::future::join_all;
use pippost::store::embedded::{APP_ROLE, Embedded, EmbeddedSettings, SUPERUSER};
use pippost::store::{Address, citus, database};

use crate::program::tests_folder;

const TEMPLATE: &str = "it_template";

/// Names a PostgreSQL to be used in place of an own one, by a superuser's URL. Several, divided by commas, are the nodes of a Citus
/// cluster, the coordinator first: then every database is distributed. Only one run of tests can use it at a time.
const NODES: &str = "PIPPOST_TEST_DATABASE_URL";

static CLUSTER: OnceLock<Cluster> = OnceLock::new();
static COUNT: AtomicU32 = AtomicU32::new(0);

/// How many databases a cluster keeps. Each node has a process and some connections for each of them, used or not.
const KEPT_DATABASES: usize = 8;

/// How many databases of an earlier run are dropped at once.
const DROPPED_AT_ONCE: usize = 16;

/// The databases of this run on a cluster, the oldest first.
static KEPT: Mutex<VecDeque<String>> = Mutex::new(VecDeque::new());

/// Where the tests' databases are.
enum Cluster {
    Embedded(Embedded),
    /// The URLs of servers without a database.
    Nodes(Vec<String>),
}

impl Cluster {
    /// The addresses of a database on all nodes, the one to be used first.
    fn addresses_as(&self, role: &str, name: &str) -> Vec<Address> {
        let urls = match self {
            Self::Embedded(embedded) => vec![embedded.url_for(role, name)],
            Self::Nodes(nodes) => nodes.iter().map(|node| format!("{node}/{name}")).collect(),
        };
        urls.iter().map(|url| Address::parse(url, None).expect("an address")).collect()
    }

    fn address_as(&self, role: &str, name: &str) -> Address {
        self.addresses_as(role, name).remove(0)
    }

    /// The options that say whose a new database is.
    fn owner(&self) -> String {
        match self {
            Self::Embedded(_) => format!("owner {APP_ROLE}"),
            Self::Nodes(_) => String::new(),
        }
    }

    /// Runs a statement as superuser on all nodes.
    async fn maintain(&self, statement: &str) {
        let done = self.try_to_maintain(statement).await;
        done.unwrap_or_else(|error| panic!("{error}: {statement}"));
    }

    async fn try_to_maintain(&self, statement: &str) -> diesel::QueryResult<()> {
        let run = |address| async move {
            let mut connection = database::open(&address).await.expect("a superuser's connection");
            connection.batch_execute(statement).await
        };
        // At once, because a node needs two seconds to drop a database.
        join_all(self.addresses_as(SUPERUSER, "postgres").into_iter().map(run)).await.into_iter().collect()
    }

    /// Ends all connections to a database and allows no more, so that it can be copied.
    async fn close(&self, name: &str) {
        self.maintain(&format!("alter database {name} allow_connections false")).await;
        let end =
            format!("select pg_terminate_backend(pid, 10000) from pg_stat_activity where datname = '{name}'");
        self.maintain(&end).await;
    }
}

/// Whether the tests' databases are distributed.
pub fn is_citus() -> bool {
    std::env::var(NODES).is_ok_and(|urls| urls.contains(','))
}

/// A new cluster in the target folder, where those of earlier runs are removed. It stops when this process ends.
///
/// It is not durable: nobody needs it after a crash of the machine. Tests of crashes start PostgreSQL as the program does.
fn start_cluster() -> Embedded {
    static IN_USE: OnceLock<File> = OnceLock::new();
    let clusters = tests_folder().join("clusters");
    std::fs::create_dir_all(&clusters).expect("a folder for clusters");
    let folder = {
        let others_wait = File::create(clusters.with_extension("lock")).expect("a file to lock");
        others_wait.lock().expect("the lock");
        let old = unused_clusters(&clusters);
        // Thousands of files: no test waits until they are gone.
        std::thread::spawn(move || old.iter().for_each(|folder| drop(std::fs::remove_dir_all(folder))));
        let folder = clusters.join(std::process::id().to_string());
        std::fs::create_dir(&folder).expect("a folder of this process");
        let in_use = File::open(&folder).expect("the folder");
        in_use.lock().expect("nobody else uses it");
        IN_USE.set(in_use).expect("one cluster");
        folder
    };
    let programs_dir = std::env::var_os("PG_BINDIR").map(PathBuf::from);
    let settings = EmbeddedSettings { programs_dir, durable: false, ..EmbeddedSettings::in_folder(folder) };
    Embedded::start(&settings).expect("PostgreSQL")
}

/// The clusters of processes that have ended, under names that no new process gets.
fn unused_clusters(clusters: &Path) -> Vec<PathBuf> {
    let is_free = |path: &Path| File::open(path).is_ok_and(|file| file.try_lock().is_ok());
    let mut unused = Vec::new();
    for entry in std::fs::read_dir(clusters).expect("the folder").flatten() {
        let (folder, lock) = (entry.path(), entry.path().join("pg.lock"));
        // Every process of a cluster holds the inner lock; some outlive the test program for a moment.
        if is_free(&folder) && (!lock.exists() || is_free(&lock)) {
            let old = folder.with_extension("old");
            if folder == old || std::fs::rename(&folder, &old).is_ok() {
                unused.push(old);
            }
        }
    }
    unused
}

/// The PostgreSQL of this run, with a migrated template.
fn cluster() -> &'static Cluster {
    CLUSTER.get_or_init(|| {
        let cluster = if let Ok(urls) = std::env::var(NODES) {
            let server = |url: &str| url.rsplit_once('/').expect("a URL with a database").0.to_owned();
            Cluster::Nodes(urls.split(',').map(server).collect())
        } else {
            Cluster::Embedded(start_cluster())
        };
        make_template(&cluster);
        cluster
    })
}

/// Migrates a new template, after removing what an earlier run left on a server that is not this run's own; on a thread of its own,
/// because tests have a runtime already.
fn make_template(cluster: &Cluster) {
    std::thread::scope(|scope| {
        let made = scope.spawn(|| {
            let runtime = tokio::runtime::Runtime::new().expect("a runtime");
            runtime.block_on(async {
                let left_over = left_over(cluster).await;
                for names in left_over.chunks(DROPPED_AT_ONCE) {
                    join_all(names.iter().map(|name| drop_everywhere(cluster, name))).await;
                }
                cluster.maintain(&format!("create database {TEMPLATE} {}", cluster.owner())).await;
                database::migrate(&cluster.address_as(APP_ROLE, TEMPLATE)).await.expect("migrations");
                if is_citus() {
                    join_nodes(cluster, TEMPLATE).await;
                    let address = cluster.address_as(SUPERUSER, TEMPLATE);
                    citus::distribute(&address, citus::SHARDS).await.expect("distributed tables");
                    cluster.close(TEMPLATE).await;
                }
            });
        });
        made.join().expect("the template is made");
    });
}

/// Makes the database on each node part of one cluster.
async fn join_nodes(cluster: &Cluster, name: &str) {
    let addresses = cluster.addresses_as(SUPERUSER, name);
    for address in &addresses {
        let mut connection = database::open(address).await.expect("a superuser's connection");
        connection.batch_execute("create extension citus").await.expect("the extension");
    }
    let Cluster::Nodes(nodes) = cluster else { return };
    let place = |node: &String| {
        let server = node.rsplit_once('@').expect("a user").1.rsplit_once(':').expect("a port");
        format!("'{}', {}", server.0, server.1)
    };
    let (first, workers) = nodes.split_first().expect("a coordinator");
    let first = format!("select citus_set_coordinator_host({});", place(first));
    let others = workers.iter().map(|worker| format!("select citus_add_node({});", place(worker)));
    let join: String = std::iter::once(first).chain(others).collect();
    let mut connection = database::open(&addresses[0]).await.expect("a superuser's connection");
    connection.batch_execute(&join).await.expect("nodes");
}

/// The databases of earlier runs on any node.
async fn left_over(cluster: &Cluster) -> Vec<String> {
    use diesel::prelude::*;
    use diesel_async::RunQueryDsl;
    diesel::table! { pg_database (datname) { datname -> Text, } }
    let mut found = BTreeSet::new();
    for maintenance in cluster.addresses_as(SUPERUSER, "postgres") {
        let mut connection = database::open(&maintenance).await.expect("a superuser's connection");
        let names =
            pg_database::table.filter(pg_database::datname.like("it\\_%")).select(pg_database::datname);
        let names: Vec<String> = names.load(&mut connection).await.expect("the names of databases");
        found.extend(names);
    }
    found.into_iter().collect()
}

/// How often dropping a database is tried: a node that is just connecting to another keeps its database in use.
const ATTEMPTS: usize = 5;

/// Nodes of a cluster connect to each other's databases all the time, so all are closed before one is dropped.
async fn drop_everywhere(cluster: &Cluster, name: &str) {
    // A database whose dropping was cut off is closed already, and cannot be altered.
    let close = format!(
        "do $$ begin if exists (select from pg_database where datname = '{name}' and datconnlimit <> -2) \
         then alter database {name} allow_connections false; end if; end $$"
    );
    cluster.maintain(&close).await;
    let drop = format!("drop database if exists {name} with (force)");
    for _ in 1..ATTEMPTS {
        if cluster.try_to_maintain(&drop).await.is_ok() {
            return;
        }
    }
    cluster.maintain(&drop).await;
}

/// A migrated, empty database.
pub async fn new_database() -> String {
    create_from(TEMPLATE).await
}

/// A database without any table.
pub async fn bare_database() -> String {
    create_from("template0").await
}

/// A copy of a database as it is now. This closes all connections to the database, because copying allows none.
pub async fn copy_of(name: &str) -> String {
    let cluster = tokio::task::spawn_blocking(cluster).await.expect("the cluster");
    cluster.close(name).await;
    let copy = create_from(name).await;
    cluster.maintain(&format!("alter database {name} allow_connections true")).await;
    copy
}

async fn create_from(template: &str) -> String {
    let name = format!("it_{}", COUNT.fetch_add(1, Ordering::Relaxed));
    let cluster = tokio::task::spawn_blocking(cluster).await.expect("the cluster");
    // Files are copied as they are, catalogue caches included; the other way writes all of them to the log as well.
    let create = format!("create database {name} template {template} strategy file_copy {}", cluster.owner());
    cluster.maintain(&create).await;
    if is_citus() {
        drop_one_that_is_done_with(cluster, name.clone()).await;
    }
    name
}

/// Takes note of a new database, and drops the oldest one if there are many and nobody is connected to it any more.
async fn drop_one_that_is_done_with(cluster: &'static Cluster, new: String) {
    let oldest = {
        let mut kept = KEPT.lock().expect("the list");
        kept.push_back(new);
        if kept.len() > KEPT_DATABASES { kept.pop_front() } else { None }
    };
    let Some(oldest) = oldest else { return };
    if has_clients(cluster, &oldest).await {
        KEPT.lock().expect("the list").push_back(oldest);
    } else {
        // On a thread of its own: no test waits for it, and it outlives the test.
        std::thread::spawn(move || {
            let runtime = tokio::runtime::Runtime::new().expect("a runtime");
            runtime.block_on(drop_everywhere(cluster, &oldest));
        });
    }
}

/// Whether anybody but nodes of the cluster is connected to a database.
async fn has_clients(cluster: &Cluster, name: &str) -> bool {
    use diesel::QueryableByName;
    use diesel_async::RunQueryDsl;

    #[derive(QueryableByName)]
    struct Found {
        #[diesel(sql_type = diesel::sql_types::Bool)]
        found: bool,
    }
    let query = format!(
        "select exists (select from pg_stat_activity where datname = '{name}' and backend_type = 'client backend' \
         and application_name not like 'citus%') as found"
    );
    let address = cluster.address_as(SUPERUSER, "postgres");
    let mut connection = database::open(&address).await.expect("a superuser's connection");
    let found: Found = diesel::sql_query(query).get_result(&mut connection).await.expect("an answer");
    found.found
}

/// The address of a database, as a setting.
pub fn url(name: &str) -> String {
    match cluster() {
        Cluster::Embedded(embedded) => embedded.url_for(APP_ROLE, name),
        Cluster::Nodes(nodes) => format!("{}/{name}", nodes[0]),
    }
}

/// The same address, as the cluster's superuser.
pub fn superuser_address(name: &str) -> Address {
    cluster().address_as(SUPERUSER, name)
}

/// The address of a database that [`new_database`] made, as the server's own role.
pub fn address(name: &str) -> Address {
    cluster().address_as(APP_ROLE, name)
}

/// The addresses of a database on all nodes, the coordinator first.
pub fn addresses(name: &str) -> Vec<Address> {
    cluster().addresses_as(APP_ROLE, name)
}

/// What to select from to find the statements of a database that wait for a lock, on whatever node.
pub fn waiting_statements() -> &'static str {
    if is_citus() {
        // The view shows all databases of the nodes, those of tests that run at the same time too.
        "(select distinct waiting_gpid from citus_lock_waits join citus_stat_activity on global_pid = waiting_gpid \
          where datname = current_database()) as waiting_statements"
    } else {
        "pg_stat_activity where wait_event_type = 'Lock' and datname = current_database()"
    }
}

/// Runs statements, each by itself on a cluster, which passes on one at a time; there triggers can be changed by who asks for it.
pub async fn run_each(
    connection: &mut diesel_async::AsyncPgConnection,
    statements: &str,
) -> diesel::QueryResult<()> {
    if !is_citus() {
        return connection.batch_execute(statements).await;
    }
    connection.batch_execute("set citus.enable_unsafe_triggers = on").await?;
    for statement in divided(statements) {
        connection.batch_execute(&statement).await?;
    }
    Ok(())
}

/// The statements of a text; the semicolons in the body of a function are before no such word.
fn divided(statements: &str) -> Vec<String> {
    const FIRST: [&str; 7] = ["alter ", "create ", "delete ", "drop ", "insert ", "update ", "set "];
    let mut divided: Vec<String> = Vec::new();
    for part in statements.split(';') {
        let begins = FIRST.iter().any(|first| part.trim_start().starts_with(first));
        match divided.last_mut() {
            Some(last) if !begins => {
                last.push(';');
                last.push_str(part);
            }
            _ => divided.push(part.to_owned()),
        }
    }
    divided
}

/// Whether a test ends here because it is about what only a plain database has, as the reason says. Every reason stands in
/// docs/SCALING.md, which a test checks.
pub fn plain_only(reason: &str) -> bool {
    if is_citus() {
        println!("not on a cluster: {reason}");
    }
    is_citus()
}
