//! The scopes of tokens.

use std::fmt;

use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

/// Who may have a scope.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Holders {
    /// Tokens, also those for one game: there is something in a single game that it allows.
    TokensOfAGame,
    /// Tokens for all games.
    Tokens,
    Sessions,
}

/// Calls the macro `$with` with all scopes: what each allows, its name in tokens and in the database, who may have it, and the extractor
/// of the API that asks for it.
#[macro_export]
macro_rules! each_scope {
    ($with:ident) => {
        $with! {
            /// Reading what the player may see.
            Read = "read", TokensOfAGame, Reader;
            /// Joining and leaving games, moving, resigning, messages.
            Play = "play", TokensOfAGame, Participant;
            /// Creating games, inviting to them, aborting them.
            Manage = "manage", TokensOfAGame, Manager;
            /// Choosing how the player is told by mail.
            Mail = "mail", Tokens, Correspondent;
            /// Having programs told of the player's games by webhooks.
            Webhooks = "webhooks", Tokens, WebhookManager;
            /// Managing the account.
            #[serde(skip)]
            Account = "account", Sessions, Owner;
        }
    };
}

macro_rules! scopes {
    ($(
        #[doc = $says:literal] $(#[$serde:meta])? $name:ident = $text:literal, $holders:ident, $extractor:ident;
    )+) => {
        /// A kind of operation that a personal token or an app may be allowed.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, ToSchema)]
        #[serde(rename_all = "snake_case")]
        #[schema(as = TokenScope)]
        pub enum Scope {
            $(#[doc = $says] $(#[$serde])? $name),+
        }

        impl Scope {
            /// All scopes.
            pub const ALL: &[Self] = &[$(Self::$name),+];

            /// The name in tokens and in the database.
            #[must_use]
            pub const fn as_str(self) -> &'static str {
                match self { $(Self::$name => $text),+ }
            }

            /// What it allows, in a sentence.
            #[must_use]
            pub fn says(self) -> &'static str {
                match self { $(Self::$name => $says.trim_ascii_start()),+ }
            }

            const fn holders(self) -> Holders {
                match self { $(Self::$name => Holders::$holders),+ }
            }
        }
    };
}

each_scope!(scopes);

impl Scope {
    /// The scopes that personal tokens and apps may have.
    pub fn of_tokens() -> impl Iterator<Item = Self> {
        Self::ALL.iter().copied().filter(|scope| scope.holders() != Holders::Sessions)
    }

    /// The scopes that a token may have which is limited to one game.
    pub fn of_a_game() -> impl Iterator<Item = Self> {
        Self::ALL.iter().copied().filter(|scope| scope.is_of_a_game())
    }

    /// Whether a token that is limited to one game may have the scope.
    #[must_use]
    pub fn is_of_a_game(self) -> bool {
        self.holders() == Holders::TokensOfAGame
    }

    /// The scope of this name.
    #[must_use]
    pub fn named(name: &str) -> Option<Self> {
        Self::ALL.iter().copied().find(|scope| scope.as_str() == name)
    }

    fn bit(self) -> u8 {
        1 << self as u8
    }
}

impl fmt::Display for Scope {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str(self.as_str())
    }
}

/// A set of scopes.
#[derive(Clone, Copy, PartialEq, Eq, Default)]
pub struct Scopes(u8);

impl Scopes {
    /// The scopes of a session: all.
    #[must_use]
    pub fn all() -> Self {
        Scope::ALL.iter().copied().collect()
    }

    #[must_use]
    pub fn contains(self, scope: Scope) -> bool {
        self.0 & scope.bit() != 0
    }

    #[must_use]
    pub fn is_empty(self) -> bool {
        self.0 == 0
    }

    /// The names of the scopes, in a fixed order.
    #[must_use]
    pub fn names(self) -> Vec<String> {
        self.iter().map(|scope| scope.as_str().to_owned()).collect()
    }

    /// The scopes in a fixed order.
    pub fn iter(self) -> impl Iterator<Item = Scope> {
        Scope::ALL.iter().copied().filter(move |scope| self.contains(*scope))
    }

    /// The scopes with these names; unknown names are ignored.
    #[must_use]
    pub fn from_names<'a>(names: impl IntoIterator<Item = &'a str>) -> Self {
        names.into_iter().filter_map(Scope::named).collect()
    }
}

impl FromIterator<Scope> for Scopes {
    fn from_iter<I: IntoIterator<Item = Scope>>(scopes: I) -> Self {
        Self(scopes.into_iter().fold(0, |set, scope| set | scope.bit()))
    }
}

impl fmt::Debug for Scopes {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.debug_set().entries(self.iter()).finish()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_set_holds_what_was_put_in() {
        let set = Scopes::from_names(["play", "nonsense", "play"]);
        assert!(set.contains(Scope::Play));
        assert!(!set.contains(Scope::Read) && !set.contains(Scope::Account));
        assert_eq!(set.iter().collect::<Vec<_>>(), [Scope::Play]);
        assert!(Scopes::from_names([]).is_empty());
        assert_eq!(Scopes::all().iter().collect::<Vec<_>>(), Scope::ALL);
    }
}
