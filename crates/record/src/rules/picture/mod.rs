//! Pictures of views: shapes in board units, coloured by their meaning. Pure data, which `board` turns into SVG and PNG.
//!
//! A rule set makes a [`Picture`] from its view alone, so it cannot show anything that the viewer may not see. One unit is a
//! pixel if the picture is 320 pixels wide, the narrowest that must be legible: text is never smaller than [`SMALLEST_TEXT`].

pub mod card;
pub mod die;
pub mod token;
mod words;

pub use words::{fit, width};

use super::Seat;

/// The width of every picture, in units.
pub const WIDTH: f32 = 320.0;

/// The least size of text.
pub const SMALLEST_TEXT: f32 = 9.0;

/// The height of a capital, as a fraction of the font size.
const CAPITAL_HEIGHT: f32 = 0.72;

/// A place in a picture: x from the left, y from the top.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Point {
    pub x: f32,
    pub y: f32,
}

/// The point with these coordinates.
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

    /// The area reduced by `margin` on each side.
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

/// The meaning of a colour; `board` chooses the colour, light or dark.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Role {
    /// Behind everything.
    Ground,
    /// A part of the picture that stands out from the ground.
    Panel,
    /// Text and other important marks.
    Ink,
    /// Less important text.
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

/// A filled shape without an edge.
#[must_use]
pub const fn fill(role: Role) -> Paint {
    Paint { fill: Some(role), stroke: None }
}

/// An edge without a filling.
#[must_use]
pub const fn edge(role: Role, width: f32) -> Paint {
    Paint { fill: None, stroke: Some(Stroke { role, width, dashed: false }) }
}

impl Paint {
    /// The same paint with an edge.
    #[must_use]
    pub const fn with_edge(self, role: Role, width: f32) -> Self {
        Self { fill: self.fill, stroke: Some(Stroke { role, width, dashed: false }) }
    }

    /// The same paint with a dashed edge.
    #[must_use]
    pub fn dashed(self) -> Self {
        Self { fill: self.fill, stroke: self.stroke.map(|stroke| Stroke { dashed: true, ..stroke }) }
    }
}

/// The part of a text that lies at its point.
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

/// The look of a text.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Style {
    pub size: f32,
    pub role: Role,
    pub anchor: Anchor,
    pub weight: Weight,
}

/// Text of that size that starts at its point, in ink and of regular weight.
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

/// A drawn shape; later shapes cover earlier ones.
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
    /// Straight lines from point to point, with round ends and joins.
    Line {
        points: Vec<Point>,
        stroke: Stroke,
    },
    Polygon {
        points: Vec<Point>,
        paint: Paint,
    },
    Text {
        /// A point on the baseline.
        at: Point,
        style: Style,
        text: String,
    },
}

/// A view as a picture; by default an empty one, without even a ground.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Picture {
    /// A short title, also for people who cannot see the picture.
    pub title: String,
    /// The content in sentences, for people who cannot see it.
    pub description: String,
    /// In units; the width is [`WIDTH`].
    pub height: f32,
    /// From back to front.
    pub shapes: Vec<Shape>,
}

impl Picture {
    /// A picture of the ground only.
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

    /// Text whose baseline is at a point.
    pub fn text(&mut self, at: Point, style: Style, text: impl Into<String>) {
        self.shapes.push(Shape::Text { at, style, text: text.into() });
    }

    /// Text whose capitals and digits are vertically centred on a point.
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
