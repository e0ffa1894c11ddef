//! Lists the mails to a player and what happened to each.

use time::OffsetDateTime;
use uuid::Uuid;

use super::{AccountError, Accounts};
use pippost_store::mails::{self, MailRow};
use pippost_store::{NoticeKind, NoticeState};

/// The most mails on a page.
pub const MAX_MAILS: u16 = 100;

/// What happened to a mail.
#[derive(Clone, Copy, Debug, PartialEq, Eq, serde::Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Fate {
    /// It waits for its first attempt.
    Queued,
    /// It could not be sent yet, and will be tried again.
    Retried,
    /// The mail server accepted it.
    Sent,
    /// It was accepted, and bounced later.
    Bounced,
    /// It was refused, or sending was given up.
    Failed,
    /// It was deliberately not sent, for example because it was outdated.
    Skipped,
}

/// A mail to a player.
#[derive(Clone, Debug)]
pub struct MailToMe {
    pub id: Uuid,
    pub kind: NoticeKind,
    pub game_id: Option<Uuid>,
    pub fate: Fate,
    pub attempts: i16,
    pub queued_at: OffsetDateTime,
    /// The time of the next attempt.
    pub next_attempt_at: Option<OffsetDateTime>,
    pub finished_at: Option<OffsetDateTime>,
    pub bounced_at: Option<OffsetDateTime>,
    /// Why it was delayed, refused, given up, skipped, or bounced. Never contains an address.
    pub reason: Option<String>,
}

impl From<MailRow> for MailToMe {
    fn from(row: MailRow) -> Self {
        let fate = match (row.state, row.bounced_at, row.reason.is_some()) {
            (_, Some(_), _) => Fate::Bounced,
            (NoticeState::Waiting, None, false) => Fate::Queued,
            (NoticeState::Waiting, None, true) => Fate::Retried,
            (NoticeState::Sent, None, _) => Fate::Sent,
            (NoticeState::Failed, None, _) => Fate::Failed,
            (NoticeState::Skipped, None, _) => Fate::Skipped,
        };
        let waits = matches!(fate, Fate::Queued | Fate::Retried);
        Self {
            id: row.id,
            kind: row.kind,
            game_id: row.game_id,
            fate,
            attempts: row.attempts,
            queued_at: row.created_at,
            next_attempt_at: waits.then_some(row.next_attempt_at),
            finished_at: row.finished_at,
            bounced_at: row.bounced_at,
            reason: row.bounce_code.map(|code| format!("came back: {code}")).or(row.reason),
        }
    }
}

impl Accounts {
    /// The newest mails to a player, at most `limit`; if `before` is given, those before that mail.
    ///
    /// # Errors
    /// `limit` is not 1 to [`MAX_MAILS`], or the database failed.
    pub async fn mails(
        &self,
        player_id: Uuid,
        before: Option<Uuid>,
        limit: u16,
    ) -> Result<Vec<MailToMe>, AccountError> {
        if !(1..=MAX_MAILS).contains(&limit) {
            return Err(AccountError::Invalid { field: "limit", why: format!("1 to {MAX_MAILS}") });
        }
        let rows = mails::newest(&self.0.database, player_id, before, limit.into()).await?;
        Ok(rows.into_iter().map(MailToMe::from).collect())
    }
}
