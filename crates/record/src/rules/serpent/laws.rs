//! Tests laws with random games: lists against trying all, round trips, numbers of cards, and views that leak nothing.

use rand_chacha::ChaCha20Rng;
use rand_core::{Rng, SeedableRng};
use serde_json::Value;

use super::action::Three;
use super::card_set::CardSet;
use super::hand::Hidden;
use super::position::director_of;
use super::tests::cards;
use super::{Action, Effect, Position, Serpent};
use crate::rules::cards::Card;
use crate::rules::no_options::NoOptions;
use crate::rules::sentence::in_english;
use crate::rules::{Chance, Halt, Offer, Rules, Seat, Step, Viewer};

const VIEWERS: [Viewer; 3] = [Viewer::Seat(Seat(0)), Viewer::Seat(Seat(1)), Viewer::Spectator];

struct Source(ChaCha20Rng);

impl Source {
    fn new(seed: u64) -> Self {
        Self(ChaCha20Rng::seed_from_u64(seed))
    }

    fn below(&mut self, limit: usize) -> usize {
        self.0.next_u32() as usize % limit
    }

    fn act(&mut self, position: &mut Position, action: Action) -> Result<Vec<Value>, Halt> {
        let seat = Serpent::to_act(position).expect("a running game");
        let mut words = || self.0.next_u32();
        let mut step = Step::new(Chance::Drawn(&mut words));
        Serpent::act(position, seat, &action, &mut step)?;
        Ok(step.finish().effects)
    }

    fn start(&mut self) -> Position {
        let mut words = || self.0.next_u32();
        let mut step = Step::new(Chance::Drawn(&mut words));
        Serpent::start(&NoOptions {}, 2, &mut step).expect("chance is there")
    }

    fn pick(&mut self, position: &Position) -> Action {
        let actions = legal(position);
        actions[self.below(actions.len())]
    }
}

fn legal(position: &Position) -> Vec<Action> {
    let actions = Serpent::legal(position).into_iter().map(|offer| match offer {
        Offer::Action(action) => action,
        Offer::Choose(choose) => panic!("Serpent lists actions one by one: {choose:?}"),
    });
    actions.collect()
}

/// Every card as a play, and a sample of threes to give and to show.
fn many_actions(position: &Position, source: &mut Source) -> Vec<Action> {
    let mut actions: Vec<Action> = Card::deck().map(|card| Action::Play { card }).collect();
    let pool: Vec<Card> =
        position.seen().with(position.hands[0].known()).iter().chain(cards("2c 7h")).collect();
    for _ in 0..40 {
        let cards: CardSet = (0..3).map(|_| pool[source.below(pool.len())]).collect();
        if let Some(cards) = Three::new(cards) {
            actions.extend([Action::Give { cards }, Action::Show { cards }]);
        }
    }
    actions
}

#[test]
fn what_is_listed_is_accepted_and_what_is_not_listed_is_refused() {
    let mut source = Source::new(1);
    let mut position = source.start();
    while Serpent::to_act(&position).is_some() && position.hand <= 3 {
        let listed = legal(&position);
        assert!(!listed.is_empty(), "asked means able");
        for action in many_actions(&position, &mut source).into_iter().chain(listed.clone()) {
            let mut copy = position.clone();
            let accepted = source.act(&mut copy, action).is_ok();
            assert_eq!(accepted, listed.contains(&action), "{action:?} in {position:?}");
            assert!(accepted || copy == position, "a refused action changes nothing");
        }
        let action = source.pick(&position);
        source.act(&mut position, action).expect("listed");
    }
}

#[test]
fn a_hand_is_twelve_of_fifty_two_cards_and_every_match_ends_by_its_scores() {
    for seed in 0..20 {
        let mut source = Source::new(seed);
        let mut position = source.start();
        while Serpent::to_act(&position).is_some() {
            let held = position.hands.map(|hand| hand.known());
            assert_eq!(held.map(CardSet::len).iter().sum::<u8>(), 13 - position.next_position());
            assert_eq!(position.seen().with(held[0]).with(held[1]).len(), 12, "all different");
            let action = source.pick(&position);
            source.act(&mut position, action).expect("listed");
            let mut scores = [0; 2];
            for (_, director, _, scoring) in position.complete_hands() {
                scores[director.index()] += scoring.points();
            }
            assert_eq!(position.scores, scores, "only directors score");
        }
        assert!(position.hand >= 8 && position.hand.is_multiple_of(2));
        assert_ne!(position.scores[0], position.scores[1]);
        let ending = Serpent::ending(&position).expect("played out");
        let [first, last] = [0, 1].map(|place| ending.standing[place][0].index());
        assert!(position.scores[first] > position.scores[last]);
        assert_eq!(position.history.len(), position.hand as usize);
    }
}

#[test]
fn notation_effects_and_snapshots_round_trip_at_every_move() {
    let mut source = Source::new(3);
    let mut position = source.start();
    while Serpent::to_act(&position).is_some() {
        let action = source.pick(&position);
        assert_eq!(Serpent::read(&position, &Serpent::write(&action)), Ok(action));
        let json = serde_json::to_string(&action).expect("an action");
        assert_eq!(serde_json::from_str::<Action>(&json).expect("an action"), action);
        for effect in source.act(&mut position, action).expect("listed") {
            let read: Effect = serde_json::from_value(effect.clone()).expect("an effect");
            assert_eq!(serde_json::to_value(read).expect("an effect"), effect);
        }
        let snapshot = serde_json::to_string(&position).expect("a snapshot");
        assert_eq!(serde_json::from_str::<Position>(&snapshot).expect("a position"), position);
        for viewer in VIEWERS {
            let view = Serpent::view(&position, viewer);
            let json = serde_json::to_string(&view).expect("a view");
            assert_eq!(serde_json::from_str::<super::View>(&json).expect("a view"), view);
        }
    }
}

#[test]
fn any_text_is_read_or_refused_without_panic_and_cards_mean_the_same_at_every_stage() {
    let mut source = Source::new(4);
    let position = source.start();
    let alphabet: Vec<char> = "A23456789TJQK10cdhs ,.-giveshowplay\u{2665}\u{e9}\n".chars().collect();
    for _ in 0..20_000 {
        let length = source.below(16);
        let text: String = (0..length).map(|_| alphabet[source.below(alphabet.len())]).collect();
        match Serpent::read(&position, &text) {
            Ok(action) => assert_eq!(Serpent::read(&position, &Serpent::write(&action)), Ok(action)),
            Err(unreadable) => assert!(unreadable.at.expect("a place") <= text.chars().count()),
        }
    }
}

/// The position with other hidden cards in the hands that `viewer` may not see: as many, of the cards that are not visible.
fn twin(position: &Position, viewer: Viewer, source: &mut Source) -> Position {
    let mut twin = position.clone();
    let own = Seat::all(2).filter(|seat| viewer.is(*seat)).map(|seat| position.hands[seat.index()].known());
    let visible = own.fold(position.seen(), CardSet::with);
    let mut unseen: Vec<Card> = Card::deck().filter(|card| !visible.has(*card)).collect();
    for seat in Seat::all(2).filter(|seat| !viewer.is(*seat)) {
        let hand = &mut twin.hands[seat.index()];
        let count = hand.hidden_count();
        let other = (0..count).map(|_| unseen.remove(source.below(unseen.len()))).collect();
        hand.hidden = Hidden::Known(other);
    }
    twin
}

/// Everything that a viewer is shown of a position.
fn shown(position: &Position, viewer: Viewer) -> Vec<String> {
    let names = ["ann".to_owned(), "bob".to_owned()];
    let view = Serpent::view(position, viewer);
    let json = serde_json::to_string(&view).expect("a view");
    let picture = format!("{:?}", Serpent::picture(&view, &in_english::captions(&names), &[]));
    let mut shown = vec![
        json,
        Serpent::board_text(&view, &in_english::captions(&names)),
        picture,
        format!("{:?}", Serpent::to_act(position)),
    ];
    if Serpent::to_act(position).is_some_and(|seat| viewer.is(seat)) {
        shown.push(serde_json::to_string(&Serpent::legal(position)).expect("a list"));
    }
    shown
}

#[test]
fn two_deals_that_differ_only_in_cards_hidden_from_a_viewer_look_the_same_to_that_viewer() {
    for seed in 100..104 {
        let mut source = Source::new(seed);
        let mut position = source.start();
        while Serpent::to_act(&position).is_some() && position.hand <= 4 {
            let action = source.pick(&position);
            let seat = Serpent::to_act(&position);
            for viewer in VIEWERS {
                let twin = twin(&position, viewer, &mut source);
                assert_eq!(shown(&position, viewer), shown(&twin, viewer));
                // If the same action is legal in both, its consequences look the same: effects, sentences and views.
                let (mut one, mut other) = (position.clone(), twin);
                let mut dealer = Source::new(seed);
                let Ok(effects) = dealer.act(&mut one, action) else { panic!("{action:?} is listed") };
                let mut dealer = Source::new(seed);
                let Ok(others) = dealer.act(&mut other, action) else { continue };
                assert_eq!(effects, others);
                let sentences = [effects, others].map(|effects| {
                    let effects: Vec<Effect> = effects
                        .into_iter()
                        .map(|effect| serde_json::from_value(effect).expect("an effect"))
                        .collect();
                    Serpent::tell(seat, Some(&action), &effects)
                });
                assert_eq!(sentences[0], sentences[1]);
                assert_eq!(shown(&one, viewer), shown(&other, viewer));
            }
            source.act(&mut position, action).expect("listed");
        }
    }
}

#[test]
fn a_match_that_is_known_can_be_followed_sealed_with_the_same_effects() {
    for seed in 200..205 {
        let mut source = Source::new(seed);
        let mut position = source.start();
        let mut sealed =
            Serpent::start(&NoOptions {}, 2, &mut Step::new(Chance::Sealed)).expect("a sealed deal");
        while let Some(seat) = Serpent::to_act(&position) {
            let action = source.pick(&position);
            let effects = source.act(&mut position, action).expect("listed");
            let mut step = Step::new(Chance::Sealed);
            Serpent::act(&mut sealed, seat, &action, &mut step).expect("no contradiction");
            assert_eq!(step.finish().effects, effects);
            assert_eq!(Serpent::to_act(&sealed), Serpent::to_act(&position));
        }
        assert_eq!(Serpent::ending(&sealed), Serpent::ending(&position));
        assert_eq!(director_of(position.hand), Seat(1));
    }
}
