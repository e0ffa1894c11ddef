//! What the page of a finished game says of its end, and the card that a link to a public game shows elsewhere.

use minijinja::{Value, context};

use super::path;
use super::words::Player;
use pippost_games::learning::{self, TurningPoint};
use pippost_games::letters::Recap;
use pippost_games::lobby::listing::{self, Balance};
use pippost_games::{GameError, GameView, Games, SeatClaim};
use pippost_language::{Arguments, Language};
use pippost_store::GameStatus;

/// The width of the picture of a shared link, in pixels.
const SHARED_PX: u32 = 1200;

/// The points of all seats, what decided, where the game was lost, and how the games of the two players went so far.
///
/// # Errors
/// The database failed.
pub async fn shown(
    games: &Games,
    view: &GameView,
    players: &[Player],
    recap: &Recap,
    claim: Option<&SeatClaim>,
    language: Language,
) -> Result<Value, GameError> {
    let Some(result) = view.result.as_ref().filter(|_| view.status == GameStatus::Finished) else {
        return Ok(context! {});
    };
    let points = result.scores.iter().flatten().zip(players);
    let points: Vec<_> =
        points.map(|(points, player)| context! { name => &player.handle, points => *points }).collect();
    let balance = match claim {
        Some(claim) => listing::balance(games, claim).await?,
        None => None,
    };
    let lost = learning::turning_points(games, view.id).await?;
    Ok(context! {
        points,
        lost => lost.iter().filter_map(|point| lost_by(point, players, language)).collect::<Vec<_>>(),
        decided => recap.decided.clone(),
        balance => balance.map(|balance| told(balance, players, language)),
    })
}

/// Where a player lost the game, in words.
fn lost_by(point: &TurningPoint, players: &[Player], language: Language) -> Option<Value> {
    let chances = Arguments::default()
        .text("player", players.get(point.seat.index())?.handle.as_str())
        .text("better", point.better.as_str())
        .text("before", percent(point.before))
        .text("after", percent(point.after));
    Some(context! { told => language.say_with("ended-lost-by", &chances), seq => point.seq.get() })
}

/// Thousandths as whole per cent.
pub(crate) fn percent(thousandths: u16) -> String {
    format!("{:.0}", f64::from(thousandths) / 10.0)
}

fn told(Balance { won, drawn, lost }: Balance, players: &[Player], language: Language) -> String {
    let other = players.iter().find(|player| !player.me).map(|player| player.handle.clone());
    let counted = Arguments::default()
        .text("other", other.unwrap_or_default())
        .number("won", won.into())
        .number("drawn", drawn.into())
        .number("lost", lost.into());
    language.say_with("ended-balance", &counted)
}

/// What other sites show of a link to a public game: its title, how it stands, and the board as everybody may see it.
pub fn card(games: &Games, view: &GameView, title: String, about: &str) -> Option<Value> {
    let picture = view
        .seq
        .map(|seq| games.address(&format!("/api/v1{}/board.png?seq={seq}&width={SHARED_PX}", path(view.id))));
    (!view.private).then(|| context! { title, about, address => &view.page, picture })
}
