//! `pippost mail`: what waits to be sent, and what an operator can do about it.

use std::fmt::{self, Display};

use anyhow::bail;
use clap::{Args, Subcommand};
use time::macros::format_description;
use time::{Duration, OffsetDateTime};
use uuid::Uuid;

use super::logging;
use super::storage::{Running, Storage};
use crate::clock::Clock;
use crate::notices::Links;
use crate::settings::{DatabaseSettings, LogSettings};
use crate::store::mail_holds::{self, MailHolds};
use crate::store::notices::{self, NoticeClass, NoticeDetails, WaitingDomain, WaitingNotice, WaitsFor};
use crate::store::{Database, NoticeState};

/// The most lines of a table.
const MAX_LINES: i64 = 200;

/// The connections to the database.
const CONNECTIONS: usize = 1;

#[derive(Args)]
pub struct MailArgs {
    #[command(subcommand)]
    task: Task,
    #[command(flatten)]
    database: DatabaseSettings,
    #[command(flatten)]
    log: LogSettings,
}

#[derive(Subcommand)]
enum Task {
    /// Show how many mails wait, by class and receiving domain, and since when.
    Queue {
        /// List the mails themselves, oldest first.
        #[arg(long)]
        list: bool,
        /// Only those to this domain.
        #[arg(long, requires = "list")]
        domain: Option<String>,
    },
    /// Show one mail: its headers, times, attempts and last error. Its id is in the log and in its Message-ID.
    Show {
        id: Uuid,
        /// The public URL of the server, which is in the headers.
        #[arg(long, env = "PIPPOST_PUBLIC_URL", default_value = "http://127.0.0.1:8080")]
        public_url: String,
    },
    /// Send what was put off now: all of it, what goes to a domain, or one mail, also one that was given up.
    Retry {
        #[arg(conflicts_with = "domain")]
        id: Option<Uuid>,
        #[arg(long)]
        domain: Option<String>,
    },
    /// Send nothing for now, or nothing to a domain. What is held waits until it is released.
    Hold {
        #[arg(long)]
        domain: Option<String>,
    },
    /// Send what is held, all of it or what goes to a domain.
    Release {
        #[arg(long)]
        domain: Option<String>,
    },
}

/// Runs the chosen task.
pub fn run(args: &MailArgs) -> anyhow::Result<()> {
    logging::start(&args.log)?;
    let storage = Storage::open(&args.database, Running::Share)?;
    let now = Clock::System.now();
    let done = storage.run_with_database(CONNECTIONS, async |database: &Database| {
        carry_out(&args.task, database, now).await
    })?;
    print!("{done}");
    Ok(())
}

async fn carry_out(task: &Task, database: &Database, now: OffsetDateTime) -> anyhow::Result<String> {
    Ok(match task {
        Task::Queue { list: true, domain } => {
            list(&notices::listed(database, domain.as_deref(), MAX_LINES).await?, now)
        }
        Task::Queue { list: false, .. } => {
            let rows = notices::by_domain(database, MAX_LINES).await?;
            let (fault, holds) = (notices::server_fault(database).await?, mail_holds::all(database).await?);
            queue(&rows, fault.as_deref(), &holds, now)
        }
        Task::Show { id, public_url } => {
            let Some(found) = notices::details(database, *id).await? else { bail!("there is no mail {id}") };
            show(*id, &found, Links::new(public_url)?.host(), now)
        }
        Task::Retry { id: Some(id), .. } => {
            if !notices::release_one(database, *id, now).await? {
                bail!("mail {id} was neither put off nor given up, or there is none");
            }
            format!("mail {id} is due now\n")
        }
        Task::Retry { id: None, domain } => {
            let mut retried = 0;
            for waits_for in [WaitsFor::Retry, WaitsFor::Server] {
                retried +=
                    notices::release_to(database, waits_for, now, |to| is_to(to, domain.as_deref())).await?;
            }
            format!("{} due now\n", mails(retried))
        }
        Task::Hold { domain } => {
            mail_holds::add(database, domain.as_deref(), now).await?;
            format!("nothing is sent to {} until you release it\n", named(domain.as_deref()))
        }
        Task::Release { domain } => {
            mail_holds::remove(database, domain.as_deref()).await?;
            let operator = WaitsFor::Operator;
            let released =
                notices::release_to(database, operator, now, |to| is_to(to, domain.as_deref())).await?;
            format!("{} released\n", mails(released))
        }
    })
}

fn is_to(address: &str, domain: Option<&str>) -> bool {
    domain.is_none_or(|wanted| {
        address.rsplit_once('@').is_some_and(|(_, domain)| domain.eq_ignore_ascii_case(wanted))
    })
}

fn named(domain: Option<&str>) -> &str {
    domain.unwrap_or("all domains")
}

fn mails(count: usize) -> String {
    let word = if count == 1 { "mail is" } else { "mails are" };
    format!("{count} {word}")
}

fn queue(rows: &[WaitingDomain], fault: Option<&str>, holds: &MailHolds, now: OffsetDateTime) -> String {
    let sum = |count: fn(&WaitingDomain) -> i64| rows.iter().map(count).sum::<i64>();
    let (waiting, put_off, held) = (sum(|row| row.waiting), sum(|row| row.put_off), sum(|row| row.held));
    let mut text = match rows.iter().map(|row| row.oldest).min() {
        None => "no mail waits\n".to_owned(),
        Some(oldest) => {
            format!(
                "waiting: {waiting}, put off: {put_off}, held: {held}; the oldest for {}\n",
                Age(now - oldest)
            )
        }
    };
    if let Some(fault) = fault {
        text.extend(["down: ", fault, "\n"]);
    }
    for domain in holds.domains() {
        text.extend(["on hold: ", named(domain), "\n"]);
    }
    if rows.is_empty() {
        return text;
    }
    let lines = rows.iter().map(|row| {
        let counts = [row.waiting, row.put_off, row.held].map(|count| count.to_string());
        let [waiting, put_off, held] = counts;
        let domain = if row.domain.is_empty() { "(no address)" } else { row.domain.as_str() };
        [
            class_name(row.class).to_owned(),
            printable(domain),
            waiting,
            put_off,
            held,
            Age(now - row.oldest).to_string(),
        ]
    });
    text + "\n"
        + &table(["class", "domain", "waiting", "put off", "held", "oldest"], &[2, 3, 4], lines.collect())
}

fn class_name(class: i16) -> &'static str {
    let found = usize::try_from(class).ok().and_then(|class| NoticeClass::ALL.get(class));
    found.map_or("unknown", |class| class.as_str())
}

fn list(rows: &[WaitingNotice], now: OffsetDateTime) -> String {
    if rows.is_empty() {
        return "no mail waits\n".to_owned();
    }
    let lines = rows.iter().map(|row| {
        let age = Age(now - row.created_at).to_string();
        let why = row.reason.clone().unwrap_or_default();
        [row.id.to_string(), row.kind.to_string(), shortened(row.address.as_deref()), age, why]
    });
    table(["id", "kind", "to", "age", "put off because"], &[], lines.collect())
}

fn show(id: Uuid, mail: &NoticeDetails, host: &str, now: OffsetDateTime) -> String {
    let to = shortened(mail.address.as_deref());
    let to =
        mail.handle.as_ref().map_or_else(|| to.clone(), |handle| format!("{} <{to}>", printable(handle)));
    let mut lines = vec![
        ("mail", id.to_string()),
        ("Message-ID", format!("<{id}@{host}>")),
        (
            "In-Reply-To",
            mail.thread_root
                .filter(|root| *root != id)
                .map_or_else(String::new, |root| format!("<{root}@{host}>")),
        ),
        ("To", to),
        ("kind", format!("{}, class {}", mail.kind, mail.kind.class().as_str())),
        ("game", mail.game_id.map_or_else(String::new, |game| game.to_string())),
        ("state", state(mail)),
        ("written", at(mail.created_at, now)),
        ("attempts", mail.attempts.to_string()),
    ];
    if mail.state == NoticeState::Waiting && mail.waits_for != Some(WaitsFor::Operator) {
        lines.push(("next attempt", at(mail.next_attempt_at, now)));
    }
    lines.push(("finished", mail.finished_at.map_or_else(String::new, |finished| at(finished, now))));
    lines.push(("last error", mail.reason.clone().unwrap_or_default()));
    lines.push(("came back", mail.bounce_code.clone().unwrap_or_default()));
    let told = lines.iter().filter(|(_, value)| !value.is_empty());
    told.map(|(name, value)| format!("{name:<12}  {value}\n")).collect::<Vec<_>>().concat()
}

fn state(mail: &NoticeDetails) -> String {
    let text = match (mail.state, mail.waits_for) {
        (NoticeState::Sent, _) => "sent",
        (NoticeState::Failed, _) => "failed",
        (NoticeState::Skipped, _) => "not sent",
        (NoticeState::Waiting, Some(WaitsFor::Retry)) => "waits for its next attempt",
        (NoticeState::Waiting, Some(WaitsFor::Server)) => "waits for the mail server",
        (NoticeState::Waiting, Some(WaitsFor::Operator)) => "held",
        (NoticeState::Waiting, None) if mail.ready => "due",
        (NoticeState::Waiting, None) => "being sent, or waits for its time",
    };
    text.to_owned()
}

/// The beginning and the domain of an address: enough to recognise one that is known.
fn shortened(address: Option<&str>) -> String {
    let parts = address.and_then(|address| address.rsplit_once('@'));
    parts.map_or_else(String::new, |(name, domain)| {
        let first: String = name.chars().take(1).collect();
        printable(&format!("{first}…@{domain}"))
    })
}

/// What people have chosen, without what could steer a terminal.
pub(super) fn printable(text: &str) -> String {
    text.chars().flat_map(char::escape_debug).collect()
}

pub(super) fn at(time: OffsetDateTime, now: OffsetDateTime) -> String {
    let format = format_description!("[year]-[month]-[day] [hour]:[minute]:[second] UTC");
    let written = time.to_utc().format(&format).expect("a year of four digits");
    if time > now {
        format!("{written} (in {})", Age(time - now))
    } else {
        format!("{written} ({} ago)", Age(now - time))
    }
}

/// A time span in its two largest units.
struct Age(Duration);

impl Display for Age {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        let minutes = self.0.whole_minutes().max(0);
        let (days, hours, minutes) = (minutes / (24 * 60), minutes / 60 % 24, minutes % 60);
        match (days, hours) {
            (0, 0) if minutes == 0 => write!(out, "{} s", self.0.whole_seconds().max(0)),
            (0, 0) => write!(out, "{minutes} min"),
            (0, _) => write!(out, "{hours} h {minutes} min"),
            (_, _) => write!(out, "{days} d {hours} h"),
        }
    }
}

/// Lines of cells under their names; columns in `right` are aligned to the right, and the last one is not filled up.
pub(super) fn table<const N: usize>(names: [&str; N], right: &[usize], lines: Vec<[String; N]>) -> String {
    let lines: Vec<[String; N]> = std::iter::once(names.map(str::to_owned)).chain(lines).collect();
    let width = |column: usize| lines.iter().map(|line| line[column].chars().count()).max().unwrap_or(0);
    let widths: Vec<usize> = (0..N).map(width).collect();
    let written = lines.iter().map(|line| {
        let cells = line.iter().zip(&widths).enumerate().map(|(column, (cell, width))| {
            if right.contains(&column) { format!("{cell:>width$}") } else { format!("{cell:<width$}") }
        });
        let line = cells.collect::<Vec<_>>().join("  ");
        format!("{}\n", line.trim_end())
    });
    written.collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn addresses_are_shortened_and_cannot_steer_a_terminal() {
        assert_eq!(shortened(Some("alice@example.org")), "a…@example.org");
        assert_eq!(shortened(Some("älice@example.org")), "ä…@example.org");
        assert_eq!(shortened(Some("\u{1b}x@example.org")), "\\u{1b}…@example.org");
        assert_eq!(shortened(None), "");
    }

    #[test]
    fn ages_are_short() {
        for (seconds, text) in [
            (-5, "0 s"),
            (59, "59 s"),
            (60, "1 min"),
            (3_600, "1 h 0 min"),
            (8_100, "2 h 15 min"),
            (180_000, "2 d 2 h"),
        ] {
            assert_eq!(Age(Duration::seconds(seconds)).to_string(), text);
        }
    }

    #[test]
    fn numbers_stand_below_each_other() {
        let lines = vec![["a.example".to_owned(), "7".to_owned()], ["b".to_owned(), "123".to_owned()]];
        assert_eq!(
            table(["domain", "mails"], &[1], lines),
            "domain     mails\na.example      7\nb            123\n"
        );
    }
}
