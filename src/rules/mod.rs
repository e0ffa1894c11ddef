//! What a rule set is, and one folder for each. Pure: no input or output, no clock, no randomness of its own.
//!
//! A rule set implements [`Rules`] with types of its own. Everybody else talks to it through
//! [`RuleSet`] and [`Position`], which speak JSON, so no code outside a rule set's folder knows its name.
//! Chance is asked for through [`Step`] and comes from elsewhere (`record::chance`).

mod as_text;
pub mod assets;
pub mod cards;
pub mod chance;
pub mod erased;
mod no_options;
mod notation;
pub mod offer;
pub mod picture;
pub mod refusal;
#[macro_use]
pub mod registry;
pub mod schema;
pub mod seat;
pub mod sentence;
pub mod step;

use std::fmt::Debug;
use std::ops::RangeInclusive;

use serde::Serialize;
use serde::de::DeserializeOwned;
use serde_json::Value;
use utoipa::ToSchema;

pub use assets::{Script, Translation, Verifier};
pub use chance::{Chance, NoChance, Words};
pub use erased::{Position, RuleSet};
pub use offer::{Choose, Offer};
pub use picture::Picture;
pub use refusal::{Halt, Illegal, Incomplete, OptionsRefused, Refused, Unreadable};
pub use registry::{add, all, find, find_among, sample_name};
pub use seat::{Seat, Viewer};
pub use sentence::{Argument, Captions, Sentence, Voice};
pub use step::Step;

// One line for each rule set: its folder and its type, then the types of its other versions.
rule_sets! {
    dominion: Dominion;
    pip_pip: PipPip;
    pippinzip: Pippinzip;
    serpent: Serpent;
}

/// How play itself ended the game, and in which order the seats that stayed finished.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Ending {
    pub reason: PlayedOut,
    /// Groups of seats from first to last; the seats of a group share a place. Seats that left are not named.
    pub standing: Vec<Vec<Seat>>,
}

/// The endings that come from the rules of a game; leaving and abort are common to all games.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PlayedOut {
    Play,
    RoundLimit,
}

/// One rule set in one version, with types of its own.
///
/// Deciding and applying are one function, [`Rules::act`], which is deterministic: equal positions, actions and
/// chance give equal positions and effects. Laws that every rule set keeps are tested in `tests/it/laws/every_rule_set.rs`.
pub trait Rules: Sized + Send + Sync + 'static {
    /// The name in the protocol: lower-case letters, words joined by `-`. The folder has the same name with `_`.
    const NAME: &'static str;
    /// Rises with every change that would alter any old game.
    const VERSION: u32;
    /// The name as people write it.
    const TITLE: &'static str;
    /// The rules for people, in Markdown, with their source named.
    const TEXT: &'static str;
    /// What it says, in each language. English is complete.
    const TEXTS: &'static [Translation];
    /// Its part of the second verifier.
    const VERIFIER: Verifier;

    /// Complete once read: serde defaults fill what is missing; unknown members are refused.
    type Options: Clone + Debug + PartialEq + Serialize + DeserializeOwned + ToSchema + Send + Sync;
    /// Serialised with a string `type`; reading JSON puts it into its canonical form.
    type Action: Clone + Debug + PartialEq + Serialize + DeserializeOwned + ToSchema + Send + Sync;
    /// Serialised with a string `type`; public, never anything hidden.
    type Effect: Clone + Debug + PartialEq + Serialize + DeserializeOwned + ToSchema + Send + Sync;
    /// Everything the rules remember. Its JSON is the snapshot that the server stores.
    type Position: Clone + Debug + PartialEq + Serialize + DeserializeOwned + Send + Sync;
    /// What one viewer sees, made from nothing rather than filtered.
    type View: Clone + Debug + PartialEq + Serialize + DeserializeOwned + ToSchema;

    /// JSON Schema (2020-12) of the options.
    fn options_schema() -> Value;
    /// JSON Schema (2020-12) of the actions, the common ones aside.
    fn action_schema() -> Value;

    /// Says why options that could be read are impossible together.
    ///
    /// # Errors
    /// [`OptionsRefused`] names the member and what it may be.
    fn check_options(_options: &Self::Options) -> Result<(), OptionsRefused> {
        Ok(())
    }

    /// How many players the game takes under these options.
    fn seats(options: &Self::Options) -> RangeInclusive<u8>;

    /// Options between which the number of players differs: one set for each, complete. By default it never differs.
    fn options_by_players() -> Vec<Self::Options> {
        Vec::new()
    }

    /// Sets up the game and plays its automatic steps until somebody is to choose.
    ///
    /// # Errors
    /// [`NoChance`] when `step` cannot draw.
    fn start(options: &Self::Options, seats: u8, step: &mut Step<'_>) -> Result<Self::Position, NoChance>;

    /// The seat whose choice it is; `None` when the game is over.
    fn to_act(position: &Self::Position) -> Option<Seat>;

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

    /// What the rules do at once when `seat` has left; nothing that needs more than one player to remain.
    ///
    /// # Errors
    /// [`NoChance`] when `step` cannot draw.
    fn leave(_position: &mut Self::Position, _seat: Seat, _step: &mut Step<'_>) -> Result<(), NoChance> {
        Ok(())
    }

    /// The automatic steps after [`Rules::leave`], when more than one player remains.
    ///
    /// # Errors
    /// [`NoChance`] when `step` cannot draw.
    fn resume(_position: &mut Self::Position, _step: &mut Step<'_>) -> Result<(), NoChance> {
        Ok(())
    }

    /// Marks the position as finished for a reason from outside the rules (leaving, abort). All else stays.
    fn close(position: &mut Self::Position);

    /// The ending, if play itself has ended the game.
    fn ending(position: &Self::Position) -> Option<Ending>;

    /// The points as they stand, by seat; `None` in games without points.
    fn scores(position: &Self::Position) -> Option<Vec<i64>>;

    /// What `viewer` sees.
    fn view(position: &Self::Position, viewer: Viewer) -> Self::View;

    /// Everything the seat to act may do, in a fixed order; empty when the game is over.
    fn legal(position: &Self::Position) -> Vec<Offer<Self::Action>>;

    /// A legal action of the seat to act, each of them possible; `None` when the game is over. For programs that play at random and
    /// fast, so rules with long lists may do without the list.
    fn random_action(position: &Self::Position, words: &mut impl Words) -> Option<Self::Action> {
        offer::random(&Self::legal(position), words)
    }

    /// Reads notation as the seat to act would mean it. Forgiving about case, spaces, and order where order does not matter.
    ///
    /// # Errors
    /// [`Unreadable`] says where it stopped and what was expected. Legality is for [`Rules::act`].
    fn read(position: &Self::Position, text: &str) -> Result<Self::Action, Unreadable>;

    /// Whether `text`, which [`Rules::read`] refuses, can be an unfinished notation of `action`.
    fn may_mean(text: &str, action: &Self::Action) -> bool {
        notation::begins(text, &Self::write(action))
    }

    /// The action in notation; `read` of it gives the action back.
    fn write(action: &Self::Action) -> String;

    /// What happened in one event, in sentences for people. Common effects are told elsewhere.
    fn tell(seat: Option<Seat>, action: Option<&Self::Action>, effects: &[Self::Effect]) -> Vec<Sentence>;

    /// What is asked of the seat to act, in one sentence to that player. Only what the player may see.
    fn to_do(_position: &Self::Position) -> Sentence {
        Sentence::new("rules-your-turn")
    }

    /// The view as lines of at most 78 columns, readable aloud; plain ASCII but for the words of the language.
    fn board_text(view: &Self::View, captions: &Captions<'_>) -> String;

    /// The view as a picture; `last` is what the last event did, so that its move can be marked.
    fn picture(view: &Self::View, captions: &Captions<'_>, last: &[Self::Effect]) -> Picture;
}
