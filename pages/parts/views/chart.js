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
const config = (slot, edits) => ({
  displaylogo: false,
  edits,
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
const ROOMY = 1.3; // how much larger all is drawn where a figure fills a page
const SMALLEST = 12; // pixels of the smallest letters in a figure
const LETTERS = 13; // pixels of a figure's letters, unless it says otherwise
const LEGIBLE = 50 * 0.48; // letters whose x-height, 0.48 of their size, is 1/50 of the screen are read from the last row
const grown = (value, times, name = "", inside = "") => {
  if (typeof value === "number") return LENGTHS.has(name) || (name === "width" && inside === "line") ? value * times : value;
  if (Array.isArray(value)) {
    const whole = typeof value[0] === "object" || LENGTHS.has(name);
    return whole ? value.map((one) => grown(one, times, name, inside)) : value;
  }
  if (value === null || typeof value !== "object" || value.bdata) return value;
  return Object.fromEntries(Object.entries(value).map(([key, one]) => [key, grown(one, times, key, name)]));
};

const axisOf = (layout, ref) => layout[ref.replace(/^([xy])/, "$1axis")] ?? {};

// What is grown can be too long for its axis: a title goes on in a second line, ticks that are crowded stay smaller.
const [LETTER, LINE] = [0.5, 1.2]; // the width of a letter and the height of a line, as shares of its size
const bare = (text) => String(text ?? "").split("<br>").map((line) => line.replace(/<[^>]*>/g, ""));
// What is written to the right of all curves.
const besideEnds = (annotations, layout) => annotations.filter((one) => {
  const { range, domain } = one.xref === "paper" ? { range: [0, 1] } : axisOf(layout, one.xref ?? "x");
  return one.xanchor === "left" && !one.showarrow && range && (domain?.[1] ?? 1) > 0.9 && one.x >= range[0] + 0.97 * (range[1] - range[0]);
});
// How far labels that would cover each other are moved apart: the upper one up, the lower one down.
const apart = (labels, layout, height) => {
  const placed = labels.map((one) => {
    const axis = axisOf(layout, one.yref ?? "y");
    const [from, to] = axis.domain ?? [0, 1];
    const [low, high] = one.yref === "paper" ? [0, 1] : axis.range ?? [NaN, NaN];
    const at = (from + (to - from) * (one.y - low) / (high - low)) * height + (one.yshift ?? 0);
    return { one, at, was: at, tall: bare(one.text).length * LINE * (one.font?.size ?? SMALLEST) };
  }).filter(({ at }) => Number.isFinite(at)).sort((a, b) => b.at - a.at);
  for (let times = 0; times < 20; times += 1) {
    for (const [k, lower] of placed.slice(1).entries()) {
      const over = (placed[k].tall + lower.tall) / 2 - (placed[k].at - lower.at);
      if (over <= 0) continue;
      placed[k].at += over / 2;
      lower.at -= over / 2;
    }
  }
  return new Map(placed.map(({ one, at, was }) => [one, at - was]));
};
const fitted = (drawn, width, height) => {
  const margin = { l: 0, r: 0, t: 0, b: 0, ...drawn.margin };
  const ends = besideEnds(drawn.annotations ?? [], drawn);
  for (const { text, font, xshift } of ends) {
    const long = Math.max(...bare(text).map((line) => line.length));
    margin.r = Math.min(Math.max(margin.r, long * LETTER * (font?.size ?? SMALLEST) + (xshift ?? 0)), 0.4 * width);
  }
  const inside = height - margin.t - margin.b;
  const moved = apart(ends, drawn, inside);
  const annotations = (drawn.annotations ?? []).map((one) => ({ ...one, yshift: (one.yshift ?? 0) + (moved.get(one) ?? 0) }));
  const layout = { ...drawn, margin, annotations };
  const axes = Object.entries(layout).filter(([name]) => /^[xy]axis/.test(name)).map(([name, axis]) => {
    const upright = name.startsWith("y");
    const [from, to] = axis.domain ?? [0, 1];
    const room = (to - from) * (upright ? height - margin.t - margin.b : width - margin.l - margin.r);
    const [text, size] = [axis.title?.text ?? "", axis.title?.font?.size ?? layout.font?.size ?? SMALLEST];
    const fit = { ...axis };
    const letters = (some) => bare(some)[0].length;
    const lines = Math.ceil(letters(text) * LETTER * size / room);
    if (lines > 1 && !text.includes("<br>")) {
      const long = letters(text) / lines;
      const broken = text.split(" ").reduce((all, word) => {
        const last = all.at(-1);
        return last && letters(last) + letters(word) / 2 < long ? [...all.slice(0, -1), `${last} ${word}`] : [...all, word];
      }, []);
      Object.assign(fit, { title: { ...axis.title, text: broken.join("<br>") }, automargin: true });
    }
    if (!upright && !axis.ticks) Object.assign(fit, { ticks: "outside", ticklen: size / 3, tickcolor: "rgba(0,0,0,0)" });
    if (!upright && !axis.tickvals) {
      const most = Math.max(Math.floor(room / (7 * LETTER * (axis.tickfont?.size ?? size))), 3); // −93.68, and a gap
      fit.nticks = Math.min(axis.nticks || most, most);
    }
    const each = room / (axis.ticktext?.length ?? 1) / LINE;
    if (upright && axis.tickfont?.size > each) fit.tickfont = { ...axis.tickfont, size: each };
    return [name, fit];
  });
  return { ...layout, ...Object.fromEntries(axes) };
};

// On a phone a figure is half as wide as it was made for: fewer ticks and smaller letters, and what is written beside the
// end of a curve stands above it, inside the figure; by its name also below it, or further above.
const NARROW = 480;
const narrowed = (layout, width) => {
  const margin = { ...layout.margin };
  const wide = margin.r > 40; // room for what is written beside the ends of curves
  if (wide) margin.r = 14;
  const inner = width - margin.l - margin.r;
  const annotations = (layout.annotations ?? []).map((one) => {
    const font = { ...one.font, size: Math.min(one.font?.size ?? 12, 11) };
    const range = one.xref === "paper" ? [0, 1] : axisOf(layout, one.xref ?? "x").range;
    if (!range || typeof one.x !== "number") return { ...one, font };
    const share = (one.x - range[0]) / (range[1] - range[0]);
    const text = String(one.text ?? "").replace(/<[^>]*>/g, "").length * 5.6 + Math.abs(one.xshift ?? 0);
    if (one.xanchor === "left" && share * inner + text > inner + margin.r) {
      const raised = (one.yshift ?? 0) + (one.name === "above" ? 24 : 0);
      return { ...one, font, xanchor: "right", xshift: -3, yshift: raised, yanchor: one.name === "below" ? "top" : "bottom" };
    }
    return { ...one, font };
  });
  const axes = Object.fromEntries(Object.entries(layout).filter(([name]) => /^[xy]axis/.test(name)).map(([name, axis]) => {
    const few = name.startsWith("x") && !axis.tickvals ? { nticks: Math.min(axis.nticks || 5, 5) } : {};
    return [name, { ...axis, ...few, tickfont: { size: 11, ...axis.tickfont } }];
  }));
  return { ...layout, ...axes, margin, annotations };
};

// Draws one figure after another, never two at once; of those that come in while one is being drawn, the last. The
// library is let go only when it has finished: it works in steps, and would go on with a figure that is no longer there.
class Stage {
  constructor(root, slot) {
    this.plot = document.createElement("div");
    this.plot.className = "plot";
    this.plot.setAttribute("role", "figure");
    // The library would keep a finger for itself, and the page could not be scrolled; a tap still reaches it, as a click.
    this.plot.addEventListener("touchstart", (event) => event.stopPropagation(), { capture: true, passive: true });
    this.plot.addEventListener("pointerdown", (event) => this.down(event), { capture: true });
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

  // Where figures can be picked in, a press that does not move tells its place, in the axes' own units.
  down(event) {
    if (!this.pick || !this.drawn || event.target.closest(".modebar")) return;
    const up = (end) => {
      if (end.type === "pointercancel" || Math.hypot(end.clientX - event.clientX, end.clientY - event.clientY) > 6) return;
      const { xaxis, yaxis } = this.plot._fullLayout;
      const box = this.plot.getBoundingClientRect();
      const [across, down] = [end.clientX - box.left - xaxis._offset, end.clientY - box.top - yaxis._offset];
      if (across < 0 || down < 0 || across > xaxis._length || down > yaxis._length) return;
      this.pick?.({ x: xaxis.p2d(across), y: yaxis.p2d(down) });
    };
    const ends = new AbortController();
    for (const type of ["pointerup", "pointercancel"]) {
      window.addEventListener(type, (end) => { ends.abort(); up(end); }, { capture: true, signal: ends.signal });
    }
  }

  // A line that was dragged tells where it was let go, on the axis that it crosses, and stands where it stood until the
  // app has answered.
  moved(change) {
    const [, number] = Object.keys(change).join().match(/shapes\[(\d+)\]/) ?? [];
    if (!this.drag || number === undefined) return;
    const before = JSON.parse(this.kept.figure).layout.shapes[number];
    const axis = before.xref === "paper" ? "y" : "x";
    const ends = [0, 1].map((end) => change[`shapes[${number}].${axis}${end}`]).filter(Number.isFinite);
    const far = (end) => Math.abs(end - before[`${axis}0`]);
    if (ends.length) this.drag({ [axis]: ends.reduce((one, other) => (far(other) > far(one) ? other : one)) });
    this.wanted ??= this.kept;
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
      if (this.wanted || this.large || this.wasLarge || this.fills || this.width < NARROW) await this.show();
      else await this.library.Plots.resize(this.plot);
    }
    if (this.closed) this.library?.purge(this.plot);
  }

  resized() {
    if (!this.drawn) return false;
    const { width, height, large } = this;
    this.look();
    this.wasLarge = large;
    return this.width > 0 && (this.width !== width || this.large !== large || ((this.large || this.fills) && this.height !== height));
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
    this.fills = !this.large && this.height > layout.height; // where the style sheet gives it more room
    if (this.fills) {
      const times = Math.max(1, ROOMY * Math.min(1, LETTERS / (layout.font?.size ?? LETTERS)));
      [layout, data] = [grown(layout, times), grown(data, times)];
      layout.height = this.height;
    }
    if (this.large) {
      const room = Math.min(Math.max(Math.min(this.width / DRAWN_FOR[0], this.height / DRAWN_FOR[1]), 1), 3);
      // A figure that was made for a projector has larger letters to begin with.
      const times = Math.max(1, Math.max(room, innerHeight / LEGIBLE / SMALLEST) * Math.min(1, LETTERS / (layout.font?.size ?? LETTERS)));
      layout = grown({ hoverlabel: { font: { size: 13 } }, ...layout }, times);
      layout = fitted({ ...layout, height: this.height }, this.width, this.height);
      data = grown(data, times);
    }
    else if (this.width > 0 && this.width < NARROW) layout = narrowed(layout, this.width);
    // A finger on a plot scrolls the page.
    if (matchMedia("(pointer: coarse)").matches) layout.dragmode = false;
    await this.library.react(this.plot, data, layout, config(this.slot, { shapePosition: Boolean(this.drag) }));
    if (!this.drawn) this.plot.on("plotly_relayout", (change) => this.moved(change));
    this.drawn = true;
    this.plot.dataset.drawn = String(Number(this.plot.dataset.drawn ?? 0) + 1);
  }
}

export default function ({ data, parentElement, setTriggerValue }) {
  let stage = stages.get(data.slot);
  if (data.feed) {
    // What an earlier run fed is still there while the next one begins; the same figure fed again is something new.
    if (parentElement.fed !== data.feed) {
      parentElement.fed = data.feed;
      if (stage?.first === data.first) stage.draw(data);
      else early.set(data.slot, data); // it may come before what it is to follow
    }
    return;
  }
  if (!stage || stage.root !== parentElement) {
    stage = new Stage(parentElement, data.slot);
    stages.set(data.slot, stage);
  }
  stage.pick = data.pick ? (place) => setTriggerValue("place", place) : null;
  stage.drag = data.drag ? (place) => setTriggerValue("line", place) : null;
  stage.plot.classList.toggle("pickable", Boolean(data.pick));
  if (stage.first !== data.first) {
    stage.first = data.first;
    stage.draw(data);
    const next = early.get(data.slot);
    if (next?.first === data.first) {
      stage.draw(next);
      early.delete(data.slot);
    }
  }
  return () => {
    if (stage.root.isConnected) return;
    if (stages.get(data.slot) === stage) stages.delete(data.slot);
    stage.close();
  };
}
