//! Describes events in sentences.

use super::effect::Effect;
use crate::rules::Sentence;

/// One sentence for each effect.
pub fn sentences(effects: &[Effect]) -> Vec<Sentence> {
    let sentence = |effect: &Effect| match effect {
        Effect::Placed { seat, colour, cells } => Sentence::new("pippinzip-placed")
            .player("player", *seat)
            .text("colour", colour.name())
            .count("count", cells.as_slice().len())
            .texts("cells", cells.as_slice()),
        Effect::Roles { pip, zip } => {
            Sentence::new("pippinzip-roles").player("pip", *pip).player("zip", *zip)
        }
        Effect::Connected { colour, cells } => {
            let end = |cell: Option<&_>| cell.map_or(String::new(), ToString::to_string);
            Sentence::new("pippinzip-connected")
                .text("colour", colour.name())
                .count("count", cells.len())
                .text("first", end(cells.first()))
                .text("last", end(cells.last()))
        }
    };
    effects.iter().map(sentence).collect()
}
