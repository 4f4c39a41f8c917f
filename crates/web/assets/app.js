// Enhancements. Every page works without this script.
"use strict";

const all = (selector, within = document) => [...within.querySelectorAll(selector)];
const language = document.documentElement.lang;
// Texts come from the page, with names in braces for values.
const fill = (text, values) => text.replace(/\{(\w+)\}/g, (name, key) => values[key] ?? name);

// Copy buttons appear only where the clipboard is available. Parts that update themselves bring new ones.
const showCopyButtons = () => {
  if (!navigator.clipboard) return;
  for (const button of all("[data-copy][hidden]")) button.hidden = false;
};
showCopyButtons();
document.addEventListener("live", showCopyButtons);
document.addEventListener("click", async ({ target }) => {
  const button = target.closest("[data-copy]");
  if (!button) return;
  // Without a text of its own, a button copies the code next to it.
  const text = button.dataset.copy || button.parentElement.querySelector("pre").textContent;
  await navigator.clipboard.writeText(text);
  const word = button.textContent;
  button.textContent = button.dataset.copied;
  setTimeout(() => { button.textContent = word; }, 1500);
});

// A page that is left at once skips its transition, which is no error.
const skipQuietly = (transition) => {
  for (const end of [transition?.ready, transition?.finished]) end?.catch(() => {});
};
for (const moment of ["pageswap", "pagereveal"]) {
  addEventListener(moment, ({ viewTransition }) => skipQuietly(viewTransition));
}
skipQuietly(document.activeViewTransition);

// An act can be undone for a minute.
for (const offer of all("form[data-seconds]")) {
  setTimeout(() => offer.remove(), Number(offer.dataset.seconds) * 1000);
}

// A search field narrows the options of a long list.
for (const input of all("input[data-narrows]")) {
  const select = document.getElementById(input.dataset.narrows);
  input.hidden = false;
  input.addEventListener("input", () => {
    const words = input.value.trim().toLowerCase();
    const options = all("option", select);
    for (const option of options) option.hidden = !option.textContent.toLowerCase().includes(words);
    for (const group of all("optgroup", select)) group.hidden = all("option", group).every((it) => it.hidden);
    const first = options.find((it) => !it.hidden);
    if (words && first && select.selectedOptions[0]?.hidden) first.selected = true;
  });
  // The form has its own submit button.
  input.addEventListener("keydown", (event) => { if (event.key === "Enter") event.preventDefault(); });
}

// Filters stay folded or unfolded as the person left them. On a phone they are always folded, so that
// the list is in sight; one that is wrong stays visible.
const isPhone = matchMedia("(max-width: 40rem)").matches;
for (const fold of all(".filters > .folded")) {
  const key = `fold ${location.pathname}`;
  const isWrong = fold.querySelector(".wrong") !== null;
  const left = isPhone ? "folded" : sessionStorage.getItem(key);
  if (left && !isWrong) fold.open = left === "open";
  fold.querySelector("summary").addEventListener("click", () => {
    sessionStorage.setItem(key, fold.open ? "folded" : "open");
  });
}

// Changing a filter submits it at once, and the field keeps the focus on the next page. Browsers report
// a date while its year is still being typed, so dates wait a moment.
for (const form of all("form[data-filter]")) {
  const key = `filter ${location.pathname}`;
  let waiting;
  const submit = (field) => {
    sessionStorage.setItem(key, field.id);
    form.requestSubmit();
  };
  form.addEventListener("change", ({ target }) => {
    clearTimeout(waiting);
    if (target.type === "date") waiting = setTimeout(() => submit(target), 800);
    else submit(target);
  });
  form.addEventListener("input", ({ target }) => {
    if ([...target.list?.options ?? []].some((it) => it.value === target.value)) submit(target);
  });
  // Empty fields are left out of the address.
  form.addEventListener("submit", () => {
    clearTimeout(waiting);
    for (const field of form.elements) field.disabled = field.value === "" && field.type !== "submit";
  });
  addEventListener("pageshow", () => { for (const field of form.elements) field.disabled = false; });
  const last = sessionStorage.getItem(key);
  sessionStorage.removeItem(key);
  if (last && !document.querySelector("[autofocus]")) {
    document.getElementById(last)?.focus({ preventScroll: true });
  }
}

// Prevents submitting a form twice. Parts that update themselves bring new forms.
document.addEventListener("submit", (event) => {
  const form = event.target;
  // A button that targets a frame only shows a preview.
  const previews = event.submitter?.formTarget;
  if (event.defaultPrevented || previews || !form.matches("[method=post]:not([data-upload])")) return;
  if (form.dataset.sent) { event.preventDefault(); return; }
  form.dataset.sent = "yes";
  setTimeout(() => { delete form.dataset.sent; }, 5000);
});

// Passes dropped files to a file field.
const acceptDrops = (drop, take) => {
  const over = (event) => { event.preventDefault(); drop.classList.add("over"); };
  const out = () => drop.classList.remove("over");
  drop.addEventListener("dragenter", over);
  drop.addEventListener("dragover", over);
  drop.addEventListener("dragleave", out);
  drop.addEventListener("drop", (event) => {
    event.preventDefault();
    out();
    take(event.dataTransfer.files);
  });
};

// The pictures among dropped files. The names of the others are shown.
const onlyPictures = (files, wrong) => {
  const isPicture = (it) => it.type.startsWith("image/");
  const others = [...files].filter((it) => !isPicture(it));
  wrong.textContent = fill(wrong.dataset.not, { names: others.map((it) => it.name).join(", ") });
  wrong.hidden = others.length === 0;
  return [...files].filter(isPicture);
};

// A dropped receipt is verified at once.
for (const drop of all("[data-drop-receipt]")) {
  const input = drop.querySelector("input[type=file]");
  const words = drop.querySelector("[data-drop-words]");
  words.textContent = words.dataset.dropWords;
  acceptDrops(drop, (files) => {
    if (files.length === 0) return;
    input.files = files;
    input.form.requestSubmit();
  });
}

// A picture that is dropped or pasted anywhere on the page is checked at once, also on the page that
// shows the result of another check.
for (const form of all("form[data-check]")) {
  const input = form.querySelector("input[type=file]");
  const drop = form.querySelector(".drop");
  const text = form.querySelector("textarea");
  const wrong = drop.querySelector("[data-drop-wrong]");
  const digits = { minimumFractionDigits: 1, maximumFractionDigits: 1 };
  const mib = (bytes) => `${(bytes / 1048576).toLocaleString(language, digits)} MiB`;
  const words = drop.querySelector("[data-drop-words]");
  words.textContent = words.dataset.dropWords;
  const refuse = (why) => {
    wrong.textContent = why;
    wrong.hidden = why === "";
    if (why) drop.scrollIntoView({ block: "nearest" });
  };
  const fits = (file) => {
    const most = Number(form.dataset.mostBytes);
    if (file.size <= most) return true;
    refuse(fill(wrong.dataset.large, { name: file.name, size: mib(file.size), most: mib(most) }));
    return false;
  };
  const take = (files) => {
    const pictures = [...files].filter((it) => it.type.startsWith("image/"));
    if (files.length === 0) return false;
    refuse("");
    if (pictures.length === 0) {
      const { name, type } = files[0];
      refuse(fill(type.startsWith("text/") ? wrong.dataset.text : wrong.dataset.not, { name }));
      return true;
    }
    if (!fits(pictures[0])) return true;
    const chosen = new DataTransfer();
    chosen.items.add(pictures[0]);
    input.files = chosen.files;
    form.elements.pictures.value = String(pictures.length);
    for (const other of [form.elements.url, text]) other.value = "";
    form.requestSubmit();
    return true;
  };
  input.addEventListener("change", () => {
    refuse("");
    form.elements.pictures.value = "1";
    if (input.files.length > 0 && !fits(input.files[0])) input.value = "";
  });
  // The limit counts bytes, not characters.
  const hint = document.getElementById("text-hint");
  const usual = hint?.textContent;
  const number = (it) => it.toLocaleString(language);
  text.addEventListener("input", () => {
    const [bytes, most] = [new TextEncoder().encode(text.value).length, Number(form.dataset.mostText)];
    const over = bytes > most;
    text.setAttribute("aria-invalid", String(over));
    const long = () => fill(wrong.dataset.long, { bytes: number(bytes), most: number(most) });
    if (hint) hint.textContent = over ? long() : usual;
  });
  // Text can still be dragged into its field.
  const over = (event) => {
    if (!event.dataTransfer.types.includes("Files")) return;
    event.preventDefault();
    drop.classList.add("over");
  };
  document.addEventListener("dragenter", over);
  document.addEventListener("dragover", over);
  document.addEventListener("dragleave", (event) => {
    if (!event.relatedTarget) drop.classList.remove("over");
  });
  document.addEventListener("drop", (event) => {
    if (!event.dataTransfer.types.includes("Files")) return;
    event.preventDefault();
    drop.classList.remove("over");
    take(event.dataTransfer.files);
  });
  document.addEventListener("paste", (event) => {
    if (take(event.clipboardData.files)) event.preventDefault();
  });
}

// Sets up elements of the page, and those of the page that a rejected upload puts in its place.
const setUpEach = (selector, setUp) => {
  all(selector).forEach(setUp);
  document.addEventListener("replaced", () => all(`main ${selector}`).forEach(setUp));
};

// Image fields accept drag and drop and show previews.
setUpEach("[data-drop]", (drop) => {
  const input = drop.querySelector("input[type=file]");
  const words = drop.querySelector("[data-drop-words]");
  words.textContent = words.dataset.dropWords;
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
  acceptDrops(drop, (files) => {
    const chosen = new DataTransfer();
    const pictures = onlyPictures(files, drop.querySelector("[data-drop-wrong]"));
    for (const file of [...input.files, ...pictures]) chosen.items.add(file);
    input.files = chosen.files;
    show();
  });
});

// Uploads show their progress. The response is a page, as without a script.
setUpEach("form[data-upload]", (form) => {
  form.addEventListener("submit", (event) => {
    // A button with a name does something else than sending the form, and shows the page again.
    if (event.submitter?.name) return;
    const progress = form.querySelector("[data-progress]");
    const files = all("input[type=file]", form).some((input) => input.files.length > 0);
    if (!files || !progress) return;
    event.preventDefault();
    const request = new XMLHttpRequest();
    const button = form.querySelector("button:not([hidden])");
    request.upload.addEventListener("progress", (at) => {
      if (at.lengthComputable) progress.value = (100 * at.loaded) / at.total;
    });
    request.addEventListener("load", () => {
      const page = new DOMParser().parseFromString(request.responseText, "text/html");
      if (request.status < 400) { location.assign(request.responseURL); return; }
      document.querySelector("main").replaceWith(page.querySelector("main"));
      document.dispatchEvent(new Event("replaced"));
      window.scrollTo(0, 0);
      // Browsers apply autofocus only when they load a page.
      document.querySelector("main [autofocus]")?.focus();
    });
    request.addEventListener("error", () => { button.disabled = false; progress.hidden = true; form.submit(); });
    request.open("POST", form.action);
    // The message about the upload is for the page that is loaded afterwards.
    request.setRequestHeader("x-live", "1");
    button.disabled = true;
    progress.hidden = false;
    request.send(new FormData(form));
  });
});

// Fields for a party suggest names. Without a script, the choices follow after the form is sent.
for (const input of all("input[data-parties]")) {
  let waiting;
  let latest = "";
  const suggest = async (text) => {
    const url = input.dataset.parties + encodeURIComponent(text);
    const response = await fetch(url, { headers: { accept: "text/html" } });
    if (!response.ok || response.redirected || text !== latest) return;
    const page = new DOMParser().parseFromString(await response.text(), "text/html");
    input.list.replaceChildren(...page.querySelectorAll("option"));
  };
  input.addEventListener("input", () => {
    clearTimeout(waiting);
    latest = input.value.trim();
    const chosen = [...input.list.options].some((it) => it.value === latest);
    if (latest.length < 3 || latest.includes("@") || chosen) return;
    waiting = setTimeout(() => suggest(latest).catch(() => {}), 300);
  });
}

// Two pictures to compare: they stay side by side, and below them a slider uncovers one over the
// other.
for (const pair of all("[data-compare]")) {
  const over = pair.cloneNode(true);
  over.classList.add("over");
  for (const caption of over.querySelectorAll("figcaption")) caption.remove();
  for (const image of over.querySelectorAll("img")) image.alt = "";
  // Only the pictures above can be enlarged.
  for (const link of over.querySelectorAll("a")) link.replaceWith(...link.childNodes);
  const slider = document.createElement("input");
  Object.assign(slider, { type: "range", min: "0", max: "100", value: "50", className: "compare" });
  slider.setAttribute("aria-label", pair.dataset.compare);
  const move = () => over.style.setProperty("--shown", `${slider.value}%`);
  slider.addEventListener("input", move);
  pair.after(over, slider);
  move();
}

// Keyboard triage: j and k move, c confirms, d dismisses, u undoes, o opens. Keys act only on the selected
// mention; after a decision the next mention in its place is selected. What was just decided is undone if
// the selected mention has nothing to undo. The list updates itself, so its rows are looked up each time.
const triage = () => all("[data-triage]");
if (triage().length > 0 || document.querySelector('[data-live="mentions"]')) {
  const key = `triage ${location.pathname}${location.search}`;
  const here = () => triage().findIndex((it) => it.hasAttribute("data-here"));
  const mark = (next) => {
    const rows = triage();
    if (next < 0 || next >= rows.length) return;
    rows[here()]?.removeAttribute("data-here");
    rows[next].setAttribute("data-here", "");
    rows[next].focus();
    rows[next].scrollIntoView({ block: "nearest" });
  };
  const saved = sessionStorage.getItem(key);
  sessionStorage.removeItem(key);
  if (saved !== null) mark(Math.min(Number(saved), triage().length - 1));
  const press = (name) => {
    const at = here();
    const button = triage()[at]?.querySelector(`[data-key="${name}"]`);
    if (!button && name === "u") { document.querySelector(".flash button")?.click(); return; }
    if (!button) return;
    if (name !== "o") sessionStorage.setItem(key, String(at));
    button.click();
  };
  document.addEventListener("keydown", (event) => {
    const typing = event.target.closest("input, textarea, select, dialog");
    if (typing || event.metaKey || event.ctrlKey || event.altKey) return;
    const keys = {
      j: () => mark(here() + 1), k: () => mark(here() - 1), c: () => press("c"), d: () => press("d"),
      u: () => press("u"), o: () => press("o"),
    };
    const act = keys[event.key];
    if (act) { event.preventDefault(); act(); }
  });
}
