//! The board as a picture: dice from above, with the numbers of their four sides, which decide about conversion (PP3).

use super::board::{Cell, SIDE};
use super::die::{Die, Face};
use super::effect::Effect;
use super::position::STORE_LIMIT;
use super::view::{CellView, Phase, View};
use crate::rules::picture::die::{Tone, die, pips};
use crate::rules::picture::{Area, Picture, Role, WIDTH, at, edge, fill, fit, text};
use crate::rules::targets::FACE_SIDE;
use crate::rules::{Captions, Seat, Sentence, Viewer};

const CELL: f32 = 68.0;
const BOARD: Area = Area::new(30.0, 62.0, CELL * SIDE as f32, CELL * SIDE as f32);
const PANEL_HEIGHT: f32 = 48.0;
const UPPER_PANEL: f32 = 6.0;
/// The top of the panel below the board and its columns' letters.
const LOWER_PANEL: f32 = BOARD.y + BOARD.height + 22.0;
const HEIGHT: f32 = LOWER_PANEL + PANEL_HEIGHT + 6.0;

/// The board between the two players, the viewer below, or light. The board itself is not turned: no player has a side of it, and orders
/// name its north. The cell of the last move has a frame; the cells that it converted have framed corners.
pub fn draw(view: &View, captions: &Captions<'_>, last: &[Effect]) -> Picture {
    let mut picture = Picture::new(title(view, captions), describe(view, captions), HEIGHT);
    for seat in [Seat(1), Seat(0)] {
        panel(&mut picture, view, seat, captions, panel_top(seat, captions.viewer()));
    }
    board(&mut picture);
    for (cell, lying) in &view.cells {
        lying_die(&mut picture, area(*cell), *lying);
    }
    for effect in last {
        mark(&mut picture, effect);
    }
    picture
}

/// The area of a cell.
pub fn area(cell: Cell) -> Area {
    let (column, row) = (f32::from(cell.column()), f32::from(SIDE - 1 - cell.row()));
    Area::new(BOARD.x + column * CELL, BOARD.y + row * CELL, CELL, CELL)
}

fn tone(seat: Seat) -> Tone {
    if seat == Seat(0) { Tone::Light } else { Tone::Dark }
}

fn colour(seat: Seat) -> &'static str {
    if seat == Seat(0) { "light" } else { "dark" }
}

fn board(picture: &mut Picture) {
    let label = text(13.0).bold().middle().role(Role::Muted);
    for cell in Cell::all() {
        let role = if cell.colour() == Seat(0) { Role::LightCell } else { Role::DarkCell };
        let area = area(cell);
        picture.rect(area, 0.0, fill(role));
        let name = cell.to_string();
        if cell.row() == 0 {
            picture.label(at(area.centre().x, BOARD.y + BOARD.height + 11.0), label, &name[..1]);
        }
        if cell.column() == 0 {
            picture.label(at(BOARD.x - 12.0, area.centre().y), label, &name[1..]);
        }
    }
    picture.rect(BOARD, 0.0, edge(Role::Grid, 1.5));
}

/// A die: its top in the middle, surrounded by its four sides as if they leaned outwards, each with its number.
fn lying_die(picture: &mut Picture, cell: Area, lying: CellView) {
    let tone = tone(lying.owner);
    let outer = cell.inset(6.0);
    let top = outer.inset(13.0);
    picture.rect(outer, outer.width * tone.round() * 0.7, fill(tone.side()).with_edge(tone.ink(), 1.25));
    let notch = outer.width * tone.round() * 0.2 + 2.0;
    for (from, to) in outer.inset(notch).corners().into_iter().zip(top.corners()) {
        picture.line([from, to], tone.face(), 1.25);
    }
    picture.rect(top, top.width * tone.round(), fill(tone.face()));
    pips(picture, top.inset(1.0), tone, lying.top.number());
    let style = text(11.5).bold().middle().role(tone.ink());
    let (centre, reach) = (outer.centre(), (top.width + outer.width) / 4.0);
    let sides = [
        (lying.north, 0.0, -reach),
        (lying.east, reach, 0.0),
        (lying.north.opposite(), 0.0, reach),
        (lying.east.opposite(), -reach, 0.0),
    ];
    for (face, right, down) in sides {
        picture.label(centre.moved(right, down), style, face.to_string());
    }
}

/// A die alone, as large as a button.
pub fn draw_die(picture: &mut Picture, die: Die, owner: Seat) {
    let lying = CellView { owner, top: die.top, north: die.north, east: die.east() };
    lying_die(picture, Area::new(0.0, 0.0, FACE_SIDE, FACE_SIDE).inset(-3.0), lying);
}

/// Marks the last move on the board.
fn mark(picture: &mut Picture, effect: &Effect) {
    match effect {
        Effect::Placed { cell, .. } => {
            picture.rect(area(*cell).inset(2.0), 3.0, edge(Role::Highlight, 4.0));
        }
        Effect::Converted { cells } => {
            for cell in cells {
                let area = area(*cell).inset(2.0);
                let centre = area.centre();
                for corner in area.corners() {
                    let (right, down) = ((centre.x - corner.x) * 0.4, (centre.y - corner.y) * 0.4);
                    let bend = [corner.moved(right, 0.0), corner, corner.moved(0.0, down)];
                    picture.line(bend, Role::Highlight, 4.0);
                }
            }
        }
        Effect::Rolled { .. } | Effect::Stored { .. } | Effect::Pulled { .. } => {}
    }
}

/// A player's name, dice to place, store, rolled die and points. Framed in the player's turn.
fn panel(picture: &mut Picture, view: &View, seat: Seat, captions: &Captions<'_>, y: f32) {
    let area = Area::new(6.0, y, WIDTH - 12.0, PANEL_HEIGHT);
    let in_turn = turn(view) == Some(seat);
    let frame = if in_turn { (Role::Ink, 2.0) } else { (Role::Faint, 1.0) };
    picture.rect(area.inset(frame.1 / 2.0), 6.0, fill(Role::Panel).with_edge(frame.0, frame.1));
    die(picture, Area::new(14.0, y + 9.0, 18.0, 18.0), tone(seat), None);
    let heading = text(14.0).bold();
    picture.text(at(38.0, y + 22.0), heading, fit(&captions.name(seat), heading.size, 112.0));
    let small = text(11.0).role(Role::Muted);
    let remaining = view.remaining[seat.index()];
    picture.text(
        at(14.0, y + 40.0),
        small,
        captions.say(
            Sentence::new("pip-pip-remaining").text("colour", colour(seat)).number("remaining", remaining),
        ),
    );
    store(picture, view, seat, captions, y);
    if let (true, Some(rolled)) = (in_turn, view.rolled) {
        picture.text(at(246.0, y + 13.5), small.middle(), captions.say("pip-pip-label-rolled"));
        let area = Area::around(at(246.0, y + 30.5), 24.0);
        picture.rect(area.inset(-3.0), 7.0, fill(Role::Highlight));
        die(picture, area, tone(seat), Some(rolled.number()));
    }
    let score = at(290.0, y + 29.0);
    picture.text(score, text(23.0).bold().middle(), view.scores[seat.index()].to_string());
    let points = captions.count("pip-pip-label-points", view.scores[seat.index()]);
    picture.text(at(score.x, y + 41.0), small.middle(), points);
}

/// The store with its free places.
fn store(picture: &mut Picture, view: &View, seat: Seat, captions: &Captions<'_>, y: f32) {
    let style = text(11.0).middle().role(Role::Muted);
    picture.text(at(190.0, y + 13.5), style, captions.say("pip-pip-label-store"));
    let mut stored = view.stores[seat.index()].iter();
    for area in store_places(y) {
        match stored.next() {
            Some(face) => die(picture, area, tone(seat), Some(face.number())),
            None => picture.rect(area.inset(0.5), 4.0, edge(Role::Faint, 1.0).dashed()),
        }
    }
}

/// The places of a store in the panel at `y`.
fn store_places(y: f32) -> impl Iterator<Item = Area> {
    [0.0, 1.0, 2.0]
        .into_iter()
        .take(STORE_LIMIT)
        .map(move |place| Area::new(157.0 + place * 23.0, y + 20.0, 20.0, 20.0))
}

/// The top of a seat's panel: the viewer's own is the lower one.
fn panel_top(seat: Seat, viewer: Viewer) -> f32 {
    let lower = if viewer.is(Seat(1)) { Seat(1) } else { Seat(0) };
    if seat == lower { LOWER_PANEL } else { UPPER_PANEL }
}

/// The different dice in the store of the seat in turn, with the areas of the first of each.
pub fn dice_to_pull(view: &View, viewer: Viewer) -> Vec<(Face, Area)> {
    let Some(seat) = turn(view) else { return Vec::new() };
    let mut dice: Vec<_> =
        view.stores[seat.index()].iter().copied().zip(store_places(panel_top(seat, viewer))).collect();
    dice.dedup_by_key(|(face, _)| *face);
    dice
}

/// The seat in turn. Seats alternate and seat 0 began, so seat 0 is in turn if both have equally many placements left (PP4).
fn turn(view: &View) -> Option<Seat> {
    let [light, dark] = view.remaining;
    (view.phase != Phase::Finished).then_some(Seat(u8::from(light < dark)))
}

fn title(view: &View, captions: &Captions<'_>) -> String {
    let title = Sentence::new("pip-pip-title").text("light", captions.name(Seat(0)));
    let title = title.number("lights", view.scores[0]).text("dark", captions.name(Seat(1)));
    captions.say(title.number("darks", view.scores[1]))
}

/// A die on the board in words.
pub fn lying(cell: Cell, lying: CellView) -> Sentence {
    let die = Sentence::new("pip-pip-die").text("top", lying.top).text("cell", cell);
    die.text("north", lying.north).text("east", lying.east)
}

fn describe(view: &View, captions: &Captions<'_>) -> String {
    let mut sentences = Vec::new();
    for seat in Seat::all(2) {
        let own = view.cells.iter().filter(|(_, lying)| lying.owner == seat);
        let dice = own.map(|(cell, lying)| captions.say(self::lying(*cell, *lying)));
        let dice: Vec<_> = dice.collect();
        let lying = if dice.is_empty() { captions.say("pip-pip-no-dice") } else { dice.join("; ") };
        let store: Vec<_> = view.stores[seat.index()].iter().map(Face::to_string).collect();
        let store = if store.is_empty() { captions.say("pip-pip-empty") } else { store.join(", ") };
        let player = Sentence::new("pip-pip-player")
            .text("name", captions.name(seat))
            .phrase("points", Sentence::of_count("rules-points", view.scores[seat.index()]))
            .text("colour", colour(seat));
        sentences.push(captions.say(player.text("dice", lying).text("store", store)));
    }
    match (turn(view), view.rolled) {
        (Some(seat), Some(rolled)) => {
            let rolled = Sentence::new("pip-pip-has-rolled").text("die", rolled);
            sentences.push(captions.say(rolled.text("name", captions.name(seat))));
        }
        (Some(seat), None) => {
            sentences.push(captions.say(Sentence::new("pip-pip-to-roll").text("name", captions.name(seat))));
        }
        (None, _) => sentences.push(captions.say("rules-over")),
    }
    sentences.join(" ")
}

#[cfg(test)]
mod tests {
    use serde_json::{Value, json};

    use super::*;
    use crate::rules::picture::{Paint, Shape, Stroke};
    use crate::rules::sentence::in_english;

    fn names() -> [String; 2] {
        ["ann".to_owned(), "bob".to_owned()]
    }

    /// The view in rules/pip-pip.md.
    fn example() -> Value {
        json!({"phase": "place", "rolled": 4, "stores": [[], [2, 5]], "remaining": [7, 8],
            "cells": {"d3": {"owner": 0, "top": 4, "north": 2, "east": 6}}, "scores": [4, 0]})
    }

    fn drawn(view: Value, last: Value) -> Picture {
        let view = serde_json::from_value(view).expect("a view");
        draw(
            &view,
            &in_english::captions(&names()),
            &serde_json::from_value::<Vec<Effect>>(last).expect("effects"),
        )
    }

    /// The texts whose points lie in an area, in the order drawn.
    fn texts(picture: &Picture, within: Area) -> Vec<String> {
        let inside = |shape: &Shape| match shape {
            Shape::Text { at, text, .. }
                if (within.x..within.x + within.width).contains(&at.x)
                    && (within.y..within.y + within.height).contains(&at.y) =>
            {
                Some(text.clone())
            }
            _ => None,
        };
        picture.shapes.iter().filter_map(inside).collect()
    }

    fn is_highlighted(shape: &Shape) -> bool {
        let highlight = |stroke: Stroke| stroke.role == Role::Highlight;
        match shape {
            Shape::Rect { paint: Paint { stroke, .. }, .. } => stroke.is_some_and(highlight),
            Shape::Line { stroke, .. } => highlight(*stroke),
            _ => false,
        }
    }

    #[test]
    fn a_die_shows_its_top_as_pips_and_its_four_sides_as_numbers_where_they_are() {
        let picture = drawn(example(), json!([]));
        let area = area("d3".parse().expect("a cell"));
        assert_eq!(texts(&picture, area), ["2", "6", "5", "1"], "north, east, south, west");
        let third = CELL / 3.0;
        let north = Area::new(area.x, area.y, CELL, third);
        let east = Area::new(area.x + 2.0 * third, area.y, third, CELL);
        assert_eq!((texts(&picture, north), texts(&picture, east)), (vec!["2".into()], vec!["6".into()]));
        let pips = picture.shapes.iter().filter(|shape| {
            matches!(shape, Shape::Circle { centre, .. } if centre.x > area.x && centre.x < area.x + CELL
                && centre.y > area.y && centre.y < area.y + CELL)
        });
        assert_eq!(pips.count(), 4);
    }

    #[test]
    fn every_player_has_the_own_dice_below_a_board_that_stays_as_it_is() {
        let view: View = serde_json::from_value(example()).expect("a view");
        let names = names();
        let upper = Area::new(0.0, UPPER_PANEL, WIDTH, PANEL_HEIGHT);
        let lower = Area::new(0.0, LOWER_PANEL, WIDTH, PANEL_HEIGHT);
        for (viewer, above) in
            [(Viewer::Spectator, 1), (Viewer::Seat(Seat(0)), 1), (Viewer::Seat(Seat(1)), 0)]
        {
            let picture = draw(&view, &in_english::captions(&names).seen_by(viewer), &[]);
            assert!(texts(&picture, upper).contains(&names[above]), "{viewer:?}");
            assert!(texts(&picture, lower).contains(&names[1 - above]), "{viewer:?}");
            assert_eq!(texts(&picture, area("d3".parse().expect("a cell"))), ["2", "6", "5", "1"]);
            let stored = dice_to_pull(&view, viewer);
            assert!(stored.iter().all(|(_, area)| (area.y > LOWER_PANEL) == (above == 0)), "{stored:?}");
        }
    }

    #[test]
    fn the_last_die_is_framed_and_the_dice_it_converted_have_marked_corners() {
        assert!(!drawn(example(), json!([])).shapes.iter().any(is_highlighted));
        let last = json!([{"type": "placed", "seat": 0, "cell": "d3", "top": 4, "north": 2},
            {"type": "converted", "cells": ["d4", "e3"]}]);
        let picture = drawn(example(), last);
        let marks: Vec<_> = picture.shapes.iter().filter(|shape| is_highlighted(shape)).collect();
        let frames = marks.iter().filter(|mark| matches!(mark, Shape::Rect { .. })).count();
        assert_eq!((frames, marks.len() - frames), (1, 8), "one frame, and four corners of two cells");
    }

    #[test]
    fn whose_turn_it_is_follows_from_the_placements_left() {
        for (remaining, seat) in [([8, 8], 0), ([7, 8], 1), ([7, 7], 0), ([0, 1], 1)] {
            let mut view = example();
            view["remaining"] = json!(remaining);
            let view: View = serde_json::from_value(view).expect("a view");
            assert_eq!(turn(&view), Some(Seat(seat)));
        }
        let mut over = example();
        over["phase"] = json!("finished");
        over["rolled"] = json!(null);
        assert_eq!(turn(&serde_json::from_value(over.clone()).expect("a view")), None);
        assert!(drawn(over, json!([])).description.ends_with("The game is over."));
    }

    #[test]
    fn the_description_says_all_that_the_picture_shows() {
        let picture = drawn(example(), json!([]));
        assert_eq!(picture.title, "Pip•Pip: ann (light) 4, bob (dark) 0");
        assert_eq!(
            picture.description,
            "ann, 4 points, light dice: 4 on d3 with 2 to the north and 6 to the east. Store: empty. \
             bob, 0 points, dark dice: none on the board. Store: 2, 5. bob rolled 4."
        );
    }
}
