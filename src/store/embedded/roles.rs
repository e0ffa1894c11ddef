//! The role and the database of the server, set up through the superuser before anything else connects.

use std::time::Duration;

use postgres::NoTls;

use super::EmbeddedError;
use super::settings::PORT;
use super::socket::SocketFolder;

/// The role of the server: an ordinary one, that owns its database and nothing else. A superuser could read every
/// file that PostgreSQL's user can, and run programs.
pub const APP_ROLE: &str = "app";
/// The database of the server.
pub const APP_DATABASE: &str = "pippost";
/// The superuser: for the set-up below, for maintenance by hand, and for tests.
pub const SUPERUSER: &str = "postgres";

/// The database that the superuser connects to, there since initdb.
const MAINTENANCE_DATABASE: &str = "postgres";
const CONNECT_TIMEOUT: Duration = Duration::from_secs(10);

/// Is there the role, may it log in and nothing more, and is there the database?
const LOOK: &str = "select \
    exists (select from pg_roles where rolname = $1), \
    exists (select from pg_roles where rolname = $1 and rolcanlogin and not (rolsuper or rolcreatedb or rolcreaterole \
        or rolreplication or rolbypassrls)), \
    exists (select from pg_database where datname = $2)";

/// Makes the role and its database where missing, and takes from the role what it should not have.
pub(super) fn set_up(socket: &SocketFolder) -> Result<(), EmbeddedError> {
    let mut client = postgres::Config::new()
        .host_path(socket.path())
        .port(PORT)
        .user(SUPERUSER)
        .dbname(MAINTENANCE_DATABASE)
        .connect_timeout(CONNECT_TIMEOUT)
        .connect(NoTls)?;
    // What is as it should be is left alone: on an ordinary start nothing is written.
    let found = client.query_one(LOOK, &[&APP_ROLE, &APP_DATABASE])?;
    let (role, harmless, database): (bool, bool, bool) = (found.get(0), found.get(1), found.get(2));
    if !role {
        client.batch_execute(&format!("create role {APP_ROLE}"))?;
    }
    if !harmless {
        client.batch_execute(&format!(
            "alter role {APP_ROLE} login nosuperuser nocreatedb nocreaterole noreplication nobypassrls"
        ))?;
    }
    if !database {
        client.batch_execute(&format!("create database {APP_DATABASE} owner {APP_ROLE}"))?;
    }
    client.close()?;
    Ok(())
}
