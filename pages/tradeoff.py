"""Trade-off: how much privacy can I afford? Regret against ε for every mechanism of a task, solved both ways."""

import time
from contextlib import closing

import streamlit as st

from pages.parts.controls.live_sliders import read_controls, show_sliders
from pages.parts.frame.address import choose
from pages.parts.frame.pace import give_way, wait
from pages.parts.frame.record import keep_answer
from pages.parts.front_door import come_in
from pages.parts.show.chart import Chart
from pages.parts.show.look import apply_style
from pages.parts.take_away.offer import take_away
from pages.parts.take_away.report import About
from pages.parts.tradeoff import figures, words
from pages.parts.tradeoff import script as tradeoff_scripts
from pages.parts.tradeoff.details import show_details
from pages.parts.tradeoff.questions import TASKS, Asked, TaskName, ask
from pages.parts.tradeoff.solvers import Solvers, budget_slider, epsilon_slider
from privbo_core.outsourced.simulation import Measure
from privbo_core.tradeoff import Sweep, sweep

REDRAW = 0.3  # seconds between two pictures of a sweep that is still being computed
HELD = 30.0  # seconds for which the rest of the page waits for a held thumb
DIM_OLD = "<span></span><style>.st-key-chart-tradeoff .plot { animation: pb-dim 0.2s 0.4s forwards; }</style>"
MEASURES: dict[str, Measure] = {"Best found": "simple", "Summed up": "cumulative"}

come_in()
colours = apply_style()
left, right = st.columns([1, 3.6], gap="medium")
with right:
    title_place = st.empty()
    chart = Chart("tradeoff")
    measure_place, units_place, stop_place = st.columns([1.5, 1.5, 0.6])
    cost_place, epsilon_place = st.columns(2, gap="medium")
with left:
    st.html("<h1 class='pb-page'>What does privacy cost?</h1>")
    task: TaskName = choose(
        st.segmented_control, "Task", TASKS, key="tradeoff_task", required=True, label_visibility="collapsed"
    )
measure: Measure = "simple"
if task != "Release":
    measure = MEASURES[choose(measure_place.segmented_control, "Regret", list(MEASURES), default="Best found", key="tradeoff_measure",
                              required=True, label_visibility="collapsed")]  # fmt: skip
if st.session_state.get("tradeoff/task", task) != task:
    for name in (
        "delta",
        "r",
        "distance",
        "T",
        "runs",
        "from",
        "to",
        "k1",
        "sigma",
        "A",
        "tau",
        "z",
        "q",
        "N",
        "epsilon",
        "budget",
    ):
        st.query_params.pop(name, None)  # of the task left behind, where they have other ranges
st.session_state["tradeoff/task"] = task
with left:
    chosen = ask(task, measure)
    panel_place = st.container(key="controls")
if chosen is None:
    right.info("There is nothing to tune yet: choose a file on the left, or one of the built-in tasks.")
    st.stop()
asked: Asked = chosen

unit = asked.units[0]
if len(asked.units) > 1:
    names = {"σ_y": asked.units[0], asked.units[1].name: asked.units[1]}
    unit = names[choose(units_place.segmented_control, "Allowed extra regret in", list(names), default="σ_y", key="tradeoff_unit",
                        required=True, label_visibility="collapsed")]  # fmt: skip
spender, saver = epsilon_slider(asked), budget_slider(asked, unit)
which = f"{asked.task}/{measure}/{unit.name}/{asked.size:.6g}"
if st.session_state.get("tradeoff/which", which) != which:
    st.query_params.pop(saver.key, None)  # it was meant in another unit
st.session_state["tradeoff/which"] = which
spending, saving = (
    read_controls(f"tradeoff-epsilon/{task}", [spender]),
    read_controls(f"tradeoff-budget/{which}", [saver]),
)
dragging = asked.controls.dragging or spending.dragging or saving.dragging
epsilon, budget = spending["epsilon"], unit.read(saving["budget"])

memory = st.session_state.setdefault("tradeoff/curve", {})
same = memory.get("of") == asked.of
stopped = same and bool(memory.get("stopped"))
top = memory.get("top") if dragging and memory.get("which") == which else None
if not same:  # the old figure stays on the screen until there is a new one, but no number of it is used
    memory.clear()
    memory.update(of=asked.of, which=which, top=top, sweep=Sweep())
found: Sweep = memory["sweep"]
solvers = Solvers(asked, epsilon, budget, memory)
drawn = time.perf_counter()


def draw() -> None:
    """Draw the marks that there are, with what the solvers added, and state what they show."""
    shown = figures.marks_with(found, solvers.settled)
    title_place.html(words.title(asked, shown, stopped))
    view = figures.View(
        epsilon, budget, asked.low, asked.high, f"{asked.epsilon_is} (log scale)", f"{asked.cost_is} ({asked.units[0].name})",
        log=asked.log_costs, top=top,
    )  # fmt: skip
    chart.draw(
        figures.trade_off(asked.question, shown, view, colours), f"{asked.cost_is} against ε, for each mechanism."
    )


if found.runs:
    draw()
with panel_place:
    # Only now, so that the panel sends its next change after the picture above has been sent.
    show_sliders(asked.key, asked.panel, asked.controls)
    take_away(
        About("What does privacy cost?", asked.data, asked.own, asked.remarks, (("Task", task), ("Regret", measure))),
        lambda: tradeoff_scripts.trade_off(asked.lines(), asked.low, asked.high, asked.runs, epsilon, budget),
    )
with cost_place:
    cost_head, cost_panel, cost_text = st.empty(), st.container(), st.empty()
with epsilon_place:
    epsilon_head, epsilon_panel, epsilon_text = st.empty(), st.container(), st.empty()


def answer() -> None:
    """Write both answers as far as they are known; until then, what was known before, dimmed."""
    costs = words.cost_answer(asked, epsilon, solvers.extras, solvers.old_extras)
    needs = words.epsilon_answer(asked, solvers.answers, solvers.old_answers)
    cost_text.html(costs)
    epsilon_text.html(needs)
    keep_answer(f"What does ε = {epsilon:.3g} cost?", costs)
    keep_answer(f"Which ε do I need for {saver.label}: {saving['budget']:.3g}?", needs)


answer()
cost_head.html(words.heading("What does this ε cost?"))
epsilon_head.html(words.heading("Which ε do I need?"))
with cost_panel:
    show_sliders(f"tradeoff-epsilon/{task}", [spender], spending)
with epsilon_panel:
    show_sliders(f"tradeoff-budget/{which}", [saver], saving)
with right:
    asked.show_meaning(epsilon, colours)
    remarks_place = st.container()
    for remark in asked.remarks:
        remarks_place.html(f'<div class="pb-note">{remark}</div>')

solvers.estimate(found)
answer()
stop_button = stop_place.empty()
if stopped:
    stop_button.button("Go on", on_click=memory.pop, args=("stopped", None), key="tradeoff_go")
elif not found.complete:
    stop_button.button("Stop", on_click=memory.update, args=({"stopped": True},), key="tradeoff_stop")

if not stopped and not found.complete:
    dimming = right.empty()
    if not found.runs:
        dimming.html(DIM_OLD)
    measured = False
    with closing(sweep(asked.question, low=asked.low, high=asked.high, runs=asked.runs)) as stream:
        for now in stream:
            give_way()
            if now.total < found.total and not now.complete:
                continue  # a sweep that was interrupted catches up from memory
            found = now
            memory["sweep"] = found
            if time.perf_counter() - drawn > REDRAW and found.runs:
                draw()
                drawn = time.perf_counter()
                dimming.empty()
            if found.outlined and not measured:
                measured = True
                for _ in solvers.measure(found):
                    give_way()
                solvers.estimate(found)
                answer()
            if found.outlined and asked.controls.dragging:
                break
    draw()
    dimming.empty()
if not dragging:
    memory["top"] = figures.top_of(found)
for _ in solvers.measure(found):
    give_way()
memory.update(extras=solvers.extras, answers=solvers.answers)
answer()
if dragging:
    solvers.estimate(found)
    answer()
    # What lies below stays as it is until the thumb is let go; to finish the script now would take it off the page.
    wait(HELD)
for _ in solvers.settle(found):
    give_way()
    if time.perf_counter() - drawn > REDRAW:
        drawn = time.perf_counter()
        answer()
memory.update(settled=solvers.settled, budget=budget, answers=solvers.answers)
answer()
draw()
if found.complete:
    stop_button.empty()
with right:
    show_details(asked, figures.marks_with(found, solvers.settled), epsilon, budget)
