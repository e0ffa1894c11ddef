//! The choices that the seats of a finished game had, each as it looked to who was asked.

use std::collections::VecDeque;

use serde::Deserialize;
use serde_json::Value;

use crate::Games;
use crate::error::GameError;
use crate::history::checkpoints::Purpose;
use crate::history::replay::{PastPosition, Replay};
use crate::memory::live::LiveGame;
use pippost_record::record::Event;
use pippost_record::rules::{Choose, Position, Seat, Situation, Viewer};
use pippost_store::Seq;

/// The most choices of a game that are searched: of longer games, the last ones.
pub const MAX_CHOICES: usize = 200;

/// A choice that a seat had.
pub(super) struct PastChoice {
    /// The event after which it was to choose.
    pub seq: Seq,
    pub seat: Seat,
    pub situation: Situation,
    /// What the seat saw then.
    pub view: Value,
    /// The legal actions in the API's form.
    pub offers: Vec<Value>,
    /// What it chose.
    pub played: Value,
    position: Box<dyn Position>,
}

impl PastChoice {
    /// An action of this choice in notation.
    pub fn written(&self, action: &Value) -> String {
        self.position.write(action).unwrap_or_default()
    }
}

/// The choices in the order in which they were made.
pub(super) async fn of_game(games: &Games, live: &LiveGame) -> Result<Vec<PastChoice>, GameError> {
    let mut replay = Replay::new(games, live, Purpose::Search, live.seq());
    let mut choices = VecDeque::new();
    let mut before: Option<PastPosition> = None;
    while replay.step().await?.is_some() {
        let Some(now) = replay.now() else { continue };
        choices.extend(before.as_ref().and_then(|before| choice(before, &now.event)));
        if choices.len() > MAX_CHOICES {
            choices.pop_front();
        }
        before = Some(now.clone());
    }
    Ok(choices.into())
}

/// What was chosen in an event; `None` if nothing was: with one legal action, or when somebody left.
fn choice(before: &PastPosition, event: &Event) -> Option<PastChoice> {
    let table = &before.table;
    let seat = table.to_act().filter(|seat| event.seat == Some(*seat))?;
    let position = table.position();
    position.write(&event.action)?;
    let offers = position.legal();
    let is_choice = offers.len() > 1 || offers.iter().any(|offer| Choose::deserialize(offer).is_ok());
    let left = Seat::all(table.seats()).filter(|seat| table.has_left(*seat)).collect();
    is_choice.then(|| PastChoice {
        seq: before.seq(),
        seat,
        situation: Situation { seats: table.seats(), to_act: seat, left },
        view: position.view(Viewer::Seat(seat)),
        offers,
        played: event.action.clone(),
        position: position.clone_box(),
    })
}
