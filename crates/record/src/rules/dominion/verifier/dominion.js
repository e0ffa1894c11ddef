// Dominion (rules/dominion.md): turns and their stages. Rulings are named as there: DM1 … The field itself is in
// dominion_field.js.

import { cardSign, DECK, isRed, rankOf } from "./cards.js";
import { Field, MAX_STRENGTH } from "./dominion_field.js";
import { hasExactly } from "./json.js";
import { must } from "./refused.js";

const MAX_PLAYERS = { 3: 2, 4: 4, 5: 8 };
const MAX_ROUND_LIMIT = 500;

const isOneTo = (value, most) => Number.isInteger(value) && value >= 1 && value <= most;

/** The members that each action has besides its type. */
const ACTIONS = {
  turn: [],
  reinforce: ["cell"],
  withdraw: ["cell"],
  attack: ["from", "to"],
  occupy: ["armies"],
  advance: ["from", "to", "armies"],
  deploy: ["cell", "armies"],
  pass: [],
};

export class Dominion {
  static actionMembers = { cell: "", from: "", to: "", armies: "" };

  static effectWords = {
    dealt: () => "the field was dealt",
    turned: ({ card, reshuffled }) => `turned ${cardSign(card)}${reshuffled ? " after a reshuffle" : ""}`,
    battle: ({ from, to, advantage, losses }) =>
      `battle ${from} against ${to}, advantage ${advantage}, losses ${losses.join(" and ")}`,
    conquered: ({ cell, winner }, nameOf) => `${nameOf(winner)} conquered ${cell}`,
    armies: ({ cell, owner, armies }, nameOf) => (owner === null ? `${cell} is free` : `${cell}: ${nameOf(owner)} ${armies}`),
    dice: ({ seat, max_rank: rank, max_armies: armies }, nameOf) =>
      `${nameOf(seat)} may deploy ${armies} up to rank ${rank}`,
    stage: ({ seat, stage }, nameOf) => `${nameOf(seat)} is to ${stage}`,
  };

  static checkOptions(options) {
    must(hasExactly(options, ["size", "round_limit"]), "dominion has the options size and round_limit");
    must([3, 4, 5].includes(options.size), "the size is not 3, 4 or 5");
    must(options.round_limit === null || isOneTo(options.round_limit, MAX_ROUND_LIMIT), "the round limit is not 1 to 500");
  }

  static checkPlayers(count, { size }) {
    must(count >= 2 && count <= MAX_PLAYERS[size], `a ${size} by ${size} field is for 2 to ${MAX_PLAYERS[size]} players`);
  }

  constructor({ size, round_limit: roundLimit }, seats) {
    this.size = size;
    this.roundLimit = roundLimit;
    this.left = Array(seats).fill(false);
    this.stock = DECK.slice();
    this.discards = [];
    this.round = 1;
    this.current = 0;
    this.clearTurn();
  }

  clearTurn() {
    this.phase = "attack";
    this.turned = null;
    this.attacks = 0;
    this.pending = null;
    this.deployment = null;
  }

  get toAct() {
    return this.pending === null ? this.current : this.pending.winner;
  }

  /** A defender is asked during another seat's turn. */
  get inTurn() {
    return this.current;
  }

  start(step) {
    this.field = Field.dealt(this.size, step.chance);
    step.effect("dealt", { field: this.field.cells.map(({ card }) => card) });
    this.beginTurn(step);
  }

  act(step, seat, action) {
    const members = Object.hasOwn(ACTIONS, action.type) ? ACTIONS[action.type] : null;
    must(members !== null, "dominion has no such action");
    must(hasExactly(action, ["type", ...members]), "the action does not have just its members");
    const before = this.field.snapshot();
    const next = this[action.type](step, seat, action);
    this.field.showChanges(step, before);
    const owner = this.field.ownerOfAll();
    if (owner !== null) step.finish("play", this.ranking());
    else next();
  }

  // What each action does; each gives what comes after the block of `armies`.

  turn(step) {
    must(this.phase === "attack" && this.turned === null, "no card can be turned now");
    const reshuffled = this.stock.length === 0;
    if (reshuffled) {
      this.stock = DECK.filter((card) => this.discards.includes(card));
      this.discards = [];
    }
    const card = step.chance.draw(this.stock, "card", "turned");
    this.discards.push(card);
    this.turned = card;
    step.effect("turned", { card, reshuffled });
    if (rankOf(card) === 13) {
      // DM5, DM6
      if (!isRed(card)) this.phase = "withdraw";
      else if (this.field.ownCells(this.current).some((cell) => cell.base <= MAX_STRENGTH)) this.phase = "reinforce";
    }
    return () => {};
  }

  reinforce(step, seat, action) {
    must(this.phase === "reinforce", "nothing is to be reinforced now");
    const cell = this.field.cellNamed(action.cell);
    must(cell.owner === seat && cell.base <= MAX_STRENGTH, "that cell cannot be reinforced");
    cell.armies += 1;
    return () => this.returnToAttack(step);
  }

  withdraw(step, seat, action) {
    must(this.phase === "withdraw", "nothing is to be withdrawn now");
    const cell = this.field.cellNamed(action.cell);
    must(cell.owner === seat, "that cell is not the seat's own");
    cell.remove(1);
    return () => this.returnToAttack(step);
  }

  attack(step, seat, action) {
    must(this.phase === "attack" && this.turned !== null, "nothing can be attacked now");
    const [from, to] = [this.field.cellNamed(action.from), this.field.cellNamed(action.to)];
    must(from.owner === seat && this.field.targetsOf(from).includes(to), "this attack is not possible");
    this.attacks += 1;
    const defender = to.owner;
    const advantage = from.strength(this.turned) - to.strength(this.turned);
    const pair = (whom) => [step.chance.die(whom), step.chance.die(whom)];
    const attackerDice = pair(`for the attacker, seat ${seat}`);
    const defenderDice = pair(`for the defender, seat ${defender}`);
    const sum = ([one, other]) => one + other;
    const difference = sum(attackerDice) + advantage - sum(defenderDice);
    const losses = [Math.min(Math.max(-difference, 0), from.armies), Math.min(Math.max(difference, 0), to.armies)];
    step.effect("battle", {
      from: from.name,
      to: to.name,
      attacker: seat,
      defender,
      advantage,
      attacker_dice: attackerDice,
      defender_dice: defenderDice,
      losses,
    });
    from.remove(losses[0]);
    to.remove(losses[1]);
    if (from.owner === null) return this.conquered(step, from, to);
    if (to.owner === null) return this.conquered(step, to, from);
    return () => this.returnToAttack(step);
  }

  // DM9
  conquered(step, cell, winning) {
    const most = Math.min(winning.armies, MAX_STRENGTH - cell.rank);
    this.pending = { from: winning, to: cell, winner: winning.owner, most };
    this.phase = "occupy";
    step.effect("conquered", { cell: cell.name, winner: winning.owner });
    return () => {};
  }

  occupy(step, seat, { armies }) {
    must(this.phase === "occupy", "nothing is to be occupied now");
    const { from, to, most } = this.pending;
    must(armies === 0 || isOneTo(armies, most), `0 to ${most} armies can move in`);
    from.remove(armies);
    to.add(armies, seat);
    this.pending = null;
    return () => this.afterOccupy(step);
  }

  advance(step, seat, { from: fromName, to: toName, armies }) {
    must(this.phase === "advance" || this.mayEndAttack(), "nothing can be advanced now");
    const [from, to] = [this.field.cellNamed(fromName), this.field.cellNamed(toName)];
    must(from.owner === seat && to.owner === seat, "an advance goes from an own cell to an own cell");
    must(this.field.neighboursOf(from).includes(to), "an advance goes to a neighbouring cell");
    must(isOneTo(armies, from.armies) && to.base + armies <= MAX_STRENGTH, "so many armies cannot advance");
    from.remove(armies);
    to.add(armies, seat);
    return () => this.enterDeploy(step);
  }

  deploy(step, seat, { cell: name, armies }) {
    must(this.phase === "deploy", "nothing can be deployed now");
    const cell = this.field.cellNamed(name);
    must(this.mayDeployOn(cell), "nothing can be deployed on that cell");
    must(isOneTo(armies, this.deployment.mostArmies) && cell.base + armies <= MAX_STRENGTH, "so many cannot be deployed");
    cell.add(armies, seat);
    return () => this.endTurn(step);
  }

  pass(step) {
    if (this.phase === "advance") return () => this.enterDeploy(step);
    if (this.phase === "deploy") return () => this.endTurn(step);
    must(this.mayEndAttack(), "the stage cannot be passed now");
    return () => this.enterAdvance(step);
  }

  // DM3, DM7: before the card is turned, or after at least one attack.
  mayEndAttack() {
    return this.phase === "attack" && (this.turned === null || this.attacks > 0);
  }

  // Stages: each gives the seat its choice, or goes on by itself.

  beginTurn(step) {
    this.clearTurn();
    if (this.field.canAttack(this.current)) this.giveChoice(step, "attack");
    else this.enterAdvance(step);
  }

  giveChoice(step, stage) {
    this.phase = stage;
    step.effect("stage", { seat: this.current, stage });
  }

  returnToAttack(step) {
    this.phase = "attack";
    if (!this.field.canAttack(this.current)) this.enterAdvance(step);
  }

  afterOccupy(step) {
    if (this.left[this.current]) this.endTurn(step);
    else this.returnToAttack(step);
  }

  enterAdvance(step) {
    if (this.field.canAdvance(this.current)) this.giveChoice(step, "advance");
    else this.enterDeploy(step);
  }

  // DM11
  enterDeploy(step) {
    const seat = this.current;
    const isFree = (cell) => (cell.owner === null || cell.owner === seat) && cell.base < MAX_STRENGTH;
    if (!this.field.cells.some(isFree)) return this.endTurn(step);
    const dice = [step.chance.die(`to deploy, seat ${seat}`), step.chance.die(`to deploy, seat ${seat}`)];
    this.deployment = { mostRank: dice[0] + dice[1], mostArmies: 7 - Math.min(...dice) };
    const { mostRank: max_rank, mostArmies: max_armies } = this.deployment;
    step.effect("dice", { seat, dice, max_rank, max_armies });
    if (this.field.cells.some((cell) => this.mayDeployOn(cell))) return this.giveChoice(step, "deploy");
    return this.endTurn(step);
  }

  mayDeployOn(cell) {
    const isOwnOrFree = cell.owner === null || cell.owner === this.current;
    return isOwnOrFree && cell.base < MAX_STRENGTH && cell.rank <= this.deployment.mostRank;
  }

  endTurn(step) {
    const seats = this.left.length;
    const last = this.current;
    do this.current = (this.current + 1) % seats;
    while (this.left[this.current]);
    // A round is over when the turn passes to a seat that is not after this one.
    if (this.current <= last) this.round += 1;
    if (this.roundLimit !== null && this.round > this.roundLimit) step.finish("round_limit", this.ranking());
    else this.beginTurn(step);
  }

  // DM14
  leave(step, seat) {
    this.left[seat] = true;
    const before = this.field.snapshot();
    for (const cell of this.field.ownCells(seat)) cell.remove(cell.armies);
    this.field.showChanges(step, before);
  }

  afterLeaving(step, seat) {
    if (this.pending !== null) {
      // Another's `occupy` stays; one's own counts as 0.
      if (this.pending.winner !== seat) return;
      this.pending = null;
      this.afterOccupy(step);
    } else if (seat === this.current) {
      this.endTurn(step);
    } else if (this.phase === "attack") {
      this.returnToAttack(step);
    }
  }

  /** DM13: those who stayed, by cells, then by armies; ties share. */
  ranking() {
    const stayers = this.left.flatMap((left, seat) => (left ? [] : [this.field.strengthOf(seat)]));
    stayers.sort((one, other) => other.cells - one.cells || other.armies - one.armies);
    const groups = [];
    for (const stayer of stayers) {
      const [best] = groups.at(-1) ?? [];
      if (best?.cells === stayer.cells && best.armies === stayer.armies) groups.at(-1).push(stayer);
      else groups.push([stayer]);
    }
    return groups.map((group) => group.map(({ seat }) => seat));
  }

  scores() {
    return null;
  }
}
