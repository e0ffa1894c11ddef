//! DM3, DM4, DM7, DM10, DM12, DM13: the stages of a turn, and the end of the game.

use super::*;
use crate::rules::dominion::options::RoundLimit;

#[test]
fn dm3_a_turn_begins_with_the_first_stage_that_offers_anything() {
    let mut position = table(2, NINE, &[("a3", 0, 1), ("c3", 1, 1), ("c2", 1, 1)]);
    position.phase = Phase::Deploy(Roll([6, 5]));
    // Seat 1 can advance between c3 and c2, and attack nothing.
    assert_eq!(play(&mut position, "deploy a3 1", &[]), [armies("a3", 0, 2), stage(1, "advance")]);
    // Seat 0 can neither attack nor advance: the roll follows at once.
    assert_eq!(play(&mut position, "pass", &falling(&[2, 1])), [rolled(1, [2, 1], 3, 6), stage(1, "deploy")]);
    assert_eq!(play(&mut position, "pass", &falling(&[4, 4])), [rolled(0, [4, 4], 8, 3), stage(0, "deploy")]);
    // A third army of seat 1 on b3 can attack a3.
    assert_eq!(play(&mut position, "pass", &[]), [stage(1, "advance")]);
    position.field.put(cell("b3"), Seat(1), 1);
    position.phase = Phase::Deploy(Roll([6, 5]));
    position.current = Seat(0);
    assert_eq!(play(&mut position, "pass", &[]), [stage(1, "attack")]);
}

#[test]
fn dm3_passing_an_attack_before_the_card_is_turned_leads_to_the_advance_stage() {
    let mut position = table(2, NINE, &[("a3", 0, 2), ("b3", 0, 2), ("a2", 1, 1)]);
    assert_eq!(play(&mut position, "pass", &[]), [stage(0, "advance")]);
    assert_eq!(view(&position)["phase"], "advance");
    assert_eq!(
        legal(&position),
        ["advance a3 b3 1", "advance a3 b3 2", "advance b3 a3 1", "advance b3 a3 2", "pass"]
    );
}

#[test]
fn dm3_an_advance_straight_from_the_attack_stage_ends_both() {
    let mut position = table(2, NINE, &[("a3", 0, 2), ("b3", 0, 2), ("a2", 1, 1)]);
    let effects = play(&mut position, "advance b3 a3 2", &falling(&[1, 1]));
    assert_eq!(effects, [armies("a3", 0, 4), unoccupied("b3"), rolled(0, [1, 1], 2, 6), stage(0, "deploy")]);
}

#[test]
fn dm3_dm7_once_the_card_is_turned_the_stage_goes_on_until_an_attack_is_made() {
    let mut position = table(2, NINE, &[("a3", 0, 3), ("b3", 0, 2), ("a2", 1, 1)]);
    play(&mut position, "turn", &drawing("Tc"));
    let duty = "a card is turned: at least one attack must be made first";
    assert_eq!(refusal(&position, "pass"), duty);
    assert_eq!(refusal(&position, "advance b3 a3 1"), duty);
    assert_eq!(legal(&position), ["attack a3 a2"]);
    // 4 - 5 = -1: 6 + 5 - 1 against 5 + 5.
    play(&mut position, "attack a3 a2", &falling(&[6, 5, 5, 5]));
    assert_eq!(view(&position)["attacks"], 1);
    assert_eq!(
        legal(&position),
        [
            "attack a3 a2",
            "advance a3 b3 1",
            "advance a3 b3 2",
            "advance a3 b3 3",
            "advance b3 a3 1",
            "advance b3 a3 2",
            "pass"
        ]
    );
    assert_eq!(play(&mut position, "pass", &[]), [stage(0, "advance")]);
}

#[test]
fn dm3_the_attack_stage_ends_by_itself_when_no_attack_is_possible_any_more() {
    let mut position = table(2, NINE, &[("a3", 0, 3), ("a2", 1, 1), ("c1", 1, 1)]);
    play(&mut position, "turn", &drawing("Tc"));
    play(&mut position, "attack a3 a2", &falling(&[6, 6, 1, 1]));
    let effects = play(&mut position, "occupy 1", &[]);
    assert_eq!(effects, [armies("a3", 0, 2), armies("a2", 0, 1), stage(0, "advance")]);
    assert_eq!(view(&position)["turned"], "Tc", "the card rules until the turn ends");
}

#[test]
fn dm4_turning_draws_from_the_stock_in_canonical_order_onto_the_discards() {
    let mut position = table(2, NINE, &[("a3", 0, 3), ("a2", 1, 1)]);
    assert_eq!(legal(&position), ["turn", "pass"]);
    assert_eq!(refusal(&position, "attack a3 a2"), "turn a card before you attack");
    let effects = play(&mut position, "turn", &drawing("2c"));
    assert_eq!(effects, [json!({"type": "turned", "card": "2c", "reshuffled": false})]);
    let seen = view(&position);
    assert_eq!(
        (&seen["turned"], &seen["stock"], &seen["discards"]),
        (&json!("2c"), &json!(51), &json!(["2c"]))
    );
    assert_eq!(refusal(&position, "turn"), "a card is turned already: it is turned once a turn");
    // Without the two of clubs, the second card of the stock is the three.
    position.turned = None;
    let effects = play(&mut position, "turn", &[1]);
    assert_eq!(effects[0]["card"], "3c");
    assert_eq!(view(&position)["discards"], json!(["2c", "3c"]));
}

#[test]
fn dm4_when_the_stock_is_empty_the_whole_discard_pile_becomes_the_stock_first() {
    let mut position = table(2, NINE, &[("a3", 0, 3), ("a2", 1, 1)]);
    let all: Vec<_> = Card::deck().rev().collect();
    position.deck = Deck::with_discards(&all[..DECK - 1]).expect("no card twice");
    // One card is left, and drawing it still takes a word.
    assert_eq!(play(&mut position, "turn", &[77])[0]["card"], "Ac");
    assert_eq!(view(&position)["stock"], 0);
    position.turned = None;
    let effects = play(&mut position, "turn", &drawing("9h"));
    assert_eq!(effects, [json!({"type": "turned", "card": "9h", "reshuffled": true})]);
    assert_eq!((&view(&position)["stock"], &view(&position)["discards"]), (&json!(51), &json!(["9h"])));
}

#[test]
fn dm4_the_card_rules_and_attacks_count_until_the_turn_ends() {
    let mut position = table(2, NINE, &[("a3", 0, 3), ("a2", 1, 1)]);
    play(&mut position, "turn", &drawing("Tc"));
    play(&mut position, "attack a3 a2", &falling(&[6, 5, 5, 5]));
    play(&mut position, "pass", &falling(&[6, 6]));
    let seen = view(&position);
    assert_eq!(
        (&seen["phase"], &seen["turned"], &seen["attacks"]),
        (&json!("deploy"), &json!("Tc"), &json!(1))
    );
    play(&mut position, "pass", &falling(&[6, 6]));
    let seen = view(&position);
    assert_eq!((&seen["current"], &seen["turned"], &seen["attacks"]), (&json!(1), &json!(null), &json!(0)));
    assert_eq!(seen["discards"], json!(["Tc"]));
}

#[test]
fn dm10_an_advance_goes_to_a_neighbouring_own_cell_up_to_strength_thirteen() {
    let mut position =
        table(2, NINE, &[("a3", 0, 7), ("b3", 0, 9), ("b2", 0, 1), ("c1", 0, 1), ("c3", 1, 1)]);
    position.phase = Phase::Advance;
    assert_eq!(refusal(&position, "advance a3 b2 1"), "b2 is not next to a3", "no diagonals");
    assert_eq!(
        refusal(&position, "advance a3 a2 1"),
        "a2 is not a cell of yours",
        "not to an unoccupied cell"
    );
    assert_eq!(refusal(&position, "advance b3 c3 1"), "c3 is not a cell of yours");
    assert_eq!(refusal(&position, "advance a3 a3 1"), "a3 is not next to a3");
    // b3 is the two of diamonds with nine armies: room for two more.
    assert_eq!(refusal(&position, "advance a3 b3 3"), "1 to 2 armies can advance there");
    assert_eq!(refusal(&position, "advance a3 b3 0"), "1 to 2 armies can advance there");
    let effects = play(&mut position, "advance a3 b3 2", &falling(&[1, 1]));
    assert_eq!(effects[..2], [armies("a3", 0, 5), armies("b3", 0, 11)]);
    // Full now; a cell of 14 takes nothing either.
    for full in [11, 12] {
        position.field.put(cell("b3"), Seat(0), full);
        position.phase = Phase::Advance;
        assert_eq!(refusal(&position, "advance a3 b3 1"), "b3 is full: its strength is 13 or more");
        assert!(legal(&position).iter().all(|action| !action.starts_with("advance a3 b3")));
    }
}

#[test]
fn dm10_all_armies_may_go_and_one_advance_ends_the_stage_whichever_way_the_cards_lie() {
    let mut position = table(2, NINE, &[("b2", 0, 3), ("a2", 0, 1), ("c3", 1, 1)]);
    position.phase = Phase::Advance;
    let effects = play(&mut position, "advance b2 a2 3", &falling(&[6, 1]));
    assert_eq!(effects, [armies("a2", 0, 4), unoccupied("b2"), rolled(0, [6, 1], 7, 6), stage(0, "deploy")]);
}

#[test]
fn dm12_skipped_turns_and_their_rolls_belong_to_the_event_that_led_to_them() {
    // Only jacks are left, and a roll below 11 fits none.
    let mut position = table(2, "Ac 2d 3c 4d 5c 6d 7c Jd Jc", &[]);
    for (name, owner, count) in
        [("a3", 0, 12), ("b3", 0, 11), ("c3", 0, 10), ("a2", 0, 9), ("b2", 0, 8), ("c2", 0, 7), ("a1", 0, 6)]
    {
        position.field.put(cell(name), Seat(owner), count);
    }
    position.phase = Phase::Deploy(Roll([6, 6]));
    let effects = play(&mut position, "pass", &falling(&[1, 2, 4, 4, 5, 5, 3, 1, 5, 6]));
    assert_eq!(
        effects,
        [
            rolled(1, [1, 2], 3, 6),
            rolled(0, [4, 4], 8, 3),
            rolled(1, [5, 5], 10, 2),
            rolled(0, [3, 1], 4, 6),
            rolled(1, [5, 6], 11, 2),
            stage(1, "deploy")
        ]
    );
    assert_eq!(view(&position)["round"], 3);
}

/// Every cell but one is seat 0's.
fn nearly_won(free: &str) -> Position {
    let mut position = table(3, NINE, &[]);
    for cell in position.field.cells() {
        position.field.put(cell, Seat(0), 1);
    }
    position.field.clear(cell(free));
    position
}

#[test]
fn dm13_who_owns_every_cell_wins_at_once_and_all_the_others_share_the_next_place() {
    let mut position = nearly_won("a1");
    position.options.round_limit = Some(RoundLimit::try_from(1).expect("a limit"));
    position.phase = Phase::Deploy(Roll([6, 5]));
    assert_eq!(play(&mut position, "deploy a1 2", &[]), [armies("a1", 0, 2)]);
    let ending = ending::of(&position).expect("the game is over");
    assert_eq!(
        ending,
        Ending { reason: PlayedOut::Play, standing: vec![vec![Seat(0)], vec![Seat(1), Seat(2)]] }
    );
    assert_eq!(Dominion::to_act(&position), None);
    assert!(legal(&position).is_empty());
}

#[test]
fn dm13_moving_into_the_last_cell_wins_unless_the_old_one_is_left() {
    let mut position = nearly_won("a2");
    position.field.put(cell("a3"), Seat(0), 2);
    position.phase = Phase::Occupy(Conquest { from: cell("a3"), to: cell("a2"), winner: Seat(0) });
    let mut left = position;
    let effects = play(&mut left, "occupy 2", &[]);
    assert_eq!(effects, [unoccupied("a3"), armies("a2", 0, 2), stage(0, "advance")]);
    assert_eq!(play(&mut position, "occupy 1", &[]), [armies("a3", 0, 1), armies("a2", 0, 1)]);
    assert_eq!(ending::of(&position).map(|ending| ending.reason), Some(PlayedOut::Play));
}

#[test]
fn dm13_the_defender_can_win_by_moving_in() {
    let mut position = nearly_won("a2");
    position.field.put(cell("a3"), Seat(0), 2);
    position.current = Seat(1);
    position.phase = Phase::Occupy(Conquest { from: cell("a3"), to: cell("a2"), winner: Seat(0) });
    play(&mut position, "occupy 1", &[]);
    assert_eq!(ending::of(&position).map(|ending| ending.standing[0].clone()), Some(vec![Seat(0)]));
}

#[test]
fn dm13_with_a_round_limit_the_game_ends_when_the_turn_would_pass_to_the_round_after_it() {
    let mut position = table(3, NINE, &[("a3", 0, 1), ("c1", 1, 4), ("a1", 2, 1)]);
    position.options.round_limit = Some(RoundLimit::try_from(2).expect("a limit"));
    position.current = Seat(2);
    position.phase = Phase::Deploy(Roll([6, 5]));
    play(&mut position, "pass", &falling(&[6, 6]));
    assert_eq!(view(&position)["round"], 2);
    play(&mut position, "pass", &falling(&[6, 6]));
    play(&mut position, "pass", &falling(&[6, 6]));
    assert!(play(&mut position, "pass", &[]).is_empty(), "no stage and no dice of the third round");
    let ending = ending::of(&position).expect("the game is over");
    // One cell each: more armies rank higher, equal holdings share a place.
    let standing = vec![vec![Seat(1)], vec![Seat(0), Seat(2)]];
    assert_eq!(ending, Ending { reason: PlayedOut::RoundLimit, standing });
    let seen = view(&position);
    assert_eq!((&seen["phase"], &seen["round"]), (&json!("finished"), &json!(2)));
    for member in ["current", "turned", "pending", "dice"] {
        assert_eq!(seen[member], json!(null), "{member}");
    }
    assert_eq!(seen["attacks"], 0);
}

#[test]
fn dm13_cells_come_before_armies_and_those_who_left_are_not_named() {
    let mut position = table(3, NINE, &[("a3", 0, 9), ("c1", 1, 1), ("c2", 1, 1), ("a1", 2, 1)]);
    position.options.round_limit = Some(RoundLimit::try_from(1).expect("a limit"));
    position.current = Seat(1);
    position.phase = Phase::Deploy(Roll([6, 5]));
    leave(&mut position, 2, &[]);
    play(&mut position, "pass", &[]);
    let ending = ending::of(&position).expect("the game is over");
    assert_eq!(ending.standing, [[Seat(1)], [Seat(0)]]);
}
