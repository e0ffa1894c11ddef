//! The mails of a sandbox, and answers to them.

use actix_web::{HttpResponse, get, post, web};
use uuid::Uuid;

use super::super::inbound::{ReceivedMail, outcome_of};
use super::bodies::{MailAnswerBody, SandboxMail, SandboxMails, SandboxMailsQuery, checked_page};
use super::{AnswerProblems, MaybeSandbox, SandboxProblems};
use pippost_api::access::Owner;
use pippost_http::json::Body;
use pippost_http::problem::Problem;

/// Lists the mails that the sandbox has written to you. None was sent.
///
/// Mails that are due are written first, so a mail that follows from your last request is among them. Each player's newest hundred are
/// kept. Mails to an address that had no account are listed to whoever has confirmed it.
#[utoipa::path(tag = "sandbox", security(("token" = [Owner::SCOPE])), params(SandboxMailsQuery), responses(
    (status = 200, description = "A page of mails, newest first.", body = SandboxMails),
    SandboxProblems,
))]
#[get("/sandbox/mails")]
pub async fn list_sandbox_mails(
    owner: Owner,
    sandbox: web::Data<MaybeSandbox>,
    query: web::Query<SandboxMailsQuery>,
) -> Result<web::Json<SandboxMails>, Problem> {
    let SandboxMailsQuery { cursor, limit } = query.into_inner();
    let limit = checked_page(limit)?;
    let mut mails = sandbox.required()?.mails(owner.player_id, cursor, limit + 1).await?;
    let more = mails.len() > usize::from(limit);
    mails.truncate(limit.into());
    let next_cursor = mails.last().map(|mail| mail.id).filter(|_| more);
    Ok(web::Json(SandboxMails { mails: mails.into_iter().map(SandboxMail::from).collect(), next_cursor }))
}

/// Shows one of these mails as it would have been sent, with its headers, HTML and pictures.
#[utoipa::path(tag = "sandbox", security(("token" = [Owner::SCOPE])), params(("id" = Uuid, Path)), responses(
    (status = 200, description = "The message (RFC 5322).", body = String, content_type = "message/rfc822"),
    SandboxProblems,
))]
#[get("/sandbox/mails/{id}/message")]
pub async fn show_sandbox_message(
    owner: Owner,
    sandbox: web::Data<MaybeSandbox>,
    id: web::Path<Uuid>,
) -> Result<HttpResponse, Problem> {
    let mail = sandbox.required()?.mail(owner.player_id, *id).await?;
    Ok(HttpResponse::Ok().content_type("message/rfc822").body(mail.raw))
}

/// Answers one of these mails, as with a mail program: the answer takes the way of every mail that comes in.
///
/// The server's own answer is among your mails when the answer to this request comes.
#[utoipa::path(tag = "sandbox", security(("token" = [Owner::SCOPE])), params(("id" = Uuid, Path)), request_body = MailAnswerBody, responses(
    (status = 200, description = "What the server did with it.", body = ReceivedMail),
    AnswerProblems,
))]
#[post("/sandbox/mails/{id}/answer")]
pub async fn answer_sandbox_mail(
    owner: Owner,
    sandbox: web::Data<MaybeSandbox>,
    id: web::Path<Uuid>,
    body: Body<MailAnswerBody>,
) -> Result<web::Json<ReceivedMail>, Problem> {
    let text = body.into_inner().checked()?;
    let outcome = sandbox.required()?.answer(owner.player_id, *id, &text).await?;
    Ok(web::Json(outcome_of(outcome)?))
}
