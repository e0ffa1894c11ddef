// Check 1 of a clock log: every line is the canonical form of a line or a footer, and the first one starts the clock of this game.

import { isSeatNumber, isTime, LINE_FEED, matches } from "./form.js";
import { Calendar } from "./clock_time.js";
import { hasExactly, isObject, readCanonical } from "./json.js";
import { must } from "./refused.js";

/** What its form says of a log: whether seats may be handed over, and whether calendars bind the offsets of their zones. */
export const FORMS = {
  "pippost-clock/1": { substitutes: false, bindsOffsets: false },
  "pippost-clock/2": { substitutes: true, bindsOffsets: false },
  "pippost-clock/3": { substitutes: false, bindsOffsets: true },
  "pippost-clock/4": { substitutes: true, bindsOffsets: true },
};
const formOf = (name) => (typeof name === "string" && Object.hasOwn(FORMS, name) ? FORMS[name] : null);

const MIN_SEATS_WITH_SUBSTITUTES = 3;
const MAX_NAME_BYTES = 64;

/** The most lines of a clock log, apart from the footer. */
export const MAX_LINES = 10_000;

/** The most offsets that a calendar binds. */
export const MAX_OFFSETS = 12;

const MAX_LINE_BYTES = 4 * 1024;
const MAX_FOOTER_BYTES = 8 * 1024 * 1024;
const MAX_HOURS = 1440;
const MAX_U32 = 2 ** 32 - 1;

const HEX_HASH = /^[0-9a-f]{64}$/;
const TIME_OF_DAY = /^([01][0-9]|2[0-3]):[0-5][0-9]$/;
const ZONE = /^[A-Za-z0-9_+/-]{1,64}$/;

const LINE_MEMBERS = ["at", "change", "hash", "head", "number", "prev", "seq"];
const CONTROL_MEMBERS = ["bank", "holidays", "limit_hours", "nights", "rest_days", "wait_hours"];
const CHANGES = {
  start: ["calendars", "control", "form", "game"],
  calendar: ["calendar", "seat"],
  holiday: ["holiday", "seat"],
  pause: ["until"],
  resume: [],
  gift: ["from", "hours", "to"],
  down: ["from", "until"],
  offer: ["seat"],
  vacancy: ["from", "seat", "until"],
  substitute: ["name", "seat"],
};
export const OF_SUBSTITUTES = ["offer", "vacancy", "substitute"];

const isHash = (value) => matches(value, HEX_HASH);
const isHashOrNull = (value) => value === null || isHash(value);
const isWithin = (value, first, last) => Number.isInteger(value) && value >= first && value <= last;
const isFlag = (value) => typeof value === "boolean";

/** Reads a log's bytes. Gives `{ lines, footer }`, or throws what `atLine` and `atFooter` make. */
export function readLog(bytes, header, finished, { atLine, atFooter }) {
  const log = { lines: [], footer: null };
  if (bytes.at(-1) !== LINE_FEED) throw atLine(1, 0, "the log does not end with a line feed");
  let number = 0;
  for (let start = 0; start < bytes.length; number++) {
    const end = bytes.indexOf(LINE_FEED, start);
    const line = bytes.subarray(start, end);
    start = end + 1;
    const isLine = lineText(line.subarray(0, 6)).startsWith('{"at":');
    if (number > MAX_LINES || (isLine && number === MAX_LINES) || log.footer !== null) {
      throw atLine(1, number, "there are more lines than a clock log has");
    }
    if (!isLine) {
      log.footer = readOr(() => logFooterOf(line), (why) => atFooter(1, why));
    } else {
      const form = log.lines[0]?.change.form;
      log.lines.push(readOr(() => lineOf(line, number, header, form), (why) => atLine(1, number, why)));
    }
  }
  if (finished && log.footer === null) throw atFooter(1, "the game is over, and the footer is missing");
  if (!finished && log.footer !== null) throw atFooter(1, "the game runs, and there is a footer");
  return log;
}

function readOr(read, fault) {
  try {
    return read();
  } catch (error) {
    throw fault(error.message);
  }
}

/** The text of bytes; what is not UTF-8 is no canonical line. */
function lineText(bytes) {
  try {
    return new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    return "";
  }
}

function lineOf(bytes, number, header, form) {
  must(bytes.length <= MAX_LINE_BYTES, "the line is too long for a clock log");
  const line = readCanonical(lineText(bytes));
  must(hasExactly(line, LINE_MEMBERS), "the line does not have just the members of a line of a clock log");
  must(isTime(line.at), "`at` is not a time in UTC with six decimals");
  for (const name of ["hash", "head", "prev"]) must(isHash(line[name]), `\`${name}\` is not 32 bytes in lower-case hex`);
  must(line.number === number, "`number` does not count from 0 without gaps");
  must(isWithin(line.seq, 0, Number.MAX_SAFE_INTEGER), "`seq` is not 0 or more");
  must(isChange(line.change), "`change` is none that a clock log knows");
  checkPossible(line.change, number, header, form);
  return line;
}

function isChange(change) {
  if (!isObject(change) || typeof change.type !== "string" || !Object.hasOwn(CHANGES, change.type)) return false;
  if (!hasExactly(change, ["type", ...CHANGES[change.type]])) return false;
  switch (change.type) {
    case "start":
      return Array.isArray(change.calendars) && change.calendars.every(isHashOrNull) && isControl(change.control);
    case "calendar":
      return isHashOrNull(change.calendar) && isSeatNumber(change.seat);
    case "holiday":
      return isHash(change.holiday) && isSeatNumber(change.seat);
    case "pause":
      return isTime(change.until);
    case "gift":
      return isSeatNumber(change.from) && isSeatNumber(change.to) && isWithin(change.hours, 0, MAX_U32);
    case "down":
      return isTime(change.from) && isTime(change.until);
    case "offer":
      return isSeatNumber(change.seat);
    case "vacancy":
      return isSeatNumber(change.seat) && isTime(change.from) && isTime(change.until);
    case "substitute":
      return isSeatNumber(change.seat) && typeof change.name === "string";
    default:
      return true;
  }
}

function isControl(control) {
  if (!isObject(control) || !hasExactly(control, CONTROL_MEMBERS)) return false;
  const { bank, holidays, limit_hours: limit, nights, rest_days: days, wait_hours: wait } = control;
  const isHours = (value) => isWithin(value, -(2 ** 31), 2 ** 31 - 1);
  const members = ["cap_hours", "gain_hours", "start_hours"];
  const isBank = bank === null || (isObject(bank) && hasExactly(bank, members) && members.every((name) => isHours(bank[name])));
  return isBank && (limit === null || isHours(limit)) && isHours(wait) && [nights, days, holidays].every(isFlag);
}

/** `form` is that of the log's first line. */
function checkPossible(change, number, header, form) {
  const seats = header.players.length;
  if (change.type === "start") {
    const own = formOf(change.form);
    const known = own !== null && (!own.substitutes || seats >= MIN_SEATS_WITH_SUBSTITUTES);
    must(known && change.game === header.id && change.calendars.length === seats && isPossible(change.control), "it starts no clock of this game");
  }
  if (OF_SUBSTITUTES.includes(change.type)) {
    const can = formOf(form)?.substitutes && change.seat < seats;
    must(can, "it hands over a seat that the game does not have, or cannot");
  }
  if (change.type === "substitute") {
    const { length } = new TextEncoder().encode(change.name);
    must(isWithin(length, 1, MAX_NAME_BYTES), "it names no substitute");
  }
  if (["calendar", "holiday"].includes(change.type)) must(change.seat < seats, "it names a seat that the game does not have");
  if (change.type === "gift") {
    const { from, to, hours } = change;
    const others = from !== to && from < seats && to < seats;
    must(others && isWithin(hours, 1, MAX_HOURS), "it gives no possible time from one seat to another");
  }
  must((change.type === "start") === (number === 0), "the first line, and only that, starts the clock");
}

function isPossible({ bank, limit_hours: limit, wait_hours: wait }) {
  if (limit !== null && !isWithin(limit, 1, MAX_HOURS)) return false;
  if (bank !== null) {
    const { cap_hours: cap, gain_hours: gain, start_hours: start } = bank;
    if (!isWithin(cap, 1, MAX_HOURS) || !isWithin(start, 1, cap) || !isWithin(gain, 0, cap)) return false;
  }
  return isWithin(wait, 0, limit === null && bank === null ? 0 : MAX_HOURS);
}

function logFooterOf(bytes) {
  must(bytes.length <= MAX_FOOTER_BYTES, "the footer is too long for a clock log");
  const footer = readCanonical(lineText(bytes));
  must(hasExactly(footer, ["head", "openings"]) && isHash(footer.head), "it is no footer of a clock log");
  must(Array.isArray(footer.openings) && footer.openings.every(isOpening), "`openings` is not a list of openings");
  return footer;
}

function isOpening(opening) {
  if (!isObject(opening)) return false;
  const members = ["number", "salt", "seat", "value"];
  const withOffsets = Object.hasOwn(opening, "offsets");
  if (!hasExactly(opening, withOffsets ? [...members, "offsets"] : members)) return false;
  const { number, offsets, salt, seat, value } = opening;
  const listed = !withOffsets || isListOfOffsets(offsets);
  return listed && isWithin(number, 0, MAX_U32) && isHash(salt) && isSeatNumber(seat) && (isCalendar(value) || isHoliday(value));
}

function isListOfOffsets(offsets) {
  const isOffset = (one) => Array.isArray(one) && one.length === 2 && isTime(one[0]) && isWithin(one[1], -(2 ** 31), 2 ** 31 - 1);
  return Array.isArray(offsets) && offsets.every(isOffset);
}

function isCalendar(value) {
  if (!isObject(value)) return false;
  const members = ["night", "rest_days", "zone"];
  const { night, offsets, rest_days: days, zone } = value;
  if (Object.hasOwn(value, "offsets")) {
    members.push("offsets");
    const known = isObject(offsets) && hasExactly(offsets, ["changes", "tzdata"]) && typeof offsets.tzdata === "string";
    if (!known || !isListOfOffsets(offsets.changes)) return false;
  }
  if (!hasExactly(value, members)) return false;
  const isNight = isObject(night) && hasExactly(night, ["from", "until"]) && matches(night.from, TIME_OF_DAY) && matches(night.until, TIME_OF_DAY);
  return (night === null || isNight) && Array.isArray(days) && days.every((day) => isWithin(day, 0, 255)) && matches(zone, ZONE);
}

function isHoliday(value) {
  return isObject(value) && hasExactly(value, ["from", "until"]) && isTime(value.from) && isTime(value.until);
}

/** What of an opened calendar a time control permits; null if that is nothing. */
export function permitted(opening, { nights, rest_days: days }) {
  if (opening === undefined) return null;
  const { value, offsets } = opening;
  const own = { night: nights ? value.night : null, rest_days: days ? value.rest_days : [] };
  return own.night === null && own.rest_days.length === 0 ? null : new Calendar(own, value.offsets?.changes ?? offsets);
}
