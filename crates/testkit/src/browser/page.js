"use strict";
// The functions that tests call in a page. The driver runs this script, so the page's policy does not
// block it. `arguments` are the name of one of `means` and its arguments.

const trimmed = (text) => (text ?? "").replace(/\s+/g, " ").trim();
const shown = (element) => element.checkVisibility({ visibilityProperty: true });

const KINDS = {
  press: "a[href], button, summary, input[type=submit], input[type=button], " +
    "[role=button], [role=link], [role=tab], [role=menuitem]",
  field: "input:not([type=hidden], [type=submit], [type=button]), select, textarea",
  file: "input[type=file]",
};
const BY_VALUE = ["date", "datetime-local", "month", "week", "time", "color", "range"];

// A label's text without that of the field inside it.
const labelled = (label) => {
  const copy = label.cloneNode(true);
  copy.querySelectorAll("input, select, textarea, button").forEach((it) => it.remove());
  return copy.textContent;
};

const pictured = (element) => [...element.querySelectorAll("img[alt], svg > title")]
  .map((it) => it.alt ?? it.textContent).join(" ");

// The element's accessible name, approximately as a screen reader computes it.
const named = (element) => {
  const elsewhere = element.getAttribute("aria-labelledby")?.split(/\s+/)
    .map((id) => document.getElementById(id)?.textContent).join(" ");
  const button = element.matches("input[type=submit], input[type=button]") ? element.value : "";
  const own = element.matches("input, select, textarea") ? button : element.innerText;
  return trimmed(elsewhere) || trimmed(element.ariaLabel) ||
    trimmed([...element.labels ?? []].map(labelled).join(" ")) || trimmed(own) ||
    trimmed(pictured(element)) || trimmed(element.title) || trimmed(element.placeholder);
};

// The elements that share a container with the text that contains no other candidate.
const near = (found, text) => found.filter((element) => {
  let home = element;
  while (home && !trimmed(home.innerText).includes(text)) home = home.parentElement;
  return home && found.filter((it) => home.contains(it)).length === 1;
});

// Links to the same URL count as one.
const different = (found) => found.filter((element, index) =>
  !element.href || found.findIndex((it) => it.href === element.href) === index);

const find = (kind, wanted, place) => {
  const all = [...document.querySelectorAll(KINDS[kind])].filter((it) => kind === "file" || shown(it));
  let found = all.filter((it) => named(it) === wanted);
  // A label may end with a hint or a mark that the field is required.
  if (!found.length && kind !== "press") found = all.filter((it) => named(it).startsWith(wanted + " "));
  if (place) found = near(found, place);
  found = different(found);
  if (found.length !== 1) {
    const names = all.map((it) => JSON.stringify(named(it))).join(", ");
    return { fault: `${found.length} elements of these have this name: ${names}` };
  }
  return found[0].disabled ? { fault: "it is disabled" } : { element: found[0] };
};

// Returns true if the driver has to type.
const put = (element, value) => {
  if (element.tagName === "SELECT") {
    const option = [...element.options].find((it) => trimmed(it.textContent) === value);
    if (!option) throw new Error("no such option: " + trimmed(element.textContent));
    option.selected = true;
  } else if (BY_VALUE.includes(element.type)) {
    element.value = value;
  } else {
    return true;
  }
  element.dispatchEvent(new Event("input", { bubbles: true }));
  element.dispatchEvent(new Event("change", { bubbles: true }));
  return false;
};

const path = (element) => element.tagName.toLowerCase() + (element.id ? "#" + element.id : "") +
  [...element.classList].map((it) => "." + it).join("");

// Elements that make the page scroll sideways; elements inside a scrolling container may be wide.
const wide = () => [...document.querySelectorAll("body *")].filter((element) => {
  const right = element.getBoundingClientRect().right + scrollX;
  let home = element.parentElement;
  while (home && getComputedStyle(home).overflowX === "visible") home = home.parentElement;
  return shown(element) && right > document.documentElement.clientWidth + 1 &&
    (!home || home === document.body || home === document.documentElement);
}).map(path);

// Ids that several elements have: labels and links would lead only to the first one.
const doubled = () => {
  const ids = [...document.querySelectorAll("[id]")].map((it) => it.id);
  return ids.filter((it, index) => ids.indexOf(it) !== index);
};

// What is pressed with a finger and lower than it needs. Links within a text are as high as the text.
const PRESSED = "button, .button, summary, select, textarea, input:not([type=hidden]), nav a, " +
  ".table td a:not(p a)";
const small = () => [...document.querySelectorAll(PRESSED)].filter((element) => {
  const box = (element.closest("label") ?? element).getBoundingClientRect();
  return shown(element) && box.height < 43.5;
}).map(path);

// Whether people see where the focus is: by an outline or a shadow of the element, or by an outline of
// what it is in.
const outlined = (element) => {
  const { outlineStyle, outlineWidth } = getComputedStyle(element);
  return outlineStyle !== "none" && parseFloat(outlineWidth) > 0;
};
const ringed = () => {
  const element = document.activeElement;
  let home = element;
  while (home && !outlined(home)) home = home.parentElement;
  return home !== null || getComputedStyle(element).boxShadow !== "none";
};

const loaded = () => [
  ...performance.getEntriesByType("navigation"), ...performance.getEntriesByType("resource"),
];

const show = (element) => element.scrollIntoView({ block: "nearest", behavior: "instant" });

const means = {
  find,
  put,
  show,
  wide,
  doubled,
  small,
  ringed,
  text: () => trimmed(document.body?.innerText),
  // A value that changes while the page is still loading; empty while pictures are missing.
  content: () => {
    [...document.images].forEach((it) => { it.loading = "eager"; });
    const whole = document.readyState === "complete" && [...document.images].every((it) => it.complete);
    return whole ? trimmed(document.body?.innerText) + document.documentElement.scrollHeight : "";
  },
  value: (element) => element.value,
  focused: () => document.activeElement === document.body ? "" : named(document.activeElement),
  // What it takes to load the page, without pictures. Lists that update themselves ask later.
  transferred: () => {
    const [page] = performance.getEntriesByType("navigation");
    const isPicture = (it) => /^\/(objects|app\/catalog\/pictures)\//.test(new URL(it.name).pathname);
    return loaded().filter((it) => it.startTime < page.loadEventEnd + 1000 && !isPicture(it))
      .reduce((sum, it) => sum + it.transferSize, 0);
  },
  foreign: () => loaded().map((it) => it.name)
    .filter((it) => !it.startsWith(location.origin + "/") && !it.startsWith("data:")),
};

return means[arguments[0]](...[...arguments].slice(1));
