//! The possible steps and their results. Each step is atomic in the code or in the database.

use stateright::{Model, Property};

use super::properties;
use super::rules::Rule;
use super::state::{Database, Game, Mover, MoverId, Question, Reader, Repair, State, VersionStamp};
use super::{MOVERS, READERS, Servers};

/// The process of all readers, so that they can share a version check. Each mover goes to the process of the same number.
const READERS_PROCESS: usize = 0;

/// Which movers send an `expected_seq`.
const SAYS_EXPECTED_SEQ: [bool; MOVERS] = [false, true];

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Action {
    /// A reader comes (`Games::current`).
    Look(usize),
    /// All waiting readers go into one version check (`ask_all`).
    Ask,
    /// The database runs the version check (`version_stamps`).
    AnswerQuestion,
    /// The answer arrives.
    HearAnswer,
    /// The cache is read (`may_be_shown`), and the database is asked for the game if it is too old (`load_live`).
    Check(usize),
    /// The loaded game arrives.
    Show(usize),
    /// A mover comes (`Games::act`).
    Come(usize),
    /// Takes the game from the cache or loads it, and decides.
    Decide(usize),
    /// The database runs the statement (`commit::statement`).
    CarryOut(usize),
    /// The database runs a statement whose answer was lost.
    CarryOutLate,
    /// The statement's answer arrives.
    HearWritten(usize),
    /// The statement's answer is lost.
    Lose(usize),
    /// Finds out whether the statement was written (`settle`).
    Settle(usize),
    /// An audit reads the game.
    Audit,
    /// The audit repairs the game (`rebuild`).
    Rebuild,
}

impl Model for Servers {
    type State = State;
    type Action = Action;

    fn init_states(&self) -> Vec<State> {
        vec![State::new()]
    }

    fn actions(&self, _: &State, actions: &mut Vec<Action>) {
        for reader in 0..READERS {
            actions.extend([Action::Look(reader), Action::Check(reader), Action::Show(reader)]);
        }
        for mover in 0..MOVERS {
            actions.extend([
                Action::Come(mover),
                Action::Decide(mover),
                Action::CarryOut(mover),
                Action::HearWritten(mover),
                Action::Lose(mover),
                Action::Settle(mover),
            ]);
        }
        actions.extend([
            Action::Ask,
            Action::AnswerQuestion,
            Action::HearAnswer,
            Action::CarryOutLate,
            Action::Audit,
            Action::Rebuild,
        ]);
    }

    fn next_state(&self, state: &State, action: Action) -> Option<State> {
        let mut next = self.after(state, action)?;
        // The order of the readers does not matter.
        next.readers.sort_unstable();
        Some(next)
    }

    fn properties(&self) -> Vec<Property<Self>> {
        properties::all()
    }
}

fn id(mover: usize) -> MoverId {
    MoverId::try_from(mover).expect("few movers")
}

impl Servers {
    /// The state after an action; `None` if the action is not possible.
    fn after(self, state: &State, action: Action) -> Option<State> {
        match action {
            Action::Look(reader) => self.look(state, reader),
            Action::Ask => ask(state),
            Action::AnswerQuestion => answer_question(state),
            Action::HearAnswer => hear_answer(state),
            Action::Check(reader) => self.check(state, reader),
            Action::Show(reader) => show(state, reader),
            Action::Come(mover) => come(state, mover),
            Action::Decide(mover) => self.decide(state, mover),
            Action::CarryOut(mover) => self.carry_out(state, mover),
            Action::CarryOutLate => self.carry_out_late(state),
            Action::HearWritten(mover) => hear_written(state, mover),
            Action::Lose(mover) => self.lose(state, mover),
            Action::Settle(mover) => self.settle(state, mover),
            Action::Audit => audit(state),
            Action::Rebuild => self.rebuild(state),
        }
    }

    fn look(self, state: &State, reader: usize) -> Option<State> {
        (state.readers[reader] == Reader::Away).then_some(())?;
        let mut next = state.clone();
        let cached = state.caches[READERS_PROCESS].as_ref();
        if let Some(cached) = cached.filter(|_| !self.has(Rule::AskBeforeShowing)) {
            next.show(cached, state.told);
            next.readers[reader] = Reader::Done;
            return Some(next);
        }
        let joins = !self.has(Rule::AnswerEarlierReadersOnly) && state.question != Question::None;
        next.readers[reader] = if joins { Reader::Asking(state.told) } else { Reader::Waiting(state.told) };
        Some(next)
    }

    fn may_be_shown(self, live: &Game, newest: VersionStamp) -> bool {
        let same_edition = live.edition == newest.edition || !self.has(Rule::CompareEdition);
        same_edition && (live.seq() >= newest.seq || !self.has(Rule::CompareSeq))
    }

    fn check(self, state: &State, reader: usize) -> Option<State> {
        let Reader::Checking(came, newest) = state.readers[reader] else { return None };
        let mut next = state.clone();
        let cached = state.caches[READERS_PROCESS].as_ref();
        if let Some(live) = cached.filter(|live| self.may_be_shown(live, newest)) {
            next.show(live, came);
            next.readers[reader] = Reader::Done;
        } else {
            next.readers[reader] = Reader::Loading(came, state.database.row.clone());
        }
        Some(next)
    }

    fn decide(self, state: &State, mover: usize) -> Option<State> {
        let Mover::Deciding { expected, must_load } = state.movers[mover] else { return None };
        let mut next = state.clone();
        let taken = next.caches[mover].take().filter(|_| !must_load);
        let fresh = taken.is_none();
        let live = taken.unwrap_or_else(|| state.database.row.clone());
        if let Some(came) = expected.filter(|told| told.seq != live.seq()) {
            if fresh || !self.has(Rule::RefuseLoadedGamesOnly) {
                // `stale_seq` shows the game.
                next.show(&live, came);
                next.caches[mover] = Some(live);
                next.movers[mover] = Mover::Refused;
            } else {
                next.movers[mover] = Mover::Deciding { expected, must_load: true };
            }
            return Some(next);
        }
        let decided = live.after(id(mover));
        if !self.has(Rule::CacheWrittenGamesOnly) {
            next.caches[mover] = Some(decided.clone());
        }
        next.movers[mover] = if self.has(Rule::AnswerWrittenMovesOnly) {
            Mover::Writing { expected, base: live.clone(), outcome: None }
        } else {
            next.told.tell(&decided);
            Mover::Acknowledged(decided.seq())
        };
        next.statements[mover] = Some(live);
        Some(next)
    }

    fn carry_out(self, state: &State, mover: usize) -> Option<State> {
        let base = state.statements[mover].as_ref()?;
        let mut next = state.clone();
        next.statements[mover] = None;
        let written = self.write(&mut next.database, mover, base);
        if let Mover::Writing { outcome, .. } = &mut next.movers[mover] {
            *outcome = Some(written);
        }
        Some(next)
    }

    fn carry_out_late(self, state: &State) -> Option<State> {
        let (mover, base) = state.late_statement.as_ref()?;
        let mut next = state.clone();
        next.late_statement = None;
        self.write(&mut next.database, *mover, base);
        Some(next)
    }

    /// The statement of a move that was decided on `base`; true if the guard held.
    fn write(self, database: &mut Database, mover: usize, base: &Game) -> bool {
        let Database { row, events, .. } = database;
        let seq_is_expected = row.seq() == base.seq() || !self.has(Rule::GuardSeq);
        let edition_is_expected = row.edition == base.edition || !self.has(Rule::GuardEdition);
        let written = seq_is_expected && edition_is_expected;
        if written {
            *row = Game { edition: row.edition, ..base.after(id(mover)) };
            events.push((row.seq(), id(mover)));
        }
        written
    }

    fn lose(self, state: &State, mover: usize) -> Option<State> {
        let Mover::Writing { expected, base, .. } = &state.movers[mover] else { return None };
        let losses_left = state.losses_left.checked_sub(1)?;
        let mut next = State { losses_left, ..state.clone() };
        next.late_statement = next.statements[mover].take().map(|base| (mover, base));
        next.movers[mover] = if self.has(Rule::SettleLostAnswers) {
            Mover::InDoubt { expected: *expected, base: base.clone() }
        } else {
            Mover::Deciding { expected: *expected, must_load: true }
        };
        Some(next)
    }

    fn settle(self, state: &State, mover: usize) -> Option<State> {
        let Mover::InDoubt { expected, base } = &state.movers[mover] else { return None };
        let mut next = state.clone();
        let row = &mut next.database.row;
        let fenced = self.has(Rule::Fence) && row.stamp() == base.stamp();
        row.edition += u8::from(fenced);
        if !fenced && self.is_written(&state.database, base.seq() + 1, id(mover)) {
            acknowledge(&mut next, mover, &base.after(id(mover)));
        } else {
            // The slot was free meanwhile, so its game may be old.
            next.movers[mover] = Mover::Deciding { expected: *expected, must_load: false };
        }
        Some(next)
    }

    fn is_written(self, database: &Database, seq: u8, mover: MoverId) -> bool {
        let mut events = database.events.iter().filter(|(made, _)| *made == seq);
        self.has(Rule::ReadEvents) && events.any(|(_, by)| *by == mover || !self.has(Rule::CompareLine))
    }

    fn rebuild(self, state: &State) -> Option<State> {
        let Repair::Audited(found) = &state.repair else { return None };
        let mut next = state.clone();
        if self.has(Rule::GuardRepair) && state.database.row.stamp() != found.stamp() {
            next.repair = Repair::GivenUp;
            return Some(next);
        }
        let edition = found.edition + u8::from(self.has(Rule::RaiseEdition));
        next.database.row = Game { repairs: found.repairs + 1, edition, moves: found.moves.clone() };
        next.database.repairs += 1;
        next.repair = Repair::Written;
        // The command reports that the game is repaired.
        next.told.repairs = next.database.repairs;
        Some(next)
    }
}

fn ask(state: &State) -> Option<State> {
    let waits = state.readers.iter().any(|reader| matches!(reader, Reader::Waiting(_)));
    (waits && state.question == Question::None).then_some(())?;
    let mut next = State { question: Question::Sent, ..state.clone() };
    for reader in &mut next.readers {
        if let Reader::Waiting(came) = *reader {
            *reader = Reader::Asking(came);
        }
    }
    Some(next)
}

fn answer_question(state: &State) -> Option<State> {
    (state.question == Question::Sent).then_some(())?;
    let mut next = state.clone();
    next.question = Question::Answered(state.database.row.stamp());
    Some(next)
}

fn hear_answer(state: &State) -> Option<State> {
    let Question::Answered(newest) = state.question else { return None };
    let mut next = state.clone();
    next.question = Question::None;
    for reader in &mut next.readers {
        if let Reader::Asking(came) = *reader {
            *reader = Reader::Checking(came, newest);
        }
    }
    Some(next)
}

fn show(state: &State, reader: usize) -> Option<State> {
    let Reader::Loading(came, loaded) = &state.readers[reader] else { return None };
    let mut next = state.clone();
    next.show(loaded, *came);
    next.caches[READERS_PROCESS] = Some(loaded.clone());
    next.readers[reader] = Reader::Done;
    Some(next)
}

fn come(state: &State, mover: usize) -> Option<State> {
    (state.movers[mover] == Mover::Away).then_some(())?;
    let mut next = state.clone();
    let expected = SAYS_EXPECTED_SEQ[mover].then_some(state.told);
    next.movers[mover] = Mover::Deciding { expected, must_load: false };
    Some(next)
}

fn hear_written(state: &State, mover: usize) -> Option<State> {
    let Mover::Writing { expected, base, outcome } = &state.movers[mover] else { return None };
    let written = (*outcome)?;
    let mut next = state.clone();
    if written {
        acknowledge(&mut next, mover, &base.after(id(mover)));
    } else {
        next.movers[mover] = Mover::Deciding { expected: *expected, must_load: true };
    }
    Some(next)
}

/// Answers the move and puts the new game into the cache.
fn acknowledge(state: &mut State, mover: usize, live: &Game) {
    state.told.tell(live);
    state.caches[mover] = Some(live.clone());
    state.movers[mover] = Mover::Acknowledged(live.seq());
}

fn audit(state: &State) -> Option<State> {
    (state.repair == Repair::Away).then_some(())?;
    let mut next = state.clone();
    next.repair = Repair::Audited(state.database.row.clone());
    Some(next)
}
