// Check 3: the game is played again, event by event: who acts, what is legal, what follows, whose choice it is
// then, and which seeds are due.

import { Chance } from "./chance.js";
import { canonical, hasExactly, same } from "./json.js";
import { must, Refused } from "./refused.js";
import { RULES } from "./rules.js";

/** What one event leads to: its effects, and what becomes of seeds. Rules write into it. */
class Step {
  constructor(seq, chance, table) {
    this.seq = seq;
    this.chance = chance;
    this.table = table;
    this.effects = [];
    this.hidden = false;
    this.published = [];
  }

  effect(type, members) {
    this.effects.push({ type, ...members });
  }

  /** This event's seed deals hidden cards, so it is kept back. */
  hideSeed() {
    this.hidden = true;
    this.chance.takeUnseen();
  }

  /** All that the seed of event `seq` decided is public now. */
  publishSeed(seq) {
    this.published.push(seq);
  }

  /** Ends the game. `groups` are the seats that stayed, best first, those who tie in one list. */
  finish(reason, groups) {
    this.table.finish(this, reason, groups);
  }
}

/** A game of any rules: seats, leaving, the end, and the seeds that are not yet published. */
class Table {
  constructor(header) {
    this.header = header;
    this.seats = header.players.length;
    this.order = null;
    this.leavers = [];
    this.acted = new Set();
    this.unpublished = [];
    this.result = null;
    this.game = null;
  }

  get stayers() {
    return Array.from({ length: this.seats }, (_, seat) => seat).filter((seat) => !this.leavers.includes(seat));
  }

  get toAct() {
    return this.result === null ? this.game.toAct : null;
  }

  /** Rules in which another seat may be asked during a turn say whose turn it is. */
  get asked() {
    const { toAct } = this;
    return toAct === null ? null : { turn: this.game.inTurn ?? toAct, toAct };
  }

  act(step, event) {
    if (event.seq === 0) return this.start(step, event);
    must(this.result === null, "the game is over");
    const { seat, action } = event;
    if (seat !== null) must(this.stayers.includes(seat), `seat ${seat} is not in the game`);
    switch (action.type) {
      case "start":
        throw new Refused("`start` belongs to event 0 alone");
      case "timeout":
        must(seat === null && hasExactly(action, ["type", "seat"]), "a `timeout` belongs to the server and names a seat");
        must(action.seat === this.toAct, "the seat that ran out of time was not to act");
        return this.leave(step, action.seat, "timeout");
      case "resign":
        must(seat !== null && hasExactly(action, ["type"]), "a `resign` belongs to a seat and says no more");
        this.acted.add(seat);
        return this.leave(step, seat, "resignation");
      case "abort":
        must(seat !== null && hasExactly(action, ["type"]), "an `abort` belongs to a seat and says no more");
        must(this.stayers.some((stayer) => !this.acted.has(stayer)), "everybody has acted, so nobody can abort");
        return this.end(step, { reason: "abort", places: null, scores: null });
      default:
        must(seat !== null, "only a player can do this");
        must(seat === this.toAct, `it is not the turn of seat ${seat}`);
        this.acted.add(seat);
        return this.game.act(step, seat, action);
    }
  }

  start(step, event) {
    must(event.seat === null && same(event.action, { type: "start" }), "event 0 is the server's `start`");
    this.order = this.seatingOf(step, event);
    step.effect("seated", { order: this.order });
    this.game = new RULES[this.header.rules][this.header.rules_version](this.header.options, this.seats);
    this.game.start(step);
  }

  seatingOf({ chance }, event) {
    const joined = Array.from({ length: this.seats }, (_, player) => player);
    if (this.header.seating === "joined") return joined;
    if (chance.isKnown) {
      const left = joined.slice();
      return joined.map((seat) => chance.draw(left, "player", `seat ${seat}`));
    }
    // Where the first deal is still hidden, the seats are taken as given. They are drawn all the same, so the seed is due: at
    // once, unless a deal hides it.
    chance.takeUnseen();
    const given = event.effects[0]?.type === "seated" ? event.effects[0].order : null;
    const sorted = Array.isArray(given) ? given.toSorted((one, other) => one - other) : null;
    must(sorted !== null && same(sorted, joined), "`seated` does not seat every player once");
    return given;
  }

  leave(step, seat, reason) {
    step.effect("left", { seat });
    this.leavers.push(seat);
    this.game.leave(step, seat);
    if (this.stayers.length === 1) step.finish(reason, [this.stayers]);
    else this.game.afterLeaving(step, seat);
  }

  finish(step, reason, groups) {
    const places = Array(this.seats);
    let place = 1;
    for (const group of [...groups, ...this.leavers.toReversed().map((seat) => [seat])]) {
      for (const seat of group) places[seat] = place;
      place += group.length;
    }
    this.end(step, { reason, places, scores: this.game.scores() });
  }

  end(step, result) {
    this.result = result;
    step.effect("finished", result);
  }

  /** The seeds that the event must publish, ascending. */
  dueSeeds(step) {
    if (step.chance.used) this.unpublished.push(step.seq);
    const everything = this.result !== null;
    const isDue = (seq) => everything || step.published.includes(seq) || (seq === step.seq && !step.hidden);
    const due = this.unpublished.filter(isDue);
    this.unpublished = this.unpublished.filter((seq) => !isDue(seq));
    return due;
  }
}

/**
 * Plays the record again. Gives `{ failure, draws, order, result, sealed, asked }`: `asked` has for each event whose turn and whose choice it
 * is after it, or null when the game is over.
 */
export function replay({ header, events }, seeds) {
  const table = new Table(header);
  const draws = [];
  const asked = [];
  let failure = null;
  for (const event of events) {
    const chance = new Chance(seeds.get(event.seq) ?? null);
    const step = new Step(event.seq, chance, table);
    draws.push(chance.draws);
    try {
      table.act(step, event);
      compare(event, step, table);
      asked.push(table.asked);
    } catch (error) {
      if (!(error instanceof Refused)) throw error;
      failure = { check: 3, place: { name: `event ${event.seq}`, seq: event.seq }, why: error.message };
      break;
    }
  }
  return { failure, draws, order: table.order, result: table.result, sealed: table.unpublished, asked };
}

function compare(event, step, table) {
  const wrong = step.effects.findIndex((due, index) => index >= event.effects.length || !same(due, event.effects[index]));
  must(wrong < 0, `effect ${wrong + 1} should be ${wrong < 0 ? "" : canonical(step.effects[wrong])}`);
  must(event.effects.length === step.effects.length, "there are more effects than what happened");
  must(event.to_act === table.toAct, `\`to_act\` should be ${table.toAct}`);
  const due = table.dueSeeds(step);
  const given = event.seeds.map(({ seq }) => seq);
  must(same(due, given), `the seeds due here are ${due.length === 0 ? "none" : `those of event ${due.join(", ")}`}`);
}
