//! Checks the events against each other, the header and the sealed master, like the verifier but for running games too. Each
//! event is rebuilt from the master and its act, and must be identical byte for byte.

use time::OffsetDateTime;

use super::checkpoints::Kept;
use super::clocks::StoredClock;
use super::finding::{Findings, Subject};
use crate::error::GameError;
use crate::history::progress::{Counted, TurnCount};
use crate::memory::live::{Fixed, LiveGame, Turn, names_by_seat, open_master};
use crate::viewing::view::{options_json, seating_of};
use crate::viewing::view_text::ViewTexts;
use pippost_clock::{Running, ToAct, microseconds};
use pippost_keys::SecretKey;
use pippost_record::record::{Act, Chronicle, Event, Header, Master, Recorded};
use pippost_record::rules::RuleSet;
use pippost_store::audit::GameSnapshot;
use pippost_store::games::WholeGame;
use pippost_store::{Edition, GameStatus, Seq};

/// A game as its events say.
pub struct Truth {
    pub live: LiveGame,
    /// The event that began the current turn.
    pub asked_at: Seq,
    /// The time of event 0.
    pub started_at: OffsetDateTime,
    /// Its valid checkpoints.
    pub kept: Kept,
}

/// Opens the master and compares it with the commitment.
pub fn master(whole: &WholeGame, secret: &SecretKey, findings: &mut Findings) -> Option<Master> {
    let Ok(master) = open_master(&whole.game, secret) else {
        findings.note(Subject::Master, "its sealed master cannot be opened with this server's key");
        return None;
    };
    if master.commitment(whole.game.id).as_bytes().as_slice() != whole.game.commitment {
        findings.note(Subject::Master, "its commitment is not that of its sealed master");
        return None;
    }
    Some(master)
}

/// Checks a game that has not started: only its status can be wrong.
pub fn check_waiting(whole: &WholeGame, findings: &mut Findings) {
    let game = &whole.game;
    let ended = game.finished_at.is_some();
    match game.status {
        GameStatus::Running | GameStatus::Finished => {
            findings.note(Subject::Events, format!("it is {}, but it has no event", game.status));
        }
        GameStatus::Cancelled if !ended => findings.note(Subject::Status, "it was cancelled at no time"),
        GameStatus::Open | GameStatus::Starting if ended => {
            findings.note(Subject::Status, format!("it is {}, but it has an end", game.status));
        }
        GameStatus::Open | GameStatus::Starting | GameStatus::Cancelled => {}
    }
}

/// Compares the header with the game's row.
pub fn header(whole: &WholeGame, findings: &mut Findings) -> Option<(Header, &'static dyn RuleSet)> {
    let game = &whole.game;
    let Some(header) = game.header.as_deref() else {
        findings.note(Subject::Game, "it has events or a state, but no header");
        return None;
    };
    let Ok(header) = serde_json::from_str::<Header>(header) else {
        findings.note(Subject::Game, "its header cannot be read");
        return None;
    };
    let rules = match header.check() {
        Ok(rules) => rules,
        Err(refused) => {
            findings.note(Subject::Game, format!("its header is impossible: {refused}"));
            return None;
        }
    };
    let options: Option<serde_json::Value> = serde_json::from_str(&game.options).ok();
    let version = u32::try_from(game.rules_version).ok();
    let round = header.beacon.as_ref().map(|beacon| beacon.round.into());
    for (same, member) in [
        (round == game.beacon_round, "beacon"),
        (header.id == game.id, "id"),
        (header.commitment.as_bytes().as_slice() == game.commitment, "commitment"),
        (header.rules == game.rules && Some(header.rules_version) == version, "rules"),
        (options.as_ref() == Some(&header.options), "options"),
        (header.seating == seating_of(game), "seating"),
        (i16::from(header.seats()) == game.seats, "seats"),
    ] {
        if !same {
            findings.note(Subject::Game, format!("its header and its row differ in `{member}`"));
            return None;
        }
    }
    Some((header, rules))
}

/// Rebuilds every event; returns the resulting game if all are right.
pub async fn check(
    snapshot: &mut GameSnapshot,
    whole: &WholeGame,
    (header, rules): (Header, &'static dyn RuleSet),
    master: Master,
    findings: &mut Findings,
) -> Result<Option<Truth>, GameError> {
    let Some(clock) = StoredClock::load(snapshot, whole, findings).await? else { return Ok(None) };
    let mut kept = Kept::default();
    let mut walk = Walk { rules, header: &header, master: &master, clock, now: None };
    loop {
        let next = walk.next_seq();
        let page = snapshot.lines(next).await?;
        let (Some((first, _)), Some((last, _))) = (page.first(), page.last()) else { break };
        let mut checkpoints = snapshot.checkpoints(*first, *last).await?.into_iter().peekable();
        for (seq, line) in page {
            if let Err(why) = walk.step(seq, &line) {
                findings.note(Subject::Events, why);
                return Ok(None);
            }
            if let (Some(checkpoint), Some(now)) =
                (checkpoints.next_if(|checkpoint| checkpoint.seq == seq), &walk.now)
            {
                kept.check(&checkpoint, now.chronicle.table(), &now.progress);
            }
        }
    }
    let clock = walk.clock;
    let Some(now) = walk.now else {
        findings.note(Subject::Events, "it has started, but it has no event");
        return Ok(None);
    };
    let newest = Seq::from(now.chronicle.seq());
    let late = snapshot.checkpoints_after(newest).await?;
    kept.end(newest, late, findings);
    let stored = whole.state.as_ref().map(|state| state.seq);
    if let Some(stored) = stored.filter(|stored| *stored > newest) {
        findings.note(
            Subject::Events,
            format!("events are missing: its state is at event {stored}, the last one is {newest}"),
        );
        return Ok(None);
    }
    if whole.members.len() != header.players.len() {
        let (rows, players) = (whole.members.len(), header.players.len());
        findings.note(
            Subject::Seats,
            format!("it has {rows} player rows for the {players} players of its header"),
        );
        return Ok(None);
    }
    let order = now.chronicle.table().order();
    let players = order.iter().map(|joined| whole.members[usize::from(*joined)].player_id).collect();
    let bots = order.iter().map(|joined| whole.members[usize::from(*joined)].bot).collect();
    let replaced = order.iter().map(|joined| whole.members[usize::from(*joined)].substitute_for).collect();
    let names = names_by_seat(&header, now.chronicle.table(), clock.clock_rules()).unwrap_or_default();
    let fixed = Fixed {
        id: whole.game.id,
        rules,
        private: whole.game.private,
        created_at: whole.game.created_at,
        started_at: now.started_at,
        players,
        replaced,
        numbers: Vec::new(),
        substitutes: whole.game.substitutes,
        title: whole.game.title.clone(),
        names,
        bots,
        master: master.clone(),
        options: options_json(&header.options),
        header: header.clone(),
    };
    let finished_at = now.chronicle.table().result().map(|_| now.chronicle.at().get());
    let edition = whole.state.as_ref().map_or(Edition::FIRST, |state| state.edition);
    let live = LiveGame {
        fixed: fixed.into(),
        chronicle: now.chronicle,
        turn: now.running.as_ref().map(|running| Turn::of(running, clock.clock_rules())),
        running: now.running,
        clock_rules: clock.finish(whole, newest.get(), findings).into(),
        finished_at,
        edition,
        outage: whole.game.outage,
        snapshot_bytes: 0,
        texts: ViewTexts::default(),
    };
    Ok(Some(Truth { live, asked_at: now.asked_at, started_at: now.started_at, kept }))
}

/// The game up to its last valid event.
struct Now {
    chronicle: Chronicle,
    running: Option<Running>,
    asked_at: Seq,
    started_at: OffsetDateTime,
    progress: TurnCount,
    counted: Counted,
}

struct Walk<'a> {
    rules: &'static dyn RuleSet,
    header: &'a Header,
    master: &'a Master,
    clock: StoredClock,
    now: Option<Now>,
}

impl Walk<'_> {
    fn next_seq(&self) -> Seq {
        self.now.as_ref().map_or(Seq::START, |now| Seq::from(now.chronicle.seq()).next())
    }

    /// Rebuilds the next event; returns what is wrong with the stored one.
    fn step(&mut self, seq: Seq, line: &str) -> Result<(), String> {
        let expected = self.next_seq();
        if seq != expected {
            return Err(format!("event {expected} is missing"));
        }
        let wrong = |why: String| format!("event {expected}: {why}");
        let stored: Event = serde_json::from_str(line).map_err(|_| wrong("it cannot be read".into()))?;
        let (made, now) = match self.now.take() {
            None => self.start(&stored),
            Some(now) => self.go_on(now, &stored).map_err(wrong)?,
        };
        if made.line != line {
            return Err(wrong(difference(&stored, &made.event)));
        }
        self.now = Some(now);
        Ok(())
    }

    fn start(&mut self, stored: &Event) -> (Recorded, Now) {
        let (chronicle, made) = Chronicle::start(self.rules, self.header, self.master, stored.at);
        let started_at = stored.at.get();
        let seats = chronicle.table().seats();
        let begins = |asked| Running::start(self.clock.clock_rules(), seats, asked, microseconds(started_at));
        let running = ToAct::at(chronicle.table()).map(begins);
        let running = self.clock.after_event(0, running);
        let (progress, counted) = (TurnCount::at_start(), Counted::from(&made.event));
        (made, Now { chronicle, running, asked_at: Seq::START, started_at, progress, counted })
    }

    fn go_on(&mut self, mut now: Now, stored: &Event) -> Result<(Recorded, Now), String> {
        let act = Act::of(stored).ok_or("it says nothing that can happen in a game")?;
        let asked = now.chronicle.table().to_act();
        let made =
            now.chronicle.act(act, stored.at).map_err(|refused| format!("the rules refuse it: {refused}"))?;
        let counted = Counted::from(&made.event);
        now.progress = now.progress.next(now.counted, counted);
        now.counted = counted;
        let to_act = now.chronicle.table().to_act();
        if to_act != asked {
            now.asked_at = stored.seq.into();
        }
        let running = now.running.take().zip(ToAct::at(now.chronicle.table()));
        let at = microseconds(stored.at.get());
        let running = running.map(|(running, asked)| running.pass(self.clock.clock_rules(), asked, at));
        now.running = self.clock.after_event(stored.seq, running);
        Ok((made, now))
    }
}

/// The first difference between a stored event and the expected one, in the order of its importance to a player.
fn difference(stored: &Event, made: &Event) -> String {
    let wrong = if stored.seq != made.seq {
        "`seq` is not its place"
    } else if stored.prev != made.prev {
        "`prev` is not the hash of what comes before: that was changed or exchanged"
    } else if stored.at != made.at {
        "its time is earlier than the event before"
    } else if stored.seat != made.seat || stored.action != made.action {
        "its action is not in the form that the rules write"
    } else if stored.effects != made.effects {
        "its effects are not what the action does"
    } else if stored.to_act != made.to_act {
        "`to_act` is not whose choice it is"
    } else if stored.seeds != made.seeds {
        "its seeds are not those due here, or do not follow from the sealed master"
    } else if stored.next != made.next {
        "`next` does not follow from the sealed master"
    } else if stored.hash != made.hash {
        "`hash` is not the hash of the event"
    } else {
        "it is not in canonical form"
    };
    wrong.to_owned()
}
