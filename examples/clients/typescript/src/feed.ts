// Feeds: every event once and in order, however often the stream is cut.

import { Refused, refusalOf, retryAfter } from "./errors.js";
import type { Event, FeedLine, MyFeedLine } from "./schema.js";
import { pause, type Session } from "./session.js";

/** An event and its id. Who keeps the id of the last one goes on after it. */
export interface FeedEvent {
  id: string;
  event: Event;
}

/** The account may not see the game any more. */
export class NotAllowed extends Error {
  override readonly name = "NotAllowed";
}

/** The server says every 16 seconds that it is there. */
const IDLE_TIMEOUT_SECONDS = 30;

/** The longest line: an event has a few kilobytes. */
const MAX_LINE_CHARS = 4 << 20;

/** The lines of a stream that was not cut within one. */
async function* lines(body: ReadableStream<Uint8Array>, alive: () => void): AsyncGenerator<FeedLine | MyFeedLine> {
  const [reader, decoder] = [body.getReader(), new TextDecoder()];
  let begun = "";
  try {
    for (;;) {
      const { done, value } = await reader.read();
      if (done) return;
      alive();
      const parts = (begun + decoder.decode(value, { stream: true })).split("\n");
      begun = parts.pop() ?? "";
      if (begun.length > MAX_LINE_CHARS) throw new Error("a line without an end");
      for (const part of parts) if (part !== "") yield JSON.parse(part) as FeedLine | MyFeedLine;
    }
  } finally {
    await reader.cancel().catch(() => undefined);
  }
}

/** Where a feed stands: the id of the last event, and how often in a row it could not be read. */
interface Position {
  after: string | undefined;
  failures: number;
}

/** Ends a stream on which nothing comes for long. The consumer may take its time: only the time that the server is silent counts. */
class IdleTimeout {
  readonly #asked = new AbortController();
  #timer: ReturnType<typeof setTimeout> | undefined;
  readonly #stop = () => this.#asked.abort();

  constructor(readonly given: AbortSignal | undefined) {
    given?.throwIfAborted();
    given?.addEventListener("abort", this.#stop, { once: true });
    this.begin();
  }

  get signal(): AbortSignal {
    return this.#asked.signal;
  }

  readonly begin = (): void => {
    this.pause();
    this.#timer = setTimeout(this.#stop, IDLE_TIMEOUT_SECONDS * 1000);
  };

  pause(): void {
    clearTimeout(this.#timer);
  }

  end(): void {
    this.pause();
    this.given?.removeEventListener("abort", this.#stop);
    this.#asked.abort();
  }
}

/** What one stream has. Gives whether the feed is over, or how long the server wants to be left alone. */
async function* once(
  session: Session,
  path: string,
  position: Position,
  idle: IdleTimeout,
): AsyncGenerator<FeedEvent, { over: boolean; wait?: number | undefined }, undefined> {
  const query = position.after === undefined ? "" : `?${new URLSearchParams({ after: position.after })}`;
  const headers = { Accept: "application/x-ndjson" };
  const answer = await session.stream(`${session.url}/api/v1${path}${query}`, headers, idle.signal);
  if (answer.status === 204) return { over: true };
  if (answer.status === 429 || answer.status >= 500) return { over: false, wait: retryAfter(answer) };
  if (!answer.ok || answer.body === null) throw await refusalOf(answer);
  for await (const line of lines(answer.body, idle.begin)) {
    position.failures = 0;
    if (line.type === "event") {
      position.after = line.id;
      idle.pause();
      yield { id: line.id, event: line.event };
      idle.begin();
    } else if (line.type === "end") {
      if (line.reason === "not_allowed") throw new NotAllowed("this account may not see the game any more");
      return { over: line.reason === "game_over" };
    }
  }
  return { over: false };
}

/**
 * The events of the feed at `path` after `after`. Ends when the server says that there is nothing more; throws
 * {@link Refused} and {@link NotAllowed}. Whatever else happens, it asks again after the last event.
 */
export async function* follow(
  session: Session,
  path: string,
  after?: string,
  signal?: AbortSignal,
): AsyncGenerator<FeedEvent, void, undefined> {
  const position: Position = { after, failures: 0 };
  for (;;) {
    const idle = new IdleTimeout(signal);
    let wait: number | undefined;
    try {
      const ended = yield* once(session, path, position, idle);
      if (ended.over) return;
      wait = ended.wait;
    } catch (why) {
      // Anything else is a stream that was cut, also within a line.
      if (signal?.aborted || why instanceof Refused || why instanceof NotAllowed) throw why;
    } finally {
      idle.end();
    }
    position.failures += 1;
    await pause(wait ?? session.backOff(position.failures), signal);
  }
}
