//! Every sentence of every rule set is in every catalogue, with exactly its arguments.

use std::cell::RefCell;
use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::Path;

use pippost::language::{Language, sources};
use pippost::record::{Act, Table};
use pippost::rules::cards::Card;
use pippost::rules::{self, Argument, Button, Captions, Position, Seat, Sentence, Viewer, Voice};
use serde_json::Value;

use support::random_play::{Game, Plan, names, viewers};

/// The number of games of each rule set.
const GAMES: u64 = 24;

/// The most actions of a game.
const ACTIONS: usize = 120;

/// The texts that are equal in every language, because they contain only numbers or notation.
const NOTATION: &[&str] = &["dominion-vertical", "serpent-label-that-hand"];

/// Each text's key with its variables in English; `language` checks that all languages have the same.
fn variables() -> BTreeMap<String, BTreeSet<String>> {
    let mut all: BTreeMap<String, BTreeSet<String>> = BTreeMap::new();
    let mut current = String::new();
    for source in sources(Language::ENGLISH) {
        for line in source.text.lines().filter(|line| !line.starts_with('#')) {
            if let Some((key, _)) = line.split_once(" =").filter(|_| !line.starts_with([' ', '}'])) {
                key.clone_into(&mut current);
                all.insert(current.clone(), BTreeSet::new());
            }
            for rest in line.split("{ $").skip(1) {
                let name = rest.split([' ', '}']).next().expect("a name").to_owned();
                all.get_mut(&current).expect("a key").insert(name);
            }
        }
    }
    all
}

/// A sentence with the phrases inside it.
fn with_phrases(sentence: &Sentence) -> Vec<Sentence> {
    fn of_argument(argument: &Argument) -> Vec<Sentence> {
        match argument {
            Argument::Phrase(phrase) => with_phrases(phrase),
            Argument::List(parts) | Argument::Clauses(parts) => parts.iter().flat_map(of_argument).collect(),
            Argument::Text(_) | Argument::Number(_) | Argument::Player(_) => Vec::new(),
        }
    }
    let inside = sentence.arguments.iter().flat_map(|(_, argument)| of_argument(argument));
    inside.chain([sentence.clone()]).collect()
}

/// A voice that records its sentences.
#[derive(Default)]
struct Listening(RefCell<Vec<Sentence>>);

impl Voice for Listening {
    fn say(&self, sentence: &Sentence) -> String {
        self.0.borrow_mut().push(sentence.clone());
        Language::ENGLISH.tell(sentence, &[])
    }
}

/// The sentences in boards and pictures of a table.
fn captions(table: &Table, last: &[Value]) -> Vec<Sentence> {
    let (voice, names) = (Listening::default(), names(table));
    let captions = Captions::new(&names, &voice);
    for viewer in viewers(table) {
        table.position().board_text(viewer, &captions);
        table.position().picture(viewer, &captions, last);
    }
    // The same texts for every viewer, and many of them.
    table.position().targets(Viewer::Seat(Seat(0)), &captions);
    for button in buttons(table.position()) {
        voice.say(&button.label);
    }
    voice.0.into_inner()
}

/// The buttons of every first pick, and of what can follow the last of them.
fn buttons(position: &dyn Position) -> Vec<Button> {
    let composer = position.composer();
    let mut targets = composer.next(&[]).targets;
    let mut picked = Vec::new();
    while let Some(last) = composer.next(&picked).targets.pop() {
        targets.extend(composer.next(&picked).targets);
        picked.push(last);
    }
    targets.iter().filter_map(|target| position.button(target)).collect()
}

/// All sentences of one random game: events, to-dos and refusals.
fn said(rules: usize, seed: u64) -> Said {
    let mut game = Game::start(&Plan { rules, seed, actions: ACTIONS });
    let mut elsewhere = Game::start(&Plan { rules, seed: seed + GAMES, actions: ACTIONS });
    let (mut told, mut refused, mut labels) = (Vec::new(), Vec::new(), Vec::new());
    for _ in 0..ACTIONS {
        let position = game.chronicle.table().position();
        told.push(position.to_do());
        let last = game.events.last().expect("an event");
        labels.extend(captions(game.chronicle.table(), &last.effects));
        for text in [
            "",
            "x",
            "turn turn",
            "a1 a1",
            "2c 2c 2c",
            "store store",
            "d4",
            "d4 n",
            "pull",
            "occupy",
            "attack",
            "give",
            "p",
        ] {
            refused.extend(position.meant(text).map(|incomplete| incomplete.why()));
            refused.extend(position.read(text).err().map(|unreadable| unreadable.why));
        }
        if !elsewhere.play_one() {
            break;
        }
        let foreign = elsewhere.events.last().expect("an event").action.clone();
        if let Some(seat) = game.chronicle.table().to_act() {
            let mut copy = game.chronicle.clone();
            let at = copy.at();
            let done = copy.act(Act::Play { seat, action: &foreign }, at);
            refused.extend(done.err().and_then(|refused| refused.sentence().cloned()));
        }
        if !game.play_one() {
            break;
        }
    }
    game.end();
    let table = game.chronicle.table();
    for event in &game.events {
        told.extend(table.position().tell(event.seat, &event.action, &event.effects));
    }
    told.extend(table.position().decided());
    labels.extend(captions(table, &game.events.last().expect("an event").effects));
    Said { names: names(table), told, refused, labels }
}

struct Said {
    names: Vec<String>,
    told: Vec<Sentence>,
    refused: Vec<Sentence>,
    labels: Vec<Sentence>,
}

/// What a sentence is for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Kind {
    Told,
    Refused,
    Label,
}

fn check_arguments(
    sentence: &Sentence,
    variables: &BTreeMap<String, BTreeSet<String>>,
    keys: &mut BTreeSet<&'static str>,
) {
    for sentence in with_phrases(sentence) {
        keys.insert(sentence.key);
        let given: BTreeSet<String> = sentence.arguments.iter().map(|(name, _)| (*name).to_owned()).collect();
        assert_eq!(given.len(), sentence.arguments.len(), "{sentence} fills a variable twice");
        assert_eq!(variables.get(sentence.key), Some(&given), "{sentence}");
    }
}

fn check_texts(kind: Kind, sentence: &Sentence, names: &[String]) {
    let texts = Language::SHIPPED.map(|language| language.tell(sentence, names));
    let [english, german] = &texts;
    assert!(NOTATION.contains(&sentence.key) || english != german, "{sentence}: {german}");
    for said in &texts {
        assert!(!said.contains(['{', '}', '$']) && said != sentence.key, "{sentence}: {said}");
        match kind {
            Kind::Told => assert!(said.ends_with('.'), "{said}"),
            Kind::Refused => assert!(!said.ends_with('.'), "{said}"),
            Kind::Label => {}
        }
    }
}

#[test]
fn every_sentence_of_random_games_is_said_in_every_language() {
    let variables = variables();
    let (mut keys, mut checked) = (BTreeSet::new(), BTreeSet::new());
    for (rules, seed) in (0..rules::all().count()).flat_map(|rules| (0..GAMES).map(move |seed| (rules, seed)))
    {
        let Said { names, told, refused, labels } = said(rules, seed);
        for (kind, sentences) in [(Kind::Told, told), (Kind::Refused, refused), (Kind::Label, labels)] {
            for sentence in sentences {
                // Most are said again and again.
                if !checked.insert((kind, format!("{sentence:?}"))) {
                    continue;
                }
                check_arguments(&sentence, &variables, &mut keys);
                check_texts(kind, &sentence, &names);
            }
        }
    }
    assert!(keys.len() > 180, "{} texts were heard: {keys:?}", keys.len());
}

/// Quoted words in the rule sets that have the form of their keys.
fn keys_in_code(folder: &Path, found: &mut BTreeSet<String>) {
    for entry in fs::read_dir(folder).expect("a folder") {
        let path = entry.expect("an entry").path();
        if path.is_dir() {
            keys_in_code(&path, found);
        } else if path.extension().is_some_and(|extension| extension == "rs") {
            let text = fs::read_to_string(path).expect("a file");
            let program = text.split("mod tests {").next().unwrap_or_default();
            let quoted = program.split('"').skip(1).step_by(2).map(str::to_owned);
            found.extend(quoted.filter(|word| is_key(word)));
        }
    }
}

fn is_key(word: &str) -> bool {
    let begins = |name: &str| word.strip_prefix(name).is_some_and(|rest| rest.starts_with('-'));
    let plain = word.bytes().all(|letter| letter.is_ascii_lowercase() || letter == b'-');
    // Words for parsing mails and descriptions of notation are not sentences of the rules.
    // Nor are those of pages, which name a rule set's texts by its options.
    // What a move will do is the same sentence in other words.
    let told = !["-orders", "-notation", "-about", "-soon"].iter().any(|end| word.ends_with(end));
    let told = told && !word.contains("-option-") && !word.contains("-guide-");
    plain && told && (begins("rules") || rules::all().any(|rules| begins(rules.name())))
}

#[test]
fn the_catalogue_has_the_texts_that_the_rule_sets_name_and_no_others() {
    let mut named = BTreeSet::new();
    for room in ["crates/record/src/rules", "crates/record/src/record"] {
        keys_in_code(&Path::new(env!("CARGO_MANIFEST_DIR")).join(room), &mut named);
    }
    let known: BTreeSet<String> = variables().into_keys().filter(|key| is_key(key)).collect();
    assert_eq!(named, known);
    assert!(known.len() > 220, "{}", known.len());
}

#[test]
fn what_a_move_will_do_is_said_of_sentences_that_there_are_and_with_their_variables() {
    let variables = variables();
    let soon = variables.iter().filter_map(|(key, of)| Some((key.strip_suffix("-soon")?, of)));
    let mut count = 0;
    for (key, of) in soon {
        let told = variables.get(key).unwrap_or_else(|| panic!("{key} is no sentence"));
        assert!(of.is_subset(told), "{key}: {of:?}, {told:?}");
        count += 1;
    }
    assert!(count > 20, "{count}");
    let stored = Sentence::new("pip-pip-stored").player("player", Seat(0)).text("die", 4);
    let names = ["ann", "bob"].map(str::to_owned);
    let said = Language::SHIPPED.map(|language| language.tell_soon(&stored, &names));
    assert_eq!(said, ["You will put the 4 into the store.", "Du legst die 4 ins Lager."]);
    // Without words for the future the sentence is told as it is.
    let rolled = Sentence::new("pip-pip-rolled").player("player", Seat(0)).text("die", 4);
    assert_eq!(Language::ENGLISH.tell_soon(&rolled, &names), Language::ENGLISH.tell(&rolled, &names));
}

fn in_both(sentence: &Sentence) -> [String; 2] {
    let names = ["ann", "bob"].map(str::to_owned);
    Language::SHIPPED.map(|language| language.tell(sentence, &names))
}

#[test]
fn players_cards_and_lists_are_said_in_the_words_of_the_language() {
    let called = |letters: &str| {
        let card: Card = letters.parse().expect("a card");
        Sentence::new("serpent-card").card("card", card)
    };
    let given = |other: Option<Seat>| {
        let given = Sentence::new("serpent-given").player("player", Seat(1)).player("other", other);
        in_both(&given.list("cards", ["6c", "Kd", "5h"].map(called)))
    };
    let [english, german] = given(Some(Seat(0)));
    assert_eq!(
        english,
        "bob gave ann the six of clubs, the king of diamonds and the five of hearts, face up."
    );
    assert_eq!(german, "bob hat ann offen Kreuz-Sechs, Karo-König und Herz-Fünf gegeben.");
    let [english, german] = given(None);
    assert!(english.starts_with("bob gave somebody the six") && german.starts_with("bob hat jemand offen"));
}

#[test]
fn numbers_choose_the_forms_of_words() {
    let placed = |colour: &str, cells: &[&str]| {
        let placed = Sentence::new("pippinzip-placed").player("player", Seat(0)).text("colour", colour);
        in_both(&placed.count("count", cells.len()).texts("cells", cells))
    };
    assert_eq!(
        placed("white", &["c3"]),
        ["ann placed a white stone on c3.", "ann hat einen weißen Stein auf c3 gesetzt."]
    );
    assert_eq!(
        placed("black", &["c3", "d5"]),
        ["ann placed black stones on c3 and d5.", "ann hat schwarze Steine auf c3 und d5 gesetzt."]
    );
    let rolled = |most: u8, rank: u8| {
        let rolled = Sentence::new("dominion-do-deploy").number("first", 6).number("second", 5);
        in_both(&rolled.number("most", most).number("rank", rank))[1].clone()
    };
    assert_eq!(
        rolled(1, 11),
        "Du hast 6 und 5 gewürfelt: Stell 1 Armee auf einer Karte auf, die nicht höher ist als der Bube, oder passe."
    );
    assert!(rolled(3, 9).contains("bis zu 3 Armeen auf einer Karte auf, die nicht höher ist als 9, oder"));
}

#[test]
fn clauses_stand_side_by_side() {
    let on = |cell: &str, armies: u8| {
        Sentence::new("dominion-armies-on").number("armies", armies).text("cell", cell)
    };
    let has = Sentence::new("dominion-now-has").player("player", Seat(0));
    let free = Sentence::new("dominion-unoccupied").count("count", 1).texts("cells", ["b3"]);
    let now = Sentence::new("dominion-now")
        .clauses("clauses", [has.list("armies", [on("b4", 3), on("c4", 1)]), free]);
    assert_eq!(
        in_both(&now),
        [
            "ann now has 3 armies on b4 and 1 army on c4; b3 is unoccupied.",
            "ann hat jetzt 3 Armeen auf b4 und 1 Armee auf c4; b3 ist unbesetzt."
        ]
    );
}
