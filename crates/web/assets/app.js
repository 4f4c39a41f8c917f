// What helps where scripts run. Every page works without it.
"use strict";

const all = (selector, within = document) => [...within.querySelectorAll(selector)];

// Copy buttons appear only where they can do something.
for (const button of all("[data-copy]")) {
  if (!navigator.clipboard) break;
  button.hidden = false;
  button.addEventListener("click", async () => {
    await navigator.clipboard.writeText(button.dataset.copy);
    const word = button.textContent;
    button.textContent = "Copied";
    setTimeout(() => { button.textContent = word; }, 1500);
  });
}

// A filter that changes asks at once.
for (const select of all("select[data-auto]")) {
  select.addEventListener("change", () => select.form.requestSubmit());
}

// A form is sent once.
for (const form of all("form[method=post]:not([data-upload])")) {
  form.addEventListener("submit", (event) => {
    // What goes into a frame only shows something.
    if (event.submitter?.formTarget) return;
    if (form.dataset.sent) { event.preventDefault(); return; }
    form.dataset.sent = "yes";
    setTimeout(() => { delete form.dataset.sent; }, 5000);
  });
}

// Pictures are dropped on a field, and shown before they are sent.
for (const drop of all("[data-drop]")) {
  const input = drop.querySelector("input[type=file]");
  const words = drop.querySelector("[data-drop-words]");
  words.textContent = "Drop pictures here, or choose files";
  const show = () => {
    const list = drop.querySelector("[data-chosen]");
    list.replaceChildren(...[...input.files].map((file) => {
      const item = document.createElement("li");
      const image = document.createElement("img");
      image.alt = file.name;
      image.src = URL.createObjectURL(file);
      image.addEventListener("load", () => URL.revokeObjectURL(image.src), { once: true });
      item.append(image);
      return item;
    }));
  };
  input.addEventListener("change", show);
  const over = (event) => { event.preventDefault(); drop.classList.add("over"); };
  const out = () => drop.classList.remove("over");
  drop.addEventListener("dragenter", over);
  drop.addEventListener("dragover", over);
  drop.addEventListener("dragleave", out);
  drop.addEventListener("drop", (event) => {
    event.preventDefault();
    out();
    const chosen = new DataTransfer();
    for (const file of [...input.files, ...event.dataTransfer.files]) chosen.items.add(file);
    input.files = chosen.files;
    show();
  });
}

// Uploads say how far they are. The answer is a page, as without a script.
for (const form of all("form[data-upload]")) {
  form.addEventListener("submit", (event) => {
    const progress = form.querySelector("[data-progress]");
    const files = all("input[type=file]", form).some((input) => input.files.length > 0);
    if (!files || !progress) return;
    event.preventDefault();
    const request = new XMLHttpRequest();
    const button = form.querySelector("button");
    request.upload.addEventListener("progress", (at) => {
      if (at.lengthComputable) progress.value = (100 * at.loaded) / at.total;
    });
    request.addEventListener("load", () => {
      const page = new DOMParser().parseFromString(request.responseText, "text/html");
      if (request.status < 400) { location.assign(request.responseURL); return; }
      document.querySelector("main").replaceWith(page.querySelector("main"));
      window.scrollTo(0, 0);
      // A browser does so by itself only when it loads a page.
      document.querySelector("main [autofocus]")?.focus();
    });
    request.addEventListener("error", () => { button.disabled = false; progress.hidden = true; form.submit(); });
    request.open("POST", form.action);
    button.disabled = true;
    progress.hidden = false;
    request.send(new FormData(form));
  });
}

// What lives is looked at again every few seconds, while somebody looks.
for (const part of all("[data-live]")) {
  const again = async () => {
    if (document.hidden || part.contains(document.activeElement)) return;
    const answer = await fetch(location.href, { headers: { accept: "text/html" } });
    if (!answer.ok || answer.redirected) return;
    const page = new DOMParser().parseFromString(await answer.text(), "text/html");
    const fresh = page.querySelector(`[data-live="${part.dataset.live}"]`);
    if (fresh) part.replaceChildren(...fresh.childNodes);
  };
  setInterval(() => again().catch(() => {}), 3000);
}

// Triage by keyboard: j and k move, c confirms, d dismisses, o opens. Keys act on the marked one
// alone; after a decision the one that took its place is marked.
const rows = all("[data-triage]");
if (rows.length > 0) {
  const place = `triage ${location.pathname}${location.search}`;
  let at = -1;
  const mark = (next) => {
    if (next < 0 || next >= rows.length) return;
    rows[at]?.removeAttribute("data-here");
    at = next;
    rows[at].setAttribute("data-here", "");
    rows[at].focus();
    rows[at].scrollIntoView({ block: "nearest" });
  };
  const left = sessionStorage.getItem(place);
  sessionStorage.removeItem(place);
  if (left !== null) mark(Math.min(Number(left), rows.length - 1));
  const press = (name) => {
    if (at < 0) return;
    if (name !== "o") sessionStorage.setItem(place, String(at));
    rows[at].querySelector(`[data-key="${name}"]`)?.click();
  };
  document.addEventListener("keydown", (event) => {
    const typing = event.target.closest("input, textarea, select");
    if (typing || event.metaKey || event.ctrlKey || event.altKey) return;
    const keys = {
      j: () => mark(at + 1), k: () => mark(at - 1), c: () => press("c"), d: () => press("d"),
      o: () => press("o"),
    };
    const act = keys[event.key];
    if (act) { event.preventDefault(); act(); }
  });
}
