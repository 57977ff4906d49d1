// Puts a freshly rendered <main> in the place of the shown one by changing only what differs, so
// that focus, scroll positions, checked cards and open details stay as they are.

// Where the shown table is to be had. Not always where the page is: that may be the answer to a form
// which was sent before its script was there, or which no script sends.
export const address = () => location.pathname.split("/", 3).join("/");

// Load the page anew, never by sending a form once more.
export const reload = () => location.replace(address() + location.search);

// Read the <main> of an answer; nothing where it has none of this table.
export function read(main, html) {
  const page = new DOMParser().parseFromString(html, "text/html");
  const fresh = page.querySelector("main[data-table]");
  return fresh?.dataset.table === main.dataset.table ? fresh : null;
}

// Tell whether what is shown is newer.
export function isStale(main, fresh) {
  return Number(fresh.dataset.number) < Number(main.dataset.number);
}

// What has one of the ids `staying` remains as it is: it is in the page because no script was there
// to ask for it otherwise, and nothing that is rendered now has it.
export function put(main, fresh, staying = []) {
  for (const id of staying) lend(main, fresh, id);
  const focused = document.activeElement;
  const id = focused?.id;
  const inside = main.contains(focused) && focused !== main;
  morph(main, fresh);
  if (inside && document.activeElement !== focused) {
    const again = id && document.getElementById(id);
    (again || main).focus({ preventScroll: true });
  }
}

// Give the fresh part its own copy of an element that only the shown one has, at the same place;
// not where the part is gone that it belongs to.
function lend(main, fresh, id) {
  const find = (wanted) => (fresh.id === wanted ? fresh : fresh.querySelector(`#${wanted}`));
  const shown = main.querySelector(`#${id}`);
  if (!shown || find(id)) return;
  const parent = find(shown.parentElement.id);
  let next = shown.nextElementSibling;
  while (next && !(next.id && find(next.id)?.parentElement === parent)) next = next.nextElementSibling;
  parent?.insertBefore(shown.cloneNode(true), next && find(next.id));
}

function morph(old, fresh) {
  if (old.nodeType === Node.TEXT_NODE) {
    if (old.data !== fresh.data) old.data = fresh.data;
    return;
  }
  if (old.nodeType !== Node.ELEMENT_NODE) return;
  // Taking the attribute away would uncheck a box that was rendered checked.
  const checked = old.type === "checkbox" && old.checked;
  for (const { name } of [...old.attributes]) {
    if (!fresh.hasAttribute(name) && !isKept(old, name)) old.removeAttribute(name);
  }
  for (const { name, value } of fresh.attributes) {
    if (old.getAttribute(name) !== value && !isKept(old, name)) old.setAttribute(name, value);
  }
  if (old.type === "checkbox") old.checked = checked;
  morphChildren(old, fresh);
}

// What the visitor has opened stays open, what is being sent stays so.
function isKept(element, name) {
  return (name === "open" && element.localName === "details") || name === "data-busy";
}

function morphChildren(old, fresh) {
  const wanted = new Set([...fresh.children].map((child) => child.id).filter(Boolean));
  for (const child of [...old.children]) if (child.id && !wanted.has(child.id)) child.remove();
  const known = new Map([...old.children].filter((c) => c.id).map((c) => [c.id, c]));
  let place = old.firstChild;
  for (const next of [...fresh.childNodes]) {
    const match = next.id ? known.get(next.id) : place;
    const fits = match && match.nodeName === next.nodeName && (match.id ?? "") === (next.id ?? "");
    if (!fits) {
      old.insertBefore(document.importNode(next, true), place);
      continue;
    }
    if (match === place) place = place.nextSibling;
    else old.insertBefore(match, place);
    morph(match, next);
  }
  while (place) {
    const rest = place;
    place = place.nextSibling;
    rest.remove();
  }
}
