// Pictures open in a dialog: arrows show the others, Escape closes it. Without this script, a picture
// is a link to itself.
"use strict";

(() => {
  const dialog = document.querySelector("dialog[data-lightbox]");
  if (!dialog?.showModal) return;
  const image = dialog.querySelector("img");
  const caption = dialog.querySelector("figcaption");
  const [previous, next] = ["previous", "next"].map((it) => dialog.querySelector(`[data-${it}]`));
  let links = [];
  let at = 0;

  const show = (index) => {
    at = (index + links.length) % links.length;
    const { alt } = links[at].querySelector("img");
    image.src = links[at].href;
    image.alt = alt;
    caption.textContent = links.length > 1 ? `${alt} (${at + 1} / ${links.length})` : alt;
  };

  // Listens on the document, because a refused upload replaces the page without loading it.
  document.addEventListener("click", (event) => {
    const link = event.target.closest("a[data-enlarge]");
    if (!link || event.ctrlKey || event.metaKey || event.shiftKey || event.altKey) return;
    event.preventDefault();
    links = [...document.querySelectorAll("a[data-enlarge]")];
    for (const button of [previous, next]) button.hidden = links.length < 2;
    show(links.indexOf(link));
    dialog.showModal();
    dialog.querySelector("[data-close]").focus();
  });
  previous.addEventListener("click", () => show(at - 1));
  next.addEventListener("click", () => show(at + 1));
  dialog.querySelector("[data-close]").addEventListener("click", () => dialog.close());
  // A click beside the picture closes the dialog.
  dialog.addEventListener("click", (event) => { if (event.target === dialog) dialog.close(); });
  dialog.addEventListener("close", () => { image.removeAttribute("src"); });
  dialog.addEventListener("keydown", (event) => {
    const step = { ArrowLeft: -1, ArrowRight: 1 }[event.key];
    if (!step || links.length < 2) return;
    event.preventDefault();
    show(at + step);
  });
})();
