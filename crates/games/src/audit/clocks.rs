//! The clock of a game as its events and its clock log say.

use super::finding::{Findings, Subject};
use crate::error::GameError;
use crate::memory::live::control_of;
use pippost_clock::game_clock::{Base, ClockConditions, LogHead};
use pippost_clock::log::{self, Change, Form, Line, Opening, Value};
use pippost_clock::{ClockRules, Running, TimeControl};
use pippost_record::record::Hash;
use pippost_record::rules::Seat;
use pippost_store::audit::GameSnapshot;
use pippost_store::games::WholeGame;

/// The lines that are still to come, and what those before lead to.
pub(super) struct StoredClock {
    clock_rules: ClockRules,
    lines: std::collections::VecDeque<(Line, Vec<Opening>)>,
    /// The first line that is wrong, and why.
    wrong: Option<String>,
}

impl StoredClock {
    /// Reads the clock log; `None` if the time control cannot be read.
    pub async fn load(
        snapshot: &mut GameSnapshot,
        whole: &WholeGame,
        findings: &mut Findings,
    ) -> Result<Option<Self>, GameError> {
        let control = control_of(whole.game.time_control.as_deref(), whole.game.limit_hours);
        let stored = whole.game.clock.as_deref().map(serde_json::from_str::<ClockConditions>).transpose();
        let (Some(control), Ok(stored)) = (control, stored) else {
            findings.note(Subject::Game, "its time control or clock cannot be read");
            return Ok(None);
        };
        let mut lines = std::collections::VecDeque::new();
        let mut wrong = None;
        loop {
            let next = i32::try_from(lines.len()).unwrap_or(i32::MAX);
            let page = snapshot.clock_lines(next).await?;
            if page.is_empty() || wrong.is_some() {
                break;
            }
            for row in page {
                let line = serde_json::from_str::<Line>(&row.line).ok();
                let line = line.filter(|line| line.text() == row.line && line.hash == line.computed_hash());
                let openings = row.openings.as_deref().map_or_else(|| Ok(Vec::new()), serde_json::from_str);
                match (line, openings) {
                    (Some(line), Ok(openings)) if usize::try_from(line.number) == Ok(lines.len()) => {
                        lines.push_back((line, openings));
                    }
                    _ => {
                        wrong.get_or_insert_with(|| {
                            format!("line {} of its clock log is not what was written", row.number)
                        });
                        break;
                    }
                }
            }
        }
        let mut clock = Self { clock_rules: ClockRules::new(control), lines, wrong };
        let stored = stored.unwrap_or_default();
        clock.start(control);
        // A game from before the clock log: what is stored is all that is known.
        clock.clock_rules.conditions.base = stored.base;
        if clock.lines.is_empty() {
            clock.clock_rules.conditions.stills = stored.stills;
        }
        Ok(Some(clock))
    }

    fn start(&mut self, control: TimeControl) {
        let Some((line, openings)) = self.lines.front() else { return };
        let Change::Start { calendars, control: logged, form, .. } = &line.change else {
            self.wrong = Some("its clock log does not begin with a start".to_owned());
            return;
        };
        let Some(form) = Form::named(form) else {
            self.wrong = Some("its clock log has an unknown form".to_owned());
            return;
        };
        if *logged != control {
            self.wrong = Some("its clock log and its row differ in the time control".to_owned());
        }
        self.clock_rules = log::clock_rules_at_start(control, form, calendars.len(), value_of(openings));
    }

    /// The clock_rules as it is after the last event or line.
    pub fn clock_rules(&self) -> &ClockRules {
        &self.clock_rules
    }

    /// The clock after event `seq` and the lines that stand between it and the next.
    pub fn after_event(&mut self, seq: u64, running: Option<Running>) -> Option<Running> {
        let base = self.clock_rules.conditions.base.filter(|base| base.seq == seq);
        let control = self.clock_rules.control;
        let plain = |base: Base, seat| Running::plain(&control, seat, base.since);
        let mut running = match (running, base) {
            (Some(running), Some(base)) => Some(plain(base, running.asked().to_act)),
            (running, _) => running,
        };
        while self.lines.front().is_some_and(|(line, _)| line.seq == seq) {
            let Some((line, openings)) = self.lines.pop_front() else { break };
            if let Err(why) = self.take(&line, &openings, &mut running) {
                self.wrong.get_or_insert(format!("line {} of its clock log: {why}", line.number));
            }
            self.clock_rules.conditions.head =
                Some(LogHead { number: line.number, hash: line.hash, at: line.at });
        }
        running
    }

    fn take(
        &mut self,
        line: &Line,
        openings: &[Opening],
        running: &mut Option<Running>,
    ) -> Result<(), &'static str> {
        let prev: Option<Hash> = self.clock_rules.conditions.head.map(|head| head.hash);
        if prev.map_or(line.prev != line.head, |prev| prev != line.prev) {
            return Err("it does not follow the line before");
        }
        let kept = |opening: &Opening| log::commitment(&opening.salt, &opening.value);
        let committed = log::committed(&line.change);
        let opened = openings.iter().map(|opening| (opening.seat, kept(opening)));
        if !committed.into_iter().eq(opened) {
            return Err("its commitments are not opened by what is stored");
        }
        if line.number == 0 {
            return Ok(());
        }
        let change = log::opened(&line.change, value_of(openings))?;
        log::apply(&mut self.clock_rules, running, line.number, line.at, &change)
    }

    /// The clock_rules after all events, `newest` being the last; records what is wrong with the log.
    pub fn finish(mut self, whole: &WholeGame, newest: u64, findings: &mut Findings) -> ClockRules {
        if let Some((line, _)) = self.lines.front() {
            let late = format!(
                "line {} of its clock log stands after event {}, the newest is {newest}",
                line.number, line.seq
            );
            self.wrong.get_or_insert(late);
        }
        if let Some(wrong) = self.wrong.take() {
            findings.note(Subject::Clock, wrong);
        }
        let stored = whole.game.clock.as_deref().map(serde_json::from_str::<ClockConditions>);
        let stored = stored.and_then(Result::ok).unwrap_or_default();
        if stored != self.clock_rules.conditions {
            findings.note(Subject::Clock, "what bears on its clock is not what its clock log leads to");
        }
        self.clock_rules
    }
}

fn value_of<'a>(openings: &'a [Opening]) -> impl Fn(Seat) -> Option<&'a Value> {
    move |seat| openings.iter().find(|opening| opening.seat == seat).map(|opening| &opening.value)
}
