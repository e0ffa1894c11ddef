//! Finds `postgres` and `initdb`, which Debian does not put on the path, and chooses among versions.

use std::collections::BTreeSet;
use std::fmt;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use super::EmbeddedError;
use super::data_folder::DataFolder;

/// The oldest major version that the server is tested with (Debian 12's).
pub(super) const MIN_MAJOR: u32 = 15;

/// Parents of folders for one major version each: the layouts of Debian, Alpine and the PostgreSQL project's RPMs. The
/// version's folder is `{prefix}*{suffix}`.
const VERSIONED_FOLDERS: [(&str, &str, &str); 3] =
    [("/usr/lib/postgresql", "", "bin"), ("/usr/libexec", "postgresql", ""), ("/usr", "pgsql-", "bin")];

/// A version of PostgreSQL; newer ones are greater.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Version {
    pub major: u32,
    pub minor: u32,
}

impl Version {
    /// Parses the output of `postgres --version`: `postgres (PostgreSQL) 15.18 (Debian 15.18-0+deb12u1)`, or one with
    /// `18beta1`.
    fn parse(answer: &str) -> Option<Self> {
        let (_, rest) = answer.split_once("(PostgreSQL) ")?;
        let number = |text: &str| {
            let digits = text.find(|c: char| !c.is_ascii_digit()).unwrap_or(text.len());
            text[..digits].parse().ok()
        };
        let major = number(rest)?;
        let minor = rest.split_once('.').and_then(|(_, minor)| number(minor)).unwrap_or(0);
        Some(Self { major, minor })
    }

    /// Whether this version can run a cluster of the major version `needed`, or create a new one.
    fn fits(self, needed: Option<u32>) -> bool {
        needed.map_or(self.major >= MIN_MAJOR, |needed| self.major == needed)
    }
}

impl fmt::Display for Version {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}.{}", self.major, self.minor)
    }
}

/// The programs of one PostgreSQL, by absolute path.
#[derive(Debug)]
pub(super) struct Programs {
    pub postgres: PathBuf,
    pub initdb: PathBuf,
    pub version: Version,
}

impl Programs {
    /// The programs in `given`, or the best in the usual places: those of the cluster's major version, or else the newest.
    pub fn find(given: Option<&Path>, folder: &DataFolder) -> Result<Self, EmbeddedError> {
        let cluster = folder.cluster();
        let needed = folder.cluster_major()?;
        Self::for_cluster(given, needed.map(|major| (cluster.as_path(), major)))
    }

    /// The same for a cluster of that major version, wherever it is; without one, the newest.
    pub fn for_cluster(given: Option<&Path>, cluster: Option<(&Path, u32)>) -> Result<Self, EmbeddedError> {
        let found: Vec<Self> = match given {
            Some(folder) => {
                let programs = Self::in_folder(folder);
                vec![programs.ok_or_else(|| EmbeddedError::NoProgramsIn { folder: folder.to_owned() })?]
            }
            None => Self::in_usual_places(cluster.map(|(_, major)| major)),
        };
        if found.is_empty() {
            return Err(EmbeddedError::ProgramsMissing { looked_in: places() });
        }
        Self::best_of(found, cluster)
    }

    /// `pg_config` is a script, so it is started only if no other folder fits.
    fn in_usual_places(needed: Option<u32>) -> Vec<Self> {
        let in_any =
            |folders: BTreeSet<PathBuf>| folders.into_iter().filter_map(|folder| Self::in_folder(&folder));
        let mut found: Vec<Self> = in_any(usual_folders()).collect();
        if !found.iter().any(|programs| programs.version.fits(needed)) {
            found.extend(in_any(folder_from_pg_config().into_iter().collect()));
        }
        found
    }

    /// `cluster` is the folder and the major version of the existing cluster.
    fn best_of(found: Vec<Self>, cluster: Option<(&Path, u32)>) -> Result<Self, EmbeddedError> {
        let versions: BTreeSet<Version> = found.iter().map(|programs| programs.version).collect();
        let names = versions.iter().map(ToString::to_string).collect::<Vec<_>>().join(", ");
        let needed = cluster.map(|(_, major)| major);
        let fitting = found.into_iter().filter(|programs| programs.version.fits(needed));
        fitting.max_by_key(|programs| programs.version).ok_or_else(|| match cluster {
            Some((cluster, needed)) => {
                EmbeddedError::WrongMajor { cluster: cluster.to_owned(), needed, found: names }
            }
            None => EmbeddedError::ProgramsTooOld { found: names },
        })
    }

    /// Both programs, if the folder has them and they run.
    fn in_folder(folder: &Path) -> Option<Self> {
        let folder = fs::canonicalize(folder).ok()?;
        let (postgres, initdb) = (folder.join("postgres"), folder.join("initdb"));
        if !initdb.is_file() {
            return None;
        }
        let answer = Command::new(&postgres).arg("--version").env_clear().output().ok()?;
        let version = Version::parse(&String::from_utf8_lossy(&answer.stdout))?;
        Some(Self { postgres, initdb, version })
    }
}

/// The folders to search, each once.
fn usual_folders() -> BTreeSet<PathBuf> {
    let versioned = VERSIONED_FOLDERS.iter().flat_map(|&(parent, prefix, suffix)| {
        let entries = fs::read_dir(parent).into_iter().flatten().flatten();
        entries
            .filter(move |entry| entry.file_name().to_string_lossy().starts_with(prefix))
            .map(move |entry| entry.path().join(suffix))
    });
    let path = std::env::var_os("PATH").unwrap_or_default();
    // A symbolic link on the path (Debian's pg_wrapper, a package manager's shims) leads to the real folder.
    let on_path = std::env::split_paths(&path).filter_map(|folder| {
        let program = fs::canonicalize(folder.join("postgres")).ok()?;
        Some(program.parent()?.to_owned())
    });
    versioned.chain(on_path).collect()
}

/// The folder that `pg_config` names; it is installed with the development files.
fn folder_from_pg_config() -> Option<PathBuf> {
    let answer = Command::new("pg_config").arg("--bindir").output().ok()?;
    let folder = String::from_utf8(answer.stdout).ok()?;
    answer.status.success().then(|| PathBuf::from(folder.trim()))
}

fn places() -> String {
    let versioned = VERSIONED_FOLDERS.map(|(parent, prefix, suffix)| {
        let folder = format!("{parent}/{prefix}*/{suffix}");
        folder.trim_end_matches('/').to_owned()
    });
    format!("{}, PATH and pg_config", versioned.join(", "))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn version(answer: &str) -> Option<(u32, u32)> {
        Version::parse(answer).map(|version| (version.major, version.minor))
    }

    fn programs(major: u32, minor: u32) -> Programs {
        let folder = PathBuf::from(format!("/{major}.{minor}"));
        Programs {
            postgres: folder.join("postgres"),
            initdb: folder.join("initdb"),
            version: Version { major, minor },
        }
    }

    #[test]
    fn versions_are_read_from_releases_betas_and_packages() {
        assert_eq!(version("postgres (PostgreSQL) 15.18 (Debian 15.18-0+deb12u1)\n"), Some((15, 18)));
        assert_eq!(version("postgres (PostgreSQL) 18beta1\n"), Some((18, 0)));
        assert_eq!(version("postgres (PostgreSQL) 18.4\n"), Some((18, 4)));
        assert_eq!(version("postgres: command not found"), None);
        assert_eq!(version(""), None);
    }

    #[test]
    fn a_new_cluster_gets_the_newest_programs() {
        let best = Programs::best_of(vec![programs(15, 3), programs(18, 1), programs(17, 9)], None);
        assert_eq!(best.expect("one fits").version, Version { major: 18, minor: 1 });
    }

    #[test]
    fn an_existing_cluster_gets_its_own_major_version() {
        let cluster = Some((Path::new("/data/pg"), 15));
        let best = Programs::best_of(vec![programs(15, 3), programs(15, 18), programs(18, 1)], cluster);
        assert_eq!(best.expect("one fits").version, Version { major: 15, minor: 18 });
    }

    #[test]
    fn a_cluster_of_another_major_version_is_refused_by_name() {
        let error = Programs::best_of(vec![programs(17, 2)], Some((Path::new("/data/pg"), 15)));
        let message = error.expect_err("15 is missing").to_string();
        assert!(message.contains("/data/pg needs PostgreSQL 15, but found 17.2"), "{message}");
    }

    #[test]
    fn programs_that_are_too_old_are_refused() {
        let message = Programs::best_of(vec![programs(13, 9)], None).expect_err("too old").to_string();
        assert!(message.contains("15 or newer is needed, but only 13.9 was found"), "{message}");
    }

    #[test]
    fn the_message_for_missing_programs_says_what_to_install() {
        let message = EmbeddedError::ProgramsMissing { looked_in: places() }.to_string();
        assert!(message.contains("apt-get install postgresql"), "{message}");
        assert!(message.contains("/usr/lib/postgresql/*/bin"), "{message}");
    }
}
