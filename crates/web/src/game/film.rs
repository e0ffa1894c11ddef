//! The whole game as an animated picture. It is the costliest picture, so it is made once, one at a time, and kept.

use actix_web::http::header::CONTENT_DISPOSITION;
use actix_web::{HttpRequest, HttpResponse, get, web};
use uuid::Uuid;

use super::pictures::{PictureQuery, requester, theme_of};
use crate::visitor::Visitor;
use pippost_games::viewing;
use pippost_games::{Games, history};
use pippost_http::Problem;
use pippost_http::admission::{Admitted, Filming};
use pippost_http::conditional::EntityTag;

/// The width of a film, in pixels.
const FILM_PX: u32 = 480;

#[get("/games/{id}/film.png")]
pub async fn show_film(
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
    let key = format!("{id} {head} {seat} {form}");
    let film = if let Some(film) = games.films().kept(&key) {
        film
    } else {
        let place = Admitted::<Filming>::of(&request)?.into_permit();
        let boards = async {
            let film = history::film(&games, *id, &requester, visitor.language).await;
            Ok::<_, Problem>(film?.pictures)
        };
        games.films().make(key, boards, FILM_PX, theme_of(&visitor), place).await?
    };
    let file = format!("inline; filename=\"pippost-{id}.png\"");
    Ok(tag.respond(&request, |mut answer| {
        answer.content_type("image/png").insert_header((CONTENT_DISPOSITION, file)).body(film)
    }))
}
