// The menu of every page: colours change at once, and what pops up closes again.

const form = document.getElementById("settings-form");

form.addEventListener("submit", (event) => {
  const button = event.submitter;
  if (button?.name !== "theme") return;
  event.preventDefault();
  document.documentElement.dataset.theme = button.value;
  const scheme = document.querySelector('meta[name="color-scheme"]');
  scheme.content = button.value === "auto" ? "light dark" : button.value;
  for (const each of form.querySelectorAll('[name="theme"]')) {
    each.setAttribute("aria-pressed", String(each === button));
  }
  const body = new URLSearchParams({ theme: button.value, next: "/help" });
  fetch(form.action, { method: "POST", body }).catch(() => form.submit());
});

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
