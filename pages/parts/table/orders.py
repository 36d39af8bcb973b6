"""An order that was signed, on its way to the workbench in this session.

Gone with all that it holds of its visitor's.
"""

from collections.abc import Container, Sequence

import streamlit as st

from pages.parts.shell.session import OWN, at_stake
from privbo_core.decision import Decision

MANY = 3
_ORDER, _WAITS = f"{OWN}order", f"{OWN}order waits"


def hand_over(decision: Decision) -> None:
    """Give an order to the holder's seat at the workbench, which takes it when it is opened next."""
    st.session_state[_ORDER] = decision
    st.session_state[_WAITS] = True


def order() -> Decision | None:
    """Return the order that the workbench works on, if there is one."""
    kept: Decision | None = st.session_state.get(_ORDER)
    return kept


def waits() -> bool:
    """Return whether it has not been taken yet: its settings are not those of the workbench."""
    return bool(st.session_state.get(_WAITS, False))


def taken() -> None:
    """Note that its settings are those of the workbench."""
    st.session_state[_WAITS] = False


def made_of_others(names: Sequence[str], columns: Container[str], numbers: Container[str]) -> list[str]:
    """Return those of an order's columns that Data made of a file's ``columns``.

    Of ``numbers``, a date or a category.
    """
    return [name for name in names if name not in numbers and _source(name) in columns]


def _source(name: str) -> str:
    return name.removeprefix("log10 ").partition(" = ")[0]


def not_released(made: Sequence[str]) -> str:
    """Return why the workbench does not release columns that were ``made`` of others, and what to do."""
    shown = " and ".join(map(repr, made[:MANY])) + (f" and {len(made) - MANY} more" if len(made) > MANY else "")
    do, they = ("does", "it is") if len(made) == 1 else ("do", "each is")
    return (
        f"The Workbench releases numbers as they stand in the file, and {shown} {do} not stand in it: {they} a "
        "logarithm, a date or a category. On Data, choose other inputs, or leave the logarithm out; then sign."
    )


def drop() -> None:
    """Put the order aside."""
    st.session_state.pop(_ORDER, None)
    st.session_state.pop(_WAITS, None)


@at_stake
def _in_use() -> str:
    return "the order in use" if order() else ""
