// Lets cards move to where they went, by View Transitions around a change of the page.
//
// Only a few small things are named, never the root and nothing that takes clicks: what is named
// cannot be hit while it moves. The boxes above the cards, the cells' buttons and the pile's summary
// are not, so all of the page works on. The next press of a key or a pointer ends the movement.

const MOVE = 200;
const STEP = 10;
const EASE = "cubic-bezier(0.2, 0.7, 0.2, 1)";

const still = matchMedia("(prefers-reduced-motion: reduce)");

let running = null;

// Make the change and let things move. `kind` is "move" after one's own move, "sort" when only the
// order of the hand changes, else "event". `change` gives the news that it brought (or nothing,
// when nothing is to move). Resolves when the change is made, not when all has come to rest.
export async function moving(main, kind, change) {
  stopMoving();
  if (!document.startViewTransition || still.matches || document.hidden) {
    change();
    return;
  }
  const before = note(main, kind);
  let named = before.named;
  let flights = [];
  let flying = [];
  const transition = document.startViewTransition(() => {
    unname(named);
    named = [];
    const news = change();
    if (news) ({ named, flights } = plan(main, kind, before, news));
  });
  running = transition;
  transition.ready.then(() => (flying = flights.map(fly))).catch(() => {});
  transition.finished
    .catch(() => {})
    .finally(() => {
      unname(named);
      for (const flight of flying) flight.cancel();
      if (running === transition) running = null;
    });
  await transition.updateCallbackDone;
}

// Resolves when nothing moves any more, so that what comes next need not cut it short.
export async function rest() {
  const late = new Promise((resolve) => setTimeout(resolve, 2 * MOVE));
  await Promise.race([running?.finished.catch(() => {}), late]);
}

// While the browser takes its pictures, for a few frames, it lets pointers hit nothing but the root
// element. Such a press is made good: what lies there when all is over is clicked.
const root = document.documentElement;
let missed = null;

addEventListener("keydown", stopMoving, { capture: true, passive: true });
addEventListener(
  "pointerdown",
  (event) => {
    missed = event.target === root ? running : null;
    stopMoving();
  },
  { capture: true, passive: true },
);
addEventListener(
  "click",
  async ({ target, isTrusted, clientX, clientY }) => {
    const over = missed ?? running;
    missed = null;
    if (target !== root || !isTrusted || !over) return;
    await over.finished.catch(() => {});
    const meant = document.elementFromPoint(clientX, clientY);
    meant?.closest("a, button, input, summary, [tabindex]")?.focus({ preventScroll: true });
    meant?.click?.();
  },
  { capture: true },
);

// End all movement, and with it the pictures of what was to be seen before.
export function stopMoving() {
  running?.skipTransition();
}

// What there is to be seen of an element; nothing where it is hidden or out of sight.
function rectOf(element) {
  const rect = element?.getBoundingClientRect();
  if (!rect?.width || rect.bottom < 0 || rect.right < 0) return null;
  return rect.top > innerHeight || rect.left > innerWidth ? null : rect;
}

function name(named, element, as) {
  if (!rectOf(element)) return false;
  element.style.viewTransitionName = as;
  named.push(element);
  return true;
}

function unname(elements) {
  for (const element of elements) {
    element.style.viewTransitionName = "";
    if (!element.getAttribute("style")) element.removeAttribute("style");
  }
}

const picks = (main) => [...main.querySelectorAll(".pick")];
const valueOf = (pick) => pick.querySelector(".pick-box").dataset.value;
const faceOf = (pick) => pick.querySelector(".card");

// Name cards by value and by how many of that value came before.
function nameHand(named, cards) {
  const counts = {};
  for (const pick of cards) {
    const value = valueOf(pick);
    counts[value] = (counts[value] ?? 0) + 1;
    name(named, faceOf(pick), `kk-hand-${value}-${counts[value]}`);
  }
}

function note(main, kind) {
  const named = [];
  if (kind === "event") return { named, leaving: 0 };
  const all = picks(main);
  const chosen = kind === "move" ? all.filter((pick) => pick.querySelector(":checked")) : [];
  nameHand(named, all.filter((pick) => !chosen.includes(pick)));
  chosen.sort((one, other) => valueOf(one) - valueOf(other));
  chosen.forEach((pick, index) => name(named, faceOf(pick), `kk-gone-${index}`));
  return { named, rects: chosen.map((pick) => rectOf(faceOf(pick))), leaving: chosen.length };
}

// Say what flies from where, now that the page has changed.
function plan(main, kind, before, news) {
  const named = [];
  const flights = [];
  const find = (selector) => [...main.querySelectorAll(selector)].find(rectOf);
  const draws = rectOf(find("#draw-pile .stack"));
  const discards = [...main.querySelectorAll(".discard-top .card")];
  const enter = (element, as, from, index = 0) => {
    if (!from || !name(named, element, as)) return;
    const to = rectOf(element);
    flights.push({ as, index, frames: [frame(from, to), {}] });
  };
  if (kind === "sort") nameHand(named, picks(main));
  if (kind === "move") {
    const isNew = (pick) => faceOf(pick).matches(".is-new");
    nameHand(named, picks(main).filter((pick) => !isNew(pick)));
    const drawn = picks(main).filter(isNew);
    drawn.forEach((pick, index) => enter(faceOf(pick), `kk-drawn-${index}`, draws, index));
    const cell = rectOf(find("td.own.is-latest .duo"));
    before.rects.forEach((from, index) => {
      const as = `kk-gone-${index}`;
      if (!from) return;
      if (cell) flights.push({ as, index, frames: [{}, frame(cell, from)] });
      else if (discards[index]) name(named, discards[index], as);
    });
  }
  const shown = news.findLast((each) => each.cards);
  for (const each of news) {
    const player = rectOf(find(`#player-${each.seat}`));
    const small = player && new DOMRect(player.left + 8, player.top + 8, 28, 38);
    if (each === shown) {
      discards.forEach((card, index) => enter(card, `kk-laid-${index}`, small, index));
    }
    enter(find(`td.is-latest[data-seat="${each.seat}"] .points`), `kk-wrote-${each.seat}`, small);
    const back = find(`#player-${each.seat} .back-mini`);
    if (each.drawn) enter(back, `kk-drew-${each.seat}`, draws);
  }
  return { named, flights };
}

// The place and size of one rectangle, seen from another.
function frame(rect, home) {
  return {
    translate: `${rect.left - home.left}px ${rect.top - home.top}px`,
    width: `${rect.width}px`,
    height: `${rect.height}px`,
  };
}

function fly({ as, index, frames }) {
  return document.documentElement.animate(frames, {
    pseudoElement: `::view-transition-group(${as})`,
    duration: MOVE,
    delay: index * STEP,
    easing: EASE,
    fill: "both",
  });
}
