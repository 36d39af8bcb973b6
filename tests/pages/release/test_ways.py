"""What the Release page recommends: which way to publish, beside DP-BO’s, at the same ε."""

import numpy as np
import pandas as pd
import pytest

import privbo_core as pb
from pages.parts.release.setup import Setup
from pages.parts.release.view import compute
from pages.parts.release.words import INSTEAD, lead
from tests.helpers.opening import open_page

VALUES = {"epsilon": 1.0, "delta": 1e-3, "k1": 0.99, "sigma": 0.1, "T": 50.0, "a": 3.0}


def test_permute_and_flip_is_what_private_selection_draws_by_and_never_loses_more():
    for name in pb.data.TASKS:
        task = pb.data.tuning_task(name)
        for epsilon in (0.1, 1.0, 10.0, 100.0):
            flip, exponential = (compute(Setup(task, way, "icml", VALUES | {"epsilon": epsilon})) for way in (0, 4))
            assert (flip.plan.way, exponential.plan.way) == ("permute-and-flip", "exponential")
            assert flip.lost <= exponential.lost * (1 + 1e-9)
            assert flip.guarantee(2).epsilon == exponential.guarantee(2).epsilon


@pytest.mark.parametrize("task", pb.data.TASKS)
@pytest.mark.parametrize("algorithm", [0, 1, 4])
def test_the_lead_names_what_to_publish_and_what_both_lose_at_the_same_epsilon(task, algorithm):
    known = pb.data.tuning_task(task)
    found = lead(compute(Setup(known, algorithm, "icml", VALUES)))
    best = pb.release.selection(known.scores, records=known.records, epsilon=1.0, way="permute-and-flip").choice
    noise = {"kernel": known.kernel, "sigma": 0.1, "iterations": 50, "delta": 1e-3, "rng": np.random.default_rng(0)}
    search = pb.release.optimise(known.points, known.objective, **noise)
    theirs = pb.release.noisy(search, epsilon=1.0, k1=0.99).choice.probabilities @ (known.scores.max() - known.scores)
    own, other = f"{100 * best.expected_loss:.2f} points", f"{100 * theirs:.1f} points"
    drawn = "Publish one of all 400 settings, drawn by permute-and-flip"
    assert found.title == f"{drawn}: at ε = 1 that loses {own}; DP-BO’s Algorithm 1 loses {other}"
    assert best.expected_loss < 0.1 * theirs
    assert "draws nearly blindly here: 400 of 400 candidates in effect." in found.note
    assert INSTEAD in found.note
    assert found.note.startswith("Below stands") == (algorithm != 0)


def test_where_the_published_draw_is_not_blind_the_lead_does_not_say_so():
    found = lead(compute(Setup(pb.data.tuning_task("svm"), 0, "icml", VALUES | {"epsilon": 300.0})))
    assert "blind" not in found.note
    assert "DP-BO as published has 8 of 400 candidates in effect here" in found.note


def test_the_lead_stands_first_whatever_is_chosen_and_is_missing_where_nothing_can_be_proved():
    for algorithm in ("selection", "3 Lipschitz"):
        app = open_page("release", algorithm=algorithm)
        assert not app.exception
        texts = [element.proto.body for element in app.get("html")]
        title = next(i for i, text in enumerate(texts) if "Publish one of all 400 settings" in text)
        assert title < next(i for i, text in enumerate(texts) if "pb-tiles" in text)
    x = np.linspace(0, 1, 30)
    table = pd.DataFrame({"C": x, "score": 0.5 + 0.4 * np.sin(3 * x)})
    assert lead(compute(Setup(pb.data.task_from_table(table, ["C"], "score"), 1, "icml", VALUES))) is None
