// Calls somebody who looks elsewhere. Off until it is switched on, which asks the browser for leave;
// one notification to a turn, however many tabs are open, and none while one of them is in sight.

import { address } from "./swap.js";

const KEPT_AS = "kk-notify";
const TOLD_AS = "kk-told";
const MOST_TOLD = 20;
// How long hidden tabs wait for one in sight to say that it shows the same table.
const GRACE = 500;

const choice = document.getElementById("notify-choice");
const canNotify = "Notification" in window && isSecureContext;
const pause = (milliseconds) => new Promise((resolve) => setTimeout(resolve, milliseconds));

function recall(name) {
  try {
    return localStorage.getItem(name);
  } catch {
    return null;
  }
}

function keep(name, value) {
  try {
    localStorage.setItem(name, value);
  } catch {
    // Where nothing may be kept there are no other tabs to agree with either.
  }
}

let channel = null;
let isLookedAt = false;

// Tabs that show one table tell each other whether somebody looks at it.
function listen(table) {
  channel = new BroadcastChannel("kartenkniffel-looking");
  channel.onmessage = ({ data }) => {
    if (data.table !== table) return;
    if (data.looks) isLookedAt = true;
    else if (!document.hidden) channel.postMessage({ table, looks: true });
  };
}

const isOn = () => canNotify && recall(KEPT_AS) === "on" && Notification.permission === "granted";

// Note that this turn has been told; false where it had been before.
function note(table, turn) {
  const told = JSON.parse(recall(TOLD_AS) ?? "[]");
  if (told.some(([id, before]) => id === table && before >= turn)) return false;
  const others = told.filter(([id]) => id !== table);
  keep(TOLD_AS, JSON.stringify([...others.slice(1 - MOST_TOLD), [table, turn]]));
  return true;
}

async function send(table, text) {
  const options = { body: text, tag: `kk-${table}`, icon: "/static/icon.svg", data: { path: address() } };
  const worker = await navigator.serviceWorker?.getRegistration();
  if (worker?.active) {
    await worker.showNotification("Karten-Kniffel", options);
    return;
  }
  const shown = new Notification("Karten-Kniffel", options);
  shown.onclick = () => {
    window.focus();
    shown.close();
  };
}

// What a notification told is known once somebody looks.
async function clear(table) {
  const worker = await navigator.serviceWorker?.getRegistration();
  const shown = (await worker?.getNotifications({ tag: `kk-${table}` })) ?? [];
  for (const each of shown) each.close();
}

function show() {
  for (const button of document.querySelectorAll("[data-notify]")) {
    button.setAttribute("aria-pressed", String((button.dataset.notify === "on") === isOn()));
  }
}

async function choose(button) {
  const refused = document.getElementById("notify-refused");
  refused.textContent = "";
  keep(KEPT_AS, button.dataset.notify);
  if (button.dataset.notify === "on" && (await Notification.requestPermission()) !== "granted") {
    keep(KEPT_AS, "off");
    refused.textContent = choice.dataset.refused;
  }
  show();
}

export const notify = {
  start(table) {
    if (!choice || !canNotify) return;
    choice.hidden = false;
    listen(table);
    show();
    document.addEventListener("click", (event) => {
      const button = event.target.closest?.("[data-notify]");
      if (button) choose(button);
    });
    document.addEventListener("visibilitychange", () => document.hidden || clear(table));
  },

  // Tell of something that came with the move `turn` of a table: "turn" or "begun".
  async call(table, turn, what) {
    if (!isOn()) return;
    if (!document.hidden) {
      note(table, turn);
      return;
    }
    isLookedAt = false;
    channel.postMessage({ table });
    await pause(GRACE);
    if (isLookedAt) return;
    await navigator.locks?.request("kk-notify", async () => {
      if (document.hidden && note(table, turn)) await send(table, choice.dataset[what]);
    });
  },
};
