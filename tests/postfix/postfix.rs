//! A Postfix of a test's own, set up as docs/MAIL.md says.

use std::fs;
use std::io::{BufRead, BufReader, Write};
use std::net::TcpStream;
use std::path::{Path, PathBuf};
use std::process::Command;

use support::port::free_port;
use support::waiting::found;

pub fn run(command: &mut Command) {
    let output = command.output().unwrap_or_else(|error| panic!("{command:?}: {error}"));
    assert!(output.status.success(), "{command:?}: {}", String::from_utf8_lossy(&output.stderr));
}

/// The page about setting Postfix up: this test runs what it says.
const PAGE: &str = include_str!("../../docs/MAIL.md");

/// The block of the page whose first line is `# title`.
pub fn recipe(title: &str) -> String {
    let (_, rest) =
        PAGE.split_once(&format!("```text\n# {title}\n")).unwrap_or_else(|| panic!("no recipe {title}"));
    rest.split("```").next().expect("an end").to_owned()
}

/// The spool of Postfix on Debian, in the page's lines.
const SPOOL: &str = "/var/spool/postfix";

/// The page's line for a shell.
fn shell_recipe() -> String {
    let (_, rest) = PAGE.split_once("```sh\n").expect("a line for a shell");
    rest.split("```").next().expect("an end").to_owned()
}

/// A Postfix of the test's own, in a folder of its own.
pub struct Postfix {
    config: PathBuf,
    pub port: u16,
}

impl Postfix {
    /// Creates its folders in `folder`, with a place for a socket in its spool as the page says; returns the socket's path.
    pub fn prepare(folder: &Path) -> PathBuf {
        let config = folder.join("postfix");
        let (queue, data) = (config.join("queue"), config.join("data"));
        for made in [&config, &queue, &data] {
            fs::create_dir(made).expect("a folder");
        }
        run(Command::new("chown").arg("postfix").arg(&data));
        // The page's own line, for a folder and a user of the test's.
        let install =
            shell_recipe().replace(SPOOL, &queue.display().to_string()).replace("-o pippost", "-o root");
        run(Command::new("sh").args(["-e", "-c", &install]));
        let socket = PAGE.split_once("PIPPOST_LMTP_LISTEN=unix:").expect("a socket").1;
        let socket = socket.split('`').next().expect("an end");
        queue.join(socket.strip_prefix(SPOOL).expect("a place in the spool").trim_start_matches('/'))
    }

    /// Starts it with the page's settings in `recipes`, and with a chroot for `lmtp`, as on Debian.
    pub fn start(folder: &Path, recipes: &str, master: &str) -> Self {
        let (config, port) = (folder.join("postfix"), free_port());
        let main = format!(
            "compatibility_level = 3.6\nqueue_directory = {queue}\ndata_directory = {data}\nmaillog_file = {log}\n\
             maillog_file_prefixes = {prefix}\nmyhostname = mail.example.org\nmydestination =\ninet_interfaces = 127.0.0.1\n\
             inet_protocols = ipv4\nmynetworks = 127.0.0.0/8\nsmtpd_relay_restrictions = permit_mynetworks, reject\n\
             alias_maps =\nalias_database =\nlocal_recipient_maps =\n{recipes}",
            queue = config.join("queue").display(),
            data = config.join("data").display(),
            log = config.join("mail.log").display(),
            prefix = config.display(),
        );
        fs::write(config.join("main.cf"), main).expect("main.cf");
        let services = format!(
            "127.0.0.1:{port} inet n - n - - smtpd\npickup unix n - n 60 1 pickup\ncleanup unix n - n - 0 cleanup\n\
             qmgr unix n - n 300 1 qmgr\nrewrite unix - - n - - trivial-rewrite\nbounce unix - - n - 0 bounce\n\
             defer unix - - n - 0 bounce\ntrace unix - - n - 0 bounce\nverify unix - - n - 1 verify\n\
             flush unix n - n 1000? 0 flush\nproxymap unix - - n - - proxymap\nsmtp unix - - n - - smtp\n\
             error unix - - n - - error\nretry unix - - n - - error\ndiscard unix - - n - - discard\n\
             virtual unix - n n - - virtual\nlmtp unix - - y - - lmtp\nanvil unix - - n - 1 anvil\n\
             scache unix - - n - 1 scache\npostlog unix-dgram n - n - 1 postlogd\n{master}"
        );
        fs::write(config.join("master.cf"), services).expect("master.cf");
        run(Command::new("postfix").arg("-c").arg(&config).arg("start"));
        Self { config, port }
    }

    /// Sends a mail as a mail program would.
    pub fn send(&self, from: &str, to: &str, raw: &str) {
        let answer = self.try_to_send(from, to, raw);
        assert!(answer.starts_with("250"), "{answer}");
    }

    /// Sends a mail; returns the answer to its recipient.
    pub fn try_to_send(&self, from: &str, to: &str, raw: &str) -> String {
        let stream = found("Postfix's port", || TcpStream::connect(("127.0.0.1", self.port)).ok());
        let mut answers = BufReader::new(stream.try_clone().expect("a socket")).lines();
        let mut stream = stream;
        let mut answer = || loop {
            let line = answers.next().expect("an answer").expect("text");
            if line.as_bytes().get(3) != Some(&b'-') {
                return line;
            }
        };
        let greeting = answer();
        assert!(greeting.starts_with("220"), "{greeting}");
        let mut say = |line: &str| {
            stream.write_all(format!("{line}\r\n").as_bytes()).expect("an open connection");
            answer()
        };
        for line in ["EHLO laptop.example.org", &format!("MAIL FROM:<{from}>")] {
            let answer = say(line);
            assert!(answer.starts_with("250"), "{line}: {answer}");
        }
        let recipient = say(&format!("RCPT TO:<{to}>"));
        if recipient.starts_with("250") {
            assert!(say("DATA").starts_with("354"));
            let taken = say(&format!("{raw}\r\n."));
            assert!(taken.starts_with("250"), "{taken}");
        }
        assert!(say("QUIT").starts_with("221"));
        recipient
    }

    /// Waits until no mail is under way; returns what the log says.
    pub fn log_when_idle(&self) -> String {
        found("an empty queue", || {
            let queue =
                Command::new("postqueue").arg("-c").arg(&self.config).arg("-j").output().expect("postqueue");
            queue.stdout.is_empty().then_some(())
        });
        fs::read_to_string(self.config.join("mail.log")).expect("a log")
    }
}

impl Drop for Postfix {
    fn drop(&mut self) {
        let stopped = Command::new("postfix").arg("-c").arg(&self.config).arg("stop").output();
        let log = fs::read_to_string(self.config.join("mail.log")).unwrap_or_default();
        println!("{log}");
        // A failed test must not panic again.
        if !std::thread::panicking() {
            assert!(stopped.expect("postfix stop").status.success());
        }
    }
}
