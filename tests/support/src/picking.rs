//! What must hold of the targets of every rule set, at any position of a running game.

use std::collections::BTreeSet;

use pippost::language::Language;
use pippost::record::Table;
use pippost::rules::picture::WIDTH;
use pippost::rules::targets::{DONE, FACE_SIDE};
use pippost::rules::{Captions, Choose, Composer, Picks, Position, Viewer};
use serde_json::Value;

use crate::sample::Sampler;

/// The most picks of an action.
const MAX_PICKS: usize = 8;

/// Random walks at one position.
const WALKS: usize = 6;

/// Holds that every legal action can be composed, that all that can be composed is among the legal actions, and that every target that
/// is offered is once in the picture or has a button. Returns actions composed by random picks.
pub fn holds(table: &Table, sampler: &mut Sampler) -> Vec<Value> {
    let position = table.position();
    let (composer, shown) = (position.composer(), shown(table));
    for entry in position.legal() {
        for (action, picks) in ways(position, &entry, sampler) {
            let picked = follow(&composer, position, &shown, &picks);
            assert_eq!(composer.next(&picked).action, Some(action), "{picked:?}");
        }
    }
    let listed = position.legal();
    let walk = |_| {
        let mut picked = Vec::new();
        loop {
            let next = composer.next(&picked);
            if let Some(action) = next.action {
                assert!(next.targets.is_empty(), "{picked:?} is an action and goes on");
                let found = listed.iter().any(|entry| stands_for(entry, &action));
                assert!(found, "{picked:?} makes {action}, which is not listed");
                return action;
            }
            assert!(!next.targets.is_empty() && picked.len() < MAX_PICKS, "{picked:?} leads nowhere");
            let target = next.targets[sampler.below(next.targets.len())].clone();
            is_there(position, &shown, &target);
            picked.push(target);
        }
    };
    (0..WALKS).map(walk).collect()
}

/// The names of the targets that the player to act sees, after a look at each.
fn shown(table: &Table) -> BTreeSet<String> {
    let seat = table.to_act().expect("a running game");
    let names: Vec<String> = (0..table.seats()).map(|seat| format!("player{seat}")).collect();
    let captions = Captions::new(&names, &Language::ENGLISH);
    let height = table.position().picture(Viewer::Seat(seat), &captions, &[]).height;
    let mut shown = BTreeSet::new();
    for target in table.position().targets(Viewer::Seat(seat), &captions) {
        let area = target.area;
        assert!(area.x >= 0.0 && area.y >= 0.0 && area.width >= 12.0 && area.height >= 12.0, "{target:?}");
        assert!(area.x + area.width <= WIDTH && area.y + area.height <= height, "{target:?}");
        assert!(!target.label.is_empty(), "{target:?}");
        assert!(target.name.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'-'), "{target:?}");
        assert!(shown.insert(target.name.clone()), "{target:?} is there twice");
    }
    shown
}

fn is_there(position: &dyn Position, shown: &BTreeSet<String>, target: &str) {
    let button = position.button(target);
    assert_ne!(shown.contains(target), button.is_some(), "{target}: in the picture or a button");
    if let Some(face) = button.and_then(|button| button.face) {
        assert!(!face.shapes.is_empty() && (face.height - FACE_SIDE).abs() < 0.01, "{target}");
    }
}

/// Actions of an entry of the list, each with its picks in one of their orders.
fn ways(position: &dyn Position, entry: &Value, sampler: &mut Sampler) -> Vec<(Value, Vec<String>)> {
    let Ok(choice) = serde_json::from_value::<Choose>(entry.clone()) else {
        let picks = match position.picks(entry).expect("an action") {
            Picks::Ordered(picks) => picks,
            Picks::Set(picks) => shuffled(picks, sampler),
        };
        return vec![(entry.clone(), picks)];
    };
    let mut actions = choice.examples();
    actions.truncate(8);
    actions.push(choice.action(|limit| sampler.below(limit)));
    let picked = |action: &Value| -> Vec<String> {
        serde_json::from_value(action[&choice.choose.member].clone()).expect("a list of names")
    };
    actions.into_iter().map(|action| (action.clone(), picked(&action))).collect()
}

fn shuffled(mut picks: Vec<String>, sampler: &mut Sampler) -> Vec<String> {
    let mut mixed = Vec::new();
    while !picks.is_empty() {
        mixed.push(picks.swap_remove(sampler.below(picks.len())));
    }
    mixed
}

/// Picks one target after the other, each of which must be offered, and ends a choice that could go on.
fn follow(
    composer: &Composer,
    position: &dyn Position,
    shown: &BTreeSet<String>,
    picks: &[String],
) -> Vec<String> {
    let mut picked = Vec::new();
    for pick in picks {
        let next = composer.next(&picked);
        assert!(next.action.is_none() && next.targets.contains(pick), "{pick} after {picked:?}: {next:?}");
        is_there(position, shown, pick);
        picked.push(pick.clone());
    }
    if composer.next(&picked).targets.iter().any(|target| target == DONE) {
        picked.push(DONE.to_owned());
    }
    picked
}

fn stands_for(entry: &Value, action: &Value) -> bool {
    match serde_json::from_value::<Choose>(entry.clone()) {
        Ok(choice) => choice.allows(action),
        Err(_) => entry == action,
    }
}
