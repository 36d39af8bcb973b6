"""A fourth system is one folder and one entry: what it says of itself is in the navigation and on all shared pages."""

import math
from dataclasses import replace
from datetime import UTC, datetime

import numpy as np
import pytest
from streamlit.testing.v1 import AppTest

from pages.parts import front_door, systems
from pages.parts.audit.setup import TEXTBOOK
from pages.parts.front_door import navigation
from pages.parts.lessons.choosing import lessons
from pages.parts.lessons.kits import kit_of, page_of, read_kit
from pages.parts.live.sliders import Slider, read_controls
from pages.parts.system.lesson import Lesson, Step, one_figure
from pages.parts.system.question import Inquiry, Stroke, Unit, panel_key, range_of, shared_sliders
from pages.parts.system.system import Attack, Audited, Link, Scene, Simply, Story, System
from pages.parts.system.trials import TRIALS, Seen, Trial, trial_attack
from pages.parts.views.picture import NOISY, Picture
from pages.parts.views.views import Figure, Finding, Tile, View
from privbo_core.privacy import Guarantee, Status, TradeOff
from privbo_core.tradeoff import Curve, Question, Reference
from tests.helpers.deciding import come, fill, seen, sign
from tests.helpers.numbers import numbers
from tests.helpers.opening import open_page
from tests.helpers.paths import APP
from tests.helpers.reading import html, labels, press, record, said

FOLDER = {
    "toys.py": """
from pages.parts.front_door import come_in
from pages.parts.shell.address import choose
from pages.parts.views.drawing import Place
from pages.parts.views.picture import Picture
from pages.parts.views.views import Figure, Finding
import streamlit as st
come_in()
st.title("A page for toys")
choose(st.selectbox, "Toy", ["drum", "rattle"], key="toy")
st.tabs(["Box", "Lid"], key="toys_tab", on_change="rerun", bind="query-params")
for slot in ("lid", "box"):
    finding = Finding(f"The {slot} rattles", "simulation")
    Place(slot).draw(Figure(slot, finding, Picture(), "nothing"))
""",
    "story.html": "{% set alt = 'A drum' -%}<svg xmlns='http://www.w3.org/2000/svg'><title>drum</title></svg>",
    "lessons/toys.md": """# Toys & boxes

All {{ toys }} toys of a box.

## Does it rattle?

{{ toys }} toys in a box. What does the child hear?

- loud: A lot
- quiet: Hardly anything
""",
    "kits/toys.md": """# Toys < drums

A kit for whoever has {{ toys }} toys.

## Aims

- Hear a rattle.

## You need

A box.

## In 20 minutes

- 20 min: Shake it. [Does it rattle?]

## In 45 minutes

- 45 min: Shake it for long. [Does it rattle?]

## At the last picture

Who heard it?

## Likely misunderstandings

- “It is empty.” It is not.

## Exercises

1. How many toys?

   Solution: {{ toys }}.

[Does it rattle?]: tour?lesson=toys&step=1&seen=0&view=simple
""",
}
"""The folder of a system, but for its Python, which is below."""


def run(scene: Scene):
    for times in (1, 2):
        figures = tuple(
            Figure(f"audit-toy-shake-{side}", Finding(f"Shaken {times} times", "simulation"), Picture(), "nothing")
            for side in ("left", "right")
        )
        yield View((Tile("Shaken", str(times), "times", "share"),), figures)


def claim(scene: Scene):
    epsilon = scene.controls["epsilon"]
    return Guarantee("toys", "children", "two toys", epsilon, 0.0, (), Status.CLAIMED, "a box"), "that it rattles"


LOUDNESS = Slider("epsilon", "ε", 0.1, 9, 2, "quiet", "loud", "Loudness.")
SAID = lambda scene: ("shaking", "It *rattles*."), lambda scene, own: 'print("rattle")'
SHAKE = Attack("shake", "Shake it", "A child shakes a box.", (LOUDNESS,), run, claim, *SAID)


def listen(scene):
    seen = Seen(("full", "empty"), "loudness", "Heard", "Two boxes.", "share")
    rattle = lambda box, count, rng: box + 9 * rng.standard_normal(count)  # noqa: E731
    return Trial("toy-listen", rattle, (0.0, 1.0), 0.0, (("claimed", scene.controls["epsilon"]),), seen)


HOW = {"claim": claim, "explain": SHAKE.explain}
LISTEN = trial_attack("listen", "Listen", "A child listens.", (LOUDNESS, TRIALS), listen, **HOW)


def costs(epsilon, runs):
    """Yield the costs of runs, one more each time: what is missed falls like 1/ε."""
    noise = np.random.default_rng(0).standard_normal(runs)
    for done in range(1, runs + 1):
        yield 1 / epsilon + 0.01 * noise[:done]


def promise(epsilon):
    return Guarantee("toys", "children", "two toys", epsilon, 0.0, ("The box is shut.",), Status.PROVED, "a box")


def question(measure):
    panel = shared_sliders(0.1, 10.0, 4, 9)
    controls = read_controls(panel_key("Toys"), panel)
    low, high = range_of(controls)
    curve = Curve("padding", Status.PROVED, costs, low=0.1, high=10.0)
    plain = Reference("no padding", lambda runs: costs(math.inf, runs))
    asked = {"task": "Toys", "question": Question((curve,), plain), "of": ("toys", low, high), "low": low, "high": high}
    shown = {"panel": panel, "controls": controls, "size": 1.0, "units": (Unit("rattles", float, float),)}
    words = {"cost_is": "rattling missed", "epsilon_is": "ε of a toy", "relation": "Two toys.", "data": "A box of toys"}
    drawn = {"strokes": {"padding": Stroke("dot", "star", NOISY)}, "lines": lambda: ([], [])}
    return Inquiry(**asked, **shown, **words, **drawn, own=False, show_meaning=lambda epsilon: None, promise=promise)


def hear(stop):
    loud = stop.controls["shakes"] > 3
    yield one_figure(Finding("It rattles", "simulation"), Picture(), "nothing", "loud" if loud else "quiet")


@pytest.fixture
def toys(tmp_path, monkeypatch):
    for name, text in FOLDER.items():
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_text(text)
    page, icon = str(tmp_path / "toys.py"), ":material/toys:"
    shakes = Slider("shakes", "shakes", 1, 9, 5, "few", "many", "How often.", whole=True)
    steps, told = (Step(lambda about: [shakes], hear),), lambda stop: {"toys": stop.about}
    lesson = Lesson("toys", steps, lambda: ("box", 7), told, kit=lambda: {"toys": 7.0}, folder=tmp_path)
    drawing, links = tmp_path / "story.html", (Link("pages/audit.py", "Shake it", icon, {"audited": "toy"}),)
    card = {"protected": "the toy, from the child", "shown": Link(page, "Show me the toys", icon)}
    card |= {"line": lambda epsilon: TradeOff.of(1.0), "cost": lambda epsilon: "one drum"}
    story = Story("A child < a toy", ("It may & may not rattle.",), drawing, links, drawing=drawing, **card)
    simply = Simply("listen", "A box of toys", "A child shakes it.", ("The toy", "in it."), ("A child", "who listens."))
    audited = Audited("toy", "Toys: padding", (SHAKE, LISTEN), "none", simply=simply)
    words = {"neighbours": "a toy that is exchanged", "paper": "loudness and padding"}
    toys = System("Toys", page, icon, story, (audited,), question, **words, lesson=lesson)
    monkeypatch.setattr(systems, "SYSTEMS", (*systems.SYSTEMS, toys))
    return toys


def opened(page, **address):
    app = open_page(page, **address)
    return app


def test_its_page_opens_stands_in_the_navigation_after_the_others(toys, monkeypatch):
    seen = []

    def kept():
        groups = navigation()
        seen[:] = [page.title for page in groups["Explore"]]
        return groups

    monkeypatch.setattr(front_door, "navigation", kept)
    app = AppTest.from_file(APP, default_timeout=300)
    app.switch_page(toys.page)
    app.query_params["toy"] = "rattle"
    assert app.run().title[0].value == "A page for toys"
    assert seen[1:5] == ["Outsourced", "Release", "Federated", "Toys"]
    assert app.selectbox(key="toy").value == "rattle"


@pytest.mark.parametrize(
    ("view", "told"),
    [
        ("expert", ("A child &lt; a toy", "It may &amp; may not rattle.")),
        ("simple", ("A child &lt; a toy", "the toy, from the child.", "one drum.", ">73<")),
    ],
)
def test_start_tells_its_story_and_leads_to_it(toys, view, told):
    app = opened("start", view=view)
    for each in told:
        assert each in html(app)
    ways = {"expert": "Shake it", "simple": "Show me the toys"}
    assert {ways[view], "loudness and padding"} <= {link.proto.label for link in app.get("page_link")}


def test_the_tour_teaches_it_and_its_teacher_has_a_kit(toys):
    app = opened("tour", lesson="toys", seen="0")
    assert app.get("download_button")
    assert len(lessons()) == 5
    assert {"A lot", "Hardly anything"} <= {*labels(app)}
    press(app, "A lot")
    assert "✓" in said(app)
    kit = read_kit(kit_of(toys.lesson))
    assert (kit.title, kit.exercises[0][1], kit.links[0].page) == ("Toys < drums", "7.0.", "tour")
    assert "Toys &lt; drums" in page_of(kit, "", datetime(2026, 3, 2, tzinfo=UTC))


def test_it_can_be_audited_in_both_depths(toys):
    app = opened("audit", audited="toy")
    assert app.selectbox(key="audited").options[-2:] == ["Toys: padding", TEXTBOOK.name]
    assert app.radio(key="attack-toy").options == ["Shake it", "Listen"]
    assert [figure.finding.title for figure in record(app).figures.values()] == ["Shaken 2 times"] * 2
    assert "A child shakes a box." in html(app)
    app = opened("audit", audited="toy", view="simple", trials="500")
    assert app.selectbox(key="audited").options[-1] == "A box of toys"
    assert {"A child shakes it.", "who listens."} <= {*html(app).replace("<", ">").split(">")}


def test_what_it_costs_is_swept_and_solved_and_a_system_without_a_question_is_not_asked(toys, monkeypatch):
    app = opened("tradeoff", tradeoff_task="Toys", runs="4", epsilon="2", budget="0.5")
    traces = {trace.get("name"): trace for trace in record(app).figures["tradeoff"].picture.data}
    assert {"padding", "no padding", "padding: monotone fit"} <= {*traces}
    assert (traces["padding: monotone fit"]["line"]["dash"], traces["padding"]["marker"]["symbol"]) == ("dot", "star")
    cost, needed = record(app).answers.values()
    assert "+0.5 rattles" in cost.lines[0].text
    assert numbers(needed.lines[0].text)
    assert "a toy that is exchanged" in app.expander[-1].markdown[0].value
    monkeypatch.setattr(systems, "SYSTEMS", (*systems.SYSTEMS[:-1], replace(toys, question=None)))
    app = opened("tradeoff", tradeoff_task="Toys", T="10", runs="4")
    assert app.info


def test_it_is_decided_about_with_its_own_number(toys):
    app = come(decide_about="Toys", candidates="0.5, 2", view="simple", runs="9")
    sign(fill(fill(app, "It may cost", "0.6"), "Decide for", "2"))
    said = seen(app)
    assert "0.500000 (0.500000 to 0.500000)" in said  # as on Trade-off
    assert "children" in said
    signed = app.session_state["own data/decision/signed/Toys"]
    assert (signed.system, signed.guarantee.epsilon, signed.epsilon_from) == ("Toys", 2.0, "data")
    assert signed.digest in said
