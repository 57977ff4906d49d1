// Choosing cards and proposing fields. No rules in here: what goes is looked up in the page's data
// (`plays`: field to [cards, points, words], `draws`: number chosen to two [label, reason],
// `misfits`: field to a sentence).

let data = null;
let proposed = "";
let proposedAt = 0;
let act = {};

const byId = (id) => document.getElementById(id);
const boxes = () => [...document.querySelectorAll(".pick-box")];
const offers = () => document.querySelectorAll("[data-offer]");

function chosen() {
  return boxes()
    .filter((box) => box.checked)
    .map((box) => box.dataset.value)
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
  const passing = document.querySelector(".passing") !== null;
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
  }
}

function pressed(event) {
  if (event.ctrlKey || event.metaKey || event.altKey || event.defaultPrevented) return;
  const target = event.target;
  if (document.querySelector("dialog[open]") || target.matches?.("input:not(.pick-box)")) return;
  const digit = /^(?:Digit|Numpad)([1-6])$/.exec(event.code)?.[1];
  if (digit) {
    const same = boxes().filter((box) => box.dataset.value === digit);
    const box = event.shiftKey
      ? same.findLast((each) => each.checked)
      : same.find((each) => !each.checked);
    if (box) {
      box.checked = !event.shiftKey;
      refresh();
    }
  } else if (event.key === "Escape" && !document.querySelector(".menu[open], #discards[open]")) {
    clear();
  } else if (event.key === "Enter" && proposed && target.matches?.("body, main, .pick-box")) {
    event.preventDefault();
    if (!event.repeat) act.write();
  }
}

export const hand = {
  chosen,
  clear,
  showReason,

  start(fresh, actions) {
    act = actions;
    document.addEventListener("click", clicked);
    document.addEventListener("keydown", pressed);
    document.addEventListener("change", (event) => event.target.matches(".pick-box") && refresh());
    proposed = byId("act-score")?.hidden === false ? byId("act-write").value : "";
    this.load(fresh);
  },

  // Take over the data of a freshly rendered page. The boxes have kept what was chosen.
  load(fresh, { clear: all = false } = {}) {
    data = fresh;
    if (all || !data.plays[proposed]) proposed = "";
    if (all) select("");
    refresh();
  },
};
