//! Pictures of the board: SVG for pages, PNG for everything else.

use actix_web::{HttpRequest, HttpResponse, get, web};
use serde::Deserialize;
use utoipa::IntoParams;
use uuid::Uuid;

use super::bodies::position_at;
use crate::access::MaybeReader;
use crate::games::refusals::LookProblems;
use crate::media::Binary;
use pippost_games::viewing::board::Drawing;
use pippost_games::viewing::png_cache::WhenBusy;
use pippost_games::viewing::view::Requester;
use pippost_games::{Games, viewing};
use pippost_http::admission::{Admitted, AdmittedToPast, Rendering};
use pippost_http::conditional::EntityTag;
use pippost_http::problem::ProblemBody;
use pippost_http::text::TokenText;
use pippost_http::{Code, Problem};
use pippost_language::Language;
use pippost_record::board::{self, MAX_WIDTH_PX, MIN_WIDTH_PX, Theme};
use pippost_record::rules::schema::{self, named_schema};

/// The default width of a PNG, in pixels.
const DEFAULT_WIDTH_PX: u32 = 640;

/// Which board to draw, and how.
#[derive(Debug, Deserialize, IntoParams)]
#[serde(deny_unknown_fields)]
#[into_params(parameter_in = Query)]
pub struct PictureQuery {
    /// Show the game as it was after this event. With `turn`, this counts.
    #[param(maximum = 9_007_199_254_740_991_u64)]
    seq: Option<u64>,
    /// Show the game as it was after this turn, counted as at `/games/{id}`.
    #[param(maximum = 9_007_199_254_740_991_u64)]
    turn: Option<u64>,
    /// An invitation to a private game, or the token from a mail's link.
    token: Option<TokenText>,
    /// The colours: `auto` follows the reader's system (SVG only), `light` or `dark`.
    #[serde(default)]
    theme: Theme,
    /// Width of a PNG in pixels, 64 to 2048. An SVG has none.
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

/// The tag of a language, which is English's if this server does not speak it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(try_from = "String")]
pub struct LanguageName(pub Language);

impl TryFrom<String> for LanguageName {
    type Error = &'static str;

    fn try_from(tag: String) -> Result<Self, Self::Error> {
        if !is_tag(&tag) {
            return Err("a tag as in `en` or `pt-BR` names a language");
        }
        Ok(Self(Language::of_tag(&tag).unwrap_or_default()))
    }
}

/// Whether `text` has the form of a language's tag.
#[must_use]
pub fn is_tag(text: &str) -> bool {
    let (language, rest) =
        text.split_once('-').map_or((text, None), |(language, rest)| (language, Some(rest)));
    let is_part =
        |part: &str| (2..=8).contains(&part.len()) && part.bytes().all(|byte| byte.is_ascii_alphanumeric());
    (2..=3).contains(&language.len())
        && language.bytes().all(|byte| byte.is_ascii_lowercase())
        && rest.is_none_or(|rest| rest.split('-').all(is_part))
}

named_schema!(
    LanguageName,
    "LanguageName",
    schema::text(
        "^[a-z]{2,3}(-[A-Za-z0-9]{2,8})*$",
        "The tag of a language (BCP 47): `en`, `de`, or one that the operator has added. For boards, any other is taken for `en`; as \
            a preference it is `unknown_language`."
    )
);

/// Draws the board as SVG, now or after any event or turn.
#[utoipa::path(tag = "games", security((), ("token" = [MaybeReader::SCOPE])), params(PictureQuery), responses(
    (status = 200, description = "The board.", body = String, content_type = "image/svg+xml"),
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
    check_width(query.width)?;
    let (theme, language) = (query.theme, query.language.0);
    let at = position_at(query.seq, query.turn);
    let drawing = viewing::drawing(&games, *id, &requester(&account, query.token), at, language).await?;
    let tag = tag(&drawing, &format!("svg-{theme:?}-{}", language.tag()));
    Ok(tag.respond(&request, |mut answer| {
        answer.content_type("image/svg+xml").body(board::svg(&drawing.picture, theme))
    }))
}

/// Draws the board as PNG, now or after any event or turn.
#[utoipa::path(tag = "games", security((), ("token" = [MaybeReader::SCOPE])), params(PictureQuery), responses(
    (status = 200, description = "The board.", body = Binary, content_type = "image/png"),
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
    let (theme, width, language) = (query.theme, query.width, query.language.0);
    check_width(width)?;
    let at = position_at(query.seq, query.turn);
    let drawing = viewing::drawing(&games, *id, &requester(&account, query.token), at, language).await?;
    let tag = tag(&drawing, &format!("png-{theme:?}-{width}-{}", Language::tag(language)));
    if tag.is_known_to(&request) {
        return Ok(tag.respond(&request, |mut answer| answer.finish()));
    }
    let png = games.png_cache().png(drawing.picture, width, theme, WhenBusy::Refuse).await?;
    Ok(tag.respond(&request, |mut answer| answer.content_type("image/png").body(png)))
}

fn check_width(width: u32) -> Result<(), Problem> {
    if (MIN_WIDTH_PX..=MAX_WIDTH_PX).contains(&width) {
        return Ok(());
    }
    let why = format!("width: {MIN_WIDTH_PX} to {MAX_WIDTH_PX} pixels");
    Err(Problem::new(Code::InvalidValue).detail(why).with("field", "width"))
}

fn requester(account: &MaybeReader, token: Option<TokenText>) -> Requester {
    Requester { player_id: account.player_id(), token: token.map(Into::into) }
}

/// The `ETag` of a picture: the event, the viewer and the drawing's options determine it.
fn tag(drawing: &Drawing, form: &str) -> EntityTag {
    let seat = drawing.seat.map_or("spectator".to_owned(), |seat| seat.to_string());
    EntityTag::of(&[drawing.head.as_bytes(), seat.as_bytes(), b"-", form.as_bytes()])
}
