//! The whole game as an animated picture. It is the costliest picture, so few are made at once.

use actix_web::http::header::CONTENT_DISPOSITION;
use actix_web::{HttpRequest, HttpResponse, get, web};
use uuid::Uuid;

use super::pictures::{PictureQuery, requester, theme_of};
use crate::visitor::Visitor;
use pippost_games::viewing;
use pippost_games::{Games, history};
use pippost_http::admission::{Admitted, Filming};
use pippost_http::conditional::EntityTag;
use pippost_http::{Code, Problem};
use pippost_record::board;

/// The width of a film, in pixels.
const FILM_PX: u32 = 480;

#[get("/games/{id}/film.png")]
pub async fn show_film(
    admitted: Admitted<Filming>,
    visitor: Visitor,
    request: HttpRequest,
    games: web::Data<Games>,
    id: web::Path<Uuid>,
    query: web::Query<PictureQuery>,
) -> Result<HttpResponse, Problem> {
    let requester = requester(&visitor, query.into_inner().token);
    let view = viewing::view(&games, *id, &requester).await?;
    let seat = view.my_seat.map_or("spectator".to_owned(), |seat| seat.to_string());
    let head = view.head.map(|head| head.to_string()).unwrap_or_default();
    let form = format!("film-{:?}-{}", visitor.theme, visitor.language.tag());
    let tag = EntityTag::of(&[head.as_bytes(), seat.as_bytes(), form.as_bytes()]);
    if tag.is_known_to(&request) {
        return Ok(tag.respond(&request, |mut answer| answer.finish()));
    }
    let pictures = history::film(&games, *id, &requester, visitor.language).await?.pictures;
    let theme = theme_of(&visitor);
    let place = admitted.into_permit();
    let made = web::block(move || {
        // The place is held until the work is done, also if the client has gone.
        let _place = place;
        board::film(&pictures, FILM_PX, theme)
    });
    let broken = |error: String| Problem::new(Code::Internal).cause(error);
    let made = made.await.map_err(|error| broken(error.to_string()))?;
    let film = made.map_err(|error| broken(error.to_string()))?;
    let file = format!("inline; filename=\"pippost-{id}.png\"");
    Ok(tag.respond(&request, |mut answer| {
        answer.content_type("image/png").insert_header((CONTENT_DISPOSITION, file)).body(film)
    }))
}
