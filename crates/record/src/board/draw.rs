//! Draws a picture as pixels, four times as fast as writing SVG, parsing it and shaping its texts.

use tiny_skia::Transform;

use super::fonts::Fonts;
use super::glyph_cache::{Outline, PaintStyle, paint_cached, parts};
use super::indexed_canvas::IndexedCanvas;
use super::{Theme, palette};
use crate::rules::picture::{Anchor, Area, Paint, Picture, Point, Role, Shape, Stroke, Style};

/// Dashes and gaps in units, as in the SVG.
const DASH: f32 = 3.0;

/// Draws `picture`.
pub fn draw(picture: &Picture, theme: Theme, scale: Transform, canvas: &mut IndexedCanvas) {
    let mut painter = Painter { theme, scale, canvas };
    // Plain colours come first, so that there is room for all of them.
    for role in picture.shapes.iter().flat_map(roles) {
        painter.colour(role);
    }
    for shape in &picture.shapes {
        painter.shape(shape);
    }
}

struct Painter<'a> {
    theme: Theme,
    scale: Transform,
    canvas: &'a mut IndexedCanvas,
}

impl Painter<'_> {
    fn shape(&mut self, shape: &Shape) {
        match shape {
            Shape::Rect { area, round, paint } => self.rectangle(*area, *round, *paint),
            Shape::Circle { centre, radius, paint } => {
                self.paint(*centre, &Outline::Circle { radius: self.length(*radius) }, *paint, false);
            }
            Shape::Line { points, stroke } => {
                self.points(points, false, Paint { fill: None, stroke: Some(*stroke) });
            }
            Shape::Polygon { points, paint } => self.points(points, true, *paint),
            Shape::Text { at, style, text } => self.text(*at, *style, text),
        }
    }

    /// Paints filled rectangles with sharp corners without the cache.
    fn rectangle(&mut self, area: Area, round: f32, mut paint: Paint) {
        let [corner, _, opposite, _] = area.corners();
        let [(left, top), (right, bottom)] = [corner, opposite].map(|at| self.place(at));
        if let Some(role) = paint.fill.take_if(|_| round <= 0.0) {
            let colour = self.colour(role);
            self.canvas.fill([left, top, right, bottom].map(parts), colour);
        }
        let (width, height) = (parts(right - left), parts(bottom - top));
        let outline = Outline::Rectangle { width, height, round: self.length(round) };
        self.paint(corner, &outline, paint, false);
    }

    fn points(&mut self, points: &[Point], closed: bool, paint: Paint) {
        let Some((first, others)) = points.split_first() else { return };
        let (x, y) = self.place(*first);
        let seen = |point: &Point| {
            let (right, down) = self.place(*point);
            [parts(right - x), parts(down - y)]
        };
        let outline = Outline::Points { points: others.iter().map(seen).collect(), closed };
        self.paint(*first, &outline, paint, !closed);
    }

    fn paint(&mut self, at: Point, outline: &Outline, paint: Paint, round: bool) {
        if let Some(role) = paint.fill {
            self.paint_cached(at, outline, PaintStyle::Filled, role);
        }
        if let Some(Stroke { role, width, dashed }) = paint.stroke {
            let dash = dashed.then(|| self.length(DASH));
            self.paint_cached(
                at,
                outline,
                PaintStyle::Stroked { width: self.length(width), dash, round },
                role,
            );
        }
    }

    fn text(&mut self, at: Point, style: Style, text: &str) {
        let Style { size, role, anchor, weight } = style;
        let fonts = Fonts::shipped();
        let glyphs = fonts.glyphs(text, weight);
        let advances = fonts.advances(weight, &glyphs, size);
        let width: f32 = advances.iter().sum();
        let mut x = match anchor {
            Anchor::Start => at.x,
            Anchor::Middle => at.x - width / 2.0,
            Anchor::End => at.x - width,
        };
        for (glyph, advance) in glyphs.into_iter().zip(advances) {
            let letter = Outline::Letter { weight, glyph, size: self.length(size) };
            self.paint_cached(Point { x, y: at.y }, &letter, PaintStyle::Filled, role);
            x += advance;
        }
    }

    fn paint_cached(&mut self, at: Point, outline: &Outline, style: PaintStyle, role: Role) {
        let (place, colour) = (self.place(at), self.colour(role));
        paint_cached(outline.clone(), style, place, colour, self.canvas);
    }

    /// In pixels.
    fn place(&self, at: Point) -> (f32, f32) {
        (at.x * self.scale.sx, at.y * self.scale.sy)
    }

    /// In parts of a pixel.
    fn length(&self, units: f32) -> i32 {
        parts(units * self.scale.sx)
    }

    fn colour(&mut self, role: Role) -> u8 {
        let colour = palette::colour(role);
        self.canvas.colour(read_colour(if self.theme == Theme::Dark { colour.dark } else { colour.light }))
    }
}

/// The colours that a shape has.
fn roles(shape: &Shape) -> impl Iterator<Item = Role> {
    let (fill, stroke) = match shape {
        Shape::Rect { paint, .. } | Shape::Circle { paint, .. } | Shape::Polygon { paint, .. } => {
            (paint.fill, paint.stroke)
        }
        Shape::Line { stroke, .. } => (None, Some(*stroke)),
        Shape::Text { style, .. } => (Some(style.role), None),
    };
    fill.into_iter().chain(stroke.map(|stroke| stroke.role))
}

/// `#rrggbb`, as the palette has it.
fn read_colour(text: &str) -> [u8; 3] {
    let part = |from: usize| text.get(from..from + 2).and_then(|digits| u8::from_str_radix(digits, 16).ok());
    [1, 3, 5].map(|from| part(from).unwrap_or_default())
}
