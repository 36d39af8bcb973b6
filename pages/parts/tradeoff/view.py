"""The two questions of the Trade-off page, each with one slider, and what an earlier setting left behind."""

from collections.abc import Iterable
from contextlib import closing
from dataclasses import dataclass, replace

import streamlit as st

from pages.parts.live.sliders import (
    Controls,
    Slider,
    human_above,
    last_values,
    of_epsilon,
    put,
    read_controls,
    start_from,
)
from pages.parts.live.work import Steps
from pages.parts.shell.address import visit
from pages.parts.shell.session import OWN
from pages.parts.system.question import Inquiry, Unit
from pages.parts.tradeoff import figures, words
from pages.parts.tradeoff.states import State, Wanted, states
from pages.parts.views.views import Answer, Figure


@dataclass(frozen=True)
class Solver:
    """One of the two questions: its heading, the name of its panel, the slider in it, and what that says now."""

    heading: str
    key: str
    slider: Slider
    controls: Controls

    @property
    def value(self) -> float:
        return self.controls[self.slider.key]


def spender_key(task: str) -> str:
    return f"tradeoff-epsilon/{task}"


def cost_of_epsilon(asked: Inquiry) -> Solver:
    """Return the question what an ε costs: at first the one at which the system's own page stands."""
    key, ends = spender_key(asked.task), next(slider for slider in asked.panel if slider.key == "from")
    own = asked.task.lower()
    start = min(max(last_values(own).get("epsilon", 3.0), ends.min), ends.max)
    slider = of_epsilon(ends.min, ends.max, start, "The ε that you can spend.", present=True)
    start_from(key, [slider])
    follow_other_depth(key, own)
    return Solver("What does this ε cost?", key, slider, read_controls(key, [slider]))


_SHOWN = "tradeoff/shown"


def follow_other_depth(panel: str, other: str) -> None:
    """Let ε be what it was in the ``other`` depth's panel if that is what this visit has shown last."""
    if st.session_state.get(_SHOWN) == (visit(), other):
        put(panel, {"epsilon": last_values(other)["epsilon"]})
    st.session_state[_SHOWN] = visit(), panel


def epsilon_for_budget(asked: Inquiry, unit: Unit, scale: str) -> Solver:
    """Return the question which ε a budget in a unit needs, as it is asked now; each ``scale`` has its own panel."""
    key, slider = f"{OWN}tradeoff-budget/{scale}", budget_slider(asked, unit)
    return Solver("Which ε do I need?", key, slider, read_controls(key, [slider]))


def budget_slider(asked: Inquiry, unit: Unit) -> Slider:
    """Return the slider of the extra cost that is allowed: at first a tenth of its size per evaluation.

    The range does not depend on T, so that a budget stays when T moves.
    """
    shares = (0.002, 2.0, 0.1) if asked.summed is None else (0.02, 400.0, 0.1 * asked.summed)
    low, high, value = (unit.write(share * asked.size) for share in shares)
    name = f"a factor in {unit.text}" if unit.factor else unit.text
    return Slider(
        "budget",
        f"at most this much more than {asked.question.plain.name} ({name})",
        low,
        high,
        human_above(value),
        "stricter",
        "looser",
        "The extra regret that you can afford.",
        step=0.01,
        log=True,
        present=True,
    )


_TASK = "tradeoff/task"
_SCALE, _SCALED = f"{OWN}tradeoff/scale", "tradeoff/scaled"


def leave_task(task: str) -> None:
    """Take what another task's sliders wrote in this visit out of the address: there they have other ranges."""
    last_visit, last, keys = st.session_state.get(_TASK, (None, task, ()))
    if (last_visit, last) != (visit(), task):
        if last_visit == visit():
            for key in keys:
                st.query_params.pop(key, None)
        st.session_state[_TASK] = (visit(), task, ())


def will_leave(keys: Iterable[str]) -> None:
    """Remember which sliders the present task has."""
    at, task, known = st.session_state[_TASK]
    st.session_state[_TASK] = (at, task, tuple({*known, *keys}))


def leave_scale(scale: str, key: str) -> None:
    """Take a setting out of the address if in this visit it was meant on another scale."""
    if st.session_state.get(_SCALED) == visit() and st.session_state.get(_SCALE) != scale:
        st.query_params.pop(key, None)
    st.session_state[_SCALED], st.session_state[_SCALE] = visit(), scale


@dataclass(frozen=True, eq=False)
class View:
    """How far the page has got with what is wanted; ``stopped``: somebody has stopped it."""

    wanted: Wanted
    state: State
    stopped: bool

    @property
    def inquiry(self) -> Inquiry:
        return self.wanted.inquiry

    @property
    def over(self) -> bool:
        return self.state.sweep.complete or self.stopped

    @property
    def worth_drawing(self) -> bool:
        """Whether there is a first mark, or never will be."""
        return bool(self.state.sweep.runs) or self.over

    @property
    def seen(self) -> tuple[object, ...]:
        """What the figure is drawn of: the same picture again where that is the same."""
        return self.state.sweep, self.state.settled, self.inquiry.instead

    def figure(self, top: float | None) -> Figure:
        """Return the marks that there are, and what they show; ``top``: of the axis, where it is held."""
        asked, shown = self.inquiry, self.state.shown
        titles = f"{asked.epsilon_is} (log scale)", f"{asked.cost_is} ({asked.units[0].name})"
        marked = self.wanted.epsilon, self.wanted.budget
        axes = figures.Axes(*marked, asked.low, asked.high, *titles, asked.log_costs, top, asked.strokes)
        picture = figures.trade_off(asked.question, shown, axes)
        alt = f"{asked.cost_is} against ε, for each mechanism."
        return Figure("tradeoff", words.title(asked, shown, self.stopped), picture, alt)

    @property
    def cost(self) -> Answer:
        return words.cost_answer(self.inquiry, self.wanted.epsilon, self.state.extras, self.state.old_extras)

    @property
    def needed(self) -> Answer:
        return words.epsilon_answer(self.inquiry, self.state.answers, self.state.old_answers)


def compute(view: View, *, held: bool) -> Steps[View]:
    """Yield views, better and better ones; while a thumb is ``held``, of no more than the outline."""
    with closing(states(view.wanted, view.state, stopped=view.stopped, held=held)) as steps:
        for state in steps:
            yield replace(view, state=state)
