//! A picture that is being drawn, as numbers of colours: a quarter of the bytes, and nothing is left to count when it is packed.
//! Boards have a few flat colours; where shapes end, mixtures of them are made as they are met.

use std::collections::BTreeMap;

use super::indexed::Indexed;
use super::stamp::{PARTS, Span};

/// The most colours of a picture.
const MAX_COLOURS: usize = 256;

/// How far a colour may be from the one that is taken for it when there are too many: the sum of red, green and blue.
const FAR: u16 = 24;

/// Pixels by the numbers of their colours.
pub struct Sheet {
    width: usize,
    height: usize,
    pixels: Vec<u8>,
    inks: Inks,
}

impl Sheet {
    /// An empty sheet, on which two to the power of `fineness` parts of a pixel are told apart.
    pub fn new(width: usize, height: usize, fineness: u32) -> Self {
        Self { width, height, pixels: vec![0; width * height], inks: Inks::new(fineness) }
    }

    /// The number of a colour.
    pub fn ink(&mut self, colour: [u8; 3]) -> u8 {
        self.inks.number(colour)
    }

    /// Whether there were too many colours, and one had to stand for another that is unlike it.
    pub fn is_strained(&self) -> bool {
        self.inks.strained
    }

    /// What was drawn.
    pub fn into_indexed(self) -> Indexed {
        Indexed { palette: self.inks.colours.into_flattened(), pixels: self.pixels }
    }

    /// Fills what lies between left, top, right and bottom, in parts of a pixel.
    pub fn fill(&mut self, [left, top, right, bottom]: [i32; 4], ink: u8) {
        let whole = left.div_euclid(PARTS) + i32::from(left.rem_euclid(PARTS) > 0);
        let whole = whole..right.div_euclid(PARTS).max(whole);
        for row in top.div_euclid(PARTS)..=(bottom - 1).div_euclid(PARTS) {
            let down = covered(row, top, bottom);
            self.cover(row, whole.start, whole.end, down * PARTS, ink);
            for column in [left.div_euclid(PARTS), (right - 1).div_euclid(PARTS)] {
                if !whole.contains(&column) {
                    self.cover(row, column, column + 1, down * covered(column, left, right), ink);
                }
                if left.div_euclid(PARTS) == (right - 1).div_euclid(PARTS) {
                    break;
                }
            }
        }
    }

    /// Presses a stamp on the pixel `left`, `top`.
    pub fn press(&mut self, spans: &[Span], [left, top]: [i32; 2], ink: u8) {
        for span in spans {
            let x = left + i32::from(span.x);
            // Of 256.
            let part = i32::from(span.coverage) + i32::from(span.coverage >> 7);
            self.cover(top + i32::from(span.y), x, x + i32::from(span.length), part, ink);
        }
    }

    /// Covers so much, of 256, of each pixel of a row; what is outside is cut off.
    fn cover(&mut self, row: i32, from: i32, to: i32, part: i32, ink: u8) {
        let Some(begin) = usize::try_from(row).ok().filter(|row| *row < self.height) else { return };
        let [from, to] =
            [from, to].map(|x| begin * self.width + usize::try_from(x).unwrap_or(0).min(self.width));
        let Some(pixels) = self.pixels.get_mut(from..to) else { return };
        match self.inks.rounded(part) {
            0 => {}
            WHOLE.. => pixels.fill(ink),
            part => {
                for pixel in pixels {
                    *pixel = self.inks.mixture(*pixel, ink, part);
                }
            }
        }
    }
}

/// How many parts of the pixel with that number lie between `from` and `to`.
fn covered(pixel: i32, from: i32, to: i32) -> i32 {
    to.min((pixel + 1) * PARTS) - from.max(pixel * PARTS)
}

/// What every colour becomes under another that covers a part of it; `UNKNOWN` where that was not asked yet.
type Mixtures = [u16; MAX_COLOURS];

const UNKNOWN: u16 = u16::MAX;

/// All of a pixel, and two to which power that is.
const WHOLE: u16 = 1 << WHOLE_BITS;
const WHOLE_BITS: u32 = 8;

/// The colours of a picture.
struct Inks {
    colours: Vec<[u8; 3]>,
    numbers: BTreeMap<[u8; 3], u8>,
    fineness: u32,
    /// By the colour that covers, and by how much it does.
    mixtures: Vec<Option<Box<Mixtures>>>,
    strained: bool,
}

impl Inks {
    fn new(fineness: u32) -> Self {
        let mut mixtures = Vec::new();
        mixtures.resize_with(MAX_COLOURS << fineness, || None);
        let (colours, numbers) = (Vec::with_capacity(MAX_COLOURS), BTreeMap::new());
        Self { colours, numbers, fineness, mixtures, strained: false }
    }

    /// A part of the whole as finely as is told apart.
    fn rounded(&self, part: i32) -> u16 {
        let coarse = WHOLE_BITS - self.fineness;
        let part = u16::try_from(part).unwrap_or(0);
        (part + (1 << coarse >> 1)) >> coarse << coarse
    }

    /// The number of `over` covering `part` of `under`.
    fn mixture(&mut self, under: u8, over: u8, part: u16) -> u8 {
        let table = (usize::from(over) << self.fineness) + usize::from(part >> (WHOLE_BITS - self.fineness));
        let known = self.mixtures[table].get_or_insert_with(|| Box::new([UNKNOWN; MAX_COLOURS]));
        if let Ok(known) = u8::try_from(known[usize::from(under)]) {
            return known;
        }
        let colour = |number: u8| self.colours.get(usize::from(number)).copied().unwrap_or_default();
        let number = self.number(mixed(colour(under), colour(over), part));
        if let Some(known) = &mut self.mixtures[table] {
            known[usize::from(under)] = number.into();
        }
        number
    }

    /// The number of a colour, or of the nearest one when there are too many.
    fn number(&mut self, colour: [u8; 3]) -> u8 {
        if let Some(number) = self.numbers.get(&colour) {
            return *number;
        }
        let number = match u8::try_from(self.colours.len()) {
            Ok(new) => {
                self.colours.push(colour);
                new
            }
            Err(_) => self.nearest(colour),
        };
        self.numbers.insert(colour, number);
        number
    }

    fn nearest(&mut self, colour: [u8; 3]) -> u8 {
        let distances = self.colours.iter().map(|known| distance(*known, colour));
        let nearest = (0..=u8::MAX).zip(distances).min_by_key(|(_, distance)| *distance);
        let (number, least) = nearest.unwrap_or_default();
        self.strained |= least > FAR;
        number
    }
}

fn distance(one: [u8; 3], other: [u8; 3]) -> u16 {
    one.into_iter().zip(other).map(|(one, other)| u16::from(one.abs_diff(other))).sum()
}

/// The colour of `over` covering `part`, of 256, of `under`.
fn mixed(under: [u8; 3], over: [u8; 3], part: u16) -> [u8; 3] {
    let mix = |channel: usize| {
        let sum =
            u32::from(under[channel]) * u32::from(WHOLE - part) + u32::from(over[channel]) * u32::from(part);
        u8::try_from((sum + 128) >> WHOLE_BITS).unwrap_or(u8::MAX)
    };
    [mix(0), mix(1), mix(2)]
}

#[cfg(test)]
mod tests {
    use super::*;

    const WHITE: [u8; 3] = [255; 3];
    const RED: [u8; 3] = [255, 0, 0];

    /// A white sheet of four by three pixels, and its red ink.
    fn white() -> (Sheet, u8) {
        let mut sheet = Sheet::new(4, 3, 4);
        assert_eq!(sheet.ink(WHITE), 0);
        let red = sheet.ink(RED);
        (sheet, red)
    }

    /// The green of each pixel: none where all is red.
    fn green(sheet: Sheet) -> Vec<u8> {
        let Indexed { palette, pixels } = sheet.into_indexed();
        pixels.into_iter().map(|number| palette[usize::from(number) * 3 + 1]).collect()
    }

    #[test]
    fn what_is_covered_whole_has_the_colour_and_the_rest_a_mixture() {
        let (mut sheet, red) = white();
        // From a quarter of the first column to half of the third, in the upper half of the second row.
        sheet.fill([4, PARTS, 40, PARTS + PARTS / 2], red);
        assert_eq!(green(sheet), [255, 255, 255, 255, 159, 128, 191, 255, 255, 255, 255, 255]);
    }

    #[test]
    fn a_rectangle_inside_one_pixel_covers_it_once() {
        let (mut sheet, red) = white();
        sheet.fill([4, 0, 12, PARTS], red);
        sheet.fill([PARTS, PARTS, 2 * PARTS, 2 * PARTS], red);
        assert_eq!(green(sheet), [128, 255, 255, 255, 255, 0, 255, 255, 255, 255, 255, 255]);
    }

    #[test]
    fn what_reaches_over_an_edge_is_cut_off() {
        let (mut sheet, red) = white();
        let span = |x, y, length| Span { x, y, length, coverage: 255 };
        sheet.press(
            &[span(-2, 0, 4), span(1, 1, 9), span(-9, 2, 3), span(0, 3, 4), span(0, -1, 4)],
            [1, 0],
            red,
        );
        assert_eq!(green(sheet), [0, 0, 0, 255, 255, 255, 0, 0, 255, 255, 255, 255]);
        let (mut sheet, red) = white();
        sheet.fill([-100, -100, 1000, 1000], red);
        assert_eq!(green(sheet), [0; 12]);
    }

    #[test]
    fn the_same_mixture_is_the_same_colour_however_it_is_made() {
        let (mut sheet, red) = white();
        let half = Span { x: 0, y: 0, length: 2, coverage: 128 };
        sheet.press(&[half], [0, 0], red);
        sheet.press(&[half], [0, 2], red);
        assert_eq!(sheet.inks.colours, [WHITE, RED, [255, 128, 128]]);
    }

    #[test]
    fn too_many_colours_are_noticed_once_they_are_unlike() {
        let mut sheet = Sheet::new(1, 1, 4);
        for grey in 0..=u8::MAX {
            assert_eq!(sheet.ink([grey; 3]), grey);
        }
        assert_eq!((sheet.ink([100, 101, 100]), sheet.is_strained()), (100, false));
        assert_eq!((sheet.ink([100, 140, 100]), sheet.is_strained()), (100, true));
    }
}
