"""What the page's address asks for. Each choice is written there, so that a link brings it back.

The address counts when a visitor arrives at a page; from then on, what they choose does. What cannot be had is said.
"""

from collections.abc import Callable, Sequence
from typing import Any, TypeVar

import streamlit as st

from pages.parts.values.text import as_markdown, unmarked

_VISIT = "address/visit"
Option = TypeVar("Option", bound=str)
LONGEST = 20  # characters of what was asked for that are shown


def arrive(page: str) -> None:
    """Count a visit each time that a page other than the last one is opened."""
    last, count = st.session_state.get(_VISIT, ("", 0))
    if last != page:
        st.session_state[_VISIT] = (page, count + 1)


def visit() -> int:
    """Return the number of the present visit to a page."""
    return int(st.session_state.get(_VISIT, ("", 0))[1])


def notice(problem: str) -> None:
    """Say that the address asks for something that cannot be had."""
    st.info(as_markdown(f"The address asks for something else: {problem}"))


def choose(
    widget: Callable[..., Any], label: str, options: Sequence[Option], *, key: str, default: Option | None = None,
    secret: Sequence[Option] = (), **properties: Any,  # noqa: ANN401
) -> Option:  # fmt: skip
    """Show a widget that offers ``options``, one of them being chosen, and bind the choice to the address.

    ``widget`` is st.selectbox, st.radio, st.segmented_control or one of these of a container. An option that is not
    offered leaves the default in place, and a sentence says so until something else is chosen. ``secret`` choices are
    never written to the address.
    """
    memory = f"{key}/asked"
    known = st.session_state.get(memory, {})
    if known.get("visit") != visit():
        known = {"visit": visit()}
        asked = st.query_params.get(key)
        if asked in options:
            st.session_state[key] = asked
        elif asked is not None:
            shown = unmarked(asked)[:LONGEST] + ("…" if len(asked) > LONGEST else "")
            known["problem"] = f"“{shown}” is not one of the choices for {label}."
        st.session_state[memory] = known
    if st.session_state.get(key) not in options:
        st.session_state[key] = default or options[0]
    chosen: Option = widget(label, options, key=key, **properties)
    if known.setdefault("instead", chosen) != chosen:
        known.pop("problem", None)
    if "problem" in known:
        notice(known["problem"])
    written = None if chosen in secret else chosen
    if st.query_params.get(key) != written:
        if written is None:
            del st.query_params[key]
        else:
            st.query_params[key] = written
    return chosen
