//! The audit: compares what is stored for each game with what follows from its events, and the events with each other and the
//! sealed master. It can repair derived rows, and never changes events.

mod archived;
mod checkpoints;
mod clocks;
mod derived;
mod finding;
mod history;
mod nightly;
mod orphans;

use std::panic::AssertUnwindSafe;

use futures_util::FutureExt;
use uuid::Uuid;

pub use finding::{AuditSummary, Finding, Subject};
pub use nightly::{newest_audit, nightly_audit};

use super::Games;
use super::error::GameError;
use pippost_archive::GameObject;
use pippost_record::record::Hash;
use pippost_store::audit::{self, GameSnapshot};
use pippost_store::commit;
use pippost_store::{Seq, StoreError};

/// Receives each finding as it is made, so that none has to be stored.
pub type Report<'a> = dyn FnMut(&Finding) + Send + 'a;

/// The result of auditing one game.
struct Audited {
    findings: Vec<Finding>,
    /// The correct derived rows, if the events are valid.
    rebuild: Option<commit::Rebuild>,
    truth: Option<history::Truth>,
}

impl Audited {
    fn without_truth(findings: finding::Findings) -> Self {
        Self { findings: findings.all(), rebuild: None, truth: None }
    }
}

/// Audits all games in turn, each at one point in time; the server may run meanwhile. With `repair`, wrong derived rows are
/// rewritten.
///
/// # Errors
/// The database failed. Problems of games are findings, not errors.
pub async fn audit_all(
    games: &Games,
    repair: bool,
    report: &mut Report<'_>,
) -> Result<AuditSummary, GameError> {
    let mut summary = AuditSummary::default();
    summary.add_all(orphans::audit_surroundings(games, repair).await?, report);
    let mut last = Uuid::nil();
    loop {
        let page = audit::game_ids(&games.database, last).await?;
        let Some(newest) = page.last() else { break };
        last = *newest;
        for game_id in page {
            audit_into(games, game_id, repair, &mut summary, report).await?;
        }
    }
    // Last, because a repair may have removed their cause.
    summary.add_all(orphans::audit_set_aside(games, None, repair).await?, report);
    Ok(summary)
}

/// Audits one game.
///
/// # Errors
/// As [`audit_all`]; no such game.
pub async fn audit_one(
    games: &Games,
    game_id: Uuid,
    repair: bool,
    report: &mut Report<'_>,
) -> Result<AuditSummary, GameError> {
    let mut summary = AuditSummary::default();
    audit_into(games, game_id, repair, &mut summary, report).await?;
    summary.add_all(orphans::audit_set_aside(games, Some(game_id), repair).await?, report);
    if summary.games == 0 { Err(GameError::NotFound) } else { Ok(summary) }
}

async fn audit_into(
    games: &Games,
    game_id: Uuid,
    repair: bool,
    summary: &mut AuditSummary,
    report: &mut Report<'_>,
) -> Result<(), GameError> {
    let mut snapshot = GameSnapshot::open(&games.database, game_id).await?;
    // A panic of the rules on a damaged game must not end the audit.
    let audited = AssertUnwindSafe(audit_game(games, &mut snapshot, summary)).catch_unwind().await;
    let Ok(audited) = audited else {
        drop(snapshot);
        summary.games += 1;
        let what = "the program stumbles over it";
        summary.add_all(vec![Finding::new(Some(game_id), Subject::Game, what)], report);
        return Ok(());
    };
    let audited = match audited {
        Err(GameError::Store(StoreError::Corrupt(what))) => {
            summary.games += 1;
            let what = format!("a row of it cannot be read: {what}");
            summary.add_all(vec![Finding::new(Some(game_id), Subject::Game, what)], report);
            return Ok(());
        }
        audited => audited?,
    };
    snapshot.close().await?;
    let Some(Audited { mut findings, rebuild: mended, truth }) = audited else { return Ok(()) };
    summary.games += 1;
    if let Some(truth) = truth.filter(|_| repair) {
        checkpoints::mend_checkpoints(games, &truth, &mut findings).await?;
    }
    let is_open = |finding: &Finding| finding.derived && !finding.rebuilt;
    if let Some(mended) = mended.filter(|_| repair && findings.iter().any(is_open)) {
        let written = commit::rebuild(&games.database, &mended).await?;
        for finding in findings.iter_mut().filter(|finding| is_open(finding)) {
            finding.rebuilt = written;
        }
        games.inner.outbox_signal.notify();
    }
    summary.add_all(findings, report);
    Ok(())
}

/// Audits a finished game as if its events and its clock log were those of `object`: the hash of its last event, or what is wrong.
///
/// # Errors
/// The database failed.
pub(crate) async fn audit_object(
    games: &Games,
    game_id: Uuid,
    object: GameObject,
) -> Result<Result<Hash, String>, GameError> {
    let mut snapshot = GameSnapshot::open(&games.database, game_id).await?;
    snapshot.read_from(object);
    let mut summary = AuditSummary::default();
    let audited = audit_game(games, &mut snapshot, &mut summary).await?;
    snapshot.close().await?;
    let Some(Audited { findings, truth, .. }) = audited else { return Err(GameError::NotFound) };
    // Notices and checkpoints stay in the database and can be repaired there.
    let bears = |finding: &&Finding| !matches!(finding.part, Subject::Outbox | Subject::Checkpoints);
    if let Some(finding) = findings.iter().find(bears) {
        return Ok(Err(finding.what.clone()));
    }
    let truth = truth.filter(|truth| truth.live.finished_at.is_some());
    Ok(truth.map(|truth| truth.live.chronicle.head()).ok_or_else(|| "it is not over".to_owned()))
}

/// The problems of the game, and its correct derived rows; `None` if it is gone.
async fn audit_game(
    games: &Games,
    snapshot: &mut GameSnapshot,
    summary: &mut AuditSummary,
) -> Result<Option<Audited>, GameError> {
    let Some(whole) = snapshot.whole().await? else { return Ok(None) };
    let mut findings = finding::Findings::of(whole.game.id);
    if !archived::open(games, snapshot, &mut findings).await? {
        return Ok(Some(Audited::without_truth(findings)));
    }
    let master = history::master(&whole, &games.inner.secret, &mut findings);
    if whole.game.header.is_none() && whole.state.is_none() && snapshot.lines(Seq::START).await?.is_empty() {
        history::check_waiting(&whole, &mut findings);
        return Ok(Some(Audited::without_truth(findings)));
    }
    let header = history::header(&whole, &mut findings);
    let truth = match (header, master) {
        (Some(header), Some(master)) => {
            history::check(snapshot, &whole, header, master, &mut findings).await?
        }
        _ => None,
    };
    let Some(truth) = truth else { return Ok(Some(Audited::without_truth(findings))) };
    summary.events += truth.live.seq().next().get();
    let taken = snapshot.seats_taken().await?;
    let mended =
        derived::check(snapshot, &whole, &truth, taken, games.inner.clock.now(), &mut findings).await?;
    Ok(Some(Audited { findings: findings.all(), rebuild: mended, truth: Some(truth) }))
}
