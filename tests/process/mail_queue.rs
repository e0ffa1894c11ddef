//! What an operator sees of mails that wait, and does about them: `pippost mail`.

use std::net::TcpListener;

use serde_json::json;
use uuid::Uuid;

use support::Client;
use support::process::Server;
use support::smtp_sink::SmtpSink;
use support::waiting::until;

/// What a command of `pippost mail` prints, which must succeed.
fn mail(server: &Server, arguments: &[&str]) -> String {
    let output = server.command(&[&["mail"], arguments].concat()).output().expect("the program");
    assert!(output.status.success(), "{arguments:?}: {}", String::from_utf8_lossy(&output.stderr));
    String::from_utf8(output.stdout).expect("text")
}

#[tokio::test(flavor = "multi_thread")]
async fn an_operator_sees_what_waits_and_holds_releases_and_retries_it() {
    let listener = TcpListener::bind("127.0.0.1:0").expect("a free port");
    let address = listener.local_addr().expect("an address");
    drop(listener);
    let start = move || Server::start_with(&["--smtp-url", &format!("smtp://{address}")]);
    let mut server = tokio::task::spawn_blocking(start).await.expect("a server");
    assert_eq!(mail(&server, &["queue"]), "no mail waits\n");

    server.register("alice").await;
    let stranger = Client::new(&server.url(), None);
    until("the outage", async || stranger.get("/readyz").await.ok()["mail"]["status"] == json!("down")).await;
    let looked = server.command(&["doctor", "--log", "error"]).output().expect("the program");
    let said = String::from_utf8_lossy(&looked.stdout);
    assert!(
        said.contains("mail stops: the mail server cannot be used: the mail server cannot be reached"),
        "{said}"
    );
    let queue = mail(&server, &["queue"]);
    let lines: Vec<&str> = queue.lines().collect();
    assert!(lines[0].starts_with("waiting: 1, put off: 1, held: 0; the oldest for "), "{queue}");
    assert_eq!(lines[1], "down: the mail server cannot be reached");
    assert_eq!(lines[3], "class    domain       waiting  put off  held  oldest");
    assert!(lines[4].starts_with("account  example.org        1        1     0  "), "{queue}");
    let list = mail(&server, &["queue", "--list", "--domain", "Example.org"]);
    let line = list.lines().nth(1).expect("a mail");
    assert!(line.contains("confirm_email  a…@example.org") && !list.contains("alice@"), "{list}");
    let id = line.split_whitespace().next().expect("an id");
    let shown = mail(&server, &["show", id, "--public-url", "https://play.example.org"]);
    for part in [
        format!("Message-ID    <{id}@play.example.org>"),
        "To            alice <a…@example.org>".to_owned(),
        "state         waits for the mail server".to_owned(),
        "last error    the mail server cannot be reached".to_owned(),
    ] {
        assert!(shown.lines().any(|line| line == part), "{part}\n{shown}");
    }
    assert_eq!(mail(&server, &["retry", id]), format!("mail {id} is due now\n"));
    until("the next attempt", async || {
        mail(&server, &["show", id]).lines().any(|line| line == "state         waits for the mail server")
    })
    .await;

    let hold = mail(&server, &["hold", "--domain", "example.org"]);
    assert_eq!(hold, "nothing is sent to example.org until you release it\n");
    let sink = SmtpSink::start_again(address).await;
    mail(&server, &["retry"]);
    until("the hold", async || mail(&server, &["queue"]).contains("held: 1")).await;
    assert!(mail(&server, &["queue"]).contains("\non hold: example.org\n"));
    assert!(mail(&server, &["show", id]).contains("state         held\n"));
    assert!(sink.received().is_empty());
    assert_eq!(mail(&server, &["release", "--domain", "example.net"]), "0 mails are released\n");
    assert_eq!(mail(&server, &["release"]), "1 mail is released\n");
    sink.wait_for(1).await;
    until("the end", async || mail(&server, &["show", id]).contains("state         sent\n")).await;
    assert_eq!(stranger.get("/readyz").await.ok()["mail"]["status"], "ok");

    for unknown in [id, &Uuid::nil().to_string()] {
        let refused = server.command(&["mail", "retry", unknown]).output().expect("the program");
        assert!(!refused.status.success());
        let said = String::from_utf8_lossy(&refused.stderr);
        assert!(said.contains("was neither put off nor given up"), "{said}");
    }
    tokio::task::spawn_blocking(move || server.stop()).await.expect("a clean stop");
}
