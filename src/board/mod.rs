//! A view drawn: [`svg`] for the web, [`png`](png()) for mails. Pure: a [`Picture`] goes in, text or bytes come out.
//!
//! What a position looks like is for its rule set to say (`rules::picture`); here its shapes get colours and a file format.

mod draw;
mod fingerprint;
mod fonts;
mod indexed;
mod palette;
mod png;
mod indexed_canvas;
mod glyph_cache;
mod svg;
#[cfg(test)]
mod tests;

pub use fingerprint::fingerprint;
pub use png::{MAX_HEIGHT_PX, MAX_WIDTH_PX, MIN_WIDTH_PX, PngError, png};
pub use svg::svg;

pub use crate::rules::picture::Picture;

/// Which colours a picture has.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Theme {
    /// As the reader's system asks for; a PNG cannot ask and is light.
    #[default]
    Auto,
    Light,
    Dark,
}
