//! Pip•Pip by Daniel Solis: sixteen dice on a four by four board. Rulings PP1 to PP6.

mod action;
mod board;
mod bot;
mod die;
mod effect;
mod notation;
mod picture;
mod play;
mod position;
mod targets;
mod tell;
#[cfg(test)]
mod tests;
mod text;
mod view;

use std::ops::RangeInclusive;

use serde_json::Value;

pub use action::Action;
pub use effect::Effect;
pub use position::Position;
pub use view::View;

use super::no_options::NoOptions;
use super::{
    Button, Captions, Ending, Guide, Halt, NoChance, NoSuchPosition, Offer, Picks, Picture, Rules, Script,
    Seat, Sentence, Situation, Step, Target, Translation, Unreadable, Verifier, Viewer, Words,
};

/// The rule set.
pub enum PipPip {}

impl Rules for PipPip {
    const NAME: &'static str = "pip-pip";
    const VERSION: u32 = 1;
    const TITLE: &'static str = "Pip•Pip";
    const TEXT: &'static str = include_str!("rules.md");
    const TEXTS: &'static [Translation] = &[
        Translation { language: "en", fluent: include_str!("texts/en.ftl"), rules: None },
        Translation {
            language: "de",
            fluent: include_str!("texts/de.ftl"),
            rules: Some(include_str!("texts/rules.de.md")),
        },
    ];
    const VERIFIER: Verifier = Verifier {
        class: "PipPip",
        modules: &[Script { file: "pip_pip.js", source: include_str!("verifier/pip_pip.js") }],
    };

    const GUIDE: Guide = Guide { seed: 119, moves: &["d3 n2", "d4 n1", "store", "d5 n1"] };

    type Options = NoOptions;
    type Action = Action;
    type Effect = Effect;
    type Position = Position;
    type View = View;

    fn options_schema() -> Value {
        NoOptions::schema()
    }

    fn action_schema() -> Value {
        action::schema()
    }

    fn seats(_options: &NoOptions) -> RangeInclusive<u8> {
        2..=2
    }

    fn start(_options: &NoOptions, _seats: u8, step: &mut Step<'_>) -> Result<Position, NoChance> {
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

    fn determinise(
        _options: &NoOptions,
        situation: &Situation,
        view: &View,
        _words: &mut impl Words,
    ) -> Result<Position, NoSuchPosition> {
        bot::position(situation, view)
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

    fn decided(position: &Position) -> Vec<Sentence> {
        tell::decided(position)
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

    fn targets(view: &View, captions: &Captions<'_>) -> Vec<Target> {
        targets::of(view, captions)
    }

    fn button(target: &str) -> Option<Button> {
        targets::button(target)
    }

    fn picks(position: &Position, action: &Action) -> Picks {
        targets::picks(position, action)
    }
}
