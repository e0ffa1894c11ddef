//! Merkle trees of RFC 6962: hashes, roots, and proofs of inclusion and consistency.

use sha2::{Digest, Sha256};

/// A SHA-256 value.
pub type Hash = [u8; 32];

/// The most hashes that a proof has: one for each level of a tree whose size fits 63 bits.
pub const MAX_PROOF_HASHES: usize = 63;

/// The root of a tree without entries.
#[must_use]
pub fn empty_root() -> Hash {
    Sha256::digest([]).into()
}

#[must_use]
pub fn leaf_hash(entry: &[u8]) -> Hash {
    Sha256::new().chain_update([0]).chain_update(entry).finalize().into()
}

#[must_use]
pub fn node_hash(left: &Hash, right: &Hash) -> Hash {
    Sha256::new().chain_update([1]).chain_update(left).chain_update(right).finalize().into()
}

/// The hash above so many hashes, which are a power of two.
pub(crate) fn fold(mut hashes: Vec<Hash>) -> Hash {
    while hashes.len() > 1 {
        hashes = hashes.chunks(2).map(|pair| node_hash(&pair[0], &pair[1])).collect();
    }
    hashes[0]
}

/// Gives the hashes of complete subtrees: that of the `index`-th subtree of 2^`level` leaves. `None`: it does not have it.
pub trait Subtrees {
    fn subtree(&self, level: u8, index: u64) -> Option<Hash>;
}

impl<F: Fn(u8, u64) -> Option<Hash>> Subtrees for F {
    fn subtree(&self, level: u8, index: u64) -> Option<Hash> {
        self(level, index)
    }
}

/// The largest power of two that is less than `size`, which is at least 2.
fn split(size: u64) -> u64 {
    1 << (size - 1).ilog2()
}

/// The hash of the leaves from `start` on, `size` of them. `start` is a multiple of the smallest power of two that is not less than
/// `size`. `None` if a subtree is missing.
fn range(subtrees: &impl Subtrees, start: u64, size: u64) -> Option<Hash> {
    if size.is_power_of_two() {
        let level = u8::try_from(size.ilog2()).ok()?;
        return subtrees.subtree(level, start >> level);
    }
    let left = split(size);
    Some(node_hash(&range(subtrees, start, left)?, &range(subtrees, start + left, size - left)?))
}

/// The root of the tree with the first `size` leaves; `None` if a subtree is missing.
#[must_use]
pub fn root(subtrees: &impl Subtrees, size: u64) -> Option<Hash> {
    if size == 0 { Some(empty_root()) } else { range(subtrees, 0, size) }
}

/// The proof that leaf `index` is in the tree of `size` leaves, from the leaf's sibling up. `None` if it is not in it, or a subtree is
/// missing.
#[must_use]
pub fn prove_inclusion(subtrees: &impl Subtrees, index: u64, size: u64) -> Option<Vec<Hash>> {
    if index >= size {
        return None;
    }
    let (mut start, mut width, mut index, mut proof) = (0, size, index, Vec::new());
    while width > 1 {
        let left = split(width);
        if index < left {
            proof.push(range(subtrees, start + left, width - left)?);
            width = left;
        } else {
            proof.push(range(subtrees, start, left)?);
            (start, width, index) = (start + left, width - left, index - left);
        }
    }
    proof.reverse();
    Some(proof)
}

/// The proof that the tree of `new` leaves continues that of `old` leaves. `None` if there are none between, or a subtree is missing.
#[must_use]
pub fn prove_consistency(subtrees: &impl Subtrees, old: u64, new: u64) -> Option<Vec<Hash>> {
    if old > new {
        return None;
    }
    if old == 0 || old == new {
        return Some(Vec::new());
    }
    let (mut start, mut width, mut old, mut is_whole, mut proof) = (0, new, old, true, Vec::new());
    while old < width {
        let left = split(width);
        if old <= left {
            proof.push(range(subtrees, start + left, width - left)?);
            width = left;
        } else {
            proof.push(range(subtrees, start, left)?);
            (start, width, old, is_whole) = (start + left, width - left, old - left, false);
        }
    }
    if !is_whole {
        proof.push(range(subtrees, start, width)?);
    }
    proof.reverse();
    Some(proof)
}

/// Whether a proof shows that a leaf is the `index`-th of the tree with that size and root (RFC 9162, 2.1.3.2).
#[must_use]
pub fn verify_inclusion(leaf: Hash, index: u64, size: u64, root: Hash, proof: &[Hash]) -> bool {
    if index >= size {
        return false;
    }
    let (mut node, mut last, mut hash) = (index, size - 1, leaf);
    for sibling in proof {
        if last == 0 {
            return false;
        }
        if node & 1 == 1 || node == last {
            hash = node_hash(sibling, &hash);
            while node & 1 == 0 && node != 0 {
                (node, last) = (node >> 1, last >> 1);
            }
        } else {
            hash = node_hash(&hash, sibling);
        }
        (node, last) = (node >> 1, last >> 1);
    }
    last == 0 && hash == root
}

/// Whether a proof shows that one tree continues another (RFC 9162, 2.1.4.2). The empty tree is continued by every tree.
#[must_use]
pub fn verify_consistency(old: u64, old_root: Hash, new: u64, new_root: Hash, proof: &[Hash]) -> bool {
    if old == 0 || old >= new {
        let same = old == new && old_root == new_root;
        return proof.is_empty() && (same || old == 0 && new > 0 && old_root == empty_root());
    }
    let first_is_old = old.is_power_of_two().then_some(&old_root);
    let Some((first, rest)) = first_is_old.map(|first| (first, proof)).or_else(|| proof.split_first()) else {
        return false;
    };
    let (mut node, mut last) = (old - 1, new - 1);
    while node & 1 == 1 {
        (node, last) = (node >> 1, last >> 1);
    }
    let (mut of_old, mut of_new) = (*first, *first);
    for hash in rest {
        if last == 0 {
            return false;
        }
        if node & 1 == 1 || node == last {
            (of_old, of_new) = (node_hash(hash, &of_old), node_hash(hash, &of_new));
            while node & 1 == 0 && node != 0 {
                (node, last) = (node >> 1, last >> 1);
            }
        } else {
            of_new = node_hash(&of_new, hash);
        }
        (node, last) = (node >> 1, last >> 1);
    }
    last == 0 && of_old == old_root && of_new == new_root
}

/// A tree in memory, by its leaves: for tests, and for those who have them all.
#[derive(Clone, Debug, Default)]
pub struct Leaves(pub Vec<Hash>);

impl Subtrees for Leaves {
    fn subtree(&self, level: u8, index: u64) -> Option<Hash> {
        let width = 1_usize.checked_shl(level.into())?;
        let start = usize::try_from(index).ok()?.checked_mul(width)?;
        Some(fold(self.0.get(start..start.checked_add(width)?)?.to_vec()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The definition of RFC 6962, 2.1, word by word.
    fn defined(leaves: &[Hash]) -> Hash {
        match leaves {
            [] => empty_root(),
            [leaf] => *leaf,
            _ => {
                let left = usize::try_from(split(leaves.len() as u64)).expect("a small tree");
                node_hash(&defined(&leaves[..left]), &defined(&leaves[left..]))
            }
        }
    }

    fn leaves(count: u64) -> Leaves {
        Leaves((0..count).map(|number| leaf_hash(&number.to_be_bytes())).collect())
    }

    const TREES: u64 = 40;

    #[test]
    fn every_leaf_of_small_trees_is_proved_and_no_other() {
        let all = leaves(TREES);
        for size in 1..=TREES {
            let root_now = root(&all, size).expect("all leaves");
            assert_eq!(root_now, defined(&all.0[..usize::try_from(size).expect("small")]), "{size}");
            for index in 0..size {
                let proof = prove_inclusion(&all, index, size).expect("all leaves");
                let leaf = all.0[usize::try_from(index).expect("small")];
                assert!(verify_inclusion(leaf, index, size, root_now, &proof), "{index} of {size}");
                assert!(!verify_inclusion([0; 32], index, size, root_now, &proof));
                for other in (0..=size).filter(|other| *other != index) {
                    assert!(!verify_inclusion(leaf, other, size, root_now, &proof), "{other} for {index}");
                }
                let longer = [proof.clone(), vec![leaf]].concat();
                assert!(!verify_inclusion(leaf, index, size, root_now, &longer));
                if let Some((_, shorter)) = proof.split_last() {
                    assert!(!verify_inclusion(leaf, index, size, root_now, shorter));
                }
            }
            assert_eq!(prove_inclusion(&all, size, size), None);
        }
    }

    #[test]
    fn every_small_tree_continues_the_smaller_ones_and_no_other() {
        let all = leaves(TREES);
        let roots: Vec<Hash> = (0..=TREES).map(|size| root(&all, size).expect("all leaves")).collect();
        let root_of = |size: u64| roots[usize::try_from(size).expect("small")];
        for new in 0..=TREES {
            for old in 0..=new {
                let proof = prove_consistency(&all, old, new).expect("all leaves");
                let verify = |old_root, new_root, proof: &[Hash]| {
                    verify_consistency(old, old_root, new, new_root, proof)
                };
                assert!(verify(root_of(old), root_of(new), &proof), "{old} to {new}");
                assert!(!verify([1; 32], root_of(new), &proof), "another old root, {old} to {new}");
                assert!(old == 0 || !verify(root_of(old), [1; 32], &proof), "{old} to {new}");
                assert!(!verify(root_of(old), root_of(new), &[proof.clone(), vec![[2; 32]]].concat()));
                if let Some((_, shorter)) = proof.split_last() {
                    assert!(!verify(root_of(old), root_of(new), shorter), "{old} to {new}");
                }
                assert!(old == new || !verify_consistency(new, root_of(new), old, root_of(old), &proof));
            }
        }
        assert_eq!(prove_consistency(&all, 3, 2), None);
    }

    #[test]
    fn a_proof_of_sizes_beyond_all_trees_ends() {
        let hashes = [[7; 32]; MAX_PROOF_HASHES];
        assert!(!verify_inclusion([0; 32], u64::MAX - 1, u64::MAX, [0; 32], &hashes));
        assert!(!verify_consistency(u64::MAX - 1, [0; 32], u64::MAX, [0; 32], &hashes));
    }
}
