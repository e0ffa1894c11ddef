//! The statement of a move on a distributed database.

use pippost::store::citus::FUNCTIONS;
use pippost::store::commit::{DELEGATED, VALUES};

#[test]
fn the_parameters_are_bare_so_that_the_call_is_delegated() {
    let bare =
        DELEGATED.split(['{', '}']).enumerate().map(|(part, text)| if part % 2 == 0 { text } else { "" });
    let commas = ", ".repeat(25);
    assert_eq!(bare.collect::<String>(), format!("select append_move({commas})"), "26 parameters");
}

#[test]
fn the_call_gives_the_parameters_of_the_function_in_its_order_and_types() {
    let (_, function) = FUNCTIONS.split_once("function append_move(").expect("the function");
    let (parameters, _) = function.split_once(") returns").expect("its end");
    let taken = parameters.split(',').map(|parameter| {
        let (name, sql_type) = parameter.trim().split_once(' ').expect("a name and a type");
        let name = name.strip_prefix("new_").unwrap_or(name);
        match (name, sql_type.strip_suffix("[]")) {
            ("of_game", _) => "game_id".to_owned(),
            (name, Some(_)) => format!("{}[]", name.strip_suffix('s').expect("a plural")),
            (name, None) => name.to_owned(),
        }
    });
    let given = DELEGATED.split(['{', '}']).skip(1).step_by(2);
    assert_eq!(given.collect::<Vec<_>>(), taken.collect::<Vec<_>>());
    for (name, sql_type) in VALUES.iter().filter(|(name, _)| *name != "game_id") {
        let declared = [format!(" {name} {sql_type}"), format!(" new_{name} {sql_type}")];
        assert!(declared.iter().any(|declared| parameters.contains(declared)), "{name} is no {sql_type}");
    }
}
