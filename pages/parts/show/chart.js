// A Plotly figure that is changed in place. Streamlit's own chart element is built anew at each change, which takes
// longer than a thumb takes to move and blinks.
//
// A *stage* is the figure on the page. A *feed* carries a later figure to the stage of the same slot, so that a curve
// can be refined several times within one run of the script.

let library = null;
const stages = new Map();
const early = new Map();

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

const decode = (value) => {
  if (Array.isArray(value) || !value?.bdata) return value;
  const kinds = { f8: Float64Array, f4: Float32Array, i4: Int32Array, i2: Int16Array, i1: Int8Array, u4: Uint32Array, u2: Uint16Array, u1: Uint8Array };
  const bytes = Uint8Array.from(atob(value.bdata), (letter) => letter.charCodeAt(0));
  return Array.from(new kinds[value.dtype](bytes.buffer));
};

// A cell that a spreadsheet would take for a formula is kept as text.
const cell = (value) => {
  const text = value === null || value === undefined ? "" : String(value);
  const safe = typeof value === "string" && /^[=+\-@\t\r]/.test(text) ? `'${text}` : text;
  return /[",\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
};

const asCsv = (figure) => {
  const lines = ["curve,x,y,error"];
  for (const trace of figure.data) {
    if (!trace.name || !trace.y) continue;
    const [x, y, error] = [decode(trace.x), decode(trace.y), decode(trace.error_y?.array ?? trace.customdata)];
    for (let i = 0; i < y.length; i += 1) lines.push([trace.name, x?.[i] ?? i + 1, y[i], error?.[i]].map(cell).join(","));
  }
  return lines.join("\r\n");
};

const save = (name, text) => {
  const link = document.createElement("a");
  link.href = URL.createObjectURL(new Blob(["\ufeff", text], { type: "text/csv" }));
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 1000);
};

const icon = (path) => ({ width: 24, height: 24, path });
const config = (slot) => ({
  displaylogo: false,
  modeBarButtons: [[
    { name: "PNG", title: "Download as PNG", icon: icon("M5 20h14v-2H5v2zM19 9h-4V3H9v6H5l7 7 7-7z"),
      click: (plot) => window.Plotly.downloadImage(plot, { format: "png", scale: 2, filename: `privbo-${slot}` }) },
    { name: "SVG", title: "Download as SVG", icon: icon("M3 17.25V21h3.75L17.8 9.94l-3.75-3.75L3 17.25zM20.7 7.04a1 1 0 0 0 0-1.41l-2.34-2.34a1 1 0 0 0-1.41 0l-1.83 1.83 3.75 3.75 1.83-1.83z"),
      click: (plot) => window.Plotly.downloadImage(plot, { format: "svg", filename: `privbo-${slot}` }) },
    { name: "CSV", title: "Download the figures behind it as CSV", icon: icon("M4 4h16v4H4zM4 10h7v4H4zM13 10h7v4h-7zM4 16h7v4H4zM13 16h7v4h-7z"),
      click: (plot) => save(`privbo-${slot}.csv`, asCsv(plot)) },
  ], ["resetScale2d"]],
});

// In presenter view a figure fills the screen, and all that is drawn grows with it: lengths in pixels by name. A bar's
// width is no such length, so a width counts only where it is a line's.
const LENGTHS = new Set(["size", "thickness", "xshift", "yshift", "standoff", "ticklen", "l", "r", "t", "b"]);
const DRAWN_FOR = [620, 310]; // the width and height that the figures' sizes were chosen for
const grown = (value, times, name = "", inside = "") => {
  if (typeof value === "number") return LENGTHS.has(name) || (name === "width" && inside === "line") ? value * times : value;
  if (Array.isArray(value)) {
    const whole = typeof value[0] === "object" || LENGTHS.has(name);
    return whole ? value.map((one) => grown(one, times, name, inside)) : value;
  }
  if (value === null || typeof value !== "object" || value.bdata) return value;
  return Object.fromEntries(Object.entries(value).map(([key, one]) => [key, grown(one, times, key, name)]));
};

// Draws one figure after another, never two at once; of those that come in while one is being drawn, the last. The
// library is let go only when it has finished: it works in steps, and would go on with a figure that is no longer there.
class Stage {
  constructor(root, slot) {
    this.plot = document.createElement("div");
    this.plot.className = "plot";
    this.plot.setAttribute("role", "figure");
    root.append(this.plot);
    this.root = root;
    this.slot = slot;
    this.watcher = new ResizeObserver(() => this.go());
    this.watcher.observe(this.plot);
  }

  draw(wanted) {
    if (this.last === wanted.figure) return;
    this.last = wanted.figure;
    this.wanted = wanted;
    this.go();
  }

  close() {
    this.watcher.disconnect();
    this.closed = true;
    this.go();
  }

  go() {
    this.busy ??= this.work().finally(() => { this.busy = null; });
  }

  async work() {
    await null; // so that `busy` is set before anything else happens
    while (!this.closed && (this.wanted || this.resized())) {
      if (this.wanted || this.large || this.wasLarge) await this.show();
      else await this.library.Plots.resize(this.plot);
    }
    if (this.closed) this.library?.purge(this.plot);
  }

  resized() {
    if (!this.drawn) return false;
    const { width, height, large } = this;
    this.look();
    this.wasLarge = large;
    return this.width > 0 && (this.width !== width || this.large !== large || (this.large && this.height !== height));
  }

  // How much room there is, and whether it is the whole screen.
  look() {
    this.large = this.plot.closest("[data-pb-slide]") !== null;
    [this.width, this.height] = [this.plot.clientWidth, this.plot.clientHeight];
  }

  async show() {
    if (this.wanted) this.library = await load(this.wanted.base);
    const { figure, alt } = (this.kept = this.wanted ?? this.kept);
    this.wanted = null;
    let { data, layout } = JSON.parse(figure);
    this.plot.setAttribute("aria-label", alt);
    this.plot.style.height = `${layout.height}px`;
    this.look();
    if (this.large) {
      const times = Math.min(Math.max(Math.min(this.width / DRAWN_FOR[0], this.height / DRAWN_FOR[1]), 1), 3);
      layout = grown({ hoverlabel: { font: { size: 13 } }, ...layout }, times);
      layout.height = this.height;
      data = grown(data, times);
    }
    await this.library.react(this.plot, data, layout, config(this.slot));
    this.drawn = true;
    this.plot.dataset.drawn = String(Number(this.plot.dataset.drawn ?? 0) + 1);
  }
}

export default function ({ data, parentElement }) {
  let stage = stages.get(data.slot);
  if (data.feed) {
    // What an earlier run fed is still there while the next one begins; the same figure fed again is something new.
    if (parentElement.fed !== data.feed) {
      parentElement.fed = data.feed;
      if (stage) stage.draw(data);
      else early.set(data.slot, data); // on a first visit it may come before there is a stage
    }
    return;
  }
  if (!stage || stage.root !== parentElement) {
    stage = new Stage(parentElement, data.slot);
    stages.set(data.slot, stage);
  }
  if (stage.shown !== data.figure) {
    stage.shown = data.figure;
    stage.draw(data);
    if (early.has(data.slot)) stage.draw(early.get(data.slot));
    early.delete(data.slot);
  }
  return () => {
    if (stage.root.isConnected) return;
    if (stages.get(data.slot) === stage) stages.delete(data.slot);
    stage.close();
  };
}
