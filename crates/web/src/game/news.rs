//! Tells the scripts of a game's pages that something has happened, by the feed of the game. An API token opens feeds for programs; here
//! the session of the page does.

use actix_web::{HttpRequest, HttpResponse, get, web};
use serde::Deserialize;
use uuid::Uuid;

use crate::visitor::Visitor;
use pippost_games::Games;
use pippost_games::viewing::view::Requester;
use pippost_http::Problem;
use pippost_http::admission::{Admitted, Following};
use pippost_http::feeds;

/// What the page has.
#[derive(Debug, Deserialize)]
pub struct NewsQuery {
    /// The id of the event that it shows.
    after: Option<String>,
    token: Option<String>,
}

/// The events after the one that the page shows, as they happen.
#[get("/games/{id}/news")]
pub async fn tell_news(
    place: Admitted<Following>,
    visitor: Visitor,
    request: HttpRequest,
    games: web::Data<Games>,
    id: web::Path<Uuid>,
    query: web::Query<NewsQuery>,
) -> Result<HttpResponse, Problem> {
    let NewsQuery { after, token } = query.into_inner();
    let after = feeds::cursor(&request, after.as_deref(), Some(*id))?.map(|id| id.seq);
    let requester = Requester { player_id: visitor.player_id(), token };
    feeds::answer_to_page(&request, place.into_permit(), &games, *id, requester, after).await
}
