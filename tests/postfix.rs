//! A real answer through a real Postfix: by SMTP to Postfix, and by LMTP or a pipe to the server. Needs root and Postfix's
//! programs, so it is not part of a plain `cargo test`; `./test` runs it where possible (see docs/TESTING.md).

use std::collections::HashSet;
use std::fs;
use std::io::{BufRead, BufReader, Write};
use std::net::TcpStream;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use mail_parser::MessageParser;
use serde_json::{Value, json};
use support::port::free_port;
use tempfile::TempDir;

/// The longest time for a mail's whole way.
const TIMEOUT: Duration = Duration::from_mins(1);

const PASSWORD: &str = "correct horse battery staple";

fn run(command: &mut Command) {
    let output = command.output().unwrap_or_else(|error| panic!("{command:?}: {error}"));
    assert!(output.status.success(), "{command:?}: {}", String::from_utf8_lossy(&output.stderr));
}

/// Waits until `look` finds something.
fn wait_for<T>(what: &str, mut look: impl FnMut() -> Option<T>) -> T {
    let begun = Instant::now();
    loop {
        if let Some(found) = look() {
            return found;
        }
        assert!(begun.elapsed() < TIMEOUT, "{what} did not come");
        std::thread::sleep(Duration::from_millis(100));
    }
}

/// The page about setting Postfix up: this test runs what it says.
const PAGE: &str = include_str!("../docs/MAIL.md");

/// The block of the page whose first line is `# title`.
fn recipe(title: &str) -> String {
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
struct Postfix {
    config: PathBuf,
    port: u16,
}

impl Postfix {
    /// Creates its folders in `folder`, with a place for a socket in its spool as the page says; returns the socket's path.
    fn prepare(folder: &Path) -> PathBuf {
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
    fn start(folder: &Path, recipes: &str, master: &str) -> Self {
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
    fn send(&self, from: &str, to: &str, raw: &str) {
        let answer = self.try_to_send(from, to, raw);
        assert!(answer.starts_with("250"), "{answer}");
    }

    /// Sends a mail; returns the answer to its recipient.
    fn try_to_send(&self, from: &str, to: &str, raw: &str) -> String {
        let stream = wait_for("Postfix's port", || TcpStream::connect(("127.0.0.1", self.port)).ok());
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
    fn log_when_idle(&self) -> String {
        wait_for("an empty queue", || {
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

/// Mails that anybody can send under a forged name are not bounced to it.
fn nothing_goes_back_to_a_forged_sender(postfix: &Postfix, answer_to_nonsense: &str) {
    let (victim, nonsense) = ("victim@example.net", "play+nonsense@example.org");
    let raw = |to: &str, id: &str| {
        format!("From: {victim}\r\nTo: {to}\r\nMessage-ID: <{id}@laptop.example.org>\r\n\r\nstore")
    };
    let answer = postfix.try_to_send(victim, nonsense, &raw(nonsense, "4"));
    assert!(answer.starts_with(answer_to_nonsense), "{answer}");
    postfix.send(victim, "play@example.org", &raw("play@example.org", "5"));
    let log = postfix.log_when_idle();
    assert!(log.contains("to=<play@example.org>") && log.contains("status=sent"), "{log}");
    assert!(!log.contains("status=bounced (") && !log.contains("non-delivery"), "{log}");
}

/// A running `pippost serve` with two players in a game of Pip•Pip.
struct Server {
    folder: TempDir,
    url: String,
    game: String,
    token: String,
    child: Child,
}

fn pippost(folder: &Path, arguments: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_pippost"));
    command.current_dir(folder).args(arguments).stdin(Stdio::null());
    command
}

/// Sends a request with curl; returns the JSON of the answer.
fn ask(url: &str, token: Option<&str>, body: Option<&Value>) -> Value {
    let mut curl = Command::new("curl");
    curl.args(["-sS", "--fail-with-body", "-H", "Content-Type: application/json"]);
    if let Some(token) = token {
        curl.args(["-H", &format!("Authorization: Bearer {token}")]);
    }
    if let Some(body) = body {
        curl.args(["-d", &body.to_string()]);
    }
    let output = curl.arg(url).output().expect("curl");
    assert!(output.status.success(), "{url}: {}", String::from_utf8_lossy(&output.stdout));
    serde_json::from_slice(&output.stdout).expect("JSON")
}

/// A player with a confirmed address: an access token.
fn new_player(folder: &Path, url: &str, handle: &str) -> String {
    let mut create = pippost(folder, &["admin", "create-user", handle, &format!("{handle}@example.org")]);
    let mut child = create.stdin(Stdio::piped()).spawn().expect("the program");
    child.stdin.take().expect("a pipe").write_all(PASSWORD.as_bytes()).expect("an open pipe");
    assert!(child.wait().expect("an exit").success());
    let session =
        ask(&format!("{url}/sessions"), None, Some(&json!({"login": handle, "password": PASSWORD})));
    session["access_token"].as_str().expect("a token").to_owned()
}

/// The answers of one player after which the game is given up: the server tells a player only so many in an hour.
const MAX_ANSWERS: usize = 45;

/// Two people who play one game with their mail programs alone.
struct Pair<'a> {
    server: &'a Server,
    postfix: &'a Postfix,
    handles: [String; 2],
    /// The files of mails that were read.
    read: HashSet<PathBuf>,
    answers: usize,
}

/// A mail to one of them.
struct Letter {
    handle: String,
    kind: String,
    reply_to: String,
    text: String,
}

impl Pair<'_> {
    fn send(&mut self, handle: &str, to: &str, text: &str) {
        self.answers += 1;
        let number = self.answers;
        let from = format!("{handle}@example.org");
        let raw = format!(
            "From: {from}\r\nTo: {to}\r\nMessage-ID: <{number}-{handle}@laptop.example.org>\r\n\r\n{}",
            text.replace('\n', "\r\n")
        );
        self.postfix.send(&from, to, &raw);
    }

    /// The next mail to one of them that can be answered; of a kind, if one is given.
    fn next(&mut self, kind: Option<&str>) -> Letter {
        let outbox = self.server.folder.path().join("data/outbox");
        wait_for("a mail to answer", || {
            let mut files: Vec<_> =
                fs::read_dir(&outbox).ok()?.map(|entry| entry.expect("an entry").path()).collect();
            files.retain(|file| !self.read.contains(file));
            files.sort();
            for file in files {
                let raw = fs::read_to_string(&file).ok()?;
                let mail = MessageParser::default().parse(&raw)?;
                let address = |of: Option<&mail_parser::Address<'_>>| {
                    of.and_then(|of| of.first()?.address()).unwrap_or_default().to_owned()
                };
                let to = address(mail.to());
                let handle = self.handles.iter().find(|handle| to == format!("{handle}@example.org"));
                self.read.insert(file.clone());
                let Some(handle) = handle.cloned() else { continue };
                let name = file.file_name()?.to_string_lossy().into_owned();
                let of_kind = |kind: &str| name.contains(&format!("-{kind}-"));
                let wanted = kind.is_none_or(of_kind);
                let known = ["turn", "answer", "game_over", "invitation", "how_to_move"];
                let found = known.into_iter().find(|kind| of_kind(kind))?.to_owned();
                if !wanted {
                    continue;
                }
                let text = mail.body_text(0)?.replace("\r\n", "\n");
                return Some(Letter { handle, kind: found, reply_to: address(mail.reply_to()), text });
            }
            None
        })
    }

    /// From the first mail to the common address to the rematch.
    fn play(&mut self, rules: &str) {
        let [ann, bob] = self.handles.clone();
        self.send(&ann, "play@example.org", "Hello?");
        let hello = self.next(Some("how_to_move"));
        self.send(&ann, &hello.reply_to, &format!("new {rules}\ninvite {bob}@example.org"));
        let invitation = self.next(Some("invitation"));
        self.send(&bob, &invitation.reply_to, "Yes, gladly!");
        let mut resigns = false;
        loop {
            let mail = self.next(None);
            if mail.kind == "game_over" {
                self.send(&mail.handle, &mail.reply_to, "rematch");
                break;
            }
            let examples = mail.text.split("In notation, for example:\n").nth(1).unwrap_or_default();
            let examples: Vec<_> = examples.lines().take_while(|line| line.starts_with("  ")).collect();
            if mail.text.contains("You want to resign") {
                self.send(&mail.handle, &mail.reply_to, "yes");
            } else if let Some(last) = examples.last().filter(|_| !resigns) {
                resigns = self.answers > MAX_ANSWERS;
                self.send(&mail.handle, &mail.reply_to, if resigns { "resign" } else { last.trim() });
            }
        }
        let invitation = self.next(Some("invitation"));
        self.send(&invitation.handle, &invitation.reply_to, "yes");
        let joined = loop {
            let mail = self.next(Some("answer"));
            if mail.text.contains("You have joined game #2") {
                break mail;
            }
        };
        assert_eq!(joined.handle, invitation.handle);
    }
}

impl Server {
    fn start(folder: TempDir, more: &[&str]) -> Self {
        let address = format!("127.0.0.1:{}", free_port());
        let mut arguments =
            vec!["serve", "--listen", &address, "--log", "info", "--reply-address", "play@example.org"];
        arguments.extend(more);
        // The folder's group, which is Postfix's, may write to a socket.
        let mut shell = Command::new("sh");
        shell.args(["-c", "umask 007; exec \"$@\"", "sh", env!("CARGO_BIN_EXE_pippost")]).args(&arguments);
        let mut child = shell
            .current_dir(folder.path())
            .stdin(Stdio::null())
            .stdout(Stdio::piped())
            .spawn()
            .expect("the program");
        let mut lines = BufReader::new(child.stdout.take().expect("a pipe")).lines();
        assert_eq!(lines.next().expect("a line").expect("text"), "pippost is ready.");
        std::thread::spawn(move || lines.count());
        let url = format!("http://{address}/api/v1");
        let [ann, bob] = ["ann", "bob"].map(|handle| new_player(folder.path(), &url, handle));
        let wanted = json!({"rules": "pip-pip", "seating": "joined"});
        let made = ask(&format!("{url}/games"), Some(&ann), Some(&wanted));
        let game = format!("{url}/games/{}", made["id"].as_str().expect("an id"));
        ask(&format!("{game}/join"), Some(&bob), Some(&json!({})));
        Self { folder, url, game, token: ann, child }
    }

    /// The reply address of the newest mail of a kind to ann.
    fn reply_to(&self, kind: &str) -> String {
        let raw = self.mail_to_ann(kind);
        let line =
            raw.lines().find_map(|line| line.strip_prefix("Reply-To: ")).expect("an address to answer to");
        line.trim().trim_matches(['<', '>']).to_owned()
    }

    /// The newest mail of a kind to ann.
    fn mail_to_ann(&self, kind: &str) -> String {
        let outbox = self.folder.path().join("data/outbox");
        wait_for("ann's mail", || {
            let mut mails: Vec<_> =
                fs::read_dir(&outbox).ok()?.map(|entry| entry.expect("an entry").path()).collect();
            mails.sort();
            let texts =
                mails.iter().rev().filter(|path| path.to_string_lossy().contains(&format!("-{kind}-")));
            texts.filter_map(|path| fs::read_to_string(path).ok()).find(|text| text.contains("To: ann "))
        })
    }

    fn seq(&self) -> u64 {
        ask(&self.game, Some(&self.token), None)["seq"].as_u64().expect("a number")
    }

    /// Answers a mail to ann through Postfix and waits for the move and its answer.
    fn plays_through(&self, postfix: &Postfix) {
        assert!(self.url.starts_with("http://127.0.0.1:"));
        let to = self.reply_to("turn");
        let raw = format!(
            "From: Ann <ann@example.org>\r\nTo: {to}\r\nMessage-ID: <1@laptop.example.org>\r\n\r\nstore\r\n\r\n> quoted"
        );
        postfix.send("ann@example.org", &to, &raw);
        wait_for("the move", || (self.seq() == 1).then_some(()));
        assert_ne!(self.reply_to("answer"), to);
        // The answer can be answered too. Whatever was rolled, a second die can be stored.
        let to = self.reply_to("answer");
        let raw =
            format!("From: ann@example.org\r\nTo: {to}\r\nMessage-ID: <2@laptop.example.org>\r\n\r\nstore");
        postfix.send("ann@example.org", &to, &raw);
        wait_for("the second move", || (self.seq() == 2).then_some(()));
        // A mail to the server's own address comes through too, and is answered with how to move.
        let raw = "From: ann@example.org\r\nTo: play@example.org\r\nMessage-ID: <3@laptop.example.org>\r\n\r\nstore";
        postfix.send("ann@example.org", "play@example.org", raw);
        self.mail_to_ann("how_to_move");
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        let pid = nix::unistd::Pid::from_raw(i32::try_from(self.child.id()).expect("a pid"));
        let _ended = nix::sys::signal::kill(pid, nix::sys::signal::Signal::SIGTERM);
        let _ended = self.child.wait();
    }
}

fn open_folder() -> TempDir {
    let folder = tempfile::Builder::new().prefix("pippost").tempdir_in("/var/tmp").expect("a folder");
    fs::set_permissions(folder.path(), fs::Permissions::from_mode(0o755)).expect("an open folder");
    folder
}

#[test]
fn an_answer_through_postfix_moves_by_lmtp() {
    let folder = open_folder();
    let socket = Postfix::prepare(folder.path());
    let server = Server::start(folder, &["--lmtp-listen", &format!("unix:{}", socket.display())]);
    let postfix = Postfix::start(server.folder.path(), &recipe("main.cf"), "");
    server.plays_through(&postfix);
    nothing_goes_back_to_a_forged_sender(
        &postfix,
        "550 5.1.1 <play+nonsense@example.org>: Recipient address rejected",
    );
}

#[test]
fn a_game_of_each_rule_set_goes_from_invitation_to_rematch_by_answers_alone() {
    let folder = open_folder();
    let socket = Postfix::prepare(folder.path());
    let server = Server::start(folder, &["--lmtp-listen", &format!("unix:{}", socket.display())]);
    let postfix = Postfix::start(server.folder.path(), &recipe("main.cf"), "");
    let play = |index: usize, rules: &str| {
        let handles = ["ann", "bob"].map(|name| format!("{name}-{index}"));
        let tokens = handles.clone().map(|handle| new_player(server.folder.path(), &server.url, &handle));
        let mut pair = Pair { server: &server, postfix: &postfix, handles, read: HashSet::new(), answers: 0 };
        pair.play(rules);
        let games = ask(&format!("{}/games?list=mine", server.url), Some(&tokens[0]), None);
        let status: Vec<_> =
            games["games"].as_array().expect("games").iter().map(|game| &game["status"]).collect();
        assert_eq!(status, ["running", "finished"], "{games}");
    };
    // Postfix asks about each new address for a second, and about those of several games at once.
    let play = &play;
    std::thread::scope(|scope| {
        for (index, rules) in pippost::rules::all().enumerate() {
            scope.spawn(move || play(index, rules.name()));
        }
    });
}

#[test]
fn an_answer_through_postfix_moves_by_a_pipe() {
    let folder = open_folder();
    Postfix::prepare(folder.path());
    let server = Server::start(folder, &[]);
    let folder = server.folder.path().display();
    // Runs as the database's user, who may read all data of `serve`; Postfix runs no pipe as root.
    let program = env!("CARGO_BIN_EXE_pippost");
    let (copy, data) = (server.folder.path().join("program"), server.folder.path().join("data"));
    run(Command::new("cp").arg(program).arg(&copy));
    fs::set_permissions(&copy, fs::Permissions::from_mode(0o755)).expect("a mode");
    let user = "postgres";
    run(Command::new("chown").arg("-R").arg(user).arg(&data));
    let master = recipe("master.cf")
        .replace("user=pippost", &format!("user={user}"))
        .replace("/usr/local/bin/pippost", &format!("{folder}/program"))
        .replace("/var/lib/pippost", &format!("{folder}/data"));
    let settings = recipe("main.cf");
    let (settings, _) = settings.split_once("transport_maps").expect("what a pipe needs not");
    let settings = format!("{settings}{}", recipe("main.cf for a pipe"));
    let postfix = Postfix::start(server.folder.path(), &settings, &master);
    server.plays_through(&postfix);
    // A pipe is asked no question, so it takes what is for nobody, and bounces nothing.
    nothing_goes_back_to_a_forged_sender(&postfix, "250");
}
