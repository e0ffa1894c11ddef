//! The workflows of openapi/workflows.arazzo.yaml, taken by the linter and run by a foreign runner, which also holds each answer
//! against its schema.

use std::fs;
use std::path::Path;
use std::process::Command;
use std::time::{Duration, Instant};

use super::clients::ClientFolder;
use super::tools::{node_program, succeeds};
use support::Client;

const PASSWORD: &str = "a long password for workflows";

/// How long a mail may take to be written.
const MAIL_TIMEOUT: Duration = Duration::from_secs(30);

/// A command of the tool that lints and runs workflows.
fn redocly(client: &ClientFolder, command: &str) -> Command {
    let mut redocly = node_program("redocly");
    redocly.env("REDOCLY_TELEMETRY", "off").env("REDOCLY_SUPPRESS_UPDATE_NOTICE", "true");
    redocly.current_dir(client.folder.path()).args([command, "workflows.arazzo.yaml"]);
    redocly
}

/// Runs one workflow and returns what the runner says.
fn run(client: &ClientFolder, workflow: &str, inputs: &[(&str, &str)]) -> String {
    let mut respect = redocly(client, "respect");
    respect.args(["--workflow", workflow, "--server", &format!("pippost={}", client.server.url())]);
    for (name, value) in inputs {
        respect.args(["--input", &format!("{name}={value}")]);
    }
    let output = succeeds(&mut respect);
    [output.stdout, output.stderr].map(|said| String::from_utf8_lossy(&said).into_owned()).concat()
}

/// The token of the newest mail that asks `handle` to confirm the address.
fn confirmation_token(outbox: &Path, handle: &str) -> Option<String> {
    let mails = fs::read_dir(outbox).ok()?.flatten();
    let mails = mails.filter(|mail| mail.file_name().to_string_lossy().contains("confirm_email"));
    let mut texts = mails.filter_map(|mail| fs::read_to_string(mail.path()).ok());
    let text = texts.find(|text| text.contains(&format!("{handle}@example.org")))?;
    let text = text.replace("=\r\n", "").replace("=\n", "").replace("=3D", "=");
    let token = text.split("token=").nth(1)?;
    Some(token.chars().take_while(|c| c.is_ascii_alphanumeric() || "_-".contains(*c)).collect())
}

#[tokio::test(flavor = "multi_thread")]
async fn from_an_account_to_a_verified_record_as_the_workflows_say() {
    let client = ClientFolder::open().await;
    let file = Path::new(env!("CARGO_MANIFEST_DIR")).join("openapi/workflows.arazzo.yaml");
    fs::copy(file, client.path("workflows.arazzo.yaml")).expect("a copy");
    succeeds(&mut redocly(&client, "lint"));
    let outbox = client.server.data_dir().join("outbox");
    for handle in ["ann", "bob"] {
        let email = format!("{handle}@example.org");
        run(&client, "register", &[("handle", handle), ("email", &email), ("password", PASSWORD)]);
        let asked_at = Instant::now();
        let token = loop {
            if let Some(token) = confirmation_token(&outbox, handle) {
                break token;
            }
            assert!(asked_at.elapsed() < MAIL_TIMEOUT, "no mail for {handle}");
            tokio::task::yield_now().await;
        };
        run(&client, "confirm", &[("token", &token)]);
    }
    let said = run(&client, "play", &[("first", "ann"), ("second", "bob"), ("password", PASSWORD)]);
    assert!(said.contains("step verify") && !said.contains('✗'), "{said}");
    let stranger = Client::new(&client.server.url(), None);
    let finished = stranger.get("/api/v1/games?list=finished").await.expect_status(200).json();
    let games = finished["games"].as_array().expect("games");
    assert_eq!((games.len(), &games[0]["rules"]), (1, &"pippinzip".into()), "{finished}");
}
