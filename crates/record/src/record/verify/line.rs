//! The line of an event, read in one pass over its bytes, without building values or writing them again.

use serde_json::Value;

use crate::record::canonical::{NotCanonical, Scanner};
use crate::record::chance::Seed;
use crate::record::event::RevealedSeed;
use crate::record::hash::{Hash, read_hex};
use crate::record::timestamp::Timestamp;
use crate::rules::Seat;

/// An event as its line states it, in canonical form.
#[derive(Debug)]
pub struct EventLine<'a> {
    /// An object with a `type`.
    pub action: &'a [u8],
    pub at: Timestamp,
    /// A list of objects with a `type`.
    pub effects: &'a [u8],
    pub hash: Hash,
    pub next: Hash,
    pub prev: Hash,
    pub seat: Option<Seat>,
    pub seeds: Vec<RevealedSeed>,
    pub seq: u64,
    pub to_act: Option<Seat>,
    /// The hashed bytes: the line without the member `hash`, in two pieces.
    hashed: [&'a [u8]; 2],
}

impl<'a> EventLine<'a> {
    /// Reads a line without its line feed. In canonical order each member has only one place.
    ///
    /// # Errors
    /// The line is not exactly an event in canonical form.
    pub fn read(line: &'a [u8]) -> Result<Self, NotCanonical> {
        let mut scanner = Scanner::new(line)?;
        scanner.literal(b"{\"action\":")?;
        scanner.inside_an_object();
        let start = scanner.position();
        typed_object(&mut scanner)?;
        let action = scanner.since(start);
        scanner.literal(b",\"at\":")?;
        let at = text(&mut scanner)?;
        let at = Timestamp::parse(at).ok_or(NotCanonical)?;
        scanner.literal(b",\"effects\":")?;
        let start = scanner.position();
        scanner.array(typed_object)?;
        let effects = scanner.since(start);
        scanner.literal(b",")?;
        let before_hash = scanner.since(0);
        scanner.literal(b"\"hash\":")?;
        let hash = hash(&mut scanner)?;
        scanner.literal(b",")?;
        let after_hash = &line[scanner.position()..];
        scanner.literal(b"\"next\":")?;
        let next = self::hash(&mut scanner)?;
        scanner.literal(b",\"prev\":")?;
        let prev = self::hash(&mut scanner)?;
        scanner.literal(b",\"seat\":")?;
        let seat = seat(&mut scanner)?;
        scanner.literal(b",\"seeds\":")?;
        let seeds = seeds(&mut scanner)?;
        scanner.literal(b",\"seq\":")?;
        let seq = scanner.natural()?;
        scanner.literal(b",\"to_act\":")?;
        let to_act = self::seat(&mut scanner)?;
        scanner.literal(b"}")?;
        scanner.end()?;
        let hashed = [before_hash, after_hash];
        Ok(Self { action, at, effects, hash, next, prev, seat, seeds, seq, to_act, hashed })
    }

    /// The action as a value.
    ///
    /// # Panics
    /// Never: the scanner has checked that it is JSON.
    pub fn action(&self) -> Value {
        serde_json::from_slice(self.action).expect("scanned JSON")
    }

    /// The effects as values.
    ///
    /// # Panics
    /// Never: the scanner has checked that it is JSON, and a list.
    pub fn effects(&self) -> Vec<Value> {
        serde_json::from_slice(self.effects).expect("scanned JSON")
    }

    /// The correct value of `hash`. `buffer` is overwritten; sharing one among all events saves allocations.
    pub fn computed_hash(&self, buffer: &mut Vec<u8>) -> Hash {
        buffer.clear();
        buffer.extend_from_slice(self.hashed[0]);
        buffer.extend_from_slice(self.hashed[1]);
        Hash::of(&[buffer])
    }
}

/// An object with a string `type`.
fn typed_object(scanner: &mut Scanner<'_>) -> Result<(), NotCanonical> {
    let mut typed = false;
    scanner.object(|scanner, name| {
        if name == b"type" {
            typed = true;
            scanner.string().map(drop)
        } else {
            scanner.value()
        }
    })?;
    if typed { Ok(()) } else { Err(NotCanonical) }
}

/// A string without escapes.
fn text<'a>(scanner: &mut Scanner<'a>) -> Result<&'a str, NotCanonical> {
    std::str::from_utf8(scanner.string()?).map_err(|_| NotCanonical)
}

fn bytes(scanner: &mut Scanner<'_>) -> Result<[u8; 32], NotCanonical> {
    read_hex(scanner.string()?).ok_or(NotCanonical)
}

fn hash(scanner: &mut Scanner<'_>) -> Result<Hash, NotCanonical> {
    bytes(scanner).map(Hash::from_bytes)
}

/// The replay judges whether the seat exists, so a number too large is read as a seat that no game has.
fn seat(scanner: &mut Scanner<'_>) -> Result<Option<Seat>, NotCanonical> {
    if scanner.optional(b"null") {
        return Ok(None);
    }
    let seat = scanner.natural()?;
    Ok(Some(Seat(u8::try_from(seat).unwrap_or(u8::MAX))))
}

fn seeds(scanner: &mut Scanner<'_>) -> Result<Vec<RevealedSeed>, NotCanonical> {
    let mut seeds = Vec::new();
    scanner.array(|scanner| {
        scanner.literal(b"{\"seed\":")?;
        let seed = Seed::from_bytes(bytes(scanner)?);
        scanner.literal(b",\"seq\":")?;
        let seq = scanner.natural()?;
        seeds.push(RevealedSeed { seed, seq });
        scanner.literal(b"}")
    })?;
    Ok(seeds)
}

#[cfg(test)]
mod tests {
    use serde_json::json;
    use uuid::Uuid;

    use super::*;
    use crate::record::header::FORM;
    use crate::record::{Act, Chronicle, Event, Header, Master, Player, Seating, canonical};
    use crate::rules::{self, Choose, RuleSet};

    const GAME: Uuid = Uuid::from_u128(0x0193_4a2b_5c6d_7e8f_8a9b_0c1d_2e3f_4a5b);

    fn header(rules: &dyn RuleSet, master: &Master) -> Header {
        let options = rules.complete_options(&json!({})).expect("defaults are possible");
        let seats = *rules.seats(&options).expect("good options").start();
        let player = |number| Player { name: format!("player {number}"), entropy: String::new() };
        Header {
            record: FORM.to_owned(),
            id: GAME,
            rules: rules.name().to_owned(),
            rules_version: rules.version(),
            options,
            seating: Seating::Random,
            commitment: master.commitment(GAME),
            players: (0..seats).map(player).collect(),
            beacon: None,
        }
    }

    /// The record of a game that was aborted after some actions.
    fn record(rules: &dyn RuleSet) -> Vec<String> {
        let master = Master::from_bytes([7; 32]);
        let header = header(rules, &master);
        let at = Timestamp::parse("2026-11-21T12:00:00.000000Z").expect("a timestamp");
        let (mut chronicle, start) = Chronicle::start(rules, &header, &master, at);
        let mut lines = vec![text_of(&header), start.line];
        for _ in 0..4 {
            let seat = chronicle.table().to_act().expect("a running game");
            let listed = chronicle.table().position().legal().swap_remove(0);
            let choice = serde_json::from_value::<Choose>(listed.clone());
            let action = choice.map_or(listed, |choice| choice.action(|_| 0));
            lines.push(chronicle.act(Act::Play { seat, action: &action }, at).expect("listed").line);
        }
        while let Some(seat) = chronicle.table().to_act() {
            lines.push(chronicle.act(Act::Resign { seat }, at).expect("possible at any time").line);
        }
        lines.push(text_of(&chronicle.footer(&master).expect("the game is over")));
        lines
    }

    fn text_of(value: &impl serde::Serialize) -> String {
        String::from_utf8(canonical::of(value)).expect("JSON")
    }

    #[test]
    fn a_line_says_what_the_event_says() {
        let mut read = 0;
        for line in rules::all().flat_map(record).filter(|line| line.contains("\"prev\"")) {
            let event: Event = serde_json::from_str(&line).expect("an event");
            let lined = EventLine::read(line.as_bytes()).expect("an event");
            assert_eq!((lined.action(), lined.effects()), (event.action.clone(), event.effects.clone()));
            assert_eq!((lined.at, lined.seat, lined.seq), (event.at, event.seat, event.seq));
            assert_eq!((lined.hash, lined.next, lined.prev), (event.hash, event.next, event.prev));
            assert_eq!((lined.to_act, lined.seeds.as_slice()), (event.to_act, event.seeds.as_slice()));
            assert_eq!(lined.computed_hash(&mut Vec::new()), event.computed_hash());
            read += 1;
        }
        assert!(read > 20, "{read}");
    }

    #[test]
    fn header_and_footer_are_no_events() {
        for lines in rules::all().map(record) {
            for line in [lines[0].as_str(), lines[lines.len() - 1].as_str(), "", "{}"] {
                assert!(EventLine::read(line.as_bytes()).is_err(), "{line}");
            }
        }
    }
}
