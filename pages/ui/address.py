"""Keep choices in the page's address, so that a link or a reload brings them back.

The address counts when a visitor arrives at a page, and when a link changes it later. Otherwise the widgets count, and
write into it. A browser that is fast sends a change with the address from before the last one was written, so what a
page has written itself never counts as news.
"""

from collections.abc import Callable, Mapping
from typing import Any, TypeVar

import streamlit as st

from pages.ui.text import to_markdown

ARRIVED, FIRST_RUN = "ui/arrived", "ui/first run"
Option = TypeVar("Option", bound=str)
_MAX_ECHO = 30


def arrive(page: str) -> bool:
    """Note that this run shows a page, and return whether it is the first one since the visitor came to it."""
    first = st.session_state.get(ARRIVED) != page
    st.session_state[ARRIVED], st.session_state[FIRST_RUN] = page, first
    return first


def choose(
    widget: Callable[..., Any] | None,
    label: str,
    options: Mapping[Option, str],
    *,
    key: str,
    default: Option | None = None,
    private: bool = False,
    **properties: Any,  # noqa: ANN401
) -> Option:
    """Show a widget with options and their labels, and return the chosen option.

    ``widget`` is `st.selectbox`, `st.segmented_control` or `st.radio`, or None where the choice counts but isn't shown,
    such as in a closed expander. A choice stays while other pages are visited. A
    ``private`` one, such as the name of a visitor's own column, never enters the address. An option that isn't offered
    leaves the default in place, with a sentence.
    """
    first = default if default is not None else next(iter(options))
    wanted = st.query_params.get(key)
    if wanted is not None and is_news(key, wanted):
        if wanted in options:
            st.session_state[key] = wanted
        else:
            notice(
                f"“{wanted[:_MAX_ECHO]}” is not one of the choices for {label}, so this page shows “{options[first]}”."
            )
    known = st.session_state.get(key)
    if known not in options:
        st.session_state[key] = first
    elif st.session_state.get(FIRST_RUN):
        st.session_state[key] = known  # what another page's widget of this name held becomes this one's
    properties.setdefault("persist_state", "session")
    if widget is None:
        found = st.session_state[key]
    else:
        found = widget(label, list(options), key=key, format_func=lambda option: options[option], **properties)
    chosen: Option = found if found in options else first  # a browser can send anything
    if not private:
        write({key: chosen if chosen != first else None})
    return chosen


def set_choices(values: Mapping[str, str]) -> None:
    """Choose options of several widgets, such as those of a preset. To be used in a callback."""
    for key, value in values.items():
        st.session_state[key] = value
    write(values)


def is_news(key: str, text: str) -> bool:
    """Return whether what the address has under a key comes from a link, and wasn't written by this page just now."""
    return bool(st.session_state.get(FIRST_RUN)) or text not in st.session_state.get(f"ui/written/{key}", ())


def write(values: Mapping[str, str | None]) -> None:
    """Write values into the address, and remove those that are None. An unchanged address is left alone."""
    for key, value in values.items():
        known: tuple[str | None, ...] = st.session_state.get(f"ui/written/{key}", ())
        if known[:1] != (value,):
            st.session_state[f"ui/written/{key}"] = (value, *known[:1])
    now = st.query_params.to_dict()
    changed = {key: value for key, value in values.items() if value is not None and now.get(key) != value}
    gone = [key for key, value in values.items() if value is None and key in now]
    if changed:
        st.query_params.update(changed)
    for key in gone:
        del st.query_params[key]


def notice(sentence: str) -> None:
    """Show a sentence about something in the address that can't be shown."""
    st.info(to_markdown(sentence), icon=":material/link_off:")
