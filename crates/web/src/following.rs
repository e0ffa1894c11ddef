//! Whom the reader follows and which games the reader has marked: the page of both, and the buttons on profiles and on pages of games.

use actix_web::http::StatusCode;
use actix_web::{HttpResponse, get, post, web};
use minijinja::context;
use serde::Deserialize;
use uuid::Uuid;

use super::form::{Posted, see_other};
use super::game::path;
use super::lists::listed;
use super::page::{message, page};
use super::visitor::{SignedIn, Visitor};
use pippost_accounts::Accounts;
use pippost_games::following::{self, MAX_FAVOURITES, MAX_FOLLOWED, NEWLY_FINISHED};
use pippost_games::lobby::listing::{GamePage, MAX_PAGE};
use pippost_games::{GameError, Games, lobby};
use pippost_http::Problem;
use pippost_language::words;
use pippost_store::lists::{Filter, Whose};

/// The page of whom the reader follows.
const FOLLOWING: &str = "/following";

/// The games of those whom the reader follows, the reader's favourites, and whom the reader follows.
#[get("/following")]
pub async fn show_following(signed_in: SignedIn, games: web::Data<Games>) -> Result<HttpResponse, Problem> {
    let SignedIn { visitor, account } = signed_in;
    let among = async |game_ids| -> Result<GamePage, GameError> {
        let filter = Filter::all(Whose::Among { game_ids });
        lobby::list(&games, &filter, Some(account.player_id), MAX_PAGE).await
    };
    let followed = following::followed(&games, account.player_id).await?;
    let of_followed = among(following::of_followed(&games, account.player_id).await?).await?;
    let favourites = among(following::favourites(&games, account.player_id).await?).await?;
    let since = |at| words::date(visitor.zone.day(at), visitor.language);
    let players: Vec<_> = followed
        .iter()
        .map(|player| context! { handle => &player.handle, since => since(player.since) })
        .collect();
    let values = context! {
        players,
        list => listed(&of_followed, &visitor),
        favourites => listed(&favourites, &visitor),
        days => NEWLY_FINISHED.whole_days(),
        most_players => MAX_FOLLOWED,
        most_games => MAX_FAVOURITES,
    };
    page(StatusCode::OK, "following.html", visitor, values)
}

/// What a button changes, and whether it leads back to the page of the list.
#[derive(Debug, Deserialize)]
pub struct MarkForm {
    #[serde(default)]
    on: String,
    #[serde(default)]
    from_list: String,
}

impl MarkForm {
    fn is_on(&self) -> bool {
        self.on == "yes"
    }

    /// The page to go on to.
    fn back(&self, here: &str) -> HttpResponse {
        see_other(if self.from_list.is_empty() { here } else { FOLLOWING })
    }
}

/// Follows a player, or follows them no more.
#[post("/players/{handle}/follow")]
pub async fn follow(
    signed_in: SignedIn,
    accounts: web::Data<Accounts>,
    games: web::Data<Games>,
    handle: web::Path<String>,
    form: Posted<MarkForm>,
) -> Result<HttpResponse, Problem> {
    let (form, player_id) = (form.into_inner(), signed_in.account.player_id);
    let followed = accounts.player_named(&handle).await?;
    let done = if form.is_on() {
        following::follow(&games, player_id, followed.id).await
    } else {
        following::unfollow(&games, player_id, followed.id).await
    };
    answer(done, signed_in.visitor, &form, &format!("/players/{}", followed.handle))
}

/// Marks a game, or takes the mark away.
#[post("/games/{id}/favourite")]
pub async fn mark(
    signed_in: SignedIn,
    games: web::Data<Games>,
    id: web::Path<Uuid>,
    form: Posted<MarkForm>,
) -> Result<HttpResponse, Problem> {
    let (form, player_id) = (form.into_inner(), signed_in.account.player_id);
    let done = if form.is_on() {
        following::mark(&games, player_id, *id).await
    } else {
        following::unmark(&games, player_id, *id).await
    };
    answer(done, signed_in.visitor, &form, &path(*id))
}

fn answer(
    done: Result<(), GameError>,
    visitor: Visitor,
    form: &MarkForm,
    here: &str,
) -> Result<HttpResponse, Problem> {
    match done {
        Ok(()) => Ok(form.back(here)),
        Err(GameError::TooManyMarked { .. }) => {
            message(StatusCode::CONFLICT, visitor, "following-full-title", "following-full-text")
        }
        Err(error) => Err(error.into()),
    }
}
