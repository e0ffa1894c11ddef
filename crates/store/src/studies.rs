//! Studies: lines that players have tried out from games that are over, with what they write to them.

use diesel::prelude::*;
use diesel::sql_types::{BigInt, Bool, Nullable, Text, Timestamptz, Uuid as SqlUuid};
use diesel_async::{AsyncConnection, RunQueryDsl};
use time::OffsetDateTime;
use uuid::Uuid;

use super::calendars;
use super::database::Database;
use super::error::StoreError;
use super::numbers::Seq;
use super::schema::studies;
use super::stored_responses::{self, NewStoredResponse, Once};

/// The most studies of one player.
pub const MAX_STUDIES: i64 = 100;

/// A study to write.
#[derive(Clone, Debug, Insertable)]
#[diesel(table_name = studies)]
pub struct NewStudy {
    pub id: Uuid,
    pub player_id: Uuid,
    pub game_id: Uuid,
    pub seq: Seq,
    pub rules: String,
    pub title: String,
    pub line: String,
    pub comments: String,
    pub listed: bool,
    pub created_at: OffsetDateTime,
}

/// What lists show of a study.
#[derive(Clone, Debug, PartialEq, Eq, QueryableByName)]
pub struct ListedStudy {
    #[diesel(sql_type = SqlUuid)]
    pub id: Uuid,
    /// The author's.
    #[diesel(sql_type = Text)]
    pub handle: String,
    #[diesel(sql_type = SqlUuid)]
    pub game_id: Uuid,
    /// The name of the rule set.
    #[diesel(sql_type = Text)]
    pub rules: String,
    #[diesel(sql_type = Text)]
    pub title: String,
    /// Whether lists show it to others.
    #[diesel(sql_type = Bool)]
    pub listed: bool,
    #[diesel(sql_type = Timestamptz)]
    pub created_at: OffsetDateTime,
    /// Whether an operator has removed it: then its author reads of that in the own list, and nobody anything else.
    #[diesel(sql_type = Bool)]
    pub removed: bool,
}

/// A stored study.
#[derive(Clone, Debug, PartialEq, Eq, QueryableByName)]
pub struct StudyRow {
    #[diesel(embed)]
    pub head: ListedStudy,
    #[diesel(sql_type = SqlUuid)]
    pub player_id: Uuid,
    /// The event after which the line begins.
    #[diesel(sql_type = BigInt)]
    pub seq: Seq,
    /// JSON.
    #[diesel(sql_type = Text)]
    pub line: String,
    /// JSON.
    #[diesel(sql_type = Text)]
    pub comments: String,
    /// False if an operator keeps the author out or has muted them: then only the author reads it.
    #[diesel(sql_type = Bool)]
    pub readable: bool,
}

/// Whether an operator lets others read at `$1` what the author `p` writes.
macro_rules! readable {
    () => {
        "p.closed_at is null and not exists (select from moderation_acts a where a.subject_id = p.id and a.kind = 'mute' \
         and a.verdict is distinct from 'lifted' and (a.ends_at is null or a.ends_at > $1))"
    };
}
pub(crate) use readable;

/// The listed studies that the reader `$2` may read at `$1`, among those of the condition; the newest `$4`.
macro_rules! listed {
    ($among:literal) => {
        concat!(
            "select s.id, p.handle, s.game_id, s.rules, s.title, s.listed, s.created_at, s.removed_by is not null as removed \
             from studies s join players p on p.id = s.player_id where s.listed and s.removed_by is null and ",
            $among,
            " and ",
            readable!(),
            " and not exists (select from muted_players m where m.player_id = $2 and m.muted_id = s.player_id) \
             order by s.id desc limit $4"
        )
    };
}

/// Those before the study `$3`.
pub const LISTED: &str = listed!("($3 is null or s.id < $3)");

/// Those of the game `$3`.
pub const OF_GAME: &str = listed!("s.game_id = $3");

const FIND: &str = concat!(
    "select s.id, p.handle, s.game_id, s.rules, s.title, s.listed, s.created_at, s.removed_by is not null as removed, s.player_id, s.seq, s.line, s.comments, ",
    readable!(),
    " as readable from studies s join players p on p.id = s.player_id where s.id = $2 and s.removed_by is null"
);

const OF_PLAYER: &str = "select s.id, p.handle, s.game_id, s.rules, s.title, s.listed, s.created_at, s.removed_by is not null as removed \
    from studies s join players p on p.id = s.player_id where s.player_id = $1 order by s.id desc limit $2";

/// Which listed studies are asked for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Among {
    /// All, or those before a study.
    Before(Option<Uuid>),
    Game(Uuid),
}

/// Writes a study, once for each key of its author; false if the author has [`MAX_STUDIES`].
///
/// # Errors
/// The database failed.
pub async fn add(
    database: &Database,
    new: &NewStudy,
    stored: Option<&NewStoredResponse>,
) -> Result<Once<bool>, StoreError> {
    let mut connection = database.get_for_writing().await?;
    let added = connection.transaction::<Once<bool>, StoreError, _>(async |connection| {
        calendars::lock_player(connection, database.topology(), new.player_id).await?;
        if let Some(before) = stored_responses::take(connection, stored, new.created_at).await? {
            return Ok(Once::Before(before));
        }
        let held = studies::table.filter(studies::player_id.eq(new.player_id)).count();
        if held.get_result::<i64>(connection).await? >= MAX_STUDIES {
            stored_responses::put_back(connection, stored).await?;
            return Ok(Once::Now(false));
        }
        diesel::insert_into(studies::table).values(new).execute(connection).await?;
        Ok(Once::Now(true))
    });
    added.await
}

/// A study that was not removed.
///
/// # Errors
/// The database failed.
pub async fn find(
    database: &Database,
    id: Uuid,
    now: OffsetDateTime,
) -> Result<Option<StudyRow>, StoreError> {
    let asked = diesel::sql_query(FIND).bind::<Timestamptz, _>(now).bind::<SqlUuid, _>(id);
    Ok(asked.get_result(&mut database.get().await?).await.optional()?)
}

/// The newest listed studies of authors whom neither an operator nor the reader has muted.
///
/// # Errors
/// The database failed.
pub async fn listed(
    database: &Database,
    among: Among,
    reader: Option<Uuid>,
    now: OffsetDateTime,
    limit: i64,
) -> Result<Vec<ListedStudy>, StoreError> {
    let (statement, key) = match among {
        Among::Before(id) => (LISTED, id),
        Among::Game(id) => (OF_GAME, Some(id)),
    };
    let asked = diesel::sql_query(statement)
        .bind::<Timestamptz, _>(now)
        .bind::<Nullable<SqlUuid>, _>(reader)
        .bind::<Nullable<SqlUuid>, _>(key)
        .bind::<BigInt, _>(limit);
    Ok(asked.load(&mut database.get().await?).await?)
}

/// All studies of a player, the newest first.
///
/// # Errors
/// The database failed.
pub async fn of_player(database: &Database, player_id: Uuid) -> Result<Vec<ListedStudy>, StoreError> {
    let asked = diesel::sql_query(OF_PLAYER).bind::<SqlUuid, _>(player_id).bind::<BigInt, _>(MAX_STUDIES);
    Ok(asked.load(&mut database.get().await?).await?)
}

/// Changes what is written to a study that was read as `before`; false if it is another one by now, or gone.
///
/// # Errors
/// The database failed.
pub async fn change(
    database: &Database,
    before: &StudyRow,
    title: &str,
    comments: &str,
    listed: bool,
) -> Result<bool, StoreError> {
    let same = studies::table
        .find(before.head.id)
        .filter(studies::comments.eq(&before.comments))
        .filter(studies::title.eq(&before.head.title));
    let written = diesel::update(same).set((
        studies::title.eq(title),
        studies::comments.eq(comments),
        studies::listed.eq(listed),
    ));
    Ok(written.execute(&mut database.get_for_writing().await?).await? > 0)
}

/// Deletes a study of a player; false if there is none.
///
/// # Errors
/// The database failed.
pub async fn delete(database: &Database, id: Uuid, player_id: Uuid) -> Result<bool, StoreError> {
    let own = studies::table.find(id).filter(studies::player_id.eq(player_id));
    Ok(diesel::delete(own).execute(&mut database.get_for_writing().await?).await? > 0)
}
