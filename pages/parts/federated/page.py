"""The Federated page: many agents tune together through a server, and nobody's participation shows (DP-FTS-DE)."""

import streamlit as st

from pages.parts.controls.starts import start_from
from pages.parts.federated import figures
from pages.parts.federated.agents import pick_agents
from pages.parts.federated.plain.page import run as show_simply
from pages.parts.federated.promise import show_promise
from pages.parts.federated.script import federated
from pages.parts.federated.setup import PANEL, cuts, pick_regret, pick_spend, set_up, sliders
from pages.parts.federated.tabs.details import show_details
from pages.parts.frame.depth import simple
from pages.parts.frame.live import Live, Steps
from pages.parts.show.desk import Desk
from pages.parts.show.show import Place, show
from pages.parts.take_away.offer import take_away
from pages.parts.take_away.report import About
from privbo_core.federated import Progress


def run() -> None:
    """Show the page."""
    if simple():
        show_simply()
        return
    desk = Desk("Federated optimisation")
    with desk.left:
        agents = pick_agents()
        spend = pick_spend()
    possible = cuts(agents)
    panel = sliders(agents, possible)
    start_from(PANEL, panel)
    controls = desk.read(PANEL, panel)
    setup = set_up(agents, possible, controls, spend)

    with desk.at_once():
        tiles, (left, right) = st.empty(), st.columns(2, gap="medium")
        with left:
            privacy = figures.LivePrivacy(setup, controls.dragging)
        show(figures.headline(setup, privacy.counted, setup.known(1)), tiles)
    with right:
        place = Place("federated-regret")
        which, many, button = st.columns([1.2, 1.6, 0.5])
        shown, stop = pick_regret(which, many), button.empty()
    with desk.below_panel:
        choices = (("Runs", str(shown.runs)), ("Regret", shown.measure))
        about = About("Federated optimisation", agents.first.title, agents.columns is not None, (), choices)
        take_away(about, lambda: federated(setup, shown))
    with desk.right:
        told = show_promise(setup, controls.whole("P"), privacy.counted)

    known = privacy.counted.complete
    asked = (agents.name, setup.heterogeneity, setup.settings, setup.N, shown.runs)
    live = Live("federated", (agents.name, shown.measure), asked=asked, held=controls.dragging)
    live.offer_stop(stop)

    def steps() -> Steps[Progress]:
        if live.stopped:
            yield setup.known(shown.runs)
        else:
            yield from setup.compare(shown.runs)

    def draw(progress: Progress) -> None:
        privacy.look()
        before = live.before("private") if progress.runs < 2 and not live.stopped else None
        place.draw(figures.regret(setup, shown, progress, before=before, top=live.axis(), stopped=live.stopped))
        show(figures.headline(setup, privacy.counted, progress), tiles)

    progress = live.follow(steps(), draw)
    assert progress is not None
    live.remember(private=figures.private_regret(setup, shown.measure, progress))
    live.rest()
    live.put_axis(figures.regret_top(setup, shown.measure, progress))
    show_details(setup, shown, progress, live.stopped)
    if progress.runs == shown.runs:
        live.offer_stop(stop, complete=True)
    privacy.wait()
    show(figures.headline(setup, privacy.counted, progress), tiles)
    if known != privacy.counted.complete or told.wait():
        st.rerun()
