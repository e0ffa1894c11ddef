//! A picture as colour numbers: a quarter of the bytes, and the PNG's palette is ready. Boards have a few flat colours;
//! mixtures of them are added at the edges of shapes as they occur.

use std::collections::BTreeMap;

use super::glyph_cache::{PARTS, Span};

/// The most colours of a picture.
const MAX_COLOURS: usize = 256;

/// The largest invisible error of a mixture, in levels of 255.
const UNSEEN: u16 = 12;

/// The fewest steps from one colour to another, however similar.
const MIN_STEPS: u16 = 2;

/// The most steps: as many as from black to white.
const MAX_STEPS: u16 = u8::MAX as u16 / (2 * UNSEEN) + 1;

/// The largest difference at which an existing colour replaces a mixture: the sum of red, green and blue.
const ALIKE: u16 = 8;

/// The number of colours after which [`ALIKE`] grows by one, so that there is room for all.
const COLOURS_FOR_ONE: u16 = 16;

/// A finished picture as colour numbers.
pub struct Indexed {
    /// Red, green and blue of each colour.
    pub palette: Vec<u8>,
    /// One number for each pixel.
    pub pixels: Vec<u8>,
}

/// Pixels as colour numbers.
pub struct IndexedCanvas {
    width: usize,
    height: usize,
    pixels: Vec<u8>,
    colour_table: ColourTable,
}

impl IndexedCanvas {
    /// An empty canvas in the memory of `pixels`, whatever they were.
    pub fn new(width: usize, height: usize, mut pixels: Vec<u8>) -> Self {
        pixels.clear();
        pixels.resize(width * height, 0);
        Self { width, height, pixels, colour_table: ColourTable::new() }
    }

    /// The number of a colour. All plain colours must be requested before anything is drawn, so that none is replaced by a
    /// similar one.
    pub fn colour(&mut self, colour: [u8; 3]) -> u8 {
        self.colour_table.number(colour, 0)
    }

    /// The finished picture.
    pub fn into_indexed(self) -> Indexed {
        Indexed { palette: self.colour_table.colours.into_flattened(), pixels: self.pixels }
    }

    /// Fills the rectangle of left, top, right and bottom, in parts of a pixel.
    pub fn fill(&mut self, [left, top, right, bottom]: [i32; 4], colour: u8) {
        let whole = left.div_euclid(PARTS) + i32::from(left.rem_euclid(PARTS) > 0);
        let whole = whole..right.div_euclid(PARTS).max(whole);
        for row in top.div_euclid(PARTS)..=(bottom - 1).div_euclid(PARTS) {
            let down = covered(row, top, bottom);
            self.cover(row, whole.start, whole.end, down * PARTS, colour);
            for column in [left.div_euclid(PARTS), (right - 1).div_euclid(PARTS)] {
                if !whole.contains(&column) {
                    self.cover(row, column, column + 1, down * covered(column, left, right), colour);
                }
                if left.div_euclid(PARTS) == (right - 1).div_euclid(PARTS) {
                    break;
                }
            }
        }
    }

    /// Paints the spans of a shape, whose place is the pixel `left`, `top`.
    pub fn paint(&mut self, spans: &[Span], [left, top]: [i32; 2], colour: u8) {
        for span in spans {
            let x = left + i32::from(span.x);
            // Of 256.
            let part = i32::from(span.coverage) + i32::from(span.coverage >> 7);
            self.cover(top + i32::from(span.y), x, x + i32::from(span.length), part, colour);
        }
    }

    /// Covers the pixels of a row by `part`, of 256; pixels outside are ignored.
    fn cover(&mut self, row: i32, from: i32, to: i32, part: i32, colour: u8) {
        let Some(row) = usize::try_from(row).ok().filter(|row| *row < self.height) else { return };
        let (begin, width) = (row * self.width, self.width);
        let place = |x: i32| begin + usize::try_from(x).unwrap_or(0).min(width);
        let Some(pixels) = self.pixels.get_mut(place(from)..place(to)) else { return };
        match u16::try_from(part).unwrap_or_default() {
            0 => {}
            WHOLE.. => pixels.fill(colour),
            part => {
                for pixel in pixels {
                    *pixel = self.colour_table.mixture(*pixel, colour, part);
                }
            }
        }
    }
}

/// How many parts of the pixel lie between `from` and `to`.
fn covered(pixel: i32, from: i32, to: i32) -> i32 {
    to.min((pixel + 1) * PARTS) - from.max(pixel * PARTS)
}

/// Full coverage.
const WHOLE: u16 = 256;

/// The steps from one colour to another that covers it more and more.
#[derive(Clone, Copy, Default)]
struct Ramp {
    /// Zero until the two colours have met.
    steps: u16,
    /// The colour after each number of steps; `None` until it is needed.
    numbers: [Option<u8>; MAX_STEPS as usize + 1],
}

/// The ramps from every colour to one of them.
type Ramps = [Ramp; MAX_COLOURS];

/// The colours of a picture.
struct ColourTable {
    colours: Vec<[u8; 3]>,
    numbers: BTreeMap<[u8; 3], u8>,
    /// By the covering colour.
    ramps: Vec<Option<Box<Ramps>>>,
}

impl ColourTable {
    fn new() -> Self {
        let mut ramps = Vec::new();
        ramps.resize_with(MAX_COLOURS, || None);
        Self { colours: Vec::with_capacity(MAX_COLOURS), numbers: BTreeMap::new(), ramps }
    }

    /// The number of `over` covering `part` of `under`.
    fn mixture(&mut self, under: u8, over: u8, part: u16) -> u8 {
        let ramps = &mut self.ramps[usize::from(over)];
        let ramps = ramps.get_or_insert_with(|| Box::new([Ramp::default(); MAX_COLOURS]));
        let ramp = &mut ramps[usize::from(under)];
        if ramp.steps == 0 {
            let [below, above] = [under, over].map(|number| colour(&self.colours, number));
            ramp.steps = steps(below, above);
        }
        let steps = ramp.steps;
        let step = (part * steps + WHOLE / 2) / WHOLE;
        if let Some(known) = ramp.numbers[usize::from(step)] {
            return known;
        }
        let number = self.mix(under, over, step, steps);
        if let Some(ramps) = &mut self.ramps[usize::from(over)] {
            ramps[usize::from(under)].numbers[usize::from(step)] = Some(number);
        }
        number
    }

    /// The number of the colour after `step` of `steps` from `under` to `over`.
    fn mix(&mut self, under: u8, over: u8, step: u16, steps: u16) -> u8 {
        if step == 0 {
            return under;
        }
        if step == steps {
            return over;
        }
        let [below, above] = [under, over].map(|number| colour(&self.colours, number));
        let crowd = u16::try_from(self.colours.len()).unwrap_or(u16::MAX);
        self.number(mixed(below, above, step, steps), ALIKE + crowd / COLOURS_FOR_ONE)
    }

    /// The number of a colour: of an existing one at most `alike` away, or of a new one; of the nearest if there is no room.
    fn number(&mut self, colour: [u8; 3], alike: u16) -> u8 {
        if let Some(number) = self.numbers.get(&colour) {
            return *number;
        }
        let (nearest, far) = self.nearest(colour);
        let number = match u8::try_from(self.colours.len()) {
            Ok(new) if far > alike => {
                self.colours.push(colour);
                new
            }
            _ => nearest,
        };
        self.numbers.insert(colour, number);
        number
    }

    /// The number of the nearest colour, and its distance.
    fn nearest(&self, colour: [u8; 3]) -> (u8, u16) {
        let mut nearest = (0, u16::MAX);
        for (number, known) in (0..=u8::MAX).zip(&self.colours) {
            let far = distance(*known, colour);
            if far < nearest.1 {
                nearest = (number, far);
            }
        }
        nearest
    }
}

fn colour(colours: &[[u8; 3]], number: u8) -> [u8; 3] {
    colours.get(usize::from(number)).copied().unwrap_or_default()
}

/// The number of steps between two colours: more for larger differences. Rounding errs by half a step at most.
fn steps(under: [u8; 3], over: [u8; 3]) -> u16 {
    let apart = under.into_iter().zip(over).map(|(one, other)| u16::from(one.abs_diff(other))).max();
    (apart.unwrap_or_default() / (2 * UNSEEN) + 1).max(MIN_STEPS)
}

fn distance(one: [u8; 3], other: [u8; 3]) -> u16 {
    // Without iterators, which are not inlined everywhere: this is asked for every colour of a picture.
    let apart = |channel: usize| u16::from(one[channel].abs_diff(other[channel]));
    apart(0) + apart(1) + apart(2)
}

/// The colour after `step` of `steps` from `under` to `over`.
fn mixed(under: [u8; 3], over: [u8; 3], step: u16, steps: u16) -> [u8; 3] {
    let mix = |channel: usize| {
        let sum = u16::from(under[channel]) * (steps - step) + u16::from(over[channel]) * step;
        u8::try_from((sum + steps / 2) / steps).unwrap_or(u8::MAX)
    };
    [mix(0), mix(1), mix(2)]
}

#[cfg(test)]
mod tests {
    use super::*;

    const WHITE: [u8; 3] = [255; 3];
    const RED: [u8; 3] = [255, 0, 0];

    /// A white canvas of four by three pixels, and its red colour.
    fn white() -> (IndexedCanvas, u8) {
        let mut canvas = IndexedCanvas::new(4, 3, vec![7; 20]);
        assert_eq!(canvas.colour(WHITE), 0);
        let red = canvas.colour(RED);
        (canvas, red)
    }

    /// The green of each pixel: none where all is red.
    fn green(canvas: IndexedCanvas) -> Vec<u8> {
        let Indexed { palette, pixels } = canvas.into_indexed();
        pixels.into_iter().map(|number| palette[usize::from(number) * 3 + 1]).collect()
    }

    #[test]
    fn what_is_covered_whole_has_the_colour_and_the_rest_a_mixture() {
        let (mut canvas, red) = white();
        // From a quarter of the first column to half of the third, in the upper half of the second row.
        canvas.fill([4, PARTS, 40, PARTS + PARTS / 2], red);
        assert_eq!(green(canvas), [255, 255, 255, 255, 162, 116, 185, 255, 255, 255, 255, 255]);
    }

    #[test]
    fn a_rectangle_inside_one_pixel_covers_it_once() {
        let (mut canvas, red) = white();
        canvas.fill([4, 0, 12, PARTS], red);
        canvas.fill([PARTS, PARTS, 2 * PARTS, 2 * PARTS], red);
        assert_eq!(green(canvas), [116, 255, 255, 255, 255, 0, 255, 255, 255, 255, 255, 255]);
    }

    #[test]
    fn what_reaches_over_an_edge_is_cut_off() {
        let (mut canvas, red) = white();
        let span = |x, y, length| Span { x, y, length, coverage: 255 };
        canvas.paint(
            &[span(-2, 0, 4), span(1, 1, 9), span(-9, 2, 3), span(0, 3, 4), span(0, -1, 4)],
            [1, 0],
            red,
        );
        assert_eq!(green(canvas), [0, 0, 0, 255, 255, 255, 0, 0, 255, 255, 255, 255]);
        let (mut canvas, red) = white();
        canvas.fill([-100, -100, 1000, 1000], red);
        assert_eq!(green(canvas), [0; 12]);
    }

    #[test]
    fn the_same_mixture_is_the_same_colour_however_it_is_made() {
        let (mut canvas, red) = white();
        let half = Span { x: 0, y: 0, length: 2, coverage: 128 };
        canvas.paint(&[half], [0, 0], red);
        canvas.paint(&[half], [0, 2], red);
        assert_eq!(canvas.colour_table.colours, [WHITE, RED, [255, 116, 116]]);
    }

    #[test]
    fn the_more_two_colours_differ_the_more_steps_lie_between_them() {
        for (over, between) in [([244; 3], 1), ([165; 3], 3), ([55; 3], 8), ([0; 3], 10)] {
            let mut colours = ColourTable::new();
            let [first, last] = [WHITE, over].map(|colour| colours.number(colour, 0));
            for part in 0..=WHOLE {
                let is = colours.mixture(first, last, part);
                let is = colours.colours[usize::from(is)][0];
                let exact = (255 * (WHOLE - part) + u16::from(over[0]) * part) / WHOLE;
                assert!(exact.abs_diff(is.into()) <= UNSEEN, "{is}, not {exact}");
            }
            assert_eq!(colours.colours.len(), 2 + between);
        }
    }

    #[test]
    fn where_there_is_no_room_the_nearest_colour_is_taken() {
        let mut canvas = IndexedCanvas::new(1, 1, Vec::new());
        for grey in 0..=u8::MAX {
            assert_eq!(canvas.colour([grey; 3]), grey);
        }
        assert_eq!([[100, 101, 100], [100, 140, 100]].map(|colour| canvas.colour(colour)), [100; 2]);
    }
}
