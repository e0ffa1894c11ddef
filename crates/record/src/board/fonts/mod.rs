//! The shipped font, by letter. Letters stand side by side, each as wide as the font says: no script that must be shaped is drawn.

use std::sync::LazyLock;

use ttf_parser::{Face, GlyphId, OutlineBuilder};
use unicode_normalization::UnicodeNormalization;

use crate::rules::picture::Weight;

/// The files of the regular and the bold weight.
pub(super) static FILES: [&[u8]; 2] =
    [include_bytes!("OpenSans-Regular.ttf"), include_bytes!("OpenSans-Bold.ttf")];

static FONTS: LazyLock<Fonts> = LazyLock::new(|| {
    let [regular, bold] = FILES.map(|bytes| Face::parse(bytes, 0).expect("the shipped fonts can be read"));
    Fonts { regular, bold }
});

/// Its two weights.
pub struct Fonts {
    regular: Face<'static>,
    bold: Face<'static>,
}

impl Fonts {
    /// The fonts, which are parsed once.
    ///
    /// # Panics
    /// Never: they are part of the program, and tests draw with them.
    pub fn shipped() -> &'static Self {
        &FONTS
    }

    fn of(&self, weight: Weight) -> &Face<'static> {
        match weight {
            Weight::Regular => &self.regular,
            Weight::Bold => &self.bold,
        }
    }

    /// The glyphs of a text in order, accents composed with their letters; the font's sign for a missing glyph (glyph 0) where it has none.
    pub fn glyphs(&self, text: &str, weight: Weight) -> Vec<GlyphId> {
        let face = self.of(weight);
        text.nfc().map(|letter| face.glyph_index(letter).unwrap_or_default()).collect()
    }

    /// Each glyph's advance at that size.
    pub fn advances(&self, weight: Weight, glyphs: &[GlyphId], size: f32) -> Vec<f32> {
        let (face, scale) = (self.of(weight), self.scale(weight, size));
        let advance = |glyph: &GlyphId| f32::from(face.glyph_hor_advance(*glyph).unwrap_or_default()) * scale;
        glyphs.iter().map(advance).collect()
    }

    /// Draws a glyph in the font's units, of which one is [`Fonts::scale`] long. A glyph without an outline leaves a gap.
    pub fn outline(&self, weight: Weight, glyph: GlyphId, pen: &mut impl OutlineBuilder) {
        let _ = self.of(weight).outline_glyph(glyph, pen);
    }

    /// The length of one of the font's units at that size.
    pub fn scale(&self, weight: Weight, size: f32) -> f32 {
        size / f32::from(self.of(weight).units_per_em())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::voice::Wording;

    #[test]
    fn the_font_has_every_letter_of_the_texts_in_all_languages() {
        for (_, text) in Wording::ALL.into_iter().flat_map(Wording::files) {
            for letter in text.nfc().filter(|letter| letter.is_alphanumeric()) {
                for face in [&FONTS.regular, &FONTS.bold] {
                    assert!(face.glyph_index(letter).is_some(), "{letter:?}");
                }
            }
        }
    }
}
