//! Feeds of a game, and of all games of a player.

use actix_web::{HttpRequest, HttpResponse, get, web};
use uuid::Uuid;

use crate::access::{MaybeReader, Reader};
use crate::declared_headers::LastEventIdHeader;
use crate::games::refusals::FeedProblems;
use pippost_games::Games;
use pippost_games::viewing::view::Requester;
use pippost_http::Problem;
use pippost_http::admission::{Admitted, Following};
use pippost_http::feeds::{
    FeedPage, FeedQuery, FeedText, MyFeedPage, MyFeedQuery, MyFeedText, answer, answer_mine, cursor,
};

/// Follows a game: its events after a cursor, in order and each once, and then what happens.
///
/// `Accept` chooses the form. `application/json` is a page; with `wait` it comes when there is something on it.
/// `application/x-ndjson` and `text/event-stream` are streams until the game is over, for 10 minutes at most; then ask again
/// after the last `id` that you have. A stream of a game that is over, after its last event, is 204: do not ask again.
///
/// The game need not have started. Events are public; what only you may see is in the snapshots.
#[utoipa::path(tag = "history", security((), ("token" = [MaybeReader::SCOPE])), params(("id" = Uuid, Path), FeedQuery, LastEventIdHeader), responses(
    (status = 200, description = "What is new.", content(
        (FeedPage = "application/json"),
        (inline(FeedText) = "application/x-ndjson"),
        (inline(FeedText) = "text/event-stream"),
    )),
    (status = 204, description = "For streams: the game is over, and you have its last event."),
    FeedProblems,
))]
#[get("/games/{id}/feed")]
pub async fn follow_game(
    place: Admitted<Following>,
    request: HttpRequest,
    account: MaybeReader,
    games: web::Data<Games>,
    id: web::Path<Uuid>,
    query: web::Query<FeedQuery>,
) -> Result<HttpResponse, Problem> {
    let query = query.into_inner();
    let after = cursor(&request, query.after.as_deref(), Some(*id))?.map(|id| id.seq);
    let requester = Requester { player_id: account.player_id(), token: query.token.clone().map(Into::into) };
    answer(&request, place.into_permit(), &games, *id, requester, after, &query).await
}

/// Follows all your games at once: their events after a cursor, each once and those of each game in order, and then what happens.
///
/// The order of events of different games is that in which they became known to your feed, and stays as it is.
#[utoipa::path(tag = "history", security(("token" = [Reader::SCOPE])), params(MyFeedQuery, LastEventIdHeader), responses(
    (status = 200, description = "What is new.", content(
        (MyFeedPage = "application/json"),
        (inline(MyFeedText) = "application/x-ndjson"),
        (inline(MyFeedText) = "text/event-stream"),
    )),
    FeedProblems,
))]
#[get("/me/feed")]
pub async fn follow_my_games(
    place: Admitted<Following>,
    request: HttpRequest,
    account: Reader,
    games: web::Data<Games>,
    query: web::Query<MyFeedQuery>,
) -> Result<HttpResponse, Problem> {
    answer_mine(&request, place.into_permit(), &games, account.player_id, &query).await
}
