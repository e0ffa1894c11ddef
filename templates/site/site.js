// What every page has besides its HTML. Pages work without it.

import { sendAll } from "./queue.js";

// The last known positions open without a connection, and moves that wait are sent when it is back. The page of a game sends its own.
if (document.documentElement.dataset.player) {
  navigator.serviceWorker?.register("/service-worker.js").catch(() => {});
  const sendMoves = () => { if (!document.getElementById("table")) sendAll().catch(() => {}); };
  addEventListener("online", sendMoves);
  sendMoves();
}

/** How often the number of waiting games is asked for, in milliseconds. */
const COUNTING = 120000;

/** Shows in the title, in the icon and in the header how many games wait. The page itself may have changed its title. */
async function showWaiting() {
  const response = await fetch("/my-games/waiting", { credentials: "same-origin", cache: "no-store" });
  if (!response.ok || !response.headers.get("Content-Type")?.startsWith("application/json")) return;
  const { waiting } = await response.json();
  const shown = waiting > 99 ? "99+" : String(waiting);
  document.title = (waiting ? `(${shown}) ` : "") + document.title.replace(/^\(\d+\+?\) /, "");
  for (const place of document.querySelectorAll("[data-waiting]")) place.textContent = waiting ? `\u00a0(${shown})` : "";
  const icon = document.querySelector("link[rel=icon]");
  if (!icon) return;
  icon.dataset.plain ??= icon.getAttribute("href");
  if (!waiting) {
    icon.href = icon.dataset.plain;
    return;
  }
  const plain = await (await fetch(icon.dataset.plain)).text();
  const badge = `<circle cx="47" cy="17" r="17" fill="#c5221f"/><text x="47" y="25" font-family="sans-serif" font-size="${shown.length > 2 ? 15 : 23}" font-weight="bold" text-anchor="middle" fill="#fff">${shown}</text>`;
  icon.href = `data:image/svg+xml,${encodeURIComponent(plain.replace("</svg>", `${badge}</svg>`))}`;
}

if (document.documentElement.dataset.player) {
  const count = () => showWaiting().catch(() => {});
  count();
  setInterval(count, COUNTING);
  document.addEventListener("visibilitychange", () => { if (!document.hidden) count(); });
}

// Whoever logs out leaves nothing here.
for (const form of document.querySelectorAll("form[data-leave]")) {
  form.addEventListener("submit", () => {
    globalThis.caches?.delete("pippost-pages");
    try { localStorage.clear(); } catch { /* Nothing is kept then. */ }
    navigator.serviceWorker?.getRegistration().then(async (worker) => {
      for (const shown of await worker?.getNotifications() ?? []) shown.close();
      (await worker?.pushManager?.getSubscription())?.unsubscribe();
    }).catch(() => {});
  });
}

// A button inside a form with `data-confirm` asks before the form is sent.
document.addEventListener("submit", (event) => {
  const question = event.submitter?.dataset.confirm;
  if (question && !window.confirm(question)) {
    event.preventDefault();
  }
});

// A form with `data-once` is sent once; whoever comes back to the page may send it again.
document.addEventListener("submit", (event) => {
  const buttons = event.target.dataset.once === undefined || event.defaultPrevented ? [] : event.target.querySelectorAll("button");
  setTimeout(() => { for (const button of buttons) button.disabled = true; });
});
addEventListener("pageshow", (event) => {
  if (event.persisted) for (const button of document.querySelectorAll("[data-once] button")) button.disabled = false;
});

// Copies the text of another element.
for (const button of document.querySelectorAll("button[data-copy]")) {
  if (!navigator.clipboard) continue;
  button.hidden = false;
  button.addEventListener("click", async () => {
    await navigator.clipboard.writeText(document.getElementById(button.dataset.copy).textContent.trim());
    button.textContent = button.dataset.done;
  });
}

// The reader's time zone, for the times in mails.
for (const field of document.querySelectorAll("input[data-zone]")) {
  field.value = Intl.DateTimeFormat().resolvedOptions().timeZone ?? "";
}

// The zone of this browser, for a field in which the player chooses one.
for (const button of document.querySelectorAll("button[data-zone-of]")) {
  const field = document.getElementById(button.dataset.zoneOf);
  const zone = Intl.DateTimeFormat().resolvedOptions().timeZone;
  if (!zone || zone === field.value) continue;
  button.textContent = button.dataset.words.replace("ZONE", zone);
  button.hidden = false;
  button.addEventListener("click", () => { field.value = zone; button.hidden = true; field.focus(); });
}

// Times in the reader's own zone and words, where the page could not know them.
for (const time of document.querySelectorAll("time[data-local]")) {
  const at = new Date(time.dateTime);
  if (!Number.isNaN(at.getTime())) {
    time.textContent = at.toLocaleString(document.documentElement.lang, { dateStyle: "medium", timeStyle: "short" });
  }
}
