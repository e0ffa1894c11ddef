//! A search for players and games by the first letters of their names and titles, and for games by their address or the player's own
//! number.

use actix_web::http::StatusCode;
use actix_web::{HttpResponse, get, web};
use minijinja::context;
use serde::Deserialize;
use uuid::Uuid;

use super::form::see_other;
use super::game::path;
use super::lists::entry;
use super::page::page;
use super::visitor::Visitor;
use pippost_accounts::{Accounts, MAX_HANDLE_CHARS};
use pippost_games::Games;
use pippost_games::lobby::listing;
use pippost_http::Problem;

#[derive(Debug, Default, Deserialize)]
pub struct SearchQuery {
    #[serde(default)]
    q: String,
}

/// The most characters of a search that are shown again: an address of a game is not longer.
const MAX_SHOWN: usize = 100;

#[get("/search")]
pub async fn search(
    visitor: Visitor,
    accounts: web::Data<Accounts>,
    games: web::Data<Games>,
    query: web::Query<SearchQuery>,
) -> Result<HttpResponse, Problem> {
    let wanted: String = query.q.trim().chars().take(MAX_SHOWN).collect();
    // The address of a game is found by its id, wherever that stands.
    if let Some(id) = wanted.split(['/', '?', '#']).find_map(|part| Uuid::try_parse(part).ok()) {
        return Ok(see_other(&path(id)));
    }
    let number = wanted.strip_prefix('#').unwrap_or(&wanted).parse::<i32>().ok();
    if let (Some(number), Some(player_id)) = (number, visitor.player_id())
        && let Some(id) = listing::numbered(&games, player_id, number).await?
    {
        return Ok(see_other(&path(id)));
    }
    let beginning = wanted.to_ascii_lowercase();
    let players =
        if is_beginning(&beginning) { accounts.beginning_with(&beginning).await? } else { Vec::new() };
    let titled = match wanted.as_str() {
        text if text.is_empty() || text.contains(char::is_control) => Vec::new(),
        text => listing::titled(&games, visitor.player_id(), text).await?,
    };
    let titled: Vec<_> = titled.iter().map(|game| entry(game, &visitor)).collect();
    page(StatusCode::OK, "search.html", visitor, context! { wanted, players, titled })
}

/// Whether a handle can begin with it.
fn is_beginning(text: &str) -> bool {
    let fits = (1..=MAX_HANDLE_CHARS).contains(&text.len());
    fits && text
        .bytes()
        .all(|byte| byte.is_ascii_lowercase() || byte.is_ascii_digit() || b"_-".contains(&byte))
}
