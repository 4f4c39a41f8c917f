// Fields for territories: a search, and chosen ones as chips. Without this script, the field is a
// group of checkboxes.
"use strict";

(() => {
  const language = document.documentElement.lang;
  const folded = (text) => text.normalize("NFD").replace(/\p{M}/gu, "").toLowerCase();

  const setUp = (field) => {
    if (field.dataset.ready) return;
    field.dataset.ready = "yes";
    const chosen = field.querySelector("[data-places-chosen]");
    const search = field.querySelector("[data-places-find]");
    const map = field.querySelector("[data-atlas]");
    const count = field.querySelector(".places-count");
    const none = field.querySelector("[data-places-none]");
    const rows = map.dataset.atlas.split("/").map((line) => line.split(" "));
    const boxes = [...field.querySelectorAll("input[type=checkbox]")];
    const labels = boxes.map((box) => box.closest("label"));
    const text = new Map(labels.map((label, index) => {
      const { value } = boxes[index];
      return [label, folded(`${label.textContent} ${value} ${label.dataset.words ?? ""}`).trim()];
    }));
    const group = (label) => [...field.querySelectorAll("[data-places-group]")]
      .find((it) => it.dataset.placesGroup === label.dataset.home);

    // How well a territory fits: its own name or code, another name of a country, the beginning of the
    // name, and at last a region that contains it.
    const rank = (label, wanted) => {
      const box = boxes[labels.indexOf(label)];
      const name = folded(label.textContent).trim();
      if (name === wanted || folded(box.value) === wanted) return 0;
      const isCountry = !box.dataset.codes;
      const words = folded(label.dataset.words ?? "").split(/\s+/);
      if (isCountry && words.includes(wanted)) return 1;
      if (name.startsWith(wanted)) return isCountry ? 2 : 3;
      return isCountry ? 4 : 5;
    };

    const nameOf = (value) => labels[boxes.findIndex((it) => it.value === value)].textContent.trim();

    const draw = () => {
      const ticked = boxes.filter((box) => box.checked);
      const codes = new Set(ticked.flatMap((box) => (box.dataset.codes ?? box.value).split(" ")));
      const world = codes.has("WORLD");
      let path = "";
      let number = 0;
      rows.forEach((row, y) => row.forEach((code, x) => {
        if (code === ".." || !(world || codes.has(code))) return;
        path += `M${x} ${y}h1v1h-1z`;
        number += 1;
      }));
      map.querySelector(".taken").setAttribute("d", path);
      const { none, one, many } = count.dataset;
      const words = number === 1 ? one : many.replace("{count}", number.toLocaleString(language));
      const shown = number === 0 ? none : world ? nameOf("WORLD") : words;
      if (count.textContent.trim() !== shown) count.textContent = shown;
    };

    // Chosen ones are chips; the others stand in their lists, in alphabetical order.
    const place = (label, ticked) => {
      if (ticked) {
        label.dataset.home = label.parentElement.dataset.placesGroup ?? label.dataset.home;
        chosen.append(label);
        return;
      }
      const home = group(label);
      const next = [...home.children].find((it) =>
        label.dataset.home && it.textContent.localeCompare(label.textContent, language) > 0);
      home.insertBefore(label, next ?? null);
    };

    const narrow = () => {
      const words = folded(search.value).split(/\s+/).filter(Boolean);
      const fits = (label) => words.every((word) => text.get(label).includes(word));
      for (const label of labels) label.hidden = !chosen.contains(label) && !fits(label);
      const finds = words.length === 0 || labels.some((it) => fits(it));
      none.textContent = finds ? "" : none.dataset.placesNone;
      for (const list of field.querySelectorAll("details")) {
        const found = [...list.querySelectorAll("label")].some((it) => !it.hidden);
        list.hidden = !found;
        list.open = words.length > 0 && found;
      }
    };

    field.addEventListener("change", (event) => {
      const label = event.target.closest("label");
      if (!labels.includes(label)) return;
      const focused = document.activeElement === event.target;
      const beside = label.nextElementSibling ?? label.previousElementSibling;
      place(label, event.target.checked);
      draw();
      narrow();
      // A moved element loses the focus.
      if (focused) (beside?.querySelector("input") ?? search).focus({ preventScroll: true });
    });
    search.addEventListener("input", narrow);
    search.addEventListener("keydown", (event) => {
      if (event.key === "Escape" && search.value) {
        search.value = "";
        narrow();
        event.preventDefault();
      }
      if (event.key !== "Enter") return;
      // Enter chooses the first match instead of sending the form.
      event.preventDefault();
      const wanted = folded(search.value).trim();
      const left = labels.filter((it) => !it.hidden && !chosen.contains(it));
      if (!wanted || !left.length) return;
      // The first of the best: sorting keeps the order of equals.
      const [best] = left.sort((one, other) => rank(one, wanted) - rank(other, wanted));
      search.value = "";
      boxes[labels.indexOf(best)].click();
    });
    search.hidden = false;
    field.classList.add("ready");
  };

  const setUpAll = () => document.querySelectorAll("[data-places]").forEach(setUp);
  setUpAll();
  // A refused upload replaces the page without loading it.
  document.addEventListener("replaced", setUpAll);
})();
