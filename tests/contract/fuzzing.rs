//! A fuzzer sends what the document allows and what it does not, to a server with accounts and games, and holds every answer against
//! the document.

use std::process::Command;

use pippost::api::openapi::Part;
use serde_json::{Value, json};

use super::tools::{own_file, python_program};
use support::{Client, INBOUND_SECRET, METRICS_TOKEN, PASSWORD, TestApp};

/// The seed and the number of examples of each operation and phase, unless the environment names others.
const SEED: &str = "20261123";
const EXAMPLES: &str = "10";

/// A large board takes seconds to draw in a debug build on a busy machine; how fast answers come is what the bench measures.
const ANSWER_TIMEOUT_SECONDS: &str = "60";

/// Running games of each rule set, and of each in a sandbox.
const RUNNING: usize = 6;
const RUNNING_IN_SANDBOX: usize = 1;

/// A player of all games, and what the fuzzer must know about them.
struct FuzzData {
    app: TestApp,
    ann: Client,
    bob: Client,
    games: Vec<String>,
    clubs: Vec<Value>,
    studies: Vec<Value>,
    receipt: Option<String>,
    record: Option<String>,
    /// The mails of a sandbox that the fuzzer may read and answer.
    mails: Vec<Value>,
}

impl FuzzData {
    async fn of(app: TestApp, running: usize) -> Self {
        let (ann, bob) = (app.player("ann").await, app.player("bob").await);
        let mut data = Self {
            app,
            ann,
            bob,
            games: Vec::new(),
            clubs: Vec::new(),
            studies: Vec::new(),
            receipt: None,
            record: None,
            mails: Vec::new(),
        };
        let known = data.ann.get("/api/v1/rules").await.ok();
        for rules in known["rules"].as_array().expect("a list") {
            let name = rules["name"].as_str().expect("a name").to_owned();
            for _ in 0..running {
                data.begin(&name, false).await;
            }
            data.begin(&name, true).await;
            let waiting = data.create(&name, false).await;
            data.games.push(waiting);
            data.finish(&name).await;
        }
        data.gather().await;
        data
    }

    /// Makes clubs of both players, whose other members ask or are in it.
    async fn gather(&mut self) {
        for (owner, other, open) in [(&self.ann, &self.bob, false), (&self.bob, &self.ann, true)] {
            let body = json!({"name": format!("Open: {open}"), "open": open});
            let club = owner.post("/api/v1/clubs", &body).await.expect_status(201).json()["id"].clone();
            let path = format!("/api/v1/clubs/{}", club.as_str().expect("an id"));
            other.post(&format!("{path}/join"), &json!({})).await.expect_status(204);
            self.clubs.push(club);
        }
    }

    async fn create(&self, rules: &str, private: bool) -> String {
        let body = json!({"rules": rules, "private": private, "seats": 2});
        let game = self.bob.post("/api/v1/games", &body).await.expect_status(201).json();
        game["id"].as_str().expect("an id").to_owned()
    }

    async fn begin(&mut self, rules: &str, private: bool) -> String {
        let id = self.create(rules, private).await;
        let path = format!("/api/v1/games/{id}");
        let invitation = self.bob.get(&path).await.ok()["invitation"].clone();
        let body = if private { json!({"invitation": invitation}) } else { json!({}) };
        self.ann.post(&format!("{path}/join"), &body).await.expect_status(200);
        self.games.push(id.clone());
        id
    }

    async fn finish(&mut self, rules: &str) {
        let id = self.begin(rules, false).await;
        let path = format!("/api/v1/games/{id}");
        let left = self.bob.post(&format!("{path}/resign"), &json!({})).await.ok();
        self.receipt = left["receipts"][0].as_str().map(str::to_owned);
        let study = json!({"title": "The end", "listed": true});
        let study = self.ann.post(&format!("{path}/studies"), &study).await.expect_status(201).json();
        self.studies.push(study["id"].clone());
        self.record = Some(self.ann.get(&format!("{path}/record")).await.expect_status(200).text());
    }

    /// A data in which there is something to read of what only a sandbox has.
    async fn in_sandbox() -> Self {
        let mut data = Self::of(TestApp::sandbox().await, RUNNING_IN_SANDBOX).await;
        let hook = json!({"url": "https://receiver.invalid/", "kinds": ["event"]});
        let hook = data.ann.post("/api/v1/me/webhooks", &hook).await.expect_status(201).json();
        let hook = format!("/api/v1/me/webhooks/{}", hook["id"].as_str().expect("an id"));
        data.ann.post(&format!("{hook}/challenge"), &json!({})).await.ok();
        let mails = data.ann.get("/api/v1/sandbox/mails?limit=100").await.ok();
        data.mails =
            mails["mails"].as_array().expect("a list").iter().map(|mail| mail["id"].clone()).collect();
        data
    }

    fn describe(&self) -> Value {
        json!({
            "url": self.app.url,
            "handle": "ann",
            "password": PASSWORD,
            "token": self.ann.token,
            "metrics_token": METRICS_TOKEN,
            "inbound_secret": INBOUND_SECRET,
            "games": self.games,
            "clubs": self.clubs,
            "studies": self.studies,
            "receipt": self.receipt,
            "record": self.record,
            "sandbox": self.app.app.sandbox.is_some(),
            "mails": self.mails,
        })
    }
}

fn setting(name: &str, usual: &str) -> String {
    std::env::var(name).unwrap_or_else(|_| usual.to_owned())
}

#[tokio::test(flavor = "multi_thread")]
async fn a_fuzzer_finds_no_answer_that_contradicts_the_document() {
    let data = FuzzData::of(TestApp::start().await, RUNNING).await;
    let further = std::env::var("PIPPOST_FUZZ_ARGUMENTS").unwrap_or_default();
    find_nothing(&data, Part::Players, further.split_whitespace()).await;
    find_nothing(&data, Part::Community, std::iter::empty()).await;
    find_nothing(&data, Part::Operators, std::iter::empty()).await;
}

/// Elsewhere these operations say that the server is no sandbox.
#[tokio::test(flavor = "multi_thread")]
async fn a_fuzzer_finds_nothing_in_what_only_a_sandbox_answers() {
    let data = FuzzData::in_sandbox().await;
    find_nothing(&data, Part::Sandbox, std::iter::empty()).await;
}

async fn find_nothing(data: &FuzzData, part: Part, further: impl Iterator<Item = &str>) {
    let folder = tempfile::tempdir().expect("a folder");
    let described = folder.path().join("data.json");
    std::fs::write(&described, data.describe().to_string()).expect("a file");
    let mut fuzzer = python_program("schemathesis");
    fuzzer.current_dir(folder.path()).env("PIPPOST_FUZZ_WORLD", &described);
    fuzzer.env("SCHEMATHESIS_HOOKS", own_file("fuzz/hooks.py"));
    fuzzer.arg("--config-file").arg(own_file("fuzz/schemathesis.toml"));
    fuzzer.args(["run", "--no-color", "--seed", &setting("PIPPOST_FUZZ_SEED", SEED)]);
    fuzzer.args(["--max-examples", &setting("PIPPOST_FUZZ_EXAMPLES", EXAMPLES)]);
    fuzzer.args(["--request-timeout", ANSWER_TIMEOUT_SECONDS]);
    fuzzer.args(further);
    fuzzer.arg(format!("{}{}", data.app.url, part.path()));
    let report = tokio::task::spawn_blocking(move || run(&mut fuzzer)).await.expect("it ran");
    assert!(report.is_ok(), "{}", report.unwrap_err());
}

/// What the fuzzer wrote, if it found something.
fn run(fuzzer: &mut Command) -> Result<(), String> {
    let output = fuzzer.output().expect("the fuzzer");
    let text =
        String::from_utf8_lossy(&output.stdout).into_owned() + &String::from_utf8_lossy(&output.stderr);
    if let Some(report) = std::env::var_os("PIPPOST_FUZZ_REPORT") {
        std::fs::write(report, &text).expect("a file");
    }
    if output.status.success() { Ok(()) } else { Err(text) }
}
