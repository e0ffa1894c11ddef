//! The entries of a list of legal actions: single actions, or a choice among cells if the list would be too long.

use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};
use utoipa::ToSchema;

use super::chance::Words;

/// One entry of the list of legal actions.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[serde(untagged)]
pub enum Offer<A> {
    /// This action is legal.
    Action(A),
    /// Every action that makes these picks is legal.
    Choose(Choose),
}

/// The compact form of many actions: each has the given `type` and one list member, filled by picks, and no other member. So
/// `{"type": "place", "choose": {"member": "cells", "least": 1, "most": 2, …}}` stands for `{"type": "place", "cells": ["a1"]}`
/// and others.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct Choose {
    #[serde(rename = "type")]
    pub kind: String,
    pub choose: Selection,
}

/// How many different entries to pick from a list, and which must not be adjacent. Every such pick is legal, in every order; a
/// client that picks entries one by one finds at least `least`, whichever it picks first.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct Selection {
    /// The member of the action that takes the picked entries.
    pub member: String,
    /// The fewest entries to pick.
    pub least: usize,
    /// The most entries to pick.
    pub most: usize,
    /// What to pick from, in canonical order.
    pub from: Vec<String>,
    /// True if no two picked cells may be orthogonal neighbours: the same column letter and adjacent rows, or the same row and
    /// adjacent letters. Cells that may only be picked alone are separate actions in the list.
    pub apart: bool,
}

impl Selection {
    /// Whether `entry` may be picked after `picked`, which are possible picks.
    #[must_use]
    pub fn may_add(&self, picked: &[String], entry: &str) -> bool {
        picked.len() < self.most
            && self.from.iter().any(|one| one == entry)
            && !picked.iter().any(|one| one == entry || (self.apart && are_neighbours(one, entry)))
    }
}

impl Choose {
    /// Whether this offer includes `action`.
    #[must_use]
    pub fn allows(&self, action: &Value) -> bool {
        let Some((members, picked)) = self.picked(action) else { return false };
        let pick = &self.choose;
        let different = picked.iter().enumerate().all(|(index, entry)| !picked[..index].contains(entry));
        members.len() == 2
            && (pick.least..=pick.most).contains(&picked.len())
            && different
            && picked.iter().all(|entry| pick.from.iter().any(|one| one == entry))
            && !(pick.apart && picked.iter().any(|one| picked.iter().any(|other| are_neighbours(one, other))))
    }

    fn picked<'a>(&self, action: &'a Value) -> Option<(&'a Map<String, Value>, Vec<&'a str>)> {
        let members =
            action.as_object().filter(|members| members.get("type") == Some(&self.kind.as_str().into()))?;
        let entries = members.get(&self.choose.member)?.as_array()?;
        Some((members, entries.iter().map(Value::as_str).collect::<Option<_>>()?))
    }

    /// One of the offer's actions. `below(n)` chooses a number below `n`, which is at least 1.
    pub fn action(&self, mut below: impl FnMut(usize) -> usize) -> Value {
        let pick = &self.choose;
        let count = pick.least + below(pick.most - pick.least + 1);
        let mut rest: Vec<&String> = pick.from.iter().collect();
        let mut picked = Vec::new();
        while picked.len() < count && !rest.is_empty() {
            let entry = rest.remove(below(rest.len()));
            rest.retain(|other| !(pick.apart && are_neighbours(entry, other)));
            picked.push(entry.as_str());
        }
        serde_json::json!({"type": self.kind, pick.member.as_str(): picked})
    }

    /// Some of the offer's actions: for each entry one that picks it first, with as few others as possible.
    #[must_use]
    pub fn examples(&self) -> Vec<Value> {
        let beginning_with = |first: usize| {
            // `action` asks for the number of entries, then the first one, then the others.
            let mut answers = [0, first].into_iter();
            self.action(|_| answers.next().unwrap_or(0))
        };
        (0..self.choose.from.len()).map(beginning_with).collect()
    }
}

/// A random action of the list; `None` if it is empty.
pub fn random<A: Clone + DeserializeOwned>(offers: &[Offer<A>], words: &mut impl Words) -> Option<A> {
    let mut below = |limit| below(words, limit);
    match offers.get(below(offers.len()))? {
        Offer::Action(action) => Some(action.clone()),
        Offer::Choose(choice) => A::deserialize(choice.action(below)).ok(),
    }
}

/// A number below `limit`. Not for recorded chance: it maps the word by multiplication, not by the protocol's rejection.
pub fn below(words: &mut impl Words, limit: usize) -> usize {
    let scaled = (u64::from(words.next_word()) * limit as u64) >> 32;
    usize::try_from(scaled).expect("below a usize")
}

/// Whether two cells, each a letter and a number, are orthogonal neighbours.
fn are_neighbours(one: &str, other: &str) -> bool {
    fn parts(cell: &str) -> Option<(u32, u32)> {
        let mut characters = cell.chars();
        let column = characters.next()?;
        Some((column.into(), characters.as_str().parse().ok()?))
    }
    let distance = |one: (u32, u32), other: (u32, u32)| one.0.abs_diff(other.0) + one.1.abs_diff(other.1);
    parts(one).zip(parts(other)).is_some_and(|(one, other)| distance(one, other) == 1)
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn offer(least: usize, most: usize, apart: bool) -> Choose {
        let from = ["a9", "a10", "b10", "c4"].map(str::to_owned).to_vec();
        Choose {
            kind: "place".into(),
            choose: Selection { member: "cells".into(), least, most, from, apart },
        }
    }

    #[test]
    fn a_choice_has_an_example_for_each_of_its_entries() {
        let cells = |offer: &Choose| -> Vec<Value> {
            let examples = offer.examples();
            assert!(examples.iter().all(|action| offer.allows(action)), "{examples:?}");
            examples.into_iter().map(|mut action| action["cells"].take()).collect()
        };
        assert_eq!(
            cells(&offer(1, 2, false)),
            [json!(["a9"]), json!(["a10"]), json!(["b10"]), json!(["c4"])]
        );
        let pairs = [json!(["a9", "b10"]), json!(["a10", "c4"]), json!(["b10", "a9"]), json!(["c4", "a9"])];
        assert_eq!(cells(&offer(2, 2, true)), pairs);
    }

    #[test]
    fn a_choice_allows_different_entries_of_its_list_in_its_number_and_nothing_else() {
        let two = offer(1, 2, false);
        for cells in [json!(["a9"]), json!(["a9", "a10"]), json!(["c4", "a9"])] {
            assert!(two.allows(&json!({"type": "place", "cells": cells})), "{cells}");
        }
        for cells in [
            json!([]),
            json!(["a9", "a9"]),
            json!(["a9", "a10", "c4"]),
            json!(["d1"]),
            json!("a9"),
            json!([9]),
        ] {
            assert!(!two.allows(&json!({"type": "place", "cells": cells})), "{cells}");
        }
        assert!(!two.allows(&json!({"type": "take", "cells": ["a9"]})));
        assert!(!two.allows(&json!({"type": "place", "cells": ["a9"], "more": 1})));
        assert!(!two.allows(&json!({"type": "place"})) && !two.allows(&json!("place")));
    }

    #[test]
    fn cells_kept_apart_share_no_side_but_may_meet_at_a_corner() {
        let apart = offer(2, 2, true);
        for (cells, allowed) in
            [(["a9", "a10"], false), (["b10", "a10"], false), (["a9", "b10"], true), (["c4", "a9"], true)]
        {
            assert_eq!(apart.allows(&json!({"type": "place", "cells": cells})), allowed, "{cells:?}");
        }
    }

    #[test]
    fn every_action_that_is_made_from_a_choice_is_allowed_by_it() {
        for offer in [offer(1, 3, false), offer(1, 2, true), offer(2, 2, false)] {
            for first in 0..12 {
                let mut next = first;
                let action = offer.action(|limit| {
                    next += 5;
                    next % limit
                });
                assert!(offer.allows(&action), "{action} of {offer:?}");
            }
        }
    }
}
