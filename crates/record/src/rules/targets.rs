//! How an action is chosen by picking targets one after the other: parts of a picture, or buttons beside it.
//!
//! A rule set says which targets its picture has ([`super::Rules::targets`]), which buttons there are ([`super::Rules::button`]),
//! and which of them stand for an action ([`super::Rules::picks`]). [`Composer`] then knows at every moment what can be picked next.

use serde_json::{Value, json};

use super::offer::Choose;
use super::picture::{Area, Picture};
use super::sentence::Sentence;

/// The target that ends a choice which could go on.
pub const DONE: &str = "done";

/// The width and height of the picture on a button, in units.
pub const FACE_SIDE: f32 = 64.0;

/// A part of a picture that can be picked.
#[derive(Clone, Debug, PartialEq)]
pub struct Target {
    /// Lower-case or upper-case letters, digits and `-`; different for every target of a picture.
    pub name: String,
    /// What it is, for people who cannot see it.
    pub label: String,
    pub area: Area,
}

impl Target {
    /// The target with this name, area and label.
    #[must_use]
    pub fn new(name: impl ToString, area: Area, label: String) -> Self {
        Self { name: name.to_string(), label, area }
    }
}

/// Places of a picture that belong together and can be looked at, as a group of stones: pointing at it says what it is.
#[derive(Clone, Debug, PartialEq)]
pub struct Group {
    pub label: String,
    /// At least one.
    pub areas: Vec<Area>,
}

/// A target that the picture does not show.
#[derive(Clone, Debug, PartialEq)]
pub struct Button {
    pub label: Sentence,
    /// What is drawn on it, in a square of [`FACE_SIDE`] at the picture's left top.
    pub face: Option<Picture>,
}

impl Button {
    /// A button with words only.
    #[must_use]
    pub fn new(label: impl Into<Sentence>) -> Self {
        Self { label: label.into(), face: None }
    }

    /// The button of [`DONE`].
    #[must_use]
    pub fn done() -> Self {
        Self::new("rules-done")
    }
}

/// The targets whose picking chooses an action. No action's picks are the beginning of another's.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Picks {
    /// One after the other.
    Ordered(Vec<String>),
    /// All of them, in any order.
    Set(Vec<String>),
}

impl Picks {
    /// A single pick.
    #[must_use]
    pub fn one(target: impl ToString) -> Self {
        Self::Ordered(vec![target.to_string()])
    }

    /// What can follow `picked`; `None` if these picks do not begin so.
    fn after(&self, picked: &[String]) -> Option<Vec<&String>> {
        match self {
            Self::Ordered(all) => {
                all.starts_with(picked).then(|| all[picked.len()..].iter().take(1).collect())
            }
            Self::Set(all) => {
                let different = picked.iter().enumerate().all(|(index, one)| !picked[..index].contains(one));
                let among = different && picked.iter().all(|one| all.contains(one));
                among.then(|| all.iter().filter(|one| !picked.contains(one)).collect())
            }
        }
    }
}

/// What can be picked next.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Next {
    /// The targets, in the order of the list of legal actions; none twice.
    pub targets: Vec<String>,
    /// The legal action that has been picked; then there are no further targets.
    pub action: Option<Value>,
}

/// An entry of the list of legal actions with its picks.
#[derive(Clone, Debug)]
pub(super) enum Entry {
    Action(Picks, Value),
    /// The entries to pick from are targets.
    Choose(Choose),
}

/// Composes the legal actions of a position from picks.
#[derive(Clone, Debug, Default)]
pub struct Composer {
    entries: Vec<Entry>,
}

impl Composer {
    pub(super) fn new(entries: Vec<Entry>) -> Self {
        Self { entries }
    }

    /// What can be picked after `picked`; nothing if no legal action begins so.
    #[must_use]
    pub fn next(&self, picked: &[String]) -> Next {
        let mut next = Next::default();
        for entry in &self.entries {
            let (targets, action) = match entry {
                Entry::Action(picks, action) => match picks.after(picked) {
                    Some(left) if left.is_empty() => (Vec::new(), Some(action.clone())),
                    Some(left) => (left.into_iter().cloned().collect(), None),
                    None => continue,
                },
                Entry::Choose(choice) => after(choice, picked),
            };
            next.action = next.action.or(action);
            for target in targets {
                if !next.targets.contains(&target) {
                    next.targets.push(target);
                }
            }
        }
        next
    }
}

/// What can follow `picked` in a choice: further targets, or the action.
fn after(choice: &Choose, picked: &[String]) -> (Vec<String>, Option<Value>) {
    let pick = &choice.choose;
    let (picked, ended) = match picked.split_last() {
        Some((last, before)) if last == DONE => (before, true),
        _ => (picked, false),
    };
    let possible = (0..picked.len()).all(|index| pick.may_add(&picked[..index], &picked[index]));
    if !possible || (ended && picked.len() < pick.least) {
        return (Vec::new(), None);
    }
    let mut more: Vec<String> =
        pick.from.iter().filter(|entry| pick.may_add(picked, entry)).cloned().collect();
    let enough = picked.len() >= pick.least;
    if enough && more.is_empty() != ended {
        let action = json!({"type": choice.kind, pick.member.as_str(): picked});
        return (Vec::new(), Some(action));
    }
    if ended {
        return (Vec::new(), None);
    }
    if enough {
        more.push(DONE.to_owned());
    }
    (more, None)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rules::offer::Selection;

    fn texts(names: &[&str]) -> Vec<String> {
        names.iter().map(|name| (*name).to_owned()).collect()
    }

    fn composer() -> Composer {
        let action = |kind: &str| json!({"type": kind});
        let from = texts(&["a1", "a2", "c3"]);
        let pick = Selection { member: "cells".into(), least: 1, most: 2, from, apart: true };
        Composer::new(vec![
            Entry::Action(Picks::Ordered(texts(&["x", "y"])), action("xy")),
            Entry::Action(Picks::Ordered(texts(&["x", "z"])), action("xz")),
            Entry::Action(Picks::Set(texts(&["p", "q"])), action("set")),
            Entry::Choose(Choose { kind: "place".into(), choose: pick }),
        ])
    }

    fn next(picked: &[&str]) -> (Vec<String>, Option<Value>) {
        let next = composer().next(&texts(picked));
        (next.targets, next.action)
    }

    #[test]
    fn picks_lead_step_by_step_to_an_action() {
        assert_eq!(next(&[]), (texts(&["x", "p", "q", "a1", "a2", "c3"]), None));
        assert_eq!(next(&["x"]), (texts(&["y", "z"]), None));
        assert_eq!(next(&["x", "z"]), (vec![], Some(json!({"type": "xz"}))));
        for nothing in [&["y"][..], &["x", "q"], &["x", "z", "z"], &["done"], &["p", "p"], &["p", "x"]] {
            assert_eq!(next(nothing), (vec![], None), "{nothing:?}");
        }
    }

    #[test]
    fn the_order_within_a_set_does_not_matter() {
        assert_eq!(next(&["q"]), (texts(&["p"]), None));
        assert_eq!(next(&["q", "p"]), next(&["p", "q"]));
    }

    #[test]
    fn a_choice_can_be_ended_early_and_ends_by_itself_when_nothing_is_left() {
        assert_eq!(next(&["a1"]), (texts(&["c3", "done"]), None), "neighbours stay apart");
        let place = |cells: &[&str]| (vec![], Some(json!({"type": "place", "cells": cells})));
        assert_eq!(next(&["a1", "done"]), place(&["a1"]));
        assert_eq!(next(&["c3", "a2"]), place(&["c3", "a2"]));
        for nothing in [&["a1", "a2"][..], &["c3", "a2", "done"], &["a1", "done", "done"], &["a1", "a1"]] {
            assert_eq!(next(nothing), (vec![], None), "{nothing:?}");
        }
    }
}
