//! Pictures of the board: SVG for pages, PNG for everything else.

use actix_web::body::MessageBody;
use actix_web::http::header::{CACHE_CONTROL, ETAG, IF_NONE_MATCH};
use actix_web::{HttpRequest, HttpResponse, get, web};
use serde::Deserialize;
use utoipa::{IntoParams, ToSchema};
use uuid::Uuid;

use super::bodies::position_at;
use crate::api::access::MaybeReader;
use crate::api::admission::{Admitted, AdmittedToPast, Rendering};
use crate::api::games::refusals::LookProblems;
use crate::api::media::Binary;
use crate::api::problem::ProblemBody;
use crate::api::{Code, Problem};
use crate::board::{self, MAX_WIDTH_PX, MIN_WIDTH_PX, Theme};
use crate::games::viewing::board::Drawing;
use crate::games::viewing::png_cache::WhenBusy;
use crate::games::viewing::view::Requester;
use crate::games::{Games, viewing};
use crate::language::Language;

/// The default width of a PNG, in pixels.
const DEFAULT_WIDTH_PX: u32 = 640;

/// Which board to draw, and how.
#[derive(Debug, Deserialize, IntoParams)]
#[serde(deny_unknown_fields)]
#[into_params(parameter_in = Query)]
pub struct PictureQuery {
    /// Show the game as it was after this event.
    seq: Option<u64>,
    /// Show the game as it was after this turn, counted as at `/games/{id}`.
    turn: Option<u64>,
    /// An invitation to a private game, or the token from a mail's link.
    #[param(max_length = 128)]
    token: Option<String>,
    /// The colours: `auto` follows the reader's system (SVG only), `light` or `dark`.
    #[serde(default)]
    theme: ThemeName,
    /// Width of a PNG in pixels, 64 to 2048.
    #[serde(default = "default_width")]
    #[param(minimum = 64, maximum = 2048, default = 640)]
    width: u32,
    /// The language of the labels.
    #[serde(default)]
    language: LanguageName,
}

fn default_width() -> u32 {
    DEFAULT_WIDTH_PX
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum ThemeName {
    #[default]
    Auto,
    Light,
    Dark,
}

impl From<ThemeName> for Theme {
    fn from(name: ThemeName) -> Self {
        match name {
            ThemeName::Auto => Self::Auto,
            ThemeName::Light => Self::Light,
            ThemeName::Dark => Self::Dark,
        }
    }
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum LanguageName {
    #[default]
    En,
    De,
}

impl From<LanguageName> for Language {
    fn from(name: LanguageName) -> Self {
        match name {
            LanguageName::En => Self::English,
            LanguageName::De => Self::German,
        }
    }
}

/// Draws the board as SVG, as you may see it, now or after any event or turn.
#[utoipa::path(tag = "games", security((), ("token" = [])), params(PictureQuery), responses(
    (status = 200, description = "The board. `ETag` names it; send it back as `If-None-Match`.", body = String, content_type = "image/svg+xml"),
    (status = 304, description = "You have it already."),
    LookProblems,
))]
#[get("/games/{id}/board.svg")]
pub async fn board_svg(
    _past: AdmittedToPast,
    request: HttpRequest,
    account: MaybeReader,
    games: web::Data<Games>,
    id: web::Path<Uuid>,
    query: web::Query<PictureQuery>,
) -> Result<HttpResponse, Problem> {
    let query = query.into_inner();
    let (theme, language) = (query.theme.into(), Language::from(query.language));
    let at = position_at(query.seq, query.turn)?;
    let drawing = viewing::drawing(&games, *id, &requester(&account, query.token), at, language).await?;
    let tag = tag(&drawing, &format!("svg-{theme:?}-{}", language.tag()));
    if has(&request, &tag) {
        return Ok(not_modified(&tag));
    }
    Ok(answer("image/svg+xml", &tag, board::svg(&drawing.picture, theme)))
}

/// Draws the board as PNG, as you may see it, now or after any event or turn.
#[utoipa::path(tag = "games", security((), ("token" = [])), params(PictureQuery), responses(
    (status = 200, description = "The board. `ETag` names it; send it back as `If-None-Match`.", body = Binary, content_type = "image/png"),
    (status = 304, description = "You have it already."),
    LookProblems,
    (status = 503, description = "Too many are being drawn right now: `unavailable`.", body = ProblemBody, content_type = "application/problem+json"),
))]
#[get("/games/{id}/board.png")]
pub async fn board_png(
    _place: Admitted<Rendering>,
    _past: AdmittedToPast,
    request: HttpRequest,
    account: MaybeReader,
    games: web::Data<Games>,
    id: web::Path<Uuid>,
    query: web::Query<PictureQuery>,
) -> Result<HttpResponse, Problem> {
    let query = query.into_inner();
    let (theme, width, language) = (Theme::from(query.theme), query.width, query.language.into());
    if !(MIN_WIDTH_PX..=MAX_WIDTH_PX).contains(&width) {
        let why = format!("width: {MIN_WIDTH_PX} to {MAX_WIDTH_PX} pixels");
        return Err(Problem::new(Code::InvalidValue).detail(why).with("field", "width"));
    }
    let at = position_at(query.seq, query.turn)?;
    let drawing = viewing::drawing(&games, *id, &requester(&account, query.token), at, language).await?;
    let tag = tag(&drawing, &format!("png-{theme:?}-{width}-{}", Language::tag(language)));
    if has(&request, &tag) {
        return Ok(not_modified(&tag));
    }
    let png = games.png_cache().png(drawing.picture, width, theme, WhenBusy::Refuse).await?;
    Ok(answer("image/png", &tag, png))
}

fn requester(account: &MaybeReader, token: Option<String>) -> Requester {
    Requester { player_id: account.player_id(), token }
}

/// The `ETag` of a picture: the event, the viewer and the drawing's options determine it.
fn tag(drawing: &Drawing, form: &str) -> String {
    let seat = drawing.seat.map_or("spectator".to_owned(), |seat| seat.to_string());
    format!("\"{}-{seat}-{form}\"", &drawing.head.to_string()[..32])
}

fn has(request: &HttpRequest, tag: &str) -> bool {
    let given =
        request.headers().get(IF_NONE_MATCH).and_then(|value| value.to_str().ok()).unwrap_or_default();
    given.split(',').any(|one| one.trim().trim_start_matches("W/") == tag)
}

fn not_modified(tag: &str) -> HttpResponse {
    HttpResponse::NotModified()
        .insert_header((ETAG, tag))
        .insert_header((CACHE_CONTROL, "private, no-cache"))
        .finish()
}

fn answer(media_type: &str, tag: &str, body: impl MessageBody + 'static) -> HttpResponse {
    HttpResponse::Ok()
        .content_type(media_type)
        .insert_header((ETAG, tag))
        .insert_header((CACHE_CONTROL, "private, no-cache"))
        .body(body)
}
