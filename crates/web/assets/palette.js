// The command palette (Ctrl K or ⌘ K) and the list of keys (?). Without this script, the button leads
// to the search page.
"use strict";

(() => {
  const dialog = document.querySelector("dialog[data-palette-dialog]");
  const keys = document.querySelector("dialog[data-keys-dialog]");
  if (!dialog?.showModal) return;
  const input = dialog.querySelector("input");
  const list = dialog.querySelector("[role=listbox]");
  const status = dialog.querySelector("[role=status]");
  const parse = (text) => new DOMParser().parseFromString(text, "text/html");
  let options = [];
  let at = -1;
  let request;
  let waiting;

  const select = (next) => {
    options[at]?.setAttribute("aria-selected", "false");
    at = options.length > 0 ? (next + options.length) % options.length : -1;
    if (at < 0) {
      input.removeAttribute("aria-activedescendant");
      return;
    }
    options[at].setAttribute("aria-selected", "true");
    input.setAttribute("aria-activedescendant", options[at].id);
    options[at].scrollIntoView({ block: "nearest" });
  };

  const show = (found) => {
    list.replaceChildren(...found.childNodes);
    options = [...list.querySelectorAll("[role=option]")];
    list.hidden = options.length === 0;
    input.setAttribute("aria-expanded", String(options.length > 0));
    status.textContent = found.dataset.found;
    at = -1;
    // Enter opens the first result of a search, but nothing that nobody searched for.
    if (input.value.trim()) select(0);
    else input.removeAttribute("aria-activedescendant");
  };

  const load = async () => {
    request?.abort();
    request = new AbortController();
    const { signal } = request;
    const url = `${dialog.dataset.paletteDialog}/results?search=${encodeURIComponent(input.value.trim())}`;
    const response = await fetch(url, { headers: { accept: "text/html" }, signal });
    // Nobody is signed in any more: the page itself leads to the sign-in form.
    if (response.redirected) { location.assign(dialog.dataset.paletteDialog); return; }
    if (!response.ok) return;
    const found = parse(await response.text()).querySelector("[data-found]");
    if (found && !signal.aborted) show(found);
  };
  const refresh = () => load().catch(() => {});

  // The focus stays in an open dialog.
  const trap = (box) => box.addEventListener("keydown", (event) => {
    if (event.key !== "Tab") return;
    const all = [...box.querySelectorAll("input, button, a[href]:not([tabindex='-1'])")];
    const [first, last] = [all[0], all[all.length - 1]];
    const end = event.shiftKey ? first : last;
    if (document.activeElement !== end) return;
    event.preventDefault();
    (event.shiftKey ? last : first).focus();
  });

  const open = () => {
    if (keys.open) keys.close();
    if (dialog.open) return;
    input.value = "";
    dialog.showModal();
    input.focus();
    refresh();
  };

  const openKeys = async () => {
    const place = keys.lastElementChild;
    if (!place.hasChildNodes()) {
      const response = await fetch(keys.dataset.keysDialog, { headers: { accept: "text/html" } });
      if (!response.ok) return;
      place.replaceChildren(parse(await response.text()).querySelector("[data-keys]"));
    }
    if (dialog.open) dialog.close();
    if (!keys.open) keys.showModal();
  };

  input.addEventListener("input", () => {
    clearTimeout(waiting);
    waiting = setTimeout(refresh, 120);
  });
  input.addEventListener("keydown", (event) => {
    if (event.isComposing) return;
    if (event.key === "ArrowDown" || event.key === "ArrowUp") {
      event.preventDefault();
      select(event.key === "ArrowDown" ? at + 1 : Math.max(at, 0) - 1);
    } else if (event.key === "Enter" && options[at]) {
      event.preventDefault();
      options[at].click();
    }
  });
  list.addEventListener("pointermove", (event) => {
    const index = options.indexOf(event.target.closest("[role=option]"));
    if (index >= 0 && index !== at) select(index);
  });
  for (const box of [dialog, keys]) {
    trap(box);
    box.querySelector("[data-close]").addEventListener("click", () => box.close());
    box.addEventListener("click", (event) => { if (event.target === box) box.close(); });
  }

  const mac = /Mac|iPhone|iPad/.test(navigator.platform);
  for (const link of document.querySelectorAll("a[data-palette]")) {
    const key = link.querySelector("kbd");
    if (mac) key.textContent = key.dataset.mac;
    key.hidden = false;
    link.setAttribute("aria-haspopup", "dialog");
    link.addEventListener("click", (event) => {
      if (event.ctrlKey || event.metaKey || event.shiftKey) return;
      event.preventDefault();
      open();
    });
  }
  document.addEventListener("keydown", (event) => {
    if ((event.ctrlKey || event.metaKey) && !event.shiftKey && !event.altKey && event.key.toLowerCase() === "k") {
      event.preventDefault();
      open();
      return;
    }
    const typing = event.target.closest("input, textarea, select, [contenteditable]");
    if (event.key !== "?" || typing || event.ctrlKey || event.metaKey || event.altKey) return;
    if (document.querySelector("dialog[open]")) return;
    event.preventDefault();
    openKeys().catch(() => {});
  });
})();
