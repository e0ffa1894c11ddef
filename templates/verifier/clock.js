// The clock log after a record: its four checks in order, and what every seat had left at every event (docs/CLOCK.md).

import { utf8 } from "./bytes.js";
import { Counting, HOUR, microseconds } from "./clock_time.js";
import { OF_SUBSTITUTES, permitted, readLog } from "./clock_form.js";
import { checkOpenings, committed, openingKey, warningOf } from "./clock_openings.js";
import { LINE_FEED } from "./form.js";
import { canonical } from "./json.js";
import { must, Refused } from "./refused.js";
import { sha256 } from "./secrets.js";

/** The longest game whose times are recomputed: 100 years. */
const MAX_DURATION = 100n * 366n * 24n * HOUR;

/** The most times of standing still that are kept at once. */
const MAX_SPANS = 256;

const BEGINNING = utf8('{"at":');

/** Splits what a server exports into the record and the clock log after it, which is null if there is none. */
export function split(bytes) {
  const begins = (at) => BEGINNING.every((byte, index) => bytes[at + index] === byte);
  for (let at = 0; at < bytes.length; ) {
    if (begins(at)) return { record: bytes.subarray(0, at), log: bytes.subarray(at) };
    const feed = bytes.indexOf(LINE_FEED, at);
    if (feed < 0) break;
    at = feed + 1;
  }
  return { record: bytes, log: null };
}

class Fault extends Error {
  constructor(check, name, seq, why) {
    super(why);
    this.failure = { check, place: { name, seq }, why };
  }
}

const atLine = (check, number, why) => new Fault(check, `clock line ${number}`, null, why);
const atFooter = (check, why) => new Fault(check, "clock footer", null, why);
const atEvent = (seq, why) => new Fault(4, `event ${seq}`, seq, why);

/**
 * Checks the log of a record that passed its own checks. `asked` has for each event whose turn and whose choice it is after it, or null.
 * Gives `{ failure, lines, times, warning }`: `times` lists for each event after event 0 its `seq`, the seat whose clock ran, and what was left of
 * `limit`, `bank` and `wait` in microseconds; null while calendars are sealed. `warning` is what an accepted log does not prove, or null.
 */
export async function checkClock({ header, events }, finished, asked, bytes) {
  const report = { failure: null, lines: 0, times: null, warning: null };
  try {
    const log = readLog(bytes, header, finished, { atLine, atFooter });
    report.lines = log.lines.length;
    await checkLines(log, events);
    const values = await checkOpenings(log, events, { atLine, atFooter });
    if (log.footer !== null) report.warning = warningOf(log.footer.openings, events.at(-1).at);
    const sealed = !finished && log.lines.some(({ change }) => committed(change).length > 0);
    if (!sealed) report.times = timesOf(log, header.players.length, events, asked, values);
  } catch (error) {
    if (!(error instanceof Fault)) throw error;
    report.failure = error.failure;
  }
  return report;
}

async function checkLines({ lines, footer }, events) {
  let before = null;
  for (const line of lines) {
    const fault = (why) => atLine(2, line.number, why);
    const { hash, ...unhashed } = line;
    if (hash !== (await sha256(utf8(canonical(unhashed))))) throw fault("`hash` is not the hash of the line");
    const event = events[line.seq];
    if (event === undefined) throw fault("`seq` is no event of the record");
    if (line.head !== event.hash) throw fault("`head` is not the hash of event `seq`");
    if (line.prev !== (before === null ? event.hash : before.hash)) {
      throw fault("`prev` is not the hash of the line before: that was changed, or a line is missing");
    }
    if (line.seq < (before?.seq ?? 0) || (line.number === 0 && line.seq !== 0)) {
      throw fault("it stands before an event that came before the line before");
    }
    const earliest = before !== null && before.at > event.at ? before.at : event.at;
    const next = events[line.seq + 1];
    // Times have one form and one length, so they compare as texts.
    if (line.at < earliest || (next !== undefined && line.at > next.at)) {
      throw fault("its time is not between those of its neighbours");
    }
    before = line;
  }
  if (footer !== null && footer.head !== before.hash) throw atFooter(2, "`head` is not the hash of the last line");
}

function timesOf({ lines }, seats, events, asked, values) {
  const [first, last] = [microseconds(events[0].at), microseconds(events.at(-1).at)];
  if (last - first > MAX_DURATION) throw atLine(4, 0, "the game is too long to recompute its times");
  const clock = new Clock(lines[0].change, seats, values);
  if (asked[0] !== null) clock.start(asked[0], first);
  const times = [];
  const left = new Set();
  let next = 1;
  for (const [seq, event] of events.entries()) {
    const at = microseconds(event.at);
    if (seq > 0) {
      if (clock.running) times.push({ seq, seat: clock.share.seat, ...clock.left(at) });
      const isTimeout = event.action.type === "timeout";
      if (clock.hasFallen(at) && !isTimeout) throw atEvent(seq, "it came after the flag had fallen");
      if (!clock.hasFallen(at) && isTimeout) throw atEvent(seq, "the flag had not fallen");
      const plays = event.seat ?? null;
      if (!isTimeout && plays !== null && event.action.type !== "abort" && clock.offers.get(plays) === "vacant") {
        throw atEvent(seq, "nobody played its seat then");
      }
      if (isTimeout) left.add(event.action.seat);
      if (event.action.type === "resign") left.add(plays);
      clock.pass(asked[seq], at);
    }
    for (; next < lines.length && lines[next].seq === seq; next++) {
      try {
        const { type, seat } = lines[next].change;
        must(!OF_SUBSTITUTES.includes(type) || !left.has(seat), "its seat has left the game");
        clock.change(lines[next], values);
      } catch (error) {
        if (!(error instanceof Refused)) throw error;
        throw atLine(4, lines[next].number, error.message);
      }
    }
  }
  return times;
}

const hours = (number) => BigInt(number) * HOUR;
const least = (one, other) => (one < other ? one : other);
const most = (one, other) => (one > other ? one : other);

/** A game's clock, as it stood when it began to run for the seat to act. */
class Clock {
  constructor({ calendars, control }, seats, values) {
    this.control = control;
    const bySeat = (number) => Array.from({ length: seats }, () => hours(number));
    this.banks = control.bank === null ? null : bySeat(control.bank.start_hours);
    this.waits = control.wait_hours === 0 ? null : bySeat(control.wait_hours);
    this.calendars = calendars.map((_, seat) => permitted(values.get(openingKey(0, seat)), control));
    this.spans = [];
    /** By seat, how far its offer to substitutes has come: "open", "vacant" or "taken". */
    this.offers = new Map();
    this.running = false;
    this.unlimited = control.limit_hours === null && control.bank === null;
  }

  newShare(seat) {
    const { limit_hours: limit } = this.control;
    return { seat, limit: limit === null ? null : hours(limit), calendar: this.calendars[seat] };
  }

  /** What the clock runs for. */
  get share() {
    return this.answer ?? this.turn;
  }

  start({ turn, toAct }, at) {
    this.running = true;
    this.since = at;
    this.turn = this.newShare(turn);
    this.answer = toAct === turn ? null : this.newShare(toAct);
  }

  get counting() {
    const { seat, calendar } = this.share;
    return new Counting(calendar, this.spans.filter((span) => span.seat === null || span.seat === seat));
  }

  get atFirst() {
    const { seat, limit } = this.share;
    return { limit, bank: this.banks?.[seat] ?? null, wait: this.waits?.[seat] ?? null };
  }

  get total() {
    const { limit, bank, wait } = this.atFirst;
    return (limit ?? 0n) + (bank ?? 0n) + (wait ?? 0n);
  }

  /** What is left at a time; never less than nothing. */
  left(at) {
    let used = this.counting.counted(this.since, at);
    const take = (part) => {
      if (part === null) return null;
      const taken = least(used, part);
      used -= taken;
      return part - taken;
    };
    const { limit, bank, wait } = this.atFirst;
    return { limit: take(limit), bank: take(bank), wait: take(wait) };
  }

  hasFallen(at) {
    return this.running && !this.unlimited && this.counting.counted(this.since, at + 1n) > this.total;
  }

  /** The clock after an event; `asked` is null when the game is over. */
  pass(asked, at) {
    if (asked === null || !this.running) {
      this.running = false;
      return;
    }
    const { turn, toAct } = asked;
    if (turn === this.turn.seat && toAct === this.share.seat) return;
    this.charge(at);
    if (this.answer !== null) {
      this.gain(this.answer.seat);
      this.answer = null;
    }
    if (turn !== this.turn.seat) {
      this.gain(this.turn.seat);
      this.turn = this.newShare(turn);
    }
    if (toAct !== turn) this.answer = this.newShare(toAct);
    this.since = at;
  }

  gain(seat) {
    if (this.banks === null) return;
    const { gain_hours: gain, cap_hours: cap } = this.control.bank;
    this.banks[seat] = most(this.banks[seat], least(this.banks[seat] + hours(gain), hours(cap)));
  }

  /** The clock after a line; refuses a change that cannot be. */
  change({ number, at: written, change }, values) {
    const at = microseconds(written);
    const mayRevive = ["calendar", "holiday", "down", "vacancy"].includes(change.type);
    must(mayRevive || !this.hasFallen(at), "it came after the flag had fallen");
    const isPaused = (span) => span.why === "pause" && span.until > at;
    switch (change.type) {
      case "calendar":
        this.calendars[change.seat] = permitted(values.get(openingKey(number, change.seat)), this.control);
        break;
      case "holiday":
        this.holiday(change.seat, values.get(openingKey(number, change.seat)).value, at);
        break;
      case "pause":
        must(!this.spans.some(isPaused), "the game is paused already");
        this.still({ from: at, until: microseconds(change.until), seat: null, why: "pause" });
        break;
      case "resume": {
        const pause = this.spans.find(isPaused);
        must(pause !== undefined, "the game is not paused");
        pause.until = at;
        break;
      }
      case "gift":
        must(this.offers.get(change.to) !== "vacant", "nobody plays the seat now");
        this.give(change.to, hours(change.hours));
        break;
      case "down": {
        const [from, until] = [microseconds(change.from), microseconds(change.until)];
        must(until <= at, "the server's down time ends after it was written");
        this.still({ from, until, seat: null, why: "down" });
        break;
      }
      case "offer":
        must(!this.offers.has(change.seat), "the seat was offered before");
        this.offers.set(change.seat, "open");
        break;
      case "vacancy":
        this.vacate(change.seat, microseconds(change.from), microseconds(change.until), at);
        break;
      case "substitute":
        this.handOver(change.seat, at);
        break;
      default:
        throw new Refused("it starts the clock again");
    }
  }

  /** When the flag of a seat falls; null if its clock does not run. */
  fallOf(seat) {
    const runs = this.running && !this.unlimited && this.share.seat === seat;
    return runs ? this.counting.fall(this.since, this.total) : null;
  }

  /** Nobody plays the seat, whose flag fell. */
  vacate(seat, from, until, at) {
    must([undefined, "open"].includes(this.offers.get(seat)), "the seat was offered before");
    must(from <= at && this.fallOf(seat) === from, "the flag of the seat did not fall then");
    must(until > at, "the seat is offered for no time");
    this.still({ from, until, seat, why: "vacancy" });
    this.offers.set(seat, "vacant");
  }

  /** A substitute plays the seat from now on. */
  handOver(seat, at) {
    const offer = this.offers.get(seat);
    must(offer === "open" || offer === "vacant", "the seat is not offered");
    const afterFall = offer === "vacant";
    if (this.running && this.share.seat === seat) {
      this.charge(at);
      this.since = at;
    }
    for (const share of this.running ? [this.answer, this.turn] : []) {
      if (share?.seat !== seat) continue;
      share.calendar = null;
      if (afterFall) share.limit = this.newShare(seat).limit;
    }
    if (this.running && afterFall && this.banks !== null) {
      this.banks[seat] = most(this.banks[seat], hours(this.control.bank.start_hours));
    }
    this.spans = this.spans.filter((span) => span.seat !== seat);
    this.calendars[seat] = null;
    this.offers.set(seat, "taken");
  }

  /** Takes the time used since the clock began to run. */
  charge(at) {
    const left = this.left(at);
    const { share } = this;
    share.limit = left.limit;
    if (this.banks !== null) this.banks[share.seat] = left.bank;
    if (this.waits !== null) this.waits[share.seat] = left.wait;
  }

  holiday(seat, value, at) {
    const [from, until] = [microseconds(value.from), microseconds(value.until)];
    must(this.control.holidays, "the game's time control has no holidays");
    // One that saves a player begins when the flag fell.
    if (from < at) must(this.fallOf(seat) === from, "a holiday begins before it was taken");
    this.still({ from, until, seat, why: "holiday" });
  }

  still(span) {
    must(span.from < span.until, "it ends before it begins");
    if (this.running) this.spans = this.spans.filter(({ until }) => until > this.since);
    this.spans.push(span);
    must(this.spans.length <= MAX_SPANS, "too many times without a running clock");
  }

  give(seat, time) {
    const why = "the seat has no clock to which time could be added";
    must(this.running, why);
    if (this.banks !== null) {
      this.banks[seat] += time;
      return;
    }
    const share = [this.answer, this.turn].find((open) => open?.seat === seat);
    must((share?.limit ?? null) !== null, why);
    share.limit += time;
  }
}

