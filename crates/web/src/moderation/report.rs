//! The form that reports a player, or mutes them for the reader.

use actix_web::http::StatusCode;
use actix_web::{HttpResponse, get, post, web};
use minijinja::context;
use serde::Deserialize;
use uuid::Uuid;

use crate::form::{Posted, see_other};
use crate::game::path;
use crate::page::{message, page};
use crate::visitor::{SignedIn, Visitor};
use pippost_accounts::Accounts;
use pippost_games::moderation::{
    self, MAX_REPORT_CHARS, MAX_REPORTS_A_DAY, ReportRefused, Reported, Subject,
};
use pippost_games::{GameError, Games};
use pippost_http::Problem;
use pippost_language::{Arguments, Language};
use pippost_store::Seq;
use pippost_store::moderation::ReportReason;

/// What is reported: a profile, a message at a table, a study, a club, or what a player did in a game.
#[derive(Debug, Default, Deserialize)]
pub struct ReportForm {
    #[serde(default)]
    player: String,
    #[serde(default)]
    game: Option<Uuid>,
    #[serde(default)]
    message: Option<Uuid>,
    #[serde(default)]
    study: Option<Uuid>,
    #[serde(default)]
    club: Option<Uuid>,
    #[serde(default)]
    seq: Option<u64>,
    #[serde(default)]
    reason: String,
    #[serde(default)]
    text: String,
}

impl ReportForm {
    fn subject(&self) -> Result<Subject, GameError> {
        let player = self.player.clone();
        if let Some(study) = self.study {
            return Ok(Subject::Study(study));
        }
        if let Some(club) = self.club {
            return Ok(Subject::Club(club));
        }
        match (self.game, self.message, self.seq) {
            (Some(game_id), Some(message_id), _) => Ok(Subject::Message { game_id, message_id }),
            (Some(game_id), None, Some(seq)) => Ok(Subject::Event { game_id, seq, player }),
            (None, None, None) => Ok(Subject::Profile(player)),
            _ => Err(GameError::NotFound),
        }
    }
}

#[get("/report")]
pub async fn report_form(
    signed_in: SignedIn,
    games: web::Data<Games>,
    query: web::Query<ReportForm>,
) -> Result<HttpResponse, Problem> {
    let subject = query.subject()?;
    match moderation::reported(&games, signed_in.account.player_id, &subject).await {
        Ok(reported) => show(StatusCode::OK, signed_in.visitor, &query, &reported, None),
        Err(refused) => refuse(signed_in.visitor, refused),
    }
}

#[post("/report")]
pub async fn send_report(
    signed_in: SignedIn,
    games: web::Data<Games>,
    form: Posted<ReportForm>,
) -> Result<HttpResponse, Problem> {
    let form = form.into_inner();
    let (subject, reporter_id) = (form.subject()?, signed_in.account.player_id);
    let visitor = signed_in.visitor;
    let reason = ReportReason::ALL.iter().find(|reason| reason.as_str() == form.reason);
    let (status, key) = match reason {
        None => (StatusCode::UNPROCESSABLE_ENTITY, "report-no-reason"),
        Some(reason) => {
            let text = form.text.replace("\r\n", "\n");
            match moderation::report(&games, reporter_id, &subject, *reason, &text).await {
                Ok(_) => return message(StatusCode::OK, visitor, "report-done-title", "report-done-text"),
                Err(ReportRefused::Waits) => (StatusCode::CONFLICT, "report-waits"),
                Err(ReportRefused::TooMany { .. }) => (StatusCode::TOO_MANY_REQUESTS, "report-too-many"),
                Err(ReportRefused::TooLong) => (StatusCode::UNPROCESSABLE_ENTITY, "report-too-long"),
                Err(refused) => return refuse(visitor, refused),
            }
        }
    };
    let reported = match moderation::reported(&games, reporter_id, &subject).await {
        Ok(reported) => reported,
        Err(refused) => return refuse(visitor, refused),
    };
    let trouble = trouble(key, visitor.language);
    show(status, visitor, &form, &reported, Some(trouble))
}

fn trouble(key: &str, language: Language) -> String {
    let most = Arguments::default().number("most", MAX_REPORTS_A_DAY);
    language.say_with(key, &most)
}

/// The answer where there is nothing to report.
fn refuse(visitor: Visitor, refused: ReportRefused) -> Result<HttpResponse, Problem> {
    match refused {
        ReportRefused::Oneself => {
            message(StatusCode::CONFLICT, visitor, "report-own-title", "report-own-text")
        }
        other => Err(other.into()),
    }
}

fn show(
    status: StatusCode,
    visitor: Visitor,
    form: &ReportForm,
    reported: &Reported,
    trouble: Option<String>,
) -> Result<HttpResponse, Problem> {
    let values = context! {
        player => &reported.handle,
        evidence => reported.evidence.as_ref(),
        game => form.game.map(|id| id.to_string()),
        page_of_game => reported.game_id.map(path),
        study => form.study.map(|id| id.to_string()),
        club => form.club.map(|id| id.to_string()),
        message => form.message.map(|id| id.to_string()),
        seq => form.seq,
        event => reported.seq.map(Seq::get),
        reasons => ReportReason::ALL.iter().map(|reason| reason.as_str()).collect::<Vec<_>>(),
        reason => &form.reason,
        text => &form.text,
        longest => MAX_REPORT_CHARS,
        problem => trouble,
    };
    page(status, "report.html", visitor, values)
}

#[derive(Debug, Deserialize)]
pub struct MuteForm {
    #[serde(default)]
    player: String,
}

/// Shows the reader no more messages of a player.
#[post("/mute")]
pub async fn mute(
    signed_in: SignedIn,
    accounts: web::Data<Accounts>,
    form: Posted<MuteForm>,
) -> Result<HttpResponse, Problem> {
    accounts.mute_player(signed_in.account.player_id, &form.into_inner().player).await?;
    Ok(see_other("/preferences/notices?done=muted#mutes"))
}
