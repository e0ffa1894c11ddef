//! Check 3: replays the game event by event.

use serde_json::{Value, json};

use super::chain::Seeds;
use super::form::Form;
use super::line::EventLine;
use super::{Check, Failure, Location, MAX_VALUE_BYTES};
use crate::record::canonical;
use crate::record::chance::Seed;
use crate::record::event::GameResult;
use crate::record::header::{Header, Seating};
use crate::record::table::{Act, Done, SeatOrder, Table};
use crate::record::timestamp::Timestamp;
use crate::rules::{Chance, Seat, Words};

/// An event of a record that has been replayed and found correct.
#[derive(Debug)]
pub struct Played<'a> {
    pub header: &'a Header,
    pub seq: u64,
    pub at: Timestamp,
    /// The acting seat; `None` for the server.
    pub seat: Option<Seat>,
    pub action: &'a Value,
    pub effects: &'a [Value],
    /// The game after the event.
    pub table: &'a Table,
}

impl Played<'_> {
    /// The players' names by seat, as the record has them: anybody may have written it.
    #[must_use]
    pub fn names(&self) -> Vec<String> {
        let name = |index: &u8| self.header.players[usize::from(*index)].name.clone();
        self.table.order().iter().map(name).collect()
    }
}

/// Replays the record and passes on each event once it is checked; returns the result if the game is over.
pub fn check(
    form: &Form<'_>,
    seeds: &Seeds,
    mut visit: impl FnMut(&Played<'_>),
) -> Result<Option<GameResult>, Failure> {
    let mut table: Option<Table> = None;
    let mut buffer = Vec::new();
    for event in &form.events {
        let place = Location::Event(event.seq);
        let fail = |why: String| Failure::new(Check::Replay, place, why);
        let mut words = seeds.of(event.seq).map(Seed::words);
        let chance = match &mut words {
            Some(words) => Chance::Drawn(words as &mut dyn Words),
            None => Chance::Sealed,
        };
        let done = match &mut table {
            None => {
                let (started, done) = start(form, event, chance).map_err(fail)?;
                table = Some(started);
                done
            }
            Some(table) => {
                if event.action.len() > MAX_VALUE_BYTES {
                    return Err(fail(format!("an action has at most {MAX_VALUE_BYTES} bytes")));
                }
                let action = event.action();
                let act = act_of(event, &action, table).map_err(fail)?;
                let done = table.act(event.seq, act, chance);
                done.map_err(|refused| Failure::new(Check::Replay, place, refused))?
            }
        };
        let table = table.as_ref().expect("started by the first event");
        compare(event, &done, table, &mut buffer).map_err(fail)?;
        let Done { action, effects, .. } = &done;
        let (header, seq, at, seat) = (&form.header, event.seq, event.at, event.seat);
        visit(&Played { header, seq, at, seat, action, effects, table });
    }
    Ok(table.and_then(|table| table.result().cloned()))
}

fn start(form: &Form<'_>, event: &EventLine<'_>, chance: Chance<'_>) -> Result<(Table, Done), String> {
    if event.seat.is_some() {
        return Err("event 0 belongs to the server".into());
    }
    let given;
    let sealed = matches!(chance, Chance::Sealed);
    let seat_order = if sealed && form.header.seating == Seating::Random {
        given = given_order(form, event).ok_or("`seated` does not seat every player once")?;
        SeatOrder::Given(&given)
    } else {
        SeatOrder::ByHeader
    };
    Table::start(form.rules, &form.header, &seat_order, chance).map_err(|no_chance| no_chance.to_string())
}

/// The seats as the event gives them, if they are a permutation of the players.
fn given_order(form: &Form<'_>, event: &EventLine<'_>) -> Option<Vec<u8>> {
    let effects = readable_effects(event)?;
    let seated = effects.first().filter(|effect| effect["type"] == "seated")?;
    let order: Vec<u8> = serde_json::from_value(seated["order"].clone()).ok()?;
    let mut sorted = order.clone();
    sorted.sort_unstable();
    sorted.into_iter().eq(0..form.header.seats()).then_some(order)
}

/// The effects as values, unless they are too long.
fn readable_effects(event: &EventLine<'_>) -> Option<Vec<Value>> {
    (event.effects.len() <= MAX_VALUE_BYTES).then(|| event.effects())
}

/// The act that the event states.
fn act_of<'a>(event: &EventLine<'_>, action: &'a Value, table: &Table) -> Result<Act<'a>, String> {
    let kind = action["type"].as_str().unwrap_or_default();
    match (kind, event.seat) {
        ("start", _) => Err("`start` is event 0's alone".into()),
        ("timeout", None) => {
            let named = action["seat"].as_u64().and_then(|seat| u8::try_from(seat).ok());
            let seat = named.map(Seat).ok_or("`timeout` names no seat")?;
            Ok(Act::Timeout { seat })
        }
        ("timeout", Some(_)) => Err("`timeout` belongs to the server".into()),
        ("resign", Some(seat)) => Ok(Act::Resign { seat }),
        ("abort", Some(seat)) => Ok(Act::Abort { seat }),
        (_, Some(seat)) => Ok(Act::Play { seat, action }),
        (_, None) if table.result().is_some() => Err("the game is over".into()),
        (_, None) => Err("only a player can do this".into()),
    }
}

/// Compares the action in canonical form, effects, `to_act` and the seeds exactly. Two values are equal if their canonical
/// bytes are. `buffer` is overwritten; sharing one among all events saves allocations.
fn compare(event: &EventLine<'_>, done: &Done, table: &Table, buffer: &mut Vec<u8>) -> Result<(), String> {
    buffer.clear();
    canonical::write(&done.action, buffer).map_err(|error| error.to_string())?;
    if event.action != buffer.as_slice() {
        return Err(format!("the action should read {}", done.action));
    }
    buffer.clear();
    canonical::write_list(&done.effects, buffer).map_err(|error| error.to_string())?;
    if event.effects != buffer.as_slice() {
        let differs = readable_effects(event).map(|given| difference(&given, &done.effects));
        return Err(differs.unwrap_or_else(|| "the effects are not what the rules do".to_owned()));
    }
    if event.to_act != table.to_act() {
        return Err(format!("`to_act` should be {}", json!(table.to_act())));
    }
    if !event.seeds.iter().map(|revealed| revealed.seq).eq(done.due_seeds.iter().copied()) {
        return Err(format!("the seeds due here are those of the events {:?}", done.due_seeds));
    }
    Ok(())
}

fn difference(given: &[Value], due: &[Value]) -> String {
    let index = given.iter().zip(due).take_while(|(given, due)| given == due).count();
    match (due.get(index), given.get(index)) {
        (Some(due), Some(given)) => format!("effect {index} should be {due}, and the record says {given}"),
        (Some(due), None) => format!("effect {index} is missing: {due}"),
        (None, Some(given)) => format!("there is one effect too many: {given}"),
        (None, None) => "the effects are not what the rules do".to_owned(),
    }
}
