//! A picture as PNG, drawn by resvg with the fonts that are shipped with the project.

use std::sync::{Arc, OnceLock};

use png::{ColorType, Compression, Encoder, Filter};
use resvg::tiny_skia::{Pixmap, Transform};
use resvg::usvg::fontdb::{Database, Source};
use resvg::usvg::{Options, Tree};

use super::indexed::{Indexed, indexed};
use super::{Theme, svg};
use crate::rules::picture::{Picture, WIDTH};

/// The narrowest picture that is drawn.
pub const MIN_WIDTH_PX: u32 = 64;
/// The widest picture that is drawn.
pub const MAX_WIDTH_PX: u32 = 2048;
/// The highest picture that is drawn; every game needs less than twice its width.
pub const MAX_HEIGHT_PX: u32 = 2 * MAX_WIDTH_PX;

const FONT_FAMILY: &str = "Open Sans";
static REGULAR: &[u8] = include_bytes!("fonts/OpenSans-Regular.ttf");
static BOLD: &[u8] = include_bytes!("fonts/OpenSans-Bold.ttf");

/// Why there is no PNG.
#[derive(Debug, thiserror::Error)]
pub enum PngError {
    #[error("a picture is {MIN_WIDTH_PX} to {MAX_WIDTH_PX} pixels wide, not {0}")]
    Width(u32),
    #[error("a picture is 1 to {MAX_HEIGHT_PX} pixels high, not {0}")]
    Height(u32),
    #[error("the picture cannot be drawn: {0}")]
    Drawing(#[from] resvg::usvg::Error),
    #[error("the picture cannot be encoded: {0}")]
    Encoding(#[from] png::EncodingError),
}

/// The picture, `width_px` pixels wide, as the bytes of a PNG.
///
/// # Errors
/// [`PngError::Width`] when the width is out of bounds; the pictures of the rule sets themselves can always be drawn.
pub fn png(picture: &Picture, width_px: u32, theme: Theme) -> Result<Vec<u8>, PngError> {
    if !(MIN_WIDTH_PX..=MAX_WIDTH_PX).contains(&width_px) {
        return Err(PngError::Width(width_px));
    }
    let (transform, height_px) = scaled(picture, width_px);
    let too_high = PngError::Height(height_px);
    let pixels = (height_px <= MAX_HEIGHT_PX).then(|| Pixmap::new(width_px, height_px)).flatten();
    let mut pixels = pixels.ok_or(too_high)?;
    let theme = if theme == Theme::Auto { Theme::Light } else { theme };
    let options = Options { fontdb: fonts(), font_family: FONT_FAMILY.to_owned(), ..Options::default() };
    let tree = Tree::from_str(&svg(picture, theme), &options)?;
    resvg::render(&tree, transform, &mut pixels.as_mut());
    Ok(encode(&pixels)?)
}

/// How units become pixels, and the height in pixels. The height is stretched to whole pixels, so that no row is half covered.
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

/// Without transparency, since the ground covers everything, and without filters, which make flat colours larger.
fn encode(pixels: &Pixmap) -> Result<Vec<u8>, png::EncodingError> {
    let mut bytes = Vec::new();
    let mut encoder = Encoder::new(&mut bytes, pixels.width(), pixels.height());
    let colours = if let Some(Indexed { palette, pixels }) = indexed(pixels) {
        encoder.set_color(ColorType::Indexed);
        encoder.set_palette(palette);
        pixels
    } else {
        encoder.set_color(ColorType::Rgb);
        pixels.pixels().iter().flat_map(|pixel| [pixel.red(), pixel.green(), pixel.blue()]).collect()
    };
    encoder.set_compression(Compression::Balanced);
    encoder.set_filter(Filter::NoFilter);
    encoder.write_header()?.write_image_data(&colours)?;
    Ok(bytes)
}

/// The font without its table of kerned pairs, whose name in the directory is spoilt: half of the file, which would be read anew for
/// each piece of text, for names and numbers in which nobody sees it.
fn without_kerning(font: &[u8]) -> Vec<u8> {
    let mut font = font.to_vec();
    let tables = font.get(4..6).map_or(0, |count| usize::from(u16::from_be_bytes([count[0], count[1]])));
    for entry in font.get_mut(12..12 + 16 * tables).into_iter().flat_map(|all| all.chunks_exact_mut(16)) {
        if entry.starts_with(b"kern") {
            // Tables are in the order of their names.
            entry[3] = b'o';
        }
    }
    font
}

/// The shipped fonts, read once.
fn fonts() -> Arc<Database> {
    static FONTS: OnceLock<Arc<Database>> = OnceLock::new();
    let read = || {
        let mut fonts = Database::new();
        for bytes in [REGULAR, BOLD] {
            fonts.load_font_source(Source::Binary(Arc::new(without_kerning(bytes))));
        }
        fonts.set_sans_serif_family(FONT_FAMILY);
        Arc::new(fonts)
    };
    Arc::clone(FONTS.get_or_init(read))
}
