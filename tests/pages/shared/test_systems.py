"""A fourth system is one value: it appears in the navigation, on Start, on Audit and on Trade-off."""

import math
from dataclasses import replace

import numpy as np
import pytest
from streamlit.testing.v1 import AppTest

from pages.parts import front_door, systems
from pages.parts.audit.textbook import TEXTBOOK
from pages.parts.front_door import navigation
from pages.parts.live.sliders import Slider, read_controls
from pages.parts.system.question import Asked, Unit, panel_key, range_of, shared_sliders
from pages.parts.system.system import Attack, Audited, Link, Scene, Story, System
from pages.parts.views.picture import Picture
from pages.parts.views.record import KEY
from pages.parts.views.views import Figure, Finding, Tile, View
from privbo_core.privacy import Guarantee, Status
from privbo_core.tradeoff import Curve, Question, Reference
from tests.helpers.opening import open_page
from tests.helpers.paths import APP
from tests.helpers.reading import html

PAGE = """
from pages.parts.front_door import come_in
import streamlit as st
come_in()
st.title("A page for toys")
"""


def run(scene: Scene):
    """Shake the toy twice."""
    for times in (1, 2):
        figures = tuple(
            Figure(f"audit-toy-shake-{side}", Finding(f"Shaken {times} times", "simulation"), Picture(), "nothing")
            for side in ("left", "right")
        )
        yield View((Tile("Shaken", str(times), "times", "share"),), figures)


def claim(scene: Scene):
    """Return what the toy promises."""
    epsilon = scene.controls["epsilon"]
    return Guarantee("toys", "children", "two toys", epsilon, 0.0, (), Status.CLAIMED, "a box"), "that it rattles"


SHAKE = Attack(
    "shake", "Shake it", "A child shakes a box.", (Slider("epsilon", "ε", 0.1, 9, 2, "quiet", "loud", "Loudness."),),
    run, claim, lambda scene: ("shaking", "It *rattles*."), lambda scene, own: 'print("rattle")',
)  # fmt: skip


def costs(epsilon, runs):
    """Yield the costs of runs, one more each time: what is missed falls like 1/ε."""
    noise = np.random.default_rng(0).standard_normal(runs)
    for done in range(1, runs + 1):
        yield 1 / epsilon + 0.01 * noise[:done]


def question(measure):
    """Ask what a quieter toy costs."""
    panel = shared_sliders(0.1, 10.0, 4, 9)
    controls = read_controls(panel_key("Toys"), panel)
    low, high = range_of(controls)
    curve = Curve("padding", Status.PROVED, costs, low=0.1, high=10.0)
    plain = Reference("no padding", lambda runs: costs(math.inf, runs))
    return Asked(
        task="Toys", question=Question((curve,), plain), of=("toys", low, high),
        panel=panel, controls=controls, low=low, high=high, size=1.0, units=(Unit("rattles", float, float),),
        cost_is="rattling missed", epsilon_is="ε of a toy", relation="Two toys.", data="A box of toys", own=False,
        lines=lambda: ([], []), show_meaning=lambda epsilon: None,
    )  # fmt: skip


@pytest.fixture
def toys(tmp_path, monkeypatch):
    """The app with a fourth system."""
    page = tmp_path / "toys.py"
    page.write_text(PAGE)
    story = Story("A child < a toy", ("It may & may not rattle.",), "story_release.html",
                  (Link("pages/audit.py", "Shake it", ":material/toys:"),))  # fmt: skip
    audited = (Audited("toy", "Toys: padding", (SHAKE,), data="none"),)
    toys = System("Toys", str(page), ":material/toys:", story, audited, question)
    monkeypatch.setattr(systems, "SYSTEMS", (*systems.SYSTEMS, toys))
    return toys


def opened(page, **address):
    app = open_page(page, **address)
    assert not app.exception
    return app


def test_its_page_opens_and_start_tells_its_story(toys):
    app = AppTest.from_file(APP).run()
    app.switch_page(toys.page)
    assert app.run().title[0].value == "A page for toys"
    text = html(opened("start"))
    assert "A child &lt; a toy" in text
    assert "It may &amp; may not rattle." in text


def test_it_stands_in_the_navigation_after_the_others(toys, monkeypatch):
    seen = []

    def kept():
        groups = navigation()
        seen[:] = [page.title for page in groups["Explore"]]
        return groups

    monkeypatch.setattr(front_door, "navigation", kept)
    opened("start")
    assert seen[1:5] == ["Outsourced", "Release", "Federated", "Toys"]


def test_it_can_be_audited(toys):
    app = opened("audit", audited="toy")
    assert app.selectbox(key="audited").options[-2:] == ["Toys: padding", TEXTBOOK.name]
    assert app.radio(key="attack-toy").options == ["Shake it"]
    record = app.session_state[KEY]
    assert [figure.finding.title for figure in record.figures.values()] == ["Shaken 2 times"] * 2
    assert "A child shakes a box." in html(app)


def test_what_it_costs_is_swept_and_solved_and_a_system_without_a_question_is_not_asked(toys, monkeypatch):
    app = opened("tradeoff", tradeoff_task="Toys", runs="4", epsilon="2", budget="0.5")
    record = app.session_state[KEY]
    names = {trace.get("name") for trace in record.figures["tradeoff"].picture.data}
    assert {"padding", "no padding", "padding: monotone fit"} <= names
    cost, needed = record.answers.values()
    assert "+0.5 rattles" in cost.lines[0].text
    assert "ε = " in needed.lines[0].text
    monkeypatch.setattr(systems, "SYSTEMS", (*systems.SYSTEMS[:-1], replace(toys, question=None)))
    app = opened("tradeoff", tradeoff_task="Toys")
    assert any("Toys" in notice.value for notice in app.info)
