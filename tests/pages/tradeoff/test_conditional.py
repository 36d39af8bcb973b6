"""A conditional ε on the Trade-off page: drawn, said with its condition, never on the front."""

from dataclasses import replace
from types import SimpleNamespace

import numpy as np
from streamlit.testing.v1 import AppTest

import privbo_core as pb
from pages.parts.frame.record import KEY
from pages.parts.system.question import Unit
from pages.parts.take_away.recipe import Recipe
from pages.parts.tradeoff import figures as tradeoff_figures
from pages.parts.tradeoff import words
from pages.parts.tradeoff.figures import Axes
from pages.parts.tradeoff.states import State, Wanted, states
from privbo_core.outsourced import Simulation
from privbo_core.privacy import Status
from privbo_core.tradeoff import Curve, Mark, Question, Reference, Sweep
from tests.helpers.paths import APP

QUICK = {"T": "10", "runs": "4", "from": "1", "to": "100"}


def conditional():
    """A question whose mechanisms are conditional and refuted, each compared with a search of its own."""
    kinds = (("projection", Status.REFUTED, "fitted"), ("noisy release", Status.CONDITIONAL, ""))
    curves = tuple(Curve(name, status, lambda e, n: iter(()), against=over) for name, status, over in kinds)
    question = Question(curves, Reference("same", lambda n: iter(())), (Reference("fitted", lambda n: iter(())),))
    scatter = 0.01 * np.random.default_rng(0).standard_normal(8)
    references = {"same": np.ones(8), "fitted": np.full(8, 2.0)}
    marks = {curve.name: (Mark(1.0, 3.0 + scatter), Mark(9.0, 2.5 + scatter)) for curve in curves}
    asked = SimpleNamespace(question=question, units=(Unit("σ", float, float),), runs=8, repeats="runs", instead=None)
    return asked, Sweep(references, marks, True, True)


def test_a_conditional_epsilon_is_never_said_without_its_condition_nor_on_the_front():
    asked, full = conditional()
    title = words.title(asked, full, False).title
    assert title.startswith("No ε here is proved; the noisy release costs 2.0")
    assert title.endswith("at ε = 1.00, if what was read off the data were public")
    picture = tradeoff_figures.trade_off(asked.question, full, Axes(3.0, 0.5, 0.4, 10.0, "ε", "regret (σ)"))
    assert "front" not in {trace.get("name") for trace in picture.data}
    here = Wanted(SimpleNamespace(**vars(asked), low=1.0, high=9.0), 1.0, 0.7)
    extras = {name: marks[0].above(full.references[over])
              for (name, marks), over in zip(full.marks.items(), ("fitted", "same"), strict=True)}  # fmt: skip
    said = words.cost_answer(here.asked, 1.0, extras, {}).lines
    assert [line.refuted for line in said] == [True, False]
    assert "refuted" in said[0].text
    assert "if what was read off the data were public" in said[1].text
    done = list(states(here, State(sweep=full), stopped=True, held=True))[-1]
    # 0.7 above its own reference: the projection's mark at ε = 9 keeps to it, the noisy release's does not.
    assert done.answers["projection"].reach == "inside"
    assert done.answers["noisy release"].reach == "never"
    assert "if what was read off the data were public" in words.epsilon_answer(asked, done.answers, {}).lines[1].text


def test_on_a_table_of_ones_own_the_noisy_release_is_conditional():
    app = AppTest.from_file(str(APP), default_timeout=120).run()
    app.switch_page("pages/tradeoff.py")
    for name, value in QUICK.items():
        app.query_params[name] = value
    problem = pb.data.sample("homes")
    own = replace(problem, identity=None, known_frame=None)
    app.session_state["own data/simulation"] = Simulation(own)
    app.session_state["own data/recipe"] = Recipe(own.names, "y", True, False, {}, None)
    app.session_state["data"] = "own"
    app.run()
    assert not app.exception
    shown = " ".join(element.proto.body for element in app.get("html"))
    answers = list(app.session_state[KEY].answers.values())
    assert len(answers) == 2
    for answer in answers:
        (text,) = [line.text for line in answer.lines if line.key == "noisy release"]
        assert "if what was read off the data were public" in text
    assert "No ε here is proved" in shown
    assert "hollow with a bar" in shown
