// Tells the presenter view which scene is shown. The full screen can be asked for only while a click is being handled.

let shown = null;

document.addEventListener("click", (event) => {
  if (event.target.closest?.(".st-key-scenes-present button")) document.documentElement.requestFullscreen?.().catch(() => {});
}, true);
document.addEventListener("keydown", (event) => {
  if (event.key.toLowerCase() !== "n" || event.ctrlKey || event.altKey || event.metaKey) return;
  if (event.composedPath()[0].matches?.("input, textarea, select, [contenteditable]")) return;
  document.documentElement.toggleAttribute("data-pb-notes");
});

// Who leaves the full screen has finished; who finishes leaves it.
document.addEventListener("fullscreenchange", () => {
  if (!document.fullscreenElement && shown) document.querySelector(".st-key-scenes-leave button")?.click();
});

const make = (name) => Object.assign(document.createElement("div"), { className: name });

export default function ({ data, parentElement }) {
  const root = (parentElement.scene ??= { count: make("pb-scene-count"), note: make("pb-scene-note") });
  if (!root.count.isConnected) parentElement.append(root.count, root.note);
  root.count.textContent = data.count;
  root.note.textContent = data.note;
  root.note.hidden = !data.showing || !data.note;
  root.note.title = "The speaker’s note: N hides it and shows it";
  const now = data.showing ? `${data.scene}/${data.visit}` : null;
  if (now === shown) return;
  shown = now;
  if (!now && document.fullscreenElement) document.exitFullscreen();
  document.dispatchEvent(new CustomEvent("pb-scene", { detail: data }));
}
