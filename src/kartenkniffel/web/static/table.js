// The table page. The server renders; this only sends forms without leaving the page, and asks for
// the page's main part again when the table has moved on.

import { clock } from "./clock.js";
import { curtain } from "./curtain.js";
import { hand } from "./hand.js";
import { keys } from "./keys.js";
import { line, sentenceIn } from "./line.js";
import { live } from "./live.js";
import { moving, rest } from "./motion.js";
import { notify } from "./notify.js";
import { sounds } from "./sounds.js";
import { address, isStale, put, read, reload } from "./swap.js";
import { talk } from "./talk.js";

const byId = (id) => document.getElementById(id);
const main = byId("main");
const notice = document.getElementById("notice");
const announcer = document.getElementById("announce");
const dialog = document.getElementById("pass-dialog");

let data = readData();
let heard = Math.max(-1, ...data.news.map((news) => news.index));
let gone = false;
// What is on its way: a move, and what is said beside it.
const sending = new Set();

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
async function show(html, { moved = false, kind = moved ? "move" : "event", round } = {}) {
  const fresh = read(main, html);
  if (!fresh) return false;
  if (fresh.lang !== document.documentElement.lang) {
    // Another tab has chosen another language: then the whole page speaks it.
    reload();
    return true;
  }
  const change = () => {
    if (!curtain.isOutdated(round)) return renew(fresh, moved);
    askMore = true;
    return null;
  };
  const same = fresh.dataset.number === main.dataset.number && kind === "event";
  if (same || isStale(main, fresh)) change();
  else await moving(main, kind, change);
  return true;
}

// Make the change and give the news it brought, or nothing where the shown part is newer.
function renew(fresh, moved) {
  if (isStale(main, fresh)) {
    if (moved) hand.clear();
    return null;
  }
  const before = { data, status: statusText(), lastRound: data.last_round };
  // Whether one really passes is asked in the page where no script was there to ask it.
  const asks = !moved && fresh.dataset.since === main.dataset.since;
  put(main, fresh, asks ? ["passing"] : []);
  data = readData();
  hand.load(data, { clear: moved });
  document.title = main.dataset.title;
  clock.read();
  const news = data.news.filter((each) => each.index > heard);
  sound(before.data, news, moved);
  heard = Math.max(heard, ...news.map((each) => each.index));
  say(
    ...(moved && data.number !== before.data.number ? [data.did, data.drawn] : []),
    ...news.map((each) => each.text),
    data.last_round && !before.lastRound && data.last_round,
    statusText() !== before.status && `${statusText()}.`,
  );
  talk.renew();
  callIfOnTurn();
  return news;
}

// One sound at a time: what matters most.
function sound(before, news, moved) {
  if (data.number === before.number) return;
  if (data.finished) sounds.play("end");
  else if (data.turn && !before.turn) sounds.play("turn");
  else if (moved ? data.wrote : news.at(-1)?.wrote) sounds.play("written");
  else sounds.play("card");
}

// People who share a device sit before it, so nobody is called.
function callIfOnTurn() {
  if (data.turn && !main.hasAttribute("data-shared")) notify.call(main.dataset.table, heard, "turn");
}

function statusText() {
  return byId("status-now").textContent.trim();
}

// Asking again

let asking = null;
let askMore = false;
let wait = 1000;
let retry = 0;
let nextKind = "event";

function ask() {
  if (gone) return;
  if (asking || sending.size) {
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

function headers() {
  const log = main.dataset.log === "all" ? { "X-Log": "all" } : {};
  return { Accept: "text/html", "X-Part": "1", ...log, ...curtain.headers() };
}

async function askNow() {
  try {
    const round = curtain.round();
    const kind = nextKind;
    nextKind = "event";
    const answer = await fetch(`${address()}?part=1`, { headers: headers(), cache: "no-store" });
    if (answer.status === 404) return leave();
    if (!answer.ok) throw new Error(answer.statusText);
    const html = await answer.text();
    await rest();
    // A form on its way is answered with something newer: look again after it.
    if (sending.size || curtain.isOutdated(round)) askMore = !document.hidden;
    else await show(html, { round, kind });
    reached();
  } catch {
    line.down("ask", true);
    retry = setTimeout(ask, wait);
    wait = Math.min(wait * 2, 15000);
  }
}

function reached() {
  wait = 1000;
  clearTimeout(retry);
  line.down("ask", false);
  line.hush("failed");
}

function leave() {
  gone = true;
  clearTimeout(retry);
  live.stop();
  line.over(main);
}

live.watch({
  notice: ({ table, number, people }) => {
    if (table !== main.dataset.table) return;
    if (people || number === 0 || number > Number(main.dataset.number)) ask();
  },
  // The first time too: the table may have moved on between the page and its stream.
  up: () => {
    line.down("stream", false);
    ask();
  },
  down: () => line.down("stream", true),
});
addEventListener("pageshow", (event) => event.persisted && ask());
addEventListener("online", ask);
document.addEventListener("visibilitychange", () => document.hidden || ask());

// Sending

const TRY_AGAIN_AFTER = [300, 1000, 2000, 4000];

// The key in the form makes the command once, however often it is sent.
async function post(action, body) {
  for (const pause of [...TRY_AGAIN_AFTER, 0]) {
    try {
      const answer = await fetch(action, { method: "POST", body, headers: headers() });
      return { answer, html: await answer.text() };
    } catch (error) {
      if (!pause) throw error;
      line.down("send", true);
      await new Promise((resolve) => setTimeout(resolve, pause));
    }
  }
}

// The forms that make a move, as opposed to talk and the like.
function isMove(form) {
  return form.id !== "skip" && !form.classList.contains("among-form");
}

async function send(form, button, more = {}) {
  const lane = isMove(form) ? "move" : "beside";
  if (sending.has(lane) || gone) return;
  const body = new URLSearchParams(new FormData(form));
  if (button?.name) body.set(button.name, button.value);
  for (const [name, value] of Object.entries(more)) body.set(name, value);
  const round = curtain.round();
  sending.add(lane);
  if (lane === "move") main.dataset.busy = "";
  try {
    const { answer, html } = await post(button?.getAttribute("formaction") ?? form.action, body);
    reached();
    const moved = answer.ok && isMove(form);
    line.hush("refused");
    if (answer.status === 404) leave();
    else if (answer.status === 429 || answer.status === 403) line.tell(sentenceIn(html), "refused");
    else if (answer.status >= 500) line.tell(notice.dataset.broken, "refused");
    else if (curtain.isOutdated(round)) askMore = true;
    else if (!(await show(html, { moved, round }))) reload();
    else if (form.id === "reveal" && answer.ok) byId("hand").focus({ preventScroll: true });
    if (!answer.ok) line.keepAlert();
  } catch {
    line.tell(notice.dataset.failed, "failed");
  } finally {
    line.down("send", false);
    sending.delete(lane);
    if (lane === "move") delete main.dataset.busy;
    if (askMore) {
      askMore = false;
      ask();
    }
  }
}

// A menu has done its work once something in it is chosen; the talk stays for the next word.
function closeMenu(form) {
  const menu = form.closest(".ways");
  if (!menu?.open) return;
  menu.open = false;
  menu.querySelector("summary").focus({ preventScroll: true });
}

document.addEventListener("submit", (event) => {
  const form = event.target;
  const button = event.submitter;
  if (form.id === "reveal" || form.id === "skip" || form.classList.contains("among-form")) {
    event.preventDefault();
    closeMenu(form);
    send(form, button);
    return;
  }
  if (form.id !== "turn" && form.id !== "passing") return;
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

// The order of the hand: remembered by the server, shown at once.
async function reorder(order) {
  for (const each of document.querySelectorAll("[data-order]")) {
    each.setAttribute("aria-pressed", String(each.value === order));
  }
  const body = new URLSearchParams({ order, next: "/" });
  try {
    await fetch("/settings", { method: "POST", body, redirect: "manual" });
  } catch {
    line.tell(notice.dataset.failed, "failed");
  }
  nextKind = "sort";
  ask();
}

document.addEventListener("click", (event) => {
  const order = event.target.closest?.("[data-order]");
  if (order) {
    event.preventDefault();
    reorder(order.value);
  } else if (event.target.closest?.("#print")) {
    print();
  } else if (event.target.closest?.("#log-all")) {
    event.preventDefault();
    main.dataset.log = "all";
    byId("log-rounds").focus({ preventScroll: true });
    ask();
  }
});

sounds.start();
clock.start(say);
talk.start(say);
notify.start(main.dataset.table);
callIfOnTurn();
line.keepAlert();
curtain.start({
  ask,
  raised() {
    data = { ...data, plays: {}, draws: [], misfits: {}, drawn: "", turn: false };
    hand.load(data, { clear: true });
  },
});
hand.start(data, {
  write: () => document.getElementById("turn").requestSubmit(document.getElementById("act-write")),
  say,
});
keys.start({
  write: () => byId("turn").requestSubmit(byId("act-write")),
  order() {
    const other = document.querySelector('[data-order][aria-pressed="false"]');
    if (other) reorder(other.value);
  },
});
