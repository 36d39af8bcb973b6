"""The two depths of the Federated page: each says what may be set there, and draws the same view."""

from dataclasses import replace

import streamlit as st

from pages.parts.export.offer import About, take_away
from pages.parts.federated import figures
from pages.parts.federated.agents import GRADES, pick_agents
from pages.parts.federated.details import show_details
from pages.parts.federated.question import TASK
from pages.parts.federated.script import federated
from pages.parts.federated.setup import ALL, PANEL, SIMPLE, Setup, pick_measure, pick_runs, pick_spend, set_up, sliders
from pages.parts.federated.view import Counting, View, known
from pages.parts.live.desk import Desk, Sheet, plain
from pages.parts.live.meaning import show_meaning
from pages.parts.live.sliders import start_from
from pages.parts.live.work import Live
from pages.parts.system.system import link_to_audit
from pages.parts.views.card import guarantee_card
from pages.parts.views.drawing import Place, show
from pages.parts.views.views import Card

TITLE = "Federated optimisation"
HIDES = "whether an agent took part at all; nothing from the server, which is trusted."
FIRST_RUNS = 2  # Until there are so many, the curve of an earlier setting stays, dimmed.


class Simple:
    """One slider, one sentence, one picture."""

    algorithms = SIMPLE

    def __init__(self) -> None:
        self._sheet = Sheet("federated-simple")

    def begin(self) -> tuple[Setup, Counting, Live]:
        sheet = self._sheet
        with sheet.picker:
            agents, spend = pick_agents(GRADES, bring=False), pick_spend(shown=False)
        label = f"Noise that the server adds; 1 is as much as one {agents.wording.one} can send at most"
        z, *others = map(plain, sliders(agents))
        panel = [replace(z, label=label, left="less private: larger ε", right="more private: smaller ε"), *others]
        start_from(PANEL, panel)
        controls = sheet.read(PANEL, panel, ["z"])
        setup, held = replace(set_up(agents, controls, spend), runs=pick_runs()), controls.dragging
        counting = Counting(setup, held=held)
        view = known(setup, counting, SIMPLE)
        live = Live("federated simple", (agents.name, setup.settings.iterations), asked=setup.key, held=held)
        self.look = figures.Look.plainly(setup)
        sheet.open(view.question, view.story)
        sheet.say(view.brief)
        sheet.close_panel()
        with sheet.rest:
            _take_away(setup)
            _show_meaning(view, counting, f"that {agents.wording.a_one} took part")
            _lead_on(setup)
        return setup, counting, live

    def draw(self, view: View, live: Live) -> None:
        self._sheet.say(view.brief)
        before = live.before("private") if view.progress.runs < FIRST_RUNS else None
        self._sheet.place.draw(figures.plain_regret(view, live.axis(), before))

    def end(self, view: View, live: Live) -> None:
        """Draw what comes once all is computed."""


class Expert:
    """All there is. The tighter accountants wait until the thumb is let go; those of an earlier setting are dimmed."""

    algorithms = ALL

    def __init__(self) -> None:
        self._desk = Desk(TITLE)

    def begin(self) -> tuple[Setup, Counting, Live]:
        """Read what is set; draw what follows the thumb, then the panel and what is known at once."""
        desk = self._desk
        with desk.left:
            agents, spend = pick_agents(), pick_spend()
        panel = sliders(agents)
        start_from(PANEL, panel)
        controls = desk.read(PANEL, panel)
        setup, held = set_up(agents, controls, spend), controls.dragging
        self._losses = Live("federated privacy", "privacy", held=held)
        with desk.at_once():
            self._tiles, (left, right) = st.empty(), st.columns(2, gap="medium")
            with left:
                self._privacy = Place("privacy")
            counting = Counting(setup, self._losses.before("tighter", {}), held)
            moments, before = counting.counted.moments, self._losses.before("top") if held else None
            # Not an axis of `Live`, which would stay where it is even if the curve left it.
            self._top = figures.privacy_top(moments, setup.settings.iterations, before)
            self._losses.remember(top=self._top)
            view = known(replace(setup, runs=1), counting)
            self._draw_privacy(view)
            show(figures.headline(view), self._tiles)
        with right:
            self._regret = Place("federated-regret")
            which, many, button = st.columns([1.2, 1.6, 0.5])
            setup = replace(setup, measure=pick_measure(which), runs=pick_runs(many.segmented_control))
            self._button = button.empty()
        self.look = figures.Look.of(setup)
        with desk.below_panel:
            _take_away(setup, ("Runs", str(setup.runs)), ("Regret", setup.measure))
        with desk.right:
            if remarks := setup.cautions():
                st.warning("  \n".join(remarks))
            secret, self._awaits = "that an agent took part", not held and not view.counted.settled
            if view.counted.settled:
                show(guarantee_card(replace(view.guarantee, curve=counting.line()), secret, "Holds if", hides=HIDES))
            else:
                show(Card(None, "Guarantee: being counted exactly", (), view.at_most))
            _lead_on(setup, swept=True)
            _show_meaning(view, counting, secret)
        live = Live("federated", (agents.name, setup.measure), asked=setup.key, held=held)
        live.offer_stop(self._button)
        return setup, counting, live

    def draw(self, view: View, live: Live) -> None:
        if self._awaits and view.counted.settled:
            st.rerun()
        if view.counted is not self._drawn:
            self._draw_privacy(view)
        before = live.before("private") if view.progress.runs < FIRST_RUNS and not view.stopped else None
        self._regret.draw(figures.regret(view, live.axis(), before))
        show(figures.headline(view), self._tiles)

    def _draw_privacy(self, view: View) -> None:
        self._drawn = view.counted
        if self._drawn.fresh:
            self._losses.remember(tighter=self._drawn.tighter)
        self._privacy.draw(figures.privacy(view.setup, view.counted, self._top))

    def end(self, view: View, live: Live) -> None:
        show_details(view)
        if view.progress.runs == view.setup.runs:
            live.offer_stop(self._button, complete=True)


def _lead_on(setup: Setup, swept: bool = False) -> None:
    """Lead to Audit at these settings, and to Trade-off if they are to be ``swept``.

    Noise of this project's own calibration is neither attacked nor swept there.
    """
    given = setup.settings
    if given.z == 0 or setup.less_noise:
        return
    asked = {"z": given.z, "q": given.q, "T": given.iterations, "P": given.P, "N": setup.N}
    link_to_audit("canary", **asked, a=given.a, hold=given.hold, fade=given.fade)
    if swept:
        query = {name: f"{asked[name]:.6g}" for name in "zqTN"} | {"tradeoff_task": TASK, "view": "expert"}
        if "agents" in st.query_params:
            query["agents"] = st.query_params["agents"]
        st.page_link("pages/tradeoff.py", label="What each ε costs", icon=":material/balance:", query_params=query)


def _take_away(setup: Setup, *choices: tuple[str, str]) -> None:
    agents = setup.agents
    about = About(TITLE, agents.first.title, agents.columns is not None, (), choices)
    take_away(about, lambda: federated(setup))


def _show_meaning(view: View, counting: Counting, secret: str) -> None:
    known = view.guarantee if view.counted.settled else None
    show_meaning(known, secret, together=counting.together, testing=counting.line)
