"""A and B: both curves in one picture, and a difference that is taken run by run."""

from types import SimpleNamespace

import numpy as np
import pytest

import privbo_core as pb
from pages.parts.outsourced.pinned import difference, paired
from pages.parts.table.diagnostics import suited
from pages.parts.views.text import cost_text
from privbo_core.outsourced import Difference, Setting, Simulation
from tests.helpers.opening import open_page
from tests.helpers.reading import address, press_key, record, traces

SMALL = {"T": "10", "runs": "6", "release": "noisy"}


def opened(**query):
    app = open_page("outsourced", **SMALL | query)
    return app


def finding(app):
    return record(app).figures["regret"].finding


def curve(app, name):
    return np.asarray(traces(app, "regret")[name]["y"])


def test_what_is_pinned_is_in_the_address_and_a_link_draws_both():
    app = opened(epsilon="1", data="homes")
    first = curve(app, "noisy release")
    press_key(app, "pin")
    assert "epsilon=1" in address(app)["a"]
    assert "T=" not in address(app)["a"]
    assert "No clear difference" in finding(app).title  # both are the same still
    link = {**address(app), "epsilon": "0.4"}
    other = opened(**link)
    np.testing.assert_array_equal(curve(other, "A"), first)
    assert not np.array_equal(curve(other, "noisy release"), first)
    assert traces(other, "regret")["A"]["line"]["dash"] != "solid"
    problem = pb.data.sample("homes")
    simulation, search = Simulation(problem), suited(problem)
    settings = (Setting(epsilon, 1e-5, 10, 10, search=search, once=True) for epsilon in (1, 0.4))
    a, b = ([*simulation.compare(setting, 6, ("noisy",))][-1] for setting in settings)
    more = Difference.of((b.curves("noisy") - a.curves("noisy"))[:, -1])
    assert cost_text(abs(more.mean), more.standard_error, signed=False) in finding(other).title.replace("−", "")
    note = finding(other).note
    assert "A, dashed: noisy release at ε = 1" in note
    assert "B: noisy release at ε = 0.4" in note
    assert "6 paired runs" in note
    press_key(other, "unpin")
    assert "a" not in address(other)
    assert "A" not in traces(other, "regret")


@pytest.mark.parametrize(
    ("a", "is_there"), [("<b>x</b>", False), ("epsilon=nan&release=zz", True), ("epsilon=" + "9" * 9999, True)]
)
def test_an_a_that_cannot_be_had_is_what_the_page_begins_with(a, is_there):
    """That may be another release than B."""
    note = finding(opened(a=a)).note
    assert ("A, dashed" in note) == ("A, dashed: paper’s projection at ε = 3, refuted" in note) == is_there


def compared(ends):
    """A comparison of which only the last values of one release are known."""
    return SimpleNamespace(curves=lambda mechanism, measure: np.column_stack([np.full(len(ends), 9.0), ends]))


def test_the_interval_covers_the_true_difference_as_often_as_it_says():
    rng, covered = np.random.default_rng(0), 0
    for _ in range(1000):
        shared = rng.normal(0, 10, 12)  # the dice that both runs share, far larger than the difference
        found = paired(compared(shared + rng.normal(0.3, 1, 12)), "noisy", compared(shared), "noisy", "simple")
        covered += found.low <= 0.3 <= found.high
    assert abs(covered - 950) < 4 * np.sqrt(1000 * 0.95 * 0.05)


def test_the_difference_is_said_with_its_interval_and_not_where_there_may_be_none():
    assert difference(Difference(0.12, 0.05, 0.03, 0.21, 9), "simple").startswith("B costs 0.120 σ")
    assert difference(Difference(0.12, 0.05, 0.03, 0.21, 9), "simple").endswith("(0.030 to 0.210) more than A")
    assert difference(Difference(-0.12, 0.05, -0.21, -0.03, 9), "simple").endswith("(0.030 to 0.210) less than A")
    assert difference(Difference(0.12, 0.08, -0.03, 0.27, 9), "simple").startswith("No clear difference")
    assert difference(Difference(-3.0, 1.0, -5.0, -1.0, 9), "rank").startswith("B costs 3.00 ranks")


@pytest.mark.parametrize("measure", ["cumulative", "rank"])
def test_a_stands_beside_b_in_each_measure(measure):
    app = opened(epsilon="3", data="homes", a="release=noisy&epsilon=0.5", measure=measure)
    assert len(curve(app, "A")) == 10
    assert "A" in finding(app).title
