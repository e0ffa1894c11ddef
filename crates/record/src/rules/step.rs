//! One event while it is made: chance goes in, effects come out.

use serde::Serialize;
use serde_json::Value;

use super::chance::{self, Chance, NoChance};
use super::chosen::{Drawable, Outcome};

/// The state with which rules decide one event.
pub struct Step<'a> {
    chance: Chance<'a>,
    /// `None` if effects are not needed (random games).
    effects: Option<Vec<Value>>,
    drew: bool,
    hides: bool,
    reveals: bool,
}

/// An event's effects as JSON, and their consequences for the seeds.
#[derive(Debug, Default, PartialEq)]
pub struct Trace {
    pub effects: Vec<Value>,
    /// A word was taken from the event's seed.
    pub drew: bool,
    /// The event's seed decided something that is still hidden.
    pub hides: bool,
    /// Data that earlier seeds hid is public now.
    pub reveals: bool,
}

impl<'a> Step<'a> {
    /// A step that keeps its effects.
    #[must_use]
    pub fn new(chance: Chance<'a>) -> Self {
        Self { chance, effects: Some(Vec::new()), drew: false, hides: false, reveals: false }
    }

    /// A step that builds no effects.
    #[must_use]
    pub fn silent(chance: Chance<'a>) -> Self {
        Self { effects: None, ..Self::new(chance) }
    }

    /// Adds an effect. A silent step does not call `effect`.
    ///
    /// # Panics
    /// If the effect cannot be written as JSON, which its type prevents.
    pub fn effect<E: Serialize>(&mut self, effect: impl FnOnce() -> E) {
        if let Some(effects) = &mut self.effects {
            effects.push(serde_json::to_value(effect()).expect("effects are plain data"));
        }
    }

    /// `uniform(k)` of the protocol.
    ///
    /// # Errors
    /// [`NoChance`] in a preview, if the seed is not known, and if nothing possible is chosen.
    pub fn uniform(&mut self, k: u32) -> Result<u32, NoChance> {
        self.one_of(k, Outcome::of_number)
    }

    /// `uniform(k)`, with what each number brings, for people who choose it.
    ///
    /// # Errors
    /// As [`Step::uniform`].
    pub fn one_of(&mut self, k: u32, outcome: impl Fn(u32) -> Outcome) -> Result<u32, NoChance> {
        let number = match &mut self.chance {
            Chance::Drawn(words) => chance::uniform(*words, k),
            Chance::Chosen(chosen) => chosen.one_of(k, outcome)?,
            Chance::Sealed | Chance::Withheld => return Err(NoChance),
        };
        self.drew = true;
        Ok(number)
    }

    /// `die()` of the protocol: 1 to 6.
    ///
    /// # Errors
    /// As [`Step::uniform`].
    pub fn die(&mut self) -> Result<u8, NoChance> {
        let number = |index: u32| 1 + u8::try_from(index).expect("below six");
        Ok(number(self.one_of(6, |index| Outcome::of_die(number(index)))?))
    }

    /// `draw(list)` of the protocol: removes one element; the others keep their order.
    ///
    /// # Errors
    /// As [`Step::uniform`].
    ///
    /// # Panics
    /// If the list is empty.
    pub fn draw<T: Drawable>(&mut self, list: &mut Vec<T>) -> Result<T, NoChance> {
        let length = u32::try_from(list.len()).expect("lists of cards are short");
        let index = self.one_of(length, |index| list[index as usize].outcome())?;
        Ok(list.remove(index as usize))
    }

    /// A draw that stays hidden until [`Step::reveal`]: `None` if the seed, and so the card, is not known. Keeps the event's
    /// seed back.
    ///
    /// # Errors
    /// [`NoChance`] in a preview.
    pub fn draw_hidden<T: Drawable>(&mut self, list: &mut Vec<T>) -> Result<Option<T>, NoChance> {
        match self.chance {
            Chance::Withheld => Err(NoChance),
            Chance::Sealed => {
                self.drew = true;
                self.hides = true;
                Ok(None)
            }
            Chance::Drawn(_) | Chance::Chosen(_) => {
                self.hides = true;
                self.draw(list).map(Some)
            }
        }
    }

    /// Marks everything that earlier events hid as public, so this event publishes their seeds.
    ///
    /// # Errors
    /// [`NoChance`] in a preview.
    pub fn reveal(&mut self) -> Result<(), NoChance> {
        if matches!(self.chance, Chance::Withheld) {
            return Err(NoChance);
        }
        self.reveals = true;
        Ok(())
    }

    /// Ends the step.
    #[must_use]
    pub fn finish(self) -> Trace {
        Trace {
            effects: self.effects.unwrap_or_default(),
            drew: self.drew,
            hides: self.hides,
            reveals: self.reveals,
        }
    }
}
