// An interactive report. Each value of the slider has a frame with all that the page shows there, and the figures are
// drawn by the page's own code.

const report = JSON.parse(document.getElementById("report").textContent);
const part = (name) => document.getElementById(name);

// Parts that several frames have in common are written once.
const whole = (value) => {
  if (Array.isArray(value)) return typeof value[0] === "number" ? value : value.map(whole);
  if (value === null || typeof value !== "object") return value;
  if ("$" in value) return whole(report.pool[value.$]);
  return Object.fromEntries(Object.entries(value).map(([key, one]) => [key, whole(one)]));
};
const { frames, values } = report;
const distance = (one, other) => Math.abs(Math.log(one / other));
const nearest = (wanted) => values.reduce((best, one, i) => (distance(one, wanted) < distance(values[best], wanted) ? i : best), 0);

// What is as it was stays, with what a reader has opened in it.
const put = (place, html) => {
  if (place.shown === html) return;
  const open = place.querySelector("details")?.open;
  place.shown = place.innerHTML = html;
  if (open) place.querySelector("details")?.setAttribute("open", "");
};

const cards = new Map();
const cardOf = (slot) => {
  if (!cards.has(slot)) {
    const [card, heading, place] = ["section", "div", "div"].map((tag) => document.createElement(tag));
    heading.className = "pb-heading";
    card.append(heading, place);
    part("figures").append(card);
    cards.set(slot, { card, heading, place });
  }
  return cards.get(slot);
};

let version = 0;
const panel = {
  values: {},
  moveTo(key, value) { show(nearest(value)); },
  step(key, steps) { show(Math.min(Math.max(this.now + steps, 0), frames.length - 1)); },
};
window.privboPanels = new Map([["report", panel]]);

const show = (number) => {
  if (panel.now === number) return;
  const frame = whole(frames[number]), slider = part("setting");
  Object.assign(panel, { now: number, values: { [report.key]: values[number] } });
  slider.value = number;
  slider.setAttribute("aria-valuetext", frame.text);
  part("value").textContent = frame.text;
  put(part("headline"), frame.headline);
  put(part("tiles"), frame.tiles.join(""));
  put(part("guarantee"), frame.guarantee);
  for (const [slot, { card }] of cards) card.hidden = !frame.figures.some((figure) => figure.slot === slot);
  for (const { slot, heading, alt, height, figure } of frame.figures) {
    const shown = cardOf(slot);
    put(shown.heading, heading);
    shown.place.style.minHeight = `${height}px`;
    const data = { slot, version: ++version, figure: JSON.stringify(figure), alt, base: "", panel: "report" };
    drawChart({ data, parentElement: shown.place });
  }
};

const system = matchMedia("(prefers-color-scheme: dark)");
let chosen = null;
const dress = () => {
  const dark = chosen ?? system.matches;
  document.documentElement.style.colorScheme = document.body.style.colorScheme = dark ? "dark" : "light";
  part("theme").textContent = dark ? "Light" : "Dark";
};
system.addEventListener("change", dress);
part("theme").addEventListener("click", () => { chosen = !(chosen ?? system.matches); dress(); });
dress();

part("setting").max = frames.length - 1;
part("setting").addEventListener("input", (event) => show(Number(event.target.value)));
show(nearest(report.now));
