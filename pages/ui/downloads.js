// Download the figures of the page as PNG, SVG or CSV: those that the page names, and those in sections that are open.

const FORMATS = { png: "PNG", svg: "SVG", csv: "CSV" };

const titleOf = (slot) => document.querySelector(`:is(.st-key-${slot}-title, .st-key-title-${slot}) .pb-title`)?.textContent ?? slot;

const figures = (named) => {
  const names = new Map(named.map(({ slot, name }) => [slot, name]));
  for (const slot of window.privboCharts?.keys() ?? []) if (!names.has(slot)) names.set(slot, titleOf(slot));
  return [...names];
};

const row = ([slot, name]) => {
  const made = document.createElement("div"), text = document.createElement("span");
  made.className = "pb-download";
  text.textContent = name;
  made.append(text);
  for (const [format, label] of Object.entries(FORMATS)) {
    const button = document.createElement("button");
    Object.assign(button, { type: "button", className: "pb-bar-button", textContent: label });
    button.setAttribute("aria-label", `${name} as ${label}`);
    button.addEventListener("click", () => window.privboCharts?.get(slot)?.download(format));
    made.append(button);
  }
  return made;
};

export default function ({ data, parentElement }) {
  parentElement.replaceChildren(...figures(data.charts).map(row));
}
