// Tries again by itself: the page that was wanted comes as soon as the server answers.

const EVERY = 2000;

async function look() {
  try {
    const answer = await fetch("/help", { method: "HEAD", cache: "no-store" });
    if (answer.ok) location.reload();
  } catch {
    // Still no server.
  }
}

setInterval(look, EVERY);
addEventListener("online", look);
