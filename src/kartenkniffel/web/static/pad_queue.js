// What was written and is not yet on the server: kept on this device, sent in order, once. Each item
// carries the key that makes it one command, however often it is sent.

const PREFIX = "kartenkniffel-pad:";
const WITHIN = 15000;
const memory = new Map();

function load(pad) {
  try {
    return JSON.parse(localStorage.getItem(PREFIX + pad)) ?? [];
  } catch {
    return memory.get(pad) ?? [];
  }
}

// Where a browser keeps nothing, the page itself does.
function save(pad, items) {
  memory.set(pad, items);
  try {
    if (items.length) localStorage.setItem(PREFIX + pad, JSON.stringify(items));
    else localStorage.removeItem(PREFIX + pad);
  } catch {
    // Full, or not allowed.
  }
}

function newKey() {
  const bytes = crypto.getRandomValues(new Uint8Array(12));
  return [...bytes].map((byte) => byte.toString(16).padStart(2, "0")).join("");
}

function add(pad, item) {
  save(pad, [...load(pad), item]);
}

function remove(pad, key) {
  save(pad, load(pad).filter((item) => item.key !== key));
}

// A refused item is not sent again, but stays in sight until somebody has read why.
function refuse(pad, key, reason) {
  save(pad, load(pad).map((item) => (item.key === key ? { ...item, refused: reason } : item)));
}

function waiting(pad) {
  return load(pad).filter((item) => item.refused === undefined);
}

// How many turns of a player are told by now: as many as the page shows, and those that wait here.
function turns(pad, game, player, shown) {
  const told = waiting(pad).filter((item) => item.game === game && item.turns?.[player] !== undefined);
  return Math.max(shown, ...told.map((item) => item.turns[player] + 1));
}

function isExchanging(pad, game, player) {
  return waiting(pad).some((item) => item.game === game && item.exchange === player);
}

function pads() {
  return Object.keys(localStorage)
    .filter((name) => name.startsWith(PREFIX))
    .map((name) => name.slice(PREFIX.length));
}

// What an answer says against a command; empty where it is on the pad, if only as a question. Nothing
// at all where it is no answer of the pad: a network that asks for a login answers everything.
function refusal(pad, answer, html) {
  const page = new DOMParser().parseFromString(html, "text/html");
  if (page.querySelector("main")?.dataset.table === pad) {
    const told = page.getElementById("alert");
    if (answer.ok || (answer.status === 409 && !told)) return "";
    return told?.textContent.trim() || String(answer.status);
  }
  if (answer.ok || !isOwnError(html)) return undefined;
  return page.querySelector("h1").textContent.trim();
}

// Tell whether an answer is a page on which this server says what went wrong.
function isOwnError(html) {
  return /<main [^>]*class="[^"]*\berror-page\b/.test(html);
}

// Older browsers wait as long as it takes.
const limit = () => AbortSignal.timeout?.(WITHIN);

async function post(item) {
  const answer = await fetch(item.action, {
    method: "POST",
    body: item.body,
    headers: { "Content-Type": "application/x-www-form-urlencoded", "X-Part": "1" },
    signal: limit(),
  });
  return { answer, html: await answer.text() };
}

async function sendAll(pad, heard) {
  for (;;) {
    const [item] = waiting(pad);
    if (!item) return true;
    let got;
    try {
      got = await post(item);
    } catch {
      return false;
    }
    const { answer, html } = got;
    // Too much at a time is only too early.
    if (answer.status >= 500 || answer.status === 429) return false;
    const reason = refusal(pad, answer, html);
    if (reason === undefined) return false;
    if (reason) refuse(pad, item.key, reason);
    else remove(pad, item.key);
    heard({ answer, html, reason });
  }
}

// Send all that waits, one tab at a time; tells whether nothing is left. A tab that is asleep must
// not keep the others waiting: the keys make sure that nothing is done twice.
async function send(pad, heard) {
  const work = () => sendAll(pad, heard);
  if (!navigator.locks) return work();
  try {
    return await navigator.locks.request(PREFIX + pad, { signal: limit() }, work);
  } catch {
    return work();
  }
}

export const queue = { add, isExchanging, isOwnError, items: load, newKey, pads, remove, send, turns, waiting };
