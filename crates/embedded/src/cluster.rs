//! Creates the cluster, completely or not at all.

use std::fs::{self, DirBuilder, File};
use std::io;
use std::os::unix::fs::DirBuilderExt;
use std::process::{Command, Stdio};

use super::account::{Account, DatabaseUser};
use super::data_folder::{DataFolder, sync_folder};
use super::programs::Programs;
use super::roles::SUPERUSER;
use super::settings::WAL_SEGMENT_MIB;
use super::{EmbeddedError, spawn};

/// Runs initdb in `pg.new` and renames that to `pg`, so an interrupted start leaves no half cluster.
///
/// `C.UTF-8` comes with every glibc, sorts by bytes and knows the case of all letters. The cluster's own rules of access count only
/// if somebody starts it by hand: [`super::access`] has the server's.
pub(super) fn create(
    folder: &DataFolder,
    programs: &Programs,
    user: Option<&DatabaseUser>,
    account: Account,
    cluster_lock: &File,
    durable: bool,
) -> Result<(), EmbeddedError> {
    let new = folder.new_cluster();
    tracing::info!(cluster = %folder.cluster().display(), version = %programs.version, "making a new database");
    match fs::remove_dir_all(&new) {
        Err(error) if error.kind() != io::ErrorKind::NotFound => {
            return Err(EmbeddedError::io("remove the unfinished", &new)(error));
        }
        _ => {}
    }
    // The database's user may not create anything in the data folder, so it gets an empty folder.
    DirBuilder::new().mode(0o700).create(&new).map_err(EmbeddedError::io("make", &new))?;
    if let Some(user) = user {
        user.give(&new)?;
    }
    let mut command = Command::new(&programs.initdb);
    command.arg("--pgdata").arg(&new).arg(format!("--username={SUPERUSER}"));
    command.arg(format!("--wal-segsize={WAL_SEGMENT_MIB}"));
    command.args([
        "--auth-local=peer",
        "--auth-host=reject",
        "--encoding=UTF8",
        "--locale=C.UTF-8",
        "--data-checksums",
        "--no-instructions",
    ]);
    if !durable {
        command.arg("--no-sync");
    }
    command.current_dir("/").stdout(Stdio::piped()).stderr(Stdio::piped());
    let output = spawn::spawn(command, account, Some(cluster_lock))
        .and_then(std::process::Child::wait_with_output)
        .map_err(EmbeddedError::io("run", &programs.initdb))?;
    if !output.status.success() {
        let text = [output.stdout, output.stderr].concat();
        let output = String::from_utf8_lossy(&text).trim().to_owned();
        return Err(EmbeddedError::Initdb { cluster: new, output });
    }
    let cluster = folder.cluster();
    fs::rename(&new, &cluster).map_err(EmbeddedError::io("give its final name to", &new))?;
    sync_folder(folder.path()).map_err(EmbeddedError::io("write to disk", folder.path()))
}
