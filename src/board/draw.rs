//! A picture drawn straight onto pixels: its shapes are few and simple, so that to write them as SVG, read that again and shape
//! its texts takes four times as long. Text goes letter by letter here; what needs more than that is left to resvg.

use resvg::tiny_skia::{
    Color, FillRule, LineCap, LineJoin, Paint as Colouring, Path, PathBuilder, Pixmap, Rect, Stroke as Pen,
    StrokeDash, Transform,
};
use skrifa::instance::{LocationRef, Size};
use skrifa::outline::{DrawSettings, OutlinePen};
use skrifa::{FontRef, GlyphId, MetadataProvider};

use super::{Theme, palette};
use crate::rules::picture::{Anchor, Area, Paint, Picture, Point, Role, Shape, Stroke, Style, Weight};

/// How far the control points of a quarter of a circle are from its ends, as a part of its radius.
const QUARTER: f32 = 0.552_285;

/// Dashes and gaps, as in the SVG.
const DASHES: [f32; 2] = [3.0, 3.0];

/// The two weights of the shipped font.
pub struct Fonts<'a> {
    regular: FontRef<'a>,
    bold: FontRef<'a>,
}

impl<'a> Fonts<'a> {
    /// Reads both; `None` if one is no font.
    pub fn read(regular: &'a [u8], bold: &'a [u8]) -> Option<Self> {
        Some(Self { regular: FontRef::new(regular).ok()?, bold: FontRef::new(bold).ok()? })
    }

    fn of(&self, weight: Weight) -> &FontRef<'a> {
        match weight {
            Weight::Regular => &self.regular,
            Weight::Bold => &self.bold,
        }
    }

    /// The letters of a text in order; `None` where that is not how the text is written, or a letter is missing.
    fn glyphs(&self, text: &str, weight: Weight) -> Option<Vec<GlyphId>> {
        let letters = self.of(weight).charmap();
        text.chars().map(|letter| is_plain(letter).then(|| letters.map(letter)).flatten()).collect()
    }
}

/// Letters that stand one after the other, each as it is: Latin, Greek and Cyrillic without combining marks, and signs.
fn is_plain(letter: char) -> bool {
    matches!(letter, ' '..='~' | '\u{a1}'..='\u{24f}' | '\u{386}'..='\u{3ff}' | '\u{400}'..='\u{482}' | '\u{48a}'..='\u{52f}'
        | '\u{2010}'..='\u{2027}' | '\u{2190}'..='\u{21ff}' | '\u{2200}'..='\u{22ff}' | '\u{25a0}'..='\u{26ff}')
}

/// Draws `picture`; false, with nothing drawn, if one of its texts needs more than letters in a row.
pub fn draw(
    picture: &Picture,
    theme: Theme,
    fonts: &Fonts<'_>,
    scale: Transform,
    pixels: &mut Pixmap,
) -> bool {
    let plain = picture.shapes.iter().all(|shape| match shape {
        Shape::Text { style, text, .. } => fonts.glyphs(text, style.weight).is_some(),
        _ => true,
    });
    if plain {
        let mut canvas = Canvas { theme, fonts, scale, pixels };
        for shape in &picture.shapes {
            canvas.shape(shape);
        }
    }
    plain
}

struct Canvas<'a> {
    theme: Theme,
    fonts: &'a Fonts<'a>,
    scale: Transform,
    pixels: &'a mut Pixmap,
}

impl Canvas<'_> {
    /// What has no extent has no path, and is not seen.
    fn shape(&mut self, shape: &Shape) {
        match shape {
            Shape::Rect { area, round, paint } => self.paint(rectangle(*area, *round), *paint, false),
            Shape::Circle { centre, radius, paint } => {
                self.paint(PathBuilder::from_circle(centre.x, centre.y, *radius), *paint, false);
            }
            Shape::Line { points, stroke } => {
                self.paint(polyline(points, false), Paint { fill: None, stroke: Some(*stroke) }, true);
            }
            Shape::Polygon { points, paint } => self.paint(polyline(points, true), *paint, false),
            Shape::Text { at, style, text } => self.text(*at, *style, text),
        }
    }

    fn paint(&mut self, path: Option<Path>, paint: Paint, round: bool) {
        let Some(path) = path else { return };
        if let Some(role) = paint.fill {
            self.pixels.fill_path(&path, &self.colour(role), FillRule::Winding, self.scale, None);
        }
        if let Some(stroke) = paint.stroke {
            self.pixels.stroke_path(&path, &self.colour(stroke.role), &pen(stroke, round), self.scale, None);
        }
    }

    fn text(&mut self, at: Point, style: Style, text: &str) {
        let Some(glyphs) = self.fonts.glyphs(text, style.weight) else { return };
        let font = self.fonts.of(style.weight);
        let (size, place) = (Size::new(style.size), LocationRef::default());
        let metrics = font.glyph_metrics(size, place);
        let advance = |glyph: &GlyphId| metrics.advance_width(*glyph).unwrap_or_default();
        let width: f32 = glyphs.iter().map(advance).sum();
        let x = match style.anchor {
            Anchor::Start => at.x,
            Anchor::Middle => at.x - width / 2.0,
            Anchor::End => at.x - width,
        };
        let outlines = font.outline_glyphs();
        let mut letters = Letters { path: PathBuilder::new(), x, y: at.y };
        for glyph in &glyphs {
            if let Some(outline) = outlines.get(*glyph) {
                // A letter that cannot be drawn leaves its room.
                let _ = outline.draw(DrawSettings::unhinted(size, place), &mut letters);
            }
            letters.x += advance(glyph);
        }
        self.paint(letters.path.finish(), crate::rules::picture::fill(style.role), false);
    }

    fn colour(&self, role: Role) -> Colouring<'static> {
        let colour = palette::colour(role);
        let text = if self.theme == Theme::Dark { colour.dark } else { colour.light };
        let mut colouring = Colouring { anti_alias: true, ..Colouring::default() };
        colouring.set_color(read_colour(text));
        colouring
    }
}

/// `#rrggbb`, as the palette has it.
fn read_colour(text: &str) -> Color {
    let part = |from: usize| text.get(from..from + 2).and_then(|digits| u8::from_str_radix(digits, 16).ok());
    let [red, green, blue] = [1, 3, 5].map(|from| part(from).unwrap_or_default());
    Color::from_rgba8(red, green, blue, u8::MAX)
}

fn pen(stroke: Stroke, round: bool) -> Pen {
    let (line_cap, line_join) =
        if round { (LineCap::Round, LineJoin::Round) } else { (LineCap::Butt, LineJoin::Miter) };
    let dash = stroke.dashed.then(|| StrokeDash::new(DASHES.into(), 0.0)).flatten();
    Pen { width: stroke.width, line_cap, line_join, dash, ..Pen::default() }
}

fn rectangle(area: Area, round: f32) -> Option<Path> {
    let Area { x, y, width, height } = area;
    let radius = round.min(width / 2.0).min(height / 2.0);
    if radius <= 0.0 {
        return Rect::from_xywh(x, y, width, height).map(PathBuilder::from_rect);
    }
    let (right, bottom, bend) = (x + width, y + height, radius * (1.0 - QUARTER));
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

fn polyline(points: &[Point], closed: bool) -> Option<Path> {
    let (first, others) = points.split_first()?;
    let mut path = PathBuilder::new();
    path.move_to(first.x, first.y);
    for point in others {
        path.line_to(point.x, point.y);
    }
    if closed {
        path.close();
    }
    path.finish()
}

/// Outlines of letters, put where they belong. In fonts y grows upwards.
struct Letters {
    path: PathBuilder,
    x: f32,
    y: f32,
}

impl OutlinePen for Letters {
    fn move_to(&mut self, x: f32, y: f32) {
        self.path.move_to(self.x + x, self.y - y);
    }

    fn line_to(&mut self, x: f32, y: f32) {
        self.path.line_to(self.x + x, self.y - y);
    }

    fn quad_to(&mut self, cx: f32, cy: f32, x: f32, y: f32) {
        self.path.quad_to(self.x + cx, self.y - cy, self.x + x, self.y - y);
    }

    fn curve_to(&mut self, ax: f32, ay: f32, bx: f32, by: f32, x: f32, y: f32) {
        self.path.cubic_to(self.x + ax, self.y - ay, self.x + bx, self.y - by, self.x + x, self.y - y);
    }

    fn close(&mut self) {
        self.path.close();
    }
}
