// Small sounds, made by the browser itself. Off until they are switched on; remembered.

const KEPT_AS = "kk-sound";
const LOUD = 0.12;

// Each note: frequency in hertz, when it begins and how long it lasts in seconds, its wave.
const SOUNDS = {
  turn: [[587, 0, 0.16, "sine"], [880, 0.11, 0.3, "sine"]],
  card: [[190, 0, 0.05, "triangle"], [120, 0.02, 0.06, "triangle"]],
  written: [[440, 0, 0.08, "triangle"], [554, 0.07, 0.18, "triangle"]],
  end: [[523, 0, 0.2, "sine"], [659, 0.14, 0.2, "sine"], [784, 0.28, 0.2, "sine"], [1047, 0.42, 0.5, "sine"]],
};

let isOn = recall();
let context = null;

function recall() {
  try {
    return localStorage.getItem(KEPT_AS) === "on";
  } catch {
    return false;
  }
}

// Browsers let a page sound only after somebody has touched it.
function wake() {
  if (!isOn || !("AudioContext" in window)) return;
  context ??= new AudioContext();
  if (context.state === "suspended") context.resume().catch(() => {});
}

function note([hertz, from, length, wave]) {
  const start = context.currentTime + from;
  const tone = new OscillatorNode(context, { type: wave, frequency: hertz });
  const volume = new GainNode(context, { gain: 0 });
  volume.gain.setValueAtTime(0, start);
  volume.gain.linearRampToValueAtTime(LOUD, start + 0.012);
  volume.gain.exponentialRampToValueAtTime(0.0001, start + length);
  tone.connect(volume).connect(context.destination);
  tone.start(start);
  tone.stop(start + length);
}

function show() {
  for (const button of document.querySelectorAll("[data-sound]")) {
    button.setAttribute("aria-pressed", String((button.dataset.sound === "on") === isOn));
  }
}

export const sounds = {
  start() {
    show();
    addEventListener("pointerdown", wake, { capture: true, passive: true });
    addEventListener("keydown", wake, { capture: true, passive: true });
    document.addEventListener("click", (event) => {
      const button = event.target.closest?.("[data-sound]");
      if (!button) return;
      isOn = button.dataset.sound === "on";
      try {
        localStorage.setItem(KEPT_AS, isOn ? "on" : "off");
      } catch {
        // Where nothing may be kept it lasts as long as the page.
      }
      show();
      wake();
      this.play("written");
    });
  },

  // Tells whether there is anything to hear.
  play(name) {
    const plays = isOn && context?.state === "running";
    if (plays) SOUNDS[name].forEach(note);
    return plays;
  },
};
