// The replay of a game: keys, slider and playing, without a new page for each moment. Without it every moment is a page of its own.

import { follow } from "./news.js";
import { listenToParts, prepareParts } from "./parts.js";

const place = document.getElementById("moment");
const announcer = document.getElementById("announcer");
const path = `/games/${place.dataset.id}/replay`;
const token = place.dataset.token ? `&token=${encodeURIComponent(place.dataset.token)}` : "";

/** The most moments that are kept. */
const MOST_KEPT = 400;

const kept = new Map();
let playing = false;
let speed = "1000";
let timer = 0;
let newest = 0;

const now = () => document.getElementById("now").dataset;
const seq = () => Number(now().seq);

async function fetched(query) {
  if (!kept.has(query)) {
    const response = await fetch(`${path}/moment?${query}${token}`, { credentials: "same-origin" });
    if (!response.ok) throw new Error(response.status);
    if (kept.size >= MOST_KEPT) kept.delete(kept.keys().next().value);
    kept.set(query, await response.text());
  }
  return kept.get(query);
}

async function go(query) {
  const number = ++newest;
  try {
    const html = await fetched(query);
    if (number !== newest) return;
    const focused = document.activeElement;
    const was = place.contains(focused) ? { id: focused.id, step: focused.dataset.step } : null;
    const open = place.querySelector("details")?.open;
    place.innerHTML = html;
    if (open) place.querySelector("details").open = true;
    prepare();
    if (was !== null) {
      const same = was.id ? document.getElementById(was.id) : place.querySelector(`[data-step="${was.step}"]`);
      (same ?? document.getElementById("where")).focus({ preventScroll: true });
    }
    history.replaceState({}, "", document.getElementById("here").getAttribute("href"));
    if (!playing) announcer.textContent = place.querySelector(".told-now").innerText;
    if (seq() < Number(now().newest)) fetched(`seq=${seq() + 1}`).catch(() => {});
  } catch {
    pause();
    announcer.textContent = place.dataset.lost;
  }
}

function pause() {
  playing = false;
  clearTimeout(timer);
  const button = document.getElementById("play");
  if (button) button.textContent = place.dataset.play;
}

async function tick() {
  if (!playing) return;
  if (seq() >= Number(now().newest)) return pause();
  await go(`seq=${seq() + 1}`);
  if (seq() >= Number(now().newest)) pause();
  if (playing) timer = setTimeout(tick, Number(speed));
}

function toggle() {
  if (playing) return pause();
  playing = true;
  document.getElementById("play").textContent = place.dataset.pause;
  if (seq() >= Number(now().newest)) go("seq=0").then(() => { timer = setTimeout(tick, Number(speed)); });
  else tick();
}

function step(name) {
  pause();
  const link = place.querySelector(`[data-step="${name}"]`);
  if (link) go(new URL(link.href).searchParams.toString().replace(/&?token=[^&]*/, ""));
}

function prepare() {
  for (const part of place.querySelectorAll("[data-scripted]")) part.hidden = false;
  document.getElementById("play").textContent = playing ? place.dataset.pause : place.dataset.play;
  document.getElementById("speed").value = speed;
  prepareParts();
}

const KEYS = {
  ArrowRight: "following", ArrowLeft: "previous", PageDown: "turn-after", PageUp: "turn-before", Home: "first", End: "last",
};

place.addEventListener("click", (event) => {
  const link = event.target.closest("[data-step]");
  // The button may be replaced before a finger is lifted, so only keys count here.
  if (event.target.id === "play") { if (event.detail === 0) toggle(); }
  else if (link && !event.ctrlKey && !event.metaKey) { event.preventDefault(); step(link.dataset.step); }
});
place.addEventListener("pointerdown", (event) => {
  if (event.target.id === "play" && event.button === 0) toggle();
});
place.addEventListener("input", (event) => {
  if (event.target.id === "slider") { pause(); go(`seq=${event.target.value}`); }
});
place.addEventListener("change", (event) => {
  if (event.target.id === "speed") speed = event.target.value;
});
document.addEventListener("keydown", (event) => {
  if (event.defaultPrevented || event.altKey || event.ctrlKey || event.metaKey || /^(INPUT|SELECT|TEXTAREA)$/.test(event.target.tagName) && event.key !== " ") return;
  if (event.key === " " && !/^(BUTTON|A|SELECT|SUMMARY|TEXTAREA)$/.test(event.target.tagName)) { event.preventDefault(); toggle(); }
  else if (KEYS[event.key]) { event.preventDefault(); step(KEYS[event.key]); }
});

/** A running game goes on: whoever looks at its newest moment sees the next one, others a longer slider. */
function goOn(newest) {
  kept.clear();
  go(`seq=${seq() === Number(now().newest) && !playing ? newest : seq()}`);
}

listenToParts(place);
prepare();
if (place.dataset.running) {
  follow({
    id: place.dataset.id, token: place.dataset.token, newest: () => Number(now().newest), hear: goOn, changed: () => {},
  });
}
document.documentElement.dataset.scripted = "yes";
