//! The board as a picture: stones on the points of a grid or in its cells, with the last ones and the winning group marked.

use super::board::{Board, Colour};
use super::cell::Cell;
use super::effect::Effect;
use super::options::{Surface, Variant};
use super::view::{Phase, View};
use crate::rules::picture::{Area, Picture, Point, Role, WIDTH, at, edge, fill, fit, text};
use crate::rules::{Captions, Sentence};

/// The margin around the board, for the letters of the columns and the numbers of the rows.
const MARGIN: f32 = 19.0;
const SIDE: f32 = WIDTH - 2.0 * MARGIN;
const LINE_HEIGHT: f32 = 23.0;
const HEIGHT: f32 = SIDE + 2.0 * MARGIN + 3.0 * LINE_HEIGHT + 6.0;
/// The radius of a stone, as a fraction of a cell.
const STONE: f32 = 0.45;

/// The board, and below it the colours and goals of the players.
pub fn draw(view: &View, captions: &Captions<'_>, last: &[Effect]) -> Picture {
    let board = board(view);
    let groups = winning_groups(view, &board);
    let mut picture = Picture::new(title(view, captions), describe(view, captions, &board, &groups), HEIGHT);
    let drawing = Drawing { length: view.size.length(), cell: SIDE / f32::from(view.size.length()) };
    drawing.labels(&mut picture);
    match view.surface {
        Surface::Points => drawing.points(&mut picture),
        Surface::Cells => drawing.cells(&mut picture),
    }
    goals(&mut picture);
    for colour in [Colour::Black, Colour::White] {
        for cell in board.stones(colour).iter() {
            stone(&mut picture, drawing.centre(cell), drawing.cell * STONE, colour, Role::LightPieceInk);
        }
    }
    for (colour, group) in &groups {
        drawing.chain(&mut picture, *colour, group);
    }
    for effect in last {
        drawing.mark(&mut picture, effect);
    }
    roles(&mut picture, view, captions, &groups);
    picture
}

/// The board of the view.
pub fn board(view: &View) -> Board {
    Board::from_rows(view.size, &view.rows).unwrap_or_else(|| Board::new(view.size))
}

/// The cells with their areas and stones, row by row from the north.
pub fn cells(view: &View) -> Vec<(Cell, Area, Option<Colour>)> {
    let board = board(view);
    let length = view.size.length();
    let drawing = Drawing { length, cell: SIDE / f32::from(length) };
    let cells = (0..length).rev().flat_map(|row| (0..length).map(move |column| Cell::at(column, row)));
    let stone =
        |cell| [Colour::Black, Colour::White].into_iter().find(|colour| board.stones(*colour).has(cell));
    cells.map(|cell| (cell, Area::around(drawing.centre(cell), drawing.cell), stone(cell))).collect()
}

/// Groups of connected stones, with their colour.
type Groups = Vec<(Colour, Vec<Cell>)>;

/// The winning group with its colour; none if the game is not over, or was not won on the board.
fn winning_groups(view: &View, board: &Board) -> Groups {
    let over = view.phase == Phase::Finished;
    let colours = [Colour::Black, Colour::White].into_iter().filter(|_| over);
    let groups = colours.map(|colour| (colour, board.winning_group(colour)));
    groups.filter(|(_, group)| !group.is_empty()).collect()
}

fn paper(colour: Colour) -> Role {
    match colour {
        Colour::Black => Role::DarkPiece,
        Colour::White => Role::LightPiece,
    }
}

fn ink(colour: Colour) -> Role {
    match colour {
        Colour::Black => Role::DarkPieceInk,
        Colour::White => Role::LightPieceInk,
    }
}

fn stone(picture: &mut Picture, centre: Point, radius: f32, colour: Colour, rim: Role) {
    picture.circle(centre, radius, fill(paper(colour)).with_edge(rim, 1.0));
}

/// Marks the sides, which are what both colours join: black two opposite ones, white all four.
fn goals(picture: &mut Picture) {
    let board = Area::new(MARGIN, MARGIN, SIDE, SIDE);
    for (role, inset, width) in [(Role::DarkPiece, 1.2, 2.4), (Role::LightPiece, 3.2, 1.6)] {
        picture.rect(board.inset(inset), 2.0, edge(role, width));
    }
}

/// The layout of the cells.
struct Drawing {
    /// The number of columns and rows.
    length: u8,
    /// The width and height of a cell.
    cell: f32,
}

impl Drawing {
    /// The middle of the column or row with that number, from 0.
    fn along(&self, number: u8) -> f32 {
        MARGIN + (f32::from(number) + 0.5) * self.cell
    }

    fn centre(&self, cell: Cell) -> Point {
        at(self.along(cell.column()), self.along(self.length - 1 - cell.row()))
    }

    fn labels(&self, picture: &mut Picture) {
        let style = text((self.cell * 0.62).clamp(9.5, 13.0)).bold().middle().role(Role::Muted);
        for (number, letter) in (0..self.length).zip('a'..) {
            let (x, y) = (self.along(number), self.along(self.length - 1 - number));
            for edge in [MARGIN / 2.0, WIDTH - MARGIN / 2.0] {
                picture.label(at(x, edge), style, letter);
                picture.label(at(edge, y), style, (number + 1).to_string());
            }
        }
    }

    fn board(picture: &mut Picture) -> Area {
        let board = Area::new(MARGIN, MARGIN, SIDE, SIDE);
        picture.rect(board, 2.0, fill(Role::LightCell));
        board
    }

    /// Draws a grid whose crossings are the cells.
    fn points(&self, picture: &mut Picture) {
        Self::board(picture);
        let (first, last) = (self.along(0), self.along(self.length - 1));
        for middle in (0..self.length).map(|number| self.along(number)) {
            picture.line([at(first, middle), at(last, middle)], Role::Grid, 1.0);
            picture.line([at(middle, first), at(middle, last)], Role::Grid, 1.0);
        }
        for (x, y) in self.stars() {
            picture.circle(at(self.along(x), self.along(y)), (self.cell * 0.11).max(1.8), fill(Role::Grid));
        }
    }

    /// Points for orientation: the middle, and on larger boards the third ones from the edges.
    fn stars(&self) -> Vec<(u8, u8)> {
        let (middle, third) = (self.length / 2, if self.length < 13 { 2 } else { 3 });
        let corners = [third, self.length - 1 - third];
        let corners = corners.into_iter().filter(|_| self.length > 7);
        let mut stars: Vec<_> = corners.clone().flat_map(|x| corners.clone().map(move |y| (x, y))).collect();
        if self.length % 2 == 1 {
            stars.push((middle, middle));
        }
        stars
    }

    /// Draws squares as cells.
    fn cells(&self, picture: &mut Picture) {
        let board = Self::board(picture);
        for number in 1..self.length {
            let line = MARGIN + f32::from(number) * self.cell;
            picture.line([at(board.x, line), at(board.x + SIDE, line)], Role::Grid, 1.0);
            picture.line([at(line, board.y), at(line, board.y + SIDE)], Role::Grid, 1.0);
        }
        picture.rect(board, 2.0, edge(Role::Grid, 1.5));
    }

    /// Draws a group's stones with lines between connected ones; the lines have an outline that is visible on the stones.
    fn chain(&self, picture: &mut Picture, colour: Colour, group: &[Cell]) {
        let pairs = group.iter().enumerate().flat_map(|(index, one)| {
            group[index + 1..]
                .iter()
                .filter(|other| joined(colour, group, *one, **other))
                .map(|other| [*one, *other])
        });
        let pairs: Vec<_> = pairs.collect();
        for (role, part) in [(ink(colour), 0.25), (Role::Highlight, 0.17)] {
            let width = self.cell * part;
            for cell in group {
                picture.circle(self.centre(*cell), width * 0.85, fill(role));
            }
            for pair in &pairs {
                picture.line(pair.map(|cell| self.centre(cell)), role, width);
            }
        }
    }

    /// Marks the last stones.
    fn mark(&self, picture: &mut Picture, effect: &Effect) {
        if let Effect::Placed { colour, cells, .. } = effect {
            for cell in cells.as_slice() {
                let paint = fill(Role::Highlight).with_edge(ink(*colour), self.cell * 0.06);
                picture.circle(self.centre(*cell), self.cell * 0.21, paint);
            }
        }
    }
}

/// Whether two stones of a group are connected: by a side, or by a corner if white has no stone of the group that touches both.
fn joined(colour: Colour, group: &[Cell], one: Cell, other: Cell) -> bool {
    if one.touches(other) {
        return true;
    }
    let diagonal = one.column().abs_diff(other.column()) == 1 && one.row().abs_diff(other.row()) == 1;
    let around = || [Cell::at(one.column(), other.row()), Cell::at(other.column(), one.row())];
    colour == Colour::White && diagonal && !around().iter().any(|cell| group.contains(cell))
}

/// What to do, and a line for each colour: its player and goal.
fn roles(picture: &mut Picture, view: &View, captions: &Captions<'_>, groups: &Groups) {
    let mut middle = SIDE + 2.0 * MARGIN + LINE_HEIGHT / 2.0;
    let (main, small) = (text(14.0), text(12.0).role(Role::Muted));
    picture.label(at(12.0, middle), main.bold(), headline(view, captions, groups));
    let size = view.size.length();
    picture.label(at(WIDTH - 12.0, middle), small.end(), format!("{} {size}×{size}", variant(view)));
    for (colour, role, seat) in [(Colour::Black, "Pip", view.pip), (Colour::White, "Zip", view.zip)] {
        middle += LINE_HEIGHT;
        stone(picture, at(20.0, middle), 8.0, colour, Role::Muted);
        let player = seat.map_or(role.to_owned(), |seat| format!("{role}: {}", captions.name(seat)));
        picture.label(at(36.0, middle), main, fit(&player, main.size, 165.0));
        let aim = captions.say(Sentence::new("pippinzip-aim").text("colour", colour.name()));
        picture.label(at(WIDTH - 12.0, middle), small.end(), aim);
    }
}

fn variant(view: &View) -> &'static str {
    match view.variant {
        Variant::Pipline => "Pipline",
        Variant::Zipline => "Zipline",
        Variant::Freestyle => "Freestyle",
    }
}

/// The colour of the auction (PZ1).
fn auction(view: &View) -> &'static str {
    match view.variant {
        Variant::Pipline => "black",
        Variant::Zipline | Variant::Freestyle => "white",
    }
}

fn headline(view: &View, captions: &Captions<'_>, groups: &Groups) -> String {
    captions.say(match (view.phase, groups.first()) {
        (Phase::Auction, _) => Sentence::new("pippinzip-head-auction").text("colour", auction(view)),
        (Phase::Play, _) if view.variant == Variant::Pipline => "pippinzip-head-one".into(),
        (Phase::Play, _) => "pippinzip-head-two".into(),
        (Phase::Finished, Some((Colour::Black, _))) => "pippinzip-head-black".into(),
        (Phase::Finished, Some((Colour::White, _))) => "pippinzip-head-white".into(),
        (Phase::Finished, None) => "rules-finished".into(),
    })
}

fn title(view: &View, captions: &Captions<'_>) -> String {
    let size = view.size.length();
    let players = match (view.pip, view.zip) {
        (Some(pip), Some(zip)) => {
            let players = Sentence::new("pippinzip-players").text("pip", captions.name(pip));
            players.text("zip", captions.name(zip))
        }
        _ => Sentence::new("pippinzip-players-auction").text("colour", auction(view)),
    };
    let title = Sentence::new("pippinzip-title").text("variant", variant(view)).number("size", size);
    captions.say(title.phrase("players", players))
}

fn describe(view: &View, captions: &Captions<'_>, board: &Board, groups: &Groups) -> String {
    let list = |cells: Vec<Cell>| cells.iter().map(ToString::to_string).collect::<Vec<_>>().join(", ");
    let mut sentences = vec![format!("{}.", headline(view, captions, groups))];
    for (colour, seat) in [("black", view.pip), ("white", view.zip)] {
        if let Some(seat) = seat {
            let goal = Sentence::new("pippinzip-goal").text("name", captions.name(seat));
            sentences.push(captions.say(goal.text("colour", colour)));
        }
    }
    for colour in [Colour::Black, Colour::White] {
        let stones: Vec<_> = board.stones(colour).iter().collect();
        let stones = if stones.is_empty() { captions.say("rules-none") } else { list(stones) };
        let stones = Sentence::new("pippinzip-stones").text("colour", colour.name()).text("cells", stones);
        sentences.push(captions.say(stones));
    }
    for (colour, group) in groups {
        let group = Sentence::new("pippinzip-winners").text("cells", list(group.clone()));
        sentences.push(captions.say(group.text("colour", colour.name())));
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

    fn view(rows: &[&str], changes: Value) -> View {
        let mut view = json!({"phase": "play", "variant": "pipline", "size": rows.len(), "pip": 1, "zip": 0, "rows": rows});
        let members = view.as_object_mut().expect("an object");
        members.extend(changes.as_object().cloned().expect("an object"));
        serde_json::from_value(view).expect("a view")
    }

    const ROWS: [&str; 5] = [".....", "..b..", "..wb.", ".....", "....."];
    const WON: [&str; 5] = ["w....", ".w...", "..wb.", "...w.", "....w"];

    /// The centres of circles with that fill.
    fn circles(picture: &Picture, role: Role) -> Vec<Point> {
        let matching = |shape: &Shape| match *shape {
            Shape::Circle { centre, paint: Paint { fill: Some(fill), .. }, .. } if fill == role => {
                Some(centre)
            }
            _ => None,
        };
        picture.shapes.iter().filter_map(matching).collect()
    }

    #[test]
    fn stones_are_where_their_cells_are_named() {
        let picture = draw(&view(&ROWS, json!({})), &in_english::captions(&names()), &[]);
        let drawing = Drawing { length: 5, cell: SIDE / 5.0 };
        let centre = |name: &str| drawing.centre(name.parse().expect("a cell"));
        // The last of each colour is in the line that names its player.
        assert_eq!(circles(&picture, Role::DarkPiece)[..2], [centre("c4"), centre("d3")]);
        assert_eq!(circles(&picture, Role::LightPiece)[..1], [centre("c3")]);
        assert_eq!(centre("a1"), at(MARGIN + SIDE / 10.0, MARGIN + SIDE * 0.9), "the south-west");
    }

    #[test]
    fn the_last_stones_are_marked() {
        let last = json!([{"type": "placed", "seat": 1, "colour": "black", "cells": ["d3"]}]);
        let last: Vec<Effect> = serde_json::from_value(last).expect("effects");
        let picture = draw(&view(&ROWS, json!({})), &in_english::captions(&names()), &last);
        assert_eq!(circles(&picture, Role::Highlight).len(), 1);
        assert!(
            circles(&draw(&view(&ROWS, json!({})), &in_english::captions(&names()), &[]), Role::Highlight)
                .is_empty()
        );
    }

    #[test]
    fn a_winning_group_is_joined_by_lines_and_named_also_without_the_last_event() {
        let won = view(&WON, json!({"phase": "finished"}));
        let picture = draw(&won, &in_english::captions(&names()), &[]);
        assert_eq!(circles(&picture, Role::Highlight).len(), 5);
        let lines = picture
            .shapes
            .iter()
            .filter(|shape| matches!(shape, Shape::Line { stroke, .. } if stroke.role == Role::Highlight));
        assert_eq!(lines.count(), 4, "white joins diagonally");
        assert!(picture.description.starts_with("White joins all four sides."));
        assert!(picture.description.ends_with("The winning group is white: a5, b4, c3, d2, e1."));
        let resigned = draw(&view(&ROWS, json!({"phase": "finished"})), &in_english::captions(&names()), &[]);
        assert!(resigned.description.starts_with("The game is over."));
    }

    #[test]
    fn points_and_cells_differ_in_the_board_only() {
        let points = view(&ROWS, json!({}));
        let cells = View { surface: Surface::Cells, ..points.clone() };
        let (points, cells) = (
            draw(&points, &in_english::captions(&names()), &[]),
            draw(&cells, &in_english::captions(&names()), &[]),
        );
        assert_ne!(points.shapes, cells.shapes);
        assert_eq!(points.description, cells.description);
        assert_eq!(circles(&points, Role::DarkPiece), circles(&cells, Role::DarkPiece));
    }

    #[test]
    fn the_sides_are_marked_in_the_colours_that_join_them() {
        let picture = draw(&view(&ROWS, json!({})), &in_english::captions(&names()), &[]);
        let marked = |role: Role| {
            let is_frame = |shape: &&Shape| matches!(shape, Shape::Rect { paint: Paint { fill: None, stroke: Some(stroke) }, .. } if stroke.role == role);
            picture.shapes.iter().filter(is_frame).count()
        };
        assert_eq!([Role::DarkPiece, Role::LightPiece].map(marked), [1, 1]);
    }

    #[test]
    fn every_size_has_its_star_points_on_the_board_and_none_twice() {
        for length in 5..=19 {
            let stars = Drawing { length, cell: SIDE / f32::from(length) }.stars();
            assert!(stars.iter().all(|(x, y)| *x < length && *y < length));
            assert!((1..stars.len()).all(|index| !stars[..index].contains(&stars[index])));
        }
    }

    #[test]
    fn the_auction_says_what_it_is_for() {
        let auction = |variant: &str| {
            let view = view(&ROWS, json!({"phase": "auction", "variant": variant, "pip": null, "zip": null}));
            draw(&view, &in_english::captions(&names()), &[]).title
        };
        assert_eq!(auction("pipline"), "Pippinzip, Pipline 5 by 5: auction for black");
        assert_eq!(auction("freestyle"), "Pippinzip, Freestyle 5 by 5: auction for white");
    }
}
