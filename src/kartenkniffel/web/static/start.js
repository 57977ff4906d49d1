// The list of players on one device: rows come and go. All ten are in the form, spare ones unseen;
// a row without a name is left out by the server.

const rows = [...document.querySelectorAll(".player-row")];
const add = document.getElementById("add-player");
const who = document.getElementById("who");
const nameOf = (row) => row.querySelector("[name=player]");
const kindOf = (row) => row.querySelector("[name=kind]");
const shown = () => rows.filter((row) => !row.classList.contains("is-spare"));

function refresh() {
  const count = shown().length;
  add.hidden = count === rows.length;
  for (const row of rows) row.querySelector(".remove").hidden = count < 2;
  rows.forEach((row, index) => {
    const option = who.options[index];
    option.textContent = nameOf(row).value.trim() || option.dataset.player;
    option.hidden = option.disabled = index >= count;
  });
  if (who.selectedIndex >= count) who.selectedIndex = 0;
}

function fill(row, name, kind) {
  nameOf(row).value = name;
  kindOf(row).value = kind;
}

add.addEventListener("click", () => {
  const row = rows[shown().length];
  row.classList.remove("is-spare");
  refresh();
  nameOf(row).focus();
});

document.getElementById("player-rows").addEventListener("click", (event) => {
  const button = event.target.closest(".remove");
  if (!button) return;
  const all = shown();
  const at = all.indexOf(button.closest(".player-row"));
  for (let index = at; index + 1 < all.length; index += 1) {
    fill(all[index], nameOf(all[index + 1]).value, kindOf(all[index + 1]).value);
  }
  const last = all.at(-1);
  fill(last, "", "person");
  last.classList.add("is-spare");
  if (who.selectedIndex > at) who.selectedIndex -= 1;
  refresh();
  nameOf(all[Math.min(at, all.length - 2)]).focus();
});

document.addEventListener("input", (event) => event.target.name === "player" && refresh());

// A browser may have brought back what was typed when one came back to this page.
addEventListener("pageshow", () => {
  const last = rows.findLastIndex((row) => nameOf(row).value || kindOf(row).value !== "person");
  rows.forEach((row, index) => index <= last && row.classList.remove("is-spare"));
  refresh();
});
refresh();
