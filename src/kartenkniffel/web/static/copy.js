// Puts a link on the clipboard, or hands it to another program.

const SHOWN_FOR = 2500;

const link = () => document.getElementById("link");

async function copy(button) {
  link().select();
  let done = true;
  try {
    await navigator.clipboard.writeText(link().value);
  } catch {
    done = document.execCommand("copy"); // plain http has no clipboard of its own
  }
  const label = button.querySelector("span");
  if (!done || label.textContent === button.dataset.done) return;
  const before = label.textContent;
  label.textContent = button.dataset.done;
  setTimeout(() => (label.textContent = before), SHOWN_FOR);
}

// Only some browsers can share, and only over https.
export function sharing() {
  const button = document.getElementById("share");
  if (button && navigator.share) button.hidden = false;
}

document.addEventListener("click", (event) => {
  const button = event.target.closest?.("#copy, #share");
  if (button?.id === "copy") copy(button);
  else if (button) navigator.share({ text: button.dataset.text, url: link().value }).catch(() => {});
});
sharing();
