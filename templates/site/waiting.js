// The page of a game that has not started: looks from time to time who has sat down, and shows the new page when something has changed. What
// somebody writes in a field stays.

/** How often, in milliseconds. */
const WAITING = 10000;

/** The page, also where the answer to one of its forms is shown. */
const address = location.pathname.split("/").slice(0, 3).join("/") + location.search;

const stamp = (page) => page.getElementById("waits")?.dataset.stamp ?? "";

async function look() {
  const isWriting = [...document.querySelectorAll("main input[type=text]")].some((field) => field.value !== field.defaultValue);
  if (document.hidden || isWriting) return;
  const response = await fetch(address, { credentials: "same-origin", cache: "no-store" });
  if (!response.ok) return;
  const page = new DOMParser().parseFromString(await response.text(), "text/html");
  if (stamp(page) !== stamp(document)) location.assign(address);
}

setInterval(() => look().catch(() => {}), WAITING);
document.addEventListener("visibilitychange", () => look().catch(() => {}));
