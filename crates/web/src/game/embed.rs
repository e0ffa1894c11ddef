//! The board of a public game as a small page that other sites show in a frame. It is the same for everybody: no cookie is read, and
//! there is no script and no form that a click could be stolen for.

use actix_web::http::header::{
    CONTENT_LANGUAGE, CONTENT_SECURITY_POLICY, ContentType, REFERRER_POLICY, VARY,
};
use actix_web::{HttpRequest, HttpResponse, get, web};
use minijinja::{HtmlEscape, context};
use serde::Deserialize;
use uuid::Uuid;

use super::words;
use crate::page::rendered;
use crate::site::Site;
use crate::visitor::{Theme, asked_language};
use pippost_accounts::Accounts;
use pippost_games::viewing::view::{GameView, Requester};
use pippost_games::{At, Games, viewing};
use pippost_http::Problem;
use pippost_http::conditional::EntityTag;
use pippost_http::peer::Peer;
use pippost_language::Language;
use pippost_record::board;

/// As that of other pages, without scripts, pictures and forms, but any site may show it.
const POLICY: &str =
    "default-src 'none'; style-src 'self'; form-action 'none'; base-uri 'none'; frame-ancestors *";

/// The width of the frame in the code that people copy, in pixels; and what its lines need above and below the board.
const FRAME_PX: f32 = 360.0;
const FRAME_LINES_PX: f32 = 108.0;

/// The width of every board, in its own units.
const BOARD_WIDTH: f32 = 320.0;

/// How the site that shows the board wants it; without a word the browser's reader decides.
#[derive(Debug, Deserialize)]
pub struct EmbedQuery {
    theme: Option<String>,
    language: Option<String>,
}

#[get("/games/{id}/embed")]
pub async fn show_embed(
    request: HttpRequest,
    accounts: web::Data<Accounts>,
    games: web::Data<Games>,
    site: web::Data<Site>,
    id: web::Path<Uuid>,
    query: web::Query<EmbedQuery>,
) -> Result<HttpResponse, Problem> {
    accounts.count_request_of_peer(Peer::of(&request).0)?;
    let EmbedQuery { theme, language } = query.into_inner();
    let language =
        language.and_then(|tag| Language::of_tag(&tag)).unwrap_or_else(|| asked_language(&request));
    let theme = theme.and_then(|name| Theme::named(&name)).unwrap_or_default();
    let nobody = Requester { player_id: None, token: None };
    let view = viewing::view(&games, *id, &nobody).await?;
    let drawing = viewing::drawing(&games, *id, &nobody, At::Now, language).await?;
    let players = words::players(&view);
    let picture = &drawing.picture;
    let html = rendered(
        "embed.html",
        context! {
            language => language.tag(),
            dir => language.direction(),
            theme => theme.as_str(),
            site_name => site.branding().name(),
            colours => site.colours(),
            address => &view.page,
            title => view.title,
            game_title => &view.game_title,
            names => words::names(&players),
            headline => words::headline(&view, false, &players, language),
            shapes => board::shapes(picture),
            board_height => picture.height,
            board_title => &picture.title,
            board_description => &picture.description,
        },
    )?;
    Ok(EntityTag::of(&[html.as_bytes()]).respond(&request, |mut answer| {
        answer
            .content_type(ContentType::html())
            .insert_header((CONTENT_SECURITY_POLICY, POLICY))
            .insert_header((CONTENT_LANGUAGE, language.tag()))
            .insert_header((VARY, "accept-language"))
            .insert_header((REFERRER_POLICY, "no-referrer"))
            .body(html)
    }))
}

/// The line that shows the board on other sites, for the page of a public game.
pub fn code(view: &GameView, names: &str, board_height: f32) -> String {
    let height = (FRAME_PX * board_height / BOARD_WIDTH + FRAME_LINES_PX).round();
    format!(
        "<iframe src=\"{}/embed\" width=\"{FRAME_PX}\" height=\"{height}\" loading=\"lazy\" title=\"{}: {}\"></iframe>",
        view.page,
        view.title,
        HtmlEscape(names)
    )
}
