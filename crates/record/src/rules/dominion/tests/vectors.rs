//! Replays the example records in `tests/vectors`, which an independent implementation wrote, and compares every effect.

use rand_chacha::ChaCha20Rng;
use rand_chacha::rand_core::{Rng, SeedableRng};

use super::*;
use crate::rules::dominion::Action;

/// Replays every event of a record with the words of its own seed.
fn replay(record: &str) {
    let lines: Vec<Value> = record.lines().map(|line| serde_json::from_str(line).expect("JSON")).collect();
    let [header, events @ .., footer] = lines.as_slice() else { panic!("a header, events and a footer") };
    let options: Options = serde_json::from_value(header["options"].clone()).expect("options");
    let seats = u8::try_from(header["players"].as_array().expect("players").len()).expect("few players");
    let mut table = None;
    for event in events {
        let seed = events.iter().flat_map(|later| later["seeds"].as_array().expect("a list"));
        let seed = seed.into_iter().find(|seed| seed["seq"] == event["seq"]);
        let mut words = seed.map(|seed| ChaCha20Rng::from_seed(bytes(&seed["seed"])));
        let mut next = || words.as_mut().expect("whoever draws has a published seed").next_u32();
        let mut step = Step::new(Chance::Drawn(&mut next));
        if event["action"]["type"] == "start" {
            let common = seated(header, seats, &mut step);
            let position = Dominion::start(&options, seats, &mut step).expect("chance is there");
            table = Some(Table { position, left: Vec::new() });
            check(event, vec![common], step, table.as_mut().expect("just set"));
        } else {
            let table = table.as_mut().expect("the first event is the start");
            let common = table.play(event, &mut step);
            check(event, common, step, table);
        }
    }
    let last = events.last().expect("events");
    let finished = last["effects"].as_array().and_then(|effects| effects.last()).expect("the game ended");
    for member in ["reason", "places", "scores"] {
        assert_eq!(footer["result"][member], finished[member]);
    }
}

fn bytes(hex: &Value) -> [u8; 32] {
    let bytes = hex::decode(hex.as_str().expect("hex")).expect("hex");
    bytes.try_into().expect("32 bytes")
}

/// The seating, drawn before the deal.
fn seated(header: &Value, seats: u8, step: &mut Step<'_>) -> Value {
    let mut players: Vec<u8> = (0..seats).collect();
    let order: Vec<u8> = if header["seating"] == "random" {
        (0..seats).map(|_| step.draw(&mut players).expect("chance is there")).collect()
    } else {
        players
    };
    json!({"type": "seated", "order": order})
}

/// A position, and the state that is common to all rule sets.
struct Table {
    position: Position,
    /// In the order of leaving.
    left: Vec<Seat>,
}

impl Table {
    /// Plays an event after the first; returns the common effects that precede those of the rules.
    fn play(&mut self, event: &Value, step: &mut Step<'_>) -> Vec<Value> {
        let leaves = match event["action"]["type"].as_str() {
            Some("resign") => event["seat"].as_u64(),
            Some("timeout") => event["action"]["seat"].as_u64(),
            _ => None,
        };
        let position = &mut self.position;
        let Some(seat) = leaves else {
            let action: Action = serde_json::from_value(event["action"].clone()).expect("an action");
            assert_eq!(serde_json::to_value(action).expect("data"), event["action"]);
            let seat = Dominion::to_act(position).expect("a running game");
            assert_eq!(event["seat"], seat.0);
            assert!(legal(position).contains(&Dominion::write(&action)), "listed: {action:?}");
            Dominion::act(position, seat, &action, step).expect("a legal action");
            return Vec::new();
        };
        let seat = Seat(u8::try_from(seat).expect("a seat"));
        self.left.push(seat);
        Dominion::leave(position, seat, step).expect("nothing is drawn");
        if position.staying().count() > 1 {
            Dominion::resume(position, step).expect("chance is there");
        }
        vec![json!({"type": "left", "seat": seat})]
    }

    /// The effect `finished`, if play has ended the game.
    fn finished(&self) -> Option<Value> {
        let ending = Dominion::ending(&self.position)?;
        let last_first = self.left.iter().rev().map(|seat| vec![*seat]);
        let mut places = vec![0; usize::from(self.position.seats)];
        let mut place = 1;
        for group in ending.standing.iter().cloned().chain(last_first) {
            for seat in &group {
                places[seat.index()] = place;
            }
            place += group.len();
        }
        let reason = match ending.reason {
            PlayedOut::Play => "play",
            PlayedOut::RoundLimit => "round_limit",
        };
        Some(json!({"type": "finished", "reason": reason, "places": places, "scores": null}))
    }
}

/// Compares effects, the seat to act, and whether a seed was used.
fn check(event: &Value, common: Vec<Value>, step: Step<'_>, table: &mut Table) {
    let trace = step.finish();
    let mut effects = common;
    effects.extend(trace.effects);
    if let Some(finished) = table.finished() {
        Dominion::close(&mut table.position);
        effects.push(finished);
    }
    assert_eq!(event["effects"], Value::from(effects), "event {}", event["seq"]);
    assert_eq!(event["to_act"], json!(Dominion::to_act(&table.position)), "event {}", event["seq"]);
    assert_eq!(event["seeds"] == json!([]), !trace.drew, "event {}", event["seq"]);
    let stored = serde_json::to_string(&table.position).expect("data");
    assert_eq!(serde_json::from_str::<Position>(&stored).expect("a position"), table.position);
}

#[test]
fn a_game_of_two_on_three_by_three_with_every_kind_of_action() {
    replay(include_str!("../../../../vectors/dominion-3x3-2p.ndjson"));
}

#[test]
fn a_game_of_three_to_its_round_limit() {
    replay(include_str!("../../../../vectors/dominion-4x4-3p.ndjson"));
}

#[test]
fn a_game_of_three_in_which_one_comes_to_own_every_cell() {
    replay(include_str!("../../../../vectors/dominion-4x4-3p-conquest.ndjson"));
}

#[test]
fn a_game_of_four_with_a_resignation_and_a_time_out() {
    replay(include_str!("../../../../vectors/dominion-4x4-4p-leave.ndjson"));
}

#[test]
fn a_game_of_four_in_which_leaving_meets_a_pending_occupy() {
    replay(include_str!("../../../../vectors/dominion-4x4-4p-occupy.ndjson"));
}
