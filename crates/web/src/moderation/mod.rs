//! Moderation in the open: what an operator did, for everybody and for whom it is about, and how players report players.

mod by_link;
mod report;

use actix_web::http::StatusCode;
use actix_web::web::ServiceConfig;
use actix_web::{HttpResponse, get, post, web};
use minijinja::{Value, context};
use serde::Deserialize;
use uuid::Uuid;

use super::form::{Posted, see_other};
use super::game::path;
use super::page::page;
use super::visitor::{SignedIn, Visitor};
use pippost_games::Games;
use pippost_games::moderation::{self, MAX_ACTS, MAX_APPEAL_CHARS};
use pippost_http::Problem;
use pippost_language::words;
use pippost_record::rules;
use pippost_store::moderation::{Act, ActKind, Report, Verdict};

/// The page of what concerns the reader.
const MINE: &str = "/moderation/mine";

/// Registers the pages and their forms.
pub fn configure(service: &mut ServiceConfig) {
    service
        .service(log)
        .service(mine)
        .service(appeal)
        .service(by_link::show_act)
        .service(by_link::appeal)
        .service(by_link::export_data)
        .service(by_link::delete_account)
        .service(report::report_form)
        .service(report::send_report)
        .service(report::mute);
}

#[derive(Debug, Default, Deserialize)]
pub struct LogQuery {
    /// Where the next page begins.
    #[serde(default)]
    before: Option<Uuid>,
}

/// What an operator did, without names.
#[get("/moderation")]
pub async fn log(
    visitor: Visitor,
    games: web::Data<Games>,
    query: web::Query<LogQuery>,
) -> Result<HttpResponse, Problem> {
    let acts = moderation::log(&games, query.before).await?;
    let is_full = i64::try_from(acts.len()).is_ok_and(|count| count == MAX_ACTS);
    let next = acts.last().filter(|_| is_full).map(|act| act.id.to_string());
    let values = context! {
        acts => acts.iter().map(|act| told(act, &visitor)).collect::<Vec<_>>(),
        next,
        mine => visitor.registered().map(|_| MINE),
    };
    page(StatusCode::OK, "moderation.html", visitor, values)
}

/// What everybody may know of an act.
fn told(act: &Act, visitor: &Visitor) -> Value {
    let day = |at| words::date(visitor.zone.day(at), visitor.language);
    let title = |name: &String| {
        rules::find(name, None).map_or_else(|| name.clone(), |rules| rules.title().to_owned())
    };
    context! {
        day => day(act.acted_at),
        kind => act.kind.as_str(),
        reason => act.reason.as_str(),
        rules => act.rules.as_ref().map(title),
        ends => act.ends_at.map(day),
        is_mute => act.kind == ActKind::Mute,
        verdict => act.verdict.map(Verdict::as_str),
        appealed => act.appeal.is_some(),
    }
}

/// What whom it concerns may know of an act.
fn concerning(act: &Act, visitor: &Visitor) -> Value {
    context! {
        id => act.id.to_string(),
        words => &act.words,
        evidence => act.evidence.as_ref(),
        game => act.game_id.map(path),
        seq => act.seq.map(pippost_store::Seq::get),
        appeal => act.appeal.as_ref(),
        may_appeal => act.appeal.is_none() && act.verdict.is_none(),
        ..told(act, visitor)
    }
}

/// The acts about the reader, with what they rest on, and the reader's own reports.
#[get("/moderation/mine")]
pub async fn mine(signed_in: SignedIn, games: web::Data<Games>) -> Result<HttpResponse, Problem> {
    let (acts, reports) = moderation::own(&games, signed_in.account.player_id).await?;
    let visitor = signed_in.visitor;
    let reported = |report: &Report| {
        context! {
            at => words::date_time(report.created_at, &visitor.zone, visitor.language),
            reason => report.reason.as_str(),
            text => &report.text,
            decided => report.decided_at.is_some(),
        }
    };
    let values = context! {
        acts => acts.iter().map(|act| concerning(act, &visitor)).collect::<Vec<_>>(),
        reports => reports.iter().map(reported).collect::<Vec<_>>(),
        longest => MAX_APPEAL_CHARS,
    };
    page(StatusCode::OK, "moderation_mine.html", visitor, values)
}

#[derive(Debug, Deserialize)]
pub struct AppealForm {
    act: Uuid,
    #[serde(default)]
    text: String,
}

/// Takes an appeal against an act about the reader.
#[post("/moderation/appeal")]
pub async fn appeal(
    signed_in: SignedIn,
    games: web::Data<Games>,
    form: Posted<AppealForm>,
) -> Result<HttpResponse, Problem> {
    let AppealForm { act, text } = form.into_inner();
    moderation::appeal(&games, signed_in.account.player_id, act, &text).await?;
    Ok(see_other(MINE))
}
