//! Writes pictures one after the other as an animated PNG. Each frame holds only the part that differs from the one before.

use std::time::Duration;

use png::{BitDepth, BlendOp, ColorType, DeflateCompression, DisposeOp, Encoder, Filter};

use super::Theme;
use super::png::{PngError, rgb};
use crate::rules::picture::Picture;

/// The most bytes of a film; later frames are left out.
pub const MAX_FILM_BYTES: usize = 6 << 20;

const CHANNELS: usize = 3;

/// How long each frame is shown.
const FRAME: Duration = Duration::from_millis(900);

/// How long the last frame is shown.
const LAST_FRAME: Duration = Duration::from_secs(4);

/// A part of the film's pixels.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Rectangle {
    left: usize,
    top: usize,
    width: usize,
    height: usize,
}

/// The pictures as an animated PNG, `width_px` pixels wide and as high as the highest of them, which is played for ever.
///
/// # Errors
/// As [`super::png()`]; there must be a picture.
pub fn film(pictures: &[Picture], width_px: u32, theme: Theme) -> Result<Vec<u8>, PngError> {
    let height = pictures.iter().map(|picture| picture.height).fold(0.0, f32::max);
    let mut frames: Vec<(Rectangle, Vec<u8>)> = Vec::new();
    let (mut shown, mut size, mut bytes) = (Vec::new(), (0, 0), 0);
    for picture in pictures {
        let picture = grounded(picture, height);
        let (pixels, width, height) = rgb(&picture, width_px, theme)?;
        size = (width, height);
        let part = if shown.is_empty() { Some(whole(size)) } else { changed(&shown, &pixels, width) };
        // A picture like the one before is no frame; but the first one needs not be the only one.
        let part = part.unwrap_or(Rectangle { left: 0, top: 0, width: 1, height: 1 });
        let cut = cut(&pixels, width, part);
        // Flat colours shrink to less than an eighth.
        bytes += cut.len() / 8;
        if bytes > MAX_FILM_BYTES {
            break;
        }
        frames.push((part, cut));
        shown = pixels;
    }
    encode(&frames, size)
}

/// The picture as high as `height`, with its ground drawn down to there.
fn grounded(picture: &Picture, height: f32) -> Picture {
    let ground = Picture::new(picture.title.clone(), String::new(), height);
    let shapes = ground.shapes.into_iter().chain(picture.shapes.iter().cloned()).collect();
    Picture { height, shapes, ..picture.clone() }
}

fn whole((width, height): (usize, usize)) -> Rectangle {
    Rectangle { left: 0, top: 0, width, height }
}

/// The smallest part that has all differences; `None` without any.
fn changed(before: &[u8], now: &[u8], width: usize) -> Option<Rectangle> {
    let row_bytes = width * CHANNELS;
    let rows = before.chunks_exact(row_bytes).zip(now.chunks_exact(row_bytes)).enumerate();
    let (mut left, mut right, mut top, mut bottom) = (width, 0, usize::MAX, 0);
    for (row, (before, now)) in rows {
        let Some(first) = before.iter().zip(now).position(|(one, other)| one != other) else { continue };
        let last = before.iter().zip(now).rposition(|(one, other)| one != other).unwrap_or(first);
        left = left.min(first / CHANNELS);
        right = right.max(last / CHANNELS);
        top = top.min(row);
        bottom = row;
    }
    (top != usize::MAX).then(|| Rectangle { left, top, width: right + 1 - left, height: bottom + 1 - top })
}

fn cut(pixels: &[u8], width: usize, part: Rectangle) -> Vec<u8> {
    let rows = pixels.chunks_exact(width * CHANNELS).skip(part.top).take(part.height);
    let columns = part.left * CHANNELS..(part.left + part.width) * CHANNELS;
    rows.flat_map(|row| row[columns.clone()].iter().copied()).collect()
}

fn encode(frames: &[(Rectangle, Vec<u8>)], (width, height): (usize, usize)) -> Result<Vec<u8>, PngError> {
    let number = |length: usize| u32::try_from(length).unwrap_or(u32::MAX);
    let mut bytes = Vec::new();
    let mut encoder = Encoder::new(&mut bytes, number(width), number(height));
    encoder.set_color(ColorType::Rgb);
    encoder.set_depth(BitDepth::Eight);
    encoder.set_deflate_compression(DeflateCompression::Level(4));
    encoder.set_filter(Filter::NoFilter);
    encoder.set_animated(number(frames.len()).max(1), 0)?;
    let mut writer = encoder.write_header()?;
    for (index, (part, pixels)) in frames.iter().enumerate() {
        let delay = if index + 1 == frames.len() { LAST_FRAME } else { FRAME };
        writer.set_frame_delay(u16::try_from(delay.as_millis()).unwrap_or(u16::MAX), 1000)?;
        writer.set_dispose_op(DisposeOp::None)?;
        writer.set_blend_op(BlendOp::Source)?;
        if index > 0 {
            writer.reset_frame_position()?;
            writer.set_frame_dimension(number(part.width), number(part.height))?;
            writer.set_frame_position(number(part.left), number(part.top))?;
        }
        writer.write_image_data(pixels)?;
    }
    writer.finish()?;
    Ok(bytes)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rules::picture::{Area, Role, fill};

    fn picture(shift: f32, height: f32) -> Picture {
        let mut picture = Picture::new("a".into(), "b".into(), height);
        picture.rect(Area::new(20.0 + shift, 30.0, 10.0, 10.0), 0.0, fill(Role::Highlight));
        picture
    }

    #[test]
    fn a_film_has_a_frame_for_each_picture_and_shows_the_last_one_whole() {
        let pictures =
            [picture(0.0, 100.0), picture(50.0, 140.0), picture(50.0, 140.0), picture(90.0, 100.0)];
        let bytes = film(&pictures, 320, Theme::Light).expect("a film");
        let mut reader = png::Decoder::new(std::io::Cursor::new(&bytes)).read_info().expect("a PNG");
        assert_eq!((reader.info().width, reader.info().height), (320, 140));
        let frames = reader.info().animation_control().expect("an animation").num_frames;
        assert_eq!(frames, 4);
        let mut pixels = vec![0; reader.output_buffer_size().expect("a size")];
        let mut shown = Vec::new();
        for _ in 0..frames {
            let frame = reader.next_frame(&mut pixels).expect("a frame");
            let at = reader.info().frame_control().expect("a frame's place");
            let (x, y) = (at.x_offset as usize, at.y_offset as usize);
            let (width, height) = (frame.width as usize, frame.height as usize);
            if shown.is_empty() {
                shown.clone_from(&pixels);
            }
            for row in 0..height {
                let (from, to) = (row * width * 3, ((y + row) * 320 + x) * 3);
                shown[to..to + width * 3].copy_from_slice(&pixels[from..from + width * 3]);
            }
        }
        let alone = rgb(&grounded(&picture(90.0, 100.0), 140.0), 320, Theme::Light).expect("a picture").0;
        assert!(shown == alone, "the frames add up to the last picture");
        let plain = film(&pictures[..1], 320, Theme::Light).expect("a film");
        assert!(bytes.len() < 3 * plain.len(), "{} {}", bytes.len(), plain.len());
    }
}
