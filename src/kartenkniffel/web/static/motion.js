// Lets cards fly where they went: played ones to the discard pile, drawn ones from the draw pile.
// Clones fly, so that the page itself can be used all the while.

const CALM = 260;
const STEP = 45;
const EASE = "cubic-bezier(0.2, 0.7, 0.2, 1)";

const still = matchMedia("(prefers-reduced-motion: reduce)");

function rectOf(selector) {
  const element = document.querySelector(selector);
  const rect = element?.getBoundingClientRect();
  return rect?.width ? rect : null;
}

const drawPile = () => rectOf("#draw-pile .stack");
const discardPile = () => rectOf(".discard-top .card:last-child") ?? rectOf(".discard-top");

// Note where the cards are; the function it gives lets them fly to where they are then.
export function flights(main) {
  if (still.matches || document.hidden) return () => {};
  const before = new Map();
  const chosen = [];
  for (const slot of main.querySelectorAll(".slot")) {
    const face = slot.querySelector(".card");
    const rect = face.getBoundingClientRect();
    before.set(slot.id, rect);
    if (slot.querySelector(":checked")) chosen.push({ rect, face: face.cloneNode(true) });
  }
  return (news) => {
    const slots = [...main.querySelectorAll(".slot")];
    const gone = before.size > 0 && [...before.keys()].some((id) => !document.getElementById(id));
    const added = slots.filter((slot) => !before.has(slot.id));
    if (gone) {
      const to = discardPile();
      chosen.forEach(({ rect, face }, index) => to && fly(face, rect, to, index * STEP));
    }
    const from = drawPile();
    slots.forEach((slot) => {
      const face = slot.querySelector(".card");
      const rect = face.getBoundingClientRect();
      const was = before.get(slot.id);
      if (was) glide(face, was, rect, 0);
      else if (from && before.size) glide(face, from, rect, added.indexOf(slot) * STEP + 80, true);
    });
    for (const each of news) flyOthers(each);
  };
}

function flyOthers({ seat, cards, drawn }) {
  const player = rectOf(`#player-${seat}`);
  const discards = discardPile();
  const draws = drawPile();
  if (!player || !discards || !draws) return;
  [...cards].forEach((digit, index) => {
    const face = document.createElement("span");
    face.className = `card v${digit}`;
    const numeral = document.createElement("span");
    numeral.className = "numeral";
    numeral.textContent = digit;
    face.append(numeral);
    fly(face, middle(player, discards), discards, index * STEP);
  });
  for (let index = 0; index < drawn; index += 1) {
    const back = document.createElement("span");
    back.className = "stack is-low";
    fly(back, draws, middle(player, draws), 120 + index * STEP, 0.5);
  }
}

// A place in the middle of one rectangle with the size of another.
function middle(rect, size) {
  return new DOMRect(
    rect.left + rect.width / 2 - size.width / 2,
    rect.top + rect.height / 2 - size.height / 2,
    size.width,
    size.height,
  );
}

function shift(from, to) {
  const x = from.left - to.left;
  const y = from.top - to.top;
  return `translate(${x}px, ${y}px) scale(${from.width / to.width}, ${from.height / to.height})`;
}

function glide(element, from, to, delay, appearing = false) {
  if (!appearing && Math.abs(from.left - to.left) < 1 && Math.abs(from.top - to.top) < 1) return;
  element.animate(
    [
      { transform: shift(from, to), transformOrigin: "0 0", opacity: appearing ? 0.3 : 1 },
      { transformOrigin: "0 0", opacity: 1 },
    ],
    { duration: CALM, delay, easing: EASE, fill: "backwards" },
  );
}

function fly(element, from, to, delay, scale = 1) {
  element.classList.add("flying");
  element.setAttribute("aria-hidden", "true");
  Object.assign(element.style, {
    left: `${to.left}px`,
    top: `${to.top}px`,
    width: `${to.width}px`,
    height: `${to.height}px`,
  });
  document.body.append(element);
  const flight = element.animate(
    [
      { transform: shift(from, to), transformOrigin: "0 0", opacity: 1 },
      { transform: `scale(${scale})`, transformOrigin: "0 0", opacity: 0.25 },
    ],
    { duration: CALM, delay, easing: EASE, fill: "both" },
  );
  flight.onfinish = flight.oncancel = () => element.remove();
}
