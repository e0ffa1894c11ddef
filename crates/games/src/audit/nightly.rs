//! The nightly audit: once a day, by one process at a time.

use std::time::Instant;

use time::UtcOffset;

use super::{AuditSummary, Finding};
use crate::Games;
use crate::error::GameError;
use pippost_store::audit::{self, AuditRight, AuditRow};

/// The most findings that one audit writes to the log; `pippost audit` shows all.
const MAX_LOGGED: u64 = 100;

/// Runs today's audit if it is `hour_utc` or later and no process has run it; returns the result if this call ran it. Repairs
/// nothing.
///
/// # Errors
/// The database failed; the audit is retried.
pub async fn nightly_audit(games: &Games, hour_utc: u8) -> Result<Option<AuditSummary>, GameError> {
    let now = games.inner.clock.now().to_offset(UtcOffset::UTC);
    let is_due = |newest: Option<AuditRow>| newest.is_none_or(|row| row.day < now.date());
    if now.hour() < hour_utc || !is_due(audit::newest(&games.database).await?) {
        return Ok(None);
    }
    let Some(right) = AuditRight::take(&games.database).await? else { return Ok(None) };
    // Another process may have run it before this one took the lock.
    if !is_due(audit::newest(&games.database).await?) {
        right.give_back().await?;
        return Ok(None);
    }
    let begun = Instant::now();
    let mut logged = 0;
    let mut log = |finding: &Finding| {
        logged += 1;
        if logged <= MAX_LOGGED {
            tracing::error!(game = ?finding.game, part = ?finding.part, what = finding.what, "the audit found damage");
        }
    };
    let summary = super::audit_all(games, false, &mut log).await?;
    let row = AuditRow {
        day: now.date(),
        finished_at: games.inner.clock.now(),
        seconds: begun.elapsed().as_secs_f64(),
        games: i64::try_from(summary.games).unwrap_or(i64::MAX),
        findings: i64::try_from(summary.findings).unwrap_or(i64::MAX),
    };
    audit::remember(&games.database, &row).await?;
    right.give_back().await?;
    tracing::info!(games = summary.games, findings = summary.findings, seconds = row.seconds, "audited");
    Ok(Some(summary))
}

/// The newest nightly audit of any process.
///
/// # Errors
/// The database failed.
pub async fn newest_audit(games: &Games) -> Result<Option<AuditRow>, GameError> {
    Ok(audit::newest(&games.database).await?)
}
