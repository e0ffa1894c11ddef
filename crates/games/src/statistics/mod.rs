//! Figures that follow from ratings and from games that are over: how likely those who sit in a game are to win it, how the games of a
//! rule set go, and how a player's went. All are made when somebody looks, of a bounded number of games.

mod chances;
mod players;
mod rule_sets;

pub use chances::{Prospect, Prospects, prospects};
pub use players::{
    Best, MAX_GAMES as MAX_GAMES_OF_PLAYER, MAX_GAMES_READ, Opponent, PlayerFigures, of_player,
};
pub use rule_sets::{
    KnownRuleSets, MAX_GAMES as MAX_GAMES_OF_RULES, Quartiles, RuleSetFigures, TableFigures,
};

use pippost_record::record::GameResult;
use pippost_store::lists::ListedRow;

/// The places of a finished game by seat; `None` after an abort.
fn places(row: &ListedRow) -> Option<Vec<u8>> {
    let result: GameResult = serde_json::from_str(row.game.result.as_deref()?).ok()?;
    result.places
}

/// How many seats have the first place.
fn firsts(places: &[u8]) -> usize {
    places.iter().filter(|place| u32::from(**place) == 1).count()
}
