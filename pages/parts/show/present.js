// Presenter view: one figure of the page at a time fills the screen, with its sentence above it and the sliders below.
//
// Nothing on the page is moved: figures, sentences and sliders are re-made by the server whenever something is dragged.
// The figure and the panel of sliders that are shown get an attribute, and the style sheet hides all the rest. The
// sentence is copied. What is on the page is looked at again whenever the page changes.

const SLIDES = ".stVerticalBlock[class*='st-key-chart-']";
const PANELS = "[data-testid='stBidiComponentIsolated']";
const TYPED = "input, textarea, select, [contenteditable], [role=slider], [role=radio], [role=tab], [role=combobox], [role=listbox]";

const slotOf = (slide) => [...slide.classList].find((name) => name.startsWith("st-key-chart-"));
const isBefore = (first, second) => Boolean(first.compareDocumentPosition(second) & Node.DOCUMENT_POSITION_FOLLOWING);

const button = (label, text, action) => {
  const element = document.createElement("button");
  Object.assign(element, { type: "button", textContent: text, title: label });
  element.setAttribute("aria-label", label);
  element.addEventListener("click", action);
  return element;
};

const mark = (attribute, wanted) => {
  for (const old of document.querySelectorAll(`[${attribute}]`)) if (old !== wanted) old.removeAttribute(attribute);
  wanted?.setAttribute(attribute, "");
};

// The panel that stands closest to the figure is the one that moves it.
const panelFor = (slide, again) => {
  const above = [];
  for (let element = slide; element; element = element.parentElement) above.push(element);
  let [nearest, distance] = [null, Infinity];
  for (const panel of document.querySelectorAll(PANELS)) {
    if (!panel.shadowRoot?.querySelector(".panel")) {
      again(panel);
      continue;
    }
    const steps = above.findIndex((element) => element.contains(panel));
    if (steps < distance) [nearest, distance] = [panel, steps];
  }
  return nearest;
};

// One row of sliders, or two equally long ones.
const columnsOf = (panel) => {
  const rows = panel.shadowRoot.querySelectorAll(".row").length;
  return String(rows > 6 ? Math.ceil(rows / 2) : Math.max(rows, 1));
};

class Presenter {
  constructor() {
    this.wanted = 0; // the number asked for, from 1; 0: no presenter view
    this.slot = null; // the figure that is shown, once it is there
    this.empty = new WeakMap();
    this.open = button("Presenter view: one figure at a time", "▣ Present", () => this.show(this.inView()));
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
    return [...document.querySelectorAll(SLIDES)].filter((slide) => slide.getClientRects().length);
  }

  // The number of the first figure that can be seen on the page.
  inView() {
    const seen = this.slides().findIndex((slide) => slide.getBoundingClientRect().bottom > 120);
    return Math.max(seen, 0) + 1;
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
    delete document.documentElement.dataset.pbPresenting;
    mark("data-pb-slide", null);
    mark("data-pb-strip", null);
    this.address();
    slide?.scrollIntoView({ block: "nearest" });
    this.open.focus({ preventScroll: true });
  }

  // On a tour each step is a page of its own, and its buttons lead on.
  move(steps) {
    const tour = document.querySelector(`.st-key-tour-${steps > 0 ? "next" : "previous"} button`);
    if (tour) {
      if (!tour.disabled) tour.click();
      return;
    }
    const slides = this.slides();
    const now = slides.findIndex((slide) => slotOf(slide) === this.slot);
    this.show(Math.min(Math.max((now < 0 ? this.wanted - 1 : now) + steps, 0), slides.length - 1) + 1);
  }

  key(event) {
    if (event.ctrlKey || event.altKey || event.metaKey || event.defaultPrevented) return;
    if (this.wanted && event.key === "Escape") return void this.leave();
    const onTour = document.querySelector(".st-key-tour-next");
    if (!(this.wanted || onTour) || event.composedPath()[0].matches?.(TYPED)) return;
    const steps = { ArrowRight: 1, PageDown: 1, ArrowLeft: -1, PageUp: -1 }[event.key];
    if (steps) this.move(steps);
    else if (event.key === "Home" || event.key === "End") {
      const end = document.querySelector(`.st-key-tour-${event.key === "Home" ? "first" : "last"} button`);
      if (end) end.click();
      else this.show(event.key === "Home" ? 1 : this.slides().length);
    } else return;
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
    const panel = slide && panelFor(slide, (host) => this.later(host));
    const strip = panel?.closest(".stElementContainer") ?? null;
    mark("data-pb-slide", slide);
    mark("data-pb-strip", strip);
    this.speak(slide, slides);
    const tour = document.querySelector(".pb-step-count");
    const count = tour ? tour.textContent : `${now + 1} / ${slides.length}`;
    if (this.count.textContent !== count) this.count.textContent = count;
    this.measure.observe(this.head);
    if (strip !== this.strip) {
      if (this.strip) this.measure.unobserve(this.strip);
      this.strip = strip;
      if (strip) this.measure.observe(strip);
    }
    this.variable("--pb-columns", panel ? columnsOf(panel) : "1");
    this.place();
    this.address();
  }

  // The sentence of a figure is the last one before it.
  speak(slide, slides) {
    const before = slide ? [...document.querySelectorAll(".stMainBlockContainer .pb-finding")].filter((one) => isBefore(one, slide)) : [];
    const finding = before.at(-1);
    // While a page is being re-made a sentence may be missing for a moment; that of another figure would be wrong.
    const borrowed = finding && slides.some((other) => other !== slide && isBefore(finding, other) && isBefore(other, slide));
    const slot = slide && slotOf(slide);
    if (borrowed && this.owned === slot) return;
    this.owned = finding && !borrowed ? slot : null;
    const note = finding?.nextElementSibling?.matches(".pb-note") ? finding.nextElementSibling.outerHTML : "";
    const title = finding?.innerHTML.replace(/<(\/?)h3\b/g, "<$1h1") ?? "";
    const html = `<div class="pb-finding">${title}</div>${note}`;
    if (this.spoken !== html) {
      this.spoken = html;
      this.sentence.innerHTML = html;
    }
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
