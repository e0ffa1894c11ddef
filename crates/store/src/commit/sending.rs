//! Sends the statements that write moves.

use diesel_async::RunQueryDsl;
use futures_util::future::join_all;
use uuid::Uuid;

use super::append::Append;
use super::columns::Values;
use super::guard::StateWrite;
use super::statement::{Delegated, Grouped, GroupedWithCheckpoints, Single, Statement};
use crate::citus::LostNodes;
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

/// The constraint by which a player uses a key once in a game on a distributed database.
const KEYS: &str = "move_keys_pkey";

/// Writes each of `appends` completely or not at all on a distributed database, and says of each whether it was written, in order.
/// Each may fail by itself: a call is sent as a whole to the node of its game, and several are under way at once on one connection.
pub async fn write_delegated(
    nodes: &LostNodes,
    connection: &Connection,
    right: &StateWrite,
    appends: &[&Append],
) -> Vec<Result<bool, StoreError>> {
    let ids = || appends.iter().map(|append| append.game_id);
    let lost = match right.expect(ids()) {
        Ok(()) => nodes.games_among(connection, &ids().collect::<Vec<_>>()).await,
        Err(error) => Err(error.into()),
    };
    let lost = match lost {
        Ok(lost) => lost,
        // What waited behind the calls of others is settled, and decided again.
        Err(error) => return appends.iter().map(|_| Err(StoreError::InDoubt(error.to_string()))).collect(),
    };
    let write = async |append: &Append| {
        // It would wait for the node, and all others of the batch with it.
        if lost.contains(&append.game_id) {
            return Err(StoreError::LostNode);
        }
        let call = Statement::<Delegated>::new(Values::new(append, &[], &[append]));
        match call.get_result(&mut &**connection).await.map_err(StoreError::from) {
            Err(error) if error.violated_unique() == Some(KEYS) => Ok(false),
            Err(error) => {
                nodes.note(&error);
                Err(error)
            }
            Ok(written) => Ok(written),
        }
    };
    join_all(appends.iter().map(|append| write(append))).await
}
