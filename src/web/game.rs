//! The page of a game, which turn mails link to. The link's token opens private games and selects the player's language; it shows
//! nothing that only the player may see.

use actix_web::http::StatusCode;
use actix_web::{HttpResponse, get, web};
use serde::Deserialize;
use uuid::Uuid;

use super::page::{message, page};
use super::visitor::Visitor;
use super::waiting;
use crate::accounts::Accounts;
use crate::api::Problem;
use crate::games::viewing::view::{GameView, Requester};
use crate::games::{GameError, Games, viewing};
use crate::language::{Arguments, Language, words};
use crate::store::{GameStatus, Seq};

#[derive(Deserialize)]
pub struct LookQuery {
    token: Option<String>,
}

#[get("/games/{id}")]
pub async fn game(
    games: web::Data<Games>,
    accounts: web::Data<Accounts>,
    visitor: Visitor,
    id: web::Path<Uuid>,
    query: web::Query<LookQuery>,
) -> Result<HttpResponse, Problem> {
    let requester = Requester { player_id: visitor.player_id(), token: query.into_inner().token };
    let view = match viewing::view(&games, *id, &requester).await {
        Ok(view) => view,
        Err(GameError::NotFound) => {
            let text = if requester.token.is_some() { "page-link-ended-text" } else { "page-no-game-text" };
            return message(StatusCode::NOT_FOUND, visitor, "page-no-game-title", text);
        }
        Err(error) => return Err(error.into()),
    };
    if matches!(view.status, GameStatus::Open | GameStatus::Starting | GameStatus::Cancelled) {
        return waiting::show(visitor, &view, requester.token.as_deref(), waiting::Notice::default());
    }
    let player = viewing::player_of_link(&games, *id, &requester).await?;
    let player_id = player.map(|(player_id, _)| player_id);
    if let Some(player_id) = player_id {
        accounts.presence().seen(player_id);
    }
    let my_turn = player.is_some_and(|(_, seat)| view.to_act == Some(seat.0));
    let visitor = visitor.recognised(&accounts, player_id).await?;
    let board = match view.status {
        GameStatus::Running | GameStatus::Finished => {
            Some(viewing::board_text(&games, *id, &requester, None, visitor.language).await?)
        }
        GameStatus::Open | GameStatus::Starting | GameStatus::Cancelled => None,
    };
    let handles = handles(&view);
    let values = minijinja::context! {
        title => view.title,
        headline => headline(&view, my_turn, &handles, visitor.language),
        time => time_left(&view, &visitor),
        board,
        players => handles,
        id => view.id.to_string(),
        seq => view.seq.map(Seq::get),
        commitment => view.commitment.to_string(),
        token => requester.token,
        my_turn,
        running => view.status == GameStatus::Running,
        finished => view.status == GameStatus::Finished,
    };
    page(StatusCode::OK, "game.html", visitor, values)
}

/// Handles by seat, or in joining order before the start.
fn handles(view: &GameView) -> Vec<String> {
    let mut players: Vec<_> = view.players.iter().collect();
    players.sort_by_key(|player| player.seat);
    players.into_iter().map(|player| player.handle.clone()).collect()
}

fn headline(view: &GameView, my_turn: bool, handles: &[String], language: Language) -> String {
    let name = |seat: u8| handles.get(usize::from(seat)).cloned().unwrap_or_else(|| language.say("somebody"));
    match (view.status, view.to_act, &view.result) {
        (GameStatus::Open, ..) => {
            let free = usize::from(view.seats).saturating_sub(view.players.len());
            let free = i64::try_from(free).unwrap_or(i64::MAX);
            language.say_with("page-waiting", &Arguments::default().number("free", free))
        }
        (GameStatus::Cancelled, ..) => language.say("page-cancelled"),
        (GameStatus::Running, Some(_), _) if my_turn => language.say("page-your-turn"),
        (GameStatus::Running, Some(seat), _) => {
            language.say_with("page-turn-of", &Arguments::default().text("player", name(seat)))
        }
        (GameStatus::Starting, ..) => language.say("page-starting"),
        (_, _, Some(result)) => {
            let places = result.places.as_deref();
            crate::games::letters::outcome::sentence(result.reason, places, handles, language)
        }
        _ => language.say("page-running"),
    }
}

fn time_left(view: &GameView, visitor: &Visitor) -> Option<String> {
    let seconds = view.time_left_seconds?;
    let deadline = words::date_time(view.deadline_at?.get(), &visitor.zone, visitor.language);
    let left = words::span(time::Duration::seconds(seconds), visitor.language);
    let arguments = Arguments::default().text("left", left).text("deadline", deadline);
    Some(visitor.language.say_with("page-time-left", &arguments))
}
