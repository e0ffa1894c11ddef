// Opens the last known positions without a connection. It keeps the files of this release, and the pages of games and of lists that a
// player has opened; all other requests pass it by. Logging out removes what it keeps.

const KEPT = "pippost-pages";
const STATIC = `pippost-files-${FILES[0].split("/")[2]}`;

/** The most pages that are kept: the oldest goes first. */
const MOST_PAGES = 60;

const PAGE = /^\/(my-games|games(\/[0-9a-f-]{36}(\/table)?)?)?$/;

self.addEventListener("install", (event) => {
  event.waitUntil(caches.open(STATIC).then((cache) => cache.addAll([...FILES, "/offline"])).then(() => self.skipWaiting()));
});

self.addEventListener("activate", (event) => {
  const old = (name) => name.startsWith("pippost-files-") && name !== STATIC;
  event.waitUntil(caches.keys().then((names) => Promise.all(names.filter(old).map((name) => caches.delete(name)))).then(() => self.clients.claim()));
});

/** Keeps an answer under the path alone, without what was picked. It is newer than the part of the page that the page itself has kept. */
async function keep(path, response) {
  const cache = await caches.open(KEPT);
  await cache.delete(path);
  await cache.delete(`${path}/table`);
  await cache.put(path, response);
  const all = await cache.keys();
  for (const old of all.slice(0, Math.max(0, all.length - MOST_PAGES))) await cache.delete(old);
}

/** The same answer, marked as one that may be old. */
async function marked(response) {
  const headers = new Headers(response.headers);
  headers.set("X-Offline", "yes");
  headers.delete("ETag");
  return new Response(await response.text(), { status: 200, headers });
}

async function page(request, url, event) {
  try {
    const response = await fetch(request);
    const shows = response.status === 200 && !response.redirected && request.mode === "navigate";
    if (shows && !url.searchParams.has("pick") && !url.searchParams.has("say")) event.waitUntil(keep(url.pathname, response.clone()));
    return response;
  } catch (error) {
    const known = await (await caches.open(KEPT)).match(url.pathname);
    if (known && !url.searchParams.has("pick") && !url.searchParams.has("say")) return marked(known);
    if (request.mode !== "navigate") throw error;
    return (await (await caches.open(STATIC)).match("/offline")) ?? Response.error();
  }
}

self.addEventListener("fetch", (event) => {
  const { request } = event;
  const url = new URL(request.url);
  if (request.method !== "GET" || url.origin !== self.location.origin) return;
  if (FILES.includes(url.pathname)) {
    event.respondWith(caches.match(request, { cacheName: STATIC }).then((known) => known ?? fetch(request)));
  } else if (PAGE.test(url.pathname) && !url.searchParams.has("token")) {
    event.respondWith(page(request, url, event));
  } else if (request.mode === "navigate") {
    event.respondWith(fetch(request).catch(async () => (await caches.match("/offline", { cacheName: STATIC })) ?? Response.error()));
  }
});
