//! Sends the statements that write moves.

use diesel_async::RunQueryDsl;
use uuid::Uuid;

use super::append::Append;
use super::columns::Values;
use super::guard::StateWrite;
use super::statement::{Grouped, GroupedWithCheckpoints, Single, Statement};
use crate::{Connection, StoreError};

/// Writes each of `appends` completely or not at all, on a plain database. Returns the games that were written.
///
/// # Errors
/// As of [`write_grouped`].
pub(super) async fn write_plain(
    connection: &Connection,
    right: &StateWrite,
    appends: &[&Append],
) -> Result<Vec<Uuid>, StoreError> {
    if let [alone] = appends
        && let Some(written) = write_single(connection, right, alone).await?
    {
        return Ok(written);
    }
    write_grouped(connection, right, appends).await
}

/// Writes `append` if it has the common form: one event, at most one notice, no checkpoint, and the game continues. `None`
/// otherwise. The same effect as [`write_grouped`]'s for one game, for a third of the work.
///
/// # Errors
/// The statement failed; nothing was written.
pub async fn write_single(
    connection: &Connection,
    right: &StateWrite,
    append: &Append,
) -> Result<Option<Vec<Uuid>>, StoreError> {
    right.expect([append.game_id])?;
    let ([_], [] | [_], None, None) =
        (append.lines.as_slice(), append.notices.as_slice(), append.finished_at, &append.checkpoint)
    else {
        return Ok(None);
    };
    let statement = Statement::<Single>::new(Values::new(append, &[], &[]));
    Ok(Some(statement.load(&mut &**connection).await?))
}

/// Writes each of `appends` completely or not at all: a game whose guard fails, or whose key was used, is left out and does not
/// affect the others. Returns the games that were written.
///
/// If two games use one key at once, one of them gets it.
///
/// # Errors
/// The statement failed, or two moves are of one game; nothing was written.
pub async fn write_grouped(
    connection: &Connection,
    right: &StateWrite,
    appends: &[&Append],
) -> Result<Vec<Uuid>, StoreError> {
    right.expect(appends.iter().map(|append| append.game_id))?;
    // Sorted, so that statements of several processes lock shared games in one order.
    let mut ordered = appends.to_vec();
    ordered.sort_unstable_by_key(|append| append.game_id);
    StateWrite::expect_distinct(ordered.iter().map(|append| append.game_id))?;
    let [first, ..] = ordered.as_slice() else { return Ok(Vec::new()) };
    let values = Values::new(first, &ordered, &ordered);
    if appends.iter().all(|append| append.checkpoint.is_none()) {
        return Ok(Statement::<Grouped>::new(values).load(&mut &**connection).await?);
    }
    // A separate statement, because few moves make a checkpoint and the others should not pay for it.
    Ok(Statement::<GroupedWithCheckpoints>::new(values).load(&mut &**connection).await?)
}
