// The page of an analysis, for every game: the server plays the line that the address holds; this module asks it without a new page.

import { listenToParts, prepareParts } from "./parts.js";
import { focusWithin, listenToSpots, makeReachable, nearest, spots } from "./spots.js";

const table = document.getElementById("table");
const announcer = document.getElementById("announcer");
const path = `/games/${table.dataset.id}/analysis`;

/** The newest request: answers to older ones are not shown. */
let newest = 0;

function prepare() {
  makeReachable(spots()[0]);
  prepareParts();
}

function focusOn(was) {
  if (was === null) return;
  const same = was.target && table.querySelector(`[data-target="${CSS.escape(was.target)}"]`);
  const found = same || (was.at && nearest(was.at)) || table.querySelector(".choice-button") || spots()[0] || document.getElementById("headline");
  if (found.matches("#board .spot")) makeReachable(found);
  found.focus({ preventScroll: true });
}

/** Goes to a state of the board. */
async function go(href, { remember = true } = {}) {
  const url = new URL(href, location.href);
  const number = ++newest;
  table.setAttribute("aria-busy", "true");
  try {
    const response = await fetch(`${path}/board${url.search}`, { credentials: "same-origin" });
    // The page itself says why not.
    if (!response.ok) return location.assign(url);
    const html = await response.text();
    if (number !== newest) return;
    const was = focusWithin(table);
    const open = [...table.querySelectorAll("details[open]")].map((details) => details.id);
    const written = [...table.querySelectorAll("#keep-study [id]")].map(({ id, value, checked }) => ({ id, value, checked }));
    table.innerHTML = html;
    // What is written to a study stays while the board goes on.
    for (const { id, ...kept } of written) Object.assign(document.getElementById(id) ?? {}, kept);
    for (const id of open) if (id) document.getElementById(id)?.setAttribute("open", "");
    prepare();
    focusOn(was);
    if (remember) history.pushState({}, "", document.getElementById("state").dataset.here);
    announcer.textContent = [...table.querySelectorAll("#last-told p"), document.getElementById("headline")].map((line) => line.innerText).join(" ");
  } catch {
    announcer.textContent = table.dataset.lost;
    document.getElementById("connection").hidden = false;
  } finally {
    if (number === newest) table.removeAttribute("aria-busy");
  }
}

table.addEventListener("submit", (event) => {
  // What is kept leads to a page of its own.
  if (event.target.method === "post") return;
  event.preventDefault();
  go(`${path}?${new URLSearchParams(new FormData(event.target))}`);
});
addEventListener("popstate", () => go(location.href, { remember: false }));

listenToSpots(table, go);
listenToParts(table);
prepare();
document.documentElement.dataset.scripted = "yes";
