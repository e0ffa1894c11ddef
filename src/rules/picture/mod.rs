//! A view drawn: shapes in board units, coloured by what they mean. Pure data, which `board` turns into SVG and PNG.
//!
//! A rule set makes a [`Picture`] from its view alone, so nothing that the viewer may not see can be in it.
//! One unit is a pixel where the picture is 320 pixels wide, the narrowest that must be clear: text is never
//! smaller than [`SMALLEST_TEXT`].

pub mod card;
pub mod die;
pub mod token;
mod words;

pub use words::{fit, width};

use super::Seat;

/// The width of every picture, in units.
pub const WIDTH: f32 = 320.0;

/// Text is at least this high.
pub const SMALLEST_TEXT: f32 = 9.0;

/// Height of a capital as a part of the size of its font.
const CAPITAL_HEIGHT: f32 = 0.72;

/// A place in a picture: x from the left, y from the top.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Point {
    pub x: f32,
    pub y: f32,
}

/// The point at that place.
#[must_use]
pub const fn at(x: f32, y: f32) -> Point {
    Point { x, y }
}

impl Point {
    #[must_use]
    pub fn moved(self, right: f32, down: f32) -> Self {
        at(self.x + right, self.y + down)
    }
}

/// An upright rectangle.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Area {
    pub x: f32,
    pub y: f32,
    pub width: f32,
    pub height: f32,
}

impl Area {
    #[must_use]
    pub const fn new(x: f32, y: f32, width: f32, height: f32) -> Self {
        Self { x, y, width, height }
    }

    /// The square around a point.
    #[must_use]
    pub fn around(centre: Point, side: f32) -> Self {
        Self::new(centre.x - side / 2.0, centre.y - side / 2.0, side, side)
    }

    #[must_use]
    pub fn centre(self) -> Point {
        at(self.x + self.width / 2.0, self.y + self.height / 2.0)
    }

    /// Smaller by `margin` on each side.
    #[must_use]
    pub fn inset(self, margin: f32) -> Self {
        let (width, height) = (self.width - 2.0 * margin, self.height - 2.0 * margin);
        Self::new(self.x + margin, self.y + margin, width, height)
    }

    /// North-west, north-east, south-east, south-west.
    #[must_use]
    pub fn corners(self) -> [Point; 4] {
        let (right, bottom) = (self.x + self.width, self.y + self.height);
        [at(self.x, self.y), at(right, self.y), at(right, bottom), at(self.x, bottom)]
    }
}

/// What a colour means. Which colour that is, light or dark, is for `board`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Role {
    /// Behind everything.
    Ground,
    /// A part of the picture that is set off from the ground.
    Panel,
    /// Text and what must be seen first.
    Ink,
    /// Text that matters less.
    Muted,
    /// Lines that only divide.
    Faint,
    /// The last move.
    Highlight,
    /// A light square of a board.
    LightCell,
    /// A dark square of a board.
    DarkCell,
    /// The lines of a board.
    Grid,
    LightPiece,
    /// The sides and edges of a light piece.
    LightPieceSide,
    LightPieceInk,
    DarkPiece,
    DarkPieceSide,
    DarkPieceInk,
    Card,
    CardEdge,
    CardBack,
    /// The pattern on the back of a card.
    CardBackInk,
    RedSuit,
    BlackSuit,
    /// What belongs to a seat.
    Seat(Seat),
    /// Text on [`Role::Seat`].
    OnSeat(Seat),
}

/// How a shape is painted.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Paint {
    pub fill: Option<Role>,
    pub stroke: Option<Stroke>,
}

/// A line around or along a shape.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Stroke {
    pub role: Role,
    pub width: f32,
    pub dashed: bool,
}

/// Filled, without an edge.
#[must_use]
pub const fn fill(role: Role) -> Paint {
    Paint { fill: Some(role), stroke: None }
}

/// An edge, nothing inside.
#[must_use]
pub const fn edge(role: Role, width: f32) -> Paint {
    Paint { fill: None, stroke: Some(Stroke { role, width, dashed: false }) }
}

impl Paint {
    /// The same with an edge.
    #[must_use]
    pub const fn with_edge(self, role: Role, width: f32) -> Self {
        Self { fill: self.fill, stroke: Some(Stroke { role, width, dashed: false }) }
    }

    /// The same with a broken edge.
    #[must_use]
    pub fn dashed(self) -> Self {
        Self { fill: self.fill, stroke: self.stroke.map(|stroke| Stroke { dashed: true, ..stroke }) }
    }
}

/// Which part of a text is at its point.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Anchor {
    Start,
    Middle,
    End,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Weight {
    Regular,
    Bold,
}

/// How a text looks.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Style {
    pub size: f32,
    pub role: Role,
    pub anchor: Anchor,
    pub weight: Weight,
}

/// Text of that size that begins at its point, in ink and of regular weight.
#[must_use]
pub const fn text(size: f32) -> Style {
    Style { size, role: Role::Ink, anchor: Anchor::Start, weight: Weight::Regular }
}

impl Style {
    #[must_use]
    pub const fn bold(self) -> Self {
        Self { weight: Weight::Bold, ..self }
    }

    #[must_use]
    pub const fn role(self, role: Role) -> Self {
        Self { role, ..self }
    }

    #[must_use]
    pub const fn middle(self) -> Self {
        Self { anchor: Anchor::Middle, ..self }
    }

    #[must_use]
    pub const fn end(self) -> Self {
        Self { anchor: Anchor::End, ..self }
    }
}

/// Something drawn; later shapes cover earlier ones.
#[derive(Clone, Debug, PartialEq)]
pub enum Shape {
    Rect {
        area: Area,
        /// The radius of the corners.
        round: f32,
        paint: Paint,
    },
    Circle {
        centre: Point,
        radius: f32,
        paint: Paint,
    },
    /// Straight from point to point, with round ends and bends.
    Line {
        points: Vec<Point>,
        stroke: Stroke,
    },
    Polygon {
        points: Vec<Point>,
        paint: Paint,
    },
    Text {
        /// On the line that the letters stand on.
        at: Point,
        style: Style,
        text: String,
    },
}

/// A view as a picture.
#[derive(Clone, Debug, PartialEq)]
pub struct Picture {
    /// What it is, in a few words; for those who cannot see it, too.
    pub title: String,
    /// What it shows, in sentences, for those who cannot see it.
    pub description: String,
    /// In units; the width is [`WIDTH`].
    pub height: f32,
    /// From back to front.
    pub shapes: Vec<Shape>,
}

impl Picture {
    /// Nothing but the ground.
    #[must_use]
    pub fn new(title: String, description: String, height: f32) -> Self {
        let mut picture = Self { title, description, height, shapes: Vec::new() };
        picture.rect(Area::new(0.0, 0.0, WIDTH, height), 0.0, fill(Role::Ground));
        picture
    }

    pub fn rect(&mut self, area: Area, round: f32, paint: Paint) {
        self.shapes.push(Shape::Rect { area, round, paint });
    }

    pub fn circle(&mut self, centre: Point, radius: f32, paint: Paint) {
        self.shapes.push(Shape::Circle { centre, radius, paint });
    }

    pub fn line(&mut self, points: impl Into<Vec<Point>>, role: Role, width: f32) {
        let stroke = Stroke { role, width, dashed: false };
        self.shapes.push(Shape::Line { points: points.into(), stroke });
    }

    pub fn polygon(&mut self, points: impl Into<Vec<Point>>, paint: Paint) {
        self.shapes.push(Shape::Polygon { points: points.into(), paint });
    }

    /// Text that stands on a point.
    pub fn text(&mut self, at: Point, style: Style, text: impl Into<String>) {
        self.shapes.push(Shape::Text { at, style, text: text.into() });
    }

    /// Text whose capitals and digits are centred on a point in height, too.
    pub fn label(&mut self, centre: Point, style: Style, text: impl Into<String>) {
        self.text(centre.moved(0.0, style.size * CAPITAL_HEIGHT / 2.0), style, text);
    }

    /// An arrow from point to point.
    pub fn arrow(&mut self, from: Point, to: Point, role: Role, width: f32) {
        let (right, down) = (to.x - from.x, to.y - from.y);
        let length = right.hypot(down).max(f32::EPSILON);
        let (right, down) = (right / length, down / length);
        let head = width * 3.0;
        let neck = to.moved(-right * head, -down * head);
        let half = head * 0.62;
        self.line([from, neck], role, width);
        let sides = [neck.moved(-down * half, right * half), neck.moved(down * half, -right * half)];
        self.polygon([to, sides[0], sides[1]], fill(role));
    }
}
