// Serpent (rules/serpent.md). Rulings are named as there: SP1 …

import { areSortedCards, cardSign, DECK, rankOf } from "./cards.js";
import { hasExactly } from "./json.js";
import { must, Refused } from "./refused.js";

const FULL_MATCH = 8;
const POSITIONS = 12;
const DIRECTORS_POSITIONS = [1, 4, 5, 8, 9, 12];
/** The table from the left: the defender's position above the director's. */
const TABLE = [[2, 1], [3, 4], [6, 5], [7, 8], [10, 9], [11, 12]];

/** Pairs of positions that lie side by side, ascending. */
const NEIGHBOURS = TABLE.flatMap(([above, below], column) => {
  const right = TABLE[column + 1];
  return [[above, below], ...(right === undefined ? [] : [[above, right[0]], [below, right[1]]])];
})
  .map((pair) => pair.toSorted((one, other) => one - other))
  .sort(byNumbers);

function byNumbers(one, other) {
  const index = one.findIndex((number, place) => number !== other[place]);
  if (index < 0) return one.length - other.length;
  return index < other.length ? one[index] - other[index] : 1;
}

/** Sets of positions are bits: position p is bit p - 1. */
const bitOf = (position) => 1 << (position - 1);
const BESIDE = Array.from({ length: POSITIONS }, (_, index) =>
  NEIGHBOURS.filter((pair) => pair.includes(index + 1)).reduce(
    (bits, pair) => bits | bitOf(pair[0] === index + 1 ? pair[1] : pair[0]),
    0,
  ),
);

function positionsOf(bits) {
  return Array.from({ length: POSITIONS }, (_, index) => index + 1).filter((position) => bits & bitOf(position));
}

function isConnected(bits) {
  let reached = bits & -bits;
  for (let before = 0; before !== reached; ) {
    before = reached;
    for (const position of positionsOf(reached)) reached |= BESIDE[position - 1] & bits;
  }
  return reached === bits;
}

/** All connected sets of three positions or more. */
const SHAPES = Array.from({ length: 1 << POSITIONS }, (_, bits) => bits).filter(
  (bits) => positionsOf(bits).length >= 3 && isConnected(bits),
);

/** All different, and consecutive on the circle A 2 … K A: then just one of them has no predecessor among them. */
function areConsecutive(ranks) {
  const set = new Set(ranks);
  const first = ranks.filter((rank) => !set.has(rank === 1 ? 13 : rank - 1));
  return set.size === ranks.length && first.length === 1;
}

/** SP2: pairs of neighbours of equal rank. */
function pairsOn(table) {
  return NEIGHBOURS.filter(([one, other]) => rankOf(table[one - 1]) === rankOf(table[other - 1]));
}

/** SP3: runs, none of which is part of another. */
function runsOn(table) {
  const runs = SHAPES.filter((bits) => areConsecutive(positionsOf(bits).map((position) => rankOf(table[position - 1]))));
  const isWhole = (bits) => !runs.some((larger) => larger !== bits && (larger & bits) === bits);
  return runs.filter(isWhole).map(positionsOf).sort(byNumbers);
}

const follows = (card, lead) => card[0] === lead[0] || card[1] === lead[1];

/**
 * One seat's cards. Where the deal is not yet published `hidden` is null, and only what contradicts itself can be
 * refused: hidden cards are learnt as they are played.
 */
class Hand {
  constructor(hidden, count) {
    this.hidden = hidden;
    this.hiddenCount = count;
    this.faceUp = [];
    this.notFollowed = [];
  }

  /** Takes a hidden card out of the hand. */
  takeHidden(card) {
    must(this.hiddenCount > 0, "the seat has no hidden card left");
    if (this.hidden !== null) {
      must(this.hidden.includes(card), "the seat does not have that card");
      this.hidden.splice(this.hidden.indexOf(card), 1);
    }
    this.hiddenCount -= 1;
  }

  get known() {
    return [...this.faceUp, ...(this.hidden ?? [])];
  }
}

export class Serpent {
  static actionMembers = { card: "", cards: "" };

  static effectWords = {
    dealt: ({ hand, director }, nameOf) => `hand ${hand} dealt, ${nameOf(director)} directs`,
    given: ({ cards }) => `given: ${cards.map(cardSign).join(" ")}`,
    shown: ({ cards }) => `shown: ${cards.map(cardSign).join(" ")}`,
    played: ({ position, card }) => `${cardSign(card)} on position ${position}`,
    scored: ({ director, points }, nameOf) => `${nameOf(director)} scored ${points}`,
  };

  static checkOptions(options) {
    must(hasExactly(options, []), "serpent has no options");
  }

  static checkPlayers(count) {
    must(count === 2, "serpent is for two players");
  }

  constructor() {
    this.hand = 0;
    this.totals = [0, 0];
  }

  get director() {
    return (this.hand - 1) % 2;
  }

  get defender() {
    return 1 - this.director;
  }

  get toAct() {
    if (this.phase !== "play") return this.director;
    return DIRECTORS_POSITIONS.includes(this.table.length + 1) ? this.director : this.defender;
  }

  start(step) {
    this.deal(step);
  }

  deal(step) {
    this.hand += 1;
    this.phase = "give";
    this.table = [];
    /** Cards that have been seen in this hand. */
    this.seen = new Set();
    this.dealtAt = step.seq;
    step.hideSeed();
    const deck = DECK.slice();
    const cards = (count, whom) =>
      step.chance.isKnown ? Array.from({ length: count }, () => step.chance.draw(deck, "card", `to the ${whom}`)) : null;
    const hands = [];
    hands[this.defender] = new Hand(cards(3, "defender"), 3);
    hands[this.director] = new Hand(cards(9, "director"), 9);
    this.hands = hands;
    const counts = this.hands.map((hand) => hand.hiddenCount);
    step.effect("dealt", { hand: this.hand, director: this.director, counts });
  }

  act(step, seat, action) {
    switch (action.type) {
      case "give":
        must(this.phase === "give", "no cards are to be given now");
        this.layOpen(action, this.hands[this.defender]);
        step.effect("given", { cards: action.cards });
        this.phase = "show";
        return;
      case "show":
        must(this.phase === "show", "no cards are to be shown now");
        this.layOpen(action, this.hands[this.director]);
        step.effect("shown", { cards: action.cards });
        this.phase = "play";
        return;
      case "play":
        must(this.phase === "play", "cards are not played yet");
        must(hasExactly(action, ["type", "card"]) && DECK.includes(action.card), "a `play` names a card");
        this.play(step, seat, action.card);
        return;
      default:
        throw new Refused("serpent has no such action");
    }
  }

  /** Three of the director's hidden cards go face up to a hand. */
  layOpen(action, receiver) {
    must(hasExactly(action, ["type", "cards"]) && areSortedCards(action.cards, 3), "three cards in canonical order are named");
    for (const card of action.cards) {
      this.see(card);
      this.hands[this.director].takeHidden(card);
      receiver.faceUp.push(card);
    }
  }

  see(card) {
    must(!this.seen.has(card), "that card has been seen elsewhere in this hand");
    this.seen.add(card);
  }

  play(step, seat, card) {
    const position = this.table.length + 1;
    const hand = this.hands[seat];
    const lead = position % 2 === 0 ? this.table.at(-1) : null;
    const wasHidden = !hand.faceUp.includes(card);
    if (lead !== null && !follows(card, lead)) {
      must(!hand.known.some((held) => follows(held, lead)), "a card that follows suit or rank must be played");
      hand.notFollowed.push(lead);
    }
    if (wasHidden) {
      this.see(card);
      hand.takeHidden(card);
      const missed = hand.notFollowed.some((earlier) => earlier !== lead && follows(card, earlier));
      must(!missed, "this card was in the hand when an earlier lead was not followed, and could have followed it");
    } else {
      hand.faceUp.splice(hand.faceUp.indexOf(card), 1);
    }
    this.table.push(card);
    step.effect("played", { seat, position, card });
    if (position === POSITIONS) this.endHand(step);
  }

  endHand(step) {
    const pairs = pairsOn(this.table);
    const runs = runsOn(this.table);
    const points = 2 * pairs.length + runs.reduce((sum, run) => sum + run.length, 0);
    this.totals[this.director] += points;
    step.effect("scored", { hand: this.hand, director: this.director, pairs, runs, points });
    step.publishSeed(this.dealtAt);
    const [first, second] = this.totals;
    // SP5: eight hands, then pairs of hands until they differ.
    if (this.hand >= FULL_MATCH && this.hand % 2 === 0 && first !== second) {
      step.finish("play", first > second ? [[0], [1]] : [[1], [0]]);
    } else {
      this.deal(step);
    }
  }

  scores() {
    return this.totals.slice();
  }

  leave() {}
}
