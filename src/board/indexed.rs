//! Converts pixels to colour numbers: a third of the bytes, and a file of half the size. Boards have a few flat colours and
//! many mixtures at edges; the rarest mixtures become the nearest colour that is left.

use std::collections::BTreeMap;

use resvg::tiny_skia::{Pixmap, PremultipliedColorU8};

/// The most colours that a palette holds.
const MAX_COLOURS: usize = 256;

/// Pictures with more colours than this are not boards and would lose too much.
const MAX_MIXTURES: usize = 4096;

/// The number of recent colours that are remembered, by the lowest bits of their mixture.
const KNOWN: usize = 4096;

/// A picture as colour numbers.
pub struct Indexed {
    /// Red, green and blue of each colour.
    pub palette: Vec<u8>,
    /// One number for each pixel.
    pub pixels: Vec<u8>,
}

/// The picture as colour numbers; `None` if it has too many colours.
pub fn indexed(picture: &Pixmap) -> Option<Indexed> {
    let (colours, numbers) = count(picture.pixels())?;
    let mut by_use: Vec<usize> = (0..colours.len()).collect();
    by_use.sort_by_key(|number| std::cmp::Reverse(colours[*number].uses));
    let kept = &by_use[..by_use.len().min(MAX_COLOURS)];
    let places: Vec<u8> = (0u8..=u8::MAX).take(kept.len()).collect();
    let nearest = |colour: u32| {
        let of_each = kept.iter().zip(&places);
        let (_, place) = of_each.min_by_key(|(number, _)| distance(colours[**number].colour, colour))?;
        Some(*place)
    };
    let mut place_of = vec![0; colours.len()];
    for (number, colour) in colours.iter().enumerate() {
        place_of[number] = nearest(colour.colour)?;
    }
    let palette = kept.iter().flat_map(|number| channels(colours[*number].colour)).collect();
    Some(Indexed {
        palette,
        pixels: numbers.into_iter().map(|number| place_of[usize::from(number)]).collect(),
    })
}

#[derive(Clone, Copy)]
struct Colour {
    colour: u32,
    uses: u32,
}

/// All colours with their numbers of uses, and each pixel's colour number.
fn count(pixels: &[PremultipliedColorU8]) -> Option<(Vec<Colour>, Vec<u16>)> {
    let mut colours: Vec<Colour> = Vec::new();
    let mut numbers = Vec::with_capacity(pixels.len());
    let mut all: BTreeMap<u32, u16> = BTreeMap::new();
    let mut known = vec![(u32::MAX, 0u16); KNOWN];
    let mut last = (u32::MAX, 0u16);
    for pixel in pixels {
        let colour = u32::from_be_bytes([0, pixel.red(), pixel.green(), pixel.blue()]);
        // Most pixels equal the one before.
        if colour == last.0 {
            colours[usize::from(last.1)].uses += 1;
            numbers.push(last.1);
            continue;
        }
        let slot = &mut known[(colour ^ (colour >> 9)) as usize % KNOWN];
        if slot.0 != colour {
            let next = u16::try_from(colours.len()).ok().filter(|next| usize::from(*next) < MAX_MIXTURES)?;
            let number = *all.entry(colour).or_insert(next);
            if number == next {
                colours.push(Colour { colour, uses: 0 });
            }
            *slot = (colour, number);
        }
        last = *slot;
        colours[usize::from(last.1)].uses += 1;
        numbers.push(last.1);
    }
    Some((colours, numbers))
}

fn channels(colour: u32) -> [u8; 3] {
    let [_, red, green, blue] = colour.to_be_bytes();
    [red, green, blue]
}

/// The squared distance of two colours.
fn distance(one: u32, other: u32) -> u32 {
    let pairs = channels(one).into_iter().zip(channels(other));
    pairs.map(|(one, other)| u32::from(one.abs_diff(other)).pow(2)).sum()
}

#[cfg(test)]
mod tests {
    use resvg::tiny_skia::Color;

    use super::*;

    fn picture_of(colours: impl Fn(u32) -> (u8, u8, u8)) -> Pixmap {
        let mut picture = Pixmap::new(64, 64).expect("a picture");
        for (number, pixel) in (0..).zip(picture.pixels_mut()) {
            let (red, green, blue) = colours(number);
            *pixel = Color::from_rgba8(red, green, blue, 255).premultiply().to_color_u8();
        }
        picture
    }

    fn shown(indexed: &Indexed, pixel: usize) -> &[u8] {
        indexed.palette.chunks(3).nth(indexed.pixels[pixel].into()).expect("a colour")
    }

    #[test]
    fn few_colours_are_kept_as_they_are() {
        let picture = picture_of(|number| if number % 3 == 0 { (200, 10, 30) } else { (255, 255, 250) });
        let indexed = indexed(&picture).expect("few colours");
        assert_eq!((indexed.palette.len(), indexed.pixels.len()), (6, 64 * 64));
        assert_eq!(shown(&indexed, 3), [200, 10, 30]);
        assert_eq!(shown(&indexed, 4), [255, 255, 250]);
    }

    #[test]
    fn the_rarest_mixtures_become_their_neighbours() {
        // 300 colours, of which 44 are used once.
        let picture = picture_of(|number| match number {
            0..44 => (0, 7, u8::try_from(number * 5).expect("small")),
            other => (u8::try_from(other % 256).expect("small"), 200, 0),
        });
        let indexed = indexed(&picture).expect("not so many colours");
        assert_eq!(indexed.palette.len(), 3 * 256);
        assert_eq!(shown(&indexed, 100), [100, 200, 0]);
        assert_eq!(shown(&indexed, 0)[1], 200);
    }

    #[test]
    fn a_picture_of_thousands_of_colours_stays_as_it_is() {
        let many = picture_of(|number| {
            let [_, _, high, low] = (number * 16).to_be_bytes();
            (high, low, u8::try_from(number % 256).expect("small"))
        });
        assert!(indexed(&many).is_some(), "4096 are still too few");
        let mut more = Pixmap::new(128, 64).expect("a picture");
        for (number, pixel) in (0u32..).zip(more.pixels_mut()) {
            let [_, red, green, blue] = (number * 97).to_be_bytes();
            *pixel = Color::from_rgba8(red, green, blue, 255).premultiply().to_color_u8();
        }
        assert!(indexed(&more).is_none());
    }
}
