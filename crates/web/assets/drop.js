// Pictures can be dropped or pasted anywhere on the page of a license, and are uploaded at once. A
// rejected upload replaces the field, so its parts are looked up each time.
"use strict";

{
  const part = (selector) => document.querySelector(`[data-drop-page] ${selector}`);
  const showWords = () => {
    const words = part("[data-drop-words]");
    if (words) words.textContent = words.dataset.pageWords;
  };
  showWords();
  document.addEventListener("replaced", showWords);
  const has = (event) => event.dataTransfer?.types.includes("Files");
  // A field for another picture takes its own drops.
  const elsewhere = (event) => {
    const [drop, other] = [part(".drop"), event.target.closest?.(".drop")];
    return !drop || (other && other !== drop);
  };
  const take = (files) => {
    const input = part("input[type=file]");
    if (!input || files.length === 0) return false;
    const pictures = onlyPictures(files, part("[data-drop-wrong]"));
    if (pictures.length === 0) {
      part(".drop").scrollIntoView({ block: "nearest" });
      return true;
    }
    const chosen = new DataTransfer();
    for (const picture of pictures) chosen.items.add(picture);
    input.files = chosen.files;
    input.form.requestSubmit();
    return true;
  };
  const over = (event) => {
    if (!has(event) || elsewhere(event)) return;
    event.preventDefault();
    part(".drop").classList.add("over");
  };
  document.addEventListener("dragenter", over);
  document.addEventListener("dragover", over);
  document.addEventListener("dragleave", (event) => {
    if (!event.relatedTarget) part(".drop")?.classList.remove("over");
  });
  document.addEventListener("drop", (event) => {
    if (!has(event) || elsewhere(event) || event.defaultPrevented) return;
    event.preventDefault();
    part(".drop").classList.remove("over");
    take(event.dataTransfer.files);
  });
  document.addEventListener("paste", (event) => {
    if (take(event.clipboardData.files)) event.preventDefault();
  });
}
