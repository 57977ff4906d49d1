// A table that waits: the page follows who comes and goes, sends its forms without leaving, and goes
// on to the game by itself.

import { sharing } from "./copy.js";
import { line, sentenceIn } from "./line.js";
import { live } from "./live.js";
import { notify } from "./notify.js";
import { sounds } from "./sounds.js";
import { address, isStale, put, read, reload } from "./swap.js";

// What the beginning counts as among the moves of the game, which are numbered from 0.
const BEGUN = -2;
const SOUND_LASTS = 450;
const PART = { Accept: "text/html", "X-Part": "1" };

const byId = (id) => document.getElementById(id);
const pause = (milliseconds) => new Promise((resolve) => setTimeout(resolve, milliseconds));
const main = byId("main");
const notice = byId("notice");

let asking = false;
let again = false;
let sending = false;
let left = false;
let wait = 1000;
let timer = 0;

// Asking

async function ask() {
  if (asking || sending) {
    again = true;
    return;
  }
  if (left) return;
  asking = true;
  clearTimeout(timer);
  try {
    const answer = await fetch(`${address()}?part=1`, { headers: PART, cache: "no-store" });
    if (answer.status === 404) gone();
    else if (answer.redirected || answer.status === 410) await begun(answer);
    else if (!answer.ok) throw new Error(answer.statusText);
    else show(await answer.text());
    reached();
  } catch {
    line.down("ask", true);
    timer = setTimeout(ask, wait);
    wait = Math.min(wait * 2, 15000);
  } finally {
    asking = false;
    askAgain();
  }
}

function askAgain() {
  if (!again) return;
  again = false;
  ask();
}

function reached() {
  wait = 1000;
  line.down("ask", false);
  line.hush("failed");
}

function show(html) {
  const fresh = read(main, html);
  if (!fresh || fresh.lang !== document.documentElement.lang) {
    reload();
    return;
  }
  if (isStale(main, fresh)) return;
  const before = company();
  put(main, fresh);
  sharing();
  document.title = main.dataset.title;
  if (company() !== before) say(company());
}

// Who is there, in a line.
function company() {
  const names = [...document.querySelectorAll(".guest-name")].map((each) => each.textContent);
  return `${byId("seats-title").textContent}: ${names.join(", ")}`;
}

function say(text) {
  const words = document.createElement("p");
  words.textContent = text;
  byId("announce").append(words);
  while (byId("announce").childElementCount > 4) byId("announce").firstElementChild.remove();
}

// The game has begun: call those who look elsewhere, and go there.
async function begun(answer) {
  if (left) return;
  left = true;
  live.stop();
  if (answer.redirected) {
    const call = notify.call(main.dataset.table, BEGUN, "begun");
    await Promise.race([call, pause(1500)]);
    if (sounds.play("turn")) await pause(SOUND_LASTS);
    location.replace(new URL(answer.url).pathname);
    return;
  }
  // Whoever waited without a seat goes on to watch, where that is allowed.
  const page = new DOMParser().parseFromString(await answer.text(), "text/html");
  const way = page.getElementById("watch")?.getAttribute("href");
  if (way) location.replace(way);
  else reload();
}

function gone() {
  left = true;
  live.stop();
  line.over(main);
}

// Sending

async function send(form, button) {
  if (sending || left) return;
  const body = new URLSearchParams(new FormData(form));
  if (button?.name) body.set(button.name, button.value);
  sending = true;
  main.dataset.busy = "";
  try {
    const answer = await fetch(form.action, { method: "POST", body, headers: PART });
    await take(answer);
    reached();
  } catch {
    line.tell(notice.dataset.failed, "failed");
  } finally {
    sending = false;
    delete main.dataset.busy;
    askAgain();
  }
}

async function take(answer) {
  line.hush("refused");
  if (answer.redirected) await follow(answer);
  else if (answer.status === 404) gone();
  else if (answer.status === 410) await begun(answer);
  else if (answer.status >= 500) line.tell(notice.dataset.broken, "refused");
  else if (answer.status === 429 || answer.status === 403) {
    line.tell(sentenceIn(await answer.text()), "refused");
  } else {
    show(await answer.text());
    if (!answer.ok) line.keepAlert();
  }
}

// Away from this table, or on to its game.
async function follow(answer) {
  if (new URL(answer.url).pathname.startsWith("/t/")) {
    await begun(answer);
    return;
  }
  left = true;
  live.stop();
  location.assign(answer.url);
}

document.addEventListener("submit", (event) => {
  const form = event.target;
  // The link to another device is a page of its own.
  if (!main.contains(form) || form.id === "device") return;
  event.preventDefault();
  if (event.submitter?.getAttribute("aria-disabled") === "true") {
    say(byId("start-hint").textContent);
    return;
  }
  send(form, event.submitter);
  const menu = form.closest(".menu");
  if (menu) menu.open = false;
});

live.watch({
  notice: ({ table }) => table === main.dataset.table && ask(),
  up: () => {
    line.down("stream", false);
    ask();
  },
  down: () => line.down("stream", true),
});
addEventListener("pageshow", (event) => event.persisted && ask());
addEventListener("online", ask);
document.addEventListener("visibilitychange", () => document.hidden || ask());

sounds.start();
line.keepAlert();
notify.start(main.dataset.table);
