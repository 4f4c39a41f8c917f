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
  const page = dialog.dataset.paletteDialog;
  const results = searchResults({
    input,
    list,
    status,
    address: (text) => `${page}/results?search=${text}`,
    choose: (option) => option.click(),
    // The page itself leads to the sign-in form.
    leave: () => location.assign(page),
  });

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
    results.refresh();
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
