"""The Federated page: many agents tune together through a server, and nobody's participation shows (DP-FTS-DE)."""

import streamlit as st

from pages.parts.federated.renderers import Expert, Simple
from pages.parts.federated.setup import PANEL, set_up, sliders
from pages.parts.federated.view import compute
from pages.parts.live.sliders import start_from
from pages.parts.shell.depth import simple


def run() -> None:
    depth = Simple() if simple() else Expert()
    agents, spend = depth.pick()
    panel = depth.panel(sliders(agents), agents)
    start_from(PANEL, panel)
    controls = depth.read(panel)
    setup, counting, live = depth.begin(set_up(agents, controls, spend), controls.dragging)
    steps = compute(setup, counting, depth.algorithms, live.stopped)
    view = live.follow(steps, lambda view: depth.draw(view, live))
    assert view is not None
    live.remember(private=depth.look.private(view.progress))
    live.rest()
    live.put_axis(depth.look.top(view.progress))
    depth.end(view, live)
    if counting.wait():
        st.rerun()
