// The page of a game, for every game. The server says what can be picked next and what a move would do; this module asks it without a
// new page, moves the focus on the board by arrows, and shows what happens meanwhile. Everything works without it, page by page.

import { follow } from "./news.js";
import * as queue from "./queue.js";
import { listenToParts, prepareParts } from "./parts.js";
import { focusWithin, isTouched, listenToSpots, makeReachable, nearest, spots } from "./spots.js";

const table = document.getElementById("table");
const announcer = document.getElementById("announcer");
const path = `/games/${table.dataset.id}`;

/** How often the server is asked, in milliseconds: while news come by themselves, of which clocks are none; otherwise while others are to
 * move, and while I am; and after a failure. */
const FOLLOWING = 15000;
const WAITING = 4000;
const MY_TURN = 15000;
const AFTER_FAILURE = 8000;

let tag = "";
let timer = 0;
/** The newest request: answers to older ones are not shown. */
let newest = 0;
let lost = false;
/** The newest event of which the server has told. */
let heard = 0;
let news = null;
/** The session has ended while the page was open: it is asked for nothing more. */
let isLoggedOut = false;

const state = () => document.getElementById("state")?.dataset ?? {};
const token = table.dataset.token ? `token=${encodeURIComponent(table.dataset.token)}` : "";

const say = (text) => {
  announcer.textContent = "";
  requestAnimationFrame(() => { announcer.textContent = text; });
};

/** Asks for the part of the page that changes. */
function ask(query, options = {}) {
  return fetch(`${path}/table${query}`, { credentials: "same-origin", cache: "no-store", ...options });
}

/** Keeps what somebody is writing, wherever the page changes around it. */
function keepTexts(change) {
  const kept = [...table.querySelectorAll("textarea, #say")].map((field) => [field.id, field.value, field.defaultValue]);
  const open = [...table.querySelectorAll("details[open] > summary")].map((summary) => summary.textContent);
  change();
  for (const [id, value, before] of kept) {
    const field = document.getElementById(id);
    if (field && value !== before) field.value = value;
  }
  for (const summary of table.querySelectorAll("details > summary")) {
    if (open.includes(summary.textContent)) summary.parentElement.open = true;
  }
}

function focusOn(was, picked) {
  if (was === null) return;
  const same = was.id ? document.getElementById(was.id) : was.target && spotNamed(was.target);
  const next = picked && !table.querySelector("#move .problem") ? document.getElementById("send") ?? nearest(was.at) ?? document.querySelector("#move .choice-button") : null;
  const found = next ?? same ?? document.getElementById("problem") ?? spots()[0] ?? document.getElementById("headline");
  if (found?.matches("#board .spot")) makeReachable(found);
  // What a finger has touched stays under it.
  found?.focus({ preventScroll: picked !== true || isTouched() });
}

const spotNamed = (name) => table.querySelector(`[data-target="${CSS.escape(name)}"]`);

/** Says that the session has ended: who logs in comes back to what was chosen, and a move that was sent is sent again. */
function endSession() {
  const box = document.getElementById("session");
  box.hidden = false;
  box.querySelector("a").href = `/log-in?next=${encodeURIComponent(location.pathname + location.search)}`;
  say(box.querySelector("p").textContent);
  news?.stop();
  clearTimeout(timer);
  isLoggedOut = true;
}

/** Shows an answer of the server; false if a newer request has been sent since, or if it is one for somebody who is not logged in. */
async function show(response, number, picked) {
  const html = await response.text();
  if (number !== newest) return false;
  if (state().known === "yes" && !html.includes("data-known=\"yes\"")) {
    endSession();
    return false;
  }
  const before = state();
  const was = focusWithin(table);
  keepTexts(() => { table.innerHTML = html; });
  tag = response.headers.get("ETag") ?? "";
  prepare();
  keepPosition(html, response);
  showWaiting();
  if (was !== null) focusOn(was, picked);
  const now = state();
  const moved = before.seq !== now.seq || before.status !== now.status;
  if (moved) {
    const events = [...document.querySelectorAll("#happened .story li > span")].map((event) => event.textContent);
    say([...events.slice(-3), document.querySelector("#headline strong")?.textContent].filter(Boolean).join(" "));
  } else if (picked) {
    say(document.getElementById("ready")?.textContent ?? document.getElementById("to-do")?.textContent ?? "");
  }
  return true;
}

/** Keeps the newest position for a time without a connection. */
async function keepPosition(html, response) {
  if (!navigator.serviceWorker?.controller || token || isOld(response) || state().picks !== "0") return;
  const kept = new Response(html, { headers: { "Content-Type": "text/html; charset=utf-8" } });
  await caches.open("pippost-pages").then((cache) => cache.put(`${path}/table`, kept)).catch(() => {});
}

/** Says which move waits for a connection. */
function showWaiting(refused = "") {
  const box = document.getElementById("waiting-move");
  const move = queue.waiting(table.dataset.id);
  if (!box) return;
  box.hidden = !move && !refused;
  box.querySelector("p").textContent = move ? table.dataset.waits.replace("MOVE", move.words) : refused;
  box.querySelector("button").hidden = !move;
}

/** Lets a move wait until there is a connection again. */
function letWait(body, words) {
  if (!queue.keep(table.dataset.id, body, words)) return;
  showWaiting();
  say(document.querySelector("#waiting-move p")?.textContent ?? "");
}

/** Sends the move that waits, if there is one; shows the answer. */
async function sendWaiting() {
  if (!queue.waiting(table.dataset.id) || table.getAttribute("aria-busy") === "true") return;
  const number = ++newest;
  table.setAttribute("aria-busy", "true");
  try {
    const response = await queue.send(table.dataset.id);
    if (response && !response.headers.get("Content-Type")?.startsWith("text/html")) return location.reload();
    connected(true);
    if (response) await show(response, number, false);
    if (response && !response.ok) document.getElementById("problem")?.focus();
  } catch {
    connected(false);
  } finally {
    table.removeAttribute("aria-busy");
  }
  plan();
}

function connected(is) {
  const box = document.getElementById("connection");
  if (is && lost) say(table.dataset.again);
  lost = !is;
  if (!box) return;
  box.hidden = is;
  box.firstElementChild.textContent = is ? "" : table.dataset.lost;
}

/** Goes to a state of the page: after a pick, after an undo, or for what was written. */
async function go(href, { remember = true, picked = true } = {}) {
  const url = new URL(href, location.href);
  const number = ++newest;
  table.setAttribute("aria-busy", "true");
  try {
    const response = await ask(url.search);
    connected(!isOld(response));
    if (await show(response, number, picked) && remember) history.pushState({}, "", url.pathname + url.search);
  } catch {
    connected(false);
  } finally {
    table.removeAttribute("aria-busy");
  }
  plan();
}

/** The move that is ready to be sent, in words. */
const chosenMove = () => table.querySelector("#move :is(.told, #ready code)")?.innerText.trim().replace(/\.$/, "") ?? "";

/** Sends a form; what it holds stays on the page until the server has answered, so it can be sent again. */
async function send(form, submitter) {
  if (table.getAttribute("aria-busy") === "true") return;
  const number = ++newest;
  const body = new URLSearchParams(new FormData(form, submitter));
  table.setAttribute("aria-busy", "true");
  say(table.dataset.sent);
  try {
    // The form has a field called `action`.
    const response = await fetch(form.getAttribute("action"), {
      method: "POST", body, credentials: "same-origin", cache: "no-store", headers: { "X-Fragment": "table" },
    });
    connected(true);
    if (response.status === 401 && form.dataset.send !== undefined && queue.keep(table.dataset.id, body, chosenMove())) return endSession();
    if (!response.headers.get("Content-Type")?.startsWith("text/html")) return location.reload();
    if (response.ok) form.reset();
    const html = response.clone();
    if ((await html.text()).includes("id=\"state\"")) {
      await show(response, number, false);
      history.replaceState({}, "", path + (token ? `?${token}` : ""));
      document.getElementById("problem")?.focus();
    } else {
      // The session has ended, or the server answers with another page.
      location.reload();
    }
  } catch {
    connected(false);
    if (form.dataset.send !== undefined) letWait(body, chosenMove());
  } finally {
    table.removeAttribute("aria-busy");
  }
  plan();
}

/** Whether an answer is what the service worker kept from before. */
const isOld = (response) => response.headers.has("X-Offline");

/** Looks whether something has happened since. */
async function look() {
  if (isLoggedOut || document.hidden || table.getAttribute("aria-busy") === "true") return plan();
  const number = ++newest;
  try {
    const response = await ask(location.search, { headers: tag ? { "If-None-Match": tag } : {} });
    connected(!isOld(response));
    if (response.status === 200) await show(response, number, false);
    if (!isOld(response) && queue.waiting(table.dataset.id)) return sendWaiting();
  } catch {
    connected(false);
  }
  plan();
}

function plan() {
  clearTimeout(timer);
  if (isLoggedOut) return;
  if (state().status === "finished" && !lost) return news?.stop();
  if (heard > Number(state().seq) && !lost && !document.hidden && table.getAttribute("aria-busy") !== "true") {
    // Once: an answer that does not show it yet is no reason to ask again and again.
    heard = 0;
    return look();
  }
  timer = setTimeout(look, lost ? AFTER_FAILURE : news?.isOpen() ? FOLLOWING : state().myTurn === "yes" ? MY_TURN : WAITING);
}

function prepare() {
  for (const list of table.querySelectorAll(".story, .talk")) list.scrollTop = list.scrollHeight;
  makeReachable(spots()[0]);
  prepareParts();
  offerToShare();
}

table.addEventListener("submit", (event) => {
  const form = event.target;
  if (form.dataset.away !== undefined) return;
  if (form.dataset.say !== undefined) {
    event.preventDefault();
    const said = new URLSearchParams(new FormData(form));
    // Without a connection nothing is looked at first: what is written waits.
    if (lost && said.get("say")) letWait(new URLSearchParams({ notation: said.get("say"), seq: state().seq, key: crypto.randomUUID() }), said.get("say"));
    else go(`${path}?${[token, said].filter(String).join("&")}`);
  } else if (form.method === "post") {
    event.preventDefault();
    send(form, event.submitter);
  }
});

/** Offers to share what is over, where the browser can. */
function offerToShare() {
  const button = table.querySelector("[data-share]");
  if (button) button.hidden = typeof navigator.share !== "function";
}

table.addEventListener("click", (event) => {
  const shared = event.target.closest("[data-share]")?.dataset;
  if (shared) navigator.share({ title: shared.title, text: document.querySelector("#headline strong")?.textContent, url: shared.share }).catch(() => {});
  if (event.target.closest("#waiting-move button")) {
    queue.drop(table.dataset.id);
    showWaiting();
    say(table.dataset.dropped);
  }
});
addEventListener("popstate", () => go(location.href, { remember: false }));
addEventListener("online", look);
addEventListener("offline", () => connected(false));
document.addEventListener("visibilitychange", () => { if (!document.hidden) look(); });

listenToSpots(table, go);
listenToParts(table);
prepare();
showWaiting();
if (!navigator.onLine) connected(false);
if (state().status !== "finished") {
  news = follow({
    id: table.dataset.id,
    token: table.dataset.token,
    newest: () => Number(state().seq),
    hear: (seq) => { heard = seq; plan(); },
    said: () => { look(); },
    // A stream that breaks off may say that the connection is lost; what was planned then stays.
    changed: (comes) => { if (comes) plan(); else if (!lost) look(); },
  });
}
if (queue.waiting(table.dataset.id)) sendWaiting();
else plan();
document.documentElement.dataset.scripted = "yes";
