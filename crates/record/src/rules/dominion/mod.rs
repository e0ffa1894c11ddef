//! Dominion: armies on a field of cards, cards that change the odds, dice. Rulings DM1 to DM15.

mod action;
mod battle;
mod bot;
mod cell;
mod check;
mod deck;
mod effect;
mod ending;
mod field;
mod in_advance;
mod legal;
mod notation;
mod odds;
mod options;
mod picture;
mod play;
mod position;
mod snapshot;
mod targets;
mod tell;
#[cfg(test)]
mod tests;
mod text;
mod turn;
mod to_do;
mod view;

use std::ops::RangeInclusive;

use serde_json::Value;

pub use action::Action;
pub use effect::Effect;
pub use options::{Options, Size};
pub use position::Position;
pub use view::View;

use super::{
    Button, Captions, Ending, Guide, Halt, NoChance, NoSuchPosition, Offer, Picks, Picture, Rules, Script,
    Seat, Sentence, Situation, Step, Target, Translation, Unreadable, Verifier, Viewer, Words,
};

/// The rule set.
pub enum Dominion {}

impl Rules for Dominion {
    const NAME: &'static str = "dominion";
    const VERSION: u32 = 1;
    const TITLE: &'static str = "Dominion";
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
        class: "Dominion",
        modules: &[
            Script { file: "dominion_field.js", source: include_str!("verifier/dominion_field.js") },
            Script { file: "dominion.js", source: include_str!("verifier/dominion.js") },
        ],
    };

    const GUIDE: Guide =
        Guide { seed: 365, moves: &["deploy b3 6", "deploy b4 2", "turn", "attack b3 b4", "occupy 3"] };

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

    fn seats(options: &Options) -> RangeInclusive<u8> {
        options.size.seats()
    }

    fn options_by_players() -> Vec<Options> {
        Size::ALL.map(|size| Options { size, ..Options::default() }).into()
    }

    fn start(options: &Options, seats: u8, step: &mut Step<'_>) -> Result<Position, NoChance> {
        play::start(*options, seats, step)
    }

    fn to_act(position: &Position) -> Option<Seat> {
        position.to_act()
    }

    fn in_turn(position: &Position) -> Option<Seat> {
        position.to_act().map(|_| position.current)
    }

    fn act(position: &mut Position, seat: Seat, action: &Action, step: &mut Step<'_>) -> Result<(), Halt> {
        play::act(position, seat, *action, step)
    }

    fn leave(position: &mut Position, seat: Seat, step: &mut Step<'_>) -> Result<(), NoChance> {
        play::leave(position, seat, step);
        Ok(())
    }

    fn resume(position: &mut Position, step: &mut Step<'_>) -> Result<(), NoChance> {
        play::resume(position, step)
    }

    fn close(position: &mut Position) {
        position.close();
    }

    fn ending(position: &Position) -> Option<Ending> {
        ending::of(position)
    }

    fn scores(_position: &Position) -> Option<Vec<i64>> {
        None
    }

    fn view(position: &Position, _viewer: Viewer) -> View {
        view::of(position)
    }

    fn legal(position: &Position) -> Vec<Offer<Action>> {
        legal::list(position)
    }

    fn determinise(
        options: &Options,
        situation: &Situation,
        view: &View,
        _words: &mut impl Words,
    ) -> Result<Position, NoSuchPosition> {
        bot::position(*options, situation, view)
    }

    fn estimate(position: &Position) -> Vec<f64> {
        bot::estimate(position)
    }

    fn is_far_enough(from: &Position, now: &Position) -> bool {
        bot::is_far_enough(from, now)
    }

    fn read(_position: &Position, text: &str) -> Result<Action, Unreadable> {
        notation::read(text)
    }

    fn write(action: &Action) -> String {
        notation::write(*action)
    }

    fn is_advance_answer(text: &str) -> bool {
        in_advance::is_answer(text)
    }

    fn advance_answer(position: &Position, text: &str) -> Option<Action> {
        in_advance::answer(position, text)
    }

    fn tell(seat: Option<Seat>, action: Option<&Action>, effects: &[Effect]) -> Vec<Sentence> {
        tell::sentences(seat, action, effects)
    }

    fn decided(position: &Position) -> Vec<Sentence> {
        ending::decided(position)
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

    fn button(target: &str) -> Option<Button> {
        targets::button(target)
    }

    fn outlook(position: &Position, action: &Action) -> Option<Sentence> {
        odds::outlook(position, *action)
    }

    fn picks(_position: &Position, action: &Action) -> Picks {
        targets::picks(*action)
    }
}
