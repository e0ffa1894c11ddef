//! `pippost setup`: asks what a new server needs, writes it down, and checks that mail can arrive.

mod dns;
mod trial_mail;

use std::fmt::Write as _;
use std::io::{BufRead, IsTerminal, Write};
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use anyhow::{Context, bail, ensure};
use clap::Args;
use lettre::message::Mailbox;
use url::Url;

use self::dns::Finding;
use crate::mail::Mailer;
use crate::settings::MailSettings;

/// Nobody but root reads the file: it may hold the password of the mail server.
const MODE: u32 = 0o600;

#[derive(Args)]
pub struct SetupArgs {
    /// How players reach the server, as in `https://play.example.org`.
    #[arg(long, env = "PIPPOST_PUBLIC_URL")]
    public_url: Option<String>,
    /// Sender of all mails, as in `pippost <pippost@example.org>`.
    #[arg(long, env = "PIPPOST_MAIL_FROM")]
    mail_from: Option<String>,
    /// The mail server that sends for you, as in `smtps://user:password@mail.example.org`.
    #[arg(long, env = "PIPPOST_SMTP_URL", hide_env_values = true)]
    smtp_url: Option<String>,
    /// The name of your mail server's DKIM key, as its documentation gives it.
    #[arg(long)]
    dkim_selector: Option<String>,
    /// Where the test mail goes.
    #[arg(long)]
    test_mail_to: Option<String>,
    /// The file that is written.
    #[arg(long, default_value = "/etc/pippost/setup.conf")]
    file: PathBuf,
}

/// What was asked.
struct Answers {
    public_url: Url,
    mail_from: Mailbox,
    smtp_url: String,
    test_mail_to: Mailbox,
}

/// Sets up. Exit code 0 if everything is well, 1 if something is to be mended, 2 if nothing was written.
pub fn run(args: &SetupArgs) -> ExitCode {
    match set_up(args) {
        Ok(true) => ExitCode::SUCCESS,
        Ok(false) => ExitCode::from(1),
        Err(error) => {
            eprintln!("pippost: {error:#}");
            ExitCode::from(2)
        }
    }
}

fn set_up(args: &SetupArgs) -> anyhow::Result<bool> {
    let answers = ask(args)?;
    let settings = MailSettings {
        smtp_url: Some(answers.smtp_url.clone()),
        mail_from: answers.mail_from.to_string(),
        smtp_connections: 1,
        smtp_ca: None,
        mails_per_minute_to_domain: None,
        mails_per_hour_to_address: None,
    };
    let mailer = Mailer::new(&settings, Path::new("."))?;
    write(&args.file, &answers)?;
    println!("written: {}", args.file.display());
    let domain = answers.mail_from.email.domain();
    let mut findings =
        dns::check(answers.public_url.host_str().unwrap_or_default(), domain, args.dkim_selector.as_deref());
    findings.push(trial_mail::send(&mailer, &answers.public_url, answers.test_mail_to)?);
    let mut is_well = true;
    for finding in findings {
        println!("{finding}");
        is_well &= !matches!(finding, Finding::Wrong(_));
    }
    Ok(is_well)
}

/// Takes the flags, and asks for what they leave open if somebody sits there.
fn ask(args: &SetupArgs) -> anyhow::Result<Answers> {
    let public_url =
        one("How do players reach the server? (https://…)", "--public-url", args.public_url.as_ref())?;
    let url = Url::parse(&public_url).context("the public address")?;
    let is_plain = url.path() == "/" && url.query().is_none();
    ensure!(
        matches!(url.scheme(), "https" | "http") && url.has_host() && is_plain,
        "the public address is like https://play.example.org, not {public_url}"
    );
    let mail_from = one("Who sends the mails? (name <address>)", "--mail-from", args.mail_from.as_ref())?;
    let smtp_url = one(
        "Which mail server sends them? (smtps://user:password@host)",
        "PIPPOST_SMTP_URL",
        args.smtp_url.as_ref(),
    )?;
    let test_mail_to = one("Where does a test mail go?", "--test-mail-to", args.test_mail_to.as_ref())?;
    Ok(Answers {
        public_url: url,
        mail_from: mail_from.parse().context("the sender is like pippost <pippost@example.org>")?,
        smtp_url,
        test_mail_to: test_mail_to.parse().context("where the test mail goes")?,
    })
}

fn one(question: &str, name: &str, given: Option<&String>) -> anyhow::Result<String> {
    if let Some(given) = given {
        return Ok(given.trim().to_owned());
    }
    if !std::io::stdin().is_terminal() {
        bail!("{name} is missing, and nobody is there to ask");
    }
    print!("{question} ");
    std::io::stdout().flush()?;
    let mut line = String::new();
    std::io::stdin().lock().read_line(&mut line)?;
    ensure!(!line.trim().is_empty(), "nothing was answered");
    Ok(line.trim().to_owned())
}

/// Writes the file, in the place of an older one.
fn write(file: &Path, answers: &Answers) -> anyhow::Result<()> {
    use std::os::unix::fs::OpenOptionsExt;
    let text = text(answers)?;
    let draft = file.with_extension("new");
    let _older = std::fs::remove_file(&draft);
    let new = std::fs::OpenOptions::new().write(true).create_new(true).mode(MODE).open(&draft);
    let mut new = new.with_context(|| draft.display().to_string())?;
    new.write_all(text.as_bytes())?;
    new.sync_all()?;
    std::fs::rename(&draft, file).with_context(|| file.display().to_string())
}

/// Variables as systemd and shells read them.
fn text(answers: &Answers) -> anyhow::Result<String> {
    let mut text =
        "# Written by `pippost setup`; all other settings are explained in pippost.conf.\n".to_owned();
    let public_url = answers.public_url.as_str().trim_end_matches('/').to_owned();
    // TLS is a proxy's, which is on this machine.
    let proxies = if answers.public_url.scheme() == "https" { "127.0.0.0/8,::1/128" } else { "" };
    for (name, value) in [
        ("PIPPOST_PUBLIC_URL", public_url),
        ("PIPPOST_TRUSTED_PROXIES", proxies.to_owned()),
        ("PIPPOST_MAIL_FROM", answers.mail_from.to_string()),
        ("PIPPOST_SMTP_URL", answers.smtp_url.clone()),
    ] {
        let is_plain = !value.contains(['\'', '\\']) && !value.chars().any(char::is_control);
        if value.is_empty() {
            continue;
        }
        ensure!(
            is_plain,
            "{name} has a quote, a backslash or a control character; write it as %XX, or leave it out"
        );
        writeln!(text, "{name}='{value}'")?;
    }
    Ok(text)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn answers(smtp_url: &str) -> Answers {
        Answers {
            public_url: Url::parse("https://play.example.org").expect("a URL"),
            mail_from: "Slow games <play@example.org>".parse().expect("an address"),
            smtp_url: smtp_url.to_owned(),
            test_mail_to: "ann@example.org".parse().expect("an address"),
        }
    }

    #[test]
    fn what_was_asked_is_written_so_that_shells_and_systemd_read_the_same() {
        let text = text(&answers("smtps://app:a$b`c@mail.example.org")).expect("plain");
        let lines: Vec<&str> = text.lines().skip(1).collect();
        assert_eq!(
            lines,
            [
                "PIPPOST_PUBLIC_URL='https://play.example.org'",
                "PIPPOST_TRUSTED_PROXIES='127.0.0.0/8,::1/128'",
                "PIPPOST_MAIL_FROM='Slow games <play@example.org>'",
                "PIPPOST_SMTP_URL='smtps://app:a$b`c@mail.example.org'",
            ]
        );
    }

    #[test]
    fn what_would_end_the_quotes_is_refused_and_not_shown() {
        for secret in ["smtps://a:it's@b", "smtps://a:x\ny@b", "smtps://a:x\\y@b"] {
            let said = text(&answers(secret)).expect_err("refused").to_string();
            assert!(said.contains("PIPPOST_SMTP_URL") && !said.contains(secret), "{said}");
        }
    }
}
