//! Laws that hold in every position that random play reaches.

use rand_chacha::ChaCha20Rng;
use rand_chacha::rand_core::{Rng, SeedableRng};

use super::*;
use crate::rules::Offer;
use crate::rules::dominion::Action;
use crate::rules::dominion::cell::CellSet;
use crate::rules::dominion::field::{FULL, MAX_STRENGTH};
use crate::rules::dominion::options::RoundLimit;
use crate::rules::seat::MAX_SEATS;

/// The most events of one random game; without a limit few games would end in time.
const MAX_EVENTS: usize = 600;

/// The number of random games.
const GAMES: u64 = 60;

/// All possible actions are tried before one event in this many.
const CHECKS: u32 = 32;

/// One event in this many is a resignation.
const RESIGNS: u32 = 60;

fn below(random: &mut ChaCha20Rng, limit: usize) -> usize {
    random.next_u32() as usize % limit
}

/// All actions, legal or not, on any field.
fn every_action() -> Vec<Action> {
    let cells = || CellSet::field(Size::Five).into_iter();
    let pairs = || cells().flat_map(move |from| cells().map(move |to| (from, to)));
    let mut all = vec![Action::Turn {}, Action::Pass {}];
    all.extend(cells().map(|cell| Action::Reinforce { cell }));
    all.extend(cells().map(|cell| Action::Withdraw { cell }));
    all.extend(pairs().map(|(from, to)| Action::Attack { from, to }));
    all.extend((0..=FULL).map(|armies| Action::Occupy { armies }));
    all.extend(cells().flat_map(|cell| (0..=FULL).map(move |armies| Action::Deploy { cell, armies })));
    let advances =
        pairs().flat_map(|(from, to)| (0..=FULL).map(move |armies| Action::Advance { from, to, armies }));
    all.extend(advances);
    all
}

fn listed(position: &Position) -> Vec<Action> {
    let one_by_one = |offer| match offer {
        Offer::Action(action) => action,
        Offer::Choose(choose) => panic!("Dominion lists its actions one by one: {choose:?}"),
    };
    Dominion::legal(position).into_iter().map(one_by_one).collect()
}

/// Checks that exactly the listed actions are accepted.
fn check_list(position: &Position, all: &[Action], listed: &[Action]) {
    let seat = Dominion::to_act(position).expect("a running game");
    for action in all {
        let mut copy = *position;
        let mut step = Step::silent(Chance::Withheld);
        let played = Dominion::act(&mut copy, seat, action, &mut step);
        let accepted = !matches!(played, Err(Halt::Illegal(_)));
        assert_eq!(accepted, listed.contains(action), "{action:?} in {}", json!(position));
        assert!(accepted || copy == *position, "a refused action changes nothing");
    }
}

/// Checks the laws between events.
fn check_position(position: &Position) {
    let seen = Dominion::view(position, Viewer::Spectator);
    assert_eq!(usize::from(seen.stock) + seen.discards.len(), DECK);
    for cell in &seen.field {
        assert_eq!(cell.owner.is_none(), cell.armies == 0);
        assert!(cell.card.rank() + cell.armies <= MAX_STRENGTH);
        assert!(cell.owner.is_none_or(|owner| !position.has_left(owner)));
    }
    let owned = Seat::all(MAX_SEATS).map(|seat| position.field.owned_by(seat).len()).sum::<u32>();
    assert_eq!(owned + position.field.unoccupied().len(), position.field.cells().len());
    assert_eq!(seen.pending.is_some(), matches!(position.phase, Phase::Occupy(_)));
    assert_eq!(seen.dice.is_some(), matches!(position.phase, Phase::Deploy(_)));
    let json = serde_json::to_string(position).expect("data");
    assert_eq!(&serde_json::from_str::<Position>(&json).expect("a position"), position);
    let names = vec!["a name that is rather long for a table".to_owned(); position.seats.into()];
    let text = Dominion::board_text(&seen, &in_english::captions(&names));
    assert!(text.is_ascii() && text.lines().all(|line| line.len() <= 78), "{text}");
    match Dominion::to_act(position) {
        Some(seat) => assert!(!position.has_left(seat)),
        None => assert!(seen.current.is_none() && seen.turned.is_none() && seen.attacks == 0),
    }
}

/// Plays one random event, and checks that only a red king makes 14.
fn random_event(position: &mut Position, random: &mut ChaCha20Rng, all: &[Action]) {
    let before = *position;
    let reinforced = matches!(before.phase, Phase::Reinforce);
    let actions = listed(position);
    assert!(!actions.is_empty(), "asked means able");
    if random.next_u32().is_multiple_of(CHECKS) {
        check_list(position, all, &actions);
    }
    let action = actions[below(random, actions.len())];
    assert_eq!(Dominion::read(position, &Dominion::write(&action)), Ok(action));
    let resigns = random.next_u32().is_multiple_of(RESIGNS);
    let stayed: Vec<_> = position.staying().collect();
    let mut next = || random.next_u32();
    let mut step = Step::new(Chance::Drawn(&mut next));
    if resigns {
        let seat = stayed[position.round as usize % stayed.len()];
        Dominion::leave(position, seat, &mut step).expect("nothing is drawn");
        if position.staying().count() < 2 {
            Dominion::close(position);
        } else {
            Dominion::resume(position, &mut step).expect("chance is there");
        }
    } else {
        let seat = Dominion::to_act(position).expect("a running game");
        Dominion::act(position, seat, &action, &mut step).expect("a listed action");
    }
    for cell in position.field.cells() {
        let grown = position.field.armies(cell) > before.field.armies(cell);
        assert!(!grown || position.field.base_strength(cell) <= FULL || reinforced, "only a king makes 14");
    }
    let effects = step.finish().effects;
    let effects: Vec<_> =
        effects.into_iter().map(|effect| serde_json::from_value(effect).expect("an effect")).collect();
    let action = (!resigns).then_some(&action);
    for sentence in in_english::told(&Dominion::tell(before.to_act(), action, &effects), &names()) {
        assert!(sentence.ends_with('.'), "{sentence}");
    }
}

fn random_game(seed: u64, all: &[Action]) -> Position {
    let mut random = ChaCha20Rng::seed_from_u64(seed);
    let size = [Size::Three, Size::Four, Size::Five][below(&mut random, 3)];
    let most = *size.seats().end();
    let seats = 2 + u8::try_from(below(&mut random, usize::from(most) - 1)).expect("few seats");
    let limit = [None, Some(1), Some(8), Some(30)][below(&mut random, 4)];
    let round_limit = limit.map(|rounds| RoundLimit::try_from(rounds).expect("a limit"));
    let options = Options { size, round_limit };
    let mut next = || random.next_u32();
    let mut step = Step::silent(Chance::Drawn(&mut next));
    let mut position = Dominion::start(&options, seats, &mut step).expect("chance is there");
    for _ in 0..MAX_EVENTS {
        check_position(&position);
        if Dominion::to_act(&position).is_none() {
            break;
        }
        random_event(&mut position, &mut random, all);
    }
    position
}

#[test]
fn random_play_keeps_every_bound_and_lists_exactly_what_is_accepted() {
    let all = every_action();
    let mut ended: u64 = 0;
    for seed in 0..GAMES {
        let position = random_game(seed, &all);
        ended += u64::from(Dominion::to_act(&position).is_none());
    }
    assert!(ended > GAMES / 2, "most games end: {ended}");
}

#[test]
fn a_game_with_a_round_limit_ends_by_it_at_the_latest() {
    let mut random = ChaCha20Rng::seed_from_u64(1);
    for (size, seats, rounds) in [(Size::Three, 2, 1), (Size::Four, 4, 20), (Size::Five, 8, 40)] {
        let options = Options { size, round_limit: Some(RoundLimit::try_from(rounds).expect("a limit")) };
        let mut next = || random.next_u32();
        let mut position = Dominion::start(&options, seats, &mut Step::silent(Chance::Drawn(&mut next)))
            .expect("chance is there");
        while let Some(seat) = Dominion::to_act(&position) {
            assert!(position.round <= u32::from(rounds));
            let actions = listed(&position);
            let action = actions[below(&mut random, actions.len())];
            let mut next = || random.next_u32();
            let mut step = Step::silent(Chance::Drawn(&mut next));
            Dominion::act(&mut position, seat, &action, &mut step).expect("a listed action");
        }
        assert!(Dominion::ending(&position).is_some());
    }
}
