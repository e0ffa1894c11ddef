//! All moves of a game in words beside its board: the page to read it through, and to print.

use actix_web::http::StatusCode;
use actix_web::{HttpResponse, get, web};
use minijinja::{Value, context};
use uuid::Uuid;

use super::{path, words};
use crate::page::{encoded, message, page};
use crate::visitor::Visitor;
use pippost_games::viewing::view::Requester;
use pippost_games::{At, GameError, Games, history, viewing};
use pippost_http::Problem;
use pippost_http::admission::{Admitted, Replaying};
use pippost_language::words::date_time;
use pippost_record::board;
use pippost_store::Seq;
use serde::Deserialize;

/// Where the page begins.
#[derive(Debug, Deserialize)]
pub struct MovesQuery {
    #[serde(default)]
    from: u64,
    token: Option<String>,
}

#[get("/games/{id}/moves")]
pub async fn show_moves(
    _place: Admitted<Replaying>,
    visitor: Visitor,
    games: web::Data<Games>,
    id: web::Path<Uuid>,
    query: web::Query<MovesQuery>,
) -> Result<HttpResponse, Problem> {
    let MovesQuery { from, token } = query.into_inner();
    let requester = Requester { player_id: visitor.player_id(), token };
    match shown(&games, &visitor, *id, from.into(), &requester).await {
        Ok(values) => page(StatusCode::OK, "moves.html", visitor, values),
        Err(GameError::NotFound | GameError::NotStarted) => {
            message(StatusCode::NOT_FOUND, visitor, "page-no-game-title", "page-no-game-text")
        }
        Err(error) => Err(error.into()),
    }
}

async fn shown(
    games: &Games,
    visitor: &Visitor,
    id: Uuid,
    from: Seq,
    requester: &Requester,
) -> Result<Value, GameError> {
    let language = visitor.language;
    let view = viewing::view(games, id, requester).await?;
    let told = history::told(games, id, requester, from, language).await?;
    let picture = viewing::drawing(games, id, requester, At::Now, language).await?.picture;
    let players = words::players(&view);
    let token = requester.token.as_deref().map(|token| format!("&token={}", encoded(token)));
    let token = token.unwrap_or_default();
    let address = |page: &str, name: &str, seq: Seq| format!("{}/{page}?{name}={seq}{token}", path(id));
    let moves = told.events.iter().filter(|(_, sentences)| !sentences.is_empty());
    let moves = moves.map(|(seq, sentences)| {
        context! { sentences => sentences.clone(), see => address("replay", "seq", *seq) }
    });
    let seq = view.seq.map_or(0, Seq::get);
    let others = view.players.iter().filter(|player| {
        visitor.registered().is_some_and(|own| !own.handle.eq_ignore_ascii_case(&player.handle))
    });
    let reports = others.map(|player| {
        let report = format!("/report?game={id}&seq={seq}&player={}", encoded(&player.handle));
        context! { handle => &player.handle, report }
    });
    Ok(context! {
        id => id.to_string(),
        reports => reports.collect::<Vec<_>>(),
        title => view.title,
        game_title => &view.game_title,
        names => words::names(&players),
        headline => words::headline(&view, view.my_turn, &players, language),
        began => view.started_at.map(|at| date_time(at.get(), &visitor.zone, language)),
        token => requester.token.clone(),
        moves => moves.collect::<Vec<_>>(),
        more => told.next.map(|next| address("moves", "from", next)),
        earlier => (from > Seq::START).then(|| address("moves", "from", Seq::START)),
        shapes => board::shapes(&picture),
        board_height => picture.height,
        board_title => &picture.title,
        board_description => &picture.description,
    })
}
