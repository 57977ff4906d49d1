// The score pad. The server renders and knows the rules; this opens the panel of a field at once,
// keeps what is written until it is sent, and asks for the page again when the pad has moved on.

import { sentenceIn } from "./line.js";
import { live } from "./live.js";
import { queue } from "./pad_queue.js";
import { address, isStale, put, read, reload } from "./swap.js";

const page = document.documentElement;
const byId = (id) => document.getElementById(id);
const main = byId("main");
const notice = byId("notice");
const announcer = byId("announce");
const dialog = byId("entry-dialog");
const waiting = byId("waiting");
const pad = main.dataset.table;

let contact = new Date();
let gone = false;

function say(text) {
  if (!text) return;
  const line = document.createElement("p");
  line.textContent = text;
  announcer.append(line);
  while (announcer.childElementCount > 8) announcer.firstElementChild.remove();
}

// What the server has rendered

function show(html) {
  const fresh = read(main, html);
  if (!fresh) return false;
  if (fresh.lang !== page.lang) {
    reload();
    return true;
  }
  if (isStale(main, fresh)) return true;
  const before = { ...main.dataset, heading: byId("pad-now").textContent };
  // Whoever tapped a field before this script was there has its panel in the page, until it is sent;
  // what was wrong with it stays too, and no bar is beside it, as without scripts.
  const panel = byId("entry");
  if (panel) fresh.querySelector("#pad-bar")?.remove();
  put(main, fresh, panel ? ["entry", "alert"] : []);
  document.title = main.dataset.title;
  mark();
  if (main.dataset.number !== before.number) say(main.dataset.news);
  const heading = byId("pad-now").textContent;
  if (heading !== before.heading) say(heading);
  if (main.dataset.last !== before.last) say(main.dataset.last);
  if (main.dataset.toMove !== before.toMove) reveal();
  return true;
}

// Bring the column of whoever is to move into sight.
function reveal() {
  const column = byId(`column-${main.dataset.toMove}`);
  if (!column) return;
  const paper = byId("block-paper");
  const names = paper.querySelector("thead td").offsetWidth;
  const [left, right] = [column.offsetLeft - names, column.offsetLeft + column.offsetWidth];
  if (left < paper.scrollLeft) paper.scrollLeft = left;
  else if (right > paper.scrollLeft + paper.clientWidth) paper.scrollLeft = right - paper.clientWidth;
}

// What waits on this device, on the block and in its own list

function mark() {
  const items = queue.items(pad);
  for (const item of items.filter((each) => each.refused === undefined)) {
    const cell = item.game === main.dataset.game && byId(`cell-${item.cell}`);
    if (!cell) continue;
    cell.classList.add("is-waiting");
    cell.querySelector(".points").textContent = item.shown;
    cell.querySelector(".penalty").textContent = item.penalty;
  }
  const list = byId("waiting-list");
  list.replaceChildren(...items.map(lineOf));
  const late = items.some((item) => item.refused !== undefined) || isOffline();
  waiting.hidden = !items.length || !late;
  waiting.classList.toggle("has-refused", items.some((item) => item.refused !== undefined));
  waiting.querySelector(".waiting-note").hidden = !queue.waiting(pad).length;
}

function lineOf(item) {
  const line = document.createElement("li");
  const words = document.createElement("span");
  const why = item.refused ?? waiting.dataset.pending;
  words.textContent = `${item.label} – ${why}`;
  line.classList.toggle("is-refused", item.refused !== undefined);
  const button = document.createElement("button");
  button.className = "button";
  button.textContent = item.refused === undefined ? waiting.dataset.drop : waiting.dataset.seen;
  button.setAttribute("aria-label", `${button.textContent}: ${item.label}`);
  button.addEventListener("click", () => {
    queue.remove(pad, item.key);
    ask();
    mark();
    unmark(item);
  });
  line.append(words, button);
  return line;
}

function unmark(item) {
  const cell = byId(`cell-${item.cell}`);
  if (!cell?.classList.contains("is-waiting")) return;
  cell.classList.remove("is-waiting");
  cell.querySelector(".points").textContent = cell.dataset.points ?? "";
  cell.querySelector(".penalty").textContent = "";
}

// The line to the server

const troubles = new Set();
let noticeTimer = 0;
let wait = 1000;
let retry = 0;

const isOffline = () => "stale" in page.dataset;

function down(what, is) {
  if (is) troubles.add(what);
  else troubles.delete(what);
  if (gone) return;
  if (!troubles.size) {
    clearTimeout(noticeTimer);
    noticeTimer = 0;
    if (isOffline()) setStale(false);
  } else if (!noticeTimer) {
    // A line that is up again at once is no news.
    noticeTimer = setTimeout(() => setStale(true), what === "send" ? 0 : 1000);
  }
}

function setStale(is) {
  page.toggleAttribute("data-stale", is);
  if (is) {
    const time = contact.toLocaleTimeString(page.lang, { timeStyle: "short" });
    tell(notice.dataset.stale.replace("{time}", time), "stale");
  } else if (notice.dataset.kind === "stale") {
    notice.hidden = true;
  }
  mark();
}

function tell(text, kind) {
  notice.dataset.kind = kind;
  notice.textContent = text;
  notice.hidden = false;
}

function reached() {
  contact = new Date();
  if (!queue.waiting(pad).length) wait = 1000;
  down("ask", false);
  if (notice.dataset.kind === "failed") notice.hidden = true;
}

// Try again, each time a little later; without a stream, look now and then even if all is well.
function again(least = 0) {
  clearTimeout(retry);
  retry = setTimeout(renew, Math.max(least, wait * (0.75 + Math.random() / 2)));
  wait = Math.min(wait * 2, 20000);
}

async function renew() {
  await flush();
  ask();
}

function leave() {
  gone = true;
  clearTimeout(retry);
  live.stop();
  tell(`${notice.dataset.gone} `, "gone");
  const link = document.createElement("a");
  link.href = "/pad";
  link.textContent = notice.dataset.leave;
  notice.append(link);
  main.inert = true;
}

// Asking again

const LOOK_EVERY = 5000;
let streaming = false;
let asking = false;
let askMore = false;

async function ask() {
  if (gone) return;
  if (asking) {
    askMore = true;
    return;
  }
  asking = true;
  try {
    const query = new URLSearchParams(location.search);
    query.delete("cell");
    query.set("part", "1");
    const answer = await fetch(`${address()}?${query}`, { cache: "no-store" });
    const html = await answer.text();
    if (answer.status === 404 && queue.isOwnError(html)) leave();
    else if (!answer.ok || !show(html)) throw new Error(answer.statusText);
    else {
      reached();
      if (!streaming) again(LOOK_EVERY);
    }
  } catch {
    down("ask", true);
    again();
  } finally {
    asking = false;
    if (askMore) {
      askMore = false;
      ask();
    }
  }
}

live.watch({
  notice: ({ table, number }) => {
    if (table === pad && (number === 0 || number > Number(main.dataset.number))) ask();
  },
  up: () => {
    streaming = true;
    renew();
  },
  down: () => {
    streaming = false;
    again();
  },
});
addEventListener("pageshow", (event) => event.persisted && renew());
// A browser is offline where there is no network at all, yet a pad on the same machine answers:
// only asking tells.
for (const change of ["online", "offline"]) {
  addEventListener(change, () => {
    wait = 1000;
    renew();
  });
}
addEventListener("storage", mark);
document.addEventListener("visibilitychange", () => document.hidden || renew());

// Sending

async function flush() {
  const done = await queue.send(pad, ({ html, reason }) => {
    reached();
    if (reason) {
      say(reason);
      ask();
    } else if (!show(html)) ask();
    mark();
  });
  if (!done) again();
  down("send", !done);
  // What a form is answered with tells the latest changes only.
  if (done && new URLSearchParams(location.search).has("log")) ask();
  mark();
}

function keep(form, button, item) {
  const body = new URLSearchParams(new FormData(form));
  if (button?.name) body.set(button.name, button.value);
  if (item.turns) body.set("turns", item.turns[body.get("player")]);
  const key = queue.newKey();
  body.set("key", key);
  const action = new URL(form.action).pathname;
  queue.add(pad, { key, action, body: body.toString(), game: body.get("game"), ...item });
  mark();
  flush();
}

// Which turns a form tells, by player and counted from 0. The page knows those that were told when it
// was made, and what waits here tells further ones.
function turnsIn(form) {
  const { player, turns, passed } = form.elements;
  const told = { [player.value]: queue.turns(pad, main.dataset.game, player.value, Number(turns.value)) };
  if (passed?.checked) {
    for (const other of passed.value.split(",")) told[other] = Number(byId(`column-${other}`).dataset.turns);
  }
  return told;
}

// Two taps on one button tell one turn: the second comes before the page has told of the first, or
// it is the end of a double click, whatever stands under the finger by then.
function isTold(form) {
  return !isOffline() && queue.isExchanging(pad, main.dataset.game, form.elements.player.value);
}

function exchange(form, button) {
  if (isTold(form)) return;
  const turns = turnsIn(form);
  keep(form, button, { cell: "", shown: "", penalty: "", label: form.dataset.label, exchange: form.elements.player.value, turns });
}

// Other forms cannot wait: they speak of what is shown now.
let sending = false;

async function send(form, button) {
  if (sending || gone) return;
  const body = new URLSearchParams(new FormData(form));
  if (button?.name) body.set(button.name, button.value);
  sending = true;
  byId("alert")?.remove();
  try {
    const answer = await fetch(form.action, { method: "POST", body, headers: { "X-Part": "1" } });
    const html = await answer.text();
    reached();
    if (answer.status === 404) leave();
    else if (answer.status === 429) tell(sentenceIn(html), "failed");
    else if (answer.status >= 500) tell(notice.dataset.broken, "failed");
    else if (!show(html)) reload();
    else if (!answer.ok && byId("alert")) say(byId("alert").textContent);
  } catch {
    tell(notice.dataset.failed, "failed");
    again();
  } finally {
    sending = false;
  }
}

// Entering

function open(link) {
  if (link.classList.contains("is-waiting")) {
    waiting.hidden = false;
    waiting.scrollIntoView({ block: "center" });
    return;
  }
  closePanel();
  const { player, field, standing, points, hand, cards } = link.dataset;
  const column = byId(`column-${player}`).dataset;
  dialog.replaceChildren(byId(`panel-${field}`).content.cloneNode(true));
  const form = dialog.querySelector("form");
  const set = (name, value) => (form.elements[name].value = value);
  set("player", player);
  set("game", main.dataset.game);
  set("number", main.dataset.number);
  set("turns", column.turns);
  form.querySelector("[data-name]").textContent = column.name;
  if (standing) {
    form.action = form.dataset.correct;
    set("standing", standing);
    if (form.elements.points) set("points", points);
    if (form.elements.cards) set("cards", cards);
    form.querySelector(`[name="hand"][value="${hand}"]`).classList.add("is-current");
    form.querySelector('[name="empty"]').hidden = false;
  } else if (column.passed && !queue.waiting(pad).length && !isOffline()) {
    const box = form.elements.passed;
    box.closest(".entry-passed").hidden = false;
    box.value = column.passed;
    box.checked = true;
    form.querySelector("[data-passed-names]").textContent = column.passedNames;
  }
  dialog.showModal();
  byId("dialog-title").focus();
}

// Another field takes the place of the one whose panel is in the page, as it does without scripts.
function closePanel() {
  if (!byId("entry")) return;
  byId("entry").remove();
  const query = new URLSearchParams(location.search);
  query.delete("cell");
  history.replaceState(history.state, "", `${address()}?${query}`.replace(/\?$/, ""));
  ask();
}

// Look five cards up, in whatever order they were typed, among those that the server offers.
function play(cards) {
  if (!cards?.value) return null;
  const sorted = [...cards.value].sort().join("");
  return [...cards.list.options].find((option) => option.value === sorted);
}

// Name what an entry shows on the block; all numbers come from the form as the server made it.
function entered(form, button) {
  const { points, cards } = form.elements;
  const fixed = form.querySelector("[data-fixed]")?.dataset.fixed;
  if (button.name === "empty") return { shown: "–", penalty: "" };
  const shown = fixed ?? (play(cards)?.label || points?.value);
  const penalty = button.dataset.penalty === "0" ? "" : `−${button.dataset.penalty}`;
  return shown ? { shown, penalty } : null;
}

function enter(form, button) {
  const told = entered(form, button);
  if (!told) {
    form.querySelector(".entry-missing").hidden = false;
    form.querySelector('[name="points"]').focus();
    return;
  }
  const { player, field, standing } = form.elements;
  const turns = standing.value ? undefined : turnsIn(form);
  const label = `${byId("dialog-title").textContent}: ${told.shown} ${told.penalty}`.trim();
  keep(form, button, { cell: `${player.value}-${field.value}`, label, turns, ...told });
  dialog.close();
}

document.addEventListener("submit", (event) => {
  const form = event.target;
  const button = event.submitter;
  if (form.closest("dialog")) {
    event.preventDefault();
    enter(form, button);
  } else if ("queue" in form.dataset) {
    event.preventDefault();
    exchange(form, button);
  } else if ("send" in form.dataset) {
    event.preventDefault();
    send(form, button);
  }
});

document.addEventListener("click", (event) => {
  const link = event.target.closest?.(".cell");
  if (link && !event.ctrlKey && !event.metaKey) {
    event.preventDefault();
    open(link);
  } else if (event.detail > 1 && event.target.closest?.(".exchange-button")) {
    event.preventDefault();
  } else if (event.target.closest?.("dialog [data-close]")) {
    event.preventDefault();
    dialog.close();
  } else if (event.target === dialog) {
    dialog.close();
  }
});

// The sum or the cards: whatever is told last counts.
dialog.addEventListener("input", ({ target }) => {
  const { points, cards } = target.form.elements;
  if (target.name === "cards") {
    for (const each of points) each.checked = false;
    cards.setCustomValidity(cards.value && !play(cards) ? cards.title : "");
  }
  if (target.name === "points" && cards) {
    cards.value = "";
    cards.setCustomValidity("");
  }
});

mark();
reveal();
flush();
