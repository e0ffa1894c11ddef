//! A western die and its orientations (PP1).

use serde::{Deserialize, Deserializer, Serialize};

use crate::rules::schema::{self, named_schema};

/// A face of a die: 1 to 6.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize)]
#[serde(transparent)]
pub struct Face(u8);

impl Face {
    /// The face with that number; `None` unless it is 1 to 6.
    #[must_use]
    pub fn new(number: u8) -> Option<Self> {
        (1..=6).contains(&number).then_some(Self(number))
    }

    /// The six faces in order.
    pub fn all() -> impl Iterator<Item = Self> {
        (1..=6).map(Self)
    }

    #[must_use]
    pub fn number(self) -> u8 {
        self.0
    }

    /// The opposite face: both add up to 7.
    #[must_use]
    pub fn opposite(self) -> Self {
        Self(7 - self.0)
    }

    /// The direction of the face in PP1's coordinates: 1=+Z, 6=−Z, 5=+Y, 2=−Y, 3=+X, 4=−X.
    fn direction(self) -> [i8; 3] {
        match self.0 {
            1 => [0, 0, 1],
            2 => [0, -1, 0],
            3 => [1, 0, 0],
            4 => [-1, 0, 0],
            5 => [0, 1, 0],
            _ => [0, 0, -1],
        }
    }
}

impl std::fmt::Display for Face {
    fn fmt(&self, out: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        self.0.fmt(out)
    }
}

named_schema!(Face, "PipPipFace", schema::number(1..=6, "A face of a die."));

impl<'de> Deserialize<'de> for Face {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let number = u8::deserialize(deserializer)?;
        Self::new(number).ok_or_else(|| serde::de::Error::custom("a face of a die is 1 to 6"))
    }
}

/// A die's orientation: its top and its north face determine the rest.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Die {
    pub top: Face,
    pub north: Face,
}

impl Die {
    /// `None` if `north` is `top` or its opposite (PP2).
    #[must_use]
    pub fn new(top: Face, north: Face) -> Option<Self> {
        (north != top && north != top.opposite()).then_some(Self { top, north })
    }

    /// The four orientations of a die with that top, by north face.
    pub fn orientations(top: Face) -> impl Iterator<Item = Self> {
        Face::all().filter_map(move |north| Self::new(top, north))
    }

    /// East is the vector product north × top.
    #[must_use]
    pub fn east(self) -> Face {
        let (n, t) = (self.north.direction(), self.top.direction());
        let product = [n[1] * t[2] - n[2] * t[1], n[2] * t[0] - n[0] * t[2], n[0] * t[1] - n[1] * t[0]];
        Face::all().find(|face| face.direction() == product).expect("two faces at right angles have a third")
    }

    #[must_use]
    pub fn south(self) -> Face {
        self.north.opposite()
    }

    #[must_use]
    pub fn west(self) -> Face {
        self.east().opposite()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn lying(top: u8, north: u8) -> Die {
        Die::new(Face(top), Face(north)).expect("a possible orientation")
    }

    #[test]
    fn pp1_east_follows_from_top_and_north_as_in_the_three_checks() {
        assert_eq!(lying(1, 5).east(), Face(3));
        assert_eq!(lying(1, 3).east(), Face(2));
        assert_eq!(lying(4, 2).east(), Face(6));
    }

    #[test]
    fn pp1_with_one_on_top_and_two_to_the_south_three_is_to_the_east() {
        let die = lying(1, 5);
        assert_eq!((die.south(), die.east(), die.west()), (Face(2), Face(3), Face(4)));
    }

    #[test]
    fn a_die_lies_in_twenty_four_ways_and_shows_six_different_faces_in_each() {
        let mut ways = 0;
        for die in Face::all().flat_map(Die::orientations) {
            let mut faces = [die.top, die.top.opposite(), die.north, die.south(), die.east(), die.west()];
            faces.sort();
            assert_eq!(faces, [1, 2, 3, 4, 5, 6].map(Face));
            ways += 1;
        }
        assert_eq!(ways, 24);
    }

    #[test]
    fn pp2_the_north_face_is_neither_the_top_nor_the_bottom() {
        assert_eq!(Die::new(Face(4), Face(4)), None);
        assert_eq!(Die::new(Face(4), Face(3)), None);
    }
}
