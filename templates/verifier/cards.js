// Playing cards: rank then suit, as in `Th`.

export const RANKS = "A23456789TJQK";
export const SUITS = "cdhs";

const SUIT_SIGNS = { c: "♣", d: "♦", h: "♥", s: "♠" };
const SUIT_NAMES = { c: "clubs", d: "diamonds", h: "hearts", s: "spades" };
const RANK_NAMES = { A: "ace", T: "ten", J: "jack", Q: "queen", K: "king" };

/** All 52 cards in canonical order: by suit, then by rank. */
export const DECK = Object.freeze([...SUITS].flatMap((suit) => [...RANKS].map((rank) => rank + suit)));

/** 1 for an ace to 13 for a king. */
export function rankOf(card) {
  return RANKS.indexOf(card[0]) + 1;
}

/** Hearts and diamonds are red. */
export function isRed(card) {
  return card[1] === "h" || card[1] === "d";
}

/** Whether a value is a list of so many different cards in canonical order. */
export function areSortedCards(value, count) {
  if (!Array.isArray(value) || value.length !== count) return false;
  const places = value.map((card) => DECK.indexOf(card));
  return places.every((place, index) => place >= 0 && (index === 0 || places[index - 1] < place));
}

/** `Th` as `10♥`. */
export function cardSign(card) {
  return (card[0] === "T" ? "10" : card[0]) + SUIT_SIGNS[card[1]];
}

/** `Th` as `ten of hearts`. */
export function cardName(card) {
  return `${RANK_NAMES[card[0]] ?? card[0]} of ${SUIT_NAMES[card[1]]}`;
}
