// Which time of a clock counts. All times are whole microseconds since 1970, as BigInts: a double does not hold all of them.

const SECOND = 1_000_000n;
const MINUTE = 60n * SECOND;
const DAY = 1440n * MINUTE;

/** An hour. */
export const HOUR = 60n * MINUTE;

/** From here on nothing is calculated: the year 9000. */
const END = 221_845_392_000_000_000n;

/** A timestamp as microseconds. */
export function microseconds(text) {
  const seconds = Date.parse(`${text.slice(0, 19)}Z`) / 1000;
  return BigInt(seconds) * SECOND + BigInt(text.slice(20, 26));
}

/** Division that rounds down, also before 1970. */
function floor(number, by) {
  const rest = ((number % by) + by) % by;
  return (number - rest) / by;
}

const minutesOf = (text) => BigInt(text.slice(0, 2)) * 60n + BigInt(text.slice(3, 5));

/** A calendar with the offsets of its zone, each with the time from which on it holds. */
export class Calendar {
  constructor({ night, rest_days: days }, offsets) {
    this.days = days;
    this.night = night === null ? null : { from: minutesOf(night.from), until: minutesOf(night.until) };
    this.offsets = offsets.map(([at, offset]) => ({ at: microseconds(at), offset: BigInt(offset) * SECOND }));
  }

  /** Whether a time rests, and a later one up to which that stays so. */
  stretch(at) {
    const index = Math.max(0, this.offsets.findLastIndex((one) => one.at <= at));
    const { offset } = this.offsets[index];
    const local = at + offset;
    const day = floor(local, DAY);
    const minute = floor(local - day * DAY, MINUTE);
    const bounds = [(day + 1n) * DAY];
    if (this.night !== null) {
      for (const bound of [this.night.from, this.night.until]) bounds.push(day * DAY + bound * MINUTE);
    }
    const later = bounds.filter((bound) => bound > local).map((bound) => bound - offset);
    const change = this.offsets[index + 1];
    if (change !== undefined && change.at > at) later.push(change.at);
    const until = later.reduce((one, other) => (one < other ? one : other));
    return { rests: this.rests(day, minute), until };
  }

  rests(day, minute) {
    // 1970 began on a Thursday.
    const weekday = Number((((day + 3n) % 7n) + 7n) % 7n) + 1;
    if (this.days.includes(weekday)) return true;
    if (this.night === null) return false;
    const { from, until } = this.night;
    return from < until ? minute >= from && minute < until : minute >= from || minute < until;
  }
}

/** The time of one clock: a calendar, or null, and the spans in which it stands still. */
export class Counting {
  constructor(calendar, spans) {
    this.calendar = calendar;
    this.spans = spans;
  }

  stretch(at) {
    const covering = this.spans.filter(({ from, until }) => from <= at && at < until);
    if (covering.length > 0) {
      return { rests: true, until: covering.reduce((last, { until }) => (until > last ? until : last), at) };
    }
    const { rests, until } = this.calendar?.stretch(at) ?? { rests: false, until: END };
    const next = this.spans.map(({ from }) => from).filter((from) => from > at);
    return { rests, until: next.reduce((first, from) => (from < first ? from : first), until) };
  }

  /** How much of the time from `from` up to `until` counts. */
  counted(from, until) {
    let [at, counted] = [from, 0n];
    while (at < until) {
      const stretch = this.stretch(at);
      const end = stretch.until < until ? stretch.until : until;
      // Past the end of all calculation nothing changes any more.
      if (end <= at) return counted + (until - at);
      if (!stretch.rests) counted += end - at;
      at = end;
    }
    return counted;
  }

  /** When a flag falls that has `left` from `from` on: at the first time that counts and at which nothing is left. */
  fall(from, left) {
    let at = from;
    while (at < END) {
      const { rests, until } = this.stretch(at);
      if (!rests) {
        if (left < until - at) return at + left;
        left -= until - at;
      }
      at = until;
    }
    return END;
  }
}
