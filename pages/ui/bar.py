"""The buttons at the right end of the bar: *Present* and *Export*."""

from collections.abc import Callable, Mapping
from pathlib import Path

import streamlit as st

HERE = Path(__file__).parent
_presenter = st.components.v2.component(
    "privbo_ui_present", js=(HERE / "present.js").read_text("utf-8"), isolate_styles=False
)
_downloads = st.components.v2.component(
    "privbo_ui_downloads", js=(HERE / "downloads.js").read_text("utf-8"), isolate_styles=False
)


def bar(name: str, charts: Mapping[str, str], script: Callable[[], str] | None = None) -> None:
    """Show *Present*, and *Export* with the figures and a Python script that computes the page again.

    ``charts`` has the slot of each chart and its name. ``script`` is called when its button is pressed.
    """
    with st.container(key="bar", horizontal=True, gap="xsmall"):
        _presenter(key="presenter", data={})
        with st.popover("Export"):
            st.markdown("**Figures**")
            _downloads(
                key="downloads", data={"charts": [{"slot": slot, "name": text} for slot, text in charts.items()]}
            )
            if script is not None:
                st.markdown("**Python script**")
                st.caption("It computes this page again with privbo_core, and shows the call for a real release.")
                file = f"privbo-{name}.py"
                st.download_button("Download script", script, file, "text/x-python", icon=":material/download:")
