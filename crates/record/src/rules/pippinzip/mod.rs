//! Pippinzip by João Pedro Neto, Bill Taylor and Craig Duncan: two goals, one board, and an auction for the sides.
//! Rulings PZ1 to PZ7.

mod action;
mod board;
mod bot;
mod cell;
mod cells;
mod effect;
mod groups;
#[cfg(test)]
mod laws;
mod notation;
mod options;
mod picture;
mod play;
mod playout;
mod position;
mod targets;
mod tell;
#[cfg(test)]
mod tests;
mod text;
mod to_do;
mod view;

use std::ops::RangeInclusive;

use serde_json::Value;

pub use action::Action;
pub use effect::Effect;
pub use options::Options;
pub use position::Position;
pub use view::View;

use super::{
    Button, Captions, Ending, Group, Guide, Halt, NoChance, NoSuchPosition, Offer, Picks, Picture, Rules,
    Script, Seat, Sentence, Situation, Step, Target, Translation, Unreadable, Verifier, Viewer, Words,
};

/// The rule set.
pub enum Pippinzip {}

impl Rules for Pippinzip {
    const NAME: &'static str = "pippinzip";
    const VERSION: u32 = 1;
    const TITLE: &'static str = "Pippinzip";
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
        class: "Pippinzip",
        modules: &[Script { file: "pippinzip.js", source: include_str!("verifier/pippinzip.js") }],
    };

    const GUIDE: Guide = Guide { seed: 0, moves: &["c3 i9", "f6", "take", "f7", "f5"] };

    type Options = Options;
    type Action = Action;
    type Effect = Effect;
    type Position = Position;
    type View = View;

    fn options_schema() -> Value {
        options::schema()
    }

    fn action_schema() -> Value {
        action::schema()
    }

    fn seats(_options: &Options) -> RangeInclusive<u8> {
        2..=2
    }

    fn start(options: &Options, _seats: u8, _step: &mut Step<'_>) -> Result<Position, NoChance> {
        Ok(Position::new(*options))
    }

    fn to_act(position: &Position) -> Option<Seat> {
        (!position.over).then_some(position.turn)
    }

    fn act(position: &mut Position, seat: Seat, action: &Action, step: &mut Step<'_>) -> Result<(), Halt> {
        play::act(position, seat, *action, step)
    }

    fn close(position: &mut Position) {
        position.over = true;
    }

    fn ending(position: &Position) -> Option<Ending> {
        play::ending(position)
    }

    fn scores(_position: &Position) -> Option<Vec<i64>> {
        None
    }

    fn view(position: &Position, _viewer: Viewer) -> View {
        view::of(position)
    }

    fn legal(position: &Position) -> Vec<Offer<Action>> {
        play::legal(position)
    }

    fn random_action(position: &Position, words: &mut impl Words) -> Option<Action> {
        position.random_action(words)
    }

    fn determinise(
        options: &Options,
        situation: &Situation,
        view: &View,
        _words: &mut impl Words,
    ) -> Result<Position, NoSuchPosition> {
        bot::position(*options, situation, view)
    }

    fn read(_position: &Position, text: &str) -> Result<Action, Unreadable> {
        notation::read(text)
    }

    fn write(action: &Action) -> String {
        notation::write(*action)
    }

    fn tell(_seat: Option<Seat>, _action: Option<&Action>, effects: &[Effect]) -> Vec<Sentence> {
        tell::sentences(effects)
    }

    fn decided(position: &Position) -> Vec<Sentence> {
        tell::decided(position)
    }

    fn to_do(position: &Position) -> Sentence {
        to_do::sentence(position)
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

    fn parts(view: &View, captions: &Captions<'_>) -> Vec<Group> {
        targets::groups(view, captions)
    }

    fn button(target: &str) -> Option<Button> {
        targets::button(target)
    }

    fn picks(_position: &Position, action: &Action) -> Picks {
        targets::picks(*action)
    }
}
