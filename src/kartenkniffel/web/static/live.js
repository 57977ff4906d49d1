// One event stream for all tabs of this browser: the leader listens and passes notices on.

import { election } from "./election.js";

// A timer that comes so much too late tells that the device has slept, and the line with it.
const BEAT = 10000;
const SLEPT = 90000;

const heard = { notice() {}, up() {}, down() {} };

let running = false;
let source = null;
let wait = 1000;
let timer = 0;
let isUp = false;
let beat = 0;
let latestBeat = 0;

function start() {
  if (running) return;
  running = true;
  latestBeat = Date.now();
  beat = setInterval(wake, BEAT);
  election.start();
}

function stop() {
  running = false;
  clearInterval(beat);
  election.stop();
}

function listen() {
  clearTimeout(timer);
  source?.close();
  source = new EventSource("/events");
  source.onopen = () => {
    wait = 1000;
    state(true);
  };
  source.addEventListener("table", (event) => pass(JSON.parse(event.data)));
  // Not the table has changed, but who is there.
  source.addEventListener("people", (event) => pass({ ...JSON.parse(event.data), people: true }));
  source.addEventListener("bye", again);
  source.onerror = again;
}

function hangUp() {
  source?.close();
  source = null;
  clearTimeout(timer);
}

function pass(notice) {
  heard.notice(notice);
  election.tell("notice", { notice });
}

// Try again, each time a little later; never all browsers at the same moment.
function again() {
  hangUp();
  state(false);
  timer = setTimeout(listen, wait * (0.75 + Math.random() / 2));
  wait = Math.min(wait * 2, 15000);
}

function retryAtOnce() {
  if (!running || !election.isLeading()) return;
  wait = 1000;
  listen();
}

function wake() {
  const late = Date.now() - latestBeat > SLEPT;
  latestBeat = Date.now();
  if (late) retryAtOnce();
}

function state(up) {
  tellState(up, { opened: up });
  election.tell("state", { up, opened: up });
}

// With each new stream something may have been missed, though the line never seemed down.
function tellState(up, { opened = false } = {}) {
  if (up && (opened || !isUp)) heard.up();
  else if (!up) heard.down();
  isUp = up;
}

function hear(message) {
  if (message.kind === "notice") heard.notice(message.notice);
  else tellState(message.up, message);
}

election.prepare({ lead: listen, step: hangUp, hear, isUp: () => isUp });

export const live = {
  // Call back with notices ({table, number}), and when the stream is down or up (again).
  watch(callbacks) {
    Object.assign(heard, callbacks);
    start();
    // A page in the back/forward cache must hold neither lock nor stream.
    addEventListener("pagehide", stop);
    addEventListener("pageshow", start);
    addEventListener("online", retryAtOnce);
    // The machine is in no network; a game on this very machine comes back at once.
    addEventListener("offline", () => election.isLeading() && again());
    document.addEventListener("visibilitychange", election.check);
    document.addEventListener("freeze", stop);
    document.addEventListener("resume", start);
  },
  stop,
};
