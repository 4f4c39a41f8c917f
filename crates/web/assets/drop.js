// Pictures can be dropped or pasted anywhere on the page of a license, and are uploaded at once.
"use strict";

for (const area of document.querySelectorAll("[data-drop-page]")) {
  const input = area.querySelector("input[type=file]");
  const drop = area.querySelector(".drop");
  const words = area.querySelector("[data-drop-words]");
  words.textContent = words.dataset.pageWords;
  const has = (event) => event.dataTransfer?.types.includes("Files");
  // A field for another picture takes its own drops.
  const elsewhere = (event) => {
    const other = event.target.closest?.(".drop");
    return other && other !== drop;
  };
  const take = (files) => {
    const pictures = [...files].filter((it) => it.type.startsWith("image/"));
    if (pictures.length === 0) return false;
    const chosen = new DataTransfer();
    for (const picture of pictures) chosen.items.add(picture);
    input.files = chosen.files;
    input.form.requestSubmit();
    return true;
  };
  const over = (event) => {
    if (!has(event) || elsewhere(event)) return;
    event.preventDefault();
    drop.classList.add("over");
  };
  document.addEventListener("dragenter", over);
  document.addEventListener("dragover", over);
  document.addEventListener("dragleave", (event) => {
    if (!event.relatedTarget) drop.classList.remove("over");
  });
  document.addEventListener("drop", (event) => {
    if (!has(event) || elsewhere(event) || event.defaultPrevented) return;
    event.preventDefault();
    drop.classList.remove("over");
    take(event.dataTransfer.files);
  });
  document.addEventListener("paste", (event) => {
    if (take(event.clipboardData.files)) event.preventDefault();
  });
}
