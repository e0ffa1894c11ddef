//! Studies: lines of an analysis that players keep. Each position has its own address, so that the page works without scripts.

use actix_web::http::StatusCode;
use actix_web::web::ServiceConfig;
use actix_web::{HttpResponse, get, post, web};
use minijinja::{Value, context};
use serde::Deserialize;
use uuid::Uuid;

use super::form::{Posted, see_other};
use super::game::{self, AnalysisQuery, drawn, of_line, path};
use super::page::{message, page};
use super::visitor::{SignedIn, Visitor};
use pippost_games::studies::{
    self, Changes, ListedStudy, MAX_COMMENT_CHARS, MAX_STUDIES, MAX_TITLE_CHARS, ShownStudy, StudyRefused,
    ToKeep,
};
use pippost_games::viewing::analysis_board::ShownAction;
use pippost_games::{GameError, GameView, Games};
use pippost_http::Problem;
use pippost_http::admission::{Admitted, Replaying};
use pippost_language::words;
use pippost_record::rules::{self, RuleSet};
use pippost_store::{GameStatus, Seq};

/// The page of all studies.
const STUDIES: &str = "/studies";

/// Registers the pages and their forms.
pub fn configure(service: &mut ServiceConfig) {
    service
        .service(studies_page)
        .service(study_page)
        .service(keep_study)
        .service(change_study)
        .service(delete_study);
}

#[derive(Debug, Default, Deserialize)]
pub struct StudiesQuery {
    /// Shows those that are older than this one.
    #[serde(default)]
    before: Option<Uuid>,
}

/// The listed studies, the newest first, and all of the reader's.
#[get("/studies")]
pub async fn studies_page(
    visitor: Visitor,
    games: web::Data<Games>,
    query: web::Query<StudiesQuery>,
) -> Result<HttpResponse, Problem> {
    let (listed, is_more) = studies::list(&games, visitor.player_id(), query.before).await?;
    let next = listed.last().filter(|_| is_more).map(|study| study.id.to_string());
    let own = match visitor.registered() {
        Some(reader) => {
            let own = studies::of_player(&games, reader.player_id).await?;
            Some(own.iter().map(|study| entry(study, &visitor)).collect::<Vec<_>>())
        }
        None => None,
    };
    let values = context! {
        studies => listed.iter().map(|study| entry(study, &visitor)).collect::<Vec<_>>(),
        next,
        own,
        most => MAX_STUDIES,
    };
    page(StatusCode::OK, "studies.html", visitor, values)
}

/// A study in a list.
fn entry(study: &ListedStudy, visitor: &Visitor) -> Value {
    let rules_title = rules::find(&study.rules, None).map(RuleSet::title);
    context! {
        id => study.id.to_string(),
        title => (!study.removed).then_some(&study.title),
        rules_title => rules_title.unwrap_or(&study.rules),
        handle => &study.handle,
        day => words::date(visitor.zone.day(study.created_at), visitor.language),
        listed => study.listed,
    }
}

/// The listed studies of a game that is over, for its page.
///
/// # Errors
/// The database failed.
pub(super) async fn of_game(
    games: &Games,
    view: &GameView,
    visitor: &Visitor,
) -> Result<Vec<Value>, GameError> {
    if view.status != GameStatus::Finished {
        return Ok(Vec::new());
    }
    let listed = studies::of_game(games, view.id, visitor.player_id()).await?;
    Ok(listed.iter().map(|study| entry(study, visitor)).collect())
}

/// What the form by which a line is kept needs to know.
pub(super) fn form(view: &GameView) -> Value {
    context! {
        private => view.private,
        longest_title => MAX_TITLE_CHARS,
        longest_comment => MAX_COMMENT_CHARS,
    }
}

/// Keeps the line of an analysis. The form has its fields as the address of the page has them.
#[post("/games/{id}/studies")]
pub async fn keep_study(
    _place: Admitted<Replaying>,
    signed_in: SignedIn,
    games: web::Data<Games>,
    id: web::Path<Uuid>,
    form: Posted<Vec<(String, String)>>,
) -> Result<HttpResponse, Problem> {
    let fields = form.into_inner();
    let field = |name: &str| {
        let found = fields.iter().find(|(field, _)| field == name);
        found.map(|(_, value)| value.clone()).unwrap_or_default()
    };
    let analysis = AnalysisQuery::read(&serde_urlencoded::to_string(&fields).unwrap_or_default());
    let last = analysis.line.len();
    let new = ToKeep {
        seq: analysis.seq.map(Seq::from),
        line: analysis.line,
        title: field("title"),
        comment: field("comment"),
        listed: field("listed") == "yes",
    };
    match studies::keep(&games, signed_in.account.player_id, *id, new, None).await {
        Ok(id) => Ok(see_other(&address(id, last))),
        Err(refused) => refuse(signed_in.visitor, refused),
    }
}

/// The address of a study after so many of its actions.
fn address(id: Uuid, at: usize) -> String {
    format!("{STUDIES}/{id}?at={at}")
}

/// A page that says why a study is not kept.
fn refuse(visitor: Visitor, refused: StudyRefused) -> Result<HttpResponse, Problem> {
    let (status, text) = match refused {
        StudyRefused::NotOver => (StatusCode::CONFLICT, "study-not-over"),
        StudyRefused::Title => (StatusCode::UNPROCESSABLE_ENTITY, "study-no-title"),
        StudyRefused::TooLong => (StatusCode::UNPROCESSABLE_ENTITY, "study-too-long"),
        StudyRefused::Changed => (StatusCode::CONFLICT, "study-changed"),
        StudyRefused::NoPosition => return Err(GameError::NotFound.into()),
        StudyRefused::Game(GameError::TooManyMarked { .. }) => (StatusCode::CONFLICT, "study-too-many"),
        StudyRefused::Game(
            GameError::Refused { .. }
            | GameError::Unreadable { .. }
            | GameError::Incomplete { .. }
            | GameError::ChanceNotPossible { .. }
            | GameError::ChanceOpen { .. },
        ) => (StatusCode::CONFLICT, "analysis-not-possible-text"),
        StudyRefused::Game(error) => return Err(error.into()),
    };
    message(status, visitor, "study-refused", text)
}

/// Which position of a study to show.
#[derive(Debug, Default, Deserialize)]
pub struct PositionQuery {
    /// After how many actions.
    #[serde(default)]
    at: usize,
}

/// A study at one of its positions.
#[get("/studies/{id}")]
pub async fn study_page(
    _place: Admitted<Replaying>,
    visitor: Visitor,
    games: web::Data<Games>,
    id: web::Path<Uuid>,
    query: web::Query<PositionQuery>,
) -> Result<HttpResponse, Problem> {
    let shown = studies::show(&games, *id, visitor.player_id(), query.at, visitor.language).await;
    match shown {
        Ok(shown) => {
            let values = values(&shown, &visitor);
            page(StatusCode::OK, "study.html", visitor, values)
        }
        Err(GameError::NotFound) => {
            message(StatusCode::NOT_FOUND, visitor, "study-none-title", "study-none-text")
        }
        Err(error) => Err(error.into()),
    }
}

fn values(shown: &ShownStudy, visitor: &Visitor) -> Value {
    let ShownStudy { study, at, board, game: view, is_own } = shown;
    let (id, at, all) = (study.head.id, *at, board.line.len());
    let players = game::players(view);
    let comment = |at: usize| study.comments.get(at).cloned().unwrap_or_default();
    let told = |(number, played): (usize, &ShownAction)| {
        context! {
            player => players.get(usize::from(played.seat)).map(|player| player.handle.clone()),
            notation => &played.notation,
            chance => played.chance.clone(),
            told => played.told.clone(),
            comment => comment(number),
            href => address(id, number),
        }
    };
    let line: Vec<_> = (1..).zip(&board.line).map(told).collect();
    let steps = board.line.iter().take(at).map(|played| (played.notation.as_str(), &played.chance[..]));
    let places = context! {
        first => address(id, 0),
        last => address(id, all),
        previous => at.checked_sub(1).map(|before| address(id, before)),
        following => (at < all).then(|| address(id, at + 1)),
        analysis => of_line(view.id, study.seq, steps),
        moment => format!("{}/replay?seq={}", path(view.id), study.seq),
        game => path(view.id),
    };
    let texts = context! {
        study_title => &study.head.title,
        title => view.title,
        author => &study.head.handle,
        names => game::names(&players),
        day => words::date(visitor.zone.day(study.head.created_at), visitor.language),
        listed => study.head.listed,
        comment => comment(at),
        result => board.result.clone(),
    };
    let editing = context! {
        is_own,
        report => !is_own && visitor.registered().is_some(),
        ..form(view)
    };
    let drawn = drawn(&board.picking.picture, &board.picking.board_text, &board.picking.parts);
    let played = at.checked_sub(1).and_then(|last| line.get(last).cloned());
    let position = context! { id => id.to_string(), at, all, seq => study.seq.get(), played, line };
    let texts = context! { ..texts, ..editing };
    context! { ..context! { ..position, ..places }, ..context! { ..texts, ..drawn } }
}

/// What the author writes.
#[derive(Debug, Default, Deserialize)]
pub struct StudyForm {
    #[serde(default)]
    at: usize,
    #[serde(default)]
    title: String,
    #[serde(default)]
    comment: String,
    #[serde(default)]
    listed: String,
}

/// Changes the title, the text to a position, and whether lists show it.
#[post("/studies/{id}")]
pub async fn change_study(
    signed_in: SignedIn,
    games: web::Data<Games>,
    id: web::Path<Uuid>,
    form: Posted<StudyForm>,
) -> Result<HttpResponse, Problem> {
    let StudyForm { at, title, comment, listed } = form.into_inner();
    let comment = Some((at, comment));
    let changes = Changes { title: Some(title), comment, listed: Some(listed == "yes") };
    match studies::change(&games, *id, signed_in.account.player_id, &changes).await {
        Ok(()) => Ok(see_other(&address(*id, at))),
        Err(refused) => refuse(signed_in.visitor, refused),
    }
}

/// Deletes a study of the reader.
#[post("/studies/{id}/delete")]
pub async fn delete_study(
    signed_in: SignedIn,
    games: web::Data<Games>,
    id: web::Path<Uuid>,
    _form: Posted<StudyForm>,
) -> Result<HttpResponse, Problem> {
    studies::delete(&games, *id, signed_in.account.player_id).await?;
    Ok(see_other(STUDIES))
}
