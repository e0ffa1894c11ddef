//! Checks the messages by web push: the end of a game is told to every browser of its players, or waits to be.

use std::collections::BTreeSet;

use super::letters::Promised;
use crate::browsers::{Browsers, Told};

/// A turn need not be told any more once it is over, so only ends are promised.
const PROMISED: &str = "game_over";

/// What is wrong; `waiting` has the handles and games of what is not sent yet.
pub fn check(
    promised: &Promised,
    browsers: &Browsers,
    told: &Told,
    waiting: &BTreeSet<(String, String)>,
) -> Vec<String> {
    let ends = promised.keys().filter(|(handle, _, kind)| *kind == PROMISED && browsers.has(handle));
    let is_kept = |handle: &String, game: &String| {
        told.contains(&(handle.clone(), game.clone(), PROMISED.to_owned()))
            || waiting.contains(&(handle.clone(), game.clone()))
    };
    let lost = ends.filter(|(handle, game, _)| !is_kept(handle, game));
    let say = |(handle, game, _): &(String, String, &str)| {
        format!(
            "{handle} was promised a message by web push of the end of {game}, which was not taken and does not wait"
        )
    };
    lost.map(say).collect()
}
