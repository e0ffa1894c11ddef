//! What a stranger installs: the package built of this program, its units, its maintainer scripts, and the server started from what it
//! unpacks; what watches it; a signed release. Needs dpkg-deb and systemd-analyze (Debian: dpkg, systemd), jq and ssh-keygen (Debian:
//! openssh-client): a suite of its own, see .ci/suites.

mod guide;
mod monitoring;
mod release;

use std::collections::BTreeSet;
use std::fs;
use std::io::{BufRead, BufReader, Read};
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Output, Stdio};
use std::sync::OnceLock;

use nix::unistd::geteuid;
use tempfile::TempDir;

use support::skipped::skipped;

/// The most that `systemd-analyze security` may find, in tenths: 0 is best.
const MAX_EXPOSURE: &str = "20";

/// The package and what lies beside it, built once.
fn built() -> &'static Path {
    static BUILT: OnceLock<TempDir> = OnceLock::new();
    let folder = BUILT.get_or_init(|| {
        let folder = open_folder();
        let mut build = Command::new(root().join("packaging/build"));
        build.arg(folder.path()).arg(support::program::executable());
        // Large, but soon done.
        build.env("PIPPOST_COMPRESSION", "none");
        well(&build.output().expect("packaging/build"));
        folder
    });
    folder.path()
}

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).to_owned()
}

/// A folder through which PostgreSQL's user may pass.
fn open_folder() -> TempDir {
    let folder = tempfile::tempdir_in("/var/tmp").expect("a folder");
    fs::set_permissions(folder.path(), fs::Permissions::from_mode(0o755)).expect("our folder");
    folder
}

#[track_caller]
fn well(output: &Output) -> String {
    let said = String::from_utf8_lossy(&[output.stdout.as_slice(), &output.stderr].concat()).into_owned();
    assert!(output.status.success(), "{said}");
    said
}

fn file_of(ending: &str) -> PathBuf {
    let files = fs::read_dir(built()).expect("a folder").map(|entry| entry.expect("an entry").path());
    let mut found: Vec<PathBuf> = files.filter(|path| path.to_string_lossy().ends_with(ending)).collect();
    assert_eq!(found.len(), 1, "{ending}: {found:?}");
    found.remove(0)
}

/// The package unpacked, without its scripts.
fn unpacked() -> TempDir {
    let folder = open_folder();
    let mut unpack = Command::new("dpkg-deb");
    well(&unpack.arg("-x").arg(file_of(".deb")).arg(folder.path()).output().expect("dpkg-deb"));
    folder
}

#[test]
fn the_tarball_has_the_files_of_the_package_and_the_checksums_are_theirs() {
    let mut check = Command::new("sha256sum");
    let checked = well(&check.args(["-c", "SHA256SUMS"]).current_dir(built()).output().expect("sha256sum"));
    assert_eq!(checked.matches(": OK").count(), 3, "{checked}");
    let listed = |mut command: Command, part: usize| -> BTreeSet<String> {
        let text = well(&command.output().expect("a list"));
        let names = text.lines().filter_map(|line| line.split_whitespace().nth(part));
        names.filter(|name| !name.ends_with('/')).map(str::to_owned).collect()
    };
    let (mut package, mut tarball) = (Command::new("dpkg-deb"), Command::new("tar"));
    package.arg("-c").arg(file_of(".deb"));
    tarball.arg("-tf").arg(file_of(".tar.gz"));
    let (package, tarball) = (listed(package, 5), listed(tarball, 0));
    assert_eq!(package, tarball);
    assert!(package.contains("./usr/bin/pippost") && package.contains("./etc/pippost/pippost.conf"));
    let bill = fs::read_to_string(file_of(".cdx.json")).expect("a list");
    assert!(bill.contains("pkg:cargo/actix-web@"), "what the program is made of");
}

#[test]
fn units_are_valid_and_leave_little_to_whoever_takes_the_server_over() {
    let folder = unpacked();
    let units = folder.path().join("usr/lib/systemd/system");
    let services: Vec<_> = fs::read_dir(&units)
        .expect("units")
        .map(|entry| entry.expect("an entry").path())
        .filter(|path| path.extension().is_some_and(|ending| ending == "service"))
        .collect();
    assert_eq!(services.len(), 4, "{services:?}");
    for unit in &services {
        let mut judge = Command::new("systemd-analyze");
        judge.args(["security", "--offline=yes", "--no-pager", "--threshold", MAX_EXPOSURE]).arg(unit);
        well(&judge.output().expect("systemd-analyze"));
        let text = fs::read_to_string(unit).expect("a unit");
        let program = text.split("ExecStart=").nth(1).expect("a command").split_whitespace().next();
        assert_eq!(program, Some("/usr/bin/pippost"), "{text}");
    }
    let mut verify = Command::new("systemd-analyze");
    verify.args(["verify", "--man=no", "--recursive-errors=no", "--root"]).arg(folder.path());
    verify.args(fs::read_dir(&units).expect("units").map(|entry| entry.expect("an entry").file_name()));
    let said = well(&verify.output().expect("systemd-analyze"));
    assert!(!said.contains("pippost"), "{said}");
}

/// A server from the unpacked package, with the package's settings and one of our own.
struct Started(Child);

impl Started {
    fn from(folder: &Path, settings: &str) -> Self {
        fs::write(folder.join("etc/pippost/setup.conf"), settings).expect("writes");
        // As systemd reads both files.
        let script = "set -a; for file in pippost setup; do . etc/pippost/$file.conf; done; exec usr/bin/pippost serve";
        let mut command = Command::new("sh");
        command.args(["-c", script]).current_dir(folder).env_clear().env("PATH", "/usr/bin:/bin");
        command.env("PIPPOST_DATA_DIR", folder.join("var/lib/pippost"));
        let child = command.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn();
        Self(child.expect("sh"))
    }
}

impl Drop for Started {
    fn drop(&mut self) {
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

#[test]
fn the_server_starts_from_an_unpacked_package_with_its_settings() {
    let folder = unpacked();
    let mut server = Started::from(folder.path(), "PIPPOST_LISTEN='127.0.0.1:0'\nPIPPOST_LOG='warn'\n");
    let mut lines = BufReader::new(server.0.stdout.take().expect("a pipe")).lines();
    let Some(Ok(first)) = lines.next() else {
        let mut said = String::new();
        let _ = server.0.stderr.take().expect("a pipe").read_to_string(&mut said);
        panic!("{said}");
    };
    assert_eq!(first, "pippost is ready.");
    assert!(folder.path().join("var/lib/pippost/keys/secret.key").is_file());
}

#[test]
fn installing_makes_the_user_and_removing_and_purging_leave_the_games_and_say_so() {
    if !geteuid().is_root() {
        skipped("installing the package", "it needs root");
        return;
    }
    let folder = open_folder();
    let admin = folder.path().join("var/lib/dpkg");
    for name in ["info", "updates", "triggers"] {
        fs::create_dir_all(admin.join(name)).expect("makes");
    }
    fs::write(admin.join("status"), "").expect("writes");
    fs::create_dir_all(folder.path().join("etc")).expect("makes");
    let dpkg = |arguments: &[&str], package: &Path| {
        let mut command = Command::new("dpkg");
        command.arg("--root").arg(folder.path()).args(["--force-script-chrootless", "--force-depends"]);
        well(&command.args(arguments).arg(package).output().expect("dpkg"))
    };
    dpkg(&["--install"], &file_of(".deb"));
    let users = fs::read_to_string(folder.path().join("etc/passwd")).expect("users");
    assert!(users.contains("pippost:") && users.contains(":/var/lib/pippost:/usr/sbin/nologin"), "{users}");
    let settings = folder.path().join("etc/pippost/pippost.conf");
    let mode = fs::metadata(&settings).expect("settings").permissions().mode();
    assert_eq!(mode & 0o777, 0o640, "they will hold secrets");
    let data = folder.path().join("var/lib/pippost/keys/secret.key");
    fs::create_dir_all(data.parent().expect("a folder")).expect("makes");
    fs::write(&data, "77").expect("writes");
    fs::write(&settings, "PIPPOST_LOG='debug'\n").expect("writes");
    for (task, left) in [("--remove", true), ("--purge", false)] {
        let said = dpkg(&[task], Path::new("pippost"));
        assert!(said.contains("games, keys and backups stay in /var/lib/pippost;"), "{said}");
        assert!(data.is_file(), "{task} leaves the keys");
        assert_eq!(settings.exists(), left, "{task}");
        assert!(!folder.path().join("usr/bin/pippost").exists(), "{task}");
    }
}
