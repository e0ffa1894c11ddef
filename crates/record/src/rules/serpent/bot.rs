//! What programs that play need: hidden cards dealt anew, and how a game stands after a hand.

use super::action::Action;
use super::card_set::CardSet;
use super::hand::{Hand, Hidden, follows};
use super::layout::{CELLS, EDGES, seat_at};
use super::position::{Position, SHORTEST_MATCH, Stage, director_of};
use super::view::{CompleteHand, HandView, Phase, View};
use crate::rules::cards::Card;
use crate::rules::offer::below;
use crate::rules::playout::logistic;
use crate::rules::{NoSuchPosition, Rules, Seat, Words, offer};

/// The lead in points that makes one of the two twice as likely to win a match with a hand left, nearly.
const CLEAR_LEAD: f64 = 6.0;

/// A position with this view: hidden cards that the viewer does not see are dealt from all that can be there.
pub fn position(view: &View, words: &mut impl Words) -> Result<Position, NoSuchPosition> {
    let stage = match view.phase {
        Phase::Give => Stage::Give,
        Phase::Show => Stage::Show,
        Phase::Play => Stage::Play,
        Phase::Finished => return Err(NoSuchPosition::new("the game is over")),
    };
    if view.table.len() >= CELLS || view.hand == 0 || view.director != director_of(view.hand) {
        return Err(NoSuchPosition::new("the hand is complete, or another seat directs it"));
    }
    let history = view.history.iter().map(table).collect::<Result<Vec<_>, _>>()?;
    let hands = hands(view, words)?;
    let table = view.table.clone();
    Ok(Position { hand: view.hand, stage, hands, table, history, scores: view.scores, over: false })
}

fn table(hand: &CompleteHand) -> Result<[Card; CELLS], NoSuchPosition> {
    let table = hand.table.as_slice().try_into();
    table.map_err(|_| NoSuchPosition::new("a complete hand has twelve cards"))
}

/// Both hands; the one with fewer possible cards is dealt first.
fn hands(view: &View, words: &mut impl Words) -> Result<[Hand; 2], NoSuchPosition> {
    let mut seen: CardSet = view.table.iter().copied().collect();
    for hand in &view.hands {
        seen = seen.with(hand.face_up).with(hand.hidden.unwrap_or_default());
    }
    let possible = |seat: Seat| -> Vec<Card> {
        let not_followed = not_followed(view, seat);
        let may_be = |card: &Card| !not_followed.iter().any(|lead| follows(*card, *lead));
        Card::deck().filter(|card| !seen.has(*card)).filter(may_be).collect()
    };
    let possible = [Seat(0), Seat(1)].map(possible);
    let order = if possible[0].len() <= possible[1].len() { [0, 1] } else { [1, 0] };
    let mut dealt = CardSet::default();
    let mut hands = [Hand::dealt(&[]); 2];
    for seat in order {
        let HandView { face_up, hidden, hidden_count } = view.hands[seat];
        let hidden = match hidden {
            Some(known) => known,
            None => deal(&possible[seat], hidden_count, dealt, words)?,
        };
        dealt = dealt.with(hidden);
        hands[seat] = Hand { face_up, hidden: Hidden::Known(hidden) };
    }
    Ok(hands)
}

/// The leads that a seat did not follow in this hand: none of its hidden cards could have (SP1).
fn not_followed(view: &View, seat: Seat) -> Vec<Card> {
    let pairs = view.table.chunks_exact(2).zip((2..).step_by(2));
    let replies = pairs.filter(|(_, position)| seat_at(*position, view.director) == seat);
    replies.filter(|(pair, _)| !follows(pair[1], pair[0])).map(|(pair, _)| pair[0]).collect()
}

fn deal(
    possible: &[Card],
    count: u8,
    dealt: CardSet,
    words: &mut impl Words,
) -> Result<CardSet, NoSuchPosition> {
    let mut rest: Vec<Card> = possible.iter().copied().filter(|card| !dealt.has(*card)).collect();
    let mut hidden = CardSet::default();
    for _ in 0..count {
        if rest.is_empty() {
            return Err(NoSuchPosition::new("more cards are hidden than are left"));
        }
        hidden.insert(rest.swap_remove(below(words, rest.len())));
    }
    Ok(hidden)
}

/// One card in this many is chosen at random from all that can be played, so that a playout may play any.
const RANDOM_ONE_IN: usize = 5;

/// A random action; mostly the card that fits its neighbours best, for the director, or least, for the defender.
pub fn playout_action(position: &Position, words: &mut impl Words) -> Option<Action> {
    let playable = position.playable();
    if position.over || position.stage != Stage::Play || below(words, RANDOM_ONE_IN) == 0 {
        return offer::random(&super::Serpent::legal(position), words);
    }
    let directs = position.turn() == position.director();
    let (first, count) = (below(words, usize::from(playable.len().max(1))), usize::from(playable.len()));
    // Of equally good cards any may come first.
    let cards = playable.iter().cycle().skip(first).take(count);
    let fit = |card: &Card| if directs { fit(position, *card) } else { -fit(position, *card) };
    cards.max_by_key(fit).map(|card| Action::Play { card })
}

/// How well a card fits the neighbours that lie on the table already: the points of a pair, or a step of a run.
fn fit(position: &Position, card: Card) -> i32 {
    let place = position.next_position();
    let placed = EDGES.iter().filter(|[_, later]| *later == place);
    let neighbours = placed.filter_map(|[earlier, _]| position.table.get(usize::from(*earlier) - 1));
    let worth = |other: &Card| match card.rank().abs_diff(other.rank()) {
        0 => PAIR,
        1 | STEP_AROUND => STEP,
        _ => 0,
    };
    neighbours.map(worth).sum()
}

/// The points of a pair (SP2), and what a step between two neighbours may bring in a run (SP3).
const PAIR: i32 = 2;
const STEP: i32 = 1;

/// The difference of the ranks of a king and an ace, which are neighbours on the circle.
const STEP_AROUND: u8 = 12;

/// How likely each seat is to win with its lead: the more hands are left, the less a lead means.
pub fn estimate(position: &Position) -> Vec<f64> {
    let scores = position.scores.map(f64::from);
    let hands_left = f64::from((SHORTEST_MATCH + 1).saturating_sub(position.hand).max(1));
    let lead = (scores[0] - scores[1]) / (CLEAR_LEAD * hands_left.sqrt());
    vec![logistic(lead), logistic(-lead)]
}

/// After a hand only luck is left to guess: the next deal is another one.
pub fn is_far_enough(from: &Position, now: &Position) -> bool {
    now.hand != from.hand
}
