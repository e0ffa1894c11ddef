//! Pip•Pip by Daniel Solis: sixteen dice on a four by four board. Rulings PP1 to PP6.

mod action;
mod board;
mod die;
mod effect;
mod notation;
mod picture;
mod play;
mod position;
mod tell;
#[cfg(test)]
mod tests;
mod text;
mod view;

use std::ops::RangeInclusive;

use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

pub use action::Action;
pub use board::Cell;
pub use die::Die;
pub use effect::Effect;
pub use position::Position;
pub use view::View;

use super::{
    Captions, Ending, Halt, NoChance, Offer, Picture, Rules, Seat, Sentence, Step, Unreadable, Viewer,
};

/// The rule set.
pub enum PipPip {}

/// Pip•Pip has no options.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Options {}

impl Rules for PipPip {
    const NAME: &'static str = "pip-pip";
    const VERSION: u32 = 1;
    const TITLE: &'static str = "Pip•Pip";
    const TEXT: &'static str = include_str!("rules.md");

    type Options = Options;
    type Action = Action;
    type Effect = Effect;
    type Position = Position;
    type View = View;

    fn options_schema() -> Value {
        json!({"type": "object", "properties": {}, "additionalProperties": false})
    }

    fn action_schema() -> Value {
        action::schema()
    }

    fn seats(_options: &Options) -> RangeInclusive<u8> {
        2..=2
    }

    fn start(_options: &Options, _seats: u8, step: &mut Step<'_>) -> Result<Position, NoChance> {
        play::start(step)
    }

    fn to_act(position: &Position) -> Option<Seat> {
        (!position.over).then_some(position.turn)
    }

    fn act(position: &mut Position, seat: Seat, action: &Action, step: &mut Step<'_>) -> Result<(), Halt> {
        play::act(position, seat, action, step)
    }

    fn close(position: &mut Position) {
        position.over = true;
    }

    fn ending(position: &Position) -> Option<Ending> {
        play::ending(position)
    }

    fn scores(position: &Position) -> Option<Vec<i64>> {
        Some(position.board.scores().to_vec())
    }

    fn view(position: &Position, _viewer: Viewer) -> View {
        view::of(position)
    }

    fn legal(position: &Position) -> Vec<Offer<Action>> {
        play::legal(position).into_iter().map(Offer::Action).collect()
    }

    fn read(_position: &Position, text: &str) -> Result<Action, Unreadable> {
        notation::read(text)
    }

    fn write(action: &Action) -> String {
        notation::write(action)
    }

    fn tell(_seat: Option<Seat>, _action: Option<&Action>, effects: &[Effect]) -> Vec<Sentence> {
        tell::sentences(effects)
    }

    fn to_do(position: &Position) -> Sentence {
        tell::to_do(position)
    }

    fn board_text(view: &View, captions: &Captions<'_>) -> String {
        text::board(view, captions)
    }

    fn picture(view: &View, captions: &Captions<'_>, last: &[Effect]) -> Picture {
        picture::draw(view, captions, last)
    }
}
