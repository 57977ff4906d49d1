// Sends what was written on any pad while there was no network, when its page is not open.

import { queue } from "./pad_queue.js";

try {
  for (const pad of queue.pads()) queue.send(pad, () => {});
} catch {
  // A browser that keeps nothing has nothing to send.
}
