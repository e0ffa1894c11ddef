//! The front page, and the pages about the server and for programs.

use actix_web::http::StatusCode;
use actix_web::{HttpResponse, get, web};
use minijinja::context;

use super::branding::TextKind;
use super::form::see_other;
use super::lists::front;
use super::own_text::OwnText;
use super::page::page;
use super::session::MY_GAMES;
use super::visitor::Visitor;
use pippost_accounts::{Accounts, MAX_OPEN_GAMES, MAX_PERSONAL_TOKENS};
use pippost_clock::control::MAX_LIMIT_HOURS;
use pippost_games::Games;
use pippost_games::figures::KnownFigures;
use pippost_games::lobby::inviting::MAX_INVITATIONS;
use pippost_games::playing::length::MAX_EVENTS;
use pippost_games::week::KnownWeek;
use pippost_http::Problem;
use pippost_http::issuer::Issuer;

/// What this is, in one look; for players their games.
#[get("/")]
pub async fn home(
    visitor: Visitor,
    games: web::Data<Games>,
    week: web::Data<KnownWeek>,
) -> Result<HttpResponse, Problem> {
    if visitor.account.is_some() {
        return Ok(see_other(MY_GAMES));
    }
    let values = front(&games, &week, &visitor).await?;
    let welcome = visitor.site.branding().text(TextKind::Welcome, visitor.language).map(OwnText::html);
    page(StatusCode::OK, "home.html", visitor.with_form_to_play(), context! { welcome, ..values })
}

/// The server: its keys, its figures and its limits.
#[get("/about")]
pub async fn about(
    visitor: Visitor,
    accounts: web::Data<Accounts>,
    games: web::Data<Games>,
    known: web::Data<KnownFigures>,
) -> Result<HttpResponse, Problem> {
    let keys = accounts.public_keys().await;
    let figures = known.of(&games).await?;
    let values = context! {
        keys => keys.iter().map(|key| context! { id => &key.kid, x => &key.x }).collect::<Vec<_>>(),
        running => figures.running,
        finished => figures.finished,
        players => figures.players,
        version => env!("CARGO_PKG_VERSION"),
        open_games => MAX_OPEN_GAMES,
        invitations => MAX_INVITATIONS,
        events => MAX_EVENTS,
        limit_days => MAX_LIMIT_HOURS / 24,
        tokens => MAX_PERSONAL_TOKENS,
    };
    page(StatusCode::OK, "about.html", visitor, values)
}

/// How programs play.
#[get("/api")]
pub async fn api(visitor: Visitor, issuer: web::Data<Issuer>) -> Result<HttpResponse, Problem> {
    let command =
        format!("curl -H \"Authorization: Bearer $TOKEN\" \"{}/api/v1/games?list=my_turn\"", issuer.as_str());
    page(StatusCode::OK, "api.html", visitor, context! { command })
}
