//! Race: two players roll in turn, and the first to reach the target wins. A player may pass instead of rolling.

use std::ops::RangeInclusive;

use serde::{Deserialize, Serialize};
use serde_json::{Value, json};
use utoipa::ToSchema;

use crate::rules::picture::{WIDTH, at, fit, text};
use crate::rules::{
    Button, Captions, Ending, Halt, Illegal, NoChance, NoSuchPosition, Offer, OptionsRefused, Picks, Picture,
    PlayedOut, Rules, Script, Seat, Sentence, Situation, Step, Translation, Unreadable, Verifier, Viewer,
    Words,
};

/// The rule set: a type without values, because everything is in its associated types and functions. The version is a
/// parameter, so that a second one can exist beside the first.
pub enum Race<const RULES_VERSION: u32 = 1> {}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
#[schema(as = RaceOptions)]
pub struct Options {
    #[serde(default = "usual_target")]
    #[schema(minimum = 1, maximum = 200, default = usual_target)]
    target: u8,
}

const USUAL_TARGET: u8 = 12;
const FARTHEST_TARGET: u8 = 200;

const MARGIN: f32 = 12.0;
const TEXT_SIZE: f32 = 16.0;

fn usual_target() -> u8 {
    USUAL_TARGET
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, ToSchema)]
#[serde(tag = "type", rename_all = "snake_case", deny_unknown_fields)]
#[schema(as = RaceAction)]
pub enum Action {
    Roll {},
    Pass {},
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, ToSchema)]
#[serde(tag = "type", rename_all = "snake_case", deny_unknown_fields)]
#[schema(as = RaceEffect)]
pub enum Effect {
    Rolled { seat: Seat, die: u8, total: u8 },
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Position {
    target: u8,
    turn: Seat,
    totals: [u8; 2],
    over: bool,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, ToSchema)]
#[schema(as = RaceView)]
pub struct View {
    phase: String,
    target: u8,
    #[schema(min_items = 2, max_items = 2)]
    totals: [u8; 2],
}

impl<const RULES_VERSION: u32> Rules for Race<RULES_VERSION> {
    const NAME: &'static str = "race";
    const VERSION: u32 = RULES_VERSION;
    const TITLE: &'static str = "Race";
    const TEXT: &'static str = include_str!("rules.md");
    const TEXTS: &'static [Translation] = &[
        Translation { language: "en", fluent: include_str!("texts/en.ftl"), rules: None },
        Translation { language: "de", fluent: include_str!("texts/de.ftl"), rules: None },
    ];
    const VERIFIER: Verifier = Verifier {
        class: "Race",
        modules: &[Script { file: "race.js", source: include_str!("verifier/race.js") }],
    };

    type Options = Options;
    type Action = Action;
    type Effect = Effect;
    type Position = Position;
    type View = View;

    fn options_schema() -> Value {
        json!({"type": "object", "additionalProperties": false,
            "properties": {"target": {"type": "integer", "minimum": 1, "maximum": FARTHEST_TARGET, "default": USUAL_TARGET}}})
    }

    fn action_schema() -> Value {
        let alone = |name: &str| {
            json!({"type": "object", "properties": {"type": {"const": name}},
                "required": ["type"], "additionalProperties": false})
        };
        json!({"oneOf": [alone("roll"), alone("pass")]})
    }

    fn check_options(options: &Options) -> Result<(), OptionsRefused> {
        let fits = (1..=FARTHEST_TARGET).contains(&options.target);
        if fits { Ok(()) } else { Err(OptionsRefused(format!("target is 1 to {FARTHEST_TARGET}"))) }
    }

    fn seats(_options: &Options) -> RangeInclusive<u8> {
        2..=2
    }

    fn start(options: &Options, _seats: u8, _step: &mut Step<'_>) -> Result<Position, NoChance> {
        Ok(Position { target: options.target, turn: Seat(0), totals: [0, 0], over: false })
    }

    fn to_act(position: &Position) -> Option<Seat> {
        (!position.over).then_some(position.turn)
    }

    fn act(position: &mut Position, seat: Seat, action: &Action, step: &mut Step<'_>) -> Result<(), Halt> {
        // Checks come before changes, because a refused action must not change the position.
        if position.over || seat != position.turn {
            return Err(Illegal::new("rules-not-your-turn").into());
        }
        if *action == (Action::Roll {}) {
            let die = step.die()?;
            let total = &mut position.totals[seat.index()];
            *total += die;
            let total = *total;
            step.effect(|| Effect::Rolled { seat, die, total });
            position.over = total >= position.target;
        }
        if !position.over {
            position.turn = seat.other();
        }
        Ok(())
    }

    fn close(position: &mut Position) {
        position.over = true;
    }

    fn ending(position: &Position) -> Option<Ending> {
        let winner = Seat::all(2).find(|seat| position.totals[seat.index()] >= position.target)?;
        Some(Ending { reason: PlayedOut::Play, standing: vec![vec![winner], vec![winner.other()]] })
    }

    fn scores(position: &Position) -> Option<Vec<i64>> {
        Some(position.totals.map(i64::from).to_vec())
    }

    fn view(position: &Position, _viewer: Viewer) -> View {
        let phase = if position.over { "finished" } else { "play" };
        View { phase: phase.to_owned(), target: position.target, totals: position.totals }
    }

    fn legal(position: &Position) -> Vec<Offer<Action>> {
        if position.over {
            return Vec::new();
        }
        vec![Offer::Action(Action::Roll {}), Offer::Action(Action::Pass {})]
    }

    fn determinise(
        options: &Options,
        situation: &Situation,
        view: &View,
        _words: &mut impl Words,
    ) -> Result<Position, NoSuchPosition> {
        if situation.to_act.index() > 1 {
            return Err(NoSuchPosition::new("the game has seats 0 and 1 only"));
        }
        if view.phase != "play" {
            return Err(NoSuchPosition::new("the game is over"));
        }
        Ok(Position { target: options.target, turn: situation.to_act, totals: view.totals, over: false })
    }

    fn read(_position: &Position, text: &str) -> Result<Action, Unreadable> {
        match text.trim().to_ascii_lowercase().as_str() {
            "roll" => Ok(Action::Roll {}),
            "pass" => Ok(Action::Pass {}),
            // A rule set may have a defect, and then only what meets it fails.
            "crash" => panic!("a defect of the rules"),
            _ => Err(Unreadable::at(0, "race-here")),
        }
    }

    fn write(action: &Action) -> String {
        match action {
            Action::Roll {} => "roll".to_owned(),
            Action::Pass {} => "pass".to_owned(),
        }
    }

    fn tell(_seat: Option<Seat>, _action: Option<&Action>, effects: &[Effect]) -> Vec<Sentence> {
        let sentence = |Effect::Rolled { seat, die, total }: &Effect| {
            Sentence::new("race-rolled").player("player", *seat).number("die", *die).number("total", *total)
        };
        effects.iter().map(sentence).collect()
    }

    fn to_do(_position: &Position) -> Sentence {
        Sentence::new("race-do")
    }

    fn board_text(view: &View, captions: &Captions<'_>) -> String {
        let line = |seat: Seat| {
            let total = Sentence::new("race-line").text("player", captions.name(seat));
            captions.say(total.number("total", view.totals[seat.index()]).number("target", view.target))
                + "\n"
        };
        Seat::all(2).map(line).collect()
    }

    fn picture(view: &View, captions: &Captions<'_>, _last: &[Effect]) -> Picture {
        let title = captions.say(Sentence::new("race-title").number("target", view.target));
        let totals = Self::board_text(view, captions);
        let mut picture = Picture::new(title, totals.clone(), 60.0);
        for (line, y) in totals.lines().zip([24.0, 48.0]) {
            picture.text(at(MARGIN, y), text(TEXT_SIZE), fit(line, TEXT_SIZE, WIDTH - 2.0 * MARGIN));
        }
        picture
    }

    fn button(target: &str) -> Option<Button> {
        match target {
            "roll" => Some(Button::new("race-button-roll")),
            "pass" => Some(Button::new("race-button-pass")),
            _ => None,
        }
    }

    fn picks(_position: &Position, action: &Action) -> Picks {
        Picks::one(Self::write(action))
    }
}
