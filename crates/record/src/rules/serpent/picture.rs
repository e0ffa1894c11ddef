//! The table as a picture: the winding path of twelve cards between the hands of the two players.

use super::effect::Effect;
use super::layout::{CELLS, DEFENDER_ROW, DIRECTOR_ROW, EDGES, seat_at};
use super::position::SHORTEST_MATCH;
use super::view::{CompleteHand, HandView, Phase, View};
use crate::rules::cards::Card;
use crate::rules::picture::card::{back, face, place};
use crate::rules::picture::token::token;
use crate::rules::picture::{Area, Picture, Point, Role, WIDTH, at, edge, fill, fit, text};
use crate::rules::{Captions, Seat, Sentence, Viewer};

const HEADER_HEIGHT: f32 = 26.0;
/// The height of a player's name, above the cards.
const NAME_HEIGHT: f32 = 24.0;
/// The cards of a hand of six, which a finger finds on a phone, and of the director's first nine, which fit side by side.
const LARGE: Held = Held { width: 46.0, height: 62.0, step: 50.0 };
const SMALL: Held = Held { width: 31.0, height: 42.0, step: 34.0 };
const MAX_LARGE: u8 = 6;
const HELD_LEFT: f32 = 9.0;
const CAPTION_HEIGHT: f32 = 15.0;
const HAND_HEIGHT: f32 = NAME_HEIGHT + LARGE.height + CAPTION_HEIGHT;
/// The top of the cards on the table.
const TABLE_TOP: f32 = HEADER_HEIGHT + HAND_HEIGHT + 6.0;
const PLAYED: (f32, f32) = (42.0, 58.0);
const PLAYED_STEP: (f32, f32) = (50.0, 66.0);
const TABLE_LEFT: f32 = (WIDTH - 6.0 * PLAYED_STEP.0) / 2.0;
const LOWER_HAND: f32 = TABLE_TOP + 2.0 * PLAYED_STEP.1 + 6.0;
const HEIGHT: f32 = LOWER_HAND + HAND_HEIGHT + 4.0;
/// The height of a complete hand's smaller table.
const SUMMARY_HEIGHT: f32 = 104.0;
const SUMMARY_SCALE: f32 = 0.6;
/// The thickness of the bars of pairs and of runs.
const THICK: f32 = 9.0;
const THIN: f32 = 3.5;

/// The table with the defender's hand above and the director's below, or the viewer's below, each beside the row it plays. When a hand has just been
/// scored, also its table, with the pairs and runs marked.
pub fn draw(view: &View, captions: &Captions<'_>, last: &[Effect]) -> Picture {
    let shown = view.history.last().filter(|hand| hand.table == view.table);
    let summary = view.history.last().filter(|_| shown.is_none() && has_scored(last));
    let height = HEIGHT + if summary.is_some() { SUMMARY_HEIGHT } else { 0.0 };
    let mut picture = Picture::new(title(view, captions), describe(view, captions), height);
    header(&mut picture, view, captions);
    for (seat, top) in rows(view, captions.viewer()) {
        player(&mut picture, view, seat, captions, top);
    }
    let turned = is_turned(view, captions.viewer());
    let table = Table { left: TABLE_LEFT, top: TABLE_TOP, scale: 1.0, turned };
    table.draw(&mut picture, &view.table, next_position(view));
    if let Some(hand) = shown {
        table.groups(&mut picture, hand);
    }
    if let Some(position) = last.iter().rev().find_map(played).filter(|_| summary.is_none()) {
        picture.rect(table.area(position).inset(-2.0), 5.0, edge(Role::Highlight, 3.5));
    }
    if let Some(hand) = summary {
        summarise(&mut picture, hand, captions);
    }
    picture
}

fn has_scored(last: &[Effect]) -> bool {
    last.iter().any(|effect| matches!(effect, Effect::Scored { .. }))
}

fn played(effect: &Effect) -> Option<u8> {
    if let Effect::Played { position, .. } = effect { Some(*position) } else { None }
}

/// The position to be filled next, 1 to 12.
fn next_position(view: &View) -> Option<u8> {
    let next = u8::try_from(view.table.len()).ok()? + 1;
    (view.phase == Phase::Play && usize::from(next) <= CELLS).then_some(next)
}

/// The seat to act.
fn turn(view: &View) -> Option<Seat> {
    match view.phase {
        Phase::Give | Phase::Show => Some(view.director),
        Phase::Play => next_position(view).map(|position| seat_at(position, view.director)),
        Phase::Finished => None,
    }
}

/// The number of the hand, and what to do.
fn header(picture: &mut Picture, view: &View, captions: &Captions<'_>) {
    let tie = if view.hand > SHORTEST_MATCH { "yes" } else { "no" };
    let hand = Sentence::new("serpent-label-hand").text("tie", tie).number("hand", view.hand);
    let hand = captions.say(hand.number("most", SHORTEST_MATCH));
    picture.text(at(10.0, 18.0), text(14.0).bold(), hand);
    picture.text(at(WIDTH - 10.0, 18.0), text(13.0).end(), asked(view, captions));
}

fn asked(view: &View, captions: &Captions<'_>) -> String {
    captions.say(match (view.phase, view.follow) {
        (Phase::Give, _) => "serpent-ask-give".into(),
        (Phase::Show, _) => "serpent-ask-show".into(),
        (Phase::Play, Some(lead)) => Sentence::new("serpent-ask-follow").card("card", lead),
        (Phase::Play, None) => "serpent-ask-lead".into(),
        (Phase::Finished, _) => "serpent-ask-nothing".into(),
    })
}

/// A seat's role in this hand, in a word.
fn role_of(view: &View, seat: Seat, captions: &Captions<'_>) -> String {
    captions.say(super::role(if seat == view.director { "director" } else { "defender" }))
}

/// A player's token, name, role and points, and the cards.
fn player(picture: &mut Picture, view: &View, seat: Seat, captions: &Captions<'_>, top: f32) {
    let middle = top + NAME_HEIGHT / 2.0;
    let role = role_of(view, seat, captions);
    if turn(view) == Some(seat) {
        let tip = at(10.0, middle);
        picture.polygon([tip.moved(-6.0, -5.0), tip, tip.moved(-6.0, 5.0)], fill(Role::Ink));
    }
    token(picture, seat, at(21.0, middle), 7.0, "");
    let style = text(14.0).bold();
    picture.label(at(34.0, middle), style, fit(&captions.name(seat), style.size, 150.0));
    let points = captions.count("rules-points", view.scores[seat.index()]);
    picture.label(at(WIDTH - 10.0, middle), text(13.0).end(), format!("{role}, {points}"));
    cards(picture, &view.hands[seat.index()], captions, top + NAME_HEIGHT);
}

/// Draws the cards that lie face up, then the hidden ones: their faces if the viewer may see them, else their backs.
fn cards(picture: &mut Picture, hand: &HandView, captions: &Captions<'_>, top: f32) {
    let (caption, held) = (text(11.0).role(Role::Muted), Held::of(hand));
    let below = top + held.height + 12.0;
    if !hand.face_up.is_empty() {
        picture.text(at(HELD_LEFT, below), caption, captions.say("serpent-label-face-up"));
        for (card, area) in hand.face_up.iter().zip(held.places(HELD_LEFT, top)) {
            face(picture, area, card);
        }
    }
    let left = held.left_of_hidden(hand);
    if hand.hidden_count == 0 {
        if hand.face_up.is_empty() {
            picture.text(at(left, top + held.height / 2.0), caption, captions.say("serpent-label-no-cards"));
        }
        return;
    }
    let seen = if hand.hidden.is_some() { "serpent-label-hidden-from-other" } else { "serpent-label-hidden" };
    picture.text(at(left, below), caption, captions.say(seen));
    let known = hand.hidden.into_iter().flat_map(|hidden| hidden.iter().collect::<Vec<_>>());
    let cards = known.map(Some).chain(std::iter::repeat(None)).take(hand.hidden_count.into());
    for (card, area) in cards.zip(held.places(left, top)) {
        match card {
            Some(card) => {
                face(picture, area, card);
                picture.rect(area.inset(1.5), 3.0, edge(Role::CardBack, 3.0));
            }
            None => back(picture, area),
        }
    }
}

/// The size of the cards in a hand, and how far they lie apart.
struct Held {
    width: f32,
    height: f32,
    step: f32,
}

impl Held {
    fn of(hand: &HandView) -> Self {
        if hand.face_up.len() + hand.hidden_count > MAX_LARGE { SMALL } else { LARGE }
    }

    /// Places for cards, from the left.
    fn places(&self, left: f32, top: f32) -> impl Iterator<Item = Area> {
        (0_u8..)
            .map(move |index| Area::new(left + f32::from(index) * self.step, top, self.width, self.height))
    }

    /// Where the hidden cards begin.
    fn left_of_hidden(&self, hand: &HandView) -> f32 {
        if hand.face_up.is_empty() {
            return HELD_LEFT;
        }
        HELD_LEFT + f32::from(hand.face_up.len().max(2)) * self.step + 12.0
    }
}

/// The cards in the hands whose faces the viewer sees, with their areas.
pub fn seen_cards(view: &View, viewer: Viewer) -> Vec<(Card, Area)> {
    let mut seen = Vec::new();
    for (seat, top) in rows(view, viewer) {
        let (hand, top) = (&view.hands[seat.index()], top + NAME_HEIGHT);
        let held = Held::of(hand);
        seen.extend(hand.face_up.iter().zip(held.places(HELD_LEFT, top)));
        let hidden = hand.hidden.unwrap_or_default();
        seen.extend(hidden.iter().zip(held.places(held.left_of_hidden(hand), top)));
    }
    seen
}

/// Whether the table is turned: the defender looks at it.
fn is_turned(view: &View, viewer: Viewer) -> bool {
    viewer.is(view.director.other())
}

/// The seats with the tops of their hands: the defender's above and the director's below, unless the table is turned.
fn rows(view: &View, viewer: Viewer) -> [(Seat, f32); 2] {
    let (director, defender) = (view.director, view.director.other());
    let [upper, lower] = if is_turned(view, viewer) { [director, defender] } else { [defender, director] };
    [(upper, HEADER_HEIGHT), (lower, LOWER_HAND)]
}

/// The layout of the twelve positions.
#[derive(Clone, Copy)]
struct Table {
    left: f32,
    top: f32,
    scale: f32,
    /// Whether the director's row is the upper one.
    turned: bool,
}

impl Table {
    /// The area of a position, 1 to 12.
    fn area(self, position: u8) -> Area {
        let column =
            |row: [u8; 6]| (0..6_u8).zip(row).find(|(_, at)| *at == position).map(|(column, _)| column);
        let (is_lower, column) = match column(DEFENDER_ROW) {
            Some(column) => (self.turned, column),
            None => (!self.turned, column(DIRECTOR_ROW).unwrap_or(0)),
        };
        let row = f32::from(u8::from(is_lower));
        let (right, down) = (PLAYED_STEP.0 * self.scale, PLAYED_STEP.1 * self.scale);
        let (width, height) = (PLAYED.0 * self.scale, PLAYED.1 * self.scale);
        let x = self.left + f32::from(column) * right + (right - width) / 2.0;
        Area::new(x, self.top + row * down + (down - height) / 2.0, width, height)
    }

    fn centre(self, position: u8) -> Point {
        self.area(position).centre()
    }

    /// Draws the path, the cards on it, and the numbers of the free places.
    fn draw(self, picture: &mut Picture, cards: &[Card], next: Option<u8>) {
        let path: Vec<_> = (1..).take(CELLS).map(|position| self.centre(position)).collect();
        picture.line(path, Role::Faint, 12.0 * self.scale);
        let mut cards = cards.iter();
        for position in (1..).take(CELLS) {
            let area = self.area(position);
            if let Some(card) = cards.next() {
                face(picture, area, *card);
                continue;
            }
            picture.rect(area, 4.0, fill(Role::Panel));
            let role = if next == Some(position) { Role::Ink } else { Role::Muted };
            if next == Some(position) {
                picture.rect(area.inset(0.75), 4.0, edge(Role::Ink, 1.5));
            } else {
                place(picture, area);
            }
            let style = text(14.0 * self.scale).middle().role(role);
            picture.label(
                area.centre(),
                if next == Some(position) { style.bold() } else { style },
                position.to_string(),
            );
        }
    }

    /// Draws a thick bar between the cards of each pair, a thin one between neighbours in a run.
    fn groups(self, picture: &mut Picture, hand: &CompleteHand) {
        let within_run = |edge: &&[u8; 2]| hand.runs.iter().any(|run| edge.iter().all(|at| run.contains(at)));
        for edge in EDGES.iter().filter(within_run) {
            self.bar(picture, *edge, THIN * self.scale);
        }
        for edge in &hand.pairs {
            self.bar(picture, *edge, THICK * self.scale);
        }
    }

    /// A bar over the gap between two positions.
    fn bar(self, picture: &mut Picture, [one, other]: [u8; 2], width: f32) {
        let (from, to) = (self.centre(one), self.centre(other));
        let along = |part: f32| at(from.x + (to.x - from.x) * part, from.y + (to.y - from.y) * part);
        picture.line([along(0.36), along(0.64)], Role::Highlight, width);
    }
}

/// Draws the table of a complete hand and its points.
fn summarise(picture: &mut Picture, hand: &CompleteHand, captions: &Captions<'_>) {
    picture.line([at(10.0, HEIGHT), at(WIDTH - 10.0, HEIGHT)], Role::Faint, 1.0);
    let turned = captions.viewer().is(hand.director.other());
    let table = Table { left: 8.0, top: HEIGHT + 14.0, scale: SUMMARY_SCALE, turned };
    table.draw(picture, &hand.table, None);
    table.groups(picture, hand);
    let left = 8.0 + 6.0 * PLAYED_STEP.0 * SUMMARY_SCALE + 12.0;
    let director = fit(&captions.name(hand.director), 13.0, WIDTH - 10.0 - left);
    picture.text(
        at(left, HEIGHT + 26.0),
        text(12.0).role(Role::Muted),
        captions.say(Sentence::new("serpent-label-that-hand").number("hand", hand.hand)),
    );
    picture.text(at(left, HEIGHT + 43.0), text(13.0), director);
    let points = captions.count("rules-points", hand.points);
    picture.text(at(left, HEIGHT + 61.0), text(14.0).bold(), points);
    let mut line = HEIGHT + 76.0;
    for (width, number, key) in
        [(THICK, hand.pairs.len(), "serpent-label-pairs"), (THIN, hand.runs.len(), "serpent-label-runs")]
    {
        let number = i64::try_from(number).unwrap_or(i64::MAX);
        picture.line([at(left + 3.0, line), at(left + 11.0, line)], Role::Highlight, width * SUMMARY_SCALE);
        picture.label(at(left + 20.0, line), text(12.0), captions.count(key, number));
        line += 16.0;
    }
}

fn title(view: &View, captions: &Captions<'_>) -> String {
    let [one, other] =
        [Seat(0), Seat(1)].map(|seat| format!("{} {}", captions.name(seat), view.scores[seat.index()]));
    let title = Sentence::new("serpent-title").number("hand", view.hand);
    captions.say(title.text("players", format!("{one}, {other}")))
}

fn describe(view: &View, captions: &Captions<'_>) -> String {
    let list = |cards: Vec<Card>| {
        if cards.is_empty() {
            return captions.say("rules-none");
        }
        let cards = cards.into_iter().map(|card| captions.say(Sentence::of_card(card)));
        cards.collect::<Vec<_>>().join(", ")
    };
    let mut sentences = vec![format!("{}.", asked(view, captions))];
    let table = Sentence::new("serpent-table").text("cards", list(view.table.clone()));
    sentences.push(captions.say(table));
    for seat in [view.director.other(), view.director] {
        let hand = &view.hands[seat.index()];
        let hidden = match hand.hidden {
            Some(hidden) => list(hidden.iter().collect()),
            None => captions.count("rules-cards", hand.hidden_count),
        };
        let holds = Sentence::new("serpent-holds")
            .text("name", captions.name(seat))
            .text("role", role_of(view, seat, captions))
            .phrase("points", Sentence::of_count("rules-points", view.scores[seat.index()]));
        let holds = holds.text("shown", list(hand.face_up.iter().collect())).text("hidden", hidden);
        sentences.push(captions.say(holds));
    }
    if let Some(hand) = view.history.last() {
        let earlier = Sentence::new("serpent-earlier").number("hand", hand.hand);
        let earlier = earlier.phrase("points", Sentence::of_count("rules-points", hand.points));
        sentences.push(captions.say(earlier.text("name", captions.name(hand.director))));
    }
    sentences.join(" ")
}

#[cfg(test)]
mod tests {
    use serde_json::{Value, json};

    use super::*;
    use crate::rules::picture::{Paint, Shape};
    use crate::rules::sentence::in_english;

    fn names() -> [String; 2] {
        ["ann".to_owned(), "bob".to_owned()]
    }

    /// Bob directs and has led the seven of spades; ann has hidden cards that the viewer sees or not.
    fn example(hidden: Value) -> Value {
        json!({"phase": "play", "hand": 2, "director": 1, "table": ["7s"], "follow": "7s", "scores": [0, 3],
            "hands": [{"face_up": ["8c", "5h", "Td"], "hidden": hidden, "hidden_count": 3},
                {"face_up": ["2c", "9s"], "hidden": null, "hidden_count": 3}],
            "history": []})
    }

    fn drawn(view: Value, last: Value) -> Picture {
        let view = serde_json::from_value(view).expect("a view");
        draw(
            &view,
            &in_english::captions(&names()),
            &serde_json::from_value::<Vec<Effect>>(last).expect("effects"),
        )
    }

    fn texts(picture: &Picture) -> Vec<&str> {
        let mut texts = Vec::new();
        for shape in &picture.shapes {
            if let Shape::Text { text, .. } = shape {
                texts.push(text.as_str());
            }
        }
        texts
    }

    fn filled(picture: &Picture, role: Role) -> usize {
        let has = |shape: &&Shape| matches!(shape, Shape::Rect { paint: Paint { fill: Some(fill), .. }, .. } if *fill == role);
        picture.shapes.iter().filter(has).count()
    }

    #[test]
    fn hidden_cards_are_backs_for_others_and_framed_faces_for_their_owner() {
        let others = drawn(example(json!(null)), json!([]));
        assert_eq!((filled(&others, Role::CardBack), filled(&others, Role::Card)), (6, 6));
        let owner = drawn(example(json!(["6c", "Kd", "3s"])), json!([]));
        assert_eq!((filled(&owner, Role::CardBack), filled(&owner, Role::Card)), (3, 9));
        assert!(texts(&owner).contains(&"K") && !texts(&others).contains(&"K"));
        assert!(owner.description.contains("Hidden: six of clubs, king of diamonds, three of spades."));
        assert!(others.description.contains("Hidden: 3 cards."));
    }

    #[test]
    fn the_defender_plays_above_and_the_director_below_along_the_path() {
        let table = Table { left: TABLE_LEFT, top: TABLE_TOP, scale: 1.0, turned: false };
        for (upper, lower) in DEFENDER_ROW.into_iter().zip(DIRECTOR_ROW) {
            let (upper, lower) = (table.centre(upper), table.centre(lower));
            assert!(upper.x.total_cmp(&lower.x).is_eq() && upper.y < lower.y);
        }
        let picture = drawn(example(json!(null)), json!([]));
        let texts = texts(&picture);
        let place = |word: &str| texts.iter().position(|text| *text == word);
        assert!(place("ann") < place("bob"), "bob directs");
        assert!(
            texts.contains(&"Follow the seven of spades") && texts.contains(&"2") && !texts.contains(&"1")
        );
    }

    #[test]
    fn every_player_has_the_own_hand_and_row_below() {
        let view: View = serde_json::from_value(example(json!(["6c", "Kd", "3s"]))).expect("a view");
        for (viewer, lower) in
            [(Viewer::Spectator, 1), (Viewer::Seat(Seat(1)), 1), (Viewer::Seat(Seat(0)), 0)]
        {
            let names = names();
            let picture = draw(&view, &in_english::captions(&names).seen_by(viewer), &[]);
            let place = |wanted: &str| {
                let is = |shape: &&Shape| matches!(shape, Shape::Text { text, .. } if text == wanted);
                let Some(Shape::Text { at, .. }) = picture.shapes.iter().find(is) else { panic!("{wanted}") };
                at.y
            };
            let (own, other) = (place(&names[lower]), place(&names[1 - lower]));
            // The defender plays the free place 11, the director the free place 12.
            let (defenders, directors) = (place("11"), place("12"));
            assert!(own > other && (lower == 1) == (directors > defenders), "{viewer:?}");
            let of_ann = seen_cards(&view, viewer).into_iter().find(|(card, _)| card.to_string() == "8c");
            let below = of_ann.expect("a card that lies face up").1.y > TABLE_TOP;
            assert_eq!(below, lower == 0, "what can be picked lies where it is drawn");
        }
    }

    #[test]
    fn a_hand_that_was_just_scored_is_shown_once_more_with_its_pairs_and_runs() {
        let cards = ["7s", "7d", "Ac", "2c", "3c", "9h", "Jh", "Jd", "5s", "4s", "Kh", "Qs"];
        let mut view = example(json!(null));
        view["history"] = json!([{"hand": 1, "director": 0, "table": cards, "pairs": [[1, 2], [7, 8]],
            "runs": [[3, 4, 5]], "points": 7}]);
        let before = drawn(view.clone(), json!([]));
        let scored = json!([{"type": "played", "seat": 0, "position": 12, "card": "Qs"},
            {"type": "scored", "hand": 1, "director": 0, "pairs": [[1, 2], [7, 8]], "runs": [[3, 4, 5]], "points": 7}]);
        let after = drawn(view, scored);
        assert!((after.height - before.height - SUMMARY_HEIGHT).abs() < 0.01);
        for shown in ["hand 1", "7 points", "2 pairs", "1 run"] {
            assert!(texts(&after).contains(&shown) && !texts(&before).contains(&shown), "{shown}");
        }
    }

    #[test]
    fn the_last_card_is_framed_where_it_lies() {
        let last = json!([{"type": "played", "seat": 1, "position": 1, "card": "7s"}]);
        let picture = drawn(example(json!(null)), last);
        let table = Table { left: TABLE_LEFT, top: TABLE_TOP, scale: 1.0, turned: false };
        let frames = picture.shapes.iter().filter_map(|shape| match shape {
            Shape::Rect { area, paint, .. }
                if paint.stroke.is_some_and(|stroke| stroke.role == Role::Highlight) =>
            {
                Some(area.centre())
            }
            _ => None,
        });
        assert_eq!(frames.collect::<Vec<_>>(), [table.centre(1)]);
    }
}
