//! The database and the disk under it: failing reads and writes, a power cut, processes that are killed or stopped.

use std::fs::{self, Permissions};
use std::io::Write as _;
use std::os::unix::fs::{FileExt, PermissionsExt};
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::{Duration, Instant};

use nix::sys::signal::{Signal, kill};
use nix::unistd::{Pid, geteuid};
use pippost::store::embedded::{Embedded, EmbeddedSettings, EmbeddedState};

/// The size of the disk image, of which only what is written takes room.
const IMAGE: &str = "2G";

/// How long processes may take to die, and PostgreSQL to come back.
const DEAD_WITHIN: Duration = Duration::from_mins(1);

/// How long it is left to PostgreSQL's supervisor to start it again.
const BACK_BY_ITSELF: Duration = Duration::from_millis(500);

/// The orders of one process to its preloaded library, in a file that it has mapped.
pub struct Orders(fs::File);

/// The places of numbers in it.
const WRITE_ERROR: u64 = 0;
const READ_ERROR: u64 = 4;
const SYNC_ERROR: u64 = 8;
const CLOCK_NANOSECONDS: u64 = 16;

/// What fails.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Failing {
    Writes(nix::errno::Errno),
    Reads,
    Syncs,
}

impl Orders {
    fn new(path: &Path) -> Self {
        let file = fs::File::options().create(true).read(true).write(true).truncate(true).open(path);
        let file = file.expect("a file of orders");
        file.set_len(24).expect("room for orders");
        fs::set_permissions(path, Permissions::from_mode(0o644)).expect("orders that all may read");
        Self(file)
    }

    pub fn fail(&self, failing: Failing) {
        let (place, error) = match failing {
            Failing::Writes(error) => (WRITE_ERROR, error as i32),
            Failing::Reads => (READ_ERROR, nix::errno::Errno::EIO as i32),
            Failing::Syncs => (SYNC_ERROR, nix::errno::Errno::EIO as i32),
        };
        self.0.write_all_at(&error.to_le_bytes(), place).expect("orders");
    }

    pub fn work_again(&self) {
        self.0.write_all_at(&[0; 16], WRITE_ERROR).expect("orders");
    }

    pub fn step_clock(&self, seconds: i64) {
        self.0.write_all_at(&(seconds * 1_000_000_000).to_le_bytes(), CLOCK_NANOSECONDS).expect("orders");
    }
}

/// The library that takes orders; `None` without a C compiler.
pub struct Preload(Option<PathBuf>);

impl Preload {
    pub fn build(folder: &Path) -> Self {
        let source = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/torture/preload.c");
        let library = folder.join("preload.so");
        let mut compiler = Command::new("cc");
        compiler.args(["-shared", "-fPIC", "-O1", "-o"]).arg(&library).arg(source).arg("-ldl");
        Self(compiler.status().is_ok_and(|done| done.success()).then_some(library))
    }

    pub fn is_there(&self) -> bool {
        self.0.is_some()
    }

    /// What a process needs in its environment to take orders from the file `name`.
    pub fn orders(&self, folder: &Path, name: &str) -> (Orders, Vec<(&'static str, PathBuf)>) {
        let path = folder.join(format!("{name}.orders"));
        let orders = Orders::new(&path);
        let library = self.0.iter().map(|library| ("LD_PRELOAD", library.clone()));
        (orders, library.chain([("TORTURE_ORDERS", path)]).collect())
    }
}

/// PostgreSQL on a disk image of its own, if this machine can mount one.
pub struct Database {
    folder: PathBuf,
    data: PathBuf,
    settings: EmbeddedSettings,
    embedded: Option<Embedded>,
    /// Since when it does not run.
    down_since: Option<Instant>,
    socket: PathBuf,
    pub orders: Orders,
    /// How many disk images there were; `None` if there can be none.
    images: Option<u32>,
}

impl Database {
    /// Starts it in `folder`, which everybody can enter.
    pub fn start(folder: &Path, preload: &Preload, durable: bool) -> Self {
        let (orders, environment) = preload.orders(folder, "postgres");
        let programs = programs(folder, &environment);
        let data = folder.join("data");
        let settings = EmbeddedSettings {
            programs_dir: Some(programs),
            durable,
            ..EmbeddedSettings::in_folder(data.clone())
        };
        let first = Embedded::start(&settings).unwrap_or_else(|error| panic!("{error}"));
        first.stop().expect("a clean stop");
        let images = move_to_image(folder, &data.join("pg")).then_some(0);
        let embedded = Embedded::start(&settings).unwrap_or_else(|error| panic!("{error}"));
        let (folder, socket) = (folder.to_owned(), embedded.socket_dir().join(".s.PGSQL.5432"));
        Self { folder, data, settings, embedded: Some(embedded), down_since: None, socket, orders, images }
    }

    pub fn can_lose_power(&self) -> bool {
        self.images.is_some()
    }

    /// The Unix socket.
    pub fn socket(&self) -> PathBuf {
        self.socket.clone()
    }

    /// Starts it again if it has not come back by itself, as it does ever later when it dies often.
    pub fn keep_running(&mut self) {
        let runs = |embedded: &Embedded| embedded.status().state() == EmbeddedState::Running;
        if self.embedded.as_ref().is_some_and(runs) {
            self.down_since = None;
            return;
        }
        let since = *self.down_since.get_or_insert_with(Instant::now);
        if since.elapsed() < BACK_BY_ITSELF {
            return;
        }
        if let Some(embedded) = self.embedded.take() {
            let _was_down = embedded.stop();
        }
        // While its disk fails, it cannot be started; it is tried again then.
        self.embedded = Embedded::start(&self.settings).ok();
    }

    /// All its processes, the first one first, also one that has just been started, and those that have outlived the first.
    fn processes(&self) -> Vec<Pid> {
        let cluster = self.data.join("pg");
        let of_first = format!("-D\0{}\0", cluster.display());
        let (mut first, mut others) = (Vec::new(), Vec::new());
        for entry in fs::read_dir("/proc").expect("Linux").flatten() {
            let pid = entry.file_name().to_str().and_then(|name| name.parse().ok());
            let Some(pid) = pid.map(Pid::from_raw) else { continue };
            let line = fs::read(entry.path().join("cmdline")).unwrap_or_default();
            if String::from_utf8_lossy(&line).contains(&of_first) {
                first.push(pid);
            } else if fs::read_link(entry.path().join("cwd")).is_ok_and(|folder| folder == cluster) {
                others.push(pid);
            }
        }
        first.into_iter().chain(others).collect()
    }

    pub fn signal_first(&self, signal: Signal) {
        // It may be down already.
        let _gone = self.processes().first().map(|first| kill(*first, signal));
    }

    /// Signals one process that serves a client, and returns it.
    pub fn signal_backend(&self, signal: Signal, choice: usize) -> Option<Pid> {
        let serves = |pid: &Pid| {
            let line = fs::read_to_string(format!("/proc/{pid}/cmdline")).unwrap_or_default();
            line.contains(" app pippost ")
        };
        let backends: Vec<Pid> = self.processes().into_iter().skip(1).filter(serves).collect();
        let chosen = backends.get(choice.checked_rem(backends.len())?).copied();
        chosen.filter(|pid| kill(*pid, signal).is_ok())
    }

    pub fn signal_all(&self, signal: Signal) {
        for pid in self.processes() {
            let _gone = kill(pid, signal);
        }
    }

    /// What the disk was not told to keep is lost, and every process dies at the same moment.
    pub fn lose_power(&mut self) {
        let Some(images) = self.images.as_mut() else { return };
        let (before, after) = (image(&self.folder, *images), image(&self.folder, *images + 1));
        *images += 1;
        let gate = self.folder.join("no-power");
        fs::write(&gate, "").expect("a file");
        // The first one forks: a child that was not stopped would acknowledge what the copy does not have.
        let mut doomed = Vec::new();
        loop {
            let new: Vec<Pid> = self.processes().into_iter().filter(|pid| !doomed.contains(pid)).collect();
            if new.is_empty() {
                break;
            }
            for pid in new {
                let _gone = kill(pid, Signal::SIGSTOP);
                doomed.push(pid);
            }
        }
        run("cp", &["--sparse=always".as_ref(), before.as_os_str(), after.as_os_str()]);
        self.signal_all(Signal::SIGKILL);
        for pid in &doomed {
            let _gone = kill(*pid, Signal::SIGKILL);
        }
        let cluster = self.data.join("pg");
        let deadline = Instant::now() + DEAD_WITHIN;
        while !Command::new("umount").arg(&cluster).output().is_ok_and(|done| done.status.success()) {
            assert!(Instant::now() < deadline, "the disk stays in use");
            // The system needs a moment to end killed processes, and its supervisor may have started it again.
            self.signal_all(Signal::SIGKILL);
            std::thread::sleep(Duration::from_millis(10));
        }
        fs::remove_file(before).expect("the old disk");
        run("mount", &["-o".as_ref(), "loop".as_ref(), after.as_os_str(), cluster.as_os_str()]);
        fs::remove_file(gate).expect("power");
    }
}

impl Drop for Database {
    fn drop(&mut self) {
        self.orders.work_again();
        self.signal_all(Signal::SIGCONT);
        if let Some(embedded) = self.embedded.take() {
            let _by_force = embedded.stop();
        }
        if self.images.is_some() {
            let _busy = Command::new("umount").arg("--lazy").arg(self.data.join("pg")).status();
        }
    }
}

fn image(folder: &Path, number: u32) -> PathBuf {
    folder.join(format!("disk-{number}"))
}

fn run(program: &str, arguments: &[&std::ffi::OsStr]) {
    let done = Command::new(program).args(arguments).output().expect("a program of the system");
    assert!(done.status.success(), "{program}: {}", String::from_utf8_lossy(&done.stderr));
}

/// Puts the cluster on a file system in a file; false if only root, or nobody, can do that here.
fn move_to_image(folder: &Path, cluster: &Path) -> bool {
    if !geteuid().is_root() {
        return false;
    }
    let (image, aside) = (image(folder, 0), folder.join("aside"));
    fs::rename(cluster, &aside).expect("a cluster");
    fs::create_dir(cluster).expect("a folder");
    let script = "truncate -s \"$1\" \"$2\" && mkfs.ext4 -q -F \"$2\" && mount -o loop \"$2\" \"$3\"";
    let mut shell = Command::new("sh");
    shell.args(["-ec", script, "sh", IMAGE]).arg(&image).arg(cluster);
    let mounted = shell.output().is_ok_and(|done| done.status.success());
    if !mounted {
        fs::remove_dir(cluster).expect("an empty folder");
        fs::rename(&aside, cluster).expect("a cluster");
        return false;
    }
    let script = "rmdir \"$2/lost+found\"; cp -a \"$1/.\" \"$2\"; rm -r \"$1\"; sync -f \"$2\"";
    run("sh", &["-ec".as_ref(), script.as_ref(), "sh".as_ref(), aside.as_os_str(), cluster.as_os_str()]);
    true
}

/// A folder of programs: PostgreSQL, which waits while there is no power and takes orders.
fn programs(folder: &Path, environment: &[(&str, PathBuf)]) -> PathBuf {
    let real = real_programs();
    let programs = folder.join("programs");
    fs::create_dir(&programs).expect("a folder");
    std::os::unix::fs::symlink(real.join("initdb"), programs.join("initdb")).expect("a link");
    let path = programs.join("postgres");
    let mut script = fs::File::create(&path).expect("a script");
    let variables: Vec<String> =
        environment.iter().map(|(name, value)| format!("{name}='{}'", value.display())).collect();
    write!(
        script,
        "#!/bin/sh\ncd /\nwhile [ -e '{}' ]; do sleep 0.02; done\n{} exec '{}' \"$@\"\n",
        folder.join("no-power").display(),
        variables.join(" "),
        real.join("postgres").display()
    )
    .expect("a script");
    fs::set_permissions(&path, Permissions::from_mode(0o755)).expect("a program");
    programs
}

fn real_programs() -> PathBuf {
    if let Some(folder) = std::env::var_os("PG_BINDIR") {
        return folder.into();
    }
    let versions = fs::read_dir("/usr/lib/postgresql").expect("PostgreSQL of Debian, or PG_BINDIR").flatten();
    let folders = versions.map(|version| version.path().join("bin"));
    folders.filter(|folder| folder.join("initdb").exists()).max().expect("PostgreSQL's programs")
}
