//! Identifies a drawing by a digest of everything that is drawn: pictures with the same digest are the same, for any viewer.

use std::hash::{Hash as _, Hasher};

use super::Theme;
use crate::record::Hash;
use crate::rules::picture::{Paint, Picture, Point, Role, Shape, Stroke};

/// The digest of the drawing that [`png`](super::png()) makes of the same arguments.
#[must_use]
pub fn fingerprint(picture: &Picture, width_px: u32, theme: Theme) -> Hash {
    let mut form = Form(Vec::with_capacity(64 * picture.shapes.len()));
    (width_px, theme, picture.height.to_bits(), picture.shapes.len()).hash(&mut form);
    for shape in &picture.shapes {
        write(shape, &mut form);
    }
    Hash::of(&[&form.0])
}

/// The hashed bytes, concatenated.
struct Form(Vec<u8>);

impl Hasher for Form {
    fn write(&mut self, bytes: &[u8]) {
        self.0.extend_from_slice(bytes);
    }

    fn finish(&self) -> u64 {
        0
    }
}

fn write(shape: &Shape, form: &mut Form) {
    match shape {
        Shape::Rect { area, round, paint } => {
            let lengths = [area.x, area.y, area.width, area.height, *round];
            (0u8, lengths.map(f32::to_bits), painted(paint)).hash(form);
        }
        Shape::Circle { centre, radius, paint } => {
            (1u8, bits(*centre), radius.to_bits(), painted(paint)).hash(form);
        }
        Shape::Line { points, stroke } => {
            (2u8, points.iter().copied().map(bits).collect::<Vec<_>>(), stroked(*stroke)).hash(form);
        }
        Shape::Polygon { points, paint } => {
            (3u8, points.iter().copied().map(bits).collect::<Vec<_>>(), painted(paint)).hash(form);
        }
        Shape::Text { at, style, text } => {
            let letters = (style.size.to_bits(), style.role, style.anchor, style.weight);
            (4u8, bits(*at), letters, text).hash(form);
        }
    }
}

fn bits(point: Point) -> [u32; 2] {
    [point.x, point.y].map(f32::to_bits)
}

fn painted(paint: &Paint) -> (Option<Role>, Option<(Role, u32, bool)>) {
    (paint.fill, paint.stroke.map(stroked))
}

fn stroked(stroke: Stroke) -> (Role, u32, bool) {
    (stroke.role, stroke.width.to_bits(), stroke.dashed)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rules::picture::{Area, at, edge, fill, text};

    fn picture() -> Picture {
        let mut picture = Picture::new("a".into(), "b".into(), 100.0);
        picture.rect(Area::new(1.0, 2.0, 3.0, 4.0), 0.5, fill(Role::Ink));
        picture.circle(at(5.0, 6.0), 7.0, edge(Role::Ink, 1.0));
        picture.line([at(0.0, 1.0), at(2.0, 3.0)], Role::Grid, 2.0);
        picture.polygon([at(0.0, 1.0), at(2.0, 3.0)], fill(Role::Grid));
        picture.text(at(8.0, 9.0), text(10.0), "ann");
        picture
    }

    #[test]
    fn the_same_drawing_has_the_same_fingerprint_whatever_it_is_called() {
        let other = Picture { title: "c".into(), description: "d".into(), ..picture() };
        assert_eq!(fingerprint(&other, 640, Theme::Light), fingerprint(&picture(), 640, Theme::Light));
    }

    #[test]
    fn whatever_can_be_seen_changes_the_fingerprint() {
        let changed = |change: &dyn Fn(&mut Picture)| {
            let mut picture = picture();
            change(&mut picture);
            fingerprint(&picture, 640, Theme::Light)
        };
        let changes: [&dyn Fn(&mut Picture); 12] = [
            &|_| {},
            &|picture| picture.height += 1.0,
            &|picture| picture.shapes.swap(1, 2),
            &|picture| drop(picture.shapes.pop()),
            &|picture| {
                picture.shapes[1] =
                    Shape::Circle { centre: at(5.0, 6.0), radius: 7.0, paint: fill(Role::Ink) }
            },
            &|picture| picture.rect(Area::new(1.0, 2.0, 3.0, 4.0), 0.5, fill(Role::Card)),
            &|picture| picture.rect(Area::new(1.0, 2.0, 3.0, 4.0), 0.5, edge(Role::Card, 1.0)),
            &|picture| picture.rect(Area::new(1.0, 2.0, 3.0, 4.0), 0.5, edge(Role::Card, 1.0).dashed()),
            &|picture| picture.text(at(8.0, 9.0), text(10.0), "bob"),
            &|picture| picture.text(at(8.0, 9.0), text(10.0).bold(), "bob"),
            &|picture| picture.text(at(8.0, 9.0), text(10.0).end(), "bob"),
            &|picture| picture.line([at(0.0, 1.0), at(2.0, 3.5)], Role::Grid, 2.0),
        ];
        let mut all: Vec<_> = changes.map(changed).map(|hash| *hash.as_bytes()).into();
        all.push(*fingerprint(&picture(), 641, Theme::Light).as_bytes());
        all.push(*fingerprint(&picture(), 640, Theme::Dark).as_bytes());
        all.sort_unstable();
        all.dedup();
        assert_eq!(all.len(), 14);
    }
}
