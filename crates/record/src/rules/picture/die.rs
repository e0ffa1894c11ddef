//! Draws dice from above.

use super::{Area, Picture, Role, at, fill};

/// The owner of the dice, and so their look: light ones have round corners, dark ones sharp corners.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Tone {
    Light,
    Dark,
}

impl Tone {
    #[must_use]
    pub fn face(self) -> Role {
        match self {
            Self::Light => Role::LightPiece,
            Self::Dark => Role::DarkPiece,
        }
    }

    #[must_use]
    pub fn side(self) -> Role {
        match self {
            Self::Light => Role::LightPieceSide,
            Self::Dark => Role::DarkPieceSide,
        }
    }

    #[must_use]
    pub fn ink(self) -> Role {
        match self {
            Self::Light => Role::LightPieceInk,
            Self::Dark => Role::DarkPieceInk,
        }
    }

    /// The radius of a die's corners as a part of its side.
    #[must_use]
    pub fn round(self) -> f32 {
        match self {
            Self::Light => 0.22,
            Self::Dark => 0.06,
        }
    }
}

/// A die that shows only its top; without a number, only its colour.
pub fn die(picture: &mut Picture, area: Area, tone: Tone, number: Option<u8>) {
    picture.rect(area, area.width * tone.round(), fill(tone.face()).with_edge(tone.ink(), 1.0));
    if let Some(number) = number {
        pips(picture, area.inset(area.width * 0.08), tone, number);
    }
}

/// The pips of a face.
pub fn pips(picture: &mut Picture, area: Area, tone: Tone, number: u8) {
    for (right, down) in places(number) {
        let centre = at(area.x + area.width * right, area.y + area.height * down);
        picture.circle(centre, area.width * 0.105, fill(tone.ink()));
    }
}

/// The places of the pips on a face of side 1.
fn places(number: u8) -> impl Iterator<Item = (f32, f32)> {
    const NEAR: f32 = 0.22;
    const FAR: f32 = 0.78;
    let pairs = [
        (number >= 2, [(NEAR, FAR), (FAR, NEAR)]),
        (number >= 4, [(NEAR, NEAR), (FAR, FAR)]),
        (number >= 6, [(NEAR, 0.5), (FAR, 0.5)]),
    ];
    let middle = (!number.is_multiple_of(2)).then_some((0.5, 0.5));
    pairs.into_iter().filter(|(shown, _)| *shown).flat_map(|(_, pair)| pair).chain(middle)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_face_has_as_many_pips_as_its_number() {
        for number in 1..=6 {
            let places: Vec<_> = places(number).collect();
            assert_eq!(places.len(), usize::from(number));
            let apart = |(index, place): (usize, &(f32, f32))| !places[..index].contains(place);
            assert!(places.iter().enumerate().all(apart), "no pip lies on another");
        }
    }
}
