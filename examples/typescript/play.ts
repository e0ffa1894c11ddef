// Plays a game of any rule set between two accounts of your server, then lets the server verify the game's record.
//
//     node play.js http://127.0.0.1:8080 pip-pip

import createClient, { type Client } from "openapi-fetch";
import type { GameView, LegalActions, MoveBody, NewGameBody, paths, ProblemBody, Selection } from "./schema.js";

type Rules = GameView["rules"];
type Player = Client<paths>;

const NEW_GAMES: { [Name in Rules]: Extract<NewGameBody, { rules: Name }> } = {
  dominion: { rules: "dominion", options: { size: 3, round_limit: 4 } },
  pippinzip: { rules: "pippinzip", options: { size: 5 } },
  "pip-pip": { rules: "pip-pip" },
  serpent: { rules: "serpent" },
};

/** The answer, unless it is a problem. */
function answered<T>({ data, error }: { data?: T; error?: ProblemBody }): T {
  if (data === undefined) throw new Error(`${error?.code}: ${error?.detail}`);
  return data;
}

/** The account that an earlier run has made, or a new one. */
async function player(baseUrl: string, handle: string): Promise<Player> {
  const guest = createClient<paths>({ baseUrl });
  const password = `the long password of ${handle}`;
  const body = { handle, email: `${handle}@example.org`, password };
  const known = await guest.POST("/api/v1/sessions", { body: { login: handle, password } });
  const session =
    known.error?.code === "wrong_credentials" ? await guest.POST("/api/v1/accounts", { body }) : known;
  const headers = { Authorization: `Bearer ${answered(session).access_token}` };
  return createClient<paths>({ baseUrl, headers });
}

function oneOf<T>(list: readonly T[]): T {
  const chosen = list[Math.floor(Math.random() * list.length)];
  if (chosen === undefined) throw new Error("there is nothing to choose from");
  return chosen;
}

function neighbours(one: string, other: string): boolean {
  const columns = Math.abs(one.charCodeAt(0) - other.charCodeAt(0));
  return columns + Math.abs(Number(one.slice(1)) - Number(other.slice(1))) === 1;
}

/** As many entries as may be picked, in a random order. */
function picked(pick: Selection): string[] {
  const chosen: string[] = [];
  const left = [...pick.from];
  while (left.length > 0 && chosen.length < pick.most) {
    const entry = oneOf(left);
    left.splice(left.indexOf(entry), 1);
    if (!pick.apart || !chosen.some((other) => neighbours(entry, other))) chosen.push(entry);
  }
  return chosen;
}

/** One of the legal actions: here is where a player of yours would think. */
function move(legal: LegalActions): MoveBody {
  switch (legal.rules) {
    case "dominion": {
      const attacks = legal.actions.filter((offer) => offer.type === "attack");
      return chosen(legal, oneOf(attacks.length > 0 ? attacks : legal.actions));
    }
    case "pip-pip": {
      const others = legal.actions.filter((offer) => offer.type !== "store");
      return chosen(legal, oneOf(others.length > 0 ? others : legal.actions));
    }
    case "pippinzip":
    case "serpent":
      return chosen(legal, oneOf<LegalActions["actions"][number]>(legal.actions));
  }
}

/** The move that takes this offer; if it is a choice, with what was picked. */
function chosen(legal: LegalActions, offer: LegalActions["actions"][number]): MoveBody {
  if (!("choose" in offer)) return { actions: [offer], expected_seq: legal.seq };
  if (legal.rules !== "pippinzip") throw new Error(`a choice that this program does not know: ${offer.type}`);
  return { actions: [{ type: "place", cells: picked(offer.choose) }], expected_seq: legal.seq };
}

async function main(url: string, rules: Rules): Promise<void> {
  const handles = ["typescript-ann", "typescript-bob"] as const;
  const ann = await player(url, handles[0]);
  const bob = await player(url, handles[1]);
  let game = answered(await ann.POST("/api/v1/games", { body: NEW_GAMES[rules] }));
  const params = { path: { id: game.id } };
  game = answered(await bob.POST("/api/v1/games/{id}/join", { params, body: { entropy: "bob was here" } }));
  while (game.to_act !== null) {
    const { to_act } = game;
    const actor = game.players.find(({ seat }) => seat === to_act)?.handle === handles[0] ? ann : bob;
    const legal = answered(await actor.GET("/api/v1/games/{id}/actions", { params }));
    game = answered(await actor.POST("/api/v1/games/{id}/moves", { params, body: move(legal) })).game;
  }
  const record = answered(await ann.GET("/api/v1/games/{id}/record", { params, parseAs: "text" }));
  const headers = { "Content-Type": "application/x-ndjson" };
  const bodySerializer = (text: string) => text;
  const verdict = answered(await ann.POST("/api/v1/verify", { body: record, headers, bodySerializer }));
  if (verdict.verdict !== "accepted") throw new Error(`the record is refused: ${verdict.failure?.why}`);
  console.log(`${game.rules} ${game.id}: ${game.result?.reason}, ${verdict.events} events, record ${verdict.verdict}`);
}

function isRules(name: string | undefined): name is Rules {
  return name !== undefined && name in NEW_GAMES;
}

const [url, rules] = process.argv.slice(2);
if (url === undefined || !isRules(rules)) throw new Error("usage: node play.js URL RULES");
await main(url, rules);
