//! Reports of players about players, and what an operator did about them.

use diesel::dsl::{count_star, min};
use diesel::prelude::*;
use diesel_async::{AsyncConnection, AsyncPgConnection, RunQueryDsl};
use time::OffsetDateTime;
use uuid::Uuid;

use super::closed_accounts;
use super::database::Database;
use super::error::StoreError;
use super::notices::{self, NewNotice, NoticeKind};
use super::numbers::Seq;
use super::removed_texts;
use super::schema::{moderation_acts, reports};
use super::text_enum::text_enum;

text_enum! {
    "reason of a report",
    /// What a player is reported for.
    pub enum ReportReason {
        /// Help of a program or of others, or several accounts.
        Cheating = "cheating",
        Insult = "insult",
        Spam = "spam",
        /// Playing on without wanting to: stalling, losing on purpose.
        Stalling = "stalling",
        /// A name that offends, or that is somebody else's.
        Name = "name",
        Other = "other",
    }
}

text_enum! {
    "act of an operator",
    /// What an operator does about a report.
    pub enum ActKind {
        Warning = "warning",
        /// The player cannot write at tables, for a while or for good.
        Mute = "mute",
        /// The player cannot log in and plays no more.
        Close = "close",
        /// The message or the study that the report names is not shown any more.
        Removal = "removal",
        /// Nothing.
        Dismissal = "dismissal",
    }
}

text_enum! {
    "verdict on an appeal",
    /// What became of an act that the player appealed against.
    pub enum Verdict {
        Upheld = "upheld",
        /// It holds no more.
        Lifted = "lifted",
    }
}

/// A report to write.
#[derive(Clone, Debug, Insertable)]
#[diesel(table_name = reports)]
pub struct NewReport {
    pub id: Uuid,
    pub reporter_id: Uuid,
    pub subject_id: Uuid,
    pub game_id: Option<Uuid>,
    pub seq: Option<Seq>,
    pub rules: Option<String>,
    /// The reported message as it stood.
    pub evidence: Option<String>,
    pub reason: ReportReason,
    pub text: String,
    pub created_at: OffsetDateTime,
    pub message_id: Option<Uuid>,
    pub study_id: Option<Uuid>,
}

/// A stored report.
#[derive(Clone, Debug, Queryable)]
pub struct Report {
    pub id: Uuid,
    /// `None` if that account was deleted.
    pub reporter_id: Option<Uuid>,
    pub subject_id: Uuid,
    pub game_id: Option<Uuid>,
    pub seq: Option<Seq>,
    pub rules: Option<String>,
    pub evidence: Option<String>,
    pub reason: ReportReason,
    pub text: String,
    pub created_at: OffsetDateTime,
    pub decided_at: Option<OffsetDateTime>,
    pub message_id: Option<Uuid>,
    pub study_id: Option<Uuid>,
}

/// A stored act.
#[derive(Clone, Debug, Queryable)]
pub struct Act {
    pub id: Uuid,
    pub report_id: Option<Uuid>,
    /// Whom it is about; `None` if that account was deleted, and of a dismissal.
    pub subject_id: Option<Uuid>,
    pub kind: ActKind,
    pub reason: ReportReason,
    /// What the operator says to the player.
    pub words: String,
    pub game_id: Option<Uuid>,
    pub seq: Option<Seq>,
    pub rules: Option<String>,
    pub evidence: Option<String>,
    pub acted_at: OffsetDateTime,
    /// When a mute ends; `None`: never.
    pub ends_at: Option<OffsetDateTime>,
    pub read_at: Option<OffsetDateTime>,
    pub appeal: Option<String>,
    pub verdict: Option<Verdict>,
    pub decided_at: Option<OffsetDateTime>,
    /// Whether the evidence is the title of the game, which was removed.
    pub of_title: bool,
}

impl Act {
    /// The game whose title a verdict on this act gives back, and the title.
    pub(crate) fn removed_title(self, verdict: Verdict) -> Option<(Uuid, String)> {
        let is_back = self.of_title && verdict == Verdict::Lifted;
        self.game_id.zip(self.evidence).filter(|_| is_back)
    }
}

/// What a removal removes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Removal {
    /// The message or the study of the report, if the act is a removal at all.
    Text,
    /// The title of a game.
    Title,
}

/// What an operator decides about a report.
#[derive(Clone, Debug)]
pub struct Decision<'a> {
    pub kind: ActKind,
    pub words: &'a str,
    pub ends_at: Option<OffsetDateTime>,
}

/// Writes a report; false if the reporter has an open one of the same player.
///
/// # Errors
/// The database failed.
pub async fn report(database: &Database, new: &NewReport) -> Result<bool, StoreError> {
    let mut connection = database.get_for_writing().await?;
    let written = diesel::insert_into(reports::table).values(new).on_conflict_do_nothing();
    Ok(written.execute(&mut connection).await? > 0)
}

/// How many reports a player has written since a time, and when the first of them.
///
/// # Errors
/// The database failed.
pub async fn written_since(
    database: &Database,
    reporter_id: Uuid,
    since: OffsetDateTime,
) -> Result<(i64, Option<OffsetDateTime>), StoreError> {
    let written = reports::table
        .filter(reports::reporter_id.eq(reporter_id))
        .filter(reports::created_at.gt(since))
        .select((count_star(), min(reports::created_at)));
    Ok(written.first(&mut database.get().await?).await?)
}

/// The reports that nobody has decided, oldest first.
///
/// # Errors
/// The database failed.
pub async fn open_reports(database: &Database, limit: i64) -> Result<Vec<Report>, StoreError> {
    let open = reports::table
        .filter(reports::decided_at.is_null())
        .order((reports::created_at, reports::id))
        .limit(limit);
    Ok(open.load(&mut database.get().await?).await?)
}

/// A report.
///
/// # Errors
/// The database failed.
pub async fn find_report(database: &Database, id: Uuid) -> Result<Option<Report>, StoreError> {
    Ok(reports::table.find(id).first(&mut database.get().await?).await.optional()?)
}

/// The newest reports that a player has written.
///
/// # Errors
/// The database failed.
pub async fn reports_by(
    database: &Database,
    reporter_id: Uuid,
    limit: i64,
) -> Result<Vec<Report>, StoreError> {
    let written = reports::table
        .filter(reports::reporter_id.eq(reporter_id))
        .order((reports::created_at.desc(), reports::id))
        .limit(limit);
    Ok(written.load(&mut database.get().await?).await?)
}

/// Decides a report, which tells the player by mail unless it is dismissed; returns the act's id, `None` if there is no such open report,
/// or if its text is to be removed and it names none that is shown. Closing an account ends its sessions and tokens; a worker leaves its
/// games.
///
/// # Errors
/// The database failed.
pub async fn decide(
    database: &Database,
    report_id: Uuid,
    decision: &Decision<'_>,
    now: OffsetDateTime,
) -> Result<Option<Uuid>, StoreError> {
    let mut connection = database.get_for_writing().await?;
    let decided = connection.transaction::<Option<Uuid>, StoreError, _>(async |connection| {
        let Some(report) = lock_open(connection, report_id).await? else { return Ok(None) };
        let id = Uuid::now_v7();
        if decision.kind == ActKind::Removal && !removed_texts::remove(connection, &report, id).await? {
            return Ok(None);
        }
        write(connection, id, report, (decision, Removal::Text), now).await?;
        Ok(Some(id))
    });
    decided.await
}

/// A report that waits for a decision, locked until the transaction ends.
pub(crate) async fn lock_open(connection: &mut AsyncPgConnection, id: Uuid) -> QueryResult<Option<Report>> {
    let open = reports::table.find(id).filter(reports::decided_at.is_null()).for_update();
    open.get_result(connection).await.optional()
}

/// Writes the act `id` about a report, tells the player, and closes the account if it says so.
pub(crate) async fn write(
    connection: &mut AsyncPgConnection,
    id: Uuid,
    report: Report,
    (decision, removal): (&Decision<'_>, Removal),
    now: OffsetDateTime,
) -> Result<(), StoreError> {
    let subject_id = report.subject_id;
    let decided = diesel::update(reports::table.find(report.id)).set(reports::decided_at.eq(now));
    decided.execute(connection).await?;
    write_act(connection, id, report, (decision, removal), now).await?;
    if decision.kind != ActKind::Dismissal {
        // The notice has the id of the act, by which its mail finds what to tell.
        let notice = NewNotice::to_player(NoticeKind::Moderation, subject_id, now);
        notices::insert(connection, &[NewNotice { id, ..notice }]).await?;
    }
    if decision.kind == ActKind::Close {
        closed_accounts::close(connection, subject_id, now).await?;
    }
    Ok(())
}

async fn write_act(
    connection: &mut AsyncPgConnection,
    id: Uuid,
    report: Report,
    (decision, removal): (&Decision<'_>, Removal),
    now: OffsetDateTime,
) -> QueryResult<()> {
    let concerns = decision.kind != ActKind::Dismissal;
    let act = (
        moderation_acts::id.eq(id),
        moderation_acts::report_id.eq(report.id),
        moderation_acts::subject_id.eq(concerns.then_some(report.subject_id)),
        moderation_acts::kind.eq(decision.kind),
        moderation_acts::reason.eq(report.reason),
        moderation_acts::words.eq(decision.words),
        moderation_acts::game_id.eq(report.game_id),
        moderation_acts::seq.eq(report.seq),
        moderation_acts::rules.eq(report.rules),
        moderation_acts::evidence.eq(report.evidence.filter(|_| concerns)),
        moderation_acts::acted_at.eq(now),
        moderation_acts::ends_at.eq(decision.ends_at),
        moderation_acts::of_title.eq(removal == Removal::Title),
    );
    diesel::insert_into(moderation_acts::table).values(act).execute(connection).await?;
    Ok(())
}

/// An act.
///
/// # Errors
/// The database failed.
pub async fn find_act(database: &Database, id: Uuid) -> Result<Option<Act>, StoreError> {
    Ok(act_within(&mut *database.get().await?, id).await?)
}

/// The same within a transaction.
pub(crate) async fn act_within(connection: &mut AsyncPgConnection, id: Uuid) -> QueryResult<Option<Act>> {
    moderation_acts::table.find(id).first(connection).await.optional()
}

/// Acts, the newest first, those before the act `before` if it is given.
///
/// # Errors
/// The database failed.
pub async fn acts(database: &Database, before: Option<Uuid>, limit: i64) -> Result<Vec<Act>, StoreError> {
    let mut query = moderation_acts::table.order(moderation_acts::id.desc()).limit(limit).into_boxed();
    if let Some(before) = before {
        query = query.filter(moderation_acts::id.lt(before));
    }
    Ok(query.load(&mut database.get().await?).await?)
}

/// The newest acts about a player.
///
/// # Errors
/// The database failed.
pub async fn acts_about(database: &Database, player_id: Uuid, limit: i64) -> Result<Vec<Act>, StoreError> {
    let about = moderation_acts::table
        .filter(moderation_acts::subject_id.eq(player_id))
        .order((moderation_acts::acted_at.desc(), moderation_acts::id.desc()))
        .limit(limit);
    Ok(about.load(&mut database.get().await?).await?)
}

/// The acts that followed on a report.
///
/// # Errors
/// The database failed.
pub async fn acts_of_report(database: &Database, report_id: Uuid) -> Result<Vec<Act>, StoreError> {
    let of_report = moderation_acts::table.filter(moderation_acts::report_id.eq(report_id));
    Ok(of_report.load(&mut database.get().await?).await?)
}

/// The acts whose appeals nobody has decided, oldest first.
///
/// # Errors
/// The database failed.
pub async fn open_appeals(database: &Database, limit: i64) -> Result<Vec<Act>, StoreError> {
    let open = moderation_acts::table
        .filter(moderation_acts::appeal.is_not_null())
        .filter(moderation_acts::verdict.is_null())
        .order(moderation_acts::acted_at)
        .limit(limit);
    Ok(open.load(&mut database.get().await?).await?)
}

/// Whether a player has not read all acts about them.
///
/// # Errors
/// The database failed.
pub async fn has_unread(database: &Database, player_id: Uuid) -> Result<bool, StoreError> {
    let unread = moderation_acts::table
        .filter(moderation_acts::subject_id.eq(player_id))
        .filter(moderation_acts::read_at.is_null());
    Ok(diesel::select(diesel::dsl::exists(unread)).get_result(&mut database.get().await?).await?)
}

/// Remembers that a player has read the acts about them that were there at a time.
///
/// # Errors
/// The database failed.
pub async fn mark_read(database: &Database, player_id: Uuid, now: OffsetDateTime) -> Result<(), StoreError> {
    let unread = moderation_acts::table
        .filter(moderation_acts::subject_id.eq(player_id))
        .filter(moderation_acts::acted_at.le(now))
        .filter(moderation_acts::read_at.is_null());
    let read = diesel::update(unread).set(moderation_acts::read_at.eq(now));
    read.execute(&mut database.get_for_writing().await?).await?;
    Ok(())
}

/// Keeps a player's appeal against an act about them; false if there is no such act, or an appeal already.
///
/// # Errors
/// The database failed.
pub async fn appeal(
    database: &Database,
    act_id: Uuid,
    player_id: Uuid,
    text: &str,
) -> Result<bool, StoreError> {
    let own = moderation_acts::table
        .find(act_id)
        .filter(moderation_acts::subject_id.eq(player_id))
        .filter(moderation_acts::appeal.is_null())
        .filter(moderation_acts::verdict.is_null());
    let kept = diesel::update(own).set(moderation_acts::appeal.eq(text));
    Ok(kept.execute(&mut database.get_for_writing().await?).await? > 0)
}

/// Decides about an act that concerns a player, appealed against or not; false if there is none that is not decided. Whoever lifts it gives
/// a title back, too.
pub(crate) async fn judge(
    connection: &mut AsyncPgConnection,
    act_id: Uuid,
    verdict: Verdict,
    now: OffsetDateTime,
) -> Result<bool, StoreError> {
    let open = moderation_acts::table
        .find(act_id)
        .filter(moderation_acts::kind.ne(ActKind::Dismissal))
        .filter(moderation_acts::verdict.is_null());
    let said = (moderation_acts::verdict.eq(verdict), moderation_acts::decided_at.eq(now));
    let judged = diesel::update(open)
        .set((said, moderation_acts::read_at.eq(None::<OffsetDateTime>)))
        .returning((moderation_acts::kind, moderation_acts::subject_id, moderation_acts::game_id));
    let judged: Option<(ActKind, Option<Uuid>, Option<Uuid>)> =
        judged.get_result(connection).await.optional()?;
    let Some((kind, subject_id, game_id)) = judged else { return Ok(false) };
    if let (ActKind::Removal, Verdict::Lifted, Some(game_id)) = (kind, verdict, game_id) {
        removed_texts::show_again(connection, act_id, game_id).await?;
    }
    if let Some(player_id) = subject_id.filter(|_| kind == ActKind::Close)
        && !is_kept_out(connection, player_id).await?
    {
        closed_accounts::reopen(connection, player_id).await?;
    }
    Ok(true)
}

/// Whether an act that closes a player's account stands.
async fn is_kept_out(connection: &mut AsyncPgConnection, player_id: Uuid) -> QueryResult<bool> {
    let standing = moderation_acts::table
        .filter(moderation_acts::subject_id.eq(player_id))
        .filter(moderation_acts::kind.eq(ActKind::Close))
        .filter(moderation_acts::verdict.is_distinct_from(Verdict::Lifted));
    diesel::select(diesel::dsl::exists(standing)).get_result(connection).await
}

/// The mute under which a player is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Mute {
    /// `None`: for good.
    pub ends_at: Option<OffsetDateTime>,
}

/// The mute of a player that lasts longest.
///
/// # Errors
/// The database failed.
pub async fn mute_of(
    database: &Database,
    player_id: Uuid,
    now: OffsetDateTime,
) -> Result<Option<Mute>, StoreError> {
    let lasting = moderation_acts::ends_at.is_null().or(moderation_acts::ends_at.gt(now));
    let mutes = moderation_acts::table
        .filter(moderation_acts::subject_id.eq(player_id))
        .filter(moderation_acts::kind.eq(ActKind::Mute))
        .filter(moderation_acts::verdict.is_distinct_from(Verdict::Lifted))
        .filter(lasting)
        // Those without an end come first.
        .order(moderation_acts::ends_at.desc())
        .select(moderation_acts::ends_at);
    let found: Option<Option<OffsetDateTime>> = mutes.first(&mut database.get().await?).await.optional()?;
    Ok(found.map(|ends_at| Mute { ends_at }))
}
