// One event stream for all tabs of this browser. A browser opens only six connections to a host, so
// the tabs elect a leader with a Web Lock; it alone listens and passes notices on.

const LOCK = "kartenkniffel-stream";
const ASK_EVERY = 15000;
const ANSWER_WITHIN = 4000;

const heard = { notice() {}, up() {}, down() {} };

let running = false;
let leading = false;
let channel = null;
let source = null;
let release = () => {};
let wait = 1000;
let timer = 0;
let isUp = false;
let answered = true;
let asker = 0;

function start() {
  if (running) return;
  running = true;
  if (!navigator.locks || !("BroadcastChannel" in window)) {
    lead();
    return;
  }
  channel = new BroadcastChannel("kartenkniffel-live");
  channel.onmessage = ({ data }) => receive(data);
  stand();
  checkLeader();
  asker = setInterval(checkLeader, ASK_EVERY);
}

function stop() {
  running = false;
  clearInterval(asker);
  clearTimeout(timer);
  step();
  channel?.close();
  channel = null;
}

// Stand for leader: wait for the lock, lead while it is held.
function stand(options = {}) {
  const mine = channel;
  navigator.locks
    .request(LOCK, options, () => {
      if (!running || channel !== mine) return undefined;
      lead();
      return new Promise((resolve) => (release = resolve));
    })
    .catch((error) => {
      if (!running || channel !== mine) return;
      // Another tab took over, since this one was asleep; or there are no locks to be had.
      if (error.name !== "AbortError") lead();
      else if (leading) {
        step();
        stand();
      }
    });
}

function lead() {
  leading = true;
  listen();
}

function step() {
  leading = false;
  source?.close();
  source = null;
  clearTimeout(timer);
  release();
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

function pass(notice) {
  heard.notice(notice);
  channel?.postMessage({ kind: "notice", notice });
}

// Try again, each time a little later; never all browsers at the same moment.
function again() {
  source?.close();
  source = null;
  state(false);
  clearTimeout(timer);
  timer = setTimeout(listen, wait * (0.75 + Math.random() / 2));
  wait = Math.min(wait * 2, 30000);
}

function state(up) {
  tellState(up);
  channel?.postMessage({ kind: "state", up });
}

function tellState(up) {
  if (up && !isUp) heard.up();
  else if (!up) heard.down();
  isUp = up;
}

function receive(message) {
  if (message.kind === "ask") {
    if (leading) channel.postMessage({ kind: "state", up: isUp });
    return;
  }
  answered = true;
  if (message.kind === "notice") heard.notice(message.notice);
  else if (!leading) tellState(message.up);
}

// A leader in a tab that the browser has put to sleep answers nobody: a tab in sight takes over.
function checkLeader() {
  if (leading || document.hidden || !channel) return;
  answered = false;
  channel.postMessage({ kind: "ask" });
  setTimeout(() => {
    if (answered || leading || !running || document.hidden) return;
    stand({ steal: true });
  }, ANSWER_WITHIN);
}

export const live = {
  // Call back with notices ({table, number}), and when the stream is down or up (again).
  watch(callbacks) {
    Object.assign(heard, callbacks);
    start();
    // A page in the back/forward cache must hold neither lock nor stream.
    addEventListener("pagehide", stop);
    addEventListener("pageshow", start);
    addEventListener("online", () => leading && listen());
    document.addEventListener("visibilitychange", checkLeader);
    document.addEventListener("freeze", stop);
    document.addEventListener("resume", start);
  },
  stop,
};
