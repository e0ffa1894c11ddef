//! One case for each ruling, and the notation. Pairs and runs are tested in `scoring.rs`, random games in `laws.rs`, whole
//! records in `tests/laws/vectors.rs`.

use serde_json::{Value, json};

use super::card_set::CardSet;
use super::hand::{Hand, Hidden};
use super::position::Stage;
use super::{Action, Position, Serpent};
use crate::rules::cards::Card;
use crate::rules::no_options::NoOptions;
use crate::rules::sentence::in_english;
use crate::rules::step::Trace;
use crate::rules::{Chance, Halt, NoChance, PlayedOut, Rules, Seat, Step, Viewer};

/// The cards named in a text.
pub fn cards(text: &str) -> Vec<Card> {
    text.split_whitespace().map(|name| name.parse().expect("a card")).collect()
}

fn set(text: &str) -> CardSet {
    cards(text).into_iter().collect()
}

/// Words that deal these cards: three for the defender, then nine for the director.
fn dealing(defender: &str, director: &str) -> impl FnMut() -> u32 + use<> {
    let mut deck: Vec<Card> = Card::deck().collect();
    let draw = |card: Card| {
        let index = deck.iter().position(|other| *other == card).expect("each card once");
        deck.remove(index);
        u32::try_from(index).expect("a deck is small")
    };
    let indexes: Vec<u32> = [cards(defender), cards(director)].concat().into_iter().map(draw).collect();
    assert_eq!(indexes.len(), 12);
    let mut indexes = indexes.into_iter();
    move || indexes.next().expect("a deal draws twelve cards")
}

const DEFENDER: &str = "2c 5h Ks";
const DIRECTOR: &str = "3c 4c 9c 7d Jd 6h Qh 8s Ts";

fn start() -> (Position, Trace) {
    let mut words = dealing(DEFENDER, DIRECTOR);
    let mut step = Step::new(Chance::Drawn(&mut words));
    let position = Serpent::start(&NoOptions {}, 2, &mut step).expect("chance is there");
    (position, step.finish())
}

pub fn try_play(position: &mut Position, text: &str, chance: Chance<'_>) -> Result<Trace, Halt> {
    let action = Serpent::read(position, text).expect("readable notation");
    let seat = Serpent::to_act(position).expect("a running game");
    let mut step = Step::new(chance);
    Serpent::act(position, seat, &action, &mut step)?;
    Ok(step.finish())
}

fn play(position: &mut Position, text: &str) -> Vec<Value> {
    try_play(position, text, Chance::Withheld).expect("a legal action").effects
}

pub fn refusal(position: &Position, text: &str) -> String {
    let mut copy = position.clone();
    let error = try_play(&mut copy, text, Chance::Withheld).expect_err("an illegal action");
    assert_eq!(&copy, position, "a refused action changes nothing");
    in_english::refusal(&error)
}

fn view(position: &Position, viewer: Viewer) -> Value {
    serde_json::to_value(Serpent::view(position, viewer)).expect("a view")
}

fn legal(position: &Position) -> Vec<String> {
    let action = |offer: Value| serde_json::from_value::<Action>(offer).expect("an action");
    let offers = serde_json::to_value(Serpent::legal(position)).expect("a list");
    offers.as_array().expect("a list").iter().map(|offer| Serpent::write(&action(offer.clone()))).collect()
}

fn names() -> [String; 2] {
    ["ann".to_owned(), "bob".to_owned()]
}

/// The hand of [`start`] with three cards given and three shown: seat 0 has 4c 9c Ts open and 7d Jd Qh hidden, seat 1 3c 6h 8s
/// open and 2c 5h Ks hidden.
fn ready() -> Position {
    let (mut position, _) = start();
    play(&mut position, "give 3c 6h 8s");
    play(&mut position, "show 4c 9c Ts");
    position
}

#[test]
fn the_deal_draws_three_for_the_defender_then_nine_for_the_director_and_keeps_its_seed_back() {
    let (position, trace) = start();
    let dealt = json!({"type": "dealt", "hand": 1, "director": 0, "counts": [9, 3]});
    assert_eq!(trace.effects, [dealt]);
    assert!(trace.drew && trace.hides && !trace.reveals);
    assert_eq!(position.hands[1].known_hidden(), Some(set(DEFENDER)));
    assert_eq!(position.hands[0].known_hidden(), Some(set(DIRECTOR)));
    assert_eq!(Serpent::to_act(&position), Some(Seat(0)));
}

#[test]
fn a_seat_sees_its_own_hidden_cards_and_nobody_elses() {
    let (position, _) = start();
    let own = json!({"face_up": [], "hidden": ["2c", "5h", "Ks"], "hidden_count": 3});
    let others = json!({"face_up": [], "hidden": null, "hidden_count": 9});
    let seen = view(&position, Viewer::Seat(Seat(1)));
    assert_eq!(
        seen,
        json!({"phase": "give", "hand": 1, "director": 0, "hands": [others, own], "table": [], "follow": null,
            "scores": [0, 0], "history": []})
    );
    let spectator = view(&position, Viewer::Spectator);
    assert_eq!(spectator["hands"], json!([others, {"face_up": [], "hidden": null, "hidden_count": 3}]));
}

#[test]
fn given_cards_lie_face_up_before_the_defender_and_shown_ones_before_the_director() {
    let (mut position, _) = start();
    assert_eq!(refusal(&position, "give 3c 4c 5h"), "5h is not among the director's hidden cards");
    assert_eq!(refusal(&position, "show 3c 4c 9c"), "first give three of your cards to the defender");
    assert_eq!(refusal(&position, "play 3c"), "first give three of your cards to the defender");
    assert_eq!(legal(&position).len(), 84);
    let given = json!({"type": "given", "cards": ["3c", "6h", "8s"]});
    assert_eq!(play(&mut position, "give 8s 3c 6h"), [given], "in canonical order");
    assert_eq!(refusal(&position, "show 3c 4c 9c"), "3c is not among the director's hidden cards");
    assert_eq!(refusal(&position, "give 4c 9c Ts"), "now show three of your cards");
    assert_eq!(legal(&position).len(), 20);
    assert_eq!(
        play(&mut position, "Ts 9c 4c"),
        [json!({"type": "shown", "cards": ["4c", "9c", "Ts"]})],
        "three cards without a word are what the stage asks for"
    );
    let seen = view(&position, Viewer::Seat(Seat(0)));
    assert_eq!(
        seen["hands"],
        json!([{"face_up": ["4c", "9c", "Ts"], "hidden": ["7d", "Jd", "Qh"], "hidden_count": 3},
            {"face_up": ["3c", "6h", "8s"], "hidden": null, "hidden_count": 3}])
    );
    assert_eq!(seen["phase"], "play");
    assert_eq!(refusal(&position, "show 7d Jd Qh"), "all cards are given and shown: play one");
}

#[test]
fn sp1_a_lead_is_free_and_a_reply_has_its_suit_or_its_rank() {
    let mut position = ready();
    assert_eq!(legal(&position), ["4c", "9c", "7d", "Jd", "Qh", "Ts"], "hidden cards may lead too");
    assert_eq!(refusal(&position, "2c"), "2c is not in this hand");
    let played = json!({"type": "played", "seat": 0, "position": 1, "card": "Qh"});
    assert_eq!(play(&mut position, "Qh"), [played]);
    assert_eq!(view(&position, Viewer::Spectator)["follow"], "Qh");
    assert_eq!(legal(&position), ["5h", "6h"], "hearts, face up or hidden");
    assert_eq!(refusal(&position, "Ks"), "Ks does not follow Qh in suit or rank, and 5h does");
    play(&mut position, "5h");
    // The defender leads to position 3.
    assert_eq!(view(&position, Viewer::Spectator)["follow"], Value::Null);
    assert_eq!(Serpent::to_act(&position), Some(Seat(1)));
    play(&mut position, "8s");
    assert_eq!(legal(&position), ["Ts"]);
}

#[test]
fn sp1_a_card_of_the_same_rank_follows_too() {
    let mut words = dealing("2c 5h Ks", "3c Kd 9c 7d Jd 6h Qh 8s Ts");
    let mut step = Step::new(Chance::Drawn(&mut words));
    let mut position = Serpent::start(&NoOptions {}, 2, &mut step).expect("chance is there");
    for text in ["give 3c 6h 8s", "show 9c Qh Ts", "Kd"] {
        play(&mut position, text);
    }
    assert_eq!(legal(&position), ["Ks"], "no diamonds, but another king");
}

#[test]
fn sp1_without_suit_or_rank_any_card_may_be_played() {
    let mut position = ready();
    play(&mut position, "Jd");
    assert_eq!(legal(&position), ["2c", "3c", "5h", "6h", "8s", "Ks"], "no diamond and no jack");
}

#[test]
fn positions_1_4_5_8_9_12_are_the_directors() {
    let mut position = ready();
    let mut order = Vec::new();
    for _ in 1..=11 {
        order.push(position.turn().0);
        let card = legal(&position)[0].clone();
        play(&mut position, &card);
    }
    order.push(position.turn().0);
    assert_eq!(order, [0, 1, 1, 0, 0, 1, 1, 0, 0, 1, 1, 0]);
}

/// Twelve cards that score nothing, in order of play.
const SCORELESS: &str = "7c Kd 2c 5h 9s 5d Ks 3d 5c 8c Jd 8h";

/// A position before the twelfth card of a hand without points.
fn before_the_twelfth_card(hand: u32, scores: [u32; 2]) -> Position {
    let mut table = cards(SCORELESS);
    let last = table.pop().expect("twelve cards");
    let director = super::position::director_of(hand);
    let hand_of = |seat: Seat| {
        let hidden = if seat == director { CardSet::from_iter([last]) } else { CardSet::default() };
        Hand { face_up: CardSet::default(), hidden: Hidden::Known(hidden) }
    };
    let hands = [hand_of(Seat(0)), hand_of(Seat(1))];
    let complete: [Card; 12] = cards(SCORELESS).try_into().expect("twelve cards");
    let history = vec![complete; hand as usize - 1];
    Position { hand, stage: Stage::Play, hands, table, history, scores, over: false }
}

fn play_the_twelfth_card(position: &mut Position) -> Trace {
    let mut words = dealing(DEFENDER, DIRECTOR);
    try_play(position, "8h", Chance::Drawn(&mut words)).expect("a legal action")
}

#[test]
fn the_twelfth_card_scores_publishes_the_seed_of_the_deal_and_deals_the_next_hand() {
    let mut position = before_the_twelfth_card(1, [0, 0]);
    assert_eq!(view(&position, Viewer::Seat(Seat(1)))["hands"][0]["hidden"], Value::Null);
    let trace = play_the_twelfth_card(&mut position);
    assert_eq!(
        trace.effects,
        [
            json!({"type": "played", "seat": 0, "position": 12, "card": "8h"}),
            json!({"type": "scored", "hand": 1, "director": 0, "pairs": [], "runs": [], "points": 0}),
            json!({"type": "dealt", "hand": 2, "director": 1, "counts": [3, 9]})
        ]
    );
    assert!(trace.reveals && trace.drew && trace.hides);
    assert_eq!((position.hand, position.stage, Serpent::to_act(&position)), (2, Stage::Give, Some(Seat(1))));
    let seen = view(&position, Viewer::Spectator);
    assert_eq!((&seen["table"], &seen["director"]), (&json!([]), &json!(1)));
    assert_eq!(
        seen["history"],
        json!([{"hand": 1, "director": 0, "table": SCORELESS.split(' ').collect::<Vec<_>>(),
            "pairs": [], "runs": [], "points": 0}])
    );
}

#[test]
fn a_preview_of_the_twelfth_card_stops_before_the_deal_with_the_hand_scored() {
    let mut position = before_the_twelfth_card(1, [0, 0]);
    let action = Serpent::read(&position, "8h").expect("readable");
    let mut step = Step::new(Chance::Withheld);
    let halt = Serpent::act(&mut position, Seat(0), &action, &mut step).expect_err("the deal is withheld");
    assert_eq!(halt, Halt::NoChance(NoChance));
    assert_eq!(step.finish().effects.len(), 2);
    let seen = view(&position, Viewer::Spectator);
    assert_eq!((&seen["hand"], seen["table"].as_array().map(Vec::len)), (&json!(1), Some(12)));
    assert_eq!(seen["history"].as_array().map(Vec::len), Some(1));
    assert!(legal(&position).is_empty());
    assert_eq!(refusal(&position, "8h"), "it is not this seat's turn");
}

#[test]
fn sp4_only_the_director_scores() {
    let mut position = before_the_twelfth_card(2, [3, 1]);
    // Kh beside Ks is a pair.
    position.table[9] = cards("Kh")[0];
    let trace = play_the_twelfth_card(&mut position);
    assert_eq!(
        trace.effects[1],
        json!({"type": "scored", "hand": 2, "director": 1, "pairs": [[7, 10]], "runs": [], "points": 2})
    );
    assert_eq!(Serpent::scores(&position), Some(vec![3, 3]));
}

#[test]
fn sp5_a_match_ends_after_eight_hands_with_different_scores() {
    for (scores, standing) in [([5, 6], [1, 0]), ([7, 0], [0, 1])] {
        let mut position = before_the_twelfth_card(8, scores);
        let trace = play_the_twelfth_card(&mut position);
        assert_eq!(trace.effects.len(), 2, "nothing is dealt: {:?}", trace.effects);
        assert!(trace.reveals && !trace.drew && !trace.hides);
        let ending = Serpent::ending(&position).expect("the match is over");
        assert_eq!(ending.reason, PlayedOut::Play);
        assert_eq!(ending.standing, standing.map(|seat| vec![Seat(seat)]));
        assert_eq!(Serpent::to_act(&position), None);
        assert!(legal(&position).is_empty());
        let seen = view(&position, Viewer::Spectator);
        assert_eq!(
            (&seen["phase"], &seen["hand"], &seen["director"]),
            (&json!("finished"), &json!(8), &json!(1))
        );
        assert_eq!(seen["table"].as_array().map(Vec::len), Some(12), "the last table stays");
        assert_eq!(seen["history"].as_array().map(Vec::len), Some(8));
    }
}

#[test]
fn sp5_equal_scores_are_followed_by_two_more_hands_again_and_again() {
    for (hand, scores, over) in [
        (7, [40, 0], false),
        (8, [5, 5], false),
        (9, [9, 5], false),
        (10, [9, 9], false),
        (10, [9, 10], true),
        (11, [3, 1], false),
        (12, [3, 1], true),
    ] {
        let mut position = before_the_twelfth_card(hand, scores);
        let trace = play_the_twelfth_card(&mut position);
        assert_eq!(Serpent::ending(&position).is_some(), over, "hand {hand}, {scores:?}");
        assert_eq!(trace.effects.len(), if over { 2 } else { 3 });
        assert_eq!(position.hand, if over { hand } else { hand + 1 });
    }
}

#[test]
fn a_finished_game_shows_both_hands_as_they_were_left() {
    let mut position = ready();
    play(&mut position, "Qh");
    Serpent::close(&mut position);
    let seen = view(&position, Viewer::Spectator);
    assert_eq!(
        seen["hands"],
        json!([{"face_up": ["4c", "9c", "Ts"], "hidden": ["7d", "Jd"], "hidden_count": 2},
            {"face_up": ["3c", "6h", "8s"], "hidden": ["2c", "5h", "Ks"], "hidden_count": 3}])
    );
    assert_eq!((&seen["phase"], &seen["table"]), (&json!("finished"), &json!(["Qh"])));
    assert_eq!(seen["follow"], Value::Null, "nobody is to follow any more");
    assert_eq!(Serpent::ending(&position), None);
}

#[test]
fn hidden_is_null_for_others_even_when_no_hidden_card_is_left() {
    let mut position = before_the_twelfth_card(1, [0, 0]);
    position.hands[0].face_up = position.hands[0].known();
    position.hands[0].hidden = Hidden::Known(CardSet::default());
    let hidden = |viewer| view(&position, viewer)["hands"][0]["hidden"].clone();
    assert_eq!(hidden(Viewer::Seat(Seat(0))), json!([]));
    assert_eq!(hidden(Viewer::Seat(Seat(1))), Value::Null);
    assert_eq!(hidden(Viewer::Spectator), Value::Null);
}

#[test]
fn schemas_say_what_is_read_and_three_cards_are_written_in_canonical_order() {
    let actions = jsonschema::validator_for(&Serpent::action_schema()).expect("a schema");
    for (action, written) in [
        (json!({"type": "give", "cards": ["Kd", "5h", "6c"]}), Some(json!(["6c", "Kd", "5h"]))),
        (json!({"type": "show", "cards": ["Ac", "Th", "2s"]}), Some(json!(["Ac", "Th", "2s"]))),
        (json!({"type": "play", "card": "5h"}), Some(Value::Null)),
        (json!({"type": "give", "cards": ["Kd", "5h"]}), None),
        (json!({"type": "give", "cards": ["Kd", "5h", "5h"]}), None),
        (json!({"type": "give", "cards": ["Kd", "5h", "6c", "7c"]}), None),
        (json!({"type": "give", "card": "5h"}), None),
        (json!({"type": "give", "cards": ["Kd", "5h", "6c"], "seat": 0}), None),
        (json!({"type": "play", "card": "5H"}), None),
        (json!({"type": "play", "card": "1h"}), None),
        (json!({"type": "play", "card": "10h"}), None),
        (json!({"type": "play", "cards": ["5h"]}), None),
        (json!({"type": "pass"}), None),
    ] {
        let read = serde_json::from_value::<Action>(action.clone()).ok();
        assert_eq!(actions.is_valid(&action), written.is_some(), "{action}");
        let read = read.map(|read| serde_json::to_value(read).expect("an action")["cards"].clone());
        assert_eq!(read, written, "{action}");
    }
    let options = jsonschema::validator_for(&Serpent::options_schema()).expect("a schema");
    assert!(options.is_valid(&json!({})) && !options.is_valid(&json!({"hands": 8})));
}

#[test]
fn notation_is_read_in_any_case_spacing_and_order_and_written_as_the_page_says() {
    let (position, _) = start();
    for (text, written) in [
        ("give 5h 6c Kd", "give 6c Kd 5h"),
        ("GIVE5H,6C,KD", "give 6c Kd 5h"),
        ("kd 10h as", "give Kd Th As"),
        ("show kd 10h as", "show Kd Th As"),
        ("5H", "5h"),
        (" play t s ", "Ts"),
        ("10\u{2665}", "Th"),
    ] {
        let action = Serpent::read(&position, text).expect(text);
        assert_eq!(Serpent::write(&action), written);
    }
}

#[test]
fn unreadable_notation_names_the_place() {
    let (position, _) = start();
    for (text, place) in [
        ("", 0),
        ("5x", 0),
        ("fly", 0),
        ("give", 4),
        ("give 5h 6c", 10),
        ("give 5h 6c 5h", 11),
        ("give 5h 6c Kd 7d", 14),
        ("5h 6c", 5),
        ("5h 6c Kx", 6),
        ("play 5h 6c", 8),
    ] {
        let error = Serpent::read(&position, text).expect_err(text);
        assert_eq!(error.at, Some(place), "{text}: {error}");
    }
    assert!(Serpent::read(&position, &"\u{2665}".repeat(1000)).is_err());
}

#[test]
fn the_table_as_text_shows_rows_hands_and_the_lead() {
    let mut position = ready();
    for text in ["Qh", "5h", "8s"] {
        play(&mut position, text);
    }
    let text = Serpent::board_text(
        &Serpent::view(&position, Viewer::Seat(Seat(0))),
        &in_english::captions(&names()),
    );
    let expected = "\
Hand 1. Director: ann.

             2   3   6   7  10  11
defender    5h  8s  --  --  --  --
director    Qh  --  --  --  --  --
             1   4   5   8   9  12

To follow: 8s, the eight of spades.

ann, director, 0 points
  face up: 4c 9c Ts
  hidden:  7d Jd
bob, defender, 0 points
  face up: 3c 6h
  hidden:  2
";
    assert_eq!(text, expected);
    let (position, _) = start();
    let long = ["m".repeat(100), "w".repeat(100)];
    let text =
        Serpent::board_text(&Serpent::view(&position, Viewer::Seat(Seat(0))), &in_english::captions(&long));
    assert!(text.is_ascii() && text.lines().all(|line| line.len() <= 78), "{text}");
}

#[test]
fn what_happened_is_told_in_sentences() {
    let tell = |seat: u8, effect: Value| {
        let effect = serde_json::from_value(effect).expect("an effect");
        in_english::told(&Serpent::tell(Some(Seat(seat)), None, &[effect]), &names())
    };
    assert_eq!(
        tell(1, json!({"type": "given", "cards": ["6c", "Kd", "5h"]})),
        ["bob gave ann the six of clubs, the king of diamonds and the five of hearts, face up."]
    );
    assert_eq!(
        tell(0, json!({"type": "shown", "cards": ["6c", "Kd", "5h"]})),
        ["ann turned up the six of clubs, the king of diamonds and the five of hearts."]
    );
    assert_eq!(
        tell(1, json!({"type": "played", "seat": 1, "position": 2, "card": "Ts"})),
        ["bob played the ten of spades at position 2."]
    );
    let scored = |pairs: Value, runs: Value, points: u32| {
        tell(
            0,
            json!({"type": "scored", "hand": 3, "director": 0, "pairs": pairs, "runs": runs, "points": points}),
        )
    };
    assert_eq!(scored(json!([]), json!([]), 0), ["Hand 3 is complete and brought ann no points."]);
    assert_eq!(
        scored(json!([[1, 2], [2, 3]]), json!([[4, 5, 6], [7, 8, 9, 10]]), 11),
        ["Hand 3 is complete and brought ann 11 points with 2 pairs and runs of 3 and 4."]
    );
    assert_eq!(
        tell(0, json!({"type": "dealt", "hand": 2, "director": 1, "counts": [3, 9]})),
        ["Hand 2 is dealt; bob directs it."]
    );
}
