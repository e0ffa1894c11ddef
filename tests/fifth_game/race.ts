// Compiles only against types that were generated from the document of a server with the fifth game.
import type { GameView, LegalActions, MoveBody, NewGameBody, RaceRolledEffect } from "./schema.js";

export const newGame: NewGameBody = { rules: "race", options: { target: 20 } };

// @ts-expect-error The options are the game's own.
export const otherOptions: NewGameBody = { rules: "race", options: { round_limit: 4 } };

export function missing(game: GameView): number[] {
  if (game.rules !== "race" || game.view === null) return [];
  const { target, totals } = game.view;
  return totals.map((total: number) => target - total);
}

export function move(legal: LegalActions): MoveBody | undefined {
  if (legal.rules !== "race") return undefined;
  for (const offer of legal.actions) {
    if ("choose" in offer) continue;
    const { type }: { type: "roll" | "pass" } = offer;
    // @ts-expect-error No race has this action.
    if (type === "store") continue;
    return { actions: [offer], expected_seq: legal.seq };
  }
  return undefined;
}

export function told({ seat, die, total }: RaceRolledEffect): string {
  return `seat ${seat} rolls ${die}, ${total} in all`;
}
