// Puts a link on the clipboard, or hands it to another program.

export function copying() {
  const link = document.getElementById("link");
  const copy = document.getElementById("copy");
  const share = document.getElementById("share");
  copy?.addEventListener("click", async () => {
    link.select();
    try {
      await navigator.clipboard.writeText(link.value);
    } catch {
      document.execCommand("copy"); // plain http has no clipboard of its own
    }
    copy.textContent = copy.dataset.done;
  });
  if (share && navigator.share) {
    share.hidden = false;
    share.addEventListener("click", () => {
      navigator.share({ text: share.dataset.text, url: link.value }).catch(() => {});
    });
  }
}

copying();
