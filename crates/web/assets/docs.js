// The documentation: the language of examples is remembered, and the search answers while one types. Both work
// without this script, one example and one page at a time.
"use strict";

(() => {
  // Choosing a language in one example chooses it in all of them, also on the next page.
  const LANGUAGE = "docs language";
  const showLanguage = (language) => {
    for (const input of document.querySelectorAll(`.tabbed input[value="${CSS.escape(language)}"]`)) input.checked = true;
  };
  // Where nothing may be stored, it is chosen only for this page.
  const stored = (use) => { try { return use(localStorage); } catch { return null; } };
  const chosen = stored((it) => it.getItem(LANGUAGE));
  if (chosen) showLanguage(chosen);
  document.addEventListener("change", ({ target }) => {
    if (!target.matches(".tabbed input")) return;
    stored((it) => it.setItem(LANGUAGE, target.value));
    // What is above changes its height, so the example stays where it is.
    const before = target.getBoundingClientRect().top;
    showLanguage(target.value);
    scrollBy({ top: target.getBoundingClientRect().top - before, behavior: "instant" });
  });

  // The search finds what `/docs/search` finds: sections that have all words at the beginning of their own.
  const WEIGHTS = [8, 4, 1];
  const split = (text) => text.toLowerCase().split(/[^\p{L}\p{N}_]+/u).filter((it) => it !== "");
  const rate = (section, words) => {
    const ratings = words.map((word) => section.words
      .reduce((sum, some, at) => sum + (some.some((it) => it.startsWith(word)) ? WEIGHTS[at] : 0), 0));
    return ratings.includes(0) ? 0 : ratings.reduce((sum, it) => sum + it, 0);
  };

  for (const form of document.querySelectorAll("form[data-index]")) {
    const input = form.querySelector("input");
    const list = form.querySelector("ul");
    let index;
    const load = () => {
      index ??= fetch(form.dataset.index).then((response) => response.json()).then((all) => all
        .map(([path, page, heading, text]) => ({ path, page, heading, words: [heading, page, text].map(split) })));
      return index;
    };
    const link = ({ path, page, heading }) => {
      const [item, to, from] = ["li", "a", "span"].map((it) => document.createElement(it));
      to.href = path;
      from.textContent = page;
      to.append(heading, from);
      item.append(to);
      return item;
    };
    const find = async () => {
      const asked = input.value;
      const words = split(asked);
      if (words.length === 0) { list.hidden = true; return; }
      const rated = (await load()).map((section) => [rate(section, words), section]).filter(([rating]) => rating > 0);
      // An answer to what is no longer asked is not shown.
      if (input.value !== asked) return;
      rated.sort(([one], [other]) => other - one);
      const items = rated.slice(0, 8).map(([, section]) => link(section));
      if (items.length === 0) {
        items.push(document.createElement("li"));
        items[0].append(Object.assign(document.createElement("p"), { textContent: list.dataset.none }));
      }
      list.replaceChildren(...items);
      list.hidden = false;
    };
    const close = () => { list.hidden = true; };
    input.addEventListener("focus", () => { load().catch(() => { index = undefined; }); });
    // Without the index, the form still works.
    input.addEventListener("input", () => { find().catch(() => { index = undefined; close(); }); });
    form.addEventListener("keydown", (event) => {
      const links = [...list.querySelectorAll("a")];
      const at = links.indexOf(document.activeElement);
      if (event.key === "Escape") { close(); input.focus(); }
      if (list.hidden || !["ArrowDown", "ArrowUp"].includes(event.key)) return;
      event.preventDefault();
      const next = event.key === "ArrowDown" ? links[at + 1] : links[at - 1] ?? input;
      next?.focus();
    });
    form.addEventListener("focusout", ({ relatedTarget }) => { if (!form.contains(relatedTarget)) close(); });
    document.addEventListener("keydown", (event) => {
      const typing = event.target.closest("input, textarea, select");
      const wanted = event.key === "/" || (event.key === "k" && (event.ctrlKey || event.metaKey));
      if (typing || !wanted || input.offsetParent === null) return;
      event.preventDefault();
      input.focus();
    });
  }
})();
