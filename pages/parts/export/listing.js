// The list of scenes. What somebody does in it is sent as acts with numbers; each is done once, however often it arrives.

const lists = new WeakMap();
const make = (tag, attributes, ...children) => {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) element.setAttribute(name, value);
  element.append(...children);
  return element;
};

class List {
  constructor(root) {
    this.rows = new Map();
    this.acts = [];
    this.number = 0;
    this.box = make("ol", { class: "scenes" });
    this.said = make("div", { class: "said", role: "status" });
    root.append(this.box, this.said);
  }

  act(kind, id, more = {}) {
    this.number += 1;
    this.acts.push({ number: this.number, kind, id, ...more });
    this.send("said", { acts: this.acts });
  }

  update(data, setStateValue) {
    this.send = setStateValue;
    this.number = Math.max(this.number, data.ack);
    this.acts = this.acts.filter((act) => act.number > data.ack);
    if (this.acts.length || this.dragged) return; // the answer to the latest act is still to come
    const known = new Set(data.rows.map((row) => row.id));
    for (const [id, row] of this.rows) if (!known.has(id)) { row.item.remove(); this.rows.delete(id); }
    for (const row of data.rows) this.refresh(row, data);
    const wanted = data.rows.map((row) => this.rows.get(row.id).item);
    if (wanted.some((item, place) => this.box.children[place] !== item)) this.box.append(...wanted);
    this.count();
  }

  refresh(spec, data) {
    const row = this.rows.get(spec.id) ?? this.build(spec, data.longest);
    row.name = spec.title;
    row.item.toggleAttribute("data-now", spec.id === data.now);
    for (const [input, value] of [[row.title, spec.title], [row.note, spec.note]]) {
      if (input.getRootNode().activeElement !== input) input.value = value;
    }
    row.page.textContent = spec.own ? `${spec.page} · own data` : spec.page;
    row.page.classList.toggle("own", spec.own);
    const offered = JSON.stringify(spec.shots);
    if (row.offered !== offered) {
      row.offered = offered;
      row.slot.replaceChildren(...spec.shots.map(([slot, title]) => make("option", { value: slot }, title)));
    }
    row.slot.value = spec.slot;
    row.slot.hidden = spec.shots.length < 2;
  }

  build(spec, longest) {
    const { id } = spec;
    const handle = make("button", { type: "button", class: "handle" }, "⠿");
    const title = make("input", { class: "title", "aria-label": "Title", maxlength: longest.title, autocomplete: "off" });
    const note = make("textarea", { class: "note", "aria-label": "Note", rows: 1, maxlength: longest.note, placeholder: "Note for the speaker" });
    const slot = make("select", { class: "slot", "aria-label": "Picture" });
    const page = make("span", { class: "page" });
    const open = make("button", { type: "button", class: "go", title: "Go to this scene" }, "Open");
    const remove = make("button", { type: "button", class: "remove", title: "Remove this scene" }, "✕");
    const item = make("li", {}, handle, make("div", { class: "body" },
      title, note, make("div", { class: "foot" }, page, slot, open, remove)));
    const row = { item, handle, title, note, slot, page, open, remove, name: spec.title };
    this.rows.set(id, row);
    title.addEventListener("change", () => this.act("title", id, { text: title.value }));
    title.addEventListener("keydown", (event) => { if (event.key === "Enter") title.blur(); });
    note.addEventListener("change", () => this.act("note", id, { text: note.value }));
    slot.addEventListener("change", () => this.act("slot", id, { text: slot.value }));
    open.addEventListener("click", () => this.act("go", id));
    remove.addEventListener("click", () => {
      const next = item.nextElementSibling ?? item.previousElementSibling;
      item.remove();
      this.rows.delete(id);
      next?.querySelector(".remove").focus();
      this.count();
      this.act("remove", id);
    });
    handle.addEventListener("keydown", (event) => {
      const steps = { ArrowUp: -1, ArrowDown: 1, Home: -1e3, End: 1e3 }[event.key];
      if (!steps) return;
      event.preventDefault();
      const last = this.box.children.length - 1;
      const [from, to] = [this.place(item), Math.min(Math.max(this.place(item) + steps, 0), last)];
      if (from === to) return;
      this.put(item, to);
      handle.focus();
      this.act("move", id, { to });
      this.said.textContent = `${row.name}: now scene ${to + 1} of ${last + 1}`;
    });
    handle.addEventListener("pointerdown", (event) => this.drag(event, id, row));
    return row;
  }

  // While a scene is dragged, it takes the place of whichever scene its handle is over.
  drag(event, id, { item, handle }) {
    if (event.button) return;
    event.preventDefault();
    handle.focus();
    const from = this.place(item);
    this.dragged = item;
    item.toggleAttribute("data-dragged", true);
    handle.setPointerCapture(event.pointerId);
    const move = ({ clientY }) => {
      const others = [...this.box.children].filter((one) => one !== item);
      const before = others.filter((one) => { const box = one.getBoundingClientRect(); return clientY > box.top + box.height / 2; });
      if (before.length !== this.place(item)) this.put(item, before.length);
    };
    const end = () => {
      for (const name of ["pointerup", "pointercancel", "lostpointercapture"]) handle.removeEventListener(name, end);
      handle.removeEventListener("pointermove", move);
      item.toggleAttribute("data-dragged", false);
      this.dragged = null;
      if (this.place(item) !== from) this.act("move", id, { to: this.place(item) });
    };
    handle.addEventListener("pointermove", move);
    for (const name of ["pointerup", "pointercancel", "lostpointercapture"]) handle.addEventListener(name, end);
  }

  place(item) { return [...this.box.children].indexOf(item); }

  // Only the others are taken out and put in again: what is dragged keeps the pointer and the focus.
  put(item, to) {
    const others = [...this.box.children].filter((one) => one !== item);
    for (const one of others.slice(0, to)) this.box.insertBefore(one, item);
    for (const one of others.slice(to)) this.box.append(one);
    this.count();
  }

  count() {
    const last = this.box.children.length;
    for (const row of this.rows.values()) {
      const place = this.place(row.item) + 1;
      row.handle.setAttribute("aria-label", `Scene ${place} of ${last}, ${row.name}: drag, or move with the arrow keys`);
      row.handle.title = "Drag, or move with the arrow keys";
      row.open.setAttribute("aria-label", `Open scene ${place}`);
      row.remove.setAttribute("aria-label", `Remove scene ${place}`);
    }
  }
}

export default function ({ data, parentElement, setStateValue }) {
  let list = lists.get(parentElement);
  if (!list) lists.set(parentElement, (list = new List(parentElement)));
  list.update(data, setStateValue);
}
