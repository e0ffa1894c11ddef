//! The blocks of docs/API.md, put together to one program for each language, run against a server and print what they should.

use std::fs;
use std::process::Command;

use super::clients::ClientFolder;
use super::tools::{node_program, python_program, succeeds};

/// All blocks of `language`, in the order of the page, for the server at `url`.
fn program(language: &str, url: &str) -> String {
    let page = include_str!("../../docs/API.md");
    let beginning = format!("```{language}\n");
    let blocks = page.split(&beginning).skip(1);
    let blocks: Vec<&str> = blocks.map(|rest| rest.split("```").next().expect("a beginning")).collect();
    assert!(blocks.len() >= 4, "{} blocks of {language}", blocks.len());
    let program = blocks.join("\n\n");
    assert!(program.contains("http://127.0.0.1:8080"), "it names the server that ./run starts");
    program.replace("http://127.0.0.1:8080", url)
}

fn lines(command: &mut Command) -> Vec<String> {
    let printed = String::from_utf8(succeeds(command).stdout).expect("text");
    printed.lines().map(str::to_owned).collect()
}

#[tokio::test(flavor = "multi_thread")]
async fn the_python_of_the_page_passes_the_strict_checks_and_runs() {
    let client = ClientFolder::open().await;
    fs::write(client.path("client.py"), program("python", &client.server.url())).expect("a file");
    let python = python_program("python");
    let mut check = node_program("pyright");
    check.arg("--pythonpath").arg(python.get_program()).arg("client.py");
    succeeds(check.current_dir(client.folder.path()));
    let mut run = python_program("python");
    let printed = lines(run.arg(client.path("client.py")));
    assert_eq!(printed[..3], ["pip-pip finished play", "game_over", "['finished']"]);
    let events: usize = printed[3].strip_suffix(" events").expect("a number").parse().expect("a number");
    assert!(printed.len() == 4 && events > 10, "{printed:?}");
}

#[tokio::test(flavor = "multi_thread")]
async fn the_typescript_of_the_page_compiles_strictly_and_runs() {
    let client = ClientFolder::open().await;
    client.prepare_typescript("client.ts");
    fs::write(client.path("client.ts"), program("typescript", &client.server.url())).expect("a file");
    succeeds(node_program("tsc").current_dir(client.folder.path()));
    let printed = lines(Command::new("node").arg(client.path("client.js")));
    assert_eq!(printed, ["pip-pip finished play", "Pip•Pip finished", "open"]);
}
