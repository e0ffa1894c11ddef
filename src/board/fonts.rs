//! The shipped font, by letter.

use skrifa::instance::{LocationRef, Size};
use skrifa::outline::{DrawSettings, OutlinePen};
use skrifa::{FontRef, GlyphId, MetadataProvider};

use crate::rules::picture::Weight;

/// Its two weights.
pub struct Fonts<'a> {
    regular: FontRef<'a>,
    bold: FontRef<'a>,
}

impl<'a> Fonts<'a> {
    /// Parses both; `None` if one is no font.
    pub fn read(regular: &'a [u8], bold: &'a [u8]) -> Option<Self> {
        Some(Self { regular: FontRef::new(regular).ok()?, bold: FontRef::new(bold).ok()? })
    }

    fn of(&self, weight: Weight) -> &FontRef<'a> {
        match weight {
            Weight::Regular => &self.regular,
            Weight::Bold => &self.bold,
        }
    }

    /// The glyphs of a text in order; `None` if the text needs shaping or a glyph is missing.
    pub fn glyphs(&self, text: &str, weight: Weight) -> Option<Vec<GlyphId>> {
        let letters = self.of(weight).charmap();
        text.chars().map(|letter| is_plain(letter).then(|| letters.map(letter)).flatten()).collect()
    }

    /// Each glyph's advance at that size.
    pub fn advances(&self, weight: Weight, glyphs: &[GlyphId], size: f32) -> Vec<f32> {
        let metrics = self.of(weight).glyph_metrics(Size::new(size), LocationRef::default());
        glyphs.iter().map(|glyph| metrics.advance_width(*glyph).unwrap_or_default()).collect()
    }

    /// Draws a glyph. A glyph that cannot be drawn leaves a gap.
    pub fn outline(&self, weight: Weight, glyph: GlyphId, size: f32, pen: &mut impl OutlinePen) {
        if let Some(outline) = self.of(weight).outline_glyphs().get(glyph) {
            let _ = outline.draw(DrawSettings::unhinted(Size::new(size), LocationRef::default()), pen);
        }
    }
}

/// Whether a letter needs no shaping: Latin, Greek and Cyrillic without combining marks, and symbols.
fn is_plain(letter: char) -> bool {
    matches!(letter, ' '..='~' | '\u{a1}'..='\u{24f}' | '\u{386}'..='\u{3ff}' | '\u{400}'..='\u{482}' | '\u{48a}'..='\u{52f}'
        | '\u{2010}'..='\u{2027}' | '\u{2190}'..='\u{21ff}' | '\u{2200}'..='\u{22ff}' | '\u{25a0}'..='\u{26ff}')
}
