// Check 3 of a clock log: the footer opens every commitment to a possible value, and nothing else.

import { bytesOfHex, concat, utf8 } from "./bytes.js";
import { FORMS, MAX_OFFSETS } from "./clock_form.js";
import { otherOffsets } from "./clock_zone.js";
import { canonical } from "./json.js";
import { sha256 } from "./secrets.js";

/** The most offsets that the footer of an old log lists for a calendar. */
const MAX_LISTED = 512;

/** No offset is as far from UTC, in seconds. */
const MAX_OFFSET = 26 * 3600;

/** A version of the time zone database. */
const TZDATA = /^[A-Za-z0-9.-]{1,32}$/;

/** The seats and commitments of a change. */
export function committed(change) {
  switch (change.type) {
    case "start":
      return change.calendars.flatMap((hash, seat) => (hash === null ? [] : [{ seat, hash }]));
    case "calendar":
      return change.calendar === null ? [] : [{ seat: change.seat, hash: change.calendar }];
    case "holiday":
      return [{ seat: change.seat, hash: change.holiday }];
    default:
      return [];
  }
}

export const openingKey = (number, seat) => `${number} ${seat}`;

/** The opened values by line and seat: calendars with the offsets of their zones, and holidays. */
export async function checkOpenings({ lines, footer }, events, { atLine, atFooter }) {
  const values = new Map();
  if (footer === null) return values;
  let next = 0;
  for (const line of lines) {
    for (const { seat, hash } of committed(line.change)) {
      const fault = (why) => atLine(3, line.number, why);
      const opening = footer.openings[next++];
      if (opening === undefined || opening.number !== line.number || opening.seat !== seat) {
        throw fault("the footer does not open its commitment");
      }
      const parts = [utf8("pippost/clock/1"), bytesOfHex(opening.salt), utf8(canonical(opening.value))];
      if ((await sha256(concat(...parts))) !== hash) throw fault("the footer opens its commitment to another value");
      const why = faultOfValue(line, opening, lines[0], events.at(-1).at);
      if (why !== null) throw fault(why);
      values.set(openingKey(line.number, seat), opening);
    }
  }
  if (next < footer.openings.length) throw atFooter(3, "it opens what no line commits to");
  return values;
}

function faultOfValue({ at, change }, { value, offsets }, start, ends) {
  const otherKind = "the footer opens it to another kind of value";
  const isHoliday = Object.hasOwn(value, "until");
  if ((change.type === "holiday") !== isHoliday) return otherKind;
  if (isHoliday) return offsets === undefined ? null : otherKind;
  const { night, rest_days: days, offsets: bound } = value;
  const minutes = night === null ? 1 : (minuteOf(night.until) - minuteOf(night.from) + 1440) % 1440;
  const ascending = days.every((day, index) => day >= 1 && day <= 7 && (index === 0 || days[index - 1] < day));
  if (minutes < 1 || minutes > 720 || !ascending || days.length > 2) return "the footer opens a calendar that nobody can have";
  if (FORMS[start.change.form].bindsOffsets) {
    if (bound === undefined || offsets !== undefined) return otherKind;
    const possible = TZDATA.test(bound.tzdata) && bound.changes.length <= MAX_OFFSETS && areInOrder(bound.changes, at);
    return possible ? null : "the offsets of its zone are not those from the line on";
  }
  if (bound !== undefined || offsets === undefined) return otherKind;
  const possible = offsets.length <= MAX_LISTED && areInOrder(offsets, start.at) && offsets.at(-1)[0] <= ends;
  return possible ? null : "the offsets of its zone are not from the start of the clock to the last event";
}

/** Whether the first of these offsets holds from a time on, and each other one changes the one before. */
function areInOrder(offsets, first) {
  const changes = ([at, offset], index) => index === 0 || (at > offsets[index - 1][0] && offset !== offsets[index - 1][1]);
  const near = offsets.every(([, offset]) => Math.abs(offset) < MAX_OFFSET);
  return offsets.length > 0 && offsets[0][0] === first && near && offsets.every(changes);
}

const minuteOf = (text) => Number(text.slice(0, 2)) * 60 + Number(text.slice(3, 5));

/** What the offsets of an accepted log leave open; null if nothing. */
export function warningOf(openings, lastEvent) {
  const warnings = [];
  if (openings.some(({ offsets }) => offsets !== undefined)) {
    warnings.push("this clock log has an old form: only its footer says which offsets its time zones had");
  }
  const other = otherOffsets(openings, lastEvent);
  if (other !== null) {
    const { seat, value } = other;
    const version = value.offsets === undefined ? "" : ` of tzdata ${value.offsets.tzdata}`;
    warnings.push(`seat ${seat} was counted with offsets of ${value.zone}${version} that are not those of this browser`);
  }
  return warnings.length > 0 ? warnings.join(", and ") : null;
}
