// News of a game by server-sent events. Where they do not come, a page asks from time to time.

/** After how many milliseconds a stream that was refused is asked for again. */
const RETRY = 60000;

/**
 * Follows a game. `newest` says which event the page shows, `hear` is told the number of a newer one, `said` that there is a message, and
 * `changed` whether news come now. A page that nobody sees holds no stream.
 */
export function follow({ id, token, newest, hear, said = () => {}, changed }) {
  let source = null;
  let timer = 0;

  const stop = () => {
    clearTimeout(timer);
    source?.close();
    source = null;
  };
  const start = () => {
    stop();
    if (document.hidden || typeof EventSource === "undefined") return;
    source = new EventSource(`/games/${id}/news?${new URLSearchParams({ after: `${id}:${newest()}`, ...(token && { token }) })}`);
    source.onopen = () => changed(true);
    source.onmessage = (event) => {
      const seq = Number(event.lastEventId.split(":")[1]);
      if (seq > newest()) hear(seq);
    };
    source.addEventListener("said", said);
    source.onerror = () => {
      // Otherwise the browser asks again by itself.
      if (source?.readyState === EventSource.CLOSED) {
        stop();
        timer = setTimeout(start, RETRY);
      }
      changed(false);
    };
  };

  document.addEventListener("visibilitychange", () => (document.hidden ? stop() : start()));
  addEventListener("pagehide", stop);
  addEventListener("pageshow", (event) => { if (event.persisted) start(); });
  start();
  return { stop, isOpen: () => source?.readyState === 1 };
}
