// What every page has besides its HTML. Pages work without it.

import { sendAll } from "./queue.js";

// The last known positions open without a connection, and moves that wait are sent when it is back. The page of a game sends its own.
if (document.documentElement.dataset.player) {
  navigator.serviceWorker?.register("/service-worker.js").catch(() => {});
  const sendMoves = () => { if (!document.getElementById("table")) sendAll().catch(() => {}); };
  addEventListener("online", sendMoves);
  sendMoves();
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

// Times in the reader's own zone and words, where the page could not know them.
for (const time of document.querySelectorAll("time[data-local]")) {
  const at = new Date(time.dateTime);
  if (!Number.isNaN(at.getTime())) {
    time.textContent = at.toLocaleString(document.documentElement.lang, { dateStyle: "medium", timeStyle: "short" });
  }
}
