//! Reads the commands of a mail that do not depend on the game's rules, in all languages at once.

use std::collections::HashMap;
use std::sync::LazyLock;

use super::requests::{self, Request};
use pippost_accounts::preferences::{ALL, Kind, Preference, PreferencesChange, TurnMails};
use pippost_clock::{MinuteOfDay, QuietHours, ReminderSchedule};
use pippost_games::letters::notation::is_like;
use pippost_games::letters::steps;
use pippost_language::Language;

/// The longest command, in bytes; the longest note has so many.
const MAX_COMMAND_BYTES: usize = 500;

/// The longest sentence that may mean a command, in words.
const MAX_SENTENCE_WORDS: usize = 6;

/// The longest command, in words.
const MAX_WORDS: usize = 4;

/// A command that does not depend on the game's rules.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Command {
    Status,
    History,
    Help,
    /// Lists the player's games.
    Games,
    /// Tells who plays, and how long each has.
    Who,
    /// Shows the game after this action.
    Preview(String),
    /// Something else than a move.
    Request(Request),
    /// Plays what the answered mail asks about.
    Yes,
    No,
    /// Ends mails about turns and reminders.
    Unsubscribe,
    /// Holds the confirmation word, if the mail gives one.
    Resign(Option<String>),
    /// Asks for the standing orders.
    ShowOrders,
    CancelOrders,
    /// Changes notification preferences.
    Preference(Box<PreferencesChange>),
}

/// The result of reading a line as a command.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum CommandReading {
    Command(Command),
    /// It begins like a command but is not valid.
    Broken,
    Other,
}

/// Reads a line as a command.
#[must_use]
pub fn read(line: &str) -> CommandReading {
    if line.len() > MAX_COMMAND_BYTES {
        return CommandReading::Other;
    }
    steps::count(line.len());
    let lower = line.to_lowercase();
    let whole = lower.replace(',', "");
    let says = |key: &str| synonyms(key).contains(&whole);
    let sentences = [
        ("command-yes", Command::Yes),
        ("command-no", Command::No),
        ("command-unsubscribe", Command::Unsubscribe),
    ];
    if let Some((_, command)) = sentences.into_iter().find(|(key, _)| says(key)) {
        return CommandReading::Command(command);
    }
    let words: Vec<&str> = lower.split_whitespace().take(MAX_WORDS + 1).collect();
    let Some((first, rest)) = words.split_first() else { return CommandReading::Other };
    let is = |key: &str| synonyms(key).iter().any(|word| word == first);
    let command = match rest {
        [] if is("command-status") => Some(Command::Status),
        [] if is("command-history") => Some(Command::History),
        [] if is("command-help") => Some(Command::Help),
        [] if is("command-games") => Some(Command::Games),
        [] if is("command-who") => Some(Command::Who),
        [_, ..] if is("command-preview") => Some(Command::Preview(behind_first(line).to_owned())),
        [] if is("command-orders") => Some(Command::ShowOrders),
        [value] if is("command-orders") && synonyms("command-off").iter().any(|word| word == value) => {
            Some(Command::CancelOrders)
        }
        [] if is("command-resign") => Some(Command::Resign(None)),
        [word] if is("command-resign") && is_code(word) => Some(Command::Resign(Some((*word).to_owned()))),
        values if values.len() < MAX_WORDS => preference(&is, &values.join(" ")),
        _ => None,
    };
    let says = |key: &str, word: &str| synonyms(key).iter().any(|known| known == word);
    let request = || requests::read(&is, behind_first(line), &says).map(Command::Request);
    match command.or_else(request) {
        Some(command) => CommandReading::Command(command),
        None if rest.is_empty()
            && KEYS[..TOLD_IF_MISSPELT]
                .iter()
                .any(|key| synonyms(key).iter().any(|word| is_like(first, word))) =>
        {
            CommandReading::Broken
        }
        None if rest.len() < MAX_WORDS && settings().any(is) => CommandReading::Broken,
        None => CommandReading::Other,
    }
}

/// What stands behind the first word of a line.
fn behind_first(line: &str) -> &str {
    line.trim().split_once(char::is_whitespace).map_or("", |(_, rest)| rest.trim())
}

const KEYS: [&str; 8] = [
    "command-status",
    "command-history",
    "command-help",
    "command-resign",
    "command-orders",
    "command-games",
    "command-who",
    "command-preview",
];

/// Of these a misspelt word is told; the others look too much like names and greetings, such as `Moin` and `James`.
const TOLD_IF_MISSPELT: usize = 5;

/// The texts with the words of commands that take a value.
fn settings() -> impl Iterator<Item = &'static str> {
    ALL.iter().filter_map(|preference| preference.command).chain(["command-orders"])
}

/// The texts with the words of values.
const VALUES: [&str; 7] = [
    "command-yes",
    "command-no",
    "command-unsubscribe",
    "command-on",
    "command-off",
    "command-once",
    "command-digest",
];

/// The words for each command and value in all languages.
static SYNONYMS: LazyLock<HashMap<&str, Vec<String>>> = LazyLock::new(|| {
    let of_language = |language: Language, key: &str| {
        language.say(key).split(',').map(|word| word.trim().to_lowercase()).collect::<Vec<_>>()
    };
    let words =
        |key: &'static str| (key, Language::all().flat_map(|language| of_language(language, key)).collect());
    KEYS.into_iter().chain(requests::KEYS).chain(settings()).chain(VALUES).map(words).collect()
});

/// The words for a command in all languages.
fn synonyms(key: &str) -> &'static [String] {
    SYNONYMS.get(key).map(Vec::as_slice).unwrap_or_default()
}

/// The word for a command that mails in a language suggest.
pub fn suggested(key: &str, language: Language) -> String {
    language.say(key).split(',').next().unwrap_or_default().trim().to_owned()
}

/// What a line answers that begins with a word for yes or no, as in `Yes, I would love to!`.
pub fn begins_with_answer(line: &str) -> Option<bool> {
    steps::count(line.len());
    let first =
        line.split(|sign: char| !sign.is_alphanumeric()).find(|word| !word.is_empty())?.to_lowercase();
    let says = |key: &str| synonyms(key).contains(&first);
    (says("command-yes") || says("command-no")).then(|| says("command-yes"))
}

/// Whether a short line may mean a resignation, as in `I resign`.
pub fn may_resign(line: &str) -> bool {
    let words: Vec<String> =
        line.split_whitespace().take(MAX_SENTENCE_WORDS + 1).map(str::to_lowercase).collect();
    let is_word = |word: &String| {
        let word = word.trim_end_matches(['.', '!', ',']);
        synonyms("command-resign").iter().any(|known| known == word)
    };
    words.len() <= MAX_SENTENCE_WORDS && words.iter().any(is_word)
}

/// Whether `word` may be the confirmation word of a resignation.
fn is_code(word: &str) -> bool {
    word.len() <= 12 && word.bytes().all(|byte| byte.is_ascii_alphanumeric())
}

/// The change that a line asks for: of the first preference whose words and values it has.
fn preference(is: &impl Fn(&str) -> bool, value: &str) -> Option<Command> {
    let mut named = ALL.iter().filter(|preference| preference.command.is_some_and(is));
    let mut change = named.find_map(|preference| change(preference, value))?;
    if change.reminder_schedule.is_some() {
        change.reminders = Some(true);
    }
    if change.digest_time.is_some() {
        change.turns = Some(TurnMails::Digest);
    }
    Some(Command::Preference(Box::new(change)))
}

/// The change of a preference to what the words of a command say.
fn change(preference: &Preference, value: &str) -> Option<PreferencesChange> {
    let says = |key: &str| synonyms(key).iter().any(|word| word == value);
    let (on, off) = (says("command-on"), says("command-off"));
    let mut change = PreferencesChange::default();
    match &preference.kind {
        Kind::Switch(lens) => *(lens.change)(&mut change) = Some((on || off).then_some(on)?),
        Kind::Turns(lens) => {
            let turns = match () {
                () if on => TurnMails::Each,
                () if off => TurnMails::None,
                () if says("command-once") => TurnMails::Once,
                () if says("command-digest") => TurnMails::Digest,
                () => return None,
            };
            *(lens.change)(&mut change) = Some(turns);
        }
        Kind::Reminders(lens) => *(lens.change)(&mut change) = Some(ReminderSchedule::parse(value)?),
        // Without a digest, turns come each by itself.
        Kind::Time(_) if off => change.turns = Some(TurnMails::Each),
        Kind::Time(lens) => *(lens.change)(&mut change) = Some(time_of_day(value)?),
        Kind::Quiet(lens) => {
            *(lens.change)(&mut change) = Some(if off { None } else { Some(quiet_hours(value)?) });
        }
        Kind::Language(lens) => *(lens.change)(&mut change) = Some(Language::of_tag(value)?),
        // Their names are not written in lower case.
        Kind::Zone(_) => return None,
    }
    Some(change)
}

/// Parses quiet hours such as `22-7` and `22:30 - 7:00`.
fn quiet_hours(text: &str) -> Option<QuietHours> {
    let (from, until) = text.split_once(['-', '\u{2013}', '\u{2014}'])?;
    QuietHours::new(time_of_day(from)?, time_of_day(until)?)
}

/// Parses a time of day such as `8`, `8:00` and `08.30`.
fn time_of_day(text: &str) -> Option<MinuteOfDay> {
    let (hours, minutes) = text.trim().split_once([':', '.']).unwrap_or((text.trim(), "0"));
    let number =
        |text: &str| text.bytes().all(|byte| byte.is_ascii_digit()).then(|| text.parse::<u16>().ok())?;
    let (hours, minutes) = (number(hours)?, number(minutes)?);
    (hours < 24 && minutes < 60).then(|| MinuteOfDay::new(hours * 60 + minutes))?
}

#[cfg(test)]
mod tests {
    use serde_json::{Map, json};

    use super::*;

    fn command(line: &str) -> Command {
        match read(line) {
            CommandReading::Command(command) => command,
            other => panic!("{line}: {other:?}"),
        }
    }

    fn change(line: &str) -> PreferencesChange {
        match command(line) {
            Command::Preference(change) => *change,
            other => panic!("{line}: {other:?}"),
        }
    }

    #[test]
    fn commands_are_understood_in_every_language_and_case() {
        assert_eq!(
            ["Status", "board", "STAND"].map(command),
            [Command::Status, Command::Status, Command::Status]
        );
        assert_eq!(["help", "?", "Hilfe"].map(command), [Command::Help, Command::Help, Command::Help]);
        assert_eq!(["history", "Verlauf"].map(command), [Command::History, Command::History]);
        assert_eq!(["orders", "Aufträge"].map(command), [Command::ShowOrders, Command::ShowOrders]);
        assert_eq!(
            ["orders off", "Aufträge aus"].map(command),
            [Command::CancelOrders, Command::CancelOrders]
        );
        assert_eq!(["resign", "aufgeben"].map(command), [Command::Resign(None), Command::Resign(None)]);
        for (line, expected) in
            [("Yes", Command::Yes), ("ja, bitte", Command::Yes), ("NO", Command::No), ("nein", Command::No)]
        {
            assert_eq!(command(line), expected, "{line}");
        }
        assert_eq!(command("Aufgeben K4ZT2A"), Command::Resign(Some("k4zt2a".to_owned())));
    }

    #[test]
    fn preferences_are_set_by_a_line() {
        assert_eq!(change("turns off").turns, Some(TurnMails::None));
        assert_eq!(change("turns once").turns, Some(TurnMails::Once));
        let digest = change("digest 8:30");
        assert_eq!(
            (digest.turns, digest.digest_time),
            (Some(TurnMails::Digest), MinuteOfDay::new(8 * 60 + 30))
        );
        let night = QuietHours::new(
            MinuteOfDay::new(22 * 60).expect("a time"),
            MinuteOfDay::new(7 * 60).expect("a time"),
        );
        assert_eq!(change("quiet 22-7").quiet_hours, Some(night));
        assert_eq!(change("Ruhe 22:00 - 7:00").quiet_hours, Some(night));
        assert_eq!(change("quiet off").quiet_hours, Some(None));
        assert_eq!(change("reminders off").reminders, Some(false));
        let reminders = change("Reminders 50%, 24h 2h");
        assert_eq!(
            (reminders.reminders, reminders.reminder_schedule),
            (Some(true), ReminderSchedule::parse("50% 24h 2h"))
        );
        assert_eq!(change("language de").language, Some(Language::GERMAN));
    }

    #[test]
    fn requests_are_understood_and_sentences_that_begin_like_them_are_none() {
        let request = |line: &str| match command(line) {
            Command::Request(request) => request,
            other => panic!("{line}: {other:?}"),
        };
        let people = |names: &[&str]| Request::Invite(names.iter().map(|name| (*name).to_owned()).collect());
        assert_eq!(request("invite bob"), people(&["bob"]));
        assert_eq!(request("Einladen Bob, eve@example.net"), people(&["Bob", "eve@example.net"]));
        assert_eq!(request("join"), Request::Join { rules: None });
        assert_eq!(request("Revanche"), Request::Rematch);
        assert_eq!(request("pause"), Request::Pause(Some(String::new())));
        assert_eq!(request("pause off"), Request::Pause(None));
        assert_eq!(request("Urlaub 12.–20.12."), Request::Holiday("12.–20.12.".to_owned()));
        assert_eq!(request("note Try C6 next"), Request::Note("Try C6 next".to_owned()));
        assert_eq!(request("note"), Request::ShowNote);
        let chess = Request::New { rules: "chess".to_owned(), seats: None, options: Map::new() };
        assert_eq!(request("new chess"), chess);
        let rules = pippost_record::rules::sample_name();
        let opened = |seats| Request::New { rules: rules.to_owned(), seats, options: Map::new() };
        assert_eq!(request(&format!("New {}", rules.to_uppercase())), opened(None));
        assert_eq!(request(&format!("neu {rules} 2")), opened(Some(2)));
        let options =
            json!({"round_limit": 6, "size": null, "name": "x"}).as_object().cloned().expect("a map");
        let with_options = Request::New { rules: rules.to_owned(), seats: Some(2), options };
        assert_eq!(request(&format!("new {rules} 2 round-limit=6, Size=null name=x")), with_options);
        assert_eq!(request(&format!("help {rules}")), Request::Explain { rules: rules.to_owned() });
        assert_eq!(command("preview C6 n2"), Command::Preview("C6 n2".to_owned()));
        assert_eq!(["games", "Partien", "who"].map(command), [Command::Games, Command::Games, Command::Who]);
        for line in [
            "new ideas are welcome",
            "join us for dinner",
            "invite your friends over",
            "pause for a moment please",
            "holiday was great",
            "rematch when you like",
            "help me with this",
        ] {
            assert_eq!(read(line), CommandReading::Other, "{line}");
        }
        assert_eq!(begins_with_answer("Yes, I would love to!"), Some(true));
        assert_eq!(begins_with_answer("Nein, leider nicht"), Some(false));
        assert_eq!(begins_with_answer("Yesterday"), None);
    }

    #[test]
    fn what_is_nearly_a_command_is_no_courtesy_and_what_is_not_is_none() {
        for line in
            ["hlep", "resgin", "turns sideways", "orders later", "quiet 99-7", "digest soon", "reminders 99%"]
        {
            assert_eq!(read(line), CommandReading::Broken, "{line}");
        }
        for line in [
            "",
            "store",
            "Thanks",
            "Moin!",
            "James",
            "Martin",
            "resign from this game please",
            "board the ship",
            "helpful",
        ] {
            assert_eq!(read(line), CommandReading::Other, "{line}");
        }
    }
}
