// What a record says, in words for people.

import { RULES, TITLES } from "./rules.js";

export function titleOf(rules) {
  return TITLES[rules] ?? rules;
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

/** What plays the game of a header; undefined where that is not known. */
const rulesOf = (header) => RULES[header?.rules]?.[header?.rules_version];

/** An action in words: its type, then its members as the rules list them, each after the letters before it. */
export function actionWords(header, { type, ...members }) {
  const listed = rulesOf(header)?.actionMembers ?? {};
  const parts = Object.keys(listed)
    .filter((name) => Object.hasOwn(members, name))
    .map((name) => listed[name] + plain(members[name]));
  return [type, ...parts].join(" ");
}

/** The effects of all games; those of the rules are told by the rules. */
const EFFECTS = {
  seated: ({ order }, nameOf) => `seats: ${order.map((_, seat) => nameOf(seat)).join(", ")}`,
  left: ({ seat }, nameOf) => `${nameOf(seat)} left`,
  finished: ({ reason }) => `the game is over: ${reason.replace("_", " ")}`,
};

/** An effect in words. In a record that is not yet checked it may have any members. */
export function effectWords(header, effect, nameOf) {
  try {
    return { ...rulesOf(header).effectWords, ...EFFECTS }[effect.type](effect, nameOf);
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
