//! Decides what is legal and applies it (SP1, SP4, SP5).

use super::action::{Action, Three};
use super::card_set::CardSet;
use super::effect::Effect;
use super::hand::{Hand, follows};
use super::layout::CELLS;
use super::position::{Position, Stage, director_of};
use super::scoring::Scoring;
use crate::rules::cards::Card;
use crate::rules::{Ending, Halt, Illegal, NoChance, PlayedOut, Seat, Sentence, Step};

const DEFENDER_IS_DEALT: usize = 3;
const DIRECTOR_IS_DEALT: usize = 9;

/// The first deal.
pub fn start(step: &mut Step<'_>) -> Result<Position, NoChance> {
    let hands = deal(1, step)?;
    let (table, history) = (Vec::with_capacity(CELLS), Vec::new());
    Ok(Position { hand: 1, stage: Stage::Give, hands, table, history, scores: [0; 2], over: false })
}

/// Three cards for the defender, then nine for the director, out of 52 in canonical order.
fn deal(hand: u32, step: &mut Step<'_>) -> Result<[Hand; 2], NoChance> {
    let director = director_of(hand);
    let mut deck: Vec<Card> = Card::deck().collect();
    let mut draw = |count: usize| -> Result<Hand, NoChance> {
        let cards: Vec<_> = (0..count).map(|_| step.draw_hidden(&mut deck)).collect::<Result<_, _>>()?;
        Ok(Hand::dealt(&cards))
    };
    let (defenders, directors) = (draw(DEFENDER_IS_DEALT)?, draw(DIRECTOR_IS_DEALT)?);
    let hands = if director == Seat(0) { [directors, defenders] } else { [defenders, directors] };
    step.effect(|| Effect::Dealt { hand, director, counts: hands.map(|hand| hand.hidden_count()) });
    Ok(hands)
}

/// Plays one action of the seat in turn.
pub fn act(position: &mut Position, seat: Seat, action: Action, step: &mut Step<'_>) -> Result<(), Halt> {
    if position.over || position.is_hand_complete() || seat != position.turn() {
        return Err(Illegal::new("rules-not-your-turn").into());
    }
    match (position.stage, action) {
        (Stage::Give, Action::Give { cards }) => {
            take_from_director(position, cards)?;
            open(&mut position.hands[seat.other().index()], cards);
            position.stage = Stage::Show;
            step.effect(|| Effect::Given { cards });
        }
        (Stage::Show, Action::Show { cards }) => {
            take_from_director(position, cards)?;
            open(&mut position.hands[seat.index()], cards);
            position.stage = Stage::Play;
            step.effect(|| Effect::Shown { cards });
        }
        (Stage::Play, Action::Play { card }) => {
            check_play(position, card)?;
            play(position, card, step)?;
        }
        (stage, _) => return Err(Illegal::new(expected(stage)).into()),
    }
    Ok(())
}

fn expected(stage: Stage) -> &'static str {
    match stage {
        Stage::Give => "serpent-give-first",
        Stage::Show => "serpent-show-now",
        Stage::Play => "serpent-play-now",
    }
}

/// Removes three hidden cards from the director's hand.
fn take_from_director(position: &mut Position, cards: Three) -> Result<(), Illegal> {
    let seen = position.seen();
    let hand = &mut position.hands[director_of(position.hand).index()];
    if let Some(card) = cards.set().iter().find(|card| !hand.may_hide(*card, seen)) {
        return Err(Illegal::new(Sentence::new("serpent-not-hidden").text("card", card)));
    }
    cards.set().iter().for_each(|card| hand.take_hidden(card));
    Ok(())
}

fn open(hand: &mut Hand, cards: Three) {
    hand.face_up = hand.face_up.with(cards.set());
}

/// Checks that the card is in the hand, and follows the lead if any can (SP1). If hidden cards are unknown, only the known ones
/// count.
fn check_play(position: &Position, card: Card) -> Result<(), Illegal> {
    let hand = &position.hands[position.turn().index()];
    if !hand.face_up.has(card) && !hand.may_hide(card, position.seen()) {
        let broken = hand.not_followed().iter().find(|lead| follows(card, *lead));
        return Err(Illegal::new(match broken {
            Some(lead) => Sentence::new("serpent-played-before").text("card", card).text("lead", lead),
            None => Sentence::new("serpent-not-in-hand").text("card", card),
        }));
    }
    let Some(lead) = position.lead() else { return Ok(()) };
    let could_follow = hand.known().iter().find(|known| follows(*known, lead));
    match could_follow {
        Some(following) if !follows(card, lead) => {
            let why = Sentence::new("serpent-does-not-follow").text("card", card).text("lead", lead);
            Err(Illegal::new(why.text("following", following)))
        }
        _ => Ok(()),
    }
}

fn play(position: &mut Position, card: Card, step: &mut Step<'_>) -> Result<(), NoChance> {
    let (seat, lead, at) = (position.turn(), position.lead(), position.next_position());
    let hand = &mut position.hands[seat.index()];
    hand.play(card);
    if let Some(lead) = lead.filter(|lead| !follows(card, *lead)) {
        hand.did_not_follow(lead);
    }
    position.table.push(card);
    step.effect(|| Effect::Played { seat, position: at, card });
    match <[Card; CELLS]>::try_from(position.table.as_slice()) {
        Ok(table) => complete_hand(position, table, step),
        Err(_) => Ok(()),
    }
}

/// The director scores (SP4); then the match is over or the next hand is dealt (SP5).
fn complete_hand(position: &mut Position, table: [Card; CELLS], step: &mut Step<'_>) -> Result<(), NoChance> {
    let (hand, director, scoring) = (position.hand, position.director(), Scoring::of(&table));
    position.history.push(table);
    position.scores[director.index()] += scoring.points();
    step.effect(|| Effect::Scored {
        hand,
        director,
        pairs: scoring.pairs().collect(),
        runs: scoring.runs().collect(),
        points: scoring.points(),
    });
    step.reveal()?;
    if position.is_match_complete() {
        position.over = true;
        return Ok(());
    }
    position.hands = deal(hand + 1, step)?;
    position.hand += 1;
    position.stage = Stage::Give;
    position.table.clear();
    Ok(())
}

/// The higher score wins; scores that end a match differ (SP5).
pub fn ending(position: &Position) -> Option<Ending> {
    if !position.is_match_complete() {
        return None;
    }
    let winner = Seat(u8::from(position.scores[1] > position.scores[0]));
    Some(Ending { reason: PlayedOut::Play, standing: vec![vec![winner], vec![winner.other()]] })
}

/// All legal actions of the seat in turn, as far as its cards are known, with cards in canonical order.
pub fn legal(position: &Position) -> Vec<Action> {
    if position.over {
        return Vec::new();
    }
    let hidden = || position.hands[position.director().index()].known_hidden().unwrap_or_default();
    match position.stage {
        Stage::Give => threes(hidden()).map(|cards| Action::Give { cards }).collect(),
        Stage::Show => threes(hidden()).map(|cards| Action::Show { cards }).collect(),
        Stage::Play => position.playable().iter().map(|card| Action::Play { card }).collect(),
    }
}

/// Every choice of three cards.
fn threes(cards: CardSet) -> impl Iterator<Item = Three> {
    let after = move |first: Card| cards.iter().filter(move |card| *card > first);
    let pairs = cards.iter().flat_map(move |one| after(one).map(move |two| (one, two)));
    let all = pairs.flat_map(move |(one, two)| after(two).map(move |three| [one, two, three]));
    all.filter_map(|three| Three::new(three.into_iter().collect()))
}
