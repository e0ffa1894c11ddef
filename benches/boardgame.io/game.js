// A game of two as small as the smallest that pippost has: a row of numbers, a die each turn, and a state of some 400 bytes.
'use strict';

const CELLS = 60;

module.exports = {
  name: 'pips',
  minPlayers: 2,
  maxPlayers: 2,
  setup: () => ({ cells: Array(CELLS).fill(10), scores: [0, 0], last: null }),
  turn: { minMoves: 1, maxMoves: 1 },
  moves: {
    place: ({ G, playerID, random }, cell) => {
      if (!Number.isInteger(cell) || cell < 0 || cell >= CELLS) return 'INVALID_MOVE';
      const die = random.D6();
      G.cells[cell] += die;
      G.scores[Number(playerID)] += die;
      G.last = { cell, die };
    },
  },
};
