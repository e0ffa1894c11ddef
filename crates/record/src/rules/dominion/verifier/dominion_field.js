// The field of Dominion: cells in the order in which they are dealt, from the north-west, row by row.

import { DECK, isRed, rankOf } from "./cards.js";
import { must } from "./refused.js";

/** The largest base strength, but for what a red king adds. */
export const MAX_STRENGTH = 13;

const LARGEST_FIELD_RANK = 11;
const QUEEN = 12;
const JACK = 11;

class Cell {
  constructor(name, card, isVertical) {
    this.name = name;
    this.card = card;
    this.rank = rankOf(card);
    this.isVertical = isVertical;
    this.owner = null;
    this.armies = 0;
  }

  /** DM1 */
  get base() {
    return this.rank + this.armies;
  }

  /** DM4: strength while a card is turned. */
  strength(turned) {
    const sameColour = isRed(turned) === isRed(this.card);
    const rank = rankOf(turned);
    if (rank <= JACK && rank === this.rank) return this.base + (sameColour ? 2 : -2);
    return this.base + (rank === QUEEN && sameColour ? 1 : 0);
  }

  add(armies, owner) {
    if (armies > 0) this.owner = owner;
    this.armies += armies;
  }

  remove(armies) {
    this.armies -= armies;
    if (this.armies === 0) this.owner = null;
  }
}

export class Field {
  static dealt(size, chance) {
    const cards = DECK.filter((card) => rankOf(card) <= LARGEST_FIELD_RANK);
    const cells = Array.from({ length: size * size }, (_, index) => {
      const [row, column] = [Math.floor(index / size), index % size];
      const name = String.fromCharCode(97 + column) + (size - row);
      return new Cell(name, chance.draw(cards, "card", name), (row + column) % 2 === 0);
    });
    return new Field(size, cells);
  }

  constructor(size, cells) {
    this.size = size;
    this.cells = cells;
  }

  cellNamed(name) {
    const cell = this.cells.find((candidate) => candidate.name === name);
    must(cell !== undefined, "there is no such cell");
    return cell;
  }

  ownCells(seat) {
    return this.cells.filter((cell) => cell.owner === seat);
  }

  /** The cells to the north, south, west and east that exist. */
  beside(cell, directions) {
    const index = this.cells.indexOf(cell);
    const [row, column] = [Math.floor(index / this.size), index % this.size];
    const inside = (number) => number >= 0 && number < this.size;
    return directions
      .map(([down, right]) => [row + down, column + right])
      .filter(([down, right]) => inside(down) && inside(right))
      .map(([down, right]) => this.cells[down * this.size + right]);
  }

  neighboursOf(cell) {
    return this.beside(cell, [[-1, 0], [1, 0], [0, -1], [0, 1]]);
  }

  /** DM2: the cells of others that an occupied cell attacks. */
  targetsOf(cell) {
    const directions = cell.isVertical ? [[-1, 0], [1, 0]] : [[0, -1], [0, 1]];
    return this.beside(cell, directions).filter((other) => other.owner !== null && other.owner !== cell.owner);
  }

  canAttack(seat) {
    return this.ownCells(seat).some((cell) => this.targetsOf(cell).length > 0);
  }

  canAdvance(seat) {
    const hasRoom = (cell) => cell.owner === seat && cell.base < MAX_STRENGTH;
    return this.ownCells(seat).some((cell) => this.neighboursOf(cell).some(hasRoom));
  }

  /** The seat that owns every cell, or null. */
  ownerOfAll() {
    const [{ owner }] = this.cells;
    return this.cells.every((cell) => cell.owner === owner) ? owner : null;
  }

  strengthOf(seat) {
    const own = this.ownCells(seat);
    return { seat, cells: own.length, armies: own.reduce((sum, cell) => sum + cell.armies, 0) };
  }

  snapshot() {
    return this.cells.map(({ owner, armies }) => ({ owner, armies }));
  }

  /** One `armies` for each cell that differs from before. */
  showChanges(step, before) {
    for (const [index, { name, owner, armies }] of this.cells.entries()) {
      if (before[index].owner !== owner || before[index].armies !== armies) {
        step.effect("armies", { cell: name, owner, armies });
      }
    }
  }
}
