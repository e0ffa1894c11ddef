//! Sets up the server's role and database as the superuser, before anything else connects.

use std::time::Duration;

use postgres::NoTls;

use super::EmbeddedError;
use super::settings::PORT;
use super::socket::SocketFolder;

/// The server's role: an ordinary one that owns only its database. A superuser could run programs and read every file of
/// PostgreSQL's user.
pub const APP_ROLE: &str = "app";
/// The server's database.
pub const APP_DATABASE: &str = "pippost";
/// The superuser, for this set-up, maintenance by hand and tests.
pub const SUPERUSER: &str = "postgres";

/// The database that the superuser connects to; initdb creates it.
const MAINTENANCE_DATABASE: &str = "postgres";
const CONNECT_TIMEOUT: Duration = Duration::from_secs(10);

/// Whether the role exists, whether it may log in and nothing more, and whether the database exists.
const LOOK: &str = "select \
    exists (select from pg_roles where rolname = $1), \
    exists (select from pg_roles where rolname = $1 and rolcanlogin and not (rolsuper or rolcreatedb or rolcreaterole \
        or rolreplication or rolbypassrls)), \
    exists (select from pg_database where datname = $2)";

/// Gives a database and a role of other names, of a PostgreSQL elsewhere, the names of the server's own.
pub(super) fn adopt(socket: &SocketFolder, (database, role): (&str, &str)) -> Result<(), EmbeddedError> {
    if (database, role) == (APP_DATABASE, APP_ROLE) {
        return Ok(());
    }
    let mut client = connect(socket)?;
    if role == SUPERUSER {
        return Err(EmbeddedError::OwnedBySuperuser { database: database.to_owned() });
    }
    for (kind, name, ours) in [("database", database, APP_DATABASE), ("role", role, APP_ROLE)] {
        if name != ours {
            let quoted = name.replace('"', "\"\"");
            client.batch_execute(&format!("alter {kind} \"{quoted}\" rename to {ours}"))?;
        }
    }
    client.close()?;
    Ok(())
}

fn connect(socket: &SocketFolder) -> Result<postgres::Client, EmbeddedError> {
    connect_to(socket, MAINTENANCE_DATABASE, SUPERUSER)
}

fn connect_to(socket: &SocketFolder, database: &str, role: &str) -> Result<postgres::Client, EmbeddedError> {
    let client = postgres::Config::new()
        .host_path(socket.path())
        .port(PORT)
        .user(role)
        .dbname(database)
        .connect_timeout(CONNECT_TIMEOUT)
        .connect(NoTls)?;
    Ok(client)
}

/// Whether the server's own database takes connections.
pub(super) fn is_ready(socket: &SocketFolder) -> bool {
    connect_to(socket, APP_DATABASE, APP_ROLE).is_ok()
}

/// Creates the role and its database if they are missing, and revokes excess rights of the role.
pub(super) fn set_up(socket: &SocketFolder) -> Result<(), EmbeddedError> {
    let mut client = connect(socket)?;
    // What is already right is left alone, so an ordinary start writes nothing.
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
