// A panel of sliders that reports while a thumb is dragged.
//
// A value goes to the server at most once in THROTTLE ms, and only after the server has answered the one before. A slow
// machine therefore gets fewer steps, and never a queue of old ones.

const THROTTLE = 60;
const TIMEOUT = 1500; // ms after which an answer counts as lost
const DRAG_DISTANCE = 6; // px that a finger moves sideways before it moves a thumb, so that scrolling moves none
const panels = new WeakMap();
const byName = (window.privboPanels ??= new Map()); // for dots on figures, which stand for sliders

const element = (tag, attributes, ...children) => {
  const made = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) made.setAttribute(name, value);
  made.append(...children);
  return made;
};

// A label may hold subscripts, as in σ_{min}.
const withSubscripts = (label) => label.split(/_\{([^}]*)\}/).map((part, i) => (i % 2 ? element("sub", {}, part) : part));

const clamp = (spec, value) => Math.min(spec.max, Math.max(spec.min, value));
const scaled = (spec, x) => (spec.log ? Math.log(x) : x);
const distance = (spec, one, other) => Math.abs(scaled(spec, one) - scaled(spec, other));

// Some sliders take only a few values.
const nearestStop = (spec, value) => spec.stops.reduce((best, stop) => (distance(spec, stop, value) < distance(spec, best, value) ? stop : best));

// A logarithmic slider stops at numbers with two digits, and at steps of 0.05 between 1 and 2 of each decade.
const stepAt = (value) => {
  const decade = 10 ** Math.floor(Math.log10(value) + 1e-9);
  return decade * (value / decade < 1.999 ? 0.05 : 0.1);
};
const tidy = (value) => Number(value.toPrecision(3));
const roundToStep = (value) => tidy(Math.round(value / stepAt(value)) * stepAt(value));
const nextStep = (spec, value, direction) => {
  const step = Math.max(spec.whole ? 1 : 0, stepAt(direction > 0 ? value : value * 0.999));
  return tidy((direction > 0 ? Math.floor(value / step + 1e-6) + 1 : Math.ceil(value / step - 1e-6) - 1) * step);
};

// The thumb has a scale of its own. A logarithmic slider is linear in log(value).
const POSITIONS = 1000;
const toPosition = (spec, value) => {
  const [at, low, high] = [clamp(spec, value), spec.min, spec.max].map((x) => scaled(spec, x));
  return high > low ? (POSITIONS * (at - low)) / (high - low) : 0;
};
const fromPosition = (spec, position) => {
  if (position <= 0) return spec.min;
  if (position >= POSITIONS) return spec.max;
  const share = position / POSITIONS;
  const value = spec.log ? spec.min * (spec.max / spec.min) ** share : spec.min + share * (spec.max - spec.min);
  if (spec.stops.length) return nearestStop(spec, value);
  if (spec.whole) return clamp(spec, Math.round(spec.log && value > 20 ? roundToStep(value) : value));
  return clamp(spec, spec.log ? roundToStep(value) : Number(value.toPrecision(3)));
};

const format = (spec, value) => {
  if (spec.whole) return String(Math.round(value));
  const exact = Number(value.toPrecision(6));
  if (value !== 0 && (Math.abs(value) < 1e-3 || Math.abs(value) >= 1e6)) return exact.toExponential().replace("e+", "e");
  return String(exact);
};

class Panel {
  constructor(root) {
    this.root = root;
    this.rows = new Map();
    this.values = {};
    this.number = 0; // of the latest change
    this.awaited = null; // the change that the server has not answered yet
    this.sentAt = 0;
    this.unsent = false;
    this.dragging = false;
    this.timer = null;
    this.box = element("div", { class: "panel" });
    root.append(this.box);
  }

  update(data, setStateValue) {
    this.setStateValue = setStateValue;
    this.name = data.name;
    byName.set(data.name, this);
    const layout = JSON.stringify(data.sliders.map((spec) => [spec.key, spec.label, spec.group, spec.left, spec.right]));
    if (layout !== this.layout) this.build(data.sliders, layout);
    for (const spec of data.sliders) this.refresh(spec, data.errors[spec.key]);
    if (this.session !== undefined && this.session !== data.session && this.number > data.ack) {
      // The server has started anew, or another one has taken over. It knows the address, but not the last change.
      this.epoch = data.epoch;
      this.send();
    } else if (this.epoch !== data.epoch) {
      // The server has set the values: a preset, a reset, or a link.
      this.epoch = data.epoch;
      this.awaited = null;
      this.unsent = false;
      for (const spec of data.sliders) this.show(spec.key, spec.value, true);
    } else if (data.ack >= this.number && !this.dragging && !this.touch) {
      for (const spec of data.sliders) if (!data.errors[spec.key]) this.show(spec.key, spec.value, true);
    }
    this.session = data.session;
    if (this.awaited !== null && data.ack >= this.awaited) {
      this.awaited = null;
      if (this.unsent) this.schedule();
    }
  }

  build(specs, layout) {
    this.layout = layout;
    this.rows.clear();
    this.box.replaceChildren();
    let group = "";
    for (const spec of specs) {
      if (spec.group && spec.group !== group) this.box.append(element("div", { class: "group" }, spec.group));
      group = spec.group;
      this.box.append(this.row(spec));
      this.show(spec.key, spec.value, true);
    }
  }

  row(spec) {
    const number = element("input", {
      class: "number", type: "text", inputmode: "text", autocomplete: "off", "aria-label": `${spec.label}, exact value`,
    });
    const range = element("input", {
      type: "range", min: 0, max: POSITIONS, step: "any", "aria-label": spec.label, "data-key": spec.key,
    });
    const marks = element("div", { class: "marks", "aria-hidden": "true" });
    const left = element("span", {}, spec.left);
    const right = element("span", {}, spec.right);
    const error = element("div", { class: "error", role: "alert" });
    const below = element("div", { class: "below" }, marks, left, right);
    const row = element("div", { class: ["row", spec.docked && "docked", spec.presented && "presented"].filter(Boolean).join(" ") },
      element("div", { class: "head" }, element("span", { class: "name" }, spec.label), number),
      element("div", { class: "track" }, range), below, error);
    row.title = spec.help;
    this.rows.set(spec.key, { spec, range, number, marks, left, right, error });
    this.listenToThumb(spec.key, range);
    number.addEventListener("change", () => {
      this.values[spec.key] = number.value.trim();
      this.changed();
    });
    number.addEventListener("keydown", (event) => { if (event.key === "Enter") number.blur(); });
    return row;
  }

  listenToThumb(key, range) {
    range.addEventListener("pointerdown", (event) => {
      if (event.pointerType === "touch") this.touch = { x: event.clientX, y: event.clientY, value: this.values[key] };
      else this.dragging = true;
    });
    range.addEventListener("pointermove", (event) => {
      if (!this.touch) return;
      const [across, along] = [Math.abs(event.clientX - this.touch.x), Math.abs(event.clientY - this.touch.y)];
      if (across < DRAG_DISTANCE || across < along) return;
      this.touch = null;
      this.dragging = true;
      this.moved(key);
    });
    range.addEventListener("input", () => { if (!this.touch) this.moved(key); });
    range.addEventListener("keydown", (event) => {
      const direction = { ArrowRight: 1, ArrowUp: 1, ArrowLeft: -1, ArrowDown: -1, PageUp: 10, PageDown: -10 }[event.key];
      if (!direction || event.ctrlKey || event.altKey || event.metaKey) return;
      event.preventDefault();
      this.step(key, direction);
    });
    range.addEventListener("pointerup", () => {
      if (!this.touch) return;
      this.touch = null; // a tap
      this.moved(key);
    });
    for (const end of ["pointerup", "pointercancel", "lostpointercapture"]) {
      range.addEventListener(end, () => {
        if (this.touch) this.show(key, this.touch.value, true); // the page was scrolled
        this.touch = null;
        if (!this.dragging) return;
        this.dragging = false;
        this.changed();
      });
    }
  }

  // A dot on a figure moves a slider as its thumb does. All changes have one order, in which the server learns them.
  moveTo(key, value, held) {
    if (!this.rows.has(key)) return;
    const { spec } = this.rows.get(key);
    this.show(key, spec.stops.length ? nearestStop(spec, value) : clamp(spec, spec.whole ? Math.round(value) : value), true);
    this.dragging = held;
    this.changed();
  }

  step(key, steps) {
    if (!this.rows.has(key)) return;
    const { spec } = this.rows.get(key);
    let value = Number(this.values[key]);
    for (let i = 0; i < Math.abs(steps); i += 1) value = this.stepped(spec, value, Math.sign(steps));
    this.show(key, value, true);
    this.changed();
  }

  stepped(spec, value, direction) {
    if (spec.stops.length) {
      const next = spec.stops.filter((stop) => (stop - value) * direction > 0);
      return next.length ? nearestStop({ ...spec, stops: next }, value) : value;
    }
    if (spec.log) return clamp(spec, nextStep(spec, value, direction));
    const step = spec.whole ? 1 : (spec.max - spec.min) / 100;
    return clamp(spec, Number((value + direction * step).toPrecision(6)));
  }

  refresh(spec, error) {
    const row = this.rows.get(spec.key);
    row.spec = spec;
    row.error.textContent = error || "";
    row.number.setAttribute("aria-invalid", error ? "true" : "false");
    const inside = spec.marks.filter((mark) => mark.at >= spec.min && mark.at <= spec.max);
    // A label in the middle takes the place of what lies towards the ends.
    row.marks.replaceChildren(...inside.map((mark) => {
      const share = toPosition(spec, mark.at) / POSITIONS;
      const side = share < 0.2 ? " start" : share > 0.8 ? " end" : "";
      const made = element("span", { class: `mark${side}` }, element("b", {}, ...withSubscripts(mark.label)));
      made.style.left = `${100 * share}%`;
      return made;
    }));
  }

  // Put a value into the thumb and the number box.
  show(key, value, moveThumb) {
    const { spec, range, number } = this.rows.get(key);
    this.values[key] = value;
    if (moveThumb) range.value = toPosition(spec, value);
    if (this.root.activeElement !== number || !moveThumb) number.value = format(spec, value);
    range.setAttribute("aria-valuetext", format(spec, value));
    range.style.setProperty("--share", `${toPosition(spec, value) / POSITIONS}`);
    window.dispatchEvent(new CustomEvent("privbo-slider", { detail: { panel: this.name, key, value: Number(value) } }));
  }

  moved(key) {
    const { spec, range } = this.rows.get(key);
    this.show(key, fromPosition(spec, Number(range.value)), false);
    this.changed();
  }

  changed() {
    this.number += 1;
    this.unsent = true;
    this.schedule();
  }

  schedule() {
    if (this.timer !== null) return;
    const wait = (this.awaited !== null ? this.sentAt + TIMEOUT : this.sentAt + THROTTLE) - performance.now();
    if (wait <= 0) { this.send(); return; }
    this.timer = setTimeout(() => { this.timer = null; if (this.unsent) this.schedule(); }, Math.min(wait, THROTTLE));
  }

  send() {
    this.unsent = false;
    this.awaited = this.number;
    this.sentAt = performance.now();
    this.setStateValue("report", { values: { ...this.values }, number: this.number, dragging: this.dragging, epoch: this.epoch });
    if (!this.watcher) this.watch();
  }

  // What is sent while the connection is away is lost. It is sent again if nothing is running and no answer has come.
  watch() {
    let wasIdle = false;
    this.watcher = setInterval(() => {
      if (this.awaited === null || !this.root.isConnected) { clearInterval(this.watcher); this.watcher = null; return; }
      const { testConnectionState, testScriptState } = document.querySelector("[data-testid=stApp]")?.dataset ?? {};
      const idle = testConnectionState === "CONNECTED" && testScriptState === "notRunning";
      if (idle && wasIdle) { wasIdle = false; this.send(); } else wasIdle = idle;
    }, TIMEOUT);
  }
}

export default function ({ data, parentElement, setStateValue }) {
  let panel = panels.get(parentElement);
  if (!panel) {
    panel = new Panel(parentElement);
    panels.set(parentElement, panel);
  }
  panel.update(data, setStateValue);
}
