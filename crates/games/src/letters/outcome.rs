//! The result of a game as a sentence.

use pippost_language::{Arguments, Language};
use pippost_record::record::Reason;

/// The sentence; `names` by seat.
#[must_use]
pub fn sentence(reason: Reason, places: Option<&[u8]>, names: &[String], language: Language) -> String {
    let key = match reason {
        Reason::Play => "ended-play",
        Reason::RoundLimit => "ended-rounds",
        Reason::Resignation => "ended-resignation",
        Reason::Timeout => "ended-timeout",
        Reason::Abort => return language.say("ended-abort"),
    };
    let Some(places) = places else { return language.say("ended-abort") };
    let winners: Vec<&str> =
        names.iter().zip(places).filter(|(_, place)| **place == 1).map(|(name, _)| name.as_str()).collect();
    let arguments = match winners.as_slice() {
        [] => Arguments::default().text("places", "none"),
        [winner] => Arguments::default().text("places", "won").text("winner", *winner),
        [others @ .., winner] => Arguments::default()
            .text("places", "shared")
            .text("winner", *winner)
            .text("others", others.join(", ")),
    };
    language.say_with(key, &arguments)
}
