// The menu of every page: colours change at once, and what pops up closes again.

const form = document.getElementById("settings-form");

form.addEventListener("submit", (event) => {
  const button = event.submitter;
  if (button?.name === "pace") {
    event.preventDefault();
    choose(button, form.elements.next.value);
  } else if (button?.name === "theme") {
    event.preventDefault();
    wear(button);
    choose(button, "/");
  }
});

function wear(button) {
  document.documentElement.dataset.theme = button.value;
  const scheme = document.querySelector('meta[name="color-scheme"]');
  scheme.content = ["light", "dark"].includes(button.value) ? button.value : "light dark";
}

// Send one choice without leaving the page. A pace counts at the table that the page shows, too.
function choose(button, next) {
  for (const each of form.querySelectorAll(`[name="${button.name}"]`)) {
    each.setAttribute("aria-pressed", String(each === button));
  }
  const body = new URLSearchParams({ [button.name]: button.value, next });
  fetch(form.action, { method: "POST", body, redirect: "manual" }).catch(() => form.submit());
}

const popups = () => document.querySelectorAll(".menu[open], #discards[open]");

document.addEventListener("click", (event) => {
  for (const each of popups()) if (!each.contains(event.target)) each.open = false;
});
// After the page's own keys, so that Escape closes the popup and nothing else.
addEventListener("keydown", (event) => {
  if (event.key !== "Escape") return;
  for (const each of popups()) {
    each.open = false;
    each.querySelector("summary").focus();
  }
});
