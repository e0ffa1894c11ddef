//! The published packages: built, installed into empty folders, and each of them playing behind a network with faults, running its
//! README, and playing as the README's bot.

mod faults;
mod installing;

use std::io::{BufRead, BufReader};
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use serde_json::{Value, json};

use self::faults::{Fault, Faults, Plan, Seen};
use self::installing::Installed;
use super::tools::succeeds;
use support::process::Server;
use support::{Client, PASSWORD};

/// The wait that a server asks for in the drill.
const ASKED_WAIT: Duration = Duration::from_secs(1);

const BUSY: &str = "HTTP/1.1 503 Service Unavailable\r\nRetry-After: 1\r\nContent-Type: application/problem+json\r\n\
    Content-Length: 88\r\nConnection: close\r\n\r\n\
    {\"type\":\"urn:pippost:problem:unavailable\",\"code\":\"unavailable\",\"status\":503,\"detail\":\"\"}";
const BARE_BUSY: &str = "HTTP/1.1 503 Service Unavailable\r\nContent-Length: 0\r\nConnection: close\r\n\r\n";
const NO_ANSWER: &str = "HTTP/1.1 502 Bad Gateway\r\nContent-Length: 0\r\nConnection: close\r\n\r\n";

/// What happens to the drill's requests.
const PLAN: Plan = &[
    ("POST", "/accounts", 1, Fault::Lose),
    ("POST", "/games", 1, Fault::Lose),
    ("POST", "/join", 1, Fault::Lose),
    ("POST", "/moves", 1, Fault::Answer(BUSY)),
    ("POST", "/moves", 3, Fault::Lose),
    ("POST", "/moves", 6, Fault::Answer(NO_ANSWER)),
    ("GET", "/actions", 2, Fault::Cut(100)),
    ("GET", "/feed", 1, Fault::Cut(2_000)),
    ("GET", "/feed", 2, Fault::Answer(BARE_BUSY)),
    ("GET", "/feed", 3, Fault::Cut(3_001)),
];

/// How long a bot may take for a game.
const BOT_TIMEOUT: Duration = Duration::from_mins(2);

fn sandbox() -> Server {
    Server::start_with(&["--sandbox"])
}

/// The records of the independent implementation.
fn records() -> std::path::PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/vectors")
}

/// Lets the drill run behind the faults, and holds what it tells against what the server has and what was sent.
async fn drill(mut program: Command) {
    let server = sandbox();
    let faults = Faults::before(&server.address, PLAN).await;
    program.arg(&faults.url).arg(records());
    let output = tokio::task::spawn_blocking(move || succeeds(&mut program)).await.expect("no panic");
    let told: Value = serde_json::from_slice(&output.stdout).expect("JSON");
    let game = told["game"].as_str().expect("a game");
    let view = Client::new(&server.url(), None).get(&format!("/api/v1/games/{game}")).await.ok();
    let newest = view["seq"].as_u64().expect("a number");
    // Each event once and in order, although the stream was cut.
    let expected: Vec<String> = (0..=newest).map(|seq| format!("{game}:{seq}")).collect();
    assert!(newest > 10 && told["followed"] == json!(expected), "{told}");
    assert!(told["webhooks"].as_u64().expect("a number") > 10, "{told}");
    assert_eq!(told["records"], support::vectors::FILES.len(), "{told}");
    let seen = faults.seen();
    for (method, end, number, fault) in PLAN {
        let struck = seen.iter().filter(|seen| seen.is(method, end)).nth(number - 1).expect("a request");
        assert_eq!(struck.fault, Some(*fault), "{struck:?}");
    }
    check_repetitions(&seen);
    // What was asked again began after the last event that had come.
    let asked = seen.iter().filter(|seen| seen.is("GET", "/feed")).map(|seen| seen.path.contains("after="));
    assert_eq!(asked.take(2).collect::<Vec<_>>(), [false, true], "{seen:?}");
    // Two tokens expired and were renewed, each once.
    assert_eq!(seen.iter().filter(|seen| seen.is("POST", "/sessions/refresh")).count(), 2);
    assert_eq!(seen.iter().filter(|seen| seen.is("POST", "/sessions")).count(), 0);
}

/// Every request that met a fault came again with the same key and body, and not before the server had said.
fn check_repetitions(seen: &[Seen]) {
    for (at, struck) in
        seen.iter().enumerate().filter(|(_, seen)| seen.method == "POST" && seen.fault.is_some())
    {
        let mut later = seen[at + 1..].iter();
        let again = later.find(|seen| seen.path == struck.path).expect("the request is sent again");
        assert!(
            struck.key.is_some() && again.key == struck.key && again.body == struck.body,
            "{struck:?} {again:?}"
        );
        if struck.fault == Some(Fault::Answer(BUSY)) {
            assert!(again.at - struck.at >= ASKED_WAIT, "{:?}", again.at - struck.at);
        }
    }
    // And every other request has a key of its own.
    for (at, one) in seen.iter().enumerate().filter(|(_, seen)| seen.method == "POST") {
        let mut others = seen[at + 1..].iter().filter(|other| one.key.is_some() && other.key == one.key);
        assert!(others.all(|other| (&other.path, &other.body) == (&one.path, &one.body)), "{one:?}");
    }
}

/// A bot, ended with the test.
struct Bot(Child);

impl Drop for Bot {
    fn drop(&mut self) {
        drop(self.0.kill());
        drop(self.0.wait());
    }
}

/// Plays a whole game against the bot of a README, which joins it.
async fn play_against(mut program: Command) {
    let server = sandbox();
    let ann = server.register("ann").await;
    let made = ann.post("/api/v1/games", &json!({"rules": "pip-pip"})).await.expect_status(201).json();
    let path = format!("/api/v1/games/{}", made["id"].as_str().expect("an id"));
    program
        .env("URL", server.url())
        .env("HANDLE", "a-bot")
        .env("PASSWORD", PASSWORD)
        .env("POLL_SECONDS", "0.05");
    let mut bot = Bot(program.stdout(Stdio::piped()).spawn().expect("a bot"));
    let said =
        BufReader::new(bot.0.stdout.take().expect("a pipe")).lines().next().expect("a line").expect("text");
    assert_eq!(said, format!("joined {}", made["id"].as_str().expect("an id")));
    let begun = Instant::now();
    let view = loop {
        let view = ann.get(&path).await.ok();
        if view["status"] == "finished" {
            break view;
        }
        assert!(begun.elapsed() < BOT_TIMEOUT && bot.0.try_wait().expect("our child").is_none(), "{view}");
        if view["my_turn"] == true {
            let legal = ann.get(&format!("{path}/actions")).await.ok();
            let last = legal["actions"].as_array().and_then(|actions| actions.last()).expect("an action");
            ann.post(&format!("{path}/moves"), &json!({"actions": [last]})).await.ok();
        }
        tokio::task::yield_now().await;
    };
    assert_eq!(view["result"]["reason"], "play", "{view}");
    let other =
        view["players"].as_array().and_then(|players| players.iter().find(|player| player["bot"] == true));
    assert_eq!(other.expect("a bot")["handle"], "a-bot");
}

/// The program of a README, for the server.
fn at(server: &Server, program: &str) -> String {
    assert!(program.contains("http://127.0.0.1:8090"));
    program.replace("http://127.0.0.1:8090", &server.url())
}

#[tokio::test(flavor = "multi_thread")]
async fn the_wheel_is_checked_strictly_and_plays_behind_faults_as_its_readme_and_as_a_bot() {
    let (installed, server) = (Installed::python(), sandbox());
    installed.write("readme.py", &at(&server, &installed.blocks("python")));
    installed.write("bot.py", &installed.blocks("python bot"));
    installed.write("drill.py", include_str!("drill.py"));
    installed.check_python(&["readme.py", "bot.py", "drill.py"]);
    let printed = String::from_utf8(succeeds(&mut installed.python_run("readme.py")).stdout).expect("text");
    let lines: Vec<&str> = printed.lines().collect();
    assert_eq!(lines[0], "serpent finished", "{printed}");
    assert!(lines[1].ends_with(" events after the first"), "{printed}");
    assert_eq!(lines[2], "['py-ann', 'py-bob'] True True", "{printed}");
    assert!(lines[3].starts_with("event "), "{printed}");
    assert_eq!(lines[4..], ["1 False", "(401, b'')", "3 games at once"], "{printed}");
    drill(installed.python_run("drill.py")).await;
    play_against(installed.python_run("bot.py")).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn the_tarball_compiles_strictly_and_plays_behind_faults_as_its_readme_and_as_a_bot() {
    let (installed, server) = (Installed::typescript(), sandbox());
    installed.write("readme.ts", &at(&server, &installed.blocks("typescript")));
    installed.write("bot.ts", &installed.blocks("typescript bot"));
    installed.write("drill.ts", include_str!("drill.ts"));
    installed.compile_typescript(&["readme.ts", "bot.ts", "drill.ts"]);
    let printed = String::from_utf8(succeeds(&mut installed.node_run("readme.js")).stdout).expect("text");
    let lines: Vec<&str> = printed.lines().collect();
    assert_eq!(
        lines[..3],
        ["serpent finished", "true and no event is missing", "[ 'ts-ann', 'ts-bob' ] true true"]
    );
    assert!(lines[3].starts_with("event "), "{printed}");
    assert_eq!(lines[4..], ["1 false", "401"], "{printed}");
    drill(installed.node_run("drill.js")).await;
    play_against(installed.node_run("bot.js")).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn the_crates_build_from_their_packages_and_play_behind_faults_as_their_readme_and_as_a_bot() {
    let server = sandbox();
    let programs = |installed: &Installed| {
        let readme = format!(
            "#[tokio::main]\nasync fn main() -> Result<(), Box<dyn std::error::Error>> {{\nlet url = {:?};\n{}\nOk(())\n}}\n",
            server.url(),
            installed.blocks("rust"),
        );
        vec![
            ("client-readme", readme),
            ("client-bot", installed.blocks("rust bot")),
            ("client-drill", include_str!("drill.rs").to_owned()),
        ]
    };
    let _installed = Installed::rust(programs);
    let printed =
        String::from_utf8(succeeds(&mut Installed::rust_run("client-readme")).stdout).expect("text");
    let lines: Vec<&str> = printed.lines().collect();
    assert_eq!(lines[..3], ["serpent finished", "true", "serpent true"], "{printed}");
    assert!(lines[3].starts_with("event "), "{printed}");
    assert_eq!(lines[4..], ["1 true", "401: the time is not of now"], "{printed}");
    drill(Installed::rust_run("client-drill")).await;
    play_against(Installed::rust_run("client-bot")).await;
}

#[test]
fn all_packages_have_the_version_of_the_program_and_the_verifier_all_rules() {
    let file = |name: &str| {
        std::fs::read_to_string(Path::new(env!("CARGO_MANIFEST_DIR")).join(name)).expect("a file")
    };
    let version = env!("CARGO_PKG_VERSION");
    assert!(file("examples/clients/python/pyproject.toml").contains(&format!("\nversion = \"{version}\"\n")));
    assert!(
        file("crates/client/Cargo.toml")
            .contains(&format!("pippost-record = {{ path = \"../record\", version = \"{version}\""))
    );
    let package: Value =
        serde_json::from_str(&file("examples/clients/typescript/package.json")).expect("JSON");
    assert_eq!(package["version"], version);
    let (_, rules) = pippost::web::verifier::modules()
        .into_iter()
        .find(|(name, _)| *name == "rules.js")
        .expect("the list of rules");
    assert_eq!(file("examples/clients/typescript/src/verifier/rules.js"), rules);
}
