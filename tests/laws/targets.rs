//! Every legal action of every rule set can be composed by picking targets, and nothing else can.

use pippost::record::Act;
use pippost::rules;

use support::picking;
use support::random_play::{Game, Plan};
use support::sample::Sampler;

/// Random games of each rule set.
const GAMES: u64 = 10;

/// The most actions of a game.
const ACTIONS: usize = 120;

#[test]
fn all_legal_actions_are_composed_by_targets_and_what_is_composed_is_accepted() {
    for (rules, seed) in (0..rules::all().count()).flat_map(|rules| (0..GAMES).map(move |seed| (rules, seed)))
    {
        let mut game = Game::start(&Plan { rules, seed, actions: ACTIONS });
        let mut sampler = Sampler::new(!seed);
        for turn in 0..ACTIONS {
            let Some(seat) = game.chronicle.table().to_act() else { break };
            // Every position of the first turns, then some.
            if turn < 12 || turn % 5 == 0 {
                for action in picking::holds(game.chronicle.table(), &mut sampler) {
                    let mut copy = game.chronicle.clone();
                    let at = copy.at();
                    assert!(copy.act(Act::Play { seat, action: &action }, at).is_ok(), "{action}");
                }
            }
            game.play_one();
        }
        assert!(game.events.len() > 5, "the game was played");
    }
}

#[test]
fn a_finished_game_offers_nothing_to_pick() {
    for rules in 0..rules::all().count() {
        let mut game = Game::start(&Plan { rules, seed: 1, actions: 0 });
        game.end();
        let next = game.chronicle.table().position().composer().next(&[]);
        assert!(next.targets.is_empty() && next.action.is_none(), "{next:?}");
    }
}
