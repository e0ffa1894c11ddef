//! Serpent, one of the Pips games of RinkWorks: hidden hands laid out along a winding path. Rulings SP1 to SP5.

mod action;
mod bot;
mod card_set;
mod effect;
mod hand;
mod layout;
#[cfg(test)]
mod laws;
mod notation;
mod picture;
mod play;
mod position;
mod scoring;
#[cfg(test)]
mod sealed_tests;
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
pub use position::Position;
pub use view::View;

use super::no_options::NoOptions;
use super::{
    Captions, Ending, Guide, Halt, NoChance, NoSuchPosition, Offer, Picks, Picture, Rules, Script, Seat,
    Sentence, Situation, Step, Target, Translation, Unreadable, Verifier, Viewer, Words,
};

/// The rule set.
pub enum Serpent {}

impl Rules for Serpent {
    const NAME: &'static str = "serpent";
    const VERSION: u32 = 1;
    const TITLE: &'static str = "Serpent";
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
        class: "Serpent",
        modules: &[Script { file: "serpent.js", source: include_str!("verifier/serpent.js") }],
    };
    const HIDES: bool = true;

    const GUIDE: Guide =
        Guide { seed: 39, moves: &["give 2d Ks Qc", "show 7c 9s As", "5c", "Qc", "8h", "5h", "6s"] };

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
        (!position.over).then(|| position.turn())
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

    fn scores(position: &Position) -> Option<Vec<i64>> {
        Some(position.scores.map(i64::from).to_vec())
    }

    fn view(position: &Position, viewer: Viewer) -> View {
        view::of(position, viewer)
    }

    fn legal(position: &Position) -> Vec<Offer<Action>> {
        play::legal(position).into_iter().map(Offer::Action).collect()
    }

    fn determinise(
        _options: &NoOptions,
        _situation: &Situation,
        view: &View,
        words: &mut impl Words,
    ) -> Result<Position, NoSuchPosition> {
        bot::position(view, words)
    }

    fn playout_action(position: &Position, words: &mut impl Words) -> Option<Action> {
        bot::playout_action(position, words)
    }

    fn estimate(position: &Position) -> Vec<f64> {
        bot::estimate(position)
    }

    fn is_far_enough(from: &Position, now: &Position) -> bool {
        bot::is_far_enough(from, now)
    }

    fn read(position: &Position, text: &str) -> Result<Action, Unreadable> {
        notation::read(position.stage, text)
    }

    fn may_mean(text: &str, action: &Action) -> bool {
        notation::may_mean(text, *action)
    }

    fn write(action: &Action) -> String {
        notation::write(*action)
    }

    fn tell(seat: Option<Seat>, _action: Option<&Action>, effects: &[Effect]) -> Vec<Sentence> {
        tell::sentences(seat, effects)
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

    fn picks(_position: &Position, action: &Action) -> Picks {
        targets::picks(*action)
    }
}

/// The word for a seat's role in a hand, `director` or `defender`.
fn role(role: &'static str) -> Sentence {
    Sentence::new("serpent-role").text("role", role)
}
