// Enhancements. Every page works without this script.
"use strict";

const all = (selector, within = document) => [...within.querySelectorAll(selector)];

// Copy buttons appear only where the clipboard is available.
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

// Changing a filter submits it at once.
for (const select of all("select[data-auto]")) {
  select.addEventListener("change", () => select.form.requestSubmit());
}

// Prevents submitting a form twice.
for (const form of all("form[method=post]:not([data-upload])")) {
  form.addEventListener("submit", (event) => {
    // A button that targets a frame only shows a preview.
    if (event.submitter?.formTarget) return;
    if (form.dataset.sent) { event.preventDefault(); return; }
    form.dataset.sent = "yes";
    setTimeout(() => { delete form.dataset.sent; }, 5000);
  });
}

// Estimates password strength from length, character kinds, repetition and common words. It only
// informs the user; the server decides.
const COMMON = (
  "password passwort passwd qwerty qwertz azerty asdf zxcv 1qaz 2wsx letmein welcome admin login " +
  "iloveyou monkey dragon football baseball soccer hockey master sunshine princess shadow michael " +
  "jennifer jordan superman batman starwars trustno hello freedom whatever secret summer winter " +
  "spring autumn monday january grantor test guest root user changeme default flower cheese love"
).split(" ");
const RATINGS = ["very weak", "weak", "fair", "good", "strong"];
// Characters that stand for letters.
const LOOKALIKES = { "@": "a", 4: "a", 3: "e", 1: "i", "!": "i", 0: "o", $: "s", 5: "s", 7: "t" };

const rate = (text, about) => {
  const weights = [...text].map(() => 1);
  const lower = (at, most) => { weights[at] = Math.min(weights[at] ?? 0, most); };
  const letters = [...text].map((it) => it.toLowerCase());
  const plain = letters.map((it) => LOOKALIKES[it] ?? it);
  // A common word counts as two characters, whatever its length.
  const words = [...COMMON, ...about].filter((it) => it.length > 2);
  for (const word of words) {
    for (const spelled of [letters.join(""), plain.join("")]) {
      for (let at = spelled.indexOf(word); at >= 0; at = spelled.indexOf(word, at + 1)) {
        for (let i = at; i < at + word.length; i += 1) lower(i, 2 / word.length);
      }
    }
  }
  for (let i = 1; i < letters.length; i += 1) {
    // Runs such as aaa, abc and 321 add little, and repetition adds next to nothing.
    const step = letters[i].codePointAt(0) - letters[i - 1].codePointAt(0);
    if (Math.abs(step) <= 1) lower(i, 0.25);
    const three = letters.slice(i, i + 3).join("");
    if (three.length > 2 && letters.join("").indexOf(three) < i) {
      for (let j = i; j < i + 3; j += 1) lower(j, 0.1);
    }
  }
  const kinds = [[/[a-z]/, 26], [/[A-Z]/, 26], [/[0-9]/, 10], [/[^A-Za-z0-9]/, 33]];
  const alphabet = kinds.reduce((sum, [kind, size]) => sum + (kind.test(text) ? size : 0), 0);
  const bits = weights.reduce((sum, it) => sum + it, 0) * Math.log2(Math.max(alphabet, 2));
  return [20, 36, 50, 70].filter((most) => bits >= most).length;
};

for (const shown of all("[data-strength]")) {
  const input = document.getElementById(shown.dataset.strength);
  const [meter, words] = [shown.querySelector("meter"), shown.querySelector("span")];
  const show = () => {
    // Name, email address and organization are known to others and add little.
    const known = all("input:not([type=password]):not([type=hidden])", input.form);
    const about = known.flatMap((it) => it.value.toLowerCase().split(/[^\p{L}\p{N}]+/u));
    shown.hidden = input.value === "";
    meter.value = rate(input.value, about);
    const rating = `Password strength: ${RATINGS[meter.value]}`;
    if (words.textContent !== rating) words.textContent = rating;
  };
  input.form.addEventListener("input", show);
}

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

// A dropped receipt is verified at once.
for (const drop of all("[data-drop-receipt]")) {
  const input = drop.querySelector("input[type=file]");
  drop.querySelector("[data-drop-words]").textContent = "Drop the file here, or choose it";
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
  const mib = (bytes) => `${(bytes / 1048576).toFixed(1)} MiB`;
  drop.querySelector("[data-drop-words]").textContent =
    "Drop or paste a picture anywhere on this page, or choose it";
  const refuse = (words) => {
    wrong.textContent = words;
    wrong.hidden = words === "";
    if (words) drop.scrollIntoView({ block: "nearest" });
  };
  const fits = (file) => {
    const most = Number(form.dataset.mostBytes);
    if (file.size <= most) return true;
    refuse(`${file.name} has ${mib(file.size)}. A picture can have at most ${mib(most)}.`);
    return false;
  };
  const take = (files) => {
    const pictures = [...files].filter((it) => it.type.startsWith("image/"));
    if (files.length === 0) return false;
    refuse("");
    if (pictures.length === 0) {
      const words = `${files[0].name} is not a picture. `;
      refuse(words + (files[0].type.startsWith("text/")
        ? "To check a text, paste it into the field below."
        : "Only JPEG, PNG and WebP pictures can be checked."));
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
  text.addEventListener("input", () => {
    const [bytes, most] = [new TextEncoder().encode(text.value).length, Number(form.dataset.mostText)];
    const over = bytes > most;
    text.setAttribute("aria-invalid", String(over));
    const hint = document.getElementById("text-hint");
    if (hint) {
      hint.textContent = over
        ? `${bytes.toLocaleString("en")} bytes. A text can have at most ${most.toLocaleString("en")} bytes (100 KB).`
        : "Up to 100 KB (102,400 bytes).";
    }
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

// Image fields accept drag and drop and show previews.
for (const drop of all("[data-drop]")) {
  const input = drop.querySelector("input[type=file]");
  const words = drop.querySelector("[data-drop-words]");
  words.textContent = "Drop images here, or choose files";
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
    for (const file of [...input.files, ...files]) chosen.items.add(file);
    input.files = chosen.files;
    show();
  });
}

// Uploads show their progress. The response is a page, as without a script.
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
      // Browsers apply autofocus only when they load a page.
      document.querySelector("main [autofocus]")?.focus();
    });
    request.addEventListener("error", () => { button.disabled = false; progress.hidden = true; form.submit(); });
    request.open("POST", form.action);
    button.disabled = true;
    progress.hidden = false;
    request.send(new FormData(form));
  });
}

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

// Live parts refresh every few seconds while the page is visible.
for (const part of all("[data-live]")) {
  const refresh = async () => {
    if (document.hidden || part.contains(document.activeElement)) return;
    const response = await fetch(location.href, { headers: { accept: "text/html" } });
    if (!response.ok || response.redirected) return;
    const page = new DOMParser().parseFromString(await response.text(), "text/html");
    const fresh = page.querySelector(`[data-live="${part.dataset.live}"]`);
    if (fresh) part.replaceChildren(...fresh.childNodes);
  };
  setInterval(() => refresh().catch(() => {}), 3000);
}

// Two pictures to compare: they stay side by side, and below them a slider uncovers one over the
// other.
for (const pair of all("[data-compare]")) {
  const over = pair.cloneNode(true);
  over.classList.add("over");
  for (const caption of over.querySelectorAll("figcaption")) caption.remove();
  for (const image of over.querySelectorAll("img")) image.alt = "";
  const slider = document.createElement("input");
  Object.assign(slider, { type: "range", min: "0", max: "100", value: "50", className: "compare" });
  slider.setAttribute("aria-label", "Show more of the found picture or of the reference image");
  const move = () => over.style.setProperty("--shown", `${slider.value}%`);
  slider.addEventListener("input", move);
  pair.after(over, slider);
  move();
}

// Keyboard triage: j and k move, c confirms, d dismisses, u undoes, o opens. Keys act only on the selected
// mention; after a decision the next mention in its place is selected.
const rows = all("[data-triage]");
if (rows.length > 0) {
  const key = `triage ${location.pathname}${location.search}`;
  let at = -1;
  const mark = (next) => {
    if (next < 0 || next >= rows.length) return;
    rows[at]?.removeAttribute("data-here");
    at = next;
    rows[at].setAttribute("data-here", "");
    rows[at].focus();
    rows[at].scrollIntoView({ block: "nearest" });
  };
  const saved = sessionStorage.getItem(key);
  sessionStorage.removeItem(key);
  if (saved !== null) mark(Math.min(Number(saved), rows.length - 1));
  const press = (name) => {
    if (at < 0) return;
    if (name !== "o") sessionStorage.setItem(key, String(at));
    rows[at].querySelector(`[data-key="${name}"]`)?.click();
  };
  document.addEventListener("keydown", (event) => {
    const typing = event.target.closest("input, textarea, select");
    if (typing || event.metaKey || event.ctrlKey || event.altKey) return;
    const keys = {
      j: () => mark(at + 1), k: () => mark(at - 1), c: () => press("c"), d: () => press("d"),
      u: () => press("u"), o: () => press("o"),
    };
    const act = keys[event.key];
    if (act) { event.preventDefault(); act(); }
  });
}
