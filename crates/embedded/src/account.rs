//! Chooses the user that runs PostgreSQL, which refuses to run as root, and checks that this user can reach its files.

use std::fs;
use std::io;
use std::os::unix::fs::{MetadataExt, lchown};
use std::path::Path;
use std::process::{Command, Stdio};

use nix::unistd::{Uid, User, geteuid};

use super::data_folder::DataFolder;
use super::programs::Programs;
use super::{EmbeddedError, spawn};

/// The user that runs PostgreSQL if root starts the server and names no other: the user of PostgreSQL's package.
pub const DEFAULT_USER: &str = "postgres";

/// The user shared by programs that should own nothing. Its number is checked, because its name varies.
const NOBODY: &str = "nobody";
const NOBODY_UID: u32 = 65534;

/// The user that runs PostgreSQL on root's behalf and owns the cluster and the socket's folder.
#[derive(Debug)]
pub(super) struct DatabaseUser {
    name: String,
    uid: u32,
    gid: u32,
}

impl DatabaseUser {
    /// Chooses the user; `None` if the server's own user runs PostgreSQL, which is so unless that is root. An existing cluster
    /// keeps its owner; a new one gets `wanted`, or else [`DEFAULT_USER`].
    pub fn choose(folder: &DataFolder, wanted: Option<&str>) -> Result<Option<Self>, EmbeddedError> {
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
            Some((uid, gid)) if me.is_root() => {
                let name = name_of(uid);
                if let Some(wanted) = wanted.filter(|wanted| *wanted != name) {
                    tracing::warn!(owner = name, wanted, "the database keeps the user that owns it");
                }
                Ok(Some(Self { name, uid, gid }))
            }
            Some((uid, _)) if uid != me.as_raw() => {
                Err(EmbeddedError::ClusterOfAnother { cluster, owner: name_of(uid) })
            }
            None if me.is_root() => Self::for_new_cluster(wanted.unwrap_or(DEFAULT_USER), by_name).map(Some),
            _ => Ok(None),
        }
    }

    /// The user of that name, if it may own a database. `find` looks it up in the list of users.
    fn for_new_cluster(name: &str, find: impl Fn(&str) -> Option<Entry>) -> Result<Self, EmbeddedError> {
        let unfit = |why| EmbeddedError::UnfitDatabaseUser { user: name.to_owned(), why };
        match find(name) {
            None => Err(EmbeddedError::NoDatabaseUser { user: name.to_owned() }),
            Some(Entry { uid: 0, .. }) => Err(unfit("for PostgreSQL refuses root")),
            Some(Entry { uid, .. }) if uid == NOBODY_UID || name == NOBODY => {
                Err(unfit("for other programs run as that user and could change all that the database holds"))
            }
            Some(Entry { uid, gid }) => Ok(Self { name: name.to_owned(), uid, gid }),
        }
    }

    pub fn uid(&self) -> u32 {
        self.uid
    }

    /// Makes this user the owner of a file or folder that PostgreSQL itself writes; never of the data folder.
    pub fn give(&self, path: &Path) -> Result<(), EmbeddedError> {
        lchown(path, Some(self.uid), Some(self.gid)).map_err(EmbeddedError::io("change the owner of", path))
    }
}

/// A user's entry in the list of users.
#[derive(Clone, Copy)]
struct Entry {
    uid: u32,
    gid: u32,
}

fn by_name(name: &str) -> Option<Entry> {
    let user = User::from_name(name).ok().flatten()?;
    Some(Entry { uid: user.uid.as_raw(), gid: user.gid.as_raw() })
}

fn name_of(uid: u32) -> String {
    let user = User::from_uid(Uid::from_raw(uid)).ok().flatten();
    user.map_or_else(|| format!("user number {uid}"), |user| user.name)
}

/// The user and the rights with which a process is started.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Account {
    /// The server's own user.
    Own,
    /// Another user, without any of root's rights.
    Other { uid: u32, gid: u32 },
    /// Another user with one capability: to pass through folders that are closed to it.
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
    // Entering a folder means passing through its parents, so those need no test of their own: each test starts a process.
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

/// Runs a program in the folder, because only the kernel knows the effect of access lists and of closed parents.
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

#[cfg(test)]
mod tests {
    use super::*;

    fn chosen(name: &str) -> Result<DatabaseUser, String> {
        let find = |name: &str| match name {
            "root" => Some(Entry { uid: 0, gid: 0 }),
            "postgres" => Some(Entry { uid: 101, gid: 103 }),
            "nobody" | "nfsnobody" => Some(Entry { uid: 65534, gid: 65534 }),
            _ => None,
        };
        DatabaseUser::for_new_cluster(name, find).map_err(|error| error.to_string())
    }

    #[test]
    fn a_user_of_its_own_runs_the_database() {
        let user = chosen("postgres").expect("fits");
        assert_eq!((user.name.as_str(), user.uid, user.gid), ("postgres", 101, 103));
    }

    #[test]
    fn without_such_a_user_root_is_told_how_to_make_one_and_no_other_is_taken() {
        let said = chosen("pippost-db").expect_err("there is none");
        assert!(said.contains("there is no user `pippost-db`"), "{said}");
        assert!(said.contains("useradd --system") && said.contains("PIPPOST_DATABASE_USER"), "{said}");
    }

    #[test]
    fn neither_root_nor_a_user_that_others_share_runs_the_database() {
        for (name, why) in
            [("root", "refuses root"), ("nobody", "other programs"), ("nfsnobody", "other programs")]
        {
            let said = chosen(name).expect_err("unfit");
            assert!(said.contains(why) && said.contains("PIPPOST_DATABASE_USER"), "{said}");
        }
    }
}
