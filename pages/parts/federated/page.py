"""The Federated page: many agents tune together through a server, and nobody's participation shows (DP-FTS-DE)."""

import streamlit as st

from pages.parts.federated.renderers import Expert, Simple
from pages.parts.federated.view import compute
from pages.parts.shell.depth import simple


def run() -> None:
    depth = Simple() if simple() else Expert()
    setup, counting, live = depth.begin()
    steps = compute(setup, counting, depth.algorithms, live.stopped)
    view = live.follow(steps, lambda view: depth.draw(view, live))
    assert view is not None
    live.remember(private=depth.look.private(view.progress))
    live.rest()
    live.put_axis(depth.look.top(view.progress))
    depth.end(view, live)
    if counting.wait():
        st.rerun()
