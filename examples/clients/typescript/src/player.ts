// What a player does most. Everything else is in `player.api`, which has every operation of the document.

import createClient, { type Client } from "openapi-fetch";
import { refusalOf, Refused, retryAfter, Unreachable, type Problem } from "./errors.js";
import { follow, type FeedEvent } from "./feed.js";
import type {
  GameView, KeySet, LegalActions, ListedGame, Moved, NewAccountBody, NewGameBody, paths, RuleSetAction, Selection,
  SessionAnswer,
} from "./schema.js";
import { openPost, Session, type Credentials, type Settings } from "./session.js";

export type { Credentials, Settings };

/** A move: actions of the rule set, or words such as `store` or `c6 n1`. */
export type Move = RuleSetAction[] | string;

/** What a list of games is asked for. */
export type GamesQuery = NonNullable<paths["/api/v1/games"]["get"]["parameters"]["query"]>;

/** The most games of a list that are read at once. */
const PAGE = 100;

export class Player {
  /** Every operation, by its path. Answers are `{ data, error, response }`; it waits and repeats as all methods here do. */
  readonly api: Client<paths>;
  readonly #session: Session;
  #turns: { tag: string; games: ListedGame[] } | undefined;

  constructor(url: string, credentials: Credentials, settings: Settings = {}, given?: SessionAnswer) {
    const baseUrl = url.replace(/\/+$/, "");
    this.#session = new Session(baseUrl, credentials, settings, given);
    this.api = createClient<paths>({ baseUrl, fetch: this.#session.fetch });
  }

  /** Makes an account and logs in. */
  static async register(url: string, account: NewAccountBody, settings: Settings = {}): Promise<Player> {
    const { handle, password } = account;
    const waiting = new Session(url.replace(/\/+$/, ""), { login: handle, password }, settings);
    const answer = await openPost(waiting.url, "/accounts", account, (ask) => waiting.patiently(ask));
    if (!answer.ok) throw await refusalOf(answer);
    const session = (await answer.json()) as SessionAnswer;
    return new Player(url, { login: handle, password }, settings, session);
  }

  /** Logs in as a program; its account is made if the handle is free. */
  static async bot(url: string, handle: string, password: string, settings: Settings = {}): Promise<Player> {
    const player = new Player(url, { login: handle, password }, settings);
    try {
      await player.#session.logIn();
      return player;
    } catch (why) {
      if (!(why instanceof Refused) || why.code !== "wrong_credentials") throw why;
      const email = `${handle}@bots.invalid`;
      return Player.register(url, { handle, email, password, bot: true }, settings);
    }
  }

  async createGame(body: NewGameBody): Promise<GameView> {
    return answered(await this.api.POST("/api/v1/games", { body }));
  }

  /** Joins a game; of one that was joined before it gives the view. */
  async join(id: string, invitation?: string, entropy?: string): Promise<GameView> {
    const body = { ...(invitation !== undefined && { invitation }), ...(entropy !== undefined && { entropy }) };
    try {
      return answered(await this.api.POST("/api/v1/games/{id}/join", { params: { path: { id } }, body }));
    } catch (why) {
      // Joining takes no key: the answer to an earlier try may have been lost.
      if (why instanceof Refused && why.code === "already_joined") return this.game(id);
      throw why;
    }
  }

  async game(id: string): Promise<GameView> {
    return answered(await this.api.GET("/api/v1/games/{id}", { params: { path: { id } } }));
  }

  async actions(id: string): Promise<LegalActions> {
    return answered(await this.api.GET("/api/v1/games/{id}/actions", { params: { path: { id } } }));
  }

  /** Moves, if the game's newest event is still `expectedSeq`. Keep the receipts of the answer. */
  async move(id: string, move: Move, expectedSeq: number): Promise<Moved> {
    const said = typeof move === "string" ? { notation: move } : { actions: move };
    const body = { ...said, expected_seq: expectedSeq };
    return answered(await this.api.POST("/api/v1/games/{id}/moves", { params: { path: { id } }, body }));
  }

  async resign(id: string): Promise<Moved> {
    return answered(await this.api.POST("/api/v1/games/{id}/resign", { params: { path: { id } }, body: {} }));
  }

  /** The record as it is to be verified and kept, byte for byte. */
  async record(id: string): Promise<string> {
    const options = { params: { path: { id } }, parseAs: "text" } as const;
    return answered(await this.api.GET("/api/v1/games/{id}/record", options)) as string;
  }

  /** The keys that sign receipts. */
  async keys(): Promise<KeySet> {
    return answered(await this.api.GET("/.well-known/jwks.json"));
  }

  /** The events of a game after `after`, each once and in order, until it is over. */
  follow(id: string, after?: string, signal?: AbortSignal): AsyncGenerator<FeedEvent, void, undefined> {
    return follow(this.#session, `/games/${encodeURIComponent(id)}/feed`, after, signal);
  }

  /** The same of all games of the account; it does not end by itself. */
  followAll(after?: string, signal?: AbortSignal): AsyncGenerator<FeedEvent, void, undefined> {
    return follow(this.#session, "/me/feed", after, signal);
  }

  /** A page of games. */
  async games(query: GamesQuery): Promise<ListedGame[]> {
    return answered(await this.api.GET("/api/v1/games", { params: { query } })).games;
  }

  /** The games in which it is this player's turn. A list that is as it was costs nothing of a quota. */
  async myTurns(): Promise<ListedGame[]> {
    const query = { list: "my_turn", limit: PAGE } as const;
    const header = this.#turns === undefined ? {} : { "If-None-Match": this.#turns.tag };
    const answer = await this.api.GET("/api/v1/games", { params: { query, header } });
    if (answer.response.status === 304) return this.#turns?.games ?? [];
    const { games } = answered(answer);
    const tag = answer.response.headers.get("ETag");
    this.#turns = tag === null ? undefined : { tag, games };
    return games;
  }
}

/** The answer, unless it is a refusal. */
export function answered<T>({ data, error, response }: { data?: T; error?: Problem; response: Response }): T {
  if (response.ok) return data as T;
  if (typeof error?.code === "string") throw new Refused(error, retryAfter(response));
  throw new Unreachable(`status ${response.status}, and no problem of this API`);
}

function neighbours(one: string, other: string): boolean {
  const columns = Math.abs(one.charCodeAt(0) - other.charCodeAt(0));
  return columns + Math.abs(Number(one.slice(1)) - Number(other.slice(1))) === 1;
}

/** As few entries as may be picked. */
function picked({ from, least, apart }: Selection): string[] {
  const chosen: string[] = [];
  for (const entry of shuffled(from)) {
    if (chosen.length === Math.max(least, 1)) break;
    if (!apart || !chosen.some((other) => neighbours(entry, other))) chosen.push(entry);
  }
  return chosen;
}

function shuffled<T>(list: readonly T[]): T[] {
  return list
    .map((entry) => ({ entry, at: Math.random() }))
    .sort((one, other) => one.at - other.at)
    .map(({ entry }) => entry);
}

/** One of the legal actions at random, of any rules. */
export function anyAction(legal: LegalActions): RuleSetAction {
  const [offer] = shuffled<LegalActions["actions"][number]>(legal.actions);
  if (offer === undefined) throw new TypeError("nothing is legal");
  if (!("choose" in offer)) return offer;
  return { type: offer.type, [offer.choose.member]: picked(offer.choose) } as RuleSetAction;
}
