"use strict";
// The token leaves the address at once, so that it stays neither in the history nor on the screen.
const secret = new URLSearchParams(location.search).get("token");
history.replaceState(null, "", location.pathname);

const part = (id) => document.getElementById(id);

const tell = (text) => {
  part("told").textContent = text;
};

const enter = async () => {
  part("enter").disabled = true;
  tell("One moment.");
  let answer;
  try {
    const response = await fetch("/magic-link/verify", {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify({ token: secret }),
    });
    answer = await response.json();
  } catch {
    part("enter").disabled = false;
    tell("The server could not be reached. Try again.");
    return;
  }
  if (!answer.success) {
    tell(answer.error.message + ". Ask for another mail.");
    return;
  }
  part("ask").hidden = true;
  part("enter").hidden = true;
  tell("You are signed in as " + answer.data.user.fullname + ".");
  part("token").value = answer.data.access_token;
  part("signed-in").hidden = false;
};

if (secret) {
  part("enter").disabled = false;
  part("enter").addEventListener("click", enter);
} else {
  tell("The link is not whole. Open it again from the mail, or copy all of it.");
}
part("copy").addEventListener("click", () => navigator.clipboard.writeText(part("token").value));
