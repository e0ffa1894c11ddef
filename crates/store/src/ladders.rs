//! Ladders: a row for each, with its state as JSON, and one for each thing that has happened on it. Whoever changes a ladder holds the lock
//! of its row.

use diesel::prelude::*;
use diesel_async::{AsyncConnection, AsyncPgConnection, RunQueryDsl};
use time::OffsetDateTime;
use uuid::Uuid;

use super::database::Database;
use super::error::StoreError;
use super::notices::{self, NewNotice, NoticeKind};
use super::schema::{ladder_happenings, ladders, players};
use super::text_enum::text_enum;

text_enum! {
    "kind of what happens on a ladder",
    /// What happens on a ladder.
    pub enum HappeningKind {
        Joined = "joined",
        Challenged = "challenged",
        /// The challenged plays.
        Accepted = "accepted",
        Ended = "ended",
        /// The challenged has not answered in time.
        Expired = "expired",
        Left = "left",
    }
}

/// A row of `ladder_happenings`.
#[derive(Clone, Debug, PartialEq, Eq, Queryable, Selectable, Insertable)]
#[diesel(table_name = ladder_happenings)]
pub struct HappeningRow {
    pub rules: String,
    /// From 1.
    pub number: i32,
    pub at: OffsetDateTime,
    pub kind: HappeningKind,
    /// Who joined or left; of all else who has challenged.
    pub player_id: Uuid,
    /// Who was challenged.
    pub other_id: Option<Uuid>,
    /// The number of the happening that made the challenge.
    pub challenge: Option<i32>,
    pub game_id: Option<Uuid>,
    /// How a game ended, or why somebody left.
    pub how: Option<String>,
    /// The notice that tells the challenged; [`change`] writes it.
    pub notice_id: Option<Uuid>,
}

/// What a decision writes.
#[derive(Clone, Debug)]
pub struct LadderChange {
    /// The state after it, as JSON.
    pub state: String,
    pub happenings: Vec<HappeningRow>,
}

/// The states of all ladders, by rule set.
///
/// # Errors
/// The database failed.
pub async fn all(database: &Database) -> Result<Vec<(String, String)>, StoreError> {
    let all = ladders::table.order(ladders::rules).select((ladders::rules, ladders::state));
    Ok(all.load(&mut database.get().await?).await?)
}

/// The states of the ladders that a player is on, by rule set.
///
/// # Errors
/// The database failed.
pub async fn with_player(database: &Database, player_id: Uuid) -> Result<Vec<(String, String)>, StoreError> {
    let with = ladders::table.filter(ladders::state.like(format!("%{player_id}%")));
    let with = with.order(ladders::rules).select((ladders::rules, ladders::state));
    Ok(with.load(&mut database.get().await?).await?)
}

/// The state of a ladder; `None` if nothing has happened on it.
///
/// # Errors
/// The database failed.
pub async fn load(database: &Database, rules: &str) -> Result<Option<String>, StoreError> {
    let state = ladders::table.find(rules).select(ladders::state);
    Ok(state.first(&mut database.get().await?).await.optional()?)
}

/// Locks a ladder, calls `decide` with its state, which is empty before anything has happened, and writes its decision.
///
/// # Errors
/// The database failed; nothing was written.
pub async fn change<T: Send>(
    database: &Database,
    rules: &str,
    decide: impl FnOnce(&str) -> Result<(Option<LadderChange>, T), StoreError> + Send,
) -> Result<T, StoreError> {
    let mut connection = database.get_for_writing().await?;
    let changed = connection.transaction::<T, StoreError, _>(async |connection| {
        let new = (ladders::rules.eq(rules), ladders::state.eq(""));
        diesel::insert_into(ladders::table).values(new).on_conflict_do_nothing().execute(connection).await?;
        let row = ladders::table.find(rules).select(ladders::state).for_no_key_update();
        let state: String = row.first(connection).await?;
        let (change, answer) = decide(&state)?;
        if let Some(LadderChange { state, mut happenings }) = change {
            tell(connection, &mut happenings).await?;
            diesel::insert_into(ladder_happenings::table).values(happenings).execute(connection).await?;
            let row = diesel::update(ladders::table.find(rules));
            row.set(ladders::state.eq(state)).execute(connection).await?;
        }
        Ok(answer)
    });
    changed.await
}

/// Writes the notices of new challenges, also of somebody whom the challenged has blocked: who is on a ladder may be challenged, and
/// would lose the place unseen.
async fn tell(connection: &mut AsyncPgConnection, happenings: &mut [HappeningRow]) -> QueryResult<()> {
    for row in happenings.iter_mut().filter(|row| row.kind == HappeningKind::Challenged) {
        let Some(challenged) = row.other_id else { continue };
        let notice = NewNotice::of_wish(NoticeKind::Challenge, challenged, row.player_id, row.at);
        row.notice_id = Some(notice.id);
        notices::insert(connection, &[notice]).await?;
    }
    Ok(())
}

/// The challenge that a notice tells; `None` if it tells none.
///
/// # Errors
/// The database failed.
pub async fn told_by(database: &Database, notice_id: Uuid) -> Result<Option<HappeningRow>, StoreError> {
    let told = ladder_happenings::table
        .filter(ladder_happenings::notice_id.eq(notice_id))
        .select(HappeningRow::as_select());
    Ok(told.first(&mut database.get().await?).await.optional()?)
}

/// What has happened on a ladder, the newest first, at most `limit`.
///
/// # Errors
/// The database failed.
pub async fn happenings(
    database: &Database,
    rules: &str,
    limit: i64,
) -> Result<Vec<HappeningRow>, StoreError> {
    let newest = ladder_happenings::table
        .filter(ladder_happenings::rules.eq(rules))
        .order(ladder_happenings::number.desc())
        .limit(limit)
        .select(HappeningRow::as_select());
    Ok(newest.load(&mut database.get().await?).await?)
}

/// Which of these players have no account any more.
///
/// # Errors
/// The database failed.
pub async fn gone(database: &Database, player_ids: &[Uuid]) -> Result<Vec<Uuid>, StoreError> {
    let gone = players::table
        .filter(players::id.eq_any(player_ids))
        .filter(players::deleted_at.is_not_null().or(players::closed_at.is_not_null()))
        .select(players::id);
    Ok(gone.load(&mut database.get().await?).await?)
}
