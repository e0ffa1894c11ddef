//! Clients that foreign tools generate from the document of a running server, compiled, and each playing a whole game of every rule
//! set: the programs of `examples`, as a person would start from them.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use reqwest::Method;
use serde_json::Value;
use tempfile::TempDir;

use super::tools::{node_modules, node_program, python_program, succeeds};
use support::Client;
use support::process::Server;

/// Every rule set, with options for a short game, for the program that takes them.
const GAMES: [(&str, &str); 4] = [
    ("dominion", r#"{"size": 3, "round_limit": 4}"#),
    ("pip-pip", "{}"),
    ("pippinzip", r#"{"size": 5}"#),
    ("serpent", "{}"),
];

/// A running server, and a folder with its document in which a client can be made.
pub struct ClientFolder {
    pub server: Server,
    pub folder: TempDir,
}

impl ClientFolder {
    pub async fn open() -> Self {
        let server = Server::start();
        let folder = tempfile::tempdir().expect("a folder");
        let document = Client::new(&server.url(), None).get("/openapi.json").await;
        fs::write(folder.path().join("openapi.json"), document.expect_status(200).text()).expect("a file");
        Self { server, folder }
    }

    pub fn path(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }

    /// Copies the files of an example into the folder.
    fn copy(&self, example: &str, files: &[&str]) {
        for file in files {
            fs::copy(example_folder(example).join(file), self.path(file)).expect("a copy");
        }
    }

    /// Makes the types of the document and what a TypeScript program of the given name needs to be compiled.
    pub fn prepare_typescript(&self, program: &str) {
        self.copy("typescript", &["tsconfig.json", "package.json"]);
        let settings = fs::read_to_string(self.path("tsconfig.json")).expect("settings");
        fs::write(self.path("tsconfig.json"), settings.replace("play.ts", program)).expect("settings");
        link_node_modules(self);
        generate_types(self);
    }

    /// Lets the program play a game of every rule set and asks the server about each.
    async fn play_every_game(&self, program: impl Fn() -> Command) {
        let known: Vec<&str> = pippost::rules::all().map(pippost::rules::RuleSet::name).collect();
        assert!(known.iter().all(|name| GAMES.iter().any(|(rules, _)| rules == name)), "{known:?}");
        for (rules, options) in GAMES {
            let output = succeeds(program().args([&self.server.url(), rules]).env("OPTIONS", options));
            let said = String::from_utf8(output.stdout).expect("text");
            let last = said.lines().last().unwrap_or_else(|| panic!("it prints nothing about {rules}"));
            let game = last.split([' ', ':']).nth(1).unwrap_or_else(|| panic!("no game in {last:?}"));
            self.check(rules, game, last).await;
        }
    }

    /// The server says that the game was played to its end and proves its record.
    pub async fn check(&self, rules: &str, game: &str, said: &str) {
        let stranger = Client::new(&self.server.url(), None);
        let view = stranger.get(&format!("/api/v1/games/{game}")).await.expect_status(200).json();
        assert_eq!((&view["rules"], &view["status"]), (&rules.into(), &"finished".into()), "{view}");
        let reason = view["result"]["reason"].as_str().expect("a reason");
        assert!(["play", "round_limit"].contains(&reason), "{reason}");
        let record = stranger.get(&format!("/api/v1/games/{game}/record")).await.expect_status(200).text();
        let verdict = verdict(&stranger, &record).await;
        assert_eq!(
            (&verdict["verdict"], &verdict["proved"]),
            (&"accepted".into(), &true.into()),
            "{verdict}"
        );
        let events = verdict["events"].as_u64().expect("a number");
        assert!(events > 2 && said.contains(&events.to_string()), "{events} events, it says {said:?}");
    }
}

async fn verdict(stranger: &Client, record: &str) -> Value {
    let headers = [("Content-Type", "application/x-ndjson")];
    stranger.send(Method::POST, "/api/v1/verify", Some(record.to_owned()), &headers).await.ok()
}

fn example_folder(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("examples").join(name)
}

/// The operation that takes `text/plain` beside the media type that the Python client sends.
const BODIES_LEFT_OUT: [(&str, &str); 1] = [("POST /api/v1/verify", "Unsupported content type text/plain")];

/// What the Python generator warns of: each operation, and why.
fn left_out(said: &[u8]) -> Vec<(&str, &str)> {
    let said = std::str::from_utf8(said).expect("text");
    let warnings = said.split("WARNING parsing ").skip(1).map(|warning| {
        let mut lines = warning.lines().filter(|line| !line.is_empty());
        let operation = lines.next().and_then(|line| line.split(" within ").next());
        (operation.unwrap_or_default(), lines.next().unwrap_or_default())
    });
    warnings.collect()
}

/// A link in the client to the installed packages, as `npm install` would make the folder.
fn link_node_modules(client: &ClientFolder) {
    std::os::unix::fs::symlink(node_modules(), client.path("node_modules")).expect("a link");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_generated_python_client_passes_the_strictest_checks_and_plays_every_game() {
    let client = ClientFolder::open().await;
    client.copy("python", &["play.py", "generator.yaml", "pyrightconfig.json"]);
    let mut generate = python_program("openapi-python-client");
    generate.args(["generate", "--meta", "none", "--output-path", "pippost_client"]);
    generate.args(["--path", "openapi.json", "--config", "generator.yaml"]);
    let output = succeeds(generate.current_dir(client.folder.path()));
    assert_eq!(left_out(&output.stderr), BODIES_LEFT_OUT);
    let python = python_program("python");
    let mut check = node_program("pyright");
    check.arg("--pythonpath").arg(python.get_program());
    succeeds(check.current_dir(client.folder.path()));
    client
        .play_every_game(|| {
            let mut play = python_program("python");
            play.arg(client.path("play.py"));
            play
        })
        .await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_generated_typescript_client_compiles_strictly_and_plays_every_game() {
    let client = ClientFolder::open().await;
    client.copy("typescript", &["play.ts"]);
    client.prepare_typescript("play.ts");
    succeeds(node_program("tsc").current_dir(client.folder.path()));
    client
        .play_every_game(|| {
            let mut play = Command::new("node");
            play.arg(client.path("play.js"));
            play
        })
        .await;
}

/// As `npm run generate` does in the example.
fn generate_types(client: &ClientFolder) {
    let mut generate = node_program("openapi-typescript");
    generate.args(["openapi.json", "--default-non-nullable=false", "--root-types"]);
    generate.args(["--root-types-no-schema-prefix", "--output", "schema.d.ts"]);
    succeeds(generate.current_dir(client.folder.path()));
}

#[tokio::test(flavor = "multi_thread")]
async fn a_generated_rust_client_plays_every_game() {
    let client = ClientFolder::open().await;
    let mut build = Command::new(env!("CARGO"));
    build.args(["build", "--locked", "--message-format", "json-render-diagnostics", "--manifest-path"]);
    build.arg(example_folder("rust").join("Cargo.toml")).env("PIPPOST_OPENAPI", client.path("openapi.json"));
    let output = succeeds(build.env("CARGO_TARGET_DIR", target_folder()));
    let messages = String::from_utf8(output.stdout).expect("text");
    let program = messages.lines().find_map(|line| {
        let message: Value = serde_json::from_str(line).ok()?;
        message["executable"].as_str().map(PathBuf::from)
    });
    let program = program.expect("a program");
    client.play_every_game(|| Command::new(&program)).await;
}

/// The folder in which this test was built: what both builds need alike is compiled once.
fn target_folder() -> PathBuf {
    let program = Path::new(env!("CARGO_BIN_EXE_pippost"));
    program.parent().and_then(Path::parent).expect("a folder of a profile in the target folder").to_owned()
}

#[tokio::test(flavor = "multi_thread")]
async fn a_client_of_curl_and_jq_plays_every_game_without_knowing_any_rules() {
    let client = ClientFolder::open().await;
    client
        .play_every_game(|| {
            let mut play = Command::new("bash");
            play.arg(example_folder("bash").join("play.sh"));
            play
        })
        .await;
}
