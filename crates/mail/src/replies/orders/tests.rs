use super::plain::MAX_REPEATED_CHARS;
use super::*;
use pippost_games::letters::notation::LineReading;

/// Rules whose actions are `store`, `roll` and `d4 n` with a number `n`.
fn action(part: &str) -> LineReading {
    let lower = part.to_lowercase();
    match lower.as_str() {
        "store" | "roll" => LineReading::Action(lower),
        place if place.starts_with("d4 n") && place.len() == 5 => LineReading::Action(lower),
        broken if ["store ", "roll ", "d4"].iter().any(|start| broken.starts_with(start)) => {
            LineReading::Broken(Unreadable::goes_on(3))
        }
        _ => LineReading::Other,
    }
}

fn read(text: &str) -> Orders {
    let ours = OurMail::new("play.example.org", None);
    Orders::read(
        text,
        Writer { ours: &ours, name: Some("Ann Example"), address: Some("ann@example.org"), handle: "ann" },
        &action,
    )
}

fn actions(text: &str) -> Vec<String> {
    read(text).actions
}

#[test]
fn orders_stand_one_a_line_or_between_semicolons_with_or_without_empty_lines() {
    for text in [
        "store; d4 n2\nroll",
        "\n\nstore; d4 n2\nroll;\n\nThank you!\n",
        "store\n\nd4 n2\n\nroll\n\nBest regards\nAnn",
        "Hi,\n\nstore\nd4 n2\nroll\n\nThanks,\nAnn",
        "[EXTERNAL] This mail comes from outside.\n\nHi,\nstore\nd4 n2\nroll",
    ] {
        assert_eq!(actions(text), ["store", "d4 n2", "roll"], "{text}");
    }
}

#[test]
fn what_stands_around_an_order_is_no_part_of_it() {
    for text in [
        "*store*",
        "\u{201c}store\u{201d}",
        "\u{201e}store\u{201c}",
        "\"store\"",
        "`store`",
        "'Store'.",
        "- store",
        "\u{2022} store",
        "1. store",
        "1) store!",
        "_store_,",
        "\u{ab}store\u{bb}",
        "**store**",
        "\u{a0}store\u{200b}",
        "store \u{1f44d}\u{1f3fd}",
        "\u{2705} store",
        "store :-)",
        "store ;)",
        "(1) store",
        "=> store",
        "+ store",
        "\u{2192} store",
        "\u{300c}store\u{300d}",
        "(store)",
        "1.) store",
        "store\u{2026}",
        "store \u{23f3}",
        "store \u{203c}\u{fe0f}",
        "store \u{2665}\u{fe0f}",
        "store <3",
    ] {
        assert_eq!(actions(text), ["store"], "{text}");
    }
    assert!(read("\"help\"").help && read("?").help && read("Hilfe!").help);
}

#[test]
fn courtesies_are_told_of_and_stop_nothing() {
    let orders = read("Hi,\nstore\nplease be quick\nroll\n\nveel plezier");
    assert_eq!(orders.actions, ["store", "roll"]);
    assert_eq!(orders.left_out, ["Hi", "please be quick", "veel plezier"]);
    assert_eq!(orders.broken, None);
}

#[test]
fn what_begins_like_an_order_and_is_none_stops_those_below() {
    let orders = read("store\nd4 x9\nroll");
    assert_eq!(orders.actions, ["store"]);
    let broken = orders.broken.expect("a line that cannot be read");
    assert_eq!((broken.part.as_str(), broken.rest), ("d4 x9", vec!["roll".to_owned()]));
}

#[test]
fn an_order_below_other_paragraphs_is_not_done() {
    let orders = read("store\n\nI thought for long about this.\nIt was hard.\n\nroll");
    assert_eq!(
        (orders.actions, orders.left_out.last().map(String::as_str)),
        (vec!["store".to_owned()], Some("roll"))
    );
}

#[test]
fn commands_ask_and_do_not_hide_actions() {
    let orders = read("Status.\nVERLAUF; help!\nstore");
    assert!(orders.status && orders.history && orders.help);
    assert_eq!(orders.actions, ["store"]);
    assert_eq!(read("resign").resign, Some(Resignation { word: None }));
    assert_eq!(read("Aufgeben K4ZT2A").resign, Some(Resignation { word: Some("k4zt2a".to_owned()) }));
    assert_eq!(read("digest 8:00").preferences.len(), 1);
    assert!(read(" \n\n").is_empty() && read("Thanks!").is_empty());
}

#[test]
fn what_follows_a_mark_goes_to_the_table_but_for_signatures_and_quotes() {
    let said = |text: &str| read(text).message;
    let message = Written::message;
    assert_eq!(
        said("store\n---\nWell played!\n\nUntil soon\n-- \nann"),
        message("Well played!\n\nUntil soon")
    );
    for mark in ["\u{2014}", "\u{2013}\u{2013}", "\u{2014}-", "---"] {
        assert_eq!(said(&format!("store\n{mark}\nWell played!")), message("Well played!"), "{mark}");
    }
    assert_eq!(said("store\n---\nAnn Example\nAcme"), Written::Signature);
    assert_eq!(said("store\n-- \nAnn Example\nAcme"), Written::Nothing);
    let quote = "It is your turn in Six•Six against bob.\nhttps://play.example.org/games/1?token=secret";
    assert_eq!(
        said(&format!("store\n---\nWell played!\n\nSkickat kl. 13\n{quote}")),
        // The line could be the writer's own.
        Written::Message { text: "Well played!".to_owned(), cut: true }
    );
    assert_eq!(said(&format!("store\n---\n{quote}")), Written::Empty);
    assert_eq!(said("store\n---\n> Hello ann,\n> https://elsewhere"), Written::Empty);
}

#[test]
fn lines_below_a_rule_are_told_of_if_they_may_be_the_writers() {
    let orders = read("store\n________________________________\n\nWell played!");
    assert_eq!(
        (orders.actions, orders.left_out),
        (vec!["store".to_owned()], vec!["Well played!".to_owned()])
    );
    let quoted = read(
        "store\n________________________________\nFrom: pippost <x@example.org>\nSent: 21.11.2026\n\nHello ann,\n\nIt is your turn in Six•Six against bob.\nYou have 7 days.",
    );
    assert_eq!(quoted.left_out, Vec::<String>::new());
}

#[test]
fn only_a_line_that_begins_with_an_order_has_others_behind_semicolons() {
    for text in ["- bob says: \"gg; store; gg\"", "gg; turns off; gg", "Hi; store"] {
        let orders = read(text);
        assert!(orders.is_empty() && orders.left_out.len() == 1, "{orders:?}");
    }
    assert_eq!(actions("store; gg; roll"), ["store", "roll"]);
    assert!(read("status; turns off").status && read("status; turns off").preferences.len() == 1);
}

#[test]
fn closings_and_exclamations_are_no_orders() {
    let card = |part: &str| match part.to_lowercase().as_str() {
        "ah" | "as" | "take" => LineReading::Action(part.to_owned()),
        take if take.starts_with("take ") => LineReading::Distant(Unreadable::goes_on(4)),
        _ => LineReading::Other,
    };
    let ours = OurMail::new("play.example.org", None);
    let writer = Writer { ours: &ours, name: None, address: None, handle: "ann" };
    let actions = |text: &str| {
        let orders = Orders::read(text, writer, &card);
        (orders.actions, orders.broken.is_some())
    };
    for text in ["Ah!", "As,", "Take care,", "Ah!!"] {
        assert_eq!(actions(text), (Vec::new(), false), "{text}");
    }
    assert_eq!(actions("Ah"), (vec!["Ah".to_owned()], false));
    assert_eq!(actions("take\n\nTake care\nAnn"), (vec!["take".to_owned()], false));
    assert_eq!(actions("Take care,\ntake"), (vec!["take".to_owned()], false));
    assert_eq!(actions("take that\ntake"), (Vec::new(), true));
}

#[test]
fn what_a_mail_says_is_compared_without_its_quote() {
    let words = |text: &str| read(text).words;
    assert_eq!(words("Away until 5 May.\n> one"), words("away  until 17 May.\n> another"));
    assert_ne!(words("d4 n1"), words("d4 n2"));
    assert_ne!(words("Away"), words("Away\n---\nBye"));
}

#[test]
fn what_is_beyond_all_bounds_is_left_out_and_repeated_in_part() {
    let long = read(&"x".repeat(MAX_LINE_CHARS + 1));
    assert_eq!(long.left_out[0].chars().count(), MAX_REPEATED_CHARS + 1);
    assert_eq!(read(&"thanks\n".repeat(100)).left_out.len(), MAX_LEFT_OUT);
    assert!(!read(&"store;".repeat(MAX_PARTS - 1)).too_much);
    for beyond in ["store;".repeat(MAX_PARTS), "store\n".repeat(201)] {
        let beyond = read(&beyond);
        assert!(beyond.too_much && beyond.actions.is_empty(), "{beyond:?}");
    }
    let many = read(&"store;".repeat(MAX_ACTIONS + 2));
    assert_eq!(many.actions.len(), MAX_ACTIONS);
    assert_eq!(many.broken.expect("one too many").rest.len(), 1);
}
