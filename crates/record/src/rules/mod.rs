//! Defines a rule set, with a folder for each. Pure: no input or output, no clock, no randomness of its own.
//!
//! A rule set implements [`Rules`] with its own types. All other code uses [`RuleSet`] and [`Position`], which take and return
//! JSON, so no code outside a rule set's folder knows its name. Rules ask for chance through [`Step`]; `record::chance`
//! supplies it.

mod as_text;
pub mod assets;
pub mod cards;
pub mod chance;
pub mod chosen;
pub mod erased;
pub mod example;
mod no_options;
mod notation;
pub mod offer;
pub mod picture;
pub mod playout;
pub mod refusal;
#[macro_use]
pub mod registry;
pub mod schema;
pub mod seat;
pub mod sentence;
pub mod situation;
pub mod step;
pub mod targets;

use std::fmt::Debug;
use std::ops::RangeInclusive;

use serde::Serialize;
use serde::de::DeserializeOwned;
use serde_json::Value;
use utoipa::ToSchema;

pub use assets::{SHARED_TEXTS, Script, Translation, Verifier};
pub use chance::{Chance, NoChance, Words};
pub use chosen::{Chosen, Drawable, Missed, Outcome};
pub use erased::{Position, RuleSet};
pub use example::{Example, Guide, MAX_EXAMPLE_MOVES, example, guided};
pub use offer::{Choose, Offer};
pub use picture::Picture;
pub use refusal::{GOES_ON, Halt, Illegal, Incomplete, OptionsRefused, Refused, Unreadable};
pub use registry::{add, all, find, find_among, sample_name};
pub use seat::{Seat, Viewer};
pub use sentence::{Argument, Captions, Sentence, Voice};
pub use situation::{NoSuchPosition, Situation};
pub use step::Step;
pub use targets::{Button, Composer, Group, Next, Picks, Target};

// One line for each rule set: its folder and its type, then the types of its other versions.
rule_sets! {
    dominion: Dominion;
    pip_pip: PipPip;
    pippinzip: Pippinzip;
    serpent: Serpent;
}

/// How play ended the game, and how the remaining seats rank.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Ending {
    pub reason: PlayedOut,
    /// Groups of seats from first to last; the seats of a group share a place. Seats that left are not listed.
    pub standing: Vec<Vec<Seat>>,
}

/// The endings that a game's rules decide; leaving and abort are common to all games.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PlayedOut {
    Play,
    RoundLimit,
}

/// One rule set in one version, with its own types.
///
/// [`Rules::act`] both decides and applies. It is deterministic: equal positions, actions and chance give equal positions and
/// effects. Laws of every rule set are tested in `tests/laws/every_rule_set.rs`.
pub trait Rules: Sized + Send + Sync + 'static {
    /// The name in the protocol: lower-case letters, words joined by `-`. The folder has the same name with `_`.
    const NAME: &'static str;
    /// Rises with every change that would alter an existing game.
    const VERSION: u32;
    /// The name as people write it.
    const TITLE: &'static str;
    /// The rules for people, in Markdown, with their source named.
    const TEXT: &'static str;
    /// Its texts in each language. English is complete.
    const TEXTS: &'static [Translation];
    /// Its part of the second verifier.
    const VERIFIER: Verifier;
    /// A prepared game that explains it; none by default.
    const GUIDE: Guide = Guide::NONE;
    /// Whether some viewer may not see all of a position.
    const HIDES: bool = false;

    /// Complete once parsed: serde defaults fill in missing members; unknown members are refused.
    type Options: Clone + Debug + PartialEq + Serialize + DeserializeOwned + ToSchema + Send + Sync;
    /// Serialised with a string `type`; deserialising puts it into canonical form.
    type Action: Clone + Debug + PartialEq + Serialize + DeserializeOwned + ToSchema + Send + Sync;
    /// Serialised with a string `type`; public, so it must reveal nothing hidden.
    type Effect: Clone + Debug + PartialEq + Serialize + DeserializeOwned + ToSchema + Send + Sync;
    /// Everything the rules remember. Its JSON is the stored snapshot.
    type Position: Clone + Debug + PartialEq + Serialize + DeserializeOwned + Send + Sync;
    /// What one viewer sees; built for that viewer, not filtered from the position.
    type View: Clone + Debug + PartialEq + Serialize + DeserializeOwned + ToSchema;

    /// JSON Schema (2020-12) of the options.
    fn options_schema() -> Value;
    /// JSON Schema (2020-12) of the actions, without the common ones.
    fn action_schema() -> Value;

    /// Checks that parsed options are possible together.
    ///
    /// # Errors
    /// [`OptionsRefused`] names the member and what it may be.
    fn check_options(_options: &Self::Options) -> Result<(), OptionsRefused> {
        Ok(())
    }

    /// The allowed numbers of players under these options.
    fn seats(options: &Self::Options) -> RangeInclusive<u8>;

    /// Complete options, one for each case in which the number of players differs. By default it never differs.
    fn options_by_players() -> Vec<Self::Options> {
        Vec::new()
    }

    /// Sets up the game and plays its automatic steps until a seat has a choice.
    ///
    /// # Errors
    /// [`NoChance`] if `step` cannot draw.
    fn start(options: &Self::Options, seats: u8, step: &mut Step<'_>) -> Result<Self::Position, NoChance>;

    /// The seat to act; `None` when the game is over.
    fn to_act(position: &Self::Position) -> Option<Seat>;

    /// The seat whose turn it is, also while another seat must answer during it. All choices of a turn share one time limit.
    fn in_turn(position: &Self::Position) -> Option<Seat> {
        Self::to_act(position)
    }

    /// Plays `action` for `seat`, which is the seat to act, and the automatic steps that follow.
    ///
    /// # Errors
    /// [`Halt::Illegal`] leaves `position` as it was; after [`Halt::NoChance`] it is as it stood when the rules asked for chance.
    fn act(
        position: &mut Self::Position,
        seat: Seat,
        action: &Self::Action,
        step: &mut Step<'_>,
    ) -> Result<(), Halt>;

    /// What the rules do immediately when `seat` has left; it must not assume that more than one player remains.
    ///
    /// # Errors
    /// [`NoChance`] if `step` cannot draw.
    fn leave(_position: &mut Self::Position, _seat: Seat, _step: &mut Step<'_>) -> Result<(), NoChance> {
        Ok(())
    }

    /// The automatic steps after [`Rules::leave`], if more than one player remains.
    ///
    /// # Errors
    /// [`NoChance`] if `step` cannot draw.
    fn resume(_position: &mut Self::Position, _step: &mut Step<'_>) -> Result<(), NoChance> {
        Ok(())
    }

    /// Marks the position as finished for a reason outside the rules (leaving, abort). Everything else stays.
    fn close(position: &mut Self::Position);

    /// The ending, if play has ended the game.
    fn ending(position: &Self::Position) -> Option<Ending>;

    /// The current points, by seat; `None` in games without points.
    fn scores(position: &Self::Position) -> Option<Vec<i64>>;

    /// What `viewer` sees.
    fn view(position: &Self::Position, viewer: Viewer) -> Self::View;

    /// All legal actions of the seat to act, in a fixed order; empty when the game is over.
    fn legal(position: &Self::Position) -> Vec<Offer<Self::Action>>;

    /// A legal action of the seat to act, any of which is possible; `None` when the game is over. For programs that play random
    /// games fast, so rules with long lists can avoid building the list.
    fn random_action(position: &Self::Position, words: &mut impl Words) -> Option<Self::Action> {
        offer::random(&Self::legal(position), words)
    }

    /// A position that looks like `view`, the view of a running game: what the view hides is dealt at random, every deal that
    /// fits being possible. The position shows the same view and lists the same legal actions. For programs that play.
    ///
    /// # Errors
    /// [`NoSuchPosition`] if no position has this view.
    fn determinise(
        options: &Self::Options,
        situation: &Situation,
        view: &Self::View,
        words: &mut impl Words,
    ) -> Result<Self::Position, NoSuchPosition>;

    /// A legal action of the seat to act for a random game; sensible ones may be likelier. By default any is as likely as in
    /// [`Rules::random_action`].
    fn playout_action(position: &Self::Position, words: &mut impl Words) -> Option<Self::Action> {
        Self::random_action(position, words)
    }

    /// How the game stands for each seat, from 0 (lost) to 1 (won), as far as can be said without playing on. By default it
    /// follows from the scores.
    fn estimate(position: &Self::Position) -> Vec<f64> {
        playout::by_scores(&Self::scores(position).unwrap_or_default())
    }

    /// Whether a random game that began at `from` need not be played on from `now`, because [`Rules::estimate`] says enough. By
    /// default it is played to its end.
    fn is_far_enough(_from: &Self::Position, _now: &Self::Position) -> bool {
        false
    }

    /// Parses notation as the seat to act would mean it. Case, spaces, and order do not matter, except where order has a
    /// meaning.
    ///
    /// # Errors
    /// [`Unreadable`] says where parsing stopped and what was expected. [`Rules::act`] checks legality.
    fn read(position: &Self::Position, text: &str) -> Result<Self::Action, Unreadable>;

    /// Whether `text`, which [`Rules::read`] refuses, can be an incomplete notation of `action`.
    fn may_mean(text: &str, action: &Self::Action) -> bool {
        notation::begins(text, &Self::write(action))
    }

    /// The action in notation; `read` turns it back into the action.
    fn write(action: &Self::Action) -> String;

    /// Whether `text` is an answer to another seat's turn that a player can give in advance, as in `occupy all`.
    fn is_advance_answer(_text: &str) -> bool {
        false
    }

    /// What the seat to act, which another seat's turn asks, plays by an answer given in advance; `None` if it does not say.
    fn advance_answer(_position: &Self::Position, _text: &str) -> Option<Self::Action> {
        None
    }

    /// What happened in one event, in sentences for people. Common effects are told elsewhere.
    fn tell(seat: Option<Seat>, action: Option<&Self::Action>, effects: &[Self::Effect]) -> Vec<Sentence>;

    /// What decided a game that play has ended, in sentences for everybody. By default the points of each seat.
    fn decided(position: &Self::Position) -> Vec<Sentence> {
        let points = Self::scores(position).unwrap_or_default();
        let told = |(seat, points)| {
            Sentence::new("rules-decided-points").player("player", Seat(seat)).number("points", points)
        };
        (0..).zip(points).map(told).collect()
    }

    /// What the seat to act must do, in one sentence to that player. It tells only what the player may see.
    fn to_do(_position: &Self::Position) -> Sentence {
        Sentence::new("rules-your-turn")
    }

    /// The view as lines of at most 78 columns, suitable for reading aloud; plain ASCII except for the language's words.
    fn board_text(view: &Self::View, captions: &Captions<'_>) -> String;

    /// The view as a picture; `last` has the last event's effects, so that its move can be marked.
    fn picture(view: &Self::View, captions: &Captions<'_>, last: &[Self::Effect]) -> Picture;

    /// The parts of the picture that can be picked to choose an action, at this moment or at another one.
    fn targets(_view: &Self::View, _captions: &Captions<'_>) -> Vec<Target> {
        Vec::new()
    }

    /// The parts of the picture that have something to say when somebody points at them, the largest first.
    fn parts(_view: &Self::View, _captions: &Captions<'_>) -> Vec<Group> {
        Vec::new()
    }

    /// The button of a target that the picture does not show; `None` for any other target.
    fn button(_target: &str) -> Option<Button> {
        None
    }

    /// What chance may make of `action`, which is legal, in one sentence to the player to act; it tells only what that player may see.
    fn outlook(_position: &Self::Position, _action: &Self::Action) -> Option<Sentence> {
        None
    }

    /// The targets that are picked to choose `action`, which is legal and not one of a [`Choose`]: the entries of that are targets
    /// themselves.
    fn picks(position: &Self::Position, action: &Self::Action) -> Picks;
}
