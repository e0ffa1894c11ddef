//! Which user runs PostgreSQL, which refuses to run as root, and whether that user reaches its files.

use std::fs;
use std::io;
use std::os::unix::fs::{MetadataExt, lchown};
use std::path::Path;
use std::process::{Command, Stdio};

use nix::unistd::{Uid, User, geteuid};

use super::data_folder::DataFolder;
use super::programs::Programs;
use super::{EmbeddedError, spawn};

/// Who runs PostgreSQL when root starts the server: the package's own user, else the one that every system has.
const USERS: [&str; 2] = ["postgres", "nobody"];

/// The user who runs PostgreSQL on root's behalf, and owns the cluster and the socket's folder.
#[derive(Debug)]
pub(super) struct DatabaseUser {
    name: String,
    uid: u32,
    gid: u32,
}

impl DatabaseUser {
    /// Chooses it; `None` when the server's own user runs PostgreSQL, as it does unless it is root. A cluster
    /// that exists keeps its owner.
    pub fn choose(folder: &DataFolder) -> Result<Option<Self>, EmbeddedError> {
        let cluster = folder.cluster();
        let owner = match fs::metadata(&cluster) {
            Ok(metadata) => Some((metadata.uid(), metadata.gid())),
            Err(error) if error.kind() == io::ErrorKind::NotFound => None,
            Err(error) => return Err(EmbeddedError::io("look at the database in", &cluster)(error)),
        };
        let me = geteuid();
        match owner {
            Some((uid, _)) if uid == me.as_raw() && me.is_root() => {
                Err(EmbeddedError::ClusterOfRoot { cluster })
            }
            Some((uid, gid)) if me.is_root() => Ok(Some(Self { name: name_of(uid), uid, gid })),
            Some((uid, _)) if uid != me.as_raw() => {
                Err(EmbeddedError::ClusterOfAnother { cluster, owner: name_of(uid) })
            }
            None if me.is_root() => Self::usual().map(Some),
            _ => Ok(None),
        }
    }

    fn usual() -> Result<Self, EmbeddedError> {
        let user = USERS.iter().find_map(|name| User::from_name(name).ok().flatten());
        let user = user.filter(|user| !user.uid.is_root()).ok_or(EmbeddedError::NoDatabaseUser)?;
        Ok(Self { name: user.name, uid: user.uid.as_raw(), gid: user.gid.as_raw() })
    }

    pub fn uid(&self) -> u32 {
        self.uid
    }

    /// Gives this user a file or folder. Only what PostgreSQL itself writes, never the data folder.
    pub fn give(&self, path: &Path) -> Result<(), EmbeddedError> {
        lchown(path, Some(self.uid), Some(self.gid)).map_err(EmbeddedError::io("change the owner of", path))
    }
}

fn name_of(uid: u32) -> String {
    let user = User::from_uid(Uid::from_raw(uid)).ok().flatten();
    user.map_or_else(|| format!("user number {uid}"), |user| user.name)
}

/// As whom, and with which rights, a process is started.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Account {
    /// As the server itself.
    Own,
    /// As another user, with no right of root left.
    Other { uid: u32, gid: u32 },
    /// As another user who keeps one capability: to pass through folders that are closed to it.
    OtherPassingFolders { uid: u32, gid: u32 },
}

/// The account with the fewest rights that can run the programs and enter the folders.
pub(super) fn choose(
    user: Option<&DatabaseUser>,
    programs: &Programs,
    folders: &[&Path],
) -> Result<Account, EmbeddedError> {
    let Some(user) = user else { return Ok(Account::Own) };
    let (uid, gid) = (user.uid, user.gid);
    // Whoever enters a folder passes through those above it; each try starts a process.
    let holds_another =
        |folder: &Path| folders.iter().any(|inner| *inner != folder && inner.starts_with(folder));
    let mut innermost = folders.iter().filter(|folder| !holds_another(folder));
    if innermost.all(|folder| try_out(Account::Other { uid, gid }, programs, folder).is_ok()) {
        return Ok(Account::Other { uid, gid });
    }
    for folder in folders {
        let Err(refusal) = try_out(Account::Other { uid, gid }, programs, folder) else { continue };
        let passing = Account::OtherPassingFolders { uid, gid };
        if let Err(error) = try_out(passing, programs, folder) {
            tracing::debug!(%error, "the capability to pass through folders cannot be kept");
            let folder = folder.to_path_buf();
            return Err(EmbeddedError::CannotEnter { user: user.name.clone(), folder, source: refusal });
        }
        tracing::info!(user = user.name, folder = %folder.display(), "PostgreSQL's user keeps the capability to enter a closed folder");
        return Ok(passing);
    }
    Ok(Account::Other { uid, gid })
}

/// Asks the kernel, which knows of access lists and of closed folders above, by running a program there.
fn try_out(account: Account, programs: &Programs, folder: &Path) -> io::Result<()> {
    let mut command = Command::new(&programs.postgres);
    command.arg("--version").current_dir(folder).stdout(Stdio::null()).stderr(Stdio::null());
    let status = spawn::spawn(command, account, None)?.wait()?;
    if status.success() {
        Ok(())
    } else {
        Err(io::Error::other(format!("{} --version: {status}", programs.postgres.display())))
    }
}
