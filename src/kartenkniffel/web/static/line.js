// What the page says of its line to the server, in the one notice above everything. While the line
// is down the page looks it (`is-cut-off`), so that nobody takes an old state for the current one.

// A line that is up again at once is not worth a word.
const SAY_AFTER = 1500;

const notice = document.getElementById("notice");
const troubles = new Set();
let timer = 0;
let isOver = false;

function tell(text, kind) {
  notice.dataset.kind = kind;
  notice.textContent = text;
  notice.hidden = false;
}

// Take back what was told, if it was of this kind.
function hush(kind) {
  if (notice.dataset.kind === kind) notice.hidden = true;
}

function cutOff() {
  document.documentElement.classList.add("is-cut-off");
  tell(notice.dataset.reconnecting, "line");
}

export const line = {
  tell,
  hush,

  // Tell what the page says went wrong: its next look at the table would sweep that away unread.
  keepAlert() {
    const alert = document.getElementById("alert");
    if (alert) tell(alert.textContent, "refused");
  },

  // Note that the line is down as far as `what` can tell, or up again.
  down(what, is) {
    if (is) troubles.add(what);
    else troubles.delete(what);
    if (isOver) return;
    if (troubles.size) {
      timer ||= setTimeout(cutOff, SAY_AFTER);
      return;
    }
    clearTimeout(timer);
    timer = 0;
    document.documentElement.classList.remove("is-cut-off");
    hush("line");
  },

  // Say that the table is gone for good, and lead away.
  over(main) {
    isOver = true;
    clearTimeout(timer);
    tell(`${notice.dataset.gone} `, "gone");
    const link = document.createElement("a");
    link.href = "/";
    link.textContent = notice.dataset.leave;
    notice.append(link);
    main.inert = true;
  },
};

// What the page of an error says.
export function sentenceIn(html) {
  return new DOMParser().parseFromString(html, "text/html").querySelector("h1")?.textContent ?? "";
}
