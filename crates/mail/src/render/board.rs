//! Lays out the text board in HTML: drawings as large as the screen allows, sentences at a readable size. A drawing that is wider
//! than a telephone at the smallest size is moved sideways in its box.

use minijinja::context;
use minijinja::value::Value;

/// The width of a drawing in pixels: on a wide screen, on a phone.
const WIDTH_PX: (f64, f64) = (500.0, 270.0);

/// The font sizes of a drawing in pixels: the smallest readable one, and the largest.
const LETTER_PX: (f64, f64) = (12.0, 15.0);

/// The font size of sentences in pixels.
const SENTENCE_PX: f64 = 13.0;

/// The width of a fixed-width letter as a part of its size: 0.602 in the widest of the usual fonts.
const LETTER_WIDTH: f64 = 0.603;

/// A part of the board between blank lines.
#[derive(Clone, Debug, PartialEq)]
pub struct Block {
    text: String,
    /// A drawing keeps its lines; sentences may be wrapped.
    drawn: bool,
    px: f64,
    /// The font size on a phone.
    narrow_px: f64,
}

impl From<Block> for Value {
    fn from(block: Block) -> Self {
        let Block { text, drawn, px, narrow_px } = block;
        context! { text, drawn, px, narrow_px }
    }
}

/// The blocks of a board.
pub fn blocks(board: &str) -> Vec<Block> {
    let lines: Vec<_> = board.lines().map(str::trim_end).collect();
    lines.split(|line| line.is_empty()).filter(|lines| !lines.is_empty()).map(block).collect()
}

/// The blocks of a board without the drawings that are wider than a telephone. Text in place of a picture breaks its lines, which
/// nobody could follow in a drawing.
pub fn narrow(board: &str) -> String {
    let fits = |block: &Block| {
        let columns = block.text.lines().map(|line| line.chars().count()).max().unwrap_or_default();
        !block.drawn || width_px(columns, block.narrow_px) <= WIDTH_PX.1
    };
    let fitting: Vec<String> = blocks(board).into_iter().filter(fits).map(|block| block.text).collect();
    fitting.join("\n\n")
}

/// The width of so many letters of a size.
fn width_px(columns: usize, letter_px: f64) -> f64 {
    f64::from(u16::try_from(columns).unwrap_or(u16::MAX)) * LETTER_WIDTH * letter_px
}

fn block(lines: &[&str]) -> Block {
    let drawn = lines.iter().any(|line| line.trim().contains("  ") || line.contains("--"));
    let columns = lines.iter().map(|line| line.chars().count()).max().unwrap_or_default();
    let px = |width| if drawn { letter_px(columns, width) } else { SENTENCE_PX };
    Block { text: lines.join("\n"), drawn, px: px(WIDTH_PX.0), narrow_px: px(WIDTH_PX.1) }
}

/// The largest font size at which this many columns fit into `width` pixels.
fn letter_px(columns: usize, width: f64) -> f64 {
    let columns = f64::from(u16::try_from(columns).unwrap_or(u16::MAX));
    (width / columns / LETTER_WIDTH).floor().clamp(LETTER_PX.0, LETTER_PX.1)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn drawings_are_sized_to_the_screen_and_sentences_are_not() {
        let wide = "+-----".repeat(12);
        let board = format!("   a   b\n 1 .   x\n\nalice: 3 points\nbob: no points\n\n{wide}\n");
        let blocks = blocks(&board);
        let shown: Vec<_> = blocks.iter().map(|block| (block.drawn, block.px, block.narrow_px)).collect();
        assert_eq!(shown, [(true, 15.0, 15.0), (false, 13.0, 13.0), (true, 12.0, 12.0)]);
        assert_eq!(narrow(&board), "   a   b\n 1 .   x\n\nalice: 3 points\nbob: no points");
        assert_eq!(blocks[0].text, "   a   b\n 1 .   x");
        assert_eq!(blocks[1].text, "alice: 3 points\nbob: no points");
    }
}
