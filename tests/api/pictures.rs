//! Pictures of every rule set in random games: they can always be drawn, everything fits, and they name only what exists.

use std::sync::Arc;

use pippost::board::{Theme, png, svg};
use pippost::language::Language;
use pippost::rules::picture::{Point, SMALLEST_TEXT, Shape, WIDTH};
use pippost::rules::{Captions, Picture};
use proptest::prelude::*;
use resvg::usvg::fontdb::{Database, Source};
use resvg::usvg::{Node, Options, Rect, Tree};

use support::random_play::{Game, names, plans, viewers};

/// How far a shape may reach over the edge, in units: half the width of a line.
const EDGE: f32 = 2.0;

/// The characters beyond ASCII that the shipped fonts are known to have.
const SIGNS: &str = "…≤×−";

/// The largest SVG, in bytes.
const MAX_SVG_BYTES: usize = 200_000;

/// One position in this many is laid out with the real fonts, which is slow.
const LAID_OUT: usize = 12;

fn is_inside(picture: &Picture, point: Point) -> bool {
    (-EDGE..=WIDTH + EDGE).contains(&point.x) && (-EDGE..=picture.height + EDGE).contains(&point.y)
}

/// The points that a shape reaches.
fn reach(shape: &Shape) -> Vec<Point> {
    match shape {
        Shape::Rect { area, .. } => area.corners().to_vec(),
        Shape::Circle { centre, radius, .. } => {
            vec![centre.moved(-radius, -radius), centre.moved(*radius, *radius)]
        }
        Shape::Line { points, .. } | Shape::Polygon { points, .. } => points.clone(),
        Shape::Text { at, .. } => vec![*at],
    }
}

fn check(picture: &Picture) {
    assert!(!picture.title.is_empty() && !picture.description.is_empty());
    assert!(picture.height <= 2.0 * WIDTH, "{}", picture.height);
    for shape in &picture.shapes {
        assert!(reach(shape).into_iter().all(|point| is_inside(picture, point)), "{shape:?}");
        if let Shape::Text { style, text, .. } = shape {
            assert!(style.size >= SMALLEST_TEXT, "{shape:?}");
            assert!(text.chars().all(|sign| sign.is_ascii() || SIGNS.contains(sign)), "{text}");
        }
    }
    let drawn = svg(picture, Theme::Auto);
    assert!(drawn.len() < MAX_SVG_BYTES && drawn.starts_with("<svg "), "{} bytes", drawn.len());
}

/// The boxes of all texts, as the shipped fonts draw them.
fn text_boxes(picture: &Picture) -> Vec<(String, Rect)> {
    let mut fonts = Database::new();
    for font in [
        include_bytes!("../../crates/record/src/board/fonts/OpenSans-Regular.ttf").as_slice(),
        include_bytes!("../../crates/record/src/board/fonts/OpenSans-Bold.ttf"),
    ] {
        fonts.load_font_source(Source::Binary(Arc::new(font)));
    }
    let options = Options { fontdb: Arc::new(fonts), ..Options::default() };
    let tree = Tree::from_str(&svg(picture, Theme::Light), &options).expect("a drawing");
    let mut boxes = Vec::new();
    collect(tree.root(), &mut boxes);
    boxes
}

fn collect(group: &resvg::usvg::Group, boxes: &mut Vec<(String, Rect)>) {
    for node in group.children() {
        match node {
            Node::Group(group) => collect(group, boxes),
            Node::Text(text) => {
                let words = text.chunks().iter().map(resvg::usvg::TextChunk::text).collect();
                boxes.push((words, text.flattened().abs_bounding_box()));
            }
            Node::Path(_) | Node::Image(_) => {}
        }
    }
}

/// Checks that every text lies inside the picture and none overlaps another.
fn check_texts(picture: &Picture) {
    let boxes = text_boxes(picture);
    let texts = picture.shapes.iter().filter(|shape| matches!(shape, Shape::Text { .. })).count();
    assert_eq!(boxes.len(), texts, "every text is laid out");
    for (index, (words, area)) in boxes.iter().enumerate() {
        let inside = area.left() >= 0.0
            && area.right() <= WIDTH
            && area.top() >= 0.0
            && area.bottom() <= picture.height;
        assert!(inside, "{words} reaches over the edge: {area:?}");
        for (other_words, other) in &boxes[..index] {
            let apart = area.left() >= other.right()
                || area.right() <= other.left()
                || area.top() >= other.bottom()
                || area.bottom() <= other.top();
            assert!(apart, "{words} lies on {other_words}");
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 24, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn every_position_of_a_random_game_can_be_drawn_for_everybody_and_fits(plan in plans(), long in any::<bool>()) {
        let mut game = Game::start(&plan);
        let mut turn = 0;
        loop {
            let table = game.chronicle.table();
            let mut names = names(table);
            if long {
                names = names.iter().map(|name| format!("{name}-with-the-longest-of-handles")[..32].to_owned()).collect();
            }
            let last = game.events.last().expect("event 0").effects.clone();
            for viewer in viewers(table) {
                let picture = table.position().picture(viewer, &Captions::new(&names, &Language::ENGLISH), &last);
                check(&picture);
                if turn % LAID_OUT == 0 {
                    check_texts(&picture);
                }
            }
            turn += 1;
            if turn > plan.actions || !game.play_one() {
                break;
            }
        }
        game.end();
        let table = game.chronicle.table();
        let last = game.events.last().expect("event 0").effects.clone();
        let picture = table.position().picture(viewers(table)[0], &Captions::new(&names(table), &Language::ENGLISH), &last);
        check(&picture);
        check_texts(&picture);
        let drawn = png(&picture, 320, Theme::Dark).expect("a picture");
        prop_assert!(drawn.starts_with(b"\x89PNG"));
    }
}
