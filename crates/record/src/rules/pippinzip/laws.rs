//! Tests laws with random games: winners against a flood fill, lists of legal actions against trying all, round trips.

use std::collections::BTreeSet;

use rand_chacha::ChaCha20Rng;
use rand_core::{Rng, SeedableRng};
use serde_json::Value;

use super::action::Placement;
use super::board::Colour;
use super::cell::Cell;
use super::options::Size;
use super::tests::start;
use super::{Action, Pippinzip, Position};
use crate::rules::{Chance, Offer, Rules, Step, Viewer};

const VARIANTS: [&str; 3] = ["pipline", "zipline", "freestyle"];

/// That many games: a seed, and variants and sizes in turn.
fn games(count: u64, sizes: &[u8]) -> impl Iterator<Item = (u64, &'static str, u8)> {
    let variants = VARIANTS.iter().cycle().copied();
    (0..count)
        .zip(variants.zip(sizes.iter().cycle().copied()))
        .map(|(game, (variant, size))| (game, variant, size))
}

fn words(seed: u64) -> impl FnMut() -> u32 {
    let mut source = ChaCha20Rng::seed_from_u64(seed);
    move || source.next_u32()
}

fn act(position: &mut Position, action: Action) -> Option<Vec<Value>> {
    let seat = Pippinzip::to_act(position)?;
    let mut step = Step::new(Chance::Withheld);
    Pippinzip::act(position, seat, &action, &mut step).ok()?;
    Some(step.finish().effects)
}

/// A colour's winning groups, found by walking from stone to stone over the rows of the view.
fn winning_groups(rows: &[String], colour: char) -> Vec<BTreeSet<(u8, u8)>> {
    let length = u8::try_from(rows.len()).expect("a small board");
    let at =
        |column: u8, row: u8| rows[usize::from(length - 1 - row)].chars().nth(column.into()) == Some(colour);
    let all = (0..length).flat_map(|column| (0..length).map(move |row| (column, row)));
    let mut stones: BTreeSet<_> = all.filter(|(column, row)| at(*column, *row)).collect();
    let mut groups = Vec::new();
    while let Some(first) = stones.pop_first() {
        let (mut group, mut edge) = (BTreeSet::from([first]), vec![first]);
        while let Some((column, row)) = edge.pop() {
            let near: Vec<_> = stones
                .iter()
                .copied()
                .filter(|(c, r)| {
                    let (columns, rows) = (c.abs_diff(column), r.abs_diff(row));
                    columns.max(rows) == 1 && (colour == 'w' || columns + rows == 1)
                })
                .collect();
            for stone in near {
                stones.remove(&stone);
                group.insert(stone);
                edge.push(stone);
            }
        }
        let touches = |side: fn(&(u8, u8), u8) -> bool| group.iter().any(|cell| side(cell, length - 1));
        let [west, east] = [touches(|cell, _| cell.0 == 0), touches(|cell, last| cell.0 == last)];
        let [south, north] = [touches(|cell, _| cell.1 == 0), touches(|cell, last| cell.1 == last)];
        let wins = match colour {
            'w' => west && east && south && north,
            _ => west && east || south && north,
        };
        if wins {
            groups.push(group);
        }
    }
    groups
}

fn names(group: &BTreeSet<(u8, u8)>) -> Vec<String> {
    let name = |(column, row): &(u8, u8)| Cell::at(*column, *row).to_string();
    group.iter().map(name).collect()
}

#[test]
fn the_winner_and_the_winning_group_are_those_of_a_flood_fill() {
    for (game, variant, size) in games(60, &[5, 6, 9, 11]) {
        let mut words = words(game);
        let mut position = start(variant, size);
        while let Some(action) = position.random_action(&mut words) {
            let seat = position.turn;
            let effects = act(&mut position, action).expect("random actions are legal");
            let rows = Pippinzip::view(&position, Viewer::Spectator).rows;
            let Action::Place { .. } = action else { continue };
            let colour = if effects[0]["colour"] == "black" { 'b' } else { 'w' };
            let groups = winning_groups(&rows, colour);
            assert_eq!(position.winner, (!groups.is_empty()).then_some(seat), "{rows:?}");
            assert_eq!(effects.len(), 1 + groups.len().min(1));
            if let Some(first) = groups.first() {
                assert_eq!(effects[1]["cells"], serde_json::json!(names(first)));
            }
        }
        assert!(Pippinzip::ending(&position).is_some(), "random games are played out");
    }
}

#[test]
fn pz7_a_full_board_has_exactly_one_winner() {
    for (game, _, length) in games(200, &[5, 6, 7, 12, 19]) {
        let mut words = words(game);
        let white = words() % 9 + 1;
        let row = |_| (0..length).map(|_| if words() % 10 < white { 'w' } else { 'b' }).collect();
        let rows: Vec<String> = (0..length).map(row).collect();
        let winners = ['b', 'w'].map(|colour| !winning_groups(&rows, colour).is_empty());
        assert_ne!(winners[0], winners[1], "{rows:?}");
        // The board's own groups agree.
        let size = Size::new(length).expect("a size");
        let board = super::board::Board::from_rows(size, &rows).expect("a board");
        let own = [Colour::Black, Colour::White].map(|colour| !board.winning_group(colour).is_empty());
        assert_eq!(own, winners);
    }
}

/// All placements of up to three cells on a board of five, in any order, and `take`.
fn every_action() -> Vec<Action> {
    let cells: Vec<Cell> = (0..5).flat_map(|column| (0..5).map(move |row| Cell::at(column, row))).collect();
    let mut actions = vec![Action::Take {}];
    let one = cells.iter().map(|cell| Placement::one(*cell));
    let ones: Vec<_> = one.collect();
    let more = |placements: &[Placement]| -> Vec<Placement> {
        placements.iter().flat_map(|begun| cells.iter().filter_map(|cell| begun.and(*cell).ok())).collect()
    };
    let twos = more(&ones);
    // A sample of placements of three keeps the test short; none is legal outside the auction.
    let threes: Vec<_> = more(&twos).into_iter().step_by(17).collect();
    actions.extend([ones, twos, threes].concat().into_iter().map(|cells| Action::Place { cells }));
    actions
}

#[test]
fn what_is_listed_is_accepted_and_what_is_not_listed_is_refused() {
    let every = every_action();
    for (game, variant, size) in games(9, &[5]) {
        let mut words = words(1000 + game);
        let mut position = start(variant, size);
        while let Some(action) = position.random_action(&mut words) {
            let offers = Pippinzip::legal(&position);
            assert!(!offers.is_empty(), "asked means able");
            for action in &every {
                let value = serde_json::to_value(action).expect("an action");
                let listed = offers.iter().any(|offer| match offer {
                    Offer::Action(offered) => offered == action,
                    Offer::Choose(choose) => choose.allows(&value),
                });
                let mut copy = position.clone();
                assert_eq!(act(&mut copy, *action).is_some(), listed, "{value} in {position:?}");
                assert!(listed || copy == position, "a refused action changes nothing");
            }
            act(&mut position, action).expect("random actions are legal");
        }
        assert!(Pippinzip::legal(&position).is_empty());
    }
}

/// One of the listed actions, found by a client without knowledge of the rules.
fn pick(offers: &[Offer<Action>], words: &mut impl FnMut() -> u32) -> Action {
    let mut below = |limit: usize| words() as usize % limit;
    match &offers[below(offers.len())] {
        Offer::Action(action) => *action,
        Offer::Choose(choose) => serde_json::from_value(choose.action(below)).expect("an action"),
    }
}

#[test]
fn whoever_picks_from_the_list_plays_legally_to_the_end() {
    for (game, variant, size) in games(60, &[5]) {
        let mut words = words(2000 + game);
        let mut position = start(variant, size);
        while Pippinzip::to_act(&position).is_some() {
            let action = pick(&Pippinzip::legal(&position), &mut words);
            act(&mut position, action).expect("listed");
        }
    }
}

#[test]
fn notation_and_snapshots_round_trip_at_every_move() {
    for (game, variant, size) in games(12, &[5, 19]) {
        let mut words = words(3000 + game);
        let mut position = start(variant, size);
        while let Some(action) = position.random_action(&mut words) {
            assert_eq!(Pippinzip::read(&position, &Pippinzip::write(&action)), Ok(action));
            let json = serde_json::to_string(&action).expect("an action");
            assert_eq!(serde_json::from_str::<Action>(&json).expect("an action"), action);
            let effects = act(&mut position, action).expect("random actions are legal");
            for effect in effects {
                let read: super::Effect = serde_json::from_value(effect.clone()).expect("an effect");
                assert_eq!(serde_json::to_value(read).expect("an effect"), effect);
            }
            let snapshot = serde_json::to_string(&position).expect("a snapshot");
            let restored: Position = serde_json::from_str(&snapshot).expect("a position");
            assert_eq!(restored, position);
            // The restored game continues as the other does.
            if let Some(next) = position.random_action(&mut words) {
                assert_eq!(act(&mut restored.clone(), next), act(&mut position.clone(), next));
            }
        }
    }
}

#[test]
fn any_text_is_read_or_refused_without_panic() {
    let position = start("zipline", 19);
    let mut words = words(7);
    let alphabet: Vec<char> = "abcklst 019,.-+TAKEplace\u{e9}\u{1f3b2}\n".chars().collect();
    for _ in 0..20_000 {
        let text: String = (0..words() % 20).map(|_| alphabet[words() as usize % alphabet.len()]).collect();
        match Pippinzip::read(&position, &text) {
            Ok(action) => assert_eq!(Pippinzip::read(&position, &Pippinzip::write(&action)), Ok(action)),
            Err(unreadable) => assert!(unreadable.at.expect("a place") <= text.chars().count()),
        }
    }
}

#[test]
fn random_actions_reach_every_kind_of_action() {
    let mut seen = BTreeSet::new();
    let mut words = words(8);
    for _ in 0..200 {
        let action = start("zipline", 5).random_action(&mut words).expect("a running game");
        seen.insert(match action {
            Action::Take {} => 0,
            Action::Place { cells } => cells.as_slice().len(),
        });
    }
    assert_eq!(seen, BTreeSet::from([0, 1, 2, 3]));
}
