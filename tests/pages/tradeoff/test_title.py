"""The title over several mechanisms says whose numbers it gives."""

from types import SimpleNamespace

import numpy as np

from pages.parts.system.question import Unit
from pages.parts.tradeoff import words
from privbo_core.privacy import Status
from privbo_core.tradeoff import Curve, Mark, Question, Reference, Sweep


def test_with_several_mechanisms_the_title_names_the_one_whose_numbers_it_gives():
    scatter, plain = np.linspace(-0.1, 0.1, 8), np.ones(8)
    statuses = {"Algorithm 1": Status.CLAIMED, "private selection": Status.PROVED}
    curves = tuple(Curve(name, status, lambda e, n: iter(())) for name, status in statuses.items())
    marks = {curve.name: (Mark(1.0, plain + 0.5 + scatter), Mark(10.0, plain + 0.2 + scatter)) for curve in curves}
    question = Question(curves, Reference("plain", lambda n: iter(())))
    asked = SimpleNamespace(question=question, units=(Unit("σ", float, float),), runs=8, repeats="runs", instead=None)
    title = words.title(asked, Sweep({"plain": plain}, marks, True, True), False).title
    assert title.startswith("At ε = 1.00 proved privacy (private selection) costs 0.500")
    assert "; at ε = 10.0 it costs" in title
