//! The games of who is logged in, how many of them wait, and which is next.

use std::collections::HashMap;

use actix_web::http::StatusCode;
use actix_web::{HttpResponse, get, web};
use minijinja::{Value, context};
use serde::Deserialize;
use uuid::Uuid;

use super::form::see_other;
use super::game::path;
use super::ladders::path as ladder_path;
use super::lists::entry;
use super::narrowing::{fields, hours, kept, named};
use super::page::page;
use super::rules::newest;
use super::session::MY_GAMES;
use super::visitor::{Playing, Visitor};
use pippost_accounts::Accounts;
use pippost_games::lobby::inviting::{self, ReceivedInvitation};
use pippost_games::lobby::listing::{self, GamePage};
use pippost_games::{Games, ladders, letters, lobby, moderation};
use pippost_http::Problem;
use pippost_store::GameStatus;
use pippost_store::lists::{Filter, GamesOf, Whose};

/// Games of each kind on the page.
const MY_PAGE: u16 = 50;

/// Which of the games to show.
#[derive(Debug, Default, Deserialize)]
pub struct MyQuery {
    #[serde(default)]
    opponent: String,
    #[serde(default)]
    rules: String,
    #[serde(default)]
    pace: String,
    /// Where the next page of finished games begins.
    #[serde(default)]
    before: Option<Uuid>,
}

impl MyQuery {
    fn is_all(&self) -> bool {
        [&self.opponent, &self.rules, &self.pace].iter().all(|field| field.trim().is_empty())
    }

    /// The address of the page with these filters, and finished games from `before` on.
    fn address(&self, before: Uuid) -> String {
        let Self { opponent, rules, pace, .. } = self;
        let kept = kept(&[("opponent", opponent), ("rules", rules), ("pace", pace)]);
        format!("{MY_GAMES}?before={before}{kept}#finished")
    }

    fn filter(&self, player_id: Uuid, opponent: Option<Uuid>, status: GameStatus) -> Filter {
        let of = GamesOf { opponent, ..GamesOf::player(player_id, Some(status)) };
        let is_known = newest().iter().any(|rules| rules.name() == self.rules);
        let rules = is_known.then(|| self.rules.clone());
        let cursor = self.before.filter(|_| status == GameStatus::Finished);
        Filter { rules, hours: hours(&self.pace), cursor, ..Filter::all(Whose::Of(of)) }
    }
}

/// A player's games: first those that wait for the player, the most urgent of them first.
#[get("/my-games")]
pub async fn my_games(
    playing: Playing,
    accounts: web::Data<Accounts>,
    games: web::Data<Games>,
    query: web::Query<MyQuery>,
) -> Result<HttpResponse, Problem> {
    let Playing { visitor, account } = playing;
    let (query, player_id) = (query.into_inner(), account.player_id);
    let opponent = named(&accounts, &query.opponent).await?;
    let mine = async |status| -> Result<GamePage, Problem> {
        let filter = query.filter(player_id, opponent, status);
        Ok(lobby::list(&games, &filter, Some(player_id), MY_PAGE).await?)
    };
    let mut running = mine(GameStatus::Running).await?;
    // Without a limit last; of equal ones the older first.
    running.games.sort_by_key(|game| (!game.my_turn, game.time_left_seconds.unwrap_or(i64::MAX), game.id));
    let invitations = inviting::received(&games, player_id).await?;
    let (waiting, finished) = (mine(GameStatus::Open).await?, mine(GameStatus::Finished).await?);
    let starting = mine(GameStatus::Starting).await?;
    let my_turn = running.games.iter().filter(|game| game.my_turn).count();
    let profile = accounts.profile(player_id).await?;
    let shown = [&running, &finished].into_iter().flat_map(|page| &page.games).map(|game| game.id);
    let unread = letters::unread(&games, player_id, shown.collect()).await?;
    let since = letters::since_own_move(&games, &running.games, visitor.language).await?;
    let listed = |page: &GamePage| with_unread(page, &visitor, &unread);
    let news = listed(&running).into_iter().zip(since).map(|(game, since)| context! { since, ..game });
    let values = context! {
        my_turn,
        invitations => invitations.iter().map(|invitation| invited(invitation, &visitor)).collect::<Vec<_>>(),
        running => news.collect::<Vec<_>>(),
        waiting => [listed(&starting), listed(&waiting)].concat(),
        finished => listed(&finished),
        more => finished.next_cursor.map(|cursor| query.address(cursor)),
        unconfirmed => profile.player.email_confirmed_at.is_none() && !account.guest,
        email => &profile.player.email,
        challenges => challenges(&games, player_id).await?,
        moderated => moderation::has_unread(&games, player_id).await?,
        filtered => !query.is_all(),
        chosen_rules => &query.rules,
        kinds => newest().iter().map(|rules| context! { name => rules.name(), title => rules.title() }).collect::<Vec<_>>(),
        ..fields(&query.opponent, opponent, &query.pace, visitor.language)
    };
    page(StatusCode::OK, "my_games.html", visitor, values)
}

/// The ladders on which a challenge waits for the player's answer.
async fn challenges(games: &Games, player_id: Uuid) -> Result<Vec<Value>, Problem> {
    let waiting = ladders::waiting_for(games, player_id).await?;
    let told =
        waiting.iter().map(|rules| context! { title => rules.title(), path => ladder_path(rules.name()) });
    Ok(told.collect())
}

fn with_unread(page: &GamePage, visitor: &Visitor, unread: &HashMap<Uuid, i64>) -> Vec<Value> {
    let shown = page.games.iter().map(|game| {
        context! { unread => unread.get(&game.id), ..entry(game, visitor) }
    });
    shown.collect()
}

fn invited(invitation: &ReceivedInvitation, visitor: &Visitor) -> Value {
    context! {
        from => &invitation.from,
        token => &invitation.invitation,
        game => entry(&invitation.game, visitor),
    }
}

/// How many games wait for the player, for the title and the icon of every page.
#[get("/my-games/waiting")]
pub async fn count_waiting(playing: Playing, games: web::Data<Games>) -> Result<HttpResponse, Problem> {
    let waiting = listing::count_turns(&games, playing.account.player_id).await?;
    Ok(HttpResponse::Ok()
        .insert_header(("cache-control", "private, no-store"))
        .json(serde_json::json!({ "waiting": waiting })))
}

/// The game that waits for a player most urgently; their games if none does.
#[get("/next")]
pub async fn next_game(playing: Playing, games: web::Data<Games>) -> Result<HttpResponse, Problem> {
    let next = listing::next(&games, playing.account.player_id).await?;
    Ok(see_other(&next.map_or_else(|| MY_GAMES.to_owned(), path)))
}
