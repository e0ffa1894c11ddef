//! What narrows lists of games for people: another player by name, and the pace.

use minijinja::{Value, context};
use uuid::Uuid;

use super::page::encoded;
use pippost_accounts::{AccountError, Accounts};
use pippost_language::{Arguments, Language};
use pippost_store::lists::Hours;

/// The paces to choose from: the name, and the fewest and the most hours for a turn.
const PACES: [(&str, Option<i32>, Option<i32>); 3] =
    [("fast", None, Some(24)), ("days", Some(25), Some(7 * 24)), ("slow", Some(7 * 24 + 1), None)];

/// The hours of a pace; all of them if there is none of that name.
#[must_use]
pub fn hours(pace: &str) -> Hours {
    let found = PACES.iter().find(|(name, ..)| *name == pace);
    found.map_or_else(Hours::default, |(_, fewest, most)| Hours { fewest: *fewest, most: *most })
}

/// The player with that name; nobody's id, the id nil, if there is none.
///
/// # Errors
/// The database failed.
pub async fn named(accounts: &Accounts, name: &str) -> Result<Option<Uuid>, AccountError> {
    match name.trim() {
        "" => Ok(None),
        name => match accounts.player_named(name).await {
            Ok(player) => Ok(Some(player.id)),
            Err(AccountError::NotFound) => Ok(Some(Uuid::nil())),
            Err(error) => Err(error),
        },
    }
}

/// What the fields hold, and what is wrong with the name.
#[must_use]
pub fn fields(name: &str, found: Option<Uuid>, pace: &str, language: Language) -> Value {
    let name = name.trim();
    let unknown = || language.say_with("invite-unknown", &Arguments::default().text("handle", name));
    context! {
        opponent => name,
        unknown => found.is_some_and(|id| id.is_nil()).then(unknown),
        chosen_pace => pace,
        paces => PACES.map(|(name, ..)| name).to_vec(),
    }
}

/// Those of the parameters that have a value, as they stand in an address, each with `&` before it.
#[must_use]
pub fn kept(parameters: &[(&str, &str)]) -> String {
    let given = parameters.iter().filter(|(_, value)| !value.trim().is_empty());
    let written: Vec<String> =
        given.map(|(name, value)| format!("&{name}={}", encoded(value.trim()))).collect();
    written.concat()
}
