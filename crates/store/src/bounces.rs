//! Bounced mails, and addresses that reject mail.

use diesel::prelude::*;
use diesel_async::{AsyncConnection, AsyncPgConnection, RunQueryDsl};
use time::OffsetDateTime;
use uuid::Uuid;

use super::database::Database;
use super::error::StoreError;
use super::notices::NoticeState;
use super::schema::{notices, players};

/// Status codes (RFC 3463) that say that there is no such address, or none any more. No other counts against it: a policy, a full
/// mailbox or a system in trouble are no fault of the player's.
const ADDRESS_CODES: [&str; 8] = ["5.1.0", "5.1.1", "5.1.2", "5.1.3", "5.1.4", "5.1.6", "5.1.10", "5.2.1"];

/// Whether a code counts against the address, wherever it was said: in the SMTP conversation or in a report.
#[must_use]
pub fn is_of_address(code: &str) -> bool {
    ADDRESS_CODES.contains(&code)
}

/// A bounced mail.
pub struct Bounce<'a> {
    pub notice_id: Uuid,
    /// The status code (RFC 3463), as `5.1.1`.
    pub code: &'a str,
    pub now: OffsetDateTime,
    /// Older bounces do not count.
    pub count_since: OffsetDateTime,
    /// So many bounces that count against the address stop all mail to the address.
    pub hard_until_stopped: i64,
}

/// Records a bounce; if there are too many, marks the address as unconfirmed. False if there is no such mail, or its bounce was
/// recorded before.
pub async fn record(database: &Database, bounce: &Bounce<'_>) -> Result<bool, StoreError> {
    let mut connection = database.get_for_writing().await?;
    let recorded = connection.transaction::<bool, StoreError, _>(async |connection| {
        let first = notices::table.find(bounce.notice_id).filter(notices::bounced_at.is_null());
        let marked = diesel::update(first.filter(notices::state.ne(NoticeState::Skipped)))
            .set((notices::bounced_at.eq(bounce.now), notices::bounce_code.eq(bounce.code)))
            .returning((notices::player_id, notices::created_at));
        let marked = marked.get_result::<(Option<Uuid>, OffsetDateTime)>(connection).await.optional()?;
        let Some((player_id, sent_after)) = marked else { return Ok(false) };
        if let Some(player_id) = player_id.filter(|_| is_of_address(bounce.code)) {
            stop_mail(connection, bounce, player_id, sent_after).await?;
        }
        Ok(true)
    });
    recorded.await
}

/// Counts mails to the current address only; older ones may have gone to another.
async fn stop_mail(
    connection: &mut AsyncPgConnection,
    bounce: &Bounce<'_>,
    player_id: Uuid,
    sent_after: OffsetDateTime,
) -> QueryResult<()> {
    let confirmed = players::table
        .find(player_id)
        .for_update()
        .select(players::email_confirmed_at)
        .first::<Option<OffsetDateTime>>(connection)
        .await
        .optional()?;
    let Some(confirmed_at) = confirmed.flatten().filter(|confirmed| *confirmed <= sent_after) else {
        return Ok(());
    };
    let hard = notices::table
        .filter(notices::player_id.eq(player_id))
        .filter(notices::bounced_at.gt(bounce.count_since))
        .filter(notices::created_at.ge(confirmed_at))
        .filter(notices::bounce_code.eq_any(ADDRESS_CODES))
        .count()
        .get_result::<i64>(connection)
        .await?;
    if hard >= bounce.hard_until_stopped {
        let stopped = (
            players::email_confirmed_at.eq(None::<OffsetDateTime>),
            players::email_bounced_at.eq(bounce.now),
        );
        diesel::update(players::table.find(player_id)).set(stopped).execute(connection).await?;
    }
    Ok(())
}
