//! A running server with two players and a game.

use std::fs;
use std::io::{BufRead, BufReader, Write};
use std::os::unix::fs::PermissionsExt;
use std::path::Path;
use std::process::{Child, Command, Stdio};

use serde_json::{Value, json};
use support::PASSWORD;
use support::port::free_port;
use support::waiting::found;
use tempfile::TempDir;

use super::postfix::Postfix;

/// The domain of the players, which is none of the server's.
pub const PLAYERS: &str = "example.net";

/// A running `pippost serve` with two players in a game of Pip•Pip.
pub struct Server {
    pub folder: TempDir,
    pub url: String,
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
pub fn ask(url: &str, token: Option<&str>, body: Option<&Value>) -> Value {
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
pub fn new_player(folder: &Path, url: &str, handle: &str) -> String {
    let mut create = pippost(folder, &["admin", "create-user", handle, &format!("{handle}@{PLAYERS}")]);
    let mut child = create.stdin(Stdio::piped()).spawn().expect("the program");
    child.stdin.take().expect("a pipe").write_all(PASSWORD.as_bytes()).expect("an open pipe");
    assert!(child.wait().expect("an exit").success());
    let session =
        ask(&format!("{url}/sessions"), None, Some(&json!({"login": handle, "password": PASSWORD})));
    session["access_token"].as_str().expect("a token").to_owned()
}

impl Server {
    pub fn start(folder: TempDir, more: &[&str]) -> Self {
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
        found("ann's mail", || {
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
    pub fn plays_through(&self, postfix: &Postfix) {
        assert!(self.url.starts_with("http://127.0.0.1:"));
        let ann = format!("ann@{PLAYERS}");
        let to = self.reply_to("turn");
        let raw = format!(
            "From: Ann <{ann}>\r\nTo: {to}\r\nMessage-ID: <1@laptop.example.org>\r\n\r\nstore\r\n\r\n> quoted"
        );
        postfix.send(&ann, &to, &raw);
        found("the move", || (self.seq() == 1).then_some(()));
        assert_ne!(self.reply_to("answer"), to);
        // The answer can be answered too. Whatever was rolled, a second die can be stored.
        let to = self.reply_to("answer");
        let raw = format!("From: {ann}\r\nTo: {to}\r\nMessage-ID: <2@laptop.example.org>\r\n\r\nstore");
        postfix.send(&ann, &to, &raw);
        found("the second move", || (self.seq() == 2).then_some(()));
        // A mail to the server's own address comes through too, and is answered with how to move.
        let raw =
            format!("From: {ann}\r\nTo: play@example.org\r\nMessage-ID: <3@laptop.example.org>\r\n\r\nstore");
        postfix.send(&ann, "play@example.org", &raw);
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

pub fn open_folder() -> TempDir {
    let folder = tempfile::Builder::new().prefix("pippost").tempdir_in("/var/tmp").expect("a folder");
    fs::set_permissions(folder.path(), fs::Permissions::from_mode(0o755)).expect("an open folder");
    folder
}
