//! The cards in the hands: three of them in any order to give or show, one to play.

use super::action::Action;
use super::picture;
use super::view::View;
use crate::rules::{Captions, Picks, Sentence, Target};

/// The targets of the picture: the cards whose faces the viewer sees.
pub fn of(view: &View, captions: &Captions<'_>) -> Vec<Target> {
    let target = |(card, area)| Target::new(card, area, captions.say(Sentence::of_card(card)));
    picture::seen_cards(view, captions.viewer()).into_iter().map(target).collect()
}

/// The targets of an action.
pub fn picks(action: Action) -> Picks {
    match action {
        Action::Give { cards } | Action::Show { cards } => {
            Picks::Set(cards.set().iter().map(|card| card.to_string()).collect())
        }
        Action::Play { card } => Picks::one(card),
    }
}
