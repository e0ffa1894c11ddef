//! Requests of a mail that are no moves: a new game, an invitation, a pause, a holiday, a note.

mod carrying_out;
mod dates;

use pippost_accounts::Handle;
use pippost_record::rules::{self, RuleSet};
use serde_json::{Map, Value};

/// The most names in one request to invite.
const MAX_INVITED: usize = 8;

/// The most words of a rule set's name with the number of players.
const MAX_WORDS_OF_GAME: usize = 4;

/// The most options in one request for a game.
const MAX_OPTIONS: usize = 8;

/// What a line asks for. What it names is known to be possible at some time, not that it is now.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Request {
    /// Opens a game, for so many players and with the options that the line names.
    New {
        rules: String,
        seats: Option<u8>,
        options: Map<String, Value>,
    },
    /// Joins the game of an invitation, or the oldest open one of a rule set.
    Join {
        rules: Option<String>,
    },
    /// Does not join.
    Decline,
    /// Invites players by handle or address.
    Invite(Vec<String>),
    /// Opens a game like the one that is over and invites the same players.
    Rematch,
    /// Proposes a pause, for the days or until the day that [`dates::until`] reads; `None`: its end.
    Pause(Option<String>),
    /// Books the days that [`dates::days`] reads.
    Holiday(String),
    /// Adds a line to the private note.
    Note(String),
    ShowNote,
    /// Clears the private note.
    ForgetNote,
    /// How the orders of a rule set are written.
    Explain {
        rules: String,
    },
}

/// The keys of the words that begin a request.
pub(super) const KEYS: [&str; 8] = [
    "command-new",
    "command-join",
    "command-invite",
    "command-rematch",
    "command-pause",
    "command-holiday",
    "command-note",
    "command-help",
];

/// Reads a line that begins with a word of `is`, whose `rest` follows; `says` tells whether a text is a word of a key.
pub(super) fn read(
    is: &dyn Fn(&str) -> bool,
    rest: &str,
    says: &dyn Fn(&str, &str) -> bool,
) -> Option<Request> {
    let (rest, off) = (rest.trim(), says("command-off", &rest.trim().to_lowercase()));
    let key = KEYS.into_iter().find(|key| is(key))?;
    match key {
        "command-new" => new(rest),
        "command-join" if rest.is_empty() => Some(Request::Join { rules: None }),
        "command-join" => game(rest)
            .filter(|(_, seats)| seats.is_none())
            .map(|(rules, _)| Request::Join { rules: Some(rules) }),
        "command-invite" => invite(rest),
        "command-rematch" => rest.is_empty().then_some(Request::Rematch),
        "command-pause" if off => Some(Request::Pause(None)),
        "command-pause" => dates::is_until(rest).then(|| Request::Pause(Some(rest.to_owned()))),
        "command-holiday" => dates::are_days(rest).then(|| Request::Holiday(rest.to_owned())),
        "command-note" if rest.is_empty() => Some(Request::ShowNote),
        "command-note" if off => Some(Request::ForgetNote),
        "command-note" => Some(Request::Note(rest.to_owned())),
        _ => game(rest).filter(|(_, seats)| seats.is_none()).map(|(rules, _)| Request::Explain { rules }),
    }
}

fn new(rest: &str) -> Option<Request> {
    let mut words: Vec<&str> = rest.split_whitespace().take(MAX_WORDS_OF_GAME + MAX_OPTIONS + 1).collect();
    let mut options = Map::new();
    while let Some((name, value)) = words.last().and_then(|word| option(word)) {
        words.pop();
        options.entry(name).or_insert(value);
    }
    if let Some((rules, seats)) = game(&words.join(" ")) {
        return Some(Request::New { rules, seats, options });
    }
    // One unknown word is answered with the names that there are; more may be a sentence.
    let [word] = words[..] else { return None };
    Some(Request::New { rules: word.to_owned(), seats: None, options })
}

/// An option with its value, as in `size=3`; a comma may follow.
fn option(word: &str) -> Option<(String, Value)> {
    let (name, value) = word.trim_end_matches(',').split_once('=')?;
    let is_name = !name.is_empty() && name.chars().all(|sign| sign.is_alphanumeric() || "-_".contains(sign));
    let simple =
        serde_json::from_str(value).ok().filter(|value: &Value| !value.is_array() && !value.is_object());
    (is_name && !value.is_empty())
        .then(|| (name.to_lowercase().replace('-', "_"), simple.unwrap_or_else(|| Value::from(value))))
}

/// The name of a rule set and a number of players, as in `Six Six 2`.
fn game(text: &str) -> Option<(String, Option<u8>)> {
    let words: Vec<&str> = text.split_whitespace().take(MAX_WORDS_OF_GAME + 1).collect();
    if words.len() > MAX_WORDS_OF_GAME {
        return None;
    }
    let named = |words: &[&str]| find(&words.concat()).map(|rules| rules.name().to_owned());
    if let Some(rules) = named(&words) {
        return Some((rules, None));
    }
    let (last, name) = words.split_last()?;
    let seats: u8 = last.parse().ok()?;
    named(name).map(|rules| (rules, Some(seats)))
}

/// The rule set of this name or title, however people write it.
pub(super) fn find(name: &str) -> Option<&'static dyn RuleSet> {
    let folded = |text: &str| {
        text.chars().filter(|sign| sign.is_alphanumeric()).flat_map(char::to_lowercase).collect::<String>()
    };
    let wanted = folded(name);
    rules::all().find(|rules| [rules.name(), rules.title()].map(folded).contains(&wanted))
}

fn invite(rest: &str) -> Option<Request> {
    let parts = rest.split([',', ' ', ';']).map(|part| part.trim_matches(['<', '>', '"', '\'']));
    let people: Vec<String> =
        parts.filter(|part| !part.is_empty()).map(str::to_owned).take(MAX_INVITED + 1).collect();
    let is_person = |person: &String| person.contains('@') || Handle::parse(person).is_ok();
    // Several words without an address or a comma are a sentence.
    let is_list = people.len() == 1 || rest.contains([',', '@']);
    let fits = (1..=MAX_INVITED).contains(&people.len()) && is_list && people.iter().all(is_person);
    fits.then_some(Request::Invite(people))
}
