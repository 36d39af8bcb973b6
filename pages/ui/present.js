// Presenter view: one figure fills the screen, with its title above and the sliders that it is about below.
//
// Nothing on the page is moved. The card that is shown gets an attribute, and the style sheet does the rest. The number
// of the figure stands in the address, so that a link opens the view.

const CARDS = ".stVerticalBlock[class*='st-key-card-']";
const TYPING = "input, textarea, select, [contenteditable], [role=slider], [role=radio], [role=combobox], [role=listbox]";

class Presenter {
  constructor() {
    this.shown = 0; // from 1; 0 is the normal view
    this.open = document.createElement("button");
    Object.assign(this.open, { type: "button", className: "pb-bar-button", textContent: "Present", title: "Show one figure at a time" });
    this.open.addEventListener("click", () => this.enter());
    this.close = document.createElement("div");
    this.close.className = "pb-present-nav";
    this.close.append(
      this.button("Previous figure (←)", "←", () => this.move(-1)), this.button("Next figure (→)", "→", () => this.move(1)),
      this.button("Leave (Esc)", "Close", () => this.leave()),
    );
    document.addEventListener("keydown", (event) => this.key(event));
    document.addEventListener("fullscreenchange", () => { if (this.shown && !document.fullscreenElement && this.full) this.leave(); });
    // Cards are made again by the server whenever something is dragged.
    new MutationObserver(() => { if (this.shown) this.mark(); }).observe(document.body, { subtree: true, childList: true });
    const asked = Number(new URLSearchParams(location.search).get("present"));
    if (Number.isInteger(asked) && asked > 0) this.show(asked);
  }

  button(label, text, action) {
    const made = document.createElement("button");
    Object.assign(made, { type: "button", className: "pb-bar-button", textContent: text, title: label });
    made.setAttribute("aria-label", label);
    made.addEventListener("click", action);
    return made;
  }

  attach(parent) {
    if (this.open.parentElement !== parent) parent.append(this.open, this.close);
  }

  cards() {
    return [...document.querySelectorAll(CARDS)].filter((card) => card.querySelector(".pb-chart"));
  }

  async enter() {
    const first = this.cards().findIndex((card) => card.getBoundingClientRect().bottom > 120);
    this.show(Math.max(first, 0) + 1);
    try {
      await document.documentElement.requestFullscreen();
      this.full = true;
      if (!this.shown) await document.exitFullscreen(); // the view was left before the browser had granted it
    } catch {
      this.full = false; // the view works without
    }
  }

  show(number) {
    this.shown = number;
    document.documentElement.dataset.pbPresenting = "";
    document.activeElement?.blur();
    this.mark();
    this.write();
  }

  mark() {
    const cards = this.cards();
    const wanted = cards[Math.min(this.shown, cards.length) - 1];
    for (const card of document.querySelectorAll("[data-pb-presented]")) if (card !== wanted) delete card.dataset.pbPresented;
    if (wanted && !("pbPresented" in wanted.dataset)) wanted.dataset.pbPresented = "";
    for (const chart of window.privboCharts?.values() ?? []) chart.go();
  }

  // Where a page has steps, its own buttons lead on.
  move(steps) {
    const leads = document.querySelector(`.st-key-${steps > 0 ? "next" : "previous"} button`);
    if (leads) { if (!leads.disabled) leads.click(); return; }
    this.show(Math.min(Math.max(this.shown + steps, 1), this.cards().length));
  }

  leave() {
    this.shown = 0;
    delete document.documentElement.dataset.pbPresenting;
    for (const card of document.querySelectorAll("[data-pb-presented]")) delete card.dataset.pbPresented;
    if (document.fullscreenElement) document.exitFullscreen().catch(() => {});
    for (const chart of window.privboCharts?.values() ?? []) chart.go();
    this.write();
    this.open.focus({ preventScroll: true });
  }

  key(event) {
    if (!this.shown || event.ctrlKey || event.altKey || event.metaKey || event.defaultPrevented) return;
    if (event.key === "Escape") { this.leave(); return; }
    if (event.composedPath()[0].matches?.(TYPING)) return;
    const steps = { ArrowRight: 1, PageDown: 1, ArrowLeft: -1, PageUp: -1 }[event.key];
    if (!steps) return;
    event.preventDefault();
    this.move(steps);
  }

  write() {
    const address = new URL(location.href);
    if (this.shown) address.searchParams.set("present", String(this.shown));
    else address.searchParams.delete("present");
    if (address.href !== location.href) history.replaceState(history.state, "", address);
  }
}

// A link of the kit leads to another page without loading the app anew, which would end the visitor's session. Streamlit
// follows the browser's history, so the page is opened as if the visitor had gone back to it.
function follow(event) {
  const link = event.composedPath().find((each) => each.matches?.("a.pb-link"));
  const elsewhere = link && link.pathname !== location.pathname;
  if (!elsewhere || event.button || event.ctrlKey || event.metaKey || event.shiftKey || event.altKey) return;
  event.preventDefault();
  history.pushState({}, "", link.href);
  dispatchEvent(new PopStateEvent("popstate", { state: {} }));
}

let presenter = null;

export default function ({ parentElement }) {
  if (!presenter) document.addEventListener("click", follow);
  presenter ??= new Presenter();
  presenter.attach(parentElement);
}
