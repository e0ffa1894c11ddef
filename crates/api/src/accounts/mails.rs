//! Lists the mails to a player.

use actix_web::{get, web};
use serde::{Deserialize, Serialize};
use utoipa::{IntoParams, ToSchema};
use uuid::Uuid;

use super::refusals::{Failed, InvalidValue, MissingScope, Unauthenticated};
use crate::access::Reader;
use pippost_accounts::Accounts;
use pippost_accounts::mails::{Fate, MailToMe};
use pippost_http::problem::Problem;
use pippost_record::record::Timestamp;
use pippost_store::NoticeKind;

/// Which mails to list.
#[derive(Debug, Deserialize, IntoParams)]
#[serde(deny_unknown_fields)]
#[into_params(parameter_in = Query)]
pub struct MailsQuery {
    /// `next_cursor` of the page before.
    pub cursor: Option<Uuid>,
    /// The most entries.
    #[serde(default = "default_page")]
    #[param(minimum = 1, maximum = 100, default = 20)]
    pub limit: u16,
}

fn default_page() -> u16 {
    20
}

/// A mail to you.
#[derive(Debug, Serialize, ToSchema)]
pub struct MailAnswer {
    pub id: Uuid,
    /// The kind of notice, such as `turn`.
    #[schema(value_type = String)]
    pub kind: NoticeKind,
    pub game_id: Option<Uuid>,
    /// `queued`, `retried` (delayed, and tried again), `sent` (accepted by the mail server), `bounced` (returned), `failed`
    /// (refused or given up) or `skipped` (deliberately not sent).
    #[schema(value_type = String, example = "sent")]
    pub fate: Fate,
    pub attempts: i16,
    #[schema(value_type = String, format = DateTime)]
    pub queued_at: Timestamp,
    /// The time of the next attempt; null if there is none.
    #[schema(value_type = Option<String>, format = DateTime)]
    pub next_attempt_at: Option<Timestamp>,
    #[schema(value_type = Option<String>, format = DateTime)]
    pub finished_at: Option<Timestamp>,
    #[schema(value_type = Option<String>, format = DateTime)]
    pub bounced_at: Option<Timestamp>,
    /// Why it was delayed, failed, was skipped or bounced.
    pub reason: Option<String>,
}

/// A page of mails.
#[derive(Debug, Serialize, ToSchema)]
pub struct MailsAnswer {
    /// Newest first.
    pub mails: Vec<MailAnswer>,
    /// The `cursor` of the next page; null on the last.
    pub next_cursor: Option<Uuid>,
}

impl From<MailToMe> for MailAnswer {
    fn from(mail: MailToMe) -> Self {
        Self {
            id: mail.id,
            kind: mail.kind,
            game_id: mail.game_id,
            fate: mail.fate,
            attempts: mail.attempts,
            queued_at: Timestamp::new(mail.queued_at),
            next_attempt_at: mail.next_attempt_at.map(Timestamp::new),
            finished_at: mail.finished_at.map(Timestamp::new),
            bounced_at: mail.bounced_at.map(Timestamp::new),
            reason: mail.reason,
        }
    }
}

/// Lists the mails to you and what happened to each.
#[utoipa::path(tag = "accounts", security(("token" = [Reader::SCOPE])), params(MailsQuery), responses(
    (status = 200, description = "A page of mails, newest first.", body = MailsAnswer),
    Unauthenticated, MissingScope, InvalidValue, Failed,
))]
#[get("/me/mails")]
pub async fn list_mails(
    accounts: web::Data<Accounts>,
    reader: Reader,
    query: web::Query<MailsQuery>,
) -> Result<web::Json<MailsAnswer>, Problem> {
    let MailsQuery { cursor, limit } = query.into_inner();
    let mails = accounts.mails(reader.player_id, cursor, limit).await?;
    let full = mails.len() == usize::from(limit);
    let next_cursor = mails.last().filter(|_| full).map(|mail| mail.id);
    Ok(web::Json(MailsAnswer { mails: mails.into_iter().map(MailAnswer::from).collect(), next_cursor }))
}
