// Download the figures of the page as PNG, SVG or CSV.

const FORMATS = { png: "PNG", svg: "SVG", csv: "CSV" };

export default function ({ data, parentElement }) {
  const rows = data.charts.map(({ slot, name }) => {
    const row = document.createElement("div");
    row.className = "pb-download";
    row.append(document.createTextNode(name));
    for (const [format, label] of Object.entries(FORMATS)) {
      const button = document.createElement("button");
      Object.assign(button, { type: "button", className: "pb-bar-button", textContent: label });
      button.setAttribute("aria-label", `${name} as ${label}`);
      button.addEventListener("click", () => window.privboCharts?.get(slot)?.download(format));
      row.append(button);
    }
    return row;
  });
  parentElement.replaceChildren(...rows);
}
