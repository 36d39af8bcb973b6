// A panel of sliders that reports while a thumb is being dragged.
//
// Values go to the server at most once in THROTTLE ms, and only after the server has answered the previous ones (`ack`),
// so a slow machine gets fewer steps and never a queue of stale ones.

const THROTTLE = 60;
const PATIENCE = 1500; // ms after which an answer is taken for lost
const ACROSS = 6; // pixels that a finger moves sideways before it moves a thumb: a page that is scrolled must move none
const panels = new WeakMap();

const make = (tag, attributes, ...children) => {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) element.setAttribute(name, value);
  element.append(...children);
  return element;
};

const clamp = (spec, value) => Math.min(spec.max, Math.max(spec.min, value));

// A logarithmic slider stops at values that people say: two digits, and steps of 0.05 from 1 to 2, in each decade.
const notch = (value) => {
  const decade = 10 ** Math.floor(Math.log10(value) + 1e-9);
  return decade * (value / decade < 1.999 ? 0.05 : 0.1);
};
const tidy = (value) => Number(value.toPrecision(3));
const human = (value) => tidy(Math.round(value / notch(value)) * notch(value));
const next = (spec, value, steps) => {
  const around = notch(steps > 0 ? value : value * 0.999);
  const size = spec.whole ? Math.max(1, around) : around;
  return tidy((steps > 0 ? Math.floor(value / size + 1e-6) + 1 : Math.ceil(value / size - 1e-6) - 1) * size);
};
// What lies beyond an end that is no such value: the last one before it, but all of something that is counted.
const inside = (spec, value) => {
  if (spec.whole) return clamp(spec, Math.round(value));
  if (value > spec.max) return Math.max(spec.min, next(spec, spec.max, -1));
  return value < spec.min ? Math.min(spec.max, next(spec, spec.min, 1)) : value;
};

// The thumb moves on a scale of its own: logarithmic sliders are linear in log(value).
const toThumb = (spec, value) => (spec.log ? Math.log(value) : value);
const fromThumb = (spec, thumb) => {
  if (spec.log) {
    const value = Math.exp(thumb);
    const end = [spec.min, spec.max].find((one) => spec.whole && Math.abs(thumb - Math.log(one)) < spec.step / 2);
    return end ?? inside(spec, human(value));
  }
  return spec.whole ? Math.round(thumb) : Number(thumb.toPrecision(12));
};

// Six digits, as many as a link holds.
const shown = (spec, value) => {
  if (spec.whole) return String(Math.round(value));
  const exact = Number(value.toPrecision(6));
  if (value !== 0 && (Math.abs(value) < 1e-3 || Math.abs(value) >= 1e6)) return exact.toExponential();
  return exact.toString();
};
const paperForm = (spec, value) => {
  if (!spec.exponential) return "";
  const power = Math.log(value).toFixed(2);
  const exact = Math.exp(Number(power)).toPrecision(6) === value.toPrecision(6);
  return ` ${exact ? "=" : "≈"} e^${power.replace("-", "−")}`;
};

// Streamlit calls a component again whenever its data change; what it built lives here, by the element it was given.
class Panel {
  constructor(root) {
    this.root = root;
    this.rows = new Map();
    this.values = {};
    this.number = 0; // of the latest change
    this.awaited = null; // the change that the server has not answered yet
    this.sentAt = 0;
    this.dirty = false;
    this.dragging = false;
    this.timer = null;
    this.box = make("div", { class: "panel" });
    root.append(this.box);
  }

  update(data, setStateValue) {
    this.setStateValue = setStateValue;
    const keys = JSON.stringify([data.sliders.map((spec) => spec.key), data.presented]);
    if (keys !== this.keys) this.build(data, keys);
    for (const spec of data.sliders) this.refresh(spec, data.errors[spec.key]);
    // A session that is new below this page, since the server was started anew or another has taken over, knows what the
    // address says, and not what was moved last.
    const taken = this.session !== undefined && this.session !== data.session && this.number > data.ack;
    this.session = data.session;
    if (taken) { this.number += 1; this.send(); }
    // Once it has answered the latest change, the server's values are the ones to show.
    if (data.ack >= this.number && !this.dragging && !this.touch) {
      this.number = data.ack;
      for (const spec of data.sliders) if (!data.errors[spec.key]) this.show(spec.key, spec.value, true);
    }
    if (this.awaited !== null && data.ack >= this.awaited) {
      this.awaited = null;
      if (this.dirty) this.schedule();
    }
  }

  build(data, keys) {
    this.keys = keys;
    this.rows.clear();
    this.box.replaceChildren();
    for (const spec of data.sliders) {
      const name = make("span", { class: "name" }, spec.label);
      const form = make("span", { class: "form" });
      const number = make("input", {
        type: "text", inputmode: "decimal", "aria-label": `${spec.label}: exact value`, class: "number", autocomplete: "off",
      });
      const range = make("input", {
        type: "range", step: spec.step, min: toThumb(spec, spec.min), max: toThumb(spec, spec.max),
        "aria-label": spec.label, "data-key": spec.key,
      });
      const marks = make("div", { class: "marks", "aria-hidden": "true" });
      const ends = make("div", { class: "ends" }, make("span", {}, spec.left), make("span", {}, spec.right));
      const error = make("div", { class: "error", role: "alert" });
      const head = make("div", { class: "head" }, name, form, number);
      if (spec.play) {
        const button = make("button", { type: "button", class: "play" }, "▶ play");
        button.addEventListener("click", () => this.play(spec.key, button));
        head.append(button);
      }
      const place = data.presented.indexOf(spec.key);
      const row = make("div", { class: ["row", ...(place < 0 ? [] : ["presented"]), ...(place ? [] : ["leading"])].join(" ") },
        head, make("div", { class: "track" }, range, marks), ends, error);
      row.title = spec.help;
      row.classList.toggle("under", Boolean(spec.under));
      for (const [name, size] of Object.entries(spec.under ?? {})) row.style.setProperty(`--${name}`, size);
      this.rows.set(spec.key, { spec, range, number, form, marks, error });
      range.addEventListener("pointerdown", (event) => {
        if (event.pointerType === "touch") this.touch = { x: event.clientX, y: event.clientY, value: this.values[spec.key] };
        else this.dragging = true;
      });
      range.addEventListener("pointermove", (event) => {
        if (!this.touch) return;
        const [across, along] = [Math.abs(event.clientX - this.touch.x), Math.abs(event.clientY - this.touch.y)];
        if (across < ACROSS || across < along) return;
        this.touch = null;
        this.dragging = true;
        this.moved(spec.key);
      });
      range.addEventListener("input", () => { if (!this.touch) this.moved(spec.key); });
      range.addEventListener("keydown", (event) => {
        const steps = { ArrowRight: 1, ArrowUp: 1, ArrowLeft: -1, ArrowDown: -1 }[event.key];
        const now = this.rows.get(spec.key).spec;
        if (!steps || !now.log || event.ctrlKey || event.altKey || event.metaKey) return;
        event.preventDefault();
        this.show(spec.key, inside(now, next(now, this.values[spec.key], steps)), true);
        this.changed();
      });
      range.addEventListener("pointerup", () => {
        if (!this.touch) return;
        this.touch = null; // a tap
        this.moved(spec.key);
      });
      for (const end of ["pointerup", "pointercancel", "lostpointercapture"]) {
        range.addEventListener(end, () => {
          if (this.touch) this.show(spec.key, this.touch.value, true); // it was the page that was moved
          this.touch = null;
          if (!this.dragging) return;
          this.dragging = false;
          this.changed();
        });
      }
      number.addEventListener("change", () => {
        this.values[spec.key] = number.value.trim();
        this.changed();
      });
      this.box.append(row);
      this.show(spec.key, spec.value, true);
    }
    // Usable values stand in the boxes now, so what the server has of one that was not is no more.
    this.number = Math.max(this.number, data.ack);
    if (data.sliders.some((spec) => data.errors[spec.key])) this.changed();
  }

  refresh(spec, error) {
    const row = this.rows.get(spec.key);
    row.spec = spec;
    row.range.min = toThumb(spec, spec.min);
    row.range.max = toThumb(spec, spec.max);
    row.error.textContent = error || "";
    row.number.setAttribute("aria-invalid", error ? "true" : "false");
    const low = toThumb(spec, spec.min);
    const span = toThumb(spec, spec.max) - low;
    row.marks.replaceChildren(...spec.marks.filter((m) => m.at >= spec.min && m.at <= spec.max).map((m) => {
      const mark = make("span", { class: "mark" }, m.label);
      // The thumb's centre runs from half a thumb inside one end to half a thumb inside the other.
      mark.style.left = `calc(8px + (100% - 16px) * ${(toThumb(spec, m.at) - low) / span})`;
      return mark;
    }));
  }

  // Put a value into thumb, number box and caption.
  show(key, value, moveThumb) {
    const { spec, range, number, form } = this.rows.get(key);
    this.values[key] = value;
    if (moveThumb) range.value = toThumb(spec, clamp(spec, value));
    if (this.root.activeElement !== number || !moveThumb) number.value = shown(spec, value);
    form.textContent = paperForm(spec, value);
    range.setAttribute("aria-valuetext", `${shown(spec, value)}${paperForm(spec, value)}`);
  }

  // Let the thumb run to the end, a step whenever the server has answered the last one; a second click stops it.
  play(key, button) {
    clearInterval(this.playing);
    if (this.playing) { this.playing = null; button.textContent = "▶ play"; return; }
    const { spec } = this.rows.get(key);
    if (this.values[key] >= spec.max) this.show(key, spec.min, true);
    button.textContent = "■ stop";
    this.playing = setInterval(() => {
      if (this.awaited !== null) return;
      const limit = this.rows.get(key).spec.max;
      this.show(key, Math.min(limit, this.values[key] + 1), true);
      this.changed();
      if (this.values[key] >= limit) { clearInterval(this.playing); this.playing = null; button.textContent = "▶ play"; }
    }, 250);
  }

  // Take the value from the thumb.
  moved(key) {
    const { spec, range } = this.rows.get(key);
    this.show(key, fromThumb(spec, Number(range.value)), false);
    this.changed();
  }

  changed() {
    this.number += 1;
    this.dirty = true;
    this.schedule();
  }

  schedule() {
    if (this.timer !== null) return;
    const now = performance.now();
    const wait = this.awaited !== null ? this.sentAt + PATIENCE - now : this.sentAt + THROTTLE - now;
    if (wait <= 0) { this.send(); return; }
    this.timer = setTimeout(() => { this.timer = null; if (this.dirty) this.schedule(); }, Math.min(wait, THROTTLE));
  }

  send() {
    this.dirty = false;
    this.awaited = this.number;
    this.sentAt = performance.now();
    this.setStateValue("controls", { values: { ...this.values }, number: this.number, dragging: this.dragging });
    if (!this.watcher) this.watch();
  }

  // What is sent while the connection is away is lost. It is sent again if nothing is under way and no answer has come.
  watch() {
    let idle = false;
    this.watcher = setInterval(() => {
      if (this.awaited === null || !this.root.isConnected) { clearInterval(this.watcher); this.watcher = null; return; }
      const { testConnectionState, testScriptState } = document.querySelector("[data-testid=stApp]")?.dataset ?? {};
      const again = idle;
      idle = testConnectionState === "CONNECTED" && testScriptState === "notRunning";
      if (idle && again) { idle = false; this.send(); }
    }, PATIENCE);
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
