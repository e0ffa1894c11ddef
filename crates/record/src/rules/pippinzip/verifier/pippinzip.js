// Pippinzip (rules/pippinzip.md). Rulings are named as there: PZ1 …

import { hasExactly } from "./json.js";
import { must, Refused } from "./refused.js";

const VARIANTS = ["pipline", "zipline", "freestyle"];
const MAX_AUCTION_STONES = 3;
const ORTHOGONAL = [[0, 1], [1, 0], [0, -1], [-1, 0]];
const ALL_AROUND = [...ORTHOGONAL, [1, 1], [1, -1], [-1, 1], [-1, -1]];

export class Pippinzip {
  static actionMembers = { cells: "" };

  static effectWords = {
    placed: ({ colour, cells }) => `${colour} on ${cells.join(", ")}`,
    roles: ({ pip, zip }, nameOf) => `${nameOf(pip)} is Pip, ${nameOf(zip)} is Zip`,
    connected: ({ colour, cells }) => `${colour} connected: ${cells.join(", ")}`,
  };

  static checkOptions(options) {
    must(hasExactly(options, ["variant", "size", "surface"]), "pippinzip has the options variant, size and surface");
    must(VARIANTS.includes(options.variant), "there is no such variant");
    must(Number.isInteger(options.size) && options.size >= 5 && options.size <= 19, "the size is not 5 to 19");
    must(["points", "cells"].includes(options.surface), "the surface is neither points nor cells");
  }

  static checkPlayers(count) {
    must(count === 2, "pippinzip is for two players");
  }

  constructor({ variant, size }) {
    this.variant = variant;
    this.size = size;
    this.stones = new Map();
    this.roles = null;
    this.toAct = 0;
  }

  start() {}

  act(step, seat, action) {
    switch (action.type) {
      case "take":
        must(hasExactly(action, ["type"]), "a `take` says no more");
        must(this.roles === null, "the auction is over");
        return this.take(step, seat);
      case "place":
        must(hasExactly(action, ["type", "cells"]) && Array.isArray(action.cells), "a `place` names cells");
        this.checkCells(seat, action.cells);
        return this.place(step, seat, action.cells);
      default:
        throw new Refused("pippinzip has no such action");
    }
  }

  // PZ2
  take(step, seat) {
    this.roles = this.variant === "pipline" ? { pip: seat, zip: 1 - seat } : { pip: 1 - seat, zip: seat };
    step.effect("roles", this.roles);
    this.toAct = 1 - seat;
  }

  isEmpty(cell) {
    const parts = typeof cell === "string" ? /^([a-s])([1-9]\d?)$/.exec(cell) : null;
    if (parts === null || this.stones.has(cell)) return false;
    return parts[1].charCodeAt(0) - 97 < this.size && Number(parts[2]) <= this.size;
  }

  checkCells(seat, cells) {
    must(cells.every((cell) => this.isEmpty(cell)), "not all of these are empty cells");
    must(new Set(cells).size === cells.length, "a cell is named twice");
    if (this.roles === null) {
      must(cells.length >= 1 && cells.length <= MAX_AUCTION_STONES, "the auction takes one to three stones");
    } else if (seat === this.roles.zip || this.variant === "pipline") {
      must(cells.length === 1, "one stone is placed");
    } else {
      this.checkTwo(cells);
    }
  }

  // PZ4
  checkTwo(cells) {
    must(cells.length === 1 || cells.length === 2, "Pip places two stones");
    const [first, second] = cells;
    const fits = (cell) => cell !== first && this.isEmpty(cell) && !(this.variant === "zipline" && areSides(first, cell));
    if (second === undefined) must(!this.allCells().some(fits), "a second stone must be placed");
    else must(fits(second), "in Zipline the two stones must not be orthogonal neighbours");
  }

  allCells() {
    const numbers = Array.from({ length: this.size }, (_, index) => index);
    return numbers.flatMap((column) => numbers.map((row) => nameOf(column, row)));
  }

  colourOf(seat) {
    if (this.roles === null) return this.variant === "pipline" ? "black" : "white";
    return seat === this.roles.pip ? "black" : "white";
  }

  place(step, seat, cells) {
    const colour = this.colourOf(seat);
    for (const cell of cells) this.stones.set(cell, colour);
    step.effect("placed", { seat, colour, cells });
    const group = this.winningGroup(colour);
    if (group === null) {
      this.toAct = 1 - seat;
    } else {
      step.effect("connected", { colour, cells: group });
      step.finish("play", [[seat], [1 - seat]]);
    }
  }

  // PZ5: of several groups the one that holds the first cell by column, then row, which is the order of allCells().
  winningGroup(colour) {
    const seen = new Set();
    for (const cell of this.allCells()) {
      if (this.stones.get(cell) !== colour || seen.has(cell)) continue;
      const group = this.groupOf(cell, colour);
      group.forEach((member) => seen.add(member));
      if (this.wins(group, colour)) return this.allCells().filter((member) => group.has(member));
    }
    return null;
  }

  groupOf(cell, colour) {
    const steps = colour === "black" ? ORTHOGONAL : ALL_AROUND;
    const group = new Set([cell]);
    for (const member of group) {
      const [column, row] = placeOf(member);
      for (const [right, up] of steps) {
        const beside = nameOf(column + right, row + up);
        if (this.stones.get(beside) === colour) group.add(beside);
      }
    }
    return group;
  }

  wins(group, colour) {
    const places = [...group].map(placeOf);
    const last = this.size - 1;
    const west = places.some(([column]) => column === 0);
    const east = places.some(([column]) => column === last);
    const south = places.some(([, row]) => row === 0);
    const north = places.some(([, row]) => row === last);
    return colour === "black" ? (west && east) || (south && north) : west && east && south && north;
  }

  scores() {
    return null;
  }

  leave() {}
}

function placeOf(cell) {
  return [cell.charCodeAt(0) - 97, Number(cell.slice(1)) - 1];
}

function nameOf(column, row) {
  return `${String.fromCharCode(97 + column)}${row + 1}`;
}

/** Whether two cells are orthogonal neighbours. */
function areSides(one, other) {
  const [[column, row], [otherColumn, otherRow]] = [placeOf(one), placeOf(other)];
  return Math.abs(column - otherColumn) + Math.abs(row - otherRow) === 1;
}
