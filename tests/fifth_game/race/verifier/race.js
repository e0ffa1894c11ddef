// Race (rules.md).

import { hasExactly } from "./json.js";
import { must, Refused } from "./refused.js";

const FARTHEST_TARGET = 200;

export class Race {
  static actionMembers = {};

  static effectWords = {
    rolled: ({ seat, die, total }, nameOf) => `${nameOf(seat)} rolled ${die} and stands at ${total}`,
  };

  static checkOptions(options) {
    must(hasExactly(options, ["target"]), "race has the option target");
    const { target } = options;
    must(Number.isInteger(target) && target >= 1 && target <= FARTHEST_TARGET, "the target is not 1 to 200");
  }

  static checkPlayers(count) {
    must(count === 2, "race is for two players");
  }

  constructor({ target }) {
    this.target = target;
    this.totals = [0, 0];
    this.toAct = 0;
  }

  start() {}

  act(step, seat, action) {
    must(hasExactly(action, ["type"]), "the action says more than its type");
    switch (action.type) {
      case "roll":
        return this.roll(step, seat);
      case "pass":
        this.toAct = 1 - seat;
        return undefined;
      default:
        throw new Refused("race knows no such action");
    }
  }

  roll(step, seat) {
    const die = step.chance.die(`for seat ${seat}`);
    this.totals[seat] += die;
    step.effect("rolled", { seat, die, total: this.totals[seat] });
    if (this.totals[seat] >= this.target) step.finish("play", [[seat], [1 - seat]]);
    else this.toAct = 1 - seat;
  }

  leave() {}

  scores() {
    return this.totals.slice();
  }
}
