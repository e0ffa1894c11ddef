//! The program as a process while players move: its database dies, it is killed, it is told to stop.

pub mod backups;
mod database_dies;
mod doctor;
mod full_disk;
mod killed;
pub mod players;
mod refusing;
mod stopped;
mod upgrade;

use std::path::PathBuf;
use std::time::{Duration, Instant};

use pippost::cli::SHUTDOWN_SECONDS;

/// The longest time from a signal to the end of the process, plus a margin for the test to notice it.
const SHUTDOWN_BOUND: Duration = Duration::from_secs(SHUTDOWN_SECONDS + 2);

/// Far longer than any expected wait.
const TIMEOUT: Duration = Duration::from_mins(1);

/// Waits until `condition` holds.
async fn until(what: &str, mut condition: impl AsyncFnMut() -> bool) {
    let deadline = Instant::now() + TIMEOUT;
    while !condition().await {
        assert!(Instant::now() < deadline, "waited in vain for {what}");
        tokio::time::sleep(Duration::from_millis(5)).await;
    }
}

/// Runs a blocking function.
pub async fn blocking<T: Send + 'static>(run: impl FnOnce() -> T + Send + 'static) -> T {
    tokio::task::spawn_blocking(run).await.expect("no panic")
}

/// The folder of PostgreSQL's programs.
fn programs_dir() -> PathBuf {
    if let Some(folder) = std::env::var_os("PG_BINDIR") {
        return folder.into();
    }
    let versions =
        std::fs::read_dir("/usr/lib/postgresql").expect("PostgreSQL of Debian, or PG_BINDIR").flatten();
    let folders = versions.map(|version| version.path().join("bin"));
    folders.filter(|folder| folder.join("initdb").exists()).max().expect("PostgreSQL's programs")
}
