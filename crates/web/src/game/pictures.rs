//! Pictures and the record of a game as the logged-in player sees them.

use actix_web::http::header::{CONTENT_DISPOSITION, CONTENT_TYPE};
use actix_web::{HttpRequest, HttpResponse, get, web};
use futures_util::TryStreamExt;
use serde::Deserialize;
use uuid::Uuid;

use crate::visitor::{Theme, Visitor};
use pippost_games::viewing::board::Drawing;
use pippost_games::viewing::png_cache::WhenBusy;
use pippost_games::viewing::view::Requester;
use pippost_games::{At, Games, history, viewing};
use pippost_http::Problem;
use pippost_http::admission::{Admitted, AdmittedToPast, Rendering};
use pippost_http::conditional::EntityTag;
use pippost_record::board;
use pippost_store::Seq;

/// The width of a picture to keep, in pixels.
pub const PICTURE_PX: u32 = 960;

/// Which picture.
#[derive(Debug, Deserialize)]
pub struct PictureQuery {
    pub seq: Option<u64>,
    pub token: Option<String>,
}

impl PictureQuery {
    fn at(&self) -> At {
        self.seq.map(Seq::from).into()
    }
}

/// The board's theme for a visitor's.
pub fn theme_of(visitor: &Visitor) -> board::Theme {
    match visitor.theme {
        Theme::Auto => board::Theme::Auto,
        Theme::Light => board::Theme::Light,
        Theme::Dark => board::Theme::Dark,
    }
}

pub fn requester(visitor: &Visitor, token: Option<String>) -> Requester {
    Requester { player_id: visitor.player_id(), token }
}

fn tag(drawing: &Drawing, visitor: &Visitor, form: &str) -> EntityTag {
    let seat = drawing.seat.map_or("spectator".to_owned(), |seat| seat.to_string());
    let form = format!("-{form}-{:?}-{}", visitor.theme, visitor.language.tag());
    EntityTag::of(&[drawing.head.as_bytes(), seat.as_bytes(), form.as_bytes()])
}

#[get("/games/{id}/board.svg")]
pub async fn board_svg(
    _past: AdmittedToPast,
    visitor: Visitor,
    request: HttpRequest,
    games: web::Data<Games>,
    id: web::Path<Uuid>,
    query: web::Query<PictureQuery>,
) -> Result<HttpResponse, Problem> {
    let (at, requester) = (query.at(), requester(&visitor, query.into_inner().token));
    let drawing = viewing::drawing(&games, *id, &requester, at, visitor.language).await?;
    let tag = tag(&drawing, &visitor, "svg");
    Ok(tag.respond(&request, |mut answer| {
        answer.content_type("image/svg+xml").body(board::svg(&drawing.picture, theme_of(&visitor)))
    }))
}

#[get("/games/{id}/board.png")]
pub async fn board_png(
    _place: Admitted<Rendering>,
    _past: AdmittedToPast,
    visitor: Visitor,
    request: HttpRequest,
    games: web::Data<Games>,
    id: web::Path<Uuid>,
    query: web::Query<PictureQuery>,
) -> Result<HttpResponse, Problem> {
    let (at, requester) = (query.at(), requester(&visitor, query.into_inner().token));
    let drawing = viewing::drawing(&games, *id, &requester, at, visitor.language).await?;
    let tag = tag(&drawing, &visitor, "png");
    if tag.is_known_to(&request) {
        return Ok(tag.respond(&request, |mut answer| answer.finish()));
    }
    let png =
        games.png_cache().png(drawing.picture, PICTURE_PX, theme_of(&visitor), WhenBusy::Refuse).await?;
    Ok(tag.respond(&request, |mut answer| answer.content_type("image/png").body(png)))
}

/// The record with the clock log, for a player whose game is private, too.
#[get("/games/{id}/record.ndjson")]
pub async fn download_record(
    visitor: Visitor,
    games: web::Data<Games>,
    id: web::Path<Uuid>,
    query: web::Query<PictureQuery>,
) -> Result<HttpResponse, Problem> {
    let requester = requester(&visitor, query.into_inner().token);
    let record = history::record(&games, *id, &requester, true).await?;
    let file = format!("attachment; filename=\"pippost-{id}.ndjson\"");
    Ok(HttpResponse::Ok()
        .insert_header((CONTENT_TYPE, "application/x-ndjson"))
        .insert_header((CONTENT_DISPOSITION, file))
        .streaming(Box::pin(record.map_err(Problem::from))))
}
