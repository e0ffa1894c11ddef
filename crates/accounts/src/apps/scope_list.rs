//! The `scope` parameter of OAuth: names of scopes, and perhaps `game:` with the id of the only game.

use std::fmt;

use uuid::Uuid;

use super::{OAuthCode, OAuthError};
use crate::{Scope, Scopes};

/// The prefix of the game that a token is limited to.
const GAME: &str = "game:";

/// What an app asks for, or has.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ScopeList {
    pub scopes: Scopes,
    /// The only game that it is for.
    pub game_id: Option<Uuid>,
}

impl ScopeList {
    /// Reads the value of `scope`.
    ///
    /// # Errors
    /// [`OAuthCode::InvalidScope`]: an unknown or empty list, `account`, two games, or for one game a scope that allows nothing there.
    pub fn read(text: &str) -> Result<Self, OAuthError> {
        let invalid = |why| OAuthError::new(OAuthCode::InvalidScope, why);
        let (mut scopes, mut game_id) = (Vec::new(), None);
        for part in text.split(' ').filter(|part| !part.is_empty()) {
            if let Some(id) = part.strip_prefix(GAME) {
                let id = Uuid::try_parse(id).map_err(|_| invalid("game: needs the id of a game"))?;
                if game_id.replace(id).is_some() {
                    return Err(invalid("one game at most"));
                }
                continue;
            }
            let known = Scope::of_tokens().find(|scope| scope.as_str() == part);
            scopes.push(known.ok_or(invalid("a scope is not known; the metadata list all"))?);
        }
        if scopes.is_empty() {
            return Err(invalid("at least one scope is needed"));
        }
        if game_id.is_some() && !scopes.iter().all(|scope| scope.is_of_a_game()) {
            return Err(invalid("a scope allows nothing in a single game"));
        }
        Ok(Self { scopes: scopes.into_iter().collect(), game_id })
    }
}

/// As in the parameter.
impl fmt::Display for ScopeList {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str(&self.scopes.names().join(" "))?;
        match self.game_id {
            Some(game_id) => write!(out, " {GAME}{game_id}"),
            None => Ok(()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const ID: &str = "01a1fe2a-89df-7515-9c5d-9fde96828ff2";

    #[test]
    fn scopes_are_read_in_any_order_and_written_in_one() {
        for (text, written) in [
            ("play read", "read play".to_owned()),
            ("read read", "read".to_owned()),
            ("mail", "mail".to_owned()),
            (&format!("game:{ID} manage  play"), format!("play manage game:{ID}")),
        ] {
            assert_eq!(ScopeList::read(text).expect("scopes").to_string(), written);
        }
    }

    #[test]
    fn what_no_token_can_have_is_refused() {
        let (twice, mail) = (format!("read game:{ID} game:{ID}"), format!("read mail game:{ID}"));
        let only = format!("game:{ID}");
        for text in
            ["", " ", "account", "read account", "READ", "read,play", "read game:x", &twice, &mail, &only]
        {
            let refused = ScopeList::read(text).expect_err(text);
            assert_eq!(refused.code, OAuthCode::InvalidScope, "{text}");
        }
    }
}
