// What a record says, in words for people.

const RULE_TITLES = { dominion: "Dominion", "pip-pip": "Pip•Pip", pippinzip: "Pippinzip", serpent: "Serpent" };
const SUIT_SIGNS = { c: "♣", d: "♦", h: "♥", s: "♠" };
const SUIT_NAMES = { c: "clubs", d: "diamonds", h: "hearts", s: "spades" };
const RANK_NAMES = { A: "ace", T: "ten", J: "jack", Q: "queen", K: "king" };

export function titleOf(rules) {
  return RULE_TITLES[rules] ?? rules;
}

/** `Th` as `10♥`. */
export function cardSign(card) {
  return (card[0] === "T" ? "10" : card[0]) + SUIT_SIGNS[card[1]];
}

/** `Th` as `ten of hearts`. */
export function cardName(card) {
  return `${RANK_NAMES[card[0]] ?? card[0]} of ${SUIT_NAMES[card[1]]}`;
}

/** Names of seats: a player's name once seats are known. */
export function seatNames(header, order) {
  const isName = (player) => header?.players[player]?.name;
  return (seat) => (order === null ? undefined : isName(order[seat])) ?? `seat ${seat}`;
}

/** A value of a record that may be anything, shown as it is. */
function plain(value) {
  if (Array.isArray(value)) return value.map(plain).join(" ");
  return typeof value === "object" ? JSON.stringify(value) : String(value);
}

/** An action in the notation of its rules. */
export function actionWords({ type, ...members }) {
  const prefix = { north: "n" };
  const known = ["die", "card", "cards", "cell", "cells", "from", "to", "north", "armies"];
  const parts = known
    .filter((name) => Object.hasOwn(members, name))
    .map((name) => (prefix[name] ?? "") + plain(members[name]));
  return [type, ...parts].join(" ");
}

const EFFECTS = {
  seated: ({ order }, nameOf) => `seats: ${order.map((_, seat) => nameOf(seat)).join(", ")}`,
  left: ({ seat }, nameOf) => `${nameOf(seat)} left`,
  finished: ({ reason }) => `the game is over: ${reason.replace("_", " ")}`,
  rolled: ({ seat, die }, nameOf) => `${nameOf(seat)} rolled ${die}`,
  stored: ({ die }) => `stored ${die}`,
  pulled: ({ die }) => `took ${die} from the store`,
  placed: ({ top, cell, north, colour, cells }) =>
    cells === undefined ? `${top} on ${cell}, north ${north}` : `${colour} on ${cells.join(", ")}`,
  converted: ({ cells }) => `converted ${cells.join(", ")}`,
  roles: ({ pip, zip }, nameOf) => `${nameOf(pip)} is Pip, ${nameOf(zip)} is Zip`,
  connected: ({ colour, cells }) => `${colour} connected: ${cells.join(", ")}`,
  dealt: ({ hand, director, field }, nameOf) =>
    field === undefined ? `hand ${hand} dealt, ${nameOf(director)} directs` : "the field was dealt",
  given: ({ cards }) => `given: ${cards.map(cardSign).join(" ")}`,
  shown: ({ cards }) => `shown: ${cards.map(cardSign).join(" ")}`,
  played: ({ position, card }) => `${cardSign(card)} on position ${position}`,
  scored: ({ director, points }, nameOf) => `${nameOf(director)} scored ${points}`,
  turned: ({ card, reshuffled }) => `turned ${cardSign(card)}${reshuffled ? " after a reshuffle" : ""}`,
  battle: ({ from, to, advantage, losses }) =>
    `battle ${from} against ${to}, advantage ${advantage}, losses ${losses.join(" and ")}`,
  conquered: ({ cell, winner }, nameOf) => `${nameOf(winner)} conquered ${cell}`,
  armies: ({ cell, owner, armies }, nameOf) => (owner === null ? `${cell} is free` : `${cell}: ${nameOf(owner)} ${armies}`),
  dice: ({ seat, max_rank: rank, max_armies: armies }, nameOf) =>
    `${nameOf(seat)} may deploy ${armies} up to rank ${rank}`,
  stage: ({ seat, stage }, nameOf) => `${nameOf(seat)} is to ${stage}`,
};

/** An effect in words. In a record that is not yet checked it may have any members. */
export function effectWords(effect, nameOf) {
  try {
    return EFFECTS[effect.type](effect, nameOf);
  } catch {
    return JSON.stringify(effect);
  }
}

/** How a game ended, in a sentence. */
export function resultWords({ reason, places, scores }, nameOf) {
  const how = { play: "", resignation: " by resignation", timeout: " on time", round_limit: " at the round limit" }[reason];
  if (places === null) return "Aborted";
  const winners = places.flatMap((place, seat) => (place === 1 ? [nameOf(seat)] : []));
  const verb = winners.length === 1 ? "won" : "share the win";
  const points = scores === null ? "" : `, ${scores.map((score, seat) => `${nameOf(seat)} ${score}`).join(", ")}`;
  return `${winners.join(" and ")} ${verb}${how}${points}`;
}
