//! Random games of every rule set, played without knowledge of its rules.

use pippost::record::header::FORM;
use pippost::record::{
    Act, Chronicle, Disclosed, Event, Header, Master, Player, Seating, Table, Timestamp, canonical,
};
use pippost::rules::{self, RuleSet, Seat, Viewer};
use proptest::prelude::*;
use serde_json::Value;
use uuid::Uuid;

use crate::sample::Sampler;

/// The most actions of a random game before all players but one resign.
const MAX_ACTIONS: usize = 160;

/// A random game: its rule set, chance and choices, and the number of actions.
#[derive(Clone, Debug)]
pub struct Plan {
    pub rules: usize,
    pub seed: u64,
    pub actions: usize,
}

pub fn plans() -> impl Strategy<Value = Plan> {
    let count = rules::all().count();
    (0..count, any::<u64>(), 0..MAX_ACTIONS).prop_map(|(rules, seed, actions)| Plan { rules, seed, actions })
}

/// A running game, played without knowledge of its rules.
pub struct Game {
    pub rules: &'static dyn RuleSet,
    pub header: Header,
    pub master: Master,
    pub chronicle: Chronicle,
    pub events: Vec<Event>,
    /// The events as lines of the record.
    pub lines: Vec<String>,
    pub sampler: Sampler,
}

impl Game {
    pub fn start(plan: &Plan) -> Self {
        let rules = rules::all().nth(plan.rules).expect("a rule set");
        let mut sampler = Sampler::new(plan.seed);
        let options = sampler.options(&rules.options_schema());
        let options = rules.complete_options(&options).expect("options of the schema are possible");
        let possible = rules.seats(&options).expect("complete options");
        let seats = possible.start() + u8::try_from(sampler.below(possible.clone().count())).expect("few");
        let master = Master::from_bytes(sampler.bytes());
        let id = Uuid::now_v7();
        let header = Header {
            record: FORM.to_owned(),
            id,
            rules: rules.name().to_owned(),
            rules_version: rules.version(),
            options,
            seating: if sampler.below(2) == 0 { Seating::Random } else { Seating::Joined },
            commitment: master.commitment(id),
            players: (0..seats)
                .map(|seat| Player { name: format!("player{seat}"), entropy: String::new() })
                .collect(),
            beacon: None,
        };
        header.check().expect("a possible header");
        let at = Timestamp::parse("2026-11-21T12:00:00.000000Z").expect("a timestamp");
        let (chronicle, start) = Chronicle::start(rules, &header, &master, at);
        let (events, lines) = (vec![start.event], vec![start.line]);
        Self { rules, header, master, chronicle, events, lines, sampler }
    }

    pub fn act(&mut self, act: Act<'_>) {
        let at = self.chronicle.at();
        let recorded = self.chronicle.act(act, at).unwrap_or_else(|refused| panic!("{act:?}: {refused}"));
        self.events.push(recorded.event);
        self.lines.push(recorded.line);
    }

    /// Plays one listed action; false when the game is over.
    pub fn play_one(&mut self) -> bool {
        let Some(seat) = self.chronicle.table().to_act() else { return false };
        let listed = self.chronicle.table().position().legal();
        let action = self.sampler.action(&listed);
        self.act(Act::Play { seat, action: &action });
        true
    }

    pub fn play(&mut self, actions: usize) {
        for _ in 0..actions {
            if !self.play_one() {
                break;
            }
        }
    }

    /// All players but one leave, by resignation and by timeout.
    pub fn end(&mut self) {
        while self.chronicle.table().result().is_none() {
            if self.sampler.below(2) == 0 {
                let seat = self.chronicle.table().to_act().expect("a running game asks somebody");
                self.act(Act::Timeout { seat });
            } else {
                let staying: Vec<Seat> = self.chronicle.table().staying().collect();
                let seat = staying[self.sampler.below(staying.len())];
                self.act(Act::Resign { seat });
            }
        }
    }

    /// A remaining seat resigns, unless only two remain.
    pub fn leave(&mut self) {
        let staying: Vec<Seat> = self.chronicle.table().staying().collect();
        let seat = staying[self.sampler.below(staying.len())];
        self.act(Act::Resign { seat });
    }

    /// A remaining seat aborts the game.
    pub fn abort(&mut self) {
        let seat = self.chronicle.table().staying().last().expect("somebody stays");
        self.act(Act::Abort { seat });
    }

    pub fn rules(&self) -> &'static dyn RuleSet {
        self.rules
    }

    pub fn options(&self) -> Value {
        self.header.options.clone()
    }

    /// The key of all its chance.
    pub fn key(&self) -> Disclosed {
        Disclosed::new(&self.header, &self.master)
    }

    pub fn record(&self) -> Vec<u8> {
        let mut lines = vec![canonical::of(&self.header)];
        lines.extend(self.lines.iter().map(|line| line.clone().into_bytes()));
        lines.extend(self.chronicle.footer(&self.master).map(|footer| canonical::of(&footer)));
        lines.into_iter().flat_map(|line| [line, b"\n".to_vec()].concat()).collect()
    }
}

/// Every viewer of a game.
pub fn viewers(table: &Table) -> Vec<Viewer> {
    let seats = Seat::all(table.seats()).map(Viewer::Seat);
    seats.chain([Viewer::Spectator]).collect()
}

pub fn names(table: &Table) -> Vec<String> {
    (0..table.seats()).map(|seat| format!("player{seat}")).collect()
}
