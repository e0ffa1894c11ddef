//! A game's past: any moment by its own address, and the part that changes for the page's script.

use actix_web::http::StatusCode;
use actix_web::{HttpResponse, get, web};
use minijinja::value::Serde;
use minijinja::{Value, context};
use serde::Deserialize;
use uuid::Uuid;

use super::table::drawn;
use super::{ended, path, words};
use crate::page::{encoded, message, page};
use crate::visitor::Visitor;
use pippost_games::history::moment::Moment;
use pippost_games::viewing::view::Requester;
use pippost_games::{At, GameError, Games, history, viewing};
use pippost_http::Problem;
use pippost_http::admission::{Admitted, Replaying};
use pippost_language::words::date_time;
use pippost_store::Seq;

/// Which moment.
#[derive(Debug, Deserialize)]
pub struct MomentQuery {
    seq: Option<u64>,
    turn: Option<u64>,
    token: Option<String>,
}

impl MomentQuery {
    fn at(&self) -> At {
        match (self.turn, self.seq) {
            (Some(turn), _) => At::Turn(turn.into()),
            (None, seq) => seq.map(Seq::from).into(),
        }
    }
}

#[get("/games/{id}/replay")]
pub async fn show_replay(
    _place: Admitted<Replaying>,
    visitor: Visitor,
    games: web::Data<Games>,
    id: web::Path<Uuid>,
    query: web::Query<MomentQuery>,
) -> Result<HttpResponse, Problem> {
    show(&games, visitor, *id, query.into_inner(), "replay.html").await
}

#[get("/games/{id}/replay/moment")]
pub async fn show_moment(
    _place: Admitted<Replaying>,
    visitor: Visitor,
    games: web::Data<Games>,
    id: web::Path<Uuid>,
    query: web::Query<MomentQuery>,
) -> Result<HttpResponse, Problem> {
    show(&games, visitor, *id, query.into_inner(), "replay_moment.html").await
}

async fn show(
    games: &Games,
    visitor: Visitor,
    id: Uuid,
    query: MomentQuery,
    template: &str,
) -> Result<HttpResponse, Problem> {
    let at = query.at();
    let requester = Requester { player_id: visitor.player_id(), token: query.token };
    let shown = async {
        let view = viewing::view(games, id, &requester).await?;
        let moment = history::moment(games, id, &requester, at, visitor.language).await?;
        Ok::<_, GameError>((view, moment))
    };
    let (view, moment) = match shown.await {
        Ok(shown) => shown,
        Err(GameError::NotFound | GameError::NotStarted) => {
            return message(StatusCode::NOT_FOUND, visitor, "page-no-game-title", "page-no-game-text");
        }
        Err(GameError::NoSuchPosition { .. }) => {
            return message(StatusCode::NOT_FOUND, visitor, "replay-none-title", "replay-none-text");
        }
        Err(error) => return Err(error.into()),
    };
    let players = words::players(&view);
    let headline = words::headline(&view, view.my_turn, &players, visitor.language);
    let names = words::names(&players);
    let values = context! {
        id => id.to_string(),
        title => view.title,
        game_title => &view.game_title,
        shared => ended::card(games, &view, words::heading(&view, &names), &headline),
        names,
        players => Value::from(Serde(&players)),
        headline,
        running => view.result.is_none(),
        token => requester.token.clone(),
        ..told(&moment, &visitor, id, requester.token.as_deref())
    };
    page(StatusCode::OK, template, visitor, values)
}

fn told(moment: &Moment, visitor: &Visitor, id: Uuid, token: Option<&str>) -> Value {
    let (seq, newest, turn) = (moment.seq.get(), moment.newest.get(), moment.turn.get());
    let token = token.map(|token| format!("&token={}", encoded(token))).unwrap_or_default();
    let address = |what: &str, number: u64| format!("{}/replay?{what}={number}{token}", path(id));
    context! {
        seq,
        newest,
        turn,
        at => date_time(moment.at.get(), &visitor.zone, visitor.language),
        told => moment.told.clone(),
        analysis => moment.public.then(|| format!("{}/analysis?seq={seq}{token}", path(id))),
        here => address("seq", seq),
        first => address("seq", 0),
        last => address("seq", newest),
        previous => (seq > 0).then(|| address("seq", seq - 1)),
        following => (seq < newest).then(|| address("seq", seq + 1)),
        turn_before => (seq > 0).then(|| address("turn", turn.saturating_sub(1))),
        turn_after => (seq < newest).then(|| address("turn", turn + 1)),
        ..drawn(&moment.picture, &moment.board_text, &moment.parts)
    }
}
