//! Runs every command of the walk-throughs of README.md and docs/API.md on the real program and compares the output.

use std::fmt::Write as _;
use std::io::Write as _;
use std::path::Path;
use std::process::{Command, Stdio};

use support::process::Server;

/// A command of a walk-through and its output on the page.
struct Step {
    command: String,
    printed: Vec<String>,
}

/// The commands of all `console` blocks, in order.
fn walk(text: &str) -> Vec<Step> {
    let mut steps: Vec<Step> = Vec::new();
    for block in text.split("```console\n").skip(1) {
        for line in block.split("```").next().unwrap_or_default().lines() {
            match (line.strip_prefix("$ "), steps.last_mut()) {
                (Some(command), _) => steps.push(Step { command: command.to_owned(), printed: Vec::new() }),
                (None, Some(step)) => step.printed.push(line.to_owned()),
                (None, None) => panic!("the walk begins with output"),
            }
        }
    }
    steps
}

/// Separates the outputs of two commands.
const MARK: &str = "@@@ next @@@";

#[test]
fn the_walk_prints_what_the_readme_says() {
    let steps = walk(include_str!("../../README.md"));
    assert!(steps.len() > 25, "the README has a walk");
    take(&steps);
}

#[test]
fn the_first_client_prints_what_the_page_of_the_api_says() {
    let steps = walk(include_str!("../../docs/API.md"));
    assert!(steps.len() > 8, "the page has a first client");
    take(&steps);
}

/// Runs the commands in one shell beside a server of their own.
fn take(steps: &[Step]) {
    let mut server = Server::start_with(&["--house-bot", "house-bot"]);
    let mut script = String::new();
    for step in steps {
        let command = step.command.replace("127.0.0.1:8080", &server.address);
        let _ = writeln!(script, "{command}\necho '{MARK}'");
    }
    let program = Path::new(env!("CARGO_BIN_EXE_pippost")).parent().expect("a folder");
    let path = std::env::var("PATH").expect("a PATH");
    let mut bash = Command::new("bash")
        .current_dir(server.folder.path())
        .env("PATH", format!("{}:{path}", program.display()))
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("bash");
    bash.stdin.take().expect("a pipe").write_all(script.as_bytes()).expect("the script is taken");
    let done = bash.wait_with_output().expect("the script ends");
    let errors = String::from_utf8_lossy(&done.stderr);
    let output = String::from_utf8(done.stdout).expect("text");
    let printed: Vec<&str> = output.split(&format!("{MARK}\n")).collect();
    assert_eq!(printed.len(), steps.len() + 1, "{output}\n{errors}");
    for (step, printed) in steps.iter().zip(printed) {
        let printed: Vec<&str> = printed.lines().collect();
        assert_eq!(printed, step.printed, "$ {}\n{errors}", step.command);
    }
    assert_eq!(errors, "", "no command complains");
    server.stop();
}
