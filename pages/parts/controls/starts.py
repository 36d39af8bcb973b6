"""Where the sliders of a panel start, if that depends on the data: other data move what nobody has set."""

from collections.abc import Sequence

import streamlit as st

from pages.parts.controls.live_sliders import Slider, last_values, put


def start_from(key: str, sliders: Sequence[Slider]) -> None:
    """Let a panel start from its sliders' values; call it before the panel is read.

    If they start elsewhere than they did when this was called last, those that still stand where they started then are
    moved. What a person has set, or a link, stays where it is.
    """
    before: dict[str, float] = st.session_state.get(f"{key}/start", {})
    now = {slider.key: slider.nearest(slider.value) for slider in sliders}
    last = last_values(key)
    moved = {
        name: value for name, value in now.items()
        if name in last and last[name] == before.get(name) and value != last[name]
    }  # fmt: skip
    st.session_state[f"{key}/start"] = now
    if moved:
        put(key, moved)
