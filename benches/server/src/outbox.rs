//! Measures claims and settlements of notices, without mails: beside a transaction that has been open while many were sent, and without.

use std::sync::Arc;
use std::time::Instant;

use anyhow::bail;
use time::OffsetDateTime;
use uuid::Uuid;

use super::report::{line, median};
use super::rounds::Setup;
use super::seeding::Seeder;
use pippost::notices::{NoticeClass, Outbox, Outcome};
use pippost::store::Database;

/// Notices that are claimed and settled in each measurement.
const MEASURED: i64 = 16_384;

/// Notices that were claimed and settled while the other transaction was open: an hour of 55 a second.
const SENT_BEFORE: i64 = 200_000;

/// The same in a smoke test.
const WHEN_QUICK: i64 = 512;

/// The pause in which marks move, twice: notices are not passed over that may still be committed.
const MARKS_MOVE_AFTER: std::time::Duration = std::time::Duration::from_millis(3_100);

/// Measures both.
///
/// # Errors
/// The database failed, or a notice was not claimed.
pub async fn run(setup: &mut Setup) -> anyhow::Result<()> {
    setup.seeder.clear_outbox().await?;
    let address = setup.database()?;
    let (measured, sent) = if setup.args.quick { (WHEN_QUICK, WHEN_QUICK) } else { (MEASURED, SENT_BEFORE) };
    let games = setup.games_in_play(64).await?;
    let database = Database::new(Arc::new(setup.database()?), 1)?.with_its_topology().await?;
    let is_citus = database.topology().is_citus();
    let outbox = Outbox::new(database);
    let (mut without, mut beside) = (Vec::new(), Vec::new());
    for _ in 0..setup.args.rounds {
        setup.seeder.settle().await?;
        without.push(rate(&setup.seeder, &outbox, &games, measured, is_citus).await?);
        let snapshot = Seeder::connect(&address).await?;
        snapshot.hold_snapshot().await?;
        setup.seeder.sent_notices(&games, sent).await?;
        beside.push(rate(&setup.seeder, &outbox, &games, measured, is_citus).await?);
    }
    println!(
        "\nNotices claimed and settled, no mail built or sent; {sent} were sent while the transaction was open\n"
    );
    let ratio = median(without.iter().zip(&beside).map(|(without, beside)| beside / without));
    let (without, beside) = (median(without.into_iter()), median(beside.into_iter()));
    println!("{:<40} {without:>10.0} /s", "without another transaction");
    println!("{:<40} {beside:>10.0} /s", "beside one that has been open");
    line("notices claimed and settled beside an open transaction / without", ratio, "at least 0.90");
    Ok(())
}

/// Notices claimed and settled in a second; on a cluster they are where moves write them, and taken from there first.
async fn rate(
    seeder: &Seeder,
    outbox: &Outbox,
    games: &[Uuid],
    count: i64,
    is_citus: bool,
) -> anyhow::Result<f64> {
    // What was sent before is passed over from the third look on.
    for _ in 0..3 {
        drain(outbox).await?;
        tokio::time::sleep(MARKS_MOVE_AFTER).await;
    }
    if is_citus {
        seeder.notices_of_moves(games, count).await?;
    } else {
        seeder.repeated_turn_notices(games, count).await?;
    }
    let begun = Instant::now();
    let claimed = drain(outbox).await?;
    if i64::try_from(claimed)? != count {
        bail!("{claimed} of {count} notices were claimed");
    }
    #[allow(clippy::cast_precision_loss)]
    Ok(claimed as f64 / begun.elapsed().as_secs_f64())
}

/// Claims and settles all that waits.
async fn drain(outbox: &Outbox) -> anyhow::Result<usize> {
    let mut count = 0;
    loop {
        let claimed = outbox.claim(&NoticeClass::ALL, OffsetDateTime::now_utc()).await?;
        if claimed.is_empty() {
            return Ok(count);
        }
        count += claimed.len();
        let outcomes = claimed.into_iter().map(|notice| (notice, Outcome::Sent)).collect();
        outbox.settle(outcomes, OffsetDateTime::now_utc()).await?;
    }
}
