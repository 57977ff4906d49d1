// The table page. The server renders; this only sends forms without leaving the page, and asks for
// the page's main part again when the table has moved on.

import { hand } from "./hand.js";
import { live } from "./live.js";
import { flights } from "./motion.js";
import { swap } from "./swap.js";

const main = document.getElementById("main");
const notice = document.getElementById("notice");
const announcer = document.getElementById("announce");
const dialog = document.getElementById("pass-dialog");

let data = readData();
let heard = Math.max(-1, ...data.news.map((news) => news.index));
let sending = false;
let gone = false;

function readData() {
  return JSON.parse(document.getElementById("table-data").textContent);
}

// Each sentence is a line of its own: a text that replaced another might cut it off.
function say(...sentences) {
  for (const sentence of sentences.filter(Boolean)) {
    const line = document.createElement("p");
    line.textContent = sentence;
    announcer.append(line);
    while (announcer.childElementCount > 8) announcer.firstElementChild.remove();
  }
}

// Put a freshly rendered main part in the place of the shown one. False where there is none.
function show(html, { moved = false } = {}) {
  const before = { data, status: statusText(), lastRound: data.last_round };
  const fly = flights(main);
  const swapped = swap(main, html);
  if (swapped === "none") return false;
  if (swapped === "stale") {
    if (moved) hand.clear();
    return true;
  }
  data = readData();
  hand.load(data, { clear: moved });
  document.title = main.dataset.title;
  const fresh = data.news.filter((news) => news.index > heard);
  heard = Math.max(heard, ...fresh.map((news) => news.index));
  fly(fresh);
  say(
    moved && data.number !== before.data.number && data.drawn,
    ...fresh.map((news) => news.text),
    data.last_round && !before.lastRound && data.last_round,
    statusText() !== before.status && `${statusText()}.`,
  );
  return true;
}

function statusText() {
  return document.getElementById("status-now").textContent.trim();
}

// Asking again

let asking = null;
let askMore = false;
let wait = 1000;
let retry = 0;

function ask() {
  if (gone) return;
  if (asking || sending) {
    askMore = true;
    return;
  }
  clearTimeout(retry);
  asking = askNow().finally(() => {
    asking = null;
    if (askMore) {
      askMore = false;
      ask();
    }
  });
}

async function askNow() {
  try {
    const answer = await fetch(`${location.pathname}?part=1`, { headers: { Accept: "text/html" } });
    if (answer.status === 404) return leave();
    if (!answer.ok) throw new Error(answer.statusText);
    const html = await answer.text();
    // A form on its way is answered with something newer: look again after it.
    if (sending) askMore = true;
    else show(html);
    reached();
  } catch {
    down("ask", true);
    retry = setTimeout(ask, wait);
    wait = Math.min(wait * 2, 30000);
  }
}

function reached() {
  wait = 1000;
  clearTimeout(retry);
  down("ask", false);
}

const troubles = new Set();
let noticeTimer = 0;

// Say quietly that the line is down, but not when it is up again at once.
function down(what, is) {
  if (is) troubles.add(what);
  else troubles.delete(what);
  if (gone) return;
  if (!troubles.size) {
    clearTimeout(noticeTimer);
    noticeTimer = 0;
    if (notice.dataset.kind === "line") notice.hidden = true;
  } else if (!noticeTimer) {
    noticeTimer = setTimeout(() => tell(notice.dataset.reconnecting, "line"), 1500);
  }
}

function tell(text, kind) {
  notice.dataset.kind = kind;
  notice.textContent = text;
  notice.hidden = false;
}

function leave() {
  gone = true;
  clearTimeout(retry);
  live.stop();
  tell(`${notice.dataset.gone} `, "gone");
  const link = document.createElement("a");
  link.href = "/";
  link.textContent = notice.dataset.leave;
  notice.append(link);
  main.inert = true;
}

live.watch({
  notice: ({ table, number }) => {
    if (table !== main.dataset.table) return;
    if (number === 0 || number > Number(main.dataset.number)) ask();
  },
  // The first time too: the table may have moved on between the page and its stream.
  up: () => {
    down("stream", false);
    ask();
  },
  down: () => down("stream", true),
});
addEventListener("pageshow", (event) => event.persisted && ask());
addEventListener("online", ask);
document.addEventListener("visibilitychange", () => document.hidden || ask());

// Sending

const TRY_AGAIN_AFTER = [300, 1000, 2000, 4000];

// The key in the form makes the command once, however often it is sent.
async function post(action, body) {
  const headers = { Accept: "text/html", "X-Part": "1" };
  for (const pause of [...TRY_AGAIN_AFTER, 0]) {
    try {
      const answer = await fetch(action, { method: "POST", body, headers });
      return { answer, html: await answer.text() };
    } catch (error) {
      if (!pause) throw error;
      down("send", true);
      await new Promise((resolve) => setTimeout(resolve, pause));
    }
  }
}

async function send(form, button, more = {}) {
  if (sending || gone) return;
  const body = new URLSearchParams(new FormData(form));
  if (button.name) body.set(button.name, button.value);
  for (const [name, value] of Object.entries(more)) body.set(name, value);
  sending = true;
  main.dataset.busy = "";
  try {
    const { answer, html } = await post(button.formAction, body);
    reached();
    if (answer.status === 404) leave();
    else if (!show(html, { moved: answer.ok })) location.reload();
    if (notice.dataset.kind === "failed") notice.hidden = true;
  } catch {
    tell(notice.dataset.failed, "failed");
  } finally {
    down("send", false);
    sending = false;
    delete main.dataset.busy;
    if (askMore) {
      askMore = false;
      ask();
    }
  }
}

document.addEventListener("submit", (event) => {
  const form = event.target;
  const button = event.submitter;
  if (form.id !== "turn" && form.className !== "passing") return;
  event.preventDefault();
  if (!button || button.getAttribute("aria-disabled") === "true") {
    hand.showReason();
    say(document.getElementById("reason")?.textContent);
  } else if (form.id === "turn" && button.value === "same" && !hand.chosen()) {
    dialog.returnValue = "";
    dialog.showModal();
    dialog.onclose = () => {
      if (dialog.returnValue === "pass") send(form, button, { confirm: "1" });
    };
  } else {
    send(form, button);
  }
});

hand.start(data, {
  write: () => document.getElementById("turn").requestSubmit(document.getElementById("act-write")),
  say,
});
