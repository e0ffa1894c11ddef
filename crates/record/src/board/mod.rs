//! Draws a view: [`svg`] for the web, [`png`](png()) for mails. Pure: converts a [`Picture`] to text or bytes.
//!
//! The rule set decides what a position looks like (`rules::picture`); this module adds colours and a file format.

mod draw;
mod film;
mod fingerprint;
mod fonts;
mod palette;
mod png;
mod indexed_canvas;
mod glyph_cache;
mod svg;
#[cfg(test)]
mod tests;

pub use film::{MAX_FILM_BYTES, film};
pub use fingerprint::fingerprint;
pub use png::{MAX_HEIGHT_PX, MAX_WIDTH_PX, MIN_WIDTH_PX, PngError, png};
pub use svg::{dark_colours, shapes, svg};

pub use crate::rules::picture::Picture;

/// The colours of a picture.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, serde::Deserialize, utoipa::ToSchema)]
#[serde(rename_all = "snake_case")]
#[schema(as = ThemeName)]
pub enum Theme {
    /// As the reader's system asks for; a PNG is light.
    #[default]
    Auto,
    Light,
    Dark,
}
