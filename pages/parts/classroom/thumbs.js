// What a phone shows, one thing at a time, and what its thumb answers. An answer goes to the server by itself, which
// sends the next screen; where that fails, by a run of the page. There it has a number and is sent until the server has
// heard it, so that one that is given while the network is away arrives once it is back.

const AGAIN = 2500; // milliseconds after which an answer that was not heard is sent again
const NICKNAME = "privbo-nickname";
const phones = new WeakMap();
const SVG = "http://www.w3.org/2000/svg";

const make = (tag, attributes = {}, ...children) => {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) element.setAttribute(name, value);
  element.append(...children);
  return element;
};
const draw = (tag, attributes = {}, ...children) => {
  const element = document.createElementNS(SVG, tag);
  for (const [name, value] of Object.entries(attributes)) element.setAttribute(name, value);
  element.append(...children);
  return element;
};

// From a picture's own units to a square of 100, upright, with a margin.
const onto = ([x0, x1, y0, y1]) => ([x, y]) => [4 + (92 * (x - x0)) / (x1 - x0 || 1), 96 - (92 * (y - y0)) / (y1 - y0 || 1)];
const dot = ([x, y], radius, attributes) => draw("circle", { cx: x, cy: y, r: radius, ...attributes });
// The same two colours as on the projector (`SHADES` in the palette), mixed in the same way.
const shade = (value) => `color-mix(in srgb, #0B4F8A, #F5B301 ${Math.round(100 * Math.min(1, Math.max(0, value)))}%)`;

class Phone {
  constructor(root) {
    this.acts = [];
    this.number = 0;
    this.drawn = "";
    this.order = [];
    this.line = Promise.resolve(); // answers go one after the other
    this.name = make("span");
    this.title = make("h1", { tabindex: "-1" });
    this.text = make("p", { class: "text" });
    this.body = make("div", { class: "body" });
    this.sent = make("div", { class: "sent", role: "status" });
    root.append(make("div", { class: "phone", "data-phone": "" },
      make("div", { class: "who" }, this.name), this.title, this.text, this.body, this.sent));
    this.timer = setInterval(() => this.again(), AGAIN);
    this.watch = new MutationObserver(() => this.uncover());
    this.watch.observe(document.body, { childList: true });
  }

  // Streamlit covers a page whose network is away. A phone says so itself, and goes on taking answers.
  uncover() {
    if (!this.title.isConnected) this.watch.disconnect();
    else document.querySelectorAll("[data-testid=stDialog] button").forEach((close) => close.click());
  }

  answer(value) {
    this.number = Math.max(this.number + 1, Date.now()); // it grows over a reload of the page as well
    this.acts = [...this.acts.filter((act) => act.question !== this.screen.key), { number: this.number, question: this.screen.key, value }];
    this.at = Date.now();
    const act = this.acts.at(-1);
    if (this.to) this.line = this.line.then(() => this.post(act));
    else this.send("said", { acts: this.acts });
  }

  async post(act) {
    if (!this.acts.includes(act)) return; // another answer to the same question came after it
    const { to, secret, room } = this.to;
    try {
      const response = await fetch(to, {
        method: "POST",
        headers: { "Content-Type": "application/json" },
        body: JSON.stringify({ secret, room, question: act.question, value: act.value, number: act.number }),
        signal: AbortSignal.timeout(AGAIN),
      });
      if (response.status === 429) { // it is kept, and sent once more when the thumb rests
        this.sent.textContent = "That was too fast. Your last answer is sent in a moment.";
        return;
      }
      if (!response.ok) throw new Error(response.status);
      const shown = await response.json();
      this.acts = this.acts.filter((other) => other !== act);
      this.show(shown);
    } catch {
      if (this.acts.includes(act)) this.send("said", { acts: this.acts });
    }
  }

  again() {
    if (!this.title.isConnected) { clearInterval(this.timer); return; }
    if (!this.acts.length || Date.now() - this.at < AGAIN) return;
    this.sent.textContent ||= "Waiting for the network. Your answer is kept.";
    this.at = Date.now();
    this.send("said", { acts: this.acts, again: this.at });
  }

  update(data, setStateValue) {
    this.send = setStateValue;
    this.number = Math.max(this.number, data.ack);
    this.to = data.post;
    this.acts = this.acts.filter((act) => act.number > data.ack);
    this.show(data);
  }

  // What the page has drawn earlier may come once more, and later than what an answer has brought since.
  show({ screen, name, order }) {
    if (!this.acts.length) this.sent.textContent = "";
    if (order[0] === this.order[0] && order[1] < this.order[1]) return;
    this.order = order;
    this.name.textContent = name;
    const asked = JSON.stringify({ ...screen, answer: null });
    if (asked !== this.drawn) {
      const other = this.screen?.key !== screen.key || this.screen?.kind !== screen.kind;
      this.drawn = asked;
      this.screen = screen;
      this.chosen = screen.answer;
      this.title.textContent = screen.title;
      this.text.textContent = screen.text;
      this.body.replaceChildren(...(this[screen.kind] ?? this.tell).call(this, screen.data));
      this.title.closest(".phone").dataset.key = screen.key;
      if (other) window.scrollTo?.(0, 0);
    } else if (!this.acts.some((act) => act.question === screen.key)) {
      this.chosen = screen.answer;
    }
    this.mark?.();
  }

  // Buttons of which one may be chosen: it is marked at once, before the server has heard of it.
  buttons(entries, className) {
    const all = entries.map(([value, ...inside]) => {
      const button = make("button", { type: "button", "data-value": value }, ...inside);
      button.addEventListener("click", () => { this.chosen = value; this.mark(); this.answer(value); });
      return [value, button];
    });
    this.mark = () => all.forEach(([value, button]) => button.setAttribute("aria-pressed", String(value === this.chosen)));
    return make("div", { class: className }, ...all.map(([, button]) => button));
  }

  tell({ big, lines = [], colour, go }) {
    this.mark = null;
    if (go) location.assign(go);
    const parts = [];
    if (colour) parts.push(this.swatch(colour));
    if (big) parts.push(make("div", { class: "big" }, big));
    if (lines.length) parts.push(make("ul", { class: "lines" }, ...lines.map((line) => make("li", {}, line))));
    return parts;
  }

  swatch(colour) {
    const swatch = make("div", { class: "swatch", role: "img", "aria-label": `The colour ${colour}` });
    swatch.style.background = colour;
    return swatch;
  }

  rate({ colour, scale }) {
    const buttons = this.buttons(scale.map((word, place) => [place, word]).reverse(), "options");
    return [this.swatch(colour), buttons];
  }

  choose({ options }) {
    return [this.buttons(options.map(({ value, text, note }) => [value, text, ...(note ? [make("small", {}, note)] : [])]), "options")];
  }

  // A picture with what grows to the right below it, and what grows upwards above it.
  between([across, up], picture) {
    const words = (text) => (text ? [make("div", { class: "axis" }, text)] : []);
    return [...words(up), picture, ...words(across)];
  }

  pair({ points, released, a, b, range, axes = [] }) {
    const place = onto(range), [x, y] = place(released);
    const candidates = Object.entries({ a, b }).map(([value, point]) => {
      const [left, top] = place(point);
      const group = draw("g", { class: "candidate", "data-value": value }, dot([left, top], 4.6, {}), draw("text", { x: left, y: top }));
      group.lastChild.textContent = value.toUpperCase();
      group.addEventListener("click", () => { this.chosen = value; this.mark(); this.answer(value); });
      return group;
    });
    const picture = draw("svg", { viewBox: "0 0 100 100", role: "img", "aria-label": "The released picture with the two candidates" },
      ...points.map((point) => dot(place(point), 0.7, { class: "cloud" })),
      ...candidates, draw("path", { class: "mine", d: `M${x - 5} ${y}H${x + 5}M${x} ${y - 5}V${y + 5}` }));
    const buttons = this.buttons([["a", "A"], ["b", "B"]], "two");
    const mark = this.mark;
    this.mark = () => { mark(); candidates.forEach((group) => group.toggleAttribute("data-chosen", group.dataset.value === this.chosen)); };
    return [...this.between(axes, picture), make("div", { class: "legend" }, make("span", {}, "+ what was released"), make("span", {}, "A, B: one of them is real"), ...(points.length ? [make("span", {}, "grey: the other released records")] : [])), buttons];
  }

  map({ points, tested = [], range, axes = [], label = "Test this one" }) {
    const size = Math.min(2.6, Math.max(1.7, 25 / Math.sqrt(points.length))); // larger where there is room
    const place = onto(range), at = points.map(place), done = new Set(tested.map(([point]) => point));
    const ring = dot([0, 0], size + 2.2, { class: "mine", visibility: "hidden" });
    const picture = draw("svg", { viewBox: "0 0 100 100", tabindex: "0", role: "application", "aria-label": "The map. Tap a point, or move from point to point with the arrow keys." },
      ...at.map((point, number) => (done.has(number) ? "" : dot(point, size, { class: "cloud" }))).filter(Boolean),
      ...tested.map(([number, value]) => { const circle = dot(at[number], size + 0.9, { stroke: "currentColor", "stroke-width": 0.5 }); circle.style.fill = shade(value); return circle; }), ring);
    const confirm = make("button", { type: "button", class: "main", disabled: "" }, label);
    let picked = null;
    const pick = (number) => {
      picked = number;
      ring.setAttribute("cx", at[number][0]);
      ring.setAttribute("cy", at[number][1]);
      ring.setAttribute("visibility", "visible");
      confirm.disabled = false;
    };
    const free = at.map((_, number) => number).filter((number) => !done.has(number));
    const near = (x, y) => free.reduce((best, number) => (Math.hypot(at[number][0] - x, at[number][1] - y) < Math.hypot(at[best][0] - x, at[best][1] - y) ? number : best), free[0]);
    picture.addEventListener("click", (event) => {
      const point = new DOMPoint(event.clientX, event.clientY).matrixTransform(picture.getScreenCTM().inverse());
      if (free.length) pick(near(point.x, point.y));
    });
    const steps = { ArrowLeft: -1, ArrowUp: -1, ArrowRight: 1, ArrowDown: 1 };
    picture.addEventListener("keydown", (event) => {
      if (!(event.key in steps) || !free.length) return;
      event.preventDefault();
      pick(free[(free.indexOf(picked) + steps[event.key] + free.length) % free.length]);
    });
    confirm.addEventListener("click", () => { confirm.disabled = true; if (picked !== null) this.answer(picked); });
    this.mark = null;
    return [...this.between(axes, picture), confirm];
  }

  scales({ sliders, label = "This is my answer" }) {
    // Nothing is chosen before a thumb has moved it: what nobody chose is nobody's answer.
    const now = {};
    const confirm = make("button", { type: "button", class: "main", disabled: "" }, label);
    const fields = sliders.map(({ name, label: words, stops, unmoved = "Move this" }) => {
      const said = make("output", {}), input = make("input", { type: "range", min: 0, max: stops.length - 1, step: 1, value: 0, "aria-label": words });
      const show = () => {
        said.textContent = now[name] === undefined ? unmoved : stops[now[name]];
        input.setAttribute("aria-valuetext", said.textContent);
        input.toggleAttribute("data-unmoved", now[name] === undefined);
      };
      const put = () => {
        if (now[name] === Number(input.value)) return;
        now[name] = Number(input.value);
        show();
        confirm.disabled = sliders.some((slider) => now[slider.name] === undefined);
      };
      const chosen = this.chosen?.[name];
      if (chosen !== undefined) input.value = now[name] = Math.min(stops.length - 1, Math.max(0, chosen));
      show();
      input.addEventListener("input", put);
      // The first stop is where the thumb stands already: to touch it, or a key towards it, chooses it.
      input.addEventListener("pointerup", put);
      input.addEventListener("keydown", (event) => { if (["Home", "ArrowLeft", "ArrowDown", "PageDown", "Enter", " "].includes(event.key)) setTimeout(put); });
      return make("label", {}, words, said, input);
    });
    confirm.addEventListener("click", () => { confirm.disabled = true; this.answer({ ...now }); });
    this.mark = () => { if (this.chosen && sliders.every(({ name }) => this.chosen[name] === now[name])) confirm.disabled = true; };
    return [...fields, confirm];
  }

  join({ room, longest, letters }) {
    this.mark = null;
    const code = make("input", { type: "text", class: "code", "aria-label": "Code of the room", maxlength: letters + 2, autocomplete: "off", autocapitalize: "characters", spellcheck: "false", placeholder: "CODE" });
    const name = make("input", { type: "text", "aria-label": "A nickname, if you like", maxlength: longest, autocomplete: "off", placeholder: "A nickname, if you like" });
    const enter = make("button", { type: "button", class: "main" }, "Come in");
    // The way in may lead through another address of this app: the nickname comes along.
    try { name.value = sessionStorage.getItem(NICKNAME) ?? ""; } catch { /* a browser that keeps nothing */ }
    const go = () => {
      try { sessionStorage.setItem(NICKNAME, name.value); } catch { /* the same */ }
      this.answer({ room: room || code.value, name: name.value });
    };
    enter.addEventListener("click", go);
    for (const input of [code, name]) input.addEventListener("keydown", (event) => { if (event.key === "Enter") go(); });
    return [...(room ? [] : [code]), name, enter];
  }
}

export default function ({ data, parentElement, setStateValue }) {
  let phone = phones.get(parentElement);
  if (!phone) phones.set(parentElement, (phone = new Phone(parentElement)));
  phone.update(data, setStateValue);
}
