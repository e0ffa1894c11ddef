//! A real answer through a real Postfix: by SMTP to Postfix, and by LMTP or a pipe to the server; and whole games, whose mails go
//! out through it as well. Needs root and Postfix's programs, so it is not part of a plain `cargo test`; `./test` runs it where
//! possible (see docs/TESTING.md).

mod games;
mod mailbox;
mod postfix;
mod program;

use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::process::Command;

use postfix::{Postfix, recipe, run};
use program::{Server, open_folder};

/// Mails that anybody can send under a forged name are not bounced to it.
fn nothing_goes_back_to_a_forged_sender(postfix: &Postfix, answer_to_nonsense: &str) {
    let (victim, nonsense) = ("victim@example.com", "play+nonsense@example.org");
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
