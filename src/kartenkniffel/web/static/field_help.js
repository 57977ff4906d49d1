// Escape closes an open field help and nothing else: the choice of cards stays as it is. The opening
// itself needs no script.
addEventListener(
  "keydown",
  (event) => {
    const supported = typeof HTMLElement.prototype.showPopover === "function";
    if (event.key !== "Escape" || !supported) return;
    const open = document.querySelector(".field-help:popover-open");
    if (!open) return;
    event.stopPropagation();
    event.preventDefault();
    open.hidePopover();
  },
  { capture: true },
);
