//! Checks the notes about one game against the record that the service serves at the end.

use std::collections::BTreeMap;

use pippost::bot::client::receipt;
use pippost::clock::log;
use pippost::record::Verified;
use pippost::record::verify::walk;
use pippost::rules::{Seat, Viewer};
use serde_json::Value;
use support::beacon;

use super::register;
use crate::notes::{GameNotes, Shown};

/// A game and what the service serves of it.
pub struct Served<'a> {
    pub id: &'a str,
    pub notes: &'a GameNotes,
    /// The record with the clock log.
    pub record: &'a [u8],
    /// The keys that sign receipts.
    pub keys: &'a Value,
}

/// The events of a record, from event 0.
pub fn events(record: &[u8]) -> Vec<Value> {
    let lines = record.split(|byte| *byte == b'\n').skip(1);
    let events = lines.filter_map(|line| serde_json::from_slice::<Value>(line).ok());
    events.filter(|line| line["hash"].is_string() && line["seq"].is_u64()).collect()
}

impl Served<'_> {
    /// What is wrong.
    pub fn check(&self) -> Vec<String> {
        let (record, clock_log) = log::split(self.record);
        let (events, mut wrong) = (events(record), Vec::new());
        self.check_record(record, clock_log, &mut wrong);
        self.check_beacon(record, &mut wrong);
        self.check_acknowledged(&events, &mut wrong);
        self.check_sent(&events, &mut wrong);
        self.check_receipts(&events, &mut wrong);
        self.check_feeds(&events, &mut wrong);
        if let Some(stretch) = register::contradiction(&self.notes.operations) {
            wrong.push(format!("its history is not linearizable: {stretch:?}"));
        }
        let about = |what| format!("{} {}: {what}", self.notes.rules, self.id);
        wrong.into_iter().map(about).collect()
    }

    fn check_record(&self, record: &[u8], clock_log: Option<&[u8]>, wrong: &mut Vec<String>) {
        let mut shown: BTreeMap<u64, Vec<&Shown>> = BTreeMap::new();
        for view in &self.notes.shown {
            shown.entry(view.seq).or_default().push(view);
        }
        let mut differ = Vec::new();
        let verified = walk(record, |played| {
            for view in shown.remove(&played.seq).unwrap_or_default() {
                let seat = view.seat.and_then(|seat| u8::try_from(seat).ok()).map(Seat);
                let viewer = seat.map_or(Viewer::Spectator, Viewer::Seat);
                // The whole view follows from the record, so whatever else is in it was hidden.
                if played.table.position().view(viewer) != view.view {
                    differ.push(format!("event {} as {viewer:?} saw it: {}", played.seq, view.view));
                }
            }
        });
        wrong.extend(differ);
        wrong.extend(shown.keys().map(|seq| format!("event {seq} was shown and is not in the record")));
        match verified {
            Err(failure) => wrong.push(format!("the record fails: {failure}")),
            Ok(Verified { result: None, .. }) => wrong.push("it has not come to its end".to_owned()),
            Ok(Verified { proved: false, .. }) => wrong.push("the record proves nothing".to_owned()),
            Ok(_) => {}
        }
        match clock_log.map(|clock_log| log::verify(record, clock_log)) {
            None => wrong.push("there is no clock log".to_owned()),
            Some(Ok((_, Err(failure)))) => wrong.push(format!("the clock log fails: {failure}")),
            Some(_) => {}
        }
    }

    /// The round that the game waited for is in its record, as the beacon has signed it.
    fn check_beacon(&self, record: &[u8], wrong: &mut Vec<String>) {
        let header = record.split(|byte| *byte == b'\n').next().unwrap_or_default();
        let header: Value = serde_json::from_slice(header).unwrap_or_default();
        let (beacon, chain) = (&header["beacon"], beacon::chain());
        let round = beacon["round"].as_u64();
        if !self.notes.beacon_rounds.iter().eq([&round]) {
            wrong.push(format!("rounds {:?} were shown, not {beacon}", self.notes.beacon_rounds));
        }
        let member = |name: &str| beacon[name].as_str().unwrap_or_default();
        let is_signed = |round| {
            chain.check(round, member("randomness"), member("signature")).is_ok()
                && member("source") == chain.source()
        };
        if round.is_some_and(|round| !is_signed(round)) {
            wrong.push(format!("the beacon has not signed {beacon}"));
        }
    }

    /// Every acknowledged event is in the record at its place, and every head that was shown is that of its event.
    fn check_acknowledged(&self, events: &[Value], wrong: &mut Vec<String>) {
        let at = |seq: u64| events.get(usize::try_from(seq).expect("a small number"));
        for event in &self.notes.acknowledged {
            let seq = event["seq"].as_u64().unwrap_or_default();
            if at(seq) != Some(event) {
                wrong.push(format!("event {seq} was acknowledged and is another, or none: {event}"));
            }
        }
        for shown in &self.notes.shown {
            if at(shown.seq).is_none_or(|event| event["hash"] != shown.head.as_str()) {
                wrong.push(format!("event {} was shown with the head {}", shown.seq, shown.head));
            }
        }
        for (seat, after) in &self.notes.by_mail {
            if at(after + 1).is_none_or(|event| event["seat"].as_u64() != Some(*seat)) {
                wrong.push(format!("the move by mail after {after} is another's, or none"));
            }
        }
    }

    /// Every event of a player was sent by that player, and none more often than it was sent.
    fn check_sent(&self, events: &[Value], wrong: &mut Vec<String>) {
        let mut sent = self.notes.sent.clone();
        for event in events.iter().skip(1) {
            let (seat, seq) = (event["seat"].as_u64(), event["seq"].as_u64().unwrap_or_default());
            let is_it = |sent: &crate::notes::Sent| {
                let same =
                    sent.action.as_ref().is_none_or(|action| action["type"] == event["action"]["type"]);
                Some(sent.seat) == seat && same && (sent.after == seq - 1 || sent.after == u64::MAX)
            };
            match sent.iter().position(is_it) {
                Some(place) => drop(sent.swap_remove(place)),
                None => wrong.push(format!("nobody sent event {seq}: {event}")),
            }
        }
    }

    fn check_receipts(&self, events: &[Value], wrong: &mut Vec<String>) {
        for text in &self.notes.receipts {
            let Ok(claims) = receipt::verify(text, self.keys) else {
                wrong.push(format!("a receipt was signed by nobody: {text}"));
                continue;
            };
            let event = usize::try_from(claims.seq).ok().and_then(|seq| events.get(seq));
            let holds = claims.game.to_string() == self.id
                && event.is_some_and(|event| event["hash"] == claims.hash.as_str());
            if !holds {
                wrong.push(format!("the receipt of event {} does not hold", claims.seq));
            }
        }
        if self.notes.receipts.len() < self.notes.acknowledged.len() {
            wrong.push("some acknowledged moves have no receipt".to_owned());
        }
    }

    /// Every reader was told every event once and in order, and nothing else about it than the record says.
    fn check_feeds(&self, events: &[Value], wrong: &mut Vec<String>) {
        for told in &self.notes.feeds {
            let told: Vec<&Value> = told.iter().map(|line| &line["event"]).collect();
            if !told.iter().copied().eq(events) {
                let seqs: Vec<&Value> = told.iter().map(|event| &event["seq"]).collect();
                wrong.push(format!("a feed told {seqs:?}, and the record has {} events", events.len()));
            }
        }
        if self.notes.feeds.is_empty() {
            wrong.push("no reader of its feed came to the end".to_owned());
        }
    }
}
