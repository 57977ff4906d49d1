// One tab of this browser leads: it alone keeps the event stream, since a browser opens only six
// connections to a host. Where there are Web Locks (over https, and on this machine) the holder of
// one leads. Over plain http there are none: the tabs agree by messages, the lowest id wins.

const CHANNEL = "kartenkniffel-live";
const LOCK = "kartenkniffel-stream";
const CLAIM_FOR = 400;
const HAS_LOCKS = Boolean(navigator.locks);
const ASK_EVERY = HAS_LOCKS ? 15000 : 5000;
const ANSWER_WITHIN = HAS_LOCKS ? 4000 : 1500;

const own = [...crypto.getRandomValues(new Uint32Array(2))].join("-");

let act = {};
let channel = null;
let isLeading = false;
let answered = true;
let asker = 0;
let claim = 0;
let release = () => {};

const post = (kind, more = {}) => channel?.postMessage({ kind, id: own, ...more });

function start() {
  if (channel) return;
  if (!("BroadcastChannel" in window)) {
    lead();
    return;
  }
  channel = new BroadcastChannel(CHANNEL);
  channel.onmessage = ({ data }) => receive(data);
  stand();
  asker = setInterval(check, ASK_EVERY);
}

function stop() {
  clearInterval(asker);
  clearTimeout(claim);
  claim = 0;
  if (isLeading) {
    post("gone");
    step();
  }
  channel?.close();
  channel = null;
}

function stand() {
  if (HAS_LOCKS) standForLock();
  else standByMessage();
}

// Wait for the lock, lead while it is held.
function standForLock(options = {}) {
  const mine = channel;
  navigator.locks
    .request(LOCK, options, () => {
      if (!channel || channel !== mine) return undefined;
      lead();
      return new Promise((resolve) => (release = resolve));
    })
    .catch((error) => {
      if (!channel || channel !== mine) return;
      // Another tab took over, since this one was asleep; or there are no locks to be had.
      if (error.name !== "AbortError") lead();
      else if (isLeading) {
        step();
        stand();
      }
    });
  if (!options.steal) post("ask");
}

// Lead, unless somebody leads already or stands with a lower id.
function standByMessage() {
  if (claim || isLeading) return;
  post("claim");
  claim = setTimeout(() => {
    claim = 0;
    lead();
  }, CLAIM_FOR);
}

function withdraw() {
  clearTimeout(claim);
  claim = 0;
}

function lead() {
  isLeading = true;
  tellAll();
  act.lead();
}

function step() {
  isLeading = false;
  act.step();
  release();
}

const tellAll = () => post("leading", { up: act.isUp() });

function receive(message) {
  const { kind, id } = message;
  if (kind === "ask") {
    if (isLeading) tellAll();
  } else if (kind === "claim") {
    if (isLeading) tellAll();
    else if (claim && id < own) withdraw();
    else if (claim) post("claim");
  } else if (kind === "gone") {
    if (!HAS_LOCKS) standByMessage();
  } else {
    answered = true;
    if (kind === "leading") meet(id);
    if (!isLeading) act.hear(message);
  }
}

// Somebody else leads. Of two leaders, as after a sleep, one steps down.
function meet(id) {
  withdraw();
  if (!isLeading || HAS_LOCKS) return;
  if (id < own) step();
  else tellAll();
}

// A leader in a tab that the browser has put to sleep answers nobody: another takes over. With
// locks only a tab in sight does, since a hidden one would take what a hidden one has.
function check() {
  if (isLeading || !channel || (HAS_LOCKS && document.hidden)) return;
  answered = false;
  post("ask");
  setTimeout(() => {
    if (answered || isLeading || !channel) return;
    if (!HAS_LOCKS) standByMessage();
    else if (!document.hidden) standForLock({ steal: true });
  }, ANSWER_WITHIN);
}

export const election = {
  // `lead` and `step` begin and end leading, `hear` gets what the leader tells, `isUp` tells how
  // its stream does.
  prepare(actions) {
    act = actions;
  },
  start,
  stop,
  check,
  isLeading: () => isLeading,
  tell: post,
};
