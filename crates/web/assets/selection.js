// Selecting rows: counts the checked ones, and checks all of the page. Without this script, the choices
// of the bar do the same.
"use strict";

for (const form of document.querySelectorAll("form[data-selection]")) {
  const boxes = () => [...document.querySelectorAll("input[data-pick]")];
  const scope = (value) => form.querySelector(`input[name=scope][value=${value}]`);
  const picked = form.querySelector("[data-picked]");
  const count = () => {
    const checked = boxes().filter((it) => it.checked).length;
    picked.textContent = checked > 0 ? `(${checked})` : "";
    form.classList.toggle("active", checked > 0);
  };
  document.addEventListener("change", ({ target }) => {
    if (target.matches?.("input[data-pick]")) {
      scope("rows").checked = true;
      count();
    }
  });
  form.addEventListener("change", ({ target }) => {
    if (target.name !== "scope") return;
    if (target.value !== "rows") for (const box of boxes()) box.checked = true;
    count();
  });
  // With the shift key, all rows up to the last one that was clicked follow it.
  let last;
  document.addEventListener("click", ({ target, shiftKey }) => {
    if (!target.matches?.("input[data-pick]")) return;
    const all = boxes();
    const [from, to] = [all.indexOf(last), all.indexOf(target)].sort((one, other) => one - other);
    if (shiftKey && from >= 0) for (const box of all.slice(from, to)) box.checked = target.checked;
    last = target;
    count();
  });
  // Lists that update themselves may show other rows by now.
  form.addEventListener("submit", () => {
    form.elements.shown.value = boxes().map((it) => it.value).join(" ");
  });
  addEventListener("pageshow", count);
}
