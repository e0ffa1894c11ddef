//! A Firefox without a screen, driven by Marionette (WebDriver's commands over a socket).

use std::fs::File;
use std::io::{BufRead, BufReader, Read, Write};
use std::net::TcpStream;
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use serde_json::{Value, json};
use tempfile::TempDir;

use super::PASSWORD;

/// The longest time for one answer of the browser, on a busy machine.
const TIMEOUT: Duration = Duration::from_mins(2);

/// A process that ends with the test.
struct Process(Child);

impl Drop for Process {
    fn drop(&mut self) {
        let _ended = self.0.kill();
        let _ended = self.0.wait();
    }
}

pub struct Firefox {
    // Before the profile: it ends before its files are removed.
    _process: Process,
    _profile: TempDir,
    stream: BufReader<TcpStream>,
    last_id: u32,
}

impl Firefox {
    /// A browser that may show notifications, and subscribes at the push service with this address.
    pub fn start(push_service: &str) -> Self {
        let profile = tempfile::tempdir().expect("a folder");
        write_preferences(profile.path(), push_service);
        let program = std::env::var_os("PIPPOST_FIREFOX").expect("PIPPOST_FIREFOX names the program");
        let process = Command::new(program)
            .args(["--headless", "--marionette", "--no-remote", "--profile"])
            .arg(profile.path())
            .env("HOME", profile.path())
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .spawn()
            .map(Process)
            .expect("Firefox");
        let port = marionette_port(profile.path());
        let stream = TcpStream::connect(("127.0.0.1", port)).expect("a listening browser");
        stream.set_read_timeout(Some(TIMEOUT)).expect("a socket");
        let mut firefox =
            Self { _process: process, _profile: profile, stream: BufReader::new(stream), last_id: 0 };
        let greeting = firefox.receive();
        assert_eq!(greeting["marionetteProtocol"], 3);
        firefox.call("WebDriver:NewSession", &json!({}));
        firefox.call("WebDriver:SetTimeouts", &json!({"script": 60_000, "pageLoad": 60_000}));
        firefox
    }

    pub fn go(&mut self, url: &str) {
        self.call("WebDriver:Navigate", &json!({"url": url}));
    }

    /// Logs in by the page.
    pub fn log_in(&mut self, url: &str, handle: &str) {
        self.go(&format!("{url}/log-in"));
        for (name, value) in [("login", handle), ("password", PASSWORD)] {
            let id = self.find(&format!("[name={name}]"));
            self.call("WebDriver:ElementSendKeys", &json!({"id": id, "text": value}));
        }
        self.click("main form button[type=submit]");
        self.wait("!location.pathname.startsWith('/log-in')");
    }

    pub fn click(&mut self, selector: &str) {
        let id = self.find(selector);
        self.call("WebDriver:ElementClick", &json!({"id": id}));
    }

    /// Waits until an expression of the page's is true; it may wait for promises.
    #[track_caller]
    pub fn wait(&mut self, expression: &str) {
        let begun = Instant::now();
        // Each look waits a little in the page, which may be replaced meanwhile.
        let look = format!(
            "for (let i = 0; i < 40; i++) {{ if ({expression}) return true; await new Promise((go) => setTimeout(go, 25)); }} return false;"
        );
        while begun.elapsed() < TIMEOUT {
            if self.run(&look) == Ok(Value::Bool(true)) {
                return;
            }
        }
        let text = self.run("return document.body.innerText");
        panic!("{expression} does not become true: {text:?}");
    }

    /// What a script of the page's returns.
    pub fn run(&mut self, script: &str) -> Result<Value, Value> {
        let script = format!(
            "const done = arguments[arguments.length - 1]; (async () => {{ {script} }})().then((value) => done(value), (error) => done(String(error)))"
        );
        let answer = self.ask("WebDriver:ExecuteAsyncScript", &json!({"script": script, "args": []}))?;
        Ok(answer["value"].clone())
    }

    fn find(&mut self, selector: &str) -> String {
        let found = self.call("WebDriver:FindElement", &json!({"using": "css selector", "value": selector}));
        let element = found["value"].as_object().and_then(|element| element.values().next());
        element.and_then(Value::as_str).expect("an element").to_owned()
    }

    #[track_caller]
    fn call(&mut self, command: &str, parameters: &Value) -> Value {
        self.ask(command, parameters).unwrap_or_else(|error| panic!("{command}: {error}"))
    }

    fn ask(&mut self, command: &str, parameters: &Value) -> Result<Value, Value> {
        self.last_id += 1;
        let message = json!([0, self.last_id, command, parameters]).to_string();
        write!(self.stream.get_mut(), "{}:{message}", message.len()).expect("a listening browser");
        let answer = self.receive();
        assert_eq!((&answer[0], &answer[1]), (&json!(1), &json!(self.last_id)), "answers come in order");
        if answer[2].is_null() { Ok(answer[3].clone()) } else { Err(answer[2].clone()) }
    }

    /// The next message: its length in decimal, a colon, and JSON.
    fn receive(&mut self) -> Value {
        let mut length = Vec::new();
        self.stream.read_until(b':', &mut length).expect("an answer");
        let length = String::from_utf8_lossy(&length);
        let length = length.strip_suffix(':').and_then(|digits| digits.parse().ok()).expect("a length");
        let mut message = vec![0; length];
        self.stream.read_exact(&mut message).expect("a message");
        serde_json::from_slice(&message).expect("JSON")
    }
}

fn write_preferences(profile: &Path, push_service: &str) {
    let preferences = [
        ("marionette.port", json!(0)),
        // Those recommended for tests switch web push off.
        ("remote.prefs.recommended", json!(false)),
        ("dom.push.enabled", json!(true)),
        ("dom.push.connection.enabled", json!(true)),
        ("dom.push.serverURL", json!(push_service)),
        ("dom.push.testing.allowInsecureServerURL", json!(true)),
        ("permissions.default.desktop-notification", json!(1)),
        // Without a desktop the browser shows them itself.
        ("alerts.useSystemBackend", json!(false)),
        // Nothing of the maker's is asked.
        ("browser.shell.checkDefaultBrowser", json!(false)),
        ("datareporting.policy.dataSubmissionEnabled", json!(false)),
        ("app.update.disabledForTesting", json!(true)),
        ("network.captive-portal-service.enabled", json!(false)),
        ("network.connectivity-service.enabled", json!(false)),
    ];
    let mut file = File::create(profile.join("user.js")).expect("a file");
    for (name, value) in preferences {
        writeln!(file, "user_pref(\"{name}\", {value});").expect("room for a line");
    }
}

/// The port at which the browser listens, which it writes into a file of its profile.
fn marionette_port(profile: &Path) -> u16 {
    let begun = Instant::now();
    while begun.elapsed() < TIMEOUT {
        let written = std::fs::read_to_string(profile.join("MarionetteActivePort")).unwrap_or_default();
        if let Ok(port) = written.trim().parse() {
            return port;
        }
        std::thread::yield_now();
    }
    panic!("Firefox does not listen");
}
