//! How PostgreSQL's programs reach the database of the settings.

use std::ffi::OsString;
use std::os::unix::ffi::OsStringExt;

use tokio_postgres::config::{Host, SslMode};

use crate::cli::storage::Storage;
use crate::settings::DatabaseSettings;
use crate::store::embedded::{SUPERUSER, Source};

/// Where Debian and others keep the public certificate authorities; libpq has none of its own.
const PUBLIC_AUTHORITIES: &str = "/etc/ssl/certs/ca-certificates.crt";

/// After how many seconds a connection is given up.
const CONNECT_TIMEOUT_SECONDS: &str = "10";

/// The variables that stand for the address of the settings. The server's own database is copied by its superuser, because the server's
/// role may not.
pub fn of(storage: &Storage, settings: &DatabaseSettings) -> Source {
    let config = storage.address.config();
    let hosts: Vec<Vec<u8>> = config.get_hosts().iter().map(host).collect();
    let ports: Vec<String> = config.get_ports().iter().map(ToString::to_string).collect();
    let user = if settings.database_url.is_some() { config.get_user() } else { Some(SUPERUSER) };
    let ssl_mode = match config.get_ssl_mode() {
        SslMode::Disable => "disable",
        SslMode::Prefer => "prefer",
        _ => "verify-full",
    };
    let authority = storage.address.root_certificate().map(Into::into);
    let mut variables: Vec<(&'static str, OsString)> = vec![
        ("PGHOST", OsString::from_vec(hosts.join(&b','))),
        ("PGPORT", ports.join(",").into()),
        ("PGSSLMODE", ssl_mode.into()),
        ("PGSSLROOTCERT", authority.unwrap_or_else(|| PUBLIC_AUTHORITIES.into())),
        ("PGAPPNAME", "pippost-backup".into()),
        ("PGCONNECT_TIMEOUT", CONNECT_TIMEOUT_SECONDS.into()),
        ("LC_ALL", "C".into()),
    ];
    variables.extend(user.map(|user| ("PGUSER", user.into())));
    let password = config.get_password().map(<[u8]>::to_vec);
    variables.extend(password.map(|password| ("PGPASSWORD", OsString::from_vec(password))));
    Source(variables)
}

fn host(host: &Host) -> Vec<u8> {
    match host {
        Host::Tcp(name) => name.clone().into_bytes(),
        Host::Unix(path) => path.clone().into_os_string().into_vec(),
    }
}
