// Pip•Pip (rules/pip-pip.md). Rulings are named as there: PP1 …

import { hasExactly } from "./json.js";
import { must, Refused } from "./refused.js";

const COLUMNS = "cdef";
const ROWS = "3456";
const CELLS = [...COLUMNS].flatMap((column) => [...ROWS].map((row) => column + row));
const DICE_A_SEAT = 8;
const STORE_SIZE = 3;

/** PP1: the direction of each face of a die that lies in its standard position. */
const DIRECTIONS = [null, [0, 0, 1], [0, -1, 0], [1, 0, 0], [-1, 0, 0], [0, 1, 0], [0, 0, -1]];

function cross([ax, ay, az], [bx, by, bz]) {
  return [ay * bz - az * by, az * bx - ax * bz, ax * by - ay * bx];
}

/** The four side faces of a die by its top and its north face. */
function sidesOf({ top, north }) {
  const [x, y, z] = cross(DIRECTIONS[north], DIRECTIONS[top]);
  const east = DIRECTIONS.findIndex((face) => face !== null && face[0] === x && face[1] === y && face[2] === z);
  return { north, east, south: 7 - north, west: 7 - east };
}

/** PP3: the neighbours of a cell, with the side that looks at each and the side that looks back. */
function neighboursOf(cell) {
  const at = (columns, rows) => String.fromCharCode(cell.charCodeAt(0) + columns, cell.charCodeAt(1) + rows);
  return [
    { cell: at(0, 1), looking: "north", back: "south" },
    { cell: at(1, 0), looking: "east", back: "west" },
    { cell: at(0, -1), looking: "south", back: "north" },
    { cell: at(-1, 0), looking: "west", back: "east" },
  ];
}

/** Seat 0 plays light: cells whose column number (a = 1) plus row is odd. */
function colourOf(cell) {
  return (cell.charCodeAt(0) - 96 + Number(cell[1])) % 2 === 0 ? 1 : 0;
}

export class PipPip {
  static actionMembers = { die: "", cell: "", north: "n" };

  static effectWords = {
    rolled: ({ seat, die }, nameOf) => `${nameOf(seat)} rolled ${die}`,
    stored: ({ die }) => `stored ${die}`,
    pulled: ({ die }) => `took ${die} from the store`,
    placed: ({ top, cell, north }) => `${top} on ${cell}, north ${north}`,
    converted: ({ cells }) => `converted ${cells.join(", ")}`,
  };

  static checkOptions(options) {
    must(hasExactly(options, []), "pip-pip has no options");
  }

  static checkPlayers(count) {
    must(count === 2, "pip-pip is for two players");
  }

  constructor() {
    this.dice = new Map();
    this.stores = [[], []];
    this.remaining = [DICE_A_SEAT, DICE_A_SEAT];
    this.rolled = null;
    this.toAct = 0;
  }

  start(step) {
    this.beginTurn(step);
  }

  // PP5: with an empty store there is no choice but to roll.
  beginTurn(step) {
    if (this.stores[this.toAct].length === 0) this.roll(step);
  }

  roll(step) {
    this.rolled = step.chance.die(`for seat ${this.toAct}`);
    step.effect("rolled", { seat: this.toAct, die: this.rolled });
  }

  act(step, seat, action) {
    const store = this.stores[seat];
    const remaining = this.remaining[seat];
    switch (action.type) {
      case "roll":
        must(hasExactly(action, ["type"]), "a `roll` says no more");
        must(this.rolled === null && store.length < remaining, "nothing can be rolled now");
        return this.roll(step);
      case "store":
        must(hasExactly(action, ["type"]), "a `store` says no more");
        must(this.rolled !== null, "no die is rolled that could be stored");
        must(store.length < STORE_SIZE && store.length + 1 < remaining, "the store cannot take another die");
        store.push(this.rolled);
        step.effect("stored", { seat, die: this.rolled });
        return this.roll(step);
      case "place":
        must(hasExactly(action, ["type", "cell", "north"]), "a `place` names a cell and the north face");
        must(this.rolled !== null, "no die is rolled that could be placed");
        return this.place(step, seat, this.rolled, action);
      case "pull":
        must(hasExactly(action, ["type", "die", "cell", "north"]), "a `pull` names a die, a cell and the north face");
        must(this.rolled === null, "a rolled die must be placed or stored");
        must(store.includes(action.die), "the store does not hold that die");
        store.splice(store.indexOf(action.die), 1);
        step.effect("pulled", { seat, die: action.die });
        return this.place(step, seat, action.die, action);
      default:
        throw new Refused("pip-pip has no such action");
    }
  }

  place(step, seat, top, { cell, north }) {
    must(CELLS.includes(cell) && !this.dice.has(cell), "that is not an empty cell");
    must([1, 2, 3, 4, 5, 6].includes(north) && north !== top && north !== 7 - top, "no die can lie so");
    const die = { owner: seat, top, north };
    this.dice.set(cell, die);
    step.effect("placed", { seat, cell, top, north });
    const converted = this.convert(cell, die);
    if (converted.length > 0) step.effect("converted", { cells: converted });
    this.rolled = null;
    this.remaining[seat] -= 1;
    if (this.dice.size === CELLS.length) return this.finish(step);
    this.toAct = 1 - seat;
    return this.beginTurn(step);
  }

  convert(cell, die) {
    const loses = ({ cell: beside, looking, back }) => {
      const other = this.dice.get(beside);
      return other !== undefined && other.owner !== die.owner && sidesOf(die)[looking] > sidesOf(other)[back];
    };
    const converted = neighboursOf(cell).filter(loses).map((neighbour) => neighbour.cell).sort();
    for (const beside of converted) this.dice.get(beside).owner = die.owner;
    return converted;
  }

  finish(step) {
    const [light, dark] = this.scores();
    step.finish("play", light === dark ? [[0, 1]] : light > dark ? [[0], [1]] : [[1], [0]]);
  }

  // PP6: tops of the dice of a colour on cells of that colour.
  scores() {
    const scores = [0, 0];
    for (const [cell, { owner, top }] of this.dice) if (colourOf(cell) === owner) scores[owner] += top;
    return scores;
  }

  leave() {}
}
