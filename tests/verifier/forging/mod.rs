//! Records that a dishonest server could write: one plausible change, with the hash chain rebuilt.

#![allow(
    clippy::unnecessary_wraps,
    reason = "all forgeries have one signature, also those that always find something"
)]

mod ends;
mod events;

use pippost::record::Disclosed;
use pippost::record::canonical;
use pippost::record::hash::Hash;
use serde_json::{Value, json};

use support::sample::Sampler;

/// A forger's data: the lines of a valid record, the key, and random choices.
pub struct Forger {
    pub lines: Vec<Value>,
    pub key: Disclosed,
    pub sampler: Sampler,
}

/// One kind of forgery; returns what was done, or `None` if the record has nothing to forge so.
type Forgery = fn(&mut Forger) -> Option<String>;

/// All kinds of forgery.
pub const FORGERIES: &[(&str, Forgery)] = &[
    ("a due seed is withheld", Forger::withhold_seed),
    ("all seeds of an event are withheld", Forger::withhold_seeds),
    ("a seed is withheld everywhere", Forger::withhold_from_everybody),
    ("a seed is revealed later", Forger::delay_seed),
    ("a seed is revealed early, or again", Forger::add_seed),
    ("a seed that no event used is revealed", Forger::add_coming_seed),
    ("a seed is another", Forger::alter_seed),
    ("seeds are in another order", Forger::turn_seeds),
    ("a `next` is another", Forger::alter_next),
    ("a `next` promises another event's seed", Forger::promise_other_seed),
    ("an effect is missing", Forger::drop_effect),
    ("an effect is there twice", Forger::double_effect),
    ("two effects are exchanged", Forger::exchange_effects),
    ("an effect of another event", Forger::borrow_effect),
    ("`to_act` is another", Forger::alter_to_act),
    ("`to_act` is null, or somebody's", Forger::toggle_to_act),
    ("another seat acts", Forger::alter_seat),
    ("the server acts", Forger::null_seat),
    ("an action of another event", Forger::borrow_action),
    ("somebody leaves", Forger::leave),
    ("somebody aborts", Forger::abort),
    ("a game is said to be over", Forger::finish),
    ("the end is not said", Forger::forget_end),
    ("players sit elsewhere", Forger::alter_order),
    ("an event is missing", Forger::drop_event),
    ("an event is there twice", Forger::double_event),
    ("two events are exchanged", Forger::exchange_events),
    ("an event after the last", Forger::go_on),
    ("`seq` is another", Forger::alter_seq),
    ("a time goes back", Forger::go_back),
    ("seating is another", Forger::alter_seating),
    ("entropy is another", Forger::alter_entropy),
    ("a beacon more or less", Forger::alter_beacon),
    ("the options of other games", Forger::alter_options),
    ("a player more", Forger::add_player),
    ("the result in the footer is another", Forger::alter_result),
    ("the master is another", Forger::alter_master),
    ("a number is another", Forger::alter_number),
    ("a value of another kind", Forger::alter_kind),
    ("a member is missing", Forger::drop_member),
    ("a member more", Forger::add_member),
    ("lists in lists", Forger::add_depth),
];

/// Rebuilds the header's hash and the chain for the present lines; `false` if that is impossible.
pub fn rebuild(lines: &mut [Value]) -> bool {
    let [header, rest @ ..] = lines else { return false };
    let Ok(bytes) = canonical::to_bytes(header) else { return false };
    let mut head = Hash::of(&[&bytes]);
    for line in rest {
        let Some(members) = line.as_object_mut() else { return false };
        if members.contains_key("master") || members.contains_key("head") {
            members.insert("head".to_owned(), json!(head));
            continue;
        }
        members.insert("prev".to_owned(), json!(head));
        members.remove("hash");
        let Ok(bytes) = canonical::to_bytes(line) else { return false };
        head = Hash::of(&[&bytes]);
        line["hash"] = json!(head);
    }
    true
}

impl Forger {
    /// The number of lines of events, from 1, without the footer.
    fn events(&self) -> usize {
        let footer = self.lines.last().is_some_and(|line| line.get("master").is_some());
        self.lines.len() - 1 - usize::from(footer)
    }

    fn any_event(&mut self) -> usize {
        1 + self.sampler.below(self.events())
    }

    /// One of the wanted events.
    fn event_with(&mut self, wanted: impl Fn(&Value) -> bool) -> Option<usize> {
        let found: Vec<usize> = (1..=self.events()).filter(|line| wanted(&self.lines[*line])).collect();
        if found.is_empty() { None } else { Some(found[self.sampler.below(found.len())]) }
    }

    fn list(&mut self, line: usize, member: &str) -> &mut Vec<Value> {
        self.lines[line][member].as_array_mut().expect("a list")
    }

    fn event_with_list(&mut self, member: &str, least: usize) -> Option<(usize, usize)> {
        let line =
            self.event_with(|event| event[member].as_array().is_some_and(|list| list.len() >= least))?;
        let length = self.list(line, member).len();
        Some((line, self.sampler.below(length)))
    }

    fn seed(&self, seq: usize) -> Value {
        json!({"seq": seq, "seed": self.key.seed(seq as u64)})
    }

    fn seats(&self) -> usize {
        self.lines[0]["players"].as_array().map_or(2, Vec::len)
    }

    fn withhold_seed(&mut self) -> Option<String> {
        let (line, index) = self.event_with_list("seeds", 1)?;
        let seed = self.list(line, "seeds").remove(index);
        Some(format!("event {} without seed {}", line - 1, seed["seq"]))
    }

    fn withhold_seeds(&mut self) -> Option<String> {
        let (line, _) = self.event_with_list("seeds", 1)?;
        self.list(line, "seeds").clear();
        Some(format!("event {} without seeds", line - 1))
    }

    /// Mostly for event 0, whose seats are taken as given if its seed is missing.
    fn withhold_from_everybody(&mut self) -> Option<String> {
        let seq = if self.sampler.below(2) == 0 { 0 } else { self.any_event() - 1 };
        for line in 1..=self.events() {
            self.list(line, "seeds").retain(|seed| seed["seq"] != seq);
        }
        Some(format!("seed {seq}"))
    }

    fn delay_seed(&mut self) -> Option<String> {
        let (line, index) = self.event_with_list("seeds", 1)?;
        let later = line + 1 + self.sampler.below(3);
        if later > self.events() {
            return None;
        }
        let seed = self.list(line, "seeds").remove(index);
        let told = format!("seed {} in event {}", seed["seq"], later - 1);
        self.list(later, "seeds").insert(0, seed);
        Some(told)
    }

    fn add_seed(&mut self) -> Option<String> {
        let line = self.any_event();
        let seq = self.sampler.below(line);
        let seed = self.seed(seq);
        let seeds = self.list(line, "seeds");
        seeds.push(seed);
        seeds.sort_by_key(|seed| seed["seq"].as_u64());
        Some(format!("seed {seq} in event {}", line - 1))
    }

    fn add_coming_seed(&mut self) -> Option<String> {
        let line = self.any_event();
        let seq = line + self.sampler.below(4);
        let seed = self.seed(seq);
        self.list(line, "seeds").push(seed);
        Some(format!("seed {seq} in event {}", line - 1))
    }

    fn alter_seed(&mut self) -> Option<String> {
        let (line, index) = self.event_with_list("seeds", 1)?;
        let other = self.key.seed(self.sampler.below(1000) as u64 + 1000);
        self.list(line, "seeds")[index]["seed"] = json!(other);
        Some(format!("in event {}", line - 1))
    }

    fn turn_seeds(&mut self) -> Option<String> {
        let (line, _) = self.event_with_list("seeds", 2)?;
        self.list(line, "seeds").reverse();
        Some(format!("in event {}", line - 1))
    }

    fn alter_next(&mut self) -> Option<String> {
        let line = self.any_event();
        self.lines[line]["next"] = json!(Hash::of(&[&self.sampler.bytes()]));
        Some(format!("of event {}", line - 1))
    }

    fn promise_other_seed(&mut self) -> Option<String> {
        let line = self.any_event();
        let other = self.sampler.below(self.events() + 2);
        self.lines[line]["next"] = json!(self.key.seed(other as u64).hash());
        Some(format!("event {} promises seed {other}", line - 1))
    }
}
