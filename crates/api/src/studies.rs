//! Studies: list, look at, keep, change, delete.

use actix_web::{HttpResponse, delete, get, patch, post, web};
use serde::{Deserialize, Serialize};
use utoipa::{IntoParams, ToSchema};
use uuid::Uuid;

use super::access::{MaybeReader, Participant, Reader};
use super::declared::problems;
use super::declared_headers::KeyHeader;
use super::games::analysing::{LineBody, entries};
use super::idempotency::CreationKey;
use super::routes::Routes;
use super::seat::{UnreadBody, Visible};
use pippost_games::Games;
use pippost_games::studies::{
    self, Changes, ListedStudy, MAX_COMMENT_CHARS, MAX_STUDY_ACTIONS, MAX_TITLE_CHARS, Study, StudyRefused,
    ToKeep,
};
use pippost_games::viewing::analysis::{Analysed, PlayedAction};
use pippost_http::admission::{Admitted, Replaying};
use pippost_http::json::{Body, whole};
use pippost_http::text::exact;
use pippost_http::{Code, Problem};
use pippost_record::record::{GameResult, Timestamp};
use pippost_store::Seq;

problems! {
    KeepProblems: Muted, StudyRefused, QuotaReached, UnreadableAction, IncompleteAction, IllegalAction, GameOver, ChanceNotPossible,
        AnalysisHidden, GameNotStarted;
    ChangeProblems: Muted, StudyRefused;
}

/// Registers the handlers; paths are relative to `/api/v1`.
pub fn configure(service: &mut Routes<'_>) {
    service
        .service(list_studies)
        .service(list_own_studies)
        .service(list_studies_of_game)
        .service(keep_study)
        .service(show_study)
        .service(change_study)
        .service(delete_study);
}

/// A study in a list.
#[derive(Debug, Serialize, ToSchema)]
#[schema(as = ListedStudy)]
pub struct StudyAnswer {
    id: Uuid,
    /// The handle of who has written it.
    author: String,
    game: Uuid,
    rules: String,
    /// Null if the operator has removed it; its author may still delete it.
    title: Option<String>,
    /// Whether lists show it to others.
    listed: bool,
    #[schema(value_type = String, format = DateTime)]
    created_at: Timestamp,
}

impl From<ListedStudy> for StudyAnswer {
    fn from(study: ListedStudy) -> Self {
        Self {
            id: study.id,
            author: study.handle,
            game: study.game_id,
            rules: study.rules,
            title: (!study.removed).then_some(study.title),
            listed: study.listed,
            created_at: Timestamp::new(study.created_at),
        }
    }
}

/// A page of studies.
#[derive(Debug, Serialize, ToSchema)]
pub struct StudyPage {
    studies: Vec<StudyAnswer>,
    next_cursor: Option<Uuid>,
}

/// Which studies to list.
#[derive(Debug, Deserialize, IntoParams)]
#[serde(deny_unknown_fields)]
#[into_params(parameter_in = Query)]
pub struct StudiesQuery {
    /// `next_cursor` of the page before.
    cursor: Option<Uuid>,
}

/// Lists the studies of all that their authors list, the newest first, 30 on a page.
#[utoipa::path(tag = "community", security((), ("token" = [MaybeReader::SCOPE])), params(StudiesQuery), responses(
    (status = 200, description = "A page of studies.", body = StudyPage),
))]
#[get("/studies")]
pub async fn list_studies(
    reader: MaybeReader,
    games: web::Data<Games>,
    query: web::Query<StudiesQuery>,
) -> Result<web::Json<StudyPage>, Problem> {
    let (listed, is_more) = studies::list(&games, reader.player_id(), query.cursor).await?;
    let next_cursor = listed.last().filter(|_| is_more).map(|study| study.id);
    Ok(web::Json(StudyPage { studies: listed.into_iter().map(StudyAnswer::from).collect(), next_cursor }))
}

/// Studies without further pages.
#[derive(Debug, Serialize, ToSchema)]
pub struct Studies {
    studies: Vec<StudyAnswer>,
}

impl From<Vec<ListedStudy>> for Studies {
    fn from(listed: Vec<ListedStudy>) -> Self {
        Self { studies: listed.into_iter().map(StudyAnswer::from).collect() }
    }
}

/// Lists your studies, the newest first.
#[utoipa::path(tag = "community", security(("token" = [Reader::SCOPE])), responses(
    (status = 200, description = "All.", body = Studies),
))]
#[get("/me/studies")]
pub async fn list_own_studies(
    reader: Reader,
    games: web::Data<Games>,
) -> Result<web::Json<Studies>, Problem> {
    Ok(web::Json(studies::of_player(&games, reader.player_id).await?.into()))
}

/// Lists the newest studies of a finished game.
#[utoipa::path(tag = "community", security((), ("token" = [MaybeReader::SCOPE])), params(("id" = Uuid, Path)), responses(
    (status = 200, description = "At most ten.", body = Studies),
))]
#[get("/games/{id}/studies")]
pub async fn list_studies_of_game(
    reader: Visible<MaybeReader>,
    games: web::Data<Games>,
) -> Result<web::Json<Studies>, Problem> {
    let Visible { account, game_id } = reader;
    Ok(web::Json(studies::of_game(&games, game_id, account.player_id()).await?.into()))
}

/// A line to keep.
#[derive(Debug, Deserialize, Serialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct StudyBody {
    /// The event after which the line begins; by default the last.
    #[serde(default, deserialize_with = "whole")]
    #[schema(maximum = 9_007_199_254_740_991_u64)]
    seq: Option<u64>,
    /// As for the analysis of the game.
    #[serde(default)]
    #[schema(max_items = 100)]
    line: Vec<LineBody>,
    /// Not blank.
    #[schema(min_length = 1, max_length = 80, pattern = "^[^\\u0000]*$")]
    title: String,
    /// The text to the position after the line.
    #[serde(default)]
    #[schema(max_length = 1000, pattern = "^[^\\u0000]*$")]
    comment: String,
    /// Whether lists show it to others; never if the game is private.
    #[serde(default)]
    listed: bool,
}

fn invalid(field: &str, why: &str) -> Problem {
    Problem::new(Code::InvalidValue).detail(format!("{field}: {why}")).with("field", field)
}

fn check_title(title: &str) -> Result<(), Problem> {
    let fits = (1..=MAX_TITLE_CHARS).contains(&title.chars().count());
    if fits { Ok(()) } else { Err(invalid("title", &format!("1 to {MAX_TITLE_CHARS} characters"))) }
}

fn check_comment(comment: &str) -> Result<(), Problem> {
    let fits = comment.chars().count() <= MAX_COMMENT_CHARS;
    if fits { Ok(()) } else { Err(invalid("comment", &format!("at most {MAX_COMMENT_CHARS} characters"))) }
}

impl StudyBody {
    fn into_new(self) -> Result<ToKeep, Problem> {
        check_title(&self.title)?;
        check_comment(&self.comment)?;
        let seq = self.seq.map(|seq| exact("seq", seq)).transpose()?.map(Seq::from);
        let line = entries(self.line)?;
        Ok(ToKeep { seq, line, title: self.title, comment: self.comment, listed: self.listed })
    }
}

/// A study that was kept.
#[derive(Debug, Serialize, ToSchema)]
pub struct KeptStudy {
    id: Uuid,
}

/// Keeps a line of a finished game.
#[utoipa::path(tag = "community", security(("token" = [Participant::SCOPE])), params(("id" = Uuid, Path), KeyHeader), request_body = StudyBody, responses(
    (status = 201, description = "The study.", body = KeptStudy),
    KeepProblems,
))]
#[post("/games/{id}/studies")]
pub async fn keep_study(
    _place: Admitted<Replaying>,
    player: Visible<Participant>,
    games: web::Data<Games>,
    key: CreationKey,
    body: UnreadBody<StudyBody>,
) -> actix_web::Result<HttpResponse> {
    let body = body.read().await?;
    let key = key.with_body(&body);
    let new = body.into_new()?;
    let kept = studies::keep(&games, player.account.player_id, player.game_id, new, key.as_ref()).await;
    let id = kept.map_err(Problem::from)?;
    let answer = serde_json::to_string(&KeptStudy { id }).expect("plain data");
    Ok(crate::created::below("/api/v1/studies", answer))
}

/// A study.
#[derive(Debug, Serialize, ToSchema)]
pub struct StudyView {
    study: StudyAnswer,
    /// The event after which the line begins.
    seq: u64,
    line: Vec<PlayedAction>,
    /// The texts to the position before the line, and after each action.
    comments: Vec<String>,
    /// How the line ended the game; null if it did not.
    result: Option<GameResult>,
}

impl From<(Study, Analysed)> for StudyView {
    fn from((study, analysed): (Study, Analysed)) -> Self {
        Self {
            seq: study.seq.get(),
            comments: study.comments,
            study: study.head.into(),
            line: analysed.line,
            result: analysed.result,
        }
    }
}

/// Shows a study. An analysis of its game with `seq` and a part of `line` shows its positions.
#[utoipa::path(tag = "community", security((), ("token" = [MaybeReader::SCOPE])), params(("id" = Uuid, Path)), responses(
    (status = 200, description = "The study.", body = StudyView),
))]
#[get("/studies/{id}")]
pub async fn show_study(
    _place: Admitted<Replaying>,
    reader: MaybeReader,
    games: web::Data<Games>,
    id: web::Path<Uuid>,
) -> Result<web::Json<StudyView>, Problem> {
    let read = studies::read(&games, *id, reader.player_id()).await;
    Ok(web::Json(read.map_err(StudyRefused::from)?.into()))
}

/// What to change; what is missing or null stays.
#[derive(Debug, Default, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct StudyChangesBody {
    /// Not blank.
    #[serde(default)]
    #[schema(min_length = 1, max_length = 80, pattern = "^[^\\u0000]*$")]
    title: Option<String>,
    /// The text to the position after `at` actions.
    #[serde(default)]
    #[schema(max_length = 1000, pattern = "^[^\\u0000]*$")]
    comment: Option<String>,
    /// By default 0.
    #[serde(default, deserialize_with = "whole")]
    #[schema(minimum = 0, maximum = 100)]
    at: Option<u16>,
    /// Whether lists show it to others; never if the game is private.
    #[serde(default)]
    listed: Option<bool>,
}

impl StudyChangesBody {
    fn changes(self) -> Result<Changes, Problem> {
        self.title.as_deref().map(check_title).transpose()?;
        self.comment.as_deref().map(check_comment).transpose()?;
        let at = usize::from(self.at.unwrap_or_default());
        if at > MAX_STUDY_ACTIONS {
            return Err(invalid("at", &format!("0 to {MAX_STUDY_ACTIONS}")));
        }
        let comment = self.comment.map(|text| (at, text));
        Ok(Changes { title: self.title, comment, listed: self.listed })
    }
}

/// Changes your study.
#[utoipa::path(tag = "community", security(("token" = [Participant::SCOPE])), params(("id" = Uuid, Path)), request_body = StudyChangesBody, responses(
    (status = 204, description = "It is changed."),
    ChangeProblems,
))]
#[patch("/studies/{id}")]
pub async fn change_study(
    player: Participant,
    games: web::Data<Games>,
    id: web::Path<Uuid>,
    body: Body<StudyChangesBody>,
) -> Result<HttpResponse, Problem> {
    let changes = body.into_inner().changes()?;
    studies::change(&games, *id, player.player_id, &changes).await?;
    Ok(HttpResponse::NoContent().finish())
}

/// Deletes your study.
#[utoipa::path(tag = "community", security(("token" = [Participant::SCOPE])), params(("id" = Uuid, Path)), responses(
    (status = 204, description = "It is deleted."),
))]
#[delete("/studies/{id}")]
pub async fn delete_study(
    player: Participant,
    games: web::Data<Games>,
    id: web::Path<Uuid>,
) -> Result<HttpResponse, Problem> {
    let deleted = studies::delete(&games, *id, player.player_id).await;
    deleted.map_err(StudyRefused::from)?;
    Ok(HttpResponse::NoContent().finish())
}
