// The secret by which a browser is known again: made here once, kept here, told to nobody but this server.

const NAME = "privbo-browser";
let kept = null;

function made() {
  return [...crypto.getRandomValues(new Uint8Array(16))].map((byte) => byte.toString(16).padStart(2, "0")).join("");
}

function secret() {
  try {
    kept ??= localStorage.getItem(NAME);
    if (!/^[0-9a-f]{32}$/.test(kept ?? "")) localStorage.setItem(NAME, (kept = made()));
  } catch {
    kept ??= made(); // a browser that keeps nothing is known until it reloads
  }
  return kept;
}

export default function ({ data, setStateValue }) {
  if (!data.known) setStateValue("secret", secret());
}
