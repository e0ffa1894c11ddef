//! A cache of shapes as the pixels that they cover. The letters, dice and stones of boards repeat: each shape is rasterised
//! once and then painted wherever it is needed, in any colour.

use std::convert::Infallible;
use std::sync::{Arc, LazyLock};

use quick_cache::Weighter;
use quick_cache::sync::Cache;
use tiny_skia::{
    FillRule, LineCap, LineJoin, Paint, Path, PathBuilder, Pixmap, Rect, Stroke as Pen, StrokeDash, Transform,
};
use ttf_parser::{GlyphId, OutlineBuilder};

use super::fonts::Fonts;
use super::indexed_canvas::IndexedCanvas;
use crate::rules::picture::Weight;

/// Places and lengths are rounded to this part of a pixel, so that shapes that look the same are equal.
pub const PARTS: i32 = 16;
const PARTS_OF_PX: f32 = 16.0;

/// Letters are placed at this part of a pixel.
const PARTS_OF_LETTERS: i32 = 4;

/// The most bytes of cached shapes.
const MAX_CACHED_BYTES: u64 = 4 * 1024 * 1024;

/// The size of a typical shape, in bytes.
const TYPICAL_BYTES: usize = 1024;

/// The distance of a quarter circle's control points from its ends, as a part of its radius.
const QUARTER: f32 = 0.552_285;

/// How far a sharp corner of a line may reach, in widths of the line, with a margin.
const REACH: f32 = 2.5;

/// The outline of a shape, in parts of a pixel, around or right and below its place.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Outline {
    Rectangle {
        width: i32,
        height: i32,
        round: i32,
    },
    Circle {
        radius: i32,
    },
    /// From the place to these points, relative to it.
    Points {
        points: Vec<[i32; 2]>,
        closed: bool,
    },
    Letter {
        weight: Weight,
        glyph: GlyphId,
        size: i32,
    },
}

/// How an outline is drawn, in parts of a pixel.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum PaintStyle {
    Filled,
    Stroked { width: i32, dash: Option<i32>, round: bool },
}

/// What equal shapes share: everything but colour and whole pixels.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
struct ShapeKey {
    outline: Outline,
    style: PaintStyle,
    /// The place within its pixel.
    place: [i32; 2],
}

/// Adjacent pixels in a row with equal coverage, relative to the pixel of the place.
#[derive(Clone, Copy, Debug)]
pub struct Span {
    pub x: i16,
    pub y: i16,
    pub length: u16,
    pub coverage: u8,
}

/// Converts pixels to parts of a pixel.
#[expect(
    clippy::cast_possible_truncation,
    reason = "a float that fits no integer becomes the nearest that does"
)]
pub fn parts(px: f32) -> i32 {
    (px * PARTS_OF_PX).round() as i32
}

/// Converts parts of a pixel to pixels.
#[expect(clippy::cast_precision_loss, reason = "pictures have some thousand pixels")]
pub fn px(parts: i32) -> f32 {
    parts as f32 / PARTS_OF_PX
}

/// Paints an outline on `canvas` at a place given in pixels. A shape without extent paints nothing.
pub fn paint_cached(
    outline: Outline,
    style: PaintStyle,
    (x, y): (f32, f32),
    colour: u8,
    canvas: &mut IndexedCanvas,
) {
    static SHAPES: LazyLock<Cache<ShapeKey, Arc<[Span]>, Bytes>> = LazyLock::new(|| {
        let capacity = usize::try_from(MAX_CACHED_BYTES).unwrap_or(usize::MAX) / TYPICAL_BYTES;
        Cache::with_weighter(capacity, MAX_CACHED_BYTES, Bytes)
    });
    let step = if matches!(outline, Outline::Letter { .. }) { PARTS / PARTS_OF_LETTERS } else { 1 };
    let place = [x, y].map(|at| (parts(at) + step / 2).div_euclid(step) * step);
    let key = ShapeKey { outline, style, place: place.map(|at| at.rem_euclid(PARTS)) };
    let made = SHAPES.get_or_insert_with(&key, || Ok::<_, Infallible>(key.spans().into()));
    let spans = made.unwrap_or_else(|never| match never {});
    canvas.paint(&spans, place.map(|at| at.div_euclid(PARTS)), colour);
}

#[derive(Clone)]
struct Bytes;

impl Weighter<ShapeKey, Arc<[Span]>> for Bytes {
    fn weight(&self, key: &ShapeKey, spans: &Arc<[Span]>) -> u64 {
        let points =
            if let Outline::Points { points, .. } = &key.outline { size_of_val(&points[..]) } else { 0 };
        (size_of::<ShapeKey>() + points + size_of_val(&spans[..])) as u64
    }
}

impl ShapeKey {
    /// Rasterises the shape on a pixmap of its own.
    fn spans(&self) -> Vec<Span> {
        self.drawn().unwrap_or_default()
    }

    fn drawn(&self) -> Option<Vec<Span>> {
        let path = self.path()?;
        let pen = self.pen();
        let reach = pen.as_ref().map_or(0.0, |pen| pen.width * REACH) + 1.0;
        let around = path.bounds().outset(reach, reach)?.round_out()?;
        let mut piece = Pixmap::new(around.width(), around.height())?;
        #[expect(clippy::cast_precision_loss, reason = "pictures have some thousand pixels")]
        let moved = Transform::from_translate(-around.x() as f32, -around.y() as f32);
        let paint = Paint::default();
        match pen {
            Some(pen) => piece.stroke_path(&path, &paint, &pen, moved, None),
            None => piece.fill_path(&path, &paint, FillRule::Winding, moved, None),
        }
        Some(spans(&piece, around.x(), around.y()))
    }

    fn path(&self) -> Option<Path> {
        let [x, y] = self.place.map(px);
        match &self.outline {
            Outline::Rectangle { width, height, round } => {
                rectangle(Rect::from_xywh(x, y, px(*width), px(*height))?, px(*round))
            }
            Outline::Circle { radius } => PathBuilder::from_circle(x, y, px(*radius)),
            Outline::Points { points, closed } => {
                let mut path = PathBuilder::new();
                path.move_to(x, y);
                for [right, down] in points {
                    path.line_to(x + px(*right), y + px(*down));
                }
                if *closed {
                    path.close();
                }
                path.finish()
            }
            Outline::Letter { weight, glyph, size } => {
                let scale = Fonts::shipped().scale(*weight, px(*size));
                let mut letter = Letter { path: PathBuilder::new(), x, y, scale };
                Fonts::shipped().outline(*weight, *glyph, &mut letter);
                letter.path.finish()
            }
        }
    }

    fn pen(&self) -> Option<Pen> {
        let PaintStyle::Stroked { width, dash, round } = self.style else { return None };
        let (line_cap, line_join) =
            if round { (LineCap::Round, LineJoin::Round) } else { (LineCap::Butt, LineJoin::Miter) };
        let dash = dash.and_then(|dash| StrokeDash::new(vec![px(dash); 2], 0.0));
        Some(Pen { width: px(width), line_cap, line_join, dash, ..Pen::default() })
    }
}

/// The covered pixels of a pixmap whose corner is at `left`, `top`.
fn spans(piece: &Pixmap, left: i32, top: i32) -> Vec<Span> {
    let mut spans = Vec::new();
    let width = usize::try_from(piece.width()).unwrap_or(1);
    for (row, y) in piece.pixels().chunks(width).zip(top..) {
        let mut x = left;
        for run in row.chunk_by(|one, other| one.alpha() == other.alpha()) {
            let length = u16::try_from(run.len()).unwrap_or(u16::MAX);
            if let (coverage @ 1.., Ok(x), Ok(y)) = (run[0].alpha(), i16::try_from(x), i16::try_from(y)) {
                spans.push(Span { x, y, length, coverage });
            }
            x += i32::from(length);
        }
    }
    spans
}

fn rectangle(area: Rect, round: f32) -> Option<Path> {
    let radius = round.min(area.width() / 2.0).min(area.height() / 2.0);
    if radius <= 0.0 {
        return Some(PathBuilder::from_rect(area));
    }
    let (x, y, right, bottom) = (area.left(), area.top(), area.right(), area.bottom());
    let bend = radius * (1.0 - QUARTER);
    let mut path = PathBuilder::new();
    path.move_to(x + radius, y);
    path.line_to(right - radius, y);
    path.cubic_to(right - bend, y, right, y + bend, right, y + radius);
    path.line_to(right, bottom - radius);
    path.cubic_to(right, bottom - bend, right - bend, bottom, right - radius, bottom);
    path.line_to(x + radius, bottom);
    path.cubic_to(x + bend, bottom, x, bottom - bend, x, bottom - radius);
    path.line_to(x, y + radius);
    path.cubic_to(x, y + bend, x + bend, y, x + radius, y);
    path.close();
    path.finish()
}

/// The outline of a letter at its place. In fonts y grows upwards.
struct Letter {
    path: PathBuilder,
    x: f32,
    y: f32,
    /// The length of one of the font's units, in pixels.
    scale: f32,
}

impl Letter {
    fn place(&self, x: f32, y: f32) -> (f32, f32) {
        (self.x + x * self.scale, self.y - y * self.scale)
    }
}

impl OutlineBuilder for Letter {
    fn move_to(&mut self, x: f32, y: f32) {
        let (x, y) = self.place(x, y);
        self.path.move_to(x, y);
    }

    fn line_to(&mut self, x: f32, y: f32) {
        let (x, y) = self.place(x, y);
        self.path.line_to(x, y);
    }

    fn quad_to(&mut self, cx: f32, cy: f32, x: f32, y: f32) {
        let ((cx, cy), (x, y)) = (self.place(cx, cy), self.place(x, y));
        self.path.quad_to(cx, cy, x, y);
    }

    fn curve_to(&mut self, ax: f32, ay: f32, bx: f32, by: f32, x: f32, y: f32) {
        let ((ax, ay), (bx, by), (x, y)) = (self.place(ax, ay), self.place(bx, by), self.place(x, y));
        self.path.cubic_to(ax, ay, bx, by, x, y);
    }

    fn close(&mut self) {
        self.path.close();
    }
}
