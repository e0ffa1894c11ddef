//! What a player may order.

use pippost::games::standing_orders::orders::{MAX_BRANCHES, MAX_LEVELS, MAX_LISTED};
use pippost::games::standing_orders::{Branch, StandingOrders};
use pippost::rules;

fn branch(then: &[&str], next: Vec<Branch>) -> Branch {
    let then = then.iter().map(|text| (*text).to_owned()).collect();
    Branch { condition: None, then, next }
}

fn why(orders: &StandingOrders) -> Option<String> {
    let rules = rules::all().find(|rules| rules.is_advance_answer("occupy all")).expect("a rule set");
    orders.check(rules).err().map(|error| error.to_string())
}

#[test]
fn orders_are_bounded_and_say_something() {
    let with = |branches| StandingOrders { branches, ..StandingOrders::default() };
    assert_eq!(why(&with(vec![branch(&["pass"], vec![])])), None);
    assert!(why(&StandingOrders::default()).is_some_and(|why| why.contains("nothing is ordered")));
    let deep = (0..MAX_LEVELS).fold(vec![], |next, _| vec![branch(&["pass"], next)]);
    assert_eq!(why(&with(deep.clone())), None);
    assert!(why(&with(vec![branch(&["pass"], deep)])).is_some_and(|why| why.contains("levels")));
    let wide = vec![branch(&["pass"], vec![]); MAX_BRANCHES];
    assert_eq!(why(&with(wide.clone())), None);
    assert!(why(&with(vec![branch(&["pass"], wide)])).is_some_and(|why| why.contains("in all")));
    for then in [&["pass; pass"][..], &[""], &["pass"; MAX_LISTED + 1]] {
        assert!(why(&with(vec![branch(then, vec![])])).is_some(), "{then:?}");
    }
    let nowhere = branch(&[], vec![branch(&["pass"], vec![])]);
    assert!(why(&with(vec![nowhere])).is_some_and(|why| why.contains("without a move")));
}

#[test]
fn answers_are_those_of_the_rule_set() {
    let with =
        |answer: &str| StandingOrders { answers: vec![answer.to_owned()], ..StandingOrders::default() };
    for answer in ["occupy all", "Occupy  NONE", "occupy keep 2"] {
        assert_eq!(why(&with(answer)), None, "{answer}");
    }
    for answer in ["", "occupy", "occupy 2", "occupy keep 99", "occupy keep -1", "attack all"] {
        assert!(why(&with(answer)).is_some(), "{answer}");
    }
}

#[test]
fn a_branch_fits_the_same_actions_however_they_are_spaced() {
    let seen = ["occupy 2".to_owned()];
    let with = |condition: Option<&[&str]>| Branch {
        condition: condition.map(|texts| texts.iter().map(|text| (*text).to_owned()).collect()),
        then: vec![],
        next: vec![],
    };
    assert!(with(None).fits(&seen));
    assert!(with(Some(&[" Occupy  2"])).fits(&seen));
    assert!(!with(Some(&["occupy 1"])).fits(&seen));
    let longer = with(Some(&["occupy 2", "pass"]));
    assert!(!longer.fits(&seen) && longer.may_fit(&seen));
    assert!(!with(Some(&["occupy 1", "pass"])).may_fit(&seen));
}
