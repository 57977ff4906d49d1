// The keyboard. Keys of one character can be switched off (WCAG 2.1.4), the rest always work. None is
// taken while a text is typed, a dialog is open, or with Ctrl, Alt or Meta; a screen reader in browse
// mode keeps its keys to itself.

import { hand } from "./hand.js";

const KEPT_AS = "kk-keys";

const byId = (id) => document.getElementById(id);
const isShown = (element) => Boolean(element?.getClientRects().length);
const offers = () => [...document.querySelectorAll("[data-offer]")].filter(isShown);
const boxes = () => [...document.querySelectorAll(".pick-box:not(:disabled)")];

let act = {};
let isOn = recall() !== "off";

function recall() {
  try {
    return localStorage.getItem(KEPT_AS);
  } catch {
    return null;
  }
}

function keep(value) {
  try {
    localStorage.setItem(KEPT_AS, value);
  } catch {
    // Where nothing may be kept it lasts as long as the page.
  }
}

function press(id) {
  const button = byId(id);
  if (isShown(button)) button.click();
}

const LETTERS = {
  x: () => press("act-0"),
  m: () => press("act-1"),
  "+": () => press("act-1"),
  p() {
    if (!isShown(byId("act-0")) && !hand.isProposed()) return;
    hand.clear();
    press("act-0");
  },
  u: () => hand.undo(),
  o: () => act.order(),
  s: () => press("skip-button"),
  h: () => (boxes()[0] ?? byId("hand"))?.focus(),
  f: () => (offers()[0] ?? byId("block-paper"))?.focus(),
  l: () => byId("log-rounds")?.focus(),
  t: openTalk,
  "?": open,
};

function openTalk() {
  const talk = byId("talk");
  if (!isShown(talk)) return;
  talk.open = true;
  talk.querySelector(".phrase, button, summary").focus();
}

// Arrows go from card to card and from field to field.
function step(event) {
  const back = event.key === "ArrowLeft" || event.key === "ArrowUp";
  const list = [boxes(), offers()].find((each) => each.includes(event.target));
  const next = list?.[list.indexOf(event.target) + (back ? -1 : 1)];
  if (!next) return;
  event.preventDefault();
  next.focus();
}

function pressed(event) {
  if (event.ctrlKey || event.metaKey || event.altKey || event.isComposing) return;
  if (event.defaultPrevented || document.querySelector("dialog[open]")) return;
  const target = event.target;
  if (target.matches?.("input:not(.pick-box), textarea, select, [contenteditable]")) return;
  const digit = /^(?:Digit|Numpad)([1-6])$/.exec(event.code)?.[1];
  const key = event.key.length === 1 ? event.key.toLowerCase() : event.key;
  if (key === "Escape") {
    const open = ".menu[open], #discards[open], :popover-open";
    if (!document.querySelector(open)) hand.clear();
  } else if (key === "Enter") {
    if (!hand.isProposed() || !target.matches?.("body, main, .hand, .pick-box")) return;
    event.preventDefault();
    if (!event.repeat) act.write();
  } else if (key.startsWith("Arrow")) {
    step(event);
  } else if (isOn && digit) {
    hand.pick(digit, { less: event.shiftKey });
  } else if (isOn && Object.hasOwn(LETTERS, key) && !event.repeat) {
    event.preventDefault();
    LETTERS[key]();
  }
}

function open() {
  byId("settings").open = false;
  byId("keys-on").checked = isOn;
  byId("keys-dialog").showModal();
}

export const keys = {
  // `write` writes the proposal down, `order` changes the order of the hand.
  start(actions) {
    act = actions;
    document.addEventListener("keydown", pressed);
    document.addEventListener("click", (event) => {
      if (event.target.closest?.("[data-keys-open]")) open();
    });
    byId("keys-on").addEventListener("change", (event) => {
      isOn = event.target.checked;
      keep(isOn ? "on" : "off");
    });
  },
};
