// Moves that were made without a connection: each waits in this browser, with the event that its player saw as the newest, until it can be
// sent. The server takes it once, or says that the game has moved on.

const KEY = "pippost-moves";

/** The most games in which a move waits. */
const MOST = 50;

function all() {
  try { return JSON.parse(localStorage.getItem(KEY)) ?? {}; } catch { return {}; }
}

function write(moves) {
  try { localStorage.setItem(KEY, JSON.stringify(moves)); return true; } catch { return false; }
}

/** The move that waits in a game. */
export const waiting = (id) => all()[id];

/** Lets a move wait, instead of another one in the same game; false if this browser keeps nothing. */
export function keep(id, body, words) {
  const moves = all();
  if (!moves[id] && Object.keys(moves).length >= MOST) return false;
  return write({ ...moves, [id]: { body: String(body), words } });
}

export function drop(id) {
  const { [id]: dropped, ...others } = all();
  write(others);
  return dropped;
}

/**
 * Sends the move that waits in a game. Gives the server's answer; null if none waits, or if it has to wait on because the server cannot take
 * it now or the player has to log in first. Throws without a connection.
 */
export async function send(id) {
  const move = waiting(id);
  if (!move) return null;
  const csrf = document.querySelector("meta[name=csrf]")?.content;
  if (!csrf) return null;
  const body = new URLSearchParams(move.body);
  body.set("csrf", csrf);
  const response = await fetch(`/games/${id}/moves`, {
    method: "POST", body, credentials: "same-origin", cache: "no-store", headers: { "X-Fragment": "table" },
  });
  const decided = response.ok || [403, 404, 409, 422].includes(response.status);
  if (!decided || new URL(response.url).pathname === "/log-in") return null;
  drop(id);
  return response;
}

/** Sends all moves that wait. */
export async function sendAll() {
  for (const id of Object.keys(all())) await send(id);
}
