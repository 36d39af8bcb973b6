"""The two questions of the Trade-off page, each with one slider, and what an earlier setting left behind."""

from collections.abc import Iterable
from dataclasses import dataclass

import streamlit as st

from pages.parts.live.sliders import Controls, Slider, human_above, of_epsilon, read_controls, show_sliders
from pages.parts.shell.address import visit
from pages.parts.shell.session import OWN
from pages.parts.system.question import Inquiry, Unit


@dataclass(frozen=True)
class Solver:
    """One of the two questions: its heading, the name of its panel, the slider in it, and what that says now."""

    heading: str
    key: str
    slider: Slider
    controls: Controls

    @property
    def value(self) -> float:
        """What the slider says."""
        return self.controls[self.slider.key]

    def show(self) -> None:
        """Draw the slider."""
        show_sliders(self.key, [self.slider], self.controls)


def cost_of_epsilon(asked: Inquiry) -> Solver:
    """Return the question what an ε costs, as it is asked now."""
    key, slider = f"tradeoff-epsilon/{asked.task}", epsilon_slider(asked)
    return Solver("What does this ε cost?", key, slider, read_controls(key, [slider]))


def epsilon_for_budget(asked: Inquiry, unit: Unit, scale: str) -> Solver:
    """Return the question which ε a budget in a unit needs, as it is asked now.

    Each ``scale`` has a panel of its own.
    """
    key, slider = f"{OWN}tradeoff-budget/{scale}", budget_slider(asked, unit)
    return Solver("Which ε do I need?", key, slider, read_controls(key, [slider]))


def epsilon_slider(asked: Inquiry) -> Slider:
    """Return the slider of the ε that is asked about."""
    ends = next(slider for slider in asked.panel if slider.key == "from")
    return of_epsilon(ends.min, ends.max, 3, "The ε that you can spend.", present=True)


def budget_slider(asked: Inquiry, unit: Unit) -> Slider:
    """Return the slider of the extra cost that is allowed, in a unit.

    A tenth of its size per evaluation is the default.

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
