//! The tree cut into tiles (c2sp.org/tlog-tiles): their paths, bundles of entries, and growing a tree by its newest tiles.

use std::collections::BTreeMap;

use crate::entry::{ENTRY_BYTES, Entry};
use crate::tree::{self, Hash, Subtrees};

/// How many hashes a full tile has, and how many levels of the tree lie in one tile.
pub const TILE_WIDTH: u64 = 256;
const TILE_LEVELS: u8 = 8;

/// The levels of tiles of the largest tree: its size fits 63 bits.
pub const MAX_TILE_LEVELS: u8 = 8;

/// The bytes of a hash.
const HASH_BYTES: usize = 32;

/// A tile: its level, its place in the level, and how many hashes it has, from 1 to [`TILE_WIDTH`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Tile {
    /// `None`: a bundle of entries.
    pub level: Option<u8>,
    pub index: u64,
    pub width: u64,
}

impl Tile {
    /// Reads the path after `tile/`, as in `0/x001/234.p/5` or `entries/000`.
    #[must_use]
    pub fn read(path: &str) -> Option<Self> {
        let (level, rest) = path.split_once('/')?;
        let level = match level {
            "entries" => None,
            level => Some(crate::number(level)?.try_into().ok().filter(|level| *level < MAX_TILE_LEVELS)?),
        };
        let (digits, width) = match rest.split_once(".p/") {
            None => (rest, TILE_WIDTH),
            Some((digits, width)) => {
                let width = crate::number(width).filter(|width| (1..TILE_WIDTH).contains(width))?;
                (digits, width)
            }
        };
        let index = read_index(digits)?;
        Some(Self { level, index, width })
    }

    /// The path after `tile/`.
    #[must_use]
    pub fn path(&self) -> String {
        let level = self.level.map_or_else(|| "entries".to_owned(), |level| level.to_string());
        let (mut digits, mut rest) = (format!("{:03}", self.index % 1000), self.index / 1000);
        while rest > 0 {
            digits = format!("x{:03}/{digits}", rest % 1000);
            rest /= 1000;
        }
        let partial = if self.width < TILE_WIDTH { format!(".p/{}", self.width) } else { String::new() };
        format!("{level}/{digits}{partial}")
    }

    /// The tile of a level that holds a place of it, in a tree of that size. `None`: the tree does not have it.
    #[must_use]
    pub fn holding(level: Option<u8>, place: u64, size: u64) -> Option<Self> {
        let in_level = size.checked_shr(u32::from(level.unwrap_or(0)) * u32::from(TILE_LEVELS))?;
        let index = place / TILE_WIDTH;
        let width = in_level.saturating_sub(index * TILE_WIDTH).min(TILE_WIDTH);
        (place < in_level).then_some(Self { level, index, width })
    }

    /// The number of its first entry; for a bundle.
    #[must_use]
    pub fn first_entry(&self) -> Option<u64> {
        self.index.checked_mul(TILE_WIDTH)
    }
}

/// `x001/x234/067` is 1234067. The first group is not zero unless it is the only one.
fn read_index(digits: &str) -> Option<u64> {
    let groups: Vec<&str> = digits.split('/').collect();
    let (last, before) = groups.split_last()?;
    let mut index: u64 = 0;
    for (place, group) in before.iter().map(|group| group.strip_prefix('x')).chain([Some(*last)]).enumerate()
    {
        let group =
            group.filter(|group| group.len() == 3 && group.bytes().all(|byte| byte.is_ascii_digit()))?;
        if place == 0 && !before.is_empty() && group == "000" {
            return None;
        }
        index = index.checked_mul(1000)?.checked_add(group.parse().ok()?)?;
    }
    Some(index)
}

/// Reads the hashes of a tile; `None` if their number is not its width.
#[must_use]
pub fn hashes(bytes: &[u8], width: u64) -> Option<Vec<Hash>> {
    let (hashes, rest) = bytes.as_chunks::<HASH_BYTES>();
    (rest.is_empty() && hashes.len() as u64 == width).then(|| hashes.to_vec())
}

/// A bundle of entries, each after its length.
#[must_use]
pub fn bundle(entries: &[Entry]) -> Vec<u8> {
    let length = u16::try_from(ENTRY_BYTES).expect("an entry is short").to_be_bytes();
    entries.iter().flat_map(|entry| length.into_iter().chain(entry.to_bytes())).collect()
}

/// Reads a bundle; `None` if it does not hold so many entries of a pippost server.
#[must_use]
pub fn read_bundle(mut bytes: &[u8], width: u64) -> Option<Vec<Entry>> {
    let mut entries = Vec::new();
    while let Some((length, rest)) = bytes.split_first_chunk::<2>() {
        let (entry, rest) = rest.split_at_checked(u16::from_be_bytes(*length).into())?;
        entries.push(Entry::read(entry)?);
        bytes = rest;
    }
    (bytes.is_empty() && entries.len() as u64 == width).then_some(entries)
}

/// Tiles by level and index, each from its first hash on.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Tiles(BTreeMap<(u8, u64), Vec<Hash>>);

impl Tiles {
    /// Adds a tile.
    pub fn insert(&mut self, level: u8, index: u64, hashes: Vec<Hash>) {
        self.0.insert((level, index), hashes);
    }

    /// All tiles.
    pub fn iter(&self) -> impl Iterator<Item = (u8, u64, &[Hash])> {
        self.0.iter().map(|((level, index), hashes)| (*level, *index, hashes.as_slice()))
    }
}

impl Subtrees for Tiles {
    fn subtree(&self, level: u8, index: u64) -> Option<Hash> {
        let (of_tile, inside) = (level / TILE_LEVELS, level % TILE_LEVELS);
        let first = index.checked_mul(1 << inside)?;
        let tile = self.0.get(&(of_tile, first / TILE_WIDTH))?;
        let start = usize::try_from(first % TILE_WIDTH).ok()?;
        Some(tree::fold(tile.get(start..start + (1 << inside))?.to_vec()))
    }
}

/// Keeps which tiles are asked for: the first pass over a tree says what has to be fetched.
#[must_use]
pub fn wanted(size: u64, ask: impl FnOnce(&dyn Fn(u8, u64) -> Option<Hash>)) -> Vec<Tile> {
    let found = std::cell::RefCell::new(std::collections::BTreeSet::new());
    ask(&|level, index| {
        let first = index << (level % TILE_LEVELS);
        found.borrow_mut().insert(Tile::holding(Some(level / TILE_LEVELS), first, size)?);
        // The hash does not matter in this pass.
        Some([0; HASH_BYTES])
    });
    found.into_inner().into_iter().collect()
}

/// A tree that grows: its size and the tiles at its right edge, which are not full yet.
#[derive(Clone, Debug, Default)]
pub struct Growing {
    size: u64,
    edge: Tiles,
}

impl Growing {
    /// The tiles that are needed for growing a tree of that size: at each level the one that is not full.
    #[must_use]
    pub fn edge(size: u64) -> Vec<Tile> {
        let partial = |level: u8| {
            let in_level = size.checked_shr(u32::from(level) * u32::from(TILE_LEVELS)).unwrap_or(0);
            let width = in_level % TILE_WIDTH;
            (width > 0).then_some(Tile { level: Some(level), index: in_level / TILE_WIDTH, width })
        };
        (0..MAX_TILE_LEVELS).filter_map(partial).collect()
    }

    /// A tree of that size with its edge; `None` if a tile is missing or shorter than it has to be.
    #[must_use]
    pub fn resume(size: u64, mut edge: Tiles) -> Option<Self> {
        for tile in Self::edge(size) {
            let hashes = edge.0.get_mut(&(tile.level?, tile.index))?;
            let width = usize::try_from(tile.width).ok()?;
            if hashes.len() < width {
                return None;
            }
            hashes.truncate(width);
        }
        Some(Self { size, edge })
    }

    #[must_use]
    pub fn size(&self) -> u64 {
        self.size
    }

    /// The root.
    ///
    /// # Panics
    /// Never: the edge has all that the root needs.
    #[must_use]
    pub fn root(&self) -> Hash {
        tree::root(&self.edge, self.size).expect("the edge of a tree gives its root")
    }

    /// Adds leaves, and returns all tiles that are new or have grown.
    pub fn add(&mut self, leaves: impl IntoIterator<Item = Hash>) -> Tiles {
        let mut changed = Tiles::default();
        for leaf in leaves {
            self.add_at(0, self.size, leaf, &mut changed);
            self.size += 1;
        }
        let edge = Self::edge(self.size);
        let is_of_edge =
            |level: u8, index: u64| edge.iter().any(|tile| tile.level == Some(level) && tile.index == index);
        changed.0.extend(
            self.edge
                .0
                .iter()
                .filter(|((level, index), _)| is_of_edge(*level, *index))
                .map(|(place, hashes)| (*place, hashes.clone())),
        );
        changed
    }

    /// Adds the hash at a place of a level; a tile that is full goes into the level above.
    fn add_at(&mut self, level: u8, place: u64, hash: Hash, changed: &mut Tiles) {
        let at = (level, place / TILE_WIDTH);
        let tile = self.edge.0.entry(at).or_default();
        tile.push(hash);
        if tile.len() as u64 == TILE_WIDTH {
            let full = std::mem::take(tile);
            self.edge.0.remove(&at);
            let hash = tree::fold(full.clone());
            changed.0.insert(at, full);
            self.add_at(level + 1, at.1, hash, changed);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tree::{Leaves, leaf_hash, prove_consistency, prove_inclusion};

    #[test]
    fn a_path_is_read_as_it_is_written() {
        let examples = [
            (Some(0), 0, 256, "0/000"),
            (Some(0), 1_234_067, 256, "0/x001/x234/067"),
            (Some(2), 5, 255, "2/005.p/255"),
            (None, 1000, 1, "entries/x001/000.p/1"),
        ];
        for (level, index, width, path) in examples {
            let tile = Tile { level, index, width };
            assert_eq!(tile.path(), path);
            assert_eq!(Tile::read(path), Some(tile));
        }
        let too_large = "0/x999/x999/x999/x999/x999/x999/999";
        for wrong in [
            "0",
            "0/",
            "0/00",
            "0/0000",
            "0/x000/001",
            "0/001/001",
            "00/001",
            "8/000",
            "-1/000",
            "+1/000",
            "0/001.p/0",
            "0/001.p/256",
            "0/001.p/01",
            "0/001.p/",
            "0/001.p",
            "0/x001",
            "0/x001/",
            "0/+01",
            "x/000",
            "/000",
            "entries/../000",
            "0/001/",
            "0//001",
            too_large,
        ] {
            assert_eq!(Tile::read(wrong), None, "{wrong}");
        }
    }

    #[test]
    fn a_tree_that_grows_by_parts_has_the_tiles_and_roots_of_the_whole() {
        const LEAVES: u64 = 70_000;
        let all = Leaves((0..LEAVES).map(|number| leaf_hash(&number.to_be_bytes())).collect());
        let (mut growing, mut tiles, mut at) = (Growing::default(), Tiles::default(), 0);
        for part in [0, 1, 254, 1, 1, 255, 256, 300, 5_000, 59_467, 4_465] {
            let next = at + part;
            let new = growing.add(all.0[at..next].iter().copied());
            at = next;
            for ((level, index), hashes) in new.0 {
                tiles.insert(level, index, hashes);
            }
            let size = at as u64;
            // What a server does after every batch: it begins again from what it has stored.
            let mut edge = Tiles::default();
            for tile in Growing::edge(size) {
                let level = tile.level.expect("a tile of hashes");
                edge.insert(level, tile.index, tiles.0[&(level, tile.index)].clone());
            }
            growing = Growing::resume(size, edge).expect("the edge");
            assert_eq!(growing.root(), tree::root(&all, size).expect("all leaves"), "{size}");
            assert_eq!(tree::root(&tiles, size), tree::root(&all, size), "{size}");
        }
        assert_eq!(at as u64, LEAVES);
        let widths = |level: u8| {
            let found = tiles.0.iter().filter(move |((of, _), _)| *of == level);
            found.map(|(_, hashes)| hashes.len()).collect::<Vec<_>>()
        };
        // The example of the specification.
        assert_eq!(widths(0), [vec![256; 273], vec![112]].concat());
        assert_eq!((widths(1), widths(2)), (vec![256, 17], vec![1]));
        for index in [0, 1, 255, 256, 65_535, 65_536, 69_999] {
            assert_eq!(prove_inclusion(&tiles, index, LEAVES), prove_inclusion(&all, index, LEAVES));
        }
        for old in [1, 255, 256, 257, 65_536, 69_999] {
            assert_eq!(prove_consistency(&tiles, old, LEAVES), prove_consistency(&all, old, LEAVES));
        }
        let asked = wanted(LEAVES, |subtrees| {
            let _proof = prove_inclusion(&|level, index| subtrees(level, index), 69_999, LEAVES);
        });
        assert!(
            asked.len() <= 3 && asked.contains(&Tile { level: Some(0), index: 273, width: 112 }),
            "{asked:?}"
        );
    }

    #[test]
    fn a_bundle_is_read_back_and_nothing_else_is() {
        let entries: Vec<Entry> = (0..3).map(|seq| Entry { game: [1; 32], seq, hash: [2; 32] }).collect();
        let bytes = bundle(&entries);
        assert_eq!(read_bundle(&bytes, 3), Some(entries));
        assert_eq!(read_bundle(&bytes, 2), None);
        assert_eq!(read_bundle(&bytes[..bytes.len() - 1], 3), None);
        assert_eq!(hashes(&bytes, 3), None);
    }
}
