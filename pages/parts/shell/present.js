// Presenter view: one figure of the page at a time fills the screen, with its sentence above it and the sliders below.
//
// Nothing on the page is moved: figures, sentences and sliders are re-made by the server whenever something is dragged.
// The figure and the panel of sliders that are shown get an attribute, and the style sheet hides all the rest. The
// sentence is copied. What is on the page is looked at again whenever the page changes.

const SLIDES = ".stVerticalBlock[class*='st-key-chart-']";
const PANELS = "[data-testid='stBidiComponentIsolated']";
const TYPED = "input, textarea, select, [contenteditable], [role=slider], [role=radio], [role=tab], [role=combobox], [role=listbox]";

const KEPT = '<div class="pb-finding"><h1>What is drawn here of your own data is for your eyes only.</h1></div>';

const slotOf = (slide) => [...slide.classList].find((name) => name.startsWith("st-key-chart-"));
const isBefore = (first, second) => Boolean(first.compareDocumentPosition(second) & Node.DOCUMENT_POSITION_FOLLOWING);

const button = (label, text, action) => {
  const element = document.createElement("button");
  Object.assign(element, { type: "button", textContent: text, title: label });
  element.setAttribute("aria-label", label);
  element.addEventListener("click", action);
  return element;
};

const mark = (attribute, ...wanted) => {
  for (const old of document.querySelectorAll(`[${attribute}]`)) if (!wanted.includes(old)) old.removeAttribute(attribute);
  const sides = wanted.filter(Boolean);
  for (const [k, one] of sides.entries()) {
    const side = sides.length < 2 ? "" : ["left", "right"][k];
    if (one.getAttribute(attribute) !== side) one.setAttribute(attribute, side);
  }
};

// Whose data a page is about. What was computed from a public sample gives nothing away; of somebody's own data, what
// only they may see is not presented.
const own = () => document.querySelector(".st-key-own-data") !== null;

// The picture of a Simple page has no title of its own: what it shows is the page's answer.
const answerOf = (slide) => {
  const around = slide.closest(".st-key-sheet-picture")?.closest(".st-key-sheet") ?? slide.closest(".st-key-first");
  return around?.querySelector(".pb-answer");
};

// That answer as a slide's sentence, with what must go wherever the picture goes: how strong the promise is.
const answered = (answer) => {
  const strength = document.querySelector(".pb-fact:has(.pb-strength)");
  const fact = strength ? `${strength.querySelector("dt").innerHTML}: ${strength.querySelector(".pb-fact-text").outerHTML.replace(/<(\/?)dd\b/g, "<$1span")}` : "";
  return `<div class="pb-finding"><h1>${answer.innerHTML}</h1></div>${fact && `<div class="pb-note">${fact}</div>`}`;
};

// The panels that stand closest to the figure are the ones that move it: two at most.
const panelsFor = (slide, again) => {
  const above = [];
  for (let element = slide; element; element = element.parentElement) above.push(element);
  let [nearest, distance] = [[], Infinity];
  const sheet = slide.closest(".st-key-sheet-picture") && slide.closest(".st-key-sheet");
  for (const panel of document.querySelectorAll(PANELS)) {
    // What comes below a Simple page's one slider has sliders of its own.
    if (sheet && panel.closest(".st-key-sheet-rest")) continue;
    if (!panel.shadowRoot?.querySelector(".panel")) {
      again(panel);
      continue;
    }
    const steps = above.findIndex((element) => element.contains(panel));
    if (steps < distance) [nearest, distance] = [[panel], steps];
    else if (steps === distance && nearest.length < 2) nearest.push(panel);
  }
  return nearest;
};

const columnsOf = (panel) => String(Math.max(panel.shadowRoot.querySelectorAll(".row.presented").length, 1));

class Presenter {
  constructor() {
    this.wanted = 0; // the number asked for, from 1; 0: no presenter view
    this.slot = null; // the figure that is shown, once it is there
    this.empty = new WeakMap();
    this.open = button("Presenter view: one figure at a time", "▣ Present", () => this.begin());
    this.open.className = "pb-present-open";
    this.sentence = document.createElement("div");
    this.sentence.className = "pb-present-sentence";
    this.count = document.createElement("span");
    this.count.setAttribute("role", "status");
    this.nav = document.createElement("div");
    this.nav.className = "pb-present-nav";
    this.nav.append(
      button("Previous (←)", "‹", () => this.move(-1)), this.count, button("Next (→)", "›", () => this.move(1)),
      button("Leave presenter view (Esc)", "✕", () => this.leave()),
    );
    this.head = document.createElement("div");
    this.head.className = "pb-present-head";
    this.head.setAttribute("role", "region");
    this.head.setAttribute("aria-label", "Presenter view");
    this.head.append(this.sentence, this.nav);
    this.watcher = new MutationObserver(() => this.soon());
    this.measure = new ResizeObserver(() => this.place());
    document.addEventListener("keydown", (event) => this.key(event));
    // A click on the figure takes the arrow keys away from the slider that was dragged last.
    document.addEventListener("pointerdown", (event) => {
      if (this.wanted && event.target.closest?.("[data-pb-slide]")) document.activeElement?.blur();
    }, true);
    window.addEventListener("popstate", () => { if (this.wanted && !this.asked()) this.leave(); });
    document.addEventListener("fullscreenchange", () => { if (this.wanted && !document.fullscreenElement) this.leave(); });
    if (this.asked()) this.show(this.asked());
  }

  attach(parent) {
    if (this.head.parentElement !== parent) parent.append(this.open, this.head);
  }

  asked() {
    const number = Number(new URLSearchParams(location.search).get("present"));
    return Number.isInteger(number) && number > 0 ? number : 0;
  }

  slides() {
    const all = [...document.querySelectorAll(SLIDES)].filter((slide) => slide.getClientRects().length);
    return own() ? all.filter((slide) => !this.curators(slide)) : all;
  }

  // What nothing says who may see it is for the curator's eyes.
  curators(slide) {
    const answer = answerOf(slide);
    if (answer) return ["curator", "inside"].includes(answer.dataset.audience);
    return this.findingOf(slide)?.querySelector(".pb-curator, .pb-inside") !== null;
  }

  // The sentence of a figure is the last one before it, but for the copy that this view says.
  findingOf(slide) {
    return [...document.querySelectorAll(".stMainBlockContainer .pb-finding:not(.pb-present-sentence *)")].filter((one) => isBefore(one, slide)).at(-1);
  }

  // The number of the first figure that can be seen on the page.
  inView() {
    const seen = this.slides().findIndex((slide) => slide.getBoundingClientRect().bottom > 120);
    return Math.max(seen, 0) + 1;
  }

  // The whole screen, where the browser lets it be had; who leaves that leaves the view.
  async begin() {
    this.show(this.inView());
    try {
      await document.documentElement.requestFullscreen();
      if (!this.wanted) await document.exitFullscreen(); // left before it was granted
    } catch {
      // without
    }
  }

  show(number) {
    this.wanted = number;
    this.slot = null;
    if (!("pbPresenting" in document.documentElement.dataset)) {
      document.documentElement.dataset.pbPresenting = "";
      this.watcher.observe(document.body, { subtree: true, childList: true, characterData: true });
      document.activeElement?.blur();
    }
    this.sync();
  }

  leave() {
    const slide = document.querySelector("[data-pb-slide]");
    this.watcher.disconnect();
    this.measure.disconnect();
    this.wanted = 0;
    if (document.fullscreenElement) document.exitFullscreen().catch(() => {});
    delete document.documentElement.dataset.pbPresenting;
    mark("data-pb-slide", null);
    mark("data-pb-strip", null);
    this.address();
    slide?.scrollIntoView({ block: "nearest" });
    this.open.focus({ preventScroll: true });
  }

  move(steps) {
    const slides = this.slides();
    const now = slides.findIndex((slide) => slotOf(slide) === this.slot);
    this.show(Math.min(Math.max((now < 0 ? this.wanted - 1 : now) + steps, 0), slides.length - 1) + 1);
  }

  key(event) {
    if (event.ctrlKey || event.altKey || event.metaKey || event.defaultPrevented) return;
    if (this.wanted && event.key === "Escape") return void this.leave();
    if (!this.wanted || event.composedPath()[0].matches?.(TYPED)) return;
    const steps = { ArrowRight: 1, PageDown: 1, ArrowLeft: -1, PageUp: -1 }[event.key];
    if (steps) this.move(steps);
    else if (event.key === "Home" || event.key === "End") this.show(event.key === "Home" ? 1 : this.slides().length);
    else return;
    event.preventDefault();
  }

  soon() {
    this.frame ??= requestAnimationFrame(() => {
      this.frame = null;
      if (this.wanted) this.sync();
    });
  }

  // What happens inside a component is out of the watcher's sight: one that is still empty is looked at again.
  later(host) {
    const times = this.empty.get(host) ?? 0;
    if (times >= 20) return;
    this.empty.set(host, times + 1);
    setTimeout(() => this.soon(), 150);
  }

  sync() {
    const slides = this.slides();
    let now = slides.findIndex((slide) => slotOf(slide) === this.slot);
    if (now < 0) {
      now = Math.min(this.wanted, slides.length) - 1;
      // A figure that is still to come is waited for; until then the last one there is is shown.
      this.slot = this.wanted <= slides.length ? slotOf(slides[now]) : null;
    }
    if (this.slot) this.wanted = now + 1;
    const slide = slides[now] ?? null;
    const panels = slide ? panelsFor(slide, (host) => this.later(host)) : [];
    const strips = panels.map((panel) => panel.closest(".stElementContainer"));
    const [strip] = [...strips, null];
    document.documentElement.toggleAttribute("data-pb-public", !own());
    mark("data-pb-slide", slide);
    mark("data-pb-strip", ...strips);
    this.speak(slide, slides);
    const count = `${now + 1} / ${slides.length}`;
    if (this.count.textContent !== count) this.count.textContent = count;
    this.measure.observe(this.head);
    if (strip !== this.strip) {
      if (this.strip) this.measure.unobserve(this.strip);
      this.strip = strip;
      if (strip) this.measure.observe(strip);
    }
    this.variable("--pb-columns", panels.length === 1 ? columnsOf(panels[0]) : "1");
    this.place();
    this.address();
  }

  speak(slide, slides) {
    const answer = slide && answerOf(slide);
    if (answer) return this.tell(answered(answer));
    if (!slide && own() && document.querySelector(SLIDES)) return this.tell(KEPT);
    const finding = slide ? this.findingOf(slide) : undefined;
    // While a page is being re-made a sentence may be missing for a moment; that of another figure would be wrong.
    const borrowed = finding && slides.some((other) => other !== slide && isBefore(finding, other) && isBefore(other, slide));
    const slot = slide && slotOf(slide);
    if (borrowed && this.owned === slot) return;
    this.owned = finding && !borrowed ? slot : null;
    const note = finding?.nextElementSibling?.matches(".pb-note") ? finding.nextElementSibling.outerHTML : "";
    const title = finding?.innerHTML.replace(/<(\/?)h3\b/g, "<$1h1") ?? "";
    this.tell(`<div class="pb-finding">${title}</div>${note}`);
  }

  tell(html) {
    if (this.spoken === html) return;
    this.spoken = html;
    this.sentence.innerHTML = html;
  }

  // The figure gets what the sentence above and the sliders below leave.
  place() {
    if (!this.wanted) return;
    this.variable("--pb-top", `${Math.ceil(this.head.getBoundingClientRect().height)}px`);
    this.variable("--pb-bottom", `${Math.ceil(this.strip?.getBoundingClientRect().height ?? 0)}px`);
  }

  variable(name, value) {
    const { style } = document.documentElement;
    if (style.getPropertyValue(name) !== value) style.setProperty(name, value);
  }

  address() {
    const address = new URL(location.href);
    const [now, right] = [address.searchParams.get("present"), this.wanted ? String(this.wanted) : null];
    if (now === right) return;
    if (right) address.searchParams.set("present", right);
    else address.searchParams.delete("present");
    history.replaceState(history.state, "", address);
  }
}

let presenter = null;

export default function ({ parentElement }) {
  presenter ??= new Presenter();
  presenter.attach(parentElement);
}
