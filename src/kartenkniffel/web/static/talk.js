// What others say at the table: read aloud once, shown beside them for a moment, and marked where
// the talk is closed.

const SHOWN_FOR = 5000;

const bubbles = document.getElementById("bubbles");
const lines = () => [...document.querySelectorAll("#talk-list .said")];
const numberOf = (line) => Number(line.id.slice("said-".length));
const textOf = (line, part) => line.querySelector(part).textContent;

let seen = Math.max(-1, ...lines().map(numberOf));
let isUnread = false;
let say = () => {};

function mark() {
  const menu = document.getElementById("talk");
  if (menu?.open) isUnread = false;
  menu?.classList.toggle("has-news", isUnread);
}

// Show a line at the player who said it.
function float(line) {
  const { seat } = line.dataset;
  const said = line.querySelector(".said-text, .said-emoji");
  const bubble = document.createElement("span");
  bubble.className = said.matches(".said-emoji") ? "bubble bubble--emoji" : "bubble";
  bubble.dataset.seat = seat;
  bubble.textContent = said.textContent;
  bubbles.querySelector(`[data-seat="${seat}"]`)?.remove();
  bubbles.append(bubble);
  setTimeout(() => bubble.remove(), SHOWN_FOR);
}

// Put each bubble into the lower corner of its player, over what that one still needs; never where
// the next player stands. Where the player is out of sight so is the bubble.
function place() {
  for (const bubble of bubbles.children) {
    const box = document.getElementById(`player-${bubble.dataset.seat}`)?.getBoundingClientRect();
    bubble.hidden = !box?.width || box.right < 24 || box.left > innerWidth - 24;
    if (bubble.hidden) continue;
    const left = Math.min(box.right - 6, innerWidth - 8) - bubble.offsetWidth;
    bubble.style.left = `${Math.max(8, left) + scrollX}px`;
    bubble.style.top = `${box.bottom + scrollY - bubble.offsetHeight - 5}px`;
  }
}

export const talk = {
  start(saying) {
    say = saying;
    // `toggle` does not bubble.
    document.addEventListener("toggle", (event) => event.target.id === "talk" && mark(), true);
  },

  // Look at what was rendered: whatever was said since the last time is new.
  renew() {
    const fresh = lines().filter((line) => numberOf(line) > seen);
    seen = Math.max(seen, ...fresh.map(numberOf));
    for (const line of fresh.filter((each) => !each.matches(".is-own"))) {
      isUnread = true;
      say(`${textOf(line, ".said-name")}: ${textOf(line, ".said-text, .said-emoji")}`);
      float(line);
    }
    place();
    mark();
  },
};
