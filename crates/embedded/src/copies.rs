//! Copies of a running database, made by PostgreSQL's own programs: base backups, and the write-ahead log as it is written.

use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};

use super::EmbeddedError;
use super::account::Account;
use super::programs::Programs;
use super::spawn;

/// The replication slot for which the database keeps what has not been received yet.
pub const SLOT: &str = "pippost_backup";

/// How the programs reach the database: variables of libpq, because every user of the machine can read a command line.
#[derive(Clone)]
pub struct Source(pub Vec<(&'static str, OsString)>);

/// PostgreSQL's programs for copies.
#[derive(Clone, Debug)]
pub struct Copier {
    folder: PathBuf,
}

impl Copier {
    /// The newest programs, which can copy from servers of older versions, too.
    ///
    /// # Errors
    /// There are none.
    pub fn find(programs_dir: Option<&Path>) -> Result<Self, EmbeddedError> {
        Ok(Self::beside(&Programs::for_cluster(programs_dir, None)?))
    }

    /// The programs of the version that made `cluster`, which check it best.
    ///
    /// # Errors
    /// There are none.
    pub fn for_cluster(
        programs_dir: Option<&Path>,
        cluster: &Path,
        major: u32,
    ) -> Result<Self, EmbeddedError> {
        Ok(Self::beside(&Programs::for_cluster(programs_dir, Some((cluster, major)))?))
    }

    fn beside(programs: &Programs) -> Self {
        Self { folder: programs.postgres.parent().unwrap_or(Path::new("/")).to_owned() }
    }

    /// Copies the whole cluster into `target`, with the log that it needs to be consistent; others go on writing.
    ///
    /// # Errors
    /// The program failed.
    pub fn base_backup(&self, source: &Source, target: &Path) -> Result<(), EmbeddedError> {
        let mut command = Command::new(self.folder.join("pg_basebackup"));
        command.args(["--wal-method=stream", "--checkpoint=fast", "--no-password", "--pgdata"]).arg(target);
        finish(command, source)
    }

    /// Compares every file of a base backup with its manifest.
    ///
    /// # Errors
    /// A file is missing, superfluous or altered, or the program failed.
    pub fn verify(&self, copy: &Path) -> Result<(), EmbeddedError> {
        let mut command = Command::new(self.folder.join("pg_verifybackup"));
        command.arg("--quiet").arg(copy);
        finish(command, &Source(Vec::new()))
    }

    /// Gives up the slot, so that the database keeps nothing for it.
    ///
    /// # Errors
    /// The program failed.
    pub fn drop_slot(&self, source: &Source) -> Result<(), EmbeddedError> {
        self.slot(source, SlotTask::Drop)
    }

    fn slot(&self, source: &Source, task: SlotTask) -> Result<(), EmbeddedError> {
        let mut command = Command::new(self.folder.join("pg_receivewal"));
        command.args([&format!("--slot={SLOT}"), "--no-password"]);
        command.args(match task {
            SlotTask::Make => ["--create-slot", "--if-not-exists"].as_slice(),
            SlotTask::Drop => &["--drop-slot"],
        });
        finish(command, source)
    }

    /// Receives the log into `folder` as it is written, until the program fails or this thread ends.
    ///
    /// # Errors
    /// The slot cannot be made, or the program not be started.
    pub fn receive(&self, source: &Source, folder: &Path) -> Result<Child, EmbeddedError> {
        self.slot(source, SlotTask::Make)?;
        let program = self.folder.join("pg_receivewal");
        let mut command = Command::new(&program);
        command.args([
            &format!("--slot={SLOT}"),
            "--synchronous",
            "--no-loop",
            "--no-password",
            "--directory",
        ]);
        command.arg(folder).current_dir("/").stdout(Stdio::null());
        spawn::spawn_with(command, Account::Own, None, &source.0).map_err(EmbeddedError::io("run", &program))
    }
}

/// What is done with the slot.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum SlotTask {
    Make,
    Drop,
}

/// Runs the program to its end.
fn finish(mut command: Command, source: &Source) -> Result<(), EmbeddedError> {
    let program = PathBuf::from(command.get_program());
    command.current_dir("/").stdout(Stdio::piped()).stderr(Stdio::piped());
    let output = spawn::spawn_with(command, Account::Own, None, &source.0)
        .and_then(Child::wait_with_output)
        .map_err(EmbeddedError::io("run", &program))?;
    if output.status.success() {
        return Ok(());
    }
    let said = String::from_utf8_lossy(&[output.stderr, output.stdout].concat()).trim().to_owned();
    Err(EmbeddedError::CopyFailed { program, said })
}
