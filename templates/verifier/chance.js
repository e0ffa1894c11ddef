// Dice and draws from a seed: the ChaCha20 keystream, and how its words become numbers.

import { Refused } from "./refused.js";

const ROUNDS = 20;
const WORDS_A_BLOCK = 16;
/** "expand 32-byte k". */
const CONSTANTS = [0x61707865, 0x3320646e, 0x79622d32, 0x6b206574];

function quarterRound(state, a, b, c, d) {
  const step = (to, from, turned, bits) => {
    state[to] += state[from];
    const mixed = state[turned] ^ state[to];
    state[turned] = (mixed << bits) | (mixed >>> (32 - bits));
  };
  step(a, b, d, 16);
  step(c, d, b, 12);
  step(a, b, d, 8);
  step(c, d, b, 7);
}

/** One block of the keystream: 16 words. The nonce is 0. */
export function chacha20Block(seed, counter) {
  const view = new DataView(seed.buffer, seed.byteOffset, seed.byteLength);
  const key = Array.from({ length: 8 }, (_, index) => view.getUint32(4 * index, true));
  const start = Uint32Array.from([...CONSTANTS, ...key, counter, 0, 0, 0]);
  const state = start.slice();
  for (let round = 0; round < ROUNDS; round += 2) {
    for (const column of [0, 1, 2, 3]) quarterRound(state, column, 4 + column, 8 + column, 12 + column);
    quarterRound(state, 0, 5, 10, 15);
    quarterRound(state, 1, 6, 11, 12);
    quarterRound(state, 2, 7, 8, 13);
    quarterRound(state, 3, 4, 9, 14);
  }
  return state.map((word, index) => word + start[index]);
}

/**
 * The chance of one event. It keeps a list of what was drawn, and from which words, to be shown. Without a seed
 * (a hidden deal of a running game) it can draw nothing.
 */
export class Chance {
  /** `seed`: 32 bytes, or null where the record does not give it. */
  constructor(seed) {
    this.seed = seed;
    this.block = [];
    this.position = 0;
    this.draws = [];
    /** Whether the event took words from its seed, also where we cannot see them. */
    this.used = false;
  }

  get isKnown() {
    return this.seed !== null;
  }

  /** Words of a seed that the record does not give (yet): what they decided is taken as the record has it. */
  takeUnseen() {
    this.used = true;
  }

  nextWord() {
    if (this.seed === null) throw new Refused("chance was needed here, but the record does not give the event's seed");
    if (this.position % WORDS_A_BLOCK === 0) this.block = chacha20Block(this.seed, this.position / WORDS_A_BLOCK);
    this.used = true;
    return { index: this.position, value: this.block[this.position++ % WORDS_A_BLOCK] };
  }

  /** A number from 0 to k - 1, and the words that it took: all but the last were rejected. */
  uniform(k) {
    const limit = 2 ** 32 - (2 ** 32 % k);
    const words = [this.nextWord()];
    while (words.at(-1).value >= limit) words.push(this.nextWord());
    return { value: words.at(-1).value % k, words };
  }

  /** A die. `purpose` says in the list of draws what it was for. */
  die(purpose) {
    const { value, words } = this.uniform(6);
    this.draws.push({ kind: "die", result: value + 1, sides: 6, words, purpose });
    return value + 1;
  }

  /** Removes an entry of the list and gives it. `kind` is "card" or "player". */
  draw(list, kind, purpose) {
    const sides = list.length;
    const { value, words } = this.uniform(sides);
    const [result] = list.splice(value, 1);
    this.draws.push({ kind, result, sides, words, purpose });
    return result;
  }
}
