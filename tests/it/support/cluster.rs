//! One PostgreSQL for the whole run; every test gets a database cloned from a migrated template.

use std::path::PathBuf;
use std::sync::OnceLock;
use std::sync::atomic::{AtomicU32, Ordering};

use diesel_async::SimpleAsyncConnection;
use pippost::store::embedded::{APP_ROLE, Embedded, EmbeddedSettings, SUPERUSER};
use pippost::store::{Address, database};

const TEMPLATE: &str = "it_template";

/// Every test program has its own cluster.
const CLUSTER_FOLDER: &str = concat!(env!("CARGO_CRATE_NAME"), "-cluster");

static CLUSTER: OnceLock<Embedded> = OnceLock::new();
static COUNT: AtomicU32 = AtomicU32::new(0);

/// The cluster, kept in the target folder between runs and stopped when this process ends.
fn cluster() -> &'static Embedded {
    CLUSTER.get_or_init(|| {
        let folder = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join(CLUSTER_FOLDER);
        let programs_dir = std::env::var_os("PG_BINDIR").map(PathBuf::from);
        let embedded =
            Embedded::start(&EmbeddedSettings { programs_dir, ..EmbeddedSettings::in_folder(folder) })
                .expect("PostgreSQL");
        make_template(&embedded);
        embedded
    })
}

fn address_as(embedded: &Embedded, role: &str, name: &str) -> Address {
    Address::parse(&embedded.url_for(role, name), None).expect("an address")
}

/// Removes the databases of earlier runs and migrates a new template; on its own thread, because tests have a runtime already.
fn make_template(embedded: &Embedded) {
    std::thread::scope(|scope| {
        let made = scope.spawn(|| {
            let runtime = tokio::runtime::Runtime::new().expect("a runtime");
            runtime.block_on(async {
                let maintenance = address_as(embedded, SUPERUSER, "postgres");
                let mut connection = database::open(&maintenance).await.expect("a superuser's connection");
                for name in left_over(&mut connection).await {
                    let drop = format!("drop database {name} with (force)");
                    connection.batch_execute(&drop).await.expect("an old database");
                }
                let create = format!("create database {TEMPLATE} owner {APP_ROLE}");
                connection.batch_execute(&create).await.expect("a template");
                database::migrate(&address_as(embedded, APP_ROLE, TEMPLATE)).await.expect("migrations");
            });
        });
        made.join().expect("the template is made");
    });
}

async fn left_over(connection: &mut diesel_async::AsyncPgConnection) -> Vec<String> {
    use diesel::prelude::*;
    use diesel_async::RunQueryDsl;
    diesel::table! { pg_database (datname) { datname -> Text, } }
    let names = pg_database::table.filter(pg_database::datname.like("it\\_%")).select(pg_database::datname);
    names.load(connection).await.expect("the names of databases")
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
    let embedded = tokio::task::spawn_blocking(cluster).await.expect("the cluster");
    let maintenance = address_as(embedded, SUPERUSER, "postgres");
    let mut connection = database::open(&maintenance).await.expect("a superuser's connection");
    let close = format!("alter database {name} allow_connections false");
    connection.batch_execute(&close).await.expect("a closed database");
    let end =
        format!("select pg_terminate_backend(pid, 10000) from pg_stat_activity where datname = '{name}'");
    connection.batch_execute(&end).await.expect("ended connections");
    let copy = create_from(name).await;
    let open = format!("alter database {name} allow_connections true");
    connection.batch_execute(&open).await.expect("an open database");
    copy
}

async fn create_from(template: &str) -> String {
    let name = format!("it_{}", COUNT.fetch_add(1, Ordering::Relaxed));
    let embedded = tokio::task::spawn_blocking(cluster).await.expect("the cluster");
    let maintenance = address_as(embedded, SUPERUSER, "postgres");
    let mut connection = database::open(&maintenance).await.expect("a superuser's connection");
    let create = format!("create database {name} template {template} owner {APP_ROLE}");
    connection.batch_execute(&create).await.expect("a database");
    name
}

/// The address of a database, as a setting.
pub fn url(name: &str) -> String {
    cluster().url_for(APP_ROLE, name)
}

/// The same address, as the cluster's superuser.
pub fn superuser_address(name: &str) -> Address {
    address_as(cluster(), SUPERUSER, name)
}

/// The address of a database that [`new_database`] made, as the server's own role.
pub fn address(name: &str) -> Address {
    address_as(cluster(), APP_ROLE, name)
}
