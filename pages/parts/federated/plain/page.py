"""The Simple page of Federated: does tuning together pay, when nobody may see who took part?"""

from dataclasses import replace

import streamlit as st

from pages.parts.controls.live_sliders import Slider
from pages.parts.controls.starts import start_from
from pages.parts.federated.agents import GRADES, pick_agents
from pages.parts.federated.count import Counting, together_of
from pages.parts.federated.plain.picture import over_rounds, top_of
from pages.parts.federated.plain.told import Told, told
from pages.parts.federated.plain.words import ALGORITHMS, PRIVATE, Words
from pages.parts.federated.script import federated
from pages.parts.federated.setup import PANEL, Shown, cuts, pick_runs, pick_spend, set_up, sliders
from pages.parts.frame.live import Live
from pages.parts.show.meaning import show_meaning
from pages.parts.show.sheet import Sheet, plain
from pages.parts.take_away.offer import take_away
from pages.parts.take_away.report import About
from pages.parts.values.views import Figure
from privbo_core.federated import Progress

SLOT = "federated-simple"
FIRST_RUNS = 2
"""The first picture is made of so many runs."""


def run() -> None:
    """Draw the page."""
    sheet = Sheet(SLOT)
    with sheet.picker:
        agents = pick_agents(GRADES, bring=False)
    spoken = told(agents)
    panel = [noise(plain(slider), spoken) for slider in sliders(agents, cuts(agents))]
    start_from(PANEL, panel)
    controls = sheet.read(PANEL, panel, ["z"])
    setup = set_up(agents, cuts(agents), controls, pick_spend(shown=False))
    counting, shown = Counting(setup), Shown("simple", pick_runs())
    words = Words(setup, spoken, counting, shown.runs)
    asked = agents.name, setup.heterogeneity, setup.settings, setup.N, shown.runs
    live = Live("federated simple", (agents.name, setup.settings.iterations), asked=asked, held=controls.dragging)
    algorithms = {name: setup.algorithms[name] for name in ALGORITHMS}
    known = setup.simulation.finished(algorithms, setup.N, shown.runs)
    sheet.open(words.question, words.story)
    sheet.say(words.brief(known))
    sheet.close_panel()
    with sheet.rest:
        about = About("Federated optimisation", agents.first.title, agents.columns is not None, (), ())
        take_away(about, lambda: federated(setup, shown))
        card = counting.guarantee
        together = together_of(setup, counting.told, card.delta)
        show_meaning(card, f"that {spoken.a_one} took part", together=together, testing=counting.told)
        st.page_link(
            "pages/audit.py",
            label="Does it hold? Audit",
            icon=":material/fact_check:",
            query_params={"audited": "canary"},
        )

    def draw(progress: Progress) -> None:
        counting.look()
        sheet.say(words.brief(progress))
        top = live.axis() or top_of(progress, words.scale)
        before = live.before("private") if progress.runs < FIRST_RUNS else None
        picture = over_rounds(progress, words.scale, (spoken.axis, top), setup.settings.iterations, before)
        sheet.place.draw(Figure(SLOT, words.finding(progress), picture, words.alt))

    last = live.follow(setup.simulation.compare(algorithms, setup.N, shown.runs), draw)
    assert last is not None
    found = last.band(PRIVATE, "simple")
    live.remember(private=None if found is None else found.mean * words.scale)
    live.rest()
    live.put_axis(top_of(last, words.scale))
    if counting.wait():
        st.rerun()


def noise(slider: Slider, spoken: Told) -> Slider:
    """Return the slider of the noise with a name that says what it is; others as they are."""
    if slider.key != "z":
        return slider
    label = f"Noise that the server adds, in multiples of the most that one {spoken.one} can send"
    return replace(slider, label=label, left="less private", right="more private")
