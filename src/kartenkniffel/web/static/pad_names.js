// The list of players: rows come and go. All ten are in the form, spare ones unseen; a row without
// a name is left out by the server.

const list = document.getElementById("player-rows");
if (list) start();

function start() {
  const rows = [...list.querySelectorAll(".player-row")];
  const add = document.getElementById("add-player");
  const who = document.getElementById("who");
  const nameOf = (row) => row.querySelector("[name=player]");
  const shown = () => rows.filter((row) => !row.classList.contains("is-spare"));

  function refresh() {
    const count = shown().length;
    add.hidden = count === rows.length;
    rows.forEach((row, index) => {
      row.querySelector(".remove").hidden = count < 2;
      const option = who.options[index];
      option.textContent = nameOf(row).value.trim() || option.dataset.player;
      option.hidden = option.disabled = index >= count;
    });
    if (who.selectedIndex >= count) who.selectedIndex = 0;
  }

  add.addEventListener("click", () => {
    const row = rows[shown().length];
    row.classList.remove("is-spare");
    refresh();
    nameOf(row).focus();
  });

  list.addEventListener("click", (event) => {
    const button = event.target.closest(".remove");
    if (!button) return;
    const all = shown();
    const at = all.indexOf(button.closest(".player-row"));
    for (let index = at; index + 1 < all.length; index += 1) {
      nameOf(all[index]).value = nameOf(all[index + 1]).value;
    }
    nameOf(all.at(-1)).value = "";
    all.at(-1).classList.add("is-spare");
    if (who.selectedIndex > at) who.selectedIndex -= 1;
    refresh();
    nameOf(all[Math.min(at, all.length - 2)]).focus();
  });

  document.addEventListener("input", (event) => event.target.name === "player" && refresh());
  // A browser may have brought back what was typed when one came back to this page.
  addEventListener("pageshow", () => {
    const last = rows.findLastIndex((row) => nameOf(row).value);
    rows.forEach((row, index) => index <= last && row.classList.remove("is-spare"));
    refresh();
  });
  refresh();
}
