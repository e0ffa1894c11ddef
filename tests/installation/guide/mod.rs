//! docs/INSTALL.md to the letter: its commands in an empty Debian that has neither a network nor systemd, up to the mail that confirms an
//! address. `systemctl` and `dig` are stand-ins, which lie beside this file; the packages are in apt's cache.

use std::fs;
use std::io::Write;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};
use std::time::Instant;

use nix::unistd::geteuid;
use tempfile::TempDir;

use super::{built, root, well};
use support::PASSWORD;
use support::skipped::skipped;
use support::smtp_sink::{SmtpSink, Treatment};
use support::waiting::until;

/// Set where the test runs once more, with a network, mounts and processes of its own.
const INSIDE: &str = "PIPPOST_TEST_INSIDE";
/// What the issue allows, in seconds.
const MAX_SECONDS: u64 = 600;
/// The answers to what `pippost setup` asks, before and after the mail server.
const ANSWERS: [&str; 3] = ["https://play.example.org", "Games <play@example.org>", "ann@example.org"];

#[test]
fn who_follows_the_guide_on_an_empty_debian_gets_the_first_mail() {
    if let Some(packages) = std::env::var_os(INSIDE) {
        let runtime = tokio::runtime::Runtime::new().expect("a runtime");
        return runtime.block_on(follow(Path::new(&packages)));
    }
    if !geteuid().is_root() || std::env::var_os("PIPPOST_DEBIAN").is_none() {
        skipped(
            "the guide, on an empty Debian",
            "it needs root, and PIPPOST_DEBIAN (.ci/install-debian makes it)",
        );
        return;
    }
    let name = "guide::who_follows_the_guide_on_an_empty_debian_gets_the_first_mail";
    let mut again = Command::new("unshare");
    // What is left running ends with it.
    again.args(["--mount", "--net", "--pid", "--fork", "--kill-child", "--mount-proc"]);
    again.arg(std::env::current_exe().expect("this program")).args(["--exact", name, "--nocapture"]);
    let said = well(&again.env(INSIDE, built()).stdin(Stdio::null()).output().expect("unshare"));
    let measured = said.lines().find(|line| line.starts_with("guide: ")).expect("it was measured");
    // Not taken for what a test prints, so that it is seen.
    writeln!(std::io::stderr(), "{measured}").expect("a place to print");
}

/// An empty Debian, which is thrown away with the mounts of this process.
struct Debian {
    _folder: TempDir,
    root: PathBuf,
}

const PREPARE: &str = r#"
mount -t tmpfs -o mode=755 pippost-test "$1"
mkdir "$1/upper" "$1/work" "$1/root"
mount -t overlay -o "lowerdir=$PIPPOST_DEBIAN,upperdir=$1/upper,workdir=$1/work" pippost-test "$1/root"
cd "$1/root"
mount -t proc proc proc
mount -t tmpfs -o mode=755 run run
mount -t tmpfs -o mode=1777 shm dev/shm
mount -t devpts -o newinstance,ptmxmode=0666 devpts dev/pts
chroot . ip link set lo up
echo '127.0.0.1 localhost play.example.org' >etc/hosts
"#;

impl Debian {
    fn prepare(packages: &Path) -> Self {
        let folder = tempfile::tempdir().expect("a folder");
        let mut prepare = Command::new("sh");
        well(&prepare.args(["-ec", PREPARE, "sh"]).arg(folder.path()).output().expect("sh"));
        let debian = Self { root: folder.path().join("root"), _folder: folder };
        for name in ["systemctl", "dig"] {
            let there = debian.root.join("usr/local/bin").join(name);
            fs::copy(root().join("tests/installation/guide").join(name), &there).expect("a stand-in");
            fs::set_permissions(&there, fs::Permissions::from_mode(0o755)).expect("ours");
        }
        for file in fs::read_dir(packages).expect("packages").map(|entry| entry.expect("an entry").path()) {
            fs::copy(&file, debian.root.join("root").join(file.file_name().expect("a name")))
                .expect("copies");
        }
        debian
    }

    /// Runs a script as root in root's folder.
    fn run(&self, script: &str, input: &str) -> Output {
        let mut command = Command::new("chroot");
        command.arg(&self.root).args(["sh", "-ec", &format!("cd /root; {script}")]).env_clear();
        command
            .env("PATH", "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin")
            .env("HOME", "/root");
        command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
        let mut child = command.spawn().expect("chroot");
        child.stdin.take().expect("a pipe").write_all(input.as_bytes()).expect("it reads");
        child.wait_with_output().expect("an end")
    }

    /// What units have printed.
    fn logs(&self) -> String {
        String::from_utf8_lossy(&self.run("tail -n 20 /var/log/*.service.log", "").stdout).into_owned()
    }

    /// Asks the server by the proxy, as a browser would.
    fn ask(&self, path: &str, body: Option<&str>) -> Output {
        let authority = "var/lib/caddy/.local/share/caddy/pki/authorities/local/root.crt";
        let mut curl = Command::new("curl");
        curl.args(["-sS", "--fail-with-body", "--resolve", "play.example.org:443:127.0.0.1", "--cacert"]);
        curl.arg(self.root.join(authority)).arg(format!("https://play.example.org{path}"));
        if let Some(body) = body {
            curl.args(["-H", "Content-Type: application/json", "-d", body]);
        }
        curl.output().expect("curl")
    }
}

/// The commands of the page, block by block.
fn blocks(page: &str) -> Vec<String> {
    let blocks = page.split("```sh\n").skip(1).map(|rest| rest.split("```").next().unwrap_or_default());
    blocks
        .map(|block| {
            block.lines().map(|line| line.strip_prefix("   ").unwrap_or(line).to_owned() + "\n").collect()
        })
        .collect()
}

async fn follow(packages: &Path) {
    let debian = Debian::prepare(packages);
    let sink = SmtpSink::start(|_| Treatment::Accept).await;
    let page = fs::read_to_string(root().join("docs/INSTALL.md")).expect("the page");
    let blocks = blocks(&page);
    assert_eq!(blocks.len(), 4, "{blocks:?}");
    let begun = Instant::now();
    let mut seconds = Vec::new();
    for block in &blocks {
        let block_begun = Instant::now();
        if block.starts_with("pippost setup") {
            let [url, from, to] = ANSWERS;
            // Whoever is asked sits at a terminal.
            let script = format!("script -qec '{}' /dev/null", block.trim().replace("NAME", "mail"));
            let said = well(&debian.run(&script, &format!("{url}\n{from}\n{}\n{to}\n", sink.url())));
            assert!(!said.contains("WRONG"), "{said}");
            assert_eq!(sink.received().len(), 1, "the test mail: {said}");
        } else {
            let done = debian.run(block, "");
            assert!(done.status.success(), "{block}\n{}\n{done:?}", debian.logs());
        }
        seconds.push(block_begun.elapsed().as_secs());
    }
    until("the page by the proxy", async || debian.ask("/", None).status.success()).await;
    let account = format!(r#"{{"handle":"ann","email":"ann@example.org","password":"{PASSWORD}"}}"#);
    well(&debian.ask("/api/v1/accounts", Some(&account)));
    sink.wait_for(2).await;
    let took = begun.elapsed().as_secs();
    let mail = sink.received().remove(1);
    assert_eq!(mail.to, ["ann@example.org"]);
    assert!(mail.data.contains("https://play.example.org/"), "{}", mail.data);
    assert!(took <= MAX_SECONDS, "{took} seconds");
    // What the timers do at night.
    let night = "systemctl start pippost-backup pippost-drill; pippost-admin doctor --backups /var/lib/pippost-backups";
    let said = well(&debian.run(night, ""));
    assert!(said.contains(" 0 findings\n") && said.contains("\nnothing is wrong\n"), "{said}");
    println!("guide: {took} seconds to the first mail, of which its blocks took {seconds:?}");
}
