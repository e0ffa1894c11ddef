//! Rule sets and positions with their types erased: JSON in, JSON out. One adapter serves every rule set.

use std::fmt::Debug;
use std::marker::PhantomData;
use std::ops::RangeInclusive;

use serde::Deserialize;
use serde_json::Value;
use serde_json::value::{RawValue, to_raw_value};

use super::assets::{Translation, Verifier};
use super::chance::{NoChance, Words};
use super::example::Guide;
use super::notation::MAX_LENGTH;
use super::offer::Offer;
use super::picture::Picture;
use super::refusal::{Incomplete, OptionsRefused, Refused, Unreadable};
use super::schema::RuleSetSchemas;
use super::seat::{Seat, Viewer};
use super::sentence::{Captions, Sentence};
use super::situation::{NoSuchPosition, Situation};
use super::step::Step;
use super::targets::{Button, Composer, DONE, Entry, Group, Picks, Target};
use super::{Ending, Rules, playout};

/// A rule set in one version.
pub trait RuleSet: Debug + Send + Sync {
    fn name(&self) -> &'static str;
    fn version(&self) -> u32;
    fn title(&self) -> &'static str;
    /// The rules for people, in Markdown.
    fn text(&self) -> &'static str;
    /// Its texts in each language.
    fn texts(&self) -> &'static [Translation];
    /// Its part of the second verifier.
    fn verifier(&self) -> Verifier;
    /// The prepared game that explains it.
    fn guide(&self) -> Guide;
    /// The schemas of its types.
    fn schemas(&self) -> RuleSetSchemas;
    fn options_schema(&self) -> Value;
    fn action_schema(&self) -> Value;

    /// The options with defaults filled in.
    ///
    /// # Errors
    /// [`OptionsRefused`] if a member is unknown or impossible.
    fn complete_options(&self, given: &Value) -> Result<Value, OptionsRefused>;

    /// The allowed numbers of players under these options.
    ///
    /// # Errors
    /// [`OptionsRefused`] as for [`RuleSet::complete_options`].
    fn seats(&self, options: &Value) -> Result<RangeInclusive<u8>, OptionsRefused>;

    /// The allowed numbers of players over all options: an entry for each combination of the options that matter, with only
    /// those options. One entry without options if they never matter.
    fn players_by_options(&self) -> Vec<(Value, RangeInclusive<u8>)>;

    /// Sets up a game under complete options.
    ///
    /// # Errors
    /// [`StartRefused`] if the options are impossible or `step` cannot draw.
    fn start(
        &self,
        options: &Value,
        seats: u8,
        step: &mut Step<'_>,
    ) -> Result<Box<dyn Position>, StartRefused>;

    /// Whether some viewer may not see all of a position. If not, [`RuleSet::determinise`] returns always the same.
    fn hides(&self) -> bool;

    /// A position that looks like `view` under complete options, with all that the view hides dealt at random.
    ///
    /// # Errors
    /// [`NoSuchPosition`] if options or view are not of this rule set, or no position has this view.
    fn determinise(
        &self,
        options: &Value,
        situation: &Situation,
        view: &Value,
        words: &mut dyn Words,
    ) -> Result<Box<dyn Position>, NoSuchPosition>;

    /// Whether a player can give this answer to another seat's turn in advance.
    fn is_advance_answer(&self, text: &str) -> bool;

    /// What happened in one event, in sentences; unknown effects are skipped.
    fn tell(&self, seat: Option<Seat>, action: &Value, effects: &[Value]) -> Vec<Sentence>;

    /// The position of a stored snapshot.
    ///
    /// # Errors
    /// The snapshot does not belong to this rule set.
    fn restore(&self, snapshot: &str) -> Result<Box<dyn Position>, serde_json::Error>;
}

/// Why a game could not be set up.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum StartRefused {
    #[error(transparent)]
    Options(#[from] OptionsRefused),
    #[error(transparent)]
    NoChance(#[from] NoChance),
}

/// A position of some rule set; the methods are those of [`Rules`].
pub trait Position: Debug + Send + Sync {
    fn clone_box(&self) -> Box<dyn Position>;
    fn to_act(&self) -> Option<Seat>;
    fn in_turn(&self) -> Option<Seat>;

    /// Plays an action given as JSON and returns it in canonical form.
    ///
    /// # Errors
    /// [`Refused`]; after `Unreadable` and `Illegal` the position is unchanged.
    fn act(&mut self, seat: Seat, action: &Value, step: &mut Step<'_>) -> Result<Value, Refused>;

    /// # Errors
    /// [`NoChance`] when `step` cannot draw.
    fn leave(&mut self, seat: Seat, step: &mut Step<'_>) -> Result<(), NoChance>;

    /// # Errors
    /// [`NoChance`] when `step` cannot draw.
    fn resume(&mut self, step: &mut Step<'_>) -> Result<(), NoChance>;
    fn close(&mut self);
    fn ending(&self) -> Option<Ending>;
    fn scores(&self) -> Option<Vec<i64>>;
    fn view(&self, viewer: Viewer) -> Value;
    /// The view as text, written directly because views are requested most.
    fn view_text(&self, viewer: Viewer) -> Box<RawValue>;
    /// The list of legal actions in the API's form.
    fn legal(&self) -> Vec<Value>;
    /// A legal action of the seat to act; `None` when the game is over.
    fn random_action(&self, words: &mut dyn Words) -> Option<Value>;

    /// Plays `action` for the seat to act on a copy, then random actions until the game is over or far enough (at most
    /// `max_actions`), and says how it stands for each seat, from 0 (lost) to 1 (won).
    ///
    /// # Errors
    /// [`Refused`] as for [`Position::act`].
    fn playout(&self, action: &Value, words: &mut dyn Words, max_actions: u32) -> Result<Vec<f64>, Refused>;

    /// # Errors
    /// [`Unreadable`] says where reading stopped.
    fn read(&self, text: &str) -> Result<Value, Unreadable>;

    /// The legal actions of the seat to act that an incomplete text may mean; `None` if there are none. Only that seat may see
    /// them.
    fn meant(&self, text: &str) -> Option<Incomplete>;

    /// The notation of an action of these rules; `None` for any other value.
    fn write(&self, action: &Value) -> Option<String>;
    /// What the seat to act plays by an answer given in advance; `None` if it does not say.
    fn advance_answer(&self, text: &str) -> Option<Value>;
    /// As [`RuleSet::tell`].
    fn tell(&self, seat: Option<Seat>, action: &Value, effects: &[Value]) -> Vec<Sentence>;
    /// What decided a game that play has ended; nothing before, and after an ending that the rules do not decide.
    fn decided(&self) -> Vec<Sentence>;
    /// What the seat to act must do, in one sentence.
    fn to_do(&self) -> Sentence;
    /// The board as `viewer` sees it, as plain text.
    fn board_text(&self, viewer: Viewer, captions: &Captions<'_>) -> String;
    /// The board as `viewer` sees it, as a picture that marks the move in `last`, the last event's effects; unknown effects are
    /// skipped.
    fn picture(&self, viewer: Viewer, captions: &Captions<'_>, last: &[Value]) -> Picture;
    /// The parts of that picture that can be picked.
    fn targets(&self, viewer: Viewer, captions: &Captions<'_>) -> Vec<Target>;
    /// The parts of that picture that say something when somebody points at them.
    fn parts(&self, viewer: Viewer, captions: &Captions<'_>) -> Vec<Group>;
    /// The button of a target that the picture does not show.
    fn button(&self, target: &str) -> Option<Button>;
    /// What chance may make of a legal action, in one sentence.
    fn outlook(&self, action: &Value) -> Option<Sentence>;
    /// The targets that are picked to choose an entry of the list of legal actions; `None` for any other value.
    fn picks(&self, action: &Value) -> Option<Picks>;
    /// Composes the legal actions from picks. Only the seat to act may see them.
    fn composer(&self) -> Composer;
    /// The position as JSON, for [`RuleSet::restore`].
    fn snapshot(&self) -> Box<RawValue>;
}

impl Clone for Box<dyn Position> {
    fn clone(&self) -> Self {
        self.clone_box()
    }
}

/// [`Rules`] behind [`RuleSet`].
pub struct Adapter<R>(PhantomData<fn() -> R>);

impl<R> Adapter<R> {
    /// The only value; a constant, so that the registry can be static.
    #[must_use]
    pub const fn new() -> Self {
        Self(PhantomData)
    }
}

impl<R> Default for Adapter<R> {
    fn default() -> Self {
        Self::new()
    }
}

impl<R: Rules> Debug for Adapter<R> {
    fn fmt(&self, out: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(out, "{} {}", R::NAME, R::VERSION)
    }
}

fn read_options<R: Rules>(given: &Value) -> Result<R::Options, OptionsRefused> {
    if !given.is_object() {
        return Err(OptionsRefused("an object is expected".to_owned()));
    }
    let unfit = |_| OptionsRefused(format!("{} has no such options", R::TITLE));
    let options = R::Options::deserialize(given).map_err(unfit)?;
    R::check_options(&options)?;
    Ok(options)
}

impl<R: Rules> RuleSet for Adapter<R> {
    fn name(&self) -> &'static str {
        R::NAME
    }

    fn version(&self) -> u32 {
        R::VERSION
    }

    fn title(&self) -> &'static str {
        R::TITLE
    }

    fn text(&self) -> &'static str {
        R::TEXT
    }

    fn texts(&self) -> &'static [Translation] {
        R::TEXTS
    }

    fn verifier(&self) -> Verifier {
        R::VERIFIER
    }

    fn guide(&self) -> Guide {
        R::GUIDE
    }

    fn schemas(&self) -> RuleSetSchemas {
        RuleSetSchemas::of::<R>()
    }

    fn options_schema(&self) -> Value {
        R::options_schema()
    }

    fn action_schema(&self) -> Value {
        R::action_schema()
    }

    fn complete_options(&self, given: &Value) -> Result<Value, OptionsRefused> {
        Ok(serde_json::to_value(read_options::<R>(given)?).expect("options are plain data"))
    }

    fn seats(&self, options: &Value) -> Result<RangeInclusive<u8>, OptionsRefused> {
        Ok(R::seats(&read_options::<R>(options)?))
    }

    fn players_by_options(&self) -> Vec<(Value, RangeInclusive<u8>)> {
        let nothing = Value::Object(serde_json::Map::new());
        let cases = R::options_by_players();
        if cases.is_empty() {
            let seats = self.seats(&nothing).expect("the defaults are possible");
            return vec![(nothing, seats)];
        }
        let written = |options: &R::Options| serde_json::to_value(options).expect("options are plain data");
        let all: Vec<Value> = cases.iter().map(written).collect();
        let differs = |name: &String| all.iter().any(|options| options[name] != all[0][name]);
        let case = |(options, written): (&R::Options, &Value)| {
            let members = written.as_object().into_iter().flatten();
            let deciding = members.filter(|(name, _)| differs(name));
            let deciding = deciding.map(|(name, value)| (name.clone(), value.clone())).collect();
            (Value::Object(deciding), R::seats(options))
        };
        cases.iter().zip(&all).map(case).collect()
    }

    fn start(
        &self,
        options: &Value,
        seats: u8,
        step: &mut Step<'_>,
    ) -> Result<Box<dyn Position>, StartRefused> {
        let position = R::start(&read_options::<R>(options)?, seats, step)?;
        Ok(Box::new(Typed::<R>(position)))
    }

    fn hides(&self) -> bool {
        R::HIDES
    }

    fn determinise(
        &self,
        options: &Value,
        situation: &Situation,
        view: &Value,
        words: &mut dyn Words,
    ) -> Result<Box<dyn Position>, NoSuchPosition> {
        let options = read_options::<R>(options).map_err(NoSuchPosition::new)?;
        let view = R::View::deserialize(view).map_err(NoSuchPosition::new)?;
        let mut words = || words.next_word();
        Ok(Box::new(Typed::<R>(R::determinise(&options, situation, &view, &mut words)?)))
    }

    fn is_advance_answer(&self, text: &str) -> bool {
        R::is_advance_answer(text)
    }

    fn tell(&self, seat: Option<Seat>, action: &Value, effects: &[Value]) -> Vec<Sentence> {
        let action = R::Action::deserialize(action).ok();
        R::tell(seat, action.as_ref(), &known_effects::<R>(effects))
    }

    fn restore(&self, snapshot: &str) -> Result<Box<dyn Position>, serde_json::Error> {
        Ok(Box::new(Typed::<R>(serde_json::from_str(snapshot)?)))
    }
}

/// A typed position behind [`Position`].
struct Typed<R: Rules>(R::Position);

impl<R: Rules> Debug for Typed<R> {
    fn fmt(&self, out: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        // Not the position itself: it may have hidden cards, and this may be logged.
        write!(out, "a position of {}", R::NAME)
    }
}

impl<R: Rules> Position for Typed<R> {
    fn clone_box(&self) -> Box<dyn Position> {
        Box::new(Self(self.0.clone()))
    }

    fn to_act(&self) -> Option<Seat> {
        R::to_act(&self.0)
    }

    fn in_turn(&self) -> Option<Seat> {
        R::in_turn(&self.0)
    }

    fn act(&mut self, seat: Seat, action: &Value, step: &mut Step<'_>) -> Result<Value, Refused> {
        let action = read_action::<R>(action)?;
        R::act(&mut self.0, seat, &action, step)?;
        Ok(serde_json::to_value(action).expect("actions are plain data"))
    }

    fn leave(&mut self, seat: Seat, step: &mut Step<'_>) -> Result<(), NoChance> {
        R::leave(&mut self.0, seat, step)
    }

    fn resume(&mut self, step: &mut Step<'_>) -> Result<(), NoChance> {
        R::resume(&mut self.0, step)
    }

    fn close(&mut self) {
        R::close(&mut self.0);
    }

    fn ending(&self) -> Option<Ending> {
        R::ending(&self.0)
    }

    fn scores(&self) -> Option<Vec<i64>> {
        R::scores(&self.0)
    }

    fn view(&self, viewer: Viewer) -> Value {
        serde_json::to_value(R::view(&self.0, viewer)).expect("views are plain data")
    }

    fn view_text(&self, viewer: Viewer) -> Box<RawValue> {
        to_raw_value(&R::view(&self.0, viewer)).expect("views are plain data")
    }

    fn legal(&self) -> Vec<Value> {
        let offers = R::legal(&self.0);
        offers.iter().map(|offer| serde_json::to_value(offer).expect("actions are plain data")).collect()
    }

    fn playout(&self, action: &Value, words: &mut dyn Words, max_actions: u32) -> Result<Vec<f64>, Refused> {
        Ok(playout::run::<R>(&self.0, &read_action::<R>(action)?, words, max_actions)?)
    }

    fn random_action(&self, words: &mut dyn Words) -> Option<Value> {
        let action = R::random_action(&self.0, &mut || words.next_word())?;
        Some(serde_json::to_value(action).expect("actions are plain data"))
    }

    fn read(&self, text: &str) -> Result<Value, Unreadable> {
        let action = R::read(&self.0, text)?;
        Ok(serde_json::to_value(action).expect("actions are plain data"))
    }

    fn meant(&self, text: &str) -> Option<Incomplete> {
        if text.chars().count() > MAX_LENGTH {
            return None;
        }
        let actions = R::legal(&self.0).into_iter().flat_map(single_actions::<R>);
        let meant = actions.filter(|action| R::may_mean(text, action));
        let candidates: Vec<String> = meant.map(|action| R::write(&action)).collect();
        (!candidates.is_empty()).then_some(Incomplete { candidates })
    }

    fn write(&self, action: &Value) -> Option<String> {
        R::Action::deserialize(action).ok().map(|action| R::write(&action))
    }

    fn advance_answer(&self, text: &str) -> Option<Value> {
        let action = R::advance_answer(&self.0, text)?;
        Some(serde_json::to_value(action).expect("actions are plain data"))
    }

    fn tell(&self, seat: Option<Seat>, action: &Value, effects: &[Value]) -> Vec<Sentence> {
        Adapter::<R>::new().tell(seat, action, effects)
    }

    fn decided(&self) -> Vec<Sentence> {
        if R::ending(&self.0).is_some() { R::decided(&self.0) } else { Vec::new() }
    }

    fn to_do(&self) -> Sentence {
        R::to_do(&self.0)
    }

    fn board_text(&self, viewer: Viewer, captions: &Captions<'_>) -> String {
        R::board_text(&R::view(&self.0, viewer), captions)
    }

    fn picture(&self, viewer: Viewer, captions: &Captions<'_>, last: &[Value]) -> Picture {
        R::picture(&R::view(&self.0, viewer), &captions.seen_by(viewer), &known_effects::<R>(last))
    }

    fn targets(&self, viewer: Viewer, captions: &Captions<'_>) -> Vec<Target> {
        R::targets(&R::view(&self.0, viewer), &captions.seen_by(viewer))
    }

    fn parts(&self, viewer: Viewer, captions: &Captions<'_>) -> Vec<Group> {
        R::parts(&R::view(&self.0, viewer), &captions.seen_by(viewer))
    }

    fn button(&self, target: &str) -> Option<Button> {
        if target == DONE { Some(Button::done()) } else { R::button(target) }
    }

    fn outlook(&self, action: &Value) -> Option<Sentence> {
        R::outlook(&self.0, &R::Action::deserialize(action).ok()?)
    }

    fn picks(&self, action: &Value) -> Option<Picks> {
        let action = R::Action::deserialize(action).ok()?;
        Some(R::picks(&self.0, &action))
    }

    fn composer(&self) -> Composer {
        let entry = |offer| match offer {
            Offer::Action(action) => {
                let picks = R::picks(&self.0, &action);
                Entry::Action(picks, serde_json::to_value(action).expect("actions are plain data"))
            }
            Offer::Choose(choice) => Entry::Choose(choice),
        };
        Composer::new(R::legal(&self.0).into_iter().map(entry).collect())
    }

    fn snapshot(&self) -> Box<RawValue> {
        to_raw_value(&self.0).expect("positions are plain data")
    }
}

fn read_action<R: Rules>(action: &Value) -> Result<R::Action, Unreadable> {
    if !action.is_object() {
        return Err(Unreadable { at: None, why: Sentence::new("rules-no-object") });
    }
    R::Action::deserialize(action).map_err(|_| Unreadable::json())
}

/// The actions of an offer that need no further choice; of a choice among cells, those that pick one.
fn single_actions<R: Rules>(offer: Offer<R::Action>) -> Vec<R::Action> {
    match offer {
        Offer::Action(action) => vec![action],
        Offer::Choose(choice) if choice.choose.least > 1 => Vec::new(),
        Offer::Choose(choice) => {
            choice.examples().iter().filter_map(|action| R::Action::deserialize(action).ok()).collect()
        }
    }
}

/// The effects that belong to the rule set.
fn known_effects<R: Rules>(effects: &[Value]) -> Vec<R::Effect> {
    effects.iter().filter_map(|effect| R::Effect::deserialize(effect).ok()).collect()
}
