// Shows a page of the game's own when there is no server: it is restarting, or the line is down.
// Nothing of a game is ever kept here, only that page and its looks.

const KEPT = "kartenkniffel-offline";
const PAGE = "/offline";
const FILES = [PAGE, "/static/tokens.css", "/static/base.css", "/static/offline.js"];

async function keep() {
  const cache = await caches.open(KEPT);
  await cache.addAll(FILES.map((file) => new Request(file, { cache: "reload" })));
}

async function navigate(request) {
  try {
    return await fetch(request);
  } catch {
    return (await caches.match(PAGE)) ?? Response.error();
  }
}

async function fetchFile(request) {
  try {
    return await fetch(request);
  } catch {
    return (await caches.match(request)) ?? Response.error();
  }
}

addEventListener("install", (event) => event.waitUntil(keep().then(() => skipWaiting())));
addEventListener("activate", (event) => event.waitUntil(clients.claim()));
// The language or the colours may have changed: what is kept follows the page that is open.
addEventListener("message", (event) => event.waitUntil(keep().catch(() => {})));
addEventListener("fetch", (event) => {
  const { request } = event;
  if (request.mode === "navigate" && request.method === "GET") {
    event.respondWith(navigate(request));
  } else if (FILES.includes(new URL(request.url).pathname) && request.method === "GET") {
    event.respondWith(fetchFile(request));
  }
});
// Who clicks a notification wants that table: the tab that shows it, or a new one. A tab may stand on
// the answer to a form, whose path goes on after the table's own.
const tableOf = (url) => new URL(url).pathname.split("/", 3).join("/");

async function bring(path) {
  const open = await clients.matchAll({ type: "window", includeUncontrolled: true });
  const tab = open.find((each) => tableOf(each.url) === path);
  return tab ? tab.focus() : clients.openWindow(path);
}

addEventListener("notificationclick", (event) => {
  event.notification.close();
  event.waitUntil(bring(event.notification.data.path));
});
