//! Turns are counted while a game is replayed.

use pippost::games::history::progress::{Counted, TurnCount};
use pippost::rules::Seat;
use pippost::store::Seq;

fn counted(seq: u64, seat: Option<u8>, to_act: Option<u8>) -> Counted {
    Counted { seq, seat: seat.map(Seat), to_act: to_act.map(Seat) }
}

#[test]
fn a_turn_ends_with_the_event_that_changes_whose_choice_it_is() {
    let events = [
        counted(0, None, Some(1)),
        counted(1, Some(1), Some(1)),
        counted(2, Some(1), Some(0)),
        counted(3, Some(2), Some(0)),
        counted(4, Some(0), None),
    ];
    let mut progress = TurnCount::at_start();
    let mut turns = vec![(progress.turn, progress.ends_turn)];
    for pair in events.windows(2) {
        progress = progress.next(pair[0], pair[1]);
        turns.push((progress.turn, progress.ends_turn));
    }
    let turns: Vec<_> = turns.into_iter().map(|(turn, ends)| (turn.get(), ends)).collect();
    assert_eq!(turns, [(0, true), (1, false), (1, true), (2, false), (2, true)]);
    assert_eq!(
        [0, 1, 2, 3].map(|seat| progress.last_event_of(Seat(seat)).map(Seq::get)),
        [Some(4), Some(2), Some(3), None]
    );
    assert_eq!(TurnCount::of_mark(&progress.mark()), Some(progress));
}
