// Searches with a list of results, as the ARIA pattern of a combobox describes them: the focus stays in
// the field, arrows select a result, Enter chooses it. The command palette is one, and so are fields that
// search for a record. Without this script, such a field has a button that searches.
"use strict";

// `address` gives the address of the results for a text, `choose` takes the chosen one, and `leave` is
// called if nobody is signed in any more.
const searchResults = ({ input, list, status, address, choose, leave }) => {
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

  const show = (found, words) => {
    list.replaceChildren(...found);
    options = [...list.querySelectorAll("[role=option]")];
    options.forEach((it, index) => { it.id ||= `${list.id}-${index}`; });
    list.hidden = options.length === 0;
    input.setAttribute("aria-expanded", String(options.length > 0));
    status.textContent = words;
    at = -1;
    // Enter chooses the first result of a search, but nothing that nobody searched for.
    if (input.value.trim()) select(0);
    else input.removeAttribute("aria-activedescendant");
  };

  const load = async () => {
    request?.abort();
    request = new AbortController();
    const { signal } = request;
    const url = address(encodeURIComponent(input.value.trim()));
    const response = await fetch(url, { headers: { accept: "text/html" }, signal });
    if (response.redirected) { leave?.(); return; }
    if (!response.ok) return;
    const page = new DOMParser().parseFromString(await response.text(), "text/html");
    const found = page.querySelector("[data-found]");
    if (found && !signal.aborted) show(found.childNodes, found.dataset.found);
  };
  const refresh = () => {
    clearTimeout(waiting);
    load().catch(() => {});
  };

  input.addEventListener("input", () => {
    clearTimeout(waiting);
    waiting = setTimeout(refresh, 120);
  });
  input.addEventListener("keydown", (event) => {
    if (event.isComposing || options.length === 0) return;
    // With others, these keys select text.
    const ends = !event.shiftKey && !event.ctrlKey && !event.metaKey && { Home: 0, End: -1 };
    const next = { ArrowDown: at + 1, ArrowUp: Math.max(at, 0) - 1, ...ends }[event.key];
    if (next !== undefined) {
      event.preventDefault();
      select(next);
    } else if (event.key === "Enter" && options[at]) {
      event.preventDefault();
      choose(options[at]);
    }
  });
  list.addEventListener("pointermove", (event) => {
    const index = options.indexOf(event.target.closest("[role=option]"));
    if (index >= 0 && index !== at) select(index);
  });

  const close = () => {
    clearTimeout(waiting);
    request?.abort();
    show([], "");
  };
  return { refresh, close, isOpen: () => status.textContent !== "" };
};

(() => {
  const setUp = (field) => {
    if (field.dataset.ready) return;
    field.dataset.ready = "yes";
    const input = field.querySelector("input");
    const list = field.querySelector("[role=listbox]");
    const choices = field.querySelector("fieldset");
    const before = choices?.querySelector("input:checked");
    const chosen = field.querySelector("input[type=hidden]") ?? document.createElement("input");
    if (choices) {
      Object.assign(chosen, { type: "hidden", name: `${input.name}.choice`, value: before?.value ?? "" });
      if (before) input.value = before.dataset.name;
      choices.replaceWith(chosen);
    }
    field.querySelector("button").remove();
    for (const [name, value] of Object.entries({
      role: "combobox", "aria-autocomplete": "list", "aria-controls": list.id, "aria-expanded": "false",
    })) input.setAttribute(name, value);

    const choose = (option) => {
      chosen.value = option.dataset.value;
      input.value = option.dataset.name;
      results.close();
    };
    const status = field.querySelector("[role=status]");
    const address = (text) => field.dataset.combobox + text;
    const results = searchResults({ input, list, status, address, choose });
    // Whoever types means somebody else.
    input.addEventListener("input", () => { chosen.value = ""; });
    input.addEventListener("blur", results.close);
    input.addEventListener("click", () => {
      if (chosen.value) input.select();
      if (!results.isOpen()) results.refresh();
    });
    input.addEventListener("keydown", (event) => {
      if (event.isComposing || event.defaultPrevented) return;
      const isArrow = event.key === "ArrowDown" || event.key === "ArrowUp";
      const isUnclear = event.key === "Enter" && (results.isOpen() || (input.value.trim() && !chosen.value));
      if (isArrow || isUnclear) {
        event.preventDefault();
        results.refresh();
      } else if (event.key === "Escape") {
        event.preventDefault();
        if (!results.isOpen()) input.value = chosen.value = "";
        results.close();
      }
    });
    // The focus stays in the field.
    list.addEventListener("mousedown", (event) => event.preventDefault());
    list.addEventListener("click", (event) => {
      const option = event.target.closest("[role=option]");
      if (option) choose(option);
    });
  };

  const setUpAll = () => document.querySelectorAll("[data-combobox]").forEach(setUp);
  setUpAll();
  // A refused upload replaces the page without loading it.
  document.addEventListener("replaced", setUpAll);
})();
