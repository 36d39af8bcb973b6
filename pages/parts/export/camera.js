// Draws one figure out of sight and sends it as a picture, an empty one where that fails. The server asks for the next one
// when it has it.

let library = null;
const load = (base) => {
  library ??= new Promise((resolve, reject) => {
    if (window.Plotly) return resolve(window.Plotly);
    const script = document.createElement("script");
    script.src = `${base}/app/static/plotly.min.js`;
    script.onload = () => resolve(window.Plotly);
    script.onerror = () => reject(new Error("The plotting library could not be loaded from this app's server."));
    document.head.append(script);
  });
  return library;
};

let asked = null;
const PATIENCE = 20_000; // ms for one picture
const late = () => new Promise((_, reject) => { setTimeout(reject, PATIENCE); });

export default function ({ data, setStateValue }) {
  if (!data.name || asked === data.name) return;
  asked = data.name;
  (async () => {
    const Plotly = await load(data.base);
    const { data: curves, layout } = JSON.parse(data.figure);
    const { width, height, scale } = data;
    const paper = { ...layout, width, height, autosize: false, paper_bgcolor: "#ffffff", plot_bgcolor: "#ffffff" };
    const url = await Promise.race([late(), Plotly.toImage({ data: curves, layout: paper }, { format: "png", width, height, scale })]);
    setStateValue("picture", { name: data.name, png: url.slice(url.indexOf(",") + 1) });
  })().catch(() => setStateValue("picture", { name: data.name, png: "" })) // so that the others are drawn
    .finally(() => { asked = null; });
}
