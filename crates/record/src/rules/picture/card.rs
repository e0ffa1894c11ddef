//! Draws playing cards, with suits as shapes, so that no font needs to have them.

use super::{Area, Picture, Point, Role, at, edge, fill, text};
use crate::rules::cards::{Card, Suit};

/// The radius of a card's corners.
const ROUND: f32 = 4.0;

/// The rank as printed on cards: `A`, `2` to `10`, `J`, `Q`, `K`.
#[must_use]
pub fn rank(card: Card) -> String {
    match card.to_string().chars().next() {
        Some('T') => "10".to_owned(),
        letter => letter.into_iter().collect(),
    }
}

/// The colour of the card's rank and suit: red or black.
#[must_use]
pub fn ink(card: Card) -> Role {
    if card.is_red() { Role::RedSuit } else { Role::BlackSuit }
}

/// An empty face.
pub fn blank(picture: &mut Picture, area: Area) {
    picture.rect(area, ROUND, fill(Role::Card).with_edge(Role::CardEdge, 1.0));
}

/// A face with rank and suit in the middle, one above the other.
pub fn face(picture: &mut Picture, area: Area, card: Card) {
    blank(picture, area);
    let centre = area.centre();
    let size = (area.height * 0.36).min(area.width * 0.52);
    let style = text(size).bold().middle().role(ink(card));
    picture.label(at(centre.x, area.y + area.height * 0.3), style, rank(card));
    suit(picture, card.suit(), at(centre.x, area.y + area.height * 0.7), size * 0.86);
}

/// The back of a card.
pub fn back(picture: &mut Picture, area: Area) {
    picture.rect(area, ROUND, fill(Role::CardBack).with_edge(Role::CardEdge, 1.0));
    let inner = area.inset(3.0);
    picture.rect(inner, ROUND / 2.0, edge(Role::CardBackInk, 1.0));
    let (centre, half) = (inner.centre(), (inner.width / 2.0 - 3.0, inner.height / 2.0 - 3.0));
    let lozenge = [(0.0, -half.1), (half.0, 0.0), (0.0, half.1), (-half.0, 0.0)];
    picture.polygon(lozenge.map(|(right, down)| centre.moved(right, down)), edge(Role::CardBackInk, 1.0));
}

/// The outline of an empty place for a card.
pub fn place(picture: &mut Picture, area: Area) {
    picture.rect(area.inset(0.5), ROUND, edge(Role::Faint, 1.0).dashed());
}

/// A suit's symbol, as high and at most as wide as `size`.
pub fn suit(picture: &mut Picture, suit: Suit, centre: Point, size: f32) {
    let paint = fill(if suit.is_red() { Role::RedSuit } else { Role::BlackSuit });
    let place = |(right, down): (f32, f32)| centre.moved(right * size, down * size);
    let (circles, polygons) = outline(suit);
    for &(right, down, radius) in circles {
        picture.circle(place((right, down)), radius * size, paint);
    }
    for polygon in polygons {
        picture.polygon(polygon.iter().copied().map(place).collect::<Vec<_>>(), paint);
    }
}

/// Circles (centre and radius) and polygons around 0, 0 that make up a suit's symbol of height 1.
type Outline = (&'static [(f32, f32, f32)], &'static [&'static [(f32, f32)]]);

fn outline(suit: Suit) -> Outline {
    match suit {
        Suit::Clubs => (
            &[(0.0, -0.27, 0.225), (-0.26, 0.07, 0.225), (0.26, 0.07, 0.225)],
            &[&[(-0.1, -0.15), (0.1, -0.15), (0.18, 0.12), (-0.18, 0.12)], STEM],
        ),
        Suit::Diamonds => (&[], &[&[(0.0, -0.5), (0.38, 0.0), (0.0, 0.5), (-0.38, 0.0)]]),
        Suit::Hearts => (
            &[(-0.24, -0.2, 0.27), (0.24, -0.2, 0.27)],
            // The sides are tangents of the circles.
            &[&[(0.0, 0.5), (0.446, -0.026), (0.24, -0.2), (-0.24, -0.2), (-0.446, -0.026)]],
        ),
        Suit::Spades => (
            &[(-0.225, 0.1, 0.235), (0.225, 0.1, 0.235)],
            &[&[(0.0, -0.5), (0.405, -0.052), (0.225, 0.1), (-0.225, 0.1), (-0.405, -0.052)], STEM],
        ),
    }
}

/// The stem of spades and clubs.
const STEM: &[(f32, f32)] = &[(0.0, -0.05), (0.07, 0.25), (0.2, 0.5), (-0.2, 0.5), (-0.07, 0.25)];
