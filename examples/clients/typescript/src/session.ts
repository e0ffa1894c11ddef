// One account at one server: its tokens, and requests that are sent again where that is safe.

import { refusalOf, retryAfter, Unreachable } from "./errors.js";
import type { SessionAnswer } from "./schema.js";

/** Who plays: a personal token, or an account whose session is renewed. */
export type Credentials = { token: string } | { login: string; password: string };

/** Bounds of waiting; all may be left out. */
export interface Settings {
  /** How often a request is sent at most. */
  attempts?: number;
  /** The wait after the first failure, in seconds; it doubles. */
  firstWaitSeconds?: number;
  /** A longer `Retry-After` is not waited for: the refusal is thrown, with it. */
  longestWaitSeconds?: number;
  /** How long one answer may take, in seconds. */
  timeoutSeconds?: number;
}

/** An answer that a proxy made because it got none. */
const LOST = [502, 504];
const ASKED_TO_WAIT = [429, 503];
const WITHOUT_BODY = [204, 304];

export class Session {
  readonly settings: Required<Settings>;
  #credentials: Credentials;
  #tokens: { access: string; refresh?: string } | undefined;
  #renewal: Promise<void> | undefined;

  constructor(
    /** The server's address, without a path. */
    readonly url: string,
    credentials: Credentials,
    settings: Settings = {},
    given?: SessionAnswer,
  ) {
    this.#credentials = credentials;
    if ("token" in credentials) this.#tokens = { access: credentials.token };
    else if (given !== undefined) this.#keep(given);
    this.settings = { attempts: 6, firstWaitSeconds: 1, longestWaitSeconds: 120, timeoutSeconds: 30, ...settings };
  }

  #keep({ access_token, refresh_token }: SessionAnswer): void {
    this.#tokens = { access: access_token, refresh: refresh_token };
  }

  /** Gets tokens, unless there are some. */
  async logIn(): Promise<void> {
    if (this.#tokens === undefined) await this.#renew();
  }

  /** `fetch` for openapi-fetch. A `POST` gets a key, so that it is carried out once however often it is sent. */
  readonly fetch = async (request: Request): Promise<Response> => {
    const keyed = new Request(request, { redirect: "error" });
    if (keyed.method === "POST" && !keyed.headers.has("Idempotency-Key")) {
      keyed.headers.set("Idempotency-Key", crypto.randomUUID());
    }
    return this.#authorised((token) => this.patiently(() => this.#whole(withToken(keyed.clone(), token)), keyed.signal));
  };

  /** The head of a stream's answer; sent once, because the caller begins again where it stood. */
  stream(url: string, headers: Record<string, string>, signal: AbortSignal): Promise<Response> {
    return this.#authorised((token) => fetch(withToken(new Request(url, { headers, redirect: "error", signal }), token)));
  }

  /** Asks with a token, and once more with a new one if that is no good any more. */
  async #authorised(ask: (token: string) => Promise<Response>): Promise<Response> {
    await this.logIn();
    const used = this.#tokens?.access ?? "";
    const answer = await ask(used);
    if (answer.status !== 401 || "token" in this.#credentials) return answer;
    // Another request may have renewed it meanwhile: a refresh token is valid once.
    if (this.#tokens?.access === used) await this.#renew();
    return ask(this.#tokens?.access ?? "");
  }

  #renew(): Promise<void> {
    this.#renewal ??= this.#newTokens().finally(() => (this.#renewal = undefined));
    return this.#renewal;
  }

  async #newTokens(): Promise<void> {
    if ("token" in this.#credentials) return;
    const refresh_token = this.#tokens?.refresh;
    if (refresh_token !== undefined) {
      // Whether it was used is not known if the answer is lost: then only the password helps.
      const renewed = await this.#open("/sessions/refresh", { refresh_token }, 1).catch(() => undefined);
      if (renewed?.ok) return this.#keep((await renewed.json()) as SessionAnswer);
      if (this.#tokens !== undefined) delete this.#tokens.refresh;
    }
    const { login, password } = this.#credentials;
    const answer = await this.#open("/sessions", { login, password });
    if (!answer.ok) throw await refusalOf(answer);
    this.#keep((await answer.json()) as SessionAnswer);
  }

  #open(path: string, body: unknown, attempts?: number): Promise<Response> {
    return openPost(this.url, path, body, (ask) => this.patiently(ask, undefined, attempts));
  }

  /** An answer with all of its body, so that one that was cut off counts as lost. */
  async #whole(request: Request): Promise<Response> {
    const signal = AbortSignal.any([request.signal, AbortSignal.timeout(this.settings.timeoutSeconds * 1000)]);
    const answer = await fetch(request, { signal });
    const body = await answer.arrayBuffer();
    const { status, statusText, headers } = answer;
    return new Response(WITHOUT_BODY.includes(status) ? null : body, { status, statusText, headers });
  }

  /** Asks until there is an answer that is worth something, or the bounds are reached. */
  async patiently(
    ask: () => Promise<Response>,
    signal?: AbortSignal,
    attempts = this.settings.attempts,
  ): Promise<Response> {
    for (let attempt = 1; ; attempt++) {
      const answer = await ask().catch((lost: unknown) => {
        signal?.throwIfAborted();
        if (attempt >= attempts) throw new Unreachable(String(lost), { cause: lost });
        return undefined;
      });
      const wait = this.#waitAfter(answer, attempt);
      if (answer !== undefined && (wait === undefined || attempt >= attempts)) return answer;
      await pause(wait ?? 0, signal);
    }
  }

  /** The seconds to wait before the request is sent again; undefined if it is not. */
  #waitAfter(answer: Response | undefined, attempt: number): number | undefined {
    const wait = this.backOff(attempt);
    if (answer === undefined || LOST.includes(answer.status)) return wait;
    if (!ASKED_TO_WAIT.includes(answer.status)) return undefined;
    const asked = retryAfter(answer) ?? wait;
    return asked <= this.settings.longestWaitSeconds ? asked : undefined;
  }

  /** Twice as long each time, and not all clients at once. */
  backOff(attempt: number): number {
    const wait = this.settings.firstWaitSeconds * 2 ** (attempt - 1);
    return Math.min(wait, this.settings.longestWaitSeconds) * (0.5 + Math.random() / 2);
  }
}

/** A request of somebody who is not logged in. */
export function openPost(
  url: string,
  path: string,
  body: unknown,
  patiently: (ask: () => Promise<Response>) => Promise<Response>,
): Promise<Response> {
  const headers = { "Content-Type": "application/json", "Idempotency-Key": crypto.randomUUID() };
  const text = JSON.stringify(body);
  return patiently(() => fetch(`${url}/api/v1${path}`, { method: "POST", headers, body: text, redirect: "error" }));
}

function withToken(request: Request, token: string): Request {
  request.headers.set("Authorization", `Bearer ${token}`);
  return request;
}

/** The longest pause: timers of JavaScript that are set to more than some weeks fire at once. */
const MAX_PAUSE_SECONDS = 3600;

/** Waits, unless `signal` ends it. */
export function pause(seconds: number, signal?: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    const stop = () => {
      clearTimeout(timer);
      reject(signal?.reason);
    };
    const timer = setTimeout(() => {
      signal?.removeEventListener("abort", stop);
      resolve();
    }, Math.min(seconds, MAX_PAUSE_SECONDS) * 1000);
    if (signal?.aborted) stop();
    signal?.addEventListener("abort", stop, { once: true });
  });
}
