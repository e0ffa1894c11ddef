//! Reports of players about players, to the operator.

use actix_web::{HttpResponse, post, web};
use serde::Deserialize;
use utoipa::ToSchema;
use uuid::Uuid;

use super::access::Participant;
use super::declared::problems;
use super::routes::Routes;
use pippost_accounts::Handle;
use pippost_games::moderation::{self, MAX_REPORT_CHARS, Subject};
use pippost_games::{GameError, Games};
use pippost_http::json::{Body, whole};
use pippost_http::text::{checked, exact};
use pippost_http::{Code, Problem};
use pippost_store::moderation::ReportReason;

problems! {
    ReportProblems: NotFound, NotInGame, GameNotStarted, ReportRefused;
}

/// Registers the handler; its path is relative to `/api/v1`.
pub fn configure(service: &mut Routes<'_>) {
    service.service(report_player);
}

/// A report: of a `message` at the table of a `game`, of what `handle` did in a `game` until `seq`, or of the player alone.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct ReportBody {
    #[serde(default)]
    #[schema(pattern = "^[A-Za-z0-9][A-Za-z0-9_-]{0,30}[A-Za-z0-9]$")]
    handle: Option<String>,
    #[serde(default)]
    game: Option<Uuid>,
    #[serde(default)]
    message: Option<Uuid>,
    #[serde(default, deserialize_with = "whole")]
    #[schema(minimum = 0, maximum = 9_007_199_254_740_991_i64)]
    seq: Option<u64>,
    reason: ReportReason,
    #[serde(default)]
    #[schema(max_length = 500, pattern = "^[^\\u0000]*$")]
    text: Option<String>,
}

impl ReportBody {
    fn parse(self) -> Result<(Subject, ReportReason, String), Problem> {
        let text = self.text.unwrap_or_default();
        if text.chars().count() > MAX_REPORT_CHARS {
            let why = format!("text: at most {MAX_REPORT_CHARS} characters");
            return Err(Problem::new(Code::InvalidValue).detail(why).with("field", "text"));
        }
        let handle: Option<Handle> = self.handle.map(|handle| checked("handle", handle)).transpose()?;
        let seq = self.seq.map(|seq| exact("seq", seq)).transpose()?;
        let player = handle.map(|handle| handle.as_typed().to_owned());
        let subject = match (self.game, self.message, seq, player) {
            (Some(game_id), Some(message_id), ..) => Subject::Message { game_id, message_id },
            (Some(game_id), None, Some(seq), Some(player)) => Subject::Event { game_id, seq, player },
            (None, None, None, Some(player)) => Subject::Profile(player),
            _ => return Err(GameError::NotFound.into()),
        };
        Ok((subject, self.reason, text))
    }
}

/// Reports a player to the operator, at most ten times in 24 hours.
#[utoipa::path(tag = "accounts", security(("token" = [Participant::SCOPE])), request_body = ReportBody, responses(
    (status = 204, description = "It is reported."),
    ReportProblems,
))]
#[post("/me/reports")]
pub async fn report_player(
    participant: Participant,
    games: web::Data<Games>,
    body: Body<ReportBody>,
) -> Result<HttpResponse, Problem> {
    let (subject, reason, text) = body.into_inner().parse()?;
    moderation::report(&games, participant.player_id, &subject, reason, &text).await?;
    Ok(HttpResponse::NoContent().finish())
}
