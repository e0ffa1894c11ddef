// Opens the last known positions without a connection, and shows what this server tells by web push. It keeps the files of this release, and the pages of games and of lists that a
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

/** Whether an address shows what somebody has picked, or only some of the games, and is not kept. */
const isPart = (url) => ["pick", "say"].some((name) => url.searchParams.has(name)) || (url.pathname === "/my-games" && url.search !== "");

async function page(request, url, event) {
  try {
    const response = await fetch(request);
    const shows = response.status === 200 && !response.redirected && request.mode === "navigate";
    if (shows && !isPart(url)) event.waitUntil(keep(url.pathname, response.clone()));
    return response;
  } catch (error) {
    const known = await (await caches.open(KEPT)).match(url.pathname);
    if (known && !isPart(url)) return marked(known);
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

/** What is shown of a message; anything may come, and something has to be shown. */
function told(event) {
  try {
    const { title, body, link, tag, seq, language } = event.data.json();
    if (typeof title === "string" && title) return { title, body, link, tag, seq, language };
  } catch { /* It is no message of this release. */ }
  return { title: SITE, link: "/my-games" };
}

/** Shows a message in place of the one before it with the same tag. A message that comes late does not replace a newer one. */
async function show({ title, body, link, tag, seq, language }) {
  const before = tag ? await self.registration.getNotifications({ tag }) : [];
  const newer = before.find((one) => one.data?.seq > seq);
  const icon = FILES.find((file) => file.endsWith("/icon-192.png"));
  if (newer) return self.registration.showNotification(newer.title, { body: newer.body, tag, icon, lang: newer.lang, data: newer.data, silent: true });
  return self.registration.showNotification(title, { body, tag, icon, lang: language, renotify: Boolean(tag), data: { link, seq } });
}

/** Messages are shown one after another: two at once would not see each other. */
let shown = Promise.resolve();

self.addEventListener("push", (event) => {
  shown = shown.catch(() => {}).then(() => show(told(event)));
  event.waitUntil(shown);
});

/** Opens the page of a message, always anew, so that it shows the game as it is now. The server may be known by another name here. */
async function open(link) {
  const { pathname, search } = new URL(link ?? "/my-games", self.location.origin);
  const all = await self.clients.matchAll({ type: "window", includeUncontrolled: true });
  for (const client of all) {
    if (new URL(client.url).pathname !== pathname) continue;
    const there = await client.navigate(pathname + search).catch(() => null);
    if (there) return there.focus();
  }
  return self.clients.openWindow(pathname + search);
}

self.addEventListener("notificationclick", (event) => {
  event.notification.close();
  event.waitUntil(open(event.notification.data?.link));
});
