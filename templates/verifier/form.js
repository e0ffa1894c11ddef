// Check 1: every line is the canonical form of a header, an event or a footer, and the header is possible.

import { hasExactly, isObject, readCanonical } from "./json.js";
import { must, Refused } from "./refused.js";
import { RULES } from "./rules.js";
import { SANDBOX_FORM } from "./secrets.js";

/** What ends every line. */
export const LINE_FEED = 10;

/** The most bytes of a header or footer. */
const MAX_VALUE_BYTES = 64 * 1024;

const HASH = /^[0-9a-f]{64}$/;
const BYTES = /^([0-9a-f]{2})+$/;
const UUID_7 = /^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/;
const TIME = /^(\d{4})-(\d\d)-(\d\d)T(\d\d):(\d\d):(\d\d)\.\d{6}Z$/;
const ENTROPY = /^[ -~]{0,64}$/;
const REASONS = ["play", "resignation", "timeout", "round_limit", "abort"];

const HEADER_MEMBERS = [
  "record", "id", "rules", "rules_version", "options", "seating", "commitment", "players", "beacon",
];
const EVENT_MEMBERS = ["seq", "at", "seat", "action", "effects", "to_act", "seeds", "next", "prev", "hash"];
const FOOTER_MEMBERS = ["master", "head", "result"];

/** Whether a value is a text of this form. */
export const matches = (value, pattern) => typeof value === "string" && pattern.test(value);
const isCount = (value) => Number.isSafeInteger(value) && value >= 0;
const isSeat = (value) => value === null || isCount(value);
/** Whether a value is the number of a seat. */
export const isSeatNumber = (value) => isCount(value) && value <= 255;
const isTyped = (value) => isObject(value) && typeof value.type === "string";

/**
 * Reads a record's bytes. Gives `{ header, events, footer }`, each as far as it could be read, and beside them a
 * `failure`, or null.
 */
export function readRecord(bytes) {
  const form = { header: null, events: [], footer: null, failure: null };
  const lines = linesOf(bytes);
  let place = { name: "header", seq: null };
  try {
    must(lines.length > 0, "the record is empty");
    for (const [index, line] of lines.entries()) {
      const last = index === lines.length - 1;
      if (index > 0) place = placeOfLine(line, form.events.length, last);
      const value = readLine(line);
      if (index === 0 || isFooter(value)) must(line.length - 1 <= MAX_VALUE_BYTES, "the line is too long for a header or footer");
      if (index === 0) form.header = headerOf(value);
      else if (isFooter(value)) form.footer = footerOf(value, last);
      else form.events.push(eventOf(value));
    }
    place = { name: "event 0", seq: 0 };
    must(form.events.length > 0, "the record has no event");
  } catch (error) {
    form.failure = { check: 1, place, why: error.message };
  }
  return form;
}

/** The lines, each with its line feed if it has one. */
function linesOf(bytes) {
  const lines = [];
  for (let start = 0; start < bytes.length; ) {
    const feed = bytes.indexOf(LINE_FEED, start);
    const end = feed < 0 ? bytes.length : feed + 1;
    lines.push(bytes.subarray(start, end));
    start = end;
  }
  return lines;
}

function textOf(line) {
  try {
    return new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(line);
  } catch {
    throw new Refused("the line is not UTF-8");
  }
}

function readLine(line) {
  must(line.at(-1) === LINE_FEED, "the line does not end with a line feed");
  return readCanonical(textOf(line.subarray(0, -1)));
}

function isFooter(value) {
  return isObject(value) && (Object.hasOwn(value, "master") || Object.hasOwn(value, "head"));
}

// A line counts as an event, unless it stands last and can be seen to be meant as the footer.
function placeOfLine(line, seq, last) {
  let meant = null;
  if (last) {
    try {
      meant = JSON.parse(textOf(line));
    } catch {
      meant = null;
    }
  }
  return isFooter(meant) ? { name: "footer", seq: null } : { name: `event ${seq}`, seq };
}

function headerOf(header) {
  must(hasExactly(header, HEADER_MEMBERS), "the header does not have just the members of a header");
  must(["pippost/1", SANDBOX_FORM].includes(header.record), `\`record\` is neither "pippost/1" nor "${SANDBOX_FORM}"`);
  must(matches(header.id, UUID_7), "`id` is not a UUID of version 7 in lower case");
  must(matches(header.commitment, HASH), "`commitment` is not 32 bytes in lower-case hex");
  must(["random", "joined"].includes(header.seating), "`seating` is neither \"random\" nor \"joined\"");
  must(Array.isArray(header.players), "`players` is not a list");
  header.players.forEach(checkPlayer);
  if (header.beacon !== null) checkBeacon(header.beacon);
  const rules = typeof header.rules === "string" && Object.hasOwn(RULES, header.rules) ? RULES[header.rules] : null;
  must(rules !== null, "this verifier does not know these rules");
  const version = Number.isInteger(header.rules_version) && Object.hasOwn(rules, header.rules_version) ? rules[header.rules_version] : null;
  must(version !== null, "this verifier does not know this version of the rules");
  must(isObject(header.options), "`options` is not an object");
  version.checkOptions(header.options);
  version.checkPlayers(header.players.length, header.options);
  return header;
}

function checkPlayer(player) {
  must(isObject(player) && hasExactly(player, ["name", "entropy"]), "a player is not a name and entropy");
  must(typeof player.name === "string" && player.name !== "", "a player has no name");
  must(matches(player.entropy, ENTROPY), "entropy is not 0 to 64 characters from U+0020 to U+007E");
}

function checkBeacon(beacon) {
  const members = ["source", "round", "randomness", "signature"];
  must(isObject(beacon) && hasExactly(beacon, members), "`beacon` does not have just the members of a beacon");
  must(typeof beacon.source === "string" && beacon.source !== "", "the beacon has no source");
  must(isCount(beacon.round), "the beacon's round is not 0 or more");
  must(matches(beacon.randomness, BYTES), "the beacon's randomness is not bytes in lower-case hex");
  must(matches(beacon.signature, BYTES), "the beacon's signature is not bytes in lower-case hex");
}

function eventOf(event) {
  must(hasExactly(event, EVENT_MEMBERS), "the event does not have just the members of an event");
  must(isCount(event.seq), "`seq` is not 0 or more");
  must(isTime(event.at), "`at` is not a time in UTC with six decimals");
  must(isSeat(event.seat), "`seat` is neither a seat nor null");
  must(isSeat(event.to_act), "`to_act` is neither a seat nor null");
  must(isTyped(event.action), "`action` is not an object with a type");
  must(Array.isArray(event.effects) && event.effects.every(isTyped), "`effects` is not a list of objects with a type");
  must(Array.isArray(event.seeds) && event.seeds.every(isSeed), "`seeds` is not a list of seeds");
  for (const name of ["next", "prev", "hash"]) {
    must(matches(event[name], HASH), `\`${name}\` is not 32 bytes in lower-case hex`);
  }
  return event;
}

function isSeed(value) {
  return isObject(value) && hasExactly(value, ["seq", "seed"]) && isCount(value.seq) && matches(value.seed, HASH);
}

/** Whether a value is a timestamp of a record. */
export function isTime(value) {
  const parts = typeof value === "string" ? TIME.exec(value) : null;
  if (parts === null) return false;
  const [year, month, day, hour, minute, second] = parts.slice(1).map(Number);
  const leap = (year % 4 === 0 && year % 100 !== 0) || year % 400 === 0;
  const days = [31, leap ? 29 : 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31][month - 1] ?? 0;
  return year >= 1 && day >= 1 && day <= days && hour <= 23 && minute <= 59 && second <= 59;
}

function footerOf(footer, last) {
  must(last, "nothing may follow the footer");
  must(hasExactly(footer, FOOTER_MEMBERS), "the footer does not have just the members of a footer");
  must(matches(footer.master, HASH), "`master` is not 32 bytes in lower-case hex");
  must(matches(footer.head, HASH), "`head` is not 32 bytes in lower-case hex");
  must(isResult(footer.result), "`result` is not a reason, places and scores");
  return footer;
}

function isResult(result) {
  const isList = (value) => value === null || (Array.isArray(value) && value.every(isCount));
  return (
    isObject(result) &&
    hasExactly(result, ["reason", "places", "scores"]) &&
    REASONS.includes(result.reason) &&
    isList(result.places) &&
    isList(result.scores)
  );
}
