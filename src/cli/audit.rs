//! `pippost audit`: checks the database against the events.

use std::process::ExitCode;

use clap::Args;
use uuid::Uuid;

use super::building::{NO_LINKS, build_app};
use super::logging;
use super::storage::{Running, Storage};
use crate::games::audit::{self, AuditSummary, Finding};
use crate::settings::{DatabaseSettings, KeySettings, LogSettings};

#[derive(Args)]
pub struct AuditArgs {
    /// Only these games, by id. [default: all games, and rows that belong to no game]
    games: Vec<Uuid>,
    /// Rewrite rows that follow from the events if they are wrong. Events are never changed.
    #[arg(long)]
    rebuild: bool,
    /// Print one JSON object a line: each finding, and finally the summary.
    #[arg(long)]
    json: bool,
    #[command(flatten)]
    database: DatabaseSettings,
    #[command(flatten)]
    keys: KeySettings,
    #[command(flatten)]
    log: LogSettings,
}

/// Runs the audit and prints its findings. Exit code 0 if nothing is wrong or all of it was rebuilt; 1 if something is wrong; 2
/// if the audit failed.
pub fn run(args: &AuditArgs) -> ExitCode {
    match audit_all(args) {
        Ok(summary) if summary.findings == summary.rebuilt => ExitCode::SUCCESS,
        Ok(_) => ExitCode::from(1),
        Err(error) => {
            eprintln!("pippost: {error:#}");
            ExitCode::from(2)
        }
    }
}

fn audit_all(args: &AuditArgs) -> anyhow::Result<AuditSummary> {
    logging::start(&args.log)?;
    let storage = Storage::open(&args.database, Running::Share)?;
    let summary = storage.run(async |storage: &Storage| audit(args, storage).await)?;
    if args.json {
        println!("{}", serde_json::json!({"summary": summary}));
    } else {
        let AuditSummary { games, events, findings, rebuilt } = summary;
        println!(
            "{games} games with {events} events audited: {findings} findings, {rebuilt} of them rebuilt."
        );
    }
    Ok(summary)
}

async fn audit(args: &AuditArgs, storage: &Storage) -> anyhow::Result<AuditSummary> {
    crate::app::migrate(&storage.address, false).await?;
    let app = build_app(storage, &args.database, &args.keys, None, NO_LINKS.to_owned()).await?;
    let mut print = |finding: &Finding| {
        if args.json {
            println!("{}", serde_json::json!(finding));
        } else {
            println!("{finding}");
        }
    };
    let mut summary = AuditSummary::default();
    if args.games.is_empty() {
        summary = audit::audit_all(&app.games, args.rebuild, &mut print).await?;
    }
    for game_id in &args.games {
        summary += audit::audit_one(&app.games, *game_id, args.rebuild, &mut print).await?;
    }
    app.database.close();
    Ok(summary)
}
