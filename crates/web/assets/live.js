// Parts of the page that update themselves while the page is visible. Rows are changed in place, so
// nobody loses their place, focus or selection. Without this script, the page shows what was true when
// it was opened.
"use strict";

(() => {
  const EVERY = 3000;
  const SLOWEST = 60000;
  // What people or other scripts set, and the server does not know.
  const KEPT = { DETAILS: ["open"], DIALOG: ["open"], BUTTON: ["hidden"], FORM: ["data-sent"] };
  const MARKS = ["data-here", "data-arrived"];
  let version = null;
  let wait = EVERY;
  let running = false;
  let timer;

  const keyOf = (node) => (node.nodeType === 1 ? node.dataset.row || node.id || null : null);
  const rowsOf = (part) => [...part.querySelectorAll("[data-row]")];
  const isKept = (node, name) => MARKS.includes(name) || KEPT[node.nodeName]?.includes(name);
  // Somebody works in it: a focused field, or an opened question.
  const isBusy = (node) =>
    node.contains(document.activeElement) || node.querySelector?.("details.confirm[open]");

  const morphAttributes = (old, fresh) => {
    for (const { name, value } of [...fresh.attributes]) {
      if (old.getAttribute(name) !== value && !isKept(old, name)) old.setAttribute(name, value);
    }
    for (const { name } of [...old.attributes]) {
      if (!fresh.hasAttribute(name) && !isKept(old, name)) old.removeAttribute(name);
    }
  };

  const morph = (old, fresh) => {
    if (old.isEqualNode(fresh)) return;
    if (old.nodeType !== 1) { old.data = fresh.data; return; }
    morphAttributes(old, fresh);
    const wanted = new Set([...fresh.children].map(keyOf).filter(Boolean));
    const known = new Map();
    for (const child of [...old.children]) {
      const key = keyOf(child);
      if (!key) continue;
      if (wanted.has(key)) known.set(key, child);
      else if (!isBusy(child)) child.remove();
    }
    let at = old.firstChild;
    for (const child of [...fresh.childNodes]) {
      const key = keyOf(child);
      const like = !key && at && !keyOf(at) && at.nodeType === child.nodeType
        && at.nodeName === child.nodeName;
      const match = key ? known.get(key) : like && at;
      if (!match) {
        const added = document.importNode(child, true);
        if (key && child.dataset.row) added.dataset.arrived = "";
        old.insertBefore(added, at);
      } else {
        if (match === at) at = at.nextSibling;
        else old.insertBefore(match, at);
        morph(match, child);
      }
    }
    while (at) {
      const next = at.nextSibling;
      if (at.nodeType !== 1 || !isBusy(at)) at.remove();
      at = next;
    }
  };

  // Moving a row takes the focus from it, so it is given back.
  const keepingFocus = (change) => {
    const focused = document.activeElement;
    const range = focused?.selectionStart ?? null;
    const end = focused?.selectionEnd ?? null;
    change();
    if (focused?.isConnected && document.activeElement !== focused) {
      focused.focus({ preventScroll: true });
      if (range !== null) focused.setSelectionRange(range, end);
    }
  };

  // Rows that nobody has seen yet wait behind a button while the start of their list is out of sight.
  const waiting = new Map();
  const isAbove = (part) => part.getBoundingClientRect().top < 0;

  const show = (part) => {
    const { fresh, pill } = waiting.get(part);
    waiting.delete(part);
    pill.remove();
    keepingFocus(() => morph(part, fresh));
    document.dispatchEvent(new Event("live"));
  };

  const hold = (part, fresh, count) => {
    const known = waiting.get(part);
    const pill = known?.pill ?? document.createElement("div");
    if (!known) {
      pill.className = "arrivals";
      pill.setAttribute("role", "status");
      const button = document.createElement("button");
      button.type = "button";
      button.addEventListener("click", () => {
        show(part);
        part.scrollIntoView({ block: "start" });
        const first = part.querySelector("[data-arrived]");
        first?.setAttribute("tabindex", "-1");
        first?.focus({ preventScroll: true });
      });
      pill.append(button);
      part.before(pill);
    }
    const words = `${count} ${count === 1 ? part.dataset.one : part.dataset.many}`;
    if (pill.firstChild.textContent !== words) pill.firstChild.textContent = words;
    waiting.set(part, { fresh, pill });
  };

  // Changes the rows that both have, and leaves the others.
  const changeRows = (part, fresh) => {
    const known = new Map(rowsOf(part).map((row) => [row.dataset.row, row]));
    for (const row of rowsOf(fresh)) {
      const old = known.get(row.dataset.row);
      if (old) morph(old, row);
    }
  };

  const update = (part, fresh) => {
    const known = new Set(rowsOf(part).map((row) => row.dataset.row));
    const count = rowsOf(fresh).filter((row) => !known.has(row.dataset.row)).length;
    if (part.hasAttribute("data-fixed")) keepingFocus(() => changeRows(part, fresh));
    else if (count > 0 && known.size > 0 && part.dataset.one && isAbove(part)) {
      keepingFocus(() => changeRows(part, fresh));
      hold(part, fresh, count);
    } else {
      waiting.get(part)?.pill.remove();
      waiting.delete(part);
      keepingFocus(() => morph(part, fresh));
    }
  };

  const refresh = async () => {
    const headers = { accept: "text/html", "x-live": "1" };
    if (version) headers["if-none-match"] = version;
    const response = await fetch(location.href, { headers, cache: "no-store" });
    if (response.status === 304) return;
    // Somebody signed out, or what the page shows is gone.
    if (response.redirected || !response.ok) throw new Error("not this page");
    version = response.headers.get("etag");
    const page = new DOMParser().parseFromString(await response.text(), "text/html");
    for (const part of document.querySelectorAll("[data-live]")) {
      const fresh = page.querySelector(`[data-live="${part.dataset.live}"]`);
      if (fresh) update(part, fresh);
    }
    document.dispatchEvent(new Event("live"));
  };

  const run = async () => {
    if (running) return;
    clearTimeout(timer);
    if (document.hidden) return;
    running = true;
    try {
      await refresh();
      wait = EVERY;
    } catch {
      wait = Math.min(wait * 2, SLOWEST);
    }
    running = false;
    timer = setTimeout(run, wait);
  };

  timer = setTimeout(run, EVERY);
  document.addEventListener("visibilitychange", run);
  addEventListener("scroll", () => {
    for (const part of [...waiting.keys()]) if (!isAbove(part)) show(part);
  }, { passive: true });
})();
