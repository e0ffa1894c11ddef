// The Merkle tree of RFC 6962: what a proof of inclusion or consistency shows. Sizes are BigInts.

import { concat, hexOf } from "./bytes.js";
import { must } from "./refused.js";

/** The most hashes of a proof: a tree has at most 2^63 leaves. */
const MAX_PROOF = 128;

const digest = async (bytes) => new Uint8Array(await crypto.subtle.digest("SHA-256", bytes));
const nodeHash = (left, right) => digest(concat(Uint8Array.of(1), left, right));
const isSame = (one, other) => hexOf(one) === hexOf(other);
const isOdd = (number) => (number & 1n) === 1n;

/** The hash of a leaf. */
export function leafHash(entry) {
  return digest(concat(Uint8Array.of(0), entry));
}

/** Whether the tree of that size and root has the leaf at that place (RFC 9162, 2.1.3.2). */
export async function isIncluded(leaf, index, { size, root }, proof) {
  if (index >= size || proof.length > MAX_PROOF) return false;
  let [at, last, hash] = [index, size - 1n, leaf];
  for (const sibling of proof) {
    if (last === 0n) return false;
    if (isOdd(at) || at === last) {
      hash = await nodeHash(sibling, hash);
      while (!isOdd(at) && at !== 0n) [at, last] = [at >> 1n, last >> 1n];
    } else {
      hash = await nodeHash(hash, sibling);
    }
    [at, last] = [at >> 1n, last >> 1n];
  }
  return last === 0n && isSame(hash, root);
}

/** Whether the larger tree continues the smaller one, which is not empty (RFC 9162, 2.1.4.2). */
export async function isContinued(old, { size, root }, proof) {
  must(old.size > 0n && old.size < size, "there is nothing to prove between these sizes");
  if (proof.length === 0 || proof.length > MAX_PROOF) return false;
  // The root of a whole subtree is the old root itself, and is left out of the proof.
  const path = (old.size & (old.size - 1n)) === 0n ? [old.root, ...proof] : proof;
  let [at, last] = [old.size - 1n, size - 1n];
  while (isOdd(at)) [at, last] = [at >> 1n, last >> 1n];
  let [before, after] = [path[0], path[0]];
  for (const sibling of path.slice(1)) {
    if (last === 0n) return false;
    if (isOdd(at) || at === last) {
      before = await nodeHash(sibling, before);
      after = await nodeHash(sibling, after);
      while (!isOdd(at) && at !== 0n) [at, last] = [at >> 1n, last >> 1n];
    } else {
      after = await nodeHash(after, sibling);
    }
    [at, last] = [at >> 1n, last >> 1n];
  }
  return last === 0n && isSame(before, old.root) && isSame(after, root);
}
