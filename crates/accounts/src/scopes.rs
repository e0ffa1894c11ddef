//! The scopes of tokens.

use std::fmt;

/// One kind of operation that a token may allow.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Scope {
    /// Reading what the player may see.
    Read,
    /// Joining and leaving games, moving, resigning, messages.
    Play,
    /// Creating games, inviting to them, aborting them.
    Manage,
    /// Choosing how to be told by mail.
    Mail,
    /// Having programs told of games by webhooks.
    Webhooks,
    /// Managing the account. Only sessions have this scope.
    Account,
}

impl Scope {
    /// All scopes.
    pub const ALL: [Self; 6] =
        [Self::Read, Self::Play, Self::Manage, Self::Mail, Self::Webhooks, Self::Account];

    /// The scopes of personal tokens and of apps.
    pub const OF_TOKENS: [Self; 5] = [Self::Read, Self::Play, Self::Manage, Self::Mail, Self::Webhooks];

    /// The name in tokens and in the database.
    #[must_use]
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Read => "read",
            Self::Play => "play",
            Self::Manage => "manage",
            Self::Mail => "mail",
            Self::Webhooks => "webhooks",
            Self::Account => "account",
        }
    }

    /// Whether a token that is limited to one game may have the scope: there is something in a single game that it allows.
    #[must_use]
    pub fn is_of_a_game(self) -> bool {
        matches!(self, Self::Read | Self::Play | Self::Manage)
    }

    fn bit(self) -> u8 {
        1 << self as u8
    }
}

/// A set of scopes.
#[derive(Clone, Copy, PartialEq, Eq, Default)]
pub struct Scopes(u8);

impl Scopes {
    /// The scopes of a session: all.
    #[must_use]
    pub fn all() -> Self {
        Scope::ALL.into_iter().collect()
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
        Scope::ALL.into_iter().filter(move |scope| self.contains(*scope))
    }

    /// The scopes with these names; unknown names are ignored.
    #[must_use]
    pub fn from_names<'a>(names: impl IntoIterator<Item = &'a str>) -> Self {
        let known = |name: &str| Scope::ALL.into_iter().find(|scope| scope.as_str() == name);
        names.into_iter().filter_map(known).collect()
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
