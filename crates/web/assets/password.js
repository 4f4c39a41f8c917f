// Estimates password strength from length, character kinds, repetition and common words. It only
// informs the user; the server decides.
"use strict";

const COMMON = (
  "password passwort passwd qwerty qwertz azerty asdf zxcv 1qaz 2wsx letmein welcome admin login " +
  "iloveyou monkey dragon football baseball soccer hockey master sunshine princess shadow michael " +
  "jennifer jordan superman batman starwars trustno hello freedom whatever secret summer winter " +
  "spring autumn monday january grantor test guest root user changeme default flower cheese love"
).split(" ");
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

for (const shown of document.querySelectorAll("[data-strength]")) {
  const input = document.getElementById(shown.dataset.strength);
  const [meter, words] = [shown.querySelector("meter"), shown.querySelector("span")];
  const ratings = shown.dataset.ratings.split("|");
  const show = () => {
    // Name, email address and organization are known to others and add little.
    const known = [...input.form.querySelectorAll("input:not([type=password]):not([type=hidden])")];
    const about = known.flatMap((it) => it.value.toLowerCase().split(/[^\p{L}\p{N}]+/u));
    shown.hidden = input.value === "";
    meter.value = rate(input.value, about);
    const rating = ratings[meter.value];
    if (words.textContent !== rating) words.textContent = rating;
  };
  input.form.addEventListener("input", show);
}
