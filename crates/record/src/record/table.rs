//! A running game of any rule set: the common actions, leaving, results, and the seeds to publish.

use serde::{Deserialize, Serialize};
use serde_json::value::RawValue;
use serde_json::{Value, json};

use super::common::{CommonAction, CommonEffect};
use super::event::{GameResult, Reason};
use super::header::{Header, Seating};
use crate::rules::erased::StartRefused;
use crate::rules::{
    Chance, Illegal, NoChance, PlayedOut, Position, Refused, RuleSet, Seat, Sentence, Step, step::Trace,
};

/// An act that changes a game after its start.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Act<'a> {
    /// An action of the game's rules.
    Play {
        seat: Seat,
        action: &'a Value,
    },
    Resign {
        seat: Seat,
    },
    /// The server's act for a seat whose time is up.
    Timeout {
        seat: Seat,
    },
    Abort {
        seat: Seat,
    },
}

impl Act<'_> {
    /// The acting seat; `None` for the server.
    #[must_use]
    pub fn seat(&self) -> Option<Seat> {
        match *self {
            Self::Play { seat, .. } | Self::Resign { seat } | Self::Abort { seat } => Some(seat),
            Self::Timeout { .. } => None,
        }
    }
}

/// The result of an event.
#[derive(Debug, PartialEq)]
pub struct Done {
    /// The action in canonical form.
    pub action: Value,
    pub effects: Vec<Value>,
    /// The events whose seeds this event publishes, ascending.
    pub due_seeds: Vec<u64>,
}

/// Why an act was not played. Unless it is `NoChance`, nothing has changed.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum ActRefused {
    #[error("the game is over")]
    Over,
    #[error("this seat has left the game")]
    Left,
    #[error("it is not this seat's turn")]
    NotToAct,
    #[error("you have acted, or the game is too long: it can only be resigned now")]
    TooLateToAbort,
    #[error(transparent)]
    Refused(#[from] Refused),
}

impl ActRefused {
    /// The rules' message to the player, if the rules refuse.
    #[must_use]
    pub fn sentence(&self) -> Option<&Sentence> {
        match self {
            Self::Refused(refused) => refused.sentence(),
            Self::Over | Self::Left | Self::NotToAct | Self::TooLateToAbort => None,
        }
    }
}

impl From<NoChance> for ActRefused {
    fn from(no_chance: NoChance) -> Self {
        Self::Refused(no_chance.into())
    }
}

/// How seats are assigned in event 0.
pub enum SeatOrder<'a> {
    /// By the header's `seating`.
    ByHeader,
    /// As in the record, because they were drawn from a seed that is not published yet.
    Given(&'a [u8]),
}

/// A game at one position.
#[derive(Clone, Debug)]
pub struct Table {
    position: Box<dyn Position>,
    /// For each seat, the player's index in joining order.
    order: Vec<u8>,
    /// The seats that left, in order.
    left: Vec<Seat>,
    /// By seat, whether an event is its own.
    acted: Vec<bool>,
    /// Events whose seeds are not published yet, ascending.
    withheld: Vec<u64>,
    result: Option<GameResult>,
}

/// The data of a [`Snapshot`].
#[derive(Serialize)]
struct SnapshotOf<'a> {
    position: &'a RawValue,
    order: &'a [u8],
    left: &'a [Seat],
    acted: &'a [bool],
    withheld: &'a [u64],
    result: Option<&'a GameResult>,
}

#[derive(Deserialize)]
struct Snapshot {
    position: Box<RawValue>,
    order: Vec<u8>,
    left: Vec<Seat>,
    acted: Vec<bool>,
    withheld: Vec<u64>,
    result: Option<GameResult>,
}

impl Table {
    /// Event 0: seats the players and deals. The header has been checked and fits `rules`.
    ///
    /// # Errors
    /// [`NoChance`] if the needed chance is not known.
    ///
    /// # Panics
    /// If the header was not checked.
    pub fn start(
        rules: &dyn RuleSet,
        header: &Header,
        seat_order: &SeatOrder<'_>,
        chance: Chance<'_>,
    ) -> Result<(Self, Done), NoChance> {
        let seats = header.seats();
        let mut step = Step::new(chance);
        let order = match (seat_order, header.seating) {
            (SeatOrder::Given(order), Seating::Random) => order.to_vec(),
            (_, Seating::Joined) => (0..seats).collect(),
            (SeatOrder::ByHeader, Seating::Random) => {
                let mut players: Vec<u8> = (0..seats).collect();
                (0..seats).map(|_| step.draw(&mut players)).collect::<Result<_, _>>()?
            }
        };
        step.effect(|| CommonEffect::Seated { order: order.clone() });
        let position = match rules.start(&header.options, seats, &mut step) {
            Ok(position) => position,
            Err(StartRefused::NoChance(no_chance)) => return Err(no_chance),
            Err(StartRefused::Options(refused)) => panic!("a checked header has possible options: {refused}"),
        };
        let mut table = Self {
            position,
            order,
            left: Vec::new(),
            acted: vec![false; usize::from(seats)],
            withheld: Vec::new(),
            result: None,
        };
        table.end_if_played_out(&mut step);
        let mut trace = step.finish();
        // Drawing seats took words from the seed, even if the seats are given because the seed is not known.
        trace.drew |= header.seating == Seating::Random;
        let done = table.settle(0, json!(CommonAction::Start {}), trace);
        Ok((table, done))
    }

    /// Plays the act of event `seq`.
    ///
    /// # Errors
    /// [`ActRefused`]; after `NoChance` the table is as it was when the rules asked for chance.
    pub fn act(&mut self, seq: u64, act: Act<'_>, chance: Chance<'_>) -> Result<Done, ActRefused> {
        let mut step = Step::new(chance);
        let result = self.apply(act, &mut step);
        result.map(|action| self.settle(seq, action, step.finish()))
    }

    /// Why `act` would be refused now, if it would; needs no chance.
    #[must_use]
    pub fn refusal(&self, act: Act<'_>) -> Option<ActRefused> {
        match self.clone().apply(act, &mut Step::silent(Chance::Withheld)) {
            Ok(_) | Err(ActRefused::Refused(Refused::NoChance(_))) => None,
            Err(refused) => Some(refused),
        }
    }

    pub(super) fn apply(&mut self, act: Act<'_>, step: &mut Step<'_>) -> Result<Value, ActRefused> {
        if self.result.is_some() {
            return Err(ActRefused::Over);
        }
        if let Some(seat) = act.seat() {
            self.check_present(seat)?;
        }
        let action = match act {
            Act::Play { seat, action } => {
                if self.position.to_act() != Some(seat) {
                    return Err(ActRefused::NotToAct);
                }
                let action = self.position.act(seat, action, step)?;
                self.end_if_played_out(step);
                action
            }
            Act::Resign { seat } => {
                self.leave(seat, Reason::Resignation, step)?;
                json!(CommonAction::Resign {})
            }
            Act::Timeout { seat } => {
                if self.position.to_act() != Some(seat) {
                    return Err(ActRefused::NotToAct);
                }
                self.leave(seat, Reason::Timeout, step)?;
                json!(CommonAction::Timeout { seat })
            }
            Act::Abort { .. } => {
                if !self.may_abort() {
                    return Err(ActRefused::TooLateToAbort);
                }
                self.finish(GameResult { reason: Reason::Abort, places: None, scores: None }, step);
                json!(CommonAction::Abort {})
            }
        };
        if let Some(seat) = act.seat() {
            self.acted[seat.index()] = true;
        }
        Ok(action)
    }

    fn check_present(&self, seat: Seat) -> Result<(), ActRefused> {
        if seat.index() >= self.acted.len() {
            return Err(Refused::Illegal(Illegal::new("rules-no-such-seat")).into());
        }
        if self.left.contains(&seat) {
            return Err(ActRefused::Left);
        }
        Ok(())
    }

    /// Adds `left`, what the rules do, then `finished` if one seat remains, or else the automatic steps.
    fn leave(&mut self, seat: Seat, reason: Reason, step: &mut Step<'_>) -> Result<(), NoChance> {
        step.effect(|| CommonEffect::Left { seat });
        self.left.push(seat);
        self.position.leave(seat, step)?;
        let staying: Vec<Seat> = self.staying().collect();
        if staying.len() == 1 {
            let places = self.places(&[staying]);
            let scores = self.position.scores();
            self.finish(GameResult { reason, places: Some(places), scores }, step);
            return Ok(());
        }
        self.position.resume(step)?;
        self.end_if_played_out(step);
        Ok(())
    }

    fn end_if_played_out(&mut self, step: &mut Step<'_>) {
        if let Some(ending) = self.position.ending() {
            let reason = match ending.reason {
                PlayedOut::Play => Reason::Play,
                PlayedOut::RoundLimit => Reason::RoundLimit,
            };
            let places = self.places(&ending.standing);
            self.finish(GameResult { reason, places: Some(places), scores: self.position.scores() }, step);
        }
    }

    fn finish(&mut self, result: GameResult, step: &mut Step<'_>) {
        let GameResult { reason, places, scores } = result.clone();
        step.effect(|| CommonEffect::Finished { reason, places, scores });
        self.position.close();
        self.result = Some(result);
    }

    /// 1 for the first group; ties share a place, and the next place counts them. Seats that left come after, the last to leave
    /// first.
    fn places(&self, standing: &[Vec<Seat>]) -> Vec<u8> {
        let leavers = self.left.iter().rev().map(|seat| vec![*seat]);
        let mut places = vec![0; self.acted.len()];
        let mut place = 1;
        for group in standing.iter().cloned().chain(leavers) {
            for seat in &group {
                places[seat.index()] = place;
            }
            place += u8::try_from(group.len()).expect("few seats");
        }
        places
    }

    /// The seeds that event `seq` publishes.
    fn settle(&mut self, seq: u64, action: Value, trace: Trace) -> Done {
        let mut due_seeds = Vec::new();
        if trace.reveals {
            due_seeds.append(&mut self.withheld);
        }
        if trace.drew && trace.hides {
            self.withheld.push(seq);
        } else if trace.drew {
            due_seeds.push(seq);
        }
        if self.result.is_some() {
            due_seeds.append(&mut self.withheld);
        }
        due_seeds.sort_unstable();
        Done { action, effects: trace.effects, due_seeds }
    }

    /// The seats that have not left, in order.
    pub fn staying(&self) -> impl Iterator<Item = Seat> {
        Seat::all(self.seats()).filter(|seat| !self.left.contains(seat))
    }

    #[must_use]
    pub fn seats(&self) -> u8 {
        u8::try_from(self.acted.len()).expect("few seats")
    }

    /// The seat to act; `None` when the game is over.
    #[must_use]
    pub fn to_act(&self) -> Option<Seat> {
        if self.result.is_some() { None } else { self.position.to_act() }
    }

    /// The seat whose turn it is, also while another seat must answer during it; `None` when the game is over.
    #[must_use]
    pub fn in_turn(&self) -> Option<Seat> {
        if self.result.is_some() { None } else { self.position.in_turn() }
    }

    /// Whether a seat that has not left has no event of its own.
    #[must_use]
    pub fn may_abort(&self) -> bool {
        self.result.is_none() && self.staying().any(|seat| !self.acted[seat.index()])
    }

    /// Whether a seat has an event of its own.
    #[must_use]
    pub fn has_acted(&self, seat: Seat) -> bool {
        self.acted.get(seat.index()).copied().unwrap_or_default()
    }

    #[must_use]
    pub fn has_left(&self, seat: Seat) -> bool {
        self.left.contains(&seat)
    }

    #[must_use]
    pub fn result(&self) -> Option<&GameResult> {
        self.result.as_ref()
    }

    /// The events whose seeds are kept back because what they dealt is still hidden, ascending.
    #[must_use]
    pub fn withheld(&self) -> &[u64] {
        &self.withheld
    }

    /// For each seat, the player's index in joining order.
    #[must_use]
    pub fn order(&self) -> &[u8] {
        &self.order
    }

    #[must_use]
    pub fn position(&self) -> &dyn Position {
        &*self.position
    }

    /// The table as JSON, for [`Table::restore`].
    ///
    /// # Panics
    /// Never: a snapshot is plain data.
    #[must_use]
    pub fn snapshot(&self) -> String {
        let snapshot = SnapshotOf {
            position: &self.position.snapshot(),
            order: &self.order,
            left: &self.left,
            acted: &self.acted,
            withheld: &self.withheld,
            result: self.result.as_ref(),
        };
        serde_json::to_string(&snapshot).expect("plain data")
    }

    /// The table of a stored snapshot.
    ///
    /// # Errors
    /// The text is not a snapshot of a game of these rules.
    pub fn restore(rules: &dyn RuleSet, snapshot: &str) -> Result<Self, serde_json::Error> {
        let snapshot: Snapshot = serde_json::from_str(snapshot)?;
        Ok(Self {
            position: rules.restore(snapshot.position.get())?,
            order: snapshot.order,
            left: snapshot.left,
            acted: snapshot.acted,
            withheld: snapshot.withheld,
            result: snapshot.result,
        })
    }
}
