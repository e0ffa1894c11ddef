//! `pippost setup` without anybody to ask: what it writes, what it says of a domain, and the mail that it sends. `dig` is a stand-in.

use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::path::Path;
use std::process::Output;

use support::process::command_in;
use support::smtp_sink::{SmtpSink, Treatment};
use tempfile::TempDir;

/// Answers for names that the folder has a file of, as `dig +short` does.
const DIG: &str = "#!/bin/sh\nwhile [ $# -gt 0 ]; do case $1 in -t) kind=$2 ;; -q) name=$2 ;; esac; shift; done\n\
                   cat \"${0%/*}/$kind-$name\" 2>/dev/null || true\n";

const WELL: [(&str, &str); 4] = [
    ("A-play.example.org", "192.0.2.7\n"),
    ("TXT-example.org", "\"google-site-verification=x\"\n\"v=spf1 mx\" \" -all\"\n"),
    ("TXT-mail._domainkey.example.org", "\"v=DKIM1; k=rsa; p=MIGf\" \"MA0\"\n"),
    ("TXT-_dmarc.example.org", "\"v=DMARC1; p=none\"\n"),
];

/// A folder with a stand-in for `dig` that knows these names.
fn folder(names: &[(&str, &str)]) -> TempDir {
    let folder = tempfile::tempdir().expect("a folder");
    let dig = folder.path().join("dig");
    fs::write(&dig, DIG).expect("writes");
    fs::set_permissions(&dig, fs::Permissions::from_mode(0o755)).expect("ours");
    for (name, text) in names {
        fs::write(folder.path().join(name), text).expect("writes");
    }
    folder
}

async fn set_up(folder: &TempDir, smtp_url: &str, further: &[&str]) -> Output {
    let arguments =
        ["setup", "--public-url", "https://play.example.org", "--mail-from", "Games <play@example.org>"];
    let arguments =
        [&arguments, ["--file", "setup.conf", "--dkim-selector", "mail"].as_slice(), further].concat();
    let mut command = command_in(folder, &arguments);
    command.env("PIPPOST_SMTP_URL", smtp_url);
    command.env("PATH", format!("{}:/usr/bin:/bin", folder.path().display()));
    tokio::task::spawn_blocking(move || command.output().expect("the program")).await.expect("no panic")
}

fn said(output: &Output) -> String {
    String::from_utf8_lossy(&[output.stdout.as_slice(), &output.stderr].concat()).into_owned()
}

const TO: [&str; 2] = ["--test-mail-to", "ann@example.org"];

#[tokio::test(flavor = "multi_thread")]
async fn a_server_whose_domain_is_in_order_is_set_up_and_sends_a_test_mail() {
    let sink = SmtpSink::start(|_| Treatment::Accept).await;
    let folder = folder(&WELL);
    let done = set_up(&folder, &sink.url(), &TO).await;
    assert_eq!(done.status.code(), Some(0), "{}", said(&done));
    for part in
        ["leads to 192.0.2.7", "SPF of example.org: v=spf1 mx -all", "holds a key", "v=DMARC1; p=none"]
    {
        assert!(said(&done).contains(part), "{part}: {}", said(&done));
    }
    let mails = sink.received();
    assert_eq!(mails.len(), 1);
    assert_eq!(
        (mails[0].from.as_str(), mails[0].to.as_slice()),
        ("play@example.org", &["ann@example.org".to_owned()][..])
    );
    let file = folder.path().join("setup.conf");
    assert_eq!(fs::metadata(&file).expect("a file").permissions().mode() & 0o777, 0o600);
    let text = fs::read_to_string(&file).expect("a file");
    assert!(text.contains("\nPIPPOST_PUBLIC_URL='https://play.example.org'\n"), "{text}");
    assert!(text.contains(&format!("\nPIPPOST_SMTP_URL='{}'\n", sink.url())), "{text}");
}

#[tokio::test(flavor = "multi_thread")]
async fn what_is_wrong_with_a_domain_or_a_mail_server_is_said_in_words() {
    let sink = SmtpSink::start(|_| Treatment::RefuseRecipient("550 5.7.1 not you")).await;
    let bare = folder(&[]);
    let done = set_up(&bare, &sink.url(), &TO).await;
    assert_eq!(done.status.code(), Some(1), "{}", said(&done));
    for part in [
        "WRONG: nobody finds play.example.org",
        "WRONG: example.org has no SPF record",
        "WRONG: mail._domainkey.example.org holds no DKIM key",
        "WRONG: example.org has no DMARC record",
        "WRONG: the test mail to ann@example.org was not sent",
    ] {
        assert!(said(&done).contains(part), "{part}: {}", said(&done));
    }
    let open = folder(&[
        ("TXT-example.org", "\"v=spf1 +all\"\n"),
        ("TXT-mail._domainkey.example.org", "\"v=DKIM1; p=\"\n"),
        ("TXT-_dmarc.example.org", "\"v=DMARC1; p=none\"\n\"v=DMARC1; p=reject\"\n"),
    ]);
    let done = said(&set_up(&open, &sink.url(), &TO).await);
    for part in ["lets everybody send", "holds no DKIM key", "several DMARC records"] {
        assert!(done.contains(part), "{part}: {done}");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn without_an_answer_or_with_a_wrong_one_nothing_is_written_and_no_password_shown() {
    let folder = folder(&WELL);
    let secret = "smtps://app:hunter2@mail.example.org";
    for (url, further, why) in [
        (secret, [].as_slice(), "--test-mail-to is missing, and nobody is there to ask"),
        ("gopher://app:hunter2@mail.example.org", &TO, "the SMTP server's URL cannot be used"),
        ("smtps://app:hunter2'; id@mail.example.org", &TO, ""),
    ] {
        let done = set_up(&folder, url, further).await;
        assert_eq!(done.status.code(), Some(2), "{}", said(&done));
        assert!(said(&done).contains(why) && !said(&done).contains("hunter2"), "{}", said(&done));
        assert!(!Path::new(&folder.path().join("setup.conf")).exists());
    }
}
