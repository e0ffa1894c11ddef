//! A game for people: the page that turn mails link to. With the token of such a link it shows what the player sees.

use actix_web::http::StatusCode;
use actix_web::{HttpResponse, get, web};
use serde::Deserialize;
use uuid::Uuid;

use super::page::{message, page};
use crate::api::Problem;
use crate::games::view::{GameView, Looker, Status};
use crate::games::{GameError, Games};
use crate::mail::words;

#[derive(Deserialize)]
pub struct LookQuery {
    token: Option<String>,
}

#[get("/games/{id}")]
pub async fn game(
    games: web::Data<Games>,
    id: web::Path<Uuid>,
    query: web::Query<LookQuery>,
) -> Result<HttpResponse, Problem> {
    let looker = Looker { player_id: None, token: query.into_inner().token };
    let view = match games.view(*id, &looker).await {
        Ok(view) => view,
        Err(GameError::NotFound) => {
            let text = "Perhaps it is private, and the link that you followed is not for it.";
            return message(StatusCode::NOT_FOUND, "There is no such game here", text);
        }
        Err(error) => return Err(error.into()),
    };
    let board = match view.status {
        Status::Running | Status::Finished => Some(games.board_text(*id, &looker, None).await?),
        Status::Open | Status::Starting | Status::Cancelled => None,
    };
    let handles = handles(&view);
    let values = minijinja::context! {
        title => &view.title,
        headline => headline(&view, &handles),
        time => time_left(&view),
        board,
        players => handles,
        id => view.id.to_string(),
        seq => view.seq,
        commitment => view.commitment.to_string(),
        token => looker.token,
        my_turn => view.my_turn,
        running => view.status == Status::Running,
        finished => view.status == Status::Finished,
    };
    page(StatusCode::OK, "game.html", values)
}

/// Handles by seat, or in joining order before the start.
fn handles(view: &GameView) -> Vec<String> {
    let mut players: Vec<_> = view.players.iter().collect();
    players.sort_by_key(|player| player.seat);
    players.into_iter().map(|player| player.handle.clone()).collect()
}

fn headline(view: &GameView, handles: &[String]) -> String {
    let name = |seat: u8| handles.get(usize::from(seat)).map_or("somebody", String::as_str);
    match (view.status, view.to_act, &view.result) {
        (Status::Open, ..) => {
            let free = usize::from(view.seats).saturating_sub(view.players.len());
            format!("Waiting for {free} more {}", if free == 1 { "player" } else { "players" })
        }
        (Status::Starting, ..) => {
            "Everybody is here: the game starts with the next public random value".to_owned()
        }
        (Status::Cancelled, ..) => "Cancelled: everybody left before it began".to_owned(),
        (Status::Running, Some(_), _) if view.my_turn => "It is your turn".to_owned(),
        (Status::Running, Some(seat), _) => format!("It is {}'s turn", name(seat)),
        (_, _, Some(result)) => {
            crate::games::outcome::sentence(result.reason, result.places.as_deref(), handles)
        }
        _ => "Running".to_owned(),
    }
}

fn time_left(view: &GameView) -> Option<String> {
    let seconds = view.time_left_seconds?;
    let deadline = view.deadline_at?.get();
    let left = words::span(time::Duration::seconds(seconds));
    Some(format!("{left} left, until {}", words::moment(deadline)))
}
