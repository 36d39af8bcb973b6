// A Plotly figure that is changed in place. Streamlit's own chart is built anew at each change, which takes longer than a
// thumb takes to move, and blinks.
//
// The first figure of a run is drawn by the component on the page. Later figures come through invisible carriers. Each
// has a version, so that one that arrives late is ignored.

const NARROW = 400; // px below which names of curves stand above the figure
const charts = (window.privboCharts ??= new Map());
const waiting = new Map(); // figures that came before their chart
let library = null;

// A server that stops while the library arrives has it again after a moment, or another server behind its address has.
const loadLibrary = (base) => {
  library ??= new Promise((resolve) => {
    const load = () => {
      const script = document.createElement("script");
      script.src = `${base}/app/static/plotly.min.js`;
      script.onload = () => resolve(window.Plotly);
      script.onerror = () => { script.remove(); setTimeout(load, 1000); };
      document.head.append(script);
    };
    if (window.Plotly) resolve(window.Plotly);
    else load();
  });
  return library;
};

// Roles such as pb:private@0.16 become the theme's colours. Each is looked up once, since looking costs a layout.
const lookUp = (probe, role) => {
  const [name, opacity] = role.slice(3).split("@");
  if (!probe.known.has(name)) {
    probe.style.color = `var(--pb-${name})`;
    probe.known.set(name, getComputedStyle(probe).color.match(/[\d.]+/g).slice(0, 3).join());
  }
  return `rgba(${probe.known.get(name)},${opacity ?? 1})`;
};
const coloured = (probe, value) => {
  if (typeof value === "string") return value.startsWith("pb:") ? lookUp(probe, value) : value;
  if (Array.isArray(value)) return typeof value[0] === "number" ? value : value.map((one) => coloured(probe, one));
  if (value === null || typeof value !== "object") return value;
  return Object.fromEntries(Object.entries(value).map(([key, one]) => [key, coloured(probe, one)]));
};

const DASHES = { dash: "dashed", dot: "dotted", dashdot: "dashed", longdash: "dashed", longdashdot: "dashed" };

// All sizes grow with a figure that fills the screen in presenter view.
const SIZES = new Set(["size", "standoff", "xshift", "yshift", "l", "r", "t", "b"]);
const enlarged = (value, times, name = "", parent = "") => {
  if (typeof value === "number") return SIZES.has(name) || (name === "width" && parent === "line") ? value * times : value;
  if (Array.isArray(value)) return typeof value[0] === "object" ? value.map((one) => enlarged(one, times, name, parent)) : value;
  if (value === null || typeof value !== "object") return value;
  return Object.fromEntries(Object.entries(value).map(([key, one]) => [key, enlarged(one, times, key, name)]));
};

class Chart {
  constructor(root, slot) {
    this.root = document.createElement("div");
    this.root.className = "pb-chart";
    this.legend = document.createElement("div");
    this.legend.className = "pb-legend";
    this.legend.setAttribute("aria-hidden", "true");
    this.plot = document.createElement("div");
    this.plot.className = "plot";
    this.plot.setAttribute("role", "img");
    this.probe = document.createElement("span");
    this.probe.hidden = true;
    this.probe.known = new Map();
    this.root.append(this.legend, this.plot, this.probe);
    root.append(this.root);
    this.parent = root;
    this.slot = slot;
    this.handles = new Map(); // dots by slider and axes
    // The library would keep a finger for itself, and the page could not be scrolled.
    this.plot.addEventListener("touchstart", (event) => event.stopPropagation(), { capture: true, passive: true });
    this.watcher = new ResizeObserver(() => this.go());
    this.watcher.observe(this.root);
    this.theme = new MutationObserver(() => { if (this.scheme !== this.currentScheme()) { this.wanted ??= this.shown; this.go(); } });
    this.theme.observe(document.querySelector(".stApp"), { attributes: true, attributeFilter: ["class", "style"] });
    this.follow = ({ detail }) => this.followSlider(detail);
    window.addEventListener("privbo-slider", this.follow);
  }

  // A dot moves with its slider at once, since its curve is known here.
  followSlider({ panel, key, value }) {
    if (panel !== this.shown?.panel || !Number.isFinite(value)) return;
    for (const handle of this.handles.values()) if (handle.spec.slider === key && !handle.held) handle.moveTo(value);
  }

  currentScheme() {
    return getComputedStyle(this.root).colorScheme;
  }

  receive(data) {
    if (data.version <= (this.version ?? 0)) return;
    this.version = data.version;
    this.wanted = data;
    this.go();
  }

  close() {
    this.watcher.disconnect();
    this.theme.disconnect();
    window.removeEventListener("privbo-slider", this.follow);
    this.closed = true;
    this.go();
  }

  // One figure is drawn after another. Of those that come while one is being drawn, the last counts.
  go() {
    this.busy ??= this.work().finally(() => { this.busy = null; });
  }

  async work() {
    await null; // so that `busy` is set first
    while (!this.closed && (this.wanted || this.resized())) await this.show();
    if (this.closed && this.Plotly) this.Plotly.purge(this.plot);
  }

  resized() {
    return this.shown && this.root.clientWidth > 0 && (this.root.clientWidth !== this.width || this.presented() !== this.large
      || (this.large && this.root.clientHeight !== this.tall));
  }

  presented() {
    return this.root.closest("[data-pb-presented]") !== null;
  }

  async show() {
    const data = this.wanted ?? this.shown;
    this.wanted = null;
    this.Plotly = await loadLibrary(data.base);
    if (this.closed || !this.root.isConnected) return; // the visitor has left, and there are no colours to look up
    if (data !== this.shown) this.figure = JSON.parse(data.figure);
    this.shown = data;
    [this.width, this.large, this.tall] = [this.root.clientWidth, this.presented(), this.root.clientHeight];
    if (this.scheme !== this.currentScheme()) this.probe.known.clear();
    this.scheme = this.currentScheme();
    let { data: traces, layout } = coloured(this.probe, { data: this.figure.data, layout: this.figure.layout });
    const narrow = this.width < NARROW && !this.large;
    this.root.classList.toggle("narrow", narrow);
    this.drawLegend();
    if (this.large) {
      const times = Math.max(1, Math.min(this.width / 700, this.tall / 330, 2.6));
      [traces, layout] = [enlarged(traces, times), { ...enlarged(layout, times), height: this.tall }];
    } else if (narrow) layout = this.narrowed(layout);
    layout = { ...layout, width: this.width }; // the library would keep the width of the first drawing
    this.plot.setAttribute("aria-label", data.alt);
    await this.Plotly.react(this.plot, traces, layout, { displayModeBar: false, responsive: false });
    this.placeHandles();
    this.answered = performance.now();
    this.plot.dataset.drawn = String(Number(this.plot.dataset.drawn ?? 0) + 1);
  }

  // On a phone the names of curves are in a row above the plot, which is smaller by the height of that row.
  narrowed(layout) {
    const { l, r, t } = layout.margin;
    const annotations = layout.annotations.filter((one) => !["end", "zone"].includes(one.name));
    const margin = { ...layout.margin, l: Math.min(l, 56), r: Math.min(r, 16), t: Math.min(t, 8) };
    return { ...layout, annotations, margin, height: layout.height - this.legend.offsetHeight };
  }

  drawLegend() {
    this.legend.replaceChildren(...this.figure.legend.map(({ name, colour, dash }) => {
      const item = document.createElement("span");
      item.textContent = name.replace(/<[^>]*>/g, "");
      item.style.color = lookUp(this.probe, colour);
      item.style.setProperty("--dash", DASHES[dash] ?? "solid");
      return item;
    }));
  }

  // Dots that can be dragged lie over the plot, so that they follow the pointer without a new drawing.
  placeHandles() {
    const nameOf = ({ slider, axes, line }) => `${slider}/${axes}/${line}`;
    const wanted = new Set(this.figure.handles.map(nameOf));
    for (const [key, handle] of this.handles) if (!wanted.has(key)) { handle.dot.remove(); this.handles.delete(key); }
    for (const spec of this.figure.handles) {
      const key = nameOf(spec);
      let handle = this.handles.get(key);
      if (!handle) { handle = spec.line ? new LineHandle(this, spec.line) : new Handle(this); this.handles.set(key, handle); this.root.append(handle.dot); }
      handle.update(spec);
    }
  }

  axesOf(number) {
    const suffix = number > 1 ? number : "";
    const { [`xaxis${suffix}`]: x, [`yaxis${suffix}`]: y } = this.plot._fullLayout;
    return { x, y, top: this.plot.offsetTop };
  }

  download(format) {
    const name = `privbo-${this.slot}`;
    if (format === "csv") { saveText(`${name}.csv`, asCsv(this.figure)); return; }
    this.Plotly.downloadImage(this.plot, { format, filename: name, scale: format === "png" ? 2 : 1 });
  }
}

// A dot that stands for a slider of the page's panel, and is dragged along a curve.
class Handle {
  constructor(chart) {
    this.chart = chart;
    this.dot = document.createElement("div");
    this.dot.className = "pb-handle";
    this.dot.tabIndex = 0;
    this.dot.setAttribute("role", "slider");
    this.dot.addEventListener("pointerdown", (event) => this.start(event));
    this.dot.addEventListener("pointermove", (event) => { if (this.held) this.follow(event); });
    for (const end of ["pointerup", "pointercancel", "lostpointercapture"]) this.dot.addEventListener(end, () => this.release());
    this.dot.addEventListener("keydown", (event) => this.key(event));
  }

  get panel() {
    return window.privboPanels?.get(this.chart.shown.panel);
  }

  update(spec) {
    this.spec = spec;
    this.dot.setAttribute("aria-label", spec.label);
    this.dot.setAttribute("aria-valuemin", spec.x[0]);
    this.dot.setAttribute("aria-valuemax", spec.x.at(-1));
    this.locate();
    // The figure may be of an earlier value than the slider has by now.
    const now = Number(this.panel?.values[spec.slider]);
    this.moveTo(this.held ? this.value : Number.isFinite(now) ? now : spec.value);
  }

  // The curve and the plot in pixels of the chart.
  locate() {
    const { x, y, top } = this.chart.axesOf(this.spec.axes);
    this.axis = x;
    [this.top, this.bottom] = [top + y._offset, top + y._offset + y._length];
    this.path = this.spec.x.map((value, i) => [x._offset + x.d2p(value), top + y._offset + y.d2p(this.spec.y[i])]);
  }

  moveTo(value) {
    this.value = value;
    const at = this.axis._offset + this.axis.d2p(value);
    const [first, last] = [this.path[0], this.path.at(-1)];
    const across = Math.min(Math.max(at, first[0]), last[0]);
    const k = Math.max(1, this.path.findIndex(([x]) => x >= across));
    const [[x0, y0], [x1, y1]] = [this.path[k - 1], this.path[k]];
    const down = x1 === x0 ? y1 : y0 + ((y1 - y0) * (across - x0)) / (x1 - x0);
    this.dot.style.left = `${across}px`;
    this.dot.style.top = `${Math.min(Math.max(down, this.top), this.bottom)}px`;
    this.dot.setAttribute("aria-valuenow", Number(value.toPrecision(4)));
  }

  start(event) {
    event.preventDefault();
    this.dot.setPointerCapture(event.pointerId);
    this.dot.focus();
    this.held = true;
    this.dot.classList.add("held");
  }

  follow(event) {
    const across = event.clientX - this.chart.root.getBoundingClientRect().left;
    const inside = Math.min(Math.max(across, this.path[0][0]), this.path.at(-1)[0]);
    this.moveTo(this.axis.p2d(inside - this.axis._offset));
    this.panel?.moveTo(this.spec.slider, Number(this.value.toPrecision(3)), true);
  }

  release() {
    if (!this.held) return;
    this.held = false;
    this.dot.classList.remove("held");
    this.panel?.moveTo(this.spec.slider, Number(this.value.toPrecision(3)), false);
  }

  key(event) {
    const steps = { ArrowRight: 1, ArrowUp: 1, ArrowLeft: -1, ArrowDown: -1, PageUp: 10, PageDown: -10 }[event.key];
    if (!steps) return;
    event.preventDefault();
    this.panel?.step(this.spec.slider, steps);
  }
}

// A line across the plot that stands for a slider: upright at its value, or level at the height of the curve there.
class LineHandle extends Handle {
  constructor(chart, line) {
    super(chart);
    this.dot.className = `pb-line pb-${line}`;
    this.text = document.createElement("span");
    this.dot.append(this.text);
    this.dot.setAttribute("aria-orientation", line === "level" ? "vertical" : "horizontal");
  }

  locate() {
    super.locate();
    this.text.textContent = this.spec.text;
    this.dot.setAttribute("aria-valuetext", this.spec.text);
    this.left = this.axis._offset;
    this.width = this.axis._length;
  }

  // A level line that is held stays with the pointer, although the slider has only some values.
  moveTo(value) {
    super.moveTo(value);
    const style = this.dot.style;
    if (this.spec.line === "upright") {
      if (this.held) this.text.textContent = this.spec.text.replace(/[\d.,]+$/, Number(value.toPrecision(3)));
      style.setProperty("--at", `${Number.parseFloat(style.top) - this.top}px`);
      Object.assign(style, { top: `${this.top}px`, height: `${this.bottom - this.top}px` });
      return;
    }
    Object.assign(style, { left: `${this.left}px`, width: `${this.width}px` });
    if (this.held && this.down !== undefined) style.top = `${this.down}px`;
  }

  start(event) {
    this.down = undefined;
    super.start(event);
  }

  follow(event) {
    if (this.spec.line === "upright") { super.follow(event); return; }
    const down = event.clientY - this.chart.root.getBoundingClientRect().top;
    this.down = Math.min(Math.max(down, this.top), this.bottom);
    const height = this.chart.axesOf(this.spec.axes).y.p2d(this.down - this.top);
    const [value] = this.spec.stops.find(([, cost]) => cost <= height) ?? this.spec.stops.at(-1) ?? [this.value];
    this.moveTo(value);
    this.panel?.moveTo(this.spec.slider, value, true);
  }

  release() {
    if (!this.held) return;
    super.release();
    this.moveTo(this.value);
  }

  // Upwards is towards a higher cost.
  key(event) {
    const { key } = event;
    const turned = { ArrowUp: "ArrowLeft", ArrowDown: "ArrowRight", PageUp: "PageDown", PageDown: "PageUp" };
    if (this.spec.line === "upright" || !(key in turned)) { super.key(event); return; }
    event.preventDefault();
    const stops = this.spec.stops.map(([at]) => at);
    const up = key.endsWith("Up");
    const next = up ? stops.filter((at) => at < this.value * 0.999).at(-1) : stops.find((at) => at > this.value * 1.001);
    if (next !== undefined) this.panel?.moveTo(this.spec.slider, next, false);
  }
}

// A spreadsheet would take a cell that begins like this for a formula, so it becomes a text.
const cell = (value) => {
  const text = value === null || value === undefined ? "" : String(value);
  const safe = typeof value === "string" && /^[=+\-@\t\r]/.test(text) ? `'${text}` : text;
  return /[",\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
};
const asCsv = (figure) => {
  const lines = ["curve,x,y"];
  for (const trace of figure.data) {
    if (!trace.name || !trace.y) continue;
    trace.y.forEach((y, i) => lines.push([trace.name.replace(/<[^>]*>/g, ""), trace.x?.[i] ?? i + 1, y].map(cell).join(",")));
  }
  return lines.join("\r\n");
};
const saveText = (name, text) => {
  const link = document.createElement("a");
  link.href = URL.createObjectURL(new Blob(["\ufeff", text], { type: "text/csv" }));
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 1000);
};

export default function ({ data, parentElement }) {
  let chart = charts.get(data.slot);
  if (data.carrier) {
    if (chart) chart.receive(data);
    else waiting.set(data.slot, data);
    return undefined;
  }
  if (!chart || chart.parent !== parentElement) {
    chart = new Chart(parentElement, data.slot);
    charts.set(data.slot, chart);
  }
  chart.receive(data);
  const early = waiting.get(data.slot);
  if (early) { waiting.delete(data.slot); chart.receive(early); }
  return () => {
    if (chart.parent.isConnected) return;
    if (charts.get(data.slot) === chart) charts.delete(data.slot);
    chart.close();
  };
}
