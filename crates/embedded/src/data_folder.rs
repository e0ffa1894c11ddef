//! The layout of the data folder, and creating its entries so that they survive a power cut.

use std::ffi::OsStr;
use std::fs::{self, DirBuilder, File};
use std::io;
use std::os::unix::fs::DirBuilderExt;
use std::path::{Path, PathBuf};

use nix::unistd::geteuid;

use super::EmbeddedError;

/// For an ordinary user's data folder: nobody else needs access.
const MODE: u32 = 0o700;
/// For a folder created by root: PostgreSQL runs as another user and must pass through it, but cannot list it.
const MODE_MADE_BY_ROOT: u32 = 0o711;

/// An existing data folder, by its absolute path without symbolic links.
#[derive(Debug)]
pub(super) struct DataFolder {
    path: PathBuf,
}

impl DataFolder {
    /// Opens the folder and creates it and its parents if they are missing.
    pub fn open(path: &Path) -> Result<Self, EmbeddedError> {
        let mode = if geteuid().is_root() { MODE_MADE_BY_ROOT } else { MODE };
        create_durably(path, mode).map_err(EmbeddedError::io("make the data folder", path))?;
        let path = fs::canonicalize(path).map_err(EmbeddedError::io("open the data folder", path))?;
        Ok(Self { path })
    }

    pub fn path(&self) -> &Path {
        &self.path
    }

    pub fn cluster(&self) -> PathBuf {
        self.path.join("pg")
    }

    pub fn new_cluster(&self) -> PathBuf {
        self.path.join("pg.new")
    }

    pub fn postmaster_pid(&self) -> PathBuf {
        self.cluster().join("postmaster.pid")
    }

    pub fn socket_folder(&self) -> PathBuf {
        self.path.join("sock")
    }

    pub fn hba_file(&self) -> PathBuf {
        self.path.join("pg_hba.conf")
    }

    pub fn ident_file(&self) -> PathBuf {
        self.path.join("pg_ident.conf")
    }

    pub fn server_lock(&self) -> PathBuf {
        self.path.join("server.lock")
    }

    pub fn cluster_lock(&self) -> PathBuf {
        self.path.join("pg.lock")
    }

    pub fn server_log(&self) -> PathBuf {
        self.path.join("pg.log")
    }

    pub fn has_cluster(&self) -> bool {
        self.cluster().exists()
    }

    /// The major version that created the cluster; `None` without a cluster.
    pub fn cluster_major(&self) -> Result<Option<u32>, EmbeddedError> {
        if !self.has_cluster() {
            return Ok(None);
        }
        let path = self.cluster().join("PG_VERSION");
        let major = fs::read_to_string(&path)
            .and_then(|text| text.trim().parse().map_err(io::Error::other))
            .map_err(EmbeddedError::io("read the database's version from", &path))?;
        Ok(Some(major))
    }
}

/// Like `mkdir -p`, but every new entry is on the disk when it returns.
fn create_durably(path: &Path, mode: u32) -> io::Result<()> {
    if path.is_dir() {
        return Ok(());
    }
    let parent = match path.parent() {
        Some(parent) if parent.as_os_str() != OsStr::new("") => parent,
        _ => Path::new("."),
    };
    create_durably(parent, mode)?;
    match DirBuilder::new().mode(mode).create(path) {
        Err(error) if error.kind() == io::ErrorKind::AlreadyExists && path.is_dir() => return Ok(()),
        other => other?,
    }
    sync_folder(parent)
}

/// Makes renames and new names in a folder permanent.
pub(super) fn sync_folder(path: &Path) -> io::Result<()> {
    File::open(path)?.sync_all()
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::os::unix::fs::PermissionsExt;

    #[test]
    fn missing_folders_are_made_and_closed_to_others() {
        let top = tempfile::tempdir().expect("a temporary folder");
        let folder = DataFolder::open(&top.path().join("a/b")).expect("opens");
        let mode = fs::metadata(folder.path()).expect("exists").permissions().mode();
        assert_eq!(mode & 0o066, 0, "others can neither read nor write: {mode:o}");
        assert_eq!(folder.cluster_major().expect("readable"), None);
    }

    #[test]
    fn a_cluster_tells_its_version_or_an_error_with_its_path() {
        let top = tempfile::tempdir().expect("a temporary folder");
        let folder = DataFolder::open(top.path()).expect("opens");
        fs::create_dir(folder.cluster()).expect("makes pg");
        let error = folder.cluster_major().expect_err("no PG_VERSION");
        assert!(error.to_string().contains("pg/PG_VERSION"), "{error}");
        fs::write(folder.cluster().join("PG_VERSION"), "15\n").expect("writes");
        assert_eq!(folder.cluster_major().expect("readable"), Some(15));
    }
}
