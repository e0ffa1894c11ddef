//! The result of a game as a sentence.

use pippost::games::letters::outcome::sentence;
use pippost::language::Language;
use pippost::record::Reason;

#[test]
fn a_sentence_names_those_in_the_first_place() {
    let names = ["ann", "bob", "cat"].map(str::to_owned);
    let told = |reason, places, language| sentence(reason, places, &names, language);
    let english = |reason, places| told(reason, places, Language::ENGLISH);
    assert_eq!(english(Reason::Play, Some(&[2, 1, 3])), "bob won.");
    assert_eq!(english(Reason::Play, Some(&[1, 1, 1])), "ann, bob and cat share the first place.");
    assert_eq!(english(Reason::Timeout, Some(&[1, 2, 3])), "ann won on time.");
    assert_eq!(english(Reason::Abort, None), "The game was aborted.");
    let german = told(Reason::Play, Some(&[1, 1, 2]), Language::GERMAN);
    assert_eq!(german, "ann und bob teilen sich den ersten Platz.");
}
