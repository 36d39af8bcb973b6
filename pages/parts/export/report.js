// Draws the report's figures. They have the colours of the theme they were made in; in the other theme each colour of
// one palette becomes its counterpart of the other.

const [light, dark] = shown.palettes;
const parts = (colour) => [1, 3, 5].map((i) => parseInt(colour.slice(i, i + 2), 16)).join(",");

const recolour = (value, from, to) => {
  if (Array.isArray(value)) return value.map((each) => recolour(each, from, to));
  if (value && typeof value === "object") {
    return Object.fromEntries(Object.entries(value).map(([name, each]) => [name, recolour(each, from, to)]));
  }
  if (typeof value !== "string") return value;
  const exact = from.indexOf(value);
  if (exact >= 0) return to[exact];
  const faded = from.findIndex((colour) => value.startsWith(`rgba(${parts(colour)},`));
  return faded < 0 ? value : value.replace(parts(from[faded]), parts(to[faded]));
};

const draw = (wanted) => {
  for (const [slot, picture] of Object.entries(shown.pictures)) {
    const own = shown.dark ? dark : light;
    const { data, layout } = wanted === shown.dark ? structuredClone(picture) : recolour(picture, own, wanted ? dark : light);
    const plot = document.getElementById(slot);
    Plotly.react(plot, data, { ...layout, autosize: true }, { displaylogo: false, responsive: true });
  }
};

const prefers = matchMedia("(prefers-color-scheme: dark)");
draw(prefers.matches);
prefers.addEventListener("change", () => draw(prefers.matches));
addEventListener("beforeprint", () => draw(false));
addEventListener("afterprint", () => draw(prefers.matches));
