//! Draws a picture as PNG, with the fonts that the project ships.

use std::cell::RefCell;
use std::io;

use flate2::{Compress, Compression, FlushCompress, Status};
use png::chunk::IDAT;
use png::{ColorType, Encoder};
use tiny_skia::Transform;

use super::Theme;
use super::draw::draw;
use super::indexed_canvas::{Indexed, IndexedCanvas};
use crate::rules::picture::{Picture, WIDTH};

/// The least width of a picture.
pub const MIN_WIDTH_PX: u32 = 64;
/// The greatest width of a picture.
pub const MAX_WIDTH_PX: u32 = 2048;
/// The greatest height of a picture; every game needs less than twice its width.
pub const MAX_HEIGHT_PX: u32 = 2 * MAX_WIDTH_PX;

/// The compression level. Level 4 takes twice as long, the longest part of a drawing, for 7 % fewer bytes.
const PACKING: u32 = 2;

/// The most bytes that a thread keeps from one drawing to the next, for pixels and for the file; boards in mails need less.
const MAX_KEPT_BYTES: usize = 2 << 20;

/// Why there is no PNG.
#[derive(Debug, thiserror::Error)]
pub enum PngError {
    #[error("a picture is {MIN_WIDTH_PX} to {MAX_WIDTH_PX} pixels wide, not {0}")]
    Width(u32),
    #[error("a picture is 1 to {MAX_HEIGHT_PX} pixels high, not {0}")]
    Height(u32),
    #[error("the picture cannot be encoded: {0}")]
    Encoding(#[from] png::EncodingError),
}

/// The picture, `width_px` pixels wide, as a PNG file.
///
/// # Errors
/// [`PngError::Width`] if the width is out of bounds; the rule sets' own pictures can always be drawn.
pub fn png(picture: &Picture, width_px: u32, theme: Theme) -> Result<Vec<u8>, PngError> {
    let (drawn, height_px) = indexed(picture, width_px, theme)?;
    Ok(encode(drawn, width_px, height_px)?)
}

/// The picture's pixels in red, green and blue, with its width and height in pixels.
///
/// # Errors
/// As [`png()`].
pub(super) fn rgb(
    picture: &Picture,
    width_px: u32,
    theme: Theme,
) -> Result<(Vec<u8>, usize, usize), PngError> {
    let (Indexed { palette, pixels }, height_px) = indexed(picture, width_px, theme)?;
    let [width, height] = [width_px, height_px].map(|px| usize::try_from(px).unwrap_or(usize::MAX));
    let colours: Vec<&[u8]> = palette.chunks_exact(3).collect();
    let mut channels = Vec::with_capacity(pixels.len() * 3);
    for pixel in pixels {
        channels.extend_from_slice(colours.get(usize::from(pixel)).copied().unwrap_or(&[0, 0, 0]));
    }
    Ok((channels, width, height))
}

/// The picture as colour numbers, and its height in pixels.
fn indexed(picture: &Picture, width_px: u32, theme: Theme) -> Result<(Indexed, u32), PngError> {
    if !(MIN_WIDTH_PX..=MAX_WIDTH_PX).contains(&width_px) {
        return Err(PngError::Width(width_px));
    }
    let (scale, height_px) = scaled(picture, width_px);
    if !(1..=MAX_HEIGHT_PX).contains(&height_px) {
        return Err(PngError::Height(height_px));
    }
    let theme = if theme == Theme::Auto { Theme::Light } else { theme };
    let [width, height] = [width_px, height_px].map(|px| usize::try_from(px).unwrap_or(usize::MAX));
    let pixels = BUFFERS.with_borrow_mut(|buffers| std::mem::take(&mut buffers.pixels));
    let mut canvas = IndexedCanvas::new(width, height, pixels);
    draw(picture, theme, scale, &mut canvas);
    Ok((canvas.into_indexed(), height_px))
}

/// The transform from units to pixels, and the height in pixels. The height is stretched to whole pixels, so that no row is
/// half covered.
#[expect(
    clippy::cast_precision_loss,
    clippy::cast_possible_truncation,
    clippy::cast_sign_loss,
    reason = "widths are small, and a float that fits no integer becomes the nearest that does"
)]
fn scaled(picture: &Picture, width_px: u32) -> (Transform, u32) {
    let scale = width_px as f32 / WIDTH;
    let height_px = (picture.height * scale).round() as u32;
    (Transform::from_scale(scale, height_px as f32 / picture.height), height_px)
}

/// What a thread keeps for its next drawing, because new memory costs as much time as a third of a drawing.
struct Buffers {
    pixels: Vec<u8>,
    /// The rows as they are compressed, each with its filter.
    rows: Vec<u8>,
    packed: Vec<u8>,
    compressor: Compress,
}

thread_local! {
    static BUFFERS: RefCell<Buffers> = RefCell::new(Buffers {
        pixels: Vec::new(),
        rows: Vec::new(),
        packed: Vec::new(),
        compressor: Compress::new(Compression::new(PACKING), true),
    });
}

impl Buffers {
    /// Compresses rows of `row_bytes` without filters, which enlarge flat colours.
    fn pack(&mut self, pixels: &[u8], row_bytes: usize) -> io::Result<&[u8]> {
        self.rows.clear();
        for row in pixels.chunks_exact(row_bytes) {
            self.rows.push(NO_FILTER);
            self.rows.extend_from_slice(row);
        }
        self.packed.clear();
        self.compressor.reset();
        loop {
            let read = usize::try_from(self.compressor.total_in()).map_err(io::Error::other)?;
            let rest = self.rows.get(read..).unwrap_or_default();
            self.packed.reserve(rest.len() / 8 + MIN_WIDTH_PX as usize);
            let packed = self.compressor.compress_vec(rest, &mut self.packed, FlushCompress::Finish);
            if packed.map_err(io::Error::other)? == Status::StreamEnd {
                return Ok(&self.packed);
            }
        }
    }

    /// Puts the pixels of a finished drawing back, and lets go of what a large one needed.
    fn keep(&mut self, pixels: Vec<u8>) {
        self.pixels = pixels;
        for kept in [&mut self.pixels, &mut self.rows, &mut self.packed] {
            if kept.capacity() > MAX_KEPT_BYTES {
                *kept = Vec::new();
            }
        }
    }
}

/// The filter of each row (PNG specification, 9.2).
const NO_FILTER: u8 = 0;

fn encode(
    Indexed { palette, pixels }: Indexed,
    width_px: u32,
    height_px: u32,
) -> Result<Vec<u8>, png::EncodingError> {
    let mut bytes = Vec::new();
    let mut encoder = Encoder::new(&mut bytes, width_px, height_px);
    encoder.set_color(ColorType::Indexed);
    encoder.set_palette(palette);
    let mut writer = encoder.write_header()?;
    let row_bytes = usize::try_from(width_px).unwrap_or(usize::MAX);
    BUFFERS.with_borrow_mut(|buffers| {
        let packed = buffers.pack(&pixels, row_bytes).map(|packed| writer.write_chunk(IDAT, packed));
        buffers.keep(pixels);
        packed
    })??;
    writer.finish()?;
    Ok(bytes)
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use rand_chacha::ChaCha8Rng;
    use rand_core::{Rng, SeedableRng};
    use resvg::usvg::fontdb::{Database, Source};
    use resvg::usvg::{Options, Tree};
    use serde_json::json;
    use tiny_skia::Pixmap;

    use super::super::{fonts, svg};
    use super::*;
    use crate::rules::picture::{Area, Role, at, edge, fill, text};
    use crate::rules::{self, Captions, Chance, Choose, RuleSet, Seat, Step, Viewer};
    use crate::voice::Wording;

    /// Red, green and blue of all pixels, drawn by resvg from the SVG.
    fn drawn_from_svg(picture: &Picture, theme: Theme) -> Vec<u8> {
        let mut fonts = Database::new();
        for bytes in fonts::FILES {
            fonts.load_font_source(Source::Binary(Arc::new(bytes)));
        }
        let options =
            Options { fontdb: Arc::new(fonts), font_family: "Open Sans".to_owned(), ..Options::default() };
        let tree = Tree::from_str(&svg(picture, theme), &options).expect("an SVG");
        let (scale, height_px) = scaled(picture, 640);
        let mut pixels = Pixmap::new(640, height_px).expect("a size");
        resvg::render(&tree, scale, &mut pixels.as_mut());
        pixels.pixels().iter().flat_map(|pixel| [pixel.red(), pixel.green(), pixel.blue()]).collect()
    }

    /// The part of all colour values by which our drawing differs from the one of the SVG.
    fn difference_from_svg(picture: &Picture, theme: Theme) -> f64 {
        let (straight, ..) = rgb(picture, 640, theme).expect("a picture");
        difference(&straight, &drawn_from_svg(picture, theme))
    }

    /// The number of levels that a colour value may differ without being counted: mixtures and places are rounded.
    const UNSEEN: u8 = 12;

    /// The part of all colour values that differ by more than that.
    fn difference(one: &[u8], other: &[u8]) -> f64 {
        let pairs = one.iter().zip(other);
        let count =
            u32::try_from(pairs.clone().filter(|(one, other)| one.abs_diff(**other) > UNSEEN).count());
        f64::from(count.expect("few pixels")) / f64::from(u32::try_from(one.len()).expect("few pixels"))
    }

    #[test]
    fn what_is_drawn_straight_looks_like_the_svg() {
        let mut picture = Picture::new("a".into(), "b".into(), 160.0);
        picture.rect(Area::new(10.0, 10.0, 80.0, 40.0), 8.0, fill(Role::Panel).with_edge(Role::Ink, 2.0));
        picture.rect(Area::new(100.0, 10.0, 80.0, 40.0), 0.0, edge(Role::Grid, 1.5).dashed());
        picture.circle(at(230.0, 30.0), 20.0, fill(Role::Highlight).with_edge(Role::Ink, 1.0));
        picture.arrow(at(20.0, 70.0), at(300.0, 80.0), Role::Highlight, 3.0);
        picture.polygon([at(20.0, 90.0), at(60.0, 90.0), at(40.0, 120.0)], fill(Role::DarkPiece));
        picture.text(at(80.0, 110.0), text(14.0), "Ann moves to b3");
        picture.label(at(200.0, 130.0), text(12.0).bold().middle().role(Role::Muted), "12 × 3 — größer");
        picture.text(at(310.0, 150.0), text(10.0).end(), "Ζωή, Жанна");
        for theme in [Theme::Light, Theme::Dark] {
            let difference = difference_from_svg(&picture, theme);
            assert!(difference < 0.01, "{theme:?}: {difference}");
        }
    }

    /// Boards have more letters, which are placed at quarters of a pixel.
    const MAX_ON_BOARDS: f64 = 0.015;

    /// Random actions before a board is drawn.
    const ACTIONS: usize = 12;

    /// A board of the rule set, as somebody with a seat sees it.
    fn board(rules: &dyn RuleSet) -> Picture {
        let mut source = ChaCha8Rng::seed_from_u64(7);
        let mut dice = ChaCha8Rng::seed_from_u64(8);
        let mut words = move || dice.next_u32();
        let options = rules.complete_options(&json!({})).expect("defaults are possible");
        let seats = *rules.seats(&options).expect("good options").end();
        let mut below = |count: usize| source.next_u32() as usize % count;
        let mut step = Step::new(Chance::Drawn(&mut words));
        let mut position = rules.start(&options, seats, &mut step).expect("chance");
        let mut last = step.finish().effects;
        for _ in 0..ACTIONS {
            let Some(seat) = position.to_act() else { break };
            let mut legal = position.legal();
            let offer = legal.swap_remove(below(legal.len()));
            let choice: Result<Choose, _> = serde_json::from_value(offer.clone());
            let action = choice.map_or(offer, |choice| choice.action(&mut below));
            let mut step = Step::new(Chance::Drawn(&mut words));
            position.act(seat, &action, &mut step).expect("listed");
            last = step.finish().effects;
        }
        let names: Vec<String> = (0..seats).map(|seat| format!("player-{seat}")).collect();
        position.picture(Viewer::Seat(Seat(0)), &Captions::new(&names, &Wording::English), &last)
    }

    #[test]
    fn boards_drawn_straight_look_like_the_svg() {
        for rules in rules::all() {
            let picture = board(rules);
            for theme in [Theme::Light, Theme::Dark] {
                let difference = difference_from_svg(&picture, theme);
                assert!(difference < MAX_ON_BOARDS, "{} {theme:?}: {difference}", rules.name());
            }
        }
    }

    #[test]
    fn letters_that_the_font_lacks_are_drawn_as_its_sign_for_them() {
        let drawn = |words: &str| {
            let mut picture = Picture::new("a".into(), "b".into(), 20.0);
            picture.text(at(5.0, 15.0), text(10.0), words);
            png(&picture, 320, Theme::Light).expect("a picture")
        };
        assert_ne!(drawn("\u{4e2d}"), drawn(" "));
        assert_eq!(drawn("\u{4e2d}"), drawn("\u{627}"));
        assert_eq!(drawn("e\u{301}"), drawn("\u{e9}"), "an accent is a part of its letter");
    }
}
