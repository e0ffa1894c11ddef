//! One event while it is made: chance goes in, effects come out.

use serde::Serialize;
use serde_json::Value;

use super::chance::{self, Chance, NoChance};

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
    /// [`NoChance`] in a preview, and if the seed is not known.
    pub fn uniform(&mut self, k: u32) -> Result<u32, NoChance> {
        match &mut self.chance {
            Chance::Drawn(words) => {
                self.drew = true;
                Ok(chance::uniform(*words, k))
            }
            Chance::Sealed | Chance::Withheld => Err(NoChance),
        }
    }

    /// `die()` of the protocol: 1 to 6.
    ///
    /// # Errors
    /// As [`Step::uniform`].
    pub fn die(&mut self) -> Result<u8, NoChance> {
        Ok(1 + u8::try_from(self.uniform(6)?).expect("below six"))
    }

    /// `draw(list)` of the protocol: removes one element; the others keep their order.
    ///
    /// # Errors
    /// As [`Step::uniform`].
    ///
    /// # Panics
    /// If the list is empty.
    pub fn draw<T>(&mut self, list: &mut Vec<T>) -> Result<T, NoChance> {
        let length = u32::try_from(list.len()).expect("lists of cards are short");
        let index = self.uniform(length)?;
        Ok(list.remove(index as usize))
    }

    /// A draw that stays hidden until [`Step::reveal`]: `None` if the seed, and so the card, is not known. Keeps the event's
    /// seed back.
    ///
    /// # Errors
    /// [`NoChance`] in a preview.
    pub fn draw_hidden<T>(&mut self, list: &mut Vec<T>) -> Result<Option<T>, NoChance> {
        match self.chance {
            Chance::Withheld => Err(NoChance),
            Chance::Sealed => {
                self.drew = true;
                self.hides = true;
                Ok(None)
            }
            Chance::Drawn(_) => {
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
