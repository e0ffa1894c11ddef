//! What a line may mean.

use pippost::games::letters::meaning::{MAX_WORDS, meant};

fn found(line: &str) -> Option<String> {
    let actions: Vec<String> =
        ["store", "c6 n1", "c6 n2", "d4 n1", "deploy a4 1", "deploy d4 3", "attack a1 a2", "attack a2 a1"]
            .map(str::to_owned)
            .to_vec();
    let spoken = [("lagern".to_owned(), "store".to_owned())];
    meant(line, &actions, &spoken).map(str::to_owned)
}

#[test]
fn a_sentence_means_the_one_action_whose_words_it_has() {
    for (line, action) in [
        ("I'd like to store the die please, thanks.", "store"),
        ("My move: store", "store"),
        ("Ich m\u{f6}chte lagern", "store"),
        ("c6 \u{2013} n2", "c6 n2"),
        ("c6-n2", "c6 n2"),
        ("n2 on c6", "c6 n2"),
        ("a4 1", "deploy a4 1"),
        ("deploy 3 to d4", "deploy d4 3"),
        ("3 to d4", "deploy d4 3"),
        ("attack from a1 to a2", "attack a1 a2"),
    ] {
        assert_eq!(found(line).as_deref(), Some(action), "{line}");
    }
}

#[test]
fn what_means_none_or_several_is_not_guessed() {
    let long = format!("store {}", "word ".repeat(MAX_WORDS));
    for line in ["", "hello bob", "c6", "store or c6 n1", "c6 n1 or c6 n2", "n1", "restore it", &long] {
        assert_eq!(found(line), None, "{line}");
    }
}
