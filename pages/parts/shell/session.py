"""What a session keeps of its visitor, step by step."""

from dataclasses import dataclass, field, replace

import streamlit as st

from pages.parts.shell import address
from pages.parts.views import views
from pages.ui.sliders import OWN_DATA as OWN

__all__ = ["OWN"]
_KEY = "history"
WHAT = ("view", "data", "task", "agents", "audited")
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


@dataclass(frozen=True)
class History:
    """The steps on one page, the present one last; the names of its pickers and of its sliders."""

    page: str
    steps: tuple[Step, ...] = ()
    sliders: frozenset[str] = frozenset()
    visit: int = 0


def note(sliders: set[str]) -> History:
    """Note how the page is set now; ``sliders``: the keys of those that are shown. Call it when no thumb is held."""
    history = _history()
    shown = history.sliders | sliders
    secrets = dict(views.last().secrets)
    known = st.query_params.to_dict()
    # until the page has read its address, that alone counts; then, what was chosen
    if history.visit == address.visit():
        known |= {name: str(st.session_state[name]) for name in address.choices() if name in st.session_state}
    names = {*shown, *address.choices()} - {"view", *secrets}
    step = Step({name: known[name] for name in names if name in known}, secrets)
    before = history.steps[:-1] if history.steps and history.steps[-1].same(step) else history.steps[-MOST:]
    noted = History(history.page, (*before, step), shown, address.visit())
    st.session_state[_KEY] = noted
    return noted


def can_undo() -> bool:
    return len(_history().steps) > 1


def undo() -> None:
    history = note(set())
    if len(history.steps) > 1:
        history = replace(history, steps=history.steps[:-1])
        st.session_state[_KEY] = history
        _go(history.steps[-1], history)


def reset() -> None:
    """Bring the page's defaults back; what is looked at stays."""
    history = note(set())
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
    """Return what is known of the page that is open; of another one, nothing."""
    known = st.session_state.get(_KEY)
    return known if isinstance(known, History) and known.page == address.page() else History(address.page())
