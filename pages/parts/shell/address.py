"""What the page's address asks for. Each choice is written there, so that a link brings it back.

The address counts when a visitor arrives at a page; from then on, what they choose does. What cannot be had is said.
"""

from collections.abc import Callable, Mapping, Sequence
from typing import Any, NamedTuple, TypeVar

import streamlit as st

from pages.parts.views.text import as_markdown, unmarked
from pages.parts.views.views import current

_VISIT, _ANEW, _BARE, _CHOICES = "address/visit", "address/anew", "address/bare", "address/choices"
Option = TypeVar("Option", bound=str)
LONGEST = 20  # characters of what was asked for that are shown


def arrive(page: str) -> None:
    """Count a visit each time that a page other than the last one is opened, or the same one is to be read anew."""
    state, anew = st.session_state, st.session_state.pop(_ANEW, False)
    last, count = state.get(_VISIT, ("", 0))
    if last != page or anew:
        state[_VISIT], state[_BARE] = (page, count + 1), anew
    if last != page:
        state[_CHOICES] = frozenset()


def come_anew() -> None:
    """Let the next run read its address as a new visitor's would: what it leaves out is as it was at first."""
    st.session_state[_ANEW] = True


def bare() -> bool:
    """Return whether this visit begins with what the address says alone, whatever was chosen before."""
    return bool(st.session_state.get(_BARE, False))


def choices() -> frozenset[str]:
    known: frozenset[str] = st.session_state.get(_CHOICES, frozenset())
    return known


def page() -> str:
    """Return the page that is open, as its address names it; Start has no name."""
    return str(st.session_state.get(_VISIT, ("", 0))[0])


def visit() -> int:
    return int(st.session_state.get(_VISIT, ("", 0))[1])


def notice(problem: str) -> None:
    st.info(as_markdown(f"The address asks for something else: {problem}"))


class Asked(NamedTuple):
    """What the address asked of a choice that cannot be had, in a sentence, and what was shown instead at first."""

    visit: int
    problem: str = ""
    instead: str | None = None


def choose(
    widget: Callable[..., Any],
    label: str,
    options: Sequence[Option] | Mapping[Option, str],
    *,
    key: str,
    default: Option | None = None,
    secret: Sequence[Option] = (),
    **properties: Any,  # noqa: ANN401
) -> Option:
    """Show a widget that offers ``options``, one of them being chosen, and bind the choice to the address.

    ``widget`` is st.selectbox, st.radio, st.segmented_control or one of these of a container. An option that is not
    offered leaves the default in place, and a sentence says so until something else is chosen. ``secret`` choices are
    never written to the address. A mapping says what each option is called.
    """
    if isinstance(options, Mapping):
        properties["format_func"], options = options.__getitem__, list(options)
    st.session_state[_CHOICES] = choices() | {key}
    memory = f"{key}/asked"
    known: Asked | None = st.session_state.get(memory)
    if known is None or known.visit != visit():
        known = Asked(visit())
        asked = st.query_params.get(key)
        if bare() and st.session_state.get(key) not in secret:
            st.session_state[key] = default or options[0]
        if asked in options:
            st.session_state[key] = asked
        elif asked is not None:
            shown = unmarked(asked)[:LONGEST] + ("…" if len(asked) > LONGEST else "")
            known = known._replace(problem=f"“{shown}” is not one of the choices for {label}.")
        elif st.session_state.get(key) in options:
            st.session_state[key] = st.session_state[key]  # another page's widget held it: it is another widget here
        st.session_state[memory] = known
    if st.session_state.get(key) not in options:
        st.session_state[key] = default or options[0]
    said = widget(label, options, key=key, **properties)
    # A browser that does not keep the rules can send anything, even that nothing is chosen.
    chosen: Option = said if said in options else default or options[0]
    if known.instead is None:
        known = known._replace(instead=chosen)
    elif known.instead != chosen:
        known = known._replace(problem="")
    st.session_state[memory] = known
    if known.problem:
        notice(known.problem)
    written = None if chosen in secret else chosen
    if written is None:
        current().secrets[key] = chosen
        st.query_params.pop(key, None)
    elif st.query_params.get(key) != written:
        st.query_params[key] = written
    return chosen


def chosen_before(key: str, options: Sequence[Option]) -> Option:
    now: Any = st.session_state.get(key)
    chosen: Option = now if now in options else options[0]
    return chosen


def unseen(label: str, options: Sequence[Option], *, key: str, **properties: Any) -> Option:  # noqa: ANN401
    """Where a choice is not offered but counts: what was chosen elsewhere, or is asked for, stays."""
    chosen: Option = st.session_state[key]
    return chosen
