//! Reads the query of a game's page: the link's token, and what has been chosen so far.

use crate::page::encoded;
use pippost_games::viewing::picking::{Choice, MAX_PICKS};

/// The longest name of a target that is read, in bytes.
pub(super) const MAX_TARGET_BYTES: usize = 16;

/// The longest notation that is read, in bytes.
pub(super) const MAX_NOTATION_BYTES: usize = 256;

/// The query of a game's page.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Query {
    pub token: Option<String>,
    pub choice: Choice,
}

impl Query {
    /// Reads a query; what it does not know it leaves out.
    #[must_use]
    pub fn read(query: &str) -> Self {
        let pairs: Vec<(String, String)> = serde_urlencoded::from_str(query).unwrap_or_default();
        let (mut token, mut picks, mut notation) = (None, Vec::new(), None);
        for (name, value) in pairs {
            match name.as_str() {
                "token" => token = Some(value),
                "pick" if picks.len() < MAX_PICKS && value.len() <= MAX_TARGET_BYTES => picks.push(value),
                "say" if value.len() <= MAX_NOTATION_BYTES && !value.trim().is_empty() => {
                    notation = Some(value);
                }
                _ => {}
            }
        }
        let choice = notation.map_or(Choice::Picks(picks), Choice::Notation);
        Self { token, choice }
    }
}

/// The address of the page with these picks.
#[must_use]
pub fn address(path: &str, token: Option<&str>, picks: &[String]) -> String {
    let mut address = path.to_owned();
    let mut joint = '?';
    let pairs = token.map(|token| ("token", token)).into_iter();
    for (name, value) in pairs.chain(picks.iter().map(|pick| ("pick", pick.as_str()))) {
        address.push(joint);
        address.push_str(name);
        address.push('=');
        address.push_str(&encoded(value));
        joint = '&';
    }
    address
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn picks_are_read_in_their_order_and_written_back() {
        let read = Query::read("pick=c6&token=a%2Bb&pick=4n1&more=1");
        let picks = vec!["c6".to_owned(), "4n1".to_owned()];
        assert_eq!(read, Query { token: Some("a+b".into()), choice: Choice::Picks(picks.clone()) });
        assert_eq!(address("/games/1", Some("a+b"), &picks), "/games/1?token=a%2Bb&pick=c6&pick=4n1");
        assert_eq!(address("/games/1", None, &[]), "/games/1");
    }

    #[test]
    fn notation_goes_before_picks_and_nothing_is_read_without_bound() {
        assert_eq!(Query::read("say=c6+n1&pick=a").choice, Choice::Notation("c6 n1".into()));
        assert_eq!(Query::read("say=+").choice, Choice::Picks(vec![]));
        let long = format!("pick={}&say={}", "x".repeat(99), "y".repeat(999));
        assert_eq!(Query::read(&long).choice, Choice::Picks(vec![]));
        let Choice::Picks(picks) = Query::read(&"pick=a&".repeat(500)).choice else { panic!("picks") };
        assert_eq!(picks.len(), MAX_PICKS);
    }
}
