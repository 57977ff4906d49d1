// A table that waits: the page follows who comes and goes, and goes on to the game by itself.

import { live } from "./live.js";
import "./copy.js";
import { isStale, put, read } from "./swap.js";

const main = document.getElementById("main");
const notice = document.getElementById("notice");
let asking = false;
let again = false;
let wait = 1000;
let timer = 0;

async function ask() {
  if (asking) {
    again = true;
    return;
  }
  asking = true;
  clearTimeout(timer);
  try {
    const answer = await fetch(`${location.pathname}?part=1`, {
      headers: { Accept: "text/html", "X-Part": "1" },
      cache: "no-store",
    });
    if (answer.redirected || answer.status === 410) return leaveFor(answer);
    if (answer.status === 404) return gone();
    if (!answer.ok) throw new Error(answer.statusText);
    show(await answer.text());
    wait = 1000;
    notice.hidden = true;
  } catch {
    tell(notice.dataset.reconnecting);
    timer = setTimeout(ask, wait);
    wait = Math.min(wait * 2, 30000);
  } finally {
    asking = false;
    if (again) {
      again = false;
      ask();
    }
  }
}

function leaveFor(answer) {
  live.stop();
  if (answer.redirected) location.replace(answer.url.replace(/[?]part=1$/, ""));
  else location.reload();
}

function show(html) {
  const fresh = read(main, html);
  if (!fresh) return location.reload();
  if (fresh.lang !== document.documentElement.lang) return location.reload();
  if (isStale(main, fresh)) return undefined;
  const typed = document.getElementById("name")?.value;
  put(main, fresh);
  const name = document.getElementById("name");
  if (name && typed !== undefined) name.value = typed;
  return undefined;
}

function gone() {
  live.stop();
  main.inert = true;
  tell(`${notice.dataset.gone} `);
  const link = document.createElement("a");
  link.href = "/";
  link.textContent = notice.dataset.leave;
  notice.append(link);
}

function tell(text) {
  notice.textContent = text;
  notice.hidden = false;
}

live.watch({
  notice: ({ table }) => table === main.dataset.table && ask(),
  up: ask,
  down: () => tell(notice.dataset.reconnecting),
});
addEventListener("pageshow", (event) => event.persisted && ask());
document.addEventListener("visibilitychange", () => document.hidden || ask());
