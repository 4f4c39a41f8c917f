// Passkeys: asks the browser for one and sends its answer with the form. The forms are hidden until
// this script runs.
"use strict";

(() => {
  if (!window.PublicKeyCredential || !navigator.credentials) return;

  const bytes = (text) =>
    Uint8Array.from(atob(text.replace(/-/g, "+").replace(/_/g, "/")), (it) => it.charCodeAt(0));
  const text = (buffer) => {
    const letters = Array.from(new Uint8Array(buffer), (it) => String.fromCharCode(it)).join("");
    return btoa(letters).replace(/\+/g, "-").replace(/\//g, "_").replace(/=+$/, "");
  };

  // The server writes binary values as base64url; the browser wants bytes.
  const read = ({ publicKey }) => {
    const withId = (it) => ({ ...it, id: bytes(it.id) });
    const options = { ...publicKey, challenge: bytes(publicKey.challenge) };
    if (options.user) options.user = withId(options.user);
    for (const list of ["allowCredentials", "excludeCredentials"]) {
      if (options[list]) options[list] = options[list].map(withId);
    }
    return { publicKey: options };
  };

  const write = ({ id, rawId, type, response }) => {
    const shown = { clientDataJSON: text(response.clientDataJSON) };
    for (const part of ["attestationObject", "authenticatorData", "signature", "userHandle"]) {
      if (response[part]) shown[part] = text(response[part]);
    }
    if ("signature" in shown && !("userHandle" in shown)) shown.userHandle = null;
    return JSON.stringify({ id, rawId: text(rawId), type, response: shown, extensions: {} });
  };

  // The texts are on the element that shows them.
  const place = (form) => form.querySelector("[data-passkey-error]");
  const say = (form, words) => {
    const shown = place(form);
    shown.hidden = words === "";
    shown.textContent = words;
  };

  const ask = async (form) => {
    const answer = await fetch(form.dataset.start, { method: "POST", credentials: "same-origin" });
    if (!answer.ok) throw new Error(place(form).dataset.expired);
    const options = read(await answer.json());
    const creates = form.dataset.passkey === "create";
    return creates ? navigator.credentials.create(options) : navigator.credentials.get(options);
  };

  const words = (form, error) => {
    const { known, unused, failed } = place(form).dataset;
    if (error.name === "InvalidStateError") return known;
    if (error.name === "NotAllowedError") return unused;
    return error.message || failed;
  };

  for (const form of document.querySelectorAll("form[data-passkey]")) {
    form.hidden = false;
    form.addEventListener("submit", async (event) => {
      event.preventDefault();
      if (form.dataset.asking) return;
      form.dataset.asking = "yes";
      say(form, "");
      try {
        form.elements.credential.value = write(await ask(form));
        form.submit();
      } catch (error) {
        say(form, words(form, error));
      } finally {
        delete form.dataset.asking;
        delete form.dataset.sent;
      }
    });
  }
})();
