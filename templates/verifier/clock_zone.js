// Compares the offsets of a clock log with those of the browser's own time zone database, where it has one. The log's own count: which of
// the two is right, no verifier knows.

import { MAX_OFFSETS } from "./clock_form.js";

/** How far apart offsets are compared where a log names no change, in milliseconds. */
const COMPARED_EVERY = 7 * 86_400_000;

/** The most comparisons for a log; what goes beyond is not compared. */
const MAX_COMPARED = 20_000;

const SHOWN_OFFSET = /^GMT(?:([+\-\u2212])(\d\d):(\d\d)(?::(\d\d))?)?$/;

/** Gives a function from milliseconds to the offset of a zone in seconds; null if the browser does not know the zone. */
function offsetsKnown(zone) {
  if (typeof Intl === "undefined") return null;
  try {
    const format = new Intl.DateTimeFormat("en-US", { timeZone: zone, timeZoneName: "longOffset" });
    return (at) => {
      const shown = format.formatToParts(at).find(({ type }) => type === "timeZoneName").value;
      const [, sign, hours = 0, minutes = 0, seconds = 0] = SHOWN_OFFSET.exec(shown);
      const size = Number(hours) * 3600 + Number(minutes) * 60 + Number(seconds);
      return sign === "+" || sign === undefined ? size : -size;
    };
  } catch {
    return null;
  }
}

const milliseconds = (at) => Date.parse(`${at.slice(0, 23)}Z`);

/** The times at which a list of offsets is compared, each with what it says then: at every change, just before, and in between. */
function* compared(changes, ends) {
  for (const [index, [at, offset]] of changes.entries()) {
    const from = milliseconds(at);
    if (index > 0 && from > ends) return;
    yield [from, offset];
    if (index > 0) yield [from - 1, changes[index - 1][1]];
    // After a full list there may be changes for which it had no room.
    const next = index + 1 < changes.length ? milliseconds(changes[index + 1][0]) : changes.length === MAX_OFFSETS ? from : ends + 1;
    for (let time = from + COMPARED_EVERY; time < next && time <= ends; time += COMPARED_EVERY) yield [time, offset];
  }
}

/** The first opening of a calendar with offsets that the browser does not know, up to the last event; null if there is none. */
export function otherOffsets(openings, lastEvent) {
  const [known, ends] = [new Map(), milliseconds(lastEvent)];
  let left = MAX_COMPARED;
  for (const opening of openings) {
    const { value, offsets } = opening;
    if (value.zone === undefined) continue;
    if (!known.has(value.zone)) known.set(value.zone, offsetsKnown(value.zone));
    const offsetAt = known.get(value.zone);
    if (offsetAt === null) continue;
    for (const [at, offset] of compared(value.offsets?.changes ?? offsets, ends)) {
      if (left-- <= 0) return null;
      if (offsetAt(at) !== offset) return opening;
    }
  }
  return null;
}
