//! The alerts and the dashboard of docs/monitoring, by Prometheus' own tool: they can be read, fire in time, and name what a server says.

use std::collections::BTreeSet;
use std::fs;
use std::io::Write;
use std::process::{Command, Stdio};

use reqwest::Method;
use serde_json::{Value, json};

use super::{root, well};
use support::process::Server;
use support::skipped::skipped;
use support::smtp_sink::{SmtpSink, Treatment};
use support::waiting::until;
use support::{Client, INBOUND_SECRET, METRICS_TOKEN, REPLY_ADDRESS};

/// Runs promtool with this input; nothing where there is none.
fn promtool(arguments: &[&str], input: &str) -> Option<String> {
    let Some(program) = std::env::var_os("PROMTOOL") else {
        skipped("the alerts, by promtool", "PROMTOOL does not name it (.ci/install-promtool gets it)");
        return None;
    };
    let mut command = Command::new(program);
    command.args(arguments).current_dir(root().join("docs/monitoring"));
    command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
    let mut child = command.spawn().expect("promtool");
    child.stdin.take().expect("a pipe").write_all(input.as_bytes()).expect("it reads");
    Some(well(&child.wait_with_output().expect("promtool")))
}

fn read(name: &str) -> String {
    fs::read_to_string(root().join("docs/monitoring").join(name)).expect(name)
}

/// The queries of the dashboard's panels.
fn queries() -> Vec<String> {
    let dashboard: Value = serde_json::from_str(&read("dashboard.json")).expect("JSON");
    let panels = dashboard["panels"].as_array().expect("panels");
    let targets = panels.iter().flat_map(|panel| panel["targets"].as_array().expect("targets"));
    targets.map(|target| target["expr"].as_str().expect("a query").to_owned()).collect()
}

#[test]
fn every_alert_can_be_read_fires_in_time_and_is_silent_before_and_after() {
    let (rules, cases) = (read("rules.yml"), read("rules_test.yml"));
    let alerts: Vec<&str> = rules.split("- alert: ").skip(1).filter_map(|rest| rest.lines().next()).collect();
    for alert in &alerts {
        assert_eq!(cases.matches(&format!("- alertname: {alert}\n")).count(), 1, "{alert} fires");
        assert!(cases.matches(&format!("- {{alertname: {alert}, ")).count() >= 2, "{alert} is silent");
    }
    assert_eq!(cases.matches("- exp_labels:").count(), alerts.len(), "each is told once");
    let Some(said) = promtool(&["check", "rules", "rules.yml"], "") else { return };
    assert!(said.contains(&format!("{} rules found", alerts.len())), "{said}");
    promtool(&["test", "rules", "rules_test.yml"], "");
}

#[test]
fn prometheus_can_read_the_queries_of_the_dashboard() {
    let queries = queries();
    let rule =
        |(number, query): (usize, &String)| json!({"record": format!("panel:{number}"), "expr": query});
    let rules: Vec<Value> = queries.iter().enumerate().map(rule).collect();
    let folder = tempfile::tempdir().expect("a folder");
    let file = folder.path().join("panels.yml");
    // Every JSON document is one of YAML.
    fs::write(&file, json!({"groups": [{"name": "panels", "rules": rules}]}).to_string()).expect("writes");
    let Some(said) = promtool(&["check", "rules", file.to_str().expect("text")], "") else { return };
    assert!(said.contains(&format!("{} rules found", queries.len())), "{said}");
}

/// The names of series that texts have.
fn names(text: &str) -> BTreeSet<&str> {
    let is_part = |letter: char| letter.is_ascii_lowercase() || letter == '_';
    text.split(|letter| !is_part(letter)).filter(|word| word.starts_with("pippost_")).collect()
}

/// What a server without a worker and a worker say after a mail has left and come back.
async fn said_by_server_and_worker() -> [String; 2] {
    let sink = SmtpSink::start(|_| Treatment::Accept).await;
    let replies = ["--reply-address", REPLY_ADDRESS];
    let further = [["--no-worker", "--inbound-secret", INBOUND_SECRET].as_slice(), &replies].concat();
    let start = move || Server::start_with(&further);
    let mut server = tokio::task::spawn_blocking(start).await.expect("a server");
    let socket = server.folder.path().join("metrics.sock");
    let listener = format!("unix:{}", socket.display());
    let arguments = ["work", "--log", "warn", "--smtp-url", &sink.url(), "--metrics-listen", &listener];
    let mut worker = server.command(&[&arguments, replies.as_slice()].concat()).spawn().expect("a worker");
    server.register("ann").await;
    sink.wait_for(1).await;
    let back = sink.received()[0].from.replace('+', "%2B");
    let report = fs::read_to_string(root().join("tests/fixtures/mail/bounce-hard.eml")).expect("a fixture");
    let headers = [("Content-Type", "message/rfc822"), ("X-Inbound-Secret", INBOUND_SECRET)];
    let path = format!("/api/v1/inbound/mail?sender=&recipient={back}");
    let taken = Client::new(&server.url(), None).send(Method::POST, &path, Some(report), &headers).await;
    assert_eq!(taken.ok()["outcome"], "taken");
    let by_socket = Client::by_socket(&socket).unchecked();
    let mut of_worker = String::new();
    until("the worker's round", async || {
        of_worker = by_socket.get("/metrics").await.text();
        of_worker.contains("pippost_games_set_aside{")
            && of_worker.contains("pippost_mail_attempts_total{domain=\"example.org\",result=\"sent\"} 1")
    })
    .await;
    let operator = Client::new(&server.url(), Some(METRICS_TOKEN.to_owned()));
    let of_server = operator.get("/metrics").await.expect_status(200).text();
    worker.kill().expect("a running worker");
    worker.wait().expect("an exit");
    tokio::task::spawn_blocking(move || server.stop()).await.expect("a clean stop");
    [of_server, of_worker]
}

#[tokio::test(flavor = "multi_thread")]
async fn server_and_worker_say_what_alerts_and_panels_name_as_prometheus_wants_it() {
    let said = said_by_server_and_worker().await;
    for text in &said {
        let found = promtool(&["check", "metrics"], text);
        assert_eq!(found.unwrap_or_default(), "", "nothing to mend");
    }
    let samples = said.iter().flat_map(|text| text.lines()).filter(|line| !line.starts_with('#'));
    let samples = samples.collect::<Vec<_>>().join("\n");
    let (queries, rules) = (queries().join("\n"), read("rules.yml"));
    let wanted = &names(&queries) | &names(&rules);
    assert!(wanted.len() > 12, "{wanted:?}");
    let known = names(&samples);
    let missing: Vec<_> = wanted.difference(&known).collect();
    assert!(missing.is_empty(), "nobody says {missing:?}");
}
