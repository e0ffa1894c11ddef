//! The program as a process: killed, stopped, started twice.

use pippost::record::verify;
use serde_json::json;
use time::OffsetDateTime;
use time::format_description::well_known::Rfc3339;

use support::Client;
use support::process::Server;

/// Makes up to `moves` moves; returns the last acknowledged `seq`.
async fn play(game: &str, players: &[Client; 2], moves: u64) -> u64 {
    for _ in 0..moves {
        let view = players[0].get(game).await.ok();
        let Some(seat) = view["to_act"].as_u64() else { break };
        let player = &players[usize::try_from(seat).expect("a seat")];
        let legal = player.get(&format!("{game}/actions")).await.ok();
        let action = legal["actions"].as_array().expect("a list").last().expect("asked means able").clone();
        player.post(&format!("{game}/moves"), &json!({"actions": [action]})).await.expect_status(200);
    }
    players[0].get(game).await.ok()["seq"].as_u64().expect("a number")
}

#[tokio::test(flavor = "multi_thread")]
async fn a_server_that_is_killed_loses_nothing_that_was_answered() {
    let mut server = tokio::task::spawn_blocking(Server::start).await.expect("a server");
    let players = [server.register("ann").await, server.register("bob").await];
    let created = players[0].post("/api/v1/games", &json!({"rules": "pip-pip"})).await.json();
    let game = format!("/api/v1/games/{}", created["id"].as_str().expect("an id"));
    let view = players[1].post(&format!("{game}/join"), &json!({})).await.ok();
    // Seats are drawn: put the clients in seat order.
    let players = match view["my_seat"].as_u64() {
        Some(0) => [players[1].clone(), players[0].clone()],
        _ => players,
    };
    for round in 0..3 {
        let answered = play(&game, &players, 4).await;
        server = tokio::task::spawn_blocking(move || server.kill_and_start_again()).await.expect("a server");
        let players = players.clone().map(|player| player.at(&server.url()));
        let view = players[0].get(&game).await.ok();
        assert_eq!(view["seq"].as_u64(), Some(answered), "after kill {round}");
        // Questions, previews and refusals between two events change no draw, or the record would not verify in the end.
        for path in ["preview", "moves"] {
            let list = json!({"actions": [{"type": "fold"}, {"type": "roll"}]});
            players[0].post(&format!("{game}/{path}"), &list).await;
        }
        assert_eq!(play(&game, &players, 1).await, answered + 1);
    }
    let players = players.map(|player| player.at(&server.url()));
    play(&game, &players, 40).await;
    let record = players[0].get(&format!("{game}/record")).await;
    assert!(verify(&record.body).expect("a good record").proved);
    tokio::task::spawn_blocking(move || server.stop()).await.expect("a clean stop");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_new_game_waits_as_many_days_as_the_setting_says() {
    let start = || Server::start_with(&["--open-days", "3"]);
    let mut server = tokio::task::spawn_blocking(start).await.expect("a server");
    let created =
        server.register("ann").await.post("/api/v1/games", &json!({"rules": "pip-pip"})).await.json();
    let time = |member: &str| {
        let text = created[member].as_str().expect("a time");
        OffsetDateTime::parse(text, &Rfc3339).expect("a time")
    };
    assert_eq!(time("expires_at") - time("created_at"), time::Duration::days(3), "{created}");
    tokio::task::spawn_blocking(move || server.stop()).await.expect("a clean stop");
}

#[test]
fn a_second_server_on_the_same_folder_is_refused_and_a_worker_may_share_it() {
    let mut server = Server::start();
    let refused = server.command(&["serve", "--listen", "127.0.0.1:0"]).output().expect("an exit");
    assert!(!refused.status.success());
    let said = String::from_utf8_lossy(&refused.stderr);
    assert!(said.contains("another server already runs"), "{said}");
    let migrated = server.command(&["migrate"]).output().expect("an exit");
    assert_eq!(String::from_utf8_lossy(&migrated.stdout), "migrations run: 0\n");
    let mut worker = server.command(&["work"]).spawn().expect("a worker");
    nix::sys::signal::kill(
        nix::unistd::Pid::from_raw(i32::try_from(worker.id()).expect("a pid")),
        nix::sys::signal::Signal::SIGTERM,
    )
    .expect("a signal");
    // Stopped before or during its work: it ends by itself in either case.
    worker.wait().expect("an exit");
    server.stop();
}

#[tokio::test(flavor = "multi_thread")]
async fn a_worker_that_runs_alone_shows_metrics_of_its_own_and_nothing_else() {
    let mut server =
        tokio::task::spawn_blocking(|| Server::start_with(&["--no-worker"])).await.expect("a server");
    let folder = tempfile::tempdir().expect("a folder");
    let socket = folder.path().join("metrics.sock");
    let listener = format!("unix:{}", socket.display());
    let mut worker = server.command(&["work", "--metrics-listen", &listener]).spawn().expect("a worker");
    support::waiting::until("the socket", async || socket.exists()).await;
    let client = support::Client::by_socket(&socket).unchecked();
    let shown = client.get("/metrics").await;
    assert!(shown.expect_status(200).text().contains("pippost_mails_waiting{class=\"turn\"} 0"));
    client.get("/healthz").await.expect_status(404);
    let id = nix::unistd::Pid::from_raw(i32::try_from(worker.id()).expect("a pid"));
    nix::sys::signal::kill(id, nix::sys::signal::Signal::SIGTERM).expect("a signal");
    assert!(worker.wait().expect("an exit").success(), "it stops as before");
    tokio::task::spawn_blocking(move || server.stop()).await.expect("a clean stop");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_new_signing_key_signs_and_what_the_old_one_has_signed_stays_valid() {
    let mut server = tokio::task::spawn_blocking(Server::start).await.expect("a server");
    let players = [server.register("ann").await, server.register("bob").await];
    let created =
        players[0].post("/api/v1/games", &json!({"rules": "pip-pip", "seating": "joined"})).await.json();
    let game = format!("/api/v1/games/{}", created["id"].as_str().expect("an id"));
    players[1].post(&format!("{game}/join"), &json!({})).await.expect_status(200);
    let receipt = async || {
        let to_act = players[0].get(&game).await.ok()["to_act"].as_u64().expect("a seat");
        let player = &players[usize::try_from(to_act).expect("a seat")];
        let legal = player.get(&format!("{game}/actions")).await.ok();
        let moved =
            player.post(&format!("{game}/moves"), &json!({"actions": [legal["actions"][0]]})).await.ok();
        moved["receipts"][0].as_str().expect("a receipt").to_owned()
    };
    let kids = async || {
        let keys = players[0].get("/.well-known/jwks.json").await.ok();
        let kids =
            keys["keys"].as_array().expect("keys").iter().map(|key| key["kid"].as_str().map(str::to_owned));
        kids.collect::<Option<Vec<_>>>().expect("names")
    };
    let kid = |receipt: &str| jsonwebtoken::decode_header(receipt).expect("a JWS").kid;
    let (old, before) = (receipt().await, kids().await);
    assert_eq!(kid(&old).as_ref(), before.first());

    let done = server.command(&["admin", "rotate-keys"]).output().expect("an exit");
    assert!(done.status.success() && String::from_utf8_lossy(&done.stdout).contains("new signing key: "));
    support::waiting::until("the new key", async || kids().await.len() == 2).await;
    let (new, after) = (receipt().await, kids().await);
    assert_eq!(kid(&new).as_ref(), after.first());
    assert_ne!(kid(&new), kid(&old));
    assert_eq!(after.last(), before.first());
    let jwks = format!("{}/.well-known/jwks.json", server.url());
    for receipt in [&old, &new] {
        let checked = players[0].post("/api/v1/receipts", &json!({"receipt": receipt})).await.ok();
        assert_eq!(checked["verdict"], "kept", "{checked}");
        let checked =
            server.command(&["receipt", "check", receipt, "--jwks", &jwks]).output().expect("an exit");
        assert!(checked.status.success(), "{}", String::from_utf8_lossy(&checked.stdout));
    }
    tokio::task::spawn_blocking(move || server.stop()).await.expect("a clean stop");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_program_that_is_older_than_the_database_refuses_to_start_and_says_so() {
    use diesel_async::SimpleAsyncConnection;
    let database = support::cluster::new_database().await;
    let superuser = support::cluster::superuser_address(&database);
    let mut behind = pippost::store::database::open(&superuser).await.expect("a connection");
    let newer = "insert into __diesel_schema_migrations (version) values ('21000101000001')";
    behind.batch_execute(newer).await.expect("a migration of a newer program");
    let folder = tempfile::tempdir().expect("a folder");
    let url = support::cluster::url(&database);
    for arguments in [&["serve", "--listen", "127.0.0.1:0"][..], &["work"], &["migrate"], &["audit"]] {
        let mut command = support::process::command_in(&folder, arguments);
        let command = command.args(["--log", "warn", "--database-url", &url]);
        let refused = command.output().expect("an exit");
        assert!(!refused.status.success(), "{arguments:?}");
        let said = String::from_utf8_lossy(&refused.stderr);
        assert!(said.contains("tables of a newer pippost") && said.contains("21000101000001"), "{said}");
    }
}

#[test]
fn root_is_told_to_make_a_user_for_the_database_where_there_is_none() {
    if !nix::unistd::geteuid().is_root() {
        eprintln!("SKIPPED: only root starts PostgreSQL as another user");
        return;
    }
    let folder = tempfile::tempdir().expect("a folder");
    let names =
        [("no-such-user", "there is no user `no-such-user`"), ("nobody", "other programs run as that user")];
    for (name, expected) in names {
        let arguments = ["migrate", "--database-user", name];
        let refused = support::process::command_in(&folder, &arguments).output().expect("an exit");
        assert!(!refused.status.success());
        let said = String::from_utf8_lossy(&refused.stderr);
        assert!(said.contains(expected) && said.contains("useradd --system"), "{said}");
        assert!(!folder.path().join("data/pg").exists());
    }
}

#[test]
fn every_setting_is_listed_by_help_with_its_variable() {
    let help = std::process::Command::new(env!("CARGO_BIN_EXE_pippost")).args(["serve", "--help"]).output();
    let help = String::from_utf8(help.expect("an exit").stdout).expect("text");
    for variable in [
        "PIPPOST_LISTEN",
        "PIPPOST_METRICS_LISTEN",
        "PIPPOST_METRICS_TOKEN",
        "PIPPOST_CONNECTIONS",
        "PIPPOST_CONNECTIONS_OF_A_PEER",
        "PIPPOST_PUBLIC_URL",
        "PIPPOST_DATA_DIR",
        "DATABASE_URL",
        "DATABASE_CA",
        "PG_BINDIR",
        "PIPPOST_DATABASE_USER",
        "PIPPOST_KEYS_DIR",
        "PIPPOST_SECRET_KEY",
        "PIPPOST_SIGNING_KEYS",
        "PIPPOST_SMTP_URL",
        "PIPPOST_MAIL_FROM",
        "PIPPOST_REPLY_ADDRESS",
        "PIPPOST_INBOUND_SECRET",
        "PIPPOST_LMTP_LISTEN",
        "PIPPOST_LISTEN_URL",
        "PIPPOST_LOG",
        "PIPPOST_LOG_FORMAT",
        "PIPPOST_THREADS",
        "PIPPOST_DATABASE_CONNECTIONS",
        "PIPPOST_CACHE_MIB",
        "PIPPOST_WRITERS",
    ] {
        assert!(help.contains(variable), "{variable}\n{help}");
    }
}

/// Runs the program with this standard input; returns the exit code and the output.
fn run(arguments: &[&str], input: &str) -> (Option<i32>, String) {
    use std::io::Write;
    let mut child = std::process::Command::new(env!("CARGO_BIN_EXE_pippost"))
        .args(arguments)
        .stdin(std::process::Stdio::piped())
        .stdout(std::process::Stdio::piped())
        .spawn()
        .expect("the program");
    // A program that does not read its input may end before it is written.
    drop(child.stdin.take().expect("a pipe").write_all(input.as_bytes()));
    let done = child.wait_with_output().expect("an exit");
    (done.status.code(), String::from_utf8(done.stdout).expect("text"))
}

/// A valid record, a forged one and the name of a missing file, in a folder.
fn records() -> (tempfile::TempDir, [String; 3]) {
    let folder = tempfile::tempdir().expect("a folder");
    let good = include_str!("../vectors/pip-pip-1.ndjson");
    let path = |name: &str| folder.path().join(name).to_str().expect("a path").to_owned();
    let paths = [path("kept.ndjson"), path("forged.ndjson"), path("missing")];
    std::fs::write(&paths[0], good).expect("a file");
    std::fs::write(&paths[1], good.replacen("\"die\":4", "\"die\":5", 1)).expect("a file");
    (folder, paths)
}

#[test]
fn verify_says_ok_or_names_the_first_failing_event_and_its_exit_code_says_which() {
    let (_folder, [kept, forged, missing]) = records();
    let (code, said) = run(&["verify", &kept], "");
    assert_eq!(code, Some(0));
    assert!(said.contains("OK, pip-pip by"), "{said}");
    let (code, said) = run(&["verify", &kept, &forged, &missing], "");
    assert_eq!(code, Some(1), "refused");
    assert!(said.contains("FAILED, event ") && said.contains("(check 2 of 4, chain: "), "{said}");
    assert!(said.contains("missing: FAILED, cannot be read"), "{said}");
    let (code, _) = run(&["verify", &kept, &missing], "");
    assert_eq!(code, Some(2), "not readable");
    assert_eq!(run(&["verify", "--no-such-flag"], "").0, Some(2));
}

#[test]
fn verify_reads_standard_input_when_no_file_or_a_dash_is_named() {
    let good = include_str!("../vectors/serpent-running.ndjson");
    for arguments in [&["verify"][..], &["verify", "-"]] {
        let (code, said) = run(arguments, good);
        assert_eq!(code, Some(0), "{said}");
        assert!(said.starts_with("-: OK, serpent by") && said.contains("still running"), "{said}");
        let (code, said) = run(arguments, "");
        assert_eq!(code, Some(1), "{said}");
        assert!(said.starts_with("-: FAILED, header: the record is empty"), "{said}");
    }
}

#[test]
fn verify_prints_one_json_object_a_record() {
    let (_folder, [kept, forged, missing]) = records();
    let (code, said) = run(&["verify", "--json", &kept, &forged, &missing], "");
    assert_eq!(code, Some(1));
    let lines: Vec<serde_json::Value> =
        said.lines().map(|line| serde_json::from_str(line).expect("JSON")).collect();
    assert_eq!(lines.len(), 3);
    assert_eq!((&lines[0]["name"], &lines[0]["verdict"]), (&json!(kept), &json!("accepted")));
    assert_eq!((&lines[0]["events"], &lines[0]["proved"]), (&json!(21), &json!(true)));
    assert_eq!((&lines[1]["name"], &lines[1]["verdict"]), (&json!(forged), &json!("refused")));
    assert_eq!(lines[1]["failure"]["check"], 2);
    assert!(lines[1]["failure"]["event"].is_u64() && lines[1]["failure"]["why"].is_string(), "{said}");
    assert_eq!((&lines[2]["name"], &lines[2]["verdict"]), (&json!(missing), &json!("unreadable")));
}
