// Lets a small worker keep a page for the time when there is no server. It works on this machine
// and over https; over plain http browsers have none.

import { live } from "./live.js";

const looks = `${document.documentElement.lang} ${document.documentElement.dataset.theme}`;

if ("serviceWorker" in navigator) {
  navigator.serviceWorker
    .register("/worker.js")
    .then(async () => {
      const { active } = await navigator.serviceWorker.ready;
      if (sessionStorage.getItem("kept") === looks) return;
      sessionStorage.setItem("kept", looks);
      active?.postMessage("keep");
    })
    .catch(() => {});
}

// Whoever has any page of the game open is there, also while reading the rules.
if (!document.querySelector("main[data-table]")) live.watch({});
