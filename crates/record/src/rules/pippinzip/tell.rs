//! Describes events in sentences.

use super::board::Colour;
use super::effect::Effect;
use super::position::Position;
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

/// What decided the game: the winning group, and whose goal it was (PZ5, PZ6).
pub fn decided(position: &Position) -> Vec<Sentence> {
    let winning = |colour: Colour| {
        let cells = position.board.winning_group(colour);
        (!cells.is_empty()).then_some(Effect::Connected { colour, cells })
    };
    let colours = [Colour::Black, Colour::White];
    let Some((colour, connected)) = colours.into_iter().find_map(|colour| Some((colour, winning(colour)?)))
    else {
        return Vec::new();
    };
    let mut told = sentences(&[connected]);
    told.push(match position.pip {
        Some(_) => {
            Sentence::new("pippinzip-decided").player("player", position.winner).text("colour", colour.name())
        }
        None => Sentence::new("pippinzip-decided-in-auction").player("player", position.winner),
    });
    told
}
