// On a device that people share: takes a hand out of the page as soon as nobody should see it, and
// names to the server the seat whose hand this page shows. In no entry of the history, no page
// that the browser keeps, no picture of a task switcher is there a hand.

import { stopMoving } from "./motion.js";

const main = document.getElementById("main");
const veil = document.getElementById("veil");

let round = 0;
let act = {};

const shared = () => main.hasAttribute("data-shared");

// Take away all that tells of a hand; what the server shows instead is asked for.
function raise() {
  if (!main.dataset.seat) return;
  round += 1;
  delete main.dataset.seat;
  main.className = "table table--curtain table--veiled";
  main.replaceChildren(veil.content.cloneNode(true));
  main.querySelector(".status-now").id = "status-now";
  document.getElementById("announce").replaceChildren();
  stopMoving();
  for (const dialog of document.querySelectorAll("dialog[open]")) dialog.close();
  document.title = "Karten-Kniffel";
  act.raised();
}

function passOn(event) {
  if (!event.target.closest?.("#pass-on")) return;
  event.preventDefault();
  raise();
  act.ask();
  main.focus({ preventScroll: true });
  scrollTo(0, 0);
}

export const curtain = {
  // `raised` is called when the hand is gone from the page, `ask` asks for what the server shows.
  start(actions) {
    act = actions;
    addEventListener("pagehide", raise);
    document.addEventListener("visibilitychange", () => document.hidden && raise());
    document.addEventListener("click", passOn);
  },

  headers: () => (main.dataset.seat ? { "X-Seat": main.dataset.seat } : {}),

  // An answer that was asked for before the curtain went up may hold the hand: it is not shown.
  round: () => round,
  isOutdated: (before) => before !== round || (shared() && document.hidden),
};
