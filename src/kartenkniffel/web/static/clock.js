// Counts down the time for a turn. The server says how much is left when it renders; from there the
// page counts by its own steady timer, since the device's clock may be wrong.

const SHORT = 10_000;
const HOUR = 3_600_000;
// Renderings of one turn differ by less than this, or the device has slept between them.
const SAME = 1500;

const language = document.documentElement.lang;
const hours = new Intl.NumberFormat(language, { style: "unit", unit: "hour", unitDisplay: "short" });

let due = "";
let end = 0;
let warnedOf = "";
let timer = 0;
let say = () => {};

function words(left) {
  if (left > HOUR) return hours.format(Math.ceil(left / HOUR));
  const seconds = Math.ceil(left / 1000);
  return `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, "0")}`;
}

function show() {
  clearTimeout(timer);
  const element = document.getElementById("clock");
  if (!element) return;
  const left = Math.max(0, end - performance.now());
  const text = element.querySelector("time");
  if (text.textContent !== words(left)) text.textContent = words(left);
  element.classList.toggle("is-short", left <= SHORT);
  warn(element, left);
  // Just after the next whole second, so that none is left out.
  if (left) timer = setTimeout(show, (left % 1000) + 15);
}

// Said once a turn, to the one whose turn it is, and only while it is still true.
function warn(element, left) {
  const isOwn = document.querySelector(".status-now.is-now") !== null;
  if (!isOwn || warnedOf === due || left > SHORT || left < SHORT - 2000) return;
  warnedOf = due;
  say(element.dataset.warning);
}

export const clock = {
  start(saying) {
    say = saying;
    this.read();
    document.addEventListener("visibilitychange", () => document.hidden || show());
  },

  // Take over what was rendered; to be called before the browser paints it.
  read() {
    const element = document.getElementById("clock");
    if (element) {
      const fresh = performance.now() + Number(element.dataset.left) * 1000;
      if (element.dataset.due !== due || Math.abs(fresh - end) > SAME) end = fresh;
      due = element.dataset.due;
    }
    show();
  },
};
