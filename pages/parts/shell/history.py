"""What was set on the page before. A step is a change of a slider or of a picker; a drag is one step. Session only."""

from dataclasses import dataclass, field

import streamlit as st

from pages.parts.shell import address
from pages.parts.views import record

_KEY = "history"
WHAT = ("view", "data", "tour_data", "task", "agents", "lesson", "step", "seen", "audited", "experiment", "seat")
"""The choices of what is looked at, and how: no settings of it."""
_ATTACK = "attack-"
MOST = 200


@dataclass(frozen=True)
class Step:
    """Settings as the address has them, and choices that no address holds."""

    settings: dict[str, str]
    secrets: dict[str, str] = field(default_factory=dict)

    def same(self, other: "Step") -> bool:
        """Return whether what both say is the same: a slider that has only now come up is no change."""
        shared = self.settings.keys() & other.settings.keys()
        return self.secrets == other.secrets and all(self.settings[name] == other.settings[name] for name in shared)


@dataclass
class History:
    """The steps on one page, the present one last; the names of its pickers and of its sliders."""

    page: str
    steps: list[Step] = field(default_factory=list)
    sliders: set[str] = field(default_factory=set)
    visit: int = 0


def note(sliders: set[str]) -> None:
    """Note how the page is set now; ``sliders``: the keys of those that are shown. Call it when no thumb is held."""
    history = _history()
    history.sliders |= sliders
    secrets = dict(record.last().secrets)
    known = {**st.query_params.to_dict()}
    if (
        history.visit == address.visit()
    ):  # until the page has read its address, that alone counts; then, what was chosen
        known |= {name: str(st.session_state[name]) for name in address.choices() if name in st.session_state}
    history.visit = address.visit()
    names = {*history.sliders, *address.choices()} - {"view", *secrets}
    settings = {name: known[name] for name in names if name in known}
    step = Step(settings, secrets)
    if history.steps and history.steps[-1].same(step):
        history.steps[-1] = step
    else:
        history.steps = [*history.steps[-MOST:], step]


def can_undo() -> bool:
    """Return whether something has been changed on this page."""
    return len(_history().steps) > 1


def undo() -> None:
    """Take back the last change."""
    history = _history()
    note(set())
    if len(history.steps) > 1:
        history.steps.pop()
        _go(history.steps[-1], history)


def reset() -> None:
    """Bring the page's defaults back; what is looked at stays."""
    history = _history()
    note(set())
    last = history.steps[-1]
    kept = {name: value for name, value in last.settings.items() if name in WHAT or name.startswith(_ATTACK)}
    _go(Step(kept, last.secrets), history)


def _go(step: Step, history: History) -> None:
    for name in {*history.sliders, *address.choices()} - {"view"}:
        wanted = step.settings.get(name)
        if wanted is None:
            st.query_params.pop(name, None)
        elif st.query_params.get(name) != wanted:
            st.query_params[name] = wanted
    st.session_state.update(step.secrets)
    address.come_anew()


def _history() -> History:
    known = st.session_state.get(_KEY)
    if not isinstance(known, History) or known.page != address.page():
        known = st.session_state[_KEY] = History(address.page())
    return known
