//! How a game ended, in a sentence.

use crate::record::Reason;

/// One sentence; `names` by seat.
#[must_use]
pub fn sentence(reason: Reason, places: Option<&[u8]>, names: &[String]) -> String {
    let Some(places) = places else { return "The game was aborted.".to_owned() };
    let winners: Vec<&str> =
        names.iter().zip(places).filter(|(_, place)| **place == 1).map(|(name, _)| name.as_str()).collect();
    let won = match winners.as_slice() {
        [winner] => format!("{winner} won"),
        [first @ .., last] => format!("{} and {last} share the first place", first.join(", ")),
        [] => "the game is over".to_owned(),
    };
    match reason {
        Reason::Play => format!("{won}."),
        Reason::RoundLimit => format!("{won} when the last round was played."),
        Reason::Resignation => format!("{won} by resignation."),
        Reason::Timeout => format!("{won} on time."),
        Reason::Abort => "The game was aborted.".to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_sentence_names_those_in_the_first_place() {
        let names = ["ann", "bob", "cat"].map(str::to_owned);
        assert_eq!(sentence(Reason::Play, Some(&[2, 1, 3]), &names), "bob won.");
        assert_eq!(
            sentence(Reason::Play, Some(&[1, 1, 1]), &names),
            "ann, bob and cat share the first place."
        );
        assert_eq!(sentence(Reason::Timeout, Some(&[1, 2, 3]), &names), "ann won on time.");
        assert_eq!(sentence(Reason::Abort, None, &names), "The game was aborted.");
    }
}
