//! `pippost moderation`: what players report, and what an operator does about it.

use anyhow::bail;
use clap::{Args, Subcommand};
use time::{Duration, OffsetDateTime};
use uuid::Uuid;

use super::logging;
use super::mail::{at, printable, table};
use super::storage::{Running, Storage};
use crate::clock::Clock;
use crate::settings::{DatabaseSettings, LogSettings};
use crate::store::moderation::{self, Act, ActKind, Decision, Report, Verdict};
use crate::store::{Database, commit, players};

/// The most lines of a table.
const MAX_LINES: i64 = 200;

/// The longest words to a player, in characters.
const MAX_WORDS_CHARS: usize = 1000;

/// The longest mute that ends, in hours: a year.
const MAX_MUTE_HOURS: u32 = 366 * 24;

/// The connections to the database.
const CONNECTIONS: usize = 1;

#[derive(Args)]
pub struct ModerationArgs {
    #[command(subcommand)]
    task: Task,
    #[command(flatten)]
    database: DatabaseSettings,
    #[command(flatten)]
    log: LogSettings,
}

#[derive(Subcommand)]
enum Task {
    /// List the reports and the appeals that wait for a decision, oldest first.
    List,
    /// Show a report: who reports whom and why, the message as it stood, what was decided before, and an appeal.
    Show { report: Uuid },
    /// Warn the reported player, who sees it on the page of their games until they have read it.
    Warn {
        report: Uuid,
        #[command(flatten)]
        words: Words,
    },
    /// Let the reported player write nothing at tables, for some hours or for good. They play on.
    Mute {
        report: Uuid,
        #[arg(long, value_parser = clap::value_parser!(u32).range(1..=i64::from(MAX_MUTE_HOURS)), required_unless_present = "for_good")]
        hours: Option<u32>,
        #[arg(long, conflicts_with = "hours")]
        for_good: bool,
        #[command(flatten)]
        words: Words,
    },
    /// Close the reported player's account: it cannot log in or answer mails, its tokens end, and it leaves tournaments and open games. A
    /// worker resigns its running games a minute later, as those of deleted accounts. A mail says why, and its link appeals.
    Close {
        report: Uuid,
        #[command(flatten)]
        words: Words,
    },
    /// Remove the message or the study that the report names: nobody is shown it any more, in no page, answer or mail that is not sent yet.
    Remove {
        report: Uuid,
        #[command(flatten)]
        words: Words,
    },
    /// Remove the title that the reported player has given a game: the game that the report is about, or another one.
    RemoveTitle {
        report: Uuid,
        /// The id of the game, if the report is about none or about another.
        #[arg(long)]
        game: Option<Uuid>,
        #[command(flatten)]
        words: Words,
    },
    /// Do nothing about a report. The public log says so, without whom it was about.
    Dismiss { report: Uuid },
    /// Let an act stand that was appealed against.
    Uphold { act: Uuid },
    /// Lift an act, appealed against or not: a mute ends, a removed text or title is shown again, and a closed account is open again, without the
    /// games that it has left.
    Lift { act: Uuid },
}

#[derive(Args)]
struct Words {
    /// What the player reads: which rule was broken, and what to do otherwise.
    #[arg(long)]
    words: String,
}

/// Runs the chosen task.
pub fn run(args: &ModerationArgs) -> anyhow::Result<()> {
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
    match task {
        Task::List => list(database, now).await,
        Task::Show { report } => show(database, *report, now).await,
        Task::Warn { report, words } => {
            let decision = Decision { kind: ActKind::Warning, words: words.checked()?, ends_at: None };
            decide(database, *report, &decision, now).await
        }
        Task::Mute { report, hours, words, .. } => {
            let ends_at = hours.map(|hours| now + Duration::hours(hours.into()));
            let decision = Decision { kind: ActKind::Mute, words: words.checked()?, ends_at };
            decide(database, *report, &decision, now).await
        }
        Task::Close { report, words } => {
            let decision = Decision { kind: ActKind::Close, words: words.checked()?, ends_at: None };
            decide(database, *report, &decision, now).await
        }
        Task::Remove { report, words } => {
            let decision = Decision { kind: ActKind::Removal, words: words.checked()?, ends_at: None };
            decide(database, *report, &decision, now).await
        }
        Task::RemoveTitle { report, game, words } => {
            match commit::remove_title(database, *report, *game, words.checked()?, now).await? {
                Some(act) => Ok(format!("{} {act}\n", ActKind::Removal)),
                None => {
                    bail!("no report {report} waits for a decision whose player has given the game a title")
                }
            }
        }
        Task::Dismiss { report } => {
            let decision = Decision { kind: ActKind::Dismissal, words: "", ends_at: None };
            decide(database, *report, &decision, now).await
        }
        Task::Uphold { act } => judge(database, *act, Verdict::Upheld, now).await,
        Task::Lift { act } => judge(database, *act, Verdict::Lifted, now).await,
    }
}

impl Words {
    fn checked(&self) -> anyhow::Result<&str> {
        let words = self.words.trim();
        if words.is_empty() || words.chars().count() > MAX_WORDS_CHARS {
            bail!("--words: 1 to {MAX_WORDS_CHARS} characters");
        }
        Ok(words)
    }
}

async fn decide(
    database: &Database,
    report: Uuid,
    decision: &Decision<'_>,
    now: OffsetDateTime,
) -> anyhow::Result<String> {
    match moderation::decide(database, report, decision, now).await? {
        Some(act) => Ok(format!("{} {act}\n", decision.kind)),
        None if decision.kind == ActKind::Removal => {
            bail!("there is no report {report} that waits for a decision and names a text that is shown")
        }
        None => bail!("there is no report {report} that waits for a decision"),
    }
}

async fn judge(
    database: &Database,
    act: Uuid,
    verdict: Verdict,
    now: OffsetDateTime,
) -> anyhow::Result<String> {
    if !commit::judge(database, act, verdict, now).await? {
        bail!("there is no act {act} about a player that was not looked at again already");
    }
    Ok(format!("{act} {verdict}\n"))
}

/// The name of a player if there is one still.
async fn name_of(database: &Database, id: Option<Uuid>) -> anyhow::Result<String> {
    match id {
        Some(id) => name(database, id).await,
        None => Ok("a deleted account".to_owned()),
    }
}

/// The name of a player; the id if the account was deleted.
async fn name(database: &Database, id: Uuid) -> anyhow::Result<String> {
    let found = players::name(database, id).await?;
    Ok(found.map_or_else(|| id.to_string(), |(handle, _)| printable(&handle)))
}

async fn list(database: &Database, now: OffsetDateTime) -> anyhow::Result<String> {
    let reports = moderation::open_reports(database, MAX_LINES).await?;
    let appeals = moderation::open_appeals(database, MAX_LINES).await?;
    if reports.is_empty() && appeals.is_empty() {
        return Ok("nothing waits for a decision\n".to_owned());
    }
    let mut lines = Vec::new();
    for report in &reports {
        let (of, by) =
            (name(database, report.subject_id).await?, name_of(database, report.reporter_id).await?);
        let since = at(report.created_at, now);
        lines.push([report.id.to_string(), format!("report: {}", report.reason), of, by, since]);
    }
    for act in &appeals {
        let of = name_of(database, act.subject_id).await?;
        let report = act.report_id.unwrap_or(act.id).to_string();
        lines.push([report, format!("appeal: {}", act.kind), of.clone(), of, at(act.acted_at, now)]);
    }
    Ok(table(["report", "what", "about", "by", "since"], &[], lines))
}

async fn show(database: &Database, id: Uuid, now: OffsetDateTime) -> anyhow::Result<String> {
    let Some(report) = moderation::find_report(database, id).await? else { bail!("there is no report {id}") };
    let mut lines = vec![
        ("report", id.to_string()),
        ("by", name_of(database, report.reporter_id).await?),
        ("about", name(database, report.subject_id).await?),
    ];
    lines.extend(told(&report, now));
    for act in moderation::acts_of_report(database, id).await? {
        lines.push(("act", act.id.to_string()));
        lines.extend(decided(&act, now));
    }
    for act in moderation::acts_about(database, report.subject_id, MAX_LINES).await? {
        if act.report_id != Some(id) {
            lines.push(("before", format!("{} for {}, {}", act.kind, act.reason, at(act.acted_at, now))));
        }
    }
    let said = lines.iter().filter(|(_, value)| !value.is_empty());
    Ok(said.map(|(name, value)| format!("{name:<12}  {value}\n")).collect::<Vec<_>>().concat())
}

fn told(report: &Report, now: OffsetDateTime) -> [(&'static str, String); 6] {
    let seq = report.seq.map(|seq| format!(", event {seq}")).unwrap_or_default();
    [
        ("reason", report.reason.to_string()),
        ("says", printable(&report.text)),
        ("message", report.evidence.as_deref().map(printable).unwrap_or_default()),
        ("game", report.game_id.map(|game| format!("{game}{seq}")).unwrap_or_default()),
        ("written", at(report.created_at, now)),
        ("decided", report.decided_at.map(|decided| at(decided, now)).unwrap_or_default()),
    ]
}

fn decided(act: &Act, now: OffsetDateTime) -> [(&'static str, String); 6] {
    let ends = match (act.kind, act.ends_at) {
        (ActKind::Mute, None) => "never".to_owned(),
        (_, ends_at) => ends_at.map(|ends_at| at(ends_at, now)).unwrap_or_default(),
    };
    [
        ("kind", act.kind.to_string()),
        ("words", printable(&act.words)),
        ("ends", ends),
        ("read", act.read_at.map(|read| at(read, now)).unwrap_or_default()),
        ("appeal", act.appeal.as_deref().map(printable).unwrap_or_default()),
        ("verdict", act.verdict.map(|verdict| verdict.to_string()).unwrap_or_default()),
    ]
}
