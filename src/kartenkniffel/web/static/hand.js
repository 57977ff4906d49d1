// Choosing cards and proposing fields. No rules in here: what goes is looked up in the page's data
// (`plays`: field to [cards, points, words], `draws`: number chosen to two [label, reason],
// `misfits`: field to a sentence).

let data = null;
let proposed = "";
let proposedAt = 0;
let act = {};

// What was chosen and proposed before, for going back step by step.
const NOTHING = { cards: "", field: "" };
const MOST_STEPS = 50;
let past = [];
let latest = NOTHING;

const byId = (id) => document.getElementById(id);
const boxes = () => [...document.querySelectorAll(".pick-box")];
const offers = () => document.querySelectorAll("[data-offer]");

// The chosen cards as digits, sorted by value as the data have them, whatever the hand's order.
function chosen() {
  return boxes()
    .filter((box) => box.checked)
    .map((box) => box.dataset.value)
    .sort()
    .join("");
}

function playOf(field, cards) {
  return data.plays[field]?.find(([digits]) => digits === cards);
}

function select(cards) {
  const left = [...cards];
  for (const box of boxes()) {
    const at = left.indexOf(box.dataset.value);
    box.checked = at >= 0;
    if (at >= 0) left.splice(at, 1);
  }
}

// Note a step, unless nothing has changed.
function remember() {
  const now = { cards: chosen(), field: proposed };
  if (now.cards !== latest.cards || now.field !== latest.field) {
    past = [...past.slice(-MOST_STEPS), latest];
    latest = now;
  }
  showSteps();
}

function showSteps() {
  const button = byId("undo");
  if (button) disable(button, !past.length);
}

function undo() {
  const before = past.pop();
  if (!before) return;
  latest = before;
  proposed = data.plays[before.field] ? before.field : "";
  select(before.cards);
  refresh();
  sayChoice();
}

// Say what the choice has come to, for those who do not see it.
function sayChoice() {
  const label = document.querySelector("#act-exchange:not([hidden]) #act-0 [data-label]");
  act.say(label ? label.textContent : byId("act-words").textContent);
}

function clear() {
  proposed = "";
  select("");
  refresh();
}

function propose(field, cards) {
  proposed = field;
  proposedAt = performance.now();
  select(cards);
  refresh();
  act.say(byId("act-words").textContent);
}

// Bring labels, points and reasons in line with what is chosen.
function refresh() {
  if (!byId("actions")) return;
  const cards = chosen();
  const draws = data.draws[cards.length] ?? [];
  const passing = byId("passing") !== null;
  draws.forEach(([label, reason], index) => {
    const button = byId(`act-${index}`);
    button.querySelector("[data-label]").textContent = label;
    disable(button, !data.turn || reason !== "");
  });
  for (const offer of offers()) {
    const field = offer.dataset.offer;
    const fit = cards && playOf(field, cards);
    const [, points, words] = fit || data.plays[field][0];
    offer.querySelector("[data-points]").textContent = points;
    offer.querySelector("[data-words]").textContent = words;
    offer.toggleAttribute("data-fits", Boolean(fit));
    offer.setAttribute("aria-pressed", String(field === proposed));
  }
  hide(byId("act-exchange"), proposed !== "" || passing);
  hide(byId("act-score"), proposed === "");
  const play = proposed && playOf(proposed, cards);
  const write = byId("act-write");
  write.value = proposed;
  disable(write, !data.turn || !play);
  byId("act-words").textContent = proposed ? (play ? play[2] : data.misfits[proposed]) : "";
  const refused = draws.map(([, reason]) => reason).find(Boolean) ?? "";
  const hint = cards ? "" : data.hint;
  byId("reason").textContent = data.waiting || (proposed ? "" : refused || hint);
  remember();
}

// Hide a group of buttons; the focus must not get lost with it.
function hide(group, is) {
  if (is && group.contains(document.activeElement)) byId("hand").focus({ preventScroll: true });
  group.hidden = is;
}

function disable(button, is) {
  if (is) button.setAttribute("aria-disabled", "true");
  else button.removeAttribute("aria-disabled");
}

function showReason() {
  const reason = document.querySelector("#act-score:not([hidden]) #act-words");
  const shown = byId("reason").textContent ? byId("reason") : reason;
  shown?.animate?.([{ opacity: 0.2 }, { opacity: 1 }], { duration: 300 });
}

function clicked(event) {
  const offer = event.target.closest?.("[data-offer]");
  if (offer) {
    event.preventDefault();
    const field = offer.dataset.offer;
    const cards = chosen();
    const fit = cards && playOf(field, cards);
    if (field === proposed && fit) {
      // The second half of a double click is no second thought.
      if (performance.now() - proposedAt > 400) act.write();
    } else {
      propose(field, fit ? cards : data.plays[field][0][0]);
    }
  } else if (event.target.closest?.("#act-cancel")) {
    event.preventDefault();
    const before = proposed;
    clear();
    const cell = [...offers()].find((o) => o.dataset.offer === before && o.offsetParent);
    cell?.focus({ preventScroll: true });
  } else if (event.target.closest?.("#undo")) {
    undo();
  }
}

export const hand = {
  chosen,
  clear,
  showReason,
  undo,

  // Choose one more card of this value, or one less.
  pick(value, { less = false } = {}) {
    const same = boxes().filter((box) => box.dataset.value === value && !box.disabled);
    const box = less ? same.findLast((each) => each.checked) : same.find((each) => !each.checked);
    if (!box) return;
    box.checked = !less;
    refresh();
    sayChoice();
  },

  isProposed: () => proposed !== "",

  start(fresh, actions) {
    act = actions;
    document.addEventListener("click", clicked);
    document.addEventListener("change", (event) => event.target.matches(".pick-box") && refresh());
    proposed = byId("act-score")?.hidden === false ? byId("act-write").value : "";
    this.load(fresh);
  },

  // Take over the data of a freshly rendered page. The boxes have kept what was chosen.
  load(fresh, { clear: all = false } = {}) {
    data = fresh;
    if (all || !data.plays[proposed]) proposed = "";
    if (all) {
      select("");
      past = [];
      latest = NOTHING;
    }
    refresh();
    showSteps();
  },
};
