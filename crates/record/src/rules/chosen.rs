//! Chance chosen by hand, to look at what might happen: each draw is one of several outcomes, which are told by name.

use super::cards::Card;
use super::chance::NoChance;
use super::picture::{Area, Picture, card, die};
use super::sentence::Sentence;
use super::targets::FACE_SIDE;

/// The room between a face and the edge of its picture, in units.
const MARGIN: f32 = 6.0;

/// One of the things that a draw can bring.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Outcome {
    /// How it is chosen: letters, digits and `-`; different for different outcomes of a draw.
    pub name: String,
    /// What it is, for people.
    pub label: Sentence,
    face: Option<Face>,
}

/// What a picture of an outcome shows.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Face {
    Die(u8),
    Card(Card),
}

impl Outcome {
    /// An outcome without a picture.
    #[must_use]
    pub fn new(name: impl ToString, label: impl Into<Sentence>) -> Self {
        Self { name: name.to_string(), label: label.into(), face: None }
    }

    /// A number that is nothing more.
    #[must_use]
    pub fn of_number(number: u32) -> Self {
        Self::new(number, Sentence::new("rules-number").number("number", number))
    }

    /// A die that shows this number.
    #[must_use]
    pub fn of_die(number: u8) -> Self {
        Self { face: Some(Face::Die(number)), ..Self::of_number(number.into()) }
    }

    #[must_use]
    pub fn of_card(card: Card) -> Self {
        Self { face: Some(Face::Card(card)), ..Self::new(card, Sentence::of_card(card)) }
    }

    /// The picture in a square of [`FACE_SIDE`]; `None` if words say enough.
    #[must_use]
    pub fn picture(&self) -> Option<Picture> {
        let face = self.face?;
        let mut picture = Picture::new(String::new(), String::new(), FACE_SIDE);
        let square = Area { x: 0.0, y: 0.0, width: FACE_SIDE, height: FACE_SIDE }.inset(MARGIN);
        match face {
            Face::Die(number) => die::die(&mut picture, square, die::Tone::Light, Some(number)),
            Face::Card(shown) => {
                // As cards are: higher than wide.
                let aside = square.width / 6.0;
                let area = Area { x: square.x + aside, width: square.width - 2.0 * aside, ..square };
                card::face(&mut picture, area, shown);
            }
        }
        Some(picture)
    }
}

/// What can be drawn from a list.
pub trait Drawable {
    fn outcome(&self) -> Outcome;
}

impl Drawable for Card {
    fn outcome(&self) -> Outcome {
        Outcome::of_card(*self)
    }
}

impl Drawable for u8 {
    fn outcome(&self) -> Outcome {
        Outcome::of_number((*self).into())
    }
}

/// The chosen outcomes of one action's draws, in their order.
#[derive(Debug)]
pub struct Chosen {
    given: Vec<String>,
    taken: usize,
    /// Why the last draw brought nothing.
    missed: Option<Missed>,
}

/// Why a draw brought nothing.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Missed {
    /// Nothing is chosen for it yet: it can be one of these.
    Open(Vec<Outcome>),
    /// What is chosen for it is none of these.
    Impossible(Vec<Outcome>),
}

impl Chosen {
    #[must_use]
    pub fn new(given: Vec<String>) -> Self {
        Self { given, taken: 0, missed: None }
    }

    /// One of `count` outcomes: the index of the chosen one.
    pub(super) fn one_of(&mut self, count: u32, outcome: impl Fn(u32) -> Outcome) -> Result<u32, NoChance> {
        let possible: Vec<Outcome> = (0..count).map(outcome).collect();
        let Some(name) = self.given.get(self.taken) else {
            self.missed = Some(Missed::Open(possible));
            return Err(NoChance);
        };
        let Some(index) = possible.iter().position(|one| one.name == *name) else {
            self.missed = Some(Missed::Impossible(possible));
            return Err(NoChance);
        };
        self.taken += 1;
        Ok(u32::try_from(index).expect("below `count`"))
    }

    /// The number of draws that chosen outcomes have decided.
    #[must_use]
    pub fn taken(&self) -> usize {
        self.taken
    }

    /// Why the last draw brought nothing, if it did.
    #[must_use]
    pub fn into_missed(self) -> Option<Missed> {
        self.missed
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rules::{Chance, Step};

    fn names(outcomes: &[Outcome]) -> Vec<&str> {
        outcomes.iter().map(|outcome| outcome.name.as_str()).collect()
    }

    #[test]
    fn draws_take_the_chosen_outcomes_in_order_and_the_first_without_one_is_told() {
        let mut chosen = Chosen::new(["6", "Th"].map(str::to_owned).to_vec());
        let mut step = Step::new(Chance::Chosen(&mut chosen));
        assert_eq!(step.die(), Ok(6));
        let mut cards: Vec<Card> = Card::deck().collect();
        assert_eq!(step.draw(&mut cards).map(|card| card.to_string()), Ok("Th".to_owned()));
        assert_eq!(step.draw_hidden(&mut cards), Err(NoChance));
        assert!(step.finish().drew);
        assert_eq!(chosen.taken(), 2);
        let Some(Missed::Open(possible)) = chosen.into_missed() else { panic!("an open draw") };
        assert_eq!(possible.len(), 51);
        assert!(!names(&possible).contains(&"Th"), "it is drawn");
        assert!(possible.iter().all(|outcome| outcome.picture().is_some()));
    }

    #[test]
    fn what_a_draw_cannot_bring_is_not_taken() {
        for wrong in ["0", "7", "6 ", "", "Th", "-1", "4294967297"] {
            let mut chosen = Chosen::new(vec![wrong.to_owned()]);
            assert_eq!(Step::new(Chance::Chosen(&mut chosen)).die(), Err(NoChance), "{wrong}");
            let Some(Missed::Impossible(possible)) = chosen.into_missed() else { panic!("{wrong}") };
            assert_eq!(names(&possible), ["1", "2", "3", "4", "5", "6"]);
        }
    }

    #[test]
    fn a_number_without_a_picture_has_words() {
        let mut chosen = Chosen::new(Vec::new());
        assert_eq!(Step::new(Chance::Chosen(&mut chosen)).uniform(3), Err(NoChance));
        let Some(Missed::Open(possible)) = chosen.into_missed() else { panic!("an open draw") };
        assert_eq!(names(&possible), ["0", "1", "2"]);
        assert_eq!(possible[0].picture(), None);
    }
}
