//! Which players a change wakes.

use pippost::games::feed::players::Players;
use pippost::store::{Changes, Seq};
use uuid::Uuid;

fn changed(ids: &[Uuid]) -> Changes {
    let mut changes = Changes::default();
    changes.add(ids.iter().copied());
    changes
}

#[test]
fn a_player_is_woken_by_own_games_and_name_and_forgotten_with_the_last_reader() {
    let [ann, bob, game, other] = std::array::from_fn(|_| Uuid::now_v7());
    let mut players = Players::default();
    let (mut of_ann, mut of_bob) = (players.subscribe(ann), players.subscribe(bob));
    players.watch(ann, vec![(game, Seq::from(3)), (other, Seq::START)]);
    players.watch(bob, vec![(game, Seq::from(2))]);
    let mut woken = |players: &Players, changes: &Changes| {
        players.wake(changes);
        [&mut of_ann, &mut of_bob].map(|wakes| {
            let changed = wakes.has_changed().expect("a topic");
            wakes.mark_unchanged();
            changed
        })
    };
    assert_eq!(woken(&players, &changed(&[game])), [true, true]);
    assert_eq!(woken(&players, &changed(&[other])), [true, false]);
    assert_eq!(woken(&players, &changed(&[bob])), [false, true]);
    assert_eq!(woken(&players, &changed(&[Uuid::now_v7()])), [false, false]);
    players.hear(other, Seq::START);
    assert_eq!(woken(&players, &Changes::default()), [false, false], "no news");
    players.hear(game, Seq::from(3));
    assert_eq!(woken(&players, &Changes::default()), [true, true], "bob knew less");
    players.watch(ann, vec![(other, Seq::START)]);
    assert_eq!(woken(&players, &changed(&[game])), [false, true]);
    players.unsubscribe(ann, of_ann);
    assert_eq!(players.len(), (1, 1));
    players.unsubscribe(bob, of_bob);
    assert_eq!(players.len(), (0, 0));
}
