//! The folder of the Unix socket. Only the database's user (and root) may enter it; who connects is asked for, too (`access.rs`).

use std::fs::{self, DirBuilder, Permissions};
use std::io;
use std::os::unix::fs::{DirBuilderExt, MetadataExt, PermissionsExt};
use std::path::{Path, PathBuf};

use nix::unistd::geteuid;

use super::EmbeddedError;
use super::account::DatabaseUser;
use super::data_folder::DataFolder;
use super::settings::PORT;

/// `sockaddr_un` has 108 bytes for a path, and the last must be zero.
const LONGEST_PATH_BYTES: usize = 107;

#[derive(Clone, Debug)]
pub(super) struct SocketFolder {
    path: PathBuf,
    temporary: bool,
}

impl SocketFolder {
    /// Creates the folder `sock` in the data folder. If its path cannot be a socket's, creates one in the temporary folder,
    /// named after the data folder's device and inode.
    pub fn prepare(folder: &DataFolder, user: Option<&DatabaseUser>) -> Result<Self, EmbeddedError> {
        let inside = folder.socket_folder();
        let (path, temporary) = if fits(&inside) {
            (inside, false)
        } else {
            let data_dir = folder.path();
            let metadata =
                fs::metadata(data_dir).map_err(EmbeddedError::io("look at the data folder", data_dir))?;
            let name = format!("pippost-{:x}-{:x}", metadata.dev(), metadata.ino());
            (std::env::temp_dir().join(name), true)
        };
        if !fits(&path) {
            return Err(EmbeddedError::SocketPathTooLong { folder: path });
        }
        make_private(&path, user)?;
        Ok(Self { path, temporary })
    }

    pub fn path(&self) -> &Path {
        &self.path
    }

    /// PostgreSQL's lock file beside the socket.
    pub fn lock_file(&self) -> PathBuf {
        let mut name = socket_in(&self.path).into_os_string();
        name.push(".lock");
        name.into()
    }

    /// In key/value form, which can hold any character of the path.
    pub fn connection_string(&self, role: &str, database: &str) -> String {
        let host = self.path.to_str().expect("prepare() accepts only paths of UTF-8");
        let [host, role, database] = [host, role, database].map(quoted);
        format!("host={host} port={PORT} user={role} dbname={database}")
    }

    /// Removes a temporary folder after a clean stop; the next start creates it again.
    pub fn remove_if_temporary(&self) {
        if self.temporary
            && let Err(error) = fs::remove_dir(&self.path)
        {
            tracing::warn!(folder = %self.path.display(), %error, "cannot remove the socket's folder");
        }
    }
}

fn socket_in(folder: &Path) -> PathBuf {
    folder.join(format!(".s.PGSQL.{PORT}"))
}

/// Whether a socket in the folder can be bound and named in a connection string, where a comma separates hosts.
fn fits(folder: &Path) -> bool {
    socket_in(folder).to_str().is_some_and(|path| path.len() <= LONGEST_PATH_BYTES && !path.contains(','))
}

fn quoted(value: &str) -> String {
    format!("'{}'", value.replace('\\', r"\\").replace('\'', r"\'"))
}

/// Creates the folder with mode 0700 for the database's user, or accepts an existing folder that is already so. In a shared
/// temporary folder somebody else may have created it first.
fn make_private(path: &Path, user: Option<&DatabaseUser>) -> Result<(), EmbeddedError> {
    match DirBuilder::new().mode(0o700).create(path) {
        Err(error) if error.kind() == io::ErrorKind::AlreadyExists => {}
        other => other.map_err(EmbeddedError::io("make the socket's folder", path))?,
    }
    let metadata = fs::symlink_metadata(path).map_err(EmbeddedError::io("look at", path))?;
    let me = geteuid().as_raw();
    let owners = [me, user.map_or(me, DatabaseUser::uid)];
    if !metadata.is_dir() || !owners.contains(&metadata.uid()) {
        return Err(EmbeddedError::UnsafeSocketFolder { folder: path.to_owned() });
    }
    fs::set_permissions(path, Permissions::from_mode(0o700))
        .map_err(EmbeddedError::io("close to others", path))?;
    user.map_or(Ok(()), |user| user.give(path))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn data_folder(name: &str) -> (tempfile::TempDir, DataFolder) {
        let top = tempfile::tempdir().expect("a temporary folder");
        let folder = DataFolder::open(&top.path().join(name)).expect("opens");
        (top, folder)
    }

    #[test]
    fn a_short_path_keeps_the_socket_in_the_data_folder() {
        let (_top, folder) = data_folder("data");
        let socket = SocketFolder::prepare(&folder, None).expect("prepares");
        assert_eq!(socket.path(), folder.path().join("sock"));
        assert!(socket.lock_file().ends_with("sock/.s.PGSQL.5432.lock"));
        let mode = fs::metadata(socket.path()).expect("exists").permissions().mode();
        assert_eq!(mode & 0o777, 0o700);
    }

    #[test]
    fn a_path_that_is_too_long_or_has_a_comma_moves_the_socket_to_the_temporary_folder() {
        for name in ["x".repeat(100), "a,b".to_owned()] {
            let (_top, folder) = data_folder(&name);
            let socket = SocketFolder::prepare(&folder, None).expect("prepares");
            assert_eq!(socket.path().parent(), Some(std::env::temp_dir().as_path()));
            socket.remove_if_temporary();
            assert!(!socket.path().exists());
        }
    }

    #[test]
    fn the_longest_path_that_fits_is_one_byte_short_of_the_field() {
        let room = LONGEST_PATH_BYTES - "/.s.PGSQL.5432".len();
        assert!(fits(Path::new(&format!("/{}", "x".repeat(room - 1)))));
        assert!(!fits(Path::new(&format!("/{}", "x".repeat(room)))));
    }

    #[test]
    fn a_link_in_place_of_the_folder_is_refused() {
        let (top, folder) = data_folder("data");
        let elsewhere = top.path().join("elsewhere");
        fs::create_dir(&elsewhere).expect("makes");
        std::os::unix::fs::symlink(&elsewhere, folder.socket_folder()).expect("links");
        let error = SocketFolder::prepare(&folder, None).expect_err("a link");
        assert!(matches!(error, EmbeddedError::UnsafeSocketFolder { .. }), "{error}");
    }

    #[test]
    fn a_connection_string_quotes_what_it_holds() {
        let socket = SocketFolder { path: r"/it's a \ folder".into(), temporary: false };
        let string = socket.connection_string("app", "pippost");
        let config: postgres::Config = string.parse().expect("a connection string");
        assert_eq!(config.get_hosts(), [postgres::config::Host::Unix(r"/it's a \ folder".into())]);
        assert_eq!((config.get_user(), config.get_dbname()), (Some("app"), Some("pippost")));
    }
}
