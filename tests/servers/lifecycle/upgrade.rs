//! Upgrades: a database of the version before is migrated with its games in it, and a newer process takes over from an older one while
//! people play.

use std::io::{BufRead, BufReader};
use std::path::PathBuf;
use std::process::{Child, Command, Stdio};

use nix::sys::signal::{Signal, kill};
use nix::unistd::Pid;
use pippost::store::database::revert;
use tempfile::TempDir;

use super::players::{Match, Players};
use super::{SHUTDOWN_BOUND, blocking};
use support::port::free_port;
use support::process::{Server, ended_within};
use support::{Client, cluster};

/// The program of an earlier version, which has the same database; without it this one stands for it, so that the processes are replaced
/// without a change.
const OLDER_PROGRAM: &str = "PIPPOST_OLDER_PROGRAM";

async fn audit_is_clean(server: &Server, url: &str) {
    let mut audit = server.command(&["audit", "--database-url", url]);
    let audited = blocking(move || audit.output().expect("the program")).await;
    assert!(audited.status.success(), "{}", String::from_utf8_lossy(&audited.stdout));
}

async fn nothing_is_lost(played: &mut Match) {
    assert!(played.look().await.is_some());
    played.check_record().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_database_without_the_newest_migration_is_migrated_at_the_start_and_its_games_go_on() {
    let name = cluster::new_database().await;
    let url = cluster::url(&name);
    let mut server = {
        let url = url.clone();
        blocking(move || Server::start_bare(&["--database-url", &url])).await
    };
    let players = Players::begin(&server, 2).await;
    players.goes_on(20).await;
    let played = players.end().await;
    let server_of_before = blocking(move || {
        server.stop();
        server
    })
    .await;
    revert(&cluster::address(&name)).await.expect("the newest migration is taken back");
    let again = url.clone();
    server = blocking(move || server_of_before.stop_and_start_with(&["--database-url", &again])).await;
    let players = Players::of(played);
    players.goes_on(20).await;
    for mut played in players.end().await {
        nothing_is_lost(&mut played).await;
    }
    audit_is_clean(&server, &url).await;
    blocking(move || server.stop()).await;
}

/// What both processes are known by: a proxy would stand before them.
const PUBLIC_URL: &str = "http://127.0.0.1:9";

/// A process of the earlier version.
struct Older {
    child: Child,
    address: String,
    folder: TempDir,
}

impl Older {
    /// Starts it on an empty database.
    fn start(url: &str) -> Self {
        let folder = tempfile::tempdir().expect("a folder");
        let own = std::env::var_os(OLDER_PROGRAM).map_or_else(support::program::executable, PathBuf::from);
        let address = format!("127.0.0.1:{}", free_port());
        let mut command = Command::new(own);
        command.args(["serve", "--listen", &address, "--log", "warn", "--keys-dir", "keys"]);
        command.args(["--public-url", PUBLIC_URL]).env("DATABASE_URL", url);
        command.current_dir(folder.path()).stdin(Stdio::null()).stdout(Stdio::piped());
        let mut child = command.spawn().expect("the program");
        let mut lines = BufReader::new(child.stdout.take().expect("a pipe")).lines();
        let first = lines.next().expect("it says something").expect("text");
        assert_eq!(first, "pippost is ready.");
        std::thread::spawn(move || lines.count());
        Self { child, address, folder }
    }

    /// A process of this version beside it, on the same database with the same keys.
    fn newer(&self, url: &str) -> Server {
        let keys = self.folder.path().join("keys").display().to_string();
        Server::start_bare(&["--database-url", url, "--keys-dir", &keys, "--public-url", PUBLIC_URL])
    }

    /// Asks it to stop, as a package's upgrade does.
    fn stop(&mut self) {
        let pid = Pid::from_raw(i32::try_from(self.child.id()).expect("a process number"));
        kill(pid, Signal::SIGTERM).expect("it runs");
        let exit = ended_within(&mut self.child, SHUTDOWN_BOUND);
        assert!(exit.success(), "{exit}");
    }
}

impl Drop for Older {
    fn drop(&mut self) {
        // After a failed test; it has ended otherwise.
        let _gone = self.child.kill();
        let _gone = self.child.wait();
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_newer_process_takes_over_from_an_older_one_amid_moves_and_nothing_is_lost() {
    let url = cluster::url(&cluster::bare_database().await);
    let (mut older, server) = {
        let url = url.clone();
        blocking(move || {
            let older = Older::start(&url);
            let server = older.newer(&url);
            (older, server)
        })
        .await
    };
    let mut begun = Vec::new();
    for name in ["old", "both", "new"] {
        begun.push(Match::begin(&server, name).await);
    }
    let [of_older, of_both] = [0, 1].map(|at: usize| begun[at].players.clone());
    let at_older = |player: &Client| player.at(&format!("http://{}", older.address));
    begun[0].players = of_older.each_ref().map(at_older);
    // Each of the players of one game is served by another version.
    begun[1].players[0] = at_older(&of_both[0]);
    let players = Players::of(begun);
    players.goes_on(60).await;
    let mut ended = players.end().await;
    // The last to be served by the older one while it ends.
    let last = Players::of(vec![ended.remove(0)]);
    last.goes_on(5).await;
    let older = blocking(move || {
        older.stop();
        older
    })
    .await;
    ended.extend(last.end().await);
    let [both, new, old] = &mut ended[..] else { panic!("three games") };
    (both.players, old.players) = (of_both, of_older);
    assert!(new.receipts.len() > 5, "{}", new.receipts.len());
    let players = Players::of(ended);
    players.goes_on(60).await;
    for mut played in players.end().await {
        nothing_is_lost(&mut played).await;
        assert!(played.receipts.len() > 5, "{}", played.receipts.len());
    }
    let mut audit = server.command(&["audit", "--database-url", &url, "--keys-dir"]);
    audit.arg(older.folder.path().join("keys"));
    let audited = blocking(move || audit.output().expect("the program")).await;
    assert!(audited.status.success(), "{}", String::from_utf8_lossy(&audited.stdout));
    let mut server = server;
    blocking(move || server.stop()).await;
}
